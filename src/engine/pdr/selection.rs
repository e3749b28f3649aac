//! The conjuncts of the rules' constraints that a search takes into account.
//!
//! A rule's constraint has conjuncts that are kept in any case, and *choices*: conjuncts with a
//! literal `σ` each, SPACER's Σ \[KGCC13\]. The selected choices are Σ̂. Contexts of solvers have
//! all choices as `act_r ∧ σ ⇒ part`, and one more literal that implies the `σ` of what is
//! selected; so another selection needs no new context.
//!
//! A *limit* is a conjunct that can be replaced at any time: the bound on a loop's counter.

use crate::engine::rules::{RuleId, RuleSystem};
use crate::term::{Term, TermSet, Terms};

/// A conjunct of a rule's constraint that can be left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// `σ`.
    pub(crate) literal: Term,
    /// The conjunct, over the rule's variables.
    pub(crate) formula: Term,
}

/// A rule's constraint by parts.
#[derive(Clone, Debug, Default)]
struct Parts {
    /// Conjuncts that are never left out. New ones may be added at the end.
    kept: Vec<Term>,
    choices: Vec<Choice>,
    limit: Option<Term>,
}

/// The parts of all constraints, and what is selected of them.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// The parts of the constraint of each rule, by its index.
    rules: Vec<Parts>,
    selected: TermSet,
    /// How often the limits were replaced.
    limits: u64,
}

impl Selection {
    /// Whole constraints, without choices.
    pub(super) fn whole(rules: &RuleSystem) -> Self {
        let parts = |constraint| Parts {
            kept: vec![constraint],
            ..Parts::default()
        };
        Selection {
            rules: rules.rules.iter().map(|r| parts(r.constraint)).collect(),
            selected: TermSet::default(),
            limits: 0,
        }
    }

    /// The kept conjuncts and the choices of each rule, in order. No choice is selected.
    pub(crate) fn of_parts(rules: impl IntoIterator<Item = (Vec<Term>, Vec<Choice>)>) -> Self {
        let parts = |(kept, choices)| Parts {
            kept,
            choices,
            limit: None,
        };
        Selection {
            rules: rules.into_iter().map(parts).collect(),
            selected: TermSet::default(),
            limits: 0,
        }
    }

    /// Selects the choices with these literals and no others.
    pub(super) fn select(&mut self, literals: &[Term]) {
        self.selected = literals.iter().copied().collect();
    }

    /// Adds a conjunct that a rule keeps from now on.
    pub(super) fn keep(&mut self, rule: RuleId, formula: Term) {
        self.rules[rule.index()].kept.push(formula);
    }

    /// Replaces the limits of all rules, in order.
    pub(super) fn limit(&mut self, limits: Vec<Term>) {
        for (parts, limit) in self.rules.iter_mut().zip(limits) {
            parts.limit = Some(limit);
        }
        self.limits += 1;
    }

    /// The conjuncts that a rule keeps in any case; the list only grows.
    pub(super) fn kept(&self, rule: RuleId) -> &[Term] {
        &self.rules[rule.index()].kept
    }

    /// The choices of a rule.
    pub(super) fn choices(&self, rule: RuleId) -> &[Choice] {
        &self.rules[rule.index()].choices
    }

    /// The present limit of a rule.
    pub(super) fn limit_of(&self, rule: RuleId) -> Option<Term> {
        self.rules[rule.index()].limit
    }

    /// A number that changes when limits do.
    pub(super) fn limits_version(&self) -> u64 {
        self.limits
    }

    /// Is the choice with this literal selected?
    pub(super) fn is_selected(&self, literal: Term) -> bool {
        self.selected.contains(&literal)
    }

    /// What is selected of a rule's constraint.
    pub(super) fn constraint(&self, t: &Terms, rule: RuleId) -> Term {
        let parts = &self.rules[rule.index()];
        let selected = parts.choices.iter();
        let selected = selected.filter(|choice| self.is_selected(choice.literal));
        let formulas = parts.kept.iter().copied();
        t.and(
            formulas
                .chain(selected.map(|c| c.formula))
                .chain(parts.limit),
        )
    }
}
