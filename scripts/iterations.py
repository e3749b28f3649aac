"""Loops in a derivation that are not written out: the induction by which they are checked, as questions to a solver."""
from instances import instance
from smtlib import Wrong, read, show

INDEX = "|iteration|"


class Index:
    """The number of an iteration, as an integer, or as bits if bits change in the loop."""

    def __init__(self, times, steps):
        changes = [change for step in steps for part in ("values", "arguments") for value in step[part] for change in numbers(value["change"])]
        widths = [width(change) for change in changes if change.startswith("#")]
        self.times = int(times)
        self.width = max([*widths, self.times.bit_length() + 1]) if widths else None

    def number(self, number):
        """A number of an iteration, perhaps -1."""
        if self.width:
            return f"(_ bv{number % 2 ** self.width} {self.width})"
        return str(number) if number >= 0 else f"(- {-number})"

    def declared(self):
        sort, less, most = (f"(_ BitVec {self.width})", "bvult", "bvule") if self.width else ("Int", "<", "<=")
        bounds = f"(and ({most} {self.number(0)} {INDEX}) ({less} {INDEX} {self.number(self.times)}))"
        return f"(declare-const {INDEX} {sort})\n(assert {bounds})"

    def before(self):
        return f"({'bvsub' if self.width else '-'} {INDEX} {self.number(1)})"

    def value(self, value, change, at):
        """A value in the iteration with the number that the text `at` is."""
        if change is None:
            return value
        if isinstance(change, list):
            _, _, (head, *fields) = read(value)[0]
            return f"({show(head)} {' '.join(self.value(show(f), c, at) for f, c in zip(fields, change, strict=True))})"
        if change.startswith("#"):
            at = f"((_ extract {width(change) - 1} 0) {at})"
            return f"(bvadd {value} (bvmul {change} {at}))"
        # Of -1, too.
        at = f"(- (bv2nat (bvadd {at} {self.number(1)})) 1)" if self.width else at
        return f"(+ {value} (* {change} {f'(to_real {at})' if '.' in change else at}))"


def numbers(change):
    """The numbers in a change: that of a datatype's value has changes for its fields."""
    return [number for part in change for number in numbers(part)] if isinstance(change, list) else [] if change is None else [change]


def width(bits):
    return (len(bits) - 2) * (4 if bits[1] == "x" else 1)


def questions(fact, facts, assertion):
    """The questions whose answers must be `unsat`, each with the constants that it declares: an iteration does not derive what the
    next one begins with, the first one begins with something else than the first premise, or the last one derives something else
    than the fact. `assertion` is the assertion that a step names."""
    steps, premises = fact["iteration"]["steps"], [facts[premise] for premise in fact["premises"]]
    if not steps or not premises or int(fact["iteration"]["times"]) < 1:
        raise Wrong(f"fact {fact['id']} has no iterations")
    index, last = Index(fact["iteration"]["times"], steps), steps[-1]

    def derived(at):
        arguments = [index.value(value["value"], value["change"], at) for value in last["arguments"]]
        name = f"|{last['predicate']}|"
        return f"({name} {' '.join(arguments)})" if arguments else name

    fresh, script = [], [index.declared(), f"(assert {derived(index.before())})"]
    for step in steps:
        values = [{**value, "value": index.value(value["value"], value["change"], INDEX)} for value in step["values"]]
        script.append(f"(assert {instance(assertion(step), values, fresh)})")
    script += [f"(assert {premise['fact']})" for premise in premises[1:]]
    begins, ends = derived(index.number(-1)), derived(index.number(index.times - 1))
    return [
        [*fresh, *script, f"(assert (not {derived(INDEX)}))"],
        [f"(assert {premises[0]['fact']})", f"(assert (not {begins}))"],
        [f"(assert {ends})", f"(assert (not {fact['fact']}))"],
    ]
