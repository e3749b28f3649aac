//! Lemma 1 of the paper as a function, which debug builds check when invariants are added.
//!
//! The function has a solver to itself, so that no fault of the search's own contexts is repeated.
//! What that solver does not decide within its budget counts as true.

use super::Spacer;
use crate::engine::rules::RuleId;
use crate::smt::{Limit, SatResult};
use crate::term::Term;

/// Ticks of one call, all its queries together: half a second at the nominal rate. Not tuned.
const BUDGET: u64 = 10_000_000;

impl Spacer<'_, '_> {
    /// Lemma 1: the invariants are inductive together, for the concrete system.
    pub(super) fn invariants_are_valid(&self) -> bool {
        let t = self.t;
        let backend = self.context.backend.for_client("debug");
        let mut solver = backend.solver(t, "Lemma 1");
        let limit = Limit::none().part(BUDGET);
        solver.set_limit(limit.clone());
        let mut holds = |id: &RuleId| {
            let rule = self.rules.rule(*id);
            let body = rule.body.iter();
            let body = body.map(|a| self.rules.instance(t, self.invariant_of(a.pred), a));
            let fails = t.not(self.invariant_of(rule.head));
            let violation: Vec<Term> = body.chain([rule.constraint, fails]).collect();
            // ⋀ I(bodyᵢ) ∧ constraint ∧ ¬I(head)
            solver.check(format_args!("Lemma 1"), &violation) != SatResult::Sat
        };
        // Rules with a premise that nothing can derive are in no list.
        let mut preds = self.rules.pred_ids();
        let valid = preds.all(|pred| self.rules.by_head[pred.index()].iter().all(&mut holds));
        if limit.check().is_err() {
            log::debug!("spacer: the budget has ended the check of Lemma 1");
        }
        valid
    }
}

#[cfg(test)]
mod tests {
    use super::super::Options;
    use super::*;
    use crate::chc::PredId;
    use crate::engine::Context;
    use crate::engine::pdr::fixture::counter;
    use crate::engine::rules::RuleSystem;
    use crate::smt::Backend;
    use crate::smt::native::NativeOptions;
    use crate::term::Terms;
    use crate::transform::Tools;

    /// Are the formulas invariants of `p(0)`, `p(x) → p(x + 1)`, `p(x) ∧ x < 0 → false`?
    fn check(formulas: impl FnOnce(&Terms, Term) -> Vec<Term>, expected: bool, about: &str) {
        let t = Terms::new();
        let system = counter(&t, |_| Term::TRUE, |x| t.lt(x, t.int(0)));
        let backend = Backend::native(NativeOptions::for_engines());
        let context = Context::new(Tools::new(&t, &backend, Limit::none()));
        let (options, rules) = (Options::default(), RuleSystem::new(&t, &system));
        let mut spacer = Spacer::new(&rules, None, &options, &context);
        for formula in formulas(&t, rules.params[0][0]) {
            spacer.add_invariant(PredId(0), formula);
        }
        assert_eq!(spacer.invariants_are_valid(), expected, "{about}");
    }

    #[test]
    fn right_invariants_are_valid() {
        check(|_, _| vec![], true, "there is none");
        check(|t, x| vec![t.le(t.int(0), x)], true, "a natural number");
        let together = |t: &Terms, x| vec![t.not(t.eq(x, t.int(-1))), t.le(t.int(-1), x)];
        check(together, true, "each is inductive with the other");
    }

    #[test]
    fn a_wrong_invariant_is_caught() {
        check(|t, x| vec![t.le(t.int(1), x)], false, "0 is a fact");
        check(|t, x| vec![t.le(x, t.int(7))], false, "7 leads to 8");
        // It holds, but is not inductive.
        let alone = |t: &Terms, x| vec![t.not(t.eq(x, t.int(-1)))];
        check(alone, false, "-2 leads there");
    }
}
