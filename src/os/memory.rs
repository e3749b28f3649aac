//! The memory of this process and its children, from the kernel's files in `/proc`.
//!
//! Missing: systems without `/proc/PID/task/TID/children` (other than Linux); there nothing is
//! measured and no limit holds.

use super::Stop;
use crate::chc::UnknownReason;
use std::fs;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The pause between two measurements: a process that allocates a gigabyte a second exceeds its
/// limit by a tenth of one.
const PERIOD: Duration = Duration::from_millis(100);

/// The ids of all processes that descend from this one.
pub fn descendants() -> Vec<u32> {
    let mut found = children(std::process::id());
    let mut next = 0;
    while next < found.len() {
        found.extend(children(found[next]));
        next += 1;
    }
    found
}

fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let lists = threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().map(str::parse).collect::<Vec<_>>())
        .flatten()
        .collect()
}

/// Resident bytes of this process and its descendants, shared pages counted for each; 0 where it
/// cannot be measured.
pub fn resident_bytes() -> u64 {
    let all = descendants().into_iter().chain([std::process::id()]);
    all.filter_map(resident_of).sum()
}

/// The largest number of bytes that this process ever had resident, without its children.
pub fn peak_bytes() -> Option<u64> {
    status_bytes(std::process::id(), "VmHWM:")
}

fn resident_of(process: u32) -> Option<u64> {
    status_bytes(process, "VmRSS:")
}

/// A line of `/proc/PID/status` that gives a size.
fn status_bytes(process: u32, key: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// A thread that raises a token when the memory exceeds a limit. Ends when dropped.
#[derive(Debug)]
pub struct MemoryWatch {
    /// Closed to end the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    /// Starts the watch.
    pub fn start(limit_bytes: u64, stop: &Stop) -> Self {
        let (end, ended) = channel();
        let stop = stop.clone();
        let watch = move || {
            while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if resident_bytes() > limit_bytes {
                    stop.stop(UnknownReason::Memory);
                    return;
                }
            }
        };
        MemoryWatch {
            end: Some(end),
            thread: Some(std::thread::spawn(watch)),
        }
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // The thread returns nothing, and its panic has been reported.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    #[test]
    fn children_are_found_and_measured() {
        let mut child = Command::new("sh")
            .args(["-c", "sleep 30 & wait"])
            .stdin(Stdio::null())
            .spawn()
            .expect("a shell");
        let started = Instant::now();
        while descendants().len() < 2 && started.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(descendants().contains(&child.id()));
        assert!(resident_bytes() > 1 << 20);
        for process in descendants() {
            // The shell's own child is not ours to wait for: `kill` by the shell's means.
            let _ = Command::new("kill").arg(process.to_string()).status();
        }
        let _ = child.wait();
    }

    #[test]
    fn the_watch_raises_the_token() {
        let stop = Stop::new();
        let watch = MemoryWatch::start(1, &stop);
        let started = Instant::now();
        while !stop.token().is_cancelled() && started.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(watch);
        assert_eq!(stop.reason(), Some(&UnknownReason::Memory));
        let stop = Stop::new();
        drop(MemoryWatch::start(u64::MAX, &stop));
        assert!(!stop.token().is_cancelled());
    }
}
