//! Work counted in ticks: what algorithms read in place of a clock.
//!
//! A tick stands for about one access to memory outside of the cache, as in CaDiCaL: a clause
//! visited by propagation, an entry of a row touched by the simplex, a term looked up. The same
//! input costs the same number of ticks on every machine and under any load, so a budget in ticks
//! ends a computation at the same place.
//!
//! Code that works calls [`spend`] once for each batch of work; it needs no handle, since the ticks
//! of a thread are collected beside its stack. A [`Work`] is the meter of one run.
//! [`crate::smt::Limit`] moves the ticks that its thread has collected into its meter whenever it
//! is polled.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of ticks that a present machine does in a second. It converts the user's seconds to
/// ticks.
///
/// Measured as the quotient of `ticks` and `engine-time` that `horn-solve --engine ENGINE --jobs 1
/// --stats=json` prints. On thirteen tasks of CHC-COMP 2025 with the engines pdr, bmc, kind, and
/// spacer it was 33 to 100 million where a run took 0.1 s or more, with a median of 46 million. On
/// a slower machine it was about half of that. Budgets are a multiple of this number, so a slower
/// machine takes longer for them but does the same work.
pub const TICKS_PER_SECOND: u64 = 20_000_000;

/// The ticks of a number of milliseconds.
pub const fn milliseconds(number: u64) -> u64 {
    number.saturating_mul(TICKS_PER_SECOND / 1000)
}

/// The ticks of a duration, rounded down; at most `u64::MAX`.
pub fn of_duration(duration: Duration) -> u64 {
    let ticks = duration.as_nanos().saturating_mul(TICKS_PER_SECOND.into()) / 1_000_000_000;
    u64::try_from(ticks).unwrap_or(u64::MAX)
}

/// The time that a number of ticks takes on a present machine.
pub fn to_duration(ticks: u64) -> Duration {
    let rest = ticks % TICKS_PER_SECOND * 1_000_000_000 / TICKS_PER_SECOND;
    Duration::from_secs(ticks / TICKS_PER_SECOND) + Duration::from_nanos(rest)
}

thread_local! {
    /// All ticks of this thread.
    static SPENT: Cell<u64> = const { Cell::new(0) };
    /// The reading of `SPENT` up to which a meter has taken them.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts work that the current thread has done.
#[inline]
pub fn spend(ticks: u64) {
    SPENT.with(|spent| spent.set(spent.get().wrapping_add(ticks)));
}

/// Counts work on that many things, each worth one tick.
#[inline]
pub fn spend_on(things: usize) {
    spend(things as u64);
}

/// All the work that the current thread has done. The difference of two readings is the work
/// between them, whoever looks at a meter meanwhile.
#[inline]
pub fn spent() -> u64 {
    SPENT.with(Cell::get)
}

/// The ticks of the current thread that no meter has taken. They count as taken now.
fn take() -> u64 {
    let spent = spent();
    spent.wrapping_sub(TAKEN.with(|taken| taken.replace(spent)))
}

/// Runs the check of an invariant without counting its work: a run has the same ticks with debug
/// assertions as without. The check must not read a meter.
pub fn uncounted<T>(check: impl FnOnce() -> T) -> T {
    let before = spent();
    let result = check();
    SPENT.with(|spent| spent.set(before));
    result
}

/// A meter: the ticks of one run. Clones are the same meter.
#[derive(Clone, Debug, Default)]
pub struct Work(Arc<AtomicU64>);

impl Work {
    /// A meter at zero. What the current thread has collected before goes into no meter.
    pub fn new() -> Self {
        take();
        Self::default()
    }

    /// Takes what the current thread has collected into the meter, and reads it.
    pub fn ticks(&self) -> u64 {
        self.add(take())
    }

    /// Reads the meter, without what the current thread has collected: for another thread's meter.
    pub fn read(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds ticks that were counted elsewhere, and reads the meter.
    pub fn add(&self, ticks: u64) -> u64 {
        self.0.fetch_add(ticks, Ordering::Relaxed) + ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_takes_what_its_thread_collects() {
        spend(5);
        let meter = Work::new();
        assert_eq!(meter.ticks(), 0, "work before the meter is not its own");
        let before = spent();
        spend(3);
        let same = meter.clone();
        assert_eq!((same.ticks(), meter.ticks()), (3, 3));
        assert_eq!(spent() - before, 3, "also what a meter has taken");
        std::thread::spawn(|| spend(100)).join().expect("it spends");
        uncounted(|| spend(100));
        assert_eq!(meter.add(2), 5, "other threads have counts of their own");
    }

    #[test]
    fn seconds_become_ticks() {
        assert_eq!(of_duration(Duration::from_millis(1500)), milliseconds(1500));
        assert_eq!(of_duration(Duration::MAX), u64::MAX);
        assert_eq!(to_duration(milliseconds(1500)), Duration::from_millis(1500));
        assert_eq!(of_duration(to_duration(u64::MAX - 1)), u64::MAX - 1);
    }
}
