//! Logical services between solvers and engines: literals, implicants, model-based projection.
//!
//! This module knows terms and solvers, but not engines.

mod choices;
mod cube;
pub(crate) mod equations;
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

pub use choices::Choices;
pub(crate) use cube::{divides_anew, split_equalities};
pub use guard::with_guards;
pub use implicant::implicant;
pub use inductive_subset::inductive_subset;
pub use literal::{LinearLiteral, Relation};
pub use projection::project;
pub use redundancy::without_weaker_bounds;
pub use universal::universal;
pub use valuation::Valuation;
