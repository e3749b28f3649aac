//! An invariant, once the diameter is known: the states that the extended system reaches.
//!
//! ```text
//! CLOSURE(I):                              -- I is an invariant at the end
//!   while Init(x) ∧ ¬I(x) has a model:             I := I ∨ MBP(Init)
//!   while I(x) ∧ Tr(x, z) ∧ ¬I(z) has a model:
//!     if a learned relation L has (x, z), and C := MBP(I(x) ∧ L(x, z)) has no bad state:
//!                                                  I := I ∨ C
//!     else                                         I := I ∨ MBP(I(x) ∧ Tr(x, z))
//! ```
//!
//! DIVERGENCE: \[FG25\] eliminates quantifiers from as many steps as the diameter has. Here a step
//! is projected only where it leads out of what is there, so that the number of steps is not
//! needed.

use crate::engine::Context;
use crate::engine::transition;
use crate::logic::Valuation;
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{Sort, Term, Terms};
use crate::transform::TransitionSystem;
use std::iter::zip;

/// More cubes than these are given up. The value was not tuned.
const MOST_CUBES: usize = 300;

/// The states that are reached, as a disjunction of cubes.
struct Closure<'a, 't> {
    context: &'a Context<'t>,
    system: &'a TransitionSystem,
    /// Over the state.
    cubes: Vec<Term>,
    /// Has the cubes before a step and, negated, those after it.
    solver: Box<dyn Solver + 't>,
    /// Assumed for a step from one of the cubes.
    from: Term,
    /// Assumed for *Init*, and for *Trans*.
    init: Term,
    trans: Term,
}

/// An inductive invariant without bad states, if learned relations close the reachable states.
///
/// # Errors
/// There would be too many cubes, or a solver does not answer, or the limit is reached.
pub(super) fn invariant(
    system: &TransitionSystem,
    learned: &[Term],
    context: &Context<'_>,
) -> Result<Term, Failure> {
    let t = context.terms;
    let mut solver = context.backend.solver(t, "closure");
    solver.set_limit(context.limit.clone());
    let [init, trans] = ["init", "trans"].map(|name| t.fresh_var(name, Sort::BOOL));
    // Init is said of the state after no step.
    let first = renamed(t, system.init, &system.state, &system.next);
    solver.assert(t.implies(init, first));
    solver.assert(t.implies(trans, system.trans));
    let mut closure = Closure {
        context,
        system,
        cubes: Vec::new(),
        solver,
        from: Term::FALSE,
        init,
        trans,
    };
    while let Some(mut model) = closure.outside(closure.init)? {
        closure.add(first, &mut model)?;
    }
    while let Some(mut model) = closure.outside(closure.trans)? {
        let from = closure.cube_before(&mut model)?;
        let step = closure.learned(from, learned, &mut model)?;
        match step {
            Some((formula, mut model)) => closure.add(formula, &mut model)?,
            None => closure.add(t.and([from, system.trans]), &mut model)?,
        }
    }
    Ok(t.or(closure.cubes))
}

impl<'t> Closure<'_, 't> {
    /// A model with a state after *Init* or *Trans* that is in no cube.
    fn outside(&mut self, step: Term) -> Result<Option<Valuation<'t>>, Failure> {
        if self.cubes.len() > MOST_CUBES {
            let why = "the reachable states have too many cubes";
            return Err(Failure::Incomplete(why.to_owned()));
        }
        let t = self.context.terms;
        let mut assumptions = vec![step];
        if step == self.trans {
            assumptions.push(self.from);
        }
        // Init(x) ∧ ¬I(x), or I(x) ∧ Tr(x, z) ∧ ¬I(z)
        match self
            .solver
            .check(format_args!("a step out of the cubes"), &assumptions)
        {
            SatResult::Unsat => return Ok(None),
            SatResult::Unknown(failure) => return Err(failure),
            SatResult::Sat => {}
        }
        let system = self.system;
        let mut vars = [&system.state[..], &system.next, &system.inputs].concat();
        vars.sort_unstable();
        vars.dedup();
        let values = self.solver.values(&vars)?;
        Ok(Some(Valuation::new(t, vars.into_iter().zip(values))))
    }

    /// The cube that the state before the step is in.
    fn cube_before(&self, model: &mut Valuation<'_>) -> Result<Term, Failure> {
        let found = self.cubes.iter().find(|&&cube| model.holds(cube)).copied();
        let why = "the solver's model contradicts the query, which asks for a step from a reached \
            state; try another --solver";
        found.ok_or_else(|| Failure::Incomplete(why.to_owned()))
    }

    /// A learned relation that has the step of a model, with values of its counters, if what it
    /// reaches from the cube has no bad states.
    fn learned(
        &self,
        from: Term,
        learned: &[Term],
        model: &mut Valuation<'t>,
    ) -> Result<Option<(Term, Valuation<'t>)>, Failure> {
        let (t, system) = (self.context.terms, self.system);
        for &relation in learned {
            let mut solver = self.solver();
            let vars = [&system.state[..], &system.next].concat();
            for &x in &vars {
                solver.assert(t.eq(x, model.constant(x)));
            }
            solver.assert(relation);
            // L(x, z) ∧ x = a ∧ z = b for the step from a to b in the model
            if solver.check(format_args!("has the relation the step"), &[]) != SatResult::Sat {
                self.context.limit.check()?;
                continue;
            }
            let mut vars = [vars, t.vars([relation])].concat();
            vars.sort_unstable();
            vars.dedup();
            let values = solver.values(&vars)?;
            let mut values = Valuation::new(t, vars.into_iter().zip(values));
            let formula = t.and([from, relation]);
            let cube = self.after(formula, &mut values)?;
            let bad = renamed(t, system.bad, &system.state, &system.next);
            let mut solver = self.solver();
            solver.assert(t.and([cube, bad]));
            // C(z) ∧ Bad(z)
            match solver.check(format_args!("has the image bad states"), &[]) {
                SatResult::Unsat => return Ok(Some((formula, values))),
                SatResult::Sat => {}
                SatResult::Unknown(failure) => return Err(failure),
            }
        }
        Ok(None)
    }

    /// The states after a step, around a model.
    fn after(&self, formula: Term, model: &mut Valuation<'_>) -> Result<Term, Failure> {
        let t = self.context.terms;
        let next = &self.system.next;
        let others = t.vars([formula]).into_iter().filter(|x| !next.contains(x));
        Ok(t.and(transition::cube(t, model, others, &[formula])?))
    }

    /// Adds the states after a step, around a model.
    fn add(&mut self, formula: Term, model: &mut Valuation<'_>) -> Result<(), Failure> {
        let (t, system) = (self.context.terms, self.system);
        let after = self.after(formula, model)?;
        let before = renamed(t, after, &system.next, &system.state);
        self.solver.assert(t.not(after));
        let from = t.fresh_var("from", Sort::BOOL);
        let one = t.or([before, self.from]);
        self.solver.assert(t.implies(from, one));
        self.from = from;
        self.cubes.push(before);
        Ok(())
    }

    fn solver(&self) -> Box<dyn Solver + 't> {
        let mut solver = self.context.backend.solver(self.context.terms, "closure");
        solver.set_limit(self.context.limit.clone());
        solver
    }
}

/// A formula about some variables, said of others.
pub(super) fn renamed(t: &Terms, formula: Term, from: &[Term], to: &[Term]) -> Term {
    t.substitute(formula, zip(from, to).map(|(&x, &y)| (x, y)))
}
