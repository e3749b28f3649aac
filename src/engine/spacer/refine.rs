//! REFINE: is a counterexample of the abstraction one of the system?
//!
//! HORN: a counterexample is a derivation, a directed acyclic graph of rule applications, where the paper has a path.

use super::super::rules::RuleSystem;
use super::abstraction::{Abstraction, Sigma};
use crate::chc::{Fact, Refutation, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleId;
use crate::logic::mus::shrink;
use crate::smt::Outcome;
use crate::term::{Substitution, Term};

/// What a spurious counterexample brings back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Refinement {
    /// The conjuncts that exclude it: the paper's REFINE.
    #[default]
    Counterexamples,
    /// Every conjunct, so that only proofs say what to leave out: `t_p` of Table 1.
    Proofs,
}

/// What became of a counterexample.
pub(super) enum Refined {
    /// It is feasible, with these values.
    Feasible(Refutation),
    /// It is spurious: no abstraction with these assumptions has it.
    Spurious(Abstraction),
}

/// Unrolls the rules along the derivation, with all of Σ as assumptions (ISFEASIBLE). `attempts` of those in the core are tried
/// to be left out.
pub(super) fn refine(
    context: &Context<'_>,
    rules: &RuleSystem,
    sigma: &Sigma,
    counterexample: &Refutation,
    attempts: u32,
) -> Result<Refined, UnknownReason> {
    let t = context.terms;
    let mut solver = context.backend.solver(t, "counterexample");
    solver.set_limit(context.limit.clone());
    // By fact: the arguments of what it derives, and the values of the clause's variables.
    let mut heads: Vec<Vec<Term>> = Vec::new();
    let mut clause_vars: Vec<Vec<Term>> = Vec::new();
    for fact in &counterexample.facts {
        let id = RuleId(fact.clause.0);
        let rule = rules.rule(id);
        let copies = rule
            .vars
            .iter()
            .map(|&x| (x, t.fresh_var("copy", t.sort_of(x))));
        let mut rename = Substitution::new(t, copies);
        for &part in &sigma.kept[id.index()] {
            solver.assert(rename.apply(part));
        }
        for assumption in sigma.assumptions.iter().filter(|a| a.rule == id) {
            let part = rename.apply(assumption.formula);
            solver.assert(t.implies(assumption.literal, part));
        }
        for (atom, premise) in rule.body.iter().zip(&fact.premises) {
            for (&arg, &state) in atom.args.iter().zip(&heads[premise.0 as usize]) {
                solver.assert(t.eq(rename.apply(arg), state));
            }
        }
        let params = &rules.params[rule.head.index()];
        heads.push(params.iter().map(|&x| rename.apply(x)).collect());
        clause_vars.push(rule.clause_vars.iter().map(|&x| rename.apply(x)).collect());
    }
    let all = sigma.literals(&sigma.concrete());
    match solver.check(format_args!("the counterexample is feasible"), &all) {
        Outcome::Unknown(failure) => return Err(failure.into()),
        Outcome::Sat => {
            let mut facts = Vec::with_capacity(counterexample.facts.len());
            for (fact, vars) in counterexample.facts.iter().zip(&clause_vars) {
                facts.push(Fact {
                    values: solver.values(vars)?,
                    ..fact.clone()
                });
            }
            return Ok(Refined::Feasible(Refutation { facts }));
        }
        Outcome::Unsat => {}
    }
    let core = shrink(solver.core()?, attempts, |rest| {
        match solver.check(format_args!("the counterexample is feasible"), rest) {
            Outcome::Unsat => Ok(Some(solver.core()?)),
            Outcome::Sat => Ok(None),
            Outcome::Unknown(failure) => Err(failure),
        }
    })?;
    Ok(Refined::Spurious(sigma.abstraction(&core)))
}
