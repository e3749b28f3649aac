//! Predicates of arrays as predicates of cells, and the way back for models.

use super::bases::beginnings;
use super::reads::{Indices, with_differences, without_local_arrays};
use super::split::cases;
use super::strides::{Layouts, Places, index_beside, layouts};
use super::views::{View, Views, views};
use crate::chc::{Atom, Clause, Interpretation, Model, Predicate, System};
use crate::smt::{Failure, Limit};
use crate::term::{Sort, Term, TermSet, Terms};

/// A clause of the cell system has at most this many premises. Arrays of arrays multiply them from
/// round to round: on tasks of CHC-COMP to 65,536, and to 10 where the engine finds a model.
const MOST_PREMISES: usize = 1024;

/// Is it the sort of an array whose cells can be abstracted?
pub(super) fn has_cells(t: &Terms, sort: Sort) -> bool {
    let parts = t.array_parts(sort);
    parts.is_some_and(|(index, _)| t.array_parts(index).is_none())
}

/// The cells that take the place of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cells {
    /// One index for all arrays of an index sort: what arrays have at the same place is related.
    Shared,
    /// As above, with related cells of each array beside (`views`).
    Related,
    /// This number of indices for each array.
    Each(usize),
}

impl Cells {
    /// The number of indices together.
    fn count(self) -> usize {
        match self {
            Cells::Shared | Cells::Related => 1,
            Cells::Each(count) => count,
        }
    }

    /// For each argument of these sorts the number of the group whose indices it has; `None` for
    /// arguments without cells. Groups are numbered by their first arguments.
    fn groups(self, t: &Terms, sorts: &[Sort]) -> Vec<Option<usize>> {
        let mut index_sorts: Vec<Sort> = Vec::new();
        let group = |&sort: &Sort| {
            let (index, _) = t.array_parts(sort).filter(|_| has_cells(t, sort))?;
            let known = index_sorts.iter().position(|&known| known == index);
            Some(match (self, known) {
                (Cells::Shared | Cells::Related, Some(group)) => group,
                _ => {
                    index_sorts.push(index);
                    index_sorts.len() - 1
                }
            })
        };
        sorts.iter().map(group).collect()
    }
}

/// Has a predicate several arrays that can share an index?
pub(super) fn has_arrays_to_share(t: &Terms, system: &System) -> bool {
    let shared = |pred: &Predicate| {
        let sorts = &t.func(pred.func).params;
        let count = |cells: Cells| {
            let groups = cells.groups(t, sorts).into_iter();
            groups.flatten().max()
        };
        count(Cells::Shared) != count(Cells::Each(1))
    };
    system.preds.iter().any(shared)
}

/// Has a predicate an array with related cells?
pub(super) fn has_related_cells(t: &Terms, system: &System) -> bool {
    let layouts = layouts(t, system, &beginnings(t, system));
    let views = views(t, system, &layouts);
    views.iter().flatten().any(|views| !views.is_empty())
}

/// The predicates of the cell system. Indices take the place of the first array of each group, and
/// the elements there the place of each array.
pub(super) struct CellAbstraction {
    preds: Vec<Predicate>,
    /// The sorts of the arguments of each original predicate.
    sorts: Vec<Box<[Sort]>>,
    /// Where the cells of the arrays of each predicate are.
    layouts: Layouts,
    /// The related cells of the arrays of each predicate.
    views: Views,
    cells: Cells,
}

impl CellAbstraction {
    /// The abstraction of a system's predicates by these cells.
    pub(super) fn new(t: &Terms, system: &System, cells: Cells) -> Self {
        let layouts = layouts(t, system, &beginnings(t, system));
        let views = match cells {
            Cells::Related => views(t, system, &layouts),
            Cells::Shared | Cells::Each(_) => {
                let none = layouts.iter().map(|args| vec![Vec::new(); args.len()]);
                none.collect()
            }
        };
        let pred = |(pred, views): (&Predicate, &Vec<Vec<View>>)| {
            let decl = t.func(pred.func);
            let mut params: Vec<Sort> = Vec::new();
            let mut groups = 0;
            let grouped = cells.groups(t, &decl.params).into_iter().zip(&decl.params);
            for ((group, &sort), views) in grouped.zip(views) {
                let Some(group) = group else {
                    params.push(sort);
                    continue;
                };
                let (index, element) = t.array_parts(sort).expect("it has cells");
                if group == groups {
                    groups += 1;
                    params.extend([index].repeat(cells.count()));
                }
                params.extend([element].repeat(cells.count() + views.len()));
            }
            Predicate {
                func: t.declare(t.fresh_symbol(t.name(decl.name)), &params, decl.result),
                span: pred.span,
            }
        };
        let sorts = |pred: &Predicate| t.func(pred.func).params.clone();
        CellAbstraction {
            preds: system.preds.iter().zip(&views).map(pred).collect(),
            sorts: system.preds.iter().map(sorts).collect(),
            layouts,
            views,
            cells,
        }
    }

    /// The cell system. Each premise is taken at no more than `instances` tuples of indices.
    ///
    /// # Errors
    /// The limit is exceeded, or a clause would have more than [`MOST_PREMISES`] premises.
    pub(super) fn system(
        &self,
        t: &Terms,
        system: &System,
        instances: usize,
        limit: &Limit,
    ) -> Result<System, Failure> {
        let clause = |clause: Clause| {
            let new = self.clause(t, &clause, instances, limit)?;
            limit.check()?;
            Ok(without_local_arrays(t, &new))
        };
        let cases = system.clauses.iter().flat_map(|clause| cases(t, clause));
        let clauses: Result<_, Failure> = cases.map(clause).collect();
        Ok(System {
            preds: self.preds.clone(),
            clauses: clauses?,
        })
    }

    /// The clause over cells.
    fn clause(
        &self,
        t: &Terms,
        clause: &Clause,
        instances: usize,
        limit: &Limit,
    ) -> Result<Clause, Failure> {
        let constraint = with_differences(t, clause.constraint);
        let head = (clause.head.as_ref()).map(|atom| self.atom(t, atom, &self.any_cells(t, atom)));
        let scalars = |atom: &Atom| -> Vec<Term> {
            let args = atom.args.iter().copied();
            args.filter(|&arg| !has_cells(t, t.sort_of(arg))).collect()
        };
        let head_args = head.iter().flat_map(|atom| atom.args.iter().copied());
        let body_args = clause.body.iter().flat_map(scalars);
        let read = Indices::new(t, head_args.chain(body_args).chain([constraint]));
        let mut body = Vec::new();
        for atom in &clause.body {
            limit.check()?;
            body.extend(self.premises(t, atom, &read, instances));
            if body.len() > MOST_PREMISES {
                let why = "a clause has too many premises about cells";
                return Err(Failure::Incomplete(why.to_owned()));
            }
        }
        let mut new = Clause {
            vars: Vec::new(),
            body,
            constraint,
            head,
            origin: clause.origin,
        };
        new.vars = new.occurring_vars(t);
        Ok(new)
    }

    /// The arrays of each group of an atom, with the places of their cells.
    fn arrays(&self, t: &Terms, atom: &Atom) -> Vec<Vec<(Term, Places)>> {
        let sorts: Vec<Sort> = atom.args.iter().map(|&arg| t.sort_of(arg)).collect();
        let layouts = &self.layouts[atom.pred.index()];
        let places = layouts.iter().map(|layout| layout.of(&atom.args));
        let args = atom.args.iter().copied().zip(places);
        let mut arrays: Vec<Vec<(Term, Places)>> = Vec::new();
        for (group, array) in self.cells.groups(t, &sorts).into_iter().zip(args) {
            match group {
                Some(group) if group == arrays.len() => arrays.push(vec![array]),
                Some(group) => arrays[group].push(array),
                None => {}
            }
        }
        arrays
    }

    /// Fresh indices for each group of an atom.
    fn any_cells(&self, t: &Terms, atom: &Atom) -> Vec<Vec<Term>> {
        let any = |arrays: Vec<(Term, Places)>| {
            let (index, _) = t.array_parts(t.sort_of(arrays[0].0)).expect("it has cells");
            let fresh = |_| t.fresh_var("index", index);
            (0..self.cells.count()).map(fresh).collect()
        };
        self.arrays(t, atom).into_iter().map(any).collect()
    }

    /// The instances of a premise at the cells that a clause reads.
    fn premises(&self, t: &Terms, atom: &Atom, read: &Indices, instances: usize) -> Vec<Atom> {
        let choices: Vec<Vec<Vec<Term>>> = (self.arrays(t, atom).into_iter())
            .zip(self.any_cells(t, atom))
            .map(|(arrays, any)| {
                let mut cells: Vec<Term> = Vec::new();
                for (array, places) in arrays {
                    let read = read.of(t, array).into_iter();
                    cells.extend(read.filter_map(|index| places.cell(t, index)));
                }
                let mut seen = TermSet::default();
                cells.retain(|&cell| seen.insert(cell));
                match cells.is_empty() {
                    // The clause reads no cell of the arrays; the premise is taken at any cell.
                    true => vec![any],
                    false => multisets(&cells, self.cells.count(), instances),
                }
            })
            .collect();
        let tuples = products(&choices, instances).into_iter();
        tuples.map(|tuple| self.atom(t, atom, &tuple)).collect()
    }

    /// An atom of the cell system, with these indices for each group.
    fn atom(&self, t: &Terms, atom: &Atom, indices: &[Vec<Term>]) -> Atom {
        let sorts: Vec<Sort> = atom.args.iter().map(|&arg| t.sort_of(arg)).collect();
        let layouts = self.layouts[atom.pred.index()].iter();
        let layouts = layouts.zip(&self.views[atom.pred.index()]);
        let (mut args, mut groups) = (Vec::new(), 0);
        let grouped = self.cells.groups(t, &sorts).into_iter().zip(&atom.args);
        for ((group, &arg), (layout, views)) in grouped.zip(layouts) {
            let Some(group) = group else {
                args.push(arg);
                continue;
            };
            let indices = &indices[group];
            if group == groups {
                groups += 1;
                args.extend(indices);
            }
            let places = layout.of(&atom.args);
            let related = views.iter();
            let related = related.map(|view| view.cell(t, &atom.args, indices[0]));
            let cells = indices.iter().copied().chain(related);
            args.extend(cells.map(|cell| t.select(arg, places.index(t, cell))));
        }
        Atom { args, ..*atom }
    }

    /// The model of the original system that a model of the cell system gives:
    /// `P(x, a) ⟺ ∀ i. P'(x, i, a[i])`, conjunct by conjunct.
    pub(super) fn model(&self, t: &Terms, model: Model) -> Model {
        let preds = self.sorts.iter().zip(&self.layouts).zip(&self.views);
        let interpretations = model.interpretations.into_iter().zip(preds);
        let interpretations = interpretations.map(|(of_cells, ((sorts, layouts), views))| {
            let mut given = of_cells.params.into_iter();
            let mut given = || given.next().expect("as many as the cells have");
            let (mut params, mut indices, mut elements) = (Vec::new(), Vec::new(), Vec::new());
            let grouped = self.cells.groups(t, sorts).into_iter().zip(sorts);
            for ((group, &sort), views) in grouped.zip(views) {
                let Some(group) = group else {
                    params.push(given());
                    continue;
                };
                let count = self.cells.count();
                if group * count == indices.len() {
                    indices.extend((0..count).map(|_| given()));
                }
                let own = &indices[group * count..(group + 1) * count];
                let plain = own.iter().map(|&index| (index, None));
                let related = views.iter().map(|view| (own[0], Some(view)));
                elements.extend(plain.chain(related).map(|(index, view)| Element {
                    var: given(),
                    array: params.len(),
                    group,
                    index,
                    view,
                }));
                params.push(t.fresh_var("a", sort));
            }
            let conjuncts = t.conjuncts(of_cells.body).into_iter().map(|conjunct| {
                let places = layouts.iter().map(|layout| layout.of(&params)).collect();
                let arrays = Arrays {
                    params: &params,
                    places,
                };
                let said = self.of_arrays(t, conjunct, &arrays, &indices, &elements);
                for_all(t, &indices, said)
            });
            let body = t.and(conjuncts);
            Interpretation { params, body }
        });
        Model {
            interpretations: interpretations.collect(),
        }
    }

    /// What a conjunct about cells says of the arrays among the parameters.
    ///
    /// The first array of a group that the conjunct is about is read at the bound variables
    /// themselves, wherever they are indices of cells. So a solver that instantiates quantifiers by
    /// patterns has one, `a[i]`.
    fn of_arrays(
        &self,
        t: &Terms,
        conjunct: Term,
        arrays: &Arrays<'_>,
        indices: &[Term],
        elements: &[Element<'_>],
    ) -> Term {
        let occurring: TermSet = t.vars([conjunct]).into_iter().collect();
        let first = |group: usize| {
            let mut of_group = (elements.iter())
                .filter(|element| element.group == group && element.view.is_none());
            let first = of_group.find(|element| occurring.contains(&element.var));
            first.map(|first| &arrays.places[first.array])
        };
        let read = elements.iter().map(|element| {
            let places = &arrays.places[element.array];
            let index = match (element.view, first(element.group)) {
                (None, Some(first)) => index_beside(t, first, element.index, places),
                (None, None) => places.index(t, element.index),
                (Some(view), first) => {
                    let cell = first.map(|first| first.cell_if(t, element.index).0);
                    let cell = cell.unwrap_or(element.index);
                    places.index(t, view.cell(t, arrays.params, cell))
                }
            };
            (element.var, t.select(arrays.params[element.array], index))
        });
        let mut conditions = Vec::new();
        let mut cells = Vec::new();
        for (at, &index) in indices.iter().enumerate() {
            if let Some(first) = first(at / self.cells.count()) {
                let (cell, condition) = first.cell_if(t, index);
                cells.push((index, cell));
                conditions.push(condition);
            }
        }
        let said = t.substitute(conjunct, read.chain(cells));
        t.implies(t.and(conditions), said)
    }
}

/// The parameters of a predicate, and the places of the cells of its arrays.
struct Arrays<'p> {
    params: &'p [Term],
    places: Vec<Places>,
}

/// A parameter of a predicate about cells that stands for an element of an array.
struct Element<'v> {
    /// The parameter.
    var: Term,
    /// The array: its place among the parameters of the predicate about arrays.
    array: usize,
    /// The group of arrays that have common indices.
    group: usize,
    /// The index of the cell, or of the one that it is related to: a parameter of the predicate
    /// about cells.
    index: Term,
    /// How it is related to that cell.
    view: Option<&'v View>,
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

/// The first `most` multisets of `size` elements of a list, in ascending order of positions. The
/// order of cells does not matter, since an interpretation holds for cells in every order.
fn multisets(list: &[Term], size: usize, most: usize) -> Vec<Vec<Term>> {
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
            .take(most)
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
