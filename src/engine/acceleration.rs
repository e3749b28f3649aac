//! Acceleration: SPACER over a system with clauses for many iterations of a loop at a time.
//!
//! The pass `accelerate` of `transform` adds the transitive closure of each loop that it can
//! accelerate \[FG23\]. Refutations through loops with many iterations become short, and invariants
//! that hold between two phases of the loop follow in few steps. The new clauses follow from the
//! old ones, so verdicts and models carry over. Refutations are written out step by step.
//!
//! The inner engine is SPACER. Property-directed reachability alone requeues obligations at higher
//! levels until they are blocked, and may choose single steps for ever where short and long steps
//! lead to the same states.

use super::option::declare_options;
use super::{Context, spacer, through_pass};
use crate::chc::{Answer, System};
use crate::term::Terms;
use crate::transform::{Pass, has_counting_loop};

declare_options! {
    /// Options of the search with accelerated loops.
    pub struct Options {}
    uses {
        /// For the accelerated system.
        spacer: spacer::Options = spacer::Options::default();
    }
}

/// Might the engine find a loop to accelerate?
pub fn suits(t: &Terms, system: &System) -> bool {
    has_counting_loop(t, system)
}

/// Decides a system some of whose loops count.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let unchanged = "no loop was accelerated";
    through_pass(
        "acceleration",
        Pass::Accelerate,
        unchanged,
        system,
        context,
        |new, context| {
            let added = new.clauses.len() - system.clauses.len();
            log::info!("{added} clauses of many steps");
            spacer::solve(new, &options.spacer, context)
        },
    )
}
