//! Commands that are not carried out.

/// Why a command is not carried out.
pub(crate) enum Refusal {
    /// The back end cannot do such things.
    Unsupported(&'static str),
    /// It makes no sense here, or failed.
    Error(String),
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Refusal::Error(why)
    }
}
