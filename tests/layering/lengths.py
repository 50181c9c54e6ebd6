#!/usr/bin/env python3
"""Finds functions of more than 60 lines and classes of more than 300, but for those whose comment says why: "Long, as ...".

usage: lengths.py ROOT
Lines of comments and empty ones do not count. clang-format's layout is what it goes by.
"""

import pathlib
import re
import sys

MOST_OF_FUNCTION, MOST_OF_CLASS = 60, 300

# Public classes, whose comments are for users.
LONG = {"include/lockstep/glsl/kernel.hpp": "has a function for each of GLSL's that needs the lanes"}


def blocks(lines, indent):
    """(first line, last line, whether it is a class) of each block at an indentation, counted from 0."""
    start = None
    for k, line in enumerate(lines):
        if re.match(indent + r"[^\s}#/].*\{$", line) and not re.match(r"\s*(namespace|extern|switch|const auto)\b", line):
            start = k
        elif start is not None and line.startswith(indent + "}"):
            yield start, k, line == indent + "};"
            start = None


def has_reason(lines, start, indent):
    """Whether the comment before it says why it is long."""
    k = start
    while k > 0 and not re.match(indent + r"\S", lines[k]):
        k -= 1
    while k > 0 and lines[k - 1].strip().startswith("//"):
        k -= 1
        if "Long, as " in lines[k]:
            return True
    return False


def main():
    root, wrong = pathlib.Path(sys.argv[1]), 0
    folders = [root / name for name in ("include", "src", "kernels", "tests/support")]
    for path in sorted(p for folder in folders for p in folder.rglob("*.[ch]pp")):
        if str(path.relative_to(root)) in LONG:
            continue
        lines = path.read_text().splitlines()
        for indent in "", "  ":
            for first, last, is_class in blocks(lines, indent):
                count = sum(1 for line in lines[first : last + 1] if line.strip() and not line.strip().startswith("//"))
                if count > (MOST_OF_CLASS if is_class else MOST_OF_FUNCTION) and not has_reason(lines, first, indent):
                    print(f"{path.relative_to(root)}:{first + 1}: {count} lines; split it, or say why in its comment: Long, as ...")
                    wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
