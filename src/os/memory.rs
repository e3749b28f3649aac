//! The memory of this process and its children, from the kernel's files in `/proc`.
//!
//! Missing: systems without `/proc/PID/task/TID/children` (other than Linux); there nothing is
//! measured and no limit holds.

use super::Stop;
use super::limits::{address_space, group_memory};
use crate::chc::UnknownReason;
use std::fs;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The pause between two measurements: a process that allocates a gigabyte a second exceeds its
/// limit by a tenth of one.
const PERIOD: Duration = Duration::from_millis(100);

/// The pause where the address space is limited: an allocation beyond the limit ends the program.
const SHORT_PERIOD: Duration = Duration::from_millis(5);

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

/// The number of bytes of this process's address space.
fn virtual_bytes() -> Option<u64> {
    status_bytes(std::process::id(), "VmSize:")
}

fn resident_of(process: u32) -> Option<u64> {
    status_bytes(process, "VmRSS:")
}

/// May the next allocation end the program, because an eighth of a limited address space is left?
pub fn is_nearly_exhausted() -> bool {
    address_space().is_some_and(|limit| virtual_bytes() > Some(limit / 8 * 7))
}

/// The pause between two measurements, by whether an allocation can end the program.
pub fn period(usual: Duration) -> Duration {
    address_space().map_or(usual, |_| usual.min(SHORT_PERIOD))
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
    /// Starts the watch over the resident memory of this process and its descendants.
    pub fn start(limit_bytes: u64, stop: &Stop) -> Self {
        Self::watch(PERIOD, stop, move || resident_bytes() > limit_bytes)
    }

    /// Starts the watch over a program: by the limit of the user, if there is one, and by the
    /// limits of the system, of which a part is left for the end. `None` if there is no limit.
    pub fn for_program(limit_bytes: Option<u64>, stop: &Stop) -> Option<Self> {
        let of_group = group_memory().map(|bytes| bytes / 16 * 15);
        let resident = limit_bytes.into_iter().chain(of_group).min();
        let address_space = address_space().map(|bytes| bytes / 4 * 3);
        let is_over = move || {
            resident.is_some_and(|limit| resident_bytes() > limit)
                || address_space.is_some_and(|limit| virtual_bytes() > Some(limit))
        };
        let has_limit = resident.is_some() || address_space.is_some();
        has_limit.then(|| Self::watch(period(PERIOD), stop, is_over))
    }

    fn watch(period: Duration, stop: &Stop, is_over: impl Fn() -> bool + Send + 'static) -> Self {
        let (end, ended) = channel();
        let stop = stop.clone();
        let watch = move || {
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                if is_over() {
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
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    use std::time::Instant;

    /// What is to happen within a period happens within this time on a busy machine, too.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// Waits until the condition holds.
    #[track_caller]
    fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
        let started = Instant::now();
        while !holds() {
            assert!(started.elapsed() < PATIENCE, "{what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn children_are_found_and_measured() {
        // A shell whose child says its id. Both end when their standard input is closed, also where
        // this test panics, so that no process has to be killed.
        let mut child = Command::new("sh")
            .args(["-c", "sh -c 'echo $$; read line'; :"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("it is piped");
        let mut line = String::new();
        BufReader::new(output)
            .read_line(&mut line)
            .expect("the inner shell writes text");
        let inner: u32 = line.trim().parse().expect("the inner shell says its id");
        // The kernel may leave out entries of the list of threads while threads of other tests end.
        wait_until("the shells are not found", || {
            let found = descendants();
            found.contains(&child.id()) && found.contains(&inner)
        });
        assert!(resident_bytes() > 1 << 20);
        drop(input);
        child.wait().expect("it is our child");
        assert!(!descendants().contains(&inner));
    }

    #[test]
    fn the_watch_raises_the_token() {
        let stop = Stop::new();
        let watch = MemoryWatch::start(1, &stop);
        wait_until("the token is not raised", || stop.token().is_cancelled());
        drop(watch);
        assert_eq!(stop.reason(), Some(&UnknownReason::Memory));
        let stop = Stop::new();
        drop(MemoryWatch::start(u64::MAX, &stop));
        assert!(!stop.token().is_cancelled());
    }
}
