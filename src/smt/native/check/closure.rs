//! The closure of a clause's negation: what follows from it by congruence, by the rules of
//! constructors, and by reading from arrays.
//!
//! Written for clarity: every rule is applied to all terms until nothing changes. The clauses are
//! small.

use super::super::proof::ProofAtom;
use super::{Checker, Literal};
use crate::term::{CtorId, Op, Sort, Term, TermMap, Terms};
use crate::work;
use petgraph::algo::is_cyclic_directed;
use petgraph::graph::DiGraph;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// Classes of terms under equations.
pub(in crate::smt::native) struct Closure<'t> {
    t: &'t Terms,
    terms: Vec<Term>,
    number: TermMap<usize>,
    union: UnionFind<usize>,
    /// Pairs that are kept apart.
    different: Vec<(usize, usize)>,
}

/// What the negation of a clause says, as equations and their negations.
#[derive(Clone, Default)]
pub(in crate::smt::native) struct Premises {
    /// These pairs are equal.
    pub(in crate::smt::native) equal: Vec<(Term, Term)>,
    /// These pairs are different.
    pub(in crate::smt::native) different: Vec<(Term, Term)>,
}

/// An element of an array, at an index or everywhere.
struct Read {
    array: usize,
    index: Option<usize>,
    element: usize,
}

/// A store, the array that it changes, and the index.
struct Store {
    array: usize,
    base: usize,
    index: usize,
}

impl Checker<'_> {
    /// Is the negation of the clause contradictory by congruence and the rules of constructors,
    /// with those of arrays if they are wanted?
    pub(super) fn is_closed(&self, clause: &[Literal], arrays: bool) -> bool {
        let roots: Vec<Term> = (clause.iter().flat_map(|&l| self.atom(l).terms())).collect();
        let premises = self.premises(clause, roots.iter().copied());
        Closure::new(self.t, roots, &premises).saturate(arrays)
    }

    /// What the negation of the clause says of terms, and of the formulas that are subterms of the
    /// roots.
    pub(in crate::smt::native) fn premises(
        &self,
        clause: &[Literal],
        roots: impl IntoIterator<Item = Term>,
    ) -> Premises {
        let mut premises = Premises::default();
        for literal in clause {
            if let ProofAtom::Equal(x, y) = *self.atom(*literal) {
                match literal.positive {
                    true => premises.different.push((x, y)),
                    false => premises.equal.push((x, y)),
                }
            }
        }
        for term in self.t.post_order(roots) {
            work::spend(4);
            if self.t.sort_of(term) != Sort::BOOL {
                continue;
            }
            // The clause is false, so what implies it is false.
            if self.entails(term, true, clause, 0) {
                premises.equal.push((term, Term::FALSE));
            }
            if self.entails(term, false, clause, 0) {
                premises.equal.push((term, Term::TRUE));
            }
        }
        premises
    }
}

impl<'t> Closure<'t> {
    /// The classes that the premises make by themselves of the roots, of the terms that the
    /// premises speak of, and of their subterms.
    pub(in crate::smt::native) fn new(
        t: &'t Terms,
        roots: impl IntoIterator<Item = Term>,
        premises: &Premises,
    ) -> Closure<'t> {
        let pairs = premises.equal.iter().chain(&premises.different);
        let roots: Vec<Term> = [Term::TRUE, Term::FALSE]
            .into_iter()
            .chain(roots)
            .chain(pairs.flat_map(|&(x, y)| [x, y]))
            .collect();
        let terms: Vec<Term> = t.post_order(roots).collect();
        let number: TermMap<usize> = std::iter::zip(terms.iter().copied(), 0..).collect();
        let mut union = UnionFind::<usize>::new(terms.len());
        for (x, y) in &premises.equal {
            union.union(number[x], number[y]);
        }
        let different = premises.different.iter();
        let different = different.map(|(x, y)| (number[x], number[y])).collect();
        Closure {
            t,
            terms,
            number,
            union,
            different,
        }
    }

    /// All terms, each after its subterms.
    pub(in crate::smt::native) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The class of a term, by a number; `None` for a term that is not there.
    pub(in crate::smt::native) fn class(&self, x: Term) -> Option<usize> {
        self.number.get(&x).map(|&i| self.root(i))
    }

    /// Are two terms different, as far as can be seen from constants, constructors and the
    /// premises?
    pub(in crate::smt::native) fn are_different(&self, x: Term, y: Term) -> bool {
        if self.t.sort_of(x) != self.t.sort_of(y) {
            return false;
        }
        match (self.number.get(&x), self.number.get(&y), self.constants()) {
            (Some(&x), Some(&y), Some(constants)) => self.differ(x, y, &constants),
            _ => false,
        }
    }

    /// Applies the rules of congruence and constructors until nothing changes, with those of arrays
    /// if they are wanted. Is there a contradiction?
    pub(in crate::smt::native) fn saturate(&mut self, arrays: bool) -> bool {
        loop {
            if self.congruence() {
                return true;
            }
            if !arrays || !self.read() {
                return false;
            }
        }
    }

    fn root(&self, i: usize) -> usize {
        self.union.find(i)
    }

    fn args(&self, i: usize) -> Vec<usize> {
        let args = self.t.args(self.terms[i]).iter();
        args.map(|x| self.number[x]).collect()
    }

    /// As [`Closure::saturate`], without arrays.
    fn congruence(&mut self) -> bool {
        loop {
            let mut changed = self.join_congruent();
            match self.apply_constructors() {
                None => return true,
                Some(joined) => changed |= joined,
            }
            if !changed {
                break;
            }
        }
        let mut different = self.different.iter();
        different.any(|&(x, y)| self.root(x) == self.root(y))
            || self.equates_constants()
            || self.has_cycle()
    }

    fn join_congruent(&mut self) -> bool {
        let mut known: FxHashMap<(Op, Sort, Vec<usize>), usize> = FxHashMap::default();
        let mut changed = false;
        for i in 0..self.terms.len() {
            work::spend(4);
            let args: Vec<usize> = self.args(i).into_iter().map(|x| self.root(x)).collect();
            if args.is_empty() {
                continue;
            }
            let term = self.terms[i];
            let key = (self.t.op(term), self.t.sort_of(term), args);
            let other = *known.entry(key).or_insert(i);
            changed |= self.union.union(i, other);
        }
        changed
    }

    /// Joins what constructors say is equal; `None` for a contradiction.
    fn apply_constructors(&mut self) -> Option<bool> {
        let t = self.t;
        let mut of_class: FxHashMap<usize, usize> = FxHashMap::default();
        let mut pairs = Vec::new();
        for i in 0..self.terms.len() {
            if let Op::Construct(ctor) = t.op(self.terms[i]) {
                let other = *of_class.entry(self.root(i)).or_insert(i);
                if t.op(self.terms[other]) != Op::Construct(ctor) {
                    return None;
                }
                pairs.extend(std::iter::zip(self.args(i), self.args(other)));
            }
        }
        for i in 0..self.terms.len() {
            let args = self.args(i);
            let built = args
                .first()
                .and_then(|&x| of_class.get(&self.root(x)).copied());
            let Some(built) = built else { continue };
            let Op::Construct(ctor) = t.op(self.terms[built]) else {
                unreachable!("it is a constructor term");
            };
            match t.op(self.terms[i]) {
                Op::Field(selector) if t.selector(selector).ctor == ctor => {
                    let place = t.selector(selector).index as usize;
                    pairs.push((i, self.args(built)[place]));
                }
                Op::Is(tested) => {
                    let value = if tested == ctor {
                        Term::TRUE
                    } else {
                        Term::FALSE
                    };
                    pairs.push((i, self.number[&value]));
                }
                _ => {}
            }
        }
        let joined = pairs.into_iter().filter(|&(x, y)| self.union.union(x, y));
        Some(joined.count() > 0)
    }

    /// The constant of each class that has one; `None` where one has two.
    fn constants(&self) -> Option<FxHashMap<usize, usize>> {
        let mut constants: FxHashMap<usize, usize> = FxHashMap::default();
        for i in 0..self.terms.len() {
            if self.t.is_distinct_constant(self.terms[i])
                && *constants.entry(self.root(i)).or_insert(i) != i
            {
                return None;
            }
        }
        Some(constants)
    }

    fn equates_constants(&self) -> bool {
        self.constants().is_none()
    }

    /// Would a value be a part of itself?
    fn has_cycle(&self) -> bool {
        let mut parts: DiGraph<(), (), usize> = DiGraph::default();
        let nodes: Vec<_> = self.terms.iter().map(|_| parts.add_node(())).collect();
        for i in 0..self.terms.len() {
            if let Op::Construct(_) = self.t.op(self.terms[i]) {
                for arg in self.args(i) {
                    parts.add_edge(nodes[self.root(i)], nodes[self.root(arg)], ());
                }
            }
        }
        is_cyclic_directed(&parts)
    }

    /// Are two terms of different values in every model of the clause's negation, as far as can be
    /// seen?
    fn differ(&self, x: usize, y: usize, constants: &FxHashMap<usize, usize>) -> bool {
        let [first, second] = [x, y].map(|i| self.terms[i]);
        // Such as a number and its successor. Indices of different arrays can have different sorts.
        let by_themselves = self.t.sort_of(first) == self.t.sort_of(second)
            && self.t.eq(first, second) == Term::FALSE;
        let (x, y) = (self.root(x), self.root(y));
        let kept_apart = self.different.iter().any(|&(a, b)| {
            let pair = (self.root(a), self.root(b));
            pair == (x, y) || pair == (y, x)
        });
        let constructors = || [x, y].map(|class| self.constructor(class));
        by_themselves
            || kept_apart
            || self.is_negation(x, y)
            || self.is_negation(y, x)
            || x != y && constants.contains_key(&x) && constants.contains_key(&y)
            || matches!(constructors(), [Some(c), Some(d)] if c != d)
    }

    /// Has one class the negation of a formula of the other?
    fn is_negation(&self, class: usize, of: usize) -> bool {
        let mut members = (0..self.terms.len()).filter(|&i| self.root(i) == class);
        members.any(|i| {
            let negated = self.t.as_not(self.terms[i]);
            negated.is_some_and(|formula| self.root(self.number[&formula]) == of)
        })
    }

    /// A constructor that builds a term of a class.
    fn constructor(&self, class: usize) -> Option<CtorId> {
        let mut members = (0..self.terms.len()).filter(|&i| self.root(i) == class);
        members.find_map(|i| match self.t.op(self.terms[i]) {
            Op::Construct(ctor) => Some(ctor),
            _ => None,
        })
    }

    /// Joins elements that are read from the same place of one array; was there something to join?
    fn read(&mut self) -> bool {
        let Some(constants) = self.constants() else {
            return false;
        };
        let (stores, reads) = self.arrays();
        let mut joined = false;
        for (n, first) in reads.iter().enumerate() {
            for other in &reads[..n] {
                let index = match (first.index, other.index) {
                    (Some(i), Some(j)) if self.root(i) != self.root(j) => continue,
                    (i, j) => i.or(j),
                };
                let ends = (first.array, other.array);
                let reached = |i: usize| self.is_passed_on(&stores, ends, i, &constants);
                let is_same = match index {
                    Some(i) => reached(i),
                    // Two constant arrays: there must be an index that is not stored to.
                    None => {
                        let way = self.way(&stores, first.array, other.array, |_| true);
                        way.is_some_and(|way| {
                            self.has_more_indices(first, way.len())
                                || self.of_index_sort(first).any(reached)
                        })
                    }
                };
                if is_same {
                    joined |= self.union.union(first.element, other.element);
                }
            }
        }
        joined
    }

    /// Is the element of an index the same in two arrays, since no store between them is to it?
    fn is_passed_on(
        &self,
        stores: &[Store],
        (from, to): (usize, usize),
        index: usize,
        constants: &FxHashMap<usize, usize>,
    ) -> bool {
        let is_beside = |store: &Store| self.differ(index, store.index, constants);
        self.way(stores, from, to, is_beside).is_some()
    }

    /// The terms of the sort that an array's indices have.
    fn of_index_sort(&self, read: &Read) -> impl Iterator<Item = usize> {
        let sort = self.t.sort_of(self.terms[read.array]);
        let index = self.t.array_parts(sort).map(|(index, _)| index);
        (0..self.terms.len()).filter(move |&i| Some(self.t.sort_of(self.terms[i])) == index)
    }

    fn has_more_indices(&self, read: &Read, than: usize) -> bool {
        let sort = self.t.sort_of(self.terms[read.array]);
        let index = self.t.array_parts(sort).map(|(index, _)| index);
        let count = index.and_then(|sort| self.t.cardinality(sort));
        count.is_none_or(|count| count > than as u64)
    }

    fn arrays(&self) -> (Vec<Store>, Vec<Read>) {
        let (mut stores, mut reads) = (Vec::new(), Vec::new());
        for i in 0..self.terms.len() {
            let args = self.args(i);
            match self.t.op(self.terms[i]) {
                Op::Select => reads.push(Read {
                    array: args[0],
                    index: Some(args[1]),
                    element: i,
                }),
                Op::Store => {
                    let (base, index, element) = (args[0], args[1], args[2]);
                    stores.push(Store {
                        array: i,
                        base,
                        index,
                    });
                    reads.push(Read {
                        array: i,
                        index: Some(index),
                        element,
                    });
                }
                Op::ConstArray => reads.push(Read {
                    array: i,
                    index: None,
                    element: args[0],
                }),
                _ => {}
            }
        }
        (stores, reads)
    }

    /// The classes of the indices of the stores on a shortest way between two arrays over stores
    /// that may be taken.
    fn way(
        &self,
        stores: &[Store],
        from: usize,
        to: usize,
        may_take: impl Fn(&Store) -> bool,
    ) -> Option<BTreeSet<usize>> {
        let edges: Vec<(usize, usize, usize)> = (stores.iter().filter(|s| may_take(s)))
            .map(|s| (self.root(s.array), self.root(s.base), self.root(s.index)))
            .collect();
        // By array: the indices on the way there.
        let mut ways: FxHashMap<usize, BTreeSet<usize>> = FxHashMap::default();
        ways.insert(self.root(from), BTreeSet::new());
        let mut queue = VecDeque::from([self.root(from)]);
        while let Some(at) = queue.pop_front() {
            work::spend_on(1 + edges.len());
            for &(a, b, index) in &edges {
                let ends = [(a, b), (b, a)].into_iter().filter(|e| e.0 == at);
                for (_, next) in ends {
                    if !ways.contains_key(&next) {
                        let mut way = ways[&at].clone();
                        way.insert(index);
                        ways.insert(next, way);
                        queue.push_back(next);
                    }
                }
            }
        }
        ways.remove(&self.root(to))
    }
}
