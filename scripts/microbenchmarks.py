"""What scripts/compare-benches and scripts/benchmarks share: the output of divan, the records in
benchmarks/microbenchmarks.jsonl, and their section of BENCHMARKS.md."""
import json
import os
import re
import shlex
import statistics

import hornbench

FORMAT = 1
RECORDS = os.path.join("benchmarks", "microbenchmarks.jsonl")
# A benchmark is in BENCHMARKS.md if its ratio is not between these.
NOTABLE = (0.9, 1.1)
UNITS = {"ps": 1e-12, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}

TIME = r"([\d.]+) (ps|ns|µs|ms|s|m|h)"
# A line of divan's tree. Lines of counters and of memory have no branch.
BRANCH = re.compile(r"((?:│  |   )*)[├╰]─ (.*)")
# A name with figures: fastest, slowest, median, mean.
FIGURES = re.compile(rf"(.*?)\s+{TIME}\s*│\s*{TIME}\s*│\s*{TIME}\s*│\s*{TIME}\s*│")

HEAD = """\
### Parts of the program, compared

`scripts/compare-benches` runs the benches of two commits by turns. A ratio is the least time after
the change by the least time before it, so below 1 is faster. The mean is geometric. Benchmarks with a
ratio from {} to {} are not listed.
""".format(*NOTABLE)


def figures(text):
    """What divan has printed: (fastest, median) in seconds by the benchmark's name, with its groups before it."""
    found, groups = {}, []
    for line in text.splitlines():
        branch = BRANCH.match(line)
        if not branch:
            continue
        depth, row = len(branch.group(1)) // 3, FIGURES.match(branch.group(2))
        name = row.group(1) if row else branch.group(2).rstrip(" │")
        groups[depth:] = [name]
        if row:
            fastest, median = (float(row.group(at)) * UNITS[row.group(at + 1)] for at in (2, 6))
            found["/".join(groups)] = (fastest, median)
    return found


def seconds_text(seconds):
    """A time with three digits, in the unit that fits."""
    unit = next((unit for unit in ("s", "ms", "µs", "ns") if seconds >= UNITS[unit]), "ps")
    return f"{seconds / UNITS[unit]:#.3g}".rstrip(".") + f" {unit}"


def ratios(record, bench=None):
    """The ratios of a bench of a record, or of all."""
    names = [bench] if bench else record["benches"]
    return [row["ratio"] for name in names for row in record["benches"][name].values()]


def read_records(into):
    """All records, the oldest first."""
    path = os.path.join(into, RECORDS)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        records = [json.loads(line) for line in file if line.strip()]
    if any(record.get("format") != FORMAT for record in records):
        raise ValueError(f"{RECORDS} has records of another format than {FORMAT}")
    return records


def section_of(record):
    """What BENCHMARKS.md says of one record."""
    yield from (f"#### {record['name']}", "", f"- Commits: {record['before']} before, {record['after']} after")
    yield f"- Machine: {hornbench.machine_text(record['machine'])}"
    options = f", with `{shlex.join(record['options'])}`" if record["options"] else ""
    yield f"- Runs: {record['rounds']} of each bench and commit{options}"
    if record["changed"]:
        yield f"- Sources that differ, so that the work may: {', '.join(f'`{name}`' for name in record['changed'])}"
    yield from (f"- {note}" for note in record["notes"])
    yield from ("", "| bench | benchmarks | ratio |", "|---|---|---|")
    for bench, rows in record["benches"].items():
        yield f"| {bench} | {len(rows)} | {statistics.geometric_mean(ratios(record, bench)):.2f} |"
    yield f"| all | {len(ratios(record))} | {statistics.geometric_mean(ratios(record)):.2f} |"
    notable = [(row["ratio"], f"{bench}: {name}", row) for bench, rows in record["benches"].items() for name, row in rows.items()
               if not NOTABLE[0] <= row["ratio"] <= NOTABLE[1]]
    if notable:
        yield from ("", "| benchmark | before | after | ratio |", "|---|---|---|---|")
        for ratio, name, row in sorted(notable, key=lambda entry: entry[:2]):
            yield f"| {name} | {seconds_text(row['before'])} | {seconds_text(row['after'])} | {ratio:.2f} |"


def section(into):
    """The section of BENCHMARKS.md, with the newest record first; empty without records."""
    records = read_records(into)
    return "\n".join([HEAD, *("\n".join(section_of(record)) + "\n" for record in reversed(records))]) if records else ""
