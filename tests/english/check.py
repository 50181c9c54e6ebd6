#!/usr/bin/env python3
"""The strings that users see, and the pages and public comments that they read, avoid turns of phrase that no engineer would use.

usage: tests/english/check.py ROOT          names each place; exit status 1 if there is one
       tests/english/check.py --list ROOT   prints every string of two words and more, with its place
"""
import pathlib
import re
import sys

# What to write instead is beside each.
TURNS = {
    r"(?<!there )\b(?:is|are|was|were) no\b(?! longer| more than)": "is not a",
    r"\bthose of\b": "the noun again",
    r"\banother than\b": "differs from",
    r"\bof which\b": "whose, or a second sentence",
    r"\bwhom\b|\bwho goes\b|\bnobody\b": "no lane, nothing, which",
    r"\bstands? in no\b": "outside",
    r"\bto judge by\b": "looks like",
    r"\bas it happens to people\b|\bhours of one's own\b": "typical, local",
    r"\bin this tangle\b": "here",
    r"\bwhat it is worth\b|\bthe same door\b|\ba story to tell\b": "measured as, a walk through",
    r"\bcomes? about\b": "is computed",
    r"\bgives? other bytes\b|\bholds? others\b": "differs, has another element type",
    r"\bcannot be made\b|\bcan be made there\b": "cannot be created",
}
TURN = re.compile("|".join(f"(?:{pattern})" for pattern in TURNS), re.I)

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/
      |R"(?P<tag>[^(\s"]*)\((?P<raw>.*?)\)(?P=tag)"
      |(?:u8|L|u|U)?"(?P<plain>(?:\\.|[^"\\\n])*)"
      |'(?:\\.|[^'\\\n])+'
      |\#include[^\n]*|\s+|.""",
    re.S | re.X,
)
PYTHON = re.compile(r'\#[^\n]*|"""(?P<doc>.*?)"""|"(?P<plain>(?:\\.|[^"\\\n])*)"|\'(?P<single>(?:\\.|[^\'\\\n])*)\'|\s+|.', re.S)


def strings(text, token):
    """(line, string) of each literal; those that stand side by side are one."""
    found, line, joined = [], 1, None
    for match in token.finditer(text):
        part = next((part for name, part in match.groupdict().items() if name != "tag" and part is not None), None)
        if part is not None:
            if joined is None:
                joined = [line, ""]
            joined[1] += part
        elif not re.match(r"\s|//|/\*|#", match[0]) and joined:
            found.append(joined)
            joined = None
        line += match[0].count("\n")
    return found + ([joined] if joined else [])


def literals(root):
    """(path, line, string) of each that is two words and more."""
    for folder in ("src", "include", "kernels"):
        for path in sorted((root / folder).rglob("*")):
            token = TOKEN if path.suffix in (".cpp", ".hpp") else PYTHON if path.suffix in (".py", ".pyi") else None
            if token:
                for line, text in strings(path.read_text(), token):
                    if re.search(r"[A-Za-z]{2,}[,:;]? [a-z{]", text):
                        yield path.relative_to(root), line, text


def comments(root):
    """(path, line, text) of each comment for users in the public headers."""
    for path in sorted((root / "include").rglob("*.hpp")):
        text = path.read_text()
        for comment in re.finditer(r"(?:^[ \t]*///.*\n)+|///<.*\n", text, flags=re.M):
            plain = re.sub(r"(?m)^[ \t]*///<? ?|^///<", "", comment[0])
            yield path.relative_to(root), text.count("\n", 0, comment.start()) + 1, re.sub(r"`[^`]*`", "``", plain)


def pages(root):
    """(path, line, text) of each paragraph outside of blocks of code; words in backticks are left out."""
    named = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "kernels/README.md")]
    for path in named + sorted(root.glob("docs/**/*.md")):
        text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), path.read_text(), flags=re.S | re.M)
        for paragraph in re.finditer(r"(?:[^\n]+\n?)+", text):
            yield path.relative_to(root), text.count("\n", 0, paragraph.start()) + 1, re.sub(r"`[^`]*`", "``", paragraph[0])


def main():
    listing = sys.argv[1:2] == ["--list"]
    if len(sys.argv) != 2 + listing:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[-1])
    said = list(literals(root))
    if listing:
        for path, line, text in said:
            print(f"{path}:{line}: {text}")
        return
    read = list(pages(root)) + list(comments(root))
    found = 0
    for path, line, text in said + read:
        for turn in TURN.finditer(text.replace("\n", " ")):
            advice = next(better for pattern, better in TURNS.items() if re.fullmatch(pattern, turn[0], re.I) or re.search(pattern, text.replace("\n", " "), re.I))
            print(f"{path}:{line}: '{turn[0]}' in \"...{text[max(0, turn.start() - 40):turn.end() + 40]}...\": write {advice}")
            found += 1
    # A change that stops the search from seeing anything must not pass.
    if len(said) < 1500 or len(read) < 2000:
        sys.exit(f"only {len(said)} strings and {len(read)} paragraphs were found")
    sys.exit(found > 0)


main()
