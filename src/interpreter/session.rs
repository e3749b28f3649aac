//! The state of a script: its assertions, its options, and what the last check answered.

use super::settings::InterpreterSettings;
use super::tally::Tally;
use crate::smt::{Backend, Failure, Limit, Solver};
use crate::smtlib::{SmtReader, Source};
use crate::term::{Symbol, Term, Terms};
use std::time::Duration;

/// An assertion of the script.
#[derive(Clone, Debug)]
pub(super) struct Assertion<'s> {
    pub(super) formula: Term,
    pub(super) name: Option<Symbol>,
    pub(super) text: &'s str,
}

/// What the last check answered, as long as nothing was changed since.
#[derive(Clone, Debug)]
pub(super) enum Last<'s> {
    /// There was no check.
    Nothing,
    Sat,
    /// With the assumptions of the check and their texts.
    Unsat(Vec<(Term, &'s str)>),
    Unknown(Failure),
}

/// A script under way, on a back end.
///
/// Named assertions are assumptions of each check where unsat cores are wanted; all other
/// assertions are the solver's.
pub struct Interpreter<'t, 's> {
    pub(super) t: &'t Terms,
    pub(super) backend: &'t Backend,
    /// The part of the script that is being read.
    pub(super) source: &'s Source,
    pub(super) reader: SmtReader<'t, 's>,
    /// The caller's limit of each question to the solver.
    timeout: Option<Duration>,
    /// The caller's limit of each question, in ticks.
    ticks: Option<u64>,
    pub(super) solver: Box<dyn Solver + 't>,
    /// The assertions by scope, the outermost first.
    frames: Vec<Vec<Assertion<'s>>>,
    pub(super) settings: InterpreterSettings,
    pub(super) last: Last<'s>,
    pub(super) tally: Tally,
    /// Was there an `exit`, or an error in the text?
    pub(super) ended: bool,
    /// Are commands answered as Z3 does?
    pub(super) z3: bool,
}

impl<'t, 's> Interpreter<'t, 's> {
    /// An interpreter at the beginning of a script. Each question to the solver has `timeout`, or
    /// the limit that the script sets, if that is shorter.
    pub fn new(
        t: &'t Terms,
        backend: &'t Backend,
        source: &'s Source,
        timeout: Option<Duration>,
    ) -> Self {
        Interpreter {
            t,
            backend,
            source,
            reader: SmtReader::new(t, source),
            timeout,
            ticks: None,
            solver: backend.solver(t, "script"),
            frames: vec![Vec::new()],
            settings: InterpreterSettings::default(),
            last: Last::Nothing,
            tally: Tally::start(),
            ended: false,
            z3: false,
        }
    }

    /// The same, with a limit of work in ticks ([`crate::work`]) for each question to the solver.
    #[must_use]
    pub fn with_ticks(self, ticks: Option<u64>) -> Self {
        Interpreter { ticks, ..self }
    }

    /// The same, which answers as Z3 does where that differs: a script goes on after a command with
    /// an error, and `echo` prints no quotation marks.
    ///
    /// After a command that is right for Z3 and that this program does not understand, the answer
    /// `sat` becomes `unknown`.
    #[must_use]
    pub fn as_z3(self) -> Self {
        Interpreter { z3: true, ..self }
    }

    /// Goes on with another part of the script, at whose beginning a command begins, when all
    /// commands of the part before have been carried out.
    pub fn continue_with(&mut self, source: &'s Source) {
        self.source = source;
        self.reader.continue_with(source);
    }

    /// Has the script ended, by `exit` or an error in its text? Then no part of it follows.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// What was done so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// A new solver for the assertions there are.
    pub(super) fn rebuild(&mut self) {
        self.last = Last::Nothing;
        self.solver = self.backend.solver(self.t, "script");
        for (depth, frame) in self.frames.iter().enumerate() {
            if depth > 0 {
                self.solver.push();
            }
            for assertion in frame {
                if !is_tracked(assertion, &self.settings) {
                    self.solver.assert(assertion.formula);
                }
            }
        }
    }

    /// Forgets all assertions.
    pub(super) fn clear(&mut self) {
        self.frames = vec![Vec::new()];
        self.rebuild();
    }

    /// Opens scopes.
    pub(super) fn push(&mut self, levels: u32) {
        self.last = Last::Nothing;
        for _ in 0..levels {
            self.frames.push(Vec::new());
            self.solver.push();
        }
    }

    /// Closes scopes, which are open.
    pub(super) fn pop(&mut self, levels: u32) {
        self.last = Last::Nothing;
        for _ in 0..levels {
            self.frames.pop();
            self.solver.pop();
        }
    }

    /// Adds an assertion to the innermost scope.
    pub(super) fn assert(&mut self, assertion: Assertion<'s>) {
        self.last = Last::Nothing;
        if !is_tracked(&assertion, &self.settings) {
            self.solver.assert(assertion.formula);
        }
        let frame = self.frames.last_mut();
        frame.expect("the outermost scope stays").push(assertion);
    }

    /// The assertions in force, the oldest first.
    pub(super) fn assertions(&self) -> impl Iterator<Item = &Assertion<'s>> {
        self.frames.iter().flatten()
    }

    /// The formulas of the assertions that checks assume.
    pub(super) fn tracked(&self) -> impl Iterator<Item = Term> {
        let tracked = self.assertions().filter(|a| is_tracked(a, &self.settings));
        tracked.map(|a| a.formula)
    }

    /// The number of open scopes.
    pub(super) fn levels(&self) -> usize {
        self.frames.len() - 1
    }

    /// The limit of what is asked now.
    pub(super) fn limit(&self) -> Limit {
        let limits = [self.settings.timeout, self.timeout];
        let limit = match limits.into_iter().flatten().min() {
            Some(timeout) => Limit::none().within(timeout),
            None => Limit::none(),
        };
        let ticks = [self.settings.ticks, self.ticks];
        match ticks.into_iter().flatten().min() {
            Some(ticks) => limit.part(ticks),
            None => limit,
        }
    }
}

/// Is an assertion given to checks as an assumption, so that it can be in a core?
fn is_tracked(assertion: &Assertion<'_>, settings: &InterpreterSettings) -> bool {
    settings.cores && assertion.name.is_some()
}
