//! Logical services between solvers and engines: literals, implicants, model-based projection.
//!
//! This module knows terms and solvers, but not engines.

mod bits;
mod guard;
mod implicant;
mod inductive_subset;
pub mod interpolate;
mod literal;
pub mod mus;
mod projection;
mod redundancy;
mod universal;
mod valuation;

pub use bits::{bits_of_value, bounds_of_value};
pub use guard::with_guards;
pub use implicant::implicant;
pub use inductive_subset::inductive_subset;
pub use literal::{LinearLiteral, Relation, add_inequalities, split_equalities};
pub use projection::project;
pub use redundancy::without_weaker_bounds;
pub use universal::universal;
pub use valuation::Valuation;

use crate::term::{Op, Term, Terms};

/// Literals whose conjunction is the negation of a formula. Disjunctions at the top of the formula
/// are split.
pub fn conjuncts_of_negation(t: &Terms, formula: Term) -> Vec<Term> {
    match t.op(formula) {
        Op::Or => t.args(formula).iter().map(|&f| t.not(f)).collect(),
        _ => vec![t.not(formula)],
    }
}

/// Is there a division of integers in the formulas that is not in the cube?
pub fn divides_anew(t: &Terms, formulas: &[Term], cube: &[Term]) -> bool {
    let is_division = |&x: &Term| matches!(t.op(x), Op::IDiv | Op::Mod);
    let mut new = t.post_order(formulas.iter().copied()).filter(is_division);
    new.any(|x| !cube.iter().any(|&l| t.any_subterm(l, |s| s == x)))
}
