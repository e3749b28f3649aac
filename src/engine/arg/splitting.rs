//! State splitting \[BDFW07, EHP12\]: the graph has a part of each predicate's states as a node,
//! and all of them together are all states. A derivation without values splits the nodes on it.
//!
//! ```text
//! a node `true` for each predicate, an edge for each rule
//! loop:
//!   no edges lead to false:  sat, with ⋁ φ over the nodes of each predicate that edges lead to
//!   the derivation that edges make has values:  unsat
//!   for each node of it, with its assertion I:  replace φ by φ ∧ I and φ ∧ ¬I
//!   remove the edges that derive nothing
//! ```
//!
//! Such edges exist after each refinement: the assertions of an edge's premises imply that of its
//! conclusion, so the edge does not lead from the parts with `I` to the part with `¬I`.
//!
//! HORN: edges have several premises, and derivations are found from the facts on.
//!
//! DIVERGENCE: edges are examined only when they would derive a node that nothing else has derived
//! so far. A model of an edge says where one of its parts leads, without a question.

use super::known::KnownInvariants;
use super::path::Paths;
use super::transfer::Transfer;
use super::{Settings, TOO_MANY_EDGES};
use crate::chc::{Answer, FactId, Model, PredId, Step, System, UnknownReason};
use crate::engine::rules::{RuleId, RuleSystem};
use crate::engine::unroll::{Along, Derivation};
use crate::engine::{AbstractEdge, AbstractGraph, AbstractState, Context, Progress};
use crate::smt::{Failure, SatResult};
use crate::term::{Evaluator, Term, Unspecified, Value};
use crate::work;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// The reason to give up where solvers do not decide what an edge derives.
const NOTHING_CHANGES: &str = "refinement splits no states, as the solver does not decide every \
    step of a spurious derivation; try another --solver";

/// A node, by age.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of the states of a predicate.
struct Node {
    pred: PredId,
    /// Which ones, over the predicate's parameters.
    formula: Term,
}

/// What is known of an edge.
#[derive(Clone)]
enum Examined {
    /// Nothing so far.
    No,
    /// It may derive something.
    Possible,
    /// It derives something with these values of the rule's variables, in their order.
    Values(Rc<[Value]>),
}

/// A rule, nodes for its premises, and the node that it derives.
#[derive(Clone)]
struct Edge {
    rule: RuleId,
    premises: Vec<NodeId>,
    head: NodeId,
    examined: Examined,
}

impl Edge {
    /// The premise of this place; the node that is derived, if there is none.
    fn end(&self, place: usize) -> &NodeId {
        self.premises.get(place).unwrap_or(&self.head)
    }

    /// As [`Edge::end`], to be changed.
    fn end_mut(&mut self, place: usize) -> &mut NodeId {
        self.premises.get_mut(place).unwrap_or(&mut self.head)
    }
}

/// A run of the algorithm.
pub(super) struct Splitting<'a, 't> {
    paths: Paths<'a, 't>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    goal: NodeId,
    transfer: Transfer<'a, 't>,
    known: KnownInvariants,
    depth: u32,
}

/// How nodes are derived: for each, the edge, if there is one; and the nodes in the order in which
/// they were derived.
struct Reached {
    by: Vec<Option<usize>>,
    order: Vec<NodeId>,
}

impl<'a, 't> Splitting<'a, 't> {
    pub(super) fn new(
        system: &'a System,
        rules: &'a RuleSystem,
        settings: Settings,
        context: &'a Context<'t>,
    ) -> Self {
        let node = |pred| Node {
            pred,
            formula: Term::TRUE,
        };
        let edge = |&rule: &RuleId| {
            let body = rules.rule(rule).body.iter();
            Edge {
                rule,
                premises: body.map(|atom| NodeId(atom.pred.0)).collect(),
                head: NodeId(rules.rule(rule).head.0),
                examined: Examined::No,
            }
        };
        Splitting {
            paths: Paths::new(system, rules, settings, context),
            nodes: rules.pred_ids().map(node).collect(),
            edges: rules.by_head.iter().flatten().map(edge).collect(),
            goal: NodeId(rules.goal.0),
            transfer: Transfer::new(rules, context),
            known: KnownInvariants::new(rules),
            depth: 0,
        }
    }

    /// A verdict, or the reason why there is none.
    pub(super) fn run(&mut self) -> Result<Answer, UnknownReason> {
        loop {
            self.known.read(self.paths.context, self.paths.rules);
            let reached = self.reach()?;
            if reached.by[self.goal.index()].is_none() {
                return Ok(Answer::Sat(self.model(&reached)));
            }
            let (nodes, steps) = self.derivation(&reached);
            self.depth = self
                .depth
                .max(u32::try_from(steps.len()).unwrap_or(u32::MAX));
            self.report(false);
            let mut derivation = Derivation::of_false(&steps);
            for (known, node) in derivation.known.iter_mut().zip(&nodes) {
                *known = self.known.of(self.nodes[node.index()].pred);
            }
            match self.paths.assertions(&derivation)? {
                Along::Feasible(steps) => return Ok(Answer::Unsat(self.paths.values(steps)?)),
                Along::Assertions(assertions) => {
                    let pairs = std::iter::zip(nodes, assertions);
                    self.split_all(pairs.filter(|&(node, _)| node != self.goal).collect())?;
                }
            }
        }
    }

    /// Which nodes do edges derive, from the facts on? It ends when `false` is derived.
    fn reach(&mut self) -> Result<Reached, UnknownReason> {
        let mut reached = Reached {
            by: vec![None; self.nodes.len()],
            order: Vec::new(),
        };
        // For each edge the number of its premises that are not derived yet.
        let mut missing: Vec<usize> = Vec::with_capacity(self.edges.len());
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            let mut premises = edge.premises.clone();
            premises.sort_unstable();
            premises.dedup();
            missing.push(premises.len());
            premises.iter().for_each(|p| uses[p.index()].push(number));
        }
        let mut ready: VecDeque<usize> =
            (0..self.edges.len()).filter(|&e| missing[e] == 0).collect();
        let mut dead = Vec::new();
        while let Some(number) = ready.pop_front() {
            self.paths.context.limit.check()?;
            let head = self.edges[number].head;
            if reached.by[head.index()].is_some() {
                continue;
            }
            if !self.is_possible(number)? {
                dead.push(number);
                continue;
            }
            reached.by[head.index()] = Some(number);
            reached.order.push(head);
            if head == self.goal {
                break;
            }
            for &user in &uses[head.index()] {
                missing[user] -= 1;
                if missing[user] == 0 {
                    // What derives `false` comes first.
                    match self.edges[user].head == self.goal {
                        true => ready.push_front(user),
                        false => ready.push_back(user),
                    }
                }
            }
        }
        self.remove(&mut reached, dead);
        Ok(reached)
    }

    /// Removes edges that derive nothing.
    fn remove(&mut self, reached: &mut Reached, mut dead: Vec<usize>) {
        dead.sort_unstable();
        let mut number = 0;
        self.edges.retain(|_| {
            number += 1;
            dead.binary_search(&(number - 1)).is_err()
        });
        for by in reached.by.iter_mut().flatten() {
            *by -= dead.partition_point(|d| d < by);
        }
    }

    /// May an edge derive something? What is not decided counts as possible.
    fn is_possible(&mut self, number: usize) -> Result<bool, Failure> {
        let (context, rules) = (self.paths.context, self.paths.rules);
        let edge = &self.edges[number];
        if !matches!(edge.examined, Examined::No) {
            return Ok(true);
        }
        let (t, rule) = (context.terms, rules.rule(edge.rule));
        let mut assumed = Vec::new();
        for (atom, premise) in rule.body.iter().zip(&edge.premises) {
            let node = &self.nodes[premise.index()];
            let formula = t.and([self.known.of(node.pred), node.formula]);
            assumed.extend(t.conjuncts(rules.instance(t, formula, atom)));
        }
        assumed.extend(t.conjuncts(self.nodes[edge.head.index()].formula));
        let solver = self.transfer.solver(edge.rule);
        solver.set_purpose("edge");
        // constraint ∧ ⋀ (known ∧ φ)[bodyᵢ] ∧ φ[head]
        let about = format_args!("an edge of rule {}", edge.rule.0);
        let examined = match solver.check(about, &assumed) {
            SatResult::Unsat => return Ok(false),
            SatResult::Sat => match solver.values(&rule.vars) {
                Ok(values) => Examined::Values(values.into()),
                Err(_) => Examined::Possible,
            },
            SatResult::Unknown(Failure::Incomplete(_)) => Examined::Possible,
            SatResult::Unknown(failure) => return Err(failure),
        };
        self.edges[number].examined = examined;
        Ok(true)
    }

    /// The nodes that the derivation of `false` uses, each once, premises first, and its steps.
    fn derivation(&self, reached: &Reached) -> (Vec<NodeId>, Vec<Step>) {
        let mut needed = vec![false; self.nodes.len()];
        needed[self.goal.index()] = true;
        let edge = |node: NodeId| &self.edges[reached.by[node.index()].expect("it is derived")];
        for &node in reached.order.iter().rev() {
            if needed[node.index()] {
                for premise in &edge(node).premises {
                    needed[premise.index()] = true;
                }
            }
        }
        let mut place: FxHashMap<NodeId, FactId> = FxHashMap::default();
        let (mut nodes, mut steps) = (Vec::new(), Vec::new());
        for &node in reached.order.iter().filter(|node| needed[node.index()]) {
            let edge = edge(node);
            steps.push(Step {
                clause: edge.rule.clause(),
                premises: edge.premises.iter().map(|premise| place[premise]).collect(),
            });
            let number = u32::try_from(nodes.len()).expect("fewer than edges");
            place.insert(node, FactId(number));
            nodes.push(node);
        }
        (nodes, steps)
    }

    /// Splits nodes, each by its assertion.
    fn split_all(&mut self, assertions: Vec<(NodeId, Term)>) -> Result<(), UnknownReason> {
        let t = self.paths.context.terms;
        let mut is_changed = false;
        for (node, assertion) in assertions {
            let formula = self.nodes[node.index()].formula;
            if assertion == Term::FALSE || self.transfer.implies(formula, assertion)? {
                continue;
            }
            is_changed = true;
            let inside = t.and([formula, assertion]);
            let outside = t.and([formula, t.not(assertion)]);
            self.split(node, inside, outside);
            if self.edges.len() > self.paths.settings.max_edges as usize {
                return Err(UnknownReason::Incomplete(TOO_MANY_EDGES.to_owned()));
            }
        }
        match is_changed {
            true => Ok(()),
            false => Err(UnknownReason::Incomplete(NOTHING_CHANGES.to_owned())),
        }
    }

    /// Splits a node: it keeps one part, and a new node has the other. Each edge with it becomes an
    /// edge for each choice of parts.
    fn split(&mut self, node: NodeId, inside: Term, outside: Term) {
        let other = NodeId(u32::try_from(self.nodes.len()).expect("fewer nodes than edges"));
        let pred = self.nodes[node.index()].pred;
        self.nodes[node.index()].formula = inside;
        self.nodes.push(Node {
            pred,
            formula: outside,
        });
        let old = std::mem::take(&mut self.edges);
        work::spend_on(old.len());
        for edge in old {
            let mut choices = vec![edge];
            let premises = choices[0].premises.len();
            for place in 0..=premises {
                for number in 0..choices.len() {
                    if choices[number].end(place) != &node {
                        continue;
                    }
                    let mut copy = choices[number].clone();
                    *copy.end_mut(place) = other;
                    choices.push(copy);
                }
            }
            if choices.len() > 1 {
                self.choose(&mut choices);
            }
            self.edges.extend(choices);
        }
    }

    /// Of edges that an edge was split into the one that has its values keeps them.
    fn choose(&self, edges: &mut [Edge]) {
        let Examined::Values(values) = &edges[0].examined else {
            edges
                .iter_mut()
                .for_each(|edge| edge.examined = Examined::No);
            return;
        };
        let (t, rules) = (self.paths.context.terms, self.paths.rules);
        let rule = rules.rule(edges[0].rule);
        let pairs = rule.vars.iter().copied().zip(values.iter().cloned());
        // The solver's model may give a selector another value than the default.
        let mut model = Evaluator::with(t, Unspecified::Refuse, pairs);
        for edge in edges {
            let premises = rule.body.iter().zip(&edge.premises);
            let mut parts = premises.map(|(atom, premise)| {
                rules.instance(t, self.nodes[premise.index()].formula, atom)
            });
            let is_here = parts.all(|part| model.holds(part))
                && model.holds(self.nodes[edge.head.index()].formula);
            if !is_here {
                edge.examined = Examined::No;
            }
        }
    }

    /// The nodes of each predicate that are derived, and what else is known of it.
    fn model(&self, reached: &Reached) -> Model {
        let t = self.paths.context.terms;
        self.paths.rules.model(|pred| {
            let nodes = reached.order.iter().map(|node| &self.nodes[node.index()]);
            let here = nodes.filter(|node| node.pred == pred);
            let derived = t.or(here.map(|node| node.formula));
            t.and([self.known.of(pred), derived])
        })
    }

    /// The nodes, and the edges that may derive something as far as that is known.
    fn snapshot(&self) -> AbstractGraph {
        let (t, system) = (self.paths.context.terms, self.paths.system);
        let state = |node: &Node| AbstractState::new(t, system, node.pred, node.formula);
        let edge = |edge: &Edge| AbstractEdge {
            clause: edge.rule.clause(),
            premises: edge.premises.iter().map(|p| p.index()).collect(),
            conclusion: edge.head.index(),
        };
        AbstractGraph {
            states: self.nodes.iter().map(state).collect(),
            edges: self.edges.iter().map(edge).collect(),
        }
    }

    /// Tells how far the run is; at the end with its graph, if that is wanted.
    pub(super) fn report(&self, is_end: bool) {
        let context = self.paths.context;
        let graph = (is_end && context.wants_graph).then(|| self.snapshot());
        (self.paths.context.progress)(&Progress {
            engine: self.paths.settings.engine,
            safe_depth: None,
            depth: self.depth,
            lemmas: self.nodes.len(),
            obligations: self.edges.len(),
            queries: context.backend.queries(),
            graph: graph.map(Arc::new),
            refined: Some(self.paths.assertions.tally()),
            ..Progress::default()
        });
    }
}
