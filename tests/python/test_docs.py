"""What is generated from the package is current, the guide's commands run, and types are right."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import lockstep as ls

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_reference_and_types_are_current():
    done = subprocess.run(
        [sys.executable, ROOT / "docs/python/make.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def pieces(page):
    """The examples in Python."""
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)


STRUCTURES = """#version 460
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) buffer Out { uint results[]; };
layout(binding = 2) buffer Particles { Particle particles[]; };
layout(push_constant) uniform Push { uint count; float scale; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) results[i] = uint(float(values[i]) * scale);
  particles[i].mass *= 2;
}
""".replace("layout(binding = 2)", "struct Particle { vec3 position; float mass; vec3 velocity; };\nlayout(binding = 2)")

IMAGES = """#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform image2D picture;
layout(binding = 1) uniform sampler2D source;
void main() { imageStore(picture, ivec2(gl_GlobalInvocationID.xy), texture(source, vec2(0.5))); }
"""


def test_the_guides_examples_run(monkeypatch, tmp_path):
    """One after another, as a reader does; what they take for granted is made here."""
    examples = pieces("docs/guide/python.md")
    assert len(examples) == 11
    run, push, structures, images, findings, explore, judge, suites, trace, subgroup, unit = examples
    monkeypatch.chdir(ROOT)
    scope = {}
    exec(run, scope)
    x, out, totals = scope["x"], scope["out"], scope["totals"]
    for group in range(4):
        part = slice(1024 * group, 1024 * group + 1024)
        assert out[part].tolist() == np.cumsum(x[part]).tolist() and totals[group] == x[part].sum()
    shader = ls.Shader(STRUCTURES)
    scope["shader"] = shader
    exec(structures, scope)
    assert (scope["particles"]["mass"] == 1.5).all()
    exec(push.replace("{", '{"Particles": particles, ', 1), scope)
    assert out[:64].tolist() == [k // 2 for k in range(64)] and (scope["particles"]["mass"][:64] == 3).all()
    exec(images, {
        "ls": ls, "shader": ls.Shader(IMAGES), "pixels": np.zeros((64, 64, 4), np.uint8),
        "texels": np.full((4, 4, 4), 9, np.uint8),
    })  # fmt: skip
    exec(findings, scope)
    exec(explore, scope)
    assert scope["found"].independent
    scope["device_array"] = np.concatenate([np.cumsum(x[k : k + 1024]) for k in range(0, 4096, 1024)]).astype(np.uint32)
    exec(judge, scope)
    assert set(scope["comparison"].verdicts["Out"]) == {"equal"}
    exec(suites.replace("report.html", str(tmp_path / "report.html")), scope)
    results = {entry.name.split(":")[1]: entry.result for entry in scope["verified"].entries}
    assert results == {"max_reduce": "clean", "allocate": "clean", "allocate_broken": "depends"}
    assert (tmp_path / "report.html").is_file()
    monkeypatch.chdir(tmp_path)
    exec(trace, scope)
    assert (tmp_path / "scan.svg").is_file()
    exec(subgroup + "undefined = ls.subgroup.undefined.shuffle_up(values, 1, active=mask)\n", scope)
    assert scope["undefined"].tolist() == [[lane in (0, 3) for lane in range(8)]] * 3
    scope["captured"] = out
    exec(unit, scope)
    scope["test_scan"](32)
    scope["captured"] = out.copy()
    scope["test_results_of_the_gpu"]()


def test_types_are_checked_by_mypy(tmp_path):
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text(
        """import numpy as np
import lockstep as ls

values = np.zeros((4, 8), np.float32)
shader = ls.Shader("scan.comp", defines={"N": 4})
run = shader.run(1, {"In": values, 1: values, (0, 2): values}, push={"count": 1}, check=["data-race"])
lines: "list[int]" = [finding.line for finding in run.findings]
depends: "tuple[str, ...]" = shader.explore((1, 2), {"In": values}).depends_on
judged: bool = ls.compare(values, to=shader.judge(1, {"In": values})).ok
sums = ls.subgroup.inclusive_add(values, active=np.ones(8, bool))
results: "dict[str, int]" = ls.verify("lockstep.json", sizes=[8]).counts
where = ls.subgroup.undefined.shuffle_up(values, 1)
"""
    )
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import lockstep as ls\nls.Shader("a.comp").run(1, {}, subgroup_size="32")\nls.subgroup.add()\n')
    package = pathlib.Path(ls.__file__).parent
    command = [sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache"]

    def mypy(*arguments):
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, cwd=package.parent)
        return done.returncode, done.stdout

    code, text = mypy("--disallow-untyped-defs", "--disallow-incomplete-defs", package)
    assert code == 0, text
    assert mypy("--strict", "--follow-imports=silent", user) == (0, "Success: no issues found in 1 source file\n")
    _, text = mypy("--strict", "--follow-imports=silent", wrong)
    assert '"subgroup_size"' in text and "Missing positional argument" in text, text


def test_the_example_of_webgpu_judges():
    done = subprocess.run(
        [sys.executable, ROOT / "docs/python/webgpu_prefix_sum.py"], capture_output=True, text=True, check=True)
    run, right, *wrong = done.stdout.splitlines()
    assert run.endswith("no findings") and right == "Comparison: 1024 equal"
    assert "1 wrong" in wrong[0] and "[300] is" in wrong[1] and "lane 12" in wrong[1]


def test_the_notebook_runs(tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "--output-dir", tmp_path,
         ROOT / "docs/python/allocate.ipynb"],
        capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "allocate.html").read_text()
    assert "depends on" in page and "independent: every run gave the same result" in page and "&lt;iframe" in page or "<iframe" in page
