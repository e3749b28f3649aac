//! Congruence closure of ground terms \[NO80\]: the equations that follow from others, where
//! declared functions mean nothing and datatypes, connectives and numerals mean what they mean.
//!
//! Terms are in one class if they are known to be equal. A class that has a value at hand, which is
//! a constructor's application or a constant, is named by it: so a term over the names of its
//! arguments is simplified by the builders, as `tail(x)` is where `x` is known to be `cons(h, t)`.

use super::{Op, Term, TermMap, Terms};
use crate::work;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A head with the names of the arguments' classes.
type Signature = (Op, SmallVec<[Term; 4]>);

/// Classes of ground terms that are equal.
#[derive(Clone)]
pub(super) struct Closure<'t> {
    t: &'t Terms,
    /// The terms, each after its arguments.
    terms: Vec<Term>,
    /// The name of each term's class.
    names: TermMap<Term>,
    /// The terms of each class, by its name.
    members: TermMap<Vec<Term>>,
    /// The terms with an argument in a class, by its name.
    users: TermMap<Vec<Term>>,
    /// A term for each signature.
    same: FxHashMap<Signature, Term>,
    /// A term for what terms are simplified to.
    simplified: TermMap<Term>,
    /// Equations that were found and are to be taken.
    open: Vec<(Term, Term)>,
    /// Terms whose arguments have got other names.
    changed: Vec<Term>,
    is_impossible: bool,
}

impl<'t> Closure<'t> {
    /// The closure of nothing.
    pub(super) fn new(t: &'t Terms) -> Self {
        let mut closure = Closure {
            t,
            terms: Vec::new(),
            names: TermMap::default(),
            members: TermMap::default(),
            users: TermMap::default(),
            same: FxHashMap::default(),
            simplified: TermMap::default(),
            open: Vec::new(),
            changed: Vec::new(),
            is_impossible: false,
        };
        closure.add(Term::TRUE);
        closure.add(Term::FALSE);
        closure
    }

    /// The terms so far, each after its arguments.
    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Do the equations contradict each other?
    pub(super) fn is_impossible(&self) -> bool {
        self.is_impossible
    }

    /// The name of a term's class, the term itself if it is new.
    pub(super) fn name(&self, term: Term) -> Term {
        *self.names.get(&term).unwrap_or(&term)
    }

    /// The terms that are known to be equal to a term.
    pub(super) fn members(&self, term: Term) -> &[Term] {
        let members = self.members.get(&self.name(term));
        members.map_or(&[][..], |members| members)
    }

    /// The application of a constructor that a term is equal to, if one is known.
    pub(super) fn built(&self, term: Term) -> Option<Term> {
        let name = self.name(term);
        matches!(self.t.op(name), Op::Construct(_)).then_some(name)
    }

    /// Takes a term, which has no quantifiers, and its subterms.
    pub(super) fn add(&mut self, term: Term) {
        if self.names.contains_key(&term) {
            return;
        }
        for part in self.t.post_order([term]) {
            if self.names.contains_key(&part) {
                continue;
            }
            self.names.insert(part, part);
            self.members.insert(part, vec![part]);
            self.terms.push(part);
            self.changed.push(part);
            for &arg in self.t.args(part) {
                let name = self.name(arg);
                self.users.entry(name).or_default().push(part);
            }
        }
    }

    /// Takes a formula without quantifiers as true.
    pub(super) fn assert(&mut self, formula: Term) {
        for conjunct in self.t.conjuncts(formula) {
            self.equate(conjunct, Term::TRUE);
        }
    }

    /// Takes two terms as equal.
    pub(super) fn equate(&mut self, x: Term, y: Term) {
        self.add(x);
        self.add(y);
        self.open.push((x, y));
    }

    /// Draws all conclusions. Afterwards terms over equal arguments are equal, or the equations
    /// are found to be impossible.
    pub(super) fn close(&mut self) {
        while !self.is_impossible {
            if let Some((x, y)) = self.open.pop() {
                self.unite(x, y);
            } else if let Some(term) = self.changed.pop() {
                self.examine(term);
            } else {
                return;
            }
        }
    }

    /// Makes one class of two.
    fn unite(&mut self, x: Term, y: Term) {
        let (x, y) = (self.name(x), self.name(y));
        if x == y {
            return;
        }
        let is_value =
            |x: Term| self.t.is_distinct_constant(x) || matches!(self.t.op(x), Op::Construct(_));
        match (is_value(x), is_value(y)) {
            (true, true) => match (self.t.op(x), self.t.op(y)) {
                (Op::Construct(c), Op::Construct(d)) if c == d => {
                    let pairs = self.t.args(x).iter().zip(self.t.args(y));
                    self.open.extend(pairs.map(|(&x, &y)| (x, y)));
                    self.rename(y, x);
                }
                _ => self.is_impossible = true,
            },
            (false, true) => self.rename(x, y),
            _ => self.rename(y, x),
        }
    }

    /// Gives the terms of one class the name of another one.
    fn rename(&mut self, from: Term, to: Term) {
        let moved = self.members.remove(&from).unwrap_or_default();
        for &term in &moved {
            self.names.insert(term, to);
        }
        // Truth and falsity say something of a formula's parts.
        if to == Term::TRUE || to == Term::FALSE {
            self.changed.extend(&moved);
        }
        self.members.entry(to).or_default().extend(moved);
        let users = self.users.remove(&from).unwrap_or_default();
        self.changed.extend(&users);
        self.users.entry(to).or_default().extend(users);
    }

    /// Finds the equations of a term that follow from the names of its arguments, and from its own.
    fn examine(&mut self, term: Term) {
        let t = self.t;
        let args: SmallVec<[Term; 4]> = t.args(term).iter().map(|&x| self.name(x)).collect();
        work::spend(2 + args.len() as u64);
        if args.is_empty() {
            return;
        }
        let op = t.op(term);
        if let Some(equation) = self.field_equation(op, &args) {
            self.equate(term, equation);
        }
        let other = match op {
            Op::Apply(_) | Op::Construct(_) => *self.same.entry((op, args)).or_insert(term),
            _ => {
                let simple = t.rebuild(term, &args);
                let is_known = self.names.contains_key(&simple);
                match is_known || t.is_distinct_constant(simple) {
                    true => simple,
                    false => *self.simplified.entry(simple).or_insert(term),
                }
            }
        };
        if self.name(other) != self.name(term) {
            self.equate(term, other);
        }
        self.examine_truth(term);
    }

    /// The equation of two fields that is equivalent to an equation of values, which is given by
    /// its operator and the names of its arguments. The values are built by the same constructor,
    /// and their other fields are equal.
    fn field_equation(&self, op: Op, args: &[Term]) -> Option<Term> {
        let t = self.t;
        let (Op::Eq, &[x, y]) = (op, args) else {
            return None;
        };
        if !matches!(t.op(x), Op::Construct(_)) || t.op(x) != t.op(y) {
            return None;
        }
        let pairs = t.args(x).iter().zip(t.args(y));
        let mut unequal = pairs.filter(|&(&a, &b)| self.name(a) != self.name(b));
        match (unequal.next(), unequal.next()) {
            (Some((&a, &b)), None) => Some(t.eq(a, b)),
            _ => None,
        }
    }

    /// What the truth or falsity of a formula says of its parts.
    fn examine_truth(&mut self, term: Term) {
        let (t, value) = (self.t, self.name(term));
        let args = t.args(term);
        match (t.op(term), value) {
            (Op::Not, Term::TRUE) => self.equate(args[0], Term::FALSE),
            (Op::Not, Term::FALSE) => self.equate(args[0], Term::TRUE),
            (Op::And, Term::TRUE) => args.iter().for_each(|&arg| self.equate(arg, Term::TRUE)),
            (Op::Or, Term::FALSE) => args.iter().for_each(|&arg| self.equate(arg, Term::FALSE)),
            (Op::Eq, Term::TRUE) => self.equate(args[0], args[1]),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    /// Are two terms equal if the equations hold? `None` if these are impossible.
    fn equal(t: &Terms, equations: &[(Term, Term)], x: Term, y: Term) -> Option<bool> {
        let mut closure = Closure::new(t);
        equations.iter().for_each(|&(x, y)| closure.equate(x, y));
        closure.add(x);
        closure.add(y);
        closure.close();
        (!closure.is_impossible()).then(|| closure.name(x) == closure.name(y))
    }

    #[test]
    fn equal_arguments_give_equal_values() {
        let t = &Terms::new();
        let f = t.declare(t.symbol("f"), &[Sort::INT], Sort::INT);
        let f = |x| t.apply(f, &[x]);
        let [a, b] = ["a", "b"].map(|name| t.var(name, Sort::INT));
        assert_eq!(equal(t, &[], f(a), f(b)), Some(false));
        assert_eq!(equal(t, &[(a, b)], f(f(a)), f(f(b))), Some(true));
        // f³(a) = a and f⁵(a) = a give f(a) = a.
        let (three, five) = (f(f(f(a))), f(f(f(f(f(a))))));
        assert_eq!(equal(t, &[(three, a), (five, a)], f(a), a), Some(true));
        assert_eq!(equal(t, &[(three, a)], f(a), a), Some(false));
        assert_eq!(equal(t, &[(a, t.int(1)), (a, t.int(2))], a, b), None);
        let sum = t.add([a, b]);
        let values = [(a, t.int(1)), (b, t.int(2))];
        assert_eq!(equal(t, &values, sum, t.int(3)), Some(true));
        let choice = t.ite(t.lt(a, b), a, f(a));
        assert_eq!(equal(t, &values, choice, t.int(1)), Some(true));
    }

    #[test]
    fn values_of_datatypes_have_their_fields() {
        let t = &Terms::new();
        let id = t.declare_datatype(t.symbol("List"), &[]);
        let list = t.datatype(id).sort;
        let fields = vec![(t.symbol("head"), Sort::INT), (t.symbol("tail"), list)];
        t.define_datatype(id, &[(t.symbol("nil"), vec![]), (t.symbol("cons"), fields)]);
        let ctors = t.datatype(id).ctors();
        let nil = t.construct(ctors[0], &[]);
        let cons = |h, l| t.construct(ctors[1], &[h, l]);
        let tail = |l| t.field(t.ctor(ctors[1]).fields[1], l);
        let [a, b] = ["a", "b"].map(|name| t.var(name, Sort::INT));
        let [k, l, m] = ["k", "l", "m"].map(|name| t.var(name, list));
        assert_eq!(equal(t, &[(m, cons(a, k))], tail(m), k), Some(true));
        let same = (cons(a, k), cons(b, l));
        assert_eq!(equal(t, &[same], k, l), Some(true));
        assert_eq!(equal(t, &[same], a, b), Some(true));
        assert_eq!(equal(t, &[(m, cons(a, k)), (m, nil)], a, b), None);
        let different = |x, y| (t.eq(x, y), Term::FALSE);
        let tails = [different(cons(a, k), cons(a, l))];
        assert_eq!(equal(t, &tails, t.eq(k, l), Term::FALSE), Some(true));
        let both = [different(cons(a, k), cons(b, l))];
        assert_eq!(equal(t, &both, t.eq(k, l), Term::FALSE), Some(false));
        let is_nil = t.is(ctors[0], m);
        let said = equal(t, &[(m, cons(a, k))], is_nil, Term::FALSE);
        assert_eq!(said, Some(true));
    }
}
