//! The invariants of a search as functions, which debug builds check at each bound: that the frames
//! are what their head says, and that reach facts are derivable.
//!
//! Each function has a solver to itself, so that no fault of the search's own contexts is repeated.
//! What that solver does not decide within its budget counts as true.

use super::Pdr;
use super::frames::Lemma;
use super::level::Level;
use super::reach::ReachId;
use crate::chc::PredId;
use crate::engine::rules::RuleId;
use crate::smt::{Limit, SatResult, Solver};
use crate::term::Term;

/// Ticks of one call of a function, all its queries together. They bound the cost of
/// debug builds; the value was not tuned.
const BUDGET: u64 = 300_000;
/// The number of states of a reach fact that are tried. The value was not tuned.
const STATES: usize = 2;

/// Logs that the budget has ended a check, so that a part of what it is about was not checked.
fn report_end(about: &str, limit: &Limit) {
    if limit.check().is_err() {
        log::debug!("pdr: the budget has ended the check of the {about}");
    }
}

impl<'t> Pdr<'_, 't> {
    /// Initiation and consecution: each lemma of level `n` holds of what each rule derives from
    /// `F_{n-1}`. Monotonicity: `F_n` has the lemmas of `F_{n+1}`.
    pub(super) fn frames_are_valid(&self) -> bool {
        let limit = Limit::none().part(BUDGET);
        let mut solver = self.own_solver("frames", &limit);
        let preds = self.rules.pred_ids();
        let valid = preds.into_iter().all(|pred| {
            let lemmas = self.frames.lemmas(pred);
            let is_proved = |lemma: &Lemma| self.is_proved(&mut *solver, pred, lemma);
            lemmas.iter().all(is_proved) && self.is_monotone(pred)
        });
        report_end("frames", &limit);
        valid
    }

    /// Each reach fact has a state, and states of it are derivable by its rule from states of its
    /// premises.
    pub(super) fn reach_facts_are_valid(&self) -> bool {
        let limit = Limit::none().part(BUDGET);
        let mut solver = self.own_solver("facts", &limit);
        let preds = self.rules.pred_ids();
        let valid = preds.into_iter().all(|pred| {
            let facts = self.facts.of(pred).iter();
            facts
                .into_iter()
                .all(|&fact| self.is_derivable(&mut *solver, pred, fact))
        });
        report_end("reach facts", &limit);
        valid
    }

    fn own_solver(&self, name: &str, limit: &Limit) -> Box<dyn Solver + 't> {
        let backend = self.context.backend.for_client("debug");
        let mut solver = backend.solver(self.context.terms, name);
        solver.set_limit(limit.clone());
        solver
    }

    /// Is the lemma's cube unreachable in one step from the frame below?
    fn is_proved(&self, solver: &mut dyn Solver, pred: PredId, lemma: &Lemma) -> bool {
        self.rules.by_head[pred.index()].iter().all(|&rule| {
            let Some(mut formulas) = self.step_from(rule, lemma.level) else {
                return true;
            };
            formulas.extend(&lemma.cube);
            // ⋀ F_{n-1}(bodyᵢ) ∧ constraint ∧ cube
            solver.check(format_args!("a lemma fails"), &formulas) != SatResult::Sat
        })
    }

    /// What holds of a rule's step into level `level`; `None` where there is none.
    fn step_from(&self, rule: RuleId, level: Level) -> Option<Vec<Term>> {
        let (t, rule) = (self.context.terms, self.rules.rule(rule));
        let mut formulas = vec![rule.constraint];
        for atom in &rule.body {
            let lemmas = self.frames.formula(t, atom.pred, level.before()?);
            formulas.push(self.rules.instance(t, lemmas, atom));
        }
        Some(formulas)
    }

    fn is_monotone(&self, pred: PredId) -> bool {
        let t = self.context.terms;
        let last = self.bound.number().unwrap_or(0);
        (0..last).map(Level::new).all(|level| {
            let lower = t.conjuncts(self.frames.formula(t, pred, level));
            let higher = t.conjuncts(self.frames.formula(t, pred, level.next()));
            lower.contains(&Term::FALSE) || higher.iter().all(|lemma| lower.contains(lemma))
        })
    }

    /// Are states of the fact, a few of them, derivable by its rule from its premises?
    fn is_derivable(&self, solver: &mut dyn Solver, pred: PredId, fact: ReachId) -> bool {
        let t = self.context.terms;
        let fact = self.facts.get(fact);
        let rule = self.rules.rule(fact.rule);
        let params = &self.rules.params[pred.index()];
        let mut derivation = vec![rule.constraint];
        for (&premise, atom) in fact.premises.iter().zip(&rule.body) {
            let formula = self.facts.get(premise).formula;
            derivation.push(self.rules.instance(t, formula, atom));
        }
        let mut states = vec![fact.formula];
        for tried in 0..STATES {
            // formula ∧ ⋀ ¬state
            match solver.check(format_args!("a state of a reach fact"), &states) {
                SatResult::Sat => {}
                SatResult::Unsat => return tried > 0,
                SatResult::Unknown(_) => return true,
            }
            let Ok(values) = solver.values(params) else {
                return true;
            };
            let equal = params.iter().zip(&values);
            let state = equal.map(|(&x, value)| t.eq(x, t.value_term(value, t.sort_of(x))));
            let state = t.and(state);
            let wanted: Vec<Term> = derivation.iter().copied().chain([state]).collect();
            // state ∧ constraint ∧ ⋀ premises
            let outcome = solver.check(format_args!("a derivation of a state"), &wanted);
            if outcome == SatResult::Unsat {
                return false;
            }
            states.push(t.not(state));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::counter;
    use super::super::frames::Blocked;
    use super::super::reach::ReachFact;
    use super::*;
    use crate::engine::Context;
    use crate::engine::pdr::Options;
    use crate::engine::rules::RuleSystem;
    use crate::smt::Backend;
    use crate::smt::native::NativeOptions;
    use crate::term::Terms;
    use crate::transform::Tools;

    /// `p(0)`, `p(x) → p(x + 1)`, `p(x) ∧ x < 0 → false`, as a search that has not begun.
    fn with_search(check: impl FnOnce(&Terms, &mut Pdr<'_, '_>)) {
        let t = Terms::new();
        let system = counter(&t, |_| Term::TRUE, |x| t.lt(x, t.int(0)));
        let backend = Backend::native(NativeOptions::for_engines());
        let context = Context::new(Tools::new(&t, &backend, Limit::none()));
        let options = Options::default();
        let rules = RuleSystem::new(&t, &system);
        let mut pdr = Pdr::new(rules, &options, &context);
        pdr.bound = Level::new(2);
        check(&t, &mut pdr);
    }

    fn add_lemma(t: &Terms, pdr: &mut Pdr<'_, '_>, cube: impl Fn(Term) -> Term, level: Level) {
        let cube = vec![cube(pdr.rules.params[0][0])];
        let pred = PredId(0);
        pdr.frames.add(t, Blocked { pred, level, cube });
    }

    #[test]
    fn right_lemmas_are_valid() {
        with_search(|t, pdr| {
            assert!(pdr.frames_are_valid(), "there is none");
            add_lemma(t, pdr, |x| t.lt(x, t.int(0)), Level::INFINITY);
            add_lemma(t, pdr, |x| t.lt(t.int(1), x), Level::new(1));
            add_lemma(t, pdr, |x| t.lt(t.int(0), x), Level::new(0));
            assert!(pdr.frames_are_valid());
        });
    }

    /// A lemma that was generalised too far, as a faulty generalisation would make it.
    #[test]
    fn a_wrong_generalisation_is_caught() {
        // 1 is derivable with height 2, which is level 1.
        with_search(|t, pdr| {
            add_lemma(t, pdr, |x| t.lt(t.int(0), x), Level::new(1));
            assert!(!pdr.frames_are_valid(), "consecution");
        });
        // 0 is a fact.
        with_search(|t, pdr| {
            add_lemma(t, pdr, |x| t.lt(x, t.int(5)), Level::new(0));
            assert!(!pdr.frames_are_valid(), "initiation");
        });
        // It holds, but does not follow from the frame below.
        with_search(|t, pdr| {
            add_lemma(t, pdr, |x| t.eq(x, t.int(-1)), Level::INFINITY);
            assert!(!pdr.frames_are_valid(), "-2 leads there");
        });
    }

    #[test]
    fn underivable_facts_are_caught() {
        let fact = |t: &Terms, pdr: &Pdr<'_, '_>, rule, value, premises| ReachFact {
            formula: t.eq(pdr.rules.params[0][0], t.int(value)),
            rule: RuleId(rule),
            premises,
            concrete: true,
        };
        with_search(|t, pdr| {
            let zero = pdr.facts.add(PredId(0), fact(t, pdr, 0, 0, vec![]));
            pdr.facts.add(PredId(0), fact(t, pdr, 1, 1, vec![zero]));
            assert!(pdr.reach_facts_are_valid());
            pdr.facts.add(PredId(0), fact(t, pdr, 1, 3, vec![zero]));
            assert!(!pdr.reach_facts_are_valid(), "3 does not follow from 0");
        });
    }
}
