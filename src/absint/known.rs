//! The analysis that passes use: equations \[Kar76\] and bounds \[SSM05\].

use super::bounds::Bounds;
use super::domain::Domain;
use super::equalities::{Definition, Equalities};
use super::fixpoint::fixpoint;
use super::product::Product;
use super::space::{Precision, Space};
use super::thresholds::Thresholds;
use crate::chc::{PredId, System};
use crate::smt::{Backend, Failure, Limit};
use crate::term::{Term, Terms};
use std::sync::Arc;

/// What is known of a predicate.
#[derive(Clone, Debug)]
pub struct PredState {
    space: Space,
    state: Product<Equalities, Bounds>,
}

/// What holds of everything derived, by predicate; `params` names the parameters of each.
///
/// # Errors
/// The limit, when it is reached before the states hold of everything.
pub fn analyze(
    t: &Terms,
    system: &System,
    params: impl Fn(PredId) -> Vec<Term>,
    precision: Precision,
    backend: &Backend,
    limit: &Limit,
) -> Result<Vec<PredState>, Failure> {
    let thresholds = Arc::new(Thresholds::of(t, system));
    let space = |p| Space::new(t, params(p), precision, &thresholds);
    let spaces: Vec<Space> = system.pred_ids().map(space).collect();
    let states = fixpoint(t, system, spaces.clone(), backend, limit)?;
    let known = spaces.into_iter().zip(states);
    Ok(known
        .map(|(space, state)| PredState { space, state })
        .collect())
}

impl PredState {
    /// The predicate's parameters, by position.
    pub fn params(&self) -> &[Term] {
        self.space.params()
    }

    /// Is anything derivable?
    pub fn is_derivable(&self) -> bool {
        !self.state.is_bottom()
    }

    /// What holds of everything derived, as literals over the parameters.
    pub fn literals(&self, t: &Terms) -> Vec<Term> {
        self.state.literals(t, &self.space)
    }

    /// The arguments that at most this number of others determine, by equations without division.
    pub fn definitions(&self, t: &Terms, others: usize) -> Vec<Definition> {
        self.state.0.definitions(t, &self.space, others)
    }
}
