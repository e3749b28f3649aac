//! Generalisation of blocked cubes to lemmas, and pushing of lemmas to higher levels.
//!
//! Generalisation makes a weaker cube, whose lemma is stronger. The steps in order of cost:
//!
//! 1. The unsat core of the blocking query, or a weaker cube by interpolation \[BG15\]. This is
//!    part of that query, see [`CubeQuery::wants_weaker`].
//! 2. Dropping of literals relative to `F_{n-1}` \[Bra11\], with counterexamples to generalisation
//!    (CTGs) blocked first \[HBS13\].
//! 3. Bit-vector values weakened to some of their bits, or to a bound ([`Pdr::weaken_to_bits`]).
//! 4. Sums of pairs of inequalities ([`Pdr::add_pairs`]).
//! 5. Global guidance \[VCSG20\], see `guidance`.
//!
//! Every step keeps a cube only if a query for consecution has blocked it.
//!
//! DIVERGENCE: steps 3 and 4 are in no paper that we know of. Both only propose cubes, so they
//! cannot make a lemma wrong. Guards are ours too, see [`with_guards`]: a core may keep a literal
//! about the field of a constructor and drop the literal that tests for the constructor. A model
//! may choose the field's value freely where the test fails, so the test is put back.

use super::cube::{add_inequalities, bits_of_value, bounds_of_value};
use super::frames::Blocked;
use super::level::Level;
use super::obligation::Gas;
use super::purpose::Purpose;
use super::query::{Bodies, CubeQuery, Reply, Step};
use super::witness::PushWitness;
use super::{NoVerdict, Pdr};
use crate::chc::PredId;
use crate::logic::split_equalities;
use crate::logic::with_guards;
use crate::smt::Failure;
use crate::term::Term;
use std::rc::Rc;

impl<'t> Pdr<'_, 't> {
    /// Weakens the cube of `blocked`. It stays blocked at the same level.
    pub(super) fn generalize(&mut self, blocked: &mut Blocked) -> Result<(), NoVerdict> {
        if self.options.drop_literals {
            self.drop_literals(blocked)?;
        }
        if self.options.bits {
            self.weaken_to_bits(blocked)?;
        }
        self.add_pairs(blocked)?;
        if self.options.guidance {
            self.follow_guidance(blocked)?;
        }
        Ok(())
    }

    /// Consecution: is `¬cube` inductive relative to `F_{level-1}`? Then the answer is the literals
    /// of the cube that suffice for it.
    pub(super) fn consecution(
        &mut self,
        pred: PredId,
        level: Level,
        cube: &[Term],
        purpose: Purpose,
    ) -> Result<Option<Vec<Term>>, NoVerdict> {
        match self.ask_consecution(pred, level, cube, purpose, false)? {
            Reply::Blocked(core) => Ok(Some(core)),
            Reply::Step(_) => Ok(None),
        }
    }

    /// As [`Self::consecution`], with the step that leads into the cube, where there is one and it
    /// is wanted.
    fn ask_consecution(
        &mut self,
        pred: PredId,
        level: Level,
        cube: &[Term],
        purpose: Purpose,
        wants_step: bool,
    ) -> Result<Reply<'t>, NoVerdict> {
        // φ' ∧ ⋁ τ ∧ ⋀ F_{n-1}(bodyᵢ) ∧ ¬φ[bodyᵢ]
        let question = CubeQuery {
            purpose,
            head: pred,
            cube,
            from: Bodies::May(level.before()),
            inductive: true,
            wants_step,
            wants_weaker: false,
        };
        match self.ask(&question) {
            // A query without an answer proves nothing; the lemma stays as it was.
            Err(NoVerdict::Solver(Failure::Incomplete(_))) => Ok(Reply::Step(None)),
            reply => reply,
        }
    }

    /// Puts `candidate` in the place of the blocked cube if it is blocked at the same level too.
    /// Answers whether it is.
    fn replace_cube(
        &mut self,
        blocked: &mut Blocked,
        candidate: &[Term],
        purpose: Purpose,
    ) -> Result<bool, NoVerdict> {
        let core = self.consecution(blocked.pred, blocked.level, candidate, purpose)?;
        let is_blocked = core.is_some();
        if let Some(core) = core {
            blocked.cube = core;
        }
        Ok(is_blocked)
    }

    /// Drops each literal without which the cube is blocked too, the last one first \[Bra11\].
    fn drop_literals(&mut self, blocked: &mut Blocked) -> Result<(), NoVerdict> {
        let mut needed = Vec::new();
        while let Some(literal) = blocked.cube.pop() {
            let rest: Vec<Term> = needed.iter().chain(&blocked.cube).copied().collect();
            match self.consecution_with_ctgs(blocked.pred, blocked.level, &rest)? {
                Some(core) => {
                    needed.retain(|l| core.contains(l));
                    blocked.cube.retain(|l| core.contains(l));
                }
                None => needed.push(literal),
            }
        }
        blocked.cube = needed;
        Ok(())
    }

    /// As [`Self::consecution`]. Where it fails, its counterexamples are blocked one level below
    /// and the query is asked again, up to `ctg` times: counterexamples to generalisation
    /// \[HBS13\].
    ///
    /// DIVERGENCE: this is done for rules with one premise only, and CTGs are not generalised
    /// beyond the unsat core.
    fn consecution_with_ctgs(
        &mut self,
        pred: PredId,
        level: Level,
        cube: &[Term],
    ) -> Result<Option<Vec<Term>>, NoVerdict> {
        let mut attempts = self.options.ctg;
        loop {
            let wants_step = attempts > 0 && level.before().is_some();
            match self.ask_consecution(pred, level, cube, Purpose::Drop, wants_step)? {
                Reply::Blocked(core) => return Ok(Some(core)),
                Reply::Step(Some(step)) => {
                    if !self.block_ctg(cube, level, step)? {
                        return Ok(None);
                    }
                    attempts -= 1;
                }
                Reply::Step(None) => return Ok(None),
            }
        }
    }

    /// Blocks the predecessors that `step` shows, one level below `level`. They are blocked only if
    /// no rule derives them from the level below that. Answers whether a lemma blocks them now.
    fn block_ctg(
        &mut self,
        cube: &[Term],
        level: Level,
        mut step: Step<'t>,
    ) -> Result<bool, NoVerdict> {
        let t = self.context.terms;
        let rules = Rc::clone(&self.rules);
        let rule = rules.rule(step.rule);
        let (Some(below), [atom]) = (level.before(), rule.body.as_slice()) else {
            return Ok(false);
        };
        let formulas: Vec<Term> = cube.iter().copied().chain([rule.constraint]).collect();
        // Without the literal that says the constructor, a selector may have a value that only the
        // solver gives it.
        if !formulas.iter().all(|&f| step.valuation.holds(f)) {
            return Ok(false);
        }
        let ctg = self.project(&mut step, formulas, &atom.args)?;
        let ctg = split_equalities(t, &self.rules.over_params(t, &ctg, atom));
        let Some(core) = self.consecution(atom.pred, below, &ctg, Purpose::BlockCtg)? else {
            return Ok(false);
        };
        let mut blocked = Blocked {
            pred: atom.pred,
            level: below,
            cube: with_guards(t, core, &ctg),
        };
        self.push(&mut blocked, level)?;
        self.add_blocked(blocked);
        Ok(true)
    }

    /// Weakens each literal that gives a bit-vector's value: to some of its bits, or else to a
    /// bound.
    ///
    /// The bits are tried first. A bound such as `y ≤ 0` excludes by chance where only `y = 1` has
    /// been reached so far; a lemma about bits more often holds for good.
    ///
    /// Tried: on the BV tasks of CHC-COMP 2025 (20 s, with cvc5), 43 are solved without this step,
    /// and 45 with it.
    fn weaken_to_bits(&mut self, blocked: &mut Blocked) -> Result<(), NoVerdict> {
        let t = self.context.terms;
        let mut tried: Vec<Term> = Vec::new();
        loop {
            let untried = blocked.cube.iter().copied().filter(|l| !tried.contains(l));
            let mut values = untried.map(|l| (l, bits_of_value(t, l)));
            let Some((literal, bits)) = values.find(|(_, bits)| !bits.is_empty()) else {
                return Ok(());
            };
            tried.push(literal);
            self.weaken_value(blocked, literal, bits)?;
        }
    }

    /// Weakens one literal `x = v` of the cube, where `v`'s bits are the literals `bits`.
    fn weaken_value(
        &mut self,
        blocked: &mut Blocked,
        literal: Term,
        bits: Vec<Term>,
    ) -> Result<(), NoVerdict> {
        let others = blocked.cube.iter().copied().filter(|&l| l != literal);
        let others: Vec<Term> = others.collect();
        let all = [&others[..], &bits].concat();
        let core = self.consecution(blocked.pred, blocked.level, &all, Purpose::WeakenBits)?;
        if let Some(core) = core.filter(|core| core.len() < all.len()) {
            blocked.cube = core;
            return self.drop_literals(blocked);
        }
        for bound in bounds_of_value(self.context.terms, literal) {
            let weaker = [&others[..], &[bound]].concat();
            if self.replace_cube(blocked, &weaker, Purpose::WeakenBits)? {
                break;
            }
        }
        Ok(())
    }

    /// Puts the sum of two inequalities in their place where the weaker cube is blocked too.
    ///
    /// Projection often gives the values of variables where the loop keeps a relation between them:
    /// `x ≥ 5 ∧ y ≤ 3` becomes `x - y ≥ 2`. At most `pairs` pairs are tried for a lemma.
    fn add_pairs(&mut self, blocked: &mut Blocked) -> Result<(), NoVerdict> {
        let mut attempts = self.options.pairs;
        let mut i = 0;
        while i < blocked.cube.len() {
            let mut j = i + 1;
            while j < blocked.cube.len() && attempts > 0 {
                let (one, other) = (blocked.cube[i], blocked.cube[j]);
                if let Some(sum) = add_inequalities(self.context.terms, one, other) {
                    attempts -= 1;
                    let mut weaker = blocked.cube.clone();
                    weaker.remove(j);
                    weaker[i] = sum;
                    if self.replace_cube(blocked, &weaker, Purpose::AddPair)? {
                        // Positions have changed: look at all pairs again.
                        (i, j) = (0, 1);
                        continue;
                    }
                }
                j += 1;
            }
            i += 1;
        }
        Ok(())
    }

    /// Takes the cube that the family of a new lemma suggests, if it is blocked too. Otherwise a
    /// conjecture of the family becomes a may-obligation.
    fn follow_guidance(&mut self, blocked: &mut Blocked) -> Result<(), NoVerdict> {
        let t = self.context.terms;
        let advice = self.guidance.lemma(t, blocked.pred, &blocked.cube);
        for family in &advice.subsume {
            if self.replace_cube(blocked, family, Purpose::Subsume)? {
                return Ok(());
            }
        }
        let gas = self.options.conjecture_gas;
        if let Some(conjecture) = advice.conjecture.filter(|_| gas > 0) {
            let gas = Some(Gas::new(gas));
            self.obligations
                .add(blocked.pred, conjecture, blocked.level, None, 0, gas);
        }
        Ok(())
    }

    /// Raises the level of a blocked cube as far as consecution holds, up to `bound`.
    pub(super) fn push(&mut self, blocked: &mut Blocked, bound: Level) -> Result<(), NoVerdict> {
        while blocked.level < bound {
            let next = blocked.level.next();
            let core = self.consecution(blocked.pred, next, &blocked.cube, Purpose::Push)?;
            if core.is_none() {
                break;
            }
            blocked.level = next;
        }
        Ok(())
    }

    /// The states that a step starts from, which satisfy the lemmas that the frame has now.
    fn push_witness(&self, mut step: Step<'t>) -> PushWitness {
        let body = self.rules.rule(step.rule).body.iter();
        PushWitness::new(body.map(|atom| {
            let params = self.rules.params[atom.pred.index()].iter();
            let values = params
                .zip(&atom.args)
                .map(|(&param, &arg)| (param, step.valuation.value(arg)));
            (
                atom.pred,
                values.collect(),
                self.frames.log(atom.pred).len(),
            )
        }))
    }

    /// Pushes the lemmas of every level up to `bound` as far as they go. Answers a level all of
    /// whose lemmas were pushed: the lemmas above it are an inductive invariant.
    pub(super) fn propagate(&mut self, bound: Level) -> Result<Option<Level>, NoVerdict> {
        let t = self.context.terms;
        let mut level = Level::new(0);
        while level <= bound {
            self.report();
            for pred in self.rules.pred_ids() {
                for cube in self.frames.cubes_to_push(t, pred, level) {
                    self.context.limit.check()?;
                    if self.uses_symmetries() && !self.frames.has(pred, level, &cube) {
                        // A symmetry has mapped another lemma that was pushed to this one.
                        continue;
                    }
                    let next = level.next();
                    match self.ask_consecution(pred, next, &cube, Purpose::Propagate, true)? {
                        Reply::Blocked(core) => {
                            let cube = with_guards(t, core, &cube);
                            let level = next;
                            self.add_blocked(Blocked { pred, level, cube });
                        }
                        Reply::Step(step) => {
                            let witness = step.map(|step| self.push_witness(step));
                            self.frames.mark_failed(pred, &cube, level, witness);
                        }
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
