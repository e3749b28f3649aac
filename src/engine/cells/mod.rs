//! Array programs by cells: D. Monniaux, L. Gonnord, *Cell Morphing: From Array Programs to Array-Free Horn Clauses* (SAS 2016),
//! \[MG16\].
//!
//! A predicate of an array says nothing of the array but what it says of some of its cells, one by one (`abstraction`):
//!
//! ```text
//! P(x, a)  ⟺  ∀ i. P'(x, i, a[i])
//! ```
//!
//! A clause that derives `P(x, a)` derives `P'(x, i, a[i])` for an `i` of its own; of a premise `P(x, a)` it has `P'(x, j, a[j])`
//! for the indices `j` that the clause reads. What is left of arrays are reads within a clause, which variables stand for (`reads`).
//! So the new system is one over numbers, to be solved by property-directed reachability after preprocessing, and a model of it is one with
//! universal quantifiers of the system itself.
//!
//! The new system derives more than the old one: premises are taken at finitely many indices, and nothing is known of cells together. So
//! where it derives `false`, cells are taken two at a time, which is what says that an array is sorted; then the engine gives up. It
//! never answers `unsat`.
//!
//! DIVERGENCE: the paper takes premises at the index of the conclusion and at those read; here also at those that equations between arrays
//! carry over, and of all tuples of indices at the first [`Options::instances`]. Arrays of arrays are
//! treated from the outside to the inside, the cells of the outer being arrays of the next round.

mod abstraction;
mod reads;

use super::option::declare_options;
use super::{Context, Progress, pdr};
use crate::chc::{Answer, Model, Predicate, System, Unknown, UnknownReason};
use crate::term::Terms;
use crate::transform::{self, Tools, preprocess};
use abstraction::Abstraction;

declare_options! {
    /// Options of the search by cells of arrays.
    pub struct Options {
        /// Look at up to this many cells of an array together, if one at a time does not suffice.
        cells: u32 = 2, in 0..=16, from "MG16";
        /// Use a premise at up to this many indices or tuples of indices.
        instances: u32 = 16, in 0..=1000000;
    }
    uses {
        /// For the system without arrays.
        pdr: pdr::Options = pdr::Options::default();
    }
}

/// Arrays are arrays of arrays to this depth: the cells of what is deeper stay arrays, of which the search then knows what any
/// search does.
const ROUNDS: usize = 4;

/// Has a predicate of the system an array whose cells can be looked at?
pub fn suits(t: &Terms, system: &System) -> bool {
    let sorts = |pred: &Predicate| t.func(pred.func).params.clone();
    let mut sorts = system.preds.iter().flat_map(sorts);
    sorts.any(|sort| abstraction::has_cells(t, sort))
}

/// Looks for a model whose formulas speak of arrays cell by cell.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let mut unknown = Unknown::new(UnknownReason::Incomplete(
        "no predicate has an array whose cells can be looked at".to_owned(),
    ));
    if !suits(context.terms, system) {
        return Answer::Unknown(unknown);
    }
    for cells in 1..=options.cells {
        match by_cells(system, cells, options, context) {
            Ok(model) => return Answer::Sat(model),
            Err(next) => unknown = next,
        }
        if !matches!(unknown.reason, UnknownReason::Incomplete(_)) {
            break;
        }
    }
    Answer::Unknown(unknown)
}

/// A model that speaks of so many cells of an array together.
fn by_cells(
    system: &System,
    cells: u32,
    options: &Options,
    context: &Context<'_>,
) -> Result<Model, Unknown> {
    let t = context.terms;
    let mut rounds: Vec<Abstraction> = Vec::new();
    let mut current = system.clone();
    while rounds.len() < ROUNDS && suits(t, &current) {
        let abstraction = Abstraction::new(t, &current, cells as usize);
        current = abstraction.system(t, &current, options.instances as usize);
        rounds.push(abstraction);
    }
    let mut model = model_without_arrays(&current, options, context)?;
    for abstraction in rounds.iter().rev() {
        model = abstraction.model(t, model);
    }
    Ok(model)
}

/// A model of an abstraction.
fn model_without_arrays(
    system: &System,
    options: &Options,
    context: &Context<'_>,
) -> Result<Model, Unknown> {
    let tools = Tools {
        terms: context.terms,
        backend: context.backend,
        limit: context.limit.clone(),
    };
    let prepared = preprocess(&tools, system, &transform::Options::default());
    let progress = |progress: &Progress| {
        (context.progress)(&Progress {
            engine: "cells",
            ..progress.clone()
        });
    };
    let inner = Context {
        invariants: None,
        progress: &progress,
        ..context.clone()
    };
    let found = match pdr::solve(prepared.system(system), &options.pdr, &inner) {
        Answer::Unsat(_) => {
            let why = "what is known cell by cell does not suffice".to_owned();
            return Err(Unknown::new(UnknownReason::Incomplete(why)));
        }
        found => found,
    };
    match prepared.lift(&tools, system, found) {
        Ok(Answer::Sat(model)) => Ok(model),
        Ok(Answer::Unsat(_)) => unreachable!("a lift keeps the verdict"),
        // A derivation of the system is one of the abstraction; what holds there speaks of other predicates.
        Ok(Answer::Unknown(unknown)) => Err(Unknown {
            invariants: None,
            ..unknown
        }),
        Err(failure) => Err(Unknown::new(failure.into())),
    }
}
