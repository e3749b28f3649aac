//! Are assertions inductive: for the derivation, or even for its path program?
//!
//! The *path program* of a derivation has the clauses that the derivation applies, with all their
//! derivations. Assertions are *perfect* if they prove that it is safe \[DHMNP17\]: for each
//! predicate, the disjunction of the assertions about it is inductive.

use super::trace::{Premise, Trace, TraceNode};
use crate::chc::{ClauseId, PredId};
use crate::smt::{Failure, SatResult};
use crate::term::{Term, Terms};
use crate::transform::Tools;
use rustc_hash::{FxHashMap, FxHashSet};

/// The budget in ticks for the question whether assertions are perfect, about 0.3 s. The value was
/// not tuned.
const TICKS: u64 = 10_000_000;

/// Can a step violate a formula although the assertions of its premises hold?
pub(super) fn violation(
    tools: &Tools<'_>,
    trace: &Trace,
    assertions: &[Term],
    node: &TraceNode,
    conclusion: Term,
) -> SatResult {
    let t = tools.terms;
    let mut solver = tools.backend.solver(t, "assertions");
    solver.set_limit(tools.limit.clone());
    node.conjuncts.iter().for_each(|&c| solver.assert(c));
    for premise in &node.premises {
        solver.assert(premise.said(t, trace, assertions[premise.node]));
    }
    solver.assert(t.not(conclusion));
    // conjuncts ∧ ⋀ assertions of premises ∧ ¬conclusion
    solver.check(format_args!("a step violates an assertion"), &[])
}

/// Does no step violate its assertion, as far as that is decided, and is that of the root `false`?
pub(super) fn is_inductive(tools: &Tools<'_>, trace: &Trace, assertions: &[Term]) -> bool {
    let mut steps = trace.nodes.iter().zip(assertions);
    assertions.last() == Some(&Term::FALSE)
        && steps.all(|(node, &assertion)| {
            violation(tools, trace, assertions, node, assertion) != SatResult::Sat
        })
}

/// Are inductive assertions perfect? No, where that is not decided within a budget.
///
/// # Errors
/// The limit is reached.
pub(super) fn is_perfect(
    tools: &Tools<'_>,
    trace: &Trace,
    assertions: &[Term],
) -> Result<bool, Failure> {
    let t = tools.terms;
    let preds: Vec<PredId> = trace.nodes.iter().filter_map(|node| node.pred).collect();
    let distinct: FxHashSet<PredId> = preds.iter().copied().collect();
    if distinct.len() == preds.len() {
        // Without a predicate that occurs twice, the derivation is the only one.
        return Ok(true);
    }
    let invariants = invariants(t, trace, assertions);
    let asked = Tools::new(t, tools.backend, tools.limit.part(TICKS));
    let mut seen: FxHashSet<ClauseId> = FxHashSet::default();
    for (number, node) in trace.nodes.iter().enumerate() {
        let is_root = number == trace.root();
        let Some(clause) = node.clause else { continue };
        if !seen.insert(clause) && !is_root {
            continue;
        }
        let conclusion = match is_root {
            true => Term::FALSE,
            false => invariants[number],
        };
        if violation(&asked, trace, &invariants, node, conclusion) != SatResult::Unsat {
            return tools.limit.check().map(|()| false);
        }
    }
    Ok(true)
}

/// For each node the disjunction of the assertions of all nodes with its predicate.
fn invariants(t: &Terms, trace: &Trace, assertions: &[Term]) -> Vec<Term> {
    let mut first: FxHashMap<Option<PredId>, usize> = FxHashMap::default();
    let mut parts: FxHashMap<Option<PredId>, Vec<Term>> = FxHashMap::default();
    let renamed = |formula: Term, from: usize, to: usize| {
        let as_premise = Premise {
            node: from,
            args: trace.nodes[to].args.clone(),
        };
        as_premise.said(t, trace, formula)
    };
    for (number, node) in trace.nodes.iter().enumerate() {
        let first = *first.entry(node.pred).or_insert(number);
        let part = renamed(assertions[number], number, first);
        parts.entry(node.pred).or_default().push(part);
    }
    let whole: FxHashMap<Option<PredId>, Term> = parts
        .into_iter()
        .map(|(pred, parts)| (pred, t.or(parts)))
        .collect();
    let nodes = trace.nodes.iter().enumerate();
    nodes
        .map(|(number, node)| renamed(whole[&node.pred], first[&node.pred], number))
        .collect()
}
