//! The reasons why a certificate was not lifted.

use crate::smt::Failure;

/// The reason why a certificate was not lifted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LiftError {
    /// The values of a clause's variables were not found.
    #[error("no values for the variables of {clause}: {why}")]
    Values {
        /// The name of the clause in messages.
        clause: String,
        /// The solver's reason.
        why: String,
    },
    /// A predicate's interpretation was not found.
    #[error("no interpretation of `{pred}`: {why}")]
    Interpretation {
        /// The predicate.
        pred: String,
        /// The reason.
        why: String,
    },
    /// A loop was not written out, and its iterations are not alike.
    #[error("a loop of the refutation is not repeated: {0}")]
    Iteration(String),
    /// A limit was reached.
    #[error(transparent)]
    Limit(#[from] Failure),
}
