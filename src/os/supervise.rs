//! Work in a separate thread, and a supervisor that ends it: both programs run in this way.

use super::Stop;
use super::limits::{self, leave_time_for_the_verdict};
use super::memory;
use super::process::{end_children, forward_signals};
use super::status::{DONE, FAULT};
use crate::chc::UnknownReason;
use signal_hook::consts::SIGXCPU;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The time that work has to end after the token was raised.
pub const GRACE: Duration = Duration::from_millis(600);
/// The limits are polled every 50 ms, or more often where the address space is limited.
const PERIOD: Duration = Duration::from_millis(50);

/// Waits for work, and has the last word if it does not end.
pub trait Supervisor {
    /// The token that the work polls. It is raised when a signal comes.
    fn stop(&self) -> &Stop;

    /// Must the work end now, whatever it does? The supervisor asks this again and again, and
    /// raises the token here when a limit is reached.
    fn is_overdue(&self, now: Instant) -> bool;

    /// Prints the verdict in place of the work.
    fn last_word(&self);
}

/// An event that the supervisor waits for.
enum Event {
    /// The work is done, with that exit status.
    Done(u8),
    /// A signal came.
    Signal(i32),
}

/// Does the work in a thread with this name and a stack of this number of bytes, and answers the
/// program's exit status.
///
/// The status is the work's; [`DONE`] if the supervisor has the last word, because the work did not
/// end within [`GRACE`] after the token was raised, or the address space is nearly exhausted;
/// [`FAULT`] if the work panicked, or no thread could be started, where the supervisor has the last
/// word, too. The stack is smaller where the address space is limited. All processes that the
/// program started have ended then.
pub fn supervise(
    supervisor: &impl Supervisor,
    name: &str,
    stack: usize,
    work: impl FnOnce() -> u8 + Send + 'static,
) -> u8 {
    leave_time_for_the_verdict();
    let (send, events) = channel();
    let heard = send.clone();
    forward_signals(move |signal| heard.send(Event::Signal(signal)).is_ok());
    let spawned = std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(limits::stack(stack))
        .spawn(move || send.send(Event::Done(work())));
    let status = match spawned {
        Ok(_) => wait(supervisor, &events),
        Err(error) => {
            log::error!("no thread for the work: {error}");
            supervisor.stop().stop(UnknownReason::Memory);
            supervisor.last_word();
            FAULT
        }
    };
    end_children();
    status
}

/// Waits for the end of the work. If it does not come, the supervisor has the last word.
fn wait(supervisor: &impl Supervisor, events: &Receiver<Event>) -> u8 {
    let stop = supervisor.stop();
    // The time at which the work must be over after the token was raised.
    let mut end = None;
    let period = memory::period(PERIOD);
    loop {
        match events.recv_timeout(period) {
            Ok(Event::Done(status)) => return status,
            Ok(Event::Signal(SIGXCPU)) => stop.stop(UnknownReason::Timeout),
            Ok(Event::Signal(_)) => stop.stop(UnknownReason::Interrupted),
            Err(RecvTimeoutError::Timeout) => {}
            // The thread panicked, which has been reported.
            Err(RecvTimeoutError::Disconnected) => return FAULT,
        }
        let now = Instant::now();
        let is_overdue = supervisor.is_overdue(now);
        if stop.token().is_cancelled() && end.is_none() {
            end = Some(now + GRACE);
        }
        let exhausted = memory::is_nearly_exhausted();
        if exhausted {
            stop.stop(UnknownReason::Memory);
        }
        if exhausted || is_overdue || end.is_some_and(|end| now > end) {
            supervisor.last_word();
            return DONE;
        }
    }
}
