//! The abstract successor of an edge, and coverage.

use super::graph::Edge;
use crate::engine::Context;
use crate::engine::rules::{RuleId, RuleSystem};
use crate::logic::Valuation;
use crate::smt::{Failure, Outcome, Solver};
use crate::term::{Term, TermSet};
use rustc_hash::FxHashMap;

/// Asks solvers about edges and states.
pub(super) struct Transfer<'a, 't> {
    context: &'a Context<'t>,
    rules: &'a RuleSystem,
    /// For each rule that was used a solver with its constraint.
    of_rule: FxHashMap<RuleId, Box<dyn Solver + 't>>,
    /// Compares formulas.
    coverage: Box<dyn Solver + 't>,
}

impl<'a, 't> Transfer<'a, 't> {
    pub(super) fn new(rules: &'a RuleSystem, context: &'a Context<'t>) -> Self {
        let mut coverage = context.backend.solver(context.terms, "coverage");
        coverage.set_purpose("cover");
        coverage.set_limit(context.limit.clone());
        Transfer {
            context,
            rules,
            of_rule: FxHashMap::default(),
            coverage,
        }
    }

    /// Of the predicates those which follow for what an edge derives, where the formulas hold of
    /// its premises; `None` if it derives nothing. What is not decided counts as possible.
    pub(super) fn successor(
        &mut self,
        edge: &Edge,
        formulas: &[Term],
        predicates: &[Term],
    ) -> Result<Option<Vec<Term>>, Failure> {
        let (t, rules) = (self.context.terms, self.rules);
        let rule = rules.rule(edge.rule);
        let context = self.context;
        let solver = self.of_rule.entry(edge.rule).or_insert_with(|| {
            let mut solver = context.backend.solver(t, "transfer");
            solver.set_limit(context.limit.clone());
            solver.assert(rule.constraint);
            solver
        });
        let mut assumed: Vec<Term> = std::iter::zip(&rule.body, formulas)
            .flat_map(|(atom, &formula)| t.conjuncts(rules.instance(t, formula, atom)))
            .filter(|&conjunct| conjunct != Term::TRUE)
            .collect();
        if assumed.contains(&Term::FALSE) {
            return Ok(None);
        }
        let params = &rules.params[rule.head.index()];
        let mut possible: Vec<Term> = predicates.to_vec();
        // What a model makes false does not follow.
        let mut ask = |assumed: &[Term], possible: &mut Vec<Term>, purpose| {
            solver.set_purpose(purpose);
            let about = format_args!("an edge of rule {}", edge.rule.0);
            match solver.check(about, assumed) {
                Outcome::Unsat => Ok(false),
                Outcome::Sat => {
                    if let Ok(values) = solver.values(params) {
                        let pairs = params.iter().copied().zip(values);
                        let mut model = Valuation::new(t, pairs);
                        possible.retain(|&p| model.holds(p));
                    }
                    Ok(true)
                }
                Outcome::Unknown(Failure::Incomplete(_)) => Ok(true),
                Outcome::Unknown(failure) => Err(failure),
            }
        };
        if !ask(&assumed, &mut possible, "transfer")? {
            return Ok(None);
        }
        let mut follow = Vec::new();
        while let Some(predicate) = possible.pop() {
            assumed.push(t.not(predicate));
            if !ask(&assumed, &mut possible, "abstraction")? {
                follow.push(predicate);
            }
            assumed.pop();
        }
        follow.reverse();
        Ok(Some(follow))
    }

    /// Does one formula imply the other? No, where that is not decided.
    pub(super) fn implies(&mut self, strong: Term, weak: Term) -> Result<bool, Failure> {
        let t = self.context.terms;
        let known: TermSet = t.conjuncts(strong).into_iter().collect();
        if strong == Term::FALSE || t.conjuncts(weak).iter().all(|c| known.contains(c)) {
            return Ok(true);
        }
        if weak == Term::FALSE || strong == Term::TRUE && t.vars([weak]).is_empty() {
            return Ok(false);
        }
        let about = format_args!("does a state not cover another one");
        match self.coverage.check(about, &[strong, t.not(weak)]) {
            Outcome::Unsat => Ok(true),
            Outcome::Sat | Outcome::Unknown(Failure::Incomplete(_)) => Ok(false),
            Outcome::Unknown(failure) => Err(failure),
        }
    }
}
