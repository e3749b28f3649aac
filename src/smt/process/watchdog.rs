//! A thread that ends processes whose time is over.
//!
//! Talking to a process blocks: a read waits for a solver that thinks, a write for one that does
//! not read. So whoever talks puts the process under watch first; when the limit is reached the
//! watchdog kills it, and the blocked call returns with the end of the stream. Watching costs an
//! uncontended lock, not a wake-up: the thread looks every [`TICK`] while there was something to
//! watch lately, and sleeps otherwise.

use super::process_id::ProcessId;
use crate::smt::{Failure, Limit};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How late a kill may be.
const TICK: Duration = Duration::from_millis(10);
/// The thread goes to sleep after that many ticks without anything to watch.
const IDLE_TICKS: u32 = 100;

/// The watching thread; it ends with this handle.
pub(super) struct Watchdog(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    watched: Vec<Watched>,
    next_key: u64,
    asleep: bool,
    stop: bool,
}

struct Watched {
    key: u64,
    process: ProcessId,
    limit: Limit,
    fired: Option<Failure>,
}

/// A process under watch until this is finished or dropped.
pub(super) struct Watch<'a> {
    shared: &'a Shared,
    key: u64,
}

impl Watchdog {
    /// Starts the thread.
    pub(super) fn start() -> std::io::Result<Watchdog> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            wake: Condvar::new(),
        });
        let theirs = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("solver watchdog".to_owned())
            .spawn(move || theirs.run())?;
        Ok(Watchdog(shared))
    }

    /// Watches a process, which must not be reaped before the watch ends: its id must stay its own.
    pub(super) fn watch(&self, process: ProcessId, limit: &Limit) -> Watch<'_> {
        let mut state = self.0.lock();
        let key = state.next_key;
        state.next_key += 1;
        state.watched.push(Watched {
            key,
            process,
            limit: limit.clone(),
            fired: None,
        });
        if std::mem::take(&mut state.asleep) {
            self.0.wake.notify_one();
        }
        Watch {
            shared: &self.0,
            key,
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.lock().stop = true;
        self.0.wake.notify_one();
    }
}

impl Watch<'_> {
    /// Ends the watch; answers why the process was killed, if it was.
    pub(super) fn finish(self) -> Option<Failure> {
        self.remove()
    }

    fn remove(&self) -> Option<Failure> {
        let mut state = self.shared.lock();
        let at = state.watched.iter().position(|w| w.key == self.key)?;
        state.watched.swap_remove(at).fired
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}

impl Shared {
    /// No code panics while it holds the lock, and if it did the list would still be whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut idle = 0;
        let mut state = self.lock();
        while !state.stop {
            idle = if state.watched.is_empty() {
                idle + 1
            } else {
                0
            };
            state = if idle > IDLE_TICKS {
                idle = 0;
                state.asleep = true;
                self.wake
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner)
            } else {
                let nap = state.next_deadline().map_or(TICK, |left| left.min(TICK));
                self.wake
                    .wait_timeout(state, nap)
                    .map_or_else(|e| e.into_inner().0, |(state, _)| state)
            };
            state.kill_the_late();
        }
    }
}

impl State {
    fn next_deadline(&self) -> Option<Duration> {
        let waiting = self.watched.iter().filter(|w| w.fired.is_none());
        waiting.filter_map(|w| w.limit.remaining()).min()
    }

    fn kill_the_late(&mut self) {
        for watched in self.watched.iter_mut().filter(|w| w.fired.is_none()) {
            if let Err(failure) = watched.limit.check() {
                watched.process.kill();
                watched.fired = Some(failure);
            }
        }
    }
}
