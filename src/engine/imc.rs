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
use super::transition::{Steps, Verdict, decide, report};
use super::{Context, Progress, transition};
use crate::chc::{Answer, System, UnknownReason};
use crate::logic::interpolate::{Interpolation, Partitioned};
use crate::smt::{
    Failure, InterpolationOptions, InterpolationSource, NoInterpolants, Outcome, PartId, PartTree,
    Strength,
};
use crate::term::{Term, Terms};
use crate::transform::TransitionSystem;

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
        let mut search = Search::new(system, options, context);
        for k in 0..=options.max_depth {
            context.limit.check()?;
            report(context, "imc", k, search.progress(k));
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
    steps: Steps<'a, 't>,
    problem: Partitioned<'a, 't>,
    /// *Init*, and *Trans* from each step to the next, as parts of the problem.
    init: Option<PartId>,
    trans: Vec<PartId>,
    /// The formulas `F₀, F₁, …` of the search by sequences.
    frames: Vec<Term>,
    /// The number of interpolants so far.
    found: usize,
}

impl<'a, 't> Search<'a, 't> {
    fn new(system: &'a TransitionSystem, options: &Options, context: &'a Context<'t>) -> Self {
        let interpolation = Interpolation {
            terms: context.terms,
            backend: context.backend,
            limit: context.limit.clone(),
            name: "imc interpolants",
            options: InterpolationOptions {
                source: InterpolationSource::Both,
                strength: options.interpolants,
                ..InterpolationOptions::default()
            },
        };
        Search {
            context,
            steps: Steps::new(context.terms, system),
            problem: interpolation.problem(),
            init: None,
            trans: Vec::new(),
            frames: Vec::new(),
            found: 0,
        }
    }

    fn progress(&self, k: u32) -> Progress {
        Progress {
            depth: k,
            lemmas: self.found,
            ..Progress::default()
        }
    }

    /// The loop of the paper for paths of `k` steps.
    fn approximate(&mut self, k: u32) -> Result<Option<Verdict>, UnknownReason> {
        let (t, init) = (self.context.terms, self.init()?);
        let bad = self.problem.add(&[self.bad_within(0, k)])?;
        // Init ∧ B
        let Some(mut p) = self.interpolant(&[init], bad, 0)? else {
            return Ok(Some(Verdict::Unsafe(k)));
        };
        let mut r = p;
        let trans = self.trans(0)?;
        let bad = self.problem.add(&[self.bad_within(1, k)])?;
        loop {
            self.context.limit.check()?;
            let from = self.problem.add(&[p])?;
            // P ∧ Trans ∧ B'
            let Some(next) = self.interpolant(&[from, trans], bad, 1)? else {
                return Ok(None);
            };
            p = next;
            if self.implies(p, r)? {
                return Ok(Some(Verdict::Safe(r)));
            }
            r = t.or([r, p]);
        }
    }

    /// The paths of exactly `k` steps; shorter ones do not lead to a bad state.
    fn approximate_by_sequence(&mut self, k: u32) -> Result<Option<Verdict>, UnknownReason> {
        let t = self.context.terms;
        let k = k as usize;
        let mut nodes = vec![vec![self.init()?]];
        for step in 0..k {
            nodes.push(vec![self.trans(step)?]);
        }
        nodes.push(vec![self.problem.add(&[self.steps.bad(k)])?]);
        let about = format_args!("is there a path of {k} steps to a bad state");
        let tree = PartTree::path(nodes.len());
        let Some(sequence) = unsatisfiable(self.problem.interpolants(about, &tree, &nodes))? else {
            let k = u32::try_from(k).expect("the number of a step");
            return Ok(Some(Verdict::Unsafe(k)));
        };
        self.found += sequence.len();
        for (step, interpolant) in sequence.into_iter().enumerate() {
            let interpolant = self.steps.back(interpolant, step);
            match self.frames.get_mut(step) {
                Some(frame) => *frame = t.and([*frame, interpolant]),
                None => self.frames.push(interpolant),
            }
        }
        for j in 1..self.frames.len() {
            let before = t.or(self.frames[..j].iter().copied());
            if self.implies(self.frames[j], before)? {
                return Ok(Some(Verdict::Safe(before)));
            }
        }
        Ok(None)
    }

    /// *Init* as a part of the problem.
    fn init(&mut self) -> Result<PartId, Failure> {
        let part = match self.init {
            Some(part) => part,
            None => self.problem.add(&[self.steps.init()])?,
        };
        Ok(*self.init.insert(part))
    }

    /// *Trans* from a step to the next as a part of the problem.
    fn trans(&mut self, step: usize) -> Result<PartId, Failure> {
        while self.trans.len() <= step {
            let formula = self.steps.trans(self.trans.len());
            self.trans.push(self.problem.add(&[formula])?);
        }
        Ok(self.trans[step])
    }

    /// That the state at this step leads to a bad one in at most `k` steps.
    fn bad_within(&self, step: usize, k: u32) -> Term {
        let t = self.context.terms;
        let last = step + k as usize;
        (step..last).rev().fold(self.steps.bad(last), |bad, step| {
            t.or([self.steps.bad(step), t.and([self.steps.trans(step), bad])])
        })
    }

    /// An interpolant of `a` and `b`, which share the state at this step, said of the state at step
    /// 0; `None` if they do not contradict each other.
    fn interpolant(
        &mut self,
        a: &[PartId],
        b: PartId,
        step: usize,
    ) -> Result<Option<Term>, UnknownReason> {
        let about = format_args!("can the states lead to a bad state");
        let nodes = [a.to_vec(), vec![b]];
        let found = self.problem.interpolants(about, &PartTree::path(2), &nodes);
        self.found += 1;
        Ok(unsatisfiable(found)?.map(|found| self.steps.back(found[0], step)))
    }

    /// Does a formula over states imply another?
    fn implies(&self, a: Term, b: Term) -> Result<bool, Failure> {
        let t = self.context.terms;
        let mut solver = self.context.backend.solver(t, "imc fixpoint");
        solver.set_limit(self.context.limit.clone());
        solver.assert(t.and([a, t.not(b)]));
        match solver.check(format_args!("is a state of P not in R"), &[]) {
            Outcome::Sat => Ok(false),
            Outcome::Unsat => Ok(true),
            Outcome::Unknown(failure) => Err(failure),
        }
    }
}

/// The interpolants; `None` if the parts do not contradict each other.
fn unsatisfiable(
    found: Result<Vec<Term>, NoInterpolants>,
) -> Result<Option<Vec<Term>>, UnknownReason> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(NoInterpolants::Satisfiable) => Ok(None),
        Err(NoInterpolants::Unknown(failure)) => Err(failure.into()),
        Err(why @ NoInterpolants::Mixed) => Err(UnknownReason::Incomplete(why.to_string())),
    }
}
