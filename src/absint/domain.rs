//! Abstract domains: what a fixpoint needs of them, and the abstract post of a clause, which by
//! default is found by questions to a solver that has the clause's constraint for good.

use super::space::{Point, Space};
use crate::chc::{Atom, Clause};
use crate::smt::{Backend, Failure, Limit, Outcome, Solver, Support};
use crate::term::{Substitution, Term, Terms, Value};

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

/// A clause with a head, and the solver that holds its constraint.
///
/// Invariant: between two calls the solver's stack has the constraint and nothing else.
pub struct ClausePost<'t> {
    t: &'t Terms,
    clause: &'t Clause,
    head: &'t Atom,
    solver: Box<dyn Solver + 't>,
    limit: Limit,
    /// What solvers can be asked about.
    support: Support,
}

impl<'t> ClausePost<'t> {
    /// The post of a clause; `None` for a query, which derives no states.
    pub fn new(
        t: &'t Terms,
        clause: &'t Clause,
        backend: &'t Backend,
        limit: &Limit,
    ) -> Option<Self> {
        let head = clause.head.as_ref()?;
        let mut solver = backend.solver(t, "absint");
        solver.set_purpose("abstract post");
        solver.set_limit(limit.clone());
        let support = Support::default();
        // Without what no core decides more is derived, which is sound.
        for conjunct in t.conjuncts(clause.constraint) {
            if support.check(t, conjunct).is_ok() {
                solver.assert(conjunct);
            }
        }
        Some(ClausePost {
            t,
            clause,
            head,
            solver,
            limit: limit.clone(),
            support,
        })
    }

    /// Extends `into`, an element of the head's space, by what the clause derives \[RSY04\]. See
    /// [`Domain::post`].
    pub(super) fn best_transformer<D: Domain>(
        &mut self,
        into: &mut D,
        space: &Space,
        premises: &[(&D, &Space)],
        growth: Growth,
    ) -> Result<bool, Failure> {
        if premises.iter().any(|(element, _)| element.is_bottom()) {
            return Ok(false);
        }
        let mut grew = self.forget_unasked(into, space);
        self.solver.push();
        for ((element, space), atom) in premises.iter().zip(&self.clause.body) {
            for literal in self.said_of(*element, space, atom) {
                self.solver.assert(literal);
            }
        }
        let result = self.add_points(into, space, growth);
        self.solver.pop();
        grew |= result?;
        Ok(grew)
    }

    /// Adds points until the element contains all that the clause derives from what is asserted.
    fn add_points<D: Domain>(
        &mut self,
        into: &mut D,
        space: &Space,
        growth: Growth,
    ) -> Result<bool, Failure> {
        let mut points = 0;
        loop {
            self.limit.check()?;
            self.solver.push();
            let inside = self.said_of(into, space, self.head);
            self.solver.assert(self.t.not(self.t.and(inside)));
            // ⋀ state(body) ∧ constraint ∧ ¬state(head)
            let about = format_args!("states of predicate {} by a clause", self.head.pred.0);
            let values = match self.solver.check(about, &[]) {
                Outcome::Sat => self.head_values(space).map(Some),
                Outcome::Unsat => Ok(None),
                Outcome::Unknown(why) => Err(why),
            };
            self.solver.pop();
            let Some(values) = values? else {
                return Ok(points > 0);
            };
            let point = D::of_point(space, &space.point(&values));
            if growth == Growth::Join && points < D::JOINED_POINTS || into.is_bottom() {
                into.join(&point, space);
            } else {
                into.widen(&point, space);
            }
            points += 1;
        }
    }

    /// What an element says of an atom's arguments, without literals that the core does not
    /// support.
    fn said_of<D: Domain>(&self, element: &D, space: &Space, atom: &Atom) -> Vec<Term> {
        let t = self.t;
        let pairs = space
            .params()
            .iter()
            .copied()
            .zip(atom.args.iter().copied());
        let mut substitution = Substitution::new(t, pairs);
        let literals = element.literals(t, space).into_iter();
        let mut literals: Vec<Term> = literals.map(|l| substitution.apply(l)).collect();
        literals.retain(|&l| self.support.check(t, l).is_ok());
        literals
    }

    /// Forgets what the head's element says of arguments that no core decides: no question would
    /// find what contradicts it. Answers whether the element grew.
    fn forget_unasked<D: Domain>(&self, into: &mut D, space: &Space) -> bool {
        if into.is_bottom() {
            return false;
        }
        let before = into.clone();
        for (i, &arg) in self.head.args.iter().enumerate() {
            if space.column(i).is_some() && self.support.check(self.t, arg).is_err() {
                into.forget(space, i);
            }
        }
        !into.le(&before, space)
    }

    /// The values of the head's arguments in the solver's model; `None` of what it cannot be asked.
    fn head_values(&mut self, space: &Space) -> Result<Vec<Option<Value>>, Failure> {
        let askable = |&(i, &arg): &(usize, &Term)| {
            space.column(i).is_some() && self.support.check(self.t, arg).is_ok()
        };
        let args = self.head.args.iter().enumerate();
        let (places, asked): (Vec<usize>, Vec<Term>) = args.filter(askable).unzip();
        let mut values = vec![None; self.head.args.len()];
        for (place, value) in places.into_iter().zip(self.solver.values(&asked)?) {
            values[place] = Some(value);
        }
        Ok(values)
    }
}
