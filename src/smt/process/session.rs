//! The life of one solver process: what was asserted there, and the questions put to it.
//!
//! A session follows the assertion stack of its context lazily: what changed is sent only with the
//! next check, all in one piece. So a scope that is closed before anything was asked in it costs
//! nothing, and since the blocking conversation happens in checks alone, it is always under the
//! watchdog.

use super::child::{Child, Fault, quoted};
use super::settings::{ProcessSettings, WorkUnits};
use super::sexpr::{Sexpr, Sexprs};
use super::value::{ValueError, parse_value};
use super::watchdog::Watchdog;
use crate::smt::commands::Commands;
use crate::smt::follow::{Assume, Follower, Frame, prologue};
use crate::smt::script::{Name, Spelled};
use crate::smt::{Failure, Limit, SatResult};
use crate::term::{Term, TermSet, Terms, Value};
use crate::work;
use rustc_hash::FxHashMap;
use std::fmt::Arguments;
use std::time::{Duration, Instant};

/// The solver gets a limit only if less than 400 ms are left. Most checks are cheaper without a
/// limit, and after a loss of 400 ms it does not matter that the process is lost too. The value was
/// not tuned.
const SHORT_LIMIT: Duration = Duration::from_millis(400);
/// The part of the limit that the solver may use, so that it mostly ends by itself before it is
/// killed. The value was not tuned.
const SHARE: f64 = 0.9;

/// What a check costs at least: the ticks of the time in which nothing is sent to and fro.
pub(super) const ROUND_TRIP: usize = 2_000;
/// The largest limit on work that solvers take.
pub(super) const MOST_UNITS: u64 = u32::MAX as u64 - 1;

/// A process and what it knows.
pub(super) struct Session {
    child: Child,
    follower: Follower,
    /// The limit that the solver was told, in milliseconds.
    timeout: Option<u32>,
    /// The units of work that the solver was told as the limit of a check; 0 if it was told none.
    units: u64,
    /// The units of work that the solver said it had used, all together.
    used: u64,
    /// Checks answered.
    pub(super) answered: u64,
}

/// What a conversation needs beside the session.
#[derive(Clone, Copy)]
pub(super) struct Talk<'a> {
    pub(super) terms: &'a Terms,
    pub(super) settings: &'a ProcessSettings,
    pub(super) limit: &'a Limit,
    pub(super) watchdog: &'a Watchdog,
}

/// A question, and how to put it.
#[derive(Clone, Copy)]
pub(super) struct CheckRequest<'a> {
    pub(super) frames: &'a [Frame],
    pub(super) assumptions: &'a [Term],
    /// Terms whose values will be asked for, so that their variables must be known.
    pub(super) declare: &'a [Term],
    pub(super) assume: Assume,
    /// Is it to be decided anew, without what was learned before? Then the assumptions are named.
    pub(super) anew: bool,
    /// What is decided, in a sentence.
    pub(super) about: Arguments<'a>,
}

impl Session {
    /// Takes over a process that was just started.
    pub(super) fn new(mut child: Child, talk: Talk<'_>) -> Result<Session, Fault> {
        let answer = child.request(&prologue(talk.settings.logic), talk.limit, talk.watchdog)?;
        // An option that a solver does not have is reported as `unsupported`; what depends on it
        // fails later.
        if answer.contains("(error") {
            return Err(Fault::Protocol(quoted(answer.as_bytes())));
        }
        Ok(Session {
            child,
            follower: Follower::new(),
            timeout: None,
            units: 0,
            used: 0,
            answered: 0,
        })
    }

    /// Decides whether the frames and the assumptions can be true together.
    pub(super) fn check(
        &mut self,
        talk: Talk<'_>,
        question: &CheckRequest<'_>,
    ) -> Result<SatResult, Fault> {
        let (mut commands, mut ask) = (Commands::default(), Commands::default());
        let mut legend = String::new();
        self.limit(talk, &mut commands);
        let (t, assumptions) = (talk.terms, question.assumptions);
        let others = assumptions.iter().chain(question.declare).copied();
        let explain = self.child.dump.is_on().then_some(&mut legend);
        self.follower
            .follow(t, question.frames, others, &mut commands, explain);
        self.follower
            .ask(t, assumptions, question.assume, &mut commands, &mut ask);
        if let (true, Some(anew)) = (question.anew, talk.settings.anew) {
            ask = Commands::default();
            ask.verbatim(anew);
        }
        work::spend_on(ROUND_TRIP + commands.as_bytes().len() + ask.as_bytes().len());
        if let Some(keyword) = talk.settings.work.and_then(|units| units.used) {
            ask.get_info(keyword);
        }
        self.child.dump.comment(format_args!("{legend}"));
        self.child.tell(&commands);
        self.child.dump.comment(question.about);
        let begun = Instant::now();
        let answer = self.child.request(&ask, talk.limit, talk.watchdog)?;
        let said = self.take_used(talk, &answer);
        let outcome = match said.trim_ascii() {
            "sat" => SatResult::Sat,
            "unsat" => SatResult::Unsat,
            "unknown" => SatResult::Unknown(self.reason_unknown(talk)?),
            other => return Err(Fault::Protocol(quoted(other.as_bytes()))),
        };
        self.child.dump.answer(&outcome, begun.elapsed());
        self.answered += 1;
        Ok(outcome)
    }

    /// Asks a question whose answer is known, to come into the state after it.
    pub(super) fn check_again(
        &mut self,
        talk: Talk<'_>,
        question: &CheckRequest<'_>,
        expected: &SatResult,
    ) -> Result<(), Fault> {
        match self.check(talk, question)? {
            outcome if outcome == *expected => Ok(()),
            SatResult::Unknown(failure) => Err(Fault::Failed(failure)),
            other => Err(Fault::Protocol(format!(
                "{other:?} where it said {expected:?} before"
            ))),
        }
    }

    /// Counts the work that the solver says it did, and answers what it said before that.
    fn take_used<'s>(&mut self, talk: Talk<'_>, answer: &'s str) -> &'s str {
        count_used(talk.settings.work, &mut self.used, answer)
    }

    /// Tells the solver how much work the next check may be, and how long it may take, where that
    /// is worth it.
    fn limit(&mut self, talk: Talk<'_>, commands: &mut Commands) {
        if let Some(WorkUnits { option, ticks, .. }) = talk.settings.work {
            let left = talk.limit.ticks_left();
            let units = left.map_or(0, |left| (left / ticks).clamp(1, MOST_UNITS));
            if units != self.units {
                commands.set_option(option, units);
                self.units = units;
            }
        }
        let Some((option, unlimited)) = talk.settings.timeout else {
            return;
        };
        let left = talk.limit.remaining().filter(|&left| left < SHORT_LIMIT);
        let timeout = left.map(|left| (left.mul_f64(SHARE).as_millis() as u32).max(1));
        if timeout != self.timeout {
            let number = timeout.unwrap_or(unlimited);
            commands.set_option(option, number);
            self.timeout = timeout;
        }
    }

    fn reason_unknown(&mut self, talk: Talk<'_>) -> Result<Failure, Fault> {
        let mut ask = Commands::default();
        ask.get_info(":reason-unknown");
        let answer = self.child.request(&ask, talk.limit, talk.watchdog)?;
        let said = Sexprs::parse(&answer);
        let reason = said.as_ref().and_then(|said| {
            let pair = said.roots().next()?.short_list()?;
            pair.get(1)?.unquoted()
        });
        Ok(match reason {
            Some("timeout" | "canceled" | "resourceout") => Failure::Timeout,
            Some(reason) => Failure::Incomplete(reason.to_owned()),
            None => Failure::Incomplete(quoted(answer.as_bytes())),
        })
    }

    /// The assumptions, in order, that the last check used, which was this one and answered
    /// `unsat`; `None` if what the solver said names something that we did not recognise as an
    /// assumption.
    pub(super) fn core(
        &mut self,
        talk: Talk<'_>,
        question: &CheckRequest<'_>,
    ) -> Result<Option<Vec<Term>>, Fault> {
        let mut ask = Commands::default();
        ask.get_unsat_core();
        let answer = self.child.request(&ask, talk.limit, talk.watchdog)?;
        let garbage = || Fault::Protocol(quoted(answer.as_bytes()));
        let said = Sexprs::parse(&answer).ok_or_else(garbage)?;
        let core = said.roots().next().and_then(Sexpr::items);
        let names = assumption_names(talk.terms, question);
        let found = |word: Sexpr<'_>| names.get(&with_single_blanks(word.text())).copied();
        let used: Option<TermSet> = core.ok_or_else(garbage)?.map(found).collect();
        // In the order of the assumptions, each once.
        Ok(used.map(|mut used| {
            let assumptions = question.assumptions.iter().copied();
            assumptions.filter(|f| used.remove(f)).collect()
        }))
    }

    /// The values of terms, of which the process knows all variables, after a check that answered
    /// `sat`.
    ///
    /// The inner error says that there is a value which cannot be represented.
    pub(super) fn values(
        &mut self,
        talk: Talk<'_>,
        terms: &[Term],
    ) -> Result<Result<Vec<Value>, Failure>, Fault> {
        let t = talk.terms;
        let mut ask = Commands::default();
        ask.get_values_with(terms, t);
        let answer = self.child.request(&ask, talk.limit, talk.watchdog)?;
        let garbage = || Fault::Protocol(quoted(answer.as_bytes()));
        let said = Sexprs::parse(&answer).ok_or_else(garbage)?;
        let pairs = said.roots().next().and_then(Sexpr::items);
        let mut values = Vec::with_capacity(terms.len());
        for (pair, &term) in std::iter::zip(pairs.ok_or_else(garbage)?, terms) {
            let pair = pair.short_list().ok_or_else(garbage)?;
            let &value = pair.get(1).ok_or_else(garbage)?;
            match parse_value(t, t.sort_of(term), value) {
                Ok(value) => values.push(value),
                Err(ValueError::NotRepresentable(what)) => {
                    return Ok(Err(Failure::Unsupported(what.to_owned())));
                }
                Err(ValueError::Garbage) => {
                    return Err(Fault::Protocol(quoted(value.text().as_bytes())));
                }
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
        self.follower.undeclared(t, terms)
    }
}

/// Counts the work that a solver says it did since it had `used` that much, if it says so at the
/// end of an answer. Answers what it said before that.
pub(super) fn count_used<'s>(units: Option<WorkUnits>, used: &mut u64, answer: &'s str) -> &'s str {
    let Some(WorkUnits {
        ticks,
        used: Some(keyword),
        ..
    }) = units
    else {
        return answer;
    };
    let number = |(said, info): (&'s str, &str)| {
        let number = info.strip_prefix(keyword)?.trim_ascii().strip_suffix(')')?;
        Some((said, number.trim_ascii().parse::<u64>().ok()?))
    };
    let Some((said, now)) = answer.rsplit_once('(').and_then(number) else {
        return answer;
    };
    work::spend(ticks.saturating_mul(now.saturating_sub(*used)));
    *used = now;
    said
}

/// The assumption for each name by which a core may speak of it.
fn assumption_names(t: &Terms, question: &CheckRequest<'_>) -> FxHashMap<String, Term> {
    let name = |(i, &formula): (usize, &Term)| {
        let name = match question.assume {
            Assume::Named => Name::Assumption(i).to_string(),
            Assume::Direct => Spelled(t, formula).to_string(),
        };
        (name, formula)
    };
    question.assumptions.iter().enumerate().map(name).collect()
}

/// Solvers break long lines.
fn with_single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
