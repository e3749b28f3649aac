//! The ledger: every query is counted where it is asked.
//!
//! A [`Backend`](super::Backend) wraps each solver and each context for interpolation that it makes
//! in a [`Counted`]. The wrapper books what was asked, what the answer was, and what it cost. A row
//! of the ledger has the queries of one client, such as an engine, for one purpose, such as
//! "block".
//!
//! Each question of a client counts once, however many solvers work on it. An interpolation problem
//! counts as a query. Where an external solver's interpolants are checked, the checks are queries,
//! too. The cost of a row is that of checks, of interpolation, and of reading values,
//! cores and weaker cubes after a check. Asserting formulas is not part of it.
//!
//! No algorithm reads the ledger.

use super::interpolation::outcome;
use super::{
    Failure, Interpolant, Interpolator, Limit, NoInterpolants, PartId, PartTree, SatResult, Solver,
};
use crate::term::{Term, Value};
use crate::work;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Arguments;
use std::iter::Sum;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The client of a back end for which no other was named.
const UNNAMED: &str = "other";

/// Queries by answer, and what they cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Queries that were answered `Sat`.
    pub sat: u64,
    /// Queries that were answered `Unsat`. A contradiction without interpolants is one of them.
    pub unsat: u64,
    /// Queries that were not answered.
    pub unknown: u64,
    /// The work of the solvers, in ticks. It does not depend on the machine.
    pub ticks: u64,
    /// The time spent waiting for solvers.
    pub time: Duration,
}

impl Counts {
    /// The number of queries.
    pub fn queries(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    /// One query with this outcome, without its cost.
    fn of(outcome: &SatResult) -> Counts {
        let mut counts = Counts::default();
        *match outcome {
            SatResult::Sat => &mut counts.sat,
            SatResult::Unsat => &mut counts.unsat,
            SatResult::Unknown(_) => &mut counts.unknown,
        } = 1;
        counts
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.ticks += other.ticks;
        self.time += other.time;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Counts {
        let mut total = Counts::default();
        all.for_each(|counts| total += counts);
        total
    }
}

/// A row of the ledger: the queries of a client for one purpose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Who asked: the name of an engine, `preprocess`, `lift`, or `check`.
    pub client: &'static str,
    /// What the queries decide, in the client's words.
    pub purpose: String,
    /// How many queries there were, and what they cost.
    pub counts: Counts,
}

/// The rows, which threads share. Clones are the same ledger.
#[derive(Clone, Default)]
struct Ledger(Arc<Mutex<Vec<Row>>>);

impl Ledger {
    fn lock(&self) -> MutexGuard<'_, Vec<Row>> {
        // A booking is complete or has not begun when a thread can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn book(&self, client: &'static str, purpose: &str, counts: Counts) {
        let mut rows = self.lock();
        let is_same = |row: &&mut Row| row.purpose == purpose && row.client == client;
        match rows.iter_mut().find(is_same) {
            Some(row) => row.counts += counts,
            None => rows.push(Row {
                client,
                purpose: purpose.to_owned(),
                counts,
            }),
        }
    }
}

/// A client's part of a ledger. Clones are the same part.
#[derive(Clone)]
pub(super) struct Account {
    ledger: Ledger,
    client: &'static str,
    /// The queries booked on this account alone. Turns of one engine that run at the same time
    /// share rows, but each tells how many queries it has asked.
    queries: Arc<AtomicU64>,
}

impl Account {
    /// An account of an unnamed client in a new ledger.
    pub(super) fn new() -> Self {
        Account {
            ledger: Ledger::default(),
            client: UNNAMED,
            queries: Arc::default(),
        }
    }

    /// A new account in the same ledger.
    pub(super) fn for_client(&self, client: &'static str) -> Self {
        Account {
            ledger: self.ledger.clone(),
            client,
            queries: Arc::default(),
        }
    }

    /// The rows of all clients, those of a client together, in the order of their first queries.
    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = self.ledger.lock().clone();
        let mut clients: Vec<&str> = Vec::new();
        for row in &rows {
            if !clients.contains(&row.client) {
                clients.push(row.client);
            }
        }
        rows.sort_by_key(|row| clients.iter().position(|&client| client == row.client));
        rows
    }

    /// The number of queries on this account.
    pub(super) fn queries(&self) -> u64 {
        self.queries.load(Ordering::Relaxed)
    }

    fn book(&self, purpose: &str, counts: Counts) {
        (self.queries).fetch_add(counts.queries(), Ordering::Relaxed);
        self.ledger.book(self.client, purpose, counts);
    }
}

/// Work and time.
#[derive(Clone, Copy)]
struct Cost {
    ticks: u64,
    time: Duration,
}

thread_local! {
    /// What the queries of this thread have cost so far.
    static BOOKED: Cell<Cost> = const {
        Cell::new(Cost {
            ticks: 0,
            time: Duration::ZERO,
        })
    };
}

/// A solver, or a context for interpolation, whose queries are booked.
pub(super) struct Counted<S> {
    inner: S,
    account: Account,
    purpose: Cow<'static, str>,
}

impl<S> Counted<S> {
    /// Queries are booked on this account, for the purpose that the name says until another is
    /// set.
    pub(super) fn new(inner: S, account: &Account, name: &str) -> Self {
        Counted {
            inner,
            account: account.clone(),
            purpose: Cow::Owned(name.to_owned()),
        }
    }

    /// Has `inner` do something, and books what it cost with the query that it answered, if it was
    /// one.
    fn book<R>(&mut self, work: impl FnOnce(&mut S) -> R, query: impl FnOnce(&R) -> Counts) -> R {
        let (start, ticks, booked) = (Instant::now(), work::spent(), BOOKED.get());
        let result = work(&mut self.inner);
        let all = Cost {
            ticks: work::spent().wrapping_sub(ticks),
            time: start.elapsed(),
        };
        // A context for interpolation may ask solvers whose queries are booked themselves.
        let within = BOOKED.replace(Cost {
            ticks: booked.ticks.wrapping_add(all.ticks),
            time: booked.time + all.time,
        });
        let counts = Counts {
            ticks: (all.ticks).saturating_sub(within.ticks.wrapping_sub(booked.ticks)),
            time: (all.time).saturating_sub(within.time.saturating_sub(booked.time)),
            ..query(&result)
        };
        self.account.book(&self.purpose, counts);
        result
    }

    /// As [`Counted::book`], for what belongs to a query that is booked already.
    fn book_cost<R>(&mut self, work: impl FnOnce(&mut S) -> R) -> R {
        self.book(work, |_| Counts::default())
    }
}

impl<S: Solver> Solver for Counted<S> {
    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn assert(&mut self, formula: Term) {
        self.inner.assert(formula);
    }

    fn set_purpose(&mut self, purpose: &'static str) {
        self.purpose = Cow::Borrowed(purpose);
    }

    fn check(&mut self, about: Arguments<'_>, assumptions: &[Term]) -> SatResult {
        self.book(|solver| solver.check(about, assumptions), Counts::of)
    }

    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        self.book_cost(|solver| solver.values(terms))
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        self.book_cost(S::core)
    }

    fn weaken(&mut self, cube: &[Term]) -> Option<Vec<Term>> {
        self.book_cost(|solver| solver.weaken(cube))
    }

    fn set_limit(&mut self, limit: Limit) {
        self.inner.set_limit(limit);
    }
}

impl Interpolator for Counted<Box<dyn Interpolator + '_>> {
    fn add(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        self.inner.add(formulas)
    }

    fn add_for_good(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        self.inner.add_for_good(formulas)
    }

    fn interpolants(
        &mut self,
        about: Arguments<'_>,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
    ) -> Result<Vec<Interpolant>, NoInterpolants> {
        self.book(
            |interpolator| interpolator.interpolants(about, tree, nodes),
            |found| Counts::of(&outcome(found)),
        )
    }

    fn set_limit(&mut self, limit: Limit) {
        self.inner.set_limit(limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives these answers, the last one first. Each costs 10 ticks, and a core 1 tick.
    struct Scripted(Vec<SatResult>);

    impl Solver for Scripted {
        fn push(&mut self) {}

        fn pop(&mut self) {}

        fn assert(&mut self, _: Term) {
            work::spend(1_000);
        }

        fn check(&mut self, _: Arguments<'_>, _: &[Term]) -> SatResult {
            work::spend(10);
            // Whoever reads a meter takes the ticks that were collected.
            work::Work::new();
            self.0.pop().expect("there is an answer left")
        }

        fn values(&mut self, _: &[Term]) -> Result<Vec<Value>, Failure> {
            Ok(Vec::new())
        }

        fn core(&mut self) -> Result<Vec<Term>, Failure> {
            work::spend(1);
            Ok(Vec::new())
        }

        fn set_limit(&mut self, _: Limit) {}
    }

    /// The rows as text, without times.
    fn text(account: &Account) -> Vec<String> {
        let row = |row: Row| {
            let Counts {
                sat,
                unsat,
                unknown,
                ticks,
                ..
            } = row.counts;
            let (client, purpose) = (row.client, row.purpose);
            format!("{client}, {purpose}: {sat} {unsat} {unknown}, {ticks} ticks")
        };
        account.rows().into_iter().map(row).collect()
    }

    #[test]
    fn rows_are_by_client_and_purpose() {
        let ledger = Account::new();
        let (first, second) = (ledger.for_client("first"), ledger.for_client("second"));
        let failure = SatResult::Unknown(Failure::Timeout);
        let answers = vec![SatResult::Sat, failure, SatResult::Unsat, SatResult::Sat];
        let mut solver = Counted::new(Scripted(answers), &first, "context");
        let ask = |solver: &mut Counted<Scripted>| {
            solver.assert(Term::TRUE);
            solver.check(format_args!("a test"), &[])
        };
        assert_eq!(ask(&mut solver), SatResult::Sat);
        solver.set_purpose("block");
        assert_eq!(ask(&mut solver), SatResult::Unsat);
        assert_eq!(solver.core(), Ok(Vec::new()));
        std::thread::scope(|scope| {
            let work = || {
                ask(&mut Counted::new(
                    Scripted(vec![SatResult::Sat]),
                    &second,
                    "block",
                ))
            };
            scope.spawn(work);
        });
        ask(&mut solver);
        solver.set_purpose("reach");
        ask(&mut solver);
        let expected = [
            "first, context: 1 0 0, 10 ticks",
            "first, block: 0 1 1, 21 ticks",
            "first, reach: 1 0 0, 10 ticks",
            "second, block: 1 0 0, 10 ticks",
        ];
        assert_eq!(text(&ledger), expected);
        assert_eq!(text(&second), expected, "an account has the whole ledger");
        assert_eq!((first.queries(), second.queries()), (4, 1));
        assert_eq!(first.for_client("first").queries(), 0, "a new account");
    }

    /// Asks a solver whose queries are booked, and does 5 ticks of other work.
    struct Nested(Counted<Scripted>);

    impl Interpolator for Nested {
        fn add(&mut self, _: &[Term]) -> Result<PartId, Failure> {
            Err(Failure::Cancelled)
        }

        fn add_for_good(&mut self, _: &[Term]) -> Result<PartId, Failure> {
            Err(Failure::Cancelled)
        }

        fn interpolants(
            &mut self,
            about: Arguments<'_>,
            _: &PartTree,
            _: &[Vec<PartId>],
        ) -> Result<Vec<Interpolant>, NoInterpolants> {
            work::spend(5);
            match self.0.check(about, &[]) {
                SatResult::Unsat => Ok(Vec::new()),
                _ => Err(NoInterpolants::Satisfiable),
            }
        }

        fn set_limit(&mut self, _: Limit) {}
    }

    #[test]
    fn what_is_booked_within_is_not_booked_again() {
        let account = Account::new().for_client("client");
        let answers = vec![SatResult::Sat, SatResult::Unsat];
        let solver = Counted::new(Scripted(answers), &account, "checks");
        let nested: Box<dyn Interpolator> = Box::new(Nested(solver));
        let mut interpolator = Counted::new(nested, &account, "problems");
        for _ in 0..2 {
            let _ = interpolator.interpolants(format_args!("a test"), &PartTree::path(1), &[]);
        }
        let expected = [
            "client, checks: 1 1 0, 20 ticks",
            "client, problems: 1 1 0, 10 ticks",
        ];
        assert_eq!(text(&account), expected);
    }
}
