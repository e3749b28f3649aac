//! Cells that are related to a cell: remembered ones, and mirror images.
//!
//! That `a[m]` is the largest element is said of two cells, `a[i] ≤ a[m]`, and so is that an array
//! is a palindrome, `a[i] = a[n − 1 − i]`. In both, the second cell is given by the first one and
//! by arguments of the predicate. So one index suffices where that element is an argument as well:
//!
//! ```text
//! P(x, a)  ⟺  ∀ i. P'(x, i, a[i], a[m], a[n − 1 − i])
//! ```
//!
//! Which cells these are is read off the clauses that pass a predicate's arrays on to itself, and
//! off the queries. A remembered cell has as its number a sum of arguments that do not change, or
//! not in each step, as the place of the largest element so far. The numbers of a cell and its
//! mirror image have a sum that does not change. Not from a paper.

use super::reads::{Indices, is_memory};
use super::strides::{Layouts, as_sum};
use crate::chc::{Atom, Clause, System};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, TermMap, Terms};

/// An array has at most this number of views. The value was not tuned.
const MOST_VIEWS: usize = 3;
/// Clauses that read more cells of an array are not looked at. The value was not tuned.
const MOST_CELLS: usize = 16;

/// A cell that a cell and the arguments of a predicate give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct View {
    /// Arguments by their positions, with their factors.
    args: Vec<(usize, Rational)>,
    constant: Rational,
    /// Is the number of the other cell subtracted?
    is_mirror: bool,
}

impl View {
    /// The number of the cell.
    pub(super) fn cell(&self, t: &Terms, args: &[Term], other: Term) -> Term {
        let own = self.args.iter();
        let own = own.map(|(at, factor)| t.scale(factor.clone(), args[*at]));
        let constant = t.number(self.constant.clone(), Sort::INT);
        let mirrored = self.is_mirror.then(|| t.neg(other));
        as_sum(t, t.add(own.chain([constant]).chain(mirrored)))
    }
}

/// For each predicate and each of its arguments the views of it, if it is an array.
pub(super) type Views = Vec<Vec<Vec<View>>>;

/// Finds the views of arrays whose cells are there.
pub(super) fn views(t: &Terms, system: &System, layouts: &Layouts) -> Views {
    let none = layouts.iter().map(|args| vec![Vec::new(); args.len()]);
    let mut found: Views = none.collect();
    for clause in &system.clauses {
        let is_loop = |atom: &&Atom| {
            let head = clause.head.as_ref();
            head.is_none_or(|head| head.pred == atom.pred)
        };
        for atom in clause.body.iter().filter(is_loop) {
            let of_atom = OfAtom::new(t, clause, atom, layouts);
            of_atom.add_to(&mut found[atom.pred.index()]);
        }
    }
    found
}

/// The cells that a clause reads or writes of the arrays of a premise.
struct OfAtom<'t> {
    t: &'t Terms,
    /// The positions of integers that the clause does not change.
    kept: TermMap<usize>,
    /// The positions of integers that it need not change.
    remembered: TermMap<usize>,
    is_query: bool,
    /// The position of each array, with its cells.
    arrays: Vec<(usize, Vec<Term>)>,
}

impl<'t> OfAtom<'t> {
    fn new(t: &'t Terms, clause: &Clause, atom: &Atom, layouts: &Layouts) -> OfAtom<'t> {
        let indices = Indices::of_clause(t, clause);
        let layouts = &layouts[atom.pred.index()];
        let mut arrays = Vec::new();
        let (mut kept, mut remembered) = (TermMap::default(), TermMap::default());
        for (at, &arg) in atom.args.iter().enumerate() {
            let after = clause.head.as_ref().map(|head| head.args[at]);
            if t.sort_of(arg) == Sort::INT {
                if after.is_none_or(|after| after == arg) {
                    kept.entry(arg).or_insert(at);
                }
                if after.is_none_or(|after| !is_step(t, arg, after)) {
                    remembered.entry(arg).or_insert(at);
                }
            }
            if is_memory(t, t.sort_of(arg)) {
                let places = layouts[at].of(&atom.args);
                let cells = indices.accessed(t, arg).into_iter();
                arrays.push((
                    at,
                    cells.filter_map(|index| places.cell(t, index)).collect(),
                ));
            }
        }
        OfAtom {
            t,
            kept,
            remembered,
            is_query: clause.is_query(),
            arrays,
        }
    }

    /// Adds the views to those of the predicate's arguments.
    fn add_to(&self, found: &mut [Vec<View>]) {
        let t = self.t;
        let mut add = |at: usize, view: View| {
            let known = &mut found[at];
            if known.len() < MOST_VIEWS && !known.contains(&view) {
                known.push(view);
            }
        };
        for (number, (at, cells)) in self.arrays.iter().enumerate() {
            if cells.len() > MOST_CELLS {
                continue;
            }
            let remembered = |&cell: &Term| view(&t.linear_sum(cell), &self.remembered, false);
            let is_remembered = |cell: &Term| remembered(cell).is_some();
            // A query does not change anything. So it says less of what is remembered.
            if !self.is_query || !cells.iter().all(is_remembered) {
                let remembered = cells.iter().filter_map(remembered);
                remembered.for_each(|view| add(*at, view));
            }
            let moving = cells.iter().copied().filter(|cell| !is_remembered(cell));
            for cell in moving {
                let others = self.arrays[number..].iter();
                let others = others.filter(|(_, cells)| cells.len() <= MOST_CELLS);
                for (other_at, others) in others {
                    for &other in others {
                        let sum = t.linear_sum(t.add([cell, other]));
                        let view = view(&sum, &self.kept, true);
                        let view = view.filter(|_| !is_remembered(&other));
                        view.into_iter().for_each(|view| add(*other_at, view));
                    }
                }
            }
        }
    }
}

/// The view that has this sum as its number, or as the sum of its number and the other cell's, if
/// it is a sum of arguments with these positions.
fn view(sum: &LinearSum, positions: &TermMap<usize>, is_mirror: bool) -> Option<View> {
    let args = sum.terms.iter();
    let args = args.map(|(term, factor)| Some((*positions.get(term)?, factor.clone())));
    Some(View {
        args: args.collect::<Option<_>>()?,
        constant: sum.constant.clone(),
        is_mirror,
    })
}

/// Is an integer increased or decreased by a number?
fn is_step(t: &Terms, before: Term, after: Term) -> bool {
    let sum = t.linear_sum(t.sub(after, before));
    sum.terms.is_empty() && !sum.constant.is_zero()
}
