//! Outcomes: the verdict, and its certificate as text.

use crate::boundary::{Failure, HornProblem, Shared, array, c_string, call, is_hearing, text};
use crate::node::Facts;
use crate::problem::HornTerm;
use solver::problem::Outcome;
use solver::report::ProofFormat;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A verdict.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HornVerdict {
    /// The system was not decided.
    Unknown = 0,
    /// There is a model.
    Sat = 1,
    /// There is a refutation.
    Unsat = 2,
}

/// What the interpretation of a predicate says at a place.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HornTruth {
    /// The call failed: `horn_error` says why.
    #[default]
    Failed = -1,
    /// It does not hold there.
    False = 0,
    /// It holds there.
    True = 1,
}

/// The format of a refutation.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HornFormat {
    /// Text for people: two lines for each fact.
    Text = 0,
    /// One JSON object.
    Json = 1,
    /// One s-expression, as Z3 prints it.
    Smtlib = 2,
    /// A graph in the language of Graphviz.
    Dot = 3,
    /// A proof in the format Alethe, where arithmetic is linear.
    Alethe = 4,
}

/// What a check has found. It stays as it is when the problem changes or ends.
pub struct HornOutcome {
    shared: Arc<Mutex<Shared>>,
    outcome: Outcome,
    verdict: HornVerdict,
    reason: Option<CString>,
    stats: CString,
    model: Option<CString>,
    pub(crate) facts: Facts,
    /// The refutation in each format, once it was asked for.
    proofs: [OnceLock<Option<CString>>; ProofFormat::ALL.len()],
}

impl HornOutcome {
    pub(crate) fn new(
        shared: Arc<Mutex<Shared>>,
        state: &Shared,
        outcome: Outcome,
    ) -> Result<HornOutcome, Failure> {
        let verdict = match outcome.verdict() {
            "sat" => HornVerdict::Sat,
            "unsat" => HornVerdict::Unsat,
            _ => HornVerdict::Unknown,
        };
        let model = match verdict {
            HornVerdict::Sat => Some(c_string(&outcome.model_text(&state.problem)?)),
            _ => None,
        };
        Ok(HornOutcome {
            shared,
            verdict,
            reason: outcome.reason().map(|reason| c_string(&reason)),
            stats: c_string(outcome.stats()),
            model,
            facts: Facts::new(state, &outcome)?,
            proofs: Default::default(),
            outcome,
        })
    }
}

/// Ends an outcome.
///
/// # Safety
/// The pointer is null, or from `horn_check` and not freed, and not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_outcome_free(outcome: *mut HornOutcome) {
    if !outcome.is_null() {
        // SAFETY: the pointer is from `Box::into_raw`, and is given back once.
        drop(unsafe { Box::from_raw(outcome) });
    }
}

/// The verdict.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_verdict(outcome: *const HornOutcome) -> HornVerdict {
    // SAFETY: the pointer is null or to an outcome.
    let outcome = unsafe { outcome.as_ref() };
    outcome.map_or(HornVerdict::Unknown, |outcome| outcome.verdict)
}

/// Why there is no verdict; NULL if there is one.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_reason(outcome: *const HornOutcome) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    let outcome = unsafe { outcome.as_ref() };
    let reason = outcome.and_then(|outcome| outcome.reason.as_ref());
    reason.map_or(null(), |reason| reason.as_ptr())
}

/// The measurements of the check, as one JSON object.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_stats(outcome: *const HornOutcome) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    let outcome = unsafe { outcome.as_ref() };
    outcome.map_or(null(), |outcome| outcome.stats.as_ptr())
}

/// The model as text: one `define-fun` for each predicate. NULL if the verdict is another one.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_model(outcome: *const HornOutcome) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    let outcome = unsafe { outcome.as_ref() };
    let model = outcome.and_then(|outcome| outcome.model.as_ref());
    model.map_or(null(), |model| model.as_ptr())
}

/// Does the model's interpretation of a predicate hold of these terms, which have no variables? The
/// terms and the error are the problem's, which must be that of the outcome.
///
/// # Safety
/// The pointers are null, or to an outcome, to a problem, to a text, and to `count` terms.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_holds(
    problem: *const HornProblem,
    outcome: *const HornOutcome,
    predicate: *const c_char,
    args: *const HornTerm,
    count: usize,
) -> HornTruth {
    // SAFETY: the pointers are null or to a problem and an outcome.
    let (problem, outcome) = unsafe { (problem.as_ref(), outcome.as_ref()) };
    call(problem, |problem, shared| {
        let outcome = outcome.filter(|outcome| Arc::ptr_eq(&outcome.shared, &problem.shared));
        let outcome = outcome.ok_or(Failure::Argument("an outcome of this problem is expected"))?;
        // SAFETY: the pointers are null, or to a text and to an array.
        let (name, args) = unsafe { (text(predicate)?, array(args, count)?) };
        let args = shared.terms(args)?;
        let holds = outcome.outcome.holds(&shared.problem, name, &args)?;
        Ok(if holds {
            HornTruth::True
        } else {
            HornTruth::False
        })
    })
}

/// The refutation as text. The format is one of `HornFormat`. NULL if the verdict is another one,
/// if the format cannot express the refutation, or in a progress function.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_refutation(
    outcome: *const HornOutcome,
    format: u32,
) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    let outcome = unsafe { outcome.as_ref() };
    let (Some(outcome), Some(&wanted)) = (outcome, ProofFormat::ALL.get(format as usize)) else {
        return null();
    };
    if is_hearing(&outcome.shared) {
        return null();
    }
    let write = || {
        // Nothing changes the terms that a refutation speaks of, whatever became of the problem.
        let shared = outcome
            .shared
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let text = outcome.outcome.refutation_text(&shared.problem, wanted);
        text.ok().map(|text| c_string(&text))
    };
    let proof = &outcome.proofs[format as usize];
    let text = catch_unwind(AssertUnwindSafe(|| proof.get_or_init(write).as_ref()));
    text.unwrap_or(None).map_or(null(), |text| text.as_ptr())
}
