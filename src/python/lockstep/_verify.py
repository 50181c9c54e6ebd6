"""Suites of shaders."""

from __future__ import annotations

import html
import json
import os
import pathlib
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import Error
from ._files import write_text
from ._program import run_program

_INTERRUPTED = 130


class VerifiedEntry:
    """One entry of a suite with its results.

    Attributes:
        name: the entry's name, after its suite's.
        file: the shader, script or job.
        result: "clean", "depends", "findings", "wrong", "failed", "not supported", "does not compile", "cannot be run",
            "takes too long" or "crashed".
        reasons: why it is not clean, a line each.
        notes: other remarks.
        sizes: the subgroup sizes at which it ran.
        compared: the number of expected and captured results.
        findings: what checked runs found, each as `lockstep run --json` has it: rule, message, file, line, lanes ...
        coverage: lines and sides of branches that never ran, or None.
        runs: the runs at each size, as `lockstep run --json` has them.
        exploration: what `lockstep explore --json` has, or None.
        captures: what `lockstep check --json` has, or None.
        commands: the commands that ran, each to be repeated in a shell.
        seconds: how long it took.
        mutants: the faults that `mutate` planted, each with line, change and noticed_by: None if nothing noticed it.
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.name: str = raw["name"]
        self.file: str = raw["file"]
        self.result: str = raw["result"]
        self.reasons: List[str] = raw["reasons"]
        self.notes: List[str] = raw["notes"]
        self.sizes: Tuple[int, ...] = tuple(raw["sizes"])
        self.compared: int = raw["compared"]
        self.findings: List[Dict[str, Any]] = raw["findings"]
        self.coverage: Optional[Dict[str, Any]] = raw["coverage"]
        self.runs: Any = raw["runs"]
        self.exploration: Optional[Dict[str, Any]] = raw["exploration"]
        self.captures: Any = raw["captures"]
        self.commands: List[str] = raw["commands"]
        self.seconds: float = raw["seconds"]
        self.mutants: List[Dict[str, Any]] = raw.get("mutants", [])

    @property
    def ok(self) -> bool:
        """Whether the result is "clean", and every mutant that was judged is noticed."""
        return self.result == "clean" and all(m["noticed_by"] or "not_judged" in m for m in self.mutants)

    def __repr__(self) -> str:
        return "\n    ".join([f"{self.name}: {self.result}", *self.reasons])


class Verification:
    """The results of lockstep.verify. Its text is the table that the program prints; in a notebook it shows itself as a page.

    Attributes:
        entries: a VerifiedEntry for each entry.
        counts: how many entries have each result.
    """

    def __init__(self, raw: Mapping[str, Any], reports: Mapping[str, str]) -> None:
        self.entries: List[VerifiedEntry] = [VerifiedEntry(entry) for entry in raw["entries"]]
        self.counts: Dict[str, int] = raw["counts"]
        self._text: str = raw["text"].rstrip("\n")
        self._reports = dict(reports)

    @property
    def ok(self) -> bool:
        """Whether every entry is."""
        return all(entry.ok for entry in self.entries)

    def html(self) -> str:
        """The results as a page."""
        return self._reports[".html"]

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a page (.html), a log in JUnit's format (.xml) or the findings in SARIF (.sarif)."""
        name = os.fspath(path)
        ending = pathlib.Path(name).suffix
        if ending not in self._reports:
            raise ValueError(f"{name}: the name must end with .html, .xml (JUnit) or .sarif")
        write_text(name, self._reports[ending])

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html())}" style="width: 100%; height: 640px; border: 1px solid #8888"></iframe>'

    def __repr__(self) -> str:
        return self._text


def verify(
    *paths: Union[str, "os.PathLike[str]"],
    sizes: Optional[Sequence[int]] = None,
    budget: Union[int, str, None] = None,
    seconds: Optional[float] = None,
    threads: Optional[int] = None,
    mutate: bool = False,
    progress: bool = False,
) -> Verification:
    """Runs, checks, explores and compares every entry of a suite, each in processes of its own, as `lockstep verify` does.

        verified = lockstep.verify("lockstep.json")
        assert verified.ok, verified

    Args:
        paths: suite files (lockstep.json), their entries (lockstep.json:NAME), shaders, scripts, jobs, or folders of these.
            A shader without an entry gets the inputs that `lockstep inspect` proposes.
        sizes: subgroup sizes for entries that name none (default: the powers of two from 4 to 128).
        budget: runs, or seconds such as "10s", to explore each entry (default: 200).
        seconds: the time limit of each step (default: 60).
        threads: entries that run at once (default: one per core).
        mutate: plants faults in the shader of each clean entry, and lists those that nothing notices.
        progress: draws a line of progress, if standard error is a terminal.

    Raises:
        Error: a path that does not exist, a suite that is not valid, or a package without the program.
    """
    if not paths:
        raise TypeError("verify needs the path of a suite, a shader, a script, a job or a folder")
    words = ["verify", *(os.fspath(path) for path in paths), "--json"]
    if sizes is not None:
        words += ["--subgroup-size", ",".join(str(size) for size in sizes)]
    for option, value in ("budget", budget), ("seconds", seconds), ("threads", threads):
        if value is not None:
            words += [f"--{option}", str(value)]
    if mutate:
        words.append("--mutate")
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        files = {ending: pathlib.Path(folder, "report" + ending) for ending in (".html", ".xml", ".sarif")}
        words += ["--output", str(files[".html"]), "--junit", str(files[".xml"]), "--sarif", str(files[".sarif"])]
        ended = run_program(words, progress)
        if ended.returncode == _INTERRUPTED:
            raise KeyboardInterrupt
        raw = _results(ended.stdout, ended.stderr, ended.returncode)
        return Verification(raw, {ending: file.read_text(encoding="utf-8") for ending, file in files.items()})


def _results(out: str, err: str, code: int) -> Mapping[str, Any]:
    """The object that the program printed. Raises Error if it is a failure, or no object."""
    try:
        raw = json.loads(out)
    except ValueError:
        message = err.strip() or f"it ended with status {code} and printed no results"
        raise Error(message) from None
    if raw.get("failed"):
        raise Error(raw["error"])
    return raw
