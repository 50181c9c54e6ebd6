"""Whether the results of a device are ones that Vulkan allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _lockstep

#: The verdicts, from the best to the worst.
VERDICTS: Tuple[str, ...] = tuple(_lockstep.verdicts)


@dataclass(frozen=True)
class Element:
    """An element of a device's results with its judgement.

    Attributes:
        buffer, index: the binding's name, and the element of the flat array; of a block the number of the member.
        path: of a member of a block: "particles[3].mass"; else "".
        verdict: one of lockstep.VERDICTS.
        device, reference: what the device gave, and what Lockstep gives, as text.
        low, high: the bounds of what is allowed, or "".
        ulps: between reference and device.
        reason: why there are no bounds, or where they come from.
        workgroup, subgroup, lane, file, line: who wrote it, where that is known.
    """

    buffer: str
    index: int
    path: str
    verdict: str
    device: str
    reference: str
    low: str
    high: str
    ulps: float
    reason: str
    workgroup: Optional[Tuple[int, int, int]] = None
    subgroup: Optional[int] = None
    lane: Optional[int] = None
    file: Optional[str] = None
    line: Optional[int] = None

    def __str__(self) -> str:
        text = f"{self.buffer}{self.path and '.' + self.path or f'[{self.index}]'} is {self.device}, here {self.reference}: {self.verdict}"
        if self.low:
            text += f", allowed {self.low} to {self.high}"
        if self.reason:
            text += f" ({self.reason})"
        if self.workgroup is not None:
            text += f", written by workgroup {self.workgroup}, subgroup {self.subgroup}, lane {self.lane}"
            if self.file is not None:
                text += f", {self.file}:{self.line}"
        return text


def _element(buffer: str, raw: Mapping[str, Any]) -> Element:
    writer = raw["writer"]
    place = writer["place"] if writer is not None else None
    return Element(
        buffer, raw["index"], raw["path"], raw["verdict"], raw["device"], raw["reference"], raw["low"], raw["high"],
        raw["ulps"], raw["reason"],
        workgroup=writer and writer["workgroup"], subgroup=writer and writer["subgroup"], lane=writer and writer["lane"],
        file=place and place[0], line=place and place[1],
    )  # fmt: skip


class Comparison:
    """The judgement of a device's results.

    Attributes:
        verdicts: by buffer, an array with a verdict for each element: "equal", "allowed", "unordered" (depends on the
            order of atomics), "undefined", "racy" (invocations access it without an order), "open" (depends on a rounding
            that Vulkan leaves free, or on choices not all tried) or "wrong". It has the shape of the results; of records
            it is flat, with one for each number.
        first: the first elements that are wrong, open, racy or undefined, 8 of each at most.
        explanation: options of `lockstep run` under which another legal behaviour gives wrong results, or "".
    """

    def __init__(self, raw: Mapping[str, Any], shapes: Mapping[str, Optional[Tuple[int, ...]]]) -> None:
        self.verdicts: Dict[str, np.ndarray] = {}
        self.first: List[Element] = []
        self.explanation: str = raw["explanation"]["options"] if raw["explanation"] is not None else ""
        for one in raw["buffers"]:
            names = np.array([name for name, _ in one["runs"]] or [""])
            flat = np.repeat(names, [count for _, count in one["runs"]] or [0])
            shape = shapes.get(one["name"])
            is_whole = shape is not None and int(np.prod(shape)) == flat.size
            self.verdicts[one["name"]] = flat.reshape(shape) if is_whole and shape is not None else flat
            self.first += [_element(one["name"], element) for element in one["first"]]

    @property
    def verdict(self) -> np.ndarray:
        """The verdicts of the only buffer."""
        if len(self.verdicts) != 1:
            raise ValueError(f"there are {len(self.verdicts)} buffers: {', '.join(self.verdicts)}; use verdicts[name]")
        return next(iter(self.verdicts.values()))

    @property
    def counts(self) -> Dict[str, int]:
        """How many elements have which verdict."""
        return {name: sum(int((array == name).sum()) for array in self.verdicts.values()) for name in VERDICTS}

    @property
    def ok(self) -> bool:
        """Whether no element is wrong."""
        return self.counts["wrong"] == 0

    def __repr__(self) -> str:
        counted = ", ".join(f"{count} {name}" for name, count in self.counts.items() if count)
        lines = [f"Comparison: {counted or 'no elements'}"]
        lines += [f"  {element}" for element in self.first]
        if self.explanation:
            lines.append(f"another legal behaviour gives this: {self.explanation}")
        return "\n".join(lines)


Results = Union[np.ndarray, Mapping[str, np.ndarray]]


class Judge:
    """What conforming devices may leave in a shader's buffers; made by Shader.judge, it judges any number of results."""

    def __init__(self, data: Any, written: Sequence[Tuple[str, int]], bound: Mapping[str, Any]) -> None:
        self._data = data
        self._written = list(written)
        self._bound = bound

    @property
    def buffers(self) -> List[str]:
        """The names of the buffers that the shader may write."""
        return [name for name, _ in self._written]

    def compare(self, results: Results) -> Comparison:
        """Judges a device's results: an array if the shader writes one buffer, else by name; some may be left out."""
        names = self.buffers
        if isinstance(results, np.ndarray):
            if len(names) != 1:
                raise ValueError(f"the shader writes {', '.join(names) or 'nothing'}; give the results by name")
            results = {names[0]: results}
        for name in results:
            if name not in names:
                raise ValueError(f"{name}: the shader writes {', '.join(names)}")
        outputs: List[Optional[bytes]] = []
        shapes: Dict[str, Optional[Tuple[int, ...]]] = {}
        for name, element in self._written:
            array = results.get(name)
            if array is None:
                outputs.append(None)
                continue
            given = self._bound[name]
            like = given[element] if isinstance(given, (list, tuple)) else getattr(given, "array", given)
            array = np.ascontiguousarray(array)
            if array.dtype != like.dtype:
                raise TypeError(f"{name}: results of {array.dtype}, the shader ran on {like.dtype}")
            if array.nbytes != like.nbytes:
                raise ValueError(f"{name}: results of {array.nbytes} bytes, the shader ran on {like.nbytes}")
            outputs.append(array.tobytes())
            shapes[name] = None if array.dtype.names is not None else array.shape
        return Comparison(self._data.judge(outputs), shapes)


def compare(results: Results, *, to: Judge) -> Comparison:
    """Judges the results of a device: equal, allowed, undefined, ... for each element.

        lockstep.compare(device_array, to=scan.judge(groups=4, buffers={"In": x, "Out": np.zeros_like(x)}))

    Args:
        results: an array if the shader writes one buffer, else arrays by name.
        to: what a device may give: a Judge, from Shader.judge.
    """
    return to.compare(results)
