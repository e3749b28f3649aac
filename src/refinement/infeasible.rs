//! Is a trace infeasible, and which of its conjuncts suffice?

use super::trace::Trace;
use crate::logic::mus::shrink;
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{Term, TermSet};
use crate::transform::Tools;

/// A conjunct of a trace: its node, and its position there.
pub(super) type Place = (usize, usize);

/// A solver that knows how the nodes of a trace are connected. Conjuncts are assumptions.
pub(super) struct Conjuncts<'a, 't> {
    trace: &'a Trace,
    solver: Box<dyn Solver + 't>,
}

impl<'a, 't> Conjuncts<'a, 't> {
    pub(super) fn new(tools: &Tools<'t>, trace: &'a Trace) -> Self {
        let t = tools.terms;
        let mut solver = tools.backend.solver(t, "counterexample");
        solver.set_purpose("refine");
        solver.set_limit(tools.limit.clone());
        for node in 0..trace.nodes.len() {
            let links = trace.links(t, node).into_iter();
            links.for_each(|link| solver.assert(link));
        }
        Conjuncts { trace, solver }
    }

    /// A core of these conjuncts; `None` if they can be true together.
    ///
    /// # Errors
    /// The solver does not decide it.
    pub(super) fn core(&mut self, places: &[Place]) -> Result<Option<Vec<Term>>, Failure> {
        let formulas = places.iter().map(|&place| self.formula(place));
        self.core_of(&formulas.collect::<Vec<Term>>())
    }

    /// The conjunct at a place.
    pub(super) fn formula(&self, (node, at): Place) -> Term {
        self.trace.nodes[node].conjuncts[at]
    }

    /// As [`Conjuncts::core`], of any formulas over the variables of the trace.
    ///
    /// # Errors
    /// The solver does not decide it.
    pub(super) fn core_of(&mut self, formulas: &[Term]) -> Result<Option<Vec<Term>>, Failure> {
        // ⋀ links ∧ ⋀ formulas
        match self
            .solver
            .check(format_args!("the counterexample is feasible"), formulas)
        {
            SatResult::Sat => Ok(None),
            SatResult::Unsat => Ok(Some(self.solver.core()?)),
            SatResult::Unknown(failure) => Err(failure),
        }
    }
}

/// The conjuncts of an infeasible core; `None` if the trace is feasible. The core is minimised by
/// deletion, with at most `attempts` further queries. A conjunct that occurs twice in a node
/// belongs to the core twice.
///
/// # Errors
/// A solver does not answer.
pub(super) fn infeasible_core(
    tools: &Tools<'_>,
    trace: &Trace,
    attempts: u32,
) -> Result<Option<TermSet>, Failure> {
    let mut solver = Conjuncts::new(tools, trace);
    let formulas = trace.nodes.iter().flat_map(|node| &node.conjuncts);
    let Some(core) = solver.core_of(&formulas.copied().collect::<Vec<Term>>())? else {
        return Ok(None);
    };
    let core = shrink(core, attempts, |rest| solver.core_of(rest))?;
    Ok(Some(core.into_iter().collect()))
}
