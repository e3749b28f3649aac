//! Refinement: the running examples of the two papers, and the types of variables.

use crate::certified::{certified, context, native, read};
use horn::chc::{Answer, ClauseId, FactId, PredId, Skeleton, Step};
use horn::engine::{Context, EngineSettings, Progress, engine_named, inductive_assertions};
use horn::refinement::{AssertionSource, DomainType, DomainTypes, Options, Prefixes, Tally};
use horn::smt::Limit;
use horn::term::Terms;
use horn::transform::Tools;
use horn::work::milliseconds;
use std::cell::Cell;

/// What an engine of the framework makes of a system without preprocessing, with some options: the
/// answer, if there is one within some milliseconds' worth of ticks, and what it has refined.
fn run(engine: &str, options: &str, text: &str) -> (Answer, Tally) {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let mut settings = EngineSettings::default();
    for option in options.split_whitespace() {
        let (option, value) = option.split_once('=').expect("an option with its value");
        settings
            .set(engine, option, value)
            .expect("an option of it");
    }
    let tally = Cell::new(Tally::default());
    let progress = |progress: &Progress| tally.set(progress.refined.unwrap_or_default());
    let limit = Limit::none().part(milliseconds(300));
    let context = Context {
        progress: &progress,
        ..Context::new(Tools::new(&t, &backend, limit))
    };
    let engine = engine_named(engine).expect("it is registered");
    let answer = certified(&system, &context, |system, context| {
        engine.solve(system, &settings, context)
    });
    (answer, tally.get())
}

/// Fig. 1 of \[DHMNP17\]: one trace suffices with strongest postconditions of an
/// infeasible core, and the loop is unrolled without it.
#[test]
fn the_core_leaves_out_what_does_not_matter() {
    let text = include_str!("../../horn-benchmarks/sat/arrays/newton-fig1.smt2");
    for engine in ["predicates", "impact", "splitting"] {
        for source in ["newton-sp-core", "newton-sp-core-live", "newton-sp-live"] {
            let (answer, tally) = run(engine, &format!("refinement={source} judge=on"), text);
            assert!(
                matches!(answer, Answer::Sat(_)),
                "{engine}, {source}: {answer:?}"
            );
            let expected = Tally {
                refinements: 1,
                judged: 1,
                perfect: 1,
                failures: 0,
            };
            assert_eq!(tally, expected, "{engine}, {source}");
        }
    }
    for engine in ["impact", "splitting"] {
        let (answer, tally) = run(engine, "refinement=newton-sp", text);
        assert!(matches!(answer, Answer::Unknown(_)), "{engine}: {answer:?}");
        assert!(tally.refinements > 5, "{engine}: {tally:?}");
    }
}

/// As in the example on live variables of that paper: `k` is not read before it is written again,
/// so that assertions about it are no loop invariants.
const LIVE: &str = "(set-logic HORN) (declare-fun l (Int Int) Bool) (declare-fun e (Int Int) Bool)
    (assert (forall ((y Int) (k Int)) (=> (and (> k 0) (= y k)) (l k y))))
    (assert (forall ((k Int) (y Int) (z Int)) (=> (and (l k y) (= z (+ y k))) (e k z))))
    (assert (forall ((k Int) (j Int) (y Int)) (=> (e k y) (l j y))))
    (assert (forall ((k Int) (y Int)) (=> (and (l k y) (< y 0)) false)))";

#[test]
fn what_is_not_live_is_left_out() {
    let t = Terms::new();
    let system = read(&t, LIVE);
    let backend = native();
    let context = context(&t, &backend);
    let steps = [(0, None), (1, Some(0)), (2, Some(1)), (3, Some(2))];
    let step = |&(clause, premise): &(u32, Option<u32>)| Step {
        clause: ClauseId(clause),
        premises: premise.map(FactId).into_iter().collect(),
    };
    let skeleton = Skeleton::new(&system, steps.iter().map(step).collect()).expect("a derivation");
    // The variables of the assertions of the first three steps.
    for (source, expected) in [
        ("newton-sp-core", ["k y", "k y", "y"]),
        ("newton-sp-core-live", ["k y", "y", "y"]),
        ("newton-wp-core", ["k y", "y", "y"]),
    ] {
        let options = Options {
            sources: source.parse().expect("a source"),
            ..Options::default()
        };
        let found = inductive_assertions(&context, &system, &skeleton, &options);
        let found = found.expect("an answer").expect("there are no values");
        for (assertion, expected) in found.iter().zip(expected) {
            let names = assertion.params.iter().zip(["k", "y"]);
            let vars = t.vars([assertion.body]);
            let names: Vec<&str> = names
                .filter(|(x, _)| vars.contains(x))
                .map(|n| n.1)
                .collect();
            assert_eq!(
                names.join(" "),
                expected,
                "{source}: {}",
                t.display(assertion.body)
            );
        }
    }
}

/// Fig. 2 of \[BLW15\]: the path is infeasible for the loop counter `i`, and for
/// the Boolean variable `b`.
const COUNTER: &str = "(set-logic HORN)
    (declare-fun head (Int Int) Bool) (declare-fun exit (Int Int) Bool)
    (assert (forall ((b Int) (i Int)) (=> (and (= b 0) (= i 0)) (head b i))))
    (assert (forall ((b Int) (i Int)) (=> (and (head b i) (<= i 9)) (head b (+ i 1)))))
    (assert (forall ((b Int) (i Int)) (=> (and (head b i) (> i 9)) (exit b i))))
    (assert (forall ((b Int) (i Int))
        (=> (and (exit b i) (not (= b 0)) (not (= i 10))) false)))";

#[test]
fn loop_counters_are_avoided() {
    for (options, refinements) in [
        ("prefixes=domain-types", 1),
        ("prefixes=last", 1),
        // The loop is unrolled, one iteration after the other.
        ("prefixes=first", 10),
    ] {
        let (answer, tally) = run("predicates", options, COUNTER);
        assert!(matches!(answer, Answer::Sat(_)), "{options}: {answer:?}");
        let few = tally.refinements <= 2;
        assert_eq!(few, refinements == 1, "{options}: {tally:?}");
    }
}

/// Value analysis knows values alone, and goes through loops step by step. Beside it, predicates
/// say the rest.
#[test]
fn values_suffice_where_no_relation_is_needed() {
    let relation = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (forall ((x Int)) (p x x)))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (distinct x y)) false)))";
    let flag = "(set-logic HORN) (declare-fun p (Bool Int (_ BitVec 4)) Bool)
        (assert (forall ((x Int)) (p false x #x3)))
        (assert (forall ((b Bool) (x Int) (w (_ BitVec 4))) (=> (p b x w) (p b (+ x 1) w))))
        (assert (forall ((b Bool) (x Int) (w (_ BitVec 4)))
            (=> (and (p b x w) b (= x 7)) false)))
        (assert (forall ((b Bool) (x Int) (w (_ BitVec 4)))
            (=> (and (p b x w) (= w #x4)) false)))";
    let alone = "abstraction=values";
    let beside = "abstraction=values-cartesian refinement=values,craig";
    for (options, text, expected, most) in [
        (alone, flag, true, 2),
        (beside, flag, true, 2),
        (alone, relation, false, 2),
        (beside, relation, true, 2),
        ("abstraction=values prefixes=domain-types", COUNTER, true, 2),
        ("abstraction=values prefixes=first", COUNTER, true, 20),
    ] {
        let (answer, tally) = run("predicates", options, text);
        assert_eq!(
            matches!(answer, Answer::Sat(_)),
            expected,
            "{options}: {answer:?}"
        );
        assert!(tally.refinements <= most, "{options}: {tally:?}");
    }
}

#[test]
fn variables_have_the_types_of_their_uses() {
    use DomainType::{Addition, Boolean, Equality, Other};
    let check = |text: &str, expected: &[(DomainType, bool)]| {
        let t = Terms::new();
        let system = read(&t, text);
        let types = DomainTypes::of(&t, &system);
        let found: Vec<_> = (0..expected.len())
            .map(|place| types.get(PredId(0), place))
            .collect();
        assert_eq!(found, expected, "{text}");
    };
    check(COUNTER, &[(Boolean, false), (Addition, true)]);
    let system = |sorts: &str, vars: &str, constraint: &str, after: &str| {
        format!(
            "(set-logic HORN) (declare-fun p ({sorts}) Bool)
             (assert (forall ({vars}) (=> (and (p x y) {constraint}) (p {after}))))"
        )
    };
    let ints = |constraint: &str, after: &str| {
        system("Int Int", "(x Int) (y Int) (z Int)", constraint, after)
    };
    check(
        &ints("(= x 7)", "x 0"),
        &[(Equality, false), (Boolean, false)],
    );
    check(
        &ints("(= x y) (= y 7)", "x 0"),
        &[(Equality, false), (Equality, false)],
    );
    check(
        &ints("(< x y)", "x 0"),
        &[(Addition, false), (Addition, false)],
    );
    check(
        &ints("(= z (mod x 3))", "z y"),
        &[(Other, false), (Boolean, false)],
    );
    check(
        &ints("true", "(ite (= y 1) 0 1) y"),
        &[(Boolean, false), (Boolean, false)],
    );
    check(
        &ints("true", "(ite (= y 1) 0 5) y"),
        &[(Equality, false), (Boolean, false)],
    );
    // Counters: by an argument, by an equation, in one of several cases; not by sums of variables.
    check(
        &ints("true", "(- x 2) y"),
        &[(Addition, true), (Boolean, false)],
    );
    check(
        &ints("(= z (+ x 1))", "z y"),
        &[(Addition, true), (Boolean, false)],
    );
    check(
        &ints(
            "(or (and (= z (+ x 1)) (= y 1)) (and (= z x) (= y 0)))",
            "z y",
        ),
        &[(Addition, true), (Boolean, false)],
    );
    check(
        &ints("true", "(+ x y) y"),
        &[(Addition, false), (Addition, false)],
    );
    check(
        &system(
            "Bool (Array Int Int)",
            "(x Bool) (y (Array Int Int))",
            "(= (select y 0) 1)",
            "false y",
        ),
        &[(Boolean, false), (Other, false)],
    );
}

/// Two premises that have an argument in common are related by the step that uses them both.
#[test]
fn premises_with_a_common_argument() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (= x 1) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 2) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (= x 2) (> y 0)) (q x y))))
        (assert (forall ((x Int) (y Int)) (=> (q x y) (q (+ x 2) y))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (q x z) (< x 5)) false)))";
    for prefixes in [
        "whole",
        "first",
        "last",
        "domain-types",
        "depth",
        "score",
        "all",
    ] {
        for source in [
            "craig",
            "newton-sp-core",
            "newton-wp-core-live",
            "newton-sp-live",
        ] {
            let options = format!("refinement={source} prefixes={prefixes} max-edges=300");
            let (answer, tally) = run("predicates", &options, text);
            let why = format!("{options}: {answer:?}, {tally:?}");
            assert!(!why.contains("no source has"), "{why}");
            assert!(tally.refinements > 0, "{why}");
        }
    }
}

/// The place that was written last keeps the parity that was written. Interpolants name the place
/// of each path by its number; preconditions compare it with the counter.
#[test]
fn an_alternate_source_ends_a_divergence() {
    let text = "(set-logic HORN) (declare-fun loop (Int Int Int Int) Bool)
        (assert (forall ((n Int) (c Int) (d Int)) (=> (and (<= 0 c) (< c n)) (loop n 0 c d))))
        (assert (forall ((n Int) (i Int) (c Int) (d Int) (e Int) (f Int))
            (=> (and (loop n i c d) (< i n) (<= 0 c) (< c n)
                    (or (and (not (= i c)) (= e c) (= f d)) (and (= e i) (= f (mod i 2)))))
                (loop n (+ i 1) e f))))
        (assert (forall ((n Int) (i Int) (c Int) (d Int))
            (=> (and (loop n i c d) (= i n) (not (= d (mod c 2)))) false)))";
    let (answer, tally) = run("predicates", "alternate=none", text);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(tally.refinements > 9, "{tally:?}");
    let (answer, tally) = run("predicates", "", text);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}, {tally:?}");
}

#[test]
fn the_first_perfect_assertions_are_taken() {
    let (_, without) = run("impact", "refinement=newton-sp", COUNTER);
    let (answer, with) = run(
        "impact",
        "refinement=newton-sp,newton-sp-core,craig",
        COUNTER,
    );
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    assert!(with.perfect > 0, "{with:?}");
    assert!(
        with.refinements <= without.refinements,
        "{with:?}, {without:?}"
    );
    assert_eq!(Options::default().sources.list(), [AssertionSource::Craig]);
    assert_eq!(Options::default().prefixes, Prefixes::Whole);
}
