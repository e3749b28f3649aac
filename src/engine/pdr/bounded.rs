//! Searches up to a bound, one after the other, for an engine that solves under-approximations of
//! abstractions: SPACER's SOLVE \[KGCC13\].
//!
//! Solver contexts live as long as the [`BoundedSearch`]. What else stays from one search to the
//! next depends on how the rules change:
//!
//! - Conjuncts are added ([`BoundedSearch::strengthen`]): each lemma stays where it is, since the
//!   queries that proved it have no more models now.
//! - Other conjuncts are selected, which suffice for the last proof ([`BoundedSearch::replace`]):
//!   the caller has shown that each lemma of the proof follows, level by level, up to the bound. So
//!   the lemmas stay up to the bound.
//! - Limits change ([`BoundedSearch::limit`]): no lemma stays.
//!
//! Reach facts stay where they are derivable by the concrete rules.

use super::level::Level;
use super::obligation::Obligations;
use super::selection::Selection;
use super::{Frames, NoVerdict, Options, Pdr, Searched};
use crate::chc::{PredId, Refutation, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::{RuleId, RuleSystem};
use crate::smt::Failure;
use crate::term::Term;
use std::rc::Rc;

/// What is known after a search up to a bound.
pub(crate) enum Bounded {
    /// `false` has no derivation of height `bound + 1` or less.
    Safe(BoundedProof),
    /// It has one.
    Unsafe(Refutation),
    /// The budget of the search was used up before.
    OutOfBudget,
}

/// Lemmas that show it: the lemmas of level `n` and more contain what is derivable with height
/// `n + 1`, and follow, rule by rule, from those of level `n - 1` and more. One of them is `false`
/// for the goal.
pub(crate) struct BoundedProof {
    pub(crate) lemmas: Vec<ProofLemma>,
}

/// A lemma of a [`BoundedProof`].
#[derive(Clone, Debug)]
pub(crate) struct ProofLemma {
    pub(crate) pred: PredId,
    /// A formula over the predicate's parameters.
    pub(crate) formula: Term,
    /// Up to where it holds; `∞` if the proof is one for all heights.
    pub(crate) level: Level,
}

/// Searches of abstractions of the same rules.
pub(crate) struct BoundedSearch<'a, 't> {
    pdr: Pdr<'a, 't>,
    /// The last proof's lemmas above this level were inductive.
    inductive: Level,
}

impl<'a, 't> BoundedSearch<'a, 't> {
    /// Searches of abstractions of `rules`. The selection has the parts of their constraints, of
    /// which nothing is selected yet.
    pub(crate) fn new(
        rules: &'a RuleSystem,
        selection: Selection,
        options: &'a Options,
        context: &Context<'t>,
    ) -> Self {
        let mut pdr = Pdr::new(rules.clone(), options, context);
        pdr.abstracted = Some(rules);
        pdr.queries.selection = selection;
        BoundedSearch {
            pdr,
            inductive: Level::INFINITY,
        }
    }

    /// Selects the choices with these literals, all that were selected among them. Lemmas stay.
    pub(crate) fn strengthen(&mut self, literals: &[Term]) {
        self.pdr.queries.selection.select(literals);
        self.pdr.frames.forget_failures();
        self.change_rules();
    }

    /// Selects the choices with these literals and no others. They suffice for the lemmas of the
    /// last proof up to `bound`, which stay.
    pub(crate) fn replace(&mut self, literals: &[Term], bound: u32) {
        let pdr = &mut self.pdr;
        let selection = &mut pdr.queries.selection;
        // What could not be pushed cannot be pushed with fewer conjuncts, either.
        let grows = literals
            .iter()
            .any(|&literal| !selection.is_selected(literal));
        selection.select(literals);
        let bound = Level::new(bound);
        if pdr.frames.has_above(self.inductive.min(bound)) {
            pdr.frames = pdr.frames.capped(self.inductive, bound);
            pdr.queries.forget_lemmas();
        } else if grows {
            pdr.frames.forget_failures();
        }
        self.change_rules();
    }

    /// Replaces the limits of all rules, in order. Reach facts of the old limits must be derivable
    /// within the new ones. Lemmas go.
    pub(crate) fn limit(&mut self, limits: Vec<Term>) {
        self.pdr.queries.selection.limit(limits);
        self.pdr.frames = Frames::new(self.pdr.rules.params.len());
        self.pdr.queries.forget_lemmas();
        self.change_rules();
    }

    /// What is derivable by the concrete rules satisfies the formula, over the predicate's
    /// parameters: the rules keep it from now on.
    pub(crate) fn add_invariant(&mut self, pred: PredId, formula: Term) {
        let t = self.pdr.context.terms;
        let rules = Rc::clone(&self.pdr.rules);
        let selection = &mut self.pdr.queries.selection;
        for (number, rule) in (0..).map(RuleId).zip(&rules.rules) {
            if rule.head == pred {
                selection.keep(number, formula);
            }
            for atom in rule.body.iter().filter(|atom| atom.pred == pred) {
                selection.keep(number, rules.instance(t, formula, atom));
            }
        }
        self.pdr.frames.forget_failures();
    }

    /// Looks for a derivation of height up to `bound + 1`, with at most `budget` ticks if there is
    /// a budget. Lemmas stay also if it is used up.
    ///
    /// # Errors
    /// A solver does not answer, or contradicts itself.
    pub(crate) fn search(
        &mut self,
        bound: u32,
        budget: Option<u64>,
    ) -> Result<Bounded, UnknownReason> {
        let whole = self.pdr.context.limit.clone();
        if let Some(ticks) = budget {
            self.pdr.set_limit(whole.part(ticks));
        }
        let found = self.run_to(bound);
        self.pdr.set_limit(whole.clone());
        match found {
            Err(NoVerdict::Solver(Failure::Timeout)) if whole.check().is_ok() => {
                Ok(Bounded::OutOfBudget)
            }
            found => found.map_err(UnknownReason::from),
        }
    }

    /// Number of reach facts.
    pub(crate) fn facts(&self) -> usize {
        self.pdr.facts.len()
    }

    /// Brings the rules up to date with the selection, and drops what may not hold any more.
    fn change_rules(&mut self) {
        let pdr = &mut self.pdr;
        let t = pdr.context.terms;
        let selection = &pdr.queries.selection;
        let rules = Rc::make_mut(&mut pdr.rules);
        for (number, rule) in (0..).map(RuleId).zip(&mut rules.rules) {
            rule.constraint = selection.constraint(t, number);
        }
        pdr.obligations = Obligations::default();
        let kept = pdr.facts.retain_concrete();
        pdr.queries.forget_facts(&pdr.rules, &kept);
    }

    fn run_to(&mut self, bound: u32) -> Result<Bounded, NoVerdict> {
        let pdr = &mut self.pdr;
        if let Some(&fact) = pdr.facts.of(pdr.rules.goal).first() {
            return Ok(Bounded::Unsafe(pdr.refutation(fact)?));
        }
        let searched = pdr.search(pdr.first_open(), bound)?;
        self.inductive = match searched {
            Searched::Reached(fact) => return Ok(Bounded::Unsafe(pdr.refutation(fact)?)),
            Searched::Invariant(level) => level,
            Searched::Safe => Level::INFINITY,
        };
        Ok(Bounded::Safe(BoundedProof {
            lemmas: pdr.proof_lemmas(self.inductive),
        }))
    }
}

impl Pdr<'_, '_> {
    /// The first level at which no lemma says that `false` is not derivable.
    fn first_open(&self) -> u32 {
        let lemmas = self.frames.lemmas(self.rules.goal).iter();
        let closed = lemmas.filter(|lemma| lemma.formula == Term::FALSE);
        let highest = closed.filter_map(|lemma| lemma.level.number()).max();
        highest.map_or(0, |level| level + 1)
    }

    /// All lemmas, those above a level as lemmas of level `∞`: they are inductive.
    fn proof_lemmas(&self, above: Level) -> Vec<ProofLemma> {
        let preds = self.rules.pred_ids();
        let lemmas = preds.flat_map(|pred| {
            let of_pred = self.frames.lemmas(pred).iter();
            of_pred.map(move |lemma| ProofLemma {
                pred,
                formula: lemma.formula,
                level: match lemma.level > above {
                    true => Level::INFINITY,
                    false => lemma.level,
                },
            })
        });
        lemmas.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::pdr::Choice;
    use crate::engine::pdr::fixture::counter;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::term::{Sort, Terms};
    use crate::transform::Tools;

    /// Runs searches in `p(0)`, `p(x) ∧ x < 9 → p(x + 1)`, `p(x) ∧ x = wrong → false`. The whole
    /// constraint of each rule is a choice.
    fn with_search(wrong: i64, check: impl FnOnce(&mut BoundedSearch<'_, '_>, &[Term])) {
        let t = Terms::new();
        let system = counter(&t, |x| t.lt(x, t.int(9)), |x| t.eq(x, t.int(wrong)));
        let rules = RuleSystem::new(&t, &system);
        let choice = |formula| Choice {
            literal: t.fresh_var("sigma", Sort::BOOL),
            formula,
        };
        let choices = rules.rules.iter().map(|rule| choice(rule.constraint));
        let choices: Vec<Choice> = choices.collect();
        let literals: Vec<Term> = choices.iter().map(|c| c.literal).collect();
        let selection = Selection::of_parts(choices.into_iter().map(|c| (Vec::new(), vec![c])));
        let backend = Backend::native(NativeOptions::for_engines());
        let context = Context::new(Tools::new(&t, &backend, Limit::none()));
        // As in SPACER: no counterexample is higher than the bound.
        let options = Options {
            requeue: false,
            ..Options::default()
        };
        let mut search = BoundedSearch::new(&rules, selection, &options, &context);
        check(&mut search, &literals);
    }

    fn is_safe(search: &mut BoundedSearch<'_, '_>, bound: u32) -> bool {
        match search.search(bound, None) {
            Ok(Bounded::Safe(proof)) => {
                let goal = search.pdr.rules.goal;
                assert!(proof.lemmas.iter().any(|lemma| lemma.pred == goal));
                true
            }
            Ok(Bounded::Unsafe(refutation)) => {
                assert!(!refutation.facts.is_empty());
                false
            }
            Ok(Bounded::OutOfBudget) => panic!("there is no budget"),
            Err(why) => panic!("{why}"),
        }
    }

    fn queries(search: &BoundedSearch<'_, '_>) -> u64 {
        search.pdr.context.backend.queries()
    }

    #[test]
    fn a_search_beyond_its_budget_can_go_on() {
        with_search(20, |search, literals| {
            search.strengthen(literals);
            let whole = search.pdr.context.limit.clone();
            let none = search.search(9, Some(0)).expect("the run has no limit");
            assert!(matches!(none, Bounded::OutOfBudget));
            let some = search.search(9, Some(2_000)).expect("the run has no limit");
            assert!(matches!(some, Bounded::OutOfBudget));
            let lemmas = search.pdr.frames.len();
            assert!(lemmas > 0, "{lemmas}");
            assert_eq!(search.pdr.context.limit.ticks_left(), whole.ticks_left());
            assert!(is_safe(search, 9));
        });
    }

    #[test]
    fn lemmas_that_stay_are_not_asserted_again() {
        with_search(4, |search, literals| {
            search.strengthen(literals);
            assert!(is_safe(search, 2));
            let log = |search: &BoundedSearch<'_, '_>| {
                let preds = search.pdr.rules.pred_ids();
                let lengths = preds.map(|pred| search.pdr.frames.log(pred).len());
                lengths.sum::<usize>()
            };
            let (asserted, lemmas) = (log(search), search.pdr.frames.len());
            search.replace(literals, 2);
            assert_eq!((log(search), search.pdr.frames.len()), (asserted, lemmas));
            assert!(is_safe(search, 3));
        });
    }

    #[test]
    fn what_is_derivable_without_abstraction_is_kept() {
        with_search(4, |search, literals| {
            search.strengthen(literals);
            assert!(!is_safe(search, 9));
            let (facts, first) = (search.facts(), queries(search));
            assert!(facts >= 5, "{facts}");
            // They are enough for a second search, also of an abstraction.
            search.strengthen(literals);
            assert_eq!(search.facts(), facts);
            assert!(!is_safe(search, 9));
            assert!(queries(search) - first < first);
        });
        // Values that the facts of the system do not have are not kept.
        with_search(4, |search, literals| {
            search.strengthen(&literals[1..]);
            assert!(!is_safe(search, 9), "4 is one of them");
            search.strengthen(literals);
            assert_eq!(search.facts(), 0);
            assert!(!is_safe(search, 9), "in four steps");
        });
    }

    #[test]
    fn lemmas_stay_as_far_as_they_hold() {
        with_search(20, |search, literals| {
            // Without the step's constraint 20 is derivable.
            search.strengthen(&[literals[0], literals[2]]);
            assert!(is_safe(search, 0) && !is_safe(search, 3));
            search.strengthen(literals);
            assert!(is_safe(search, 3));
            let lemmas = search.pdr.frames.len();
            assert!(lemmas > 0);
            search.strengthen(literals);
            assert_eq!(search.pdr.frames.len(), lemmas, "more conjuncts");
            assert!(is_safe(search, 5));
            assert!(search.pdr.frames_are_valid());
            // What the caller has shown holds up to the bound, and so does the goal's lemma.
            search.replace(literals, 5);
            assert_eq!(search.pdr.first_open(), 6);
            assert!(search.pdr.frames_are_valid());
            assert!(is_safe(search, 12));
        });
    }

    #[test]
    fn limits_are_replaced() {
        with_search(4, |search, literals| {
            search.strengthen(literals);
            let t = search.pdr.context.terms;
            let below = |search: &BoundedSearch<'_, '_>, n| {
                let param = search.pdr.rules.params[0][0];
                let limit = t.lt(param, t.int(n));
                vec![limit, limit, Term::TRUE]
            };
            let limits = below(search, 3);
            search.limit(limits);
            assert!(is_safe(search, 20), "4 is beyond the limit");
            let limits = below(search, 7);
            search.limit(limits);
            assert!(!is_safe(search, 20), "the old limit is no more");
        });
    }
}
