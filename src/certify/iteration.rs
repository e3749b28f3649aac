//! The check of a loop in a refutation, for all its iterations at once.

use super::progression::{Progression, Progressions};
use crate::chc::{Fact, FactId, Iteration, IterationPremise, IterationStep, PredId, System};
use crate::number::Rational;
use crate::term::{Sort, Term, TermMap, Terms, Value};
use std::iter::zip;

/// What can be wrong with a loop of a refutation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IterationFlaw {
    /// The number of iterations is no integer, or less than 1.
    #[error("{0} is no number of iterations")]
    Times(String),
    /// An iteration derives nothing.
    #[error("the iterations have no steps")]
    Empty,
    /// The fact is not what the last step derives in the last iteration.
    #[error("the values are not those of the last iteration")]
    Last,
    /// A step is wrong.
    #[error("step {step} of the iterations {flaw}")]
    Step {
        /// Its place, counted from 0.
        step: usize,
        /// What is wrong with it.
        flaw: StepFlaw,
    },
}

/// What can be wrong with a step of the iterations of a loop. Places count from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StepFlaw {
    /// There is no such clause, or it is a query.
    #[error("derives nothing: clause {0}")]
    Clause(u32),
    /// The values or their changes are not those of the clause's variables.
    #[error("has not the values of its clause's variables")]
    Values,
    /// The number of premises is not the number of atoms in the clause's body.
    #[error("has {found} premises for {expected} atoms")]
    PremiseCount {
        /// Atoms of the body.
        expected: usize,
        /// Premises of the step.
        found: usize,
    },
    /// A premise is not seen to be what the atom of the body says.
    #[error("is not seen to have premise {0} in each iteration")]
    Premise(usize),
    /// The constraint is not seen to be true.
    #[error("is not seen to satisfy its constraint in each iteration")]
    Constraint,
    /// An argument of the head is not seen to be a progression.
    #[error("derives a value that is not seen to change by the same in each iteration")]
    Head,
}

/// The predicate of a fact, with the values of its arguments; `None` for what comes later, or is
/// `false`.
pub(super) type Known<'k> = &'k dyn Fn(FactId) -> Option<(PredId, &'k [Value])>;

/// Does each iteration of a fact derive what the next one begins with, and the last one the fact?
///
/// The cost depends on the size of one iteration, not on their number.
pub(super) fn check<'a>(
    t: &'a Terms,
    system: &'a System,
    fact: &'a Fact,
    iteration: &Iteration,
    known: Known<'a>,
) -> Result<(), IterationFlaw> {
    let times = &iteration.times;
    if !times.is_integer() || !times.is_positive() {
        return Err(IterationFlaw::Times(times.to_string()));
    }
    let last = times - &Rational::one();
    let checker = Checker {
        t,
        system,
        fact,
        known,
    };
    let mut derived: Vec<Derived> = Vec::with_capacity(iteration.steps.len());
    let mut terms = Vec::with_capacity(iteration.steps.len());
    for (step, of) in iteration.steps.iter().enumerate() {
        let flawed = |flaw| IterationFlaw::Step { step, flaw };
        let mut of_step = checker.terms(of, &last).map_err(flawed)?;
        derived.push(checker.derived(of, &mut of_step).map_err(flawed)?);
        terms.push(of_step);
    }
    for (step, (of, terms)) in zip(&iteration.steps, &mut terms).enumerate() {
        let checked = checker.premises((step, of), terms, &derived);
        checked.map_err(|flaw| IterationFlaw::Step { step, flaw })?;
    }
    let ends = iteration.steps.last().ok_or(IterationFlaw::Empty)?;
    match ends.values_in(t, &last) {
        Some(values) if ends.clause == fact.clause && values == fact.values => Ok(()),
        _ => Err(IterationFlaw::Last),
    }
}

/// What a step derives in each iteration: a predicate with progressions of its sorts.
struct Derived {
    pred: PredId,
    arguments: Vec<(Sort, Progression)>,
}

struct Checker<'a> {
    t: &'a Terms,
    system: &'a System,
    fact: &'a Fact,
    known: Known<'a>,
}

impl<'a> Checker<'a> {
    /// The terms over the variables of a step's clause, whose constraint is true.
    fn terms(&self, step: &IterationStep, last: &Rational) -> Result<Progressions<'a>, StepFlaw> {
        let t = self.t;
        let clause = self.system.clauses.get(step.clause.index());
        let clause = clause.ok_or(StepFlaw::Clause(step.clause.0))?;
        let (count, values) = (clause.vars.len(), zip(&step.values, &step.changes));
        if count != step.values.len() || count != step.changes.len() {
            return Err(StepFlaw::Values);
        }
        let vars = zip(&clause.vars, values).map(|(&var, (value, change))| {
            let (progression, sort) = (Progression::of(value, change)?, t.sort_of(var));
            (value.is_of(t, sort) && progression.is_of(t, sort)).then_some((var, progression))
        });
        let vars: Option<TermMap<Progression>> = vars.collect();
        let mut terms = Progressions::new(t, last.clone(), vars.ok_or(StepFlaw::Values)?);
        match terms.of(clause.constraint) {
            Some(Progression::Same(Value::Bool(true))) => Ok(terms),
            _ => Err(StepFlaw::Constraint),
        }
    }

    /// What a step derives.
    fn derived(
        &self,
        step: &IterationStep,
        terms: &mut Progressions<'_>,
    ) -> Result<Derived, StepFlaw> {
        let head = self.system.clause(step.clause).head.as_ref();
        let head = head.ok_or(StepFlaw::Clause(step.clause.0))?;
        Ok(Derived {
            pred: head.pred,
            arguments: self.arguments(&head.args, terms).ok_or(StepFlaw::Head)?,
        })
    }

    fn arguments(
        &self,
        args: &[Term],
        terms: &mut Progressions<'_>,
    ) -> Option<Vec<(Sort, Progression)>> {
        let argument = |&arg| Some((self.t.sort_of(arg), terms.of(arg)?));
        args.iter().map(argument).collect()
    }

    /// Checks that the premises of a step are what its clause's body says.
    fn premises(
        &self,
        (place, step): (usize, &IterationStep),
        terms: &mut Progressions<'_>,
        derived: &[Derived],
    ) -> Result<(), StepFlaw> {
        let body = &self.system.clause(step.clause).body;
        if body.len() != step.premises.len() {
            return Err(StepFlaw::PremiseCount {
                expected: body.len(),
                found: step.premises.len(),
            });
        }
        for (at, (atom, premise)) in zip(body, &step.premises).enumerate() {
            let needed = self.arguments(&atom.args, terms).map(|arguments| Derived {
                pred: atom.pred,
                arguments,
            });
            let needed = needed.ok_or(StepFlaw::Premise(at))?;
            let is_there = match *premise {
                IterationPremise::Step(j) => j < place && self.is_same(&needed, &derived[j]),
                IterationPremise::Premise(j) => self.is_always(&needed, j),
                IterationPremise::Before => {
                    let last = derived.last().expect("there is a step");
                    self.is_first(&needed) && self.follows(&needed, last)
                }
            };
            if !is_there {
                return Err(StepFlaw::Premise(at));
            }
        }
        Ok(())
    }

    /// Is what a step needs what another one derives in the same iteration?
    fn is_same(&self, needed: &Derived, derived: &Derived) -> bool {
        let mut pairs = zip(&needed.arguments, &derived.arguments);
        needed.pred == derived.pred && pairs.all(|((sort, x), (_, y))| x.is_same(self.t, *sort, y))
    }

    /// Is what a step needs what another one derives in the iteration before, if there is one?
    fn follows(&self, needed: &Derived, derived: &Derived) -> bool {
        let mut pairs = zip(&needed.arguments, &derived.arguments);
        needed.pred == derived.pred
            && pairs.all(|((sort, x), (_, y))| x.is_same(self.t, *sort, &y.before()))
    }

    /// Is what a step needs a premise of the fact, in each iteration?
    fn is_always(&self, needed: &Derived, premise: usize) -> bool {
        let Some((pred, values)) = self.conclusion(premise) else {
            return false;
        };
        let is_value = |((sort, x), value): (&(Sort, Progression), &Value)| {
            x.is_same(self.t, *sort, &Progression::Same(value.clone()))
        };
        pred == needed.pred && zip(&needed.arguments, values).all(is_value)
    }

    /// Is what a step needs in the first iteration the first premise of the fact?
    fn is_first(&self, needed: &Derived) -> bool {
        let Some((pred, values)) = self.conclusion(0) else {
            return false;
        };
        let is_value = |((sort, x), value): (&(Sort, Progression), &Value)| {
            x.value(self.t, *sort, &Rational::zero()).as_ref() == Some(value)
        };
        pred == needed.pred && zip(&needed.arguments, values).all(is_value)
    }

    fn conclusion(&self, premise: usize) -> Option<(PredId, &'a [Value])> {
        self.fact
            .premises
            .get(premise)
            .and_then(|&fact| (self.known)(fact))
    }
}
