#!/usr/bin/env python3
"""Every link of the site leads to a file in it, and to a place in that file that exists.

usage: tests/site/check.py HTML_FOLDER
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.images = [], set(), 0
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
                self.images += tag == "img"
            elif name in ("id", "name") and value:
                self.places.add(value)


def target_of(link, page, root):
    """The file of the site that a link of a page leads to."""
    path = urllib.parse.unquote(link.path)
    target = root / path.lstrip("/") if path.startswith("/") else page.parent / path if path else page
    return (target / "index.html" if target.is_dir() else target).resolve()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in root.rglob("*.html")}
    # Its links are absolute, for any place from which it is reached.
    pages.pop(root / "404.html", None)
    faults, checked = [], 0
    for path, page in pages.items():
        own = path.relative_to(root).parts[0] != "api"
        for text in page.links:
            link = urllib.parse.urlsplit(text)
            if link.scheme or link.netloc or text.startswith("javascript"):
                continue
            # Doxygen answers for the links between its own pages.
            if not own and path.name != "index.html":
                continue
            checked += own
            target = target_of(link, path, root)
            place = urllib.parse.unquote(link.fragment)
            if not target.exists():
                faults.append(f"{path.relative_to(root)} links to {text}, which does not exist")
            elif own and place and target in pages and place not in pages[target].places:
                faults.append(f"{path.relative_to(root)} links to {text}, a place that is missing")
    for expected in ("index.html", "api/index.html", "docs/lessons/01-active-lanes/index.html", "docs/guide/seeing/index.html"):
        if not (root / expected).exists():
            faults.append(f"the site has no {expected}")
    if (root / "docs/lessons/01-active-lanes/index.html").exists() and not pages[root / "docs/lessons/01-active-lanes/index.html"].images:
        faults.append("the first lesson shows no picture")
    print("\n".join(faults))
    # A search that sees nothing must not pass.
    if checked < 2000:
        sys.exit(f"only {checked} links were found")
    sys.exit(len(faults) > 0)


main()
