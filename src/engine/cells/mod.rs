//! Array programs by cells \[MG16\].
//!
//! A predicate of an array is interpreted by what it says of some of the array's cells, one by one
//! (`abstraction`):
//!
//! ```text
//! P(x, a)  ⟺  ∀ i. P'(x, i, a[i])
//! ```
//!
//! A clause that derives `P(x, a)` derives `P'(x, i, a[i])` for a new variable `i`. From a premise
//! `P(x, a)` it takes `P'(x, j, a[j])` for the indices `j` that the clause reads. Variables stand
//! for the remaining reads within a clause (`reads`). The new system is over numbers. Preprocessing
//! and property-directed reachability solve it, and a model of it gives a model of the original
//! system with universal quantifiers.
//!
//! Where a predicate has several arrays, one index for all of them comes first: `P(x, a, b)` is
//! interpreted by `∀ i. P'(x, i, a[i], b[i])`. That says what arrays have in common place by place,
//! as when one was copied to the other, and has few arguments. Then each array has its own index.
//! Where that does not suffice, the one index comes with related cells: remembered ones, `a[m]`,
//! and mirror images, `a[n − 1 − i]` (`views`).
//!
//! Cells are counted from where an array begins, if that is an argument of the predicate (`bases`):
//! `∀ i. P'(x, i, a[p + i])` for a pointer `p` among `x`. If it is only read at multiples of a
//! number, counted from there, cells are that far apart (`strides`): `∀ i. P'(x, i, a[p + 4 i])`.
//!
//! The cell system over-approximates: if `P(x, a)` is derivable, so is `P'(x, i, a[i])` for every
//! `i`. The converse fails, since premises are taken at finitely many indices and relations between
//! cells are lost. Where the cell system derives `false`, cells are taken two at a time, which
//! suffices to say that an array is sorted. If that fails too, the engine gives up. It never
//! answers `unsat`.
//!
//! DIVERGENCE: the paper has an index for each array, and counts cells from 0 on. It takes premises
//! at the index of the conclusion and at those read. Here they are also taken at indices that
//! equations between arrays carry over, and at most [`Options::instances`] tuples of indices are
//! used. Arrays of arrays are treated from the outside to the inside: the cells of the outer array
//! are arrays of the next round. That multiplies the premises of a clause; beyond 1024 of them the
//! engine gives up.

mod abstraction;
mod bases;
mod reads;
mod split;
mod strides;
mod views;

use super::option::declare_options;
use super::{Context, pdr, through};
use crate::chc::{Answer, Model, Predicate, System, Unknown, UnknownReason};
use crate::term::Terms;
use crate::transform::{self, preprocess};
use abstraction::{CellAbstraction, Cells, has_arrays_to_share, has_related_cells};

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

/// Arrays are arrays of arrays to this depth: the cells of what is deeper stay arrays, of which the
/// search then knows what any search does. The value was not tuned.
const ROUNDS: usize = 4;

/// A search with one index for all arrays has one of two parts of the budget. The value was not
/// tuned.
const SHARED_PARTS: u64 = 2;

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
    if options.cells > 0 && has_arrays_to_share(context.terms, system) {
        let limit = context.limit.share(SHARED_PARTS, u64::MAX);
        match by_cells(system, Cells::Shared, options, &context.within(limit)) {
            Ok(model) => return Answer::Sat(model),
            Err(next) => unknown = next,
        }
        if context.limit.check().is_err() {
            return Answer::Unknown(unknown);
        }
    }
    for count in 1..=options.cells {
        match by_cells(system, Cells::Each(count as usize), options, context) {
            Ok(model) => return Answer::Sat(model),
            Err(next) => unknown = next,
        }
        if !matches!(unknown.reason, UnknownReason::Incomplete(_)) {
            break;
        }
        if count == 1 && has_related_cells(context.terms, system) {
            let limit = context.limit.share(SHARED_PARTS, u64::MAX);
            match by_cells(system, Cells::Related, options, &context.within(limit)) {
                Ok(model) => return Answer::Sat(model),
                Err(next) => unknown = next,
            }
            if context.limit.check().is_err() {
                break;
            }
        }
    }
    Answer::Unknown(unknown)
}

/// Searches for a model by these cells.
fn by_cells(
    system: &System,
    cells: Cells,
    options: &Options,
    context: &Context<'_>,
) -> Result<Model, Unknown> {
    let t = context.terms;
    let mut rounds: Vec<CellAbstraction> = Vec::new();
    let mut current = system.clone();
    while rounds.len() < ROUNDS && suits(t, &current) {
        let abstraction = CellAbstraction::new(t, &current, cells);
        let instances = options.instances as usize;
        let found = abstraction.system(t, &current, instances, &context.limit);
        current = found.map_err(|why| Unknown::new(why.into()))?;
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
    let prepared = preprocess(context, system, &transform::Options::default());
    let unread = Context {
        // The board's invariants speak of other predicates.
        board: None,
        ..context.clone()
    };
    let found = through("cells", &prepared, system, &unread, |new, context| {
        match pdr::solve(new, &options.pdr, context) {
            // A derivation in the abstraction need not be one of the system.
            Answer::Unsat(_) => {
                let why = "what is known cell by cell does not suffice".to_owned();
                Answer::Unknown(Unknown::new(UnknownReason::Incomplete(why)))
            }
            found => found,
        }
    });
    match found {
        Answer::Sat(model) => Ok(model),
        Answer::Unsat(_) => unreachable!("a lift keeps the verdict"),
        // A derivation of the system is one of the abstraction.
        Answer::Unknown(unknown) => Err(unknown),
    }
}
