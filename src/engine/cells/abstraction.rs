//! Predicates of arrays as predicates of cells, and the way back for models.

use super::reads::{Indices, with_differences, without_local_arrays};
use crate::chc::{Atom, Clause, Interpretation, Model, Predicate, System};
use crate::term::{Sort, Term, Terms};

/// Is it the sort of an array whose cells can be abstracted?
pub(super) fn has_cells(t: &Terms, sort: Sort) -> bool {
    let parts = t.array_parts(sort);
    parts.is_some_and(|(index, _)| t.array_parts(index).is_none())
}

/// The arrays of an atom whose cells can be abstracted.
fn arrays<'a>(t: &'a Terms, atom: &'a Atom) -> impl Iterator<Item = Term> + 'a {
    let args = atom.args.iter().copied();
    args.filter(|&arg| has_cells(t, t.sort_of(arg)))
}

/// The predicates of the cell system: some cells, an index and an element each, take the place of
/// each array.
pub(super) struct CellAbstraction {
    preds: Vec<Predicate>,
    /// The sorts of the arguments of each original predicate.
    sorts: Vec<Box<[Sort]>>,
    /// The number of cells for each array.
    cells: usize,
}

impl CellAbstraction {
    /// The abstraction of a system's predicates by `cells` cells of each array.
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
        CellAbstraction {
            preds: system.preds.iter().map(pred).collect(),
            sorts: system.preds.iter().map(sorts).collect(),
            cells,
        }
    }

    /// The cell system. Each premise is taken at no more than `instances` tuples of indices.
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
        let head = (clause.head.as_ref()).map(|atom| self.atom(t, atom, &self.any_cells(t, atom)));
        let scalars = |atom: &Atom| -> Vec<Term> {
            let args = atom.args.iter().copied();
            args.filter(|&arg| !has_cells(t, t.sort_of(arg))).collect()
        };
        let head_args = head.iter().flat_map(|atom| atom.args.iter().copied());
        let body_args = clause.body.iter().flat_map(scalars);
        let read = Indices::new(t, head_args.chain(body_args).chain([constraint]));
        let premises = |atom| self.premises(t, atom, &read, instances);
        let mut new = Clause {
            vars: Vec::new(),
            body: clause.body.iter().flat_map(premises).collect(),
            constraint,
            head,
            origin: clause.origin,
        };
        new.vars = new.occurring_vars(t);
        new
    }

    /// Fresh indices for each array of an atom.
    fn any_cells(&self, t: &Terms, atom: &Atom) -> Vec<Vec<Term>> {
        let any = |array: Term| {
            let (index, _) = t.array_parts(t.sort_of(array)).expect("it has cells");
            (0..self.cells)
                .map(|_| t.fresh_var("index", index))
                .collect()
        };
        arrays(t, atom).map(any).collect()
    }

    /// The instances of a premise at the cells that a clause reads.
    fn premises(&self, t: &Terms, atom: &Atom, read: &Indices, instances: usize) -> Vec<Atom> {
        let choices: Vec<Vec<Vec<Term>>> = arrays(t, atom)
            .zip(self.any_cells(t, atom))
            .map(|(array, any)| match read.of(t, array) {
                // The clause reads no cell of the array; the premise is taken at any cell.
                none if none.is_empty() => vec![any],
                read => multisets(&read, self.cells),
            })
            .collect();
        let tuples = products(&choices, instances).into_iter();
        tuples.map(|tuple| self.atom(t, atom, &tuple)).collect()
    }

    /// An atom of the cell system, with these indices for each array.
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

    /// The model of the original system that a model of the cell system gives:
    /// `P(x, a) ⟺ ∀ i. P'(x, i, a[i])`, conjunct by conjunct.
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

/// The formula with one universal quantifier in front of it, over the variables that occur in it.
fn for_all(t: &Terms, variables: &[Term], formula: Term) -> Term {
    let (bound, matrix) = t.split_forall(formula);
    let occur = |var: &&Term| t.any_subterm(matrix, |part| part == **var);
    let all: Vec<Term> = (variables.iter().filter(occur).copied())
        .chain(bound.iter().copied())
        .collect();
    t.forall(&all, matrix)
}

/// The multisets of `size` elements of a list, in ascending order of positions. The order of cells
/// does not matter, since an interpretation holds for cells in every order.
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

/// The first `most` tuples with one element of each list: elements early in their list are in the
/// first tuples.
fn products(lists: &[Vec<Vec<Term>>], most: usize) -> Vec<Vec<Vec<Term>>> {
    let last: usize = lists.iter().map(|list| list.len() - 1).sum();
    let tuples = (0..=last).flat_map(|rank| of_rank(lists, rank, most));
    tuples.take(most).collect()
}

/// The tuples with one element of each list whose positions have the sum `rank`, at most `most` of
/// them.
fn of_rank(lists: &[Vec<Vec<Term>>], rank: usize, most: usize) -> Vec<Vec<Vec<Term>>> {
    // The remaining sum, and the tuple so far.
    let mut tuples: Vec<(usize, Vec<Vec<Term>>)> = vec![(rank, Vec::new())];
    for (i, list) in lists.iter().enumerate() {
        let rest: usize = lists[i + 1..].iter().map(|list| list.len() - 1).sum();
        let longer = tuples.iter().flat_map(|(left, tuple)| {
            // The lists that follow can contribute at most `rest`.
            let least = left.saturating_sub(rest);
            (least..list.len().min(left + 1)).map(move |at| {
                let longer = [&tuple[..], &[list[at].clone()]].concat();
                (left - at, longer)
            })
        });
        tuples = longer.take(most).collect();
    }
    tuples.into_iter().map(|(_, tuple)| tuple).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_come_by_rank() {
        let t = Terms::new();
        let list = |names: &[&str]| -> Vec<Vec<Term>> {
            let var = |name: &&str| vec![t.var(name, Sort::INT)];
            names.iter().map(var).collect()
        };
        let lists = [list(&["a", "b", "c"]), list(&["d"]), list(&["e", "f"])];
        let text = |tuple: Vec<Vec<Term>>| -> String {
            let names = tuple.into_iter().flatten();
            names.map(|term| t.display(term).to_string()).collect()
        };
        let tuples = |most| -> Vec<String> {
            let tuples = products(&lists, most).into_iter();
            tuples.map(text).collect()
        };
        let all = ["ade", "adf", "bde", "bdf", "cde", "cdf"];
        assert_eq!(tuples(usize::MAX), all);
        assert_eq!(tuples(2), all[..2]);
        assert_eq!(products(&[], 3), [Vec::<Vec<Term>>::new()]);
    }
}
