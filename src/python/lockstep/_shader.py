"""Shaders and their runs."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _bindings, _lockstep
from ._bindings import Binding, Image, Key, Lookup
from ._explore import Exploration, words_of
from ._judge import Judge
from ._layout import Layout
from ._lockstep import Finding
from ._trace import Trace

Groups = Union[int, Sequence[int]]
Buffers = Mapping[Key, Union[np.ndarray, Sequence[Optional[np.ndarray]]]]
Images = Mapping[Key, Union[Image, np.ndarray, Sequence[Union[Image, np.ndarray, None]]]]
Push = Union[Mapping[str, Any], np.ndarray, np.generic, bytes, None]
Check = Union[bool, str, Iterable[str]]
Progress = Union[bool, Callable[[int, int], object], None]

_TEXT_LANGUAGES = ("glsl", "hlsl", "spvasm")


def three(value: Groups, what: str) -> Tuple[int, int, int]:
    """(x, y, z) of a number or up to three."""
    numbers = [value] if isinstance(value, (int, np.integer)) else list(value)
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"{what}: {value!r}; give one to three numbers")
    for number in numbers:
        if not isinstance(number, (int, np.integer)):
            raise TypeError(f"{what}: {number!r} is not an integer")
        if not 0 <= number < 2**32:
            raise ValueError(f"{what}: {number} is outside 0 to 4294967295")
    x, y, z = [int(number) for number in numbers] + [1] * (3 - len(numbers))
    return x, y, z


def check_text(check: Check) -> Optional[str]:
    """The rules as the program's --check takes them; None for none."""
    if check is False:
        return None
    if check is True:
        return "all"
    return check if isinstance(check, str) else ",".join(check)


def _constant_text(key: Union[str, int], value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        value = str(bool(value)).lower()
    return f"{key}={value}"


class Run:
    """What a run gave. The arrays that were given hold the results.

    Attributes:
        buffers: the arrays by the name of their binding; of an array of buffers, a list.
        findings: a list of Finding, in the order of workgroups.
        more_findings: how often something was found in places beyond the first 256.
        notes: what a lenient run tolerated, or "".
        printed: what debugPrintf printed, a text for each lane and call.
        steps: iterations of loops, over all subgroups.
        machine_code: what the shader's machine code was written for: "avx512", "avx2", "calls" or "none (why)".
        subgroup_size: lanes in a subgroup.
        groups: workgroups, (x, y, z).
    """

    def __init__(self, buffers: "Dict[str, Any]", raw: Mapping[str, Any], subgroup_size: int, groups: Tuple[int, int, int]):
        self.buffers = buffers
        self.findings: List[Finding] = raw["findings"]
        self.more_findings: int = raw["more_findings"]
        self.notes: str = raw["notes"]
        self.printed: List[str] = raw["printed"]
        self.steps: int = raw["steps"]
        self.machine_code: str = raw["machine_code"]
        self.subgroup_size = subgroup_size
        self.groups = groups

    @property
    def ok(self) -> bool:
        """Whether no finding is an error."""
        return self.more_findings == 0 and all(finding.severity != "error" for finding in self.findings)

    def sarif(self) -> str:
        """The findings as a log in SARIF 2.1.0."""
        return _lockstep.sarif(self.findings)

    def __repr__(self) -> str:
        x, y, z = self.groups
        head = f"Run of {x} x {y} x {z} workgroups in subgroups of {self.subgroup_size}: "
        if not self.findings:
            return head + "no findings"
        count = f"{len(self.findings)} finding{'s' if len(self.findings) > 1 else ''}"
        return "\n".join([head + count, *(str(finding) for finding in self.findings)])


class Bar:
    """Progress on standard error: tqdm's bar if it is installed, else a line."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        try:
            from tqdm.auto import tqdm  # type: ignore[import]

            self._bar: Any = tqdm(unit=f" {unit}")
        except ImportError:
            self._bar = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is not None:
            self._bar.total = total
            self._bar.update(done - self._bar.n)
        else:
            sys.stderr.write(f"\r{100 * done // max(total, 1):3} % of {total} {self._unit}")
            sys.stderr.flush()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        else:
            sys.stderr.write("\n")


class Shader:
    """A compute shader, compiled once.

        scan = lockstep.Shader("scan.comp", defines={"N": 4})
        out = np.zeros_like(x)
        run = scan.run(groups=4, buffers={"In": x, "Out": out}, subgroup_size=24, check=True)

    Args:
        source: a file (.comp, .glsl, .hlsl, .spvasm, .spv; .slang, .wgsl and .cl through a compiler in PATH), text, which
            has several lines, or the bytes of a SPIR-V module.
        language: of text: "glsl", "hlsl" or "spvasm"; without it, a text that has OpCapability is assembly, all else GLSL.
        name: of text in messages.
        defines: macros, by name.
        include_dirs: for #include.
        entry: the entry point; "main", or the only one.
        constants: specialization constants, by name or id.
        target: "vulkan1.0" to "vulkan1.3", "spv1.0" to "spv1.6" or "opengl".
        compiler: a program that compiles the file instead of the library.
        validate: whether SPIRV-Tools validate the module.
        registers: of HLSL, shifts of registers: "b=0,t=10".
        robust: accesses outside memory are not findings.

    Raises:
        CompileError: with file, line and column, if the source is not valid or not supported.
    """

    def __init__(
        self,
        source: Union[str, bytes, "os.PathLike[str]"],
        *,
        language: Optional[str] = None,
        name: Optional[str] = None,
        defines: Optional[Mapping[str, Any]] = None,
        include_dirs: Sequence[Union[str, "os.PathLike[str]"]] = (),
        entry: str = "main",
        constants: Optional[Mapping[Union[str, int], Any]] = None,
        target: str = "",
        compiler: str = "",
        validate: bool = True,
        registers: str = "",
        robust: bool = False,
    ) -> None:
        macros = [(macro, str(int(value) if isinstance(value, bool) else value)) for macro, value in (defines or {}).items()]
        dirs = [os.fspath(folder) for folder in include_dirs]
        self._sources: Dict[str, str] = {}
        if isinstance(source, (bytes, bytearray)):
            self._module = _lockstep.from_text(
                "spv", bytes(source), name or "shader.spv", macros, dirs, entry, target, validate, registers)
        elif isinstance(source, str) and (language is not None or "\n" in source):
            language = language or ("spvasm" if "OpCapability" in source else "glsl")
            if language not in _TEXT_LANGUAGES:
                raise ValueError(f"language {language!r}: text is in {', '.join(_TEXT_LANGUAGES)}; others are compiled from files")
            ending = {"glsl": "comp"}.get(language, language)
            self._sources = {name or f"shader.{ending}": source}
            self._module = _lockstep.from_text(
                language, source, name or f"shader.{ending}", macros, dirs, entry, target, validate, registers)
        else:
            self._module = _lockstep.load(
                os.fspath(source), macros, dirs, entry, target, compiler, validate, registers)
        entries = self._module.entry_points
        if entry == "main" and entry not in entries and len(entries) == 1:
            entry = entries[0]
        self._constants = [_constant_text(key, value) for key, value in (constants or {}).items()]
        raw = self._module.reflect(entry, self._constants)
        self._entry: str = raw["entry"]
        self._robust = robust
        self._local_size: Tuple[int, int, int] = raw["local_size"]
        self._bindings = _bindings.declared(raw["bindings"])
        self._any = Lookup(self._bindings)
        self._buffers = Lookup([binding for binding in self._bindings if binding.is_buffer])
        self._images = Lookup([binding for binding in self._bindings if binding.is_image])
        self._samplers = Lookup([binding for binding in self._bindings if binding.is_sampler])
        block = raw["push_constants"]
        self._push = Layout(block, raw["push_members"]) if block is not None else None
        self._declared_constants = raw["constants"]
        self._pipelines: Dict[int, Any] = {}

    # ---- What it declares ----

    @property
    def name(self) -> str:
        """Its name in messages: its path."""
        return self._module.name

    @property
    def local_size(self) -> Tuple[int, int, int]:
        """Invocations of a workgroup: (x, y, z)."""
        return self._local_size

    @property
    def bindings(self) -> List[Binding]:
        """What it declares at bindings."""
        return list(self._bindings)

    @property
    def constants(self) -> Dict[int, Tuple[str, str]]:
        """Its specialization constants: by id, the name ("" if it has none) and GLSL's type."""
        return {number: (name, type) for number, name, type, _ in self._declared_constants}

    @property
    def push_constants(self) -> Optional[Layout]:
        """The block of push constants, or None."""
        return self._push

    @property
    def built_ins(self) -> List[str]:
        """The subgroup built-ins that it calls."""
        return self._pipeline(32).interface["built_ins"]

    @property
    def spirv(self) -> bytes:
        """Its SPIR-V."""
        return self._module.words

    def layout(self, key: Key) -> Layout:
        """How a buffer lies in memory; layout(...).zeros(n) makes an array for it."""
        found = self._any.find(key, "layout of")
        if found.layout is None:
            raise ValueError(f"{found} is not a buffer")
        return found.layout

    def __repr__(self) -> str:
        return f"Shader({self.name!r}, {', '.join(str(binding) for binding in self._bindings)})"

    # ---- Running ----

    def run(
        self,
        groups: Optional[Groups] = None,
        buffers: Optional[Buffers] = None,
        *,
        invocations: Optional[Groups] = None,
        images: Optional[Images] = None,
        samplers: Optional[Mapping[Key, str]] = None,
        push: Push = None,
        subgroup_size: Optional[int] = None,
        profile: Optional[str] = None,
        check: Check = False,
        bits: bool = False,
        threads: int = 0,
        max_steps: Optional[int] = None,
        convergence: Optional[str] = None,
        choose: Optional[str] = None,
        mapping: str = "",
        partial_subgroups: str = "",
        workgroup_order: str = "",
        deterministic: bool = False,
        lenient: bool = False,
        progress: Progress = None,
    ) -> Run:
        """Runs the shader on arrays, which it reads and writes in place.

        Args:
            groups: workgroups: x, (x, y) or (x, y, z).
            buffers: by name, binding or (set, binding), an array of the buffer's type: of its numbers, or records whose
                fields lie as the shader's (layout(...) has them). An array of buffers takes a list; None stays unbound.
                Arrays are contiguous in C order; those that the shader writes are writable.
            invocations: instead of groups: invocations in each dimension, rounded up to whole workgroups.
            images: by name or binding, an Image, or an array where the shader names the format.
            samplers: by name or binding, words as "linear,clamp_to_edge".
            push: the push constants: {"count": 1000}, a record or bytes.
            subgroup_size: lanes of a subgroup, 1 to 128; 32, or the profile's.
            profile: a device whose features and limits count, one of lockstep.profiles().
            check: watch for all rules (True), or some: "data-race,out-of-bounds", "-data-race", ["data-race"].
            bits: take the bytes of arrays, whatever their type.
            threads: at most so many; 0 for all of the machine.
            max_steps: iterations of one loop before it counts as endless (default: 67108864).
            convergence: the rule of reconvergence: "maximal" (default), "subgroup-uniform" or "core".
            choose: what the rule leaves open: "rejoin-all" (default), "rejoin-none", "random:SEED", "replay:LIST".
            mapping: which invocation runs in which lane: "linear", "reversed", "shuffled:SEED", "quads".
            partial_subgroups: "even" or "random:SEED": more subgroups than needed, which are not full.
            workgroup_order: "linear", "reversed", "shuffled:SEED", "permutation:NUMBER".
            deterministic: everything in one order, on one thread.
            lenient: count invocations that do not reach a barrier as arrived.
            progress: called with (done, total) workgroups up to ten times a second; True draws a bar.

        Returns:
            A Run with the findings. In every run these are accesses outside memory, with `check` all rules.

        Raises:
            TypeError, ValueError: for arguments that do not fit; the message names the binding.
            CompileError: for what the engine does not support, with its line.
            RunError: for an endless loop or a barrier that not all invocations reach.
            KeyboardInterrupt: after Ctrl-C; what was written until then stays.
        """
        size = self._size(subgroup_size, profile)
        bound, given = self._arguments(buffers, images, samplers, push, bits)
        how, three_groups = self._how(
            groups, invocations, check, threads, max_steps, convergence, choose, mapping, partial_subgroups,
            workgroup_order, deterministic, lenient)
        pipeline = self._pipeline(size)
        if profile is not None:
            pipeline.check(profile, three_groups)
        bar = Bar("workgroups") if progress is True else None
        try:
            raw = pipeline.dispatch(given, how, bar if bar is not None else (progress or None))
        finally:
            if bar is not None:
                bar.close()
        return Run(bound, raw, size, three_groups)

    def _job(self, given: Any, how: Any, size: int) -> Any:
        return _lockstep.Job(self._module, self._entry, self._constants, given, how, size)

    def explore(
        self,
        groups: Optional[Groups] = None,
        buffers: Optional[Buffers] = None,
        *,
        invocations: Optional[Groups] = None,
        images: Optional[Images] = None,
        samplers: Optional[Mapping[Key, str]] = None,
        push: Push = None,
        subgroup_size: Optional[int] = None,
        profile: Optional[str] = None,
        bits: bool = False,
        threads: int = 0,
        max_steps: Optional[int] = None,
        convergence: Optional[str] = None,
        vary: Union[str, Sequence[str], None] = None,
        same: Union[str, Sequence[str], None] = None,
        sizes: Optional[Sequence[int]] = None,
        runs: int = 2000,
        seconds: Optional[float] = None,
        unordered: Sequence[Key] = (),
        full_subgroups: bool = False,
        occupancy_bound: bool = False,
        progress: Progress = None,
    ) -> Exploration:
        """Runs the shader under everything that a conforming device may choose, and says what its result depends on.

        The arrays are inputs and are not changed. All other arguments are as in run.

        Args:
            convergence: what is promised (default: what the shader declares, else "core").
            vary: only these dimensions; lockstep.dimensions() lists all.
            same: all dimensions but these.
            sizes: subgroup sizes to try (default: powers of two from 4 to 128, or the profile's).
            runs, seconds: the budget.
            unordered: buffers that are compared without regard to the order of their 32-bit words.
            full_subgroups: subgroups are full, as VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT requires.
            occupancy_bound: all of a workgroup that has begun goes on while others wait, as on most devices.
            progress: called with (runs, budget) up to ten times a second; True draws a bar.

        Returns:
            An Exploration: `depends_on`, and the `smallest` choice that changes the result.
        """
        if vary is not None and same is not None:
            raise TypeError("vary and same both say what is varied; give one")
        size = self._size(subgroup_size, profile)
        bound, given = self._arguments(buffers, images, samplers, push, bits)
        how, three_groups = self._how(
            groups, invocations, False, threads, max_steps, convergence, None, "", "", "", False, False)
        if profile is not None:
            self._pipeline(size).check(profile, three_groups)
        job = self._job(given, how, size)
        choices = _lockstep.Choices()
        choices.vary, choices.same = words_of(vary), words_of(same)
        choices.sizes = [int(n) for n in sizes] if sizes is not None else self._sizes(profile)
        choices.runs = runs if seconds is None else 2**63
        choices.seconds = seconds or 0.0
        choices.full_subgroups, choices.occupancy_bound = full_subgroups, occupancy_bound
        choices.has_max_steps = max_steps is not None
        loose = {self._any.find(key, "unordered").name for key in unordered}
        choices.unordered = [name in loose for name, _ in job.written]
        bar = Bar("runs") if progress is True else None
        try:
            raw = _lockstep.explore(job, choices, bar if bar is not None else (progress or None))
        finally:
            if bar is not None:
                bar.close()
        return Exploration(raw, job.written, bound)

    def trace(
        self,
        groups: Optional[Groups] = None,
        buffers: Optional[Buffers] = None,
        *,
        invocations: Optional[Groups] = None,
        images: Optional[Images] = None,
        samplers: Optional[Mapping[Key, str]] = None,
        push: Push = None,
        subgroup_size: int = 8,
        check: Check = False,
        bits: bool = False,
        max_steps: Optional[int] = None,
        convergence: Optional[str] = None,
        choose: Optional[str] = None,
        mapping: str = "",
        partial_subgroups: str = "",
        workgroup_order: str = "",
        lenient: bool = False,
        workgroup: Optional[Groups] = (0, 0, 0),
        subgroup: Optional[int] = 0,
        variables: Optional[Sequence[str]] = None,
        most_events: int = 1_000_000,
        progress: Progress = None,
    ) -> Trace:
        """Records which lanes are active on which line.

        The arrays are inputs and are not changed. All other arguments are as in run.

        Args:
            workgroup: the one to record; None for all.
            subgroup: the one of the workgroup; None for all.
            variables: the named variables whose values are kept; None for all.
            most_events: later ones are counted only.

        Returns:
            A Trace, which a notebook shows as a page; save("t.svg") writes it. Errors of the run are in it.
        """
        bound, given = self._arguments(buffers, images, samplers, push, bits)
        how, _ = self._how(
            groups, invocations, check, 1, max_steps, convergence, choose, mapping, partial_subgroups, workgroup_order,
            True, lenient)
        job = self._job(given, how, subgroup_size)
        at = None if workgroup is None else _first(workgroup)
        data = _lockstep.trace(
            job, at, subgroup, None if variables is None else list(variables), most_events, self._sources,
            progress if callable(progress) else None)
        return Trace(data)

    def judge(
        self,
        groups: Optional[Groups] = None,
        buffers: Optional[Buffers] = None,
        *,
        invocations: Optional[Groups] = None,
        images: Optional[Images] = None,
        samplers: Optional[Mapping[Key, str]] = None,
        push: Push = None,
        subgroup_size: Optional[int] = None,
        bits: bool = False,
        order: str = "",
        explain: bool = True,
    ) -> Judge:
        """Finds out what conforming devices may leave in the buffers, for lockstep.compare.

        The arrays are inputs and are not changed. All other arguments are as in run.

        Args:
            subgroup_size: that of the device.
            order: the one order in which the device adds floats between lanes: "tree", "left_fold", "hillis_steele" or
                "butterfly"; any if empty.
            explain: look for another behaviour that explains wrong elements.
        """
        size = self._size(subgroup_size, None)
        bound, given = self._arguments(buffers, images, samplers, push, bits)
        how, _ = self._how(groups, invocations, False, 1, None, None, None, "", "", "", True, False)
        job = self._job(given, how, size)
        return Judge(_lockstep.JudgeData(job, order, explain), job.written, bound)

    def _sizes(self, profile: Optional[str]) -> List[int]:
        least, most = 4, 128
        for one in _lockstep.profiles():
            if one["name"] == profile:
                least, most = one["min_subgroup_size"], one["max_subgroup_size"]
        return [1 << k for k in range(8) if least <= 1 << k <= most]

    def _size(self, subgroup_size: Optional[int], profile: Optional[str]) -> int:
        if subgroup_size is not None:
            return subgroup_size
        if profile is None:
            return 32
        for one in _lockstep.profiles():
            if one["name"] == profile:
                return int(one["subgroup_size"])
        raise ValueError(f"profile {profile!r}: there are {', '.join(p['name'] for p in _lockstep.profiles())}")

    def _pipeline(self, size: int) -> Any:
        made = self._pipelines.get(size)
        if made is None:
            made = _lockstep.Pipeline(self._module, self._entry, self._constants, size, self._robust)
            self._pipelines[size] = made
        return made

    def _how(
        self, groups: Optional[Groups], invocations: Optional[Groups], check: Check, threads: int,
        max_steps: Optional[int], convergence: Optional[str], choose: Optional[str], mapping: str,
        partial_subgroups: str, workgroup_order: str, deterministic: bool, lenient: bool,
    ) -> Tuple[Any, Tuple[int, int, int]]:  # fmt: skip
        if (groups is None) == (invocations is None):
            raise TypeError("give groups, the numbers of workgroups, or invocations")
        if groups is not None:
            x, y, z = three(groups, "groups")
        else:
            assert invocations is not None
            wanted = three(invocations, "invocations")
            x, y, z = (-(-n // local) for n, local in zip(wanted, self._local_size))
        how = _lockstep.How()
        how.groups = (x, y, z)
        how.threads = threads
        how.deterministic = deterministic
        how.lenient = lenient
        how.partially_bound = any(binding.elements != 1 for binding in self._bindings)
        rules = check_text(check)
        if rules is not None:
            how.check = rules
        if max_steps is not None:
            how.max_steps = max_steps
        if convergence is not None:
            how.convergence = convergence
        if choose is not None:
            how.choose = choose
        if mapping or partial_subgroups:
            how.set_mapping(mapping, partial_subgroups)
        if workgroup_order:
            how.workgroup_order = workgroup_order
        return how, (x, y, z)

    def _arguments(
        self, buffers: Optional[Buffers], images: Optional[Images], samplers: Optional[Mapping[Key, str]], push: Push,
        bits: bool,
    ) -> Tuple[Dict[str, Any], Any]:  # fmt: skip
        """The arrays by name, and what the engine gets."""
        given = _lockstep.Arguments()
        bound: Dict[str, Any] = {}
        memory: List[Tuple[Binding, np.ndarray]] = []
        for key, value in (buffers or {}).items():
            binding = self._buffers.find(key, "buffer")
            self._take(binding, bound)
            for element, array in self._elements(binding, value):
                where = f"buffer {binding}" + (f", element {element}" if binding.elements != 1 else "")
                array = _bindings.check_memory(binding, array, where)
                assert binding.layout is not None
                if not bits:
                    binding.layout.check(array, where)
                type = _short(array.dtype) if array.dtype.names is None else "u8"
                given.buffer(binding.kind, binding.set, binding.binding, element, binding.name, binding.writable, type, array)
                memory.append((binding, array))
            bound[binding.name] = value
        for key, texels in (images or {}).items():
            self._add_image(given, key, texels, bound, memory)
        for key, words in (samplers or {}).items():
            binding = self._samplers.find(key, "sampler")
            given.sampler(binding.kind, binding.set, binding.binding, 0, binding.name, words)
            bound.setdefault(binding.name, words)
        if len(memory) > 1:
            _bindings.check_overlaps(memory)
        self._check_complete(bound)
        self._add_push(given, push)
        return bound, given

    def _take(self, binding: Binding, bound: Mapping[str, Any]) -> None:
        if binding.name in bound:
            raise ValueError(f"{binding} is given twice")

    def _elements(self, binding: Binding, value: Any) -> List[Tuple[int, Any]]:
        if binding.elements == 1:
            return [(0, value)]
        if isinstance(value, (np.ndarray, Image)):
            raise TypeError(f"{binding} is an array of {binding.elements or 'any number of'} buffers or images; give a list")
        if binding.elements and len(value) > binding.elements:
            raise ValueError(f"{binding} has {binding.elements} elements, not {len(value)}")
        return [(element, one) for element, one in enumerate(value) if one is not None]

    def _add_image(
        self, given: Any, key: Key, value: Any, bound: Dict[str, Any], memory: List[Tuple[Binding, np.ndarray]]
    ) -> None:
        binding = self._images.find(key, "image")
        self._take(binding, bound)
        for element, one in self._elements(binding, value):
            where = f"image {binding}"
            image = one if isinstance(one, Image) else Image(one)
            array = _bindings.check_memory(binding, image.array, where)
            format, size = _bindings.image_size(binding, image, where)
            axes = 3 if "3D" in binding.type else 1 if "1D" in binding.type else 2
            given.image(binding.kind, binding.set, binding.binding, element, binding.name, binding.writable,
                        _short(array.dtype), array, format, size, axes, 1, 1)  # fmt: skip
            memory.append((binding, array))
        bound[binding.name] = value

    def _check_complete(self, bound: Mapping[str, Any]) -> None:
        missing = [b for b in self._bindings if b.used and b.elements == 1 and b.name not in bound]
        if missing:
            what = "buffers" if missing[0].is_buffer else "samplers" if missing[0].kind == "sampler" else "images"
            raise ValueError(f"{missing[0]} is missing; give {what}={{{missing[0].name!r}: ...}}")

    def _add_push(self, given: Any, push: Push) -> None:
        if push is None and self._push is None:
            return
        if self._push is None:
            raise ValueError("push: the shader has no push constants")
        if push is None:
            raise ValueError(f"the shader has push constants ({self._push.text}); give push={{...}}")
        given.push(self._push.pack(push, "push"))  # type: ignore[arg-type]


def _first(workgroup: Groups) -> Tuple[int, int, int]:
    """The id of a workgroup: (x, y, z), zeros where nothing is given."""
    numbers = [workgroup] if isinstance(workgroup, (int, np.integer)) else list(workgroup)
    x, y, z = (numbers + [0, 0])[:3]
    return int(x), int(y), int(z)


def _short(dtype: np.dtype) -> str:
    """The program's name of a type: "u32"."""
    return f"{'u' if dtype.kind == 'b' else dtype.kind}{8 * dtype.itemsize}"


def profiles() -> List[Dict[str, Any]]:
    """The profiles of devices that Shader.run takes: name, description, and sizes of subgroups."""
    return _lockstep.profiles()


def rules() -> List[Tuple[str, str, str]]:
    """The rules that a run can be checked for: name, severity and meaning."""
    return _lockstep.all_checks()
