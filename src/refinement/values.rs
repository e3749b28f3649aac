//! Assertions about values: Algorithm 2 of \[BLW15\], the interpolation of value analysis.
//!
//! ```text
//! for each node, children first:
//!   Γ := the arguments with one value each that follow from the step and its premises' assertions
//!   the assertion is the part of Γ that contradicts the rest of the derivation
//! ```
//!
//! The part is an unsatisfiable core, where the paper removes one variable after the other. The
//! source fails where Γ does not contradict the rest: the derivation is infeasible for a relation
//! between variables.
//!
//! HORN: the rest are the steps that have no assertion so far, and the assertions of the steps
//! whose conclusions these use.

use super::infeasible::Conjuncts;
use super::trace::{Trace, TraceNode};
use crate::logic::Valuation;
use crate::smt::{Failure, SatResult};
use crate::term::{Sort, Term, TermSet, Terms};
use crate::transform::Tools;

/// Assertions for the nodes of an infeasible trace, each a conjunction of values of arguments;
/// `None` if there are none.
///
/// # Errors
/// A solver does not answer.
pub(super) fn assertions(tools: &Tools<'_>, trace: &Trace) -> Result<Option<Vec<Term>>, Failure> {
    let parents = trace.parents();
    let mut rest = Conjuncts::new(tools, trace);
    let mut found: Vec<Term> = Vec::with_capacity(trace.nodes.len());
    for (number, node) in trace.nodes[..trace.root()].iter().enumerate() {
        let Some(values) = values(tools, trace, &found, node)? else {
            found.push(Term::FALSE);
            continue;
        };
        let later = trace.nodes[number + 1..].iter();
        let later = later.flat_map(|node| node.conjuncts.iter().copied());
        let used = (0..number).filter(|&other| parents[other] > number);
        let others = later.chain(used.map(|other| found[other]));
        let all: Vec<Term> = values.iter().copied().chain(others).collect();
        // Γ ∧ the rest
        let Some(core) = rest.core_of(&all)? else {
            return Ok(None);
        };
        let core: TermSet = core.into_iter().collect();
        let needed = values.into_iter().filter(|value| core.contains(value));
        found.push(tools.terms.and(needed));
    }
    found.push(Term::FALSE);
    Ok(Some(found))
}

/// Do value analyses know values of this sort?
pub(crate) fn has_values(t: &Terms, sort: Sort) -> bool {
    sort.is_arith() || sort == Sort::BOOL || t.bitvec_width(sort).is_some()
}

/// Equations of arguments of a step with the only values that they can have; `None` if the step
/// derives nothing.
fn values(
    tools: &Tools<'_>,
    trace: &Trace,
    assertions: &[Term],
    node: &TraceNode,
) -> Result<Option<Vec<Term>>, Failure> {
    let t = tools.terms;
    let mut solver = tools.backend.solver(t, "values");
    solver.set_limit(tools.limit.clone());
    node.conjuncts.iter().for_each(|&c| solver.assert(c));
    for premise in &node.premises {
        solver.assert(premise.said(t, trace, assertions[premise.node]));
    }
    let args = node.args.iter().copied();
    let args: Vec<Term> = args.filter(|&x| has_values(t, t.sort_of(x))).collect();
    // conjuncts ∧ ⋀ assertions of premises
    match solver.check(format_args!("a step derives something"), &[]) {
        SatResult::Unsat => return Ok(None),
        SatResult::Unknown(failure) => return Err(failure),
        SatResult::Sat => {}
    }
    let pairs = args.iter().copied().zip(solver.values(&args)?);
    let mut model = Valuation::new(t, pairs);
    let mut possible: Vec<Term> = (args.iter()).map(|&x| t.eq(x, model.constant(x))).collect();
    let mut follow = Vec::new();
    while let Some(value) = possible.pop() {
        // conjuncts ∧ ⋀ assertions of premises ∧ x ≠ v
        match solver.check(
            format_args!("an argument has another value"),
            &[t.not(value)],
        ) {
            SatResult::Unsat => follow.push(value),
            SatResult::Unknown(_) => tools.limit.check()?,
            SatResult::Sat => {
                let pairs = args.iter().copied().zip(solver.values(&args)?);
                let mut model = Valuation::new(t, pairs);
                possible.retain(|&value| model.holds(value));
            }
        }
    }
    Ok(Some(follow))
}
