"""A plugin for pytest: tests at several subgroup sizes, and a log of what was found.

    @pytest.mark.subgroup_sizes(8, 32, 64)
    def test_scan(subgroup_size):
        run = scan.run(4, {"In": x, "Out": out}, subgroup_size=subgroup_size, check=True)
        lockstep.assert_no_findings(run)

With `--lockstep-sarif FILE` pytest writes the findings that assert_no_findings saw in SARIF 2.1.0. They are also
properties of the test in pytest's own --junitxml.
"""

from __future__ import annotations

from typing import Any, List, Optional

import pytest

from . import _lockstep, testing
from ._lockstep import Finding

_DEFAULT_SIZES = (8, 16, 32, 64)


class _Collector:
    """The findings of all tests."""

    def __init__(self, path: Optional[str]) -> None:
        self.path = path
        self.all: List[Finding] = []
        self.item: Any = None

    def observe(self, findings: List[Finding]) -> None:
        self.all += findings
        if self.item is not None:
            self.item.user_properties += [("lockstep.finding", str(finding)) for finding in findings]

    @pytest.hookimpl(hookwrapper=True)  # type: ignore[misc, unused-ignore]
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        self.item = item
        yield
        self.item = None

    def pytest_sessionfinish(self) -> None:
        if self.path is not None:
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(_lockstep.sarif(self.all) + "\n")

    def pytest_unconfigure(self) -> None:
        testing._observers.remove(self.observe)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --lockstep-sarif."""
    parser.getgroup("lockstep").addoption(
        "--lockstep-sarif", metavar="FILE", default=None, help="Write the findings of tests in SARIF 2.1.0"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declares the mark, and starts to collect findings."""
    config.addinivalue_line(
        "markers",
        "subgroup_sizes(*sizes): runs a test once for each subgroup size, which the fixture subgroup_size gives "
        f"(default: {', '.join(map(str, _DEFAULT_SIZES))})",
    )
    collector = _Collector(config.getoption("--lockstep-sarif"))
    testing._observers.append(collector.observe)
    config.pluginmanager.register(collector, "lockstep-collector")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives the fixture subgroup_size each size of the mark."""
    if "subgroup_size" not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker("subgroup_sizes")
    sizes = mark.args if mark is not None and mark.args else _DEFAULT_SIZES
    for size in sizes:
        if not isinstance(size, int) or not 1 <= size <= 128:
            raise pytest.UsageError(f"{metafunc.definition.nodeid}: {size!r} is not a subgroup size from 1 to 128")
    metafunc.parametrize("subgroup_size", sizes)
