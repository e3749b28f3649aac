//! Newton: assertions by strongest postconditions or weakest preconditions of an abstraction of the
//! derivation \[DHMNP17\].
//!
//! ```text
//! the paper                                  here
//! 1. the trace formula                       the conjuncts of all nodes, and the links of premises
//! 2. IT: the abstract trace of a core        the conjuncts of a core alone
//! 3. SP: φ(n) = post(φ(n-1), st)             φ(n) = ∃ others. conjuncts ∧ ⋀ φ(premise)
//!    WP: φ(n) = wp(φ(n+1), st)               ¬φ(premise) = ∃ others. conjuncts ∧ ¬φ(n) ∧ siblings
//! 4. LV: ∃ what is not future-live (SP)      the same, at each node when it has its assertion
//!        ∀ what is not past-live (WP)
//! ```
//!
//! An argument that a step passes on unchanged is one variable of the step, so that it keeps its
//! value in the abstraction; an argument that an equation defines has any value without the
//! equation. This is the paper's distinction between `assume true` and `havoc`.
//!
//! HORN: a step may have several premises. Postconditions go from the leaves to the root. The
//! precondition of a premise supposes the assertions of the premises before it, and the strongest
//! postconditions of those after it. So the assertions of all premises together imply that of the
//! step, and each of them follows from its strongest postcondition.
//!
//! DIVERGENCE: the paper's assertions have quantifiers where these are not eliminated. Here they
//! have none: conjuncts whose variables are not eliminated are dropped, so that postconditions and
//! the negations of preconditions become weaker. If they no longer prove the derivation infeasible,
//! the source fails.

use super::eliminate::exists;
use super::perfect::violation;
use super::source::{Newton, Transformer};
use super::trace::{Trace, TraceNode};
use crate::smt::{Failure, SatResult};
use crate::term::{Op, Term, TermSet, Terms};
use crate::transform::Tools;

/// Assertions for the nodes of an infeasible trace; `None` if they are not found without
/// quantifiers. The trace is the abstraction already.
///
/// # Errors
/// The limit is reached.
pub(super) fn assertions(
    tools: &Tools<'_>,
    trace: &Trace,
    variant: Newton,
) -> Result<Option<Vec<Term>>, Failure> {
    let mut run = Run {
        tools,
        trace,
        is_live: variant.live,
        is_exact: true,
    };
    let found = match variant.transformer {
        Transformer::Sp => run.strongest_postconditions()?,
        Transformer::Wp => run.weakest_preconditions()?,
    };
    let is_proof = run.is_exact || run.is_proof(&found)?;
    Ok(is_proof.then_some(found))
}

/// A run of the algorithm.
struct Run<'a, 't> {
    tools: &'a Tools<'t>,
    trace: &'a Trace,
    is_live: bool,
    /// Were all quantifiers eliminated?
    is_exact: bool,
}

impl Run<'_, '_> {
    fn terms(&self) -> &Terms {
        self.tools.terms
    }

    /// SP of each node; `false` of the root.
    fn strongest_postconditions(&mut self) -> Result<Vec<Term>, Failure> {
        let live = match self.is_live {
            true => future_live(self.terms(), self.trace),
            false => arguments(self.trace),
        };
        let mut found: Vec<Term> = Vec::with_capacity(self.trace.nodes.len());
        for (node, live) in self.trace.nodes[..self.trace.root()].iter().zip(&live) {
            let mut conjuncts = node.conjuncts.clone();
            for premise in &node.premises {
                let said = premise.said(self.terms(), self.trace, found[premise.node]);
                conjuncts.push(said);
            }
            let post = self.exists(live, conjuncts)?;
            found.push(self.terms().and(post));
        }
        found.push(Term::FALSE);
        Ok(found)
    }

    /// WP of each node; `false` of the root.
    fn weakest_preconditions(&mut self) -> Result<Vec<Term>, Failure> {
        let t = self.tools.terms;
        let live = match self.is_live {
            true => past_live(t, self.trace),
            false => arguments(self.trace),
        };
        let has_siblings = self.trace.nodes.iter().any(|node| node.premises.len() > 1);
        let strongest = match has_siblings {
            true => self.strongest_postconditions()?,
            false => Vec::new(),
        };
        // What is bad: the negation of each assertion, as conjuncts.
        let mut bad: Vec<Vec<Term>> = vec![Vec::new(); self.trace.nodes.len()];
        for (number, node) in self.trace.nodes.iter().enumerate().rev() {
            for (place, premise) in node.premises.iter().enumerate() {
                let mut conjuncts = node.conjuncts.clone();
                conjuncts.extend_from_slice(&bad[number]);
                for (other, sibling) in node.premises.iter().enumerate() {
                    let holds = match other.cmp(&place) {
                        std::cmp::Ordering::Less => negation(t, &bad[sibling.node]),
                        std::cmp::Ordering::Equal => continue,
                        std::cmp::Ordering::Greater => strongest[sibling.node],
                    };
                    conjuncts.push(sibling.said(t, self.trace, holds));
                }
                let arguments = premise
                    .args
                    .iter()
                    .zip(&self.trace.nodes[premise.node].args);
                let here = arguments.filter(|(_, arg)| live[premise.node].contains(arg));
                let keep: TermSet = here.map(|(&x, _)| x).collect();
                let pre = self.exists(&keep, conjuncts)?.into_iter();
                let pre = pre.map(|c| premise.concluded(t, self.trace, c));
                bad[premise.node] = pre.collect();
            }
        }
        Ok(bad.iter().map(|bad| negation(t, bad)).collect())
    }

    fn exists(&mut self, keep: &TermSet, conjuncts: Vec<Term>) -> Result<Vec<Term>, Failure> {
        let projected = exists(self.tools, keep, conjuncts)?;
        self.is_exact &= projected.is_exact;
        Ok(projected.conjuncts)
    }

    /// Are assertions inductive although some of them are not the strongest or the weakest ones?
    /// Weaker postconditions may let the root be derived, and preconditions that are too strong
    /// need not follow at a leaf. No, where that is not decided.
    fn is_proof(&self, assertions: &[Term]) -> Result<bool, Failure> {
        let nodes = self.trace.nodes.iter().enumerate();
        for (number, node) in nodes {
            if !node.premises.is_empty() && number != self.trace.root() {
                continue;
            }
            if violation(self.tools, self.trace, assertions, node, assertions[number])
                != SatResult::Unsat
            {
                return self.tools.limit.check().map(|()| false);
            }
        }
        Ok(true)
    }
}

/// The negation of a conjunction; a conjunction again where that is simple.
fn negation(t: &Terms, conjuncts: &[Term]) -> Term {
    match conjuncts {
        &[one] if t.op(one) == Op::Or => t.and(t.args(one).iter().map(|&part| t.not(part))),
        _ => t.not(t.and(conjuncts.iter().copied())),
    }
}

/// The arguments of each node.
fn arguments(trace: &Trace) -> Vec<TermSet> {
    let of = |node: &TraceNode| node.args.iter().copied().collect();
    trace.nodes.iter().map(of).collect()
}

/// Future-live arguments: the step that uses the conclusion reads them, or passes them on and they
/// are live there.
fn future_live(t: &Terms, trace: &Trace) -> Vec<TermSet> {
    let mut live = vec![TermSet::default(); trace.nodes.len()];
    for (number, node) in trace.nodes.iter().enumerate().rev() {
        let mut read: TermSet = t.vars(node.conjuncts.iter().copied()).into_iter().collect();
        read.extend(live[number].iter().copied());
        for premise in &node.premises {
            let arguments = premise.args.iter().zip(&trace.nodes[premise.node].args);
            let of_premise = arguments
                .filter(|(x, _)| read.contains(x))
                .map(|(_, &arg)| arg);
            live[premise.node] = of_premise.collect();
        }
    }
    live
}

/// Past-live arguments: the step reads or writes them, or passes them on from a premise where they
/// are live.
fn past_live(t: &Terms, trace: &Trace) -> Vec<TermSet> {
    let mut live: Vec<TermSet> = Vec::with_capacity(trace.nodes.len());
    for node in &trace.nodes {
        let mut known: TermSet = t.vars(node.conjuncts.iter().copied()).into_iter().collect();
        for premise in &node.premises {
            let arguments = premise.args.iter().zip(&trace.nodes[premise.node].args);
            let of_premise = arguments.filter(|(_, arg)| live[premise.node].contains(arg));
            known.extend(of_premise.map(|(&x, _)| x));
        }
        let args = node.args.iter().copied();
        live.push(args.filter(|x| known.contains(x)).collect());
    }
    live
}
