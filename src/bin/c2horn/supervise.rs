//! The last word: a verdict soon after a signal or a limit, whatever the working thread is doing.
//!
//! The work is done in a thread of its own, with a large stack: the parser recurses over the program. The main thread waits for it,
//! for signals and for the deadline, raises the token that the work looks at, and after a while prints the verdict itself.

use horn::chc::UnknownReason;
use horn::portfolio::Stop;
use horn::portfolio::process::{end_children, forward_signals};
use signal_hook::consts::SIGXCPU;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long the work may take to end by itself.
const GRACE: Duration = Duration::from_millis(600);
/// The pause between two looks at the limits.
const PERIOD: Duration = Duration::from_millis(50);
/// The stack of the working thread.
const STACK: usize = 512 << 20;

/// What both threads share.
pub(crate) struct Run {
    /// Ends the work.
    pub(crate) stop: Stop,
    /// When it must be over.
    pub(crate) deadline: Option<Instant>,
    /// Is a verdict wanted, and not given yet?
    due: AtomicBool,
}

impl Run {
    pub(crate) fn new(timeout: Option<Duration>, verdict: bool) -> Self {
        Run {
            stop: Stop::new(),
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            due: AtomicBool::new(verdict),
        }
    }

    /// The right to print the verdict, which only one thread gets.
    pub(crate) fn claim(&self) -> bool {
        self.due.swap(false, Ordering::SeqCst)
    }
}

enum Event {
    Done(u8),
    Signal(i32),
}

/// Does the work in a thread of its own and answers the exit status.
pub(crate) fn supervise(run: &Arc<Run>, work: impl FnOnce(&Run) -> u8 + Send + 'static) -> u8 {
    let (send, events) = channel();
    let heard = send.clone();
    forward_signals(move |signal| heard.send(Event::Signal(signal)).is_ok());
    let shared = Arc::clone(run);
    let spawned = std::thread::Builder::new()
        .name("c2horn".to_owned())
        .stack_size(STACK)
        .spawn(move || send.send(Event::Done(work(&shared))));
    if let Err(error) = spawned {
        eprintln!("error: no thread for the work: {error}");
        return 3;
    }
    let mut end = None;
    loop {
        match events.recv_timeout(PERIOD) {
            Ok(Event::Done(status)) => return status,
            Ok(Event::Signal(SIGXCPU)) => run.stop.stop(UnknownReason::Timeout),
            Ok(Event::Signal(_)) => run.stop.stop(UnknownReason::Interrupted),
            Err(RecvTimeoutError::Timeout) => {}
            // The thread died without a word; its panic has been reported.
            Err(RecvTimeoutError::Disconnected) => return 3,
        }
        let now = Instant::now();
        if run.deadline.is_some_and(|deadline| now > deadline) {
            run.stop.stop(UnknownReason::Timeout);
        }
        if run.stop.token().is_cancelled() && end.is_none() {
            end = Some(now + GRACE);
        }
        if end.is_some_and(|end| now > end) {
            let reason = run.stop.reason().cloned().unwrap_or(UnknownReason::Timeout);
            if run.claim() {
                let mut out = std::io::stdout().lock();
                // A standard output that nobody reads is no error here.
                let _ = writeln!(out, "UNKNOWN({reason})").and_then(|()| out.flush());
            } else {
                eprintln!("error: {reason}");
            }
            end_children();
            return 0;
        }
    }
}
