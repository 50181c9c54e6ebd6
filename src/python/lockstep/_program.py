"""The program lockstep, which a wheel brings along."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import sys
from typing import NoReturn, Optional, Sequence

from ._errors import Error

# Not resolved: in a build folder the package's files are links into the repository.
_PACKAGE = pathlib.Path(os.path.abspath(__file__)).parent
#: In a wheel, then in a build folder.
_PLACES = (_PACKAGE / "bin/lockstep", _PACKAGE.parents[1] / "lockstep")


def program() -> str:
    """The path of the program: the one that belongs to this package, else the one in PATH."""
    own = next((str(place) for place in _PLACES if place.is_file()), None)
    found = own or shutil.which("lockstep")
    if found is None:
        raise Error("the program lockstep is not in PATH, and this package was built without it: install the program")
    return found


def run_program(words: Sequence[str], progress: bool = False) -> "subprocess.CompletedProcess[str]":
    """Runs the program to its end, which Ctrl-C brings about early. `progress`: it may draw on the terminal."""
    child = subprocess.Popen(
        [program(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=None if progress else subprocess.PIPE,
        encoding="utf-8", errors="replace")  # fmt: skip
    try:
        out, err = child.communicate()
    except BaseException:
        # In a notebook, only this process gets the signal.
        child.send_signal(signal.SIGINT)
        child.communicate()
        raise
    return subprocess.CompletedProcess(child.args, child.returncode, out, err or "")


def main(arguments: Optional[Sequence[str]] = None) -> NoReturn:
    """Becomes the program: the command lockstep of an installed wheel."""
    try:
        path = _PLACES[0]
        if not path.is_file():
            raise Error("this package was built without the program lockstep (LOCKSTEP_BUILD_PROGRAM)")
        os.execv(path, ["lockstep", *(sys.argv[1:] if arguments is None else arguments)])
    except (Error, OSError) as error:
        sys.exit(f"lockstep: {error}")
