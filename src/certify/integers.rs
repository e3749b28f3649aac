//! Systems and models over bit-vectors, read as integers \[ZIMN22\].
//!
//! A bound of a sum is one inequality over integers and many adders in bits, so some models are
//! checked over integers in moments, and not at all in bits. The reading (`term::intblast`) is the
//! one thing that the checker shares with what finds models. So it is not believed: every term and
//! its reading are evaluated for some values of the variables, among them the smallest and the
//! largest of each width, and the reading is used only if they agree.

use crate::chc::{Bounded, Clause, Interpretation, Model, OverIntegers, System};
use crate::number::Rational;
use crate::term::intblast::Signedness;
use crate::term::{BitVec, Evaluator, Sort, Term, Terms, Unspecified, Value};
use num_bigint::BigInt;
use std::iter::zip;

/// Each term is compared with its reading for 8 choices of values. The value was not tuned.
const CHOICES: usize = 8;

/// The system and the model over integers; `None` if they have no bit-vectors, if something is not
/// translated or takes bits out of a bit-vector, or if the reading is wrong.
pub(super) fn over_integers(t: &Terms, system: &System, model: &Model) -> Option<(System, Model)> {
    let mut integers = OverIntegers::new(t, system, Bounded::All)?;
    let said = model.interpretations.iter();
    let said = said.map(|said| integers.interpretation(said));
    let interpretations: Vec<Interpretation> = said.collect::<Option<_>>()?;
    if integers.cuts() > 0 {
        return None;
    }
    let reading = Reading {
        t,
        signedness: integers.signedness,
    };
    let clauses = zip(&system.clauses, &integers.system.clauses);
    let mut clauses = clauses.map(|(old, new)| reading.agrees_on_clause(old, new));
    let bodies = zip(&model.interpretations, &interpretations);
    let mut bodies = bodies
        .map(|(old, new)| reading.agrees([&old.params, &new.params], [&[old.body], &[new.body]]));
    if !clauses.all(|agrees| agrees) || !bodies.all(|agrees| agrees) {
        log::warn!("evaluation does not confirm the reading of bit-vectors as integers");
        return None;
    }
    Some((integers.system, Model { interpretations }))
}

/// How bit-vectors are read.
struct Reading<'t> {
    t: &'t Terms,
    signedness: Signedness,
}

impl Reading<'_> {
    /// Do a clause and its reading agree?
    fn agrees_on_clause(&self, old: &Clause, new: &Clause) -> bool {
        let terms = |clause: &Clause| clause.terms().collect::<Vec<_>>();
        self.agrees([&old.vars, &new.vars], [&terms(old), &terms(new)])
    }

    /// Do terms and their readings have the same values, for some values of the variables?
    fn agrees(&self, [vars, read_vars]: [&[Term]; 2], [terms, read]: [&[Term]; 2]) -> bool {
        (0..CHOICES).all(|choice| {
            let mut old = Evaluator::new(self.t, Unspecified::Default);
            let mut new = Evaluator::new(self.t, Unspecified::Default);
            for (at, (&var, &read)) in zip(vars, read_vars).enumerate() {
                let Some(value) = self.value(self.t.sort_of(var), choice, at) else {
                    return false;
                };
                new.assign(read, self.read(&value));
                old.assign(var, value);
            }
            zip(terms, read).all(|(&term, &read)| {
                let value = old.eval(term).map(|value| self.read(&value));
                value.is_ok_and(|value| new.eval(read) == Ok(value))
            })
        })
    }

    /// The value of a variable, given by its place, in a choice; `None` if its sort has no values.
    fn value(&self, sort: Sort, choice: usize, place: usize) -> Option<Value> {
        let Some(width) = self.t.bitvec_width(sort) else {
            return match sort {
                Sort::BOOL => Some(Value::from((choice + place).is_multiple_of(2))),
                _ => self.t.default_value(sort),
            };
        };
        let largest = (BigInt::from(1) << (width - 1)) - 1;
        // All places have the same kind of value in the first choices, and different ones later.
        let kind = choice + place * (choice / 3);
        let value = match kind % 7 {
            0 => BigInt::from(0),
            1 => largest,
            2 => largest + 1,
            3 => BigInt::from(-1),
            4 => BigInt::from(1),
            5 => largest - 1,
            // Some number of which all bits differ.
            _ => BigInt::from(0x9e37_79b9_7f4a_7c15_u64) * (place + choice),
        };
        Some(Value::from(BitVec::from_int(&value, width)))
    }

    /// A bit-vector as the integer that it is read as; any other value as it is.
    fn read(&self, value: &Value) -> Value {
        let Some(word) = value.as_bitvec() else {
            return value.clone();
        };
        Value::from(match self.signedness.of_width(word.width()) {
            Signedness::Signed => Rational::from(word.signed()),
            Signedness::Unsigned => word.to_nat(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::BvOp;
    use crate::term::intblast::Integers;

    #[test]
    fn wrong_readings_are_found() {
        let t = &Terms::new();
        let word = t.bitvec_sort(32);
        let (x, y) = (t.var("x", word), t.var("y", word));
        let (i, j) = (t.var("i", Sort::INT), t.var("j", Sort::INT));
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let reading = Reading { t, signedness };
            let check = |term: Term, read: Term, expected: bool| {
                let agrees = reading.agrees([&[x, y], &[i, j]], [&[term], &[read]]);
                assert_eq!(
                    agrees,
                    expected,
                    "{} as {}",
                    t.display(term),
                    t.display(read)
                );
            };
            let sum = t.bv(BvOp::Add, &[x, y]);
            check(sum, t.add([i, j]), false);
            check(t.bv(BvOp::Neg, &[x]), t.neg(i), false);
            let read_as = |op, expected| check(t.bv(op, &[x, y]), t.le(i, j), expected);
            read_as(BvOp::Sle, signedness == Signedness::Signed);
            read_as(BvOp::Ule, signedness == Signedness::Unsigned);
            read_as(BvOp::Ult, false);
            let mut integers = Integers::new(t, signedness);
            for term in [sum, t.bv(BvOp::Slt, &[sum, y]), t.bv(BvOp::Ule, &[x, sum])] {
                let read = integers.translate(term).expect("it is translated");
                let own = [x, y].map(|var| integers.variable(var));
                check(term, t.substitute(read, zip(own, [i, j])), true);
            }
        }
    }
}
