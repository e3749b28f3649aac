//! Folds on demand \[KKSS25\]: a derivation over folds that is none of the system asks for folds
//! that refute it.

use super::Search;
use super::counterexample::{Counterexample, skeleton};
use super::synthesis::synthesise;
use super::template::Factors::{Large, Small};
use super::template::Template::{self, Counts, States, Sums};
use crate::chc::{Answer, Refutation, Skeleton, Unknown, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::engine::unroll::skeleton::{Conjuncts, Feasibility, feasibility};

/// The templates, in the order in which they are tried. The order was not tuned.
const TEMPLATES: &[&[Template]] = &[
    &[States(1)],
    &[States(2)],
    &[Counts(Small)],
    &[Sums(Small)],
    &[Counts(Small), States(1)],
    &[Sums(Small), States(1)],
    &[States(3)],
    &[Counts(Large), Counts(Large)],
    &[Counts(Small), States(2)],
    &[Sums(Large)],
    &[Sums(Large), Sums(Small), States(1)],
];

/// No more than this number of derivations is learnt from. The value was not tuned.
const MOST_COUNTEREXAMPLES: usize = 256;

impl Search<'_> {
    /// Finds folds that refute all derivations of `false` so far, has the system over these folds
    /// solved, and learns from its derivation of `false`. A template without such folds gives way
    /// to the next one.
    ///
    /// A derivation that is one of the system refutes it. The counterexamples of an earlier attempt
    /// are known.
    pub(super) fn on_demand(
        &self,
        counterexamples: &mut Vec<Counterexample>,
        context: &Context<'_>,
    ) -> Answer {
        let mut unknown =
            UnknownReason::Incomplete("no template has folds that suffice".to_owned());
        let left = (1..=TEMPLATES.len() as u64).rev();
        for (left, templates) in left.zip(TEMPLATES) {
            let limit = context.limit.share(left, u64::MAX);
            let found = self.by_templates(templates, counterexamples, &context.within(limit));
            log::debug!(
                "folds: {templates:?} after {} counterexamples: {}",
                counterexamples.len(),
                match &found {
                    Ok(Some(answer)) => answer.verdict().to_owned(),
                    Ok(None) => "none refute them".to_owned(),
                    Err(why) => why.to_string(),
                }
            );
            match found {
                Ok(Some(answer)) => return answer,
                Ok(None) => {}
                Err(why) => unknown = why,
            }
        }
        Answer::Unknown(Unknown::new(unknown))
    }

    /// An answer by folds of these templates; `None` if none refute the counterexamples.
    fn by_templates(
        &self,
        templates: &[Template],
        counterexamples: &mut Vec<Counterexample>,
        context: &Context<'_>,
    ) -> Result<Option<Answer>, UnknownReason> {
        while counterexamples.len() < MOST_COUNTEREXAMPLES {
            let found = synthesise(self.sorts, templates, counterexamples, context)?;
            let Some(folds) = found else {
                return Ok(None);
            };
            match self.by_folds(&folds, true, context) {
                Answer::Sat(model) => return Ok(Some(Answer::Sat(model))),
                Answer::Unknown(unknown) => return Err(unknown.reason),
                Answer::Unsat(over_folds) if over_folds.has_iterations() => return Err(too_long()),
                Answer::Unsat(over_folds) => {
                    if let Some(refutation) = self.concrete(&over_folds, context)? {
                        return Ok(Some(Answer::Unsat(refutation)));
                    }
                    let t = context.terms;
                    let new = Counterexample::new(t, &over_folds, &self.cases);
                    counterexamples.push(new.ok_or_else(too_long)?);
                }
            }
        }
        Ok(None)
    }

    /// The derivation of the system that has the shape of one over folds; `None` if there is none.
    fn concrete(
        &self,
        over_folds: &Refutation,
        context: &Context<'_>,
    ) -> Result<Option<Refutation>, UnknownReason> {
        let steps = skeleton(over_folds, &self.cases);
        let skeleton = Skeleton::new(self.system, steps).expect("cases are of clauses");
        let rules = RuleSystem::new(context.terms, self.system);
        let whole = |_, rule| Conjuncts {
            always: vec![rules.rule(rule).constraint],
            assumed: Vec::new(),
        };
        match feasibility(context, &rules, &skeleton, whole, 0)? {
            Feasibility::Feasible(refutation) => Ok(Some(refutation)),
            Feasibility::Infeasible(_) => Ok(None),
        }
    }
}

fn too_long() -> UnknownReason {
    UnknownReason::Incomplete("a derivation over folds is too long to learn from".to_owned())
}
