//! The engine `kind`: what it decides with how long paths, and that its models and refutations are
//! accepted.

use crate::certified::{certified, context, native, read};
use crate::corpus::corpus;
use crate::solvers::solver_found;
use horn::absint::InvariantDomain;
use horn::chc::{Answer, Interpretation, Model};
use horn::engine::blackboard::Blackboard;
use horn::engine::kind::{Options, solve};
use horn::engine::{Context, Progress};
use horn::gate::admit;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, InterpolationSource, find_solver};
use horn::term::{Op, Sort, Terms};
use std::cell::Cell;

/// K-induction without a generator of invariants.
fn alone() -> Options {
    Options {
        invariants: InvariantDomain::None,
        ..Options::default()
    }
}

/// The answer with paths of at most `max_k` steps, as text; certificates are checked. `known` makes
/// an invariant.
#[track_caller]
fn answer(text: &str, max_k: u32, known: Option<&dyn Fn(&Terms) -> Model>) -> String {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let board = Blackboard::new(&t, &system, admit);
    if let Some(make) = known {
        board.offer("test", &make(&t));
        board.admit(&context(&t, &backend));
        assert!(board.contents().is_some(), "it is inductive");
    }
    let context = Context {
        board: Some(&board),
        ..context(&t, &backend)
    };
    let options = Options { max_k, ..alone() };
    match certified(&system, &context, |s, c| solve(s, &options, c)) {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat(refutation) => format!("unsat by {} facts", refutation.facts.len()),
        Answer::Unknown(unknown) => {
            let safe = unknown.safe_depth.map(|d| format!(", safe up to {d}"));
            format!("{}{}", unknown.reason, safe.unwrap_or_default())
        }
    }
}

/// Decided with paths of `k` steps, and not with shorter ones.
#[track_caller]
fn check(text: &str, k: u32, expected: &str) {
    assert_eq!(answer(text, k, None), expected, "{text}");
    if let Some(less) = k.checked_sub(1) {
        let found = answer(text, less, None);
        assert!(found.contains("limit on the length"), "{found}: {text}");
    }
}

const P: &str = "(declare-fun p (Int) Bool) (declare-fun q (Int Bool) Bool) ";

/// A ring of that many places, entered at the first. The query is three steps behind the place
/// after the ring.
fn ring(places: u32) -> String {
    let next = format!("(ite (= x {}) 0 (+ x 1))", places - 1);
    format!(
        "{P}(assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p {next}))))
        (assert (forall ((x Int)) (=> (and (p x) (= x {})) false)))",
        places + 3
    )
}

/// The certificate of a property that was proved may take more than the turn of the engine.
#[test]
fn certificates_have_a_limit_for_themselves() {
    let text = ring(9);
    let sat = |ticks: u64, for_certificate: bool| {
        let (t, backend) = (Terms::new(), native());
        let system = read(&t, text.as_str());
        let whole = context(&t, &backend);
        let context = Context {
            certificate_limit: for_certificate.then(|| whole.limit.clone()),
            ..whole.within(whole.limit.part(ticks))
        };
        let found = certified(&system, &whole, |s, _| solve(s, &alone(), &context));
        matches!(found, Answer::Sat(_))
    };
    let budgets = || (10..30).map(|n| 1 << n);
    let proved = budgets().find(|&ticks| sat(ticks, true));
    let in_turn = budgets().find(|&ticks| sat(ticks, false));
    assert!(proved.is_some() && in_turn.is_some() && proved < in_turn);
}

/// What is true beside the path in a model of its unrolling is no part of it.
#[test]
fn refutations_follow_the_path() {
    let text = corpus("unsat/lia/path-beside-another.smt2");
    assert_eq!(answer(&text, 4, None), "unsat by 3 facts");
}

#[test]
fn what_is_inductive_at_some_length() {
    // Nothing satisfies the query; nothing is derivable; nothing leads to the query.
    let rest = "(assert (p 0)) (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))";
    check(
        &format!("{P}{rest}(assert (forall ((x Int)) (=> (and (p x) (< x x)) false)))"),
        0,
        "sat",
    );
    check(
        &format!("{P}(assert (forall ((x Int)) (=> (p x) false)))"),
        0,
        "sat",
    );
    check(
        &format!("{P}{rest}(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))"),
        1,
        "sat",
    );
    // Nothing leads to the place after the ring, so no path to the query is longer than from there.
    for places in 2..5 {
        check(&ring(places), 4, "sat");
    }
    // Two predicates in turn, with a flag.
    let turns = "(assert (p 1))
        (assert (forall ((x Int)) (=> (p x) (q (* 2 x) true))))
        (assert (forall ((x Int) (b Bool)) (=> (and (q x b) b) (p (+ x 1)))))
        (assert (forall ((x Int) (b Bool)) (=> (and (q x b) (not b)) false)))
        (assert (forall ((x Int)) (=> (and (p x) (= x 0)) false)))";
    check(&format!("{P}{turns}"), 2, "sat");
}

#[test]
fn facts_that_the_step_does_not_cover() {
    // Phases that go on once each: no good state has been three steps on its way, so the model
    // speaks of facts and what is near.
    let phases = "(declare-fun s (Int Int) Bool)
        (assert (s 0 7))
        (assert (forall ((i Int) (x Int)) (=> (and (s i x) (= i 0)) (s 1 (+ x 1)))))
        (assert (forall ((i Int) (x Int)) (=> (and (s i x) (= i 1)) (s 2 (* 2 x)))))
        (assert (forall ((i Int) (x Int)) (=> (and (s i x) (= i 2)) (s 3 (- x 6)))))
        (assert (forall ((i Int) (x Int)) (=> (and (s i x) (= i 3) (not (= x 10))) false)))";
    assert_eq!(answer(phases, 10, None), "sat");
}

#[test]
fn models_are_made_of_clauses() {
    // Each flag is passed on to the next one, or the number is moved; all of these are kept, and
    // each by itself is a clause. The model is a disjunction where steps keep different clauses.
    let t = Terms::new();
    let text = "(declare-fun s (Int Int Bool Bool) Bool)
        (assert (s 0 0 false false))
        (assert (forall ((x Int) (y Int) (a Bool) (b Bool) (c Bool))
          (=> (s x y a b)
              (s (ite (or a c) (+ x 1) x) (ite (and c (not b)) (+ y 2) (ite b y (+ y 1))) (or a c) (or a b)))))
        (assert (forall ((x Int) (y Int) (a Bool) (b Bool))
          (=> (and (s x y a b) (or (< x 0) (< y 0) (and b (not a)) (and (< 0 x) (not a)))) false)))";
    let (system, backend) = (read(&t, text), native());
    let answer = certified(&system, &context(&t, &backend), |s, c| {
        solve(s, &alone(), c)
    });
    let Answer::Sat(model) = answer else {
        panic!("it is inductive");
    };
    let is_atom = |f| !matches!(t.op(f), Op::And | Op::Or | Op::Not | Op::Ite);
    let is_literal = |f| is_atom(t.as_not(f).unwrap_or(f));
    let is_clause = |f| match t.op(f) {
        Op::Or => t.args(f).iter().all(|&literal| is_literal(literal)),
        _ => is_literal(f),
    };
    let body = model.interpretations[0].body;
    let steps = match t.op(body) {
        Op::Or => t.args(body).to_vec(),
        _ => vec![body],
    };
    for conjunct in steps.into_iter().flat_map(|step| t.conjuncts(step)) {
        assert!(is_clause(conjunct), "{}", t.display(conjunct));
    }
}

#[test]
fn models_of_many_parts_are_not_made() {
    // Nothing leads to the first of the phases, and only from there to here it is known what x is.
    let phases = |n: u32| {
        format!(
            "(declare-fun s (Int Int) Bool)
            (assert (s 0 0))
            (assert (forall ((i Int) (x Int))
              (=> (and (s i x) (<= 0 i) (< i {n})) (s (+ i 1) (+ x 1)))))
            (assert (forall ((i Int) (x Int)) (=> (and (s i x) (= i {n}) (not (= x {n}))) false)))"
        )
    };
    assert_eq!(answer(&phases(9), 99, None), "sat");
    let found = answer(&phases(50), 99, None);
    assert!(found.contains("would have 51 parts"), "{found}");
}

#[test]
fn refutations_by_length() {
    check(
        &format!("{P}(assert (=> (< 1 2) false))"),
        0,
        "unsat by 1 facts",
    );
    let counts = |n: u32| {
        format!(
            "{P}(assert (p 0)) (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
            (assert (forall ((x Int)) (=> (and (p x) (= x {n})) false)))"
        )
    };
    check(&counts(0), 1, "unsat by 2 facts");
    check(&counts(9), 10, "unsat by 11 facts");
    // Through two predicates, and out of two facts.
    let turns = "(assert (forall ((x Int)) (=> (> x 5) (p x)))) (assert (q 3 false))
        (assert (forall ((x Int)) (=> (p x) (q (- x) true))))
        (assert (forall ((x Int) (b Bool)) (=> (and (q x b) b) (p (+ x 10)))))
        (assert (forall ((x Int) (b Bool)) (=> (and (q x b) b (= x 4)) false)))";
    check(&format!("{P}{turns}"), 4, "unsat by 5 facts");
}

/// That the argument of the only predicate is even.
fn even(t: &Terms) -> Model {
    let x = t.var("x", Sort::INT);
    let body = t.eq(t.modulo(x, t.int(2)), t.int(0));
    Model {
        interpretations: vec![Interpretation {
            params: vec![x],
            body,
        }],
    }
}

#[test]
fn what_is_known_is_used() {
    // x stays even, so it never is 7: that is inductive, but no number of steps shows it.
    let text = "(declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 7)) false)))";
    let found = answer(text, 6, None);
    assert!(found.ends_with("safe up to 7"), "{found}");
    assert_eq!(answer(text, 6, Some(&even)), "sat");
}

/// The function of McCarthy: 91 up to 101, else the argument minus 10.
fn mccarthy(query: &str) -> String {
    format!(
        "(declare-fun f (Int Int) Bool)
        (assert (forall ((n Int)) (=> (> n 100) (f n (- n 10)))))
        (assert (forall ((n Int) (m Int) (r Int)) (=> (and (<= n 100) (f (+ n 11) m) (f m r)) (f n r))))
        (assert (forall ((n Int) (r Int)) (=> (and (f n r) {query}) false)))"
    )
}

#[test]
fn trees_that_are_inductive_at_some_length() {
    check(&mccarthy("(< r 91)"), 1, "sat");
    check(&mccarthy("(and (= n 98) (= r 91))"), 4, "unsat by 8 facts");
    // A good number comes from two good ones two steps before.
    let turns = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (p 4)) (assert (q 1))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q (- (+ x y) 7)))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x) (q y)) (p (+ x y 2)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 4)) false)))";
    check(turns, 2, "sat");
    // No tree is high; the premises of the query are not good or bad by themselves.
    let finite = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 4)) (p x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (< x y)) (q (- y x)))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x) (p y) (< (+ x y) 1)) false)))
        (assert (forall ((x Int) (y Int)) (=> (and (q x) (q y) (> x (+ y 3))) false)))";
    check(finite, 1, "sat");
}

#[test]
fn initial_clauses_are_covered_by_trees() {
    // The facts do not follow from what is good, and are excluded from what makes it bad.
    let text = "(declare-fun s (Int Int) Bool)
        (assert (s 0 7))
        (assert (forall ((i Int) (x Int) (y Int))
            (=> (and (s i x) (s i y) (= i 0)) (s 1 (+ x y)))))
        (assert (forall ((i Int) (x Int) (y Int))
            (=> (and (s i x) (s i y) (= i 1)) (s 2 (- x y)))))
        (assert (forall ((i Int) (x Int)) (=> (and (s i x) (= i 2)) (s 3 (+ x 1)))))
        (assert (forall ((i Int) (x Int)) (=> (and (s i x) (= i 3) (not (= x 1))) false)))";
    assert_eq!(answer(text, 9, None), "sat");
}

#[test]
fn what_is_known_is_used_in_trees() {
    // Sums of even numbers are even.
    let text = "(declare-fun p (Int) Bool)
        (assert (p 0)) (assert (p 2))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 7)) false)))";
    let found = answer(text, 2, None);
    assert!(found.ends_with("safe up to 3"), "{found}");
    assert_eq!(answer(text, 2, Some(&even)), "sat");
}

#[test]
fn trees_have_a_limit() {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, mccarthy("(and (<= n 101) (distinct r 91))"));
    let options = Options {
        max_nodes: 3,
        ..alone()
    };
    let Answer::Unknown(unknown) = solve(&system, &options, &context(&t, &backend)) else {
        panic!("it needs longer trees");
    };
    let reason = unknown.reason.to_string();
    assert!(reason.contains("option max-nodes"), "{reason}");
}

/// What decided, and at which `k`.
#[test]
fn what_decided_is_told() {
    let decision = |text: &str| {
        let (t, backend) = (Terms::new(), native());
        let told = Cell::new(None);
        let progress = |progress: &Progress| told.set(progress.decision);
        let context = Context {
            progress: &progress,
            ..context(&t, &backend)
        };
        solve(&read(&t, text), &alone(), &context);
        let decision = told.get().expect("it is decided");
        format!("{} at {}", decision.case, decision.at)
    };
    assert_eq!(decision(&ring(3)), "forward condition at 4");
    assert_eq!(decision(&mccarthy("(< r 91)")), "step case at 1");
    assert_eq!(decision(&mccarthy("(= r 92)")), "base case at 1");
    let backwards = "(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (> x 20) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 2)) (p (- x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 1)) false)))";
    assert_eq!(decision(backwards), "forward condition at 1");
}

/// Models are made of interpolants, whoever finds these.
#[test]
fn interpolants_of_another_source() {
    if !solver_found(Some("z3")) {
        return;
    }
    let choice = find_solver(Some("z3")).expect("it was found");
    let backend = Backend::process(&choice, ProcessOptions::default()).expect("a back end");
    let text = format!(
        "{P}(assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 3)))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 11)) false)))"
    );
    for interpolation_source in [
        InterpolationSource::Core,
        InterpolationSource::External,
        InterpolationSource::Both,
    ] {
        let t = Terms::new();
        let system = read(&t, text.as_str());
        let options = Options {
            interpolation_source,
            ..alone()
        };
        let context = context(&t, &backend);
        let found = certified(&system, &context, |s, c| solve(s, &options, c));
        assert!(
            matches!(found, Answer::Sat(_)),
            "{interpolation_source:?}: {found:?}"
        );
    }
}

/// What the rounds of the generator find decides the step case of short paths, and is offered to
/// others.
#[test]
fn invariants_are_refined_while_it_runs() {
    let text = "(declare-fun p (Int Int Int) Bool)
        (assert (forall ((n Int)) (=> (<= 0 n) (p 0 0 n))))
        (assert (forall ((x Int) (y Int) (n Int)) (=> (and (p x y n) (< (+ x y) n)) (p (+ x 1) y n))))
        (assert (forall ((x Int) (y Int) (n Int)) (=> (and (p x y n) (< (+ x y) n)) (p x (+ y 1) n))))
        (assert (forall ((x Int) (y Int) (n Int)) (=> (and (p x y n) (> (+ x y) n)) false)))";
    let domains = [
        (InvariantDomain::None, false),
        (InvariantDomain::Octagons, false),
        (InvariantDomain::Polyhedra, true),
        (InvariantDomain::Partitions, true),
    ];
    for (invariants, decides) in domains {
        let (t, backend) = (Terms::new(), native());
        let system = read(&t, text);
        let board = Blackboard::new(&t, &system, admit);
        let context = Context {
            board: Some(&board),
            ..context(&t, &backend)
        };
        let options = Options {
            max_k: 0,
            invariants,
            ..Options::default()
        };
        let found = certified(&system, &context, |s, c| solve(s, &options, c));
        assert_eq!(matches!(found, Answer::Sat(_)), decides, "{invariants:?}");
        board.admit(&context);
        let is_told = board.contents().is_some();
        assert_eq!(
            is_told,
            invariants != InvariantDomain::None,
            "{invariants:?}"
        );
    }
}

/// How k-induction with paths of at most `max_k` steps and the invariants of a domain ends: what
/// decided, and at which `k`, or `unknown`.
fn decided(text: &str, max_k: u32, invariants: InvariantDomain) -> String {
    let (t, backend) = (Terms::new(), native());
    let told = Cell::new(None);
    let progress = |progress: &Progress| told.set(progress.decision);
    let context = Context {
        progress: &progress,
        ..context(&t, &backend)
    };
    let options = Options {
        max_k,
        invariants,
        ..Options::default()
    };
    let found = certified(&read(&t, text), &context, |s, c| solve(s, &options, c));
    match (found, told.get()) {
        (Answer::Unknown(_), _) => "unknown".to_owned(),
        (_, decision) => {
            let decision = decision.expect("it is decided");
            format!("{} at {}", decision.case, decision.at)
        }
    }
}

/// The loop of Fig. 1 of [DepthK]: `x` begins with 2, and `2x - 1` follows. That `x` stays positive
/// is not inductive over the reals for any length of paths, since `x` may begin just below 1. With
/// the bound 1 of `x`, which intervals find, it is.
#[test]
fn the_loop_of_depthk_needs_an_invariant() {
    let text = "(declare-fun loop (Int Int Real) Bool)
        (assert (forall ((n Int)) (loop n 0 2.0)))
        (assert (forall ((n Int) (i Int) (x Real)) (=> (and (loop n i x) (< i n)) (loop n (+ i 1) (- (* 2.0 x) 1.0)))))
        (assert (forall ((n Int) (i Int) (x Real)) (=> (and (loop n i x) (<= x 0.0)) false)))";
    for max_k in [1, 4, 8] {
        assert_eq!(decided(text, max_k, InvariantDomain::None), "unknown");
    }
    for domain in [
        InvariantDomain::Intervals,
        InvariantDomain::Octagons,
        InvariantDomain::Polyhedra,
        InvariantDomain::Partitions,
    ] {
        let found = decided(text, 1, domain);
        assert!(found.starts_with("step case at"), "{domain:?}: {found}");
    }
}

/// The program of Fig. 3 of [DepthK], with its two nested loops and two properties, which are that
/// `0 <= i` and `i < n`. What the tools of the paper find, `0 <= i` and `i + 1 <= n`, is found by
/// octagons. Without it longer paths are needed.
#[test]
fn the_nested_loops_of_depthk_need_an_invariant_or_long_paths() {
    let text = "(declare-fun outer (Int Int) Bool) (declare-fun inner (Int Int Int) Bool)
        (assert (forall ((n Int)) (outer n 0)))
        (assert (forall ((n Int) (i Int)) (=> (and (outer n i) (< i n)) (inner n i 0))))
        (assert (forall ((n Int) (i Int) (j Int)) (=> (and (inner n i j) (< j 8)) (inner n i (+ j 1)))))
        (assert (forall ((n Int) (i Int) (j Int)) (=> (and (inner n i j) (>= j 8)) (outer n (+ i 1)))))
        (assert (forall ((n Int) (i Int) (j Int))
            (=> (and (inner n i j) (< j 8) (not (and (<= 0 (- n 1 i)) (< (- n 1 i) n)))) false)))";
    assert_eq!(decided(text, 1, InvariantDomain::None), "unknown");
    let found = decided(text, 1, InvariantDomain::Octagons);
    assert!(found.starts_with("step case at"), "{found}");
    let found = decided(text, 4, InvariantDomain::None);
    assert!(found.starts_with("step case at"), "{found}");
}

/// A query with two premises says of neither of them that it is good.
#[test]
fn facts_are_good_as_far_as_queries_are_about_them_alone() {
    let text = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (p 0)) (assert (q 3))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (q x)) false)))";
    for max_k in 0..4 {
        let found = answer(text, max_k, None);
        assert!(found.contains("limit on the length"), "{max_k}: {found}");
    }
    assert_eq!(answer(text, 4, None), "unsat by 6 facts");
}
