//! Σ: the conjuncts of constraints as assumptions, and the abstractions that keep some of them.

use super::super::rules::{RuleId, RuleSystem};
use super::counters::Counted;
use crate::engine::pdr::{Choice, Selection};
use crate::term::{Op, Sort, Term, TermSet, Terms};
use std::ops::Range;

/// The conjuncts that can be left out of a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Granularity {
    /// Every conjunct, as in the paper's Section 5.
    Conjuncts,
    /// Only equations that define a next-state value, as in \[VGS12\]: the variant that Table 1 of
    /// the paper marks with an asterisk. The conditions that stay say which way a step goes, so
    /// fewer refinements are spent on ways that do not exist. Tried: 148 of 175 arithmetic
    /// development tasks are solved in 20 s, and 144 with [`Granularity::Conjuncts`].
    #[default]
    NextState,
}

/// A conjunct of a rule's constraint under an assumption literal.
#[derive(Clone, Debug)]
pub(super) struct Assumption {
    pub(super) rule: RuleId,
    /// The conjunct, over the rule's variables.
    pub(super) formula: Term,
    /// The activation literal `σ` of the conjunct.
    pub(super) literal: Term,
}

/// All of Σ, and the conjuncts that are always kept.
pub(super) struct Sigma {
    pub(super) assumptions: Vec<Assumption>,
    /// The range of the assumptions of each rule, by its index.
    ranges: Vec<Range<usize>>,
    /// For each rule the conjuncts that every abstraction keeps.
    pub(super) kept: Vec<Vec<Term>>,
}

impl Sigma {
    /// Σ of a system. What bounds its loops is kept in every abstraction, as in the paper: else the
    /// same derivation could have more iterations in one abstraction than in another.
    pub(super) fn new(
        t: &Terms,
        rules: &RuleSystem,
        counted: Option<&Counted>,
        granularity: Granularity,
    ) -> Self {
        let mut sigma = Sigma {
            assumptions: Vec::new(),
            ranges: Vec::with_capacity(rules.rules.len()),
            kept: vec![Vec::new(); rules.rules.len()],
        };
        for (number, rule) in (0..).zip(&rules.rules) {
            let inputs: TermSet = rule.body.iter().flat_map(|a| a.args.clone()).collect();
            let outputs: TermSet = (rules.params[rule.head.index()].iter().copied())
                .filter(|x| !inputs.contains(x))
                .collect();
            let counters =
                counted.map_or_else(TermSet::default, |c| c.counters(rules, RuleId(number)));
            let start = sigma.assumptions.len();
            for formula in t.conjuncts(rule.constraint) {
                let bounds = t.any_subterm(formula, |s| counters.contains(&s));
                let assigns =
                    t.op(formula) == Op::Eq && t.any_subterm(formula, |s| outputs.contains(&s));
                if !bounds && (granularity == Granularity::Conjuncts || assigns) {
                    sigma.assumptions.push(Assumption {
                        rule: RuleId(number),
                        formula,
                        literal: t.fresh_var("sigma", Sort::BOOL),
                    });
                } else {
                    sigma.kept[number as usize].push(formula);
                }
            }
            sigma.ranges.push(start..sigma.assumptions.len());
        }
        sigma
    }

    pub(super) fn len(&self) -> usize {
        self.assumptions.len()
    }

    /// The assumptions of a rule.
    pub(super) fn of_rule(&self, rule: RuleId) -> &[Assumption] {
        &self.assumptions[self.ranges[rule.index()].clone()]
    }

    /// The conjuncts of a rule that are kept in every abstraction.
    pub(super) fn kept(&self, rule: RuleId) -> &[Term] {
        &self.kept[rule.index()]
    }

    /// All of Σ enabled: the system itself.
    pub(super) fn concrete(&self) -> Abstraction {
        Abstraction {
            enabled: vec![true; self.len()],
        }
    }

    /// The abstraction with exactly the assumptions whose literals are among these.
    pub(super) fn abstraction(&self, literals: &[Term]) -> Abstraction {
        let literals: TermSet = literals.iter().copied().collect();
        let enabled = self
            .assumptions
            .iter()
            .map(|a| literals.contains(&a.literal));
        Abstraction {
            enabled: enabled.collect(),
        }
    }

    /// The literals of an abstraction.
    pub(super) fn literals(&self, abstraction: &Abstraction) -> Vec<Term> {
        let pairs = self.assumptions.iter().zip(&abstraction.enabled);
        pairs
            .filter(|(_, on)| **on)
            .map(|(a, _)| a.literal)
            .collect()
    }

    /// Σ for SOLVE: the parts of each rule's constraint, none of which is selected.
    pub(super) fn selection(&self) -> Selection {
        let rules = (0..).map(RuleId).take(self.kept.len());
        Selection::of_parts(rules.map(|rule| {
            let choices = self.of_rule(rule).iter().map(|a| Choice {
                literal: a.literal,
                formula: a.formula,
            });
            (self.kept(rule).to_vec(), choices.collect())
        }))
    }
}

/// An abstraction `Σ̂ ⊆ Σ`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Abstraction {
    enabled: Vec<bool>,
}

impl Abstraction {
    /// The number of its conjuncts.
    pub(super) fn size(&self) -> usize {
        self.enabled.iter().filter(|on| **on).count()
    }

    /// Adds the conjuncts of another abstraction.
    pub(super) fn join(&mut self, other: &Abstraction) {
        for (mine, theirs) in self.enabled.iter_mut().zip(&other.enabled) {
            *mine |= theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::pdr::fixture::counter;

    /// The paper's abstractions "keep τ_B unchanged" (Section 5).
    #[test]
    fn what_bounds_loops_is_kept() {
        let t = Terms::new();
        let system = counter(&t, |_| Term::TRUE, |x| t.lt(x, t.int(0)));
        let counted = Counted::new(&t, &system);
        let rules = RuleSystem::new(&t, &counted.system);
        for granularity in [Granularity::Conjuncts, Granularity::NextState] {
            let sigma = Sigma::new(&t, &rules, Some(&counted), granularity);
            for rule in (0..).map(RuleId).take(rules.rules.len()) {
                let counters = counted.counters(&rules, rule);
                let speaks = |f: Term| t.any_subterm(f, |s| counters.contains(&s));
                assert!(!sigma.of_rule(rule).iter().any(|a| speaks(a.formula)));
                assert!(sigma.kept(rule).iter().any(|&f| speaks(f)));
                let sizes = sigma.of_rule(rule).len() + sigma.kept(rule).len();
                assert_eq!(sizes, t.conjuncts(rules.rule(rule).constraint).len());
            }
            assert!(sigma.len() > 0);
        }
    }
}
