//! The embedded SMT core through its public interface, by tables of SMT-LIB text.
//!
//! Whatever a table expects, every answer is judged first: a model by evaluation, a core by asking
//! again, a contradiction by its proof. So the expectations are short: verdicts, and values and
//! cores where there is only one.

mod answers;
mod bitvectors;
mod dumps;
mod equations;
mod integers;
mod interpolants;
mod limits;
mod partitions;
mod products;
mod proofs;
mod session;
mod steps;
mod theories;
mod weakening;
