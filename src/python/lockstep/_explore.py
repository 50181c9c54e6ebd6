"""What a result depends on."""

from __future__ import annotations

import shlex
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _lockstep
from ._lockstep import Finding

#: By the name of the binding, an array, or a list of an array of buffers.
Arrays = Dict[str, Any]

_SETTINGS = {
    "--subgroup-size": int, "--convergence": str, "--choose": str, "--mapping": str, "--partial-subgroups": str,
    "--workgroup-order": str, "--max-steps": int,
}  # fmt: skip


def words_of(dimensions: Union[str, Sequence[str], None]) -> str:
    """The dimensions as the program takes them."""
    if dimensions is None:
        return ""
    listed = dimensions.split(",") if isinstance(dimensions, str) else list(dimensions)
    return ",".join(word.strip().replace("_", "-") for word in listed)


def arrays_of(contents: Sequence[bytes], written: Sequence[Tuple[str, int]], bound: Mapping[str, Any]) -> Arrays:
    """Bytes as arrays like the given ones."""
    made: Arrays = {}
    for data, (name, element) in zip(contents, written):
        given = bound[name]
        is_list = isinstance(given, (list, tuple))
        like = given[element] if is_list else getattr(given, "array", given)
        array = np.frombuffer(data, np.uint8).copy().view(like.dtype).reshape(like.shape)
        if is_list:
            made.setdefault(name, []).append(array)
        else:
            made[name] = array
    return made


class SmallestChoice:
    """The smallest choice that changes a result.

    Attributes:
        settings: arguments of Shader.run that repeat it: run(groups, buffers, **settings).
        options: the same as options of `lockstep run`.
        on: the dimensions in which it differs from the first run.
        buffers: what the shader left in the buffers that it may write.
        buffer: the first one that differs; "" if the run ended early.
        index: of its first element that differs (a tuple), or None.
        only_order: whether it holds the same words in another order.
        error: the message with which one of the two runs ended early, or "".
        where: (dimension, file, line) of the places where the runs part.
        advice: what to do about it.
    """

    def __init__(self, raw: Mapping[str, Any], names: Sequence[str], buffers: Arrays, first: Arrays) -> None:
        self.options: List[str] = raw["options"]
        self.settings: Dict[str, Any] = {
            option[2:].replace("-", "_"): _SETTINGS[option](value)
            for option, value in zip(self.options[::2], self.options[1::2])
        }
        self.on: Tuple[str, ...] = tuple(name.replace("-", "_") for name in raw["on"])
        self.buffers = buffers
        self.error: str = raw["error"]
        self.only_order: bool = raw["only_order"]
        self.buffer = "" if self.error else names[raw["buffer"]]
        self.where: List[Tuple[str, str, int]] = raw["where"]
        self.advice: str = raw["advice"]
        self.index: Optional[Tuple[int, ...]] = None
        self._text = f"ended with: {self.error}" if self.error else f"{self.buffer} differs"
        now, before = buffers.get(self.buffer), first.get(self.buffer)
        if isinstance(now, np.ndarray) and isinstance(before, np.ndarray) and now.size:
            size = now.itemsize
            at = raw["byte"] // size
            self.index = tuple(int(k) for k in np.unravel_index(at, now.shape))
            place = "".join(f"[{k}]" for k in self.index)
            self._text = f"{self.buffer}{place} is {now[self.index]}, in the first run {before[self.index]}"

    def __repr__(self) -> str:
        return f"{self._text}\n  {shlex.join(self.options)}"


class Exploration:
    """What a shader's result depends on.

    Attributes:
        depends_on: the dimensions that each alone change the result: ("subgroup_size",); empty if nothing does.
        smallest: the smallest choice that changes it, or None.
        runs: how often the shader ran.
        exhausted: dimensions that were tried to the end.
        assumed: the rule of reconvergence that is promised.
        assumed_subgroups: what is promised of full subgroups.
        first: what the first run left in the buffers that the shader may write.
        error: the message with which the first run ended early, or "".
        findings: of all runs together.
        only_order: buffers in which some runs differed in the order of words alone.
    """

    def __init__(self, raw: Mapping[str, Any], written: Sequence[Tuple[str, int]], bound: Mapping[str, Any]) -> None:
        self.depends_on: Tuple[str, ...] = tuple(name.replace("-", "_") for name in raw["depends_on"])
        self.runs: int = raw["runs"]
        self.exhausted: Tuple[str, ...] = tuple(name.replace("-", "_") for name in raw["exhausted"])
        self.assumed: str = raw["assumed"]
        self.assumed_subgroups: str = raw["assumed_subgroups"]
        self.error: str = raw["error"]
        self.findings: List[Finding] = raw["findings"]
        names = [name for name, _ in written]
        self.only_order = [name for name, only in zip(names, raw["only_order"]) if only]
        self.first = arrays_of(raw["first"], written, bound)
        self.smallest: Optional[SmallestChoice] = None
        if raw["smallest"] is not None:
            buffers = arrays_of(raw["smallest"]["buffers"], written, bound)
            self.smallest = SmallestChoice(raw["smallest"], names, buffers, self.first)

    @property
    def independent(self) -> bool:
        """Whether every run gave the same result."""
        return self.smallest is None

    def __repr__(self) -> str:
        head = f"{self.runs} runs, the first with rule {self.assumed}; {self.assumed_subgroups}"
        if self.smallest is None:
            end = f"every run ended with: {self.error}" if self.error else "every run gave the same result"
            return f"{head}\nindependent: {end}"
        lines = [head, f"depends on {', '.join(self.depends_on)}"]
        lines += [f"  {dimension} at {file}:{line}" for dimension, file, line in self.smallest.where]
        lines += [f"smallest choice: {self.smallest!r}", f"advice: {self.smallest.advice}"]
        return "\n".join(lines)


def dimensions() -> List[str]:
    """What a conforming device may choose: the dimensions that Shader.explore varies."""
    return [name.replace("-", "_") for name in _lockstep.dimensions()]
