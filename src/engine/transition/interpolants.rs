//! Interpolants between formulas about the steps of a path.

use super::Steps;
use crate::chc::UnknownReason;
use crate::engine::Context;
use crate::logic::interpolate::{Interpolation, Partitioned};
use crate::smt::{
    Failure, InterpolationOptions, InterpolationSource, NoInterpolants, PartId, PartTree,
    SatResult, Strength,
};
use crate::term::Term;
use std::fmt::Arguments;

/// A context for interpolation problems about paths, which share their parts.
pub(in crate::engine) struct Interpolants<'a, 't> {
    context: &'a Context<'t>,
    steps: &'a Steps<'a, 't>,
    name: &'static str,
    problem: Partitioned<'a, 't>,
    /// *Init*, and *Trans* from each step to the next, as far as they are parts of the problem.
    init: Option<PartId>,
    trans: Vec<PartId>,
    /// The number of interpolants so far.
    pub(in crate::engine) found: usize,
}

impl<'a, 't> Interpolants<'a, 't> {
    /// A context of that name for an engine.
    pub(in crate::engine) fn new(
        context: &'a Context<'t>,
        steps: &'a Steps<'a, 't>,
        name: &'static str,
        strength: Strength,
    ) -> Self {
        let interpolation = Interpolation {
            terms: context.terms,
            backend: context.backend,
            limit: context.limit.clone(),
            name,
            options: InterpolationOptions {
                source: InterpolationSource::Both,
                strength,
                ..InterpolationOptions::default()
            },
        };
        Interpolants {
            context,
            steps,
            name,
            problem: interpolation.problem(),
            init: None,
            trans: Vec::new(),
            found: 0,
        }
    }

    /// A formula as a part of problems.
    ///
    /// # Errors
    /// The back end does not decide the formula.
    pub(in crate::engine) fn add(&mut self, formula: Term) -> Result<PartId, Failure> {
        self.problem.add(&[formula])
    }

    /// *Init* as a part, about the state at step 0.
    pub(in crate::engine) fn init(&mut self) -> Result<PartId, Failure> {
        let part = match self.init {
            Some(part) => part,
            None => self.add(self.steps.init())?,
        };
        Ok(*self.init.insert(part))
    }

    /// *Trans* from a step to the next as a part.
    pub(in crate::engine) fn trans(&mut self, step: usize) -> Result<PartId, Failure> {
        while self.trans.len() <= step {
            let part = self.add(self.steps.trans(self.trans.len()))?;
            self.trans.push(part);
        }
        Ok(self.trans[step])
    }

    /// A formula that `a` implies and that contradicts `b`, said of the state at step 0. The two
    /// have only variables of the state at `step` in common. `None` if they do not contradict each
    /// other.
    ///
    /// # Errors
    /// This is not known, or there is no interpolant.
    pub(in crate::engine) fn between(
        &mut self,
        a: &[PartId],
        b: &[PartId],
        step: usize,
        about: Arguments<'_>,
    ) -> Result<Option<Term>, UnknownReason> {
        let found = self.sequence(&[a.to_vec(), b.to_vec()], step, about)?;
        Ok(found.map(|found| found[0]))
    }

    /// Interpolants between the nodes in order, said of the state at step 0: the first one is about
    /// the state at step `first`, the others are about the states after it. `None` if the nodes do
    /// not contradict each other.
    ///
    /// # Errors
    /// This is not known, or there are no interpolants.
    pub(in crate::engine) fn sequence(
        &mut self,
        nodes: &[Vec<PartId>],
        first: usize,
        about: Arguments<'_>,
    ) -> Result<Option<Vec<Term>>, UnknownReason> {
        let tree = PartTree::path(nodes.len());
        match self.problem.interpolants(about, &tree, nodes) {
            Ok(found) => {
                self.found += found.len();
                let found = (first..).zip(found);
                Ok(Some(found.map(|(at, i)| self.steps.back(i, at)).collect()))
            }
            Err(NoInterpolants::Satisfiable) => Ok(None),
            Err(why) => Err(why.into()),
        }
    }

    /// Does a formula over states imply another?
    ///
    /// # Errors
    /// The solver does not answer.
    pub(in crate::engine) fn implies(&self, a: Term, b: Term) -> Result<bool, Failure> {
        let t = self.context.terms;
        let mut solver = self.context.backend.solver(t, self.name);
        solver.set_purpose("fixpoint");
        solver.set_limit(self.context.limit.clone());
        solver.assert(t.and([a, t.not(b)]));
        // a ∧ ¬b
        match solver.check(format_args!("is a state only in the first formula"), &[]) {
            SatResult::Sat => Ok(false),
            SatResult::Unsat => Ok(true),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// If a formula implies the disjunction of the ones before it: the disjunction before the first
    /// such formula.
    ///
    /// # Errors
    /// The solver does not answer.
    pub(in crate::engine) fn fixpoint(&self, formulas: &[Term]) -> Result<Option<Term>, Failure> {
        let mut before = Term::FALSE;
        for (number, &formula) in formulas.iter().enumerate() {
            if number > 0 && self.implies(formula, before)? {
                return Ok(Some(before));
            }
            before = self.context.terms.or([before, formula]);
        }
        Ok(None)
    }
}
