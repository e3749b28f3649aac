//! Models by folds of datatypes \[KKSS25\], \[KMF21\].
//!
//! A fold (a catamorphism) maps the values of a datatype to integers or truth values, by one
//! equation for each constructor: the length of a list, the size of a tree, the sum of what is
//! inside. A predicate of a list is interpreted by what it says of the list's folds:
//!
//! ```text
//! P(x, l)  ⟺  P'(x, len(l), sum(l))
//! ```
//!
//! A constructor term in a clause becomes the right-hand sides of the folds' equations, so the new
//! system has no datatypes (`abstraction`). Preprocessing and property-directed reachability solve
//! it. Equations between datatype terms are solved before, and clauses are split into cases where
//! values are tested (`engine::cases`).
//!
//! A fold may depend on an integer, as the number of times that it occurs in a list does. Then `P'`
//! has one more argument, and the interpretation holds for all its values:
//!
//! ```text
//! P(x, l)  ⟺  ∀ c. P'(c, x, occurrences(l, c))
//! ```
//!
//! The system over folds over-approximates: if `P(x, l)` is derivable, so is `P'(x, len(l), …)`.
//! The converse fails, since different lists have the same folds. Where the system derives `false`,
//! other folds are tried (`kinds`). The engine never answers `unsat`.
//!
//! DIVERGENCE: the papers synthesise folds from counterexamples, or by a finite-model finder. Here
//! a fixed list of kinds is tried, and all tree automata with two states. That is quick, and no
//! fold is found that is in neither.

mod abstraction;
mod fold;
mod kinds;
mod library;
mod view;

use super::option::declare_options;
use super::{Context, pdr, through};
use crate::chc::{Answer, Model, System, Unknown, UnknownReason};
use crate::term::{Sort, Terms};
use crate::transform::{self, preprocess};
use abstraction::FoldAbstraction;
use fold::Folds;
use kinds::{Kind, folds, sets};
use library::{datatypes, has_datatypes};

declare_options! {
    /// Options of the search by folds of datatypes.
    pub struct Options {}
    uses {
        /// For the system over folds.
        pdr: pdr::Options = pdr::Options::default();
    }
}

/// Systems of more datatypes are left to other engines: the relations between datatypes take cubic
/// time. The value was not tuned.
const MOST_DATATYPES: usize = 64;

/// A set of folds is tried again if it then gets at least twice the part of the limit that it had.
/// The value was not tuned.
const GROWTH: u64 = 2;

/// Has a predicate of the system an argument of a datatype?
pub fn suits(t: &Terms, system: &System) -> bool {
    has_datatypes(t, system)
}

/// Looks for a model whose formulas speak of folds.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let t = context.terms;
    let sorts = datatypes(t, system);
    let mut unknown = Unknown::new(UnknownReason::Incomplete("no fold was found".to_owned()));
    if !suits(t, system) {
        let what = "folds of a system without datatypes as arguments".to_owned();
        return Answer::Unknown(Unknown::new(UnknownReason::Unsupported(what)));
    }
    if sorts.len() > MOST_DATATYPES {
        return Answer::Unknown(unknown);
    }
    let mut tried: Vec<Vec<(Sort, usize)>> = Vec::new();
    let mut open: Vec<Folds> = Vec::new();
    for kinds in sets(t, &sorts) {
        let folds = folds(t, &sorts, &kinds);
        if is_new(&mut tried, &folds, &kinds) {
            open.push(folds);
        }
    }
    let mut part = 0;
    while !open.is_empty() {
        let next = context.limit.budget_left().map(|left| left / count(&open));
        let is_repeated = part > 0;
        if is_repeated && next.is_none_or(|next| next < GROWTH * part) {
            break;
        }
        part = next.unwrap_or(u64::MAX);
        match by_each(system, open, options, context) {
            Ok(model) => return Answer::Sat(model),
            Err((why, undecided)) => (unknown, open) = (why, undecided),
        }
    }
    // Each set of folds has a part of the limit.
    if is_out_of_time(&unknown.reason) && context.limit.check().is_ok() {
        let why = "no set of folds decides the system in its part of the time".to_owned();
        unknown.reason = UnknownReason::Incomplete(why);
    }
    Answer::Unknown(unknown)
}

/// Searches for a model by one set of folds after the other, each with a part of the limit. Why the
/// last one found none, and the sets that ran out of their parts.
fn by_each(
    system: &System,
    sets: Vec<Folds>,
    options: &Options,
    context: &Context<'_>,
) -> Result<Model, (Unknown, Vec<Folds>)> {
    let mut unknown = Unknown::new(UnknownReason::Timeout);
    let mut undecided = Vec::new();
    let mut left = count(&sets);
    for folds in sets {
        if let Err(why) = context.limit.check() {
            return Err((Unknown::new(why.into()), Vec::new()));
        }
        let limit = context.limit.share(left, u64::MAX);
        left -= 1;
        match by_folds(system, &folds, options, &context.within(limit)) {
            Ok(model) => return Ok(model),
            Err(why) => {
                if is_out_of_time(&why.reason) {
                    undecided.push(folds);
                }
                unknown = why;
            }
        }
    }
    Err((unknown, undecided))
}

/// Would more of a limit help?
fn is_out_of_time(reason: &UnknownReason) -> bool {
    matches!(reason, UnknownReason::Timeout | UnknownReason::Work)
}

/// The number of sets of folds, of which there are few.
fn count(sets: &[Folds]) -> u64 {
    u64::try_from(sets.len()).expect("few sets")
}

/// Does a set have folds that no earlier set had?
fn is_new(tried: &mut Vec<Vec<(Sort, usize)>>, folds: &Folds, kinds: &[Kind]) -> bool {
    let mut counts: Vec<(Sort, usize)> = Vec::new();
    for fold in &folds.all {
        match counts.iter_mut().find(|(sort, _)| *sort == fold.sort) {
            Some((_, count)) => *count += 1,
            None => counts.push((fold.sort, 1)),
        }
    }
    // A set that adds nothing to the sizes has as many folds as they.
    let is_new = kinds.len() == 1 || tried.first() != Some(&counts);
    tried.push(counts);
    is_new
}

/// Searches for a model by these folds.
fn by_folds(
    system: &System,
    folds: &Folds,
    options: &Options,
    context: &Context<'_>,
) -> Result<Model, Unknown> {
    let t = context.terms;
    let abstraction = FoldAbstraction::new(t, system, folds);
    let of_folds =
        (abstraction.system(system, &context.limit)).map_err(|why| Unknown::new(why.into()))?;
    let prepared = preprocess(context, &of_folds, &transform::Options::default());
    let unread = Context {
        // The board's invariants speak of other predicates.
        board: None,
        ..context.clone()
    };
    let found = through("folds", &prepared, &of_folds, &unread, |new, context| {
        match pdr::solve(new, &options.pdr, context) {
            // A derivation over folds need not be one of the system.
            Answer::Unsat(_) => {
                let why = "what is known of folds does not suffice".to_owned();
                Answer::Unknown(Unknown::new(UnknownReason::Incomplete(why)))
            }
            found => found,
        }
    });
    match found {
        Answer::Sat(model) => Ok(abstraction.model(&model)),
        Answer::Unsat(_) => unreachable!("a lift keeps the verdict"),
        // A derivation of the system is one over folds of the same height. Invariants are about
        // other predicates.
        Answer::Unknown(unknown) => Err(Unknown {
            invariants: None,
            ..unknown
        }),
    }
}
