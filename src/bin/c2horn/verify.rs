//! From a program to a verdict: encodes, solves, reads the certificate as words about the program, and encodes anew where the
//! first encoding was too coarse.
//!
//! Over mathematical integers, an unsigned operation that leaves its type is a question of the system's: where it can, or where a run
//! to the error has a signed one, the program is solved again with integers that wrap around. A proof is asked whether a signed
//! operation can leave its type ([`crate::overflow`]); unless none can, the machine's verdict may be another, and is looked for, for a while.
//! A construct that is not supported is a question, too: where it can be reached, the error is looked for without it, since a run to the
//! error that does not come to it is a run all the same.

use crate::overflow::{self, Overflow};
use horn::cfront::{CProgram, EncodeOptions, Encoded, IntMode, Invariant, Question, Run, RunEnd};
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
}

/// What is asked next.
struct Plan {
    encoding: EncodeOptions,
    /// Why the error is looked for although the first question was answered.
    obstacle: Option<String>,
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
        let encoded = self.program.encode(&terms, plan.encoding);
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
                Some(what) => Verdict::Unknown(what),
                None => {
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
        if let Some(note) = overflow.note() {
            log::info!("{note}");
            let options = Options {
                timeout: Some(patience),
                ..self.options.clone()
            };
            let machine = Verifier {
                options: &options,
                ..*self
            };
            let wrapping = EncodeOptions {
                ints: IntMode::Wrap,
                ..encoding
            };
            let found = machine.verify(wrapping);
            if matches!(found, Verdict::True(..) | Verdict::False(_)) {
                return found;
            }
        }
        Verdict::True(invariants, overflow)
    }
}

impl Plan {
    /// What follows from a run.
    fn after(self, run: Run) -> Next {
        let Plan { encoding, obstacle } = self;
        let wrapping = EncodeOptions {
            ints: IntMode::Wrap,
            ..encoding
        };
        Next::Say(match (&run.end, encoding.ints) {
            (RunEnd::Wraps(_), IntMode::Unbounded) => {
                return Next::Ask(Plan {
                    encoding: wrapping,
                    obstacle,
                });
            }
            (RunEnd::Wraps(place), _) => {
                Verdict::Fault(format!("a wrap-around at {place} that should be exact"))
            }
            (RunEnd::Error(..), IntMode::Unbounded) if !run.overflows.is_empty() => {
                return Next::Ask(Plan {
                    encoding: wrapping,
                    obstacle,
                });
            }
            (RunEnd::Error(..), _) => match run.approximated.first() {
                Some((place, what)) => {
                    Verdict::Unknown(format!("{place}: over-approximated: {what}"))
                }
                None if run.is_exact() => Verdict::False(run),
                None => Verdict::Unknown("the run to the error is too long".to_owned()),
            },
            (RunEnd::Unsupported(place, what), _) => {
                let what = format!("{place}: not supported: {what}");
                if encoding.check_unsupported {
                    return Next::Ask(Plan {
                        encoding: EncodeOptions {
                            check_unsupported: false,
                            ..encoding
                        },
                        obstacle: Some(what),
                    });
                }
                Verdict::Unknown(what)
            }
        })
    }
}

/// The verdict where a question was not answered.
fn open(obstacle: Option<String>, reason: &UnknownReason) -> Verdict {
    match (obstacle, reason) {
        (_, reason) if reason.is_fault() => Verdict::Fault(reason.to_string()),
        (Some(what), UnknownReason::Incomplete(_)) => Verdict::Unknown(what),
        (_, reason) => Verdict::Unknown(reason.to_string()),
    }
}

fn read(encoded: &Encoded<'_>, refutation: &Refutation) -> Run {
    let run = encoded.run(refutation);
    log::info!("a run of {} steps: {:?}", run.steps.len(), run.end);
    run
}
