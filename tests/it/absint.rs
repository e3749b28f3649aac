//! What abstract interpretation says of a system must hold of everything that the system derives.

use horn::absint::{InvariantDomain, Precision, PredState, Rounds, add_polynomials, analyze};
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Failure, Limit, SatResult};
use horn::smtlib::{Source, read_system};
use horn::term::{Evaluator, Sort, Term, Terms, Unspecified, Value};

/// Ackermann's function, whose sums with its arguments are bounded for a while.
const ACKERMANN: &str = "(declare-fun ack (Int Int Int) Bool)
    (assert (forall ((n Int)) (=> (>= n 0) (ack 0 n (+ n 1)))))
    (assert (forall ((m Int) (r Int)) (=> (and (> m 0) (ack (- m 1) 1 r)) (ack m 0 r))))
    (assert (forall ((m Int) (n Int) (t Int) (r Int))
      (=> (and (> m 0) (> n 0) (ack m (- n 1) t) (ack (- m 1) t r)) (ack m n r))))
    (assert (=> (ack 2 3 9) false))";

#[test]
fn what_is_known_holds_of_what_is_derivable() {
    let points = [
        [0, 0, 1],
        [0, 5, 6],
        [0, 99, 100],
        [1, 0, 2],
        [1, 7, 9],
        [2, 3, 9],
        [3, 2, 29],
    ];
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", ACKERMANN)).expect("it is right");
    let params = |_| (0..3).map(|_| t.fresh_var("x", Sort::INT)).collect();
    let backend = Backend::native(NativeOptions::for_engines());
    let (precision, limit) = (Precision::Bounds, Limit::none());
    let known = analyze(&t, &system, params, precision, &backend, &limit).expect("no limit");
    let literals = known[0].literals(&t);
    assert!(!literals.is_empty(), "no argument is negative");
    for point in points {
        let values = point.map(|x: i64| Value::Number(x.into()));
        let pairs = known[0].params().iter().copied().zip(values);
        let mut evaluator = Evaluator::with(&t, Unspecified::Refuse, pairs);
        for &literal in &literals {
            assert!(
                evaluator.holds(literal),
                "{} at {point:?}",
                t.display(literal)
            );
        }
    }
}

const LOOP: &str = "(declare-fun p (Int Int) Bool)
    (assert (p 0 0))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 9)) (p (+ x 1) (+ y 2)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 18)) false)))";

/// What is found of the arguments `x`, `y` of a predicate.
fn found(text: &str, precision: Precision) -> Vec<String> {
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
    let params = |_| ["x", "y"].map(|name| t.var(name, Sort::INT)).to_vec();
    let backend = Backend::native(NativeOptions::for_engines());
    let known: Vec<PredState> =
        analyze(&t, &system, params, precision, &backend, &Limit::none()).expect("no limit");
    let literals = known[0].literals(&t).into_iter();
    literals.map(|l| t.display(l).to_string()).collect()
}

#[test]
fn bounds_are_looked_for_if_wanted() {
    let equations = found(LOOP, Precision::Equations);
    assert_eq!(equations.len(), 1, "{equations:?}");
    let bounds = found(LOOP, Precision::Bounds);
    assert!(bounds.starts_with(&equations), "{bounds:?}");
    for bound in ["(<= 0 x)", "(<= 0 y)"] {
        assert!(bounds.iter().any(|l| l == bound), "{bound} in {bounds:?}");
    }
}

/// An argument that a loop does not change keeps its bounds, however many constants there are to
/// widen other bounds to.
#[test]
fn bounds_of_facts_stay() {
    let text = "(declare-fun p (Int Int) Bool)
        (assert (forall ((y Int)) (=> (and (<= 0 y) (<= y 1000)) (p 0 y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (distinct x 3 7 15 40 99 200 400 700) (< x y))
          (p (+ x 1) y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x y)) false)))";
    let bounds = found(text, Precision::Bounds);
    for bound in ["(<= 0 x)", "(<= 0 y)", "(<= y 1000)"] {
        assert!(bounds.iter().any(|l| l == bound), "{bound} in {bounds:?}");
    }
}

/// Sums of numbers, and a remainder; no equation without products holds.
const SUMS: &str = "(declare-fun p (Int Int Int Int) Bool)
    (assert (forall ((n Int)) (p n 0 1 0)))
    (assert (forall ((n Int) (s Int) (i Int) (r Int))
      (=> (and (p n s i r) (<= i n)) (p n (+ s i) (+ i 1) (+ r n)))))
    (assert (forall ((n Int) (s Int) (i Int) (r Int))
      (=> (and (p n s i r) (< n i) (not (= (* 2 s) (* n (+ n 1))))) false)))";

/// Checks that no linear equation holds of a system's only predicate, whose parameters are these,
/// and that the polynomial ones imply the given ones.
#[track_caller]
fn check_polynomials(t: &Terms, text: &str, params: &[Term], equations: &[Term]) {
    let system = read_system(t, &Source::from_text("test", text)).expect("it is right");
    let backend = Backend::native(NativeOptions::for_engines());
    let (precision, limit) = (Precision::Equations, Limit::none());
    let params = |_| params.to_vec();
    let mut known = analyze(t, &system, params, precision, &backend, &limit).expect("no limit");
    assert_eq!(known[0].literals(t), []);
    add_polynomials(t, &system, &mut known, &backend, &limit).expect("no limit");
    for &equation in equations {
        let mut solver = backend.solver(t, "test");
        (known[0].literals(t).into_iter()).for_each(|literal| solver.assert(literal));
        solver.assert(t.not(equation));
        let outcome = solver.check(format_args!("an equation"), &[]);
        assert!(
            matches!(outcome, SatResult::Unsat),
            "{}",
            t.display(equation)
        );
    }
}

#[test]
fn polynomial_equations_are_found() {
    let t = Terms::new();
    let [n, s, i, r] = ["n", "s", "i", "r"].map(|name| t.var(name, Sort::INT));
    let equations = [
        t.eq(t.scale(2.into(), s), t.sub(t.mul([i, i]), i)),
        t.eq(r, t.sub(t.mul([n, i]), n)),
    ];
    check_polynomials(&t, SUMS, &[n, s, i, r], &equations);
}

/// The values of whole elements are real solutions of the equations, of which the solver finds few.
#[test]
fn polynomial_equations_of_reals_are_found() {
    let t = Terms::new();
    let [x, area] = ["x", "area"].map(|name| t.var(name, Sort::REAL));
    let text = "(declare-fun p (Real Real) Bool)
        (assert (p 0.0 0.0))
        (assert (forall ((x Real) (area Real))
          (=> (p x area) (p (+ x 2.0) (+ area x x 2.0)))))";
    let equation = t.eq(t.scale(2.into(), area), t.mul([x, x]));
    check_polynomials(&t, text, &[x, area], &[equation]);
}

#[test]
fn loops_run_as_often_as_a_fact_says() {
    let t = Terms::new();
    let [n, i, s] = ["n", "i", "s"].map(|name| t.var(name, Sort::INT));
    let text = "(declare-fun p (Int Int Int) Bool)
        (assert (forall ((n Int)) (=> (<= 0 n) (p n n 0))))
        (assert (forall ((n Int) (i Int) (s Int))
          (=> (and (p n i s) (< 0 i)) (p n (- i 1) (+ s n)))))";
    let equation = t.eq(s, t.sub(t.mul([n, n]), t.mul([n, i])));
    check_polynomials(&t, text, &[n, i, s], &[equation]);
}

#[test]
fn truth_values_beside_products() {
    // x * x = y as long as b; products are no truth values.
    let text = "(declare-fun p (Bool Int Int) Bool)
        (assert (p true 0 0))
        (assert (forall ((b Bool) (x Int) (y Int))
          (=> (p b x y) (p b (+ x 1) (+ y x x 1)))))
        (assert (forall ((b Bool) (x Int) (y Int))
          (=> (and (p b x y) (or (not b) (not (= y (* x x))))) false)))";
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
    let params = |_| {
        vec![
            t.var("b", Sort::BOOL),
            t.var("x", Sort::INT),
            t.var("y", Sort::INT),
        ]
    };
    let backend = Backend::native(NativeOptions::for_engines());
    let (precision, limit) = (Precision::Bounds, Limit::none());
    let mut known = analyze(&t, &system, params, precision, &backend, &limit).expect("no limit");
    add_polynomials(&t, &system, &mut known, &backend, &limit).expect("no limit");
    let literals = known[0].literals(&t).into_iter();
    let literals: Vec<String> = literals.map(|l| t.display(l).to_string()).collect();
    assert!(literals.iter().any(|l| l == "b"), "{literals:?}");
    assert!(
        literals.iter().any(|l| l.contains("(* x x)")),
        "{literals:?}"
    );
}

#[test]
fn of_what_no_core_decides_nothing_is_known() {
    // y is never negative since it is the number of a vector, which is too wide for the core.
    let text = "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (< 0 x) (< 0 y)) (p x y))))
        (assert (forall ((x Int) (y Int) (b (_ BitVec 2000)))
          (=> (p x y) (p x (bv2nat (bvmul b b))))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y 0)) false)))";
    let bounds = found(text, Precision::Bounds);
    assert!(bounds.iter().any(|l| l.contains('x')), "{bounds:?}");
    assert!(!bounds.iter().any(|l| l.contains('y')), "{bounds:?}");
}

/// Loops of one predicate over x, y, n, each with the domain that is needed to prove its query, and
/// with how the loop begins, goes on, and must not be.
const LOOPS: [(InvariantDomain, &str, [&str; 3]); 12] = [
    (
        InvariantDomain::Intervals,
        "a bound",
        [
            "(and (= x 0) (= y 0))",
            "(and (< x 10) (= x1 (+ x 1)) (= y1 y) (= n1 n))",
            "(> x 10)",
        ],
    ),
    (
        InvariantDomain::Intervals,
        "a remainder",
        [
            "(= x 0)",
            "(and (= x1 (+ x 2)) (= y1 y) (= n1 n))",
            "(= (mod x 2) 1)",
        ],
    ),
    (
        InvariantDomain::Intervals,
        "a gap between intervals",
        [
            "(or (= x 0) (= x 10))",
            "(and (= x1 (- 10 x)) (= y1 (+ y 1)) (= n1 n))",
            "(= x 5)",
        ],
    ),
    (
        InvariantDomain::Octagons,
        "x <= y",
        [
            "(and (= x 0) (= y 0))",
            "(and (= x1 (+ x 1)) (>= y1 (+ y 1)) (= n1 n))",
            "(> x y)",
        ],
    ),
    (
        InvariantDomain::Octagons,
        "x <= n",
        [
            "(and (= x 0) (= y 0) (<= 0 n))",
            "(and (< x n) (= x1 (+ x 1)) (= y1 y) (= n1 n))",
            "(> x n)",
        ],
    ),
    (
        InvariantDomain::Octagons,
        "x + y <= 0",
        [
            "(and (= x 0) (= y 0))",
            "(and (= x1 (+ x 1)) (<= y1 (- y 1)) (= n1 n))",
            "(> (+ x y) 0)",
        ],
    ),
    (
        InvariantDomain::Polyhedra,
        "2x <= y",
        [
            "(and (= x 0) (= y 0))",
            "(and (= x1 (+ x 1)) (>= y1 (+ y 2)) (= n1 n))",
            "(> (* 2 x) y)",
        ],
    ),
    (
        InvariantDomain::Polyhedra,
        "x + y <= n",
        [
            "(and (= x 0) (= y 0) (<= 0 n))",
            "(and (< (+ x y) n) (or (and (= x1 (+ x 1)) (= y1 y))
               (and (= x1 x) (= y1 (+ y 1)))) (= n1 n))",
            "(> (+ x y) n)",
        ],
    ),
    (
        InvariantDomain::Polyhedra,
        "n <= x + y",
        [
            "(and (= x 0) (= y 0) (= n 0))",
            "(or (and (= x1 (+ x 1)) (= y1 y) (= n1 (+ n 1)))
               (and (= x1 x) (= y1 (+ y 1)) (<= n n1 (+ n 1))))",
            "(> n (+ x y))",
        ],
    ),
    (
        InvariantDomain::Partitions,
        "x = 2y where n > 0, else x = y",
        [
            "(and (= x 0) (= y 0))",
            "(and (= x1 (ite (> n 0) (+ x 2) (+ x 1))) (= y1 (+ y 1)) (= n1 n))",
            "(and (> n 0) (not (= x (* 2 y))))",
        ],
    ),
    (
        InvariantDomain::Partitions,
        "y stays 5 until x is 50",
        [
            "(and (= x 0) (= y 5))",
            "(and (< x 99) (= x1 (+ x 1)) (= n1 n)
               (ite (< x 50) (= y1 y) (<= (+ y 1) y1 (+ y 2))))",
            "(and (= x 50) (not (= y 5)))",
        ],
    ),
    (
        InvariantDomain::Polynomials,
        "2x = y(y + 1)",
        [
            "(and (= x 0) (= y 0))",
            "(and (= x1 (+ x y 1)) (= y1 (+ y 1)) (= n1 n))",
            "(not (= (* 2 x) (* y (+ y 1))))",
        ],
    ),
];

/// The system of a loop.
fn loop_text([start, step, bad]: [&str; 3]) -> String {
    let (old, new) = ("(x Int) (y Int) (n Int)", "(x1 Int) (y1 Int) (n1 Int)");
    format!(
        "(declare-fun p (Int Int Int) Bool)
         (assert (forall ({old}) (=> {start} (p x y n))))
         (assert (forall ({old} {new}) (=> (and (p x y n) {step}) (p x1 y1 n1))))
         (assert (forall ({old}) (=> (and (p x y n) {bad}) false)))"
    )
}

/// Do the rounds up to a domain prove the query of a loop? What they find must be inductive.
fn proves(text: &str, domain: InvariantDomain) -> bool {
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
    let params: Vec<Term> = (0..3).map(|_| t.fresh_var("p", Sort::INT)).collect();
    let backend = Backend::native(NativeOptions::for_engines());
    let mut rounds = Rounds::new(&t, &system, vec![params.clone()], domain, &backend);
    let mut known = Term::TRUE;
    while let Some(found) = rounds.next(&Limit::none()).expect("no limit") {
        known = t.and([known, found[0]]);
    }
    let said =
        |args: &[Term]| t.substitute(known, params.iter().copied().zip(args.iter().copied()));
    let mut is_proved = true;
    for clause in &system.clauses {
        let body = clause.body.iter().map(|atom| said(&atom.args));
        let head = clause
            .head
            .as_ref()
            .map_or(Term::FALSE, |head| said(&head.args));
        let step: Vec<Term> = body.chain([clause.constraint, t.not(head)]).collect();
        let outcome = backend
            .solver(&t, "test")
            .check(format_args!("a step"), &step);
        match clause.head {
            None => is_proved &= outcome == SatResult::Unsat,
            Some(_) => assert_eq!(outcome, SatResult::Unsat, "inductive: {}", t.display(known)),
        }
    }
    is_proved
}

#[test]
fn each_domain_proves_what_the_one_before_cannot() {
    let domains = [
        InvariantDomain::None,
        InvariantDomain::Intervals,
        InvariantDomain::Octagons,
        InvariantDomain::Polyhedra,
        InvariantDomain::Partitions,
        InvariantDomain::Polynomials,
    ];
    for (needed, what, parts) in LOOPS {
        let text = loop_text(parts);
        for domain in domains {
            assert_eq!(
                proves(&text, domain),
                domain >= needed,
                "{what} with {domain:?}"
            );
        }
    }
}

/// Checks that all rounds up to a domain end in turns of this number of ticks.
#[track_caller]
fn check_turns(text: &str, domain: InvariantDomain, expected: u32, ticks: u64) {
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
    let params: Vec<Term> = (0..3).map(|_| t.fresh_var("p", Sort::INT)).collect();
    let backend = Backend::native(NativeOptions::for_engines());
    let mut rounds = Rounds::new(&t, &system, vec![params], domain, &backend);
    let limit = Limit::none();
    let (mut turns, mut found) = (0, 0);
    while !rounds.is_done() {
        turns += 1;
        assert!(turns < 10_000, "it makes no progress");
        match rounds.next(&limit.part(ticks)) {
            Ok(invariants) => found += u32::from(invariants.is_some()),
            Err(Failure::Timeout) => {}
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(found, expected, "each round ends");
    assert!(turns > expected, "some were ended by the limit");
}

#[test]
fn rounds_go_on_after_a_limit() {
    check_turns(
        &loop_text(LOOPS[8].2),
        InvariantDomain::Polyhedra,
        3,
        20_000,
    );
    check_turns(
        &loop_text(LOOPS[11].2),
        InvariantDomain::Polynomials,
        5,
        50_000,
    );
}
