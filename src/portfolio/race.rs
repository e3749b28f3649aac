//! The turns of `auto` on several threads: the first answer whose certificate is accepted ends the
//! others.
//!
//! Each turn has a thread, with a copy of the store and separate solvers. While engines work,
//! threads share nothing but the flag that ends them, the counts of solvers, and an exchange of
//! invariants, which has a store to itself. A thread sends its progress to the coordinating thread,
//! and at the end its answer with its store. The coordinating thread imports answers, takes them
//! back and has them judged while the other engines continue. It starts a turn when a thread is
//! free.

use super::findings::{Contradiction, Findings};
use super::outcome::{SearchOutcome, Settle, is_own};
use super::run::SearchRun;
use super::stats::TurnProgress;
use super::turns::{Turn, UNLIMITED, at_the_same_time, patience};
use crate::chc::{Answer, System, Unknown, UnknownReason};
use crate::engine::blackboard::Exchange;
use crate::engine::{Context, Progress};
use crate::gate::{Check, Judgement, guarded};
use crate::os::{STACK, limits};
use crate::smt::{CancelToken, Limit};
use crate::term::{Import, Terms};
use crate::transform::Tools;
use crate::work::Work;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

/// The names of engine threads begin with this word.
pub(crate) const THREAD: &str = "turn ";

/// How often the coordinating thread looks at the meters where patience may end.
const PERIOD: Duration = Duration::from_millis(20);

/// A message of a thread to the coordinating one.
enum Event {
    Progress(TurnProgress),
    Ended(Box<EndedTurn>),
}

/// A turn that is over.
struct EndedTurn {
    number: u32,
    turn: Turn,
    /// The store of the answer.
    terms: Terms,
    answer: Answer,
    time: Duration,
    /// The work of the turn, in ticks.
    ticks: u64,
}

/// Runs the engines at the same time in the system of a run, or in its preprocessed form; `settle`
/// takes their answers back and judges them.
pub(super) fn race(
    run: &SearchRun<'_>,
    system: &System,
    again: bool,
    settle: &Settle<'_>,
) -> SearchOutcome {
    let mut race = Race::new(run, system, again, settle);
    std::thread::scope(|scope| {
        // The flag is raised also if this thread fails: otherwise nothing would end the others.
        let _end = EndOnDrop(race.limit.cancel.clone());
        let (send, events) = channel();
        loop {
            while let Some(turn) = race.next_turn() {
                race.begin(turn, scope, &send);
            }
            if race.running == 0 {
                break;
            }
            match race.next_event(&events) {
                Some(Event::Progress(progress)) => race.progress(&progress),
                Some(Event::Ended(ended)) => race.ended(*ended),
                None => race.give_up(),
            }
        }
    });
    race.result()
}

/// Raises a flag when dropped.
struct EndOnDrop(CancelToken);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A race under way.
struct Race<'r> {
    run: &'r SearchRun<'r>,
    system: &'r System,
    settle: &'r Settle<'r>,
    /// The invariants that the threads publish.
    exchange: Arc<Exchange>,
    /// Ends all turns; its flag belongs to this race only.
    limit: Limit,
    /// The ticks that turns have parts of.
    all: u64,
    /// Turns that have not begun, the next one last.
    waiting: Vec<Turn>,
    /// The number of turns that have begun and not ended.
    running: usize,
    /// The number of running turns that could find a model.
    hopeful: usize,
    /// Is there a fallback if the engines give up?
    again: bool,
    /// The meters of the threads that have begun.
    meters: Vec<Work>,
    /// The race is given up when the work of all threads reaches this number of ticks.
    patience_ends: Option<u64>,
    given_up: bool,
    /// The findings of the turns, in the run's store.
    findings: Findings,
    /// The outcome that ended the race.
    outcome: Option<SearchOutcome>,
}

impl<'r> Race<'r> {
    fn new(
        run: &'r SearchRun<'r>,
        system: &'r System,
        again: bool,
        settle: &'r Settle<'r>,
    ) -> Self {
        let threads = u32::try_from(run.options.jobs.count()).unwrap_or(u32::MAX);
        let mut limit = run.engine_limit().for_each_of(threads);
        limit.cancel = limit.cancel.child();
        let mut waiting = at_the_same_time(run.options.jobs, |turn| turn.suits(run.t, system));
        waiting.reverse();
        Race {
            run,
            system,
            settle,
            exchange: run.board(system).exchange(),
            all: limit.expected_left().unwrap_or(UNLIMITED),
            limit,
            waiting,
            running: 0,
            hopeful: 0,
            again,
            meters: Vec::new(),
            patience_ends: None,
            given_up: false,
            findings: Findings::default(),
            outcome: None,
        }
    }

    /// The turn to begin now, if there is a thread for it, and time.
    fn next_turn(&mut self) -> Option<Turn> {
        let first = self.findings.open().is_none() && self.running == 0;
        let goes_on = self.outcome.is_none() && (first || self.limit.check().is_ok());
        let free = self.running < self.run.options.jobs.count();
        (goes_on && free).then(|| self.waiting.pop()).flatten()
    }

    fn begin<'scope>(&mut self, turn: Turn, scope: &'scope Scope<'scope, '_>, send: &Sender<Event>)
    where
        'r: 'scope,
    {
        let run = self.run;
        let number = run.turns.get() + 1;
        run.turns.set(number);
        let name = format!("{THREAD}{number}");
        let budget = turn.ticks(self.all);
        match budget {
            Some(budget) => log::info!("{name}, {turn}, begins, for {budget} ticks"),
            None => log::info!("{name}, {turn}, begins"),
        }
        // The thread shares nothing but the exchange with others.
        let (terms, backend) = (run.t.clone(), run.backend.clone());
        let exchange = Arc::clone(&self.exchange);
        let (system, options, limit) = (self.system, run.options, self.limit.for_thread());
        let send = send.clone();
        self.meters.push(limit.work().clone());
        let work = move || {
            let (started, begun) = (Instant::now(), limit.ticks());
            let meter = limit.clone();
            let progress = |progress: &Progress| {
                // A closed channel means that the race is over.
                let _ = send.send(Event::Progress(TurnProgress {
                    turn: number,
                    progress: progress.clone(),
                }));
            };
            let board = exchange.board(&terms, system);
            let context = Context {
                board: Some(&board),
                progress: &progress,
                wants_graph: options.graph,
                ..Context::new(Tools::new(&terms, &backend, limit))
            };
            let answer = guarded(|| turn.run(system, &options.settings, &context, budget));
            drop(board);
            let time = started.elapsed();
            let _ = send.send(Event::Ended(Box::new(EndedTurn {
                number,
                turn,
                terms,
                answer,
                time,
                ticks: meter.ticks() - begun,
            })));
        };
        let thread = Builder::new()
            .name(name.clone())
            .stack_size(limits::stack(STACK));
        match thread.spawn_scoped(scope, work) {
            Ok(_) => self.began(&turn),
            Err(error) => {
                let why = format!("no thread for {name}: {error}");
                self.findings
                    .note(Unknown::new(UnknownReason::Incomplete(why)));
            }
        }
    }

    /// Counts a turn that runs now.
    fn began(&mut self, turn: &Turn) {
        self.running += 1;
        self.hopeful += usize::from(turn.expects_models());
    }

    fn progress(&self, progress: &TurnProgress) {
        // Results of engines that are being stopped do not count.
        if self.outcome.is_none() {
            self.run.tell(progress);
        }
    }

    /// The next message of a thread; `None` if the grace period ends before.
    fn next_event(&self, events: &Receiver<Event>) -> Option<Event> {
        loop {
            let told = match self.patience_ends.filter(|_| !self.given_up) {
                None => events.recv().map_err(RecvTimeoutError::from),
                Some(end) if self.worked() >= end => return None,
                Some(_) => events.recv_timeout(PERIOD),
            };
            match told {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("this thread could send, too"),
            }
        }
    }

    /// The work of all threads, in ticks.
    fn worked(&self) -> u64 {
        self.meters.iter().map(Work::read).sum()
    }

    /// If a fallback exists (`again`), bounded unrolling alone is stopped after a grace period of
    /// [`patience`] once all engines that could find a model gave up.
    fn lose_hope(&mut self) {
        let gave_up = (self.findings.open()).is_some_and(|unknown| is_own(&unknown.reason));
        let hopeless = self.hopeful == 0 && !self.waiting.iter().any(Turn::expects_models);
        if self.again && gave_up && hopeless {
            self.lose_patience();
        }
    }

    /// Begins the grace period after which the race is given up, if it has not begun.
    fn lose_patience(&mut self) {
        let worked = self.worked();
        (self.patience_ends).get_or_insert_with(|| worked + patience(self.all));
    }

    /// Ends the race without an answer.
    fn give_up(&mut self) {
        self.given_up = true;
        self.limit.cancel.cancel();
    }

    fn ended(&mut self, ended: EndedTurn) {
        self.running -= 1;
        self.hopeful -= usize::from(ended.turn.expects_models());
        let mut stats = self.run.stats.borrow_mut();
        stats.engine_time += ended.time;
        stats.ticks += ended.ticks;
        drop(stats);
        if self.outcome.is_none() {
            let (number, turn, time) = (ended.number, ended.turn, ended.time.as_secs_f64());
            let said = match &ended.answer {
                Answer::Unknown(unknown) => unknown.reason.to_string(),
                verdict => verdict.verdict().to_owned(),
            };
            log::info!("{THREAD}{number}, {turn}: {said} after {time:.3} s");
        }
        let mut import = Import::new(&ended.terms, self.run.t);
        match guarded(|| ended.answer.import(&mut import)) {
            Answer::Unknown(unknown) if self.given_up => self.findings.note_given_up(unknown),
            Answer::Unknown(unknown) => self.findings.note(unknown),
            verdict => self.verdict(verdict, ended.number),
        }
        self.lose_hope();
    }

    /// Handles a turn that ended with a verdict.
    fn verdict(&mut self, verdict: Answer, number: u32) {
        match &self.outcome {
            None => {
                let alone = self.running == 0 && self.waiting.is_empty();
                let limit = match alone {
                    true => self.run.limit.clone(),
                    // The others may answer at any time.
                    false => self.run.check_limit(self.all),
                };
                let outcome = (self.settle)(verdict, &limit);
                if let Some(end) = self.findings.settled(outcome) {
                    self.run.stats.borrow_mut().favour(number);
                    self.end(end);
                } else if self.findings.culprit().is_some() {
                    self.lose_patience();
                }
            }
            // The verdict came too late, and only confirms or contradicts the answer.
            Some(SearchOutcome::Judged(judged)) if judged.answer.verdict() != verdict.verdict() => {
                self.contradict(verdict);
            }
            Some(_) => {}
        }
    }

    /// Checks whether the certificate of a verdict contrary to the answer is accepted, too.
    fn contradict(&mut self, verdict: Answer) {
        match (self.settle)(verdict, &self.run.limit) {
            SearchOutcome::Judged(judged) if !matches!(judged.answer, Answer::Unknown(_)) => {
                let judged = Judgement::of(Contradiction.into(), Check::None);
                self.end(SearchOutcome::Judged(judged));
            }
            _ => log::warn!("the certificate of a contrary answer is not accepted"),
        }
    }

    /// Ends the race and stops the engines that still work.
    fn end(&mut self, outcome: SearchOutcome) {
        self.outcome = Some(outcome);
        self.limit.cancel.cancel();
    }

    /// The outcome of the race, after all turns have ended.
    fn result(self) -> SearchOutcome {
        match self.outcome {
            Some(outcome) => outcome,
            None => {
                let board = self.exchange.board(self.run.t, self.system);
                self.findings.result(board.contents())
            }
        }
    }
}

// The public interface runs the engines of the schedule, and the machine decides in which order
// they end. Here the order is given, so these tests are beside the code.
#[cfg(test)]
mod tests {
    use super::super::fixture::{with_run_of, words};
    use super::super::{Jobs, Options};
    use super::*;
    use crate::chc::{Model, Refutation};
    use crate::transform::Pass;
    use std::collections::VecDeque;

    /// The outcome of a race of two engines whose turns end in this way, in this order: `sat`,
    /// `unsat`, `fault`, `stuck`, or `time`. The certificates of the verdicts in `right` are
    /// accepted. With a fallback (`again`), the grace period is zero.
    fn outcome(again: bool, ends: &[&str], right: &[&str]) -> String {
        outcome_by(again, ends, |found| settled(found, right))
    }

    /// As [`outcome`], with this outcome of verdicts.
    fn outcome_by(again: bool, ends: &[&str], settled: impl Fn(Answer) -> SearchOutcome) -> String {
        let options = Options {
            jobs: Jobs::new(2),
            ..Options::default()
        };
        with_run_of(&Terms::new(), &System::default(), &options, |run| {
            let settle = |found: Answer, _: &Limit| settled(found);
            let mut race = Race::new(run, run.system, again, &settle);
            let mut running = VecDeque::new();
            for (number, &end) in (1..).zip(ends) {
                while let Some(turn) = race.next_turn() {
                    race.began(&turn);
                    running.push_back(turn);
                }
                let turn = running.pop_front().expect("there are enough turns");
                race.ended(EndedTurn {
                    number,
                    turn,
                    terms: run.t.clone(),
                    answer: answer(end),
                    time: Duration::from_secs(1),
                    ticks: 0,
                });
                if race.patience_ends.is_some() {
                    race.give_up();
                }
            }
            assert_eq!(run.stats.borrow().engine_time.as_secs(), ends.len() as u64);
            let ended = race.limit.cancel.is_cancelled();
            let text = words(&race.result());
            format!("{text}{}", if ended { ", ended" } else { "" })
        })
    }

    /// The outcome of a verdict if the certificates of the verdicts in `right` are accepted.
    fn settled(found: Answer, right: &[&str]) -> SearchOutcome {
        let accepted = right.contains(&found.verdict());
        let refused = UnknownReason::CertificateRefused(found.verdict().to_owned());
        SearchOutcome::Judged(match accepted {
            true => Judgement::of(found, Check::Accepted),
            false => Judgement::of(
                Answer::Unknown(Unknown::new(refused)),
                Check::Refused(Box::new(found)),
            ),
        })
    }

    /// The answer of an engine that ends in this way.
    fn answer(end: &str) -> Answer {
        let unknown = |reason| Answer::Unknown(Unknown::new(reason));
        match end {
            "sat" => Answer::Sat(Model::default()),
            "unsat" => Answer::Unsat(Refutation::default()),
            "fault" => guarded(|| panic!("a bug")),
            "stuck" => unknown(UnknownReason::Incomplete("stuck".to_owned())),
            "time" => unknown(UnknownReason::Timeout),
            _ => panic!("no end: {end}"),
        }
    }

    #[test]
    fn the_first_accepted_verdict_counts() {
        let all = &["sat", "unsat"][..];
        for (ends, right, expected) in [
            (&["sat"][..], all, "sat, ended"),
            (&["time", "unsat"], all, "unsat, ended"),
            (&["sat", "sat"], all, "sat, ended"),
            (&["sat", "time"], all, "sat, ended"),
            (&["time", "time"], all, "timeout"),
            // A fault of one engine neither loses the answer of another, nor is it hidden.
            (&["fault", "sat"], all, "sat, ended"),
            (&["sat", "fault"], all, "sat, ended"),
            (&["fault", "time"], all, "internal fault: a bug"),
            (&["unsat", "time", "sat"], &["sat"], "sat, ended"),
            (&["unsat", "time"], &["sat"], "certificate refused: unsat"),
            (&["unsat", "sat"], &[], "certificate refused: unsat"),
            // Two verdicts.
            (&["sat", "unsat"], &["sat"], "sat, ended"),
            (
                &["sat", "unsat"],
                all,
                "internal fault: one engine answers sat, another unsat, ended",
            ),
        ] {
            assert_eq!(outcome(false, ends, right), expected, "{ends:?}");
        }
    }

    #[test]
    fn what_cannot_be_taken_back_leaves_the_others_a_grace_period() {
        for (ends, expected) in [
            (&["sat", "unsat"][..], "unsat, ended"),
            (&["unsat", "sat"], "unsat, ended"),
            (&["sat", "time"], "without inline, ended"),
            (&["time", "sat"], "without inline, ended"),
            (&["sat", "sat"], "without inline, ended"),
        ] {
            let settle = |found: Answer| match found.verdict() {
                "sat" => SearchOutcome::Without(Pass::Inline),
                _ => settled(found, &["unsat"]),
            };
            assert_eq!(outcome_by(true, ends, settle), expected, "{ends:?}");
        }
    }

    #[test]
    fn unrolling_is_not_alone_for_good() {
        for (again, ends, expected) in [
            // The second, the fifth and the last turn, the ninth, are unrolling.
            (true, &["stuck", "time", "stuck"][..], "incomplete: stuck"),
            (
                true,
                &[
                    "stuck", "time", "stuck", "stuck", "stuck", "stuck", "stuck", "stuck",
                ][..],
                "incomplete: stuck, ended",
            ),
            (
                true,
                &[
                    "stuck", "time", "stuck", "stuck", "stuck", "stuck", "stuck", "stuck", "time",
                ][..],
                "incomplete: stuck, ended",
            ),
            (
                true,
                &[
                    "stuck", "time", "stuck", "stuck", "stuck", "stuck", "stuck", "stuck", "unsat",
                ][..],
                "unsat, ended",
            ),
            (
                true,
                &[
                    "stuck", "time", "stuck", "stuck", "stuck", "stuck", "stuck", "time",
                ][..],
                "timeout",
            ),
            (
                true,
                &[
                    "stuck", "time", "stuck", "stuck", "stuck", "stuck", "stuck", "time", "stuck",
                ][..],
                "incomplete: stuck, ended",
            ),
            (
                false,
                &[
                    "stuck", "time", "stuck", "stuck", "stuck", "stuck", "stuck", "stuck",
                ][..],
                "incomplete: stuck",
            ),
            (
                false,
                &[
                    "stuck", "time", "stuck", "stuck", "stuck", "stuck", "stuck", "stuck", "time",
                ][..],
                "timeout",
            ),
        ] {
            assert_eq!(outcome(again, ends, &["unsat"]), expected, "{ends:?}");
        }
    }
}
