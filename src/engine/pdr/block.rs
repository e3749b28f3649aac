//! Blocking: an obligation is refuted by a lemma, reached by a reach fact, or handed on to the body of a rule.

use super::obligation::ObligationId;
use super::purpose::Purpose;
use super::query::{Bodies, Question, Reply, Step};
use super::reach::{ReachFact, ReachId};
use super::{Pdr, Stop};
use crate::chc::PredId;
use crate::engine::pdr::frames::Level;
use crate::engine::rules::{RuleAtom, RuleId};
use crate::logic::{project, split_equalities, with_guards, without_weaker_bounds};
use crate::term::{Term, TermSet};

impl<'t> Pdr<'_, 't> {
    /// Treats obligations of at most `bound` until `false` is reached or none is left: then `false` has no derivation of
    /// height `bound + 1`. Answers the reach fact of `false` if there is one.
    pub(super) fn block_all(&mut self, bound: Level) -> Result<Option<ReachId>, Stop> {
        let goal = self.rules.goal;
        self.obligations.add(goal, Vec::new(), bound, None, 0, None);
        while let Some(id) = self.obligations.pop(bound) {
            self.limit.check()?;
            self.report();
            self.block(id, bound)?;
            if let Some(&fact) = self.facts.of(goal).first() {
                return Ok(Some(fact));
            }
        }
        Ok(None)
    }

    /// `block(p, n, φ)` of DESIGN.md, one step of it.
    fn block(&mut self, id: ObligationId, bound: Level) -> Result<(), Stop> {
        // A child that was reached makes this one likely, and cheap to ask for: one step from the newest facts.
        if (self.may_be_reached(id) && self.reach(id)?) || self.meets_facts(id)? {
            self.obligations.mark_reached(id);
            return Ok(());
        }
        if let Some(level) = self.avoided_up_to(id, bound)? {
            self.ask_above(id, level);
            return Ok(());
        }
        let obligation = self.obligations.get(id);
        let (pred, level) = (obligation.pred, obligation.level);
        let cube = split_equalities(self.t, &obligation.cube);
        // φ' ∧ ⋁ τ ∧ ⋀ F_{n-1}(bodyᵢ) ∧ ¬φ[bodyᵢ]
        let question = Question {
            purpose: Purpose::Block,
            head: pred,
            cube: &cube,
            from: Bodies::May(level.before()),
            inductive: true,
            wants_step: true,
            wants_weaker: self.options.weaken,
        };
        match self.ask(&question)? {
            Reply::Blocked(core) => self.learn(id, core, bound),
            Reply::Step(step) => {
                let step = step.expect("a step was wanted");
                if self.can_use_facts(pred) && self.reach(id)? {
                    self.obligations.mark_reached(id);
                    return Ok(());
                }
                self.hand_on(id, step)
            }
        }
    }

    /// The states of the core cannot be derived at the obligation's level: generalises that to a lemma, as high up as it
    /// holds, and puts the obligation back for the level after.
    fn learn(&mut self, id: ObligationId, core: Vec<Term>, bound: Level) -> Result<(), Stop> {
        let (pred, level) = {
            let obligation = self.obligations.get(id);
            (obligation.pred, obligation.level)
        };
        let cube = self.generalize(pred, level, core)?;
        let cube = with_guards(self.t, cube, &self.obligations.get(id).cube);
        let level = self.highest_level(pred, &cube, level, bound)?;
        log::trace!(
            "lemma {} at {level:?}: {:?}",
            self.name(pred),
            self.show(&cube)
        );
        self.frames.add(self.t, pred, cube, level);
        self.ask_above(id, level);
        Ok(())
    }

    /// Puts an obligation that lemmas exclude up to a level back for the next one. Nobody asks for a guess there, and `false` is
    /// asked for at each new bound anyway.
    fn ask_above(&mut self, id: ObligationId, level: Level) {
        let in_earnest = self.obligations.get(id).gas.is_none();
        if level != Level::INFINITY && self.options.requeue && in_earnest {
            self.obligations.requeue(id, level.next());
        }
    }

    /// Do lemmas avoid the obligation at its level? Then answers up to which level they are known to; the lemma of another
    /// obligation often settles many.
    fn avoided_up_to(&mut self, id: ObligationId, bound: Level) -> Result<Option<Level>, Stop> {
        let obligation = self.obligations.get(id);
        let (pred, level) = (obligation.pred, obligation.level);
        let seen = (level, self.frames.log(pred).len());
        if obligation.lemmas_seen == Some(seen) || seen.1 == 0 || !self.options.avoid {
            return Ok(None);
        }
        let cube = &obligation.cube;
        for up_to in [bound, level] {
            if self.queries.avoided(pred, cube, up_to, &self.frames)? {
                return Ok(Some(up_to));
            }
            if bound == level {
                break;
            }
        }
        self.obligations.get_mut(id).lemmas_seen = Some(seen);
        Ok(None)
    }

    /// Does the cube meet a reach fact that is newer than the last look?
    fn meets_facts(&mut self, id: ObligationId) -> Result<bool, Stop> {
        let obligation = self.obligations.get(id);
        let known = self.facts.of(obligation.pred);
        let new = &known[obligation.facts_seen..];
        if new.is_empty() {
            return Ok(false);
        }
        let seen = known.len();
        let union = self.t.or(new.iter().map(|&f| self.facts.get(f).formula));
        let mut formulas = obligation.cube.clone();
        formulas.push(union);
        // φ ∧ ⋁ U(p)
        let meets = self.queries.consistent(&formulas)?;
        self.obligations.get_mut(id).facts_seen = seen;
        Ok(meets)
    }

    /// Is there a reason to look for a derivation from reach facts before anything else?
    fn may_be_reached(&mut self, id: ObligationId) -> bool {
        std::mem::take(&mut self.obligations.get_mut(id).child_reached)
    }

    /// Is there a rule all of whose body predicates have reach facts?
    fn can_use_facts(&self, head: PredId) -> bool {
        self.rules.by_head[head.index()].iter().any(|&r| {
            let body = &self.rules.rule(r).body;
            body.iter().all(|atom| !self.facts.of(atom.pred).is_empty())
        })
    }

    /// Looks for a derivation of a state of the obligation from reach facts, and makes it a reach fact.
    fn reach(&mut self, id: ObligationId) -> Result<bool, Stop> {
        let obligation = self.obligations.get(id);
        if obligation.must_failed_at == Some(self.facts.len()) {
            return Ok(false);
        }
        let pred = obligation.pred;
        let cube = obligation.cube.clone();
        // φ' ∧ ⋁ τ ∧ ⋀ U(bodyᵢ)
        let question = Question {
            purpose: Purpose::Reach,
            head: pred,
            cube: &cube,
            from: Bodies::Must,
            inductive: false,
            wants_step: true,
            wants_weaker: false,
        };
        match self.ask(&question)? {
            Reply::Blocked(_) => {
                self.obligations.get_mut(id).must_failed_at = Some(self.facts.len());
                Ok(false)
            }
            Reply::Step(step) => {
                self.add_fact(pred, step.expect("a step was wanted"))?;
                Ok(true)
            }
        }
    }

    /// The states that the step's rule derives from the reach facts that the step uses.
    fn add_fact(&mut self, pred: PredId, mut step: Step<'t>) -> Result<(), Stop> {
        let t = self.t;
        let rule = self.rules.rule(step.rule);
        let mut premises = Vec::with_capacity(rule.body.len());
        let mut formulas = vec![rule.constraint];
        let mut concrete = true;
        for atom in &rule.body {
            let (fact, instance) = self
                .facts
                .of(atom.pred)
                .iter()
                .rev()
                .map(|&f| (f, self.rules.instance(t, self.facts.get(f).formula, atom)))
                .find(|&(_, instance)| step.valuation.holds(instance))
                .ok_or_else(|| Stop::model("a premise is no reach fact"))?;
            concrete &= self.facts.get(fact).concrete;
            premises.push(fact);
            formulas.push(instance);
        }
        if let Some(abstracted) = self.abstracted {
            let whole = abstracted.rule(step.rule).constraint;
            concrete &= step.valuation.holds(whole);
            formulas.extend(concrete.then_some(whole));
        }
        let cube = self.project(&mut step, formulas, &self.rules.params[pred.index()])?;
        log::trace!("reach fact {}: {:?}", self.name(pred), self.show(&cube));
        let fact = ReachFact {
            formula: t.and(cube),
            rule: step.rule,
            premises,
            concrete,
        };
        self.facts.add(pred, fact);
        Ok(())
    }

    /// The formulas, which the step is to satisfy, projected onto `keep`.
    pub(super) fn project(
        &self,
        step: &mut Step<'t>,
        formulas: Vec<Term>,
        keep: &[Term],
    ) -> Result<Vec<Term>, Stop> {
        if let Some(&wrong) = formulas.iter().find(|&&f| !step.valuation.holds(f)) {
            log::debug!("not true in the model: {}", self.t.display(wrong));
            return Err(Stop::model("a formula is not true in the solver's model"));
        }
        let vars = self.rules.rule(step.rule).vars.iter().copied();
        let eliminate: TermSet = vars.filter(|v| !keep.contains(v)).collect();
        let cube = project(self.t, &mut step.valuation, eliminate, formulas);
        Ok(without_weaker_bounds(self.t, &cube))
    }

    /// Chooses the atom of the step's rule that needs more than reach facts, and asks for the states there that lead into
    /// the obligation. The obligation stays queued until that is answered.
    fn hand_on(&mut self, id: ObligationId, step: Step<'t>) -> Result<(), Stop> {
        let obligation = self.obligations.get(id);
        if obligation.gas.as_ref().is_some_and(|gas| !gas.take()) {
            // The guess was not worth more.
            return Ok(());
        }
        let level = obligation.level;
        let mut formulas = obligation.cube.clone();
        let Some(below) = level.before() else {
            return Err(Stop::model("a rule with premises was active at level 0"));
        };
        let (rule_id, rules) = (step.rule, self.rules);
        let rule = rules.rule(rule_id);
        if rule.is_fact() {
            // The obligation is met by a fact: reach() finds it, unless the solver contradicts itself.
            return Err(Stop::model("a fact was active and not derivable"));
        }
        let (mut step, used) = self.prefer_facts(id, rule_id, step, below)?;
        let position = (0..rule.body.len())
            .find(|i| !used.contains(i))
            .ok_or_else(|| {
                Stop::model("all premises are reach facts, and no derivation was found")
            })?;
        let may = |atom: &RuleAtom| {
            let lemmas = self.frames.formula(self.t, atom.pred, below);
            rules.instance(self.t, lemmas, atom)
        };
        formulas.push(rule.constraint);
        for (i, atom) in rule.body.iter().enumerate() {
            if used.contains(&i) {
                formulas.push(self.fact_instance(&mut step, i)?);
            } else if i != position {
                formulas.push(may(atom));
            }
        }
        let atom = &rule.body[position];
        debug_assert!(
            step.valuation.holds(may(atom)),
            "a step from states that lemmas exclude"
        );
        let mut cube = self.project(&mut step, formulas, &atom.args)?;
        if self.options.guidance {
            cube = (self.guidance).concretise(self.t, atom.pred, cube, &mut step.valuation);
            cube = without_weaker_bounds(self.t, &cube);
        }
        let cube = rules.over_params(self.t, &cube, atom);
        log::trace!(
            "obligation {} at {below:?}: {:?}",
            self.name(atom.pred),
            self.show(&cube)
        );
        // By the choice of the used premises the cube meets no reach fact of today.
        let seen = self.facts.of(atom.pred).len();
        let gas = self.obligations.get(id).gas.clone();
        let child = (self.obligations).add(atom.pred, cube, below, Some(id), seen, gas);
        // The lemmas of today were true in the step.
        let lemmas = self.frames.log(atom.pred).len();
        self.obligations.get_mut(child).lemmas_seen = Some((below, lemmas));
        self.obligations.requeue(id, level);
        Ok(())
    }

    /// A step of the same rule into the obligation that uses reach facts for as many premises as possible, taken in order, and
    /// these premises' positions. The premises left out cannot be reach facts together with those.
    fn prefer_facts(
        &mut self,
        id: ObligationId,
        rule: RuleId,
        mut step: Step<'t>,
        below: Level,
    ) -> Result<(Step<'t>, Vec<usize>), Stop> {
        let pred = self.obligations.get(id).pred;
        let cube = self.obligations.get(id).cube.clone();
        let body = &self.rules.rule(rule).body;
        let mut used = Vec::new();
        if body.len() == 1 {
            // The derivation from reach facts has been tried just before.
            return Ok((step, used));
        }
        for (i, atom) in body.iter().enumerate() {
            if self.facts.of(atom.pred).is_empty() {
                continue;
            }
            used.push(i);
            // φ' ∧ τ_r ∧ ⋀_{used} U(bodyᵢ) ∧ ⋀_{others} F_{n-1}(bodyᵢ)
            let question = Question {
                purpose: Purpose::Prefer,
                head: pred,
                cube: &cube,
                from: Bodies::Mixed(rule, &used, below),
                inductive: false,
                wants_step: true,
                wants_weaker: false,
            };
            match self.ask(&question)? {
                Reply::Step(better) => step = better.expect("a step was wanted"),
                Reply::Blocked(_) => {
                    used.pop();
                }
            }
        }
        Ok((step, used))
    }

    /// The reach fact that the step uses at a position of its rule's body, said of the atom's arguments.
    fn fact_instance(&self, step: &mut Step<'t>, position: usize) -> Result<Term, Stop> {
        let atom = &self.rules.rule(step.rule).body[position];
        self.facts
            .of(atom.pred)
            .iter()
            .rev()
            .map(|&f| self.rules.instance(self.t, self.facts.get(f).formula, atom))
            .find(|&instance| step.valuation.holds(instance))
            .ok_or_else(|| Stop::model("a premise is no reach fact"))
    }
}
