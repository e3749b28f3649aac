"""What the scripts that compare configurations of the programs share: tasks, runs, results, and the figures of tables."""
import collections
import concurrent.futures
import json
import os
import re
import sys
import threading
from dataclasses import dataclass

import hornbench
import plots

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
SAFE, UNSAFE = "safe", "unsafe"
VERDICTS = {"sat": SAFE, "unsat": UNSAFE, "TRUE": SAFE, "FALSE": UNSAFE, SAFE: SAFE, UNSAFE: UNSAFE}


@dataclass(frozen=True)
class Task:
    """A system or a program, the row of the tables that it counts in, and what is expected of it."""

    path: str
    group: str
    expected: str | None


def tasks_of(index):
    """The tasks of an index file."""
    base = os.path.dirname(os.path.abspath(index))
    with open(index, encoding="utf-8") as file:
        records = json.load(file)
    for record in records:
        path = os.path.normpath(os.path.join(base, record["file"]))
        folder = record["file"].split("/")[0] if "/" in record["file"] else os.path.basename(base)
        group = record.get("track") or f"C, {folder}"
        yield Task(path, group, VERDICTS.get(record.get("expected")))


def chosen_tasks(options):
    """The tasks of all indices that the options choose."""
    tasks, seen = [], collections.Counter()
    for index in options.index:
        for task in tasks_of(index):
            if options.groups and task.group not in options.groups.split(";"):
                continue
            if (seen[task.group] - options.first) % options.every == 0:
                tasks.append(task)
            seen[task.group] += 1
    return tasks


def command_of(words, path, options):
    """The command that decides a file with these words on the command line."""
    if path.endswith((".c", ".i")):
        return [os.path.join(options.binaries, "c2horn"), "--verify", "--stats", *options.c_options.split(), *words, path]
    return [os.path.join(options.binaries, "horn-solve"), "--stats=json", *words, path]


def verdict_of(run):
    """safe, unsafe or None."""
    word = re.match(r"\w*", run.first_line())
    return VERDICTS.get(word.group() if word else "")


def read_results(path, kind):
    """The results so far, by configuration and file."""
    return {(record[kind], record["file"]): record for record in hornbench.records_of(path)}


def measure(tasks, configurations, results, options, kind, details):
    """Runs what is missing; appends it to the results file and to `results`. `configurations` maps names to words on the
    command line, `kind` is what a configuration is, and `details` reads further figures from the output."""
    todo = [(task, name) for task in tasks for name in configurations if (name, task.path) not in results]
    program = os.path.basename(sys.argv[0])
    print(f"{program}: {len(tasks)} tasks, {len(todo)} runs to do", file=sys.stderr)
    guard = threading.Lock()
    os.environ.pop("HORN_SOLVER", None)
    with open(options.out, "a", encoding="utf-8") as out:

        def work(item):
            task, name = item
            command = command_of(configurations[name], task.path, options)
            run = hornbench.run(command, options.cpu, 4 * options.cpu + 10, None)
            record = {
                **{kind: name, "file": task.path, "group": task.group, "expected": task.expected},
                **{"verdict": verdict_of(run) if run.cpu <= options.cpu else None, "cpu": run.cpu, "limit": options.cpu},
                **{"memory_mb": run.memory, **details(run.stdout + run.stderr)},
            }
            with guard:
                out.write(json.dumps(record) + "\n")
                out.flush()
                results[name, task.path] = record

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for _ in pool.map(work, todo):
                pass


def is_wrong(record):
    return None not in (record["verdict"], record["expected"]) and record["verdict"] != record["expected"]


class Figures:
    """What configurations solved, of the tasks that all of them were run on."""

    def __init__(self, names, results):
        files = {name: {file for other, file in results if name == other} for name in names}
        self.names = names
        self.files = sorted(set.intersection(*files.values())) if files else []
        self.results = results
        self.groups = sorted({results[names[0], file]["group"] for file in self.files}) if names else []

    def rows(self):
        """The groups, and None for all of them if they are several."""
        return [*self.groups, None] if len(self.groups) > 1 else self.groups

    def of(self, name, group=None):
        """The runs of a configuration, of a group or of all."""
        runs = [self.results[name, file] for file in self.files]
        return [run for run in runs if group in (None, run["group"])]

    def solved(self, name, group=None, verdict=None):
        """Those of them with a verdict, or with this one, that is not wrong."""
        return [run for run in self.of(name, group) if run["verdict"] and verdict in (None, run["verdict"]) and not is_wrong(run)]

    def solved_by(self, names, group=None):
        """The files that one of some configurations solved."""
        return {run["file"] for name in names for run in self.solved(name, group)}

    def alone(self, name, others, group=None):
        """The number of tasks that none of the others solved."""
        return len(self.solved_by([name], group) - self.solved_by(others, group))

    def any_is_wrong(self):
        return any(is_wrong(run) for name in self.names for run in self.of(name))


def plot(figures, path, panels):
    """How many tasks each configuration solves within a time each. A panel is a title, the names of configurations with
    their labels, and a verdict or None."""
    times = lambda name, verdict: [run["cpu"] for run in figures.solved(name, verdict=verdict)]
    limits = {run["limit"] for name in figures.names for run in figures.of(name)}
    curves = [(title, [(label, times(name, verdict)) for name, label in labels.items()]) for title, labels, verdict in panels]
    plots.write(path, plots.quantiles(curves, max(limits, default=None)))


def add_options(parser):
    """The options that the scripts share."""
    option = parser.add_argument
    option("index", nargs="*", help="lists of tasks")
    option("--out", required=True, metavar="FILE", help="results, JSON lines")
    option("--groups", help="only these tracks and folders, separated by semicolons")
    option("--every", type=int, default=1, metavar="N", help="only every Nth task of each group (default: all)")
    option("--first", type=int, default=0, metavar="I", help="with --every, begin with that one (default: 0)")
    option("--binaries", default=os.path.join(ROOT, "target", "release"), metavar="DIR", help="where the programs are")
    option("--c-options", default="", metavar="WORDS", help="options of c2horn, such as '--int bitvector'")
    option("--cpu", type=float, default=20, metavar="SECS", help="CPU limit of a run (default: %(default)s)")
    jobs = max(1, (os.cpu_count() or 2) // 2)
    option("--jobs", type=int, default=jobs, metavar="N", help="runs at a time (default: half the cores, %(default)s)")
    option("--report", action="store_true", help="run nothing")
    option("--svg", metavar="FILE", help="write the quantile plots there")
