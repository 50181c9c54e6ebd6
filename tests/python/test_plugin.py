"""The plugin for pytest, in a pytest of its own."""

import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as tree

import pytest

TESTS = '''
import numpy as np
import pytest
import lockstep as ls

SHADER = ls.Shader("""#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint size[]; };
void main() { size[gl_GlobalInvocationID.x] = gl_SubgroupSize; }
""", name="size.comp")


@pytest.mark.subgroup_sizes(8, 24)
def test_sizes(subgroup_size):
    data = np.zeros(64, np.uint32)
    run = SHADER.run(1, {"Out": data}, subgroup_size=subgroup_size, check=True)
    ls.assert_no_findings(run)
    assert data.tolist() == [subgroup_size] * 64


def test_outside():
    ls.assert_no_findings(SHADER.run(1, {"Out": np.zeros(10, np.uint32)}))


def test_wrong():
    data = np.zeros(64, np.uint32)
    judge = SHADER.judge(1, {"Out": data}, subgroup_size=32)
    device = np.full(64, 32, np.uint32)
    device[5] = 31
    ls.assert_array_allowed(device, judge)
'''


def run_pytest(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "lockstep.pytest_plugin", *arguments],
        cwd=folder, capture_output=True, text=True, env=os.environ, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tests")
    (folder / "test_size.py").write_text(TESTS)
    done = run_pytest(folder, "--lockstep-sarif=log.sarif", "--junitxml=log.xml", "-rA", "--strict-markers")
    return folder, done.stdout


def test_each_size_is_a_test(outcome):
    _, text = outcome
    assert "PASSED test_size.py::test_sizes[8]" in text and "PASSED test_size.py::test_sizes[24]" in text
    assert "2 failed, 2 passed" in text


def test_failures_show_elements_lanes_and_lines(outcome):
    _, text = outcome
    assert "size.comp:5: error: write to" in text and "lanes 0-31" in text and "[out-of-bounds]" in text
    assert "Out[5] is 31, here 32: wrong" in text
    assert "workgroup (0, 0, 0), subgroup 0, lane 5, size.comp:5" in text


def test_findings_are_in_the_logs(outcome):
    folder, _ = outcome
    (sarif_run,) = json.loads((folder / "log.sarif").read_text())["runs"]
    assert {result["ruleId"] for result in sarif_run["results"]} == {"out-of-bounds"}
    properties = tree.parse(folder / "log.xml").findall(".//testcase[@name='test_outside']/properties/property")
    assert properties and all(p.get("name") == "lockstep.finding" for p in properties)
    assert "[out-of-bounds]" in properties[0].get("value")


def test_a_wrong_size_is_an_error(tmp_path):
    (tmp_path / "test_x.py").write_text(
        "import pytest\n@pytest.mark.subgroup_sizes(0)\ndef test_x(subgroup_size): pass\n")
    done = run_pytest(tmp_path)
    assert done.returncode != 0 and "0 is not a subgroup size from 1 to 128" in done.stdout + done.stderr


def test_sizes_have_a_default(tmp_path):
    (tmp_path / "test_x.py").write_text("def test_x(subgroup_size): assert subgroup_size in (8, 16, 32, 64)\n")
    assert "4 passed" in run_pytest(tmp_path).stdout


def test_the_plugin_is_a_file_of_the_package():
    import lockstep

    assert (pathlib.Path(lockstep.__file__).parent / "pytest_plugin.py").is_file()
