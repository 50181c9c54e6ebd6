"""Suites through Python."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

import pytest

import lockstep as ls
from lockstep import _program

START = """#version 450
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 16) in;
layout(binding = 0) buffer B { uint o[]; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
"""
BODIES = {
    "ascending": "  o[i] = i;\n",
    "unexpected": "  o[i] = i + 1u;\n",
    "racy": "  o[0] = i;\n",
    "sized": "  o[i] = gl_SubgroupSize;\n",
    "broken": "  nothing();\n",
}


@pytest.fixture
def suite(tmp_path):
    """A suite with an entry for each shader; the first two expect ascending numbers."""
    entries = {}
    for name, body in BODIES.items():
        (tmp_path / f"{name}.comp").write_text(START + body + "}\n")
        entries[name] = {"file": f"{name}.comp", "groups": 2, "buffers": {"B": "zeros:u32:32"}}
    for name in "ascending", "unexpected":
        entries[name]["expected"] = {"B": "iota:u32:32"}
    (tmp_path / "lockstep.json").write_text(json.dumps({"entries": entries}))
    return tmp_path / "lockstep.json"


def test_each_entry_has_its_result(suite):
    verified = ls.verify(suite, sizes=[8, 16], budget=40)
    by_name = {pathlib.Path(entry.file).stem: entry for entry in verified.entries}
    assert {name: entry.result for name, entry in by_name.items()} == {
        "ascending": "clean", "unexpected": "wrong", "racy": "findings", "sized": "depends", "broken": "cannot be run",
    }  # fmt: skip
    assert verified.counts == {"clean": 1, "wrong": 1, "findings": 1, "depends": 1, "cannot be run": 1}
    assert not verified.ok and [entry.ok for entry in verified.entries].count(True) == 1
    assert by_name["ascending"].sizes == (8, 16) and by_name["ascending"].compared > 0
    racy = by_name["racy"]
    assert ("data-race", 7) in {(finding["rule"], finding["line"]) for finding in racy.findings}
    assert racy.reasons and all(reason in repr(racy) for reason in racy.reasons)
    assert by_name["sized"].exploration["verdict"] == "depends"
    assert "'nothing'" in by_name["broken"].reasons[0]


def without_times(text):
    return re.sub(r" +\d+\.\d s", " s", text)


def test_its_text_is_the_programs(suite):
    one = f"{suite}:racy"
    words = [_program.program(), "verify", one, "--subgroup-size", "8", "--budget", "20"]
    printed = subprocess.run(words, capture_output=True, text=True, check=False)
    assert printed.returncode == 1
    assert without_times(repr(ls.verify(one, sizes=[8], budget=20))) == without_times(printed.stdout.rstrip("\n"))


def test_mutants_are_listed(suite):
    """Ascending numbers are expected for all 32 invocations, so a comparison off by one in the last is noticed only there."""
    (suite.parent / "ascending.comp").write_text(START + "  if (i < 31u) o[i] = i;\n  if (i < 99u) o[i] = i;\n}\n")
    verified = ls.verify(f"{suite}:ascending", sizes=[8], budget=10, mutate=True)
    (entry,) = verified.entries
    assert entry.result == "clean" and {mutant["line"] for mutant in entry.mutants} == {7, 8}
    assert not any(mutant["noticed_by"] for mutant in entry.mutants)
    assert not entry.ok and not verified.ok
    assert "0 of 2" in repr(verified) and "line 7: <= instead of <" in repr(verified)


def test_reports_are_saved(suite, tmp_path):
    verified = ls.verify(f"{suite}:ascending", f"{suite}:racy", sizes=[8], budget=20)
    for name in "report.html", "report.xml", "report.sarif":
        verified.save(tmp_path / name)
    assert (tmp_path / "report.html").read_text() == verified.html() and "racy" in verified.html()
    assert verified._repr_html_().startswith("<iframe srcdoc=")
    cases = list(xml.etree.ElementTree.parse(tmp_path / "report.xml").iter("testcase"))
    assert [case.find("failure") is None for case in cases] == [True, False]
    (log,) = json.loads((tmp_path / "report.sarif").read_text())["runs"]
    assert "data-race" in {result["ruleId"] for result in log["results"]}
    with pytest.raises(ValueError, match=r"report\.txt: the name must end with \.html, \.xml \(JUnit\) or \.sarif"):
        verified.save(tmp_path / "report.txt")
    with pytest.raises(OSError):
        verified.save(tmp_path / "nowhere" / "report.html")
    assert not list(tmp_path.glob(".*"))


def test_mistakes_are_named(tmp_path):
    with pytest.raises(ls.Error, match=r"nowhere\.json: does not exist"):
        ls.verify(tmp_path / "nowhere.json")
    (tmp_path / "lockstep.json").write_text('{"entries": {"a": {"file": "a.comp", "grups": 2}}}')
    with pytest.raises(ls.Error, match="grups"):
        ls.verify(tmp_path / "lockstep.json")
    with pytest.raises(TypeError, match="needs the path"):
        ls.verify()
    with pytest.raises(ls.Error, match="129"):
        ls.verify(tmp_path / "lockstep.json", sizes=[129])


def test_without_the_program_it_says_so(monkeypatch, suite):
    monkeypatch.setattr(_program, "_PLACES", (suite.parent / "bin/lockstep", suite.parent / "lockstep"))
    monkeypatch.setenv("PATH", str(suite.parent))
    with pytest.raises(ls.Error, match="the program lockstep is not in PATH"):
        ls.verify(suite)
    with pytest.raises(SystemExit, match="built without the program"):
        _program.main(["--version"])


INTERRUPTED = """
import sys
import lockstep as ls
print("running", flush=True)
try:
    ls.verify(sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def heed_interrupts():
    """What runs in the background starts with SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_the_program_too(tmp_path):
    """As in a notebook, where only Python gets the signal."""
    (tmp_path / "endless.comp").write_text(START + "  while (o[1] == 0u) o[2] += 1u;\n}\n")
    entry = {"file": "endless.comp", "groups": 1, "buffers": {"B": "zeros:u32:32"}, "max-steps": 2**60}
    (tmp_path / "lockstep.json").write_text(json.dumps({"entries": {"endless": entry}}))
    started = time.monotonic()
    python = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, tmp_path / "lockstep.json"], stdout=subprocess.PIPE, text=True, env=os.environ,
        preexec_fn=heed_interrupts)  # fmt: skip
    try:
        assert python.stdout.readline() == "running\n"
        time.sleep(1)
        python.send_signal(signal.SIGINT)
        text, _ = python.communicate(timeout=40)
    finally:
        python.kill()
    assert text == "interrupted\n" and python.returncode == 0
    assert time.monotonic() - started < 40
    names = [p.read_bytes() for p in pathlib.Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
    assert not any(str(tmp_path).encode() in name for name in names)
