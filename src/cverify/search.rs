//! From a program to a verdict: encodes, solves, reads the certificate as words about the program,
//! and encodes anew where the first encoding was too coarse.
//!
//! Over mathematical integers, an unsigned operation that leaves its type is a query of the system.
//! If it can happen, or if a run to the error has a signed operation that leaves its type, the
//! program is solved again with integers that wrap around. After a proof, `overflow` asks whether a
//! signed operation can leave its type. If one may, the machine's verdict may differ, and is sought
//! for a while: if the machine comes to the error by operations that are undefined in C, there is
//! no verdict that everybody would agree with.
//!
//! Memory behind a pointer from outside is unknown, which suffices for a proof. For a run, the
//! error is sought in the program with separate objects behind such pointers
//! ([`CProgram::with_objects_outside`](crate::cfront::CProgram::with_objects_outside)). An
//! unsupported construct is a query, too. If it can be reached, the error is sought without it,
//! since a run to the error that does not come to the construct is a run all the same. Integers
//! only over-approximate some bit operations. These are exact over bit-vectors, which are tried if
//! nothing else stands between a run and the machine.

use super::minimise::minimised;
use super::overflow::{self, Overflow};
use super::plan::{Next, Plan};
use super::verdict::{Verdict, Verified};
use super::verifier::{Done, Session, Verifier};
use crate::cfront::{EncodeOptions, Encoded, ErrorRun, IntMode};
use crate::chc::{Answer, Model, Refutation, UnknownReason};
use crate::term::Terms;
use crate::work::milliseconds;

/// Each question after a proof has the ticks that the proof has cost, but not fewer than these,
/// about 1 s. The value was not tuned.
const AFTER: u64 = milliseconds(1_000);

/// Where a loop can be unrolled, the program as it is has these ticks, about 2 s. The value was not
/// tuned.
const BEFORE_UNROLLING: u64 = milliseconds(2_000);
/// A program's beginning is unrolled to at most these steps. The value was not tuned.
const UNROLLED: usize = 6_000;

/// The ways to have integers that wrap around.
const WRAPPING_WAYS: &[IntMode] = &[IntMode::Wrap, IntMode::BitVector];

impl Verifier<'_> {
    /// Verifies the program, with integers as `encoding` has them at first. The encoding's question
    /// is chosen here.
    pub fn verify(&self, encoding: EncodeOptions) -> Verified {
        let done = Done::default();
        let session = Session::new(self, &done);
        let verdict = session.search_all(encoding);
        Verified {
            verdict,
            ticks: session.limit.ticks(),
            questions: done.questions.get(),
            last: done.last.take(),
        }
    }
}

impl Session<'_> {
    /// Asks until there is a verdict. Where a loop at the program's beginning can be unrolled, that
    /// is done after a while.
    fn search_all(&self, encoding: EncodeOptions) -> Verdict {
        let unrolled = EncodeOptions {
            unroll: UNROLLED,
            ..encoding
        };
        let can_unroll = encoding.unroll == 0 && {
            let terms = Terms::new();
            let program = self.verifier.program;
            program.encode(&terms, unrolled).is_unrolled()
        };
        if !can_unroll {
            return self.search(encoding);
        }
        let first = self.within(self.limit.turn(BEFORE_UNROLLING));
        match first.search(encoding) {
            Verdict::Unknown(reason) => {
                log::info!("unrolled, since without that: {reason}");
                self.search(unrolled)
            }
            verdict => verdict,
        }
    }

    /// Asks until there is a verdict.
    fn search(&self, encoding: EncodeOptions) -> Verdict {
        let mut plan = Plan::first(encoding);
        loop {
            match self.ask(plan) {
                Next::Ask(next) => plan = next,
                Next::Say(verdict) => return verdict,
            }
        }
    }

    /// Asks one question.
    fn ask(&self, mut plan: Plan) -> Next {
        let terms = Terms::new();
        let extended;
        let program = if plan.objects {
            extended = self.verifier.program.with_objects_outside();
            &extended
        } else {
            self.verifier.program
        };
        let encoded = program.encode(&terms, plan.encoding);
        let system = encoded.system();
        log::info!(
            "{:?} integers: {} predicates, {} clauses",
            plan.encoding.ints,
            system.preds.len(),
            system.clauses.len()
        );
        let first = plan.encoding.ints == IntMode::Unbounded && plan.round == 0;
        if first && encoded.asks_for_wraps() {
            plan.ways = [&[IntMode::Unbounded], WRAPPING_WAYS].concat();
        } else if first && encoded.lacks_floats() {
            plan.ways = vec![IntMode::Unbounded, IntMode::BitVector];
        }
        let before = self.limit.ticks();
        let turn = plan.turn(&self.limit);
        let solved = self.solve(&terms, system, &turn, plan.written_out);
        match solved.answer {
            Answer::Sat(model) => Next::Say(match plan.obstacle {
                Some(what) if plan.partial => Verdict::Unknown(what),
                _ => {
                    let patience = (self.limit.ticks() - before).max(AFTER);
                    self.proved(&terms, &encoded, plan.encoding, &model, patience)
                }
            }),
            Answer::Unknown(unknown) => match self.next_turn(plan.clone(), &unknown.reason) {
                Some(next) => Next::Ask(next),
                None => Next::Say(open(plan.obstacle, &unknown.reason)),
            },
            Answer::Unsat(refutation) => match read(&encoded, &refutation) {
                Some(run) => plan.after(run, WRAPPING_WAYS),
                None => Next::Ask(Plan {
                    written_out: true,
                    ..plan
                }),
            },
        }
    }

    /// The next turn, after one without an answer.
    fn next_turn(&self, plan: Plan, reason: &UnknownReason) -> Option<Plan> {
        if reason.is_fault() || self.limit.cancel.is_cancelled() {
            return None;
        }
        let timed_out = matches!(reason, UnknownReason::Timeout | UnknownReason::Work);
        plan.next_turn(timed_out, self.limit.check().is_err())
    }

    /// What a proof means for the machine. Each question about it has these ticks.
    fn proved(
        &self,
        terms: &Terms,
        encoded: &Encoded<'_>,
        encoding: EncodeOptions,
        model: &Model,
        patience: u64,
    ) -> Verdict {
        let proved = |overflow| {
            let model = minimised(self, terms, encoded.system(), model);
            let invariants = encoded.invariants(&model);
            Verdict::True {
                invariants,
                overflow,
            }
        };
        if encoding.ints != IntMode::Unbounded {
            return proved(Overflow::Excluded);
        }
        let limit = self.limit.turn(patience);
        let overflow = overflow::look(self, terms, encoded, encoding, model, &limit);
        let Some(note) = (overflow.note()).filter(|_| self.verifier.asks_machine) else {
            return proved(overflow);
        };
        log::info!("{note}");
        match self.by_machine(encoding, patience) {
            found @ Verdict::True { .. } => found,
            Verdict::False(_) => Verdict::Unknown(overflow.contradiction()),
            Verdict::Unknown(_) | Verdict::Fault(_) => proved(overflow),
        }
    }

    /// The verdict with integers that wrap around, as far as it is found in that many ticks.
    fn by_machine(&self, encoding: EncodeOptions, patience: u64) -> Verdict {
        let part = self.within(self.limit.turn(patience));
        part.search(EncodeOptions {
            ints: IntMode::Wrap,
            ..encoding
        })
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

/// The run of a refutation; `None` if it has a loop that has to be written out.
fn read(encoded: &Encoded<'_>, refutation: &Refutation) -> Option<ErrorRun> {
    let run = encoded.run(refutation);
    match &run {
        Some(run) => log::info!("a run of {} steps: {:?}", run.steps.len(), run.end),
        None => log::info!("a run with inputs in a loop that is not written out"),
    }
    run
}
