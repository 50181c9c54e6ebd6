"""Exceptions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Optional, Sequence

if TYPE_CHECKING:
    from ._lockstep import Finding

_PLACE = re.compile(r"(?P<file>[^\s:][^\n:]*):(?P<line>\d+)(?::(?P<column>\d+))?:")


class Error(RuntimeError):
    """Something that Lockstep cannot do: the message says what, where, and what to do.

    Attributes:
        message: the text.
        file: the source that it is about, or None.
        line: from 1, or None.
        column: from 1, or None where the line is all that is known.
    """

    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        found = _PLACE.match(message)
        self.file = found["file"] if found else None
        self.line = int(found["line"]) if found else None
        self.column = int(found["column"]) if found and found["column"] else None


class CompileError(Error):
    """A shader that is not valid, or that uses something unsupported."""


class RunError(Error):
    """A run that cannot go on: an endless loop, a barrier that not all invocations reach, or Ctrl-C.

    Attributes:
        finding: what ended it, a Finding, or None.
        findings: what was found before, in a checked run.
    """

    finding: Optional[Finding]
    findings: "list[Finding]"

    def __init__(
        self, message: str, finding: Optional[Finding] = None, findings: Sequence[Finding] = ()
    ) -> None:
        super().__init__(message)
        self.finding = finding
        self.findings = list(findings)
        if finding is not None and finding.line > 0:
            self.file = finding.file
            self.line = finding.line
            self.column = finding.column or None
