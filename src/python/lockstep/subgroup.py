"""GLSL's subgroup built-ins on arrays, by the functions that shaders run.

    ls.subgroup.inclusive_add(values, active=mask)

The last axis of an array is the lanes of a subgroup, 1 to 128 of them; the others are any number of subgroups. A result that
is the same in all lanes, as that of add, has no axis of lanes. A ballot has four 32-bit words as its last axis. `active` is
an array of bool, with the lanes as its last axis; lanes that are not active take no part, and their results are zero.

subgroup.undefined has the functions of the same names that say in which active lanes the result is undefined: there any
value may come from a device, and the one that is given here has no meaning.
"""

from __future__ import annotations

import keyword
import re
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _lockstep

_NONE: Tuple[Any, int, bool] = (None, 0, True)


def _snake(name: str) -> str:
    short = name[len("subgroup") :] if name.startswith("subgroup") else name
    short = short[:-2] if short.endswith("NV") else short
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", short).lower()
    return name + "_" if keyword.iskeyword(name) else name  # and_, or_


def _type_name(dtype: np.dtype, name: str) -> str:
    if dtype.kind == "b":
        return "bool"
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        raise TypeError(f"{name}: values of {dtype}; there are bool, integers of 8 to 64 bits and floats of 16 to 64")
    return f"{dtype.kind}{8 * dtype.itemsize}"


def _native(array: Any) -> np.ndarray:
    made = np.asarray(array)
    return made if made.dtype.isnative else made.astype(made.dtype.newbyteorder("="))


class _Operand:
    """An array whose last axes belong to a subgroup, and all others count subgroups."""

    def __init__(self, array: np.ndarray, own_axes: int, by_lane: bool = True) -> None:
        self.array = array
        self.own = array.shape[array.ndim - own_axes :]
        self.leading = array.shape[: array.ndim - own_axes]
        self.by_lane = by_lane

    def placed(self, leading: Tuple[int, ...]) -> Tuple[Any, int, bool]:
        """Memory, bytes from subgroup to subgroup, and whether each lane has its own."""
        if not self.leading:
            return np.ascontiguousarray(self.array), 0, self.by_lane
        array = np.ascontiguousarray(np.broadcast_to(self.array, leading + self.own))
        return array, int(np.prod(self.own, dtype=np.int64)) * array.itemsize, self.by_lane


def _numbers(array: Any, lanes: Optional[int], what: str) -> _Operand:
    """One number for all, or with an axis of lanes (of 1: one for each subgroup)."""
    given = np.asarray(array)
    if given.dtype.kind not in "iu" or (given.size and (given.min() < 0 or given.max() > 0xFFFFFFFF)):
        raise ValueError(f"{what}: {array!r}; give integers from 0 to 4294967295")
    words = given.astype(np.uint32)
    if words.ndim == 0:
        return _Operand(words, 0, by_lane=False)
    if words.shape[-1] == 1 and lanes != 1:
        return _Operand(words[..., 0], 0, by_lane=False)
    return _Operand(words, 1)


class _BuiltIn:
    """One row of the table of built-ins."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.glsl: str = row["name"]
        self.name = _snake(self.glsl)
        self.form: str = row["form"]
        self.row = row
        self.needs_bool = self.form in ("condition", "condition_to_ballot")

    def call(
        self, undefined: bool, values: Any = None, second: Any = None, ballot: Any = None, cluster: int = 0,
        lanes: Optional[int] = None, by_lane: bool = False, active: Any = None,
    ) -> np.ndarray:  # fmt: skip
        operands: Dict[str, _Operand] = {}
        type = "u32"
        if values is not None:
            array = _native(values)
            type = _type_name(array.dtype, self.name)
            if self.needs_bool and type != "bool":
                raise TypeError(f"{self.name}: conditions are bool, not {array.dtype}")
            operands["values"] = self._with_lanes(array, "values")
            lanes = array.shape[-1]
        elif active is not None and lanes is None:
            lanes = self._with_lanes(np.asarray(active), "active").own[0]
        if ballot is not None:
            operands["ballot"] = self._ballot(ballot, by_lane, lanes)
            if by_lane and lanes is None:
                lanes = operands["ballot"].own[0]
        if second is not None:
            operands["second"] = _numbers(second, lanes, f"{self.name}, second argument")
            if lanes is None and operands["second"].by_lane:
                lanes = operands["second"].own[0]
        if lanes is None:
            raise TypeError(f"{self.name}: give lanes, the subgroup's size, or active")
        if not 1 <= lanes <= 128:
            raise ValueError(f"{self.name}: a subgroup has 1 to 128 lanes, not {lanes}")
        if cluster and cluster & (cluster - 1):
            raise ValueError(f"{self.name}: cluster_size {cluster} is not a power of two")
        if active is not None:
            operands["active"] = self._active(active)
        for what, operand in operands.items():
            if operand.by_lane and operand.own[0] != lanes:
                raise ValueError(f"{self.name}: {what} has {operand.own[0]} lanes, not {lanes}")
        return self._run(undefined, type, lanes, cluster, by_lane, operands)

    def _run(
        self, undefined: bool, type: str, lanes: int, cluster: int, by_lane: bool, operands: Mapping[str, _Operand]
    ) -> np.ndarray:
        leading = np.broadcast_shapes(*(operand.leading for operand in operands.values()))
        rows = int(np.prod(leading, dtype=np.int64))
        placed = [
            operands[what].placed(leading) if what in operands else _NONE
            for what in ("values", "second", "ballot", "active")
        ]
        result_type, components, in_lanes = _lockstep.built_in_result(self.glsl, type, lanes, by_lane)
        if undefined:
            result_type, components, in_lanes = "bool", 1, True
        shape = leading + ((lanes,) if in_lanes else ()) + ((4,) if components == 4 else ())
        dtype = np.dtype(bool) if result_type == "bool" else np.dtype(f"{result_type[0]}{int(result_type[1:]) // 8}")
        result = np.empty(shape, dtype)
        _lockstep.call_built_in(self.glsl, type, lanes, cluster, rows, *placed, result, undefined)
        return result

    def _with_lanes(self, array: np.ndarray, what: str) -> _Operand:
        if array.ndim == 0:
            raise ValueError(f"{self.name}: {what} has no axis of lanes")
        return _Operand(array, 1)

    def _active(self, active: Any) -> _Operand:
        array = np.asarray(active)
        if array.dtype.kind != "b":
            raise TypeError(f"{self.name}: active is an array of bool, not of {array.dtype}")
        return self._with_lanes(array, "active")

    def _ballot(self, ballot: Any, by_lane: bool, lanes: Optional[int]) -> _Operand:
        array = np.asarray(ballot)
        if array.dtype != np.uint32 or array.ndim < 1 + by_lane or array.shape[-1] != 4:
            raise TypeError(f"{self.name}: a ballot is four uint32 in the last axis, not {array.dtype} {array.shape}")
        return _Operand(array, 1 + by_lane, by_lane)

    def doc(self, undefined: bool) -> str:
        """The text of help()."""
        lines = []
        if undefined:
            lines.append(f"The active lanes in which {self.name} has no defined result, as bool: (..., lanes).")
        else:
            lines.append(f"{self.glsl}: {self.row['meaning']}")
        lines += ["", *_ARGUMENTS[self.form]]
        if not undefined:
            in_lanes = "(..., lanes)" if self.row["by_lane"] else "(...)"
            ballot = self.form in ("condition_to_ballot", "value_to_ballot")
            lines.append(f"Returns {in_lanes[:-1] + ', 4)' if ballot else in_lanes}.")
        lines.append(f"Undefined {self.row['undefined'] or 'nowhere'}.")
        return "\n".join(lines)


_VALUES = "values: (..., lanes)"
_ACTIVE = "active: (..., lanes) of bool; all lanes if None."
_ARGUMENTS: Dict[str, List[str]] = {
    "nothing": ["lanes: of the subgroup; not needed with active.", _ACTIVE],
    "condition": [f"{_VALUES} of bool.", _ACTIVE],
    "condition_to_ballot": [f"{_VALUES} of bool.", _ACTIVE],
    "comparison": [f"{_VALUES}.", _ACTIVE],
    "value": [f"{_VALUES}.", _ACTIVE],
    "value_to_ballot": [f"{_VALUES}.", _ACTIVE],
    "value_index": [f"{_VALUES}.", "index: a number, (..., 1) or (..., lanes): the lane, mask or distance.", _ACTIVE],
    "value_index_cluster": [
        f"{_VALUES}.", "index: a number, (..., 1) or (..., lanes): the distance.", "cluster_size: a power of two.", _ACTIVE,
    ],
    "value_cluster": [f"{_VALUES}.", "cluster_size: a power of two.", _ACTIVE],
    "value_ballot": [f"{_VALUES}.", "partition: a ballot for each lane, (..., lanes, 4), as partition gives it.", _ACTIVE],
    "ballot": [
        "ballot: (..., 4) of uint32, one for the subgroup; with by_lane=True (..., lanes, 4).",
        "lanes: of the subgroup; not needed with active or by_lane.", _ACTIVE,
    ],
    "ballot_index": [
        "ballot: (..., 4) of uint32, one for the subgroup; with by_lane=True (..., lanes, 4).",
        "index: a number, (..., 1) or (..., lanes): the bit.",
        "lanes: of the subgroup; not needed with active or by_lane.", _ACTIVE,
    ],
}  # fmt: skip

#: The parameters of each form, as Python declares them.
SIGNATURES: Dict[str, str] = {
    "nothing": "lanes: Optional[int] = None, *, active: Optional[ArrayLike] = None",
    "condition": "values: ArrayLike, *, active: Optional[ArrayLike] = None",
    "condition_to_ballot": "values: ArrayLike, *, active: Optional[ArrayLike] = None",
    "comparison": "values: ArrayLike, *, active: Optional[ArrayLike] = None",
    "value": "values: ArrayLike, *, active: Optional[ArrayLike] = None",
    "value_to_ballot": "values: ArrayLike, *, active: Optional[ArrayLike] = None",
    "value_index": "values: ArrayLike, index: ArrayLike, *, active: Optional[ArrayLike] = None",
    "value_index_cluster": "values: ArrayLike, index: ArrayLike, cluster_size: int, *, active: Optional[ArrayLike] = None",
    "value_cluster": "values: ArrayLike, cluster_size: int, *, active: Optional[ArrayLike] = None",
    "value_ballot": "values: ArrayLike, partition: ArrayLike, *, active: Optional[ArrayLike] = None",
    "ballot": "ballot: ArrayLike, lanes: Optional[int] = None, *, by_lane: bool = False, active: Optional[ArrayLike] = None",
    "ballot_index": (
        "ballot: ArrayLike, index: ArrayLike, lanes: Optional[int] = None, *, by_lane: bool = False, "
        "active: Optional[ArrayLike] = None"
    ),
}


def _function(b: _BuiltIn, undefined: bool) -> Callable[..., np.ndarray]:
    """The function of a row, with the parameters of its form."""
    made: Callable[..., np.ndarray]
    if b.form == "nothing":

        def made(lanes=None, *, active=None):  # type: ignore[no-untyped-def]
            return b.call(undefined, lanes=lanes, active=active)

    elif b.form == "value_index":

        def made(values, index, *, active=None):  # type: ignore[no-untyped-def,misc]
            return b.call(undefined, values, index, active=active)

    elif b.form == "value_index_cluster":

        def made(values, index, cluster_size, *, active=None):  # type: ignore[no-untyped-def,misc]
            return b.call(undefined, values, index, cluster=_size(cluster_size), active=active)

    elif b.form == "value_cluster":

        def made(values, cluster_size, *, active=None):  # type: ignore[no-untyped-def,misc]
            return b.call(undefined, values, cluster=_size(cluster_size), active=active)

    elif b.form == "value_ballot":

        def made(values, partition, *, active=None):  # type: ignore[no-untyped-def,misc]
            return b.call(undefined, values, ballot=partition, by_lane=True, active=active)

    elif b.form == "ballot":

        def made(ballot, lanes=None, *, by_lane=False, active=None):  # type: ignore[no-untyped-def,misc]
            return b.call(undefined, ballot=ballot, lanes=lanes, by_lane=by_lane, active=active)

    elif b.form == "ballot_index":

        def made(ballot, index, lanes=None, *, by_lane=False, active=None):  # type: ignore[no-untyped-def,misc]
            return b.call(undefined, second=index, ballot=ballot, lanes=lanes, by_lane=by_lane, active=active)

    else:

        def made(values, *, active=None):  # type: ignore[no-untyped-def,misc]
            return b.call(undefined, values, active=active)

    made.__name__ = b.name
    made.__qualname__ = f"undefined.{b.name}" if undefined else b.name
    made.__module__ = __name__
    made.__doc__ = b.doc(undefined)
    return made


def _size(cluster_size: int) -> int:
    if cluster_size < 1:
        raise ValueError(f"cluster_size {cluster_size} is not a power of two")
    return int(cluster_size)


class _Undefined:
    """For each built-in a function of its name: the active lanes in which its result is undefined."""


#: All built-ins, in the order of docs/reference/built-ins.md; other names for the same, as ARB's, are left out.
BUILT_INS: Sequence[_BuiltIn] = [_BuiltIn(row) for row in _lockstep.built_ins() if row["name"].startswith("subgroup")]
undefined = _Undefined()
for _b in BUILT_INS:
    globals()[_b.name] = _function(_b, False)
    setattr(undefined, _b.name, _function(_b, True))

__all__ = [_b.name for _b in BUILT_INS] + ["undefined"]
