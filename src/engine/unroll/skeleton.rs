//! One derivation of a given shape: has it values?
//!
//! Each step of a [`Skeleton`] is an instance of its rule with variables that no other step has.
//! Equations say that the arguments of a premise are the conclusion of the premise's step. So the
//! formulas of two steps share symbols only through these equations. Derivations may share their
//! instances ([`Instances`]).

use crate::chc::{PredId, Refutation, Skeleton, Step, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::{RuleId, RuleSystem};
use crate::logic::mus::shrink;
use crate::smt::SatResult;
use crate::term::{Substitution, Term, TermSet, Terms};
use rustc_hash::FxHashMap;

/// Instances are made anew if there would be more than this number of them. The value was not
/// tuned.
const MOST_INSTANCES: usize = 20_000;

/// A step's rule with variables of the step.
pub(crate) struct Instance<'t> {
    /// The rule.
    pub(crate) rule: RuleId,
    /// From the rule's variables to those of the step.
    rename: Substitution<'t>,
    /// The arguments of what it derives.
    head: Vec<Term>,
    /// The variables of the clause.
    clause_vars: Vec<Term>,
    /// The arguments of its premises: distinct variables, of which no two premises have one.
    premises: Vec<Vec<Term>>,
    /// What the arguments of several premises have in common.
    equations: Vec<Term>,
    /// What the rule's constraint says of the step, once that was asked.
    constraint: Option<Vec<Term>>,
}

impl Instance<'_> {
    /// A formula over the rule's variables, said of the step.
    pub(crate) fn said(&mut self, formula: Term) -> Term {
        self.rename.apply(formula)
    }

    /// The conjuncts of the rule's constraint, said of the step.
    pub(crate) fn constraint(&mut self, t: &Terms, rules: &RuleSystem) -> &[Term] {
        let rename = &mut self.rename;
        self.constraint.get_or_insert_with(|| {
            let said = rename.apply(rules.rule(self.rule).constraint);
            rename.forget();
            t.conjuncts(said)
        })
    }

    /// The arguments of what the step derives.
    pub(crate) fn head(&self) -> &[Term] {
        &self.head
    }

    /// The arguments of the step's premises, in order: distinct variables of the step, of which no
    /// two premises have one.
    pub(crate) fn premises(&self) -> &[Vec<Term>] {
        &self.premises
    }

    /// Equations for what the rule's premises have in common.
    pub(crate) fn equations(&self) -> &[Term] {
        &self.equations
    }

    /// A formula over the arguments of what the step derives, said of these parameters.
    pub(crate) fn concluded(&self, t: &Terms, formula: Term, params: &[Term]) -> Term {
        t.substitute(
            formula,
            std::iter::zip(self.head.iter().copied(), params.iter().copied()),
        )
    }
}

/// The place of an instance among others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InstanceId(usize);

/// Instances that derivations share: a predicate's conclusion of one number has the same variables
/// in all derivations, and so has each rule that derives it.
///
/// Invariant: the instances of one derivation have no variable in common.
pub(crate) struct Instances<'t> {
    t: &'t Terms,
    made: Vec<Instance<'t>>,
    /// By the rule, and the number of its conclusion among those about the same predicate.
    known: FxHashMap<(RuleId, usize), InstanceId>,
    /// The arguments of conclusions, by the predicate and their numbers.
    heads: FxHashMap<PredId, Vec<Vec<Term>>>,
}

impl<'t> Instances<'t> {
    /// None so far.
    pub(crate) fn new(t: &'t Terms) -> Self {
        Instances {
            t,
            made: Vec::new(),
            known: FxHashMap::default(),
            heads: FxHashMap::default(),
        }
    }

    /// The instances of a derivation's steps, premises first. A step may be without its premises.
    pub(crate) fn of(&mut self, rules: &RuleSystem, steps: &[Step]) -> Vec<InstanceId> {
        if self.made.len() + steps.len() > MOST_INSTANCES {
            *self = Instances::new(self.t);
        }
        let mut counts: FxHashMap<PredId, usize> = FxHashMap::default();
        let instance = |step: &Step| {
            let rule = RuleId(step.clause.0);
            let count = counts.entry(rules.rule(rule).head).or_default();
            let number = *count;
            *count += 1;
            match self.known.get(&(rule, number)) {
                Some(&id) => id,
                None => self.make(rules, rule, number),
            }
        };
        steps.iter().map(instance).collect()
    }

    /// The instance of this place.
    pub(crate) fn get(&self, id: InstanceId) -> &Instance<'t> {
        &self.made[id.0]
    }

    /// The instance of this place, which may rewrite formulas.
    pub(crate) fn get_mut(&mut self, id: InstanceId) -> &mut Instance<'t> {
        &mut self.made[id.0]
    }

    fn make(&mut self, rules: &RuleSystem, id: RuleId, number: usize) -> InstanceId {
        let t = self.t;
        let rule = rules.rule(id);
        let params = &rules.params[rule.head.index()];
        let copy = |&x: &Term| t.fresh_var("copy", t.sort_of(x));
        let heads = self.heads.entry(rule.head).or_default();
        while heads.len() <= number {
            heads.push(params.iter().map(copy).collect());
        }
        let head = heads[number].clone();
        let own = rule.vars.iter().filter(|x| !params.contains(x));
        let pairs = own.map(|x| (*x, copy(x)));
        let pairs = pairs.chain(params.iter().copied().zip(head.iter().copied()));
        let mut rename = Substitution::new(t, pairs);
        let clause_vars = rule.clause_vars.iter().map(|&x| rename.apply(x)).collect();
        let (mut used, mut equations) = (TermSet::default(), Vec::new());
        let mut distinct = |x: &Term| {
            let x = rename.apply(*x);
            if used.insert(x) {
                return x;
            }
            let other = copy(&x);
            equations.push(t.eq(other, x));
            other
        };
        let premises = rule.body.iter();
        let premises = premises.map(|atom| atom.args.iter().map(&mut distinct).collect());
        let premises = premises.collect();
        self.made.push(Instance {
            rule: id,
            rename,
            head,
            clause_vars,
            premises,
            equations,
            constraint: None,
        });
        let made = InstanceId(self.made.len() - 1);
        self.known.insert((id, number), made);
        made
    }
}

/// What is asked of a step: formulas over its rule's variables.
pub(crate) struct Conjuncts {
    /// What holds in any case.
    pub(crate) always: Vec<Term>,
    /// What holds where a label, a Boolean variable, is assumed.
    pub(crate) assumed: Vec<(Term, Term)>,
}

/// Has a derivation values?
pub(crate) enum Feasibility {
    /// With these.
    Feasible(Refutation),
    /// Not where these labels are assumed.
    Infeasible(Vec<Term>),
}

/// Looks for values of a derivation, all labels being assumed. Labels of a core are minimised by
/// deletion, with at most `attempts` further queries. `conjuncts` says what is asked of a step,
/// given its number and its rule; labels may be shared.
///
/// # Errors
/// The solver does not answer.
pub(crate) fn feasibility(
    context: &Context<'_>,
    rules: &RuleSystem,
    skeleton: &Skeleton,
    mut conjuncts: impl FnMut(usize, RuleId) -> Conjuncts,
    attempts: u32,
) -> Result<Feasibility, UnknownReason> {
    let t = context.terms;
    let mut solver = context.backend.solver(t, "counterexample");
    solver.set_purpose("refine");
    solver.set_limit(context.limit.clone());
    let mut labels = Vec::new();
    let mut instances = Instances::new(t);
    let ids = instances.of(rules, skeleton.steps());
    for (number, (&id, step)) in ids.iter().zip(skeleton.steps()).enumerate() {
        let instance = instances.get_mut(id);
        let Conjuncts { always, assumed } = conjuncts(number, instance.rule);
        for formula in always {
            solver.assert(instance.said(formula));
        }
        for (label, formula) in assumed {
            solver.assert(t.implies(label, instance.said(formula)));
            labels.push(label);
        }
        let instance = instances.get(id);
        let equations = instance.equations().iter();
        equations.for_each(|&equation| solver.assert(equation));
        for (args, premise) in instance.premises().iter().zip(&step.premises) {
            let concluded = instances.get(ids[premise.index()]).head();
            debug_assert_eq!(args.len(), concluded.len(), "a premise is of its predicate");
            let links = args.iter().zip(concluded).map(|(&x, &y)| t.eq(x, y));
            links.for_each(|link| solver.assert(link));
        }
    }
    labels.sort_unstable();
    labels.dedup();
    // ⋀ links ∧ ⋀ always ∧ ⋀ (label ⇒ assumed), all labels being assumed
    let about = format_args!("the counterexample is feasible");
    match solver.check(about, &labels) {
        SatResult::Unknown(failure) => return Err(failure.into()),
        SatResult::Sat => {
            let values = ids
                .iter()
                .map(|&id| solver.values(&instances.get(id).clause_vars));
            let values = values.collect::<Result<_, _>>()?;
            return Ok(Feasibility::Feasible(skeleton.with_values(values)));
        }
        SatResult::Unsat => {}
    }
    let core = shrink(solver.core()?, attempts, |rest| {
        match solver.check(about, rest) {
            SatResult::Unsat => Ok(Some(solver.core()?)),
            SatResult::Sat => Ok(None),
            SatResult::Unknown(failure) => Err(failure),
        }
    })?;
    Ok(Feasibility::Infeasible(core))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc::{ClauseId, FactId};
    use crate::engine::pdr::fixture::counter;

    #[test]
    fn derivations_share_instances_and_steps_do_not() {
        let t = Terms::new();
        // `p(0)`, `p(x) → p(x + 1)`, `p(x) ∧ x < 0 → false`
        let system = counter(&t, |_| Term::TRUE, |x| t.lt(x, t.int(0)));
        let rules = RuleSystem::new(&t, &system);
        let path = |increments: u32| -> Vec<Step> {
            let clauses = [0].into_iter().chain((0..increments).map(|_| 1)).chain([2]);
            let step = |(number, clause): (u32, u32)| Step {
                clause: ClauseId(clause),
                premises: number.checked_sub(1).map(FactId).into_iter().collect(),
            };
            (0..).zip(clauses).map(step).collect()
        };
        let mut instances = Instances::new(&t);
        let (short, long) = (
            instances.of(&rules, &path(2)),
            instances.of(&rules, &path(3)),
        );
        assert_eq!(
            short[..3],
            long[..3],
            "the same rules for the same conclusions"
        );
        assert_eq!(
            short.last(),
            long.last(),
            "the first conclusion about false"
        );
        let mut seen = TermSet::default();
        for &id in &long {
            let mut said = instances.get_mut(id).constraint(&t, &rules).to_vec();
            let instance = instances.get(id);
            said.extend(
                instance
                    .head()
                    .iter()
                    .chain(instance.premises().iter().flatten()),
            );
            let vars = t.vars(said);
            assert!(!vars.is_empty());
            assert!(
                vars.into_iter().all(|x| seen.insert(x)),
                "no common variable"
            );
        }
    }
}
