//! Structural induction over functional predicates \[DFPP22\], \[UTS17\].
//!
//! Many predicates of datatypes are graphs of functions that are defined by recursion: `append`,
//! `reverse`, `take`. Then a query says of all values that an equation of these functions holds, or
//! a formula. The engine proves it by induction, with lemmas that it finds by itself:
//!
//! ```text
//! find functions that the predicates are graphs of                 (functions)
//! for terms of growing size:
//!   for each equation of such terms that holds in tests            (conjectures)
//!   and each implication between properties of such terms          (implications)
//!     if it follows by induction from the lemmas so far: a lemma   (prover)
//!   for each query, as a formula about all values:
//!     if it follows from the lemmas, by induction or without: done
//! while proofs of the queries, and of what they need, are stuck:   (speculation)
//!   conjecture what a proof is left with (stuck), made more general (generalise)
//! ```
//!
//! The model interprets `P(x, y)` by `y = f(x)`. The lemmas are conjuncts of an interpretation that
//! speak of no parameter; the checker proves them by induction as well.
//!
//! The least model of the clauses need not have a value for all arguments. So what is proved is
//! more than the queries say, and the engine never answers `unsat`.
//!
//! DIVERGENCE: the papers strengthen the clauses, or search for proofs of single formulas. Here
//! lemmas come from the exploration of a theory \[CJRS13\] first, and then from stuck proofs, by
//! generalisation \[BM79\]. The exploration makes small equations that hold in tests, bounds
//! `0 ≤ f(x)`, properties that functions keep, and implications between properties.
//!
//! DIVERGENCE: where functions look at two constructors, the induction is for the formula together
//! with that of `C(a, x)` (`prover`). So it needs no rule with two hypotheses.

mod conjectures;
mod definition;
mod functions;
mod generalise;
mod ground;
mod heights;
mod implications;
mod lemmas;
mod meaning;
mod prover;
mod rewriting;
mod rows;
mod speculation;
mod stuck;
mod templates;
mod tuples;
mod values;

use super::Context;
use super::option::declare_options;
use crate::chc::{Answer, System, Unknown, UnknownReason};
use crate::term::Terms;
use functions::meanings;
use lemmas::Lemmas;
use meaning::model;
use prover::Prover;

declare_options! {
    /// Options of the search for proofs by structural induction.
    pub struct Options {
        /// Conjecture equations of terms of up to this many functions and constructors.
        size: u32 = 3, in 0..=8, from "CSH10";
    }
}

/// Systems of more predicates are left to other engines. The value was not tuned.
const MOST_PREDICATES: usize = 60;

/// Has a predicate of the system an argument of a datatype?
pub fn suits(t: &Terms, system: &System) -> bool {
    let mut sorts = system
        .preds
        .iter()
        .flat_map(|pred| t.func(pred.func).params.iter().copied());
    system.preds.len() <= MOST_PREDICATES && sorts.any(|sort| t.datatype_of(sort).is_some())
}

/// Looks for a model of functions that are defined by recursion, and of lemmas about them.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let t = context.terms;
    let give_up = |why: &str| {
        let why = UnknownReason::Incomplete(why.to_owned());
        Answer::Unknown(Unknown::new(why))
    };
    if !suits(t, system) {
        return give_up("no predicate has an argument of a datatype");
    }
    let mut prover = Prover::new(context);
    let meanings = meanings(t, system, &mut prover);
    if !meanings.iter().any(|meaning| meaning.is_known()) {
        return give_up("no predicate is the graph of a function");
    }
    let mut lemmas = Lemmas::new(t, system, &meanings, &mut prover);
    if let Err(why) = lemmas.search(options.size) {
        return match context.limit.check() {
            Err(failure) => Answer::Unknown(Unknown::new(failure.into())),
            Ok(()) => give_up(why),
        };
    }
    let needed = lemmas.needed();
    Answer::Sat(model(t, &meanings, &needed))
}
