"""survey_tally.py PROJECT: a row of docs/reference/compatibility.md from what `lockstep survey --json` prints."""
import json
import sys

RESULTS = ("clean", "findings", "not supported", "does not compile", "cannot be run", "takes too long", "crashed")


def row(project, survey):
    counts = survey["counts"]
    unknown = set(counts) - set(RESULTS)
    if unknown:
        raise SystemExit(f"{project}: results without a column: {sorted(unknown)}")
    cells = [str(sum(counts.values()))] + [str(counts.get(result, 0)) for result in RESULTS]
    return f"| {project.replace('+', '/')} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    print(row(sys.argv[1], json.load(sys.stdin)))
