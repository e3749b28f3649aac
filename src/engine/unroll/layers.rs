//! All derivations up to a height.
//!
//! A derivation is a tree. Its unrolling consists of *threads*. The first premise of a rule
//! continues the thread of the conclusion one step further; each other premise starts a new
//! thread. A thread is at one node at each *distance* from where the unrolling begins. A linear
//! system therefore unrolls into one thread, with size linear in the height. A non-linear system
//! can double with each step.
//!
//! A *layer* is what one round of unrolling adds. Usually a premise is one layer further than its
//! conclusion, and layers are distances. If layers count loops ([`Unrolling::by_loops`]), a premise
//! is one layer further only if its predicate is the head of a loop; so a layer is finite, and it
//! has nodes at several distances.
//!
//! For a node `n = (thread, distance, layer, predicate)` with parameters `xₙ`, for each rule `r`
//! that derives the predicate:
//!
//! ```text
//! choice   on_n ⇒ ⋁ use_{r,n}
//! meaning  use_{r,n} ⇒ constraint_r(xₙ) ∧ ⋀ (on_c ∧ x_c = argsᵢ)
//!          c: the node of premise i
//! ```
//!
//! Backwards, layers grow away from `false`, at which layer 0 begins. Forwards, layers grow away
//! from facts: layer `d` has a node for each predicate that a path of `d` steps from a fact can
//! lead to, and premises are in the layer before. Paths share their beginning, as states of a
//! transition system do, but the subtrees of a derivation tree do not; so only linear systems are
//! unrolled forwards.

use super::derivation::{self, Derived};
use crate::chc::{PredId, Refutation};
use crate::engine::rules::{RuleId, RuleSystem};
use crate::smt::{Failure, Limit, Solver};
use crate::term::{Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;

/// A node of an unrolling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NodeId(u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Thread(u32);

/// Where nodes are of which a derivation has one at most: a thread, and the distance there.
pub(super) type Place = (Thread, usize);

/// What tells the premises of nodes apart: the place of the conclusion, the number of the premise,
/// its predicate and its layer.
type Premise = (Place, usize, PredId, usize);

/// Where derivations may end at facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ends {
    /// Anywhere: a node is derived by any of its rules.
    Anywhere,
    /// In the last layer only: nodes of other layers are derived by rules with premises. For linear
    /// systems.
    LastLayer,
    /// In layer 0 only: the unrolling grows forwards.
    FirstLayer,
}

/// One conclusion that the derivation may contain.
pub(crate) struct UnrollingNode {
    /// Its predicate.
    pub(crate) pred: PredId,
    /// Activation literal: is it part of the derivation?
    pub(crate) on: Term,
    /// The predicate's arguments.
    pub(crate) args: Vec<Term>,
    thread: Thread,
    distance: usize,
    layer: usize,
    /// The rules without premises that may derive it.
    facts: Vec<Use>,
    /// The rules with premises. What they mean is known when the layer of the premises is there.
    /// Forwards, those whose premise can be there.
    steps: Vec<Use>,
}

/// A rule that may derive a node.
struct Use {
    rule: RuleId,
    /// Is it the one that does?
    active: Term,
    /// The clause's variables here; none as long as the premises are not there.
    clause_vars: Vec<Term>,
    premises: Vec<NodeId>,
    /// `active ⇒ …`, once the premises are there.
    meaning: Term,
}

/// Derivations, layer by layer, backwards from `false` or forwards from facts.
pub(crate) struct Unrolling<'a, 't> {
    t: &'t Terms,
    rules: &'a RuleSystem,
    ends: Ends,
    /// Does a premise of each predicate, by its index, begin a layer?
    counted: Vec<bool>,
    /// For each thread but the first, where the conclusion is whose premise it begins with.
    origins: Vec<Place>,
    /// The threads that premises begin which are not first ones, by the place of the conclusion and
    /// the number of the premise.
    branches: FxHashMap<(Place, usize), Thread>,
    nodes: Vec<UnrollingNode>,
    layers: Vec<Vec<NodeId>>,
}

impl<'a, 't> Unrolling<'a, 't> {
    /// The layer 0 with the node of `false`. Derivations do not end in the first layer only.
    pub(crate) fn backward(t: &'t Terms, rules: &'a RuleSystem, ends: Ends) -> Self {
        debug_assert!(ends != Ends::FirstLayer, "layers grow towards the facts");
        let mut unrolling = Unrolling::empty(t, rules, ends);
        let (facts, steps) = rules_by_premises(rules, rules.goal);
        unrolling.add((Thread(0), 0), 0, rules.goal, &facts, &steps);
        unrolling
    }

    /// The layer 0 with the node of `false`, where layers count loops: `is_head` says of each
    /// predicate if it is the head of a loop. Each loop must have a head.
    pub(crate) fn by_loops(
        t: &'t Terms,
        rules: &'a RuleSystem,
        is_head: impl Fn(PredId) -> bool,
    ) -> Self {
        let mut unrolling = Unrolling::backward(t, rules, Ends::Anywhere);
        let is_head = |pred| pred != rules.goal && is_head(pred);
        unrolling.counted = rules.pred_ids().map(is_head).collect();
        unrolling
    }

    /// The layer 0 of a linear system with the nodes of the predicates that have facts.
    pub(crate) fn forward(t: &'t Terms, rules: &'a RuleSystem) -> Self {
        debug_assert!(
            rules.rules.iter().all(|rule| rule.body.len() <= 1),
            "the system is linear"
        );
        let mut unrolling = Unrolling::empty(t, rules, Ends::FirstLayer);
        for pred in rules.pred_ids() {
            let (facts, _) = rules_by_premises(rules, pred);
            if !facts.is_empty() {
                unrolling.add((Thread(0), 0), 0, pred, &facts, &[]);
            }
        }
        unrolling
    }

    fn empty(t: &'t Terms, rules: &'a RuleSystem, ends: Ends) -> Self {
        Unrolling {
            t,
            rules,
            ends,
            counted: vec![true; rules.params.len()],
            origins: Vec::new(),
            branches: FxHashMap::default(),
            nodes: Vec::new(),
            layers: vec![Vec::new()],
        }
    }

    /// The node of `false` of an unrolling backwards.
    pub(crate) fn root(&self) -> NodeId {
        debug_assert!(self.ends != Ends::FirstLayer, "it grows from false");
        NodeId(0)
    }

    /// The node of `false`: backwards the root, forwards the node of the last layer, if a path can
    /// lead to `false` in that number of steps.
    pub(crate) fn goal(&self) -> Option<NodeId> {
        match self.ends {
            Ends::Anywhere | Ends::LastLayer => Some(self.root()),
            Ends::FirstLayer => {
                let mut last = self.layers[self.last()].iter().copied();
                last.find(|&id| self.node(id).pred == self.rules.goal)
            }
        }
    }

    /// The rules whose derivations these are.
    pub(crate) fn rules(&self) -> &'a RuleSystem {
        self.rules
    }

    /// The number of the last layer.
    pub(crate) fn last(&self) -> usize {
        self.layers.len() - 1
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes, in the order in which they were added, without the first ones.
    pub(crate) fn nodes_from(&self, first: usize) -> impl Iterator<Item = NodeId> + use<> {
        let number = |node| NodeId(u32::try_from(node).expect("the number of nodes is bounded"));
        (first..self.len()).map(number)
    }

    /// No derivation that needs premises of nodes of the last layer has this height or less; `None`
    /// if the last layer is empty.
    pub(crate) fn covered_height(&self) -> Option<u32> {
        let last = self.layers[self.last()].iter();
        let nearest = last.map(|&id| self.node(id).distance).min()?;
        Some(u32::try_from(nearest + 1).expect("the number of nodes is bounded"))
    }

    /// The nodes of a layer.
    pub(crate) fn layer(&self, layer: usize) -> &[NodeId] {
        &self.layers[layer]
    }

    /// A node by id.
    pub(crate) fn node(&self, id: NodeId) -> &UnrollingNode {
        &self.nodes[id.0 as usize]
    }

    /// Adds a layer. Backwards, it has the premises of the last one, which is completed; what the
    /// rules of a node of the last layer mean is known then, see [`Unrolling::steps`]. Forwards, it
    /// has what follows from the last one.
    ///
    /// # Errors
    /// The limit is reached. The new layer is incomplete then, and the unrolling is of no more use.
    pub(crate) fn expand(&mut self, limit: &Limit) -> Result<(), Failure> {
        let last = self.last();
        self.layers.push(Vec::new());
        if self.ends == Ends::FirstLayer {
            return self.follow(last, limit);
        }
        let mut below = FxHashMap::default();
        let mut place = 0;
        // Premises in the same layer come to its end.
        while let Some(&id) = self.layers[last].get(place) {
            limit.check()?;
            for index in 0..self.node(id).steps.len() {
                self.apply(id, index, &mut below);
            }
            place += 1;
        }
        Ok(())
    }

    /// Adds the conclusions from the nodes of a layer to the next one, which is empty.
    fn follow(&mut self, last: usize, limit: &Limit) -> Result<(), Failure> {
        let mut above = FxHashMap::default();
        for &id in &self.layers[last] {
            above.insert(self.node(id).pred, id);
        }
        for pred in self.rules.pred_ids() {
            limit.check()?;
            let (_, mut steps) = rules_by_premises(self.rules, pred);
            let premise = |rule: RuleId| self.rules.rule(rule).body[0].pred;
            steps.retain(|&rule| above.contains_key(&premise(rule)));
            if steps.is_empty() {
                continue;
            }
            let id = self.add((Thread(0), last + 1), last + 1, pred, &[], &steps);
            for (index, &rule) in steps.iter().enumerate() {
                self.link(id, index, vec![above[&premise(rule)]]);
            }
        }
        Ok(())
    }

    /// That the node is derived by one of its rules, where it is part of the derivation; only by a
    /// fact, or only by a rule with premises, or by any.
    pub(crate) fn choice(&self, id: NodeId, facts: bool, steps: bool) -> Term {
        let node = self.node(id);
        let facts = node.facts.iter().filter(|_| facts);
        let uses = facts.chain(node.steps.iter().filter(|_| steps));
        self.t.implies(node.on, self.t.or(uses.map(|u| u.active)))
    }

    /// What the node's rules without premises mean.
    pub(crate) fn facts(&self, id: NodeId) -> impl Iterator<Item = Term> {
        self.node(id).facts.iter().map(|u| u.meaning)
    }

    /// What the node's rules with premises mean. Backwards, its layer is not the last one.
    pub(crate) fn steps(&self, id: NodeId) -> impl Iterator<Item = Term> {
        debug_assert!(
            self.ends == Ends::FirstLayer || self.node(id).layer < self.last(),
            "premises are there"
        );
        self.node(id).steps.iter().map(|u| u.meaning)
    }

    /// What is known of the node in a derivation, whose premises may be anything if the node is in
    /// the last layer of an unrolling backwards.
    pub(crate) fn formulas(&self, id: NodeId) -> impl Iterator<Item = Term> {
        let known = self.ends == Ends::FirstLayer || self.node(id).layer < self.last();
        let steps = self.node(id).steps.iter().filter(move |_| known);
        let meanings = self.facts(id).chain(steps.map(|u| u.meaning));
        meanings.chain([self.choice(id, true, true)])
    }

    /// The activation literals of the node's rules with premises.
    pub(crate) fn step_literals(&self, id: NodeId) -> impl Iterator<Item = Term> {
        self.node(id).steps.iter().map(|u| u.active)
    }

    /// The derivation in the model of a solver, to which the formulas of all nodes were asserted
    /// and that the node of `false` is on. It is followed from that node: what else is on in the
    /// model need not lead there.
    pub(crate) fn refutation(&self, solver: &mut dyn Solver) -> Result<Refutation, Failure> {
        let gap = || Failure::Broken("a model of a path to a layer without false".to_owned());
        derivation::refutation(self.goal().ok_or_else(gap)?, |&id| {
            let used = self.used(id, solver)?;
            Ok(Derived {
                clause: used.rule.clause(),
                values: solver.values(&used.clause_vars)?,
                premises: used.premises.clone(),
            })
        })
    }

    /// The rule that derives a node in the solver's model.
    fn used(&self, id: NodeId, solver: &mut dyn Solver) -> Result<&Use, Failure> {
        let node = self.node(id);
        let is_last = node.layer == self.last();
        let (facts, steps) = match self.ends {
            Ends::Anywhere => (true, !is_last),
            Ends::LastLayer => (is_last, !is_last),
            // A node has rules of one of the kinds only.
            Ends::FirstLayer => (true, true),
        };
        let facts = node.facts.iter().filter(|_| facts);
        let uses: Vec<&Use> = facts.chain(node.steps.iter().filter(|_| steps)).collect();
        let flags: Vec<Term> = uses.iter().map(|u| u.active).collect();
        let values = solver.values(&flags)?;
        let active = values.iter().position(|v| *v == Value::Bool(true));
        let gap = || Failure::Broken("a model in which no rule derives a premise".to_owned());
        active.map(|i| uses[i]).ok_or_else(gap)
    }

    /// Adds a node of the last layer that these rules may derive: the ones without premises, and
    /// the others.
    fn add(
        &mut self,
        place: Place,
        layer: usize,
        pred: PredId,
        facts: &[RuleId],
        steps: &[RuleId],
    ) -> NodeId {
        let (t, rules) = (self.t, self.rules);
        let id = NodeId(u32::try_from(self.nodes.len()).expect("the number of nodes is bounded"));
        let on = t.fresh_var("on", Sort::BOOL);
        let params = &rules.params[pred.index()];
        let args = params.iter().map(|&p| t.fresh_var("x", t.sort_of(p)));
        let args: Vec<Term> = args.collect();
        // A single rule is used wherever the node is on.
        let single = |group: usize| match self.ends {
            Ends::Anywhere => facts.len() + steps.len() == 1,
            Ends::LastLayer | Ends::FirstLayer => group == 1,
        };
        let uses = |group: &[RuleId]| -> Vec<Use> {
            let alone = single(group.len());
            let active = || match alone {
                true => on,
                false => t.fresh_var("use", Sort::BOOL),
            };
            let open = |&rule: &RuleId| Use {
                rule,
                active: active(),
                clause_vars: Vec::new(),
                premises: Vec::new(),
                meaning: Term::TRUE,
            };
            group.iter().map(open).collect()
        };
        let (mut facts, steps) = (uses(facts), uses(steps));
        for fact in &mut facts {
            let unrolled = rules.unroll(t, fact.rule, &args, &[]);
            fact.meaning = t.implies(fact.active, unrolled.constraint);
            fact.clause_vars = unrolled.clause_vars;
        }
        self.layers[layer].push(id);
        self.nodes.push(UnrollingNode {
            pred,
            on,
            args,
            thread: place.0,
            distance: place.1,
            layer,
            facts,
            steps,
        });
        id
    }

    /// Gives the use of a rule at a node its premises, among `below`: what the unrolling backwards
    /// has of the same round. Missing ones are added.
    fn apply(&mut self, id: NodeId, index: usize, below: &mut FxHashMap<Premise, NodeId>) {
        let rules = self.rules;
        let node = self.node(id);
        let (place, layer) = (node.place(), node.layer);
        let rule = node.steps[index].rule;
        let mut premises = Vec::new();
        for (position, atom) in rules.rule(rule).body.iter().enumerate() {
            let layer = layer + usize::from(self.counted[atom.pred.index()]);
            let key = (place, position, atom.pred, layer);
            let premise = below.get(&key).copied().unwrap_or_else(|| {
                let place = (self.thread_of(place, position), place.1 + 1);
                let (facts, steps) = rules_by_premises(rules, atom.pred);
                self.add(place, layer, atom.pred, &facts, &steps)
            });
            below.insert(key, premise);
            premises.push(premise);
        }
        self.link(id, index, premises);
    }

    /// Gives the use of a rule at a node these premises.
    fn link(&mut self, id: NodeId, index: usize, premises: Vec<NodeId>) {
        let (t, rules) = (self.t, self.rules);
        let rule = self.node(id).steps[index].rule;
        let body: Vec<&[Term]> = premises.iter().map(|&p| &*self.node(p).args).collect();
        let unrolled = rules.unroll(t, rule, &self.node(id).args, &body);
        let on = premises.iter().map(|&p| self.node(p).on);
        let meaning = t.and(on.chain([unrolled.constraint]));
        let this = &mut self.nodes[id.0 as usize].steps[index];
        this.meaning = t.implies(this.active, meaning);
        this.clause_vars = unrolled.clause_vars;
        this.premises = premises;
    }

    /// The thread of a premise: the first one stays on the thread of the conclusion.
    fn thread_of(&mut self, conclusion: Place, position: usize) -> Thread {
        if position == 0 {
            return conclusion.0;
        }
        let origins = &mut self.origins;
        let branch = self.branches.entry((conclusion, position));
        *branch.or_insert_with(|| {
            origins.push(conclusion);
            Thread(u32::try_from(origins.len()).expect("the number of nodes is bounded"))
        })
    }

    /// Where the conclusions are whose premises are in this place, if it is not the root's.
    pub(super) fn parent(&self, (thread, distance): Place) -> Option<Place> {
        let before = (thread, distance.checked_sub(1)?);
        let origin = match thread.0.checked_sub(1) {
            Some(branch) => self.origins[branch as usize],
            None => return Some(before),
        };
        Some(if origin.1 == before.1 { origin } else { before })
    }
}

impl UnrollingNode {
    /// Its layer.
    pub(crate) fn layer(&self) -> usize {
        self.layer
    }

    /// Its thread, and the distance there.
    pub(super) fn place(&self) -> Place {
        (self.thread, self.distance)
    }
}

/// The rules for a predicate without premises, and those with premises.
fn rules_by_premises(rules: &RuleSystem, pred: PredId) -> (Vec<RuleId>, Vec<RuleId>) {
    let by_head = rules.by_head[pred.index()].iter().copied();
    by_head.partition(|&rule| rules.rule(rule).is_fact())
}
