//! One step on a proof obligation: a lemma blocks it, a reach fact meets it, or a predecessor
//! becomes an obligation one level below.
//!
//! ```text
//! block(p, n, φ):
//!   if φ ∧ ⋁ U(p) is sat                                  reached: look at the parents again
//!   if F_n(p) ⇒ ¬φ                                        requeue one level above
//!   if φ' ∧ ⋁ τ ∧ ⋀ F_{n-1}(bodyᵢ) ∧ ¬φ[bodyᵢ] is unsat   add a lemma; requeue one level above it
//!   if φ' ∧ ⋁ τ ∧ ⋀ U(bodyᵢ) is sat                       new reach fact by projection; reached
//!   else                                                  child (bodyᵢ, n - 1, predecessor)
//! ```
//!
//! The fourth line is tried first where a child was reached.
//!
//! Lines 2, 3 and 5 are Leaf, Conflict and Decide of \[HB12\]; reach facts are from \[KGC14\].
//!
//! The second line is from \[EMB11\]: the lemmas of one obligation often block many others, and a
//! context with lemmas alone answers faster than one with the rules. Tried, together with not
//! pushing a lemma again before its level has changed: on a task of the HOLA set, 61 000 queries in
//! 7.5 s became 17 000 in 1.8 s.
//!
//! DIVERGENCE: before a cube is blocked, each equation of arithmetic is split into two
//! inequalities. An unsat core can then keep one of them, which gives a stronger lemma than the
//! disequality would.

use super::frames::Blocked;
use super::level::Level;
use super::obligation::ObligationId;
use super::purpose::Purpose;
use super::query::{Bodies, CubeQuery, Reply, Step};
use super::reach::{ReachFact, ReachId};
use super::{NoVerdict, Pdr};
use crate::chc::PredId;
use crate::engine::rules::{RuleAtom, RuleId};
use crate::logic::split_equalities;
use crate::logic::{project, with_guards, without_weaker_bounds};
use crate::term::{Term, TermSet};
use std::rc::Rc;

impl<'t> Pdr<'_, 't> {
    /// Works on obligations of level `bound` or less until `false` is reached or none is left.
    ///
    /// Answers the reach fact of `false` if it was reached. Otherwise `false` has no derivation of
    /// height `bound + 1` or less.
    pub(super) fn block_all(&mut self, bound: Level) -> Result<Option<ReachId>, NoVerdict> {
        let goal = self.rules.goal;
        self.obligations.add(goal, Vec::new(), bound, None, 0, None);
        while let Some(id) = self.obligations.pop(bound) {
            self.context.limit.check()?;
            self.report_sometimes();
            self.block(id, bound)?;
            if let Some(&fact) = self.facts.of(goal).first() {
                return Ok(Some(fact));
            }
        }
        Ok(None)
    }

    /// One step on an obligation, `block(p, n, φ)` above.
    fn block(&mut self, id: ObligationId, bound: Level) -> Result<(), NoVerdict> {
        // Where a child was reached, this one is probably one step from the newest reach facts.
        if (self.may_be_reached(id) && self.reach(id)?) || self.meets_facts(id)? {
            self.obligations.mark_reached(id);
            return Ok(());
        }
        if let Some(level) = self.level_of_lemmas(id, bound)? {
            self.requeue(id, level);
            return Ok(());
        }
        let obligation = self.obligations.get(id);
        let (pred, level) = (obligation.pred, obligation.level);
        let cube = split_equalities(self.context.terms, &obligation.cube);
        // φ' ∧ ⋁ τ ∧ ⋀ F_{n-1}(bodyᵢ) ∧ ¬φ[bodyᵢ]
        let question = CubeQuery {
            purpose: Purpose::Block,
            head: pred,
            cube: &cube,
            from: Bodies::May(level.before()),
            inductive: true,
            wants_step: true,
            wants_weaker: self.options.weaken,
        };
        match self.ask(&question)? {
            Reply::Blocked(core) => self.add_lemma(id, core, bound),
            Reply::Step(step) => {
                let step = step.expect("a step was wanted");
                if self.can_use_facts(pred) && self.reach(id)? {
                    self.obligations.mark_reached(id);
                    return Ok(());
                }
                self.create_child(id, step)
            }
        }
    }

    /// Adds a lemma that blocks the obligation: generalises the core of the blocking query, pushes
    /// the lemma up to `bound`, and requeues the obligation one level above the lemma.
    fn add_lemma(
        &mut self,
        id: ObligationId,
        core: Vec<Term>,
        bound: Level,
    ) -> Result<(), NoVerdict> {
        let t = self.context.terms;
        let obligation = self.obligations.get(id);
        let mut blocked = Blocked {
            pred: obligation.pred,
            level: obligation.level,
            cube: core,
        };
        self.generalize(&mut blocked)?;
        blocked.cube = with_guards(t, blocked.cube, &self.obligations.get(id).cube);
        self.push(&mut blocked, bound)?;
        let level = blocked.level;
        log::trace!(
            "lemma {} at {level:?}: {:?}",
            self.name(blocked.pred),
            self.show(&blocked.cube)
        );
        self.add_blocked(blocked);
        self.requeue(id, level);
        Ok(())
    }

    /// Queues an obligation that is blocked up to `level` for the level above it. A may-obligation
    /// is not queued again: nothing depends on it.
    fn requeue(&mut self, id: ObligationId, level: Level) {
        let is_may = self.obligations.get(id).gas.is_some();
        if level != Level::INFINITY && self.options.requeue && !is_may {
            self.obligations.enqueue(id, level.next());
        }
    }

    /// The level up to which lemmas are known to block the obligation; `None` where they do not
    /// block it at its own level. Asks for `bound` first.
    fn level_of_lemmas(
        &mut self,
        id: ObligationId,
        bound: Level,
    ) -> Result<Option<Level>, NoVerdict> {
        let obligation = self.obligations.get(id);
        let (pred, level) = (obligation.pred, obligation.level);
        let seen = (level, self.frames.log(pred).len());
        if obligation.lemmas_seen == Some(seen) || seen.1 == 0 || !self.options.lemmas_first {
            return Ok(None);
        }
        let cube = &obligation.cube;
        for up_to in [bound, level] {
            // F_{up_to}(p) ∧ φ
            if self.queries.lemmas_block(pred, cube, up_to, &self.frames)? {
                return Ok(Some(up_to));
            }
            if bound == level {
                break;
            }
        }
        self.obligations.get_mut(id).lemmas_seen = Some(seen);
        Ok(None)
    }

    /// Does the obligation's cube meet a reach fact that was added since the last call?
    fn meets_facts(&mut self, id: ObligationId) -> Result<bool, NoVerdict> {
        let obligation = self.obligations.get(id);
        let known = self.facts.of(obligation.pred);
        let new = &known[obligation.facts_seen..];
        if new.is_empty() {
            return Ok(false);
        }
        let seen = known.len();
        let union = self
            .context
            .terms
            .or(new.iter().map(|&f| self.facts.get(f).formula));
        let mut formulas = obligation.cube.clone();
        formulas.push(union);
        // φ ∧ ⋁ U(p)
        let meets = self.queries.consistent(&formulas)?;
        self.obligations.get_mut(id).facts_seen = seen;
        Ok(meets)
    }

    /// Was a child reached since the last call? Then a derivation from reach facts is looked for
    /// before anything else.
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

    /// Looks for a step from reach facts into the obligation's cube, and adds its result as a reach
    /// fact. Answers whether there is one.
    fn reach(&mut self, id: ObligationId) -> Result<bool, NoVerdict> {
        let obligation = self.obligations.get(id);
        if obligation.must_failed_at == Some(self.facts.len()) {
            return Ok(false);
        }
        let pred = obligation.pred;
        let cube = obligation.cube.clone();
        // φ' ∧ ⋁ τ ∧ ⋀ U(bodyᵢ)
        let question = CubeQuery {
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

    /// Adds the reach fact that the step's rule derives from the reach facts that the step uses.
    fn add_fact(&mut self, pred: PredId, mut step: Step<'t>) -> Result<(), NoVerdict> {
        let t = self.context.terms;
        let rule = self.rules.rule(step.rule);
        let mut premises = Vec::with_capacity(rule.body.len());
        let mut formulas = vec![rule.constraint];
        let mut concrete = true;
        for atom in &rule.body {
            let (fact, instance) = self.used_fact(&mut step, atom)?;
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

    /// Model-based projection of the formulas onto `keep`. The step must satisfy each formula.
    pub(super) fn project(
        &self,
        step: &mut Step<'t>,
        formulas: Vec<Term>,
        keep: &[Term],
    ) -> Result<Vec<Term>, NoVerdict> {
        if let Some(&wrong) = formulas.iter().find(|&&f| !step.valuation.holds(f)) {
            log::debug!(
                "not true in the model: {}",
                self.context.terms.display(wrong)
            );
            return Err(NoVerdict::model(
                "the solver's model does not satisfy the query",
            ));
        }
        let vars = self.rules.rule(step.rule).vars.iter().copied();
        let eliminate: TermSet = vars.filter(|v| !keep.contains(v)).collect();
        let cube = project(self.context.terms, &mut step.valuation, eliminate, formulas);
        Ok(without_weaker_bounds(self.context.terms, &cube))
    }

    /// Makes the predecessor that the step shows an obligation one level below.
    ///
    /// The predecessor is a cube over the arguments of the first body atom that no reach fact
    /// serves. The parent stays queued at its level, behind the child. A may-obligation without gas
    /// gets no child and is dropped.
    fn create_child(&mut self, id: ObligationId, step: Step<'t>) -> Result<(), NoVerdict> {
        let obligation = self.obligations.get(id);
        if obligation.gas.as_ref().is_some_and(|gas| !gas.take()) {
            return Ok(());
        }
        let level = obligation.level;
        let Some(below) = level.before() else {
            return Err(NoVerdict::model(
                "the solver's model contradicts the query: it uses a rule with premises at level \
                 0, where only initial clauses are allowed",
            ));
        };
        let (rule_id, rules) = (step.rule, Rc::clone(&self.rules));
        let rule = rules.rule(rule_id);
        if rule.is_fact() {
            // The obligation is met by a fact: reach() finds it, unless the solver contradicts
            // itself.
            return Err(NoVerdict::model(
                "the solver's answers contradict each other: an initial clause derives a state, \
                 and an equivalent query finds none",
            ));
        }
        let (step, used) = self.prefer_facts(id, rule_id, step, below)?;
        let (child, cube) = self.open_predecessor(id, step, used, below)?;
        self.add_child(id, child, cube, below);
        self.obligations.enqueue(id, level);
        Ok(())
    }

    /// The predecessor of the first premise of a step that no reach fact serves. Those at the
    /// positions `used` are served.
    ///
    /// The predecessor may be an obligation that was reached before, by a reach fact that the
    /// lemmas of its level exclude, since all its derivations are higher. Nothing works on a
    /// reached obligation again, so the reach fact serves this premise, and the next one is the
    /// candidate. Without this the parent would meet the same predecessor for ever.
    fn open_predecessor(
        &mut self,
        id: ObligationId,
        mut step: Step<'t>,
        mut used: Vec<usize>,
        below: Level,
    ) -> Result<(PredId, Vec<Term>), NoVerdict> {
        let (rule_id, rules) = (step.rule, Rc::clone(&self.rules));
        let rule = rules.rule(rule_id);
        loop {
            let position = (0..rule.body.len())
                .find(|i| !used.contains(i))
                .ok_or_else(|| {
                    NoVerdict::model(
                        "the solver's answers contradict each other: there is a step from reach \
                         facts that an earlier query excludes",
                    )
                })?;
            let atom = &rule.body[position];
            let cube = self.predecessor(id, &mut step, (position, &used), below)?;
            if !self.obligations.was_reached(atom.pred, &cube) {
                return Ok((atom.pred, cube));
            }
            // The lemmas of the level below exclude the reach fact that meets the cube: it has no
            // derivation of that height.
            used.push(position);
            let from = Bodies::Split(rule_id, &used, below);
            step = self.ask_for_step(id, from)?.ok_or_else(|| {
                NoVerdict::model(
                    "the solver's answers contradict each other: there is no step from a reach \
                     fact that meets a predecessor",
                )
            })?;
        }
    }

    /// The predecessor that a step shows: a cube over the parameters of the predicate of the body
    /// atom at `position`. The atoms at the positions `used` are in reach facts, the others in
    /// `F_below`.
    fn predecessor(
        &mut self,
        id: ObligationId,
        step: &mut Step<'t>,
        (position, used): (usize, &[usize]),
        below: Level,
    ) -> Result<Vec<Term>, NoVerdict> {
        let rules = Rc::clone(&self.rules);
        let rule = rules.rule(step.rule);
        let may = |atom: &RuleAtom| {
            let lemmas = self.frames.formula(self.context.terms, atom.pred, below);
            rules.instance(self.context.terms, lemmas, atom)
        };
        let mut formulas = self.obligations.get(id).cube.clone();
        formulas.push(rule.constraint);
        for (i, atom) in rule.body.iter().enumerate() {
            if used.contains(&i) {
                formulas.push(self.used_fact(step, atom)?.1);
            } else if i != position {
                formulas.push(may(atom));
            }
        }
        let atom = &rule.body[position];
        debug_assert!(
            step.valuation.holds(may(atom)),
            "a step from states that lemmas exclude"
        );
        let mut cube = self.project(step, formulas, &atom.args)?;
        if self.options.guidance {
            cube = (self.guidance).concretise(
                self.context.terms,
                atom.pred,
                cube,
                &mut step.valuation,
            );
            cube = without_weaker_bounds(self.context.terms, &cube);
        }
        Ok(rules.over_params(self.context.terms, &cube, atom))
    }

    /// Adds a predecessor that meets none of the present reach facts and satisfies all present
    /// lemmas of its level.
    fn add_child(&mut self, parent: ObligationId, pred: PredId, cube: Vec<Term>, level: Level) {
        log::trace!(
            "obligation {} at {level:?}: {:?}",
            self.name(pred),
            self.show(&cube)
        );
        let seen = self.facts.of(pred).len();
        let gas = self.obligations.get(parent).gas.clone();
        let child = (self.obligations).add(pred, cube, level, Some(parent), seen, gas);
        let lemmas = self.frames.log(pred).len();
        self.obligations.get_mut(child).lemmas_seen = Some((level, lemmas));
    }

    /// A step of the same rule into the obligation that uses reach facts for as many premises as
    /// possible, chosen greedily in order; with the positions of these premises. No other premise
    /// can be a reach fact together with them.
    fn prefer_facts(
        &mut self,
        id: ObligationId,
        rule: RuleId,
        mut step: Step<'t>,
        below: Level,
    ) -> Result<(Step<'t>, Vec<usize>), NoVerdict> {
        let rules = Rc::clone(&self.rules);
        let body = &rules.rule(rule).body;
        let mut used = Vec::new();
        if body.len() == 1 {
            // `block` has just looked for a derivation from reach facts in vain.
            return Ok((step, used));
        }
        for (i, atom) in body.iter().enumerate() {
            if self.facts.of(atom.pred).is_empty() {
                continue;
            }
            used.push(i);
            // φ' ∧ τ_r ∧ ⋀_{used} U(bodyᵢ) ∧ ⋀ F_{n-1}(bodyᵢ)
            match self.ask_for_step(id, Bodies::Mixed(rule, &used, below))? {
                Some(better) => step = better,
                None => {
                    used.pop();
                }
            }
        }
        Ok((step, used))
    }

    /// A step into the obligation that uses reach facts for some premises, if there is one.
    fn ask_for_step(
        &mut self,
        id: ObligationId,
        from: Bodies<'_>,
    ) -> Result<Option<Step<'t>>, NoVerdict> {
        let obligation = self.obligations.get(id);
        let (pred, cube) = (obligation.pred, obligation.cube.clone());
        let question = CubeQuery {
            purpose: Purpose::Prefer,
            head: pred,
            cube: &cube,
            from,
            inductive: false,
            wants_step: true,
            wants_weaker: false,
        };
        Ok(match self.ask(&question)? {
            Reply::Step(step) => Some(step.expect("a step was wanted")),
            Reply::Blocked(_) => None,
        })
    }

    /// The newest reach fact that the step uses for a body atom of its rule, with the fact's
    /// formula over the atom's arguments.
    ///
    /// Tried: newest facts first, and after a child was reached a step from its fact first. A
    /// counterexample that is a chain of 1000 steps takes 1.7 s in place of 4.2 s.
    fn used_fact(
        &self,
        step: &mut Step<'t>,
        atom: &RuleAtom,
    ) -> Result<(ReachId, Term), NoVerdict> {
        let facts = self.facts.of(atom.pred).iter().rev();
        facts
            .map(|&fact| {
                let formula = self.facts.get(fact).formula;
                let instance = self.rules.instance(self.context.terms, formula, atom);
                (fact, instance)
            })
            .find(|&(_, instance)| step.valuation.holds(instance))
            .ok_or_else(|| {
                NoVerdict::model(
                    "the solver's model contradicts the query: a premise is in no reach fact",
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::counter;
    use super::*;
    use crate::chc::{Atom, Clause, Origin};
    use crate::engine::Context;
    use crate::engine::pdr::Options;
    use crate::engine::rules::RuleSystem;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::term::{Sort, Terms};
    use crate::transform::Tools;

    /// Of `p(x) ∧ p(y) ∧ 2 ≤ x ∧ y = -1 → false` the first premise is met by the reach fact
    /// `x = 3`, which has no derivation of the height of the frame.
    #[test]
    fn a_reached_predecessor_serves_its_premise() {
        let t = Terms::new();
        let mut system = counter(&t, |_| Term::TRUE, |_| Term::FALSE);
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let atom = |arg| Atom {
            pred: PredId(0),
            args: vec![arg],
        };
        system.clauses.push(Clause {
            vars: vec![x, y],
            body: vec![atom(x), atom(y)],
            constraint: t.and([t.le(t.int(2), x), t.eq(y, t.int(-1))]),
            head: None,
            origin: Origin::default(),
        });
        let backend = Backend::native(NativeOptions::for_engines());
        let context = Context::new(Tools::new(&t, &backend, Limit::none()));
        let options = Options::default();
        let mut pdr = Pdr::new(RuleSystem::new(&t, &system), &options, &context);
        pdr.bound = Level::new(2);
        let pred = PredId(0);
        let param = pdr.rules.params[0][0];
        let three = t.eq(param, t.int(3));
        pdr.frames.add(
            &t,
            Blocked {
                pred,
                level: Level::new(1),
                cube: vec![three],
            },
        );
        pdr.facts.add(
            pred,
            ReachFact {
                formula: three,
                rule: RuleId(0),
                premises: Vec::new(),
                concrete: true,
            },
        );
        let goal = pdr.rules.goal;
        let top = (pdr.obligations).add(goal, Vec::new(), Level::new(2), None, 0, None);
        let cube = vec![t.le(t.int(2), param)];
        let reached = (pdr.obligations).add(pred, cube.clone(), Level::new(1), Some(top), 0, None);
        pdr.obligations.mark_reached(reached);
        assert!(pdr.obligations.was_reached(pred, &cube));
        assert!(pdr.block(top, Level::new(2)).is_ok(), "there is a step");
        let next = pdr.obligations.pop(Level::new(1)).expect("a child");
        let child = pdr.obligations.get(next);
        assert_eq!((child.pred, child.level), (pred, Level::new(1)));
        assert_ne!(next, reached);
        let holds = |&literal: &Term| t.substitute(literal, [(param, t.int(-1))]) == Term::TRUE;
        assert!(
            child.cube.iter().all(holds),
            "it is about the other premise"
        );
    }
}
