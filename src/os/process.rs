//! What a program owes to the processes around it: signals are heard, children end.

use super::memory;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::iterator::Signals;

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
