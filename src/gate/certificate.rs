//! The check of certificates before a verdict is passed on.

use super::CLIENT;
use super::panic::panic_message;
use super::repetitions::without_repetitions;
use crate::certify::{
    Accepted, ModelError, RefutationError, check_model_again, check_model_as_written,
    check_refutation, conclusions,
};
use crate::chc::{Answer, Model, Refutation, System, Unknown, UnknownReason};
use crate::smt::{Backend, Limit};
use crate::term::Terms;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What to do with a verdict whose certificate could not be checked in time. A verdict with a
/// refused certificate is never passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CheckMode {
    /// The answer becomes `unknown`.
    #[default]
    Strict,
    /// The verdict is passed on, and [`Judgement::check`] says so. A model with functions that are
    /// defined by recursion is not: the checker refuses none, since solvers have no counterexamples
    /// for these functions.
    Lenient,
}

/// The result of checking a certificate.
#[derive(Debug)]
pub enum Check {
    /// There was no certificate: the engine answered `unknown`, or with a derivation that needs a
    /// value that SMT-LIB leaves open, or has a loop whose iterations were guessed wrong.
    None,
    /// The checker accepted it.
    Accepted,
    /// The checker neither accepted nor refused it, for this reason.
    NotDecided(String),
    /// The checker refused it. This is the answer that must not be given, for reports.
    Refused(Box<Answer>),
}

/// The names of solvers, each with its result for a model.
pub type CrossChecks = Vec<(String, Result<(), ModelError>)>;

/// The gate's judgement of an answer.
#[derive(Debug)]
pub struct Judgement {
    /// The answer that may be given.
    pub answer: Answer,
    /// The checker's result.
    pub check: Check,
    /// The results of the other solvers for a model.
    pub cross_checks: CrossChecks,
}

impl Judgement {
    /// An answer without cross-checks.
    pub(crate) fn of(answer: Answer, check: Check) -> Self {
        Judgement {
            answer,
            check,
            cross_checks: Vec::new(),
        }
    }
}

/// The gate of a run: the system that certificates are checked against, and the solvers.
#[derive(Clone, Copy)]
pub struct Gate<'a> {
    /// The store that holds the system's terms.
    pub terms: &'a Terms,
    /// The system as it was given.
    pub system: &'a System,
    /// Makes the solvers of the checker.
    pub backend: &'a Backend,
    /// What to do with a verdict whose certificate could not be checked in time.
    pub mode: CheckMode,
    /// Solvers, with their names, that must accept a model as well.
    pub cross_checkers: &'a [(String, Backend)],
    /// What the checker's solvers have confirmed in this run.
    pub accepted: &'a Accepted,
}

impl Gate<'_> {
    /// The reason why the certificate of an answer about `system` is wrong; `None` if it is right,
    /// not decided, or missing.
    pub(super) fn refusal(
        &self,
        system: &System,
        answer: &Answer,
        limit: &Limit,
    ) -> Option<String> {
        let verdict = match answer {
            Answer::Unknown(_) => Ok(()),
            Answer::Unsat(refutation) => self.check_refutation(system, refutation),
            Answer::Sat(model) => guarded(|| self.check_model(system, model, limit)),
        };
        match verdict {
            Err(Objection::Refused(why)) => Some(why),
            Ok(()) | Err(Objection::NotDecided(_) | Objection::LeftOpen(_)) => None,
        }
    }

    /// Checks the certificate of an answer, in which each fact of a refutation is derived once. The
    /// answer becomes `unknown` if the certificate is not accepted.
    pub fn judge(&self, found: Answer, limit: &Limit) -> Judgement {
        let found = match found {
            Answer::Unsat(refutation) => {
                let refutation = self.with_single_elements(refutation);
                Answer::Unsat(self.without_repetitions(refutation))
            }
            other => other,
        };
        let mut cross_checks = Vec::new();
        let verdict = match &found {
            Answer::Unknown(_) => return Judgement::of(found, Check::None),
            Answer::Unsat(refutation) => self.check_refutation(self.system, refutation),
            Answer::Sat(model) => guarded(|| {
                self.check_model(self.system, model, limit)?;
                cross_checks = self.cross_check(model, limit);
                heaviest(&cross_checks)
            }),
        };
        let (answer, check) = match (verdict, self.mode) {
            (Ok(()), _) => (found, Check::Accepted),
            (Err(Objection::NotDecided(why)), CheckMode::Lenient) if !self.is_recursive(&found) => {
                (found, Check::NotDecided(why))
            }
            (Err(Objection::NotDecided(why)), _) => {
                let unknown = Unknown::new(UnknownReason::CertificateNotChecked);
                (Answer::Unknown(unknown), Check::NotDecided(why))
            }
            (Err(Objection::LeftOpen(why)), _) => {
                let why = format!("the refutation {why}");
                let unknown = Unknown::new(UnknownReason::Incomplete(why));
                (Answer::Unknown(unknown), Check::None)
            }
            (Err(Objection::Refused(why)), _) => {
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

    /// The refutation with one element of each uninterpreted sort, as it is checked.
    fn with_single_elements(&self, refutation: Refutation) -> Refutation {
        let t = self.terms;
        match self
            .system
            .clauses
            .iter()
            .any(|clause| clause.has_elements(t))
        {
            true => refutation.with_single_elements(t, self.system),
            false => refutation,
        }
    }

    /// The refutation with each fact derived once; unchanged if it is none, which the check says.
    fn without_repetitions(&self, refutation: Refutation) -> Refutation {
        let found = || conclusions(self.terms, self.system, &refutation).ok();
        match catch_unwind(AssertUnwindSafe(found)) {
            Ok(Some(conclusions)) => without_repetitions(self.system, refutation, &conclusions),
            _ => refutation,
        }
    }

    /// Has a model functions that are defined by recursion?
    fn is_recursive(&self, answer: &Answer) -> bool {
        let Answer::Sat(model) = answer else {
            return false;
        };
        let bodies = model.interpretations.iter().map(|i| i.body);
        !self.terms.defined_functions(bodies).is_empty()
    }

    fn check_refutation(&self, system: &System, refutation: &Refutation) -> Result<(), Objection> {
        guarded(|| {
            let objection = |error: RefutationError| {
                if error.is_left_open() {
                    Objection::LeftOpen(format!("needs a value that is left open: {error}"))
                } else if refutation.has_iterations() {
                    Objection::LeftOpen(format!("has a loop that is not repeated: {error}"))
                } else {
                    Objection::Refused(error.to_string())
                }
            };
            check_refutation(self.terms, system, refutation).map_err(objection)
        })
    }

    fn check_model(&self, system: &System, model: &Model, limit: &Limit) -> Result<(), Objection> {
        let proving = self.backend.proving().for_client(CLIENT);
        let mut solvers = || {
            let mut solver = proving.solver(self.terms, "check");
            solver.set_purpose("certificate");
            solver
        };
        let (t, accepted) = (self.terms, self.accepted);
        Ok(check_model_again(
            t,
            system,
            model,
            &mut solvers,
            accepted,
            limit,
        )?)
    }

    /// Checks a model with the other solvers.
    fn cross_check(&self, model: &Model, limit: &Limit) -> CrossChecks {
        let check = |(name, checker): &(String, Backend)| {
            let mut solvers = || checker.solver(self.terms, &format!("check-{name}"));
            let result =
                check_model_as_written(self.terms, self.system, model, &mut solvers, limit);
            (name.clone(), result)
        };
        self.cross_checkers.iter().map(check).collect()
    }
}

/// The reason why a certificate is not accepted. The order is by weight.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Objection {
    NotDecided(String),
    /// A refutation has a term whose value SMT-LIB leaves open. It may be right, but is no
    /// derivation for every value. Or it has a loop that is not written out: passes guess what it
    /// is before them from its first iterations. The text is what the refutation does or has.
    LeftOpen(String),
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
            Objection::LeftOpen(why) => Objection::LeftOpen(format!("{name}: {why}")),
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
