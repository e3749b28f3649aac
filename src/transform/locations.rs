//! Locations: a separate predicate for each valuation of a predicate's Boolean arguments.
//!
//! A transition relation over Booleans and numbers is often a program whose locations were encoded
//! as Booleans. This pass makes locations of them again. A predicate is replaced by one for each
//! *valuation* of its finite arguments that clauses derive, according to a solver that knows
//! nothing about the other arguments. A clause is replaced by one for each of its *steps*, from
//! valuations of its premises to a valuation of its conclusion. Its constraint is usually much
//! smaller once these values are known. Elimination and merging then make large blocks between the
//! locations that remain.
//!
//! If all finite arguments together would take too many steps, they are tried one after another,
//! and each is taken that leaves the number of steps small. If the steps are not much simpler than
//! the clauses, so that altogether they are larger, the system stays as it is: its Booleans are
//! data. Not from a paper.
//!
//! Tried: two tasks of CHC-COMP 2025 that took more than 20 s take 0.15 s and 1.2 s; two others
//! fall from 4.0 s and 3.0 s to 0.2 s.

use super::ground::ClauseSource;
use super::signature::params;
use super::{LiftError, ModelLift, Tools, Transformed, simplify};
use crate::chc::{
    Atom, Clause, ClauseId, Interpretation, Model, Origin, PredId, Predicate, System,
};
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::{Op, Sort, SortKind, Substitution, Term, Terms, Value};
use crate::work;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The search gives up at 64 steps of all clauses together. The value was not tuned.
const MOST_STEPS: usize = 64;
/// The new clauses have together at most twice the nodes of the old ones. Systems whose Booleans
/// are data are left alone in this way. The value was not tuned.
const GROWTH: usize = 2;
/// The search costs at most this number of ticks. The value was not tuned.
const TICKS: u64 = work::milliseconds(1_000);
/// The search costs at most a 20th of the remaining budget. The value was not tuned.
const PARTS: u64 = 20;

/// The positions of the arguments that are split, ascending, for each predicate.
type Positions = Vec<Vec<usize>>;
/// Values of the arguments that are split, in order.
type Valuation = Vec<Value>;

/// The system with a predicate for each valuation.
pub(super) fn apply(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    let t = tools.terms;
    let finite = |p: PredId| {
        let sorts = t.func(system.pred(p).func).params.iter().enumerate();
        let finite = sorts.filter(|&(_, &sort)| is_finite(t, sort));
        finite.map(|(i, _)| i).collect()
    };
    let all: Positions = system.pred_ids().map(finite).collect();
    if all.iter().all(Vec::is_empty) {
        return None;
    }
    let limit = tools.limit.share(PARTS, TICKS);
    let graph = match Graph::explore(tools, system, all.clone(), &limit) {
        Ok(graph) => graph,
        Err(NoGraph::TooLarge) => one_by_one(tools, system, &all, &limit)?,
        Err(NoGraph::Failed(why)) => {
            log::debug!("no locations: {why}");
            return None;
        }
    };
    if graph.valuations.iter().all(|of_one| of_one.len() <= 1) {
        return None;
    }
    let transformed = graph.transform(t, system);
    // How large the clauses are is known when the values have been put through them.
    let simplified = simplify::apply(t, &transformed.system);
    let new = simplified
        .as_ref()
        .map_or(&transformed.system, |s| &s.system);
    let (before, after) = (size(t, system), size(t, new));
    log::debug!("locations: from {before} terms to {after}");
    (after <= before.saturating_mul(GROWTH)).then_some(transformed)
}

/// The number of different terms of each clause, summed. Bounds of variables are left out: they are
/// there for each variable that is an integer in the place of a bit-vector, and make no cases.
fn size(t: &Terms, system: &System) -> usize {
    let clauses = system.clauses.iter();
    let of_one = |clause: &Clause| {
        let parts = t.conjuncts(clause.constraint).into_iter();
        t.size(parts.filter(|&part| !is_bound(t, part)))
    };
    clauses.map(of_one).sum()
}

/// Is it a bound of a variable?
fn is_bound(t: &Terms, conjunct: Term) -> bool {
    let bounds = |x: Term, y: Term| t.is_var(x) && t.as_number(y).is_some();
    match (t.op(conjunct), t.args(conjunct)) {
        (Op::Le | Op::Lt, &[x, y]) => bounds(x, y) || bounds(y, x),
        _ => false,
    }
}

/// Are there so few values of a sort that they can be locations? Truth values and enumerations.
fn is_finite(t: &Terms, sort: Sort) -> bool {
    match t.sort_kind(sort) {
        SortKind::Bool => true,
        SortKind::Datatype(_) => t.field_sorts(sort).next().is_none(),
        _ => false,
    }
}

/// What the arguments make of the system that can be split together, each being tried once; `None`
/// if there are none.
fn one_by_one(tools: &Tools<'_>, system: &System, all: &Positions, limit: &Limit) -> Option<Graph> {
    let mut taken: Positions = vec![Vec::new(); all.len()];
    let mut best = None;
    for (pred, positions) in all.iter().enumerate() {
        for &position in positions {
            taken[pred].push(position);
            match Graph::explore(tools, system, taken.clone(), limit) {
                Ok(graph) => best = Some(graph),
                Err(NoGraph::TooLarge) => drop(taken[pred].pop()),
                Err(NoGraph::Failed(why)) => {
                    log::debug!("some locations may be missing: {why}");
                    return best;
                }
            }
        }
    }
    best
}

/// Why there is no graph.
enum NoGraph {
    /// It would be too large.
    TooLarge,
    /// The solver failed, or the limit is reached.
    Failed(Failure),
}

impl From<Failure> for NoGraph {
    fn from(failure: Failure) -> Self {
        NoGraph::Failed(failure)
    }
}

/// A clause for some valuations of its atoms.
struct Step {
    clause: ClauseId,
    /// Of the body's atoms in order, and then of the head, one after another.
    values: Vec<Value>,
}

/// Which valuations clauses derive from which.
struct Graph {
    positions: Positions,
    /// The valuations of each predicate, by its index, in the order in which they were found.
    valuations: Vec<Vec<Valuation>>,
    steps: Vec<Step>,
}

impl Graph {
    /// All steps, from the facts on.
    fn explore(
        tools: &Tools<'_>,
        system: &System,
        positions: Positions,
        limit: &Limit,
    ) -> Result<Graph, NoGraph> {
        let mut graph = Graph {
            valuations: vec![Vec::new(); positions.len()],
            positions,
            steps: Vec::new(),
        };
        let mut clauses: Vec<Enumeration> = (system.clauses())
            .map(|(id, clause)| Enumeration::new(&graph, id, clause))
            .collect();
        while let Some(open) = clauses.iter_mut().find(|clause| clause.is_open) {
            open.is_open = false;
            let clause = system.clause(open.id);
            let (first, pred) = (graph.steps.len(), clause.head.as_ref().map(|h| h.pred));
            open.steps(tools, clause, &mut graph, limit)?;
            // The order in which a solver finds them is not for users to see.
            graph.steps[first..].sort_by(|a, b| a.values.cmp(&b.values));
            let Some(pred) = pred else { continue };
            let mut is_new = false;
            for step in first..graph.steps.len() {
                let values = &graph.steps[step].values;
                let head = values[values.len() - graph.positions[pred.index()].len()..].to_vec();
                let known = &mut graph.valuations[pred.index()];
                if !known.contains(&head) {
                    known.push(head);
                    is_new = true;
                }
            }
            if is_new {
                for other in &mut clauses {
                    let mut body = system.clause(other.id).body.iter();
                    other.is_open |= body.any(|atom| atom.pred == pred);
                }
            }
        }
        Ok(graph)
    }

    /// The arguments of an atom that are split.
    fn chosen<'a>(&'a self, atom: &'a Atom) -> impl Iterator<Item = Term> + 'a {
        let positions = self.positions[atom.pred.index()].iter();
        positions.map(|&i| atom.args[i])
    }

    /// Some valuation of a premise: a disjunction.
    fn premise(&self, t: &Terms, atom: &Atom) -> Term {
        let valuations = self.valuations[atom.pred.index()].iter();
        t.or(valuations.map(|values| equal(t, self.chosen(atom), values)))
    }

    /// The system that has the valuations as predicates and the steps as clauses.
    fn transform(self, t: &Terms, system: &System) -> Transformed {
        let mut preds = Vec::new();
        let mut ids: FxHashMap<(PredId, &Valuation), PredId> = FxHashMap::default();
        for p in system.pred_ids() {
            for values in &self.valuations[p.index()] {
                let id = PredId(u32::try_from(preds.len()).expect("fewer than 2^32 predicates"));
                ids.insert((p, values), id);
                preds.push(self.location(t, system.pred(p), p, values));
            }
        }
        let mut copies = vec![0_usize; system.clauses.len()];
        for step in &self.steps {
            copies[step.clause.index()] += 1;
        }
        let (mut clauses, mut sources) = (Vec::new(), Vec::new());
        for step in &self.steps {
            let (mut clause, source) = self.instance(t, system, step, &ids);
            if copies[step.clause.index()] > 1 {
                clause.origin = Origin::default();
            }
            clauses.push(clause);
            sources.push(source);
        }
        drop(ids);
        let models = Locations { graph: self };
        Transformed::clause_wise(System { preds, clauses }, sources, models)
    }

    /// The predicate for a valuation.
    fn location(&self, t: &Terms, pred: &Predicate, p: PredId, values: &Valuation) -> Predicate {
        let split = &self.positions[p.index()];
        if split.is_empty() {
            return pred.clone();
        }
        let decl = t.func(pred.func);
        let mut name = format!("{}@", t.name(decl.name));
        for (&position, value) in split.iter().zip(values) {
            match value {
                Value::Bool(value) => name.push(if *value { '1' } else { '0' }),
                value => {
                    let value = t.value_term(value, decl.params[position]);
                    write!(name, ".{}", t.display(value)).expect("strings can be written");
                }
            }
        }
        let sorts = decl.params.iter().enumerate();
        let sorts: Vec<Sort> = (sorts.filter(|(i, _)| !split.contains(i)))
            .map(|(_, &sort)| sort)
            .collect();
        Predicate {
            func: t.declare(t.fresh_symbol(&name), &sorts, decl.result),
            span: pred.span,
        }
    }

    /// The clause of a step.
    fn instance(
        &self,
        t: &Terms,
        system: &System,
        step: &Step,
        ids: &FxHashMap<(PredId, &Valuation), PredId>,
    ) -> (Clause, ClauseSource) {
        let clause = system.clause(step.clause);
        let mut definitions: Vec<(Term, Term)> = Vec::new();
        let mut equations = Vec::new();
        let chosen = clause.atoms().flat_map(|atom| self.chosen(atom));
        for (term, value) in chosen.zip(&step.values) {
            let value = t.value_term(value, t.sort_of(term));
            if t.is_var(term) && definitions.iter().all(|&(var, _)| var != term) {
                definitions.push((term, value));
            } else {
                equations.push(t.eq(term, value));
            }
        }
        let mut known = Substitution::new(t, definitions.iter().copied());
        let mut values = &step.values[..];
        let mut atom = |atom: &Atom| {
            let split = &self.positions[atom.pred.index()];
            let (own, rest) = values.split_at(split.len());
            values = rest;
            let args = atom.args.iter().enumerate();
            let rest = args.filter(|(i, _)| !split.contains(i));
            Atom {
                pred: ids[&(atom.pred, &own.to_vec())],
                args: rest.map(|(_, &arg)| known.apply(arg)).collect(),
            }
        };
        let body = clause.body.iter().map(&mut atom).collect();
        let head = clause.head.as_ref().map(&mut atom);
        let conjuncts = equations.into_iter().chain([clause.constraint]);
        let constraint = t.and(conjuncts.map(|c| known.apply(c)).collect::<Vec<_>>());
        let mut new = Clause {
            body,
            head,
            constraint,
            ..clause.clone()
        };
        new.retain_occurring_vars(t);
        let source = ClauseSource {
            clause: step.clause,
            definitions,
            places: None,
        };
        (new, source)
    }
}

/// Terms have these values.
fn equal(t: &Terms, terms: impl Iterator<Item = Term>, values: &[Value]) -> Term {
    let pairs = terms.zip(values);
    t.and(pairs.map(|(term, value)| t.eq(term, t.value_term(value, t.sort_of(term)))))
}

/// The steps of one clause, found by models.
struct Enumeration<'t> {
    id: ClauseId,
    /// Of all atoms.
    chosen: Vec<Term>,
    /// Holds the constraint, and that none of the steps found is taken; `None` as long as no steps
    /// were looked for.
    solver: Option<Box<dyn Solver + 't>>,
    /// May there be steps that were not found?
    is_open: bool,
}

impl<'t> Enumeration<'t> {
    fn new(graph: &Graph, id: ClauseId, clause: &Clause) -> Self {
        Enumeration {
            id,
            chosen: clause.atoms().flat_map(|a| graph.chosen(a)).collect(),
            solver: None,
            is_open: true,
        }
    }

    /// Finds the steps from the valuations of the graph that it does not have yet.
    fn steps(
        &mut self,
        tools: &Tools<'t>,
        clause: &Clause,
        graph: &mut Graph,
        limit: &Limit,
    ) -> Result<(), NoGraph> {
        let t = tools.terms;
        let solver = self.solver.get_or_insert_with(|| {
            let mut solver = tools.backend.solver(t, "locations");
            solver.set_limit(limit.clone());
            solver.assert(clause.constraint);
            solver
        });
        let premises = t.and(clause.body.iter().map(|atom| graph.premise(t, atom)));
        loop {
            // constraint ∧ ⋀ a premise has one of its valuations ∧ no step that is known
            let about = format_args!("has the clause {} another step?", self.id.index());
            match solver.check(about, &[premises]) {
                SatResult::Sat => {}
                SatResult::Unsat => return Ok(()),
                SatResult::Unknown(failure) => return Err(failure.into()),
            }
            let values = solver.values(&self.chosen)?;
            if graph.steps.len() == MOST_STEPS {
                return Err(NoGraph::TooLarge);
            }
            let this = equal(t, self.chosen.iter().copied(), &values);
            solver.assert(t.not(this));
            graph.steps.push(Step {
                clause: self.id,
                values,
            });
        }
    }
}

struct Locations {
    graph: Graph,
}

impl ModelLift for Locations {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let t = tools.terms;
        let mut new = model.interpretations.iter();
        let lift = |p: PredId| {
            let params = params(t, old, p);
            let split = &self.graph.positions[p.index()];
            let at = |i: &usize| params[*i];
            let kept = (0..params.len()).filter(|i| !split.contains(i));
            let kept: Vec<Term> = kept.map(|i| params[i]).collect();
            let valuations = self.graph.valuations[p.index()].iter();
            let body = t.or(valuations.map(|values| {
                let own = new.next().expect("one for each valuation");
                let pairs = own.params.iter().copied().zip(kept.iter().copied());
                let body = Substitution::new(t, pairs).apply(own.body);
                t.and([equal(t, split.iter().map(at), values), body])
            }));
            Interpretation { params, body }
        };
        let interpretations = old.pred_ids().map(lift).collect();
        Ok(Model { interpretations })
    }
}
