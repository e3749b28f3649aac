//! The embedded core as the solver under test, with its proofs, interpolants and weakened cubes.

use super::subject::{Subject, Tested, interpolants};
use horn::smt::native::{Budget, NativeOptions, NativeSolver, check};
use horn::smt::{Backend, InterpolationOptions, Solver, Strength};
use horn::term::{Term, Terms};

/// The core in one way of working.
pub(crate) struct Native {
    options: NativeOptions,
    interpolation: InterpolationOptions,
}

impl Native {
    /// All ways: what is kept for proofs changes what is done.
    pub(crate) fn ways() -> Vec<Box<dyn Subject>> {
        let way = |proofs, weaken, strength, decompose| -> Box<dyn Subject> {
            let budget = Budget::default();
            Box::new(Native {
                options: NativeOptions {
                    proofs,
                    weaken,
                    budget,
                },
                interpolation: InterpolationOptions {
                    strength,
                    decompose,
                    budget,
                    ..InterpolationOptions::default()
                },
            })
        };
        vec![
            way(false, false, Strength::Strong, false),
            way(false, true, Strength::Weak, false),
            way(true, false, Strength::Strong, true),
            way(false, false, Strength::Weak, true),
        ]
    }
}

impl Subject for Native {
    fn solver<'t>(&self, t: &'t Terms) -> Box<dyn Tested + 't> {
        Box::new(Embedded {
            t,
            solver: NativeSolver::new(t, &self.options),
        })
    }

    fn interpolants(&self, t: &Terms, parts: &[Vec<Term>]) -> Option<Result<Vec<Term>, String>> {
        let backend = Backend::native(NativeOptions::default());
        Some(interpolants(t, &backend, self.interpolation, parts))
    }
}

struct Embedded<'t> {
    t: &'t Terms,
    solver: NativeSolver<'t>,
}

impl Tested for Embedded<'_> {
    fn solver(&mut self) -> &mut dyn Solver {
        &mut self.solver
    }

    fn check_proof(
        &mut self,
        assertions: &[Term],
        assumptions: &[Term],
    ) -> Option<Result<(), String>> {
        let proof = self.solver.proof()?;
        let checked = check::check(self.t, assertions, assumptions, &proof);
        Some(checked.map_err(|error| format!("{error}, of\n{}", proof.text(self.t))))
    }
}
