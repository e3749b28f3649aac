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
use super::{Context, spacer, through};
use crate::chc::{Answer, Clause, System, Unknown, UnknownReason};
use crate::term::Terms;
use crate::transform::{self, Pass, has_counting_loop, preprocess};

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
    let accelerate = transform::Options {
        passes: vec![Pass::Accelerate],
        rounds: 1,
    };
    let accelerated = preprocess(context, system, &accelerate);
    // Passes may have decided that nothing leads to `false`. Then there is nothing to search.
    let has_query = system.clauses.iter().any(Clause::is_query);
    if accelerated.stages.is_empty() && has_query {
        let none = UnknownReason::Incomplete("no loop was accelerated".to_owned());
        let stopped = context.limit.check().err().map(UnknownReason::from);
        return Answer::Unknown(Unknown::new(stopped.unwrap_or(none)));
    }
    let new = accelerated.system(system).clauses.len() - system.clauses.len();
    log::info!("{new} clauses of many steps");
    through(
        "acceleration",
        &accelerated,
        system,
        context,
        |new, context| spacer::solve(new, &options.spacer, context),
    )
}
