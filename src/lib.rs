//! Constrained Horn clauses, solved with certificates.

pub mod certify;
pub mod chc;
pub mod engine;
pub mod logic;
pub mod number;
pub mod smt;
pub mod smtlib;
pub mod term;
