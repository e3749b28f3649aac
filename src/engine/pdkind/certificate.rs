//! An inductive invariant from a k-inductive one.
//!
//! Let `F` hold in the first `k` states of each path from an initial state, and after every `k`
//! steps through states of `F`. Interpolants \[McM05\] of the second contradiction,
//!
//! ```text
//! F(s₀) ∧ Trans(s₀, s₁),  …,  F(sₖ₋₁) ∧ Trans(sₖ₋₁, sₖ),  ¬F(sₖ)
//! ```
//!
//! are `I₁ … Iₖ`: `Iⱼ` holds after `j` steps through states of `F`, and `Iₖ ⇒ F`. So
//! `J = F ∧ I₁ ∧ … ∧ Iₖ₋₁` is inductive. It holds in each state that is reachable in `k - 1`
//! steps or more. For each `m < k` the contradiction
//! `Init(s₀), Trans(s₀, s₁), …, Trans(sₘ₋₁, sₘ), ¬F(sₘ)` has interpolants `Gᵐ₀ … Gᵐₘ`. Let
//! `Bⱼ = ⋀ Gᵐⱼ` for `j ≤ m < k`: it holds `j` steps after an initial state, and leads to `Bⱼ₊₁`
//! and implies `F`. The invariant is
//!
//! ```text
//! J ∨ ⋁ (Bⱼ ∧ F ∧ I₁ ∧ … ∧ Iⱼ)     for 0 ≤ j ≤ k - 2
//! ```
//!
//! The least `k` is taken for which `F` is k-inductive; for 1 the invariant is `F`.

use crate::chc::UnknownReason;
use crate::engine::Context;
use crate::engine::transition::Steps;
use crate::logic::interpolate::Interpolation;
use crate::smt::{InterpolationOptions, InterpolationSource, NoInterpolants};
use crate::term::Term;

/// An inductive invariant that implies the conjunction of a frame, which is k-inductive.
///
/// # Errors
/// A contradiction has no interpolants, or the limit is reached.
pub(super) fn invariant(
    context: &Context<'_>,
    steps: &Steps<'_, '_>,
    frame: &[Term],
    k: u32,
) -> Result<Term, UnknownReason> {
    let t = context.terms;
    let f = t.and(frame.iter().copied());
    if k == 1 {
        return Ok(f);
    }
    let certificate = Certificate { context, steps, f };
    for k in 1..=k as usize {
        match certificate.of_steps(k)? {
            Some(_) if k == 1 => return Ok(f),
            Some(after) => return certificate.combine(&after, k),
            None => {}
        }
    }
    let why = "the induction frame is not k-inductive";
    Err(UnknownReason::Solver(why.to_owned()))
}

struct Certificate<'a, 't> {
    context: &'a Context<'t>,
    steps: &'a Steps<'a, 't>,
    /// The conjunction of the frame.
    f: Term,
}

impl Certificate<'_, '_> {
    /// The formulas `I₁ … Iₖ` over states, if `F` is k-inductive.
    fn of_steps(&self, k: usize) -> Result<Option<Vec<Term>>, UnknownReason> {
        let mut parts: Vec<Vec<Term>> = (0..k)
            .map(|step| vec![self.steps.at(self.f, step), self.steps.trans(step)])
            .collect();
        parts.push(vec![self.not_f(k)]);
        let found = self.interpolants(&parts)?;
        Ok(found.map(|found| self.said(&found, 1)))
    }

    /// The formulas `Gᵐ₀ … Gᵐₘ` over states.
    fn of_start(&self, m: usize) -> Result<Vec<Term>, UnknownReason> {
        let trans = (0..m).map(|step| vec![self.steps.trans(step)]);
        let ends = [vec![self.not_f(m)]];
        let parts = [vec![self.steps.init()]]
            .into_iter()
            .chain(trans)
            .chain(ends);
        let found = self.interpolants(&parts.collect::<Vec<_>>())?;
        let wrong = || UnknownReason::Solver("the first states are not in the frame".to_owned());
        Ok(self.said(&found.ok_or_else(wrong)?, 0))
    }

    /// The invariant, from the formulas `I₁ … Iₖ`.
    fn combine(&self, after: &[Term], k: usize) -> Result<Term, UnknownReason> {
        let t = self.context.terms;
        let from_start: Vec<Vec<Term>> =
            (0..k).map(|m| self.of_start(m)).collect::<Result<_, _>>()?;
        let good = |steps: usize| t.and(after[..steps].iter().copied().chain([self.f]));
        let near = (0..k - 1).map(|j| {
            let b = from_start[j..].iter().map(|g| g[j]);
            t.and(b.chain([good(j)]))
        });
        Ok(t.or(near.chain([good(k - 1)])))
    }

    /// Interpolants, said of the states at step 0; the first is about the state at step `first`.
    fn said(&self, found: &[Term], first: usize) -> Vec<Term> {
        let steps = (first..).zip(found);
        steps.map(|(step, &i)| self.steps.back(i, step)).collect()
    }

    fn not_f(&self, step: usize) -> Term {
        self.context.terms.not(self.steps.at(self.f, step))
    }

    /// Interpolants between the parts; `None` if they do not contradict each other.
    fn interpolants(&self, parts: &[Vec<Term>]) -> Result<Option<Vec<Term>>, UnknownReason> {
        let interpolation = Interpolation {
            terms: self.context.terms,
            backend: self.context.backend,
            limit: self.context.limit.clone(),
            name: "pdkind certificate",
            options: InterpolationOptions {
                source: InterpolationSource::Both,
                ..InterpolationOptions::default()
            },
        };
        match interpolation.sequence_interpolants(parts) {
            Ok(found) => Ok(Some(found)),
            Err(NoInterpolants::Satisfiable) => Ok(None),
            Err(why) => Err(why.into()),
        }
    }
}
