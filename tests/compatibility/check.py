#!/usr/bin/env python3
"""Runs compute shaders of other people's repositories, as they are, and checks what they compute.

usage: check.py LOCKSTEP CLONES [NAME...]

LOCKSTEP is the lockstep program. CLONES is a folder with clones of the repositories that
docs/compatibility.md lists, each called OWNER+NAME and at the commit listed there. NAME picks checks.
Prints a line for each check and subgroup size; exits with 1 if one failed. Needs nothing but Python.
"""

import os
import sys

import harness
import ggml, granite, ncnn, parallel_rdp, radeonrays, radix_sorts, spd, spirv_cross, uvkcompute, vkd3d_proton  # noqa: F401: they register checks


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    harness.LOCKSTEP, clones, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    unknown = set(names) - {name for name, *_ in harness.CHECKS}
    if unknown:
        sys.exit(f'no such check: {", ".join(sorted(unknown))}')
    failed = 0
    for name, repository, sizes, function in harness.CHECKS:
        if names and name not in names:
            continue
        clone = os.path.join(clones, repository)
        if not os.path.isdir(clone):
            print(f'{repository} {name}: no clone at {clone}')
            failed += 1
            continue
        for size in sizes:
            try:
                function(clone, size)
                print(f'{repository} {name} {size}: ok', flush=True)
            except harness.Failed as error:
                failed += 1
                print(f'{repository} {name} {size}: FAILED: {error}', flush=True)
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
