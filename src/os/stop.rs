//! Cancellation of a run from outside, with a reason.

use crate::chc::UnknownReason;
use crate::smt::CancelToken;
use std::sync::{Arc, OnceLock};

/// A cancellation token that remembers why it was raised. Clones are the same token.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    token: CancelToken,
    reason: Arc<OnceLock<UnknownReason>>,
}

impl Stop {
    /// A token that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the token, for good. The reason of the first call counts.
    pub fn stop(&self, reason: UnknownReason) {
        // An earlier reason stays.
        let _ = self.reason.set(reason);
        self.token.cancel();
    }

    /// The reason for which the token was raised; `None` if it was not raised, or without a reason.
    pub fn reason(&self) -> Option<&UnknownReason> {
        self.reason.get()
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
        }
    }
}
