"""Results of devices, judged."""

import numpy as np
import pytest
from shaders import SCAN, scanned

import lockstep as ls

FLOATS = """#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { float values[]; };
layout(binding = 1) buffer Out { float sums[]; };
void main() { sums[gl_GlobalInvocationID.x] = subgroupAdd(values[gl_GlobalInvocationID.x]); }
"""


def test_integers_must_be_equal():
    values = np.arange(64, dtype=np.uint32) + 5
    judge = ls.Shader(SCAN, name="scan.comp").judge(
        1, {"In": values, "Out": np.zeros_like(values)}, push={"count": 64}, subgroup_size=16)
    device = np.array(scanned(values, 16, 64), np.uint32)
    right = ls.compare(device, to=judge)
    assert right.ok and right.counts["equal"] == 64 and set(right.verdict) == {"equal"}
    device[[0, 40]] += 1
    wrong = ls.compare({"Out": device}, to=judge)
    assert not wrong.ok and np.flatnonzero(wrong.verdict == "wrong").tolist() == [0, 40]
    first = wrong.first[0]
    assert (first.buffer, first.index, first.verdict) == ("Out", 0, "wrong")
    assert first.device == str(device[0]) and first.reference == str(device[0] - 1)
    assert (first.workgroup, first.subgroup, first.lane, first.line) == ((0, 0, 0), 0, 0, 9)
    assert "Out[0] is" in repr(wrong) and "lane 0" in repr(wrong)
    with pytest.raises(AssertionError, match=r"Out\[0\] is"):
        ls.assert_array_allowed(device, judge)


def test_floats_may_be_sums_in_any_order():
    values = (np.arange(32, dtype=np.float32) / 7 + 0.1) * np.where(np.arange(32) % 3, 1, 1000).astype(np.float32)
    judge = ls.Shader(FLOATS).judge(1, {"In": values, "Out": np.zeros_like(values)}, subgroup_size=32)
    backwards = np.float32(0)
    for value in values[::-1]:
        backwards = np.float32(backwards + value)
    comparison = judge.compare(np.full(32, backwards))
    assert comparison.ok and set(comparison.verdict) <= {"equal", "allowed"}
    ls.assert_array_allowed(np.full(32, backwards), comparison)
    far = judge.compare(np.full(32, backwards * np.float32(1.01)))
    assert far.counts["wrong"] == 32 and far.first[0].low != ""
    assert comparison.verdict.shape == (32,)


def test_results_must_be_of_the_same_kind():
    values = np.zeros((8, 8), np.uint32)
    judge = ls.Shader(SCAN).judge(1, {"In": values, "Out": values.copy()}, push={"count": 1})
    assert judge.buffers == ["Out"]
    assert judge.compare(values).verdict.shape == (8, 8)
    with pytest.raises(TypeError, match="Out: results of float32, the shader ran on uint32"):
        judge.compare(values.astype(np.float32))
    with pytest.raises(ValueError, match="Out: results of 4 bytes"):
        judge.compare(values[:1, :1])
    with pytest.raises(ValueError, match="In: the shader writes Out"):
        judge.compare({"In": values})
    with pytest.raises(ValueError, match="strict_order up"):
        ls.Shader(SCAN).judge(1, {"In": values, "Out": values.copy()}, push={"count": 1}, order="up")


def test_arrays_are_compared_without_a_judge():
    one = np.array([1, 2, np.nan], np.float32)
    ls.assert_array_allowed(one, one.copy())
    near = one + np.array([np.spacing(np.float32(1)), 0, 0], np.float32)
    ls.assert_array_allowed(near, one, ulps=1)
    with pytest.raises(AssertionError, match=r"1 of 3 elements differ:\n  \[0\] is"):
        ls.assert_array_allowed(near, one)
    with pytest.raises(AssertionError, match=r"float32 \(2,\) instead of"):
        ls.assert_array_allowed(one[:2], one)
