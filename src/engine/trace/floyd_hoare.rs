//! Floyd-Hoare automata: trees of rules that have no values, for one reason \[HHP13\].
//!
//! The reason are the assertions along one derivation of `false` without values. A Hoare triple
//! is a rule with assertions for its premises that imply, with the constraint, an assertion of
//! its conclusion. The automaton of all such triples accepts derivations of the assertion `false`,
//! and these have no values. They are more than the one derivation that the assertions are of.
//!
//! The automaton is made deterministic: its states are the sets of all assertions that follow.
//! A difference computes the triples that it meets, once each.

use crate::chc::{PredId, Step};
use crate::engine::arg::{KnownInvariants, Transfer};
use crate::engine::rules::{RuleId, RuleSystem};
use crate::smt::Failure;
use crate::term::{Term, Terms};
use rustc_hash::FxHashMap;

/// A set of assertions about one predicate; the set without any is the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct SetId(u32);

/// A Hoare triple of the derivation itself.
struct Triple {
    /// The assertion about each premise.
    premises: Vec<Term>,
    conclusion: Term,
}

/// The automaton of one derivation.
pub(super) struct FloydHoare<'a> {
    rules: &'a RuleSystem,
    /// The assertions about each predicate, by its index. `true` is none of them.
    assertions: Vec<Vec<Term>>,
    /// The triples of the derivation, which need no question.
    own: FxHashMap<RuleId, Vec<Triple>>,
    /// The sets that were met, each as a sorted list.
    sets: Vec<Vec<Term>>,
    numbers: FxHashMap<Vec<Term>, SetId>,
    /// What is known to follow: `None` if the rule derives nothing from its premises.
    successors: FxHashMap<(RuleId, Vec<SetId>), Option<SetId>>,
}

impl<'a> FloydHoare<'a> {
    /// The automaton of the steps of a derivation, with the assertion about each.
    pub(super) fn new(rules: &'a RuleSystem, steps: &[Step], about: &[Term]) -> Self {
        let mut assertions: Vec<Vec<Term>> = vec![Vec::new(); rules.params.len()];
        let mut own: FxHashMap<RuleId, Vec<Triple>> = FxHashMap::default();
        for (step, &assertion) in steps.iter().zip(about) {
            let rule = RuleId(step.clause.0);
            let known = &mut assertions[rules.rule(rule).head.index()];
            if assertion == Term::TRUE {
                continue;
            }
            if !known.contains(&assertion) {
                known.push(assertion);
            }
            let premises = step.premises.iter().map(|premise| about[premise.index()]);
            own.entry(rule).or_default().push(Triple {
                premises: premises.collect(),
                conclusion: assertion,
            });
        }
        FloydHoare {
            rules,
            assertions,
            own,
            sets: vec![Vec::new()],
            numbers: [(Vec::new(), SetId(0))].into_iter().collect(),
            successors: FxHashMap::default(),
        }
    }

    /// The conjunction of the assertions of a set.
    pub(super) fn formula(&self, t: &Terms, set: SetId) -> Term {
        t.and(self.sets[set.0 as usize].iter().copied())
    }

    /// The assertions that follow by a rule from those about its premises; `None` if `false` is
    /// among them. What solvers do not decide does not follow.
    ///
    /// # Errors
    /// The limit is reached, or a solver is broken.
    pub(super) fn successor(
        &mut self,
        t: &Terms,
        rule: RuleId,
        premises: &[SetId],
        (transfer, known): (&mut Transfer<'_, '_>, &KnownInvariants),
    ) -> Result<Option<SetId>, Failure> {
        let key = (rule, premises.to_vec());
        if let Some(&successor) = self.successors.get(&key) {
            return Ok(successor);
        }
        let found = self.follow(t, rule, premises, (transfer, known))?;
        let found = found.map(|set| self.number(set));
        self.successors.insert(key, found);
        Ok(found)
    }

    fn follow(
        &self,
        t: &Terms,
        rule: RuleId,
        premises: &[SetId],
        (transfer, known): (&mut Transfer<'_, '_>, &KnownInvariants),
    ) -> Result<Option<Vec<Term>>, Failure> {
        let head = self.rules.rule(rule).head;
        let mut open = self.assertions[head.index()].clone();
        let mut follow = Vec::new();
        for triple in self.own.get(&rule).map_or(&[][..], |own| own) {
            let is_met = std::iter::zip(&triple.premises, premises)
                .all(|(&assertion, &set)| assertion == Term::TRUE || self.has(set, assertion));
            if is_met && open.contains(&triple.conclusion) {
                open.retain(|&assertion| assertion != triple.conclusion);
                follow.push(triple.conclusion);
            }
        }
        if follow.contains(&Term::FALSE) {
            return Ok(None);
        }
        if !open.is_empty() {
            let body = self.rules.rule(rule).body.iter().zip(premises);
            let formula = |pred: PredId, set| t.and([known.of(pred), self.formula(t, set)]);
            let formulas: Vec<Term> = body.map(|(atom, &set)| formula(atom.pred, set)).collect();
            match transfer.following(rule, &formulas, &open)? {
                None => return Ok(None),
                Some(found) => follow.extend(found),
            }
        }
        Ok(Some(follow))
    }

    fn has(&self, set: SetId, assertion: Term) -> bool {
        self.sets[set.0 as usize].binary_search(&assertion).is_ok()
    }

    fn number(&mut self, mut set: Vec<Term>) -> SetId {
        set.sort_unstable();
        let next = SetId(u32::try_from(self.sets.len()).expect("fewer sets than transitions"));
        let number = *self.numbers.entry(set.clone()).or_insert(next);
        if number == next {
            self.sets.push(set);
        }
        number
    }
}
