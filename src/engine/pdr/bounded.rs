//! The search up to a bound, for an engine that uses this one to solve under-approximations.

use super::frames::{Blocked, Level};
use super::purpose::Purpose;
use super::{KeptFacts, Options, Pdr, Searched, Stop};
use crate::chc::{PredId, Refutation, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::logic::conjuncts_of_negation;
use crate::term::Term;

/// What is known after a search up to a bound.
pub(crate) enum Bounded {
    /// `false` has no derivation of height `bound + 1` or less.
    Safe(Proof),
    /// It has one.
    Unsafe(Refutation),
}

/// Lemmas that show it: the lemmas of level `n` and more contain what is derivable with height
/// `n + 1`, and follow, rule by rule, from those of level `n - 1` and more. One of them is `false`
/// for the goal.
pub(crate) struct Proof {
    pub(crate) lemmas: Vec<ProofLemma>,
}

/// A lemma of a [`Proof`].
#[derive(Clone, Debug)]
pub(crate) struct ProofLemma {
    pub(crate) pred: PredId,
    /// A formula over the predicate's parameters.
    pub(crate) formula: Term,
    /// Up to where it holds; `∞` if the proof is one for all heights.
    pub(crate) level: Level,
}

/// What searches of abstractions of the same rules learn of each other.
#[derive(Default)]
pub(crate) struct Known {
    /// Lemmas of an earlier proof, which may hold again.
    pub(crate) lemmas: Vec<ProofLemma>,
    /// What is derivable without any abstraction.
    pub(crate) facts: KeptFacts,
}

/// Looks for a derivation of height up to `bound + 1`.
///
/// The known lemmas that hold are kept, and all known facts. If the rules are an abstraction of
/// others, given as `abstracted`, facts that are derivable by those become known. Adds the number
/// of queries to `queries`.
pub(crate) fn solve_bounded(
    rules: &RuleSystem,
    abstracted: Option<&RuleSystem>,
    options: &Options,
    context: &Context<'_>,
    bound: u32,
    known: &mut Known,
    queries: &mut u64,
) -> Result<Bounded, UnknownReason> {
    let mut pdr = Pdr::new(rules, options, context);
    pdr.abstracted = abstracted;
    pdr.facts.take_over(&known.facts);
    let result = pdr.run_to(bound, &known.lemmas);
    if abstracted.is_some() {
        known.facts = pdr.facts.concrete();
    }
    *queries += pdr.queries.ledger.queries();
    result.map_err(UnknownReason::from)
}

impl Pdr<'_, '_> {
    fn run_to(&mut self, bound: u32, lemmas: &[ProofLemma]) -> Result<Bounded, Stop> {
        self.take_over(lemmas, Level::new(bound))?;
        match self.search(bound)? {
            Searched::Reached(fact) => Ok(Bounded::Unsafe(self.refutation(fact)?)),
            Searched::Invariant | Searched::Safe => Ok(Bounded::Safe(Proof {
                lemmas: self.proof_lemmas(),
            })),
        }
    }

    /// Lemmas that hold at level 0, and as far up as they hold.
    fn take_over(&mut self, lemmas: &[ProofLemma], bound: Level) -> Result<(), Stop> {
        let mut level = Level::new(0);
        let mut cubes: Vec<(PredId, Vec<Term>)> = lemmas
            .iter()
            .filter(|lemma| lemma.pred != self.rules.goal)
            .map(|lemma| {
                (
                    lemma.pred,
                    conjuncts_of_negation(self.context.terms, lemma.formula),
                )
            })
            .collect();
        // Level by level: when a lemma is checked, the frame below is complete.
        while level < bound && !cubes.is_empty() {
            let mut higher = Vec::new();
            for (pred, cube) in cubes {
                if self
                    .consecution(pred, level, &cube, Purpose::Propagate)?
                    .is_some()
                {
                    let lemma = Blocked {
                        pred,
                        level,
                        cube: cube.clone(),
                    };
                    self.frames.add(self.context.terms, lemma);
                    higher.push((pred, cube));
                }
            }
            cubes = higher;
            level = level.next();
        }
        Ok(())
    }

    fn proof_lemmas(&self) -> Vec<ProofLemma> {
        let preds = self.rules.pred_ids();
        let lemmas = preds.flat_map(|pred| {
            let of_pred = self.frames.lemmas(pred).iter();
            of_pred.map(move |lemma| ProofLemma {
                pred,
                formula: lemma.formula,
                level: lemma.level,
            })
        });
        lemmas.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc::{Atom, Clause, Origin, Predicate, Span, System};
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::term::{Sort, Terms};

    /// `p(0)`, `p(x) ∧ x < 9 → p(x + 1)`, `p(x) ∧ x = 4 → false`.
    fn counter(t: &Terms) -> System {
        let p = t.declare(t.symbol("p"), &[Sort::INT], Sort::BOOL);
        let x = t.var("x", Sort::INT);
        let atom = |arg| Atom {
            pred: PredId(0),
            args: vec![arg],
        };
        let clause = |body, constraint, head| Clause {
            vars: vec![x],
            body,
            constraint,
            head,
            origin: Origin::default(),
        };
        System {
            preds: vec![Predicate {
                func: p,
                span: Span::default(),
            }],
            clauses: vec![
                clause(vec![], t.eq(x, t.int(0)), Some(atom(x))),
                clause(
                    vec![atom(x)],
                    t.lt(x, t.int(9)),
                    Some(atom(t.add([x, t.int(1)]))),
                ),
                clause(vec![atom(x)], t.eq(x, t.int(4)), None),
            ],
        }
    }

    #[test]
    fn what_is_derivable_without_abstraction_is_kept() {
        let t = Terms::new();
        let concrete = RuleSystem::new(&t, &counter(&t));
        let mut abstraction = concrete.clone();
        // The facts may have any value.
        abstraction.rules[0].constraint = Term::TRUE;
        let context = Context {
            terms: &t,
            backend: &Backend::native(NativeOptions::for_engines()),
            limit: Limit::none(),
            invariants: None,
            progress: &|_| {},
        };
        let search = |rules: &RuleSystem, known: &mut Known| {
            let mut queries = 0;
            let options = Options::default();
            let found = solve_bounded(
                rules,
                Some(&concrete),
                &options,
                &context,
                9,
                known,
                &mut queries,
            );
            let is_safe = matches!(found, Ok(Bounded::Safe(_)));
            assert!(found.is_ok());
            (is_safe, queries)
        };
        let mut known = Known::default();
        let (is_safe, first) = search(&concrete, &mut known);
        assert!(!is_safe && known.facts.len() >= 5, "{}", known.facts.len());
        // They are enough for a second search.
        let (is_safe, second) = search(&concrete, &mut known);
        assert!(!is_safe && second < first, "{second} of {first}");
        // Values that the facts of the system do not have are not kept.
        let mut known = Known::default();
        let (is_safe, _) = search(&abstraction, &mut known);
        assert!(!is_safe, "4 is one of them");
        assert_eq!(known.facts.len(), 0);
    }
}
