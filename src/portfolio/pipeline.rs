//! The way of a system to an answer: preprocess, run an engine, lift the certificate back.

use super::{Options, merge};
use crate::chc::{Answer, System};
use crate::engine::{Context, bmc, pdr};
use std::time::Duration;

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
}

/// The turns of `auto`, in parts of the time that is left at the beginning: first a glance by bounded unrolling, since shallow refutations
/// are where it is quick; then property-directed reachability; then what that has left, since some refutations that are not so
/// shallow are found by unrolling only. Measured on samples of CHC-COMP 2025: most systems that property-directed
/// reachability decides at all it decides in seconds, so a long first turn of bounded unrolling delays everything.
const TURNS: [(Engine, f64); 3] = [
    (Engine::Bmc, 0.02),
    (Engine::Pdr, 0.75),
    (Engine::Bmc, 0.23),
];
/// The first turn takes at most so long.
const GLANCE: Duration = Duration::from_millis(400);
/// The time that turns are parts of where there is no limit; the last engine then goes on without one.
const UNLIMITED: Duration = Duration::from_secs(60);

/// Preprocesses, runs the engine that the options name, and lifts its certificate back.
pub(super) fn run(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    match options.engine {
        Engine::Auto => take_turns(system, options, context),
        engine => run_engine(engine, system, options, context),
    }
}

fn run_engine(engine: Engine, system: &System, options: &Options, context: &Context<'_>) -> Answer {
    match engine {
        Engine::Bmc => bmc::solve(system, &options.bmc, context),
        Engine::Pdr | Engine::Auto => pdr::solve(system, &options.pdr, context),
    }
}

fn take_turns(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let all = context.limit.remaining();
    let mut answer: Option<Answer> = None;
    // Without a limit property-directed reachability has the last turn, for as long as it takes.
    let last = all.is_none().then_some((Engine::Pdr, None));
    let turns = TURNS
        .into_iter()
        .enumerate()
        .map(|(number, (engine, part))| {
            let time = all.unwrap_or(UNLIMITED).mul_f64(part);
            (
                engine,
                Some(if number == 0 { time.min(GLANCE) } else { time }),
            )
        });
    for (engine, time) in turns.chain(last) {
        let limit = time.map(|time| context.limit.within(time));
        let turn = Context {
            limit: limit.unwrap_or_else(|| context.limit.clone()),
            ..context.clone()
        };
        let found = run_engine(engine, system, options, &turn);
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
