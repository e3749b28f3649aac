//! Signals and child processes.

use super::memory;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::iterator::Signals;

/// Starts a thread that passes SIGINT, SIGTERM, SIGHUP and SIGXCPU to `hear`, by number, while
/// `hear` answers `true`. If signals cannot be caught, it logs that, and they end the program.
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

/// Kills all processes that descend from this one.
pub fn end_children() {
    for process in memory::descendants() {
        let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            // It may have ended by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
