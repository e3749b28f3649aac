//! The limits that the system has set for this process: its address space, its CPU time, and the
//! memory of its control group.
//!
//! A process that reaches one of them is killed, or its next allocation ends it, before it can say
//! a word. So work ends a little sooner, with a verdict.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The smallest stack of a thread that works, in bytes.
const SMALLEST_STACK: usize = 8 << 20;

/// The number of bytes that the address space may have, `ulimit -v`; `None` where there is no
/// limit.
pub fn address_space() -> Option<u64> {
    getrlimit(Resource::As).current
}

/// The largest stack, in bytes, up to the one wanted, that leaves most of the address space to the
/// rest.
pub fn stack(wanted: usize) -> usize {
    let fits = address_space().map_or(usize::MAX, |bytes| {
        usize::try_from(bytes / 8).unwrap_or(usize::MAX)
    });
    wanted.min(fits).max(SMALLEST_STACK.min(wanted))
}

/// Lets the signal SIGXCPU come one second before the process is killed for its CPU time, where
/// both were to come at once (`ulimit -t`).
pub fn leave_time_for_the_verdict() {
    let Rlimit { current, maximum } = getrlimit(Resource::Cpu);
    let Some(killed_at) = maximum else { return };
    if killed_at > 1 && current.is_none_or(|at| at >= killed_at) {
        let earlier = Rlimit {
            current: Some(killed_at - 1),
            maximum,
        };
        // A limit may always be lowered.
        let _ = setrlimit(Resource::Cpu, earlier);
    }
}

/// The processor time of this process after which it gets the signal SIGXCPU; `None` where there is
/// no limit.
pub fn processor_time() -> Option<Duration> {
    let seconds = getrlimit(Resource::Cpu).current;
    seconds.map(Duration::from_secs)
}

/// The number of bytes that the processes of this one's control group may have resident, by the
/// group and those around it; `None` where there is no limit.
pub fn group_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    limit_of_groups(&groups, Path::new("/sys/fs/cgroup"))
}

/// The smallest limit among the groups of a process, as `/proc/PID/cgroup` names them, below the
/// directory where they are mounted: one tree for all in version 2, one for memory in version 1.
fn limit_of_groups(groups: &str, mounted: &Path) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, group) = (parts.next()?, parts.next()?);
        let (root, file) = match controllers {
            "" => (mounted.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (mounted.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let group = root.join(group.trim_start_matches('/'));
        let around = group.ancestors().take_while(|of| of.starts_with(&root));
        around
            .map(PathBuf::from)
            .filter_map(|of| bytes(&of.join(file)))
            .min()
    });
    limits.min()
}

/// The number in a file; `None` for `max` and where there is no file.
fn bytes(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_limit_of_the_groups_holds() {
        let mounted = tempfile::tempdir().expect("a directory");
        let root = mounted.path();
        fs::create_dir_all(root.join("a/b")).expect("directories");
        fs::create_dir_all(root.join("memory/c")).expect("directories");
        let groups = "0::/a/b\n";
        assert_eq!(limit_of_groups(groups, root), None);
        fs::write(root.join("a/b/memory.max"), "max\n").expect("a file");
        assert_eq!(limit_of_groups(groups, root), None);
        fs::write(root.join("a/memory.max"), "5000\n").expect("a file");
        assert_eq!(limit_of_groups(groups, root), Some(5000));
        fs::write(root.join("a/b/memory.max"), "4000\n").expect("a file");
        assert_eq!(limit_of_groups(groups, root), Some(4000));
        fs::write(root.join("memory/c/memory.limit_in_bytes"), "3000\n").expect("a file");
        let both = "4:cpu,memory:/c\n2:cpuset:/a\n0::/a/b\n";
        assert_eq!(limit_of_groups(both, root), Some(3000));
        assert_eq!(limit_of_groups("4:cpu:/c\n", root), None);
    }
}
