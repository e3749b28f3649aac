//! Choices between numbers, moved out of the atoms that compare them.
//!
//! In `(ite c 3 4) - 1 ≤ y` a conditional term stands inside of an atom. A solver makes a new
//! variable for it, with clauses that say what its value is. The formula `(ite c (2 ≤ y)
//! (3 ≤ y))` says the same by atoms without it. Where all that can be chosen are numbers, the
//! atom becomes a formula over the conditions alone: `(ite c 3 4) = 4` is `¬c`.
//!
//! A term that is made of conditionals and numbers has a *table*: its values, and for each one the
//! condition under which the term has it. The conditions exclude each other, and one of them
//! holds. Sums of such terms have tables, too: a sum of `n` bits has `n + 1` values, not `2ⁿ`
//! cases.
//!
//! Not from a paper.

use super::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{Op, Term, TermMap, Terms};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A table has at most this many values. The value was not tuned.
const MAX_VALUES: usize = 32;

/// An atom is taken apart into at most this many comparisons. The atom itself counts, so it has two
/// cases. Tried on tasks of LRA-Lin: with 7 comparisons `auto` takes 1.1 times as long, and with 32
/// it solves fewer, because a term that many atoms compare is better named once.
const MAX_COMPARISONS: usize = 3;

/// An equation of a choice and a number is taken apart into at most this many. Its cases are such
/// equations, too, which other atoms often have: in `(ite c x y) = 2` and `(ite d x z) = 2` that of
/// `x`. The value was not tuned.
const MAX_EQUATIONS: usize = 64;

/// All tables together cost at most this many connectives. The value was not tuned.
const MAX_CONNECTIVES: usize = 1 << 18;

/// The condition of each value that a term can have.
type Table = Rc<BTreeMap<Rational, Term>>;

/// Moves choices out of the atoms of formulas.
pub struct Choices<'t> {
    t: &'t Terms,
    /// The tables of terms that were met, other than numerals.
    tables: TermMap<Table>,
    /// The number of connectives that tables may still cost.
    left: Cell<usize>,
}

impl<'t> Choices<'t> {
    /// Nothing was met yet.
    pub fn new(t: &'t Terms) -> Self {
        Choices {
            t,
            tables: TermMap::default(),
            left: Cell::new(MAX_CONNECTIVES),
        }
    }

    /// An equivalent formula. Its equations and inequalities of arithmetic have no conditional
    /// terms as summands, unless an atom has more than two cases and is no equation of one choice
    /// and a number, or a term has too many values, or the formula has a quantifier. Formulas
    /// inside of a term that is no formula are rewritten like that, too.
    ///
    /// ```
    /// use horn::logic::Choices;
    /// use horn::term::{Sort, Terms};
    ///
    /// let t = Terms::new();
    /// let (b, c) = (t.var("b", Sort::BOOL), t.var("c", Sort::BOOL));
    /// let bit = |b| t.ite(b, t.int(1), t.int(0));
    /// let both = t.eq(t.add([bit(b), bit(c)]), t.int(2));
    /// assert_eq!(Choices::new(&t).moved_out(both), t.and([b, c]));
    /// ```
    pub fn moved_out(&mut self, formula: Term) -> Term {
        let t = self.t;
        let is_choice = |x| t.op(x) == Op::Ite && t.sort_of(x).is_arith();
        let is_quantifier = |x| matches!(t.op(x), Op::Forall | Op::Exists);
        if !t.any_subterm(formula, is_choice) || t.any_subterm(formula, is_quantifier) {
            return formula;
        }
        t.rewrite(formula, |term| match t.op(term) {
            Op::Eq | Op::Le | Op::Lt => self.atom(term),
            _ => {
                self.meet(term);
                term
            }
        })
    }

    /// Makes the table of a term whose arguments have been met, if it has one.
    fn meet(&mut self, term: Term) {
        let t = self.t;
        if !t.sort_of(term).is_arith() || self.tables.contains_key(&term) {
            return;
        }
        let table = match (t.op(term), t.args(term)) {
            (Op::Ite, &[cond, yes, no]) => self.choice(cond, yes, no),
            (Op::Add, args) => self.sum(args.iter().map(|&x| (x, Rational::one()))),
            (Op::Mul, &[factor, x]) => t
                .as_number(factor)
                .and_then(|factor| self.sum([(x, factor.clone())])),
            (Op::ToReal, &[x]) => self.table(x),
            _ => None,
        };
        if let Some(table) = table {
            self.tables.insert(term, table);
        }
    }

    /// The table of a term that was met.
    fn table(&self, term: Term) -> Option<Table> {
        match self.t.as_number(term) {
            Some(value) => Some(Rc::new(BTreeMap::from([(value.clone(), Term::TRUE)]))),
            None => self.tables.get(&term).cloned(),
        }
    }

    /// Counts connectives of a table; `None` if there are too many.
    fn spend(&self, connectives: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(connectives)?);
        Some(())
    }

    /// The table of `ite cond yes no`.
    fn choice(&self, cond: Term, yes: Term, no: Term) -> Option<Table> {
        let (yes, no) = (self.table(yes)?, self.table(no)?);
        self.spend(yes.len() + no.len())?;
        let condition = |value: &Rational| {
            let of = |table: &Table| table.get(value).copied().unwrap_or(Term::FALSE);
            (value.clone(), self.t.ite(cond, of(&yes), of(&no)))
        };
        let table: BTreeMap<_, _> = yes.keys().chain(no.keys()).map(condition).collect();
        (table.len() <= MAX_VALUES).then(|| Rc::new(table))
    }

    /// The table of a sum of terms with coefficients.
    fn sum(&self, terms: impl IntoIterator<Item = (Term, Rational)>) -> Option<Table> {
        let mut sum = BTreeMap::from([(Rational::zero(), Term::TRUE)]);
        for (x, factor) in terms {
            let table = self.table(x)?;
            self.spend(sum.len() * table.len())?;
            let mut next: BTreeMap<Rational, Vec<Term>> = BTreeMap::new();
            for (before, &condition) in &sum {
                for (value, &other) in &*table {
                    let cases = next.entry(before + &(&factor * value)).or_default();
                    cases.push(self.t.and([condition, other]));
                }
            }
            if next.len() > MAX_VALUES {
                return None;
            }
            let any = next.into_iter().map(|(v, cases)| (v, self.t.or(cases)));
            sum = any.collect();
        }
        Some(Rc::new(sum))
    }

    /// An atom whose arguments have been met.
    fn atom(&self, atom: Term) -> Term {
        let is_choice = |&(x, _): &(Term, Rational)| self.t.op(x) == Op::Ite;
        match LinearLiteral::of_term(self.t, atom) {
            Some(literal) if literal.sum.terms.iter().any(is_choice) => {
                let is_value = literal.relation == Relation::Eq && literal.sum.terms.len() == 1;
                let mut left = match is_value {
                    true => MAX_EQUATIONS,
                    false => MAX_COMPARISONS,
                };
                self.cases(literal, &mut left).unwrap_or(atom)
            }
            _ => atom,
        }
    }

    /// The formula without choices that a literal is; `None` if it takes more comparisons than are
    /// left.
    fn cases(&self, mut literal: LinearLiteral, left: &mut usize) -> Option<Term> {
        let t = self.t;
        *left = left.checked_sub(1)?;
        if let Some(table) = self.split(&mut literal) {
            if literal.sum.is_constant() {
                return Some(self.by_value(&literal, &table));
            }
            // The first value is what remains if the term has no other one.
            let mut formula = None;
            for (value, &condition) in &*table {
                let case = self.cases(plus(&literal, value), left)?;
                formula = Some(formula.map_or(case, |others| t.ite(condition, case, others)));
            }
            return formula;
        }
        let mut terms = literal.sum.terms.iter().map(|&(x, _)| x);
        let Some(choice) = terms.find(|&x| t.op(x) == Op::Ite) else {
            return Some(literal.to_term(t));
        };
        let &[cond, yes, no] = t.args(choice) else {
            unreachable!("a conditional term has three arguments");
        };
        let factor = literal.sum.remove(choice);
        let mut branch = |x: Term| {
            let mut case = literal.clone();
            case.sum.add_scaled(&factor, &t.linear_sum(x));
            self.cases(case, left)
        };
        let (yes, no) = (branch(yes)?, branch(no)?);
        Some(t.ite(cond, yes, no))
    }

    /// Takes those terms out of a literal that have tables, and answers the table of their sum.
    /// `None` if no term has one or the sum has too many values; the literal is the same then.
    fn split(&self, literal: &mut LinearLiteral) -> Option<Table> {
        let terms = literal.sum.terms.iter().cloned();
        let (finite, others): (Vec<_>, Vec<_>) =
            terms.partition(|(x, _)| self.tables.contains_key(x));
        if finite.is_empty() {
            return None;
        }
        let table = self.sum(finite)?;
        literal.sum.terms = others;
        Some(table)
    }

    /// The condition under which a term with a table makes a literal true whose sum is the term and
    /// a number.
    fn by_value(&self, literal: &LinearLiteral, table: &Table) -> Term {
        let t = self.t;
        let holds = |value: &Rational| plus(literal, value).to_term(t) == Term::TRUE;
        let (good, bad): (Vec<_>, Vec<_>) = table.iter().partition(|(value, _)| holds(value));
        let any = |list: Vec<(&Rational, &Term)>| t.or(list.into_iter().map(|(_, &c)| c));
        match good.len() <= bad.len() {
            true => any(good),
            false => t.not(any(bad)),
        }
    }
}

/// The literal with a number added to its sum.
fn plus(literal: &LinearLiteral, number: &Rational) -> LinearLiteral {
    let mut literal = literal.clone();
    literal.sum.constant += number;
    literal
}
