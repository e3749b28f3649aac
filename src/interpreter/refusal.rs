//! Commands that are not carried out.

/// Why a command is not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
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

impl From<&'static str> for Refusal {
    fn from(why: &'static str) -> Self {
        Refusal::Error(why.to_owned())
    }
}
