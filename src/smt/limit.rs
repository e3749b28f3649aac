//! Limits of a computation: a deadline and a flag that another thread may raise.

use super::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag shared between whoever wants a computation to end and the computation, which looks at it often. Clones are the same
/// flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    /// Counts as raising this one, too.
    above: Option<CancelToken>,
}

impl CancelToken {
    /// A flag that is down.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that is raised with this one, and that can be raised without it: for a part of a computation.
    #[must_use]
    pub fn child(&self) -> CancelToken {
        CancelToken(Arc::new(Flag {
            raised: AtomicBool::new(false),
            above: Some(self.clone()),
        }))
    }

    /// Raises the flag, for good.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Is the flag raised?
    pub fn is_cancelled(&self) -> bool {
        let mut token = Some(self);
        while let Some(CancelToken(flag)) = token {
            if flag.raised.load(Ordering::Relaxed) {
                return true;
            }
            token = flag.above.as_ref();
        }
        false
    }
}

/// When a computation must end.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    /// Not after this instant.
    pub deadline: Option<Instant>,
    /// And not after this flag is raised.
    pub cancel: CancelToken,
}

impl Limit {
    /// No end but by the flag.
    pub fn none() -> Self {
        Self::default()
    }

    /// This limit, and at most `duration` from now.
    pub fn within(&self, duration: Duration) -> Limit {
        let then = Instant::now() + duration;
        Limit {
            deadline: Some(self.deadline.map_or(then, |d| d.min(then))),
            cancel: self.cancel.clone(),
        }
    }

    /// The limit of a side task: one of `parts` equal parts of what is left, and no more than `most`.
    pub fn share(&self, parts: u32, most: Duration) -> Limit {
        let part = self.remaining().map_or(most, |left| left / parts);
        self.within(part.min(most))
    }

    /// Time left; `None` where there is no deadline.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline
            .map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// An error if the limit is reached.
    pub fn check(&self) -> Result<(), Failure> {
        if self.cancel.is_cancelled() {
            Err(Failure::Cancelled)
        } else if self.remaining() == Some(Duration::ZERO) {
            Err(Failure::Timeout)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_raised_with_their_parents_only() {
        let whole = CancelToken::new();
        let (one, other) = (whole.child(), whole.child());
        one.cancel();
        let raised = |tokens: [&CancelToken; 3]| tokens.map(CancelToken::is_cancelled);
        assert_eq!(raised([&whole, &one, &other]), [false, true, false]);
        whole.cancel();
        assert_eq!(raised([&whole, &one, &other.child()]), [true; 3]);
    }
}
