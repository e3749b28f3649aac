//! Bounds on time that hold on a busy machine, too.

use std::time::Duration;

/// What has to end promptly ends within this time. A machine that many programs share may leave a
/// thread waiting for seconds; what never ends takes longer than this in any case.
pub(crate) const PROMPTLY: Duration = Duration::from_secs(20);

/// What the work gives, and the seconds of processor time that this thread needed for it; 0 where
/// the kernel does not tell. Unlike wall time it does not grow when other programs run.
pub(crate) fn seconds_of<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let begun = thread_seconds();
    let result = work();
    (result, thread_seconds() - begun)
}

fn thread_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: u64 = text
        .split_whitespace()
        .next()
        .and_then(|first| first.parse().ok())
        .unwrap_or(0);
    nanoseconds as f64 / 1e9
}
