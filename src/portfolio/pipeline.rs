//! The way of a system to an answer: preprocess, run an engine, lift the certificate back, have it checked.
//!
//! Where a pass of preprocessing cannot take a certificate back, or takes it back wrongly, the system is solved again without
//! that pass, in the time that is left; where the engine gives up on the preprocessed system, the original is tried. So
//! preprocessing never loses a verdict that could be had without it, but for time.

use super::certificate::{Judgement, refusal};
use super::invariants::{inductive, take_back};
use super::{Check, Options, Run, merge, panic_message};
use crate::chc::{Answer, Model, System, Unknown, UnknownReason};
use crate::engine::{Context, bmc, kind, pdr, spacer};
use crate::transform::{self, Pass, Preprocessed, Tools, preprocess};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The choice is the program's.
    #[default]
    Auto,
    /// Property-directed reachability.
    Pdr,
    /// Bounded unrolling: finds refutations, never models.
    Bmc,
    /// k-induction, of systems whose clauses have one premise at most.
    Kind,
    /// Proof-based abstraction and counterexample-guided refinement.
    Spacer,
}

/// The turns of `auto`, in parts of the time that is left at the beginning: first a glance by bounded unrolling, since shallow
/// refutations are where it is quick, and by k-induction, since what needs no other invariant than the query it decides at
/// once; then property-directed reachability; then SPACER, whose bounded questions and abstractions find some invariants that
/// the former misses; then k-induction with the invariants that they found, and what unrolling has left, since some refutations that are
/// not so shallow are found by it only. Measured on samples of CHC-COMP 2025: most systems that property-directed reachability
/// decides at all it decides in seconds, so a long first turn of anything else delays everything.
///
/// SPACER has two turns, one for each kind of bounds: more is decided with bounded heights, other things with bounded loops.
const TURNS: [Turn; 7] = [
    Turn {
        at_most: Duration::from_millis(400),
        ..Turn::of(Engine::Bmc, 0.02)
    },
    Turn {
        at_most: Duration::from_secs(2),
        ..Turn::of(Engine::Kind, 0.05)
    },
    Turn::of(Engine::Pdr, 0.57),
    Turn::of(Engine::Spacer, 0.12),
    Turn {
        bounding: Some(spacer::Bounding::Counters),
        ..Turn::of(Engine::Spacer, 0.08)
    },
    Turn::of(Engine::Kind, 0.04),
    Turn::of(Engine::Bmc, 0.12),
];

/// A turn of an engine.
struct Turn {
    engine: Engine,
    /// This part of the time,
    part: f64,
    /// but no more than that.
    at_most: Duration,
    /// What SPACER bounds, where that is not as the options say.
    bounding: Option<spacer::Bounding>,
}

impl Turn {
    const fn of(engine: Engine, part: f64) -> Turn {
        Turn {
            engine,
            part,
            at_most: Duration::MAX,
            bounding: None,
        }
    }

    /// The options for the turn.
    fn options(&self, options: &Options) -> Options {
        let mut options = options.clone();
        options.spacer.bounding = self.bounding.unwrap_or(options.spacer.bounding);
        options
    }

    /// The time of the turn, where there is so much for all.
    fn time(&self, all: Duration) -> Duration {
        all.mul_f64(self.part).min(self.at_most)
    }
}

/// The time that turns are parts of where there is no limit; the last engine then goes on without one.
const UNLIMITED: Duration = Duration::from_secs(60);

/// Lifting may take this part of the time that is left: a system that can only be solved anew needs the rest.
const LIFT_PART: u32 = 2;

/// Did an engine stop for a reason that may be the system's, with time left? Unrolling alone would stop again.
fn gives_up(run: &Run<'_>, reason: &UnknownReason) -> bool {
    let own = matches!(
        reason,
        UnknownReason::Incomplete(_) | UnknownReason::Unsupported(_) | UnknownReason::Solver(_)
    );
    own && run.options.engine != Engine::Bmc && run.limit.check().is_ok()
}

/// What preprocesses the system of a run, by the passes of its options at most.
type Preprocess<'a> = dyn Fn(&transform::Options) -> Preprocessed + 'a;

/// Solves the system of a run, without a pass of preprocessing if need be.
pub(super) fn solve(run: &Run<'_>) -> Judgement {
    solve_by(run, &|passes| {
        let tools = Tools {
            terms: run.t,
            backend: run.backend,
            limit: run.limit.clone(),
        };
        preprocess(&tools, run.system, passes)
    })
}

/// As [`solve`], with this for preprocessing.
fn solve_by(run: &Run<'_>, preprocess: &Preprocess<'_>) -> Judgement {
    let mut passes = run.options.preprocess.clone();
    loop {
        let prepared = prepare(run, &passes, preprocess);
        let system = prepared.system(run.system);
        let found = run.find(&|context| engines(system, run.options, context));
        if let Answer::Unknown(unknown) = found {
            let unknown = without_verdict(run, &prepared, unknown);
            if prepared.stages.is_empty() || !gives_up(run, &unknown.reason) {
                return run.judge(Answer::Unknown(unknown));
            }
            log::info!("{}: solving again without preprocessing", unknown.reason);
            let found = run.find(&|context| engines(run.system, run.options, context));
            return run.judge(merge(Answer::Unknown(unknown), found).unwrap_or_else(Answer::from));
        }
        if prepared.stages.is_empty() {
            return run.judge(found);
        }
        let culprit = match lift(run, &prepared, found.clone()) {
            Err(culprit) => culprit,
            Ok(answer) => {
                let judged = run.judge(answer);
                match &judged.check {
                    Check::Refused(_) => match blame(run, &prepared, found) {
                        Some(culprit) => culprit,
                        None => return judged,
                    },
                    _ => return judged,
                }
            }
        };
        log::info!("solving again without the pass {culprit}");
        passes = passes.without(culprit);
    }
}

/// The system, preprocessed; unchanged if that goes wrong.
fn prepare(
    run: &Run<'_>,
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

/// What is known of the original system where the engines did not decide the preprocessed one.
fn without_verdict(run: &Run<'_>, prepared: &Preprocessed, mut unknown: Unknown) -> Unknown {
    let found = unknown.invariants.take();
    if run.options.invariants {
        unknown.invariants = take_back(run, prepared, found);
    }
    unknown
}

/// An answer about the original system. An error is the pass that could not take it back.
fn lift(run: &Run<'_>, prepared: &Preprocessed, found: Answer) -> Result<Answer, Pass> {
    let started = Instant::now();
    let mut stages = (0..prepared.stages.len()).rev();
    let lifted = stages.try_fold(found, |answer, stage| {
        lift_stage(run, prepared, stage, answer)
    });
    run.stats.borrow_mut().lift_time += started.elapsed();
    lifted
}

fn lift_stage(
    run: &Run<'_>,
    prepared: &Preprocessed,
    stage: usize,
    answer: Answer,
) -> Result<Answer, Pass> {
    let limit = &run.limit;
    let left = limit.remaining();
    let tools = Tools {
        terms: run.t,
        backend: run.backend,
        limit: left.map_or(limit.clone(), |left| limit.within(left / LIFT_PART)),
    };
    let work = || prepared.lift_stage(&tools, run.system, stage, answer);
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(failure)) => {
            log::info!("{failure}");
            Err(failure.pass)
        }
        Err(panic) => {
            let pass = prepared.stages[stage].pass;
            log::warn!("the pass {pass} failed: {}", panic_message(&*panic));
            Err(pass)
        }
    }
}

/// The pass that makes a wrong certificate from a right one; `None` where the engine's own is refused.
fn blame(run: &Run<'_>, prepared: &Preprocessed, found: Answer) -> Option<Pass> {
    let why =
        |system: &System, answer: &Answer| refusal(run.t, system, answer, run.backend, &run.limit);
    if let Some(why) = why(prepared.system(run.system), &found) {
        log::info!("the certificate for the preprocessed system is refused: {why}");
        return None;
    }
    let mut answer = found;
    for stage in (0..prepared.stages.len()).rev() {
        match lift_stage(run, prepared, stage, answer) {
            Err(pass) => return Some(pass),
            Ok(lifted) => answer = lifted,
        }
        if let Some(why) = why(prepared.system_before(run.system, stage), &answer) {
            let pass = prepared.stages[stage].pass;
            log::warn!("what the pass {pass} takes back is refused: {why}");
            return Some(pass);
        }
    }
    None
}

/// Runs the engine that the options name.
fn engines(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    match options.engine {
        Engine::Auto => take_turns(system, options, context),
        engine => run_engine(engine, system, options, context),
    }
}

fn run_engine(engine: Engine, system: &System, options: &Options, context: &Context<'_>) -> Answer {
    match engine {
        Engine::Bmc => bmc::solve(system, &options.bmc, context),
        Engine::Kind => kind::solve(system, &options.kind, context),
        Engine::Spacer => spacer::solve(system, &options.spacer, context),
        Engine::Pdr | Engine::Auto => pdr::solve(system, &options.pdr, context),
    }
}

fn take_turns(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let all = context.limit.remaining();
    let mut answer: Option<Answer> = None;
    // Invariants that an engine found are told to those after it.
    let mut known: Option<Model> = None;
    // Without a limit property-directed reachability has the last turn, for as long as it takes.
    let last = all.is_none().then(|| (Engine::Pdr, options.clone(), None));
    let turns = TURNS.iter().map(|turn| {
        let time = turn.time(all.unwrap_or(UNLIMITED));
        (turn.engine, turn.options(options), Some(time))
    });
    for (engine, options, time) in turns.chain(last) {
        let limit = time.map(|time| context.limit.within(time));
        let turn = Context {
            limit: limit.unwrap_or_else(|| context.limit.clone()),
            invariants: known.as_ref(),
            ..context.clone()
        };
        let mut found = run_engine(engine, system, &options, &turn);
        if let Answer::Unknown(unknown) = &mut found
            && let Some(model) = unknown.invariants.take()
        {
            let Context { terms, backend, .. } = *context;
            unknown.invariants = inductive(terms, system, model, backend, &context.limit);
            if unknown.invariants.is_some() {
                known.clone_from(&unknown.invariants);
            }
        }
        let merged = match answer {
            None => found,
            Some(before) => merge(before, found).unwrap_or_else(Answer::from),
        };
        match &merged {
            Answer::Unknown(unknown) => log::info!("{engine:?}: {}", unknown.reason),
            Answer::Sat(_) | Answer::Unsat(_) => return merged,
        }
        answer = Some(merged);
        if context.limit.check().is_err() {
            break;
        }
    }
    answer.expect("there is a turn")
}

#[cfg(test)]
mod tests {
    use super::super::{Control, Options, Stop};
    use super::*;
    use crate::chc::Refutation;
    use crate::smt::Backend;
    use crate::smt::native::NativeOptions;
    use crate::smtlib::{Source, read_system};
    use crate::term::{Term, Terms};
    use crate::transform::{Lift, LiftError, Stage, Transformed};

    const SAFE: &str = "(declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 5)) false)))";

    /// A way back that is none.
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

    /// The verdict where one pass has a faulty way back, and how often the system was preprocessed.
    #[track_caller]
    fn check(text: &str, faulty: Faulty, expected: &str) {
        let t = Terms::new();
        let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
        let backend = Backend::native(NativeOptions::for_engines());
        let (options, stop) = (Options::default(), Stop::new());
        let run = Run::new(&t, &system, &backend, &options, Control::new(&stop));
        let tried = std::cell::Cell::new(0);
        let prepare = |passes: &transform::Options| {
            tried.set(tried.get() + 1);
            let mut prepared = Preprocessed::nothing();
            if passes.passes.contains(&Pass::Cone) {
                let transformed = Transformed {
                    system: system.clone(),
                    lift: Box::new(faulty),
                };
                prepared.stages.push(Stage::new(Pass::Cone, transformed));
            }
            prepared
        };
        let judged = solve_by(&run, &prepare);
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
        let t = Terms::new();
        let system = read_system(&t, &Source::from_text("test", SAFE)).expect("it is right");
        let backend = Backend::native(NativeOptions::for_engines());
        let (options, stop) = (Options::default(), Stop::new());
        let run = Run::new(&t, &system, &backend, &options, Control::new(&stop));
        let judged = solve_by(&run, &|_| panic!("a bug"));
        assert_eq!(judged.answer.verdict(), "sat");
    }
}
