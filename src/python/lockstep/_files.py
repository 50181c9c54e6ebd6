"""Writing files."""

from __future__ import annotations

import os
import pathlib
import tempfile


def write_text(path: str, text: str) -> None:
    """Writes a file that is whole or not there: under another name first."""
    target = pathlib.Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
