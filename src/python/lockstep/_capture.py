"""Runs on the machine's Vulkan devices."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Union

from . import _lockstep
from ._bindings import Key
from ._explore import Arrays, arrays_of
from ._shader import Buffers, Groups, Images, Push, Shader


class Capture:
    """What a device left in the buffers that a shader may write.

    Attributes:
        buffers: the results by the name of their binding.
        subgroup_size: lanes of the device's subgroups.
        device: the device, as lockstep.devices() lists it.
    """

    def __init__(self, buffers: Arrays, subgroup_size: int, device: Mapping[str, Any]) -> None:
        self.buffers = buffers
        self.subgroup_size = subgroup_size
        self.device = dict(device)

    def __repr__(self) -> str:
        return f"Capture of {self.device['name']}, subgroups of {self.subgroup_size}: {', '.join(self.buffers)}"


def devices() -> List[Dict[str, Any]]:
    """The machine's Vulkan devices that can compute: name, driver, and sizes of subgroups. Without a driver, none."""
    return _lockstep.devices()


def capture(
    shader: Shader,
    groups: Optional[Groups] = None,
    buffers: Optional[Buffers] = None,
    *,
    invocations: Optional[Groups] = None,
    images: Optional[Images] = None,
    samplers: Optional[Mapping[Key, str]] = None,
    push: Push = None,
    subgroup_size: Optional[int] = None,
    device: int = 0,
    bits: bool = False,
    folder: Union[str, "os.PathLike[str]", None] = None,
) -> Capture:
    """Runs a shader on a Vulkan device of this machine, and returns what it left.

    The arrays are inputs and are not changed. All other arguments are as in Shader.run.

        captured = lockstep.capture(scan, groups=4, buffers=buffers)
        judge = scan.judge(groups=4, buffers=buffers, subgroup_size=captured.subgroup_size)
        lockstep.compare(captured.buffers, to=judge)

    Args:
        shader: what runs.
        subgroup_size: the size to require (default: the device's).
        device: its number in lockstep.devices().
        folder: writes the job there, for `lockstep check` and `lockstep run`.
    """
    known = devices()
    if not 0 <= device < len(known):
        raise ValueError(f"device {device}: this machine has {len(known)} Vulkan devices that can compute")
    bound, given = shader._arguments(buffers, images, samplers, push, bits)
    how, _ = shader._how(groups, invocations, False, 1, None, None, None, "", "", "", True, False)
    job = shader._job(given, how, subgroup_size or 32)
    size, contents = _lockstep.capture(job, device, subgroup_size, os.fspath(folder) if folder is not None else "")
    return Capture(arrays_of(contents, job.written, bound), size, known[device])
