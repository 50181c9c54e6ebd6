"""What results depend on."""

import pathlib

import numpy as np
import pytest

import lockstep as ls

ROOT = pathlib.Path(__file__).resolve().parents[2]

SIZE = """#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) buffer Out { uint sums[]; };
void main() { sums[gl_GlobalInvocationID.x] = subgroupAdd(values[gl_GlobalInvocationID.x]); }
"""


def inputs():
    values = np.arange(64, dtype=np.uint32) ** 2
    return {"In": values, "Out": np.zeros_like(values)}


def test_a_result_that_depends_on_the_subgroup_size():
    buffers = inputs()
    shader = ls.Shader(SIZE, name="size.comp")
    found = shader.explore(1, buffers, subgroup_size=32, vary="subgroup_size", full_subgroups=True)
    assert found.depends_on == ("subgroup_size",) and not found.independent
    assert not buffers["Out"].any()  # inputs only
    smallest = found.smallest
    # The choice gives again what was found, and a loop says what that is.
    size = smallest.settings["subgroup_size"]
    again = inputs()
    shader.run(1, again, **smallest.settings)
    values = again["In"].tolist()
    assert again["Out"].tolist() == [sum(values[i // size * size : i // size * size + size]) for i in range(64)]
    assert again["Out"].tolist() == smallest.buffers["Out"].tolist()
    assert found.first["Out"].tolist() == [sum(values[i // 32 * 32 : i // 32 * 32 + 32]) for i in range(64)]
    assert smallest.buffer == "Out" and smallest.on == ("subgroup_size",)
    assert smallest.buffers["Out"][smallest.index] != found.first["Out"][smallest.index]
    assert "depends on subgroup_size" in repr(found) and f"--subgroup-size {size}" in repr(found)


def test_a_result_that_depends_on_nothing():
    shader = ls.Shader(
        """#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3; }
"""
    )
    told = []
    found = shader.explore(2, {0: np.zeros(128, np.uint32)}, runs=50, progress=lambda *n: told.append(n))
    assert found.independent and found.depends_on == () and found.smallest is None and 1 < found.runs <= 50
    assert found.first["Out"].tolist() == [3 * i for i in range(128)]
    assert "every run gave the same result" in repr(found)
    assert "subgroup_size" in found.exhausted and set(found.exhausted) <= set(ls.dimensions())


def test_the_tutorials_kernel_is_found_and_its_repair_is_not():
    buffers = {0: np.arange(128, dtype=np.uint32), 1: np.zeros(1, np.uint32), 2: np.zeros(128, np.uint32)}
    broken = ls.Shader(ROOT / "kernels/allocate_broken/allocate_broken.comp").explore(
        1, buffers, vary=["convergence"], runs=200)
    assert broken.depends_on == ("convergence",)
    dimension, file, line = broken.smallest.where[0]
    assert dimension == "convergence" and file.endswith("allocate_broken.comp") and line > 0
    assert broken.smallest.settings["convergence"] == "core" and "rejoined" in broken.smallest.advice
    repaired = ls.Shader(ROOT / "kernels/allocate/allocate.comp").explore(
        1, buffers, vary=["convergence"], unordered=[2], runs=200)
    assert repaired.independent


def test_wrong_choices_are_named():
    shader = ls.Shader(SIZE)
    with pytest.raises(ls.Error, match="size-of-subgroups"):
        shader.explore(1, inputs(), vary="size_of_subgroups")
    with pytest.raises(TypeError, match="vary and same"):
        shader.explore(1, inputs(), vary="mapping", same="mapping")
    with pytest.raises(ValueError, match="unordered 'Sum'"):
        shader.explore(1, inputs(), unordered=["Sum"])


def test_a_budget_of_seconds_ends():
    found = ls.Shader(SIZE).explore(1, inputs(), same="subgroup_size", seconds=0.2)
    assert found.runs > 1
