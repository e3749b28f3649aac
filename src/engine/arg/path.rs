//! Questions about one derivation: assertions along it, or its values.

use super::Settings;
use crate::chc::{Refutation, Skeleton, Step, System, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::{RuleId, RuleSystem};
use crate::engine::unroll::skeleton::{Conjuncts, Feasibility, feasibility};
use crate::engine::unroll::{Along, Assertions, Derivation};
use crate::refinement::Refiner;

/// A system whose derivations are asked about.
pub(in crate::engine) struct Paths<'a, 't> {
    pub(in crate::engine) system: &'a System,
    pub(in crate::engine) rules: &'a RuleSystem,
    pub(in crate::engine) context: &'a Context<'t>,
    pub(in crate::engine) settings: Settings,
    pub(in crate::engine) assertions: Assertions<'a, 't>,
}

impl<'a, 't> Paths<'a, 't> {
    pub(in crate::engine) fn new(
        system: &'a System,
        rules: &'a RuleSystem,
        settings: Settings,
        context: &'a Context<'t>,
    ) -> Self {
        Paths {
            system,
            rules,
            context,
            assertions: Assertions::new(
                context,
                rules,
                Refiner::new(system, settings.refinement.clone()),
            ),
            settings,
        }
    }

    /// Assertions along a derivation, or what has values in their place.
    pub(in crate::engine) fn assertions(
        &mut self,
        derivation: &Derivation<'_>,
    ) -> Result<Along, UnknownReason> {
        self.assertions.along(derivation)
    }

    /// The values of a derivation of `false` that has some.
    pub(in crate::engine) fn values(&self, steps: Vec<Step>) -> Result<Refutation, UnknownReason> {
        let rules = self.rules;
        let skeleton = Skeleton::new(self.system, steps);
        let skeleton = skeleton.expect("edges apply rules to what they are about");
        let whole = |_, rule: RuleId| Conjuncts {
            always: vec![rules.rule(rule).constraint],
            assumed: Vec::new(),
        };
        match feasibility(self.context, rules, &skeleton, whole, 0)? {
            Feasibility::Feasible(refutation) => Ok(refutation),
            Feasibility::Infeasible(_) => {
                let why = "a derivation has values by one solver and none by another";
                Err(UnknownReason::Incomplete(why.to_owned()))
            }
        }
    }
}
