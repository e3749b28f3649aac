//! Intertwined forward and backward reachability by interpolants \[VGS13\] (DAR: dual approximated
//! reachability).
//!
//! `Fⱼ` contains the states that are reachable in `j` steps, and `Bⱼ` those from which a bad state
//! is reachable in `j` steps:
//!
//! ```text
//! Init ⇒ F₀,  Fⱼ ∧ Trans ⇒ Fⱼ₊₁'        Bad ⇒ B₀,  Trans ∧ Bⱼ' ⇒ Bⱼ₊₁
//! ```
//!
//! After round `n`, `Fᵢ ∧ Bⱼ` is unsatisfiable for `i + j ≤ n`: no path of `n` steps is bad.
//!
//! ```text
//! DAR:
//!   if Init ∧ Bad is satisfiable:  return Unsafe(0)
//!   for n = 0, 1, 2, …:
//!     if neither LOCAL(n) nor GLOBAL(n):    return Unsafe(n + 1)
//!     if Fⱼ ⇒ F₀ ∨ … ∨ Fⱼ₋₁ for some j:     return Safe(F₀ ∨ … ∨ Fⱼ₋₁)
//!     if Bⱼ ⇒ B₀ ∨ … ∨ Bⱼ₋₁ for some j:     return Safe(¬(B₀ ∨ … ∨ Bⱼ₋₁))
//!
//! LOCAL(n):      -- a place where the two sequences do not meet
//!   if Fⱼ ∧ Trans ∧ Bₙ₋ⱼ' is unsatisfiable for some j:  ITERATE(n, j)
//!
//! GLOBAL(n):     -- the same with more and more steps from the initial states
//!   if Init ∧ Trans^i ∧ Bₙ₊₁₋ᵢ is unsatisfiable for some i:
//!     strengthen F₀ … Fᵢ by the sequence of its interpolants
//!     ITERATE(n, i - 1)
//!
//! ITERATE(n, j): -- strengthens both sequences from place j on
//!   for i = j, …, n:   Fᵢ₊₁ := Fᵢ₊₁ ∧ interpolant of Fᵢ ∧ Trans and Bₙ₋ᵢ'
//!   for i = j, …, 0:   Bₙ₋ᵢ₊₁ := Bₙ₋ᵢ₊₁ ∧ interpolant of Trans ∧ Bₙ₋ᵢ' and Fᵢ
//! ```
//!
//! Each query of `ITERATE` is unsatisfiable, because the one before has made its sides disjoint.
//!
//! DIVERGENCE: in the paper `F₀` is *Init*. Here *Init* has inputs, so `F₀` is a conjunction of
//! interpolants of *Init*, and `GLOBAL` strengthens it too.

use super::option::{UNLIMITED, declare_options};
use super::transition::{Interpolants, Steps, Verdict, decide, report};
use super::{Context, Progress, transition};
use crate::chc::{Answer, System, UnknownReason};
use crate::smt::{Failure, PartId, Strength};
use crate::term::{Term, Terms};

declare_options! {
    /// Options of intertwined forward and backward reachability.
    pub struct Options {
        /// Give up beyond this number of steps.
        max_depth: u32 = UNLIMITED, from "VGS13";
        /// Which of a proof's interpolants are used.
        interpolants: Strength = Strength::Strong, from "McM05";
    }
}

/// Is the system linear?
pub fn suits(t: &Terms, system: &System) -> bool {
    transition::suits(t, system)
}

/// Decides a linear system by two sequences of interpolants.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    decide(system, context, |system, context| {
        let t = context.terms;
        let bad = transition::bad_states(system, context)?;
        let bad = t.or(bad.into_iter().map(|cube| t.and(cube)));
        let steps = Steps::new(context.terms, system);
        let mut search = Search {
            context,
            steps: &steps,
            interpolants: Interpolants::new(context, &steps, "dar", options.interpolants),
            forward: Sequence::new(0),
            backward: Sequence::new(1),
        };
        search.run(bad, options)
    })
}

/// One of the two sequences.
struct Sequence {
    /// The step of the states that queries are about.
    step: usize,
    /// The formulas over states.
    formulas: Vec<Term>,
    /// Their conjuncts as parts of interpolation problems.
    parts: Vec<Vec<PartId>>,
}

impl Sequence {
    fn new(step: usize) -> Self {
        Sequence {
            step,
            formulas: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Adds a conjunct to the formula of this number. The sequence is made longer where it ends
    /// before it.
    fn strengthen(
        &mut self,
        number: usize,
        by: Term,
        search: (&Terms, &Steps<'_, '_>, &mut Interpolants<'_, '_>),
    ) -> Result<(), Failure> {
        let (t, steps, interpolants) = search;
        if self.formulas.len() <= number {
            self.formulas.resize(number + 1, Term::TRUE);
            self.parts.resize(number + 1, Vec::new());
        }
        let formula = t.and([self.formulas[number], by]);
        if formula != self.formulas[number] {
            self.formulas[number] = formula;
            let part = interpolants.add(steps.at(by, self.step))?;
            self.parts[number].push(part);
        }
        debug_assert_eq!(
            self.formulas.len(),
            self.parts.len(),
            "each formula has its parts"
        );
        Ok(())
    }
}

/// A run of the engine.
struct Search<'a, 't> {
    context: &'a Context<'t>,
    steps: &'a Steps<'a, 't>,
    interpolants: Interpolants<'a, 't>,
    /// The formulas `F₀, F₁, …`.
    forward: Sequence,
    /// The formulas `B₀, B₁, …`.
    backward: Sequence,
}

impl Search<'_, '_> {
    /// DAR.
    fn run(&mut self, bad: Term, options: &Options) -> Result<Verdict, UnknownReason> {
        self.strengthen_backward(0, bad)?;
        let init = self.interpolants.init()?;
        let bad = self.interpolants.add(bad)?;
        // Init ∧ Bad
        let about = format_args!("is an initial state bad");
        let Some(start) = self.interpolants.between(&[init], &[bad], 0, about)? else {
            return Ok(Verdict::Unsafe(0));
        };
        self.strengthen_forward(0, start)?;
        for n in 0..options.max_depth {
            self.context.limit.check()?;
            self.report(n);
            if !self.local(n as usize)? && !self.global(n as usize)? {
                return Ok(Verdict::Unsafe(n + 1));
            }
            debug_assert!(
                [&self.forward, &self.backward].map(|s| s.formulas.len()) == [n as usize + 2; 2],
                "both sequences have one formula more than there are steps"
            );
            if let Some(closed) = self.interpolants.fixpoint(&self.forward.formulas)? {
                return Ok(Verdict::Safe(closed));
            }
            if let Some(closed) = self.interpolants.fixpoint(&self.backward.formulas)? {
                return Ok(Verdict::Safe(self.context.terms.not(closed)));
            }
        }
        let why = "the limit on the number of steps (option max-depth) is reached";
        Err(UnknownReason::Incomplete(why.to_owned()))
    }

    /// LOCAL.
    fn local(&mut self, n: usize) -> Result<bool, UnknownReason> {
        for j in (0..=n).rev() {
            self.context.limit.check()?;
            if self.step_forward(n, j)? {
                self.iterate(n, j)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// GLOBAL.
    fn global(&mut self, n: usize) -> Result<bool, UnknownReason> {
        let mut nodes = vec![vec![self.interpolants.init()?]];
        for i in 1..=n + 1 {
            self.context.limit.check()?;
            nodes.push(vec![self.interpolants.trans(i - 1)?]);
            let end = self.steps.at(self.backward.formulas[n + 1 - i], i);
            let mut path = nodes.clone();
            path.push(vec![self.interpolants.add(end)?]);
            // Init ∧ Trans^i ∧ Bₙ₊₁₋ᵢ
            let about = format_args!("do {i} steps lead to a state of B{}", n + 1 - i);
            if let Some(found) = self.interpolants.sequence(&path, 0, about)? {
                for (j, interpolant) in found.into_iter().enumerate() {
                    self.strengthen_forward(j, interpolant)?;
                }
                self.iterate(n, i - 1)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// ITERATE, where `F` is strengthened up to place `j + 1`.
    fn iterate(&mut self, n: usize, j: usize) -> Result<(), UnknownReason> {
        for i in j + 1..=n {
            if !self.step_forward(n, i)? {
                return Err(contradiction());
            }
        }
        for i in (0..=j).rev() {
            self.step_backward(n, i)?;
        }
        Ok(())
    }

    /// If `Fᵢ ∧ Trans ∧ Bₙ₋ᵢ'` is unsatisfiable, strengthens `Fᵢ₊₁`, and answers so.
    fn step_forward(&mut self, n: usize, i: usize) -> Result<bool, UnknownReason> {
        let (from, trans, to) = self.parts(n, i)?;
        let before = [&from[..], &[trans]].concat();
        let about = format_args!("does a step lead from F{i} to B{}", n - i);
        match self.interpolants.between(&before, &to, 1, about)? {
            Some(interpolant) => self.strengthen_forward(i + 1, interpolant)?,
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Strengthens `Bₙ₋ᵢ₊₁`, where `Fᵢ ∧ Trans ∧ Bₙ₋ᵢ'` is unsatisfiable.
    fn step_backward(&mut self, n: usize, i: usize) -> Result<(), UnknownReason> {
        let (from, trans, to) = self.parts(n, i)?;
        let after = [&to[..], &[trans]].concat();
        let about = format_args!("does a step lead from F{i} to B{}", n - i);
        match self.interpolants.between(&after, &from, 0, about)? {
            Some(interpolant) => Ok(self.strengthen_backward(n - i + 1, interpolant)?),
            None => Err(contradiction()),
        }
    }

    /// The parts of `Fᵢ ∧ Trans ∧ Bₙ₋ᵢ'`.
    fn parts(&mut self, n: usize, i: usize) -> Result<(Vec<PartId>, PartId, Vec<PartId>), Failure> {
        let trans = self.interpolants.trans(0)?;
        let (from, to) = (&self.forward.parts[i], &self.backward.parts[n - i]);
        Ok((from.clone(), trans, to.clone()))
    }

    fn strengthen_forward(&mut self, number: usize, by: Term) -> Result<(), Failure> {
        let search = (self.context.terms, self.steps, &mut self.interpolants);
        self.forward.strengthen(number, by, search)
    }

    fn strengthen_backward(&mut self, number: usize, by: Term) -> Result<(), Failure> {
        let search = (self.context.terms, self.steps, &mut self.interpolants);
        self.backward.strengthen(number, by, search)
    }

    fn report(&self, n: u32) {
        let progress = Progress {
            depth: n,
            lemmas: self.interpolants.found,
            ..Progress::default()
        };
        report(self.context, "dar", n + 1, progress);
    }
}

/// The reason of a search whose interpolants do not exclude what they must.
fn contradiction() -> UnknownReason {
    let why = "the solver's interpolants contradict its answers: a step is left that they must \
               exclude; try another --solver";
    UnknownReason::Solver(why.to_owned())
}
