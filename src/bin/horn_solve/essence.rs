//! What matters of an answer: the clauses of a proof, and the part of a model that is needed.

use horn::certify::{ModelError, check_model};
use horn::chc::{Answer, ClauseId, Fact, Model, PredId, System};
use horn::gate::{Needed, needed};
use horn::smt::{Backend, Limit};
use horn::term::{Terms, quote_symbol};
use horn::transform::Tools;
use horn::work;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The budget, in ticks, of the search for a clause that does not follow. The value was not tuned.
const TICKS: u64 = work::milliseconds(100);

/// What is needed of a model, with the model checked; `None`, with a warning, where the limit
/// leaves no time for that.
pub(crate) fn needed_of(tools: &Tools<'_>, system: &System, model: &Model) -> Option<Needed> {
    let backend = tools.backend.proving();
    let check = |needed: Needed| {
        let mut solver = || backend.solver(tools.terms, "check");
        let checked = check_model(
            tools.terms,
            system,
            &needed.model,
            &mut solver,
            &tools.limit,
        );
        checked.map(|()| needed).map_err(|why| why.to_string())
    };
    needed(tools, system, model)
        .map_err(|why| why.to_string())
        .and_then(check)
        .inspect_err(|why| log::warn!("what is needed of the model was not found: {why}"))
        .ok()
}

/// The clauses of a proof, and the predicates about which nothing is derivable. Without knowledge
/// of what a model needs all clauses may matter.
pub(crate) fn names(
    answer: &Answer,
    system: &System,
    needed: Option<&Needed>,
) -> (Vec<ClauseId>, Vec<PredId>) {
    match (answer, needed) {
        (Answer::Sat(_), Some(needed)) => (needed.clauses.clone(), needed.underivable.clone()),
        (Answer::Sat(_), None) => (system.clause_ids().collect(), Vec::new()),
        (Answer::Unsat(refutation), _) => {
            let used: BTreeSet<ClauseId> =
                refutation.facts.iter().flat_map(Fact::clauses).collect();
            (used.into_iter().collect(), Vec::new())
        }
        (Answer::Unknown(_), _) => (Vec::new(), Vec::new()),
    }
}

/// Writes `(core …)` with the names of the clauses and `(underivable …)` with those of the
/// predicates.
pub(crate) fn write(
    out: &mut dyn Write,
    t: &Terms,
    system: &System,
    (clauses, underivable): (Vec<ClauseId>, Vec<PredId>),
) -> io::Result<()> {
    write!(out, "(core")?;
    for id in clauses {
        write!(out, " {}", quote_symbol(&system.clause_label(t, id)))?;
    }
    write!(out, ")\n(underivable")?;
    for pred in underivable {
        write!(out, " {}", quote_symbol(system.pred_name(t, pred)))?;
    }
    writeln!(out, ")")
}

/// The first clause that does not hold in an interpretation of the predicates, with values of its
/// variables; `None` if all hold, or if this is not decided quickly.
pub(crate) fn first_failing(
    t: &Terms,
    system: &System,
    candidate: &Model,
    backend: &Backend,
) -> Option<String> {
    let mut solver = || backend.solver(t, "candidate");
    let limit = Limit::none().part(TICKS);
    match check_model(t, system, candidate, &mut solver, &limit) {
        Err(refused @ ModelError::Refused { .. }) => Some(refused.to_string()),
        _ => None,
    }
}
