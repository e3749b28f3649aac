//! Constrained Horn clauses, solved with certificates.

pub mod number;
pub mod term;
