"""Traces: which lanes are active on which line."""

from __future__ import annotations

import html
import os
from typing import Any, List, Optional, Tuple, Union

from ._files import write_text
from ._lockstep import Finding


class Trace:
    """A recorded run. In a notebook it shows itself as a page.

    Attributes:
        findings: of a checked run.
        error: the message with which the run ended early, or None. What came before is recorded.
        choices: as Shader.run's `choose`: repeats what the rule of reconvergence left open.
        steps: the steps of each recorded subgroup.
        left_out: events beyond those that were kept.
    """

    def __init__(self, data: Any) -> None:
        self._data = data
        self.findings: List[Finding] = data.findings
        self.error: Optional[str] = data.error
        self.choices: str = data.choices
        self.steps: List[int] = data.steps
        self.left_out: int = data.left_out

    def lines(self, subgroup: int = 0) -> List[Tuple[str, int, Tuple[int, ...]]]:
        """(file, line, active lanes) of each step of a recorded subgroup, counted in the order in which they started."""
        return self._data.lines(subgroup)

    def text(self, columns: int = 100, stack: bool = False) -> str:
        """The steps as lockstep trace draws them in a terminal; `stack` adds the reconvergence stack."""
        return self._data.text(columns, stack)

    def html(self, beside: Optional[Trace] = None) -> str:
        """A page that shows the steps one by one; another run stands beside it, with the first difference marked."""
        return self._data.html(_data(beside))

    def svg(self, beside: Optional[Trace] = None) -> str:
        """A figure for slides."""
        return self._data.svg(_data(beside))

    def differences(self, other: Trace) -> str:
        """Where another run parts from this one, in words."""
        return self._data.differences(other._data)

    def save(self, path: Union[str, "os.PathLike[str]"], beside: Optional[Trace] = None) -> None:
        """Writes a page (.html), a figure (.svg), the drawing (.txt), slices for Perfetto (.json) or events (.ndjson)."""
        name = os.fspath(path)
        if name.endswith(".txt"):
            text = self.text() if beside is None else f"{self.text()}\nbeside:\n{beside.text()}\n{self.differences(beside)}"
        else:
            for ending, render in (
                (".html", self._data.html), (".svg", self._data.svg), (".json", self._data.perfetto),
                (".ndjson", self._data.ndjson),
            ):  # fmt: skip
                if name.endswith(ending):
                    text = render(_data(beside))
                    break
            else:
                raise ValueError(f"{name}: the name must end with .html, .svg, .txt, .json (Perfetto) or .ndjson (events)")
        write_text(name, text)

    def _repr_html_(self) -> str:
        page = html.escape(self.html())
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 640px; border: 1px solid #8888"></iframe>'

    def __repr__(self) -> str:
        return self.text()


def _data(trace: Optional[Trace]) -> Any:
    return None if trace is None else trace._data
