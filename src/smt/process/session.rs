//! The life of one solver process: what was asserted there, and the questions put to it.
//!
//! A session follows the assertion stack of its context lazily: what changed is sent only with the next check, all in one
//! piece. So a scope that is closed before anything was asked in it costs nothing, and since the blocking conversation
//! happens in checks alone, it is always under the watchdog.

use super::child::{Child, Fault, quoted};
use super::script::{Item, Known, Script, literal_name};
use super::settings::{Assume, Settings};
use super::sexpr::{Sexpr, Sexprs};
use super::value::parse_value;
use super::watchdog::Watchdog;
use crate::smt::{Failure, Limit, Outcome};
use crate::term::{Term, Terms, Value};
use std::fmt::Arguments;

/// One scope of an assertion stack.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// No other frame of the context ever had this number.
    pub(super) id: u64,
    /// The assertions in order.
    pub(super) formulas: Vec<Term>,
}

/// The part of a frame that the process has been told.
struct Told {
    frame: Option<u64>,
    formulas: usize,
}

/// A process and what it knows.
///
/// Invariant: the process has exactly the scopes `told`, with the declarations in `known`; those that stand for frames of the
/// context come first and in its order, and behind them may be one for assumptions, where `frame` is `None`.
pub(super) struct Session {
    child: Child,
    known: Known,
    told: Vec<Told>,
    /// Checks answered.
    pub(super) answered: u64,
}

/// What a conversation needs beside the session.
#[derive(Clone, Copy)]
pub(super) struct Talk<'a> {
    pub(super) terms: &'a Terms,
    pub(super) settings: &'a Settings,
    pub(super) limit: &'a Limit,
    pub(super) watchdog: &'a Watchdog,
}

/// A question, and how to put it.
pub(super) struct Question<'a> {
    pub(super) frames: &'a [Frame],
    pub(super) assumptions: &'a [Term],
    /// Terms whose values will be asked for, so that their variables must be known.
    pub(super) declare: &'a [Term],
    pub(super) style: Assume,
    /// What is decided, in a sentence.
    pub(super) about: Arguments<'a>,
}

impl Session {
    /// Takes over a process that was just started.
    pub(super) fn new(mut child: Child, talk: Talk<'_>) -> Result<Session, Fault> {
        let answer = child.request(talk.settings.prologue, talk.limit, talk.watchdog)?;
        // An option that a solver does not have is reported as `unsupported`; what depends on it fails later.
        if answer.contains("(error") {
            return Err(Fault::Protocol(quoted(answer.as_bytes())));
        }
        let base = Told {
            frame: Some(0),
            formulas: 0,
        };
        Ok(Session {
            child,
            known: Known::default(),
            told: vec![base],
            answered: 0,
        })
    }

    /// Decides whether the frames and the assumptions can be true together.
    pub(super) fn check(
        &mut self,
        talk: Talk<'_>,
        question: &Question<'_>,
    ) -> Result<Outcome, Fault> {
        let mut batch = String::new();
        // On failure half of a batch was noted as told: the session is of no more use.
        self.prepare(talk, question, &mut batch)
            .map_err(Fault::Failed)?;
        self.child.comment(question.about);
        let answer = self.child.request(&batch, talk.limit, talk.watchdog)?;
        let outcome = match answer.trim_ascii() {
            "sat" => Outcome::Sat,
            "unsat" => Outcome::Unsat,
            "unknown" => Outcome::Unknown(self.reason_unknown(talk)?),
            other => return Err(Fault::Protocol(quoted(other.as_bytes()))),
        };
        self.child.comment(format_args!("{outcome:?}"));
        self.answered += 1;
        Ok(outcome)
    }

    /// Asks a question whose answer is known, to come into the state after it.
    pub(super) fn check_again(
        &mut self,
        talk: Talk<'_>,
        question: &Question<'_>,
        expected: &Outcome,
    ) -> Result<(), Fault> {
        match self.check(talk, question)? {
            outcome if outcome == *expected => Ok(()),
            Outcome::Unknown(failure) => Err(Fault::Failed(failure)),
            other => Err(Fault::Protocol(format!(
                "{other:?} where it said {expected:?} before"
            ))),
        }
    }

    /// Writes the commands that bring the process to the state to be checked, and the check.
    fn prepare(
        &mut self,
        talk: Talk<'_>,
        question: &Question<'_>,
        batch: &mut String,
    ) -> Result<(), Failure> {
        let Question {
            frames,
            assumptions,
            ..
        } = *question;
        let kept = std::iter::zip(&self.told, frames)
            .take_while(|(told, frame)| told.frame == Some(frame.id))
            .count();
        let mut script = Script {
            terms: talk.terms,
            out: batch,
            known: &mut self.known,
        };
        script.pop(self.told.len() - kept);
        self.told.truncate(kept);
        // Everything is declared in the outermost scope that is open all the same, so that it is rarely forgotten.
        for (i, frame) in frames.iter().enumerate() {
            let sent = self.told.get(i).map_or(0, |told| told.formulas);
            for &formula in &frame.formulas[sent..] {
                script.declare(formula)?;
            }
        }
        for &term in assumptions.iter().chain(question.declare) {
            script.declare(term)?;
        }
        if question.style == Assume::Literals {
            assumptions.iter().for_each(|&f| script.imply(f));
        }
        for (i, frame) in frames.iter().enumerate() {
            if i >= self.told.len() {
                script.push();
                self.told.push(Told {
                    frame: Some(frame.id),
                    formulas: 0,
                });
            }
            for &formula in &frame.formulas[self.told[i].formulas..] {
                script.assert(formula);
            }
            self.told[i].formulas = frame.formulas.len();
        }
        self.assume(talk, assumptions, question.style, batch);
        Ok(())
    }

    fn assume(&mut self, talk: Talk<'_>, assumptions: &[Term], style: Assume, batch: &mut String) {
        let mut script = Script {
            terms: talk.terms,
            out: batch,
            known: &mut self.known,
        };
        if assumptions.is_empty() {
            batch.push_str("(check-sat)\n");
            return;
        }
        if style == Assume::Literals {
            batch.push_str("(check-sat-assuming (");
            for &f in assumptions {
                batch.push_str(&literal_name(f));
                batch.push(' ');
            }
            batch.push_str("))\n");
            return;
        }
        script.push();
        self.told.push(Told {
            frame: None,
            formulas: 0,
        });
        for (i, &formula) in assumptions.iter().enumerate() {
            match style {
                Assume::Named => script.assert_named(i, formula),
                _ => script.assert(formula),
            }
        }
        batch.push_str("(check-sat)\n");
    }

    fn reason_unknown(&mut self, talk: Talk<'_>) -> Result<Failure, Fault> {
        let ask = "(get-info :reason-unknown)\n";
        let answer = self.child.request(ask, talk.limit, talk.watchdog)?;
        let said = Sexprs::parse(&answer);
        let reason = said.as_ref().and_then(|said| {
            let pair = said.roots().next()?.short_list()?;
            pair.get(1)?.unquoted()
        });
        Ok(match reason {
            Some("timeout" | "canceled") => Failure::Timeout,
            Some(reason) => Failure::Incomplete(reason.to_owned()),
            None => Failure::Incomplete(quoted(answer.as_bytes())),
        })
    }

    /// The assumptions that the last check, which answered `unsat` and was made in this style, used.
    pub(super) fn core(
        &mut self,
        talk: Talk<'_>,
        assumptions: &[Term],
        style: Assume,
    ) -> Result<Vec<Term>, Fault> {
        let ask = match style {
            Assume::Literals => talk.settings.ask_literals,
            _ => "(get-unsat-core)",
        };
        let answer = self
            .child
            .request(&format!("{ask}\n"), talk.limit, talk.watchdog)?;
        let by_name = |name: &str| match style {
            Assume::Literals => assumptions
                .iter()
                .copied()
                .find(|&f| literal_name(f) == name),
            _ => {
                let index: usize = name.strip_prefix('a')?.parse().ok()?;
                assumptions.get(index).copied()
            }
        };
        let read = || {
            let said = Sexprs::parse(&answer)?;
            let names = said.roots().next()?.items()?;
            let core: Option<Vec<Term>> = names.map(|name| by_name(name.atom()?)).collect();
            core
        };
        read().ok_or_else(|| Fault::Protocol(quoted(answer.as_bytes())))
    }

    /// The values of terms, of which the process knows all variables, after a check that answered `sat`.
    ///
    /// The inner error says that there is a value which cannot be represented.
    pub(super) fn values(
        &mut self,
        talk: Talk<'_>,
        terms: &[Term],
    ) -> Result<Result<Vec<Value>, Failure>, Fault> {
        let mut batch = "(get-value (".to_owned();
        let mut script = Script {
            terms: talk.terms,
            out: &mut batch,
            known: &mut self.known,
        };
        for &term in terms {
            script.term(term);
            script.out.push(' ');
        }
        batch.push_str("))\n");
        let answer = self.child.request(&batch, talk.limit, talk.watchdog)?;
        let garbage = || Fault::Protocol(quoted(answer.as_bytes()));
        let said = Sexprs::parse(&answer).ok_or_else(garbage)?;
        let pairs = said.roots().next().and_then(Sexpr::items);
        let mut values = Vec::with_capacity(terms.len());
        for (pair, &term) in std::iter::zip(pairs.ok_or_else(garbage)?, terms) {
            let pair = pair.short_list().ok_or_else(garbage)?;
            let &value = pair.get(1).ok_or_else(garbage)?;
            match parse_value(talk.terms, talk.terms.sort_of(term), value) {
                Ok(value) => values.push(value),
                Err(failure) => return Ok(Err(failure)),
            }
        }
        if values.len() == terms.len() {
            Ok(Ok(values))
        } else {
            Err(garbage())
        }
    }

    /// The variables of terms that the process does not know.
    pub(super) fn undeclared(&self, t: &Terms, terms: &[Term]) -> Vec<Term> {
        let mut vars = t.vars(terms.iter().copied());
        vars.retain(|&v| !self.known.contains(Item::Var(v)));
        vars
    }
}
