//! The variables and formulas of a path: *Trans* from step to step.

use crate::term::{Substitution, Term, Terms};
use crate::transform::TransitionSystem;
use std::cell::RefCell;
use std::iter::zip;

/// The copies of a transition system's variables along a path. The state at step 0 has the
/// system's own variables, and the state at step 1 those of the next state.
pub(in crate::engine) struct Steps<'a, 't> {
    t: &'t Terms,
    system: &'a TransitionSystem,
    states: RefCell<Vec<Vec<Term>>>,
    /// *Trans* from each step to the next, as far as it was wanted.
    trans: RefCell<Vec<Term>>,
}

impl<'a, 't> Steps<'a, 't> {
    /// Paths of this system.
    pub(in crate::engine) fn new(t: &'t Terms, system: &'a TransitionSystem) -> Self {
        Steps {
            t,
            system,
            states: RefCell::new(vec![system.state.clone(), system.next.clone()]),
            trans: RefCell::new(vec![system.trans]),
        }
    }

    /// The variables of the state at a step.
    pub(in crate::engine) fn state(&self, step: usize) -> Vec<Term> {
        let mut states = self.states.borrow_mut();
        while states.len() <= step {
            let copies = self.copies(&self.system.state);
            states.push(copies);
        }
        states[step].clone()
    }

    /// A formula over the state variables, said of the state at a step.
    pub(in crate::engine) fn at(&self, formula: Term, step: usize) -> Term {
        self.renamed(formula, &self.system.state, &self.state(step))
    }

    /// A formula over the variables of the state at a step, said of the state at step 0.
    pub(in crate::engine) fn back(&self, formula: Term, step: usize) -> Term {
        self.renamed(formula, &self.state(step), &self.system.state)
    }

    /// *Trans* from a step to the next. The inputs of different steps are different variables.
    pub(in crate::engine) fn trans(&self, step: usize) -> Term {
        while self.trans.borrow().len() <= step {
            let step = self.trans.borrow().len();
            let (from, to) = (self.state(step), self.state(step + 1));
            let TransitionSystem { state, next, .. } = self.system;
            let states = zip(state, from).chain(zip(next, to));
            let formula = self.fresh_inputs(self.system.trans, states.map(|(&x, y)| (x, y)));
            self.trans.borrow_mut().push(formula);
        }
        self.trans.borrow()[step]
    }

    /// *Bad*, said of the state at a step. The inputs are new variables.
    pub(in crate::engine) fn bad(&self, step: usize) -> Term {
        let state = self.state(step);
        let states = zip(&self.system.state, state).map(|(&x, y)| (x, y));
        self.fresh_inputs(self.system.bad, states)
    }

    /// *Init*, said of the state at step 0.
    pub(in crate::engine) fn init(&self) -> Term {
        self.system.init
    }

    fn fresh_inputs(&self, formula: Term, states: impl Iterator<Item = (Term, Term)>) -> Term {
        let inputs = &self.system.inputs;
        let inputs = zip(inputs.iter().copied(), self.copies(inputs));
        Substitution::new(self.t, states.chain(inputs)).apply(formula)
    }

    fn copies(&self, vars: &[Term]) -> Vec<Term> {
        let copy = |&x: &Term| self.t.fresh_var("copy", self.t.sort_of(x));
        vars.iter().map(copy).collect()
    }

    fn renamed(&self, formula: Term, from: &[Term], to: &[Term]) -> Term {
        let pairs = zip(from.iter().copied(), to.iter().copied());
        self.t.substitute(formula, pairs)
    }
}
