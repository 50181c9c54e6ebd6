#!/usr/bin/env python3
"""Every relative link in README.md, CONTRIBUTING.md, CHANGELOG.md, kernels/README.md and docs leads to a file, and to a heading in it. Paths of the
repository in backticks, as `src/cli`, exist, unless they have capitals that stand for a name.

usage: tests/links/check.py ROOT
"""
import pathlib
import re
import sys

FOLDERS = "include|src|docs|tests|kernels|bench"


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def anchor(heading):
    """What follows # in the address of a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def anchors(page):
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", without_code(page.read_text()), flags=re.M)}


def faults(page, root):
    text = without_code(page.read_text())
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"links to {link}, which does not exist"
        elif heading and target.suffix == ".md" and heading not in anchors(target):
            yield f"links to {link}, a heading that {target.name} lacks"
    for path in re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", text):
        if not re.search(r"\b[A-Z]{2,}\b", path) and not (root / path).exists():
            yield f"names {path}, which does not exist"


def stale_version(root):
    """CITATION.cff names the version of config.hpp."""
    config = (root / "include/lockstep/config.hpp").read_text()
    version = ".".join(re.findall(r"#define LOCKSTEP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", config))
    if f"\nversion: {version}\n" not in (root / "CITATION.cff").read_text():
        return [f"CITATION.cff does not name version {version}, as include/lockstep/config.hpp does"]
    return []


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "kernels/README.md")] + sorted(root.glob("docs/**/*.md"))
    found = [f"{page.relative_to(root)} {fault}" for page in pages for fault in faults(page, root)]
    found += stale_version(root)
    print("\n".join(found))
    sys.exit(1 if found or len(pages) < 20 else 0)


main()
