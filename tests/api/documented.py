#!/usr/bin/env python3
"""Every type and every function of the public headers has a comment, as Doxygen's XML shows it.

usage: tests/api/documented.py XML_FOLDER

Overloads share the comment of one of them, and what undefined::f returns is said where f is. Constructors, operators and
friends say nothing that their class does not, members of containers are the standard library's, and overrides are described by
the test frameworks that call them.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as tree


KNOWN = {"begin", "end", "front", "back", "empty", "size", "clear", "push_back", "reserve", "swap", "explicit"}
FRAMEWORKS = {"DescribeTo", "DescribeNegationTo", "toString", "streamReconstructedExpression"}


def text_of(element):
    """The description of a compound or member, brief or long."""
    return "".join("".join(element.find(part).itertext()).strip() for part in ("briefdescription", "detaileddescription")
                   if element.find(part) is not None)


def header_of(element):
    location = element.find("location")
    return re.sub(r"^.*?(?=lockstep/)", "", location.get("file")) if location is not None else ""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    functions, types = {}, {}
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
        compound = tree.parse(path).getroot().find("compounddef")
        if compound is None or compound.get("kind") not in ("class", "struct", "union", "namespace", "group", "concept"):
            continue
        scope = compound.findtext("compoundname").split("::")
        if compound.get("kind") in ("class", "struct", "union") and compound.get("prot") == "public":
            # Specializations are found where the template is.
            if "<" not in scope[-1] and not scope[-1].startswith("@"):
                types[(header_of(compound), scope[-1])] = bool(text_of(compound))
        for member in compound.iter("memberdef"):
            name, kind = member.findtext("name"), member.get("kind")
            if member.get("prot") != "public" or kind not in ("function", "enum") or not name:
                continue
            if name.startswith(("operator", "~", "@")) or name == scope[-1].split("<")[0].strip() or name.isupper() or name in KNOWN | FRAMEWORKS:
                continue
            if kind == "enum":
                types[(header_of(member), name)] = bool(text_of(member))
            else:
                key = (header_of(member), name)
                functions[key] = functions.get(key, False) or bool(text_of(member))
    missing = sorted(f"{header}: {name} has no comment" for found in (types, functions) for (header, name), said in found.items() if not said)
    print("\n".join(missing))
    print(f"{len(types)} types and {len(functions)} functions, {len(missing)} without a comment")
    # A search that sees nothing must not pass.
    sys.exit(len(missing) > 0 or len(types) < 200 or len(functions) < 500)


main()
