//! The gate: certificates are checked before a verdict is passed on.

use super::{Check, CheckMode, Control, Options, panic_message};
use crate::certify::{ModelError, check_model, check_refutation};
use crate::chc::{Answer, Model, System, Unknown, UnknownReason};
use crate::smt::{Backend, Limit};
use crate::term::Terms;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What each solver says of a model, with the solver's name.
pub(super) type CrossChecks = Vec<(String, Result<(), ModelError>)>;

/// What the gate made of an answer.
pub(super) struct Judgement {
    /// The answer that may be given.
    pub(super) answer: Answer,
    /// What the checker said.
    pub(super) check: Check,
    /// What the other solvers said.
    pub(super) cross_checks: CrossChecks,
}

impl Judgement {
    /// An answer of which other solvers were not asked.
    pub(super) fn of(answer: Answer, check: Check) -> Self {
        Judgement {
            answer,
            check,
            cross_checks: Vec::new(),
        }
    }
}

/// Why the certificate of an answer about `system` is wrong; `None` where it is right, not decided, or missing.
pub(super) fn refusal(
    t: &Terms,
    system: &System,
    answer: &Answer,
    backend: &Backend,
    limit: &Limit,
) -> Option<String> {
    let verdict = match answer {
        Answer::Unknown(_) => Ok(()),
        Answer::Unsat(refutation) => guarded(|| {
            check_refutation(t, system, refutation).map_err(|e| Objection::Refused(e.to_string()))
        }),
        Answer::Sat(model) => guarded(|| {
            let proving = backend.proving();
            check_model(t, system, model, &mut || proving.solver(t, "check"), limit)?;
            Ok(())
        }),
    };
    match verdict {
        Err(Objection::Refused(why)) => Some(why),
        Ok(()) | Err(Objection::NotDecided(_)) => None,
    }
}

/// Has the certificate of an answer checked; it becomes `unknown` if that is not accepted.
pub(super) fn judge(
    t: &Terms,
    system: &System,
    found: Answer,
    backend: &Backend,
    options: &Options,
    control: Control<'_>,
    limit: &Limit,
) -> Judgement {
    let mut cross_checks = Vec::new();
    let verdict = match &found {
        Answer::Unknown(_) => None,
        Answer::Unsat(refutation) => Some(guarded(|| {
            check_refutation(t, system, refutation).map_err(|e| Objection::Refused(e.to_string()))
        })),
        Answer::Sat(model) => Some(guarded(|| {
            let proving = backend.proving();
            check_model(t, system, model, &mut || proving.solver(t, "check"), limit)?;
            cross_checks = cross_check(t, system, model, control, limit);
            heaviest(&cross_checks)
        })),
    };
    let (answer, check) = match (verdict, options.check) {
        (None, _) => (found, Check::None),
        (Some(Ok(())), _) => (found, Check::Accepted),
        (Some(Err(Objection::NotDecided(why))), CheckMode::Lenient) => {
            (found, Check::NotDecided(why))
        }
        (Some(Err(Objection::NotDecided(why))), CheckMode::Strict) => {
            let unknown = Unknown::new(UnknownReason::CertificateNotChecked);
            (Answer::Unknown(unknown), Check::NotDecided(why))
        }
        (Some(Err(Objection::Refused(why))), _) => {
            let unknown = Unknown::new(UnknownReason::CertificateRefused(why));
            (Answer::Unknown(unknown), Check::Refused(Box::new(found)))
        }
    };
    Judgement {
        answer,
        check,
        cross_checks,
    }
}

fn cross_check(
    t: &Terms,
    system: &System,
    model: &Model,
    control: Control<'_>,
    limit: &Limit,
) -> CrossChecks {
    let checkers = control.cross_checkers.iter();
    let check = |(name, checker): &(String, Backend)| {
        let result = check_model(
            t,
            system,
            model,
            &mut || checker.solver(t, &format!("check-{name}")),
            limit,
        );
        (name.clone(), result)
    };
    checkers.map(check).collect()
}

/// Why a certificate is not accepted. The order is by weight.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Objection {
    NotDecided(String),
    Refused(String),
}

impl From<ModelError> for Objection {
    fn from(error: ModelError) -> Self {
        let wrap = if error.is_refusal() {
            Objection::Refused
        } else {
            Objection::NotDecided
        };
        wrap(error.to_string())
    }
}

/// The weightiest objection of the other solvers.
fn heaviest(cross_checks: &CrossChecks) -> Result<(), Objection> {
    let objections = cross_checks.iter().filter_map(|(name, result)| {
        let objection = Objection::from(result.as_ref().err()?.clone());
        Some(match objection {
            Objection::NotDecided(why) => Objection::NotDecided(format!("{name}: {why}")),
            Objection::Refused(why) => Objection::Refused(format!("{name}: {why}")),
        })
    });
    objections.max().map_or(Ok(()), Err)
}

/// The result of a check; a check that panics refuses.
fn guarded(check: impl FnOnce() -> Result<(), Objection>) -> Result<(), Objection> {
    catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
        let message = panic_message(&*panic);
        Err(Objection::Refused(format!("the checker failed: {message}")))
    })
}
