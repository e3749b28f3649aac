//! Cancellation of a run from outside, with a reason.

use crate::chc::UnknownReason;
use crate::smt::CancelToken;
use std::sync::{Arc, OnceLock};

/// A cancellation token that remembers why it was raised. Clones are the same token.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    token: CancelToken,
    reason: Arc<OnceLock<UnknownReason>>,
    /// Counts as raising this one, too.
    above: Option<Arc<Stop>>,
}

impl Stop {
    /// A token that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that is raised with this one, for the same reason, and that can be raised without
    /// it: for a part of a computation.
    #[must_use]
    pub fn child(&self) -> Stop {
        Stop {
            token: self.token.child(),
            reason: Arc::default(),
            above: Some(Arc::new(self.clone())),
        }
    }

    /// Raises the token, for good. The reason of the first call counts.
    pub fn stop(&self, reason: UnknownReason) {
        // An earlier reason stays.
        let _ = self.reason.set(reason);
        self.token.cancel();
    }

    /// The reason for which the token was raised; `None` if it was not raised, or without a reason.
    pub fn reason(&self) -> Option<&UnknownReason> {
        let above = || self.above.as_ref()?.reason();
        self.reason.get().or_else(above)
    }

    /// The token that computations poll.
    pub fn token(&self) -> &CancelToken {
        &self.token
    }
}

impl From<CancelToken> for Stop {
    /// A token of a caller. Raised without a reason it means [`UnknownReason::Interrupted`].
    fn from(token: CancelToken) -> Self {
        Stop {
            token,
            reason: Arc::default(),
            above: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_with_the_whole_and_not_the_other_way_round() {
        let whole = Stop::new();
        let (one, other) = (whole.child(), whole.child());
        one.stop(UnknownReason::Memory);
        assert_eq!(one.reason(), Some(&UnknownReason::Memory));
        assert!(!whole.token().is_cancelled() && !other.token().is_cancelled());
        whole.stop(UnknownReason::Interrupted);
        assert!(other.token().is_cancelled());
        assert_eq!(other.reason(), Some(&UnknownReason::Interrupted));
        assert_eq!(one.reason(), Some(&UnknownReason::Memory));
    }
}
