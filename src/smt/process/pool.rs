//! The idle sessions of all contexts, of which a limited number live.
//!
//! An engine has a context for each predicate, hundreds of them; a process for each would need
//! gigabytes. A context takes its session out of the pool to use it and puts it back afterwards;
//! when there are too many, the one that was not used for the longest time is ended, and its
//! context starts another when it needs it.

use super::session::Session;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Idle sessions, the one put back last at the end.
pub(super) struct Pool {
    capacity: usize,
    idle: Mutex<Vec<(ContextId, Session)>>,
}

/// A context of a factory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ContextId(pub(super) u64);

impl Pool {
    /// A pool of at most `capacity` sessions, at least one.
    pub(super) fn new(capacity: usize) -> Pool {
        Pool {
            capacity: capacity.max(1),
            idle: Mutex::default(),
        }
    }

    /// The session of a context, if it still lives.
    pub(super) fn take(&self, id: ContextId) -> Option<Session> {
        let mut idle = self.lock();
        let at = idle.iter().position(|(owner, _)| *owner == id)?;
        Some(idle.remove(at).1)
    }

    /// Keeps the session of a context; answers whether another had to end for it.
    pub(super) fn put(&self, id: ContextId, session: Session) -> bool {
        let mut idle = self.lock();
        idle.push((id, session));
        let evicted = (idle.len() > self.capacity).then(|| idle.remove(0));
        // Ending a process takes a moment; others may use the pool meanwhile.
        drop(idle);
        evicted.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(ContextId, Session)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
