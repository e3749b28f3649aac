//! From reach facts to a ground refutation.
//!
//! A reach fact says that each of its states is derivable by its rule from states of its premises.
//! From `false` downwards, the solver picks values for the rule's variables with the head's
//! arguments given and the premises' facts asserted; the premises' arguments are then given in
//! turn. As reach facts under-approximate, each question has a model.

use super::purpose::Purpose;
use super::query::Step;
use super::reach::ReachId;
use super::{NoVerdict, Pdr};
use crate::chc::Refutation;
use crate::engine::unroll::derivation::{Derived, refutation};
use crate::logic::Valuation;
use crate::smt::{SatResult, Solver};
use crate::term::{Term, Value};
use std::rc::Rc;

/// A ground fact wanted: a state of a reach fact.
type Wanted = (ReachId, Vec<Value>);

impl<'t> Pdr<'_, 't> {
    /// The refutation that ends in a reach fact of `false`.
    pub(super) fn refutation(&mut self, goal: ReachId) -> Result<Refutation, NoVerdict> {
        let mut solver = self
            .context
            .backend
            .solver(self.context.terms, "derivation");
        solver.set_purpose(Purpose::Derive.name());
        solver.set_limit(self.context.limit.clone());
        let root = (goal, Vec::new());
        refutation(root, |wanted| self.derive(&mut *solver, wanted))
    }

    /// Values for the variables of the rule that derives the wanted state.
    fn derive(
        &mut self,
        solver: &mut (dyn Solver + 't),
        wanted: &Wanted,
    ) -> Result<Derived<Wanted>, NoVerdict> {
        self.context.limit.check()?;
        let t = self.context.terms;
        let fact = self.facts.get(wanted.0).clone();
        let rules = Rc::clone(&self.rules);
        let rule = rules.rule(fact.rule);
        let params = &self.rules.params[rule.head.index()];
        debug_assert_eq!(params.len(), wanted.1.len(), "a value for each parameter");
        debug_assert_eq!(
            fact.premises.len(),
            rule.body.len(),
            "a fact for each premise"
        );
        let mut formulas = vec![rule.constraint];
        for (&param, value) in params.iter().zip(&wanted.1) {
            formulas.push(t.eq(param, t.value_term(value, t.sort_of(param))));
        }
        for (&premise, atom) in fact.premises.iter().zip(&rule.body) {
            formulas.push(
                self.rules
                    .instance(t, self.facts.get(premise).formula, atom),
            );
        }
        solver.push();
        formulas.into_iter().for_each(|f| solver.assert(f));
        // params = state ∧ τ_r ∧ ⋀ premiseᵢ[argsᵢ]
        let outcome = solver.check(format_args!("{}", Purpose::Derive.name()), &[]);
        let values = match outcome {
            SatResult::Sat => solver.values(&rule.vars).map_err(NoVerdict::from),
            SatResult::Unsat => Err(NoVerdict::model(
                "the solver's answers contradict each other: a state of a reach fact has no \
                 derivation",
            )),
            SatResult::Unknown(failure) => Err(failure.into()),
        };
        solver.pop();
        let mut step = Step {
            rule: fact.rule,
            valuation: Valuation::new(t, rule.vars.iter().copied().zip(values?)),
        };
        let premises = (fact.premises.iter().zip(&rule.body))
            .map(|(&premise, atom)| (premise, values_of(&mut step, &atom.args)))
            .collect();
        Ok(Derived {
            clause: fact.rule.clause(),
            values: values_of(&mut step, &rule.clause_vars),
            premises,
        })
    }
}

fn values_of(step: &mut Step<'_>, terms: &[Term]) -> Vec<Value> {
    terms.iter().map(|&x| step.valuation.value(x)).collect()
}
