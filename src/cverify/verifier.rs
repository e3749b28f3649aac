//! The verifier, and how it has systems solved.

use crate::cfront::CProgram;
use crate::chc::System;
use crate::portfolio::{Control, Options, Solved, solve};
use crate::smt::{Backend, Limit};
use crate::term::Terms;
use std::cell::Cell;

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

/// A verification under way: all its questions share one meter.
pub(super) struct Session<'a> {
    pub(super) verifier: &'a Verifier<'a>,
    /// The limit of all questions together.
    pub(super) limit: Limit,
    /// The number of questions so far.
    questions: &'a Cell<u32>,
}

impl<'a> Session<'a> {
    /// The session of a verifier, which counts its questions here.
    pub(super) fn new(verifier: &'a Verifier<'a>, questions: &'a Cell<u32>) -> Self {
        let (options, control) = (verifier.options, &verifier.control);
        let whole = Limit::new(control.deadline, control.stop.token().clone());
        let whole = options.timeout.map_or(whole.clone(), |t| whole.within(t));
        Session {
            verifier,
            limit: options.budget.map_or(whole.clone(), |b| whole.part(b)),
            questions,
        }
    }

    /// A part of the session, with a limit that is a part of the session's.
    pub(super) fn within(&self, limit: Limit) -> Session<'a> {
        Session { limit, ..*self }
    }

    /// Solves a system within a limit that is a part of the session's.
    pub(super) fn solve(&self, terms: &Terms, system: &System, limit: &Limit) -> Solved {
        // The portfolio's meter begins at zero: what was spent before goes into this one.
        limit.ticks();
        let options = Options {
            timeout: None,
            budget: limit.ticks_left(),
            ..self.verifier.options.clone()
        };
        let control = Control {
            deadline: limit.deadline,
            ..self.verifier.control
        };
        let solved = solve(terms, system, self.verifier.backend, &options, control);
        limit.work().add(solved.stats.ticks);
        self.questions.set(self.questions.get() + 1);
        solved
    }
}
