"""Traces."""

import json

import numpy as np
import pytest

import lockstep as ls

BRANCH = """#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint data[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i % 3u == 0u) {
    data[i] = 1u;
  } else {
    data[i] = 2u;
  }
  data[i] += 10u;
}
"""


@pytest.fixture(scope="module")
def shader():
    return ls.Shader(BRANCH, name="branch.comp")


def test_lanes_of_lines_are_those_of_the_source(shader):
    data = np.zeros(8, np.uint32)
    trace = shader.trace(1, {"Out": data}, subgroup_size=8)
    lanes = {line: active for file, line, active in trace.lines() if file == "branch.comp"}
    thirds = tuple(i for i in range(8) if i % 3 == 0)
    assert lanes[7] == tuple(range(8)) and lanes[12] == tuple(range(8))
    assert lanes[8] == thirds
    assert lanes[10] == tuple(i for i in range(8) if i % 3 != 0)
    assert not data.any() and trace.error is None and trace.findings == [] and trace.left_out == 0


def test_files_are_written_by_their_endings(shader, tmp_path):
    trace = shader.trace(1, {"Out": np.zeros(8, np.uint32)})
    for name in "t.html", "t.svg", "t.txt", "t.json", "t.ndjson":
        trace.save(tmp_path / name)
    assert (tmp_path / "t.html").read_text().lstrip().lower().startswith("<!doctype html>")
    assert "if (i % 3u == 0u)" in (tmp_path / "t.html").read_text()
    assert (tmp_path / "t.svg").read_text().startswith("<svg")
    assert "branch.comp" in (tmp_path / "t.txt").read_text()
    assert json.loads((tmp_path / "t.json").read_text())
    kinds = {json.loads(line)["kind"] for line in (tmp_path / "t.ndjson").read_text().splitlines()}
    assert {"start", "end", "write"} <= kinds
    with pytest.raises(ValueError, match="t.png: the name must end with"):
        trace.save(tmp_path / "t.png")


def test_a_notebook_shows_a_page(shader):
    html = shader.trace(1, {"Out": np.zeros(8, np.uint32)})._repr_html_()
    assert html.startswith("<iframe srcdoc=") and "<script" not in html and "&lt;script" in html


def test_runs_stand_side_by_side(shader):
    buffers = {"Out": np.zeros(8, np.uint32)}
    thirds = shader.trace(1, buffers)
    halves = ls.Shader(BRANCH.replace("3u", "2u"), name="branch.comp").trace(1, buffers)
    assert thirds.differences(thirds) == "no difference\n"
    assert "no difference" not in thirds.differences(halves)
    assert len(thirds.html(beside=halves)) > len(thirds.html())


def test_all_subgroups_are_recorded_on_request(shader):
    buffers = {"Out": np.zeros(8, np.uint32)}
    assert len(shader.trace(2, buffers, subgroup_size=4, subgroup=None).steps) == 2
    assert len(shader.trace(2, buffers, subgroup_size=4, workgroup=None).steps) == 4
    with pytest.raises(ls.Error, match="subgroup 7"):
        shader.trace(1, buffers, subgroup=7)


def test_a_run_that_ends_early_is_recorded_until_there():
    shader = ls.Shader(BRANCH.replace("data[i] += 10u;", "while (data[0] == 1u) data[1] += 1u;"))
    trace = shader.trace(1, {"Out": np.zeros(8, np.uint32)}, max_steps=20)
    assert "endless" in trace.error or "iterations" in trace.error
    assert trace.findings[0].rule == "no-progress" and trace.lines()


def test_checks_and_variables(shader):
    trace = shader.trace(1, {"Out": np.zeros(4, np.uint32)}, check=True, variables=["i"])
    assert [f.rule for f in trace.findings] == ["out-of-bounds"] * len(trace.findings) and trace.findings
    assert "[out-of-bounds]" in trace.text()
