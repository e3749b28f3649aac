//! Choices between numbers, moved out of the atoms that compare them.
//!
//! An `ite` inside of an atom is a variable to the simplex method, with clauses that say what its
//! value is. But `(ite c x y) + z ≤ 0` is also the formula `(ite c (x + z ≤ 0) (y + z ≤ 0))`, and
//! its atoms have no `ite` if `x`, `y` and `z` have none. So the atom is defined like a compound
//! formula, one `ite` after the other. Sums that are equal after different choices are the same
//! atom: a sum of `n` bits is compared by at most `n²` atoms, as by a decision diagram, not by
//! `2ⁿ`. The oldest choice comes first. Its results are older yet, so a summand is followed to its
//! values before the next one is begun.
//!
//! Not from a paper; the atoms of a sum of bits are those of the diagrams by which \[ES06\]
//! translates such sums.

use crate::number::Rational;
use crate::smt::native::proof::{Cases, cases, compared};
use crate::term::{LinearSum, Op, Term, TermMap, Terms};
use crate::work;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The sum of the choices in an atom that has nothing else but a number has at most this many
/// values. The value was not tuned.
const MAX_VALUES: usize = 32;

/// The sum of the choices in an atom that has other terms, too, has at most this many values: the
/// atom becomes as many bounds. A term that many atoms compare is better named once. This is the
/// bound of the pass (`logic::Choices`), where others were tried; here none was.
const MAX_CASES: usize = 2;

/// An equation of a choice and a number is taken apart in at most this many steps. The value was
/// not tuned.
const MAX_STEPS: usize = 64;

/// The values that a term can have.
type Values = Rc<BTreeSet<Rational>>;

/// What is known of choices in atoms.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// The values of conditional terms that were met; `None` if they are too many.
    values: TermMap<Option<Values>>,
    /// Atoms that were met, as [`Choices::cases`] answers.
    cases: TermMap<Option<[Term; 3]>>,
}

impl Choices {
    /// A condition, what an atom is equivalent to where it holds, and where it does not. `None` if
    /// the atom has no choice as a summand, or its choices stay inside.
    pub(super) fn cases(&mut self, t: &Terms, atom: Term) -> Option<[Term; 3]> {
        if let Some(&known) = self.cases.get(&atom) {
            return known;
        }
        let found = self.find_cases(t, atom);
        self.cases.insert(atom, found);
        found
    }

    fn find_cases(&mut self, t: &Terms, atom: Term) -> Option<[Term; 3]> {
        let sum = compared(t, atom)?;
        let has_choice = sum.terms.iter().any(|&(x, _)| t.op(x) == Op::Ite);
        if !has_choice || !(self.are_few(t, &sum) || is_short_equation(t, atom, &sum)) {
            return None;
        }
        let Cases { choice, atoms, .. } = cases(t, atom)?;
        Some([t.args(choice)[0], atoms[0], atoms[1]])
    }

    /// Are the choices of a sum, which has some, few enough to be moved out?
    fn are_few(&mut self, t: &Terms, sum: &LinearSum) -> bool {
        let is_choice = |x: Term| t.op(x) == Op::Ite;
        let choices = sum.terms.iter().filter(|&&(x, _)| is_choice(x));
        let choices: Vec<(Term, Rational)> = choices.cloned().collect();
        let has_others = choices.len() < sum.terms.len();
        for &(choice, _) in &choices {
            self.find_values(t, choice);
        }
        let sum_of_choices = LinearSum {
            terms: choices.clone(),
            constant: Rational::zero(),
        };
        if let Some(values) = self.values_of_sum(t, &sum_of_choices) {
            return values.len() <= if has_others { MAX_CASES } else { MAX_VALUES };
        }
        // One choice without further ones has two cases.
        let is_plain = |&x: &Term| !t.linear_sum(x).terms.iter().any(|&(y, _)| is_choice(y));
        choices.len() == 1 && t.args(choices[0].0)[1..].iter().all(is_plain)
    }

    /// Finds the values of a conditional term, and of the conditional terms in its results.
    fn find_values(&mut self, t: &Terms, choice: Term) {
        let mut todo = vec![choice];
        while let Some(&term) = todo.last() {
            if self.values.contains_key(&term) {
                todo.pop();
                continue;
            }
            let branches = [1, 2].map(|i| t.linear_sum(t.args(term)[i]));
            let before = todo.len();
            for &(x, _) in branches.iter().flat_map(|branch| &branch.terms) {
                if t.op(x) == Op::Ite && !self.values.contains_key(&x) {
                    todo.push(x);
                }
            }
            if todo.len() > before {
                continue;
            }
            let [yes, no] = branches.map(|branch| self.values_of_sum(t, &branch));
            self.values
                .insert(term, yes.zip(no).and_then(|(yes, no)| either(yes, no)));
            todo.pop();
        }
    }

    /// The values of a sum; `None` if a term of it is no choice whose values are known, or they are
    /// too many.
    fn values_of_sum(&self, t: &Terms, sum: &LinearSum) -> Option<Values> {
        let values_of = |x: Term| match t.op(x) {
            Op::Ite => self.values.get(&x)?.as_ref(),
            _ => None,
        };
        if let ([(only, factor)], true) = (&*sum.terms, sum.constant.is_zero())
            && factor.is_one()
        {
            return values_of(*only).cloned();
        }
        let mut sums = BTreeSet::from([sum.constant.clone()]);
        for (x, factor) in &sum.terms {
            let values = values_of(*x)?;
            work::spend_on(sums.len() * values.len());
            let with = |sum| values.iter().map(move |v| sum + &(factor * v));
            sums = sums.iter().flat_map(with).collect();
            if sums.len() > MAX_VALUES {
                return None;
            }
        }
        Some(Rc::new(sums))
    }
}

/// Is an atom an equation of one choice and a number that has no choices after a few steps? Then
/// its cases are such equations, too, and other atoms often have them: in `(ite c x y) = 2` and
/// `(ite d x z) = 2` that of `x`.
fn is_short_equation(t: &Terms, atom: Term, sum: &LinearSum) -> bool {
    let mut left = MAX_STEPS;
    t.op(atom) == Op::Eq && sum.terms.len() == 1 && is_soon_plain(t, atom, &mut left)
}

/// Are the choices of an atom moved out after that many steps?
fn is_soon_plain(t: &Terms, atom: Term, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else {
        return false;
    };
    *left = rest;
    work::spend(10);
    match cases(t, atom) {
        Some(Cases { atoms, .. }) => atoms.iter().all(|&case| is_soon_plain(t, case, left)),
        None => true,
    }
}

/// The values of one term or the other; `None` if they are too many.
fn either(x: Values, y: Values) -> Option<Values> {
    work::spend_on(x.len() + y.len());
    match (x.is_superset(&y), y.is_superset(&x)) {
        // Terms with the same values share them.
        (true, _) => Some(x),
        (_, true) => Some(y),
        _ => {
            let both = &*x | &*y;
            (both.len() <= MAX_VALUES).then(|| Rc::new(both))
        }
    }
}
