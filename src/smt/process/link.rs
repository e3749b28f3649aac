//! The way from a context to its session: found in the pool or started, given up when it fails.

use super::Shared;
use super::child::{Child, Fault};
use super::pool::ContextId;
use super::session::{Session, Talk};
use crate::smt::dump::{Dump, dump_path};
use crate::smt::statistics::Counters;
use crate::smt::{Failure, Limit};
use crate::term::Terms;
use std::sync::Arc;
use std::time::Instant;

/// What a context needs to get at its session.
pub(super) struct Link<'t> {
    pub(super) terms: &'t Terms,
    pub(super) shared: Arc<Shared>,
    pub(super) id: ContextId,
    pub(super) name: String,
    /// Processes started for this context.
    pub(super) starts: u32,
    pub(super) limit: Limit,
}

impl Link<'_> {
    /// Does some work with the session, which is started if need be and is ended where the work
    /// fails. Where a process that has worked before dies, another one is tried, once.
    pub(super) fn work<R>(
        &mut self,
        mut work: impl FnMut(&mut Session, Talk<'_>) -> Result<R, Fault>,
    ) -> Result<R, Failure> {
        let begun = Instant::now();
        let result = loop {
            let (worked_before, result) = self.try_work(&mut work);
            match result {
                Err(Fault::Died(_)) if worked_before => {
                    Counters::add(&self.shared.counters.failures);
                }
                result => break result,
            }
        };
        let counters = &self.shared.counters;
        counters.add_time(begun.elapsed());
        result.map_err(|fault| match fault {
            Fault::Failed(failure) => {
                if matches!(failure, Failure::Timeout | Failure::Cancelled) {
                    Counters::add(&counters.killed);
                }
                failure
            }
            Fault::Died(why) | Fault::Protocol(why) => {
                Counters::add(&counters.failures);
                log::debug!("{}: {why}", self.name);
                Failure::Broken(why)
            }
        })
    }

    /// Also answers whether the process has answered checks before.
    fn try_work<R>(
        &mut self,
        work: &mut impl FnMut(&mut Session, Talk<'_>) -> Result<R, Fault>,
    ) -> (bool, Result<R, Fault>) {
        if let Err(failure) = self.limit.check() {
            // Nothing was asked: the process, if any, lives on.
            return (false, Err(Fault::Failed(failure)));
        }
        let mut session = match self.shared.pool.take(self.id) {
            Some(session) => session,
            None => match self.start() {
                Ok(session) => session,
                Err(fault) => return (false, Err(fault)),
            },
        };
        let worked_before = session.answered > 0;
        let result = work(&mut session, self.talk());
        if result.is_ok() && self.shared.pool.put(self.id, session) {
            Counters::add(&self.shared.counters.evicted);
        }
        (worked_before, result)
    }

    fn talk(&self) -> Talk<'_> {
        Talk {
            terms: self.terms,
            settings: &self.shared.settings,
            limit: &self.limit,
            watchdog: &self.shared.watchdog,
        }
    }

    fn start(&mut self) -> Result<Session, Fault> {
        Counters::add(&self.shared.counters.starts);
        self.starts += 1;
        let dump = match &self.shared.options.dump {
            // One file for each process, which can be replayed by itself.
            Some(directory) => {
                let part = self.starts.to_string();
                Dump::create(&dump_path(directory, self.id.0, &self.name, &part))
            }
            None => Dump::none(),
        };
        let child = Child::start(&self.shared.launch, dump)?;
        log::debug!("{}: process {}", self.name, child.id());
        Session::new(child, self.talk())
    }
}

impl Drop for Link<'_> {
    fn drop(&mut self) {
        drop(self.shared.pool.take(self.id));
    }
}
