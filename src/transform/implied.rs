//! Removal of conditions on premises that follow from how these are derived, where arguments are no
//! longer used then.
//!
//! A transition of a circuit often repeats what the transition before has established: it says of
//! the signals before it, too, how they are computed. Such conditions are the only use of many
//! arguments.
//!
//! A conjunct of a clause's constraint that is about the arguments of one premise is a condition.
//! The greatest inductive subset of all conditions holds of what is derivable \[FL01\], so the
//! clauses derive the same facts without them. Arguments that are used in them alone are then
//! removed as in `unused` \[LS96\]. All other conditions stay: engines need them as invariants.
//!
//! Tried: of 466 development tasks of CHC-COMP 2025 it changes 22, among them 15 of the 21
//! circuits in LIA-Lin, of which up to 85 of 92 arguments go. `auto` takes 0.1 to 0.9 times as long
//! for 11 of these in four random orders of their parts. In its own order one of the 15 takes 3
//! times as long, as one task of LRA-Lin does up to twice. Polyhedra gain the most: with them
//! `kind` decides three tasks more.

use super::signature::params;
use super::{Tools, Transformed, unused};
use crate::absint::inductive_part;
use crate::chc::{Atom, Clause, Interpretation, Model, System};
use crate::term::{Term, TermMap, TermSet, Terms};
use crate::work;

/// The search for the inductive subset costs at most this number of ticks. The value was not tuned.
const TICKS: u64 = work::milliseconds(250);
/// The search costs at most a 30th of the remaining budget. The value was not tuned.
const PARTS: u64 = 30;

/// The system without implied conditions that are the only use of arguments, and without these
/// arguments; `None` if there are none.
pub(super) fn apply(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    let t = tools.terms;
    let candidates = only_uses(t, system, all_conditions(t, system))?;
    let is_supported = |clause: &Clause| tools.backend.supports(t, clause.constraint).is_ok();
    if !system.clauses.iter().all(is_supported) {
        return None;
    }
    let limit = tools.limit.share(PARTS, TICKS);
    let implied = inductive_part(t, system, candidates, tools.backend, &limit)
        .inspect_err(|why| log::debug!("no conditions are found to be implied: {why}"));
    let implied = only_uses(t, system, implied.ok()?)?;
    unused::apply(t, &without(t, system, &implied))
}

/// The conditions of all clauses, as formulas over the parameters of the premises' predicates.
fn all_conditions(t: &Terms, system: &System) -> Model {
    let all_params: Vec<Vec<Term>> = system.pred_ids().map(|p| params(t, system, p)).collect();
    let mut said: Vec<Vec<Term>> = vec![Vec::new(); all_params.len()];
    for clause in &system.clauses {
        for (atom, condition) in conditions(t, clause) {
            let pred = atom.pred.index();
            said[pred].push(over(t, atom, &all_params[pred], condition));
        }
    }
    let interpretation = |(params, said): (Vec<Term>, Vec<Term>)| Interpretation {
        params,
        body: t.and(said),
    };
    Model {
        interpretations: all_params
            .into_iter()
            .zip(said)
            .map(interpretation)
            .collect(),
    }
}

/// Of these conditions the ones about arguments that are used in them alone; `None` if there are
/// none.
fn only_uses(t: &Terms, system: &System, mut conditions: Model) -> Option<Model> {
    let before = unused::used(t, system);
    let after = unused::used(t, &without(t, system, &conditions));
    let mut any = false;
    for (said, pred) in conditions.interpretations.iter_mut().zip(system.pred_ids()) {
        let (before, after) = (&before[pred.index()], &after[pred.index()]);
        let params = said.params.iter().enumerate();
        let freed = params.filter(|&(i, _)| before[i] && !after[i]);
        let freed: TermSet = freed.map(|(_, &param)| param).collect();
        let is_about = |c: &Term| t.vars([*c]).iter().any(|x| freed.contains(x));
        said.body = t.and(t.conjuncts(said.body).into_iter().filter(is_about));
        any |= said.body != Term::TRUE;
    }
    any.then_some(conditions)
}

/// The system without some conditions, which are given over the parameters of the premises'
/// predicates.
fn without(t: &Terms, system: &System, conditions: &Model) -> System {
    let known = conditions.interpretations.iter();
    let known = known.map(|said| t.conjuncts(said.body).into_iter().collect());
    let known: Vec<TermSet> = known.collect();
    let clause = |clause: &Clause| {
        let is_known = |&(atom, condition): &(&Atom, Term)| {
            let params = &conditions.get(atom.pred).params;
            known[atom.pred.index()].contains(&over(t, atom, params, condition))
        };
        let own = self::conditions(t, clause);
        let gone: TermSet = own.into_iter().filter(is_known).map(|(_, c)| c).collect();
        let conjuncts = t.conjuncts(clause.constraint).into_iter();
        Clause {
            constraint: t.and(conjuncts.filter(|c| !gone.contains(c))),
            ..clause.clone()
        }
    };
    System {
        preds: system.preds.clone(),
        clauses: system.clauses.iter().map(clause).collect(),
    }
}

/// The conditions of a clause: the conjuncts of its constraint about variables that all are
/// arguments of one premise; each with the premise.
fn conditions<'a>(t: &Terms, clause: &'a Clause) -> Vec<(&'a Atom, Term)> {
    let conjuncts = t.conjuncts(clause.constraint).into_iter();
    let conjuncts: Vec<(Term, Vec<Term>)> = conjuncts.map(|c| (c, t.vars([c]))).collect();
    let mut found = Vec::new();
    for atom in &clause.body {
        let args: TermSet = atom.args.iter().copied().collect();
        let is_about = |vars: &[Term]| !vars.is_empty() && vars.iter().all(|x| args.contains(x));
        let own = conjuncts.iter().filter(|(_, vars)| is_about(vars));
        found.extend(own.map(|&(conjunct, _)| (atom, conjunct)));
    }
    found
}

/// A condition on an atom's arguments, over the parameters of its predicate.
fn over(t: &Terms, atom: &Atom, params: &[Term], condition: Term) -> Term {
    let pairs = atom.args.iter().copied().zip(params.iter().copied());
    let names: TermMap<Term> = pairs.filter(|&(arg, _)| t.is_var(arg)).collect();
    t.substitute(condition, names)
}
