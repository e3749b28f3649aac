//! The engine `bmc`: both directions of its unrolling find refutations of the same height.

use crate::certified::{certified, context, native, read};
use crate::files::files;
use horn::chc::Answer;
use horn::engine::Context;
use horn::engine::bmc::{Direction, Options, solve};
use horn::smt::Limit;
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform::Tools;
use horn::work::milliseconds;
use std::path::Path;

/// The budget of each direction for each file, in ticks.
const BUDGET: u64 = milliseconds(100);
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

/// The answer as text; refutations are checked.
fn answer(text: &str, direction: Direction) -> String {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let options = options(direction);
    match certified(&system, &context(&t, &backend), |s, c| {
        solve(s, &options, c)
    }) {
        Answer::Unsat(refutation) => format!("unsat by {} facts", refutation.facts.len()),
        Answer::Unknown(unknown) => format!("{}", unknown.reason),
        Answer::Sat(_) => "sat".to_owned(),
    }
}

#[test]
fn either_direction_counts_and_ends() {
    for direction in [Direction::Backward, Direction::Forward] {
        assert_eq!(answer(COUNTS_TO_SIX, direction), "unsat by 5 facts");
        let ended = answer(ONE_STEP, direction);
        let expected = "false has no derivation of any height, but no model was looked for";
        assert!(ended.contains(expected), "{direction:?}: {ended}");
    }
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
