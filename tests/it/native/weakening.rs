//! Cubes that contradict the assertions, weakened: what is left is implied by the cube and
//! contradicts the rest.

use super::session::{formulas, proving};
use horn::smt::native::{NativeOptions, NativeSolver};
use horn::smt::{SatResult, Solver};
use horn::term::{Term, Terms};

/// A cube, weakened in a context with these assertions and other assumptions.
fn weaken(t: &Terms, assertions: &str, others: &str, cube: &str) -> Option<Vec<Term>> {
    let [assertions, others, cube] = [assertions, others, cube].map(|text| formulas(t, text));
    let mut solver = NativeSolver::new(t, &NativeOptions::for_engines());
    assertions.iter().for_each(|&f| solver.assert(f));
    let assumptions = [&*others, &*cube].concat();
    let about = format_args!("is the cube blocked?");
    assert_eq!(solver.check(about, &assumptions), SatResult::Unsat);
    let weaker = solver.weaken(&cube)?;
    let text: Vec<String> = weaker.iter().map(|&f| t.display(f).to_string()).collect();
    let mut judge = NativeSolver::new(t, &proving());
    for &formula in &weaker {
        let question = [&*cube, &[t.not(formula)]].concat();
        assert_eq!(judge.check(about, &question), SatResult::Unsat, "{text:?}");
    }
    let question = [&*assertions, &*others, &*weaker].concat();
    assert_eq!(judge.check(about, &question), SatResult::Unsat, "{text:?}");
    Some(weaker)
}

#[test]
fn cubes_are_weakened() {
    for (assertions, others, cube, expected) in [
        ("(<= (- x y) 1)", "", "(>= x 5) (<= y 3)", "(>= (- x y) 2)"),
        ("(<= (- x y) 1)", "", "(<= y 3) (>= x 5)", "(>= (- x y) 2)"),
        (
            "(<= (- x y) 1)",
            "",
            "(>= x 9) p (<= y 3) (<= z 4)",
            "(>= (- x y) 6)",
        ),
        (
            "(= x (* 2 y))",
            "",
            "(>= x 5) (<= y 2)",
            "(>= (- x (* 2 y)) 1)",
        ),
        (
            "(<= (- r s) 1.0)",
            "",
            "(> r 5.0) (<= s 3.0)",
            "(> (- r s) 2.0)",
        ),
        // Only the half of an equation that is needed.
        ("(< x 3)", "", "(= x 5)", "(>= x 5)"),
        ("(< x y)", "", "(= x 5) (= y 5)", "(>= (- x y) 0)"),
        // What is needed by itself stays as it is.
        ("(=> p (< x 3))", "", "p (>= x 5) q", "p (>= x 5)"),
        ("(=> p (< x y))", "p", "(>= x 5) (<= y 3)", "(>= (- x y) 2)"),
        (
            "(or (< x y) (< x z))",
            "",
            "(>= x 5) (<= y 3) (<= z 4)",
            "(>= (- x y) 2) (>= (- x z) 1)",
        ),
        // The other assumptions are not part of the cube.
        (
            "(<= (- x y) z)",
            "(<= z 1)",
            "(>= x 5) (<= y 3)",
            "(>= (- x y) 2)",
        ),
    ] {
        let t = Terms::new();
        let weaker = weaken(&t, assertions, others, cube).expect("something to say");
        let mut expected = formulas(&t, expected);
        let text: Vec<String> = weaker.iter().map(|&f| t.display(f).to_string()).collect();
        let mut found = weaker.clone();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{cube}: {text:?}");
    }
}

/// Where the cube contradicts itself there is nothing to say, nor where nothing of it is needed,
/// nor where what it takes was not kept.
#[test]
fn there_may_be_nothing_to_say() {
    let t = Terms::new();
    assert_eq!(weaken(&t, "p", "", "(>= x 5) (<= x 3)"), None);
    assert_eq!(weaken(&t, "(> x 3) (< x 2)", "", "p"), Some(vec![]));
    let cube = formulas(&t, "(>= x 5) (<= x 3)");
    for options in [NativeOptions::default(), proving()] {
        let mut solver = NativeSolver::new(&t, &options);
        assert_eq!(
            solver.check(format_args!("a test"), &cube),
            SatResult::Unsat
        );
        assert_eq!(solver.weaken(&cube), None);
    }
}

/// One context, as an engine uses it: cubes and lemmas by turns.
#[test]
fn cubes_are_weakened_again_and_again() {
    let t = Terms::new();
    let mut solver = NativeSolver::new(&t, &NativeOptions::for_engines());
    let mut assertions = formulas(
        &t,
        "(or (and p (= x (+ z 1)) (= y w)) (and (not p) (= x z) (= y (+ w 1)))) (<= 0 z) (<= z w)",
    );
    assertions.iter().for_each(|&f| solver.assert(f));
    let mut judge = NativeSolver::new(&t, &proving());
    let mut blocked = 0;
    for round in 0..40i64 {
        let (a, b) = (round % 7, round % 5 - 1);
        let cube = formulas(
            &t,
            &format!(
                "(= x {a}) (= y {}) ",
                if b < 0 {
                    "(- 1)".to_owned()
                } else {
                    b.to_string()
                }
            ),
        );
        if solver.check(format_args!("has the cube a predecessor?"), &cube) != SatResult::Unsat {
            continue;
        }
        blocked += 1;
        let weaker = solver.weaken(&cube).expect("the assertions are needed");
        let about = format_args!("is it weaker?");
        for &formula in &weaker {
            assert_eq!(
                judge.check(about, &[cube[0], cube[1], t.not(formula)]),
                SatResult::Unsat
            );
        }
        assert_eq!(
            judge.check(about, &[&*assertions, &*weaker].concat()),
            SatResult::Unsat
        );
        let lemma = t.not(t.and(weaker));
        solver.assert(lemma);
        assertions.push(lemma);
    }
    assert!(blocked > 10, "{blocked}");
}
