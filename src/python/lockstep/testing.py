"""Assertions for unit tests. The plugin for pytest is lockstep.pytest_plugin."""

from __future__ import annotations

from typing import Callable, List, Union

import numpy as np

from ._judge import Comparison, Judge, Results
from ._lockstep import Finding
from ._shader import Run
from ._trace import Trace

#: Called with the findings that an assertion sees; the plugin collects them.
_observers: List[Callable[[List[Finding]], None]] = []

_MOST_SHOWN = 8


def assert_no_findings(run: Union[Run, Trace], *, severity: str = "warning") -> None:
    """Fails if a checked run found something, and shows each finding with its lanes and lines.

    Args:
        run: what Shader.run or Shader.trace returned.
        severity: the least that counts: "note", "warning" or "error".
    """
    levels = ("note", "warning", "error")
    if severity not in levels:
        raise ValueError(f"severity {severity!r}: write one of {', '.join(levels)}")
    for observer in _observers:
        observer(run.findings)
    found = [f for f in run.findings if levels.index(f.severity) >= levels.index(severity)]
    more = getattr(run, "more_findings", 0)
    if found or more:
        end = [f"and {more} in other places"] if more else []
        raise AssertionError("\n".join([f"{len(found)} findings:", *(str(f) for f in found), *end]))


def assert_array_allowed(gpu: Results, expected: Union[Judge, Comparison, np.ndarray], *, ulps: float = 0) -> None:
    """Fails if a device's results are not among those that are expected, and shows the first elements.

    Args:
        gpu: an array, or arrays by name.
        expected: a Judge from Shader.judge, which allows whatever Vulkan does; or an array.
        ulps: with an array, by how many units in the last place floats may differ.
    """
    if isinstance(expected, np.ndarray):
        if not isinstance(gpu, np.ndarray):
            raise TypeError("gpu is several arrays, and expected one")
        return _assert_close(gpu, expected, ulps)
    comparison = expected if isinstance(expected, Comparison) else expected.compare(gpu)
    if not comparison.ok:
        raise AssertionError(str(comparison))


def _assert_close(gpu: np.ndarray, expected: np.ndarray, ulps: float) -> None:
    if gpu.shape != expected.shape or gpu.dtype != expected.dtype:
        raise AssertionError(f"{gpu.dtype} {gpu.shape} instead of {expected.dtype} {expected.shape}")
    same = gpu == expected
    if expected.dtype.kind == "f":
        with np.errstate(all="ignore"):
            near = np.abs(gpu.astype(np.float64) - expected) <= ulps * np.abs(np.spacing(expected)).astype(np.float64)
        same = same | (np.isnan(gpu) & np.isnan(expected)) | (np.isfinite(gpu) & np.isfinite(expected) & near)
    if bool(np.all(same)):
        return
    wrong = np.argwhere(~same)
    lines = [f"{len(wrong)} of {same.size} elements differ:"]
    lines += [
        f"  [{', '.join(map(str, at))}] is {gpu[tuple(at)]} and not {expected[tuple(at)]}" for at in wrong[:_MOST_SHOWN]
    ]
    raise AssertionError("\n".join(lines + ["  ..."] * (len(wrong) > _MOST_SHOWN)))
