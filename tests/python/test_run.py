"""Shaders on arrays."""

import threading
import time

import numpy as np
import pytest
from shaders import SCAN, scanned

import lockstep as ls


@pytest.fixture(scope="module")
def scan():
    return ls.Shader(SCAN, name="scan.comp")


def inputs(n=256):
    values = np.arange(n, dtype=np.uint32) * 7 + 3
    return values, np.zeros_like(values)


@pytest.mark.parametrize("size", [1, 4, 8, 24, 32, 64, 100, 128])
def test_results_are_those_of_a_loop(scan, size):
    values, sums = inputs()
    run = scan.run(4, {"In": values, "Out": sums}, push={"count": 200}, subgroup_size=size)
    assert sums.tolist() == scanned(values, size, 200)
    assert run.findings == [] and run.ok and run.subgroup_size == size and run.groups == (4, 1, 1)
    assert run.buffers["Out"] is sums


def test_arrays_are_used_in_place(scan):
    memory = np.zeros(1024, np.uint32)
    sums = memory[256:512]
    scan.run(4, {"In": np.ones(256, np.uint32), "Out": sums}, push={"count": 256}, subgroup_size=32)
    assert memory[:256].sum() == 0 and memory[512:].sum() == 0
    assert memory[256:512].tolist() == scanned([1] * 256, 32, 256)


def test_bindings_have_names_and_numbers(scan):
    values, sums = inputs()
    for keys in ("In", "Out"), (0, 1), ((0, 0), (0, 1)):
        sums[:] = 0
        scan.run(4, dict(zip(keys, (values, sums))), push={"count": 256}, subgroup_size=16)
        assert sums.tolist() == scanned(values, 16, 256)


def test_invocations_are_rounded_up(scan):
    values, sums = inputs(128)
    run = scan.run(invocations=65, buffers={"In": values, "Out": sums}, push={"count": 128}, subgroup_size=8)
    assert run.groups == (2, 1, 1)
    assert sums.tolist() == scanned(values, 8, 128)


def test_push_constants_are_members_records_or_bytes(scan):
    values, _ = inputs(64)
    record = np.zeros((), [("count", "<u4")])
    record["count"] = 5
    for push in {"count": 5}, {"count": np.uint32(5)}, record, np.array([5], np.uint32), b"\5\0\0\0":
        sums = np.zeros_like(values)
        scan.run(1, {"In": values, "Out": sums}, push=push, subgroup_size=64)
        assert sums.tolist() == scanned(values, 64, 5)


@pytest.mark.parametrize(
    "change, error, text",
    [
        (dict(buffers={"In": np.zeros(64, np.float32)}), TypeError, r"buffer In \(set 0, binding 0\).*float32.*uint32"),
        (dict(buffers={"In": np.zeros(64, np.uint64)}), TypeError, r"In .*uint64"),
        (dict(buffers={"In": np.zeros(64, ">u4")}), TypeError, r"In .*>u4"),
        (dict(buffers={"In": np.zeros(128, np.uint32)[::2]}), ValueError, r"In .*contiguous"),
        (dict(buffers={"In": np.zeros((8, 8), np.uint32).T}), ValueError, r"In .*contiguous"),
        (dict(buffers={"In": [0] * 64}), TypeError, r"In .*list"),
        (dict(buffers={"Out": np.frombuffer(bytes(256), np.uint32)}), ValueError, r"Out .*read-only"),
        (dict(buffers={"In": np.zeros(257, np.uint8)[1:].view(np.uint32)}), ValueError, r"In .*aligned"),
        (dict(buffers={"Sum": np.zeros(64, np.uint32)}), ValueError, r"'Sum'.*it has In .*, Out "),
        (dict(push=None), ValueError, r"push constants \(uint count\)"),
        (dict(push={"count": -1}), ValueError, r"count: -1 is outside uint32"),
        (dict(push={"count": 1.5}), TypeError, r"count: 1.5 for an integer"),
        (dict(push={"total": 1}), ValueError, r"no member total"),
        (dict(push=b"\0"), ValueError, r"1 bytes"),
        (dict(groups=None), TypeError, r"groups"),
        (dict(groups=-1), ValueError, r"-1"),
        (dict(groups=(1, 2, 3, 4)), ValueError, r"one to three"),
        (dict(mapping="lineal"), ValueError, r"mapping lineal: write linear"),
        (dict(workgroup_order="back"), ValueError, r"workgroup_order back"),
        (dict(convergence="none"), ValueError, r"convergence none"),
        (dict(profile="voodoo"), ValueError, r"voodoo.*nvidia"),
        (dict(check="data-rice"), ls.Error, r"no rule 'data-rice'"),
        (dict(subgroup_size=129), ls.CompileError, r"129"),
        (dict(choose="perhaps"), ls.Error, r"perhaps"),
    ],
)
def test_wrong_arguments_are_named(scan, change, error, text):
    values, sums = inputs(64)
    arguments = dict(groups=1, buffers={"In": values, "Out": sums}, push={"count": 64})
    buffers = {**arguments["buffers"], **change.pop("buffers", {})}
    with pytest.raises(error, match=text):
        scan.run(**{**arguments, "buffers": buffers, **change})
    assert not sums.any()


def test_a_missing_buffer_is_named(scan):
    with pytest.raises(ValueError, match=r"Out \(set 0, binding 1\) is missing; give buffers=\{'Out'"):
        scan.run(1, {"In": np.zeros(64, np.uint32)}, push={"count": 1})


def test_overlapping_arrays_are_refused(scan):
    memory = np.zeros(100, np.uint32)
    with pytest.raises(ValueError, match=r"In .* and Out .* overlap"):
        scan.run(1, {"In": memory[:64], "Out": memory[36:]}, push={"count": 64})
    # The same array twice is what a device may get, too.
    ones = np.ones(64, np.uint32)
    scan.run(1, {"In": ones, "Out": ones}, push={"count": 64}, subgroup_size=64)
    assert ones.tolist() == list(range(1, 65))


def test_signs_may_differ(scan):
    values, sums = inputs(64)
    scan.run(1, {"In": values.view(np.int32), "Out": sums.view(np.int32)}, push={"count": 64}, subgroup_size=4)
    assert sums.tolist() == scanned(values, 4, 64)


def test_bits_of_any_type(scan):
    values, sums = inputs(64)
    scan.run(1, {"In": values.view(np.float32), "Out": sums}, push={"count": 64}, subgroup_size=4, bits=True)
    assert sums.tolist() == scanned(values, 4, 64)


def test_accesses_outside_an_array_are_findings(scan):
    values, sums = inputs(64)
    run = scan.run(1, {"In": values, "Out": sums[:60].copy()}, push={"count": 64}, subgroup_size=32)
    (finding,) = run.findings
    assert finding.rule == "out-of-bounds" and finding.severity == "error" and not run.ok
    assert (finding.file, finding.line) == ("scan.comp", 9)
    assert finding.workgroup == (0, 0, 0) and finding.subgroup == 1 and finding.lanes == (28, 29, 30, 31)
    assert finding.count == 4 and finding.memory == "buffer"
    assert repr(finding).startswith("scan.comp:9: error: write to ") and "[out-of-bounds]" in repr(finding)
    assert repr(finding) in repr(run)
    assert '"ruleId": "out-of-bounds"' in run.sarif()


def test_languages_of_text():
    values, sums = inputs(32)
    hlsl = """
RWStructuredBuffer<uint> data : register(u0);
[numthreads(32, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { data[id.x] = WaveActiveSum(id.x); }
"""
    ls.Shader(hlsl, language="hlsl").run(1, {"u0": sums}, subgroup_size=16)
    assert sums.tolist() == [sum(range(16))] * 16 + [sum(range(16, 32))] * 16
    compiled = ls.Shader(SCAN).spirv
    sums[:] = 0
    ls.Shader(compiled).run(1, {0: values, 1: sums}, push={"count": 32}, subgroup_size=8)
    assert sums.tolist() == scanned(values, 8, 32)
    with pytest.raises(ls.CompileError, match="multiple of 4"):
        ls.Shader(compiled[:-1])
    with pytest.raises(ValueError, match="'wgsl'"):
        ls.Shader("", language="wgsl")


def test_files_defines_and_constants(tmp_path):
    (tmp_path / "three.glsl").write_text("const uint three = 3u;\n")
    path = tmp_path / "fill.comp"
    path.write_text(
        """#version 460
#extension GL_GOOGLE_include_directive : require
#include "three.glsl"
layout(local_size_x = 4) in;
layout(constant_id = 5) const uint scale = 1u;
layout(binding = 0) buffer Out { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] = N * scale + three; }
"""
    )
    data = np.zeros(4, np.uint32)
    for constants in {"scale": 10}, {5: 10}:
        shader = ls.Shader(path, defines={"N": 4}, constants=constants, include_dirs=[tmp_path])
        shader.run(1, {"Out": data})
        assert data.tolist() == [43] * 4
    assert shader.constants == {5: ("scale", "uint")}
    with pytest.raises(ValueError, match="constants 6=1: the shader has no specialization constant 6"):
        ls.Shader(path, defines={"N": 4}, constants={6: 1}, include_dirs=[tmp_path])


def test_errors_have_a_place():
    with pytest.raises(ls.CompileError) as caught:
        ls.Shader("#version 460\nvoid main() {\n  x = 1;\n}\n", name="wrong.comp")
    assert (caught.value.file, caught.value.line) == ("wrong.comp", 3)
    assert "'x' : undeclared identifier" in caught.value.message
    with pytest.raises(ls.CompileError, match="nowhere.comp"):
        ls.Shader("nowhere.comp")


ENDLESS = """#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint data[]; };
void main() {
  uint k = 0u;
  while (data[0] == 0u) ++k;
  data[1] = k;
}
"""


def test_endless_loops_are_errors_with_their_finding():
    with pytest.raises(ls.RunError) as caught:
        ls.Shader(ENDLESS, name="endless.comp").run(1, {0: np.zeros(2, np.uint32)}, subgroup_size=8, max_steps=1000)
    error = caught.value
    assert error.finding is not None and error.finding.rule == "no-progress"
    assert (error.file, error.line) == ("endless.comp", 6) and error.findings == []


def test_progress_is_told(scan):
    values, sums = np.ones(64 * 500, np.uint32), np.zeros(64 * 500, np.uint32)
    told = []
    scan.run(500, {"In": values, "Out": sums}, push={"count": len(values)}, progress=lambda *n: told.append(n))
    assert told[-1] == (500, 500)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_an_error_of_the_callback_ends_the_run(scan):
    def fail(done, total):
        raise KeyError("enough")

    values = np.ones(64 * 500, np.uint32)
    with pytest.raises(KeyError, match="enough"):
        scan.run(500, {"In": values, "Out": np.zeros_like(values)}, push={"count": 1}, progress=fail)


def test_a_bar_is_drawn(scan, capsys):
    values, sums = inputs(64)
    scan.run(1, {"In": values, "Out": sums}, push={"count": 1}, progress=True)
    assert "100" in capsys.readouterr().err


def test_other_threads_run_meanwhile():
    shader = ls.Shader(ENDLESS)
    ticks = 0
    done = threading.Event()

    def run():
        with pytest.raises(ls.RunError):
            shader.run(1, {0: np.zeros(2, np.uint32)}, subgroup_size=8, max_steps=20_000_000)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 3


def test_shaders_run_on_several_threads_at_once(scan):
    values, _ = inputs()
    results = [np.zeros_like(values) for _ in range(8)]

    def run(sums):
        for _ in range(5):
            scan.run(4, {"In": values, "Out": sums}, push={"count": 256}, subgroup_size=32)

    threads = [threading.Thread(target=run, args=(sums,)) for sums in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for sums in results:
        assert sums.tolist() == scanned(values, 32, 256)


def test_printing_comes_as_text():
    shader = ls.Shader(
        """#version 460
#extension GL_EXT_debug_printf : require
layout(local_size_x = 2) in;
void main() { debugPrintfEXT("lane %u", gl_LocalInvocationID.x); }
"""
    )
    assert shader.run(1, subgroup_size=2).printed == ["lane 0", "lane 1"]


def test_profiles_limit_runs(scan):
    values, sums = inputs(64)
    run = scan.run(1, {"In": values, "Out": sums}, push={"count": 64}, profile="amd_wave64")
    assert run.subgroup_size == 64
    with pytest.raises(ls.Error, match="nvidia"):
        scan.run(1, {"In": values, "Out": sums}, push={"count": 64}, profile="nvidia", subgroup_size=8)
    assert {"nvidia", "amd_wave64"} <= {profile["name"] for profile in ls.profiles()}


def test_help_is_enough_to_start():
    assert "ls.Shader" in ls.__doc__ and "subgroup_size" in ls.Shader.run.__doc__
    for name in ls.__all__:
        assert getattr(ls, name) is not None
        if callable(getattr(ls, name)):
            assert getattr(ls, name).__doc__, name
