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

/// Bounded unrolling goes first, for this part of the time, and this long at most: shallow refutations are where it is
/// quick and property-directed reachability may lose its way.
const BMC_PART: u32 = 8;
const BMC_TIME: Duration = Duration::from_secs(3);

/// Preprocesses, runs the engine that the options name, and lifts its certificate back.
pub(super) fn run(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    match options.engine {
        Engine::Pdr => pdr::solve(system, &options.pdr, context),
        Engine::Bmc => bmc::solve(system, &options.bmc, context),
        Engine::Auto => {
            let left = context.limit.remaining();
            let time = left.map_or(BMC_TIME, |left| (left / BMC_PART).min(BMC_TIME));
            let short = Context {
                limit: context.limit.within(time),
                ..context.clone()
            };
            match bmc::solve(system, &options.bmc, &short) {
                Answer::Unknown(unknown) => {
                    log::info!("bmc: {}", unknown.reason);
                    let answer = pdr::solve(system, &options.pdr, context);
                    merge(Answer::Unknown(unknown), answer).unwrap_or_else(Answer::from)
                }
                verdict => verdict,
            }
        }
    }
}
