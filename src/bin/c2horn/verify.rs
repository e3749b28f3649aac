//! From a program to a verdict: encodes, solves, reads the certificate as words about the program, and encodes anew where the
//! first encoding was too coarse.
//!
//! Over mathematical integers, an unsigned operation that leaves its type is a question of the system's: where it can, or where a run
//! to the error has a signed one, the program is solved again with integers that wrap around. A construct that is not supported is
//! a question, too: where it can be reached, the error is looked for without it, since a run to the error that does not come to it is a
//! run all the same.

use horn::cfront::{CProgram, EncodeOptions, Encoded, IntMode, Invariant, Run, RunEnd};
use horn::chc::{Answer, UnknownReason};
use horn::portfolio::{Control, Options, solve};
use horn::smt::Backend;
use horn::term::Terms;

/// What is known of a program.
pub(crate) enum Verdict {
    /// No error can be reached.
    True(Vec<Invariant>),
    /// An error can be reached, by this run.
    False(Run),
    /// Neither: why.
    Unknown(String),
    /// This program is at fault.
    Fault(String),
}

/// Verifies a program.
pub(crate) fn verify(
    program: &CProgram,
    encoding: EncodeOptions,
    backend: &Backend,
    options: &Options,
    control: Control<'_>,
) -> Verdict {
    let mut encoding = EncodeOptions {
        check_wrap: true,
        ..encoding
    };
    // Why the error is looked for although the first question was answered.
    let mut obstacle: Option<String> = None;
    loop {
        let terms = Terms::new();
        let encoded = program.encode(&terms, encoding);
        log::info!(
            "{:?} integers: {} predicates, {} clauses",
            encoding.ints,
            encoded.system().preds.len(),
            encoded.system().clauses.len()
        );
        let solved = solve(&terms, encoded.system(), backend, options, control);
        let refutation = match solved.answer {
            Answer::Sat(model) => {
                return match obstacle {
                    None => Verdict::True(encoded.invariants(&model)),
                    Some(what) => Verdict::Unknown(what),
                };
            }
            Answer::Unknown(unknown) if unknown.reason.is_fault() => {
                return Verdict::Fault(unknown.reason.to_string());
            }
            Answer::Unknown(unknown) => {
                return Verdict::Unknown(match (obstacle, &unknown.reason) {
                    (Some(what), UnknownReason::Incomplete(_)) => what,
                    (_, reason) => reason.to_string(),
                });
            }
            Answer::Unsat(refutation) => refutation,
        };
        let run = read(&encoded, &refutation);
        match (&run.end, encoding.ints) {
            (RunEnd::Wraps(_), IntMode::Unbounded) => encoding.ints = IntMode::Wrap,
            (RunEnd::Wraps(place), _) => {
                return Verdict::Fault(format!("a wrap-around at {place} that should be exact"));
            }
            (RunEnd::Error(..), IntMode::Unbounded) if !run.overflows.is_empty() => {
                encoding.ints = IntMode::Wrap;
            }
            (RunEnd::Error(..), _) => {
                return match run.approximated.first() {
                    Some((place, what)) => {
                        Verdict::Unknown(format!("{place}: over-approximated: {what}"))
                    }
                    None if run.is_exact() => Verdict::False(run),
                    None => Verdict::Unknown("the run to the error is too long".to_owned()),
                };
            }
            (RunEnd::Unsupported(place, what), _) if encoding.check_unsupported => {
                obstacle = Some(format!("{place}: not supported: {what}"));
                encoding.check_unsupported = false;
            }
            (RunEnd::Unsupported(place, what), _) => {
                return Verdict::Unknown(format!("{place}: not supported: {what}"));
            }
        }
    }
}

fn read(encoded: &Encoded<'_>, refutation: &horn::chc::Refutation) -> Run {
    let run = encoded.run(refutation);
    log::info!("a run of {} steps: {:?}", run.steps.len(), run.end);
    run
}
