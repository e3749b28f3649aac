//! Interpolants as conjunctions of clauses.
//!
//! An interpolant from a proof is as deep and as large as the proof, and often says the same thing
//! several times. A checker has to decide all of it again. Clauses suffice for the steps of the
//! path, and they are checked one by one:
//!
//! ```text
//! CLAUSES(P₁ … Pₙ, I₁ … Iₙ₋₁):      -- Iₖ₋₁ ∧ Pₖ ⇒ Iₖ, and Iₙ₋₁ ∧ Pₙ is unsatisfiable
//!   C₁ … Cₙ₋₁ := true
//!   while Cₙ₋₁ ∧ Pₙ has a model:
//!     BLOCK(n - 1, literals true in it that contradict Iₙ₋₁)
//!   return C₁ … Cₙ₋₁               -- interpolants as well
//!
//! BLOCK(k, c):                      -- c ⇒ ¬Iₖ
//!   while Cₖ₋₁ ∧ Pₖ ∧ c has a model:
//!     BLOCK(k - 1, literals true in it that contradict Iₖ₋₁)
//!   Cₖ := Cₖ ∧ ¬(those literals of c that contradict Cₖ₋₁ ∧ Pₖ)
//! ```
//!
//! This is IC3 \[Bra11\] along one path. DIVERGENCE: the interpolants take the place of projected
//! models: a model contradicts `Iₖ₋₁` because it satisfies `Pₖ` and contradicts `Iₖ`.

use crate::engine::Context;
use crate::logic::mus::shrink;
use crate::logic::{Valuation, implicant};
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::Term;

/// After 1000 queries the interpolants stay as they are. The number of queries is a budget here and
/// no statistic, which the ledger has.
///
/// Tried: on a task of CHC-COMP 2025, clauses within this limit shorten the model from 2879 terms
/// to 188, and its check from 0.8 s to 0.2 s.
const MOST_QUESTIONS: usize = 1_000;

/// Interpolants between the `parts` that are conjunctions of clauses over atoms of the given
/// interpolants. `None` if that takes too many queries or more than `limit`, or if a solver fails.
///
/// # Errors
/// The run's limit is reached.
pub(super) fn clausal(
    context: &Context<'_>,
    limit: &Limit,
    parts: &[Vec<Term>],
    interpolants: &[Term],
) -> Result<Option<Vec<Term>>, Failure> {
    let t = context.terms;
    let solver = |part: &Vec<Term>| {
        let mut solver = context.backend.solver(t, "kind clauses");
        solver.set_purpose("clauses");
        solver.set_limit(limit.clone());
        for &formula in part {
            solver.assert(formula);
        }
        solver
    };
    let mut path = Path {
        context,
        variables: interpolants.iter().map(|&i| t.vars([i])).collect(),
        interpolants,
        solvers: parts.iter().map(solver).collect(),
        clauses: vec![Vec::new(); interpolants.len()],
        questions: 0,
    };
    match path.run() {
        Ok(()) => Ok(Some(
            path.clauses.into_iter().map(|said| t.and(said)).collect(),
        )),
        // The given interpolants are used if the solvers fail to make better ones.
        Err(failure) => {
            log::debug!("no clauses for interpolants: {failure}");
            context.limit.check().map(|()| None)
        }
    }
}

struct Path<'a, 't> {
    context: &'a Context<'t>,
    /// The interpolant after part `i + 1` is at index `i`; all vectors that follow have the same
    /// indices, except for the solvers.
    interpolants: &'a [Term],
    variables: Vec<Vec<Term>>,
    clauses: Vec<Vec<Term>>,
    /// For each part a solver with the part and the clauses before it.
    solvers: Vec<Box<dyn Solver + 't>>,
    questions: usize,
}

impl Path<'_, '_> {
    fn run(&mut self) -> Result<(), Failure> {
        let last = self.interpolants.len();
        while !self.contradicts(last, &[])? {
            // The cubes to block; the one nearest to the start is last.
            let mut obligations = vec![self.cube(last)?];
            while let Some(cube) = obligations.last() {
                let place = last - obligations.len();
                if self.contradicts(place, cube)? {
                    let cube = self.minimal(place)?;
                    let t = self.context.terms;
                    let clause = t.or(cube.into_iter().map(|literal| t.not(literal)));
                    self.clauses[place].push(clause);
                    self.solvers[place + 1].assert(clause);
                    obligations.pop();
                } else if place == 0 {
                    return Err(incomplete("the first part does not imply its interpolant"));
                } else {
                    obligations.push(self.cube(place)?);
                }
            }
        }
        Ok(())
    }

    /// Does the cube contradict this part and the clauses before it?
    fn contradicts(&mut self, part: usize, cube: &[Term]) -> Result<bool, Failure> {
        self.questions += 1;
        if self.questions > MOST_QUESTIONS {
            return Err(incomplete("the limit on queries is reached"));
        }
        // Cₖ₋₁ ∧ Pₖ ∧ c for k = part + 1
        let about = format_args!("does a cube contradict part {part}");
        match self.solvers[part].check(about, cube) {
            SatResult::Unsat => Ok(true),
            SatResult::Sat => Ok(false),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// Literals that contradict the interpolant before this part and are true in its solver's
    /// model.
    fn cube(&mut self, part: usize) -> Result<Vec<Term>, Failure> {
        let t = self.context.terms;
        let before = part - 1;
        let variables = &self.variables[before];
        let values = self.solvers[part].values(variables)?;
        let mut valuation = Valuation::new(t, variables.iter().copied().zip(values));
        let contradiction = t.not(self.interpolants[before]);
        if !valuation.holds(contradiction) {
            return Err(incomplete("an interpolant does not imply the next one"));
        }
        let cube = implicant(t, &mut valuation, [contradiction]);
        match cube.auxiliaries.is_empty() {
            true => Ok(cube.literals),
            false => Err(incomplete("an interpolant has an integer division")),
        }
    }

    /// A minimal part of the cube that was just found to contradict this part of the path.
    fn minimal(&mut self, part: usize) -> Result<Vec<Term>, Failure> {
        let core = self.solvers[part].core()?;
        shrink(core, u32::MAX, |rest| {
            let contradicts = self.contradicts(part, rest)?;
            contradicts.then(|| self.solvers[part].core()).transpose()
        })
    }
}

fn incomplete(why: &str) -> Failure {
    Failure::Incomplete(why.to_owned())
}
