//! Transition power abstractions: relations that contain all paths up to a length, or of a length.
//!
//! ```text
//! tpa         ATr≤0 = Id ∨ Tr       ATr≤(n+1) ⊇ ATr≤n ∘ ATr≤n              at most 2ⁿ steps
//! split-tpa   ATr=0 = Tr            ATr=(n+1) ⊇ ATr=n ∘ ATr=n              exactly 2ⁿ steps
//!             ATr<0 = Id            ATr<(n+1) ⊇ ATr<n ∨ ATr=n ∘ ATr<n      fewer than 2ⁿ steps
//! ```
//!
//! A power is a conjunction of lemmas over the state before and after the path. The first powers
//! are exact. A solver has, for each other power, the powers that it is composed of and its lemmas.
//!
//! Beside the abstraction of a power from above there are *segments* that are in it, see
//! [`super::segment`]. The solver has them, too, where they are assumed.

use super::segment::{SegmentId, Segments};
use crate::engine::Context;
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{Sort, Term, Terms};
use crate::transform::TransitionSystem;
use std::iter::zip;

/// A power, by its number in [`Powers`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PowerId(usize);

/// What a power is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// The lemma is what the power is.
    Exact,
    /// It contains `first ∘ second`, and `other`.
    Composed {
        /// The first part of a path.
        first: PowerId,
        /// The rest of the path.
        second: PowerId,
        /// What need not be divided.
        other: Option<PowerId>,
    },
}

/// Where the parts of a path are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Within {
    /// The path is in the abstraction.
    Abstraction,
    /// The path is a segment.
    Segments,
    /// Its first part is a segment.
    FirstSegment,
    /// Its first part is the segment for which this is assumed.
    First(Term),
    /// Both parts are segments.
    BothSegments,
}

/// A disjunction of segments that grows, in a solver.
#[derive(Default)]
struct Choice {
    /// Assumed for one of the segments.
    literal: Option<Term>,
    /// The segments, each with what is assumed for it.
    each: Vec<(SegmentId, Term)>,
}

/// A power of the transition relation.
struct Power<'t> {
    shape: Shape,
    /// Over state and next state; for an exact power also over inputs.
    lemmas: Vec<Term>,
    segments: Vec<SegmentId>,
    solver: Box<dyn Solver + 't>,
    /// What the lemmas of the two parts say, as far as the solver has it.
    parts: Vec<Term>,
    /// What those of the other power say.
    others: Vec<Term>,
    /// The number of lemmas of the first part, of the second, of the other power, and of this one
    /// that the solver has.
    asserted: [usize; 4],
    /// Assumed where the path is not divided; it is in the other power.
    direct: Term,
    /// The segments of this power, of the first part, and of the second.
    choices: [Choice; 3],
}

/// The powers of a transition system.
pub(super) struct Powers<'a, 't> {
    pub(super) context: &'a Context<'t>,
    pub(super) system: &'a TransitionSystem,
    /// The variables of the state between the parts of a path.
    pub(super) middle: Vec<Term>,
    all: Vec<Power<'t>>,
}

impl<'a, 't> Powers<'a, 't> {
    /// No powers.
    pub(super) fn new(system: &'a TransitionSystem, context: &'a Context<'t>) -> Self {
        let t = context.terms;
        let sorts = system.state.iter().map(|&x| t.sort_of(x));
        Powers {
            context,
            system,
            middle: sorts.map(|sort| t.fresh_var("middle", sort)).collect(),
            all: Vec::new(),
        }
    }

    /// That no step is taken.
    pub(super) fn identity(&self) -> Term {
        let pairs = zip(&self.system.state, &self.system.next);
        let equations = pairs.map(|(&x, &z)| self.context.terms.eq(x, z));
        self.context.terms.and(equations)
    }

    /// Adds the power that is this formula.
    pub(super) fn add_exact(&mut self, formula: Term) -> PowerId {
        self.add(Shape::Exact, vec![formula])
    }

    /// Adds a power of this shape.
    pub(super) fn add_composed(
        &mut self,
        first: PowerId,
        second: PowerId,
        other: Option<PowerId>,
    ) -> PowerId {
        debug_assert!(
            [Some(first), Some(second), other]
                .iter()
                .flatten()
                .all(|id| self.is_power(*id)),
            "a power is composed of earlier ones"
        );
        let shape = Shape::Composed {
            first,
            second,
            other,
        };
        self.add(shape, Vec::new())
    }

    /// Is it one of these powers?
    fn is_power(&self, id: PowerId) -> bool {
        id.0 < self.all.len()
    }

    fn add(&mut self, shape: Shape, lemmas: Vec<Term>) -> PowerId {
        let t = self.context.terms;
        let mut solver = self.context.backend.solver(t, "power");
        solver.set_limit(self.context.limit.clone());
        let direct = match shape {
            Shape::Composed { other: Some(_), .. } => t.fresh_var("direct", Sort::BOOL),
            _ => Term::FALSE,
        };
        self.all.push(Power {
            shape,
            lemmas,
            segments: Vec::new(),
            solver,
            parts: Vec::new(),
            others: Vec::new(),
            asserted: [0; 4],
            direct,
            choices: Default::default(),
        });
        PowerId(self.all.len() - 1)
    }

    /// What the power is made of.
    pub(super) fn shape(&self, power: PowerId) -> Shape {
        self.all[power.0].shape
    }

    /// Its lemmas.
    pub(super) fn lemmas(&self, power: PowerId) -> &[Term] {
        &self.all[power.0].lemmas
    }

    /// The lemmas of all powers that are not exact, each once.
    pub(super) fn all_lemmas(&self) -> Vec<Term> {
        let composed = self.all.iter().filter(|power| power.shape != Shape::Exact);
        let mut lemmas: Vec<Term> = composed.flat_map(|power| &power.lemmas).copied().collect();
        lemmas.sort_unstable();
        lemmas.dedup();
        lemmas
    }

    /// The number of lemmas of all powers.
    pub(super) fn size(&self) -> usize {
        self.all.iter().map(|power| power.lemmas.len()).sum()
    }

    /// Its segments, in the order in which they were found.
    pub(super) fn segments(&self, power: PowerId) -> &[SegmentId] {
        &self.all[power.0].segments
    }

    /// Assumed where a path of this power is not divided.
    pub(super) fn direct(&self, power: PowerId) -> Term {
        self.all[power.0].direct
    }

    /// Adds a lemma that holds of all paths of this power.
    pub(super) fn learn(&mut self, power: PowerId, lemma: Term) {
        let lemmas = &mut self.all[power.0].lemmas;
        for part in self.context.terms.conjuncts(lemma) {
            if part != Term::TRUE && !lemmas.contains(&part) {
                lemmas.push(part);
            }
        }
    }

    /// Adds a segment that is in this power.
    pub(super) fn find(&mut self, power: PowerId, segment: SegmentId) {
        let segments = &mut self.all[power.0].segments;
        if !segments.contains(&segment) {
            segments.push(segment);
        }
    }

    /// A formula over state and next state, said of these variables. Its inputs become new ones.
    pub(super) fn between(&self, formula: Term, from: &[Term], to: &[Term]) -> Term {
        let (t, system) = (self.context.terms, self.system);
        let pair = |(&x, &y): (&Term, &Term)| (x, y);
        let mut pairs: Vec<(Term, Term)> = zip(&system.state, from).map(pair).collect();
        pairs.extend(zip(&system.next, to).map(pair));
        let vars = t.vars([formula]).into_iter();
        let inputs = vars.filter(|x| !system.state.contains(x) && !system.next.contains(x));
        pairs.extend(inputs.map(|x| (x, t.fresh_var("input", t.sort_of(x)))));
        t.substitute(formula, pairs)
    }

    /// A formula over state and next state, said of the first part of a path.
    pub(super) fn first(&self, formula: Term) -> Term {
        self.between(formula, &self.system.state, &self.middle)
    }

    /// The same said of the second part.
    pub(super) fn second(&self, formula: Term) -> Term {
        self.between(formula, &self.middle, &self.system.next)
    }

    /// The formulas of the solver of a power that are not there yet.
    fn news(&mut self, id: PowerId) -> Vec<Term> {
        let t = self.context.terms;
        let power = &self.all[id.0];
        let (direct, mut asserted) = (power.direct, power.asserted);
        let new = |of: PowerId, taken: &mut usize| {
            let lemmas = &self.all[of.0].lemmas;
            lemmas[std::mem::replace(taken, lemmas.len())..]
                .iter()
                .copied()
        };
        let (mut parts, mut others) = (Vec::new(), Vec::new());
        if let Shape::Composed {
            first,
            second,
            other,
        } = power.shape
        {
            parts.extend(new(first, &mut asserted[0]).map(|lemma| self.first(lemma)));
            parts.extend(new(second, &mut asserted[1]).map(|lemma| self.second(lemma)));
            if let Some(other) = other {
                others.extend(new(other, &mut asserted[2]));
            }
        }
        let divided = parts.iter().map(|&lemma| t.or([direct, lemma]));
        let direct = others.iter().map(|&lemma| t.implies(direct, lemma));
        let own = new(id, &mut asserted[3]);
        let news = divided.chain(direct).chain(own).collect();
        let power = &mut self.all[id.0];
        power.asserted = asserted;
        power.parts.extend(parts);
        power.others.extend(others);
        news
    }

    /// Brings the solver of a power up to date.
    fn assert_news(&mut self, id: PowerId, segments: &Segments) {
        for formula in self.news(id) {
            self.all[id.0].solver.assert(formula);
        }
        let mut places = vec![(0, id)];
        if let Shape::Composed { first, second, .. } = self.shape(id) {
            places.extend([(1, first), (2, second)]);
        }
        let t = self.context.terms;
        for (place, of) in places {
            let taken = self.all[id.0].choices[place].each.len();
            let new = self.all[of.0].segments[taken..].to_vec();
            for segment in new {
                let cube = t.and(segments.get(segment).literals.iter().copied());
                let cube = match place {
                    0 => cube,
                    1 => self.first(cube),
                    _ => self.second(cube),
                };
                let power = &mut self.all[id.0];
                let [own, literal] = ["known", "one"].map(|name| t.fresh_var(name, Sort::BOOL));
                let choice = &mut power.choices[place];
                let others = choice.literal.replace(literal);
                choice.each.push((segment, own));
                let one = t.or([own].into_iter().chain(others));
                power.solver.assert(t.implies(own, cube));
                power.solver.assert(t.implies(literal, one));
            }
        }
    }

    /// Has the power a path from a state of the cube `from` to one of the cube `to`, which is over
    /// the variables of the next state?
    ///
    /// # Errors
    /// The solver does not answer.
    pub(super) fn ask(
        &mut self,
        id: PowerId,
        (from, to): (&[Term], &[Term]),
        within: Within,
        segments: &Segments,
    ) -> Result<bool, Failure> {
        self.assert_news(id, segments);
        let t = self.context.terms;
        let power = &mut self.all[id.0];
        let [own, first, second] = [0, 1, 2].map(|place: usize| power.choices[place].literal);
        let divided = t.not(power.direct);
        let wanted = match within {
            Within::Abstraction => vec![],
            Within::Segments => vec![own],
            Within::FirstSegment => vec![first, Some(divided)],
            Within::First(segment) => vec![Some(segment), Some(divided)],
            Within::BothSegments => vec![first, second, Some(divided)],
        };
        let Some(mut assumptions) = wanted.into_iter().collect::<Option<Vec<Term>>>() else {
            return Ok(false);
        };
        assumptions.extend(from.iter().chain(to));
        power.solver.set_purpose(match within {
            Within::Abstraction => "path",
            _ => "segments",
        });
        // from(x) ∧ P(x, y, z) ∧ to(z) ∧ S(x, y, z), where P is the power's definition, and S says
        // which of its parts are segments, where that is asked
        let about = format_args!("a path of power {}", id.0);
        match power.solver.check(about, &assumptions) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// What is assumed for each segment that the first part of a path of a power may be, as in the
    /// last query to it.
    pub(super) fn firsts(&self, id: PowerId) -> &[(SegmentId, Term)] {
        &self.all[id.0].choices[1].each
    }

    /// The solver of a power.
    pub(super) fn solver(&mut self, id: PowerId) -> &mut (dyn Solver + 't) {
        &mut *self.all[id.0].solver
    }

    /// What the lemmas of the two parts of a power say, as in the last query to it.
    pub(super) fn parts(&self, id: PowerId) -> &[Term] {
        &self.all[id.0].parts
    }

    /// What the solver of a power has besides segments, as in the last query to it.
    pub(super) fn definition(&self, id: PowerId) -> Vec<Term> {
        let (t, power) = (self.context.terms, &self.all[id.0]);
        let both = t.and(power.parts.iter().copied());
        let other = t.and(power.others.iter().copied());
        let composed = match power.shape {
            Shape::Exact => Term::TRUE,
            Shape::Composed { other: None, .. } => both,
            Shape::Composed { .. } => t.or([both, other]),
        };
        [&[composed], &power.lemmas[..]].concat()
    }
}

/// The literals of a cube over some variables, said of others.
pub(super) fn renamed(t: &Terms, cube: &[Term], from: &[Term], to: &[Term]) -> Vec<Term> {
    let mut substitution = crate::term::Substitution::new(t, zip(from, to).map(|(&x, &y)| (x, y)));
    cube.iter().map(|&l| substitution.apply(l)).collect()
}
