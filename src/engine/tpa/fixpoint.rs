//! Lemmas of a power that hold of paths of any length.
//!
//! Let `J(x, z)` be a conjunction of lemmas that hold where no step is taken. `J` holds of all
//! paths from initial states if one more step keeps it, and of all paths to bad states if one step
//! before them keeps it:
//!
//! ```text
//! from the start    Init(x) ∧ J(x, y) ∧ Tr(y, z) ⇒ J(x, z)      invariant:  ∃x. Init(x) ∧ J(x, z)
//! to the end        Tr(x, y) ∧ J(y, z) ∧ Bad(z) ⇒ J(x, z)       invariant: ¬∃z. J(x, z) ∧ Bad(z)
//! ```
//!
//! If `Init(x) ∧ J(x, z) ∧ Bad(z)` has no model then the system is safe.
//!
//! DIVERGENCE: \[BFHS22\] asks this of all lemmas of a power together. Here Houdini \[FL01\] finds
//! the greatest subset of the lemmas of all powers that is kept.

use super::certificate::exists;
use super::reach::Reachability;
use crate::engine::Context;
use crate::logic::{Valuation, inductive_subset};
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{Sort, Term};
use std::fmt::Arguments;

/// Which end of a path stays while a step is added at the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// It starts at an initial state.
    Start,
    /// It ends at a bad state.
    End,
}

/// A lemma in a solver.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Candidate {
    lemma: Term,
    /// Assumed where the shorter path satisfies it.
    kept: Term,
    /// The lemma, said of the shorter path.
    said: Term,
}

impl<'t> Reachability<'_, 't> {
    /// An inductive invariant of the system without bad states, if lemmas give one.
    ///
    /// # Errors
    /// A solver does not answer, or the limit is reached.
    pub(super) fn fixpoint(&self) -> Result<Option<Term>, Failure> {
        let (t, context, system) = (
            self.powers.context.terms,
            self.powers.context,
            self.powers.system,
        );
        for side in [Side::Start, Side::End] {
            let kept = self.kept(side)?;
            let said = [&[system.init, self.bad()], &kept[..]].concat();
            // Init(x) ∧ J(x, z) ∧ Bad(z)
            if !self.is_unsatisfiable(&said, format_args!("a bad path that lemmas allow"))? {
                continue;
            }
            log::debug!("{side:?}: {} lemmas hold of all paths", kept.len());
            return Ok(Some(match side {
                Side::Start => {
                    let known = exists(context, system.init, &kept, &system.next)?;
                    let back = std::iter::zip(&system.next, &system.state);
                    t.substitute(known, back.map(|(&z, &x)| (z, x)))
                }
                Side::End => t.not(exists(context, self.bad(), &kept, &system.state)?),
            }));
        }
        Ok(None)
    }

    /// *Bad* of the state at the end of a path.
    pub(super) fn bad(&self) -> Term {
        let (t, system) = (self.powers.context.terms, self.powers.system);
        let pairs = std::iter::zip(&system.state, &system.next);
        t.substitute(system.bad, pairs.map(|(&x, &z)| (x, z)))
    }

    /// The greatest set of lemmas that a step at the other end keeps.
    fn kept(&self, side: Side) -> Result<Vec<Term>, Failure> {
        let (powers, system) = (&self.powers, self.powers.system);
        match side {
            Side::Start => {
                let all = self.of_no_step(system.init)?;
                self.kept_after(all, system.init, powers.second(system.trans))
            }
            Side::End => {
                let (all, step) = (self.of_no_step(self.bad())?, powers.first(system.trans));
                self.kept_by(all, self.bad(), step, |lemma| powers.second(lemma))
            }
        }
    }

    /// The lemmas of all powers that hold where no step is taken, at this end of paths.
    fn of_no_step(&self, end: Term) -> Result<Vec<Term>, Failure> {
        let powers = &self.powers;
        self.kept_by(powers.all_lemmas(), end, powers.identity(), |_| Term::TRUE)
    }

    /// The greatest set of lemmas that hold of paths from this start if they do before this `step`,
    /// which is the second part of a path.
    pub(super) fn kept_after(
        &self,
        lemmas: Vec<Term>,
        start: Term,
        step: Term,
    ) -> Result<Vec<Term>, Failure> {
        self.kept_by(lemmas, start, step, |lemma| self.powers.first(lemma))
    }

    /// The greatest set of lemmas of paths with this end that a step at the other end keeps.
    /// `shorter` says a lemma of the path without that step.
    fn kept_by(
        &self,
        lemmas: Vec<Term>,
        end: Term,
        step: Term,
        shorter: impl Fn(Term) -> Term,
    ) -> Result<Vec<Term>, Failure> {
        let (t, powers) = (self.powers.context.terms, &self.powers);
        let mut solver = self.solver();
        solver.assert(end);
        solver.assert(step);
        let candidate = |&lemma: &Term| Candidate {
            lemma,
            kept: t.fresh_var("kept", Sort::BOOL),
            said: shorter(lemma),
        };
        let candidates: Vec<Candidate> = lemmas.iter().map(candidate).collect();
        for candidate in &candidates {
            solver.assert(t.implies(candidate.kept, candidate.said));
        }
        let kept = inductive_subset(candidates, |kept| {
            powers.context.limit.check()?;
            let fails = t.fresh_var("fails", Sort::BOOL);
            let failed = kept.iter().map(|candidate| t.not(candidate.lemma));
            solver.assert(t.implies(fails, t.or(failed)));
            let mut assumptions = vec![fails];
            assumptions.extend(kept.iter().map(|candidate| candidate.kept));
            // Init(x) ∧ J(x, y) ∧ Tr(y, z) ∧ ¬J(x, z)
            match solver.check(
                format_args!("a step that does not keep lemmas"),
                &assumptions,
            ) {
                SatResult::Unsat => return Ok(Vec::new()),
                SatResult::Unknown(failure) => return Err(failure),
                SatResult::Sat => {}
            }
            let vars = t.vars(kept.iter().map(|candidate| candidate.lemma));
            let values = solver.values(&vars)?;
            let mut model = Valuation::new(t, vars.into_iter().zip(values));
            let mut failing = kept.to_vec();
            failing.retain(|candidate| !model.holds(candidate.lemma));
            match failing.is_empty() {
                true => Err(Failure::Incomplete(
                    "the solver's model contradicts the query: all lemmas hold in it after the step \
                     that one of them must fail after; try another --solver"
                        .to_owned(),
                )),
                false => Ok(failing),
            }
        })?;
        Ok(kept.into_iter().map(|candidate| candidate.lemma).collect())
    }

    /// A new solver.
    pub(super) fn solver(&self) -> Box<dyn Solver + 't> {
        let context: &Context<'t> = self.powers.context;
        let mut solver = context.backend.solver(context.terms, "fixpoint");
        solver.set_limit(context.limit.clone());
        solver
    }

    /// Do formulas contradict each other?
    pub(super) fn is_unsatisfiable(
        &self,
        said: &[Term],
        about: Arguments<'_>,
    ) -> Result<bool, Failure> {
        let mut solver = self.solver();
        said.iter().for_each(|&formula| solver.assert(formula));
        match solver.check(about, &[]) {
            SatResult::Unsat => Ok(true),
            SatResult::Sat => Ok(false),
            SatResult::Unknown(failure) => Err(failure),
        }
    }
}
