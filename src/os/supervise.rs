//! Work in a thread of its own, and somebody who ends it: what both programs do from their first line on.

use super::Stop;
use super::process::{end_children, forward_signals};
use super::status::{DONE, FAULT};
use crate::chc::UnknownReason;
use signal_hook::consts::SIGXCPU;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long work may take to end by itself after it was told to.
pub const GRACE: Duration = Duration::from_millis(600);
/// The pause between two looks at the limits.
const PERIOD: Duration = Duration::from_millis(50);

/// Somebody who waits for work, and has the last word where it does not end.
pub trait Supervisor {
    /// The token that the work looks at. It is raised when a signal comes.
    fn stop(&self) -> &Stop;

    /// Is it over, however the work feels about it? Asked again and again; the moment to raise the token because of a limit.
    fn is_overdue(&self, now: Instant) -> bool;

    /// Says what the work would have said.
    fn last_word(&self);
}

/// What the supervisor waits for.
enum Event {
    /// The work is done, with that exit status.
    Done(u8),
    /// A signal came.
    Signal(i32),
}

/// Does the work in a thread with that name and a stack of so many bytes, and answers the program's exit status: the work's, or [`DONE`] where
/// the supervisor has the last word, which it has if the work does not end within [`GRACE`] after the token was raised, or [`FAULT`] where the
/// work died, or there is no thread for it. No process that it started is left.
pub fn supervise(
    supervisor: &impl Supervisor,
    name: &str,
    stack: usize,
    work: impl FnOnce() -> u8 + Send + 'static,
) -> u8 {
    let (send, events) = channel();
    let heard = send.clone();
    forward_signals(move |signal| heard.send(Event::Signal(signal)).is_ok());
    let spawned = std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(stack)
        .spawn(move || send.send(Event::Done(work())));
    let status = match spawned {
        Ok(_) => wait(supervisor, &events),
        Err(error) => {
            log::error!("no thread for the work: {error}");
            FAULT
        }
    };
    end_children();
    status
}

/// Waits for the end of the work, or has the last word.
fn wait(supervisor: &impl Supervisor, events: &Receiver<Event>) -> u8 {
    let stop = supervisor.stop();
    // When the work must be over after the token was raised.
    let mut end = None;
    loop {
        match events.recv_timeout(PERIOD) {
            Ok(Event::Done(status)) => return status,
            Ok(Event::Signal(SIGXCPU)) => stop.stop(UnknownReason::Timeout),
            Ok(Event::Signal(_)) => stop.stop(UnknownReason::Interrupted),
            Err(RecvTimeoutError::Timeout) => {}
            // The thread died without a word; its panic has been reported.
            Err(RecvTimeoutError::Disconnected) => return FAULT,
        }
        let now = Instant::now();
        let is_overdue = supervisor.is_overdue(now);
        if stop.token().is_cancelled() && end.is_none() {
            end = Some(now + GRACE);
        }
        if is_overdue || end.is_some_and(|end| now > end) {
            supervisor.last_word();
            return DONE;
        }
    }
}
