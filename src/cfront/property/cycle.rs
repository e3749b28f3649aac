//! What a run may repeat: loops, and functions that call each other.

use super::nest::Nested;
use crate::cfront::ir::{Expr, FuncId, Lvalue, NodeId};
use crate::cfront::source::Place;

/// Names of variables that tell states at heads of loops begin with this.
pub(super) const TOLD: &str = "loop!";

/// A loop, or functions that call each other: each cycle has a head, at which a state is compared
/// with the one before.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) func: FuncId,
    pub(super) cycle: Cycle,
    pub(super) place: Place,
    /// The state: variables of a loop, or parameters of the function `func`.
    pub(super) variables: Vec<Lvalue>,
    pub(super) measures: Vec<Expr>,
    /// The addresses that the measures take.
    pub(super) addresses: Vec<(Lvalue, i128)>,
    /// Does the state belong to one call among several that are under way?
    pub(super) is_per_call: bool,
}

/// What is repeated.
#[derive(Clone, Debug)]
pub(super) enum Cycle {
    /// Points of an automaton.
    Points(Nested),
    /// Functions that call each other. The head is the beginning of each.
    Calls(Vec<FuncId>),
}

impl Loop {
    /// Is this the point at which a loop begins?
    pub(super) fn has_head(&self, func: FuncId, node: NodeId) -> bool {
        match &self.cycle {
            Cycle::Points(nested) => self.func == func && nested.head == node,
            Cycle::Calls(_) => false,
        }
    }
}

/// The values of a loop's variables at its head.
pub type LoopState = Vec<i128>;
