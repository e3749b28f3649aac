//! A derivation as formulas, one node for each of its steps.

use crate::chc::{ClauseId, PredId};
use crate::term::{Term, Terms};

/// A derivation as a tree of formulas. Children come before their parents, and the root is the
/// last node.
///
/// Invariant: two nodes have no variable in common, and neither have two premises of a node, so
/// that only conjuncts relate what they derive. Each node but the root is the premise of exactly
/// one node.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The nodes.
    pub nodes: Vec<TraceNode>,
}

/// A step of a derivation.
#[derive(Clone, Debug)]
pub struct TraceNode {
    /// The clause that the step applies; `None` if it is not looked into, so that its conjuncts
    /// say what holds of its conclusion.
    pub clause: Option<ClauseId>,
    /// The predicate of the conclusion; `None` is `false`.
    pub pred: Option<PredId>,
    /// What the step says, over variables that only this node has.
    pub conjuncts: Vec<Term>,
    /// What is known of the conclusion besides, over its arguments: the conjuncts and what is known
    /// of the premises imply it.
    pub known: Term,
    /// The arguments of the conclusion: distinct variables of the node.
    pub args: Vec<Term>,
    /// The premises.
    pub premises: Vec<Premise>,
}

/// A premise of a step.
#[derive(Clone, Debug)]
pub struct Premise {
    /// The node that derives it.
    pub node: usize,
    /// The variables of the step that are its arguments: distinct ones, of which no other premise
    /// has one. They may be among the step's own arguments.
    pub args: Vec<Term>,
}

impl Premise {
    /// Formulas about the conclusion of the premise's node, said of the premise's arguments.
    pub(super) fn said(&self, t: &Terms, trace: &Trace, formula: Term) -> Term {
        let conclusion = trace.nodes[self.node].args.iter().copied();
        t.substitute(formula, conclusion.zip(self.args.iter().copied()))
    }

    /// A formula about the premise's arguments, said of the conclusion of its node.
    pub(super) fn concluded(&self, t: &Terms, trace: &Trace, formula: Term) -> Term {
        let conclusion = trace.nodes[self.node].args.iter().copied();
        t.substitute(formula, self.args.iter().copied().zip(conclusion))
    }

    /// That the premise's arguments are what its node concludes.
    fn links(&self, t: &Terms, trace: &Trace) -> Vec<Term> {
        let conclusion = &trace.nodes[self.node].args;
        let pairs = self.args.iter().zip(conclusion);
        pairs.map(|(&x, &y)| t.eq(x, y)).collect()
    }
}

/// A part of a trace, as a trace.
pub(super) struct Part {
    pub(super) trace: Trace,
    /// The node of the whole that each node is.
    pub(super) nodes: Vec<usize>,
}

impl Trace {
    /// The root.
    pub(super) fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The trace of which nothing is known.
    pub(super) fn without_known(&self) -> Trace {
        let mut trace = self.clone();
        for node in &mut trace.nodes {
            node.known = Term::TRUE;
        }
        trace
    }

    /// The trace whose conjuncts say what is known as well.
    pub(super) fn told(&self, t: &Terms) -> Trace {
        let told = |node: &TraceNode| {
            let said = node.conjuncts.iter().copied().chain([node.known]);
            TraceNode {
                conjuncts: t.conjuncts(t.and(said)),
                ..node.clone()
            }
        };
        Trace {
            nodes: self.nodes.iter().map(told).collect(),
        }
    }

    /// Assertions with what is known.
    pub(super) fn with_known(&self, t: &Terms, assertions: &[Term]) -> Vec<Term> {
        let pairs = self.nodes.iter().zip(assertions);
        pairs
            .map(|(node, &assertion)| t.and([assertion, node.known]))
            .collect()
    }

    /// For each node but the root, the node that it is a premise of.
    pub(super) fn parents(&self) -> Vec<usize> {
        let mut parents = vec![0; self.root()];
        for (number, node) in self.nodes.iter().enumerate() {
            for premise in &node.premises {
                parents[premise.node] = number;
            }
        }
        parents
    }

    /// The equations between a node's premises and their nodes' conclusions.
    pub(super) fn links(&self, t: &Terms, node: usize) -> Vec<Term> {
        let premises = self.nodes[node].premises.iter();
        premises
            .flat_map(|premise| premise.links(t, self))
            .collect()
    }

    /// The derivation of a node's conclusion, with the conjuncts that are chosen by node and
    /// position.
    pub(super) fn part(&self, root: usize, mut keeps: impl FnMut(usize, usize) -> bool) -> Part {
        let mut needed = vec![false; self.nodes.len()];
        needed[root] = true;
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if needed[number] {
                node.premises.iter().for_each(|p| needed[p.node] = true);
            }
        }
        let nodes: Vec<usize> = (0..=root).filter(|&number| needed[number]).collect();
        let place = |node: usize| nodes.binary_search(&node).expect("it is needed");
        let copy = |&number: &usize| {
            let node = &self.nodes[number];
            let conjuncts = node.conjuncts.iter().enumerate();
            let premise = |premise: &Premise| Premise {
                node: place(premise.node),
                args: premise.args.clone(),
            };
            TraceNode {
                conjuncts: conjuncts
                    .filter(|&(at, _)| keeps(number, at))
                    .map(|(_, &conjunct)| conjunct)
                    .collect(),
                premises: node.premises.iter().map(premise).collect(),
                ..node.clone()
            }
        };
        let trace = Trace {
            nodes: nodes.iter().map(copy).collect(),
        };
        Part { trace, nodes }
    }
}

impl Part {
    /// The whole as a part.
    pub(super) fn whole(trace: &Trace) -> Part {
        Part {
            trace: trace.clone(),
            nodes: (0..trace.nodes.len()).collect(),
        }
    }

    /// Assertions for the nodes of the whole, from those for the nodes of the part, whose root
    /// derives nothing. What follows from the root derives nothing either, and of the other nodes
    /// nothing is said.
    pub(super) fn spread(&self, whole: &Trace, assertions: &[Term]) -> Vec<Term> {
        let root = *self.nodes.last().expect("a part has a root");
        let mut spread = vec![Term::TRUE; whole.nodes.len()];
        for (&node, &assertion) in self.nodes.iter().zip(assertions) {
            spread[node] = assertion;
        }
        let parents = whole.parents();
        let mut node = root;
        spread[root] = Term::FALSE;
        while node != whole.root() {
            node = parents[node];
            spread[node] = Term::FALSE;
        }
        spread
    }
}
