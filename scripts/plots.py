"""Plots as SVG text: quantile plots, scatter plots of two solvers, and lines that show how time grows with size.

They need nothing but Python's standard library, and the same figures always give the same text. A plot has no style sheet, no
identifier and no link, so that several of them can stand in one HTML page. What a marker stands for is its title, which
browsers show under the pointer.
"""
import math
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

# Colours that people with any colour vision can tell apart, in the order of use. Then they come again with the next dashes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7b3f98", "#555555", "#8c2d04", "#66a61e")
DASHES = (None, "7 3", "2 2", "8 3 2 3")
# The outlines of markers around the point at which they are drawn. The last one is for what is wrong.
MARKERS = (
    "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z",  # a circle
    "m0-4l3.6 6.4h-7.2z",  # a triangle
    "m-3-3h6v6h-6z",  # a square
    "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z",  # a diamond
    "m0 4l3.6-6.4h-7.2z",  # a triangle upside down
    "m-4-4l8 8m0-8l-8 8",  # a cross
)
WRONG, WRONG_COLOUR = "wrong", "#e00000"
# Times below this number of seconds are drawn there: what a process needs to start.
LEAST_SECONDS = 0.01
FONT, ROW = 11, 16
# An axis of times goes to this multiple of the limit, so that there is room for the word above its line.
HEADROOM = 1.5
# Room at the edges of a plot: for the numbers and the label of an axis, and for the title.
LEFT, BOTTOM, TOP, RIGHT = 66, 46, 30, 14
# A series with at most this number of points has a mark at each of them: a single point makes no line.
FEW = 40


def number(value):
    """A number as people write it."""
    return f"{value:,.10g}"


def element(name, content=None, **attributes):
    """An SVG element. An underscore in the name of an attribute stands for a hyphen; an attribute that is None is left out."""
    text = ""
    for key, value in attributes.items():
        if value is not None:
            value = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
            text += f" {key.replace('_', '-')}={quoteattr(value)}"
    return f"<{name}{text}/>" if content is None else f"<{name}{text}>{content}</{name}>"


def text(x, y, words, **attributes):
    return element("text", escape(words), x=x, y=y, **attributes)


def width_of(words):
    """About how many pixels a text takes: fonts differ."""
    return 0.58 * FONT * len(words)


def marker(index, x, y, title=None, **colours):
    """One of the markers at a point."""
    shown = None if title is None else element("title", escape(title))
    return element("path", shown, d=f"M{x:.1f} {y:.1f}{MARKERS[index % len(MARKERS)]}", **colours)


@dataclass(frozen=True)
class Axis:
    """Numbers from `low` to `high`, on a linear or a logarithmic scale."""

    low: float
    high: float
    is_log: bool = False

    def fraction(self, value):
        """Where a number is: 0 at the lowest one, 1 at the highest one. What is outside is drawn at the edge."""
        low, high, value = self.low, self.high, min(max(value, self.low), self.high)
        if self.is_log:
            low, high, value = map(math.log10, (low, high, value))
        return (value - low) / (high - low)

    def ticks(self):
        """The numbers that are written at the axis."""
        return self.decades() if self.is_log else self.steps()

    def decades(self):
        """The powers of ten; between them 2 and 5, if there are few."""
        exponents = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        is_short = math.log10(self.high / self.low) < 2
        ticks = [factor * 10.0**exponent for exponent in exponents for factor in ((1, 2, 5) if is_short else (1,))]
        return [tick for tick in ticks if self.low * 0.999 <= tick <= self.high * 1.001]

    def steps(self):
        """At most seven multiples of 1, 2 or 5 times a power of ten. What is counted has no fractions."""
        step = next(factor * 10**exponent for exponent in range(18) for factor in (1, 2, 5)
                    if (self.high - self.low) / (factor * 10**exponent) <= 6)
        first = math.ceil(self.low / step)
        return [step * at for at in range(first, math.floor(self.high / step) + 1)]


@dataclass(frozen=True)
class Frame:
    """The rectangle of a plot, in pixels, and its axes."""

    left: float
    top: float
    width: float
    height: float
    across: Axis
    up: Axis

    def x(self, value):
        return self.left + self.across.fraction(value) * self.width

    def y(self, value):
        return self.top + self.height - self.up.fraction(value) * self.height

    def line(self, points, **attributes):
        """A line through points, which are pairs of numbers on the axes."""
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        return element("polyline", points=path, fill="none", **attributes)

    def drawn(self, title, below, beside):
        """The grid with its numbers, the border, the title, and the labels of the axes; `beside` may be missing."""
        bottom, right = self.top + self.height, self.left + self.width
        out = [element("rect", x=self.left, y=self.top, width=self.width, height=self.height, fill="white")]
        for tick in self.across.ticks():
            x = self.x(tick)
            out.append(element("path", d=f"M{x:.1f} {self.top}V{bottom}", stroke="#e4e4e4"))
            out.append(text(x, bottom + 15, number(tick), text_anchor="middle"))
        for tick in self.up.ticks():
            y = self.y(tick)
            out.append(element("path", d=f"M{self.left} {y:.1f}H{right}", stroke="#e4e4e4"))
            out.append(text(self.left - 6, y + 4, number(tick), text_anchor="end"))
        out.append(element("rect", x=self.left, y=self.top, width=self.width, height=self.height, fill="none", stroke="#444"))
        middle = self.left + self.width / 2
        out.append(text(middle, self.top - 10, title, text_anchor="middle", font_weight="bold", font_size=FONT + 1))
        out.append(text(middle, bottom + 34, below, text_anchor="middle"))
        if beside:
            x, y = self.left - LEFT + 14, self.top + self.height / 2
            out.append(text(x, y, beside, text_anchor="middle", transform=f"rotate(-90 {x:.1f} {y:.1f})"))
        return out


def picture(width, height, elements):
    """The whole SVG text. The background is white in viewers with a dark background, too."""
    head = element("rect", width="100%", height="100%", fill="white")
    size = {"width": math.ceil(width), "height": math.ceil(height)}
    content = "\n" + "\n".join([head, *elements]) + "\n"
    return element("svg", content, xmlns="http://www.w3.org/2000/svg", **size, viewBox=f"0 0 {size['width']} {size['height']}",
                   font_family="sans-serif", font_size=FONT, fill="#222") + "\n"


def colour_of(index):
    return COLOURS[index % len(COLOURS)]


def stroke_of(index):
    """The colour and the dashes of a line."""
    return {"stroke": colour_of(index), "stroke_width": "1.6", "stroke_dasharray": DASHES[index // len(COLOURS) % len(DASHES)]}


def series(frame, index, points):
    """A line through points, with marks if they are few."""
    out = [frame.line(points, **stroke_of(index), stroke_linejoin="round")]
    if len(points) <= FEW:
        out += [element("circle", cx=frame.x(x), cy=frame.y(y), r="2.2", fill=colour_of(index)) for x, y in points]
    return out


def legend_of_lines(labels, left, top):
    """Samples of lines with their labels, one below the other."""
    out = []
    for index, label in enumerate(labels):
        y = top + 8 + ROW * index
        out.append(element("path", d=f"M{left:.1f} {y:.1f}h24", fill="none", **stroke_of(index)))
        out.append(text(left + 30, y + 4, label))
    return out


def legend_width(labels):
    return max(map(width_of, labels), default=0) + 44


def height_with(height, rows):
    """The height of a picture with a plot of this height and a legend of some rows beside it."""
    return max(TOP + height + BOTTOM, TOP + ROW * rows + RIGHT)


def limit_line(frame, ends, seconds=None):
    """A limit, with its number of seconds above the left end if it is given."""
    out = [frame.line(ends, stroke="#888", stroke_dasharray="4 3")]
    if seconds:
        (x, y), _ = ends
        out.append(text(frame.x(x) + 5, frame.y(y) - 3, f"limit {number(seconds)} s", fill="#666", font_size=FONT - 1))
    return out


def curves_drawn(frame, title, curves, is_first, limit):
    """A panel of quantiles without its legend."""
    out = frame.drawn(title, "tasks solved", "CPU time in seconds" if is_first else None)
    if limit:
        out += limit_line(frame, [(0, limit), (frame.across.high, limit)], limit if is_first else None)
    for index, (_, solved) in enumerate(curves):
        out += series(frame, index, list(enumerate(sorted(solved), 1)))
    return out


def quantiles(panels, limit=None):
    """How many tasks are solved within a time each. A panel is a title and a list of labels with the times of what is solved,
    in seconds. Panels are side by side and have the same axis of time; a legend that the next panel repeats is left out."""
    width, height, between = 360, 320, LEFT - 20
    times = [time for _, curves in panels for _, solved in curves for time in solved]
    up = Axis(LEAST_SECONDS, max([*times, limit or 1]) * HEADROOM, is_log=True)
    labels = [[label for label, _ in curves] for _, curves in panels]
    out, left = [], LEFT
    for at, (title, curves) in enumerate(panels):
        most = max([len(solved) for _, solved in curves] + [1])
        frame = Frame(left, TOP, width, height, Axis(0, most * 1.03), up)
        out += curves_drawn(frame, title, curves, at == 0, limit)
        left += width + RIGHT
        if labels[at : at + 1] != labels[at + 1 : at + 2]:
            out += legend_of_lines(labels[at], left, TOP)
            left += legend_width(labels[at])
        left += between
    return picture(left - between, height_with(height, max(map(len, labels), default=0)), out)


def style_of(kind, index):
    """The marker of a kind of points, and its colours."""
    if kind == WRONG:
        return len(MARKERS) - 1, {"fill": "none", "stroke": WRONG_COLOUR, "stroke_width": "2"}
    colour = colour_of(index)
    return index % (len(MARKERS) - 1), {"fill": colour, "fill_opacity": "0.45", "stroke": colour}


def guides(frame, limits):
    """The lines of equal time and of ten times as much, and the limits."""
    low, high = frame.across.low, frame.across.high
    out = [frame.line([(low, low), (high, high)], stroke="#666")]
    for ends in ([(low, 10 * low), (high / 10, high)], [(10 * low, low), (high, high / 10)]):
        out.append(frame.line(ends, stroke="#999", stroke_dasharray="2 3"))
    out += limit_line(frame, [(limits[0], low), (limits[0], high)])
    return out + limit_line(frame, [(low, limits[1]), (high, limits[1])], limits[1])


def scatter(names, limits, points, title=""):
    """The times of two solvers on the same tasks, both on logarithmic axes: below the diagonal the second one is faster.

    `names` and `limits` (in seconds) are those of the solver from left to right and of the one from below. `points` maps kinds,
    which have colours and markers, to lists of (time, time, title). A time of None is a task that is not solved, which is drawn
    at the limit."""
    size = 380
    times = [time for group in points.values() for *pair, _ in group for time in pair if time is not None]
    axis = Axis(LEAST_SECONDS, max([*limits, *times]) * HEADROOM, is_log=True)
    frame = Frame(LEFT, TOP, size, size, axis, axis)
    out = [*frame.drawn(title, *(f"CPU seconds of {name}" for name in names)), *guides(frame, limits)]
    left, labels = LEFT + size + RIGHT, []
    for index, (kind, group) in enumerate(points.items()):
        if not group:
            continue
        shape, colours = style_of(kind, index)
        for *pair, name in group:
            x, y = (limit if time is None else time for time, limit in zip(pair, limits))
            out.append(marker(shape, frame.x(x), frame.y(y), name, **colours))
        y = TOP + 8 + ROW * len(labels)
        labels.append(f"{kind}: {len(group)}")
        out += [marker(shape, left + 8, y, **colours), text(left + 22, y + 4, labels[-1])]
    return picture(left + legend_width(labels), height_with(size, len(labels)), out)


def fitted(points):
    """The exponent and the factor of the power of x that fits points best (least squares of the logarithms). Without two
    different sizes there is none: None."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    if len({x for x, _ in logs}) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs))
    exponent = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    return exponent, math.exp(mean_y - exponent * mean_x)


def growth(sizes, lines, least, title="", below="size"):
    """How times grow with a size n, on two logarithmic axes. `lines` are labels with a time in seconds for each of the sizes.
    Each line has the power of n that fits its times from `least` seconds on: dashed, and in the legend."""
    width, height = 520, 360
    highest = max([time for _, times in lines for time in times] + [10 * least])
    across = Axis(min(sizes) / 1.15, max(sizes) * 1.15, is_log=True)
    frame = Frame(LEFT, TOP, width, height, across, Axis(least, highest * 1.3, is_log=True))
    out, labels = frame.drawn(title, below, "seconds"), []
    for index, (label, times) in enumerate(lines):
        measured = [(size, time) for size, time in zip(sizes, times) if time >= least]
        fit = fitted(measured)
        if fit:
            exponent, factor = fit
            ends = [(size, factor * size**exponent) for size in (measured[0][0], measured[-1][0])]
            out.append(frame.line(ends, stroke=colour_of(index), stroke_dasharray="3 3", stroke_opacity="0.7"))
        out += series(frame, index, list(zip(sizes, times)))
        labels.append(f"{label}: n^{exponent:.2f}" if fit else label)
    left = LEFT + width + RIGHT
    out += legend_of_lines(labels, left, TOP)
    return picture(left + legend_width(labels), height_with(height, len(labels)), out)


def write(path, svg):
    with open(path, "w", encoding="utf-8") as file:
        file.write(svg)
