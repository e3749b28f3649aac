//! Bounds on time that hold on a busy machine, too.

use horn::smt::Limit;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
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
    seconds_of_thread(Path::new("thread-self"))
}

/// For a thread by its path below `/proc`.
fn seconds_of_thread(thread: &Path) -> f64 {
    let path = Path::new("/proc").join(thread).join("schedstat");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let nanoseconds: u64 = text
        .split_whitespace()
        .next()
        .and_then(|first| first.parse().ok())
        .unwrap_or(0);
    nanoseconds as f64 / 1e9
}

/// Does the work with a limit that is reached when this thread has used `time` of the processor, on
/// a busy machine as on an idle one. Where the kernel does not tell, and for work of other
/// processes, it is reached after 20 times that by the clock.
pub(crate) fn within_processor_time<R>(time: Duration, work: impl FnOnce(&Limit) -> R) -> R {
    let limit = Limit::none().within(20 * time);
    let done = AtomicBool::new(false);
    let thread = std::fs::read_link("/proc/thread-self").ok();
    let end = thread_seconds() + time.as_secs_f64();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if thread.as_deref().map_or(0.0, seconds_of_thread) > end {
                    limit.cancel.cancel();
                }
                std::thread::sleep(PERIOD);
            }
        });
        // The watcher ends where the work panics, too.
        let _end = SetAtEnd(&done);
        work(&limit)
    })
}

/// The pause between two looks at the time that a thread has used.
const PERIOD: Duration = Duration::from_millis(5);

/// Sets its flag when it goes out of scope.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
