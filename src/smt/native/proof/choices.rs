//! Atoms of arithmetic that have a choice as a summand.

use crate::number::Rational;
use crate::term::{LinearSum, Op, Term, Terms};

/// An atom of arithmetic by what it is in the cases of a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::smt::native) struct Cases {
    /// The `ite` that is a summand; of several ones it is the oldest term, so that its results,
    /// which are older yet, come next.
    pub(in crate::smt::native) choice: Term,
    /// Its coefficient in the left side less the right side.
    pub(in crate::smt::native) factor: Rational,
    /// The atom where the condition of the choice holds, and where it does not, in normal form.
    pub(in crate::smt::native) atoms: [Term; 2],
}

/// The sum that an atom compares with 0: its left side less its right side. `None` if it is no
/// equation or inequality of numbers.
pub(in crate::smt::native) fn compared(t: &Terms, atom: Term) -> Option<LinearSum> {
    let args = t.args(atom);
    if !matches!(t.op(atom), Op::Eq | Op::Le | Op::Lt) || !t.sort_of(args[0]).is_arith() {
        return None;
    }
    let mut sum = t.linear_sum(args[0]);
    sum.add_scaled(&Rational::from(-1), &t.linear_sum(args[1]));
    Some(sum)
}

/// The cases of an atom; `None` if it has no choice as a summand.
pub(in crate::smt::native) fn cases(t: &Terms, atom: Term) -> Option<Cases> {
    let mut sum = compared(t, atom)?;
    let mut oldest_first = sum.terms.iter();
    let &(choice, _) = oldest_first.find(|&&(x, _)| t.op(x) == Op::Ite)?;
    let factor = sum.remove(choice);
    let sort = t.sort_of(t.args(atom)[0]);
    let atoms = [1, 2].map(|branch| {
        let mut case = sum.clone();
        case.add_scaled(&factor, &t.linear_sum(t.args(choice)[branch]));
        match t.op(atom) {
            Op::Eq => t.sum_is_zero(&case, sort),
            op => t.sum_at_most_zero(&case, op == Op::Lt, sort),
        }
    });
    Some(Cases {
        choice,
        factor,
        atoms,
    })
}
