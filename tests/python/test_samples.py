"""The pairs of shaders with and without a bug through Python."""

import pathlib
import re

import numpy as np
import pytest

import lockstep as ls

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUGS = sorted((ROOT / "tests/bugs").glob("*.comp"))


def findings_of(path):
    """Of a checked run of 4 workgroups, each buffer with 1024 ascending numbers, as tests/bugs/bugs.cpp runs them."""
    shader = ls.Shader(path)
    size = re.search(r"^// SIZE (\d+)", path.read_text(), re.MULTILINE)
    pointed_to = np.arange(1024, dtype=np.uint32)
    address = ls.Address(pointed_to)
    buffers = {}
    for binding in shader.bindings:
        data = np.arange(1024, dtype=np.uint32)
        if "Address" in (binding.name, binding.type):
            data[:2] = np.array([int(address)], np.uint64).view(np.uint32)
        buffers[(binding.set, binding.binding)] = data
    try:
        return shader.run(
            4, buffers, subgroup_size=int(size[1]) if size else 32, max_steps=2000, check=True, bits=True).findings
    except ls.RunError as error:
        return [error.finding]


@pytest.mark.parametrize("path", [p for p in BUGS if ".repaired." not in p.name], ids=lambda p: p.stem)
def test_the_bug_is_found_in_its_line(path):
    lines = path.read_text().splitlines()
    (bug,) = [k for k, line in enumerate(lines, 1) if "// BUG " in line]
    rules = lines[bug - 1].split("// BUG ")[1].split()
    findings = findings_of(path)
    assert {f.rule for f in findings} <= set(rules) and rules[0] in {f.rule for f in findings}
    places = [f.line for f in findings]
    for f in findings:
        places += [end["place"][1] for end in (f.origin, f.other) if end is not None and end["place"] is not None]
        assert f.file.endswith(path.name) and f.lanes and f.message in repr(f)
    assert bug in places


@pytest.mark.parametrize("path", [p for p in BUGS if ".repaired." in p.name], ids=lambda p: p.stem)
def test_the_repaired_one_has_no_findings(path):
    assert findings_of(path) == []


def test_there_are_enough_of_them():
    assert len(BUGS) > 80
