//! The last word: a verdict soon after a signal or a limit, whatever the working thread is doing.
//!
//! A second thread does the work. The main thread waits for it, for signals and for the deadline.
//! It raises the token that the work polls, and after a while prints the verdict itself.

use horn::chc::UnknownReason;
use horn::os::Stop;
use horn::os::supervise::Supervisor;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// What both threads share.
pub(crate) struct C2HornRun {
    /// Ends the work.
    pub(crate) stop: Stop,
    /// When it must be over.
    pub(crate) deadline: Option<Instant>,
    started: Instant,
    /// Is a verdict wanted, and not given yet?
    due: AtomicBool,
}

impl C2HornRun {
    pub(crate) fn new(timeout: Option<Duration>, verdict: bool) -> Self {
        let now = Instant::now();
        C2HornRun {
            stop: Stop::new(),
            deadline: timeout.and_then(|timeout| now.checked_add(timeout)),
            started: now,
            due: AtomicBool::new(verdict),
        }
    }

    /// The time since the program was started.
    pub(crate) fn time(&self) -> Duration {
        self.started.elapsed()
    }

    /// The right to print the verdict, which only one thread gets.
    pub(crate) fn claim(&self) -> bool {
        self.due.swap(false, Ordering::SeqCst)
    }
}

impl Supervisor for C2HornRun {
    fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The work ends by itself, or is ended a while later: the token says that time is up.
    fn is_overdue(&self, now: Instant) -> bool {
        if self.deadline.is_some_and(|deadline| now > deadline) {
            self.stop.stop(UnknownReason::Timeout);
        }
        false
    }

    fn last_word(&self) {
        let reason = self.stop.reason().cloned();
        let reason = reason.unwrap_or(UnknownReason::Timeout);
        if self.claim() {
            let mut out = std::io::stdout().lock();
            // A closed standard output is not an error here.
            let _ = writeln!(out, "UNKNOWN({reason})").and_then(|()| out.flush());
        } else {
            eprintln!("error: {reason}");
        }
    }
}

/// The present date and time, for witnesses.
pub(crate) fn date() -> SystemTime {
    SystemTime::now()
}
