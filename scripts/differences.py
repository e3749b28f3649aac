"""What differs between two solvers, or two versions of one, on the tasks that both were run on: scripts/chc-bench --compare."""
import os
import statistics
import sys
from dataclasses import dataclass

import outcomes
from outcomes import Campaign, Task

# Below this number of seconds, a time is mostly that of starting a process: quotients take it for a smaller one.
LEAST = 0.01


def fail(message):
    sys.exit(f"chc-bench: error: {message}")


@dataclass
class Side:
    """The runs of one solver, by file; `text` is what the user calls it."""

    text: str
    solver: str
    runs: dict


def side_of(text, out):
    """What a user means by a solver of the results `out`, by a file of results with one solver, or by FILE:SOLVER."""
    known = outcomes.read(out) if out else {}
    if any(name == text for name, _ in known):
        return Side(text, text, runs_of(known, text))
    path, solver = (text, None) if os.path.exists(text) else text.rpartition(":")[::2]
    if not os.path.isfile(path):
        fail(f"{text} is neither a file of results nor FILE:SOLVER" + (f" nor a solver of {out}" if out else ""))
    known = outcomes.read(path)
    solvers = list(dict.fromkeys(name for name, _ in known))
    if solver is None and len(solvers) == 1:
        solver = solvers[0]
    if solver not in solvers:
        fail(f"{text} does not name a solver; there is " + (", ".join(f"{path}:{name}" for name in solvers) or "no result"))
    return Side(text, solver, runs_of(known, solver))


def runs_of(known, solver):
    return {os.path.normpath(file): record for (name, file), record in known.items() if name == solver}


def names_of(old, new):
    """What two sides are called: by their solvers if these differ, else by what the user calls them."""
    names = [old.solver, new.solver] if old.solver != new.solver else [old.text, new.text]
    if names[0] == names[1]:
        fail(f"{names[0]} cannot be compared with itself")
    return names


def shared_tasks(old, new, tasks):
    """The tasks that both sides were run on, of those given; of all if `tasks` is None."""
    if tasks is not None:
        return [task for task in tasks if all(os.path.normpath(task.path) in side.runs for side in (old, new))]
    pairs = [(old.runs[file], record) for file, record in new.runs.items() if file in old.runs]
    return [Task(after["file"], after["group"], after["expected"] or before["expected"]) for before, after in pairs]


class Comparison:
    """Two sides on the tasks that both were run on. The campaign has the old side as its first solver, the new one second."""

    def __init__(self, old, new, tasks, is_chosen):
        shared = [task for task in shared_tasks(old, new, tasks) if is_chosen(task)]
        if not shared:
            fail("no task was run on both sides (tasks are the same if their paths are)")
        self.old, self.new = names = names_of(old, new)
        runs = {(name, task.path): side.runs[os.path.normpath(task.path)]
                for name, side in zip(names, (old, new)) for task in shared}
        self.campaign = Campaign(shared, names, runs)
        self.left_out = [len(side.runs.keys() - other.runs.keys()) for side, other in ((old, new), (new, old))]

    def solved(self, tasks):
        """The tasks that the old side solves, and those that the new one solves."""
        return [{task for task in tasks if self.campaign.solves(name, task)} for name in (self.old, self.new)]

    def gained(self):
        old, new = self.solved(self.campaign.tasks)
        return [task for task in self.campaign.tasks if task in new - old]

    def lost(self):
        old, new = self.solved(self.campaign.tasks)
        return [task for task in self.campaign.tasks if task in old - new]

    def changed(self):
        """Tasks with sat on one side and unsat on the other."""
        verdicts = lambda task: {self.campaign.record(name, task)["verdict"] for name in (self.old, self.new)}
        return [task for task in self.campaign.tasks if verdicts(task) == set(outcomes.DEFINITE)]

    def times(self, task):
        """The CPU seconds of both sides."""
        return [self.campaign.record(name, task)["cpu"] for name in (self.old, self.new)]

    def ratio(self, task):
        """New CPU time by old CPU time."""
        old, new = (max(time, LEAST) for time in self.times(task))
        return new / old

    def both(self, tasks):
        """The tasks that both sides solve."""
        old, new = self.solved(tasks)
        return [task for task in tasks if task in old & new]

    def farthest(self, most):
        """The tasks that both sides solve with the greatest change of CPU time, greatest first."""
        change = {task: abs(self.times(task)[1] - self.times(task)[0]) for task in self.both(self.campaign.tasks)}
        return sorted((task for task in change if change[task] > 0), key=lambda task: -change[task])[:most]

    def parts(self, most):
        """What differs, by headings."""
        return {
            "verdicts that changed": self.changed(),
            f"lost: {self.old} solves them, {self.new} does not": self.lost(),
            f"gained: {self.new} solves them, {self.old} does not": self.gained(),
            "greatest changes of CPU time on tasks that both solve": self.farthest(most),
        }

    def figures(self):
        """A row of figures for each group: tasks, solved by each side, gained, lost, solved by both, the median of the ratios
        of CPU times of these or None, and their CPU times."""
        for group, tasks in self.campaign.rows():
            (old, new), both = self.solved(tasks), self.both(tasks)
            median = statistics.median(map(self.ratio, both)) if both else None
            sums = [sum(self.times(task)[at] for task in both) for at in (0, 1)]
            yield group, len(tasks), len(old), len(new), len(new - old), len(old - new), len(both), median, *sums


FIGURES = ("tasks", "old", "new", "gained", "lost", "both", "new/old", "old CPU s", "new CPU s")


def shown(figures):
    """Figures of a row as text; a ratio that does not exist is a dash."""
    *counts, median, old, new = figures
    return [*map(str, counts), "-" if median is None else f"{median:.2f}", f"{old:.1f}", f"{new:.1f}"]


def line_of(comparison, task):
    """Both runs of a task, and the ratio of their times if both solve it."""
    campaign = comparison.campaign
    runs = [f"{campaign.outcome(name, task):>7} {campaign.record(name, task)['cpu']:8.2f} s" for name in campaign.names]
    ratio = f"{comparison.ratio(task):8.2f}" if comparison.both([task]) else " " * 8
    return f"  {runs[0]}  ->  {runs[1]} {ratio}  {task.path}"


def print_comparison(comparison, most):
    """Prints the figures of each group, then what differs."""
    print(f"old: {comparison.old}\nnew: {comparison.new}")
    print(f"left out: {comparison.left_out[0]} tasks of the old side alone, {comparison.left_out[1]} of the new side alone\n")
    width = max([len(group) for group, _ in comparison.campaign.rows()])
    print(f"{'':<{width}}" + "".join(f"{heading:>10}" for heading in FIGURES))
    for group, *figures in comparison.figures():
        print(f"{group:<{width}}" + "".join(f"{text:>10}" for text in shown(figures)))
    for heading, tasks in comparison.parts(most).items():
        print(f"\n{heading}: {len(tasks)}")
        for task in tasks:
            print(line_of(comparison, task))
