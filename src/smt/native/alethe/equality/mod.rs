//! Clauses that hold by equality, by the rules of constructors, and by reading from arrays.
//!
//! The classes of terms under the negation of the clause are built again. Each union keeps its
//! reason, so the unions are a forest, and the way between two terms of a class is unique
//! \[NO07\]. A way becomes a step of `eq_transitive`, an application a step of `eq_congruent`, and
//! these rules of our own are the axioms:
//!
//! | rule | clause |
//! |---|---|
//! | `distinct_values` | `(cl (not (= v w)))` for two values |
//! | `dt_distinct` | `(cl (not (= (C …) (D …))))` |
//! | `dt_inject` | `(cl (not (= (C … x …) (C … y …))) (= x y))`, the argument is the place |
//! | `dt_select` | `(cl (not (= x (C … y …))) (= (s x) y))` for the selector of that place |
//! | `dt_test` | `(cl (not (= x (C …))) (= ((_ is D) x) v))`, `v` is `true` if `C` is `D`, else `false` |
//! | `dt_acyclic` | `(cl (not (= x (C … x …))))`, where `x` is below constructors only |
//! | `array_same` | `(cl (= (select (store a i v) i) v))` |
//! | `array_other` | `(cl (= i j) (= (select (store a i v) j) (select a j)))` |
//! | `array_const` | `(cl (= (select ((as const S) v) i) v))` |
//!
//! The checker of proofs builds the same classes without reasons (`check::closure`). It is written
//! once more here, since the checker must not depend on what writes proofs.

mod contradiction;
mod explanation;
mod reads;

use super::Unsupported;
use super::clausal::Goal;
use super::derivation::Derivation;
use super::writer::{Lit, StepName, Writer};
use crate::smt::native::proof::ProofAtom;
use crate::term::{Op, Sort, SortKind, Term, TermMap, Terms};
use crate::work;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Reasons are looked into to this depth. The value was not tuned.
const MAX_DEPTH: usize = 500;

/// Why two terms are equal.
#[derive(Clone, Debug)]
enum Reason {
    /// The clause has the negation of the equation.
    Literal,
    /// The second is `true` or `false`, as the derivation of the clause from the first one's
    /// negation, or from itself, shows.
    Truth(Box<Derivation>),
    /// They apply the same to equal arguments.
    Congruence,
    /// They are at this place of two equal terms of one constructor.
    Inject(usize, usize, usize),
    /// The first is a field of a term that equals this constructor term.
    Field(usize),
    /// The first tests a term that equals this constructor term.
    Test(usize),
    /// They are what two arrays have at this index, see [`Access`].
    Read(Box<Access>),
}

/// The way from one array to another, at one index.
#[derive(Clone, Debug)]
struct Access {
    /// The elements, each with how it is read.
    ends: [Element; 2],
    /// The index.
    index: usize,
    /// The stores between the arrays; `true` for a step from the store to what it changes.
    stores: Vec<(usize, bool)>,
}

/// An element of an array.
#[derive(Clone, Copy, Debug)]
struct Element {
    array: usize,
    /// `None` for all indices.
    index: Option<usize>,
    element: usize,
    /// Does the array have it by what stores and constant arrays are? Else it is a reading itself.
    by_axiom: bool,
}

/// An equation that holds unless the clause does.
#[derive(Clone, Copy, Debug)]
struct Equation {
    literal: Lit,
    /// The step that states the equation and literals of the clause; `None` if its negation is a
    /// literal of the clause.
    step: Option<StepName>,
}

/// Classes of terms under the negation of a clause.
pub(super) struct Closure<'w, 'a> {
    t: &'a Terms,
    out: &'w mut Writer<'a>,
    terms: Vec<Term>,
    number: TermMap<usize>,
    union: UnionFind<usize>,
    /// By term: the terms that it was joined with, and the number of the reason.
    joined: Vec<Vec<(usize, usize)>>,
    reasons: Vec<((usize, usize), Reason)>,
    /// Pairs whose equation the clause has negated, in both orders.
    negated: FxHashSet<(usize, usize)>,
    /// Pairs whose equation the clause has.
    wanted: Vec<(usize, usize)>,
    /// The equations that reasons are for, by the number of the reason, with their steps.
    known: FxHashMap<usize, Equation>,
    /// The explanations under way, each a part of the one before.
    depth: usize,
}

/// An index of a constant array: two of them that are equal have the same element there. `None` for
/// other terms, and where the sort of indices has no values that can be written.
fn some_index(t: &Terms, array: Term) -> Option<Term> {
    let (sort, _) = t.array_parts(t.sort_of(array))?;
    let is_constant = t.op(array) == Op::ConstArray;
    let is_written = !matches!(t.sort_kind(sort), SortKind::Uninterpreted(..));
    let value = t
        .default_value(sort)
        .filter(|_| is_constant && is_written)?;
    Some(t.value_term(&value, sort))
}

impl<'w, 'a> Closure<'w, 'a> {
    /// The classes that the negation of the clause makes by itself.
    pub(super) fn new(out: &'w mut Writer<'a>, goal: Goal<'_, '_>) -> Self {
        let t = out.t;
        let roots = goal.atoms().flat_map(|(atom, _)| atom.terms());
        let roots = [Term::TRUE, Term::FALSE].into_iter().chain(roots);
        let mut terms: Vec<Term> = t.post_order(roots).collect();
        let indices: Vec<Term> = terms.iter().filter_map(|&x| some_index(t, x)).collect();
        terms = t.post_order(terms.into_iter().chain(indices)).collect();
        let number: TermMap<usize> = std::iter::zip(terms.iter().copied(), 0..).collect();
        let mut closure = Closure {
            t,
            out,
            union: UnionFind::new(terms.len()),
            joined: vec![Vec::new(); terms.len()],
            reasons: Vec::new(),
            negated: FxHashSet::default(),
            wanted: Vec::new(),
            known: FxHashMap::default(),
            depth: 0,
            terms,
            number,
        };
        for (atom, positive) in goal.atoms() {
            match *atom {
                ProofAtom::Equal(x, y) if positive => {
                    let pair = (closure.number[&x], closure.number[&y]);
                    closure.wanted.push(pair);
                }
                ProofAtom::Equal(x, y) => {
                    let (x, y) = (closure.number[&x], closure.number[&y]);
                    closure.negated.extend([(x, y), (y, x)]);
                    closure.join(x, y, || Reason::Literal);
                }
                _ => {}
            }
        }
        closure.add_truths(&goal);
        closure
    }

    /// Formulas that imply the clause are false, and those whose negation does are true.
    fn add_truths(&mut self, goal: &Goal<'_, '_>) {
        for i in 0..self.terms.len() {
            let formula = self.terms[i];
            if self.t.sort_of(formula) != Sort::BOOL {
                continue;
            }
            work::spend(4);
            for (positive, value) in [(true, Term::FALSE), (false, Term::TRUE)] {
                if let Some(derivation) = goal.entails(formula, positive, 0) {
                    let value = self.number[&value];
                    self.join(i, value, || Reason::Truth(Box::new(derivation)));
                }
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

    fn join(&mut self, x: usize, y: usize, reason: impl FnOnce() -> Reason) -> bool {
        let is_new = self.union.union(x, y);
        if is_new {
            let number = self.reasons.len();
            self.reasons.push(((x, y), reason()));
            self.joined[x].push((y, number));
            self.joined[y].push((x, number));
        }
        is_new
    }

    /// The step that states the clause, or a part of it.
    ///
    /// # Errors
    /// No contradiction was found in the clause's negation.
    pub(super) fn refute(mut self, arrays: bool) -> Result<StepName, Unsupported> {
        loop {
            while self.join_congruent() | self.join_fields() {}
            if let Some(step) = self.contradiction()? {
                return Ok(step);
            }
            if !arrays || !self.join_reads() {
                return Err(Unsupported::Clause);
            }
        }
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
            changed |= self.join(i, other, || Reason::Congruence);
        }
        changed
    }

    /// The constructor terms of the classes, one of each class.
    fn built(&self) -> FxHashMap<usize, usize> {
        let mut built = FxHashMap::default();
        for i in 0..self.terms.len() {
            if matches!(self.t.op(self.terms[i]), Op::Construct(_)) {
                built.entry(self.root(i)).or_insert(i);
            }
        }
        built
    }

    /// Joins arguments of equal constructor terms, and what selectors and testers give of them.
    fn join_fields(&mut self) -> bool {
        let t = self.t;
        let of_class = self.built();
        let mut pairs = Vec::new();
        for i in 0..self.terms.len() {
            let args = self.args(i);
            if matches!(t.op(self.terms[i]), Op::Construct(_)) {
                let other = of_class[&self.root(i)];
                if t.op(self.terms[i]) == t.op(self.terms[other]) {
                    let places = std::iter::zip(args, self.args(other)).enumerate();
                    pairs.extend(places.map(|(at, (x, y))| (x, y, Reason::Inject(i, other, at))));
                }
                continue;
            }
            let built = args.first().and_then(|&x| of_class.get(&self.root(x)));
            let Some(&built) = built else { continue };
            match (t.op(self.terms[i]), t.op(self.terms[built])) {
                (Op::Field(selector), Op::Construct(ctor)) if t.selector(selector).ctor == ctor => {
                    let place = t.selector(selector).index as usize;
                    pairs.push((i, self.args(built)[place], Reason::Field(built)));
                }
                (Op::Is(tested), Op::Construct(ctor)) => {
                    let value = if tested == ctor {
                        Term::TRUE
                    } else {
                        Term::FALSE
                    };
                    pairs.push((i, self.number[&value], Reason::Test(built)));
                }
                _ => {}
            }
        }
        let joined = pairs
            .into_iter()
            .filter_map(|(x, y, reason)| self.join(x, y, || reason).then_some(()));
        joined.count() > 0
    }
}
