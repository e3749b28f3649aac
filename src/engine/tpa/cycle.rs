//! Lemmas of the power for exactly 2ⁿ steps that hold of all multiples of 2ⁿ steps \[BFHSb22\].
//!
//! Let `J(x, z)` be lemmas of `ATr=n` that 2ⁿ steps more keep: `Init(x) ∧ J(x, y) ∧ ATr=n(y, z)`
//! implies `J(x, z)`. A path is a multiple of 2ⁿ steps and fewer than 2ⁿ more. So the system is
//! safe if no bad path is in `J ∘ ATr<n`, nor in `ATr<n`.
//!
//! The states after multiples of 2ⁿ steps, `R(z) = Init(z) ∨ ∃x. Init(x) ∧ J(x, z)`, are inductive
//! for that many steps. Between them, interpolants say what the states after fewer steps are:
//!
//! ```text
//! R(x₀) ∧ (stop₀ ∨ Tr(x₀, x₁)),  stopⱼ ⇒ Bad(xⱼ) ∨ stopⱼ₋₁
//!   I₁(x₁)  stop₁ ∨ Tr(x₁, x₂)
//!   …
//!   Iₖ(xₖ)  stopₖ₋₁ ∨ ¬R(xₖ)                   for k = 2ⁿ
//! ```
//!
//! The invariant is `R ∨ I₁ ∨ … ∨ Iₖ₋₁`, where nothing stops.

use super::certificate::exists;
use super::power::PowerId;
use super::reach::Reachability;
use crate::engine::transition::Steps;
use crate::logic::interpolate::Interpolation;
use crate::smt::{Failure, InterpolationOptions, NoInterpolants};
use crate::term::{Sort, Term};

/// A cycle of more steps gets no invariant. The value was not tuned.
const MOST_STEPS: u32 = 32;

impl Reachability<'_, '_> {
    /// An inductive invariant without bad states, if lemmas of the power `exact` for 2ⁿ steps, and
    /// of the power `less` for fewer, give one.
    ///
    /// # Errors
    /// A solver does not answer, or the limit is reached.
    pub(super) fn cycle(
        &self,
        n: u32,
        less: PowerId,
        exact: PowerId,
    ) -> Result<Option<Term>, Failure> {
        let steps = 1_u32.checked_shl(n).filter(|&steps| steps <= MOST_STEPS);
        let Some(steps) = steps else {
            return Ok(None);
        };
        let (context, powers) = (self.powers.context, &self.powers);
        let (t, system) = (context.terms, powers.system);
        let more = t.and(powers.lemmas(exact).iter().copied());
        let kept = self.kept_after(
            powers.lemmas(exact).to_vec(),
            system.init,
            powers.second(more),
        )?;
        let mut said = vec![system.init, self.bad()];
        said.extend(kept.iter().map(|&lemma| powers.first(lemma)));
        said.extend(
            powers
                .lemmas(less)
                .iter()
                .map(|&lemma| powers.second(lemma)),
        );
        // Init(x) ∧ J(x, y) ∧ ATr<n(y, z) ∧ Bad(z)
        if !self.is_unsatisfiable(&said, format_args!("a bad path through a cycle"))? {
            return Ok(None);
        }
        log::debug!("{} lemmas hold of cycles of {steps} steps", kept.len());
        let after = exists(context, system.init, &kept, &system.next)?;
        let back = std::iter::zip(&system.next, &system.state);
        let after = t.substitute(after, back.map(|(&z, &x)| (z, x)));
        let start = exists(context, system.init, &[], &system.state)?;
        self.between_cycles(t.or([start, after]), steps as usize)
    }

    /// The invariant from what holds after multiples of a number of steps.
    fn between_cycles(&self, after: Term, steps: usize) -> Result<Option<Term>, Failure> {
        let context = self.powers.context;
        let t = context.terms;
        let path = Steps::new(t, self.powers.system);
        let stop: Vec<Term> = (0..steps)
            .map(|_| t.fresh_var("stop", Sort::BOOL))
            .collect();
        let part = |at: usize| {
            let before = at.checked_sub(1).map(|before| stop[before]);
            let stops = t.or([path.bad(at)].into_iter().chain(before));
            vec![t.or([stop[at], path.trans(at)]), t.implies(stop[at], stops)]
        };
        let mut parts: Vec<Vec<Term>> = (0..steps).map(part).collect();
        parts[0].push(path.at(after, 0));
        parts.push(vec![t.or([stop[steps - 1], t.not(path.at(after, steps))])]);
        let interpolation = Interpolation {
            terms: t,
            backend: context.backend,
            limit: context.limit.clone(),
            name: "cycle",
            options: InterpolationOptions::default(),
        };
        let found = match interpolation.sequence_interpolants(&parts) {
            Ok(found) => found,
            Err(NoInterpolants::Unknown(failure @ (Failure::Timeout | Failure::Cancelled))) => {
                return Err(failure);
            }
            Err(why) => {
                log::debug!("no invariant from a cycle: {why}");
                return Ok(None);
            }
        };
        let between = found[..steps - 1].iter().zip(&stop).enumerate();
        let between = between.map(|(at, (&formula, &stop))| {
            let goes_on = t.substitute(formula, [(stop, Term::FALSE)]);
            path.back(goes_on, at + 1)
        });
        Ok(Some(t.or([after].into_iter().chain(between))))
    }
}
