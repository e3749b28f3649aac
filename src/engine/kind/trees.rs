//! Derivation trees of `false`, for systems that have clauses with several premises.
//!
//! The unrolling is that of bounded model checking: backwards from `false`, a fact may end a branch
//! at any distance. With `d` for distances and `n` for nodes:
//!
//! ```text
//! base case of k        the nodes at distance k have no premises                     (assumed)
//! step case of k + 1    the nodes at distance k + 1 may have any premises
//!                       Good(n) at distances from 2 to k + 1                         (assumed)
//! Good(n)               on_n ⇒ ¬constraint_r(x_n)    for queries r whose only premise it satisfies
//! ```
//!
//! So the step case also has the derivations of the base cases, which are known not to exist. It
//! has all of their facts, and this makes its model simple. Let `M` be the conjunction of the
//! interpolants `Iₙ` of the nodes of each predicate (`unroll::model`). A rule whose premises
//! satisfy `M` has a conclusion that satisfies `M`:
//!
//! - It satisfies `Iₙ` for the nodes `n` at distance 1, whose parts do not assume `Good`.
//! - So it is good. For a query with the only premise `p` has a node of `p` at distance 1, and the
//!   root's part contradicts `Iₙ` where the query's constraint holds.
//! - So it satisfies `Iₙ` at the other distances, too.
//!
//! This holds of initial clauses as well, since each node can be derived by all rules. A query with
//! several premises does not make any of them bad, because whether it can be used depends on the
//! others. Step cases assume less because of that, which is sound: they are only harder to prove.

use super::Options;
use super::cases::Cases;
use super::unrolling::{good, says};
use crate::chc::{Model, Refutation, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::engine::unroll::{Ends, NodeId, Unrolling, closed, inductive_formulas};
use crate::smt::{Failure, Limit, Solver};
use crate::term::{Sort, Term, Terms};

pub(super) struct Trees<'a, 't> {
    t: &'t Terms,
    rules: &'a RuleSystem,
    solver: Box<dyn Solver + 't>,
    /// The layer of a node is its distance.
    tree: Unrolling<'a, 't>,
    /// What is assumed for *Good* at all distances.
    good: Term,
    /// What is assumed for *Known* at all distances.
    valid: Term,
    /// What is known of each predicate over its parameters, by its index.
    known: Vec<Term>,
    /// What makes each predicate good, over its parameters, by its index.
    no_query: Vec<Term>,
    /// The greatest number of nodes.
    max_nodes: u32,
}

impl<'a, 't> Trees<'a, 't> {
    pub(super) fn new(rules: &'a RuleSystem, options: &Options, context: &Context<'t>) -> Self {
        let t = context.terms;
        let mut solver = context.backend.solver(t, "kind");
        solver.set_limit(context.limit.clone());
        let tree = Unrolling::backward(t, rules, Ends::Anywhere);
        solver.assert(tree.node(tree.root()).on);
        let mut trees = Trees {
            t,
            rules,
            solver,
            tree,
            good: t.fresh_var("good", Sort::BOOL),
            valid: t.fresh_var("valid", Sort::BOOL),
            known: vec![Term::TRUE; rules.params.len()],
            no_query: rules.pred_ids().map(|p| good(t, rules, p)).collect(),
            max_nodes: options.max_nodes,
        };
        trees.add(trees.tree.root());
        trees
    }

    /// Asserts what is known of a new node besides what its rules with premises mean.
    fn add(&mut self, id: NodeId) {
        self.solver.assert(self.tree.choice(id, true, true));
        for meaning in self.tree.facts(id) {
            self.solver.assert(meaning);
        }
        self.assert_of(id, self.known(id));
        let good = self.is_good(id);
        self.solver.assert(self.t.implies(self.good, good));
    }

    /// What a formula over the parameters of a node's predicate says of the node.
    fn says(&self, id: NodeId, formula: Term) -> Term {
        says(self.t, self.rules, self.tree.node(id), formula)
    }

    /// What is known of a node.
    fn known(&self, id: NodeId) -> Term {
        self.known[self.tree.node(id).pred.index()]
    }

    /// Asserts that an invariant holds of a node.
    fn assert_of(&mut self, id: NodeId, invariant: Term) {
        let said = self.says(id, invariant);
        self.solver.assert(self.t.implies(self.valid, said));
    }

    /// *Good* of a node.
    fn is_good(&self, id: NodeId) -> Term {
        let node = self.tree.node(id);
        match node.layer() {
            0 | 1 => Term::TRUE,
            _ => self.says(id, self.no_query[node.pred.index()]),
        }
    }
}

impl<'t> Cases<'t> for Trees<'_, 't> {
    fn solver(&mut self) -> &mut (dyn Solver + 't) {
        &mut *self.solver
    }

    fn length(&self) -> u32 {
        u32::try_from(self.tree.last()).expect("few layers")
    }

    fn assume(&mut self, invariants: &Model) {
        let t = self.t;
        for (pred, formula) in self.rules.formulas(t, invariants) {
            let known = &mut self.known[pred.index()];
            *known = t.and([*known, formula]);
            for id in self.tree.nodes_from(0) {
                if self.tree.node(id).pred == pred {
                    self.assert_of(id, formula);
                }
            }
        }
    }

    fn base(&mut self) -> Term {
        let t = self.t;
        let ends = t.fresh_var("ends", Sort::BOOL);
        for &id in self.tree.layer(self.tree.last()) {
            for active in self.tree.step_literals(id) {
                self.solver.assert(t.or([t.not(ends), t.not(active)]));
            }
        }
        ends
    }

    fn good(&self) -> Term {
        self.good
    }

    fn known(&self) -> Term {
        self.valid
    }

    fn expand(&mut self, limit: &Limit) -> Result<(), Failure> {
        let (before, nodes) = (self.tree.last(), self.tree.len());
        self.tree.expand(limit)?;
        if self.tree.len() > self.max_nodes as usize {
            let why = "the unrolling is too large (option max-nodes)";
            return Err(Failure::Incomplete(why.to_owned()));
        }
        for &id in self.tree.layer(before) {
            limit.check()?;
            for meaning in self.tree.steps(id) {
                self.solver.assert(meaning);
            }
        }
        for id in self.tree.nodes_from(nodes) {
            limit.check()?;
            self.add(id);
        }
        Ok(())
    }

    fn refutation(&mut self) -> Result<Refutation, Failure> {
        self.tree.refutation(&mut *self.solver)
    }

    fn model(&self, options: &Options, context: &Context<'t>) -> Result<Model, UnknownReason> {
        let t = self.t;
        let formulas = inductive_formulas(context, &self.tree, &options.interpolation(), |id| {
            vec![self.says(id, self.known(id)), self.is_good(id)]
        })?;
        let said = |index: usize| t.and([formulas[index], self.known[index]]);
        closed(t, self.rules.model(|pred| said(pred.index())))
    }
}
