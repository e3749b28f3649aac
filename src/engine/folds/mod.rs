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
//! other folds are tried (`kinds`), unless the derivation is one of the original system.
//!
//! As in \[KKSS25\], a derivation of `false` over folds that is none of the system asks for folds
//! that refute it (`on_demand`): tree automata of up to eight states and linear folds, whose tables
//! and coefficients a solver finds (`synthesis`).
//!
//! DIVERGENCE: beside these, a fixed list of kinds is tried, which has folds that the templates do
//! not have, such as the greatest element. \[KMF21\] has a finite-model finder look for automata;
//! here counterexamples ask for them, so that what a clause says of integers counts as well.

mod abstraction;
mod counterexample;
mod fold;
mod kinds;
mod library;
mod on_demand;
mod synthesis;
mod template;
mod view;

use super::option::declare_options;
use super::{Context, pdr, through};
use crate::chc::{Answer, Model, System, Unknown, UnknownReason};
use crate::term::{Sort, Terms};
use crate::transform::{self, preprocess};
use abstraction::{FoldAbstraction, FoldCase, fold_cases};
use fold::Folds;
use kinds::{folds, sets};
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
/// Folds on demand have one of these numbers of equal parts of what is left of the limit, before
/// each pass over the known sets. The values were not tuned.
const ON_DEMAND: [u64; 2] = [12, 2];

/// Has a predicate of the system an argument of a datatype?
pub fn suits(t: &Terms, system: &System) -> bool {
    has_datatypes(t, system)
}

/// Looks for a model whose formulas speak of folds.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let t = context.terms;
    let sorts = datatypes(t, system);
    if !suits(t, system) {
        let what = "folds of a system without datatypes as arguments".to_owned();
        return Answer::Unknown(Unknown::new(UnknownReason::Unsupported(what)));
    }
    if sorts.len() > MOST_DATATYPES {
        let why = UnknownReason::Incomplete("no fold was found".to_owned());
        return Answer::Unknown(Unknown::new(why));
    }
    let cases = match fold_cases(t, system, &context.limit) {
        Ok(cases) => cases,
        Err(failure) => return Answer::Unknown(Unknown::new(failure.into())),
    };
    let search = Search {
        system,
        sorts: &sorts,
        cases,
        options,
    };
    search.solve(context)
}

/// The search for folds of one system.
struct Search<'a> {
    system: &'a System,
    /// The datatypes.
    sorts: &'a [Sort],
    /// The cases of the clauses.
    cases: Vec<FoldCase>,
    options: &'a Options,
}

impl Search<'_> {
    /// Tries the sets of folds that are known, with folds on demand before and after all of them,
    /// then the sets again that were not decided.
    fn solve(&self, context: &Context<'_>) -> Answer {
        let mut unknown = Unknown::new(UnknownReason::Incomplete("no fold was found".to_owned()));
        let mut open = self.known_sets(context);
        let mut counterexamples = Vec::new();
        let mut parts = ON_DEMAND.into_iter();
        let mut part = 0;
        loop {
            match parts.next() {
                Some(parts) => {
                    let limit = context.limit.share(parts, u64::MAX);
                    match self.on_demand(&mut counterexamples, &context.within(limit)) {
                        Answer::Unknown(_) => {}
                        found => return found,
                    }
                }
                None if open.is_empty() => break,
                None => {}
            }
            if open.is_empty() {
                continue;
            }
            let next = context.limit.budget_left();
            let next = next.map(|left| left / count(&open));
            if part > 0 && next.is_none_or(|next| next < GROWTH * part) {
                break;
            }
            part = next.unwrap_or(u64::MAX);
            let limit = match parts.len() {
                0 => context.limit.clone(),
                // Folds on demand have their part afterwards.
                _ => context.limit.share(2, u64::MAX),
            };
            match self.by_each(open, &context.within(limit)) {
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

    /// The sets of folds that are known beforehand.
    fn known_sets(&self, context: &Context<'_>) -> Vec<Folds> {
        let t = context.terms;
        let mut all = sets().iter().map(|kinds| folds(t, self.sorts, kinds));
        let Some(sizes) = all.next() else {
            return Vec::new();
        };
        // A set that adds nothing to the sizes has as many folds as they.
        let of_sizes = counts(&sizes);
        let others = all.filter(|folds| counts(folds) != of_sizes);
        [sizes].into_iter().chain(others).collect()
    }

    /// Searches for a model by one set of folds after the other, each with a part of the limit. Why
    /// the last one found none, and the sets that ran out of their parts.
    fn by_each(
        &self,
        sets: Vec<Folds>,
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
            match self.by_folds(&folds, false, &context.within(limit)) {
                Answer::Sat(model) => return Ok(model),
                Answer::Unsat(_) => unreachable!("no refutation is wanted"),
                Answer::Unknown(why) => {
                    if is_out_of_time(&why.reason) {
                        undecided.push(folds);
                    }
                    unknown = why;
                }
            }
        }
        Err((unknown, undecided))
    }

    /// Searches for a model by these folds. If it is wanted, a refutation is one of the system over
    /// folds.
    fn by_folds(&self, folds: &Folds, wants_refutation: bool, context: &Context<'_>) -> Answer {
        let t = context.terms;
        let abstraction = FoldAbstraction::new(t, self.system, folds);
        let of_folds = match abstraction.system(&self.cases, &context.limit) {
            Ok(system) => system,
            Err(failure) => return Answer::Unknown(Unknown::new(failure.into())),
        };
        let prepared = preprocess(context, &of_folds, &transform::Options::default());
        let unread = Context {
            // The board's invariants speak of other predicates.
            board: None,
            ..context.clone()
        };
        let found = through("folds", &prepared, &of_folds, &unread, |new, context| {
            match pdr::solve(new, &self.options.pdr, context) {
                // A derivation over folds need not be one of the system.
                Answer::Unsat(_) if !wants_refutation => {
                    let why = "what is known of folds does not suffice".to_owned();
                    Answer::Unknown(Unknown::new(UnknownReason::Incomplete(why)))
                }
                found => found,
            }
        });
        match found {
            Answer::Sat(model) => Answer::Sat(abstraction.model(&model)),
            // A derivation of the system is one over folds of the same height. Invariants are about
            // other predicates.
            Answer::Unknown(unknown) => Answer::Unknown(Unknown {
                invariants: None,
                ..unknown
            }),
            unsat => unsat,
        }
    }
}

/// Would more of a limit help?
fn is_out_of_time(reason: &UnknownReason) -> bool {
    matches!(reason, UnknownReason::Timeout | UnknownReason::Work)
}

/// The number of sets of folds, of which there are few.
fn count(sets: &[Folds]) -> u64 {
    u64::try_from(sets.len()).expect("few sets")
}

/// The number of folds of each datatype.
fn counts(folds: &Folds) -> Vec<(Sort, usize)> {
    let mut counts: Vec<(Sort, usize)> = Vec::new();
    for fold in &folds.all {
        match counts.iter_mut().find(|(sort, _)| *sort == fold.sort) {
            Some((_, count)) => *count += 1,
            None => counts.push((fold.sort, 1)),
        }
    }
    counts
}
