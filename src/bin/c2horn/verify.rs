//! From a program to a verdict: encodes, solves, reads the certificate as words about the program, and encodes anew where the
//! first encoding was too coarse.
//!
//! Over mathematical integers, an unsigned operation that leaves its type is a question of the system's: where it can, or where a run
//! to the error has a signed one, the program is solved again with integers that wrap around. A proof is asked whether a signed
//! operation can leave its type ([`crate::overflow`]); unless none can, the machine's verdict may be another, and is looked for, for a while: where
//! the machine comes to the error, by operations that have no meaning in C, there is no verdict that everybody would agree with.
//! What is behind a pointer from outside is not known, which is enough for a proof; for a run, the error is looked for in the program with
//! objects of their own behind such pointers ([`CProgram::with_objects_outside`]).
//! A construct that is not supported is a question, too: where it can be reached, the error is looked for without it, since a run to the
//! error that does not come to it is a run all the same. Bit operations that integers only over-approximate are exact over bit-vectors, which are tried
//! where nothing else stands between a run and the machine.

use crate::overflow::{self, Overflow};
use horn::cfront::{
    Approximation, CProgram, EncodeOptions, Encoded, IntMode, Invariant, Question, Run, RunEnd,
};
use horn::chc::{Answer, Model, Refutation, UnknownReason};
use horn::portfolio::{Control, Options, solve};
use horn::smt::Backend;
use horn::term::Terms;
use std::time::{Duration, Instant};

/// What is asked after a proof may take as long as the proof, and so long anyway.
const AFTER: Duration = Duration::from_secs(1);

/// What is known of a program.
pub(crate) enum Verdict {
    /// No error can be reached, on condition of what is known of overflow.
    True(Vec<Invariant>, Overflow),
    /// An error can be reached, by this run.
    False(Run),
    /// Neither: why.
    Unknown(String),
    /// This program is at fault.
    Fault(String),
}

/// A program to verify, and how.
pub(crate) struct Verifier<'a> {
    pub(crate) program: &'a CProgram,
    pub(crate) backend: &'a Backend,
    pub(crate) options: &'a Options,
    pub(crate) control: Control<'a>,
    /// Is there no `TRUE` where the machine comes to the error, though by signed operations that overflow?
    pub(crate) asks_machine: bool,
}

/// What is asked next.
struct Plan {
    encoding: EncodeOptions,
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
                question: Question::ErrorsAndWraps,
                ..encoding
            },
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
    fn ask(&self, plan: Plan) -> Next {
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
        let system = encoded.system();
        let solved = solve(&terms, system, self.backend, self.options, self.control);
        match solved.answer {
            Answer::Sat(model) => Next::Say(match plan.obstacle {
                Some(what) if plan.partial => Verdict::Unknown(what),
                _ => {
                    let patience = started.elapsed().max(AFTER);
                    self.proved(&terms, &encoded, plan.encoding, &model, patience)
                }
            }),
            Answer::Unknown(unknown) => Next::Say(open(plan.obstacle, &unknown.reason)),
            Answer::Unsat(refutation) => plan.after(read(&encoded, &refutation)),
        }
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
    fn after(self, run: Run) -> Next {
        let ints = self.encoding.ints;
        Next::Say(match &run.end {
            RunEnd::Wraps(_) if ints == IntMode::Unbounded => {
                return Next::Ask(self.with_integers(IntMode::Wrap));
            }
            RunEnd::Wraps(place) => {
                Verdict::Fault(format!("a wrap-around at {place} that should be exact"))
            }
            RunEnd::Error(..) if ints == IntMode::Unbounded && !run.overflows.is_empty() => {
                return Next::Ask(self.with_integers(IntMode::Wrap));
            }
            RunEnd::Error(..) => match run.approximated.first() {
                Some(Approximation { place, what, .. }) => {
                    let what = format!("{place}: over-approximated: {what}");
                    if ints != IntMode::BitVector
                        && run.approximated.iter().all(|a| a.exact_over_bits)
                    {
                        let plan = self.with_integers(IntMode::BitVector);
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

    fn with_integers(mut self, ints: IntMode) -> Plan {
        self.encoding.ints = ints;
        self
    }

    /// The first obstacle is what is told if the others lead to no verdict.
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

fn read(encoded: &Encoded<'_>, refutation: &Refutation) -> Run {
    let run = encoded.run(refutation);
    log::info!("a run of {} steps: {:?}", run.steps.len(), run.end);
    run
}
