//! Interpolation-based model checking \[McM03\]: interpolants over-approximate the states that are
//! reachable, and are computed from refutations of bounded paths.
//!
//! ```text
//! IMC:
//!   for k = 0, 1, 2, …:
//!     B(s) := Bad(s) ∨ ∃s'. Trans(s, s') ∧ (Bad(s') ∨ …)        -- bad within k steps
//!     if Init ∧ B is satisfiable:              return Unsafe(k)
//!     P := R := interpolant of Init and B
//!     while P ∧ Trans ∧ B' is unsatisfiable:
//!       P := interpolant of P ∧ Trans and B', said of s
//!       if P ⇒ R:                              return Safe(R)
//!       R := R ∨ P
//! ```
//!
//! `R` contains the initial states. When `P ⇒ R`, the successors of all states of `R` are in `R`,
//! and no state of `R` is bad, because each interpolant contradicts `B`.
//!
//! DIVERGENCE: the paper begins with `R = Init`. Here *Init* has inputs, so `R` begins with an
//! interpolant of *Init*, which is a formula over states. The paper computes the image of `R`; here
//! it is that of the last interpolant, because the images of the others are in `R` already. The
//! paper demands that every state has a successor; here paths may end.
//!
//! With the option `sequences` the interpolants of one refutation of a path are taken for all of
//! its steps \[VG09\]: `Fⱼ` is the conjunction of the `j`-th interpolants of all sequences. The
//! search ends when `Fⱼ ⇒ F₀ ∨ … ∨ Fⱼ₋₁`.

use super::option::{UNLIMITED, declare_options};
use super::transition::{Interpolants, Steps, Verdict, decide, report};
use super::{Context, Progress, transition};
use crate::chc::{Answer, System, UnknownReason};
use crate::smt::Strength;
use crate::term::{Term, Terms};

declare_options! {
    /// Options of interpolation-based model checking.
    pub struct Options {
        /// Give up beyond this number of steps between an interpolant and a bad state.
        max_depth: u32 = UNLIMITED, from "McM03";
        /// Take interpolants for all steps of a path from one refutation.
        sequences: bool = false, from "VG09";
        /// Which of a proof's interpolants are used.
        interpolants: Strength = Strength::Strong, from "McM05";
    }
}

/// Is the system linear?
pub fn suits(t: &Terms, system: &System) -> bool {
    transition::suits(t, system)
}

/// Decides a linear system by interpolants of bounded paths.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    decide(system, context, |system, context| {
        let steps = Steps::new(context.terms, system);
        let interpolants = Interpolants::new(context, &steps, "imc", options.interpolants);
        let mut search = Search {
            context,
            steps: &steps,
            interpolants,
            frames: Vec::new(),
        };
        for k in 0..=options.max_depth {
            context.limit.check()?;
            search.report(k);
            let found = match options.sequences {
                false => search.approximate(k)?,
                true => search.approximate_by_sequence(k)?,
            };
            if let Some(verdict) = found {
                return Ok(verdict);
            }
        }
        let why = "the limit on the length of paths (option max-depth) is reached";
        Err(UnknownReason::Incomplete(why.to_owned()))
    })
}

/// A run of the engine.
struct Search<'a, 't> {
    context: &'a Context<'t>,
    steps: &'a Steps<'a, 't>,
    interpolants: Interpolants<'a, 't>,
    /// The formulas `F₀, F₁, …` of the search by sequences.
    frames: Vec<Term>,
}

impl Search<'_, '_> {
    /// The loop of the paper for paths of at most `k` steps.
    fn approximate(&mut self, k: u32) -> Result<Option<Verdict>, UnknownReason> {
        let (t, init) = (self.context.terms, self.interpolants.init()?);
        let bad = self.interpolants.add(self.bad_within(0, k))?;
        // Init ∧ B
        let about = format_args!("is a bad state {k} steps from an initial one");
        let Some(mut p) = self.interpolants.between(&[init], &[bad], 0, about)? else {
            return Ok(Some(Verdict::Unsafe(k)));
        };
        let mut r = p;
        let trans = self.interpolants.trans(0)?;
        let bad = self.interpolants.add(self.bad_within(1, k))?;
        loop {
            self.context.limit.check()?;
            let from = self.interpolants.add(p)?;
            // P ∧ Trans ∧ B'
            let about = format_args!("is a bad state {k} steps behind the image");
            let Some(next) = (self.interpolants).between(&[from, trans], &[bad], 1, about)? else {
                return Ok(None);
            };
            p = next;
            if self.interpolants.implies(p, r)? {
                return Ok(Some(Verdict::Safe(r)));
            }
            r = t.or([r, p]);
        }
    }

    /// The paths of exactly `k` steps; shorter ones do not lead to a bad state.
    fn approximate_by_sequence(&mut self, k: u32) -> Result<Option<Verdict>, UnknownReason> {
        let (t, steps) = (self.context.terms, k as usize);
        let mut nodes = vec![vec![self.interpolants.init()?]];
        for step in 0..steps {
            nodes.push(vec![self.interpolants.trans(step)?]);
        }
        nodes.push(vec![self.interpolants.add(self.steps.bad(steps))?]);
        // Init(s₀) ∧ Trans(s₀, s₁) ∧ … ∧ Trans(sₖ₋₁, sₖ) ∧ Bad(sₖ)
        let about = format_args!("is there a path of {k} steps to a bad state");
        let Some(sequence) = self.interpolants.sequence(&nodes, 0, about)? else {
            return Ok(Some(Verdict::Unsafe(k)));
        };
        debug_assert_eq!(
            sequence.len(),
            steps + 1,
            "there is an interpolant behind each part"
        );
        debug_assert!(self.frames.len() <= sequence.len(), "paths become longer");
        self.frames.resize(sequence.len(), Term::TRUE);
        for (frame, interpolant) in self.frames.iter_mut().zip(sequence) {
            *frame = t.and([*frame, interpolant]);
        }
        let closed = self.interpolants.fixpoint(&self.frames)?;
        Ok(closed.map(Verdict::Safe))
    }

    /// That the state at this step leads to a bad one in at most `k` steps.
    fn bad_within(&self, step: usize, k: u32) -> Term {
        let t = self.context.terms;
        let last = step + k as usize;
        (step..last).rev().fold(self.steps.bad(last), |bad, step| {
            t.or([self.steps.bad(step), t.and([self.steps.trans(step), bad])])
        })
    }

    fn report(&self, k: u32) {
        let progress = Progress {
            depth: k,
            lemmas: self.interpolants.found,
            ..Progress::default()
        };
        report(self.context, "imc", k, progress);
    }
}
