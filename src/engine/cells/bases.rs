//! Where arrays begin: the argument of a predicate that is added to the indices of an array.
//!
//! Programs with pointers have arrays of memory that are read at `p + i`, where the pointer `p` is
//! an argument of the predicate as well. Cells are then counted from `p` on. So what two arrays
//! have in common is said of cells of the same number, wherever the arrays begin. Not from a paper.
//!
//! Where elements are of several bytes, memory is read at `p + 4 i` (`strides`).

use super::reads::{Indices, is_memory};
use crate::chc::{Atom, Clause, System};
use crate::term::{Sort, TermMap, Terms};
use crate::work;
use petgraph::unionfind::UnionFind;

/// For each predicate and each of its arguments the position of the argument that an array begins
/// at; `None` for arrays that begin at 0, and for other arguments.
pub(super) type Beginnings = Vec<Vec<Option<usize>>>;

/// Finds where arrays begin: at an integer that is passed on unchanged with the array, and that is
/// added to most of the indices at which the array is read or written.
pub(super) fn beginnings(t: &Terms, system: &System) -> Beginnings {
    let mut pairs = Pairs::new(t, system);
    for clause in &system.clauses {
        pairs.add(clause);
    }
    pairs.chosen()
}

/// The arguments of a predicate that matter here, by position.
struct Arguments {
    count: usize,
    /// Arrays with integers as indices.
    arrays: Vec<usize>,
    integers: Vec<usize>,
    /// The number of the pair of the first array and the first integer.
    first_pair: usize,
}

impl Arguments {
    /// The number of the pair of an array and an integer, given by their places in the lists.
    fn pair(&self, array: usize, integer: usize) -> usize {
        self.first_pair + array * self.integers.len() + integer
    }

    /// The places of the integers of an atom that are the same term.
    fn by_term(&self, atom: &Atom) -> TermMap<Vec<usize>> {
        let mut places: TermMap<Vec<usize>> = TermMap::default();
        for (place, &at) in self.integers.iter().enumerate() {
            places.entry(atom.args[at]).or_default().push(place);
        }
        places
    }
}

/// What is known of the pairs of an array and an integer of each predicate.
struct Pairs<'t> {
    t: &'t Terms,
    preds: Vec<Arguments>,
    /// Pairs that clauses pass on to each other.
    classes: UnionFind<usize>,
    /// The number of indices that are the integer of the pair plus something.
    uses: Vec<usize>,
    /// Pairs whose integer changes while the array stays.
    changes: Vec<bool>,
}

impl<'t> Pairs<'t> {
    fn new(t: &'t Terms, system: &System) -> Self {
        let mut all = 0;
        let preds = system.preds.iter().map(|pred| {
            let sorts = &t.func(pred.func).params;
            let having = |test: &dyn Fn(Sort) -> bool| -> Vec<usize> {
                let positions = sorts.iter().enumerate();
                let positions = positions.filter(|&(_, &sort)| test(sort));
                positions.map(|(at, _)| at).collect()
            };
            let arguments = Arguments {
                count: sorts.len(),
                arrays: having(&|sort| is_memory(t, sort)),
                integers: having(&|sort| sort == Sort::INT),
                first_pair: all,
            };
            all = arguments.pair(arguments.arrays.len(), 0);
            arguments
        });
        let preds = preds.collect();
        Pairs {
            t,
            preds,
            classes: UnionFind::new(all),
            uses: vec![0; all],
            changes: vec![false; all],
        }
    }

    fn add(&mut self, clause: &Clause) {
        let t = self.t;
        let read = Indices::new(t, clause.terms());
        for atom in clause.atoms() {
            self.count_uses(atom, &read);
        }
        if let Some(head) = &clause.head {
            for atom in &clause.body {
                self.pass_on(atom, head, &read);
            }
        }
    }

    /// Counts the indices at which the arrays of an atom are read or written that are integers of
    /// the atom plus something.
    fn count_uses(&mut self, atom: &Atom, indices: &Indices) {
        let t = self.t;
        let arguments = &self.preds[atom.pred.index()];
        let places = arguments.by_term(atom);
        for (array, &at) in arguments.arrays.iter().enumerate() {
            for index in indices.accessed(t, atom.args[at]) {
                let sum = t.linear_sum(index);
                let once = sum.terms.iter().filter(|(_, factor)| factor.is_one());
                for &place in once.filter_map(|(term, _)| places.get(term)).flatten() {
                    self.uses[arguments.pair(array, place)] += 1;
                }
            }
        }
    }

    /// Connects the pairs of a premise with those of the conclusion that have the same array and
    /// the same integer.
    fn pass_on(&mut self, atom: &Atom, head: &Atom, read: &Indices) {
        let t = self.t;
        let (before, after) = (
            &self.preds[atom.pred.index()],
            &self.preds[head.pred.index()],
        );
        let kept = after.by_term(head);
        for (from, &at) in before.arrays.iter().enumerate() {
            let classes = read.classes(t, atom.args[at]);
            for (to, &then) in after.arrays.iter().enumerate() {
                let then = read.classes(t, head.args[then]);
                if !then.iter().any(|class| classes.contains(class)) {
                    continue;
                }
                for (place, &integer) in before.integers.iter().enumerate() {
                    work::spend(1);
                    let pair = before.pair(from, place);
                    match kept.get(&atom.args[integer]) {
                        Some(kept) => {
                            for &place in kept {
                                self.classes.union(pair, after.pair(to, place));
                            }
                        }
                        None => self.changes[pair] = true,
                    }
                }
            }
        }
    }

    /// For each array the first integer of the pairs with most uses, among the pairs that never
    /// change, wherever they are passed on to.
    fn chosen(self) -> Beginnings {
        let all = self.uses.len();
        let (mut uses, mut changes) = (vec![0; all], vec![false; all]);
        for pair in 0..all {
            let class = self.classes.find(pair);
            uses[class] += self.uses[pair];
            changes[class] |= self.changes[pair];
        }
        let of_array = |arguments: &Arguments, array: usize| {
            let class = |place: &usize| self.classes.find(arguments.pair(array, *place));
            let places = 0..arguments.integers.len();
            let places = places.filter(|place| uses[class(place)] > 0 && !changes[class(place)]);
            // The last maximum of the reversed order is the first one.
            let chosen = places.rev().max_by_key(|place| uses[class(place)]);
            chosen.map(|place| arguments.integers[place])
        };
        let of_pred = |arguments: &Arguments| {
            let mut beginnings = vec![None; arguments.count];
            for (array, &at) in arguments.arrays.iter().enumerate() {
                beginnings[at] = of_array(arguments, array);
            }
            beginnings
        };
        self.preds.iter().map(of_pred).collect()
    }
}
