"""A campaign of scripts/chc-bench as one HTML page, which needs no other file and no network: wrong verdicts first, then what
each solver solved, the plots, and a table of all runs that can be sorted and filtered."""
import os
from html import escape

import differences
import outcomes

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; background: #fff }
body { max-width: 90rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.2rem } h3 { font-size: 1rem }
table { border-collapse: collapse; font-size: 14px }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top }
thead th { border-bottom: 2px solid #888; background: #fff; position: sticky; top: 0 }
.number { text-align: right; font-variant-numeric: tabular-nums }
.best { font-weight: bold } .bad { color: #b00000; font-weight: bold } .faint { color: #777 }
.plots { display: flex; flex-wrap: wrap; gap: 1rem } svg { max-width: 100%; height: auto }
.scroll { overflow-x: auto } td, th { white-space: nowrap } td.task { white-space: normal; overflow-wrap: anywhere }
th button { font: inherit; font-weight: bold; border: 0; padding: 0; background: none; cursor: pointer }
th[aria-sort=ascending] button::after { content: " \\25b2" } th[aria-sort=descending] button::after { content: " \\25bc" }
form { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0; align-items: baseline }
"""

# Sorts by the heading that is pressed, the other way if it is pressed again, and hides the runs that do not fit the form.
SCRIPT = """
"use strict";
const table = document.getElementById("runs"), body = table.tBodies[0], rows = [...body.rows];
const headings = [...table.tHead.rows[0].cells];
const words = document.getElementById("words"), choices = [...document.querySelectorAll("select")];
const count = document.getElementById("count");

function fits(row) {
  const task = row.cells[0].textContent.toLowerCase();
  return words.value.toLowerCase().split(/\\s+/).every(word => task.includes(word))
    && choices.every(choice => !choice.value || row.cells[choice.dataset.column].textContent === choice.value);
}

function filter() {
  for (const row of rows) row.hidden = !fits(row);
  count.textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} runs`;
}

function sort(heading) {
  const column = headings.indexOf(heading), isNumber = heading.classList.contains("number");
  const isAscending = heading.getAttribute("aria-sort") !== "ascending";
  const text = row => row.cells[column].textContent;
  const order = isNumber ? (a, b) => Number(text(a)) - Number(text(b)) : (a, b) => text(a).localeCompare(text(b));
  rows.sort((a, b) => isAscending ? order(a, b) : order(b, a));
  for (const other of headings) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
  for (const row of rows) body.append(row);
}

for (const heading of headings) heading.querySelector("button").addEventListener("click", () => sort(heading));
for (const field of [words, ...choices]) field.addEventListener("input", filter);
filter();
"""


def cell(content, kind=None, name="td"):
    """A cell of a table; a number is right-aligned."""
    if not isinstance(content, str):
        kind = f"number {kind or ''}".strip()
        content = f"{content:.2f}" if isinstance(content, float) else "" if content is None else str(content)
    attribute = f' class="{kind}"' if kind else ""
    return f"<{name}{attribute}>{escape(content)}</{name}>"


def table(headings, rows):
    """A table; a row is a list of cells. A heading that begins with `#` stands over numbers."""
    head = "".join(cell(text.removeprefix("#"), "number" if text[0] == "#" else None, "th") for text in headings)
    lines = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{lines}\n</tbody></table></div>'


def short_paths(tasks):
    """The paths of tasks below their common directory."""
    folders = {os.path.dirname(os.path.abspath(task.path)) for task in tasks}
    top = os.path.commonpath(folders)
    return {task: os.path.relpath(os.path.abspath(task.path), top) for task in tasks}


class Page:
    """The parts of the page about a campaign."""

    def __init__(self, campaign, key):
        self.campaign, self.key = campaign, key
        self.paths = short_paths(campaign.tasks)

    def runs(self):
        """Each run with its task and its outcome."""
        for task in self.campaign.tasks:
            for name in self.campaign.names:
                record = self.campaign.record(name, task)
                if record:
                    yield task, name, record, self.campaign.outcome(name, task)

    def bad(self):
        """Wrong verdicts and contradictions."""
        rows = []
        for task, answers in self.campaign.contradictions():
            suspects = {"sat", "unsat"} - {task.expected}
            verdicts = [answers.get(name, "") for name in self.campaign.names]
            said = [cell(verdict, "bad" if verdict in suspects else None) for verdict in verdicts]
            rows.append([cell(self.paths[task], "task"), cell(task.group), cell(task.expected or "unknown"), *said])
        if not rows:
            return "<p>There are none.</p>"
        return table(["task", "group", "expected", *self.campaign.names], rows)

    def scores(self):
        """What each solver solved, of each group. The greatest number and the least time of a group are bold."""
        rows = []
        for group, tasks in self.campaign.rows():
            scores = {name: self.campaign.score(name, tasks) for name in self.campaign.names}
            most = max(score.sat + score.unsat for score in scores.values())
            least = min((score.par2 for score in scores.values() if score.run), default=None)
            for at, (name, score) in enumerate(scores.items()):
                solved = score.sat + score.unsat
                first = [cell(group), cell(len(tasks))] if at == 0 else [cell(""), cell("")]
                wrong = cell(score.wrong, "bad" if score.wrong else None)
                best = ["best" if is_best else None for is_best in (solved == most, score.run and score.par2 == least)]
                counts = [cell(score.run), cell(solved, best[0]), cell(score.sat), cell(score.unsat)]
                rows.append([*first, cell(name), *counts, wrong, cell(score.par2, best[1])])
        return table(["group", "#tasks", "solver", "#run", "#solved", "#sat", "#unsat", "#wrong", "#PAR-2"], rows)

    def plots(self):
        scattered = outcomes.scatter_plots(self.campaign, self.key)
        return outcomes.quantile_plot(self.campaign) + f'<div class="plots">\n{"".join(scattered.values())}</div>'

    def differences(self, comparison, most):
        """What differs between the two sides of a comparison."""
        rows = [[cell(group), *(cell(text, "number") for text in differences.shown(figures))]
                for group, *figures in comparison.figures()]
        parts = [table(["group", *(f"#{heading}" for heading in differences.FIGURES)], rows)]
        for heading, tasks in comparison.parts(most).items():
            parts.append(f"<h3>{escape(heading)}: {len(tasks)}</h3>")
            if tasks:
                sides = [part for name in self.campaign.names for part in (name, "#CPU s")]
                parts.append(table(["task", *sides, "#new/old"], [self.difference(comparison, task) for task in tasks]))
        return "\n".join(parts)

    def difference(self, comparison, task):
        """A row with both runs of a task."""
        answers = (self.campaign.outcome(name, task) for name in self.campaign.names)
        sides = [part for how, time in zip(answers, comparison.times(task)) for part in (cell(how), cell(time))]
        return [cell(self.paths[task], "task"), *sides, cell(comparison.ratio(task) if comparison.both([task]) else None)]

    def choice(self, label, column, values):
        """A field of the form that chooses the runs with one value in a column."""
        options = "".join(f"<option>{escape(value)}</option>" for value in values)
        return f'<label>{label} <select data-column="{column}"><option value="">all</option>{options}</select></label>'

    def form(self):
        seen = {how for *_, how in self.runs()}
        fields = [
            '<label>task <input id="words" type="search" placeholder="parts of its path"></label>',
            self.choice("group", 1, dict.fromkeys(task.group for task in self.campaign.tasks)),
            self.choice("solver", 3, self.campaign.names),
            self.choice("outcome", 4, [how for how in ("sat", "unsat", "unknown", "wrong") if how in seen]),
            '<output id="count"></output>',
        ]
        return '<form onsubmit="return false">' + "\n".join(fields) + "</form>"

    def all_runs(self):
        """The form, and the table of all runs."""
        headings = ("task", "group", "expected", "solver", "outcome", "#CPU s", "#wall s", "#memory MB", "ended by")
        kinds = [' class="number"' if heading[0] == "#" else "" for heading in headings]
        buttons = [f'<button type="button">{heading.removeprefix("#")}</button>' for heading in headings]
        head = "".join(f"<th{kind}>{button}</th>" for kind, button in zip(kinds, buttons))
        rows = []
        for task, name, record, how in self.runs():
            colour = {"wrong": "bad", "unknown": "faint"}.get(how)
            figures = [cell(record.get(key)) for key in ("cpu", "wall", "memory_mb")]
            ended = {"exit": "itself", "cpu": "the CPU limit", "wall": "the wall limit"}.get(record.get("ended"), "")
            of_task = [cell(self.paths[task], "task"), cell(task.group), cell(task.expected or "")]
            rows.append("<tr>" + "".join([*of_task, cell(name), cell(how, colour), *figures, cell(ended)]) + "</tr>")
        body = "\n".join(rows)
        return f'{self.form()}<table id="runs"><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>'

    def summary(self):
        runs = sum(1 for _ in self.runs())
        limits = sorted({record["limit"] for _, _, record, _ in self.runs()})
        return f"{len(self.campaign.tasks)} tasks, {runs} runs, CPU limit {' and '.join(f'{limit:g}' for limit in limits)} s"

    def html(self, comparison, most):
        title = escape(", ".join(self.campaign.names))
        parts = [f"<h1>{title}</h1>\n<p>{self.summary()}.</p>", "<h2>Wrong and contradictory verdicts</h2>", self.bad()]
        if comparison:
            parts += ["<h2>What differs</h2>", self.differences(comparison, most)]
        parts += ["<h2>What was solved</h2>", self.scores()]
        parts.append("<p>PAR-2 is the mean CPU time in seconds, with twice the limit for a task that is not solved.</p>")
        parts += ["<h2>CPU time</h2>", self.plots(), "<h2>All runs</h2>", self.all_runs()]
        head = f'<meta charset="utf-8"><title>{title}</title>\n<style>{STYLE}</style>'
        body = "\n".join([*parts, f"<script>{SCRIPT}</script>"])
        return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{body}\n</body></html>\n'


def write(path, campaign, key, comparison=None, most=10):
    """Writes the page. `key` is what the colour of a point says: "verdict" or "group". If the campaign is that of a comparison,
    the page says what differs, with `most` changes of time."""
    text = Page(campaign, key).html(comparison, most)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
