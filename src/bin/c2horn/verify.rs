//! From a program to a verdict: encodes, solves, reads the certificate as words about the program,
//! and encodes anew where the first encoding was too coarse.
//!
//! Over mathematical integers, an unsigned operation that leaves its type is a query of the system.
//! If it can happen, or if a run to the error has a signed operation that leaves its type, the
//! program is solved again with integers that wrap around. After a proof, [`crate::overflow`] asks
//! whether a signed operation can leave its type. If one may, the machine's verdict may differ, and
//! is sought for a while: if the machine comes to the error by operations that are undefined in C,
//! there is no verdict that everybody would agree with.
//!
//! If a program has several encodings, over mathematical integers, over integers that wrap around,
//! as numbers or as bit-vectors, they take turns: what is hard for one is often easy for another.
//!
//! Memory behind a pointer from outside is unknown, which suffices for a proof. For a run, the
//! error is sought in the program with separate objects behind such pointers
//! ([`with_objects_outside`](horn::cfront::CProgram::with_objects_outside)). An unsupported
//! construct is a query, too. If it can be reached, the error is sought without it, since a run to
//! the error that does not come to the construct is a run all the same. Integers only
//! over-approximate some bit operations. These are exact over bit-vectors, which are tried if
//! nothing else stands between a run and the machine.

use crate::overflow::{self, Overflow};
use crate::verifier::Verifier;
use horn::cfront::{
    Approximation, CheckedProperty, EncodeOptions, Encoded, ErrorRun, IntMode, Invariant, RunEnd,
};
use horn::chc::{Answer, Model, Refutation, UnknownReason};
use horn::portfolio::{Options, solve};
use horn::term::Terms;
use std::time::{Duration, Instant};

/// What is asked after a proof may take as long as the proof, and so long anyway.
const AFTER: Duration = Duration::from_secs(1);

/// With a time limit, the first turn of each encoding has a tenth of the remaining time.
const GLANCE_PART: u32 = 10;
/// Without a time limit, the first turn of each encoding takes 8 s.
const FIRST_TURN: Duration = Duration::from_secs(8);
/// Without a time limit, each turn is 4 times as long as the one before.
const GROWTH: u32 = 4;

/// What is known of a program.
pub(crate) enum Verdict {
    /// No error can be reached, on condition of what is known of overflow.
    True(Vec<Invariant>, Overflow),
    /// An error can be reached, by this run.
    False(ErrorRun),
    /// Neither: why.
    Unknown(String),
    /// This program is at fault.
    Fault(String),
}

/// What is asked next.
#[derive(Clone)]
struct Plan {
    encoding: EncodeOptions,
    /// The ways to have integers that may lead to a verdict, among them the one that is asked.
    ways: Vec<IntMode>,
    /// How many turns they have had.
    round: u32,
    /// Why the first answer was no verdict.
    obstacle: Option<String>,
    /// Are some runs left out, so that there is nothing to prove any more?
    partial: bool,
    /// Is it taken for known what is behind pointers from outside?
    objects: bool,
}

/// What follows from an answer.
enum Next {
    Ask(Plan),
    Say(Verdict),
}

impl Verifier<'_> {
    /// Verifies the program.
    pub(crate) fn verify(&self, encoding: EncodeOptions) -> Verdict {
        let mut plan = Plan {
            encoding: EncodeOptions {
                question: CheckedProperty::ErrorsAndWraps,
                ..encoding
            },
            ways: vec![encoding.ints],
            round: 0,
            obstacle: None,
            partial: false,
            objects: false,
        };
        loop {
            match self.ask(plan) {
                Next::Ask(next) => plan = next,
                Next::Say(verdict) => return verdict,
            }
        }
    }

    /// Asks one question.
    fn ask(&self, mut plan: Plan) -> Next {
        let started = Instant::now();
        let terms = Terms::new();
        let extended;
        let program = if plan.objects {
            extended = self.program.with_objects_outside();
            &extended
        } else {
            self.program
        };
        let encoded = program.encode(&terms, plan.encoding);
        log::info!(
            "{:?} integers: {} predicates, {} clauses",
            plan.encoding.ints,
            encoded.system().preds.len(),
            encoded.system().clauses.len()
        );
        let first = plan.encoding.ints == IntMode::Unbounded && plan.round == 0;
        if first && encoded.asks_for_wraps() {
            plan.ways = [&[IntMode::Unbounded], self.wrapping_ways()].concat();
        }
        let system = encoded.system();
        let options = Options {
            timeout: self.time(&plan).or(self.options.timeout),
            ..self.options.clone()
        };
        let solved = solve(&terms, system, self.backend, &options, self.control);
        match solved.answer {
            Answer::Sat(model) => Next::Say(match plan.obstacle {
                Some(what) if plan.partial => Verdict::Unknown(what),
                _ => {
                    let patience = started.elapsed().max(AFTER);
                    self.proved(&terms, &encoded, plan.encoding, &model, patience)
                }
            }),
            Answer::Unknown(unknown) => match self.next_turn(plan.clone(), &unknown.reason) {
                Some(next) => Next::Ask(next),
                None => Next::Say(open(plan.obstacle, &unknown.reason)),
            },
            Answer::Unsat(refutation) => {
                plan.after(read(&encoded, &refutation), self.wrapping_ways())
            }
        }
    }

    /// The ways to have integers that wrap around.
    fn wrapping_ways(&self) -> &'static [IntMode] {
        match self.backend.is_for_all_sorts() {
            true => &[IntMode::Wrap, IntMode::BitVector],
            false => &[IntMode::Wrap],
        }
    }

    /// The time of a turn: at first a little of what is left, then half of it, and all for the
    /// last; without a limit, so much. `None` where there is one way only.
    fn time(&self, plan: &Plan) -> Option<Duration> {
        let (last, others) = plan.ways.split_last()?;
        if others.is_empty() {
            return None;
        }
        let Some(deadline) = self.control.deadline else {
            return Some(FIRST_TURN.saturating_mul(GROWTH.saturating_pow(plan.round)));
        };
        let left = deadline.saturating_duration_since(Instant::now());
        match plan.round {
            0 => Some(left / GLANCE_PART),
            _ if plan.encoding.ints == *last => None,
            _ => Some(left / 2),
        }
    }

    /// The next turn, after one without an answer.
    fn next_turn(&self, mut plan: Plan, reason: &UnknownReason) -> Option<Plan> {
        if reason.is_fault() || self.control.stop.token().is_cancelled() {
            return None;
        }
        let at = plan.ways.iter().position(|&w| w == plan.encoding.ints)?;
        let timed_out = *reason == UnknownReason::Timeout;
        let next = match timed_out {
            true => at + 1,
            // Who gave up would do so again.
            false => {
                plan.ways.remove(at);
                at
            }
        };
        let alone = plan.ways.len() == usize::from(timed_out);
        let is_over = (self.control.deadline).is_some_and(|deadline| Instant::now() >= deadline);
        let ints = match plan.ways.get(next) {
            Some(&ints) => ints,
            None if is_over || alone => return None,
            None => {
                plan.round += 1;
                plan.ways[0]
            }
        };
        Some(plan.with_integers(ints))
    }

    /// What a proof means for the machine.
    fn proved(
        &self,
        terms: &Terms,
        encoded: &Encoded<'_>,
        encoding: EncodeOptions,
        model: &Model,
        patience: Duration,
    ) -> Verdict {
        let invariants = encoded.invariants(model);
        if encoding.ints != IntMode::Unbounded {
            return Verdict::True(invariants, Overflow::Excluded);
        }
        let overflow = overflow::look(self, terms, encoded, encoding, model, patience);
        let Some(note) = overflow.note().filter(|_| self.asks_machine) else {
            return Verdict::True(invariants, overflow);
        };
        log::info!("{note}");
        match self.by_machine(encoding, patience) {
            found @ Verdict::True(..) => found,
            Verdict::False(_) => Verdict::Unknown(overflow.contradiction()),
            Verdict::Unknown(_) | Verdict::Fault(_) => Verdict::True(invariants, overflow),
        }
    }

    /// The verdict with integers that wrap around, as far as it is found in so long.
    fn by_machine(&self, encoding: EncodeOptions, patience: Duration) -> Verdict {
        let options = Options {
            timeout: Some(patience),
            ..self.options.clone()
        };
        let machine = Verifier {
            options: &options,
            ..*self
        };
        machine.verify(EncodeOptions {
            ints: IntMode::Wrap,
            ..encoding
        })
    }
}

impl Plan {
    /// What follows from a run.
    fn after(self, run: ErrorRun, wrapping: &[IntMode]) -> Next {
        let ints = self.encoding.ints;
        Next::Say(match &run.end {
            RunEnd::Wraps(_) if ints == IntMode::Unbounded => {
                return Next::Ask(self.by_ways(wrapping));
            }
            RunEnd::Wraps(place) => {
                Verdict::Fault(format!("a wrap-around at {place} that should be exact"))
            }
            RunEnd::Error(..) if ints == IntMode::Unbounded && !run.overflows.is_empty() => {
                return Next::Ask(self.by_ways(wrapping));
            }
            RunEnd::Error(..) => match run.approximated.first() {
                Some(Approximation { place, what, .. }) => {
                    let what = format!("{place}: over-approximated: {what}");
                    if ints != IntMode::BitVector
                        && run.approximated.iter().all(|a| a.exact_over_bits)
                    {
                        let plan = self.by_ways(&[IntMode::BitVector]);
                        return Next::Ask(plan.in_spite_of(what));
                    }
                    if !self.objects && run.approximated.iter().any(|a| !a.exact_over_bits) {
                        let mut plan = self.in_spite_of(what);
                        plan.objects = true;
                        plan.partial = true;
                        return Next::Ask(plan);
                    }
                    Verdict::Unknown(what)
                }
                None if run.is_exact() => Verdict::False(run),
                None => Verdict::Unknown("the run to the error is too long".to_owned()),
            },
            RunEnd::Unsupported(place, what) => {
                let what = format!("{place}: not supported: {what}");
                if self.encoding.check_unsupported {
                    let mut plan = self.in_spite_of(what);
                    plan.encoding.check_unsupported = false;
                    plan.partial = true;
                    return Next::Ask(plan);
                }
                Verdict::Unknown(what)
            }
        })
    }

    /// Integers are in these ways, of which there is at least one.
    fn by_ways(mut self, ways: &[IntMode]) -> Plan {
        self.ways = ways.to_vec();
        self.with_integers(ways[0])
    }

    fn with_integers(mut self, ints: IntMode) -> Plan {
        self.encoding.ints = ints;
        self
    }

    /// The plan with one more obstacle. The first obstacle is reported if the other plans lead to
    /// no verdict.
    fn in_spite_of(mut self, obstacle: String) -> Plan {
        self.obstacle.get_or_insert(obstacle);
        self
    }
}

/// The verdict where a question was not answered.
fn open(obstacle: Option<String>, reason: &UnknownReason) -> Verdict {
    match (obstacle, reason) {
        (_, reason) if reason.is_fault() => Verdict::Fault(reason.to_string()),
        (Some(what), _) => Verdict::Unknown(format!("{what} ({reason})")),
        (_, reason) => Verdict::Unknown(reason.to_string()),
    }
}

fn read(encoded: &Encoded<'_>, refutation: &Refutation) -> ErrorRun {
    let run = encoded.run(refutation);
    log::info!("a run of {} steps: {:?}", run.steps.len(), run.end);
    run
}
