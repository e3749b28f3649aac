//! The graph that an engine has built, for people.

use crate::chc::{ClauseId, PredId, System};
use crate::term::{Term, Terms};

/// A graph of abstract states, as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AbstractGraph {
    /// The states.
    pub states: Vec<AbstractState>,
    /// The edges between them.
    pub edges: Vec<AbstractEdge>,
}

/// A state of an [`AbstractGraph`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractState {
    /// The name of its predicate; `false` has one, too.
    pub pred: String,
    /// Which facts it stands for, over the parameters of the predicate, as SMT-LIB.
    pub formula: String,
    /// The state that covers it, by its place in [`AbstractGraph::states`].
    pub covered_by: Option<usize>,
}

impl AbstractState {
    /// The state of a predicate, or of `false` if the system has no predicate of that number, with
    /// a formula over its parameters. Nothing covers it.
    pub(super) fn new(t: &Terms, system: &System, pred: PredId, formula: Term) -> Self {
        AbstractState {
            pred: match pred.index() < system.preds.len() {
                true => system.pred_name(t, pred).to_owned(),
                false => "false".to_owned(),
            },
            formula: t.display(formula).to_string(),
            covered_by: None,
        }
    }
}

/// An edge of an [`AbstractGraph`]: a clause derives a state from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractEdge {
    /// The clause, of the system that the engine was given.
    pub clause: ClauseId,
    /// The states of its premises, in order, by their places in [`AbstractGraph::states`].
    pub premises: Vec<usize>,
    /// The state that is derived, by its place.
    pub conclusion: usize,
}
