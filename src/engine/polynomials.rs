//! Polynomial invariants: property-directed reachability over a linear system with equations of
//! degree 2 as premises.
//!
//! A loop that adds its counter to a sum relates the two by a square: `2·s = n·(n + 1)`. No linear
//! invariant says so. The pass `polynomials` of `transform` finds equations of degree 2 in the
//! affine hull of states with the products of their numbers \[MOS04\]. The equations become
//! premises. The new clauses follow from the old ones and the equations, so the model is the inner
//! one and the equations together. A refutation stays as it is.
//!
//! The equations make linear queries nonlinear, which are harder. So they are no part of
//! preprocessing, but where the system is nonlinear from the beginning.

use super::option::declare_options;
use super::{Context, pdr, through_pass};
use crate::chc::{Answer, Classification, Clause, System, Theories};
use crate::term::Terms;
use crate::transform::Pass;

declare_options! {
    /// Options of the search with polynomial equations.
    pub struct Options {}
    uses {
        /// For the system with the equations.
        pdr: pdr::Options = pdr::Options::default();
    }
}

/// Might there be a polynomial equation that preprocessing has not looked for? The system must be
/// linear arithmetic, and derive facts about two numbers.
pub fn suits(t: &Terms, system: &System) -> bool {
    let theories = Classification::of(t, system).theories;
    let arithmetic = Theories {
        ints: theories.ints,
        reals: theories.reals,
        ..Theories::default()
    };
    let has_two_numbers = |clause: &Clause| {
        let args = clause.head.iter().flat_map(|atom| &atom.args);
        args.filter(|&&arg| t.sort_of(arg).is_arith()).count() >= 2
    };
    theories == arithmetic && system.clauses.iter().any(has_two_numbers)
}

/// Decides a system in which such equations hold.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let unchanged = "no polynomial equation was found";
    through_pass(
        "polynomials",
        Pass::Polynomials,
        unchanged,
        system,
        context,
        |new, context| pdr::solve(new, &options.pdr, context),
    )
}
