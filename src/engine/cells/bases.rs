//! Where arrays begin: the argument of a predicate that is added to the indices of an array.
//!
//! Programs with pointers have arrays of memory that are read at `p + i`, where the pointer `p` is
//! an argument of the predicate as well. Cells are then counted from `p` on. So what two arrays
//! have in common is said of cells of the same number, wherever the arrays begin.

use super::reads::{bases, is_array};
use crate::chc::{Atom, Clause, System};
use crate::term::{Op, Sort, Term, TermMap, Terms};
use petgraph::unionfind::UnionFind;

/// For each predicate and each of its arguments the position of the argument that an array begins
/// at; `None` for arrays that begin at 0, and for other arguments.
pub(super) type Beginnings = Vec<Vec<Option<usize>>>;

/// A predicate's array and integer, by their positions.
struct Pairs<'t> {
    t: &'t Terms,
    /// The number of the first pair of each predicate.
    first: Vec<usize>,
    arities: Vec<usize>,
    /// Pairs that clauses pass on to each other.
    classes: UnionFind<usize>,
    /// How often the array of a pair is read or written at its integer plus something.
    uses: Vec<usize>,
    /// Pairs whose integer changes while the array stays.
    changes: Vec<bool>,
}

/// Finds where arrays begin: at an integer that is passed on unchanged with the array, and that is
/// added to most of its indices.
pub(super) fn beginnings(t: &Terms, system: &System) -> Beginnings {
    let mut pairs = Pairs::new(t, system);
    for clause in &system.clauses {
        pairs.add(clause);
    }
    pairs.chosen(system)
}

impl<'t> Pairs<'t> {
    fn new(t: &'t Terms, system: &System) -> Self {
        let arity = |pred| t.func(system.pred(pred).func).params.len();
        let arities: Vec<usize> = system.pred_ids().map(arity).collect();
        let mut all = 0;
        let first = arities.iter().map(|arity| {
            let first = all;
            all += arity * arity;
            first
        });
        let first = first.collect();
        Pairs {
            t,
            first,
            arities,
            classes: UnionFind::new(all),
            uses: vec![0; all],
            changes: vec![false; all],
        }
    }

    /// The number of a pair.
    fn pair(&self, atom: &Atom, array: usize, integer: usize) -> usize {
        let pred = atom.pred.index();
        self.first[pred] + array * self.arities[pred] + integer
    }

    /// The positions of the arrays with integer indices, each with the array that stands for its
    /// class.
    fn arrays(&self, atom: &Atom, same: &SameArrays) -> Vec<(usize, Term)> {
        let t = self.t;
        let args = atom.args.iter().enumerate();
        let args = args.filter(|&(_, &arg)| {
            let parts = t.array_parts(t.sort_of(arg));
            parts.is_some_and(|(index, _)| index == Sort::INT)
        });
        args.filter_map(|(at, &arg)| Some((at, same.of(t, arg)?)))
            .collect()
    }

    fn integers(&self, atom: &Atom) -> Vec<(usize, Term)> {
        let args = atom.args.iter().copied().enumerate();
        args.filter(|&(_, arg)| self.t.sort_of(arg) == Sort::INT)
            .collect()
    }

    fn add(&mut self, clause: &Clause) {
        let same = SameArrays::new(self.t, clause);
        for atom in clause.atoms() {
            for (array, class) in self.arrays(atom, &same) {
                for (integer, term) in self.integers(atom) {
                    let indices = same.indices.get(&class).into_iter().flatten();
                    let has = |index: &&Term| {
                        self.t.is_var(term) && self.t.linear_sum(**index).coefficient(term).is_one()
                    };
                    let uses = indices.filter(has).count();
                    let pair = self.pair(atom, array, integer);
                    self.uses[pair] += uses;
                }
            }
        }
        let Some(head) = &clause.head else { return };
        for atom in &clause.body {
            for (from, class) in self.arrays(atom, &same) {
                for (to, _) in (self.arrays(head, &same).into_iter()).filter(|to| to.1 == class) {
                    self.pass_on(atom, from, head, to);
                }
            }
        }
    }

    /// A clause passes an array from a premise to its conclusion.
    fn pass_on(&mut self, atom: &Atom, from: usize, head: &Atom, to: usize) {
        for (before, term) in self.integers(atom) {
            let pair = self.pair(atom, from, before);
            let mut stays = false;
            for (after, _) in (self.integers(head).into_iter()).filter(|after| after.1 == term) {
                stays = true;
                let next = self.pair(head, to, after);
                self.classes.union(pair, next);
            }
            self.changes[pair] |= !stays;
        }
    }

    /// The pairs of the classes with most uses, among the classes that never change.
    fn chosen(self, system: &System) -> Beginnings {
        let all = self.uses.len();
        let (mut uses, mut changes) = (vec![0; all], vec![false; all]);
        for pair in 0..all {
            let class = self.classes.find(pair);
            uses[class] += self.uses[pair];
            changes[class] |= self.changes[pair];
        }
        let of_array = |pred: usize, array: usize| {
            let class = |integer: &usize| {
                let pair = self.first[pred] + array * self.arities[pred] + integer;
                self.classes.find(pair)
            };
            let candidates = 0..self.arities[pred];
            let candidates = candidates.filter(|integer| {
                let class = class(integer);
                uses[class] > 0 && !changes[class]
            });
            // The first of those with the most uses.
            candidates.rev().max_by_key(|integer| uses[class(integer)])
        };
        let of_pred = |pred: usize| {
            let arrays = 0..self.arities[pred];
            arrays.map(|array| of_array(pred, array)).collect()
        };
        (0..system.preds.len()).map(of_pred).collect()
    }
}

/// The arrays of a clause that are made of each other by writes, cases and equations.
struct SameArrays {
    numbers: TermMap<usize>,
    classes: UnionFind<usize>,
    /// The array that stands for each class.
    standing: Vec<Term>,
    /// The indices of reads and writes, for the array that stands for a class.
    indices: TermMap<Vec<Term>>,
}

impl SameArrays {
    fn new(t: &Terms, clause: &Clause) -> Self {
        let terms: Vec<Term> = t.post_order(clause.terms()).collect();
        let vars: Vec<Term> = (terms.iter().copied())
            .filter(|&term| is_array(t, term))
            .flat_map(|array| bases(t, array))
            .collect();
        let mut same = SameArrays {
            numbers: vars.iter().copied().zip(0..).collect(),
            classes: UnionFind::new(vars.len()),
            standing: vars,
            indices: TermMap::default(),
        };
        for &term in &terms {
            let joined = match (t.op(term), t.args(term)) {
                (Op::Eq, &[x, y]) if is_array(t, x) => [bases(t, x), bases(t, y)].concat(),
                _ if is_array(t, term) => bases(t, term),
                _ => continue,
            };
            for pair in joined.windows(2) {
                let (x, y) = (same.numbers[&pair[0]], same.numbers[&pair[1]]);
                same.classes.union(x, y);
            }
        }
        for &term in &terms {
            if let (Op::Select | Op::Store, &[array, index, ..]) = (t.op(term), t.args(term))
                && let Some(class) = same.of(t, array)
            {
                let indices = same.indices.entry(class).or_default();
                if !indices.contains(&index) {
                    indices.push(index);
                }
            }
        }
        same
    }

    /// The array that stands for the class of an array; `None` if it is made of constants.
    fn of(&self, t: &Terms, array: Term) -> Option<Term> {
        let base = *bases(t, array).first()?;
        let number = *self.numbers.get(&base)?;
        Some(self.standing[self.classes.find(number)])
    }
}
