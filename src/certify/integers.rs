//! Systems and models over bit-vectors, read as integers \[ZIMN22\].
//!
//! A bound of a sum is one inequality over integers and many adders in bits, so some models are
//! checked over integers in moments, and not at all in bits. What finds models uses the reading
//! (`term::intblast`), too. So it is not believed: every term, with all its parts, and its reading
//! are evaluated for some values of the variables, among them the smallest and the largest of each
//! width, and the reading is used only if they agree.

use crate::chc::{Bounded, Clause, Interpretation, Model, OverIntegers, System};
use crate::number::Rational;
use crate::term::intblast::Signedness;
use crate::term::{BitVec, Evaluator, Sort, Term, Terms, Unspecified, Value};
use num_bigint::BigInt;
use std::iter::zip;

/// Each term is compared with its reading for 8 choices of values. The value was not tuned.
const CHOICES: usize = 8;

/// The system and the model over integers; `None` if they have no bit-vectors, if something is not
/// translated, if many operators take bits out of bit-vectors, or if the reading is wrong.
pub(super) fn over_integers(t: &Terms, system: &System, model: &Model) -> Option<(System, Model)> {
    let mut integers = OverIntegers::new(t, system, Bounded::All)?;
    let said = model.interpretations.iter();
    let said = said.map(|said| integers.interpretation(said));
    let interpretations: Vec<Interpretation> = said.collect::<Option<_>>()?;
    if !integers.has_few_cuts() {
        return None;
    }
    let read = Model { interpretations };
    let reading = Reading {
        t,
        signedness: integers.signedness,
        parts: &|term| integers.reading(term),
    };
    if !reading.agrees_on_all((system, model), (&integers.system, &read)) {
        log::warn!("evaluation does not confirm the reading of bit-vectors as integers");
        return None;
    }
    Some((integers.system, read))
}

/// How bit-vectors are read.
struct Reading<'a> {
    t: &'a Terms,
    signedness: Signedness,
    /// What stands for a term, see [`OverIntegers::reading`].
    parts: &'a dyn Fn(Term) -> Option<(Term, Option<u32>)>,
}

impl Reading<'_> {
    /// Do all clauses and all interpretations agree with their readings?
    fn agrees_on_all(&self, old: (&System, &Model), new: (&System, &Model)) -> bool {
        let mut clauses = zip(&old.0.clauses, &new.0.clauses);
        let mut bodies = zip(&old.1.interpretations, &new.1.interpretations);
        clauses.all(|(old, new)| self.agrees_on_clause(old, new))
            && bodies.all(|(old, new)| {
                self.agrees([&old.params, &new.params], [&[old.body], &[new.body]])
            })
    }

    /// Do a clause and its reading agree?
    fn agrees_on_clause(&self, old: &Clause, new: &Clause) -> bool {
        let terms = |clause: &Clause| clause.terms().collect::<Vec<_>>();
        self.agrees([&old.vars, &new.vars], [&terms(old), &terms(new)])
    }

    /// Do terms and their readings have the same values, for some values of the variables? So must
    /// their parts: a formula that is nearly always false agrees with nearly any reading.
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
            let mut parts = self.t.post_order(terms.iter().copied());
            let whole = zip(terms, read).all(|(&term, &read)| {
                let value = old.eval(term).map(|value| self.read(&value));
                value.is_ok_and(|value| new.eval(read) == Ok(value))
            });
            whole && parts.all(|part| self.agrees_on_part(part, &mut old, &mut new))
        })
    }

    /// Has a part of a term the value that its reading has, where it has a reading?
    fn agrees_on_part(&self, part: Term, old: &mut Evaluator<'_>, new: &mut Evaluator<'_>) -> bool {
        let Some((read, width)) = (self.parts)(part) else {
            return true;
        };
        let (Ok(value), Ok(read)) = (old.eval(part), new.eval(read)) else {
            return false;
        };
        match (width, value.as_bitvec(), read.as_number()) {
            (Some(width), Some(word), Some(read)) => {
                BitVec::from_int(&read.numer(), width) == *word && read.is_integer()
            }
            (Some(_), _, _) => false,
            (None, _, _) => value == read,
        }
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
    use crate::chc::{Atom, Origin, PredId, Predicate, Span};
    use crate::term::BvOp;
    use crate::term::intblast::Integers;

    /// A counter in eight bits, from 0 by one to 200, and a model of it.
    fn counter(t: &Terms) -> (System, Model) {
        let byte = t.bitvec_sort(8);
        let number = |n: i32| t.bitvec(&BigInt::from(n), 8);
        let (x, param) = (t.var("x", byte), t.var("p0", byte));
        let func = t.declare(t.symbol("p"), &[byte], Sort::BOOL);
        let span = Span::default();
        let atom = |arg| Atom {
            pred: PredId(0),
            args: vec![arg],
        };
        let clause = |body: &[Term], constraint, head: Option<Term>| Clause {
            vars: vec![x],
            body: body.iter().map(|&arg| atom(arg)).collect(),
            constraint,
            head: head.map(atom),
            origin: Origin::default(),
        };
        let below = |n| t.bv(BvOp::Ult, &[x, number(n)]);
        let next = t.bv(BvOp::Add, &[x, number(1)]);
        let clauses = vec![
            clause(&[], t.eq(x, number(0)), Some(x)),
            clause(&[x], below(200), Some(next)),
            clause(&[x], t.not(below(201)), None),
        ];
        let body = t.bv(BvOp::Ule, &[param, number(200)]);
        let interpretations = vec![Interpretation {
            params: vec![param],
            body,
        }];
        let preds = vec![Predicate { func, span }];
        (System { preds, clauses }, Model { interpretations })
    }

    #[test]
    fn systems_are_read_as_integers() {
        let t = &Terms::new();
        let (system, model) = counter(t);
        let (read, said) = over_integers(t, &system, &model).expect("all is translated");
        let of_read = read.clauses.iter().flat_map(|clause| &clause.vars);
        let mut vars = of_read.chain(&said.interpretations[0].params);
        assert!(vars.all(|&var| t.sort_of(var) == Sort::INT));
        // Three bits in the middle are no integer that is simpler.
        let (mut cut, x) = (system.clone(), system.clauses[1].vars[0]);
        let middle = t.bv(BvOp::Extract { hi: 5, lo: 3 }, &[x]);
        let zero = t.bitvec(&BigInt::ZERO, 3);
        cut.clauses[1].constraint = t.eq(middle, zero);
        assert!(over_integers(t, &cut, &model).is_none());
    }

    #[test]
    fn one_wrong_reading_is_enough() {
        let t = &Terms::new();
        let (system, model) = counter(t);
        let (read, said) = over_integers(t, &system, &model).expect("all is translated");
        let integers = OverIntegers::new(t, &system, Bounded::All).expect("all is translated");
        let reading = Reading {
            t,
            signedness: integers.signedness,
            parts: &|_| None,
        };
        let agrees =
            |read: &System, said: &Model| reading.agrees_on_all((&system, &model), (read, said));
        assert!(agrees(&read, &said));
        let mut other = read.clone();
        other.clauses[2].constraint = t.not(read.clauses[2].constraint);
        assert!(!agrees(&other, &said));
        let mut other = said.clone();
        other.interpretations[0].body = t.not(said.interpretations[0].body);
        assert!(!agrees(&read, &other));
    }

    #[test]
    fn wrong_readings_are_found() {
        let t = &Terms::new();
        let word = t.bitvec_sort(32);
        let (x, y) = (t.var("x", word), t.var("y", word));
        let (i, j) = (t.var("i", Sort::INT), t.var("j", Sort::INT));
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let reading = Reading {
                t,
                signedness,
                parts: &|_| None,
            };
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

    /// A formula that is false for all values that are tried agrees with a wrong reading, but its
    /// parts do not.
    #[test]
    fn wrong_readings_of_parts_are_found() {
        let t = &Terms::new();
        let word = t.bitvec_sort(32);
        let (x, i) = (t.var("x", word), t.var("i", Sort::INT));
        let number = |n: i64| t.bitvec(&BigInt::from(n), 32);
        let (double, wrong) = (t.bv(BvOp::Add, &[x, x]), t.scale(Rational::from(3), i));
        let (formula, read) = (t.eq(double, number(12_346)), t.eq(wrong, t.int(12_346)));
        let agrees = |of_double: Term, width: u32| {
            let reading = Reading {
                t,
                signedness: Signedness::Unsigned,
                parts: &|part| (part == double).then_some((of_double, Some(width))),
            };
            reading.agrees([&[x], &[i]], [&[formula], &[read]])
        };
        assert!(!agrees(wrong, 32));
        // Modulo 2^32 this is right.
        assert!(agrees(t.add([i, i]), 32));
        assert!(agrees(t.sub(t.add([i, i]), t.int(1 << 32)), 32));
    }

    /// The values for the comparison, among them the bounds of the width.
    #[test]
    fn values_that_are_tried() {
        let t = Terms::new();
        let signedness = Signedness::Unsigned;
        let reading = Reading {
            t: &t,
            signedness,
            parts: &|_| None,
        };
        let byte = t.bitvec_sort(8);
        let number = |choice, place| {
            let value = reading.value(byte, choice, place).expect("it has values");
            value.as_bitvec().expect("a bit-vector").to_nat()
        };
        let of_first: Vec<Rational> = (0..8).map(|choice| number(choice, 0)).collect();
        let numbers = [0, 127, 128, 255, 1, 126, 0x7e, 0];
        assert_eq!(of_first, numbers.map(Rational::from));
        // The second variable has the same value at first, and another one later.
        let of_second: Vec<Rational> = (0..8).map(|choice| number(choice, 1)).collect();
        let numbers = [0, 127, 128, 1, 126, 0x7e, 127, 128];
        assert_eq!(of_second, numbers.map(Rational::from));
        let flag = |choice, place| reading.value(Sort::BOOL, choice, place);
        assert_eq!(flag(0, 0), Some(Value::from(true)));
        assert_eq!(flag(0, 1), Some(Value::from(false)));
        assert_eq!(flag(1, 1), Some(Value::from(true)));
    }
}
