"""The package as its users see it: systems from text and with operators, models, refutations, limits, interrupts."""

import _thread
import signal
import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest

from horn import (
    And, Array, BitVec, Bool, HornError, If, Implies, Int, Not, Or, Problem, Real, Value,
)

NATIVE = {"solver": "native", "timeout": 60}

# No engine is done with this soon.
HARD = """(declare-fun p (Int Int) Bool) (assert (forall ((x Int)) (p x 0)))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (* x x) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (+ (* x x x) 1) (* y y y y y)) (> y 3)) false)))"""


def counter():
    p = Problem()
    count, x = p.predicate("count", Int), p.var("x", Int)
    p.rule(count(0), name="start")
    p.rule(count(x + 2), count(x), name="step")
    return p, count, x


def test_models_evaluate():
    p, count, x = counter()
    p.query(count(x), x == 7)
    result = p.check(**NATIVE)
    assert result.verdict == "sat" and result.reason is None and result.refutation is None
    model = result.model
    assert list(model) == ["count"] and len(model) == 1 and "count" in model
    inv = model["count"]
    assert inv(6) is True and inv(7) is False and inv(10**30) is True
    assert inv.sorts == (Int,) and inv.parameters and inv.formula
    assert "(define-fun count ((x Int)) Bool" in str(model)
    with pytest.raises(HornError, match="1 arguments, and 2 are given"):
        inv(1, 2)
    with pytest.raises(KeyError):
        model["other"]
    assert result.stats["verdict"] == "sat" and result.stats["ticks"] > 0


def test_refutations_are_graphs():
    p, count, x = counter()
    p.read("\n(assert (! (not (count 6)) :named six))")
    result = p.check(**NATIVE)
    assert result.verdict == "unsat" and result.model is None
    nodes = result.refutation.nodes
    assert [node.label for node in nodes] == ["start", "step", "step", "step", "six"]
    assert [node.arguments for node in nodes] == [(0,), (2,), (4,), (6,), ()]
    root = result.refutation.root
    assert root.predicate is None and root.premises == (nodes[3],) and root.line == 2 and root.clause == 2
    assert nodes[3].values == {"x": 4} and nodes[3].line is None
    assert repr(nodes[3]) == "<count(6)>" and repr(root) == "<false>"
    assert "(count 6)" in str(result.refutation)
    assert ":rule resolution" in result.refutation.text("alethe")
    assert result.refutation.text("dot").startswith("digraph") and result.refutation.text("json").startswith("{")
    with pytest.raises(HornError):
        result.refutation.text("pdf")


def test_checks_follow_each_other():
    p, count, x = counter()
    with p.scope():
        p.query(count(x), x == 7)
        assert p.check(**NATIVE).verdict == "sat" and len(p) == 3
        # What was proved is where the next check begins: no engine runs.
        assert p.check(**NATIVE).stats["engine"] == ""
        lemmas = p.lemmas
    assert len(p) == 2
    p.query(count(x), x == 8)
    assert p.check(**NATIVE).verdict == "unsat"
    with pytest.raises(HornError):
        p.pop()
    other, count, x = counter()
    other.query(count(x), x == 7)
    other.use_lemmas(lemmas)
    assert other.check(**NATIVE).stats["engine"] == ""


def test_operators_build_terms():
    p = Problem()
    x, y, r, b = p.var("x", Int), p.var("y", Int), p.var("r", Real), p.var("b", Bool)
    v, a = p.var("v", BitVec(8)), p.var("a", Array(Int, Real))
    table = [
        (3 - x, "(- 3 x)"), (-x, "(- x)"), (x // 2, "(div x 2)"), (x % 2, "(mod x 2)"), (x < y, "(< x y)"),
        (x >= 3, "(>= x 3)"), (2 * x + y, "(+ (* 2 x) y)"), (r / 2, "(/ r 2)"), (r == Fraction(1, 3), "(= r (/ 1 3))"),
        (b & (x == y), "(and b (= x y))"), (~b | True, "true"), (v + 1, "(bvadd v #x01)"), (v < 200, "(bvult v #xc8)"),
        (v - 1, "(bvsub v #x01)"), (~v, "(bvnot v)"), (v & -1, "v"), (v << 2, "(bvshl v #x02)"), (a[x], "(select a x)"),
        (a.store(x, r)[x], "r"), (If(b, x, 0), "(ite b x 0)"), (Implies(b, False), "(not b)"), (Not(b), "(not b)"),
        (7 // x, "(div 7 x)"), (7 % x, "(mod 7 x)"), (1 / r, "(/ 1 r)"), (True ^ b, "(not b)"), (3 ^ v, "(bvxor #x03 v)"),
        (1 << v, "(bvshl #x01 v)"), (128 >> v, "(bvlshr #x80 v)"), (v + -128, "(bvadd v #x80)"),
        (If(True, x, 0), "x"), (If(b, True, b), "b"), (x != y, "(not (= x y))"), (Or(b, False), "b"), (And(b, True), "b"), (b ^ True, "(not b)"),
    ]
    for term, text in table:
        # The builders simplify, so terms are compared with what the text becomes.
        assert term.same(p.term(text)), f"{term} for {text}"
    assert (x + 1).sort == Int and (x == y).sort == Bool and (v + v).sort == BitVec(8)
    with pytest.raises(TypeError, match="truth value"):
        bool(x == y)
    with pytest.raises(HornError, match="another problem"):
        x + Problem().var("x", Int)
    with pytest.raises(HornError, match="8 bits"):
        v + 256
    for value in (-129, -200):
        with pytest.raises(HornError, match="8 bits"):
            v + value
    for value in (float("inf"), float("nan")):
        with pytest.raises(HornError, match="no number"):
            r + value
    with pytest.raises(HornError, match="must be a term"):
        Not(True)
    with pytest.raises(HornError, match="must be a term"):
        If(True, 1, 2)
    assert not x.same(Problem().var("x", Int)) and not x.same(p.term("1"))
    with pytest.raises(HornError):
        x + "1"
    assert p.term("(* 2.5 3.0)").value() == Fraction(15, 2) and p.term("#b101").value() == 5


def test_values_of_all_sorts_come_back():
    p = Problem()
    List, f = p.datatype("List", nil={}, cons={"head": Int, "tail": "List"})
    q = p.predicate("q", List, Array(Int, Bool), BitVec(8), Real, Bool)
    l, a = p.var("l", List), p.var("a", Array(Int, Bool))
    p.rule(q(f["cons"](7, f["nil"]()), a, 200, Fraction(-1, 3), True), a[3], Not(a[4]))
    p.query(q(l, a, 200, Fraction(-1, 3), True), f["is_cons"](l), f["head"](l) == 7)
    nodes = p.check(**NATIVE).refutation.nodes
    values = nodes[0].arguments
    assert values[2:] == (200, Fraction(-1, 3), True)
    assert isinstance(values[0], Value) and str(values[0]) == "(cons 7 nil)" and values[0].sort == List
    construction = values[0].unfold()
    assert construction.constructor == "cons" and construction.fields[0] == 7
    assert str(construction.fields[1]) == "nil"
    entries, default = values[1].unfold()
    assert entries.get(3, default) is True and entries.get(4, default) is False
    assert values[0] == nodes[1].values["l"] and hash(values[0]) == hash(nodes[1].values["l"])


def test_values_go_into_interpretations():
    p = Problem()
    List, f = p.datatype("List", nil={}, cons={"head": Int, "tail": "List"})
    q = p.predicate("q", List, BitVec(8), Real)
    x, v, r = p.var("x", Int), p.var("v", BitVec(8)), p.var("r", Real)
    p.rule(q(f["cons"](x, f["nil"]()), v, r), x > 0, v > 3, r < Fraction(1, 2))
    p.query(q(f["nil"](), v, r))
    p.query(q(f["cons"](x, f["nil"]()), v, r), Or(x < 0, v < 2, r > 1))
    inv = p.check(**NATIVE).model["q"]
    one = f["cons"](1, f["nil"]())
    assert inv(one, 200, 0) is True and inv(one, 0, 0) is False and inv(one, -1, Fraction(5, 2)) is False
    assert inv(f["nil"](), 200, 0) is False


def test_errors_have_places():
    p = Problem()
    with pytest.raises(HornError) as caught:
        p.read("(declare-fun q (Int) Bool)\n(assert (q true))", "file")
    assert (caught.value.line, caught.value.column) == (2, 12) and str(caught.value).startswith("file:2:12: error:")
    assert list(p.predicates) == ["q"]
    with pytest.raises(HornError) as caught:
        p.predicates["q"](1).problem.term("(+ 1\n  ")
    assert caught.value.line is not None
    with pytest.raises(HornError, match="there is no engine"):
        p.check(engine="warp")
    with pytest.raises(HornError, match="second head"):
        p.add(Or(p.predicates["q"](1), p.predicates["q"](2)))


def test_progress_and_limits():
    p = Problem(HARD)
    heard = []
    result = p.check(solver="native", timeout=0.5, progress=heard.append)
    assert result.verdict == "unknown" and result.reason == "timeout"
    assert heard and all(report.engine for report in heard)
    assert p.check(solver="native", ticks=1000).reason is not None

    def give_up(_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        p.check(progress=give_up, **NATIVE)
    # The problem can be asked again.
    assert p.check(solver="native", timeout=0.1).reason == "timeout"


def test_an_interrupt_ends_a_check():
    # A shell without job control has its background commands ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    p = Problem(HARD)
    threading.Timer(0.3, _thread.interrupt_main).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        p.check(**NATIVE)
    assert time.monotonic() - began < 20


def test_other_threads_go_on():
    p, busy = Problem(HARD), threading.Event()
    found = []

    def work():
        found.append(p.check(solver="native", timeout=1.5, progress=lambda _: busy.set()))

    thread = threading.Thread(target=work)
    thread.start()
    assert busy.wait(10)
    with pytest.raises(HornError, match="another thread"):
        p.term("1")
    other, count, x = counter()
    other.query(count(x), x == 6)
    assert other.check(**NATIVE).verdict == "unsat"
    thread.join()
    assert found[0].verdict == "unknown" and p.term("1").value() == 1


def test_a_check_that_follows_loses_no_verdict():
    p, count, x = counter()
    p.query(count(x), x == 7)
    result = p.check(**NATIVE)
    busy = threading.Event()
    p.read(HARD)
    thread = threading.Thread(
        target=lambda: p.check(solver="native", timeout=1.5, progress=lambda _: busy.set()))
    thread.start()
    assert busy.wait(10)
    # The model is made when it is wanted, and can be wanted again.
    assert result.verdict == "sat"
    with pytest.raises(HornError, match="another thread"):
        result.model
    thread.join()
    assert result.model["count"](6) is True and result.model is result.model


@pytest.mark.parametrize("page", ["README.md", "../../docs/src/library.md"])
def test_the_programs_of_the_manual_run(page, capsys):
    text = (Path(__file__).parent.parent / page).read_text(encoding="utf-8")
    programs = text.split("```python\n")[1:]
    assert programs
    for program in programs:
        exec(compile(program.split("```")[0], page, "exec"), {})
    assert capsys.readouterr().out
