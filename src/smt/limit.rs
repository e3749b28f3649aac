//! Limits of a computation: a deadline, a flag that another thread may raise, and a budget of work;
//! and how much work the user's time is expected to leave.

use super::Failure;
use crate::work::{self, Work};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag shared between whoever wants a computation to end and the computation, which looks at it
/// often. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    /// Counts as raising this one, too.
    above: Option<CancelToken>,
}

impl CancelToken {
    /// A flag that is down.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that is raised with this one, and that can be raised without it: for a part of a
    /// computation.
    #[must_use]
    pub fn child(&self) -> CancelToken {
        CancelToken(Arc::new(Flag {
            raised: AtomicBool::new(false),
            above: Some(self.clone()),
        }))
    }

    /// Raises the flag, for good.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Is the flag raised?
    pub fn is_cancelled(&self) -> bool {
        let mut token = Some(self);
        while let Some(CancelToken(flag)) = token {
            if flag.raised.load(Ordering::Relaxed) {
                return true;
            }
            token = flag.above.as_ref();
        }
        false
    }
}

/// When a computation must end: at the user's deadline, when a flag is raised, or when a budget of
/// work is used up.
///
/// Only the deadline has to do with time, and the processor time that the system allows. Algorithms
/// that may give up early take a [`part`](Limit::part) of the limit, in ticks, so that they give up
/// at the same place on every machine.
///
/// The default never ends. Unlike [`Limit::none`] it begins no run: the work that the current
/// thread has done stays with the meter that reads it next.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    /// Not after this instant.
    pub deadline: Option<Instant>,
    /// And not after this flag is raised.
    pub cancel: CancelToken,
    /// The meter of the run that this limit is part of.
    work: Work,
    /// The reading of the meter at which the computation ends.
    end: Option<u64>,
    /// The reading of the meter and the instant after both of which the computation ends.
    turn: Option<(u64, Instant)>,
    /// The reading of the meter at which all work is expected to be over. Nothing ends there: it
    /// tells how large shares are.
    horizon: Option<u64>,
    /// When work began that has a deadline, and what the meter read then.
    begun: Option<(Instant, u64)>,
    /// The processor time that the system gives to the process.
    processor: Option<ProcessorTime>,
}

/// A limit of the processor time of the process. Nothing ends there but the process itself: the
/// limit tells how large shares are.
#[derive(Clone, Debug)]
struct ProcessorTime {
    /// The time at which the system ends the process.
    end: Duration,
    /// The time at which work began, and what the meter read then.
    begun: (Duration, u64),
    /// The number of threads that use the time at once.
    threads: u32,
}

impl ProcessorTime {
    /// The processor time that the process has used.
    fn used() -> Duration {
        clock_gettime(ClockId::ProcessCPUTime)
            .try_into()
            .unwrap_or_default()
    }

    /// The ticks of one thread that are expected before the end, at the pace of the work so far,
    /// where the meter reads `ticks`.
    fn expected(&self, ticks: u64) -> u64 {
        let used = Self::used();
        let time = used.saturating_sub(self.begun.0);
        let pace = pace(ticks - self.begun.1, time);
        let left = self.end.saturating_sub(used) / self.threads;
        (left.as_secs_f64() * pace) as u64
    }
}

/// The ticks of a second, from those of some time. What is expected counts as much as one second.
fn pace(ticks: u64, time: Duration) -> f64 {
    (work::TICKS_PER_SECOND as f64 + ticks as f64) / (1.0 + time.as_secs_f64())
}

impl Limit {
    /// No end but by the flag, and a meter at zero.
    pub fn none() -> Self {
        Limit {
            work: Work::new(),
            ..Self::default()
        }
    }

    /// An end at the deadline, if there is one, or by the flag; and a meter at zero.
    ///
    /// The budget of which [`Limit::share`] gives parts is the deadline's, as far away as it is
    /// now.
    pub fn new(deadline: Option<Instant>, cancel: CancelToken) -> Self {
        let now = Instant::now();
        let left = deadline.map(|d| d.saturating_duration_since(now));
        Limit {
            deadline,
            cancel,
            horizon: left.map(work::of_duration),
            begun: deadline.map(|_| (now, 0)),
            ..Limit::none()
        }
    }

    /// This limit, for a process that the system ends when it has used this much processor time.
    /// Shares are parts of the time that is left.
    #[must_use]
    pub fn with_processor_time(self, end: Duration) -> Limit {
        let used = ProcessorTime::used();
        let expected = work::of_duration(end.saturating_sub(used));
        let horizon = self.ticks().saturating_add(expected);
        Limit {
            horizon: Some(self.horizon.map_or(horizon, |h| h.min(horizon))),
            processor: Some(ProcessorTime {
                end,
                begun: (used, self.ticks()),
                threads: 1,
            }),
            ..self
        }
    }

    /// This limit for each of several threads that work at the same time: they share the processor
    /// time of the process.
    #[must_use]
    pub fn for_each_of(mut self, threads: u32) -> Limit {
        if let Some(processor) = &mut self.processor {
            processor.threads = threads.max(1);
        }
        self
    }

    /// This limit, and at most `duration` from now. For what the user limits; algorithms take a
    /// [`part`](Limit::part).
    pub fn within(&self, duration: Duration) -> Limit {
        let (now, ticks) = (Instant::now(), self.ticks());
        let then = now + duration;
        let end = ticks.saturating_add(work::of_duration(duration));
        Limit {
            deadline: Some(self.deadline.map_or(then, |d| d.min(then))),
            horizon: Some(self.horizon.map_or(end, |h| h.min(end))),
            begun: self.begun.or(Some((now, ticks))),
            ..self.clone()
        }
    }

    /// This limit, and at most that many ticks from now.
    pub fn part(&self, ticks: u64) -> Limit {
        let end = self.ticks().saturating_add(ticks);
        Limit {
            end: Some(self.end.map_or(end, |e| e.min(end))),
            ..self.clone()
        }
    }

    /// The limit of a side task: one of `parts` equal parts of the budget that is left, and no more
    /// than `most` ticks.
    pub fn share(&self, parts: u64, most: u64) -> Limit {
        self.part(
            self.budget_left()
                .map_or(most, |left| most.min(left / parts)),
        )
    }

    /// This limit for another thread: with a meter that begins at what is used up here.
    #[must_use]
    pub fn for_thread(&self) -> Limit {
        let work = Work::default();
        work.add(self.ticks());
        Limit {
            work,
            ..self.clone()
        }
    }

    /// The reading of the meter: the ticks of the run so far, including the ticks that this thread
    /// has just spent.
    pub fn ticks(&self) -> u64 {
        self.work.ticks()
    }

    /// The meter.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Ticks left; `None` where work is not limited. The clock is read only in a
    /// [`long turn`](Limit::long_turn) whose ticks are used up.
    pub fn ticks_left(&self) -> Option<u64> {
        let ticks = self.ticks();
        let part = self.end.map(|end| end.saturating_sub(ticks));
        let turn = self.turn.map(|(end, time)| match end.checked_sub(ticks) {
            Some(left) if left > 0 => left,
            _ => self.expected_until(time),
        });
        [part, turn].into_iter().flatten().min()
    }

    /// Ticks that are left, or that the deadline or the processor time are expected to leave,
    /// whichever are fewer; `None` where nothing is limited.
    ///
    /// The expectation is [`work::TICKS_PER_SECOND`]'s as long as it is not proved wrong, so that
    /// shares do not depend on the load; after that it is that of [`Limit::expected_left`].
    pub fn budget_left(&self) -> Option<u64> {
        let ticks = self.ticks();
        match self.horizon.map(|horizon| horizon.saturating_sub(ticks)) {
            Some(left) if left > 0 => Some(self.ticks_left().map_or(left, |own| own.min(left))),
            _ => self.expected_left(),
        }
    }

    /// Ticks that are left, or that the deadline or the processor time are expected to leave at the
    /// pace of the work so far, whichever are fewer; `None` where nothing is limited. This reads
    /// the clock if the time is limited: it is for those who divide the user's time.
    pub fn expected_left(&self) -> Option<u64> {
        let time = self.deadline.map(|deadline| self.expected_until(deadline));
        let processor = self.processor.as_ref();
        let processor = processor.map(|processor| processor.expected(self.ticks()));
        let lefts = [time, processor, self.ticks_left()];
        lefts.into_iter().flatten().min()
    }

    /// The ticks that are expected before an instant at the pace of the work so far.
    fn expected_until(&self, then: Instant) -> u64 {
        let left = then.saturating_duration_since(Instant::now());
        (left.as_secs_f64() * self.ticks_per_second()) as u64
    }

    /// The ticks of a second since work began, where what is expected counts as much as one second.
    fn ticks_per_second(&self) -> f64 {
        match self.begun {
            Some((instant, ticks)) => pace(self.ticks() - ticks, instant.elapsed()),
            None => pace(0, Duration::ZERO),
        }
    }

    /// The limit of one of several computations that follow each other: that many ticks.
    ///
    /// If there is a deadline, the limit also ends after twice the time that these ticks are
    /// expected to take, so that work that is counted badly leaves time for later turns.
    pub fn turn(&self, ticks: u64) -> Limit {
        let turn = self.part(ticks);
        match self.expected_time(ticks) {
            None => turn,
            Some((time, left)) => turn.within(time.saturating_mul(2).min(left)),
        }
    }

    /// As [`turn`](Limit::turn), for a computation that has most of the time. If there is a
    /// deadline and the ticks are used up sooner than expected, the limit goes on until the
    /// expected time is over, so that the time is not left to computations that need it less.
    pub fn long_turn(&self, ticks: u64) -> Limit {
        let turn = self.turn(ticks);
        match self.expected_time(ticks) {
            None => turn,
            Some((time, left)) => {
                let then = Instant::now() + time.min(left);
                let own = (self.ticks().saturating_add(ticks), then);
                let above = self.turn.unwrap_or(own);
                Limit {
                    end: self.end,
                    turn: Some((own.0.min(above.0), own.1.min(above.1))),
                    ..turn
                }
            }
        }
    }

    /// The time that this number of ticks is expected to take at the pace of the work so far, and
    /// the time that is left; `None` where there is no deadline.
    fn expected_time(&self, ticks: u64) -> Option<(Duration, Duration)> {
        let left = self.remaining()?;
        let time = Duration::try_from_secs_f64(ticks as f64 / self.ticks_per_second());
        Some((time.unwrap_or(left), left))
    }

    /// Time left; `None` where there is no deadline.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline
            .map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// An error if the limit is reached: [`Failure::Timeout`] also where work is used up.
    pub fn check(&self) -> Result<(), Failure> {
        if self.cancel.is_cancelled() {
            Err(Failure::Cancelled)
        } else if self.ticks_left() == Some(0) || self.remaining() == Some(Duration::ZERO) {
            Err(Failure::Timeout)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_raised_with_their_parents_only() {
        let whole = CancelToken::new();
        let (one, other) = (whole.child(), whole.child());
        one.cancel();
        let raised = |tokens: [&CancelToken; 3]| tokens.map(CancelToken::is_cancelled);
        assert_eq!(raised([&whole, &one, &other]), [false, true, false]);
        whole.cancel();
        assert_eq!(raised([&whole, &one, &other.child()]), [true; 3]);
    }

    #[test]
    fn budgets_end_where_the_work_is_done() {
        let whole = Limit::none();
        let part = whole.part(10);
        let smaller = part.share(2, 100);
        work::spend(4);
        assert_eq!(
            (part.ticks_left(), smaller.ticks_left()),
            (Some(6), Some(1))
        );
        work::spend(1);
        assert_eq!(smaller.check(), Err(Failure::Timeout));
        assert_eq!((part.check(), whole.check()), (Ok(()), Ok(())));
        assert_eq!(whole.share(2, 100).ticks_left(), Some(100));
    }

    #[test]
    fn a_thread_has_a_meter_of_its_own() {
        let whole = Limit::none();
        let part = whole.part(10).for_thread();
        work::spend(10);
        assert_eq!(whole.ticks(), 10);
        assert_eq!(part.ticks_left(), Some(10));
    }

    #[test]
    fn expectations_end_nothing() {
        let limit = Limit::none().within(Duration::from_secs(3600));
        let expected = limit.budget_left().expect("there is a deadline");
        assert_eq!(expected, work::milliseconds(3_600_000));
        work::spend(expected);
        assert!(
            limit.budget_left() > Some(expected),
            "it is more work than was expected"
        );
        assert_eq!(limit.check(), Ok(()));
    }

    #[test]
    fn processor_time_ends_nothing() {
        let used = ProcessorTime::used();
        let limit = Limit::none().with_processor_time(used + Duration::from_secs(3600));
        let expected = limit.budget_left().expect("the time is limited");
        assert!(expected <= work::milliseconds(3_600_000));
        assert!(expected > work::milliseconds(3_500_000));
        let whole = limit.expected_left().expect("the time is limited");
        let half = limit.clone().for_each_of(2).expected_left();
        let half = half.expect("the time is limited");
        assert!(half <= whole / 2 && half > whole / 2 - whole / 100);
        let over = Limit::none().with_processor_time(Duration::ZERO);
        assert_eq!(over.expected_left(), Some(0));
        assert_eq!(over.check(), Ok(()), "the system ends the process");
    }

    #[test]
    fn a_long_turn_has_the_time_that_its_ticks_were_expected_to_take() {
        let ticks = work::milliseconds(600_000);
        let limited = Limit::none().within(Duration::from_secs(3600));
        let (turn, long) = (limited.turn(ticks), limited.long_turn(ticks));
        assert_eq!(long.ticks_left(), Some(ticks));
        let inner = long.long_turn(ticks / 2);
        let part = long.part(ticks / 4);
        work::spend(ticks);
        assert_eq!(turn.check(), Err(Failure::Timeout));
        assert_eq!((long.check(), inner.check()), (Ok(()), Ok(())));
        assert_eq!(
            part.check(),
            Err(Failure::Timeout),
            "parts end by ticks alone"
        );
        assert!(inner.ticks_left() < long.ticks_left());
        assert_eq!(limited.long_turn(0).check(), Err(Failure::Timeout));
        let unlimited = Limit::none().long_turn(10);
        work::spend(10);
        assert_eq!(
            unlimited.check(),
            Err(Failure::Timeout),
            "no clock without a deadline"
        );
    }
}
