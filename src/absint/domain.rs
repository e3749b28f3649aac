//! Abstract domains: what a fixpoint needs of them.

use super::post::ClausePost;
use super::space::{Point, Space};
use crate::smt::Failure;
use crate::term::{Term, Terms};

/// How an element grows by what a clause derives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// By joins, as long as the domain wants them.
    Join,
    /// By widenings: at loop heads, so that iterations end.
    Widen,
}

/// An abstract domain. An element stands for a set of states of one predicate, its concretization
/// γ, and belongs to the [`Space`] that it was made for.
///
/// The laws, which `tests/fuzz/absint_laws.rs` checks of each domain with random elements:
/// - `le` is reflexive and transitive, and `a.le(b)` implies γ(a) ⊆ γ(b); `bottom` is below and
///   `top` above every element;
/// - `join` and `widen` make an upper bound of both elements;
/// - a sequence of widenings changes an element a finite number of times;
/// - `post` is sound: γ of the result contains each state that the clause derives from states of
///   the premises' elements.
pub trait Domain: Clone + std::fmt::Debug {
    /// How many points of one visit of a clause are joined exactly before the element is widened.
    /// Domains in which single points say little, or which have no infinite ascending chains, need
    /// none.
    const JOINED_POINTS: u32 = 0;

    /// The element without states.
    fn bottom(space: &Space) -> Self;

    /// The element of all states.
    fn top(space: &Space) -> Self;

    /// Is it the element without states?
    fn is_bottom(&self) -> bool;

    /// The least element that contains a point, or one above it.
    fn of_point(space: &Space, point: &Point) -> Self;

    /// The order: is every state of this element one of the other's?
    fn le(&self, other: &Self, space: &Space) -> bool;

    /// Becomes an upper bound of both.
    fn join(&mut self, other: &Self, space: &Space);

    /// Becomes an upper bound of both such that repeated widening ends.
    fn widen(&mut self, other: &Self, space: &Space);

    /// Forgets what is said of the parameter at a position: its value may be any.
    fn forget(&mut self, space: &Space, position: usize);

    /// Literals over the space's parameters whose conjunction is γ.
    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term>;

    /// A formula over the space's parameters that is γ.
    fn to_term(&self, t: &Terms, space: &Space) -> Term {
        t.and(self.literals(t, space))
    }

    /// The abstract post: grows by what a clause derives from the elements of its premises, in
    /// order. Answers whether the element has changed.
    ///
    /// By default the element of the best transformer is found by questions to the clause's solver
    /// \[RSY04\]; a model of
    ///
    /// > the premises' elements ∧ the constraint ∧ a head outside of this element
    ///
    /// is a point that joins the element, until there is none.
    ///
    /// # Errors
    /// The solver does not answer.
    fn post(
        &mut self,
        space: &Space,
        clause: &mut ClausePost<'_>,
        premises: &[(&Self, &Space)],
        growth: Growth,
    ) -> Result<bool, Failure> {
        clause.best_transformer(self, space, premises, growth)
    }
}
