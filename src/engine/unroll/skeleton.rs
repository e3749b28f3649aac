//! One derivation of a given shape: has it values?
//!
//! Each step of a [`Skeleton`] is an instance of its rule with fresh variables. Equations say that
//! the arguments of a premise are the conclusion of the premise's step. So the formulas of two
//! steps share symbols only through these equations.

use crate::chc::{Refutation, Skeleton, Step, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::{RuleId, RuleSystem};
use crate::logic::mus::shrink;
use crate::smt::Outcome;
use crate::term::{Substitution, Term, Terms};

/// A step's rule with fresh variables.
pub(crate) struct Instance<'t> {
    /// The rule.
    pub(crate) rule: RuleId,
    /// From the rule's variables to those of the step.
    rename: Substitution<'t>,
    /// The arguments of what it derives.
    head: Vec<Term>,
    /// The variables of the clause.
    clause_vars: Vec<Term>,
    /// That the arguments of each premise are what its step derives.
    links: Vec<Term>,
}

impl Instance<'_> {
    /// A formula over the rule's variables, said of the step.
    pub(crate) fn said(&mut self, formula: Term) -> Term {
        self.rename.apply(formula)
    }

    /// The arguments of what the step derives.
    pub(crate) fn head(&self) -> &[Term] {
        &self.head
    }

    /// A formula over the arguments of what the step derives, said of these parameters.
    pub(crate) fn concluded(&self, t: &Terms, formula: Term, params: &[Term]) -> Term {
        t.substitute(
            formula,
            std::iter::zip(self.head.iter().copied(), params.iter().copied()),
        )
    }

    /// The equations with the steps that derive the premises.
    pub(crate) fn links(&self) -> &[Term] {
        &self.links
    }
}

/// The instances of a derivation's steps. A step may be without its premises.
pub(crate) fn instances<'t>(t: &'t Terms, rules: &RuleSystem, steps: &[Step]) -> Vec<Instance<'t>> {
    let mut instances: Vec<Instance<'t>> = Vec::with_capacity(steps.len());
    for step in steps {
        let id = RuleId(step.clause.0);
        let rule = rules.rule(id);
        let vars = rule.vars.iter();
        let copies = vars.map(|&x| (x, t.fresh_var("copy", t.sort_of(x))));
        let mut rename = Substitution::new(t, copies);
        let mut links = Vec::new();
        for (atom, premise) in rule.body.iter().zip(&step.premises) {
            for (&arg, &state) in atom.args.iter().zip(&instances[premise.index()].head) {
                links.push(t.eq(rename.apply(arg), state));
            }
        }
        let params = &rules.params[rule.head.index()];
        instances.push(Instance {
            rule: id,
            head: params.iter().map(|&x| rename.apply(x)).collect(),
            clause_vars: rule.clause_vars.iter().map(|&x| rename.apply(x)).collect(),
            rename,
            links,
        });
    }
    instances
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
    let mut instances = instances(t, rules, skeleton.steps());
    for (number, instance) in instances.iter_mut().enumerate() {
        let Conjuncts { always, assumed } = conjuncts(number, instance.rule);
        for formula in always {
            solver.assert(instance.said(formula));
        }
        for (label, formula) in assumed {
            solver.assert(t.implies(label, instance.said(formula)));
            labels.push(label);
        }
        instance
            .links()
            .iter()
            .for_each(|&link| solver.assert(link));
    }
    labels.sort_unstable();
    labels.dedup();
    // ⋀ links ∧ ⋀ always ∧ ⋀ (label ⇒ assumed), all labels being assumed
    let about = format_args!("the counterexample is feasible");
    match solver.check(about, &labels) {
        Outcome::Unknown(failure) => return Err(failure.into()),
        Outcome::Sat => {
            let values = instances
                .iter()
                .map(|step| solver.values(&step.clause_vars));
            let values = values.collect::<Result<_, _>>()?;
            return Ok(Feasibility::Feasible(skeleton.with_values(values)));
        }
        Outcome::Unsat => {}
    }
    let core = shrink(solver.core()?, attempts, |rest| {
        match solver.check(about, rest) {
            Outcome::Unsat => Ok(Some(solver.core()?)),
            Outcome::Sat => Ok(None),
            Outcome::Unknown(failure) => Err(failure),
        }
    })?;
    Ok(Feasibility::Infeasible(core))
}
