//! The way of a system to an answer: preprocess, run an engine, lift the certificate back, have it
//! checked.
//!
//! If a pass of preprocessing cannot take a certificate back, or takes it back wrongly, the system
//! is solved again without that pass, in the remaining time; `auto` gives its short turns (`relay`)
//! or the other threads (`race`) the chance of another certificate first. If the engine gives up
//! on the preprocessed system, the original is tried. So preprocessing never loses a verdict,
//! except by taking time.

use super::choice::Choice;
use super::outcome::{SearchOutcome, is_own, merge_unknown};
use super::race::race;
use super::relay::relay;
use super::run::SearchRun;
use crate::chc::{Answer, System, Unknown, UnknownReason};
use crate::engine::EngineSpec;
use crate::gate::{Check, Judgement, panic_message};
use crate::smt::Limit;
use crate::transform::{self, Preprocessed, Tools, preprocess};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Did an engine stop, with time left, for a reason that may lie in the system? Bounded unrolling
/// alone would stop again.
fn gives_up(run: &SearchRun<'_>, reason: &UnknownReason) -> bool {
    let could_find_models = match run.options.engine {
        Choice::Auto => true,
        Choice::One(engine) => engine.finds.models(),
    };
    is_own(reason) && could_find_models && run.limit.check().is_ok()
}

/// Preprocesses the system of a run, by no other passes than its options name.
type Preprocess<'a> = dyn Fn(&transform::Options) -> Preprocessed + 'a;

/// Solves the system of a run, without a pass of preprocessing if need be.
pub(super) fn solve(run: &SearchRun<'_>) -> Judgement {
    solve_by(run, &|passes| {
        let backend = run.backend.for_client("preprocess");
        let tools = Tools::new(run.t, &backend, run.limit.clone());
        preprocess(&tools, run.system, passes)
    })
}

/// As [`solve`], with this function for preprocessing.
fn solve_by(run: &SearchRun<'_>, preprocess: &Preprocess<'_>) -> Judgement {
    let mut passes = run.options.preprocess.clone();
    let unknown = loop {
        let prepared = prepare(run, &passes, preprocess);
        match search(run, &prepared) {
            SearchOutcome::Judged(judged) => return judged,
            SearchOutcome::Without(culprit) => {
                log::info!("solving again without the pass {culprit}");
                passes = passes.without(culprit);
            }
            SearchOutcome::Open(unknown) => {
                let unknown = without_verdict(run, &prepared, unknown);
                if prepared.stages.is_empty() || !gives_up(run, &unknown.reason) {
                    return run.judge(Answer::Unknown(unknown), &run.limit);
                }
                break unknown;
            }
        }
    };
    log::info!("{}: solving again without preprocessing", unknown.reason);
    let original = Preprocessed::nothing();
    match search(run, &original) {
        SearchOutcome::Judged(judged) => judged,
        SearchOutcome::Open(again) => {
            let again = without_verdict(run, &original, again);
            run.judge(Answer::Unknown(merge_unknown(unknown, again)), &run.limit)
        }
        // No pass is to blame, since none was applied.
        SearchOutcome::Without(_) => run.judge(Answer::Unknown(unknown), &run.limit),
    }
}

/// Runs the engines, takes their answer back and judges it.
fn search(run: &SearchRun<'_>, prepared: &Preprocessed) -> SearchOutcome {
    let system = prepared.system(run.system);
    let settle = |found, limit: &Limit| settle(run, prepared, found, limit);
    match run.options.engine {
        Choice::Auto if run.options.jobs.count() > 1 => {
            // If the engines give up on the preprocessed system, the original is tried.
            let again = !prepared.stages.is_empty();
            race(run, system, again, &settle)
        }
        Choice::Auto => relay(run, system, &settle),
        Choice::One(engine) => settle(alone(run, system, engine), &run.limit),
    }
}

/// The answer of an engine that runs alone. It has a board if invariants are wanted.
fn alone(run: &SearchRun<'_>, system: &System, engine: &EngineSpec) -> Answer {
    let board = run.options.invariants.then(|| run.board(system));
    let limit = run.engine_limit();
    let mut found = run.find(&limit, board.as_ref(), &|context| {
        engine.solve(system, &run.options.settings, context)
    });
    if let Some(board) = board
        && let Answer::Unknown(unknown) = &mut found
    {
        // Half of what is left is for taking the invariants back.
        let limit = run.limit_after_search().share(2, u64::MAX);
        board.admit(&Tools::new(run.t, run.backend, limit));
        unknown.invariants = board.contents();
    }
    found
}

/// Takes an engine's answer about a preprocessed system back and judges it.
fn settle(
    run: &SearchRun<'_>,
    prepared: &Preprocessed,
    found: Answer,
    limit: &Limit,
) -> SearchOutcome {
    if let Answer::Unknown(unknown) = found {
        return SearchOutcome::Open(unknown);
    }
    if prepared.stages.is_empty() {
        return SearchOutcome::Judged(run.judge(found, limit));
    }
    let judged = match run.lift(prepared, found.clone(), limit) {
        Err(culprit) => return SearchOutcome::Without(culprit),
        Ok(answer) => run.judge(answer, limit),
    };
    match &judged.check {
        Check::Refused(_) => match run.gate().blame(prepared, found, limit) {
            Some(culprit) => SearchOutcome::Without(culprit),
            None => SearchOutcome::Judged(judged),
        },
        _ => SearchOutcome::Judged(judged),
    }
}

/// The preprocessed system; the system itself if preprocessing fails.
fn prepare(
    run: &SearchRun<'_>,
    passes: &transform::Options,
    preprocess: &Preprocess<'_>,
) -> Preprocessed {
    let started = Instant::now();
    let prepared = catch_unwind(AssertUnwindSafe(|| preprocess(passes))).unwrap_or_else(|panic| {
        log::warn!("preprocessing failed: {}", panic_message(&*panic));
        Preprocessed::nothing()
    });
    for pass in prepared.runs.iter().filter(|pass| pass.changed) {
        log::info!("{pass}");
    }
    let mut stats = run.stats.borrow_mut();
    stats.preprocess_time += started.elapsed();
    stats.passes.extend(prepared.runs.iter().cloned());
    prepared
}

/// The result for the original system if the engines did not decide the preprocessed one.
fn without_verdict(run: &SearchRun<'_>, prepared: &Preprocessed, mut unknown: Unknown) -> Unknown {
    let found = unknown.invariants.take();
    if run.options.invariants {
        unknown.invariants = (run.gate()).take_back(prepared, found, &run.limit_after_search());
    }
    unknown
}

// The public interface applies the passes of the table, whose ways back are right. What engines do
// is tested in `tests/it/portfolio.rs`.
#[cfg(test)]
mod tests {
    use super::super::fixture::{SAFE, with_run};
    use super::*;
    use crate::chc::{Model, Refutation};
    use crate::term::Term;
    use crate::transform::{Lift, LiftError, Pass, Stage, Transformed};

    /// A faulty way back.
    #[derive(Clone, Copy)]
    enum Faulty {
        Fails,
        Panics,
        /// Makes every interpretation true, every refutation empty.
        Lies,
    }

    impl Lift for Faulty {
        fn model(&self, _: &Tools<'_>, _: &System, mut model: Model) -> Result<Model, LiftError> {
            match self {
                Faulty::Panics => panic!("a bug"),
                Faulty::Fails => Err(LiftError::Interpretation {
                    pred: "p".to_owned(),
                    why: "no idea".to_owned(),
                }),
                Faulty::Lies => {
                    model
                        .interpretations
                        .iter_mut()
                        .for_each(|i| i.body = Term::TRUE);
                    Ok(model)
                }
            }
        }

        fn refutation(
            &self,
            _: &Tools<'_>,
            _: &System,
            _: Refutation,
        ) -> Result<Refutation, LiftError> {
            match self {
                Faulty::Panics => panic!("a bug"),
                Faulty::Fails => Err(LiftError::Values {
                    clause: "clause 0".to_owned(),
                    why: "no idea".to_owned(),
                }),
                Faulty::Lies => Ok(Refutation::default()),
            }
        }
    }

    /// The verdict if one pass has a faulty way back, and the number of times that the system was
    /// preprocessed.
    #[track_caller]
    fn check(text: &str, faulty: Faulty, expected: &str) {
        let tried = std::cell::Cell::new(0);
        let judged = with_run(text, |run| {
            let prepare = |passes: &transform::Options| {
                tried.set(tried.get() + 1);
                let mut prepared = Preprocessed::nothing();
                if passes.passes.contains(&Pass::Cone) {
                    let transformed = Transformed {
                        system: run.system.clone(),
                        lift: Box::new(faulty),
                    };
                    prepared.stages.push(Stage::new(Pass::Cone, transformed));
                }
                prepared
            };
            solve_by(run, &prepare)
        });
        assert!(matches!(judged.check, Check::Accepted));
        assert_eq!(judged.answer.verdict(), expected);
        assert_eq!(tried.get(), 2);
    }

    #[test]
    fn what_cannot_be_taken_back_is_solved_again() {
        let unsafe_ = SAFE.replace("(> x 5)", "(= x 3)");
        for faulty in [Faulty::Fails, Faulty::Panics, Faulty::Lies] {
            check(SAFE, faulty, "sat");
            check(&unsafe_, faulty, "unsat");
        }
    }

    #[test]
    fn preprocessing_that_panics_is_left_out() {
        let judged = with_run(SAFE, |run| solve_by(run, &|_| panic!("a bug")));
        assert_eq!(judged.answer.verdict(), "sat");
    }
}
