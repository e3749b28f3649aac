"""Constrained Horn clauses, solved with certificates.

A `Problem` is a system of clauses. It is built from SMT-LIB text, with operators, or from both, and `check` decides it:

    >>> from horn import Int, Problem
    >>> p = Problem()
    >>> count, x = p.predicate("count", Int), p.var("x", Int)
    >>> p.rule(count(0))
    >>> p.rule(count(x + 2), count(x), name="step")
    >>> p.query(count(x), x == 7)
    >>> result = p.check(timeout=20)
    >>> result.verdict
    'sat'
    >>> result.model["count"](6), result.model["count"](7)
    (True, False)

Every verdict was checked: a model against all clauses, a refutation step by step.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

from ._horn import HornError, __version__
from . import _horn

__all__ = [
    "And", "Array", "ArrayValue", "BitVec", "Bool", "Construction", "Function", "HornError", "If", "Implies", "Int",
    "Interpretation", "Model", "Node", "Not", "Or", "Predicate", "Problem", "Progress", "Real", "Refutation", "Result",
    "Sort", "Term", "Value", "__version__",
]


class Sort(str):
    """A sort, as SMT-LIB writes it."""

    __slots__ = ()


Int = Sort("Int")
Real = Sort("Real")
Bool = Sort("Bool")


def BitVec(width: int) -> Sort:
    """The sort of bit-vectors of a width."""
    return Sort(f"(_ BitVec {width})")


def Array(index: str, element: str) -> Sort:
    """The sort of arrays from one sort to another."""
    return Sort(f"(Array {index} {element})")


class Construction(NamedTuple):
    """A value of a datatype: the constructor's name, and the fields."""

    constructor: str
    fields: tuple


class ArrayValue(NamedTuple):
    """The value of an array: the entries that differ from its default, and the default."""

    entries: dict
    default: Any


class Value:
    """A value of a datatype, of an array sort or of a declared sort. `unfold` shows its outermost part."""

    __slots__ = ("_native",)

    def __init__(self, native: _horn.Value) -> None:
        self._native = native

    @property
    def sort(self) -> Sort:
        """The sort."""
        return Sort(self._native.sort)

    def unfold(self) -> Union[Construction, ArrayValue, None]:
        """Constructor and fields, or entries and default. None for an element of a declared sort."""
        construction = self._native.construction
        if construction is not None:
            name, fields = construction
            return Construction(name, tuple(_python(field) for field in fields))
        entries = self._native.entries
        if entries is not None:
            pairs, default = entries
            return ArrayValue({_python(at): _python(value) for at, value in pairs}, _python(default))
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self._native == other._native

    def __hash__(self) -> int:
        return hash(self._native)

    def __str__(self) -> str:
        return self._native.text

    def __repr__(self) -> str:
        return f"<{self} of sort {self.sort}>"


def _python(native: _horn.Value) -> Any:
    """A value as Python's own, where Python has it: bool, int (also for bit-vectors), Fraction."""
    if native.truth is not None:
        return native.truth
    number = native.number
    if number is None:
        return Value(native)
    return Fraction(*number) if native.is_real else number[0]


def _literal(value: Any, sort: str) -> str:
    """A value of Python as SMT-LIB writes it at a place of that sort."""
    if isinstance(value, Value):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if sort.startswith("(_ BitVec "):
            width = int(sort[10:-1])
            if not -(1 << (width - 1)) <= value < 1 << width:
                raise HornError(f"{value} does not fit into {width} bits")
            return f"(_ bv{value % (1 << width)} {width})"
        text = f"{abs(value)}.0" if sort == Real else str(abs(value))
        return f"(- {text})" if value < 0 else text
    if isinstance(value, (Fraction, float)):
        if isinstance(value, float) and not math.isfinite(value):
            raise HornError(f"{value} is no number")
        exact = Fraction(value)
        text = f"(/ {abs(exact.numerator)}.0 {exact.denominator}.0)"
        return f"(- {text})" if exact < 0 else text
    raise HornError(f"{value!r} is no value of sort {sort}")


class Term:
    """A term of a problem. Operators build terms; `==` does too, so terms are compared by `same`."""

    __slots__ = ("problem", "_number", "sort")

    def __init__(self, problem: Problem, number: int) -> None:
        self.problem = problem
        self._number = number
        #: The sort.
        self.sort = Sort(problem._native.sort_of(number))

    def __str__(self) -> str:
        return self.problem._native.text_of(self._number)

    __repr__ = __str__

    def __bool__(self) -> bool:
        raise TypeError("a term has no truth value: use And, Or, Not, or the operators &, |, ~")

    __hash__ = object.__hash__

    def same(self, other: Term) -> bool:
        """Is this the same term, up to simplifications while terms are built?"""
        return self.problem is other.problem and self.sort == other.sort and str(self) == str(other)

    def value(self) -> Any:
        """The value of a term without variables."""
        return _python(self.problem._native.value_of(self._number))

    def _apply(self, function: str, *args: Any) -> Term:
        return self.problem.apply(function, *(self.problem._coerce(arg, self.sort) for arg in args))

    def _operator(self, plain: str, other: Any, bits: Optional[str] = None, swapped: bool = False) -> Term:
        """An operator; on bit-vectors it may have another name."""
        function = bits if bits and self.sort.startswith("(_ BitVec") else plain
        return self._apply(function, *((other, self) if swapped else (self, other)))

    def __add__(self, other: Any) -> Term:
        return self._operator("+", other, "bvadd")

    def __radd__(self, other: Any) -> Term:
        return self._operator("+", other, "bvadd", True)

    def __sub__(self, other: Any) -> Term:
        return self._operator("-", other, "bvsub")

    def __rsub__(self, other: Any) -> Term:
        return self._operator("-", other, "bvsub", True)

    def __mul__(self, other: Any) -> Term:
        return self._operator("*", other, "bvmul")

    def __rmul__(self, other: Any) -> Term:
        return self._operator("*", other, "bvmul", True)

    def __neg__(self) -> Term:
        return self._apply("bvneg" if self.sort.startswith("(_ BitVec") else "-", self)

    def __floordiv__(self, other: Any) -> Term:
        """`div` of SMT-LIB, which rounds so that the remainder is not negative; `bvudiv` on bit-vectors."""
        return self._operator("div", other, "bvudiv")

    def __mod__(self, other: Any) -> Term:
        """`mod` of SMT-LIB, which is not negative; `bvurem` on bit-vectors."""
        return self._operator("mod", other, "bvurem")

    def __rfloordiv__(self, other: Any) -> Term:
        return self._operator("div", other, "bvudiv", True)

    def __rmod__(self, other: Any) -> Term:
        return self._operator("mod", other, "bvurem", True)

    def __truediv__(self, other: Any) -> Term:
        return self._operator("/", other)

    def __rtruediv__(self, other: Any) -> Term:
        return self._operator("/", other, swapped=True)

    def __and__(self, other: Any) -> Term:
        return self._operator("and", other, "bvand")

    def __rand__(self, other: Any) -> Term:
        return self._operator("and", other, "bvand", True)

    def __or__(self, other: Any) -> Term:
        return self._operator("or", other, "bvor")

    def __ror__(self, other: Any) -> Term:
        return self._operator("or", other, "bvor", True)

    def __xor__(self, other: Any) -> Term:
        return self._operator("xor", other, "bvxor")

    def __rxor__(self, other: Any) -> Term:
        return self._operator("xor", other, "bvxor", True)

    def __invert__(self) -> Term:
        return self._apply("bvnot" if self.sort.startswith("(_ BitVec") else "not", self)

    def __lshift__(self, other: Any) -> Term:
        return self._operator("bvshl", other)

    def __rshift__(self, other: Any) -> Term:
        """The logical shift."""
        return self._operator("bvlshr", other)

    def __rlshift__(self, other: Any) -> Term:
        return self._operator("bvshl", other, swapped=True)

    def __rrshift__(self, other: Any) -> Term:
        return self._operator("bvlshr", other, swapped=True)

    def __lt__(self, other: Any) -> Term:
        """Of bit-vectors: of unsigned numbers. `p.apply("bvslt", …)` is about signed ones."""
        return self._operator("<", other, "bvult")

    def __le__(self, other: Any) -> Term:
        return self._operator("<=", other, "bvule")

    def __gt__(self, other: Any) -> Term:
        return self._operator(">", other, "bvugt")

    def __ge__(self, other: Any) -> Term:
        return self._operator(">=", other, "bvuge")

    def __eq__(self, other: Any) -> Term:  # type: ignore[override]
        return self._operator("=", other)

    def __ne__(self, other: Any) -> Term:  # type: ignore[override]
        return self._operator("distinct", other)

    def __getitem__(self, index: Any) -> Term:
        """The cell of an array."""
        at, _ = self._array_parts()
        return self.problem.apply("select", self, self.problem._coerce(index, at))

    def store(self, index: Any, element: Any) -> Term:
        """The array with another element at an index."""
        at, of = self._array_parts()
        coerce = self.problem._coerce
        return self.problem.apply("store", self, coerce(index, at), coerce(element, of))

    def _array_parts(self) -> tuple[str, str]:
        """The sorts of index and element."""
        if not self.sort.startswith("(Array "):
            raise HornError(f"{self} is of sort {self.sort}, which is no array")
        parts, depth, start = [], 0, len("(Array ")
        for at in range(start, len(self.sort)):
            character = self.sort[at]
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth < 0 or (depth == 0 and character == " "):
                parts.append(self.sort[start:at])
                start = at + 1
        return parts[0], parts[1]


class Function:
    """A function by its name in SMT-LIB, such as a constructor; applied to terms and values."""

    __slots__ = ("problem", "name")

    def __init__(self, problem: Problem, name: str) -> None:
        self.problem = problem
        self.name = name

    def __call__(self, *args: Any) -> Term:
        return self.problem.apply(self.name, *args)

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Predicate(Function):
    """A predicate of a problem, applied to terms and values."""

    __slots__ = ("sorts",)

    def __init__(self, problem: Problem, name: str, sorts: tuple[str, ...]) -> None:
        super().__init__(problem, name)
        #: The sorts of the arguments.
        self.sorts = sorts

    def __call__(self, *args: Any) -> Term:
        if len(args) != len(self.sorts):
            raise HornError(f"`{self.name}` has {len(self.sorts)} arguments, and {len(args)} are given")
        return super().__call__(*(self.problem._coerce(arg, sort) for arg, sort in zip(args, self.sorts)))


class Progress(NamedTuple):
    """How far an engine is."""

    engine: str
    depth: int
    lemmas: int
    queries: int


class Problem:
    """A system of clauses, built from text, with operators, or from both."""

    def __init__(self, text: Optional[str] = None) -> None:
        self._native = _horn.Problem()
        if text is not None:
            self.read(text)

    def read(self, text: str, name: str = "text") -> None:
        """Reads SMT-LIB or Z3's rule dialect. What stands before an error has taken effect."""
        self._native.read(name, text)

    def load(self, path: str) -> None:
        """Reads a file."""
        with open(path, encoding="utf-8") as file:
            self.read(file.read(), str(path))

    def predicate(self, name: str, *sorts: str) -> Predicate:
        """Declares a predicate."""
        sorts = tuple(Sort(self._native.sort(sort)) for sort in sorts)
        self._native.predicate(name, list(sorts))
        return Predicate(self, name, sorts)

    @property
    def predicates(self) -> dict[str, Predicate]:
        """All predicates, also of texts, by name."""
        return {name: Predicate(self, name, tuple(map(Sort, sorts))) for name, sorts in self._native.predicates()}

    def var(self, name: str, sort: str) -> Term:
        """A variable. It is universally quantified over each clause that it occurs in."""
        return Term(self, self._native.variable(name, sort))

    def datatype(self, name: str, **constructors: Mapping[str, str]) -> tuple[Sort, dict[str, Function]]:
        """Declares a datatype; each constructor has its fields with their sorts. Answers the sort, and by name the
        constructors, selectors and testers (`is_NAME`)."""
        functions: dict[str, Function] = {}
        parts = []
        for constructor, fields in constructors.items():
            parts.append(f"({constructor}{''.join(f' ({field} {sort})' for field, sort in fields.items())})")
            functions[constructor] = Function(self, constructor)
            functions[f"is_{constructor}"] = Function(self, f"(_ is {constructor})")
            functions.update({field: Function(self, field) for field in fields})
        self.read(f"(declare-datatypes (({name} 0)) (({' '.join(parts)})))", "datatype")
        return Sort(name), functions

    def term(self, text: str) -> Term:
        """The term that a text in SMT-LIB stands for."""
        return Term(self, self._native.term(text))

    def value(self, value: Any, sort: str) -> Term:
        """A value of Python as a term."""
        return self.term(_literal(value, sort))

    def apply(self, function: str, *args: Any) -> Term:
        """A function as SMT-LIB writes it, or a predicate by name, applied to terms and values."""
        terms = [self._coerce(arg, Bool if isinstance(arg, bool) else Int) for arg in args]
        return Term(self, self._native.apply(function, [term._number for term in terms]))

    def _coerce(self, value: Any, sort: str) -> Term:
        """A term, or a value as a term of the sort."""
        if not isinstance(value, Term):
            return self.value(value, sort)
        if value.problem is not self:
            raise HornError("the term belongs to another problem")
        return value

    def rule(self, head: Union[Term, bool], *body: Union[Term, bool], name: Optional[str] = None) -> None:
        """Adds a clause: the head follows from the body. The head False makes it a query."""
        parts = [self._coerce(part, Bool)._number for part in body]
        target = None if head is False else self._coerce(head, Bool)._number
        self._native.add_clause(target, parts, name)

    def query(self, *body: Union[Term, bool], name: Optional[str] = None) -> None:
        """Adds a query: the body must not hold at the same time."""
        self.rule(False, *body, name=name)

    def add(self, formula: Term, name: Optional[str] = None) -> None:
        """Adds the clauses of a formula."""
        self._native.add(self._coerce(formula, Bool)._number, name)

    @contextmanager
    def scope(self) -> Iterator[Problem]:
        """A scope: what is declared and added in it is forgotten at its end."""
        self.push()
        try:
            yield self
        finally:
            self.pop()

    def push(self) -> None:
        """Opens a scope."""
        self._native.push()

    def pop(self) -> None:
        """Closes the innermost scope."""
        self._native.pop()

    def __len__(self) -> int:
        """The number of clauses."""
        return self._native.clauses()

    @property
    def lemmas(self) -> str:
        """What checks have proved, as a text for `use_lemmas`."""
        return self._native.lemmas()

    def use_lemmas(self, text: str) -> None:
        """Begins the next check with lemmas of another problem or of an earlier run. They need not hold."""
        self._native.use_lemmas(text)

    def check(
        self,
        timeout: Optional[float] = None,
        progress: Optional[Callable[[Progress], Any]] = None,
        **settings: Any,
    ) -> Result:
        """Decides the system as it is now. What a check proves is where the next one begins.

        `timeout` is in seconds. `progress` is called with a `Progress` while the check works; an exception in it, and
        KeyboardInterrupt, end the check. Settings are `ticks`, `memory` (bytes), `engine`, `jobs`, `solver`, and
        options of engines: `**{"bmc.max-depth": 10}`.
        """
        chosen = [(name, str(value)) for name, value in settings.items()]
        if timeout is not None:
            chosen.append(("timeout", str(timeout)))
        hear = None if progress is None else lambda *report: progress(Progress(*report))
        return Result(self, self._native.check(chosen, hear))


class Result:
    """What a check has found: `verdict` is "sat", "unsat" or "unknown"."""

    def __init__(self, problem: Problem, native: _horn.Outcome) -> None:
        self._problem = problem
        self._native = native
        self.verdict: str = native.verdict
        #: Why there is no verdict.
        self.reason: Optional[str] = native.reason
        #: Measurements, as in the JSON of `horn-solve --stats=json`.
        self.stats: dict = json.loads(native.stats)

    @cached_property
    def model(self) -> Optional[Model]:
        """The model after "sat", else None. It can be had while no check of the problem is under way."""
        return Model(self._problem, self._native) if self.verdict == "sat" else None

    @cached_property
    def refutation(self) -> Optional[Refutation]:
        """The refutation after "unsat", else None. It can be had while no check of the problem is under way."""
        return Refutation(self._native) if self.verdict == "unsat" else None

    def __repr__(self) -> str:
        return f"<{self.verdict}{f': {self.reason}' if self.reason else ''}>"


class Interpretation:
    """What a model says of a predicate. It is called with values, and answers a bool."""

    def __init__(self, problem: Problem, native: _horn.Outcome, name: str, sorts: list[str]) -> None:
        self._problem = problem
        self._native = native
        self.name = name
        self.sorts = tuple(map(Sort, sorts))
        #: The names of the parameters, and the formula over them in SMT-LIB.
        self.parameters, self.formula = native.interpretation(name)

    def __call__(self, *values: Any) -> bool:
        if len(values) != len(self.sorts):
            raise HornError(f"`{self.name}` has {len(self.sorts)} arguments, and {len(values)} are given")
        terms = [self._problem._coerce(value, sort)._number for value, sort in zip(values, self.sorts)]
        return self._native.holds(self.name, terms)

    def __repr__(self) -> str:
        return f"<{self.name}({', '.join(self.parameters)}): {self.formula}>"


class Model(Mapping):
    """A model: the interpretations of the predicates, by name. `str` is its text in SMT-LIB."""

    def __init__(self, problem: Problem, native: _horn.Outcome) -> None:
        self._native = native
        self._all = {
            name: Interpretation(problem, native, name, sorts) for name, sorts in native.predicates()
        }

    def __getitem__(self, name: str) -> Interpretation:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __str__(self) -> str:
        return self._native.model_text()


class Node:
    """A fact of a refutation."""

    def __init__(self, fact: tuple, nodes: list[Node]) -> None:
        clause, label, line, predicate, arguments, premises, variables = fact
        #: The position of the clause that derives it, and the clause's name.
        self.clause: int = clause
        self.label: str = label
        #: The line of the clause in all texts that were read, one after the other, if it was read.
        self.line: Optional[int] = line
        #: The predicate; None for `false`.
        self.predicate: Optional[str] = predicate
        self.arguments = tuple(_python(argument) for argument in arguments)
        #: The facts that derive the atoms of the clause's body, in order.
        self.premises = tuple(nodes[premise] for premise in premises)
        #: The values of the clause's variables, by name.
        self.values = {name: _python(value) for name, value in variables}

    def __repr__(self) -> str:
        if self.predicate is None:
            return "<false>"
        return f"<{self.predicate}({', '.join(map(str, self.arguments))})>"


class Refutation:
    """A derivation of `false`: `nodes` has premises before what follows from them, `root` is `false`."""

    def __init__(self, native: _horn.Outcome) -> None:
        self._native = native
        self.nodes: list[Node] = []
        for fact in native.facts():
            self.nodes.append(Node(fact, self.nodes))

    @property
    def root(self) -> Node:
        """The node of `false`."""
        return self.nodes[-1]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def text(self, format: str = "text") -> str:
        """The refutation as "text", "json", "smtlib", "dot" or "alethe"."""
        return self._native.refutation_text(format)

    def __str__(self) -> str:
        return self.text()


def _problem_of(parts: tuple) -> Problem:
    for part in parts:
        if isinstance(part, Term):
            return part.problem
    raise HornError("one of the parts must be a term")


def And(*parts: Union[Term, bool]) -> Term:
    """A conjunction."""
    return _problem_of(parts).apply("and", *parts, True)


def Or(*parts: Union[Term, bool]) -> Term:
    """A disjunction."""
    return _problem_of(parts).apply("or", *parts, False)


def Not(part: Term) -> Term:
    """A negation."""
    return _problem_of((part,)).apply("not", part)


def Implies(premise: Union[Term, bool], conclusion: Union[Term, bool]) -> Term:
    """An implication."""
    return _problem_of((premise, conclusion)).apply("=>", premise, conclusion)


def If(condition: Union[Term, bool], then: Any, otherwise: Any) -> Term:
    """A case distinction."""
    problem = _problem_of((condition, then, otherwise))
    sort = next((part.sort for part in (then, otherwise) if isinstance(part, Term)), None)
    if sort is None:
        sort = Bool if isinstance(then, bool) else Int
    return problem.apply("ite", condition, problem._coerce(then, sort), problem._coerce(otherwise, sort))
