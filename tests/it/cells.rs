//! Arrays cell by cell: models with quantifiers, which are accepted, and no verdict where cells do
//! not suffice.

use crate::certified::{read, solve_certified};
use crate::corpus::corpus;
use crate::solvers::solver_found;
use horn::chc::Answer;
use horn::portfolio::{Choice, Options};
use horn::smt::Backend;
use horn::smt::process::ProcessOptions;
use horn::term::{Op, Terms};
use std::time::Duration;

/// More time than any of the systems needs, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(600);

/// The answer of the engine, with `cells` cells together.
#[track_caller]
fn found(t: &Terms, text: &str, cells: u32) -> Answer {
    let system = read(t, text);
    let (backend, _) =
        Backend::choose(None, ProcessOptions::default()).expect("the embedded core is there");
    let mut options = Options {
        engine: Choice::from_name("cells").expect("it is registered"),
        timeout: Some(PATIENCE),
        ..Options::default()
    };
    options.settings.cells.cells = cells;
    solve_certified(t, &system, &backend, &options).answer
}

/// The verdict of the engine, with `cells` cells together, and whether the model has quantifiers.
#[track_caller]
fn answer(text: &str, cells: u32) -> &'static str {
    let t = Terms::new();
    match found(&t, text, cells) {
        Answer::Sat(model) => {
            let general = |body| t.any_subterm(body, |part| t.op(part) == Op::Forall);
            let bodies = model.interpretations.iter().map(|i| i.body);
            match bodies.into_iter().any(general) {
                true => "sat, for all",
                false => "sat",
            }
        }
        Answer::Unsat(_) => panic!("unsat"),
        Answer::Unknown(unknown) => {
            let said = unknown.reason.to_string();
            let expected = ["cell by cell does not suffice", "no predicate has"];
            assert!(expected.iter().any(|e| said.contains(e)), "{said}");
            "open"
        }
    }
}

#[track_caller]
fn check(text: &str, cells: u32, expected: &str) {
    assert_eq!(answer(text, cells), expected, "{text}");
}

#[test]
fn programs_of_arrays() {
    // The check of a model takes a solver for arrays with quantifiers.
    if !solver_found(None) {
        return;
    }
    for (file, one, two) in [
        (
            "sat/arrays/copied-array.smt2",
            "sat, for all",
            "sat, for all",
        ),
        // Cells are counted from the pointers that the arrays begin at.
        (
            "sat/arrays/copied-behind-pointers.smt2",
            "sat, for all",
            "sat, for all",
        ),
        // That an array is sorted is said of two cells.
        ("sat/arrays/increasing-array.smt2", "open", "sat, for all"),
        (
            "sat/arrays/zeroed-matrix.smt2",
            "sat, for all",
            "sat, for all",
        ),
        (
            "sat/arrays/maximum-one-cell.smt2",
            "sat, for all",
            "sat, for all",
        ),
        // Cells are as far apart as elements.
        (
            "sat/arrays/elements-of-four-bytes.smt2",
            "sat, for all",
            "sat, for all",
        ),
        (
            "sat/arrays/pointer-over-words.smt2",
            "sat, for all",
            "sat, for all",
        ),
        // A cell is related to a remembered one, and to its mirror image.
        (
            "sat/arrays/place-of-the-largest.smt2",
            "sat, for all",
            "sat, for all",
        ),
        ("sat/arrays/palindrome.smt2", "sat, for all", "sat, for all"),
        (
            "unsat/arrays/pointer-over-every-other-word.smt2",
            "open",
            "open",
        ),
        ("unsat/arrays/copied-array-too-far.smt2", "open", "open"),
        ("unsat/arrays/swap-of-equal-cells.smt2", "open", "open"),
        ("unsat/arrays/two-arrays-equal.smt2", "open", "open"),
        ("sat/lia/half-by-two-calls.smt2", "open", "open"),
    ] {
        check(&corpus(file), 1, one);
        check(&corpus(file), 2, two);
    }
}

/// What two arrays have in common at equal distances from their pointers is said with one index.
#[test]
fn cells_are_counted_from_pointers() {
    let t = Terms::new();
    let Answer::Sat(model) = found(&t, &corpus("sat/arrays/copied-behind-pointers.smt2"), 1) else {
        panic!("it has a model");
    };
    let bodies = model.interpretations.iter().map(|said| said.body);
    let conjuncts: Vec<_> = bodies.flat_map(|body| t.conjuncts(body)).collect();
    let bound = conjuncts
        .iter()
        .map(|&conjunct| t.split_forall(conjunct).0.len());
    assert_eq!(bound.max(), Some(1));
}

/// Each quantifier has a pattern for solvers that instantiate by patterns: an array that is read at
/// the bound variable itself, also where the system has an array before those.
#[test]
fn quantifiers_have_patterns() {
    let t = Terms::new();
    let text = corpus("sat/arrays/copied-beside-another.smt2");
    let Answer::Sat(model) = found(&t, &text, 1) else {
        panic!("it has a model");
    };
    let bodies = model.interpretations.iter().map(|said| said.body);
    let conjuncts = bodies.flat_map(|body| t.conjuncts(body));
    let quantified = conjuncts.filter(|&conjunct| t.op(conjunct) == Op::Forall);
    let patterns = quantified.map(|conjunct| {
        let (bound, matrix) = t.split_forall(conjunct);
        let is_read = |index| {
            let read = |part| t.op(part) == Op::Select && t.args(part)[1] == index;
            t.any_subterm(matrix, read)
        };
        bound.iter().all(|&index| is_read(index))
    });
    let patterns: Vec<bool> = patterns.collect();
    assert!(!patterns.is_empty() && patterns.iter().all(|&has| has));
}

/// A cell at an address is said by the address, with the condition that there is one.
#[test]
fn cells_are_as_far_apart_as_elements() {
    let t = Terms::new();
    let text = corpus("sat/arrays/elements-of-four-bytes.smt2");
    let Answer::Sat(model) = found(&t, &text, 1) else {
        panic!("it has a model");
    };
    let bodies = model.interpretations.iter().map(|said| said.body);
    let divides_by_four = |body| {
        let is_four = |part| t.as_number(part) == Some(&4.into());
        t.any_subterm(body, |part| {
            matches!(t.op(part), Op::Mod | Op::IDiv) && is_four(t.args(part)[1])
        })
    };
    assert!(bodies.into_iter().any(divides_by_four));
}

const P: &str = "(declare-fun p ((Array Int Int) Int) Bool)\n";

/// Equations between arrays, also such as hold under a condition only, or are denied.
#[test]
fn equations_between_arrays() {
    if !solver_found(None) {
        return;
    }
    for (clauses, expected) in [
        (
            "(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int))
                (=> (= a (store b n 3)) (p a n))))
             (assert (forall ((a (Array Int Int)) (n Int)) (=> (and (p a n) (not (= (select a n) 3))) false)))",
            "sat, for all",
        ),
        (
            "(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c Bool) (n Int))
                (=> (and (or c (= a (store b n 3))) (or (not c) (= a ((as const (Array Int Int)) 3)))) (p a n))))
             (assert (forall ((a (Array Int Int)) (n Int)) (=> (and (p a n) (not (= (select a n) 3))) false)))",
            "sat, for all",
        ),
        (
            "(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (n Int))
                (=> (and (= a b) (= b c) (= (select c n) 3)) (p a n))))
             (assert (forall ((a (Array Int Int)) (n Int)) (=> (and (p a n) (not (= (select a n) 3))) false)))",
            "sat, for all",
        ),
        (
            "(assert (forall ((n Int)) (p ((as const (Array Int Int)) 3) n)))
             (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int))
                (=> (and (p a n) (p b n) (not (= a b))) false)))",
            "sat, for all",
        ),
        // Some array differs there.
        (
            "(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (=> (not (= a b)) (p a n))))
             (assert (forall ((a (Array Int Int)) (n Int)) (=> (and (p a n) (not (= (select a n) 3))) false)))",
            "open",
        ),
        // The array occurs as a whole: as an element of another one.
        (
            "(declare-fun q ((Array Int (Array Int Int)) Int) Bool)
             (assert (forall ((a (Array Int Int)) (m (Array Int (Array Int Int))) (n Int))
                (=> (= (select a n) 3) (q (store m n a) n))))
             (assert (forall ((m (Array Int (Array Int Int))) (n Int)) (=> (q m n) (p (select m n) n))))
             (assert (forall ((a (Array Int Int)) (n Int)) (=> (and (p a n) (not (= (select a n) 3))) false)))",
            "sat, for all",
        ),
    ] {
        check(&format!("{P}{clauses}"), 2, expected);
    }
}

/// Arrays of arrays, each read at several indices: the premises multiply, and the engine gives up.
#[test]
fn premises_do_not_multiply_without_end() {
    let sort = (0..4).fold("Int".to_owned(), |element, _| {
        format!("(Array Int {element})")
    });
    let names: Vec<String> = (0..8).map(|i| format!("i{i}")).collect();
    let read = |i: &String| (0..4).fold("a".to_owned(), |array, _| format!("(select {array} {i})"));
    let reads: Vec<String> = names.iter().map(read).collect();
    let vars: Vec<String> = names.iter().map(|i| format!("({i} Int)")).collect();
    let (vars, sum) = (vars.join(" "), reads.join(" "));
    let text = format!(
        "(declare-fun p ({sort}) Bool)
        (assert (forall ((a {sort}) {vars}) (=> (>= (+ {sum}) 0) (p a))))
        (assert (forall ((a {sort}) {vars}) (=> (and (p a) (< (+ {sum}) 0)) (p a))))
        (assert (forall ((a {sort}) {vars}) (=> (and (p a) (< (+ {sum}) 0)) false)))"
    );
    let t = Terms::new();
    let Answer::Unknown(unknown) = found(&t, &text, 2) else {
        panic!("cells do not suffice");
    };
    let said = unknown.reason.to_string();
    assert!(said.contains("too many premises about cells"), "{said}");
}

/// Arrays that are chosen among two, again and again: as trees they have 2^40 parts.
#[test]
fn shared_arrays_are_read_once() {
    let mut chosen = "(p a40 (+ n 1))".to_owned();
    for level in (0..40).rev() {
        let array = format!("a{level}");
        let own = format!("(ite (< n {level}) (store {array} n {level}) {array})");
        chosen = format!("(let ((a{} {own})) {chosen})", level + 1);
    }
    let text = format!(
        "(declare-fun p ((Array Int Int) Int) Bool)
         (assert (forall ((a0 (Array Int Int))) (p a0 0)))
         (assert (forall ((a0 (Array Int Int)) (n Int)) (=> (p a0 n) {chosen})))
         (assert (forall ((a (Array Int Int)) (n Int)) (=> (and (p a n) (< n 0)) false)))"
    );
    let t = Terms::new();
    let answer = found(&t, &text, 1);
    assert!(!matches!(answer, Answer::Unsat(_)), "{}", answer.verdict());
}
