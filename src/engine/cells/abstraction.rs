//! Predicates of arrays as predicates of cells, and models back.

use super::reads::{Indices, with_differences, without_local_arrays};
use crate::chc::{Atom, Clause, Interpretation, Model, Predicate, System};
use crate::term::{Op, Sort, Term, Terms};

/// Is it the sort of an array whose cells can be looked at?
pub(super) fn has_cells(t: &Terms, sort: Sort) -> bool {
    let parts = t.array_parts(sort);
    parts.is_some_and(|(index, _)| t.array_parts(index).is_none())
}

/// What becomes of the predicates of a system: each array gives way to some of its cells, an index and an element each.
pub(super) struct Abstraction {
    preds: Vec<Predicate>,
    /// The sorts of arguments before, by predicate.
    sorts: Vec<Box<[Sort]>>,
    /// So many for each array.
    cells: usize,
}

impl Abstraction {
    /// Of the predicates of a system, by so many cells.
    pub(super) fn new(t: &Terms, system: &System, cells: usize) -> Self {
        let pred = |pred: &Predicate| {
            let decl = t.func(pred.func);
            let params: Vec<Sort> = (decl.params.iter())
                .flat_map(|&sort| match has_cells(t, sort) {
                    true => {
                        let (index, element) = t.array_parts(sort).expect("it has cells");
                        [index, element].repeat(cells)
                    }
                    false => vec![sort],
                })
                .collect();
            Predicate {
                func: t.declare(t.fresh_symbol(t.name(decl.name)), &params, decl.result),
                span: pred.span,
            }
        };
        let sorts = |pred: &Predicate| t.func(pred.func).params.clone();
        Abstraction {
            preds: system.preds.iter().map(pred).collect(),
            sorts: system.preds.iter().map(sorts).collect(),
            cells,
        }
    }

    /// The system of cells; what a premise says is taken at so many tuples of indices, at most.
    pub(super) fn system(&self, t: &Terms, system: &System, instances: usize) -> System {
        let clause = |clause: &Clause| without_local_arrays(t, &self.clause(t, clause, instances));
        System {
            preds: self.preds.clone(),
            clauses: system.clauses.iter().map(clause).collect(),
        }
    }

    /// The clause over cells.
    fn clause(&self, t: &Terms, clause: &Clause, instances: usize) -> Clause {
        let constraint = with_differences(t, clause.constraint);
        let indices_of = |atom: &Atom| -> Vec<Vec<Term>> {
            let arrays = atom.args.iter().map(|&arg| t.sort_of(arg));
            let arrays = arrays.filter(|&sort| has_cells(t, sort));
            let fresh = |sort| {
                let (index, _) = t.array_parts(sort).expect("it has cells");
                (0..self.cells)
                    .map(|_| t.fresh_var("index", index))
                    .collect()
            };
            arrays.map(fresh).collect()
        };
        let head = (clause.head.as_ref()).map(|atom| self.atom(t, atom, &indices_of(atom)));
        let scalars = |atom: &Atom| -> Vec<Term> {
            let args = atom.args.iter().copied();
            args.filter(|&arg| !has_cells(t, t.sort_of(arg))).collect()
        };
        let head_args = head.iter().flat_map(|atom| atom.args.iter().copied());
        let body_args = clause.body.iter().flat_map(scalars);
        let read = Indices::new(t, head_args.chain(body_args).chain([constraint]));
        let body = clause.body.iter().flat_map(|atom| {
            let arrays = atom
                .args
                .iter()
                .filter(|&&arg| has_cells(t, t.sort_of(arg)));
            let choices: Vec<Vec<Vec<Term>>> = arrays
                .zip(indices_of(atom))
                .map(|(&array, fresh)| match read.of(t, array) {
                    // Nothing of it is read; but it has cells.
                    none if none.is_empty() => vec![fresh],
                    read => multisets(&read, self.cells),
                })
                .collect();
            let tuples = products(&choices, instances);
            tuples.into_iter().map(|tuple| self.atom(t, atom, &tuple))
        });
        let mut new = Clause {
            vars: Vec::new(),
            body: body.collect(),
            constraint,
            head,
            origin: clause.origin,
        };
        new.vars = new.occurring_vars(t);
        new
    }

    /// An atom, its arrays at these indices, by array.
    fn atom(&self, t: &Terms, atom: &Atom, indices: &[Vec<Term>]) -> Atom {
        let mut indices = indices.iter();
        let mut args = Vec::new();
        for &arg in &atom.args {
            if has_cells(t, t.sort_of(arg)) {
                let indices = indices.next().expect("indices of each array");
                args.extend(
                    indices
                        .iter()
                        .flat_map(|&index| [index, t.select(arg, index)]),
                );
            } else {
                args.push(arg);
            }
        }
        Atom { args, ..*atom }
    }

    /// A model of the system, by one of the system of cells: `P(x, a) ⟺ ∀ i. P'(x, i, a[i])`, conjunct by conjunct.
    pub(super) fn model(&self, t: &Terms, model: Model) -> Model {
        let interpretations = model.interpretations.into_iter().zip(&self.sorts);
        let interpretations = interpretations.map(|(of_cells, sorts)| {
            let mut given = of_cells.params.into_iter();
            let mut given = || given.next().expect("as many as the cells have");
            let (mut params, mut indices, mut elements) = (Vec::new(), Vec::new(), Vec::new());
            for &sort in sorts {
                if !has_cells(t, sort) {
                    params.push(given());
                    continue;
                }
                let array = t.fresh_var("a", sort);
                for _ in 0..self.cells {
                    let index = given();
                    elements.push((given(), t.select(array, index)));
                    indices.push(index);
                }
                params.push(array);
            }
            let body = t.substitute(of_cells.body, elements);
            let conjuncts = t.conjuncts(body).into_iter();
            let body = t.and(conjuncts.map(|conjunct| for_all(t, &indices, conjunct)));
            Interpretation { params, body }
        });
        Model {
            interpretations: interpretations.collect(),
        }
    }
}

/// A formula for all values of those of the variables that occur in it, with one quantifier in front of it.
fn for_all(t: &Terms, variables: &[Term], formula: Term) -> Term {
    let (bound, matrix) = match (t.op(formula), t.args(formula)) {
        (Op::Forall, [bound @ .., matrix]) => (bound, *matrix),
        _ => (&[][..], formula),
    };
    let occur = |var: &&Term| t.any_subterm(matrix, |part| part == **var);
    let all: Vec<Term> = (variables.iter().filter(occur).copied())
        .chain(bound.iter().copied())
        .collect();
    t.forall(&all, matrix)
}

/// The choices of so many of a list, with repetition, in ascending order of positions: what is said of cells is said of them in every
/// order.
fn multisets(list: &[Term], size: usize) -> Vec<Vec<Term>> {
    let mut chosen: Vec<(usize, Vec<Term>)> = vec![(0, Vec::new())];
    for _ in 0..size {
        chosen = (chosen.into_iter())
            .flat_map(|(first, tuple)| {
                (first..list.len()).map(move |at| {
                    let mut longer = tuple.clone();
                    longer.push(list[at]);
                    (at, longer)
                })
            })
            .collect();
    }
    chosen.into_iter().map(|(_, tuple)| tuple).collect()
}

/// The tuples with one of each list, the first so many.
fn products(lists: &[Vec<Vec<Term>>], most: usize) -> Vec<Vec<Vec<Term>>> {
    let mut tuples: Vec<Vec<Vec<Term>>> = vec![Vec::new()];
    for list in lists {
        let longer = tuples.iter().flat_map(|tuple| {
            list.iter().map(move |choice| {
                let mut longer = tuple.clone();
                longer.push(choice.clone());
                longer
            })
        });
        tuples = longer.take(most).collect();
    }
    tuples
}
