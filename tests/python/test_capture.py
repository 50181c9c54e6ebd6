"""Runs on the machine's Vulkan devices."""

import numpy as np
import pytest
from shaders import SCAN, scanned

import lockstep as ls


def inputs():
    values = np.arange(128, dtype=np.uint32) * 3
    return {"In": values, "Out": np.zeros_like(values)}


def test_a_device_that_is_not_there():
    with pytest.raises(ValueError, match="device 1000: this machine has"):
        ls.capture(ls.Shader(SCAN), 2, inputs(), push={"count": 100}, device=1000)


def test_results_are_those_of_a_loop(tmp_path):
    if not ls.devices():
        pytest.skip("no Vulkan device")
    scan, buffers = ls.Shader(SCAN), inputs()
    captured = ls.capture(scan, 2, buffers, push={"count": 100}, folder=tmp_path / "job")
    assert captured.buffers["Out"].tolist() == scanned(buffers["In"], captured.subgroup_size, 100)
    assert not buffers["Out"].any() and (tmp_path / "job/job.json").is_file()
    assert captured.device["name"] in repr(captured)
    judge = scan.judge(2, buffers, push={"count": 100}, subgroup_size=captured.subgroup_size)
    ls.assert_array_allowed(captured.buffers, judge)
