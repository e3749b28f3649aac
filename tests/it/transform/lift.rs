//! Solves a system by way of passes, and checks what comes back.

use crate::certified::{context, is_certified};
use horn::chc::{Answer, System};
use horn::engine::{Context, bmc, pdr};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Limit};
use horn::term::Terms;
use horn::transform::{Options, Pass, Tools, preprocess};

/// Unrolling goes first, to this height.
const BMC_DEPTH: u32 = 6;

/// What came of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SatResult {
    /// A model was taken back and accepted.
    Sat,
    /// A refutation was taken back and accepted.
    Unsat,
    /// The engines did not decide the preprocessed system.
    Open,
    /// A certificate was found and could not be taken back, which the caller of passes must expect.
    NotLifted,
}

/// The embedded core, and an external solver, if there is one, for the rest.
pub(crate) fn backend() -> Backend {
    let options = ProcessOptions::default();
    Backend::choose(None, options).expect("a back end").0
}

/// Each pass alone, then all.
pub(crate) fn pipelines() -> Vec<Options> {
    let single = |pass| Options {
        passes: vec![pass],
        ..Options::default()
    };
    let all = Options::default().with(Pass::Prune).with(Pass::Accelerate);
    Pass::ALL.into_iter().map(single).chain([all]).collect()
}

fn engines(system: &System, context: &Context<'_>) -> Answer {
    let bounded = bmc::Options {
        max_depth: BMC_DEPTH,
        ..bmc::Options::default()
    };
    match bmc::solve(system, &bounded, context) {
        Answer::Unknown(_) => pdr::solve(system, &pdr::Options::default(), context),
        answer => answer,
    }
}

/// Preprocesses, solves, takes the certificate back step by step; it must be right for the system
/// before each step. The limit is for all of that but preprocessing.
///
/// # Errors
/// A certificate is refused: by which step it became wrong, and why.
pub(crate) fn solve(
    t: &Terms,
    original: &System,
    options: &Options,
    backend: &Backend,
    limit: &Limit,
) -> Result<SatResult, String> {
    let tools = Tools {
        terms: t,
        backend,
        limit: Limit::none(),
    };
    let prepared = preprocess(&tools, original, options);
    let context = context(t, backend).within(limit.clone());
    let mut answer = engines(prepared.system(original), &context);
    let tools = Tools {
        terms: t,
        backend,
        limit: limit.clone(),
    };
    if !is_certified(t, prepared.system(original), &answer, backend, limit)? {
        return Ok(SatResult::Open);
    }
    for stage in (0..prepared.stages.len()).rev() {
        let pass = prepared.stages[stage].pass;
        answer = match prepared.lift_stage(&tools, original, stage, answer) {
            Ok(lifted) => lifted,
            Err(failure) => {
                println!("{failure}");
                return Ok(SatResult::NotLifted);
            }
        };
        let system = prepared.system_before(original, stage);
        match is_certified(t, system, &answer, backend, limit) {
            Ok(true) => {}
            Ok(false) => return Ok(SatResult::Open),
            Err(why) => return Err(format!("{pass}: {why}")),
        }
    }
    Ok(match answer {
        Answer::Sat(_) => SatResult::Sat,
        Answer::Unsat(_) => SatResult::Unsat,
        Answer::Unknown(_) => SatResult::Open,
    })
}
