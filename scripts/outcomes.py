"""The results of scripts/chc-bench: what was solved, which verdicts are wrong or contradict, as a table and as plots."""
import collections
import json
import os
from dataclasses import dataclass

import hornbench
import plots

DEFINITE = ("sat", "unsat")
# Up to this number of solvers there is a scatter plot for each pair, else for the first one with each of the others.
SCATTERED = 4


@dataclass(frozen=True)
class Task:
    """A file to solve; `expected` is "sat", "unsat" or None, `group` the row of the table that it counts in."""

    path: str
    group: str
    expected: str | None


def read(path):
    """The results so far, by (solver, file)."""
    return {(record["solver"], record["file"]): record for record in hornbench.records_of(path)}


def append(path, records):
    """Appends records to the results, on lines for themselves."""
    with open(path, "ab+") as file:
        file.seek(0, os.SEEK_END)
        if file.tell():
            file.seek(-1, os.SEEK_END)
            # A line that was cut off stays for itself.
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write("".join(json.dumps(record) + "\n" for record in records).encode())
        file.flush()
        os.fsync(file.fileno())


def tasks_of(records):
    """The tasks of runs, each once."""
    return list({record["file"]: Task(record["file"], record["group"], record["expected"]) for record in records}.values())


def outcome(record, task):
    """sat, unsat, wrong or unknown. A verdict after the limit counts as unknown."""
    if record["verdict"] not in DEFINITE or record["cpu"] > 1.02 * record["limit"] + 0.5:
        return "unknown"
    return record["verdict"] if task.expected in (None, record["verdict"]) else "wrong"


@dataclass
class Score:
    """What a solver did with some tasks: how many it was run on, how many it solved and how many wrongly, and the mean PAR2
    time (twice the limit where unsolved)."""

    run: int = 0
    sat: int = 0
    unsat: int = 0
    wrong: int = 0
    par2: float = 0.0


class Campaign:
    """Tasks, the names of solvers, and the record of each run by (solver, file)."""

    def __init__(self, tasks, names, results):
        self.tasks, self.names, self.results = tasks, names, results

    def record(self, name, task):
        """The run of a solver on a task, or None."""
        return self.results.get((name, task.path))

    def outcome(self, name, task):
        """The outcome of a run, or None if there was none."""
        record = self.record(name, task)
        return outcome(record, task) if record else None

    def solves(self, name, task):
        return self.outcome(name, task) in DEFINITE

    def rows(self):
        """The groups, and None for all of them if they are several, each with its tasks."""
        groups = list(dict.fromkeys(task.group for task in self.tasks))
        for group in [*groups, None] if len(groups) > 1 else groups:
            yield group or "all", [task for task in self.tasks if group in (None, task.group)]

    def score(self, name, tasks):
        outcomes = {task: self.outcome(name, task) for task in tasks}
        runs = [(self.record(name, task), how) for task, how in outcomes.items() if how]
        penalty = [record["cpu"] if how in DEFINITE else 2 * record["limit"] for record, how in runs]
        counts = collections.Counter(how for _, how in runs)
        mean = sum(penalty) / len(runs) if runs else 0.0
        return Score(len(runs), counts["sat"], counts["unsat"], counts["wrong"], mean)

    def contradictions(self):
        """Tasks on which a solver is wrong, or two solvers disagree where nothing is known, with the verdicts of all."""
        for task in self.tasks:
            answers = {name: self.record(name, task)["verdict"] for name in self.names if self.record(name, task)}
            definite = {verdict for verdict in answers.values() if verdict != "unknown"}
            if len(definite | ({task.expected} - {None})) > 1 and definite:
                yield task, answers

    def limit(self, name):
        """The greatest CPU limit of the runs of a solver, or of all solvers."""
        return max((self.results[key]["limit"] for key in self.results if name in (None, key[0])), default=1)


def print_scores(campaign):
    """Prints the table: for each group and solver what was solved, and the mean PAR2 time."""
    width = max([len(task.group) for task in campaign.tasks] + [5])
    columns = "   run   sat unsat WRONG     PAR2"
    print(f"{'':<{width}} {'tasks':>5}" + "".join(f"  {name:>{len(columns)}}" for name in campaign.names))
    print(f"{'':<{width}} {'':>5}" + f"  {columns}" * len(campaign.names))
    for group, tasks in campaign.rows():
        line = f"{group:<{width}} {len(tasks):>5}"
        for name in campaign.names:
            score = campaign.score(name, tasks)
            line += f"  {score.run:>6}{score.sat:>6}{score.unsat:>6}{score.wrong:>6}{score.par2:>9.2f}"
        print(line)


def quantile_plot(campaign):
    """How many tasks each solver solves within a time each: all tasks, and those with each verdict."""

    def times(name, verdicts):
        return [campaign.record(name, task)["cpu"] for task in campaign.tasks if campaign.outcome(name, task) in verdicts]

    titles = {"all tasks": DEFINITE, "sat": ["sat"], "unsat": ["unsat"]}
    panels = [(title, [(name, times(name, verdicts)) for name in campaign.names]) for title, verdicts in titles.items()]
    return plots.quantiles(panels, campaign.limit(None))


def kinds_of(campaign, key):
    """The kinds of points of scatter plots, in a fixed order, so that all plots of a campaign have the same colours."""
    groups = dict.fromkeys(task.group for task in campaign.tasks)
    return {kind: [] for kind in (*(groups if key == "group" else DEFINITE), plots.WRONG)}


def scatter_plot(campaign, first, second, key):
    """The times of two solvers. A point is a task on which one of them has a verdict; its kind is the verdict or the group
    (`key`), or that a verdict is wrong or the two contradict each other."""
    points = kinds_of(campaign, key)
    for task in campaign.tasks:
        answers = {name: campaign.outcome(name, task) for name in (first, second)}
        known = set(answers.values()) - {"unknown"}
        if None in known or not known:
            continue
        times = [campaign.record(name, task)["cpu"] if how in DEFINITE else None for name, how in answers.items()]
        is_bad = plots.WRONG in known or len(known) > 1
        kind = plots.WRONG if is_bad else task.group if key == "group" else known.pop()
        points[kind].append((*times, f"{task.path}: {first} {answers[first]}, {second} {answers[second]}"))
    return plots.scatter((first, second), (campaign.limit(first), campaign.limit(second)), points, f"{first} and {second}")


def scatter_plots(campaign, key):
    """The plots of each pair, or of the first solver with each of the others, by the names."""
    pairs = [(first, second) for at, first in enumerate(campaign.names) for second in campaign.names[at + 1 :]]
    if len(campaign.names) > SCATTERED:
        pairs = [(first, second) for first, second in pairs if first == campaign.names[0]]
    return {(first, second): scatter_plot(campaign, first, second, key) for first, second in pairs}
