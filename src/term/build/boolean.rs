//! Builders of formulas.

use crate::term::{Op, Sort, Term, Terms};
use crate::work;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Up to this many arguments, duplicates are found by comparing all pairs, which is faster than
/// hashing. The value was not tuned.
const SCAN_LIMIT: usize = 16;

impl Terms {
    /// `true` or `false`.
    pub fn bool(&self, value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// Negation. Inequalities turn round: not `x <= y` is `y < x`.
    pub fn not(&self, f: Term) -> Term {
        debug_assert_eq!(self.sort_of(f), Sort::BOOL);
        match (self.op(f), self.args(f)) {
            (Op::True, _) => Term::FALSE,
            (Op::False, _) => Term::TRUE,
            (Op::Not, &[g]) => g,
            (Op::Le, &[x, y]) => self.lt(y, x),
            (Op::Lt, &[x, y]) => self.le(y, x),
            _ => self.make(Op::Not, Sort::BOOL, &[f]),
        }
    }

    /// Conjunction of any number of formulas; `true` of none.
    pub fn and(&self, formulas: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Op::And, Term::TRUE, Term::FALSE, formulas)
    }

    /// Disjunction of any number of formulas; `false` of none.
    pub fn or(&self, formulas: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Op::Or, Term::FALSE, Term::TRUE, formulas)
    }

    fn junction(
        &self,
        op: Op,
        unit: Term,
        zero: Term,
        formulas: impl IntoIterator<Item = Term>,
    ) -> Term {
        let mut args = Junction::default();
        for f in formulas {
            debug_assert_eq!(self.sort_of(f), Sort::BOOL);
            let parts = self.parts(op, &f);
            for &part in parts {
                if part == zero || (part != unit && args.insert(self, part)) {
                    return zero;
                }
            }
        }
        match *args.list {
            [] => unit,
            [f] => f,
            _ => self.make(op, Sort::BOOL, &args.list),
        }
    }

    /// `premise` implies `conclusion`.
    pub fn implies(&self, premise: Term, conclusion: Term) -> Term {
        self.or([self.not(premise), conclusion])
    }

    /// Exclusive or.
    pub fn xor(&self, f: Term, g: Term) -> Term {
        self.not(self.eq(f, g))
    }

    /// Equality of two terms of one sort.
    pub fn eq(&self, x: Term, y: Term) -> Term {
        debug_assert_eq!(self.sort_of(x), self.sort_of(y));
        if x == y {
            return Term::TRUE;
        }
        if self.is_distinct_constant(x) && self.is_distinct_constant(y) {
            return Term::FALSE;
        }
        if let (Op::Construct(c), Op::Construct(d)) = (self.op(x), self.op(y))
            && c != d
        {
            return Term::FALSE;
        }
        if let Some((x, y)) = self.simpler_equation(x, y) {
            return self.eq(x, y);
        }
        let constant = (self.is_distinct_constant(x), self.is_distinct_constant(y));
        let (x, y) = match constant {
            (true, _) => (y, x),
            (_, true) => (x, y),
            _ if x < y => (x, y),
            _ => (y, x),
        };
        if self.sort_of(x) == Sort::BOOL {
            match self.op(y) {
                Op::True => return x,
                Op::False => return self.not(x),
                _ if self.are_complements(x, y) => return Term::FALSE,
                _ => {}
            }
        }
        if let (Op::Ite, &[cond, yes, no]) = (self.op(x), self.args(x))
            && [yes, no, y].iter().all(|&c| self.is_distinct_constant(c))
        {
            return self.ite(cond, self.eq(yes, y), self.eq(no, y));
        }
        self.make(Op::Eq, Sort::BOOL, &[x, y])
    }

    /// All of these, at least two of one sort, are different from each other.
    pub fn distinct(&self, terms: &[Term]) -> Term {
        let pairs = (0..terms.len()).flat_map(|i| (0..i).map(move |j| (terms[j], terms[i])));
        self.and(pairs.map(|(x, y)| self.not(self.eq(x, y))))
    }

    /// If `cond` then `x` else `y`, both of one sort.
    pub fn ite(&self, cond: Term, x: Term, y: Term) -> Term {
        debug_assert_eq!(self.sort_of(x), self.sort_of(y));
        if x == y {
            return x;
        }
        match (self.op(cond), self.args(cond)) {
            (Op::True, _) => return x,
            (Op::False, _) => return y,
            (Op::Not, &[c]) => return self.ite(c, y, x),
            _ => {}
        }
        match (x, y) {
            (Term::TRUE, _) => self.or([cond, y]),
            (Term::FALSE, _) => self.and([self.not(cond), y]),
            (_, Term::TRUE) => self.or([self.not(cond), x]),
            (_, Term::FALSE) => self.and([cond, x]),
            _ => self.make(Op::Ite, self.sort_of(x), &[cond, x, y]),
        }
    }

    /// For all values of `vars`, distinct variables. Vacuous where `vars` is empty or the body
    /// constant.
    pub fn forall(&self, vars: &[Term], body: Term) -> Term {
        self.quantify(Op::Forall, vars, body)
    }

    /// For some values of `vars`, distinct variables. Vacuous where `vars` is empty or the body
    /// constant.
    pub fn exists(&self, vars: &[Term], body: Term) -> Term {
        self.quantify(Op::Exists, vars, body)
    }

    fn quantify(&self, op: Op, vars: &[Term], body: Term) -> Term {
        debug_assert!(vars.iter().all(|&v| self.is_var(v)));
        if vars.is_empty() || matches!(body, Term::TRUE | Term::FALSE) {
            return body;
        }
        let mut args: SmallVec<[Term; 8]> = SmallVec::from_slice(vars);
        args.push(body);
        self.make(op, Sort::BOOL, &args)
    }
}

/// The arguments of a conjunction or disjunction to be: no duplicates, in the order in which they
/// came.
#[derive(Default)]
struct Junction {
    list: SmallVec<[Term; 8]>,
    seen: FxHashSet<Term>,
}

impl Junction {
    /// Adds a formula; answers whether its complement is there.
    fn insert(&mut self, t: &Terms, f: Term) -> bool {
        work::spend_on(1 + self.list.len().min(SCAN_LIMIT) / 2);
        if self.list.len() < SCAN_LIMIT {
            if self.list.contains(&f) {
                return false;
            }
            if self.has_complement(t, f) {
                return true;
            }
        } else {
            if self.seen.is_empty() {
                self.seen.extend(self.list.iter().copied());
            }
            if !self.seen.insert(f) {
                return false;
            }
            if t.find_not(f).is_some_and(|g| self.seen.contains(&g)) {
                return true;
            }
        }
        self.list.push(f);
        false
    }

    /// Is the complement of a formula in the list? It is cheaper to look than to ask the store for
    /// it.
    fn has_complement(&self, t: &Terms, f: Term) -> bool {
        match t.op_and_args(f) {
            (Op::Not, &[g]) => self.list.contains(&g),
            (op @ (Op::Le | Op::Lt), &[x, y]) => {
                let other = if op == Op::Le { Op::Lt } else { Op::Le };
                (self.list.iter()).any(|&g| t.op_and_args(g) == (other, &[y, x]))
            }
            // What is made later than a formula is not below it.
            _ => (self.list.iter()).any(|&g| g > f && t.op_and_args(g) == (Op::Not, &[f])),
        }
    }
}

impl Terms {
    /// Is one formula the negation of the other?
    fn are_complements(&self, f: Term, g: Term) -> bool {
        match (self.op(f), self.op(g)) {
            (Op::Not, _) => self.args(f)[0] == g,
            (_, Op::Not) => self.args(g)[0] == f,
            (Op::Le, Op::Lt) | (Op::Lt, Op::Le) => {
                self.args(f).iter().eq(self.args(g).iter().rev())
            }
            _ => false,
        }
    }

    /// The negation of `f` if the store has it already: a complement that was never made cannot be
    /// an argument.
    fn find_not(&self, f: Term) -> Option<Term> {
        match (self.op(f), self.args(f)) {
            (Op::Not, &[g]) => Some(g),
            (Op::Le, &[x, y]) => self.find(Op::Lt, Sort::BOOL, &[y, x]),
            (Op::Lt, &[x, y]) => self.find(Op::Le, Sort::BOOL, &[y, x]),
            _ => self.find(Op::Not, Sort::BOOL, &[f]),
        }
    }
}
