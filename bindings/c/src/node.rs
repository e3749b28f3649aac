//! Refutations as graphs: the facts, by number. Premises have smaller numbers than what follows
//! from them, and the last fact is `false`.

use crate::boundary::{Failure, Shared, c_string};
use crate::outcome::HornOutcome;
use solver::problem::{Node, Outcome};
use solver::term::{Sort, Term, Value};
use std::ffi::{CString, c_char};
use std::ptr::null;

/// The number that stands for none. The header defines it, as cbindgen cannot evaluate it.
const HORN_NONE: usize = usize::MAX;

/// The facts of a refutation.
#[derive(Default)]
pub(crate) struct Facts(Vec<Fact>);

struct Fact {
    clause: usize,
    label: CString,
    line: usize,
    pred: Option<CString>,
    args: Vec<CString>,
    premises: Vec<usize>,
    variables: Vec<(CString, CString)>,
}

impl Facts {
    /// Those of an outcome, which has none without a refutation.
    pub(crate) fn new(shared: &Shared, outcome: &Outcome) -> Result<Facts, Failure> {
        if outcome.refutation().is_err() {
            return Ok(Facts::default());
        }
        let t = shared.problem.terms();
        let value =
            |value: &Value, sort: Sort| c_string(&t.display(t.value_term(value, sort)).to_string());
        let variable =
            |(var, bound): &(Term, Value)| (shared.var_name(*var), value(bound, t.sort_of(*var)));
        let fact = |node: Node| Fact {
            clause: node.clause,
            label: c_string(&node.label),
            line: node.line.unwrap_or(0),
            pred: (node.pred).map(|pred| shared.pred_name(outcome.system(), pred)),
            args: node
                .args
                .iter()
                .map(|(arg, sort)| value(arg, *sort))
                .collect(),
            premises: node.premises,
            variables: node.values.iter().map(variable).collect(),
        };
        let nodes = outcome.nodes(&shared.problem)?;
        Ok(Facts(nodes.into_iter().map(fact).collect()))
    }
}

/// The fact of that number.
///
/// # Safety
/// The pointer is null or to an outcome that lives for `'a`.
unsafe fn fact<'a>(outcome: *const HornOutcome, fact: usize) -> Option<&'a Fact> {
    // SAFETY: the same contract.
    unsafe { outcome.as_ref() }?.facts.0.get(fact)
}

/// The number of facts of the refutation; 0 if there is none.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_facts(outcome: *const HornOutcome) -> usize {
    // SAFETY: the pointer is null or to an outcome.
    unsafe { outcome.as_ref() }.map_or(0, |outcome| outcome.facts.0.len())
}

/// The position of the clause that derives a fact, from 0.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_clause(outcome: *const HornOutcome, number: usize) -> usize {
    // SAFETY: the pointer is null or to an outcome.
    unsafe { fact(outcome, number) }.map_or(HORN_NONE, |fact| fact.clause)
}

/// The name of the clause that derives a fact, or `clause` with its position.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_label(
    outcome: *const HornOutcome,
    number: usize,
) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    unsafe { fact(outcome, number) }.map_or(null(), |fact| fact.label.as_ptr())
}

/// The line of the clause that derives a fact, in all texts that were read, one after the other; 0
/// if the clause was not read from text.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_line(outcome: *const HornOutcome, number: usize) -> usize {
    // SAFETY: the pointer is null or to an outcome.
    unsafe { fact(outcome, number) }.map_or(0, |fact| fact.line)
}

/// The name of the predicate that a fact is about; NULL for `false`.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_predicate(
    outcome: *const HornOutcome,
    number: usize,
) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    let fact = unsafe { fact(outcome, number) };
    let pred = fact.and_then(|fact| fact.pred.as_ref());
    pred.map_or(null(), |pred| pred.as_ptr())
}

/// The number of arguments of a fact.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_arguments(outcome: *const HornOutcome, number: usize) -> usize {
    // SAFETY: the pointer is null or to an outcome.
    unsafe { fact(outcome, number) }.map_or(0, |fact| fact.args.len())
}

/// An argument of a fact: its value in SMT-LIB.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_argument(
    outcome: *const HornOutcome,
    number: usize,
    index: usize,
) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    let arg = unsafe { fact(outcome, number) }.and_then(|fact| fact.args.get(index));
    arg.map_or(null(), |arg| arg.as_ptr())
}

/// The number of premises of a fact.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_premises(outcome: *const HornOutcome, number: usize) -> usize {
    // SAFETY: the pointer is null or to an outcome.
    unsafe { fact(outcome, number) }.map_or(0, |fact| fact.premises.len())
}

/// A premise of a fact: the number of the fact that derives the body's atom of that index.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_premise(
    outcome: *const HornOutcome,
    number: usize,
    index: usize,
) -> usize {
    // SAFETY: the pointer is null or to an outcome.
    let fact = unsafe { fact(outcome, number) };
    let premise = fact.and_then(|fact| fact.premises.get(index));
    premise.copied().unwrap_or(HORN_NONE)
}

/// The number of variables of the clause that derives a fact.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_variables(outcome: *const HornOutcome, number: usize) -> usize {
    // SAFETY: the pointer is null or to an outcome.
    unsafe { fact(outcome, number) }.map_or(0, |fact| fact.variables.len())
}

/// The name of a variable of the clause that derives a fact.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_variable(
    outcome: *const HornOutcome,
    number: usize,
    index: usize,
) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    let fact = unsafe { fact(outcome, number) };
    let variable = fact.and_then(|fact| fact.variables.get(index));
    variable.map_or(null(), |(name, _)| name.as_ptr())
}

/// The value in SMT-LIB of a variable of the clause that derives a fact.
///
/// # Safety
/// The pointer is null or to an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_fact_value(
    outcome: *const HornOutcome,
    number: usize,
    index: usize,
) -> *const c_char {
    // SAFETY: the pointer is null or to an outcome.
    let fact = unsafe { fact(outcome, number) };
    let variable = fact.and_then(|fact| fact.variables.get(index));
    variable.map_or(null(), |(_, value)| value.as_ptr())
}
