//! Generalisation: from a cube that cannot be derived to a weaker one, whose lemma says more.
//!
//! In order of cost: the unsat core, or a weaker cube by interpolation (part of the query before); dropping of literals relative
//! to `F_{n-1}` \[Bra11\], with counterexamples to generalisation \[HBS13\]; values of bit-vectors weakened to some of their bits, or
//! to a bound; sums of pairs of inequalities, which find relations between variables where the cube has their values (`x ≥ 5 ∧ y ≤ 3`
//! becomes `x - y ≥ 2`); global guidance \[VCSG20\]. Every step is justified by the query that follows it.

use super::frames::Level;
use super::obligation::Gas;
use super::purpose::Purpose;
use super::query::{Bodies, Question, Reply, Step};
use super::{Pdr, Stop};
use crate::chc::PredId;
use crate::logic::{
    add_inequalities, bits_of_value, bounds_of_value, split_equalities, with_guards,
};
use crate::smt::Failure;
use crate::term::Term;

impl<'t> Pdr<'_, 't> {
    /// A cube that the given one implies and that cannot be derived at `level` either, if its states are avoided before.
    pub(super) fn generalize(
        &mut self,
        pred: PredId,
        level: Level,
        cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let cube = if self.options.drop_literals {
            self.drop_literals(pred, level, cube)?
        } else {
            cube
        };
        let cube = if self.options.bits {
            self.loosen_bits(pred, level, cube)?
        } else {
            cube
        };
        let cube = self.add_pairs(pred, level, cube)?;
        if self.options.guidance {
            return self.follow_guidance(pred, level, cube);
        }
        Ok(cube)
    }

    /// Is `¬cube` inductive relative to `F_{level-1}`? Then answers the literals that suffice.
    pub(super) fn blocked(
        &mut self,
        pred: PredId,
        level: Level,
        cube: &[Term],
        purpose: Purpose,
    ) -> Result<Option<Vec<Term>>, Stop> {
        match self.inductive(pred, level, cube, purpose, false)? {
            Reply::Blocked(core) => Ok(Some(core)),
            Reply::Step(_) => Ok(None),
        }
    }

    /// As [`Self::blocked`], with the step that leads into the cube where there is one and it is wanted.
    fn inductive(
        &mut self,
        pred: PredId,
        level: Level,
        cube: &[Term],
        purpose: Purpose,
        wants_step: bool,
    ) -> Result<Reply<'t>, Stop> {
        // φ' ∧ ⋁ τ ∧ ⋀ F_{n-1}(bodyᵢ) ∧ ¬φ[bodyᵢ]
        let question = Question {
            purpose,
            head: pred,
            cube,
            from: Bodies::May(level.before()),
            inductive: true,
            wants_step,
            wants_weaker: false,
        };
        match self.ask(&question) {
            // A question left open proves nothing; the lemma stays as it was.
            Err(Stop::Solver(Failure::Incomplete(_))) => Ok(Reply::Step(None)),
            reply => reply,
        }
    }

    fn drop_literals(
        &mut self,
        pred: PredId,
        level: Level,
        mut cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let mut needed = Vec::new();
        while let Some(literal) = cube.pop() {
            let rest: Vec<Term> = needed.iter().chain(&cube).copied().collect();
            match self.blocked_after_ctg(pred, level, &rest)? {
                Some(core) => {
                    needed.retain(|l| core.contains(l));
                    cube.retain(|l| core.contains(l));
                }
                None => needed.push(literal),
            }
        }
        Ok(needed)
    }

    /// Weakens what says that a bit-vector has a certain value: to some of its bits, or else to a bound. In this order, since what a bound
    /// excludes by chance, as `y ≤ 0` where only `y = 1` is reached yet, the bits often exclude for good.
    fn loosen_bits(
        &mut self,
        pred: PredId,
        level: Level,
        mut cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let mut tried: Vec<Term> = Vec::new();
        loop {
            let untried = cube.iter().copied().filter(|l| !tried.contains(l));
            let mut values = untried.map(|l| (l, bits_of_value(self.t, l)));
            let Some((literal, bits)) = values.find(|(_, bits)| !bits.is_empty()) else {
                return Ok(cube);
            };
            tried.push(literal);
            if let Some(looser) = self.loosen(pred, level, &cube, literal, bits)? {
                cube = looser;
            }
        }
    }

    /// The cube without a literal that says which bits a bit-vector has, but with some of these, or a bound; `None` where that is not
    /// blocked.
    fn loosen(
        &mut self,
        pred: PredId,
        level: Level,
        cube: &[Term],
        literal: Term,
        bits: Vec<Term>,
    ) -> Result<Option<Vec<Term>>, Stop> {
        let others = cube.iter().copied().filter(|&l| l != literal);
        let others: Vec<Term> = others.collect();
        let all = [&others[..], &bits].concat();
        if let Some(core) = self.blocked(pred, level, &all, Purpose::Loosen)?
            && core.len() < all.len()
        {
            return Ok(Some(self.drop_literals(pred, level, core)?));
        }
        for bound in bounds_of_value(self.t, literal) {
            let weaker = [&others[..], &[bound]].concat();
            if let Some(core) = self.blocked(pred, level, &weaker, Purpose::Loosen)? {
                return Ok(Some(core));
            }
        }
        Ok(None)
    }

    /// As [`Self::blocked`], where states that lead into the cube may be excluded by lemmas first: counterexamples to
    /// generalisation \[HBS13\], for rules with one premise.
    fn blocked_after_ctg(
        &mut self,
        pred: PredId,
        level: Level,
        cube: &[Term],
    ) -> Result<Option<Vec<Term>>, Stop> {
        let mut attempts = self.options.ctg;
        loop {
            let wants_step = attempts > 0 && level.before().is_some();
            match self.inductive(pred, level, cube, Purpose::Drop, wants_step)? {
                Reply::Blocked(core) => return Ok(Some(core)),
                Reply::Step(Some(step)) => {
                    if !self.exclude(cube, level, step)? {
                        return Ok(None);
                    }
                    attempts -= 1;
                }
                Reply::Step(None) => return Ok(None),
            }
        }
    }

    /// Can the state that the step comes from be excluded at the level before? Then a lemma does so.
    fn exclude(&mut self, cube: &[Term], level: Level, mut step: Step<'t>) -> Result<bool, Stop> {
        let rule = self.rules.rule(step.rule);
        let (Some(below), [atom]) = (level.before(), rule.body.as_slice()) else {
            return Ok(false);
        };
        let formulas = cube.iter().copied().chain([rule.constraint]).collect();
        let from = self.project(&mut step, formulas, &atom.args)?;
        let from = self.rules.over_params(self.t, &from, atom);
        let from = split_equalities(self.t, &from);
        let Some(core) = self.blocked(atom.pred, below, &from, Purpose::Exclude)? else {
            return Ok(false);
        };
        let core = with_guards(self.t, core, &from);
        let highest = self.highest_level(atom.pred, &core, below, level)?;
        self.frames.add(self.t, atom.pred, core, highest);
        Ok(true)
    }

    fn add_pairs(
        &mut self,
        pred: PredId,
        level: Level,
        mut cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let mut attempts = self.options.pairs;
        let mut i = 0;
        while i < cube.len() {
            let mut j = i + 1;
            while j < cube.len() && attempts > 0 {
                if let Some(sum) = add_inequalities(self.t, cube[i], cube[j]) {
                    attempts -= 1;
                    let mut weaker = cube.clone();
                    weaker.remove(j);
                    weaker[i] = sum;
                    if let Some(core) = self.blocked(pred, level, &weaker, Purpose::AddPair)? {
                        cube = core;
                        // Positions have changed: look at all pairs again.
                        (i, j) = (0, 1);
                        continue;
                    }
                }
                j += 1;
            }
            i += 1;
        }
        Ok(cube)
    }

    /// What the family of a new lemma's cube suggests: a weaker cube, where that is blocked too; else a guess to be looked
    /// into. The cube must be blocked at `level`.
    fn follow_guidance(
        &mut self,
        pred: PredId,
        level: Level,
        cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let advice = self.guidance.lemma(self.t, pred, &cube);
        for family in &advice.subsume {
            if let Some(core) = self.blocked(pred, level, family, Purpose::Subsume)? {
                return Ok(core);
            }
        }
        let gas = self.options.conjecture_gas;
        if let Some(guess) = advice.conjecture.filter(|_| gas > 0) {
            self.obligations
                .add(pred, guess, level, None, 0, Some(Gas::new(gas)));
        }
        Ok(cube)
    }

    /// The highest level up to `bound` at which the cube, blocked at `level`, is blocked too.
    pub(super) fn highest_level(
        &mut self,
        pred: PredId,
        cube: &[Term],
        mut level: Level,
        bound: Level,
    ) -> Result<Level, Stop> {
        while level < bound
            && self
                .blocked(pred, level.next(), cube, Purpose::Raise)?
                .is_some()
        {
            level = level.next();
        }
        Ok(level)
    }

    /// Pushes the lemmas of every level up to `bound` as far as they go. Answers a level whose lemmas all went on: what lies
    /// above it is an inductive invariant.
    pub(super) fn propagate(&mut self, bound: Level) -> Result<Option<Level>, Stop> {
        let mut level = Level::new(0);
        while level <= bound {
            self.report();
            for pred in self.rules.pred_ids() {
                for cube in self.frames.cubes_to_push(pred, level) {
                    self.limit.check()?;
                    match self.blocked(pred, level.next(), &cube, Purpose::Propagate)? {
                        Some(core) => {
                            let core = with_guards(self.t, core, &cube);
                            self.frames.add(self.t, pred, core, level.next());
                        }
                        None => self.frames.mark_failed(pred, &cube, level),
                    }
                }
            }
            if self.frames.is_level_empty(level) {
                return Ok(Some(level));
            }
            level = level.next();
        }
        Ok(None)
    }
}
