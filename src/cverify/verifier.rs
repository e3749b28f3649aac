//! The verifier, and how it has systems solved.

use crate::cfront::CProgram;
use crate::chc::System;
use crate::portfolio::{Control, Options, Solved, Stats, solve};
use crate::smt::{Backend, Limit};
use crate::term::Terms;
use std::cell::{Cell, RefCell};

/// A program to verify, and how.
///
/// [`Verifier::verify`] has the verdict.
pub struct Verifier<'a> {
    /// The program.
    pub program: &'a CProgram,
    /// Makes the solvers for engines and checkers.
    pub backend: &'a Backend,
    /// The options of each search. Limits of time and work are for all searches together.
    pub options: &'a Options,
    /// Ends the verification. Cross-checkers and the receiver of progress get what each search has.
    pub control: Control<'a>,
    /// Must the machine agree with mathematical integers? If so, a program has no verdict `TRUE` if
    /// the machine reaches the error by signed operations that overflow.
    pub asks_machine: bool,
}

/// What a verification has done so far.
#[derive(Default)]
pub(super) struct Done {
    /// The number of questions.
    pub(super) questions: Cell<u32>,
    /// How the last system was solved.
    pub(super) last: RefCell<Stats>,
}

/// A verification under way: all its questions share one meter.
pub(super) struct Session<'a> {
    pub(super) verifier: &'a Verifier<'a>,
    /// The limit of all questions together.
    pub(super) limit: Limit,
    done: &'a Done,
}

impl<'a> Session<'a> {
    /// The session of a verifier, which notes here what it does.
    pub(super) fn new(verifier: &'a Verifier<'a>, done: &'a Done) -> Self {
        let (options, control) = (verifier.options, &verifier.control);
        let whole = Limit::new(control.deadline, control.stop.token().clone());
        let whole = options.timeout.map_or(whole.clone(), |t| whole.within(t));
        Session {
            verifier,
            limit: options.budget.map_or(whole.clone(), |b| whole.part(b)),
            done,
        }
    }

    /// A part of the session, with a limit that is a part of the session's.
    pub(super) fn within(&self, limit: Limit) -> Session<'a> {
        Session { limit, ..*self }
    }

    /// Solves a system within a limit that is a part of the session's. `written_out`: a refutation
    /// is of use only with all iterations of its loops.
    pub(super) fn solve(
        &self,
        terms: &Terms,
        system: &System,
        limit: &Limit,
        written_out: bool,
    ) -> Solved {
        // The portfolio's meter begins at zero: what was spent before goes into this one.
        limit.ticks();
        let options = Options {
            timeout: None,
            budget: limit.ticks_left(),
            written_out,
            ..self.verifier.options.clone()
        };
        let control = Control {
            deadline: limit.deadline,
            ..self.verifier.control
        };
        let solved = solve(terms, system, self.verifier.backend, &options, control);
        limit.work().add(solved.stats.ticks);
        self.done.questions.set(self.done.questions.get() + 1);
        self.done.last.replace(solved.stats.clone());
        solved
    }
}
