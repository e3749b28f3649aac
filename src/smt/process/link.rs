//! The way from a context to its session: found in the pool or started, given up when it fails.

use super::Shared;
use super::child::{Child, Fault, quoted};
use super::pool::ContextId;
use super::session::{Session, Talk};
use crate::smt::commands::Commands;
use crate::smt::dump::{Dump, dump_path};
use crate::smt::statistics::Counters;
use crate::smt::{Failure, Limit};
use crate::term::Terms;
use std::sync::Arc;

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
        let result = loop {
            let (worked_before, result) = self.try_work(&mut work);
            match result {
                Err(Fault::Died(_)) if worked_before => {
                    Counters::add(&self.shared.counters.failures);
                }
                result => break result,
            }
        };
        self.count(result)
    }

    /// Counts what went wrong.
    fn count<R>(&self, result: Result<R, Fault>) -> Result<R, Failure> {
        let counters = &self.shared.counters;
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

    /// Starts a process that is in no pool: it belongs to the caller, who sends it what
    /// [`Link::request`] says. These are the first commands.
    pub(super) fn start_apart(&mut self, commands: &Commands) -> Result<Child, Failure> {
        let started = self.limit.check().map_err(Fault::Failed).and_then(|()| {
            let mut child = self.start_child(".interpolants")?;
            match child.request(commands, &self.limit, &self.shared.watchdog)? {
                said if said.contains("(error") => Err(Fault::Protocol(quoted(said.as_bytes()))),
                _ => Ok(child),
            }
        });
        self.count(started)
    }

    /// Sends commands to a process of [`Link::start_apart`], and answers what `read` makes of what
    /// it said.
    pub(super) fn request<R>(
        &self,
        child: &mut Child,
        commands: &Commands,
        read: impl FnOnce(&str) -> Result<R, Fault>,
    ) -> Result<R, Failure> {
        let answer = child.request(commands, &self.limit, &self.shared.watchdog);
        self.count(answer.and_then(|said| read(&said)))
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
        let child = self.start_child("")?;
        Session::new(child, self.talk())
    }

    /// A new process. What it is for goes into the name of its dump.
    fn start_child(&mut self, what: &str) -> Result<Child, Fault> {
        if let Some(why) = self.shared.refusal() {
            return Err(Fault::Protocol(why.to_owned()));
        }
        Counters::add(&self.shared.counters.starts);
        self.starts += 1;
        let dump = match &self.shared.options.dump {
            // One file for each process, which can be replayed by itself.
            Some(directory) => {
                let part = format!("{}{what}", self.starts);
                Dump::create(&dump_path(directory, self.id.0, &self.name, &part))
            }
            None => Dump::none(),
        };
        let child = Child::start(&self.shared.launch, dump)?;
        log::debug!("{}: process {}", self.name, child.id());
        Ok(child)
    }
}

impl Drop for Link<'_> {
    fn drop(&mut self) {
        drop(self.shared.pool.take(self.id));
    }
}
