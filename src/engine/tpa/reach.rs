//! Reachability by recursion on the power \[BFHS22\].
//!
//! ```text
//! REACH(n, from, to):                         -- has the power n a path from `from` to `to`?
//!   while from(x) ∧ ATrₙ₋₁(x, y) ∧ ATrₙ₋₁(y, z) ∧ to(z) has a model:
//!     middle := MBP(x, z, from(x) ∧ ATrₙ₋₁(x, y) ∧ ATrₙ₋₁(y, z) ∧ to(z))
//!     if s₁ := REACH(n - 1, from, middle):
//!       if s₂ := REACH(n - 1, MBP(x, from(x) ∧ s₁(x, y)), to):
//!         return s₁ joined with s₂
//!   ATrₙ := ATrₙ ∧ an interpolant between ATrₙ₋₁ ∘ ATrₙ₋₁ and from ∧ to
//!   return none
//! ```
//!
//! The result is a segment. Segments that are known are tried first: for the whole path, for both
//! parts, for the first part, the longest first. So the middle is a state that is known to be
//! reached where possible, and a path is divided as a number is into powers of two.

use super::Options;
use super::power::{PowerId, Powers, Shape, Within, renamed};
use super::segment::{Segment, SegmentId, Segments, Way};
use crate::engine::Context;
use crate::engine::transition::cube;
use crate::logic::Valuation;
use crate::smt::{Failure, SatResult};
use crate::term::{Term, TermSet};

/// A cube over state, and one over next state.
pub(super) type Ends<'a> = (&'a [Term], &'a [Term]);

/// The search for paths of growing powers.
pub(super) struct Reachability<'a, 't> {
    pub(super) powers: Powers<'a, 't>,
    pub(super) segments: Segments,
    pub(super) options: &'a Options,
    /// The meter's reading at the beginning of the run.
    pub(super) begun: u64,
    /// The ticks that strong lemmas have cost.
    pub(super) strong_ticks: u64,
}

impl<'t> Reachability<'_, 't> {
    fn context(&self) -> &Context<'t> {
        self.powers.context
    }

    /// A segment of the power that has a path between the cubes, or none; then lemmas say so.
    ///
    /// # Errors
    /// A solver does not answer, or the limit is reached.
    pub(super) fn reach(
        &mut self,
        power: PowerId,
        ends: Ends<'_>,
    ) -> Result<Option<SegmentId>, Failure> {
        if self.ask(power, ends, Within::Segments)? {
            return self.known(power).map(Some);
        }
        let Shape::Composed {
            first,
            second,
            other,
        } = self.powers.shape(power)
        else {
            return self.step(power, ends);
        };
        loop {
            self.context().limit.check()?;
            let found = if self.ask(power, ends, Within::BothSegments)? {
                Some(self.both_known(power, first, second)?)
            } else if self.ask(power, ends, Within::FirstSegment)? {
                self.first_known(power, first, second, ends)?
            } else if self.ask(power, ends, Within::Abstraction)? {
                self.unknown(power, (first, second, other), ends)?
            } else {
                let lemma = self.lemma(power, ends)?;
                self.powers.learn(power, lemma);
                return Ok(None);
            };
            if let Some(segment) = found {
                self.powers.find(power, segment);
                return Ok(Some(segment));
            }
        }
    }

    fn ask(&mut self, power: PowerId, ends: Ends<'_>, within: Within) -> Result<bool, Failure> {
        self.powers.ask(power, ends, within, &self.segments)
    }

    /// The model of the last query to a power.
    fn model(&mut self, power: PowerId) -> Result<Valuation<'t>, Failure> {
        let t = self.context().terms;
        let said = self.powers.definition(power);
        let mut vars = t.vars(said);
        vars.extend(Some(self.powers.direct(power)).filter(|&x| t.is_var(x)));
        vars.extend(self.states());
        vars.sort_unstable();
        vars.dedup();
        let values = self.powers.solver(power).values(&vars)?;
        Ok(Valuation::new(t, vars.into_iter().zip(values)))
    }

    /// The variables of the states at the ends of a path and between its parts.
    fn states(&self) -> impl Iterator<Item = Term> + use<'_, 't> {
        let system = self.powers.system;
        let ends = system.state.iter().chain(&system.next);
        ends.chain(&self.powers.middle).copied()
    }

    /// The segment of the power that is true in the model of the last query to it.
    fn known(&mut self, power: PowerId) -> Result<SegmentId, Failure> {
        let mut model = self.model(power)?;
        self.true_one(power, |l| l, &mut model)
    }

    /// The last segment of a power that is true in a model where it is said of other variables.
    fn true_one(
        &self,
        power: PowerId,
        said: impl Fn(Term) -> Term,
        model: &mut Valuation<'_>,
    ) -> Result<SegmentId, Failure> {
        let mut ids = self.powers.segments(power).iter().rev();
        let found = ids.find(|&&id| {
            let literals = &self.segments.get(id).literals;
            literals.iter().all(|&literal| model.holds(said(literal)))
        });
        let why = "the solver's model contradicts the query, which asks for a path in a known \
            segment; try another --solver";
        let none = || Failure::Incomplete(why.to_owned());
        found.copied().ok_or_else(none)
    }

    /// A step of an exact power, if it has one between the cubes.
    fn step(&mut self, power: PowerId, ends: Ends<'_>) -> Result<Option<SegmentId>, Failure> {
        if !self.ask(power, ends, Within::Abstraction)? {
            return Ok(None);
        }
        let t = self.context().terms;
        let mut model = self.model(power)?;
        let step = t.and(self.powers.lemmas(power).iter().copied());
        let states: TermSet = self.states().collect();
        let inputs = t.vars([step]).into_iter().filter(|x| !states.contains(x));
        let literals = cube(t, &mut model, inputs, &[step])?;
        let found = self.add(literals, 1, Way::Step);
        self.powers.find(power, found);
        Ok(Some(found))
    }

    /// Adds a segment.
    fn add(&mut self, literals: Vec<Term>, steps: u64, way: Way) -> SegmentId {
        let mut sorted = literals.clone();
        sorted.sort_unstable();
        let sorted = self.context().terms.and(sorted);
        let segment = Segment {
            literals,
            steps,
            way,
        };
        self.segments.add(sorted, segment)
    }

    /// Both parts of a path are segments in the model of the last query.
    fn both_known(
        &mut self,
        power: PowerId,
        first: PowerId,
        second: PowerId,
    ) -> Result<SegmentId, Failure> {
        let mut model = self.model(power)?;
        let one = self.true_one(first, |l| self.powers.first(l), &mut model)?;
        let other = self.true_one(second, |l| self.powers.second(l), &mut model)?;
        self.join(one, other, &mut model)
    }

    /// The first part of a path is a segment in the model of the last query, or a longer one. None
    /// if there is no second part from where it leads.
    fn first_known(
        &mut self,
        power: PowerId,
        first: PowerId,
        second: PowerId,
        ends: Ends<'_>,
    ) -> Result<Option<SegmentId>, Failure> {
        let mut model = self.model(power)?;
        let mut one = self.true_one(first, |l| self.powers.first(l), &mut model)?;
        let length = |id: SegmentId| self.segments.get(id).steps;
        let mut longer = self.powers.firsts(power).to_vec();
        longer.retain(|&(segment, _)| length(segment) > length(one));
        longer.sort_by_key(|&(segment, _)| std::cmp::Reverse(length(segment)));
        for (segment, assumed) in longer {
            if self.ask(power, ends, Within::First(assumed))? {
                (one, model) = (segment, self.model(power)?);
                break;
            }
        }
        self.finish(one, second, ends, &mut model)
    }

    /// No part of a path is known. None if the path in the model of the last query does not exist.
    fn unknown(
        &mut self,
        power: PowerId,
        (first, second, other): (PowerId, PowerId, Option<PowerId>),
        ends: Ends<'_>,
    ) -> Result<Option<SegmentId>, Failure> {
        let t = self.context().terms;
        let mut model = self.model(power)?;
        if let Some(other) = other
            && model.holds(self.powers.direct(power))
        {
            return self.reach(other, ends);
        }
        let formulas = [ends.0, self.powers.parts(power), ends.1].concat();
        let middle: TermSet = self.powers.middle.iter().copied().collect();
        let vars = t.vars(formulas.iter().copied()).into_iter();
        let vars = vars.filter(|x| !middle.contains(x));
        let middle = cube(t, &mut model, vars, &formulas)?;
        let target = renamed(t, &middle, &self.powers.middle, &self.powers.system.next);
        let Some(one) = self.reach(first, (ends.0, &target))? else {
            return Ok(None);
        };
        let firsts = self.segments.get(one).literals.iter();
        let mut said = [ends.0, &middle].concat();
        said.extend(firsts.map(|&l| self.powers.first(l)));
        // from(x) ∧ middle(y) ∧ s₁(x, y)
        let mut model = self.model_of(&said)?;
        self.finish(one, second, ends, &mut model)
    }

    /// After the first part of a path: the second, from where the first leads to around a model.
    fn finish(
        &mut self,
        one: SegmentId,
        second: PowerId,
        (from, to): Ends<'_>,
        model: &mut Valuation<'_>,
    ) -> Result<Option<SegmentId>, Failure> {
        let (t, state) = (self.context().terms, &self.powers.system.state);
        let literals = self.segments.get(one).literals.iter();
        let mut said = from.to_vec();
        said.extend(literals.map(|&l| self.powers.first(l)));
        let image = cube(t, model, state.iter().copied(), &said)?;
        let image = renamed(t, &image, &self.powers.middle, state);
        let Some(other) = self.reach(second, (&image, to))? else {
            return Ok(None);
        };
        let literals = self.segments.get(other).literals.iter();
        said.extend(literals.map(|&l| self.powers.second(l)));
        said.extend(to);
        // from(x) ∧ s₁(x, y) ∧ s₂(y, z) ∧ to(z)
        let mut model = self.model_of(&said)?;
        self.join(one, other, &mut model).map(Some)
    }

    /// The join of two segments around a model.
    fn join(
        &mut self,
        one: SegmentId,
        other: SegmentId,
        model: &mut Valuation<'_>,
    ) -> Result<SegmentId, Failure> {
        let (s, u) = (self.segments.get(one), self.segments.get(other));
        match (s.way, u.way) {
            (Way::Stay, _) => return Ok(other),
            (_, Way::Stay) => return Ok(one),
            _ => {}
        }
        let steps = s.steps.saturating_add(u.steps);
        let firsts = s.literals.iter().map(|&l| self.powers.first(l));
        let seconds = u.literals.iter().map(|&l| self.powers.second(l));
        let both: Vec<Term> = firsts.chain(seconds).collect();
        let middle = self.powers.middle.iter().copied();
        let literals = cube(self.context().terms, model, middle, &both)?;
        Ok(self.add(literals, steps, Way::Joined(one, other)))
    }

    /// A model of formulas about a path, which have one.
    fn model_of(&self, said: &[Term]) -> Result<Valuation<'t>, Failure> {
        let context = self.context();
        let mut solver = context.backend.solver(context.terms, "segments");
        solver.set_limit(context.limit.clone());
        said.iter().for_each(|&formula| solver.assert(formula));
        // ⋀ said
        match solver.check(format_args!("segments between two cubes"), &[]) {
            SatResult::Sat => {}
            SatResult::Unknown(failure) => return Err(failure),
            SatResult::Unsat => {
                let why = "the solver's answers contradict each other: two cubes that it connected \
                           have no path between them; try another --solver";
                return Err(Failure::Incomplete(why.to_owned()));
            }
        }
        let vars: Vec<Term> = self.states().collect();
        let values = solver.values(&vars)?;
        Ok(Valuation::new(context.terms, vars.into_iter().zip(values)))
    }
}
