//! Ending a process by its id.

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};
use std::time::{Duration, Instant};

/// How long a killed process may take to end before it is left to itself.
const PATIENCE: Duration = Duration::from_secs(1);
/// The pause between two looks at it.
const PAUSE: Duration = Duration::from_micros(200);

/// A child of ours that has not been reaped, so that the id is still its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessId {
    pid: Pid,
    /// Does it lead a process group, which holds its own children too?
    leads_group: bool,
}

impl ProcessId {
    /// The process of that number.
    pub(super) fn new(number: i32, leads_group: bool) -> Option<ProcessId> {
        // 0 and negative numbers mean groups, 1 is init: never kill those for what a child said.
        let pid = (number > 1).then(|| Pid::from_raw(number)).flatten()?;
        Some(ProcessId { pid, leads_group })
    }

    /// Its number.
    pub(super) fn number(self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Kills it, with its group. No error: it may have ended by itself.
    pub(super) fn kill(self) {
        if self.leads_group {
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
        let _ = kill_process(self.pid, Signal::KILL);
    }

    /// Waits until it has ended, a moment after [`ProcessId::kill`], and leaves it to be reaped.
    pub(super) fn wait_for_end(self) {
        let started = Instant::now();
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        while let Ok(None) = waitid(WaitId::Pid(self.pid), look)
            && started.elapsed() < PATIENCE
        {
            std::thread::sleep(PAUSE);
        }
    }
}
