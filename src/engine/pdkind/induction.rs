//! Queries about paths of `k` steps whose states are in the induction frame, but for the last one.
//!
//! ```text
//! T[F]^k(s₀, sₖ):   F(s₀) ∧ Trans(s₀, s₁) ∧ F(s₁) ∧ … ∧ F(sₖ₋₁) ∧ Trans(sₖ₋₁, sₖ)
//! ```
//!
//! One solver has the steps. A lemma has one activation literal for all states, and so has the
//! frame, which grows while it is the same:
//!
//! ```text
//! lemma ⇒ L(sᵢ)      for each lemma L and step i < k
//! frame ⇒ lemma      for each lemma of the frame
//! ```

use super::super::transition::Steps;
use super::reach::generalize;
use crate::engine::Context;
use crate::logic::Valuation;
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::{Sort, Term};
use rustc_hash::FxHashMap;
use std::iter::zip;

/// A lemma of the induction frame: its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LemmaId(u32);

struct Lemma {
    formula: Term,
    /// The activation literal.
    on: Term,
}

/// The paths, and the lemmas that frames are made of.
pub(super) struct Induction<'a, 't> {
    context: &'a Context<'t>,
    steps: &'a Steps<'a, 't>,
    solver: Box<dyn Solver + 't>,
    lemmas: Vec<Lemma>,
    numbers: FxHashMap<Term, usize>,
    /// The activation literal of the frame.
    frame: Term,
    /// The number of steps of the paths.
    k: usize,
    /// The variables of the paths.
    vars: Vec<Term>,
}

/// A path in the model of a query.
pub(super) struct Path<'t> {
    model: Valuation<'t>,
    /// What holds of its last state.
    target: Vec<Term>,
}

impl<'a, 't> Induction<'a, 't> {
    pub(super) fn new(context: &'a Context<'t>, steps: &'a Steps<'a, 't>) -> Self {
        let mut solver = context.backend.solver(context.terms, "pdkind induction");
        solver.set_limit(context.limit.clone());
        Induction {
            context,
            steps,
            solver,
            lemmas: Vec::new(),
            numbers: FxHashMap::default(),
            frame: context.terms.fresh_var("frame", Sort::BOOL),
            k: 0,
            vars: steps.state(0),
        }
    }

    /// From now on queries have this limit.
    pub(super) fn set_limit(&mut self, limit: Limit) {
        self.solver.set_limit(limit);
    }

    /// From now on paths have `k` steps, no fewer than before.
    pub(super) fn set_length(&mut self, k: u32) {
        debug_assert!(self.k <= k as usize, "paths do not become shorter");
        while self.k < k as usize {
            let trans = self.steps.trans(self.k);
            self.solver.assert(trans);
            for lemma in 0..self.lemmas.len() {
                self.assert(lemma, self.k);
            }
            self.k += 1;
            let mut vars = self.vars.clone();
            vars.extend(self.steps.state(self.k));
            vars.push(trans);
            self.vars = self.context.terms.vars(vars);
        }
    }

    /// Adds a formula over states as a lemma that frames may have. Equal formulas are one lemma.
    pub(super) fn add(&mut self, formula: Term) -> LemmaId {
        let number = match self.numbers.get(&formula) {
            Some(&number) => number,
            None => {
                let (on, number) = (self.fresh("lemma"), self.lemmas.len());
                self.lemmas.push(Lemma { formula, on });
                self.numbers.insert(formula, number);
                debug_assert_eq!(
                    self.numbers.len(),
                    self.lemmas.len(),
                    "a formula is one lemma"
                );
                (0..self.k).for_each(|step| self.assert(number, step));
                number
            }
        };
        LemmaId(u32::try_from(number).expect("lemmas are bounded by the work for them"))
    }

    /// Begins a frame without lemmas.
    pub(super) fn begin_frame(&mut self) {
        self.frame = self.fresh("frame");
    }

    /// Adds a lemma to the frame.
    pub(super) fn extend_frame(&mut self, lemma: LemmaId) {
        let on = self.lemmas[lemma.0 as usize].on;
        let holds = self.context.terms.implies(self.frame, on);
        self.solver.assert(holds);
    }

    fn fresh(&self, name: &str) -> Term {
        self.context.terms.fresh_var(name, Sort::BOOL)
    }

    /// The formula of a lemma.
    pub(super) fn formula(&self, lemma: LemmaId) -> Term {
        self.lemmas[lemma.0 as usize].formula
    }

    fn assert(&mut self, lemma: usize, step: usize) {
        let Lemma { formula, on } = self.lemmas[lemma];
        let said = self.steps.at(formula, step);
        self.solver.assert(self.context.terms.implies(on, said));
    }

    /// A path of `k` steps through states of the frame to a state in which `target` holds, if there
    /// is one: `T[F]^k ∧ target(sₖ)`.
    ///
    /// # Errors
    /// The solver does not answer.
    pub(super) fn path(
        &mut self,
        target: &[Term],
        purpose: &'static str,
    ) -> Result<Option<Path<'t>>, Failure> {
        let t = self.context.terms;
        let target = target.iter().map(|&f| self.steps.at(f, self.k));
        let target: Vec<Term> = target.collect();
        let assumptions = [&[self.frame], &target[..]].concat();
        self.solver.set_purpose(purpose);
        // T[F]^k(s₀, sₖ) ∧ target(sₖ)
        let about = format_args!("is there a path of {} steps in the frame", self.k);
        match self.solver.check(about, &assumptions) {
            SatResult::Unknown(failure) => Err(failure),
            SatResult::Unsat => Ok(None),
            SatResult::Sat => {
                let values = self.solver.values(&self.vars)?;
                let model = Valuation::new(t, zip(self.vars.iter().copied(), values));
                Ok(Some(Path { model, target }))
            }
        }
    }

    /// GENERALIZE: a cube of first states that have a path of `k` steps to a state where the target
    /// of this one holds.
    ///
    /// # Errors
    /// The solver's model is none.
    pub(super) fn first_states(&self, path: &mut Path<'t>) -> Result<Vec<Term>, Failure> {
        let trans = (0..self.k).map(|step| self.steps.trans(step));
        let formulas = trans.chain(path.target.iter().copied()).collect();
        generalize(self.context.terms, self.steps, &mut path.model, formulas)
    }
}
