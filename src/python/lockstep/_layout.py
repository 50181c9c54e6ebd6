"""Blocks of shaders as types of NumPy."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Union

import numpy as np

_NUMBERS: Dict[str, np.dtype] = {
    "u8": np.dtype("u1"), "u16": np.dtype("<u2"), "u32": np.dtype("<u4"), "u64": np.dtype("<u8"),
    "i8": np.dtype("i1"), "i16": np.dtype("<i2"), "i32": np.dtype("<i4"), "i64": np.dtype("<i8"),
    "f16": np.dtype("<f2"), "f32": np.dtype("<f4"), "f64": np.dtype("<f8"),
}  # fmt: skip


def _padded(element: np.dtype, stride: int) -> np.dtype:
    """The element with the bytes between it and the next one."""
    if element.itemsize == stride:
        return element
    fields: Dict[str, Any]
    if element.names is not None:
        assert element.fields is not None
        fields = {
            "names": list(element.names),
            "formats": [element.fields[name][0] for name in element.names],
            "offsets": [element.fields[name][1] for name in element.names],
        }
    else:
        fields = {"names": ["value"], "formats": [element], "offsets": [0]}
    record: Any = {**fields, "itemsize": stride}
    return np.dtype(record)


def _dtype(layout: Mapping[str, Any], left: int) -> np.dtype:
    """The type of a layout; `left` bytes hold an array without a size."""
    kind = layout["kind"]
    if kind in ("number", "address"):
        return _NUMBERS[layout["number"]]
    if kind == "vector":
        return np.dtype((_NUMBERS[layout["number"]], (layout["rows"],)))
    if kind == "matrix":
        outer, inner = layout["columns"], layout["rows"]
        if layout["row_major"]:
            outer, inner = inner, outer
        line = np.dtype((_NUMBERS[layout["number"]], (inner,)))
        return np.dtype((_padded(line, layout["stride"]), (outer,)))
    if kind == "array":
        return np.dtype((_element(layout), (layout["count"] or left // layout["stride"],)))
    names, formats, offsets, end = [], [], [], layout["size"]
    for k, (name, offset, member) in enumerate(layout["members"]):
        made = _dtype(member, max(0, left - offset))
        names.append(name or f"member_{k}")
        formats.append(made)
        offsets.append(offset)
        end = max(end, offset + made.itemsize)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": end})


def _element(array: Mapping[str, Any]) -> np.dtype:
    return _padded(_dtype(array["members"][0][2], array["stride"]), array["stride"])


def _numbers(layout: Mapping[str, Any]) -> "set[str]":
    if layout["kind"] in ("structure", "array"):
        return set().union(*(_numbers(member[2]) for member in layout["members"]))
    return {layout["number"]}


def _alike(one: np.dtype, other: np.dtype) -> bool:
    """Whether both are integers, or floats, of one size in this machine's order; signs may differ."""
    if not one.isnative or not other.isnative or one.itemsize != other.itemsize:
        return False
    return one.kind == other.kind or {one.kind, other.kind} <= {"i", "u"}


def _compare(expected: np.dtype, given: np.dtype, path: str, where: str) -> None:
    """TypeError for the first field that is not where the shader has it."""
    if expected.names is None:
        base, shape = expected.subdtype or (expected, ())
        given_base, given_shape = given.subdtype or (given, ())
        if shape != given_shape:
            raise TypeError(f"{where}: {path} has the shape {given_shape}, the shader's {shape}")
        if base.names is not None:
            return _compare(base, given_base, path, where)
        if not _alike(base, given_base):
            raise TypeError(f"{where}: {path} is {given_base}, the shader has {base}")
        return
    if given.names is None:
        raise TypeError(f"{where}: {path} is {given}, the shader has the fields {list(expected.names)}")
    assert expected.fields is not None and given.fields is not None
    for name in expected.names:
        inner = f"{path}.{name}" if path else name
        if name not in given.names:
            raise TypeError(f"{where}: the field {inner} is missing; there are {list(given.names)}")
        at, given_at = expected.fields[name][1], given.fields[name][1]
        if at != given_at:
            raise TypeError(f"{where}: the field {inner} is at byte {given_at}, the shader has it at {at}")
        _compare(expected.fields[name][0], given.fields[name][0], f"the field {inner}", where)
    if expected.itemsize != given.itemsize:
        raise TypeError(
            f"{where}: {path or 'an element'} takes {given.itemsize} bytes, in the shader {expected.itemsize}"
        )


class Layout:
    """How a shader lays out a block in memory (std430, std140 or scalar: what its offsets say).

    Attributes:
        text: its members as GLSL declares them: "uint count, Particle rest[]".
        size: bytes of the members before an array without a size.
        stride: bytes from one element of that array to the next; 0 if all members have a size.
        number: the type of its numbers if all are of one type, else None.
    """

    text: str
    size: int
    stride: int
    number: Optional[np.dtype]

    def __init__(self, raw: Mapping[str, Any], text: str) -> None:
        self._raw = raw
        self.text = text
        numbers = _numbers(raw)
        self.number = _NUMBERS[next(iter(numbers))] if len(numbers) == 1 else None
        last = raw["members"][-1] if raw["members"] else None
        unsized = last is not None and last[2]["kind"] == "array" and last[2]["count"] == 0
        self.stride = last[2]["stride"] if last is not None and unsized else 0
        self.size = last[1] if last is not None and unsized else raw["size"]
        only = raw["members"][0] if len(raw["members"]) == 1 else None
        self._array = only[2] if only is not None and only[1] == 0 and only[2]["kind"] == "array" else None
        self._element = _element(self._array) if self._array is not None else None
        self._known: "set[Any]" = set()  # dtypes and shapes that fit

    def __repr__(self) -> str:
        return f"Layout({self.text})"

    @property
    def element(self) -> Optional[np.dtype]:
        """The type of an element of a block that is nothing but an array, with the bytes up to the next; else None."""
        return self._element

    def dtype(self, elements: int = 0) -> np.dtype:
        """The type of the whole block as one record; an array without a size has so many elements."""
        return _dtype(self._raw, self.size + elements * self.stride)

    def zeros(self, elements: int = 0) -> np.ndarray:
        """An array of zeros for this block: of its numbers or records if it is an array, else of one record."""
        if self._element is None:
            return np.zeros((), self.dtype(elements))
        base, shape = self._element.subdtype or (self._element, ())
        count = self._array["count"] or elements if self._array is not None else elements
        return np.zeros((count, *shape), base)

    def check(self, array: np.ndarray, where: str) -> None:
        """TypeError or ValueError, starting with `where`, for an array that does not fit the block."""
        key = (array.dtype, array.shape)
        if key in self._known:
            return
        if array.dtype.names is not None:
            self._check_records(array, where)
        else:
            self._check_numbers(array, where)
        self._check_size(array.nbytes, where)
        if len(self._known) < 64:
            self._known.add(key)

    def _check_records(self, array: np.ndarray, where: str) -> None:
        if self._element is not None and self._element.names is not None:
            return _compare(self._element, array.dtype, "", where)
        if array.size != 1:
            raise ValueError(f"{where}: the block ({self.text}) is one record, and the array has {array.size}")
        elements = (array.nbytes - self.size) // self.stride if self.stride else 0
        _compare(self.dtype(max(0, elements)), array.dtype, "", where)

    def _check_numbers(self, array: np.ndarray, where: str) -> None:
        if self.number is None:
            wanted = self._element if self._element is not None else "the dtype of layout.zeros()"
            raise TypeError(
                f"{where}: an array of {array.dtype} for a block of several types ({self.text}); give records: {wanted}"
            )
        if not _alike(self.number, array.dtype):
            raise TypeError(f"{where}: an array of {array.dtype}, the shader has {self.number} ({self.text})")
        if self._array is None:
            return
        inner = self._array["members"][0][2]
        if inner["kind"] == "vector" and array.ndim > 1:
            length, padded = inner["rows"], self._array["stride"] // self.number.itemsize
            if length != padded and array.shape[-1] != padded:
                raise ValueError(
                    f"{where}: the last axis has {array.shape[-1]} numbers, but each {inner['type']} takes the room "
                    f"of {padded}: give the shape (n, {padded})"
                )

    def _check_size(self, nbytes: int, where: str) -> None:
        if nbytes < self.size:
            raise ValueError(f"{where}: the array has {nbytes} bytes, the block ({self.text}) needs {self.size}")
        if self.stride and (nbytes - self.size) % self.stride:
            before = f" after the first {self.size}" if self.size else ""
            raise ValueError(
                f"{where}: {nbytes} bytes are not a whole number of elements of {self.stride} bytes{before} "
                f"({self.text})"
            )

    def pack(self, values: Union[Mapping[str, Any], np.ndarray, bytes], where: str) -> bytes:
        """The bytes of a block without an array of open size: from its members by name, or from an array or bytes."""
        if isinstance(values, (bytes, bytearray)):
            packed = bytes(values)
        elif isinstance(values, Mapping):
            packed = _packed(self._raw, values, where)
        else:
            array = np.asarray(values)
            self.check(array, where)
            packed = array.tobytes()
        if len(packed) != self.size:
            raise ValueError(f"{where}: {len(packed)} bytes, the block ({self.text}) has {self.size}")
        return packed


def _packed(layout: Mapping[str, Any], values: Mapping[str, Any], where: str) -> bytes:
    made = np.zeros((), _dtype(layout, 0))
    _fill(made, values, where)
    return made.tobytes()


def _fill(record: np.ndarray, values: Mapping[str, Any], where: str) -> None:
    assert record.dtype.names is not None
    names = record.dtype.names
    for name in values:
        if name not in names:
            raise ValueError(f"{where}: there is no member {name}; there are {', '.join(names)}")
    for name in names:
        if name not in values:
            raise ValueError(f"{where}: the member {name} is missing")
        value, field = values[name], record[name]
        if isinstance(value, Mapping):
            _fill(field, value, f"{where}, {name}")
        else:
            record[name] = _number(value, field.dtype, f"{where}, {name}")


def _number(value: Any, dtype: np.dtype, where: str) -> Any:
    """The value, if the type holds it."""
    if dtype.kind not in "iu":
        return value
    given = np.asarray(value)
    if given.dtype.kind not in "iub" and not (given.dtype.kind == "O" and all(isinstance(v, int) for v in given.flat)):
        raise TypeError(f"{where}: {value!r} for an integer")
    limits = np.iinfo(dtype)
    if given.size and (given.min() < limits.min or given.max() > limits.max):
        raise ValueError(f"{where}: {value!r} is outside {dtype}, {limits.min} to {limits.max}")
    return value
