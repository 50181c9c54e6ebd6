"""What a shader declares at its bindings, and arrays for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _lockstep
from ._layout import Layout

#: What names a binding: its name in the shader, its number in set 0, or (set, binding).
Key = Union[str, int, Tuple[int, int]]


@dataclass(frozen=True)
class Binding:
    """A binding of a shader.

    Attributes:
        name: of the variable or block; for HLSL also its register.
        set, binding: its numbers.
        kind: storage_buffer, uniform_buffer, storage_image, sampled_image, combined_image_sampler, sampler,
            uniform_texel_buffer or storage_texel_buffer.
        writable: whether the shader may write it.
        used: whether code uses it; otherwise nothing need be given.
        elements: of an array of bindings; 0 without a size.
        type: of images and samplers, "uimage2D"; of buffers the block's name.
        format: of storage images, if the shader names it: "rgba8".
        layout: of buffers.
    """

    name: str
    set: int
    binding: int
    kind: str
    writable: bool
    used: bool
    elements: int
    type: str
    format: str
    hlsl_register: str = ""
    layout: Optional[Layout] = field(default=None, repr=False)

    @property
    def is_buffer(self) -> bool:
        """Whether it is a buffer, not an image or a sampler."""
        return self.kind in ("storage_buffer", "uniform_buffer")

    @property
    def is_sampler(self) -> bool:
        """Whether it takes a sampler."""
        return self.kind in ("sampler", "combined_image_sampler")

    @property
    def is_image(self) -> bool:
        """Whether it takes texels."""
        return not self.is_buffer and self.kind != "sampler"

    def __str__(self) -> str:
        return f"{self.name or 'binding'} (set {self.set}, binding {self.binding})"


def declared(raw: Sequence[Mapping[str, Any]]) -> List[Binding]:
    """The bindings, one for each slot and kind."""
    made: Dict[Tuple[int, int, bool], Binding] = {}
    for one in raw:
        is_buffer = one["kind"] in ("storage_buffer", "uniform_buffer")
        binding = Binding(
            name=one["name"] or one["type"],
            set=one["set"],
            binding=one["binding"],
            kind=one["kind"],
            writable=one["writable"],
            used=one["used"],
            elements=one["elements"],
            type=one["type"],
            format=one["format"],
            hlsl_register=one["hlsl_register"],
            layout=Layout(one["block"], one["members"]) if is_buffer else None,
        )
        key = (binding.set, binding.binding, binding.kind == "sampler")
        before = made.get(key)
        if before is None or (binding.writable and not before.writable):
            made[key] = binding
    return list(made.values())


class Lookup:
    """Bindings by what users call them; the first of those that a name means."""

    def __init__(self, bindings: Sequence[Binding]) -> None:
        self._bindings = bindings
        self._by_key: Dict[Key, Binding] = {}
        for binding in bindings:
            keys: List[Key] = [binding.name, binding.type, binding.hlsl_register, (binding.set, binding.binding)]
            if binding.set == 0:
                keys.append(binding.binding)
            for key in keys:
                if key != "":
                    self._by_key.setdefault(key, binding)

    def find(self, key: Key, what: str) -> Binding:
        """The binding that a key means; ValueError lists those that there are."""
        found = self._by_key.get(key)
        if found is None:
            known = ", ".join(str(binding) for binding in self._bindings) or "none"
            raise ValueError(f"{what} {key!r}: the shader has no such binding; it has {known}")
        return found


def check_memory(binding: Binding, array: Any, where: str) -> np.ndarray:
    """The array, if its memory can be used in place."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{where}: an array of NumPy is needed, not {type(array).__name__}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{where}: the array is not contiguous in C order; give np.ascontiguousarray(...)")
    if not array.flags.aligned:
        raise ValueError(f"{where}: the array is not aligned; give a copy")
    if binding.writable and not array.flags.writeable:
        raise ValueError(f"{where}: the shader writes it, and the array is read-only")
    return array


def check_overlaps(bound: Sequence[Tuple[Binding, np.ndarray]]) -> None:
    """ValueError for two arrays that share some memory, but not all, if one is written."""
    ranges = []
    for binding, array in bound:
        start = array.__array_interface__["data"][0]
        ranges.append((start, start + array.nbytes, binding))
    ranges.sort(key=lambda r: r[:2])
    for (start, end, one), (next_start, next_end, other) in zip(ranges, ranges[1:]):
        overlap = next_start < end and (start, end) != (next_start, next_end)
        if overlap and next_start != next_end and (one.writable or other.writable):
            raise ValueError(f"{one} and {other} overlap in memory, and the shader writes one of them")


# ---- Images ----

_CODINGS = {0: "f", 1: "u", 2: "i", 3: "i", 4: "u"}  # floating, unorm, snorm, sint, uint
_FORMATS = {name: rest for name, *rest in _lockstep.image_formats()}


@dataclass(frozen=True)
class Image:
    """Texels for an image or a texture, used in place.

    Attributes:
        array: (height, width), (depth or layers, height, width), either followed by the components if there are several.
            Formats whose components are not whole bytes have one number for each texel.
        format: of a texel, as in GLSL: "rgba8", "r32f". Not needed where the shader names it.
    """

    array: np.ndarray
    format: str = ""


def texel_dtype(format: str) -> Tuple[np.dtype, int]:
    """The type of a format's numbers, and how many a texel has."""
    if format not in _FORMATS:
        raise ValueError(f"format {format!r}: there are {', '.join(_FORMATS)}")
    coding, bits, components, size, packed = _FORMATS[format]
    if packed:
        return np.dtype(f"u{size}"), 1
    return np.dtype(f"{_CODINGS[coding]}{bits // 8}"), components


def image_size(binding: Binding, image: Image, where: str) -> Tuple[str, Tuple[int, int, int]]:
    """The format, and (width, height, depth)."""
    format = image.format or binding.format
    if not format:
        raise ValueError(f"{where}: the shader does not name a format; give lockstep.Image(array, format)")
    if binding.format and format != binding.format:
        raise ValueError(f"{where}: the format {format}, the shader declares {binding.format}")
    dtype, components = texel_dtype(format)
    array = image.array
    if array.dtype != dtype:
        raise TypeError(f"{where}: texels of {format} are {dtype}, not {array.dtype}")
    shape = array.shape
    if components > 1:
        if not shape or shape[-1] != components:
            raise ValueError(f"{where}: the last axis of {format} has {components} components, not the shape {shape}")
        shape = shape[:-1]
    is_line = "1D" in binding.type or binding.kind.endswith("texel_buffer")
    axes = (1,) if is_line else (2, 3)
    if len(shape) not in axes:
        raise ValueError(f"{where}: the array has the shape {array.shape}; texels have {' or '.join(map(str, axes))} axes")
    depth, height, width = (1,) * (3 - len(shape)) + shape
    return format, (width, height, depth)
