//! Logical services between solvers and engines: what a model says about a formula, and how variables are eliminated by it.
//!
//! Knows terms and solvers, nothing of engines.

mod implicant;
mod literal;
mod projection;
mod redundancy;
mod valuation;

pub use implicant::implicant;
pub use literal::{LinearLiteral, Relation, add_inequalities, split_equalities};
pub use projection::project;
pub use redundancy::without_weaker_bounds;
pub use valuation::Valuation;
