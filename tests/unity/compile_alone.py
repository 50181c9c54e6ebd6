"""Usage: compile_alone.py GROUPED ALONE JOBS

Runs the commands of ALONE that are not in GROUPED, both compile_commands.json, for errors and warnings only, after those for
precompiled headers.
"""
import concurrent.futures
import json
import re
import subprocess
import sys


def commands(file):
    """By output, which is below the build folder."""
    with open(file) as text:
        return {re.search(r" -o (\S+)", one["command"])[1]: one for one in json.load(text)}


def succeeds(one, *options):
    run = subprocess.run(" ".join([one["command"], *options]), shell=True, cwd=one["directory"], capture_output=True,
                         text=True)
    if run.returncode != 0:
        print(f"{one['file']} does not compile alone:\n{run.stderr}", flush=True)
    return run.returncode == 0


def all_succeed(what, commands, *options):
    print(f"{len(commands)} {what}", flush=True)
    good = 0
    with concurrent.futures.ThreadPoolExecutor(int(sys.argv[3])) as pool:
        for number, fine in enumerate(pool.map(lambda one: succeeds(one, *options), commands), 1):
            good += fine
            if number % 50 == 0:
                print(f"{number} compiled", flush=True)
    return good == len(commands)


grouped, alone = commands(sys.argv[1]), commands(sys.argv[2])
headers = [alone[output] for output in sorted(alone) if "cmake_pch" in output]
ungrouped = [alone[output] for output in sorted(alone.keys() - grouped.keys()) if "cmake_pch" not in output]
if len(ungrouped) < 200:
    sys.exit(f"only {len(ungrouped)} sources are in unity groups")
sys.exit(not (all_succeed("precompiled headers", headers) and
              all_succeed("sources of unity groups", ungrouped, "-fsyntax-only")))
