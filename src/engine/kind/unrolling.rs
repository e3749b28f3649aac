//! Paths to `false`, step by step backwards, in one solver.
//!
//! At each distance `d` a path is at one predicate: for each `p` that can be there, `on_{d,p}` says
//! that it is, and `x_{d,p}` are its arguments. For the rules `r` that derive `p`, with premise `q`
//! or without:
//!
//! ```text
//! Step(d)    on_{d,p} ⇒ ⋁ use_r       use_r ⇒ constraint_r(x_{d+1,q}, x_{d,p}) ∧ on_{d+1,q}
//! Start(d)   on_{d,p} ⇒ ⋁ use_r       use_r ⇒ constraint_r(x_{d,p})
//! Good(d)    on_{d,p} ⇒ ¬constraint_r(x_{d,p})      for queries r with premise p
//! Known(d)   on_{d,p} ⇒ what is known to hold of everything derivable
//! ```
//!
//! `Start` is assumed where the path starts, `Good` in the questions for induction, `Known` in all
//! questions; the steps are asserted.

use crate::chc::{Model, PredId, Refutation};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::engine::unroll::{self, Ends, UnrollingNode};
use crate::smt::{Failure, Limit, Solver};
use crate::term::{Sort, Term, TermSet, Terms};

/// What is said of the predicates at one distance.
#[derive(Default)]
pub(super) struct DistanceFormulas {
    /// *Step*, once the path is longer.
    pub(super) step: Vec<Term>,
    /// *Start*, without the assumption.
    pub(super) start: Vec<Term>,
    /// *Good*, without the assumption.
    pub(super) good: Vec<Term>,
    /// *Known*.
    pub(super) known: Vec<Term>,
}

pub(super) struct Unrolling<'a, 't> {
    t: &'t Terms,
    pub(super) rules: &'a RuleSystem,
    pub(super) solver: Box<dyn Solver + 't>,
    /// The path: the layer of a number is the distance, and has a node for each predicate that can
    /// be there.
    path: unroll::Unrolling<'a, 't>,
    /// The formulas of each distance, by the distance.
    pub(super) levels: Vec<DistanceFormulas>,
    /// What is assumed for *Good* at all distances.
    pub(super) good: Term,
    /// What is assumed for *Known* at all distances.
    pub(super) valid: Term,
    /// What is known of each predicate over its parameters, by its index.
    pub(super) known: Vec<Term>,
    /// What makes each predicate good, over its parameters, by its index.
    no_query: Vec<Term>,
}

impl<'a, 't> Unrolling<'a, 't> {
    pub(super) fn new(rules: &'a RuleSystem, context: &Context<'t>) -> Self {
        let t = context.terms;
        let mut solver = context.backend.solver(t, "kind");
        solver.set_limit(context.limit.clone());
        let path = unroll::Unrolling::backward(t, rules, Ends::LastLayer);
        solver.assert(path.node(path.root()).on);
        Unrolling {
            t,
            rules,
            solver,
            path,
            levels: vec![DistanceFormulas::default()],
            good: t.fresh_var("good", Sort::BOOL),
            valid: t.fresh_var("valid", Sort::BOOL),
            known: vec![Term::TRUE; rules.params.len()],
            no_query: rules.pred_ids().map(|p| good(t, rules, p)).collect(),
        }
    }

    /// Assumes the invariants of all states, those of longer paths included.
    pub(super) fn assume(&mut self, invariants: &Model) {
        let (t, rules) = (self.t, self.rules);
        for (pred, formula) in rules.formulas(t, invariants) {
            debug_assert_eq!(t.sort_of(formula), Sort::BOOL, "what is known is a formula");
            let known = &mut self.known[pred.index()];
            *known = t.and([*known, formula]);
            for distance in 1..self.levels.len() {
                let here = self.nodes(distance).filter(|node| node.pred == pred);
                let says: Vec<Term> = here.map(|node| says(t, rules, node, formula)).collect();
                let said = t.and(says.iter().copied());
                self.solver.assert(t.implies(self.valid, said));
                self.levels[distance].known.extend(says);
            }
        }
    }

    /// The distance of the first state.
    pub(super) fn length(&self) -> u32 {
        u32::try_from(self.levels.len() - 1).expect("few levels")
    }

    /// The predicates at a distance.
    pub(super) fn nodes(&self, distance: usize) -> impl Iterator<Item = &UnrollingNode> {
        let layer = self.path.layer(distance).iter();
        layer.map(|&id| self.path.node(id))
    }

    /// An assumption that says *Start* of the first state.
    pub(super) fn start(&mut self) -> Term {
        let t = self.t;
        let assumption = t.fresh_var("start", Sort::BOOL);
        let level = self.levels.last_mut().expect("there is a level");
        for &id in self.path.layer(self.path.last()) {
            level.start.extend(self.path.facts(id));
            level.start.push(self.path.choice(id, true, false));
        }
        let says = t.and(level.start.iter().copied());
        self.solver.assert(t.implies(assumption, says));
        assumption
    }

    /// Makes the path one step longer.
    ///
    /// # Errors
    /// The limit is reached.
    pub(super) fn expand(&mut self, limit: &Limit) -> Result<(), Failure> {
        let (t, rules) = (self.t, self.rules);
        self.path.expand(limit)?;
        let distance = self.path.last();
        let level = self.levels.last_mut().expect("there is a level");
        for &id in self.path.layer(distance - 1) {
            level.step.extend(self.path.steps(id));
            level.step.push(self.path.choice(id, false, true));
        }
        self.solver.assert(t.and(level.step.iter().copied()));
        let mut before = DistanceFormulas::default();
        for node in self.nodes(distance) {
            let pred = node.pred.index();
            if distance > 1 {
                before.good.push(says(t, rules, node, self.no_query[pred]));
            }
            before.known.push(says(t, rules, node, self.known[pred]));
        }
        let known = t.and(before.known.iter().copied());
        self.solver.assert(t.implies(self.valid, known));
        let good = t.and(before.good.iter().copied());
        self.solver.assert(t.implies(self.good, good));
        self.levels.push(before);
        Ok(())
    }

    /// The path in the solver's model, from the fact where it starts.
    pub(super) fn refutation(&mut self) -> Result<Refutation, Failure> {
        self.path.refutation(&mut *self.solver)
    }
}

/// If the path is at the node, its arguments there satisfy a formula over the parameters of its
/// predicate.
pub(super) fn says(t: &Terms, rules: &RuleSystem, node: &UnrollingNode, formula: Term) -> Term {
    let params = rules.params[node.pred.index()].iter().copied();
    debug_assert_eq!(
        params.len(),
        node.args.len(),
        "an argument for each parameter"
    );
    let renaming = params.zip(node.args.iter().copied());
    t.implies(node.on, t.substitute(formula, renaming))
}

/// A formula over the parameters of a predicate: no query with this one premise is one step away.
/// Queries whose constraint has other variables are left out. The step case assumes less then,
/// which is sound: it is only harder to prove.
pub(super) fn good(t: &Terms, rules: &RuleSystem, pred: PredId) -> Term {
    let queries = rules.by_head[rules.goal.index()].iter();
    let said = queries.filter_map(|&id| {
        let rule = rules.rule(id);
        let [premise] = &rule.body[..] else {
            return None;
        };
        if premise.pred != pred {
            return None;
        }
        let args: TermSet = premise.args.iter().copied().collect();
        let own = t.vars([rule.constraint]).iter().all(|v| args.contains(v));
        own.then(|| t.not(rules.over_params(t, &[rule.constraint], premise)[0]))
    });
    t.and(said)
}
