//! The errors of a front end's calls.

use crate::engine::SettingError;
use crate::smt::BackendError;
use crate::smtlib::{Position, ReadError};

/// Why a call on a [`Problem`](super::Problem) had no effect.
#[derive(Debug, thiserror::Error)]
pub enum ProblemError {
    /// A text is wrong.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A name, a sort or a term that was not read from a text does not fit.
    #[error("{0}")]
    Term(String),
    /// A formula is no Horn clause.
    #[error("{0}")]
    NotHorn(String),
    /// An option does not exist, or its value is wrong.
    #[error("{0}")]
    Setting(String),
    /// The external solver that is wanted cannot be used.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The answer has no model, or no refutation.
    #[error("{0}")]
    NoCertificate(&'static str),
    /// The thread of the check cannot be started.
    #[error("the thread of the check cannot be started: {0}")]
    Thread(String),
}

impl ProblemError {
    /// The place in the text, if the error is in a text.
    pub fn position(&self) -> Option<Position> {
        match self {
            ProblemError::Read(error) => Some(error.position()),
            _ => None,
        }
    }
}

impl From<SettingError> for ProblemError {
    fn from(error: SettingError) -> Self {
        ProblemError::Setting(error.to_string())
    }
}
