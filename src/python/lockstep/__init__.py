"""Lockstep: compute shaders on a CPU the way a GPU subgroup runs them, with NumPy's arrays.

    import numpy as np
    import lockstep as ls

    scan = ls.Shader("scan.comp", defines={"N": 4})       # also text, the bytes of a .spv, .hlsl ...
    out = np.zeros_like(x)
    run = scan.run(groups=4, buffers={"In": x, "Out": out}, push={"count": 1000}, subgroup_size=24, check=True)
    run.findings                                          # what the shader must not do: rule, message, file, line, lanes

    scan.explore(groups=4, buffers=...).depends_on        # ("subgroup_size",), and the smallest choice that shows it
    ls.compare(device_array, to=scan.judge(groups=4, buffers=...))    # equal, allowed, undefined, wrong ... by element
    scan.trace(groups=4, buffers=...)                     # which lanes are active on which line: a page in a notebook
    ls.verify("lockstep.json").ok                         # all of these for each shader of a suite
    ls.subgroup.inclusive_add(values, active=mask)        # the built-ins on arrays whose last axis is a subgroup's lanes

Arrays are used in place. help(ls.Shader.run) lists all arguments, docs/guide/python.md is the guide.
"""

from . import subgroup
from ._bindings import Binding, Image
from ._capture import Capture, capture, devices
from ._errors import CompileError, Error, RunError
from ._explore import Exploration, SmallestChoice, dimensions
from ._judge import VERDICTS, Comparison, Element, Judge, compare
from ._layout import Layout
from ._lockstep import Address, Finding, __version__
from ._shader import Run, Shader, profiles, rules
from ._trace import Trace
from ._verify import Verification, VerifiedEntry, verify
from .testing import assert_array_allowed, assert_no_findings

__all__ = [
    "VERDICTS", "Address", "Binding", "Capture", "Comparison", "CompileError", "Element", "Error", "Exploration", "Finding", "Image", "Judge",
    "Layout", "Run", "RunError", "Shader", "SmallestChoice", "Trace", "Verification", "VerifiedEntry", "__version__",
    "assert_array_allowed", "assert_no_findings", "capture", "compare", "devices", "dimensions", "profiles", "rules", "subgroup",
    "verify",
]  # fmt: skip
