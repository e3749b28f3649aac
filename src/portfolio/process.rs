//! What a program owes to the processes around it: limits on its command line are read, signals are heard, children end.

use super::memory;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::iterator::Signals;
use std::time::Duration;

/// Passes SIGINT, SIGTERM, SIGHUP and SIGXCPU on, by number and from a thread of its own, as long as `hear` answers that somebody
/// listens. Where signals cannot be caught, it says so, and they end the program.
pub fn forward_signals(hear: impl Fn(i32) -> bool + Send + 'static) {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGXCPU]) else {
        log::warn!("signals cannot be caught: they end the program without a verdict");
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if !hear(signal) {
                return;
            }
        }
    });
}

/// Kills all processes that this one started, and theirs.
pub fn end_children() {
    for process in memory::descendants() {
        let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            // It may have ended by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// A time limit as it stands on a command line: a positive number of seconds, possibly with a fraction. One that no clock reaches is as
/// good as none.
///
/// # Errors
/// What is wrong with the text, in a few words.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "not a number of seconds".to_owned())?;
    if seconds > 0.0 {
        Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    } else {
        Err("a time limit must be positive".to_owned())
    }
}
