//! What is tested: a back end, and what it can do beyond the contract of `smt::Solver`.

use horn::logic::interpolate::Interpolation;
use horn::smt::{
    Backend, InterpolationOptions, InterpolationSource, Limit, NoInterpolants, Solver,
};
use horn::term::{Term, Terms};
use std::time::Duration;

/// A kind of solvers under test.
pub(crate) trait Subject {
    /// A new solver without assertions.
    fn solver<'t>(&self, t: &'t Terms) -> Box<dyn Tested + 't>;

    /// Interpolants between contradictory parts, one fewer than these. `None` where the solver
    /// gives none.
    fn interpolants(&self, _t: &Terms, _parts: &[Vec<Term>]) -> Option<Result<Vec<Term>, String>> {
        None
    }
}

/// What became of a proof in the Alethe format.
pub(crate) enum Text {
    /// It was not asked for.
    Unasked,
    /// `scripts/check-alethe` accepts it.
    Accepted,
    /// There is none, for this reason.
    Missing(String),
}

/// A solver under test.
pub(crate) trait Tested {
    /// The solver.
    fn solver(&mut self) -> &mut dyn Solver;

    /// After `Unsat`: does the solver's proof derive a contradiction from these assertions and
    /// assumptions? If so, what became of it as a text. `None` where the solver gives no proofs.
    fn check_proof(
        &mut self,
        _assertions: &[Term],
        _assumptions: &[Term],
    ) -> Option<Result<Text, String>> {
        None
    }
}

/// A solver about which nothing more is known than the contract.
struct PlainSolver<'t>(Box<dyn Solver + 't>);

impl Tested for PlainSolver<'_> {
    fn solver(&mut self) -> &mut dyn Solver {
        &mut *self.0
    }
}

/// The solvers of a back end, without proofs. Interpolants come from the external program.
pub(crate) struct Plain(pub(crate) Backend);

/// Interpolation may take so long.
const TIME: Duration = Duration::from_secs(2);

/// Interpolants between parts that the oracle has confirmed to be contradictory.
pub(crate) fn interpolants(
    t: &Terms,
    backend: &Backend,
    options: InterpolationOptions,
    parts: &[Vec<Term>],
) -> Result<Vec<Term>, String> {
    let interpolation = Interpolation {
        terms: t,
        backend,
        limit: Limit::none().within(TIME),
        name: "fuzz",
        options,
    };
    match interpolation.sequence_interpolants(parts) {
        Ok(found) => Ok(found),
        Err(NoInterpolants::Satisfiable) => Ok(Vec::new()),
        Err(why) => Err(why.to_string()),
    }
}

impl Subject for Plain {
    fn solver<'t>(&self, t: &'t Terms) -> Box<dyn Tested + 't> {
        Box::new(PlainSolver(self.0.solver(t, "fuzz")))
    }

    fn interpolants(&self, t: &Terms, parts: &[Vec<Term>]) -> Option<Result<Vec<Term>, String>> {
        let options = InterpolationOptions {
            source: InterpolationSource::External,
            ..InterpolationOptions::default()
        };
        Some(interpolants(t, &self.0, options, parts))
    }
}
