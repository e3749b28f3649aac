//! Ending a run from outside, with a reason.

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
    /// A token that is down.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the token, for good. The reason that counts is that of the first call.
    pub fn stop(&self, reason: UnknownReason) {
        // An earlier reason stays.
        let _ = self.reason.set(reason);
        self.token.cancel();
    }

    /// Why the token was raised; `None` while it is down, and if it was raised without a reason.
    pub fn reason(&self) -> Option<&UnknownReason> {
        self.reason.get()
    }

    /// The token that computations look at.
    pub fn token(&self) -> &CancelToken {
        &self.token
    }
}

impl From<CancelToken> for Stop {
    /// For callers who have a token already; raised without a reason it means [`UnknownReason::Interrupted`].
    fn from(token: CancelToken) -> Self {
        Stop {
            token,
            reason: Arc::default(),
        }
    }
}
