//! Parallel clauses as one clause: large blocks \[BCGKS09\].
//!
//! Clauses with the same predicate in the head and the same predicates in the body become one
//! clause. Its variables are common to all of them, and its constraint is the disjunction of their
//! constraints. A system of program steps thus becomes a system of program blocks, and a predicate
//! with one clause left can be eliminated without copies.
//!
//! DIVERGENCE: the paper merges edges of a control-flow automaton. Here the clauses need not be
//! linear.

use super::ground::fact_wise;
use super::{Lift, LiftError, Tools, Transformed};
use crate::chc::{Atom, Clause, ClauseId, FactId, Model, Origin, PredId, Refutation, System};
use crate::term::{Evaluator, Substitution, Term, TermMap, TermSet, Terms, Unspecified, Value};
use rustc_hash::FxHashMap;

/// The predicates of a clause: of the head, `None` for a query, and of the body in ascending order.
type Shape = (Option<PredId>, Vec<PredId>);

/// The system with parallel clauses merged.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let mut groups: Vec<Vec<ClauseId>> = Vec::new();
    let mut by_shape: FxHashMap<Shape, usize> = FxHashMap::default();
    for (id, clause) in system.clauses() {
        let mut body: Vec<PredId> = clause.body.iter().map(|a| a.pred).collect();
        body.sort_unstable();
        let shape = (clause.head.as_ref().map(|a| a.pred), body);
        let group = *by_shape.entry(shape).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(id);
    }
    if groups.len() == system.clauses.len() {
        return None;
    }
    let mut clauses = Vec::with_capacity(groups.len());
    let mut sources = Vec::with_capacity(groups.len());
    for group in groups {
        let (clause, source) = match group[..] {
            [id] => (system.clause(id).clone(), MergeOrigin::Same(id)),
            _ => merge(t, system, &group),
        };
        clauses.push(clause);
        sources.push(source);
    }
    let vars = clauses.iter().map(|clause| clause.vars.clone()).collect();
    Some(Transformed {
        system: System {
            preds: system.preds.clone(),
            clauses,
        },
        lift: Box::new(Merged { sources, vars }),
    })
}

/// The origin of a new clause.
enum MergeOrigin {
    Same(ClauseId),
    Merged(Vec<Alternative>),
}

/// A clause that was merged.
struct Alternative {
    clause: ClauseId,
    /// Its disjunct in the new constraint, over the new clause's variables.
    formula: Term,
    /// The new clause's variable for each variable of the old clause.
    renaming: TermMap<Term>,
    /// For each atom of its body the place in the new body.
    places: Vec<usize>,
}

/// The clause that a group of parallel clauses becomes.
fn merge(t: &Terms, system: &System, group: &[ClauseId]) -> (Clause, MergeOrigin) {
    let first = system.clause(group[0]);
    let order = body_order(first);
    let common = |atom: &Atom| Atom {
        pred: atom.pred,
        args: atom
            .args
            .iter()
            .map(|&arg| t.fresh_like(arg, t.sort_of(arg)))
            .collect(),
    };
    let body: Vec<Atom> = order.iter().map(|&i| common(&first.body[i])).collect();
    let head = first.head.as_ref().map(common);
    let mut locals = Vec::new();
    let mut alternatives = Vec::with_capacity(group.len());
    for &id in group {
        let clause = system.clause(id);
        let alternative = alternative(t, id, clause, &body, head.as_ref());
        // Variables of the constraint alone keep their names: alternatives may share them, since
        // only one alternative holds.
        locals.extend(
            clause
                .vars
                .iter()
                .filter(|v| !alternative.renaming.contains_key(v)),
        );
        alternatives.push(alternative);
    }
    let mut vars: Vec<Term> = Vec::new();
    let mut seen = TermSet::default();
    let args = body
        .iter()
        .chain(&head)
        .flat_map(|atom| atom.args.iter().copied());
    vars.extend(args.chain(locals).filter(|&v| seen.insert(v)));
    let clause = Clause {
        vars,
        body,
        constraint: disjunction(t, alternatives.iter().map(|a| a.formula)),
        head,
        origin: Origin::default(),
    };
    (clause, MergeOrigin::Merged(alternatives))
}

/// The positions of the body's atoms, sorted by predicate.
fn body_order(clause: &Clause) -> Vec<usize> {
    let mut order: Vec<usize> = (0..clause.body.len()).collect();
    order.sort_by_key(|&i| clause.body[i].pred);
    order
}

/// A clause's constraint and argument equations over the common atoms.
fn alternative(
    t: &Terms,
    id: ClauseId,
    clause: &Clause,
    body: &[Atom],
    head: Option<&Atom>,
) -> Alternative {
    let order = body_order(clause);
    let own = order.iter().map(|&i| &clause.body[i]).chain(&clause.head);
    let pairs: Vec<(Term, Term)> = own
        .zip(body.iter().chain(head))
        .flat_map(|(own, common)| own.args.iter().copied().zip(common.args.iter().copied()))
        .collect();
    // The first common variable that stands for a variable takes its place; the others get
    // equations.
    let mut renaming: TermMap<Term> = TermMap::default();
    let mut equations = Vec::new();
    for (own, common) in pairs {
        if t.is_var(own) && !renaming.contains_key(&own) {
            renaming.insert(own, common);
        } else {
            equations.push((common, own));
        }
    }
    let mut rename = Substitution::new(t, renaming.iter().map(|(&v, &w)| (v, w)));
    let equations = equations
        .into_iter()
        .map(|(common, own)| t.eq(common, rename.apply(own)));
    let equations: Vec<Term> = equations.collect();
    let constraint = rename.apply(clause.constraint);
    let mut places = vec![0; order.len()];
    for (place, &i) in order.iter().enumerate() {
        places[i] = place;
    }
    Alternative {
        clause: id,
        formula: t.and(equations.into_iter().chain([constraint])),
        renaming,
        places,
    }
}

/// The disjunction, with the common conjuncts of all disjuncts in front.
fn disjunction(t: &Terms, formulas: impl Iterator<Item = Term>) -> Term {
    let parts: Vec<Vec<Term>> = formulas.map(|f| t.conjuncts(f)).collect();
    let mut counts: TermMap<usize> = TermMap::default();
    for &conjunct in parts.iter().flatten() {
        *counts.entry(conjunct).or_insert(0) += 1;
    }
    let in_all = |conjunct: &Term| counts[conjunct] == parts.len();
    let common: Vec<Term> = parts[0].iter().copied().filter(in_all).collect();
    let rest = |part: &Vec<Term>| t.and(part.iter().copied().filter(|c| !in_all(c)));
    let rest = t.or(parts.iter().map(rest));
    t.and(common.into_iter().chain([rest]))
}

struct Merged {
    /// The origin of each new clause.
    sources: Vec<MergeOrigin>,
    /// The variables of each new clause.
    vars: Vec<Vec<Term>>,
}

impl Lift for Merged {
    fn model(&self, _: &Tools<'_>, _: &System, model: Model) -> Result<Model, LiftError> {
        Ok(model)
    }

    fn refutation(
        &self,
        tools: &Tools<'_>,
        old: &System,
        refutation: Refutation,
    ) -> Result<Refutation, LiftError> {
        let t = tools.terms;
        fact_wise(tools, old, refutation, |rebuilt, fact| {
            let vars = self.vars[fact.clause.index()].iter().copied();
            let values: TermMap<Value> = vars.zip(fact.values).collect();
            match &self.sources[fact.clause.index()] {
                MergeOrigin::Same(id) => rebuilt.add(*id, values, &[], fact.premises),
                MergeOrigin::Merged(alternatives) => {
                    let taken = taken(t, alternatives, &values).ok_or(LiftError::Values {
                        clause: old.clause_label(t, alternatives[0].clause),
                        why: "no part of a disjunction is true".to_owned(),
                    })?;
                    let own = |&v: &Term| {
                        let renamed = taken.renaming.get(&v).unwrap_or(&v);
                        Some((v, values.get(renamed)?.clone()))
                    };
                    let vars = &old.clause(taken.clause).vars;
                    let known: Vec<(Term, Value)> = vars.iter().filter_map(own).collect();
                    let premises = taken.places.iter().map(|&place| fact.premises[place]);
                    let premises: Vec<FactId> = premises.collect();
                    rebuilt.add(taken.clause, known, &[], premises)
                }
            }
        })
    }
}

/// An alternative that is true under the values.
fn taken<'a>(
    t: &Terms,
    alternatives: &'a [Alternative],
    values: &TermMap<Value>,
) -> Option<&'a Alternative> {
    let pairs = values.iter().map(|(&var, value)| (var, value.clone()));
    let mut evaluator = Evaluator::with(t, Unspecified::Refuse, pairs);
    alternatives.iter().find(|a| evaluator.holds(a.formula))
}
