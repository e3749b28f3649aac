//! The engine `bmc`: both directions of its unrolling find refutations of the same height, and
//! models where no derivation is larger than the unrolling.

use crate::certified::{certified, context, native, read};
use crate::files::files;
use horn::chc::Answer;
use horn::engine::Context;
use horn::engine::bmc::{Bound, Direction, ModelSource, Options, solve};
use horn::smt::Limit;
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform::Tools;
use horn::work::milliseconds;
use std::path::Path;

/// The budget of each direction for each file, in ticks.
const BUDGET: u64 = milliseconds(150);
/// Derivations up to this height are looked for.
const DEPTH: u32 = 12;

/// A loop that counts from 0 by 2, and is left at 6.
const COUNTS_TO_SIX: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 2))) (p y))))
(assert (forall ((x Int)) (=> (and (p x) (= x 6)) false)))";
/// `false` follows from a predicate that is derived in one step only.
const ONE_STEP: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (< x 0) (p x))))
(assert (forall ((x Int)) (=> (p x) (q x))))
(assert (forall ((x Int)) (=> (and (q x) (> x 0)) false)))";

fn options(direction: Direction) -> Options {
    Options {
        direction,
        max_depth: DEPTH,
        ..Options::default()
    }
}

/// All ways to unroll.
fn ways() -> [Options; 4] {
    let by_loops = Options {
        bound: Bound::Loop,
        ..options(Direction::Backward)
    };
    let [backward, forward] = [Direction::Backward, Direction::Forward].map(options);
    let by_interpolants = Options {
        model: ModelSource::Interpolants,
        ..forward.clone()
    };
    [backward, forward, by_loops, by_interpolants]
}

/// The answer as text; certificates are checked.
fn answer(text: &str, options: &Options) -> String {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    match certified(&system, &context(&t, &backend), |s, c| solve(s, options, c)) {
        Answer::Unsat(refutation) => format!("unsat by {} facts", refutation.facts.len()),
        Answer::Unknown(unknown) => format!("{}, {:?}", unknown.reason, unknown.safe_depth),
        Answer::Sat(_) => "sat".to_owned(),
    }
}

#[test]
fn each_way_counts_and_ends() {
    for options in ways() {
        assert_eq!(answer(COUNTS_TO_SIX, &options), "unsat by 5 facts");
        assert_eq!(answer(ONE_STEP, &options), "sat", "{options:?}");
    }
}

/// Systems whose derivations have no more than some height.
#[test]
fn models_of_finite_systems() {
    // A chain of predicates, with a branch.
    let chain =
        "(declare-fun a (Int) Bool) (declare-fun b (Int Bool) Bool) (declare-fun c (Int) Bool)
        (assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 9)) (a x))))
        (assert (forall ((x Int)) (=> (and (a x) (> x 4)) (b x true))))
        (assert (forall ((x Int)) (=> (and (a x) (<= x 4)) (b (+ x 5) false))))
        (assert (forall ((x Int) (f Bool)) (=> (b x f) (c (* 2 x)))))
        (assert (forall ((x Int)) (=> (a x) (c (+ x 10)))))
        (assert (forall ((x Int)) (=> (and (c x) (or (< x 10) (> x 19))) false)))
        (assert (forall ((x Int) (f Bool)) (=> (and (b x f) (= x 4)) false)))";
    // A loop with a bound; from the end, the number of steps is known, too.
    let bounded = "(declare-fun p (Int Int) Bool) (declare-fun q (Int) Bool)
        (assert (p 0 7))
        (assert (forall ((i Int) (x Int)) (=> (and (p i x) (<= 0 i) (< i 4)) (p (+ i 1) (+ x 2)))))
        (assert (forall ((i Int) (x Int)) (=> (and (p i x) (= i 4)) (q x))))
        (assert (forall ((x Int)) (=> (and (q x) (not (= x 15))) false)))";
    // Rules with several premises, one of them twice the same predicate.
    let tree = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (declare-fun r (Int Int) Bool)
        (assert (forall ((x Int)) (=> (and (<= 1 x) (<= x 3)) (p x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q (+ x y)))))
        (assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x) (q y) (p 2)) (r x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (r x y) (or (< (+ x y) 4) (> (+ x y) 12))) false)))
        (assert (forall ((x Int) (y Int)) (=> (and (q x) (p y) (>= y (* 2 x))) false)))";
    for options in ways() {
        for text in [chain, bounded, tree] {
            assert_eq!(answer(text, &options), "sat", "{options:?}: {text}");
        }
    }
}

/// Forwards, the length of paths from facts counts; backwards, that of paths to `false`.
#[test]
fn a_bound_of_one_direction() {
    let from_fact = "(declare-fun p (Int Int) Bool)
        (assert (p 0 0))
        (assert (forall ((i Int) (x Int)) (=> (and (p i x) (< i 5)) (p (+ i 1) (+ x i)))))
        (assert (forall ((i Int) (x Int)) (=> (and (p i x) (> x 10)) false)))";
    let to_false = "(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (> x 20) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 0)) (p (- x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< (+ x 1) 0)) false)))";
    let [backward, forward, by_loops, by_interpolants] = ways();
    assert_eq!(answer(from_fact, &by_interpolants), "sat");
    assert_eq!(answer(from_fact, &forward), "sat");
    assert_eq!(answer(to_false, &backward), "sat");
    assert_eq!(answer(to_false, &by_loops), "sat");
    for (text, options) in [(from_fact, backward), (to_false, forward)] {
        let found = answer(text, &options);
        assert_eq!(
            found,
            format!(
                "incomplete: the limit on the depth (option max-depth) is reached, Some({DEPTH})"
            )
        );
    }
}

/// Two loops, each with predicates that are not its head.
const TWO_LOOPS: &str = "(declare-fun a (Int) Bool) (declare-fun b (Int) Bool)
    (declare-fun c (Int) Bool) (declare-fun d (Int) Bool) (declare-fun e (Int Int) Bool)
    (assert (a 0))
    (assert (forall ((x Int)) (=> (a x) (b (+ x 1)))))
    (assert (forall ((x Int)) (=> (b x) (c (+ x 1)))))
    (assert (forall ((x Int)) (=> (c x) (a (+ x 1)))))
    (assert (forall ((x Int)) (=> (and (c x) (a 0)) (d x))))
    (assert (forall ((x Int) (y Int)) (=> (and (d x) (d y)) (e x y))))
    (assert (forall ((x Int) (y Int)) (=> (e x y) (d (+ x y)))))
    (assert (forall ((x Int)) (=> (and (d x) (= x 7)) false)))";

/// Where loops are counted, predicates between their heads do not need a larger bound.
#[test]
fn bounds_by_loops() {
    let [backward, _, by_loops, _] = ways();
    let at_most = |max_depth, options: &Options| Options {
        max_depth,
        ..options.clone()
    };
    let tall = "unsat by 16 facts";
    assert_eq!(answer(TWO_LOOPS, &at_most(10, &backward)), tall);
    let found = answer(TWO_LOOPS, &at_most(9, &backward));
    assert!(found.contains("max-depth"), "{found}");
    assert_eq!(answer(TWO_LOOPS, &at_most(5, &by_loops)), tall);
    let found = answer(TWO_LOOPS, &at_most(4, &by_loops));
    assert!(found.ends_with("max-depth) is reached, Some(5)"), "{found}");
}

/// The height of the lowest refutation, or the height up to which there is none; `None` where the
/// budget ended the search.
fn height(t: &Terms, path: &Path, direction: Direction) -> Option<(bool, u32)> {
    let source = Source::open(&path.display().to_string()).expect("the file can be read");
    let system = read_system(t, &source).ok().filter(|s| s.is_linear())?;
    let backend = native();
    let context = Context::new(Tools::new(t, &backend, Limit::none().part(BUDGET)));
    let options = options(direction);
    match certified(&system, &context, |s, c| solve(s, &options, c)) {
        Answer::Unsat(refutation) => {
            let height = refutation.facts.len();
            Some((true, u32::try_from(height).expect("few facts")))
        }
        Answer::Unknown(unknown) if unknown.reason.to_string().contains("max-depth") => {
            Some((false, unknown.safe_depth?))
        }
        _ => None,
    }
}

/// A refutation of a linear system is a path, so its number of facts is its height.
#[test]
fn both_directions_find_the_same_heights() {
    let (mut refuted, mut safe) = (0, 0);
    for directory in ["sat", "unsat"] {
        let directory = format!("{}/horn-benchmarks/{directory}", env!("CARGO_MANIFEST_DIR"));
        for path in files(&directory) {
            let t = Terms::new();
            let found = [Direction::Backward, Direction::Forward].map(|d| height(&t, &path, d));
            if let [Some(backward), Some(forward)] = found {
                assert_eq!(backward, forward, "{}", path.display());
                match backward.0 {
                    true => refuted += 1,
                    false => safe += 1,
                }
            }
        }
    }
    println!("{refuted} refuted, {safe} without refutations up to height {DEPTH}");
    assert!(refuted >= 10 && safe >= 10, "too few are decided");
}
