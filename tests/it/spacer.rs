//! SPACER, step by step: on the paper's own examples and on others each iteration must be what Fig.
//! 5 says it is.

use crate::certified::{certified, context, native, read};
use crate::corpus::corpus;
use horn::chc::{Answer, PredId, System};
use horn::engine::spacer::{
    Bounding, Granularity, IterationOutcome, Options, Raise, Refinement, solve_observed,
};
use horn::term::{Term, Terms};

/// An iteration, as far as the tests look at it.
#[derive(Clone, Debug)]
struct Step {
    bound: u32,
    outcome: IterationOutcome,
    before: usize,
    after: usize,
    all: usize,
    invariants: Vec<(PredId, Term)>,
}

/// The trace and the verdict, whose certificate is checked against the system.
fn run(t: &Terms, system: &System, options: &Options) -> (Vec<Step>, &'static str) {
    let backend = native();
    let mut steps = Vec::new();
    let answer = certified(system, &context(t, &backend), |system, context| {
        solve_observed(system, options, context, &mut |iteration| {
            steps.push(Step {
                bound: iteration.bound,
                outcome: iteration.outcome,
                before: iteration.before,
                after: iteration.after,
                all: iteration.all,
                invariants: iteration.invariants.to_vec(),
            });
        })
    });
    if let Answer::Unknown(unknown) = &answer {
        panic!("{}", unknown.reason);
    }
    (steps, answer.verdict())
}

/// What holds of every trace.
#[track_caller]
fn check_trace(steps: &[Step], options: &Options) {
    let first = steps.first().expect("there is an iteration");
    // INITU: all conjuncts, and no step of a loop.
    assert_eq!((first.bound, first.before), (0, first.all));
    for pair in steps.windows(2) {
        let (step, next) = (&pair[0], &pair[1]);
        assert_eq!(step.after, next.before, "{step:?}");
        assert_eq!(step.all, next.all);
        // Only proofs give invariants.
        let proved = matches!(next.outcome, IterationOutcome::Safe { .. });
        assert!(proved || next.invariants.len() == step.invariants.len());
        assert!(
            step.invariants.iter().all(|i| next.invariants.contains(i)),
            "invariants are never lost"
        );
        match step.outcome {
            // NEXTU goes one step further.
            IterationOutcome::Safe { lemmas, inductive } => {
                assert!(inductive <= lemmas);
                match options.raise {
                    Raise::All => assert_eq!(next.bound, step.bound + 1),
                    Raise::Failing => assert!(next.bound <= step.bound + 1),
                }
            }
            // REFINE adds something, and keeps the bound.
            IterationOutcome::Spurious { .. } => {
                assert!(step.after > step.before, "{step:?}");
                assert_eq!(next.bound, step.bound);
                if options.refine == Refinement::Proofs {
                    assert_eq!(step.after, step.all);
                }
            }
            // All conjuncts come back.
            IterationOutcome::GivenUp => {
                assert!(step.before < step.all && step.after == step.all, "{step:?}");
                assert_eq!(next.bound, step.bound);
            }
            IterationOutcome::Feasible { .. } => panic!("the run goes on after a refutation"),
        }
    }
}

#[track_caller]
fn check(file: &str, options: &Options, expected: &str) -> Vec<Step> {
    let t = Terms::new();
    let system = read(&t, corpus(file));
    let (steps, verdict) = run(&t, &system, options);
    assert_eq!(verdict, expected, "{file}");
    check_trace(&steps, options);
    let goal = PredId(u32::try_from(system.preds.len()).expect("few"));
    let last = steps.last().expect("not empty");
    assert_eq!(
        last.invariants.contains(&(goal, Term::FALSE)),
        expected == "sat"
    );
    assert_eq!(
        matches!(last.outcome, IterationOutcome::Feasible { .. }),
        expected == "unsat"
    );
    steps
}

/// Section 2 of the paper: the program of Fig. 2 is proved by an abstraction, after at least one
/// counterexample was spurious.
#[test]
fn the_running_example() {
    let options = Options {
        granularity: Granularity::Conjuncts,
        ..Options::default()
    };
    let steps = check("sat/lia/spacer-fig2.smt2", &options, "sat");
    let spurious = |s: &Step| matches!(s.outcome, IterationOutcome::Spurious { .. });
    assert!(steps.iter().any(spurious), "an abstraction is refined");
    assert!(
        steps.iter().any(|s| s.before < s.all && !spurious(s)),
        "an abstraction is proved safe up to a bound"
    );
    let last = steps.last().expect("not empty");
    assert!(
        last.before < last.all,
        "the proof needs no more than a part of the program"
    );
}

/// The variants of Section 6: refinement by proofs only, abstraction of next-state values only or
/// of every conjunct; and cores that are not made smaller.
#[test]
fn variants() {
    for granularity in [Granularity::Conjuncts, Granularity::NextState] {
        let default = Options {
            granularity,
            ..Options::default()
        };
        let proofs = Options {
            refine: Refinement::Proofs,
            ..default.clone()
        };
        let large_cores = Options {
            mus_attempts: 0,
            ..default.clone()
        };
        for options in [default, proofs, large_cores] {
            check("sat/lia/half-by-two-calls.smt2", &options, "sat");
            if granularity == Granularity::Conjuncts {
                // Without preprocessing, the counter and its bound are to be left out of conditions
                // as well.
                check("sat/lia/spacer-fig2.smt2", &options, "sat");
            }
        }
    }
}

/// Section 5: loops are counted; their bounds rise together, or only where lemmas are not
/// inductive.
#[test]
fn counted_loops() {
    for raise in [Raise::All, Raise::Failing] {
        let options = Options {
            bounding: Bounding::Counters,
            raise,
            ..Options::default()
        };
        let table = [
            ("sat/lia/spacer-fig2.smt2", "sat"),
            // Loops in loops, and recursion.
            ("sat/lia/nested-loops-count.smt2", "sat"),
            ("sat/lia/mccarthy91.smt2", "sat"),
            ("unsat/lia/binary-tree-of-doublings.smt2", "unsat"),
            // No loop.
            ("unsat/lia/diamond-chain.smt2", "unsat"),
        ];
        for (file, expected) in table {
            check(file, &options, expected);
        }
    }
}

/// Without patience searches of abstractions are given up, and the answers stay the same.
#[test]
fn abstractions_that_are_given_up() {
    let options = Options {
        patience: 0,
        ..Options::default()
    };
    let table = [
        ("sat/lia/half-by-two-calls.smt2", "sat"),
        ("sat/lia/nested-loops-count.smt2", "sat"),
        ("unsat/lia/binary-tree-of-doublings.smt2", "unsat"),
        ("unsat/lia/fibonacci-of-9.smt2", "unsat"),
        ("sat/lra/fischer-two.smt2", "sat"),
    ];
    let steps = table.map(|(file, expected)| check(file, &options, expected));
    let given_up = |s: &&Step| matches!(s.outcome, IterationOutcome::GivenUp);
    let number = steps.iter().flatten().filter(given_up).count();
    assert!(number > 0, "no search is given up");
}

/// Refutations, linear and not, deep and shallow; and systems without loops.
#[test]
fn other_systems() {
    let table = [
        ("unsat/lia/parity-broken-once.smt2", "unsat"),
        ("unsat/lia/spacer-fig2-negation-reachable.smt2", "unsat"),
        ("unsat/lia/fibonacci-of-9.smt2", "unsat"),
        ("sat/lia/half-by-two-calls.smt2", "sat"),
        ("sat/lra/fischer-two.smt2", "sat"),
    ];
    for (file, expected) in table {
        check(file, &Options::default(), expected);
    }
}
