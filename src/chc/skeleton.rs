//! Skeletons: derivations without values.

use super::{ClauseId, Fact, FactId, PredId, Refutation, System};
use crate::term::Value;
use std::fmt;

/// A clause applied to premises.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The clause.
    pub clause: ClauseId,
    /// For each atom of the clause's body, in order, the step that derives it.
    pub premises: Vec<FactId>,
}

/// The shape of a derivation: a directed acyclic graph of clauses, premises before what follows
/// from them. The last step is the *root*, what the derivation is for. Whether values exist for the
/// clauses' variables is another question.
///
/// Two derivations with the same steps in the same order have the same skeleton.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Skeleton {
    steps: Vec<Step>,
}

/// Why a list of steps is no derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SkeletonError {
    /// There is no step.
    Empty,
    /// The step applies a clause that the system does not have.
    NoClause(usize),
    /// The step has another number of premises than its clause.
    Count(usize),
    /// A premise of the step does not come before it.
    Order(usize),
    /// A premise of the step derives another predicate than the clause's body has there, or
    /// `false`.
    Predicate(usize),
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkeletonError::Empty => f.write_str("a derivation has at least one step"),
            SkeletonError::NoClause(i) => {
                write!(f, "step {i} applies a clause that does not exist")
            }
            SkeletonError::Count(i) => {
                write!(f, "step {i} has another number of premises than its clause")
            }
            SkeletonError::Order(i) => write!(f, "a premise of step {i} does not come before it"),
            SkeletonError::Predicate(i) => {
                write!(
                    f,
                    "a premise of step {i} derives another predicate than is needed"
                )
            }
        }
    }
}

impl std::error::Error for SkeletonError {}

impl Skeleton {
    /// A derivation of these steps from a system's clauses.
    ///
    /// # Errors
    /// The steps are no derivation.
    pub fn new(system: &System, steps: Vec<Step>) -> Result<Self, SkeletonError> {
        let skeleton = Skeleton { steps };
        skeleton.validate(system)?;
        Ok(skeleton)
    }

    /// The shape of a refutation, which is taken to be one, and to have all its loops written out.
    pub fn of(refutation: &Refutation) -> Self {
        debug_assert!(!refutation.has_iterations(), "loops are written out");
        let step = |fact: &Fact| Step {
            clause: fact.clause,
            premises: fact.premises.clone(),
        };
        let skeleton = Skeleton {
            steps: refutation.facts.iter().map(step).collect(),
        };
        debug_assert!(
            skeleton.is_acyclic(),
            "premises come before what follows from them"
        );
        skeleton
    }

    /// Do the premises of each step come before it?
    fn is_acyclic(&self) -> bool {
        let mut steps = self.steps.iter().enumerate();
        steps.all(|(i, step)| step.premises.iter().all(|premise| premise.index() < i))
    }

    /// The steps, premises first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Is this a derivation from a system's clauses?
    ///
    /// # Errors
    /// The first fault that is found.
    pub fn validate(&self, system: &System) -> Result<(), SkeletonError> {
        if self.steps.is_empty() {
            return Err(SkeletonError::Empty);
        }
        for (i, step) in self.steps.iter().enumerate() {
            let Some(clause) = system.clauses.get(step.clause.index()) else {
                return Err(SkeletonError::NoClause(i));
            };
            if step.premises.len() != clause.body.len() {
                return Err(SkeletonError::Count(i));
            }
            for (premise, atom) in step.premises.iter().zip(&clause.body) {
                if premise.index() >= i {
                    return Err(SkeletonError::Order(i));
                }
                if self.conclusion(system, *premise) != Some(atom.pred) {
                    return Err(SkeletonError::Predicate(i));
                }
            }
        }
        Ok(())
    }

    /// What a step derives; `None` is `false`.
    pub fn conclusion(&self, system: &System, step: FactId) -> Option<PredId> {
        let clause = system.clause(self.steps[step.index()].clause);
        clause.head.as_ref().map(|head| head.pred)
    }

    /// Does the root derive `false`?
    pub fn is_refutation(&self, system: &System) -> bool {
        let root = self.steps.last();
        root.is_some_and(|step| system.clause(step.clause).is_query())
    }

    /// Is each step the premise of at most one step, once? Sharing makes no tree, though it derives
    /// the same.
    pub fn is_tree(&self) -> bool {
        let mut used = vec![false; self.steps.len()];
        let mut premises = self.steps.iter().flat_map(|step| &step.premises);
        premises.all(|p| !std::mem::replace(&mut used[p.index()], true))
    }

    /// Is it a tree in which each step has at most one premise?
    pub fn is_path(&self) -> bool {
        self.is_tree() && self.steps.iter().all(|step| step.premises.len() <= 1)
    }

    /// The number of steps on the longest way from the root to a fact.
    pub fn height(&self) -> usize {
        let mut heights: Vec<usize> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let below = step.premises.iter().map(|p| heights[p.index()]).max();
            heights.push(1 + below.unwrap_or(0));
        }
        heights.last().copied().unwrap_or(0)
    }

    /// The derivation with these values of each step's variables, in the order of
    /// [`Clause::vars`](super::Clause::vars).
    #[must_use]
    pub fn with_values(&self, values: Vec<Vec<Value>>) -> Refutation {
        debug_assert_eq!(values.len(), self.steps.len(), "values for each step");
        debug_assert!(
            self.is_acyclic(),
            "premises come before what follows from them"
        );
        let fact = |(step, values): (&Step, Vec<Value>)| {
            Fact::new(step.clause, values, step.premises.clone())
        };
        Refutation {
            facts: self.steps.iter().zip(values).map(fact).collect(),
        }
    }
}
