//! Large blocks: `blk` at loop heads.
//!
//! Inside of a block the paper's path formula φ grows by strongest postconditions, and `merge`
//! disjoins the formulas of paths that meet. Over Horn clauses that is resolution of rules on the
//! predicates inside of blocks, and disjunction of parallel rules.
//!
//! DIVERGENCE: the paper adjusts blocks while it explores \[BKW10\]. Here they are fixed before, by
//! the passes that eliminate predicates and join clauses \[BCGKS09\].

use crate::chc::{Answer, System};
use crate::engine::{Context, through};
use crate::transform::{Options, Pass, preprocess};

/// Predicates are eliminated, and clauses joined, this number of times: what one does makes more
/// for the other. The value was not tuned.
const ROUNDS: u32 = 8;

/// Has `inner` decide the system of large blocks, and takes its answer back.
pub(in crate::engine) fn large(
    engine: &'static str,
    system: &System,
    context: &Context<'_>,
    inner: impl FnOnce(&System, &Context<'_>) -> Answer,
) -> Answer {
    let passes = Options {
        passes: vec![Pass::Inline, Pass::Merge],
        rounds: ROUNDS,
    };
    let blocks = preprocess(context, system, &passes);
    through(engine, &blocks, system, context, inner)
}
