#!/usr/bin/env python3
"""Runs compute shaders of other people's repositories, as they are, and checks what they compute.

LOCKSTEP is the lockstep program. CLONES is a folder with clones of the repositories that
docs/reference/compatibility.md lists, each called OWNER+NAME and at the commit listed there. NAME picks checks.
Prints a line for each check and subgroup size; exits with 1 if one failed. Needs nothing but Python.
"""

import argparse
import os
import sys

import harness
import ggml, granite, ncnn, parallel_rdp, radeonrays, radix_sorts, spd, spirv_cross, uvkcompute, vkd3d_proton  # noqa: F401: they register checks


def arguments():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument('--check', action='store_true',
                       help='run with --check: print what is found; a check fails where that is not what it lists')
    words.add_argument('--sizes', type=lambda text: [int(size) for size in text.split(',')],
                       help='run at these subgroup sizes only, as 32,64')
    words.add_argument('lockstep', metavar='LOCKSTEP')
    words.add_argument('clones', metavar='CLONES')
    words.add_argument('names', metavar='NAME', nargs='*')
    return words.parse_args()


def outcome(function, clone, size):
    """Whether a check passed at a size, and what to print of it."""
    harness.FOUND.clear()
    try:
        function(clone, size)
    except harness.Failed as error:
        return False, f'FAILED: {error}'
    return True, 'ok' + ''.join(f'\n  finds {place}' for place in sorted(harness.FOUND))


def main():
    options = arguments()
    harness.LOCKSTEP, harness.CHECKED = options.lockstep, options.check
    unknown = set(options.names) - {name for name, *_ in harness.CHECKS}
    if unknown:
        sys.exit(f'no such check: {", ".join(sorted(unknown))}')
    failed = runs = 0
    for name, repository, sizes, function in harness.CHECKS:
        if options.names and name not in options.names:
            continue
        clone = os.path.join(options.clones, repository)
        if not os.path.isdir(clone):
            print(f'{repository} {name}: no clone at {clone}')
            failed += 1
            continue
        for size in sizes:
            if options.sizes and size not in options.sizes:
                continue
            passed, text = outcome(function, clone, size)
            print(f'{repository} {name} {size}: {text}', flush=True)
            runs += 1
            failed += not passed
    print(f'{runs} runs, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
