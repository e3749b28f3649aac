//! Reductions: engines that have another engine search in a system that passes made.

use super::{Context, Progress};
use crate::chc::{Answer, Clause, System, Unknown, UnknownReason};
use crate::transform::{self, Pass, Preprocessed, preprocess};
use std::iter::zip;

/// Has `inner` decide what passes made of `system`, and takes its answer back.
///
/// Progress has the name `engine`. The answer is about `system`; it is `unknown` where the passes
/// cannot take a certificate back.
///
/// The board of the context is passed on to `inner` where the passes keep the predicates. They must
/// not make anything derivable then that was not so before. What `inner` publishes is checked
/// against the board's system.
pub fn through(
    engine: &'static str,
    prepared: &Preprocessed,
    system: &System,
    context: &Context<'_>,
    inner: impl FnOnce(&System, &Context<'_>) -> Answer,
) -> Answer {
    let new = prepared.system(system);
    let progress = |progress: &Progress| {
        (context.progress)(&Progress {
            engine,
            ..progress.clone()
        });
    };
    let inside = Context {
        board: context.board.filter(|_| same_predicates(new, system)),
        progress: &progress,
        ..context.clone()
    };
    let found = inner(new, &inside);
    let lifted = prepared.lift(context, system, found);
    lifted.unwrap_or_else(|failure| Answer::Unknown(Unknown::new(failure.into())))
}

/// As [`through`], for what one pass makes of `system`. Where the pass changes nothing the answer
/// is `unknown`, for the reason `unchanged`, unless there is no query and so nothing to search for.
pub fn through_pass(
    engine: &'static str,
    pass: Pass,
    unchanged: &str,
    system: &System,
    context: &Context<'_>,
    inner: impl FnOnce(&System, &Context<'_>) -> Answer,
) -> Answer {
    let passes = vec![pass];
    let changed = preprocess(context, system, &transform::Options { passes, rounds: 1 });
    let has_query = system.clauses.iter().any(Clause::is_query);
    if changed.stages.is_empty() && has_query {
        let unchanged = UnknownReason::Incomplete(unchanged.to_owned());
        let stopped = context.limit.check().err().map(UnknownReason::from);
        return Answer::Unknown(Unknown::new(stopped.unwrap_or(unchanged)));
    }
    through(engine, &changed, system, context, inner)
}

/// Do both systems have the same predicates, in the same order?
fn same_predicates(a: &System, b: &System) -> bool {
    a.preds.len() == b.preds.len() && zip(&a.preds, &b.preds).all(|(a, b)| a.func == b.func)
}
