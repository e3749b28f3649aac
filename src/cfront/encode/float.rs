//! Floating-point numbers as terms. [`crate::cfront::float`] says how they are numbers.
//!
//! Over bit-vectors, all operations are exact. Over the integers, comparisons and operations that
//! change nothing but the sign are; conversions between integers and floating-point numbers are
//! taken apart by powers of 2 where these are few. Any other result is over-approximated, by an
//! input that is the same for the same operands, in the bounds that those of the operands give, and
//! with facts about its order with the operands.

use super::arith::{Arith, Num};
use super::interval::Look;
use super::translate::{Note, Scope};
use crate::cfront::float::{Circuit, Format, bounds, fold};
use crate::cfront::ir::{Binary, Expr, FloatOp, Unknown};
use crate::cfront::memory::Mismatch;
use crate::cfront::types::IntType;
use crate::term::Term;

/// Conversions are taken apart where numbers are less than 2 to this power. The value was not
/// tuned.
const POWERS: u32 = 16;

/// A key as that of the zero that makes a comparison with it the simplest.
fn as_zero(key: Num, arith: &Arith<'_>, ty: IntType, zero: i128) -> Num {
    match key.lo == key.hi && (key.lo == 0 || key.lo == -1) {
        true => arith.constant(zero, ty),
        false => key,
    }
}

impl<'t> Arith<'t> {
    /// The result of an operation on keys, or on an integer; `None` where it is not known exactly.
    fn float(&self, op: FloatOp, operands: &[(Num, IntType)], ty: IntType) -> Option<Num> {
        let constants = operands
            .iter()
            .map(|(x, ty)| (x.lo == x.hi).then_some((x.lo, *ty)));
        if let Some(constants) = constants.collect::<Option<Vec<_>>>()
            && let Some(value) = fold(op, ty, &constants)
        {
            return Some(self.constant(value, ty));
        }
        let &(x, from) = operands.first()?;
        match op {
            FloatOp::Negate => return Some(self.minus(x, ty)),
            FloatOp::Absolute => {
                let zero = self.constant(0, ty);
                let below = self.compare(Binary::Lt, x, zero, ty);
                return Some(self.choose(below, self.minus(x, ty), x));
            }
            _ => {}
        }
        if !self.bits() {
            return match op {
                FloatOp::FromInt => self.key_of_integer(x, ty),
                FloatOp::ToInt => self.integer_of_key(x, from, ty),
                _ => None,
            };
        }
        let format = match op {
            FloatOp::ToInt => Format::of(from),
            _ => Format::of(ty),
        };
        let circuit = Circuit::new(self.t, format);
        let pattern = |(x, own): &(Num, IntType)| match own.float {
            true => Circuit::new(self.t, Format::of(*own)).flipped(x.term),
            false => x.term,
        };
        let patterns: Vec<Term> = operands.iter().map(pattern).collect();
        let result = circuit.result(op, &patterns, from, ty)?;
        Some(match ty.float {
            true => self.of(circuit.flipped(result), ty),
            false => self.of(result, ty),
        })
    }

    /// The key of the negative number.
    fn minus(&self, x: Num, ty: IntType) -> Num {
        Num {
            lo: !x.hi,
            hi: !x.lo,
            ..self.complement(x, ty)
        }
    }

    fn is_nan(&self, x: Num, ty: IntType) -> Term {
        let infinity = Format::of(ty).infinity();
        let mut cases = Vec::new();
        if x.lo < !infinity {
            let lowest = self.constant(!infinity, ty);
            cases.push(self.compare(Binary::Lt, x, lowest, ty));
        }
        if x.hi > infinity {
            let highest = self.constant(infinity, ty);
            cases.push(self.compare(Binary::Lt, highest, x, ty));
        }
        self.t.or(cases)
    }

    /// The truth of a comparison of two keys.
    fn float_test(&self, op: FloatOp, a: Num, b: Num, ty: IntType) -> Term {
        let t = self.t;
        let is = |x: Num, value: i128| t.eq(x.term, self.constant(value, ty).term);
        let numbers = t.not(t.or([self.is_nan(a, ty), self.is_nan(b, ty)]));
        match op {
            FloatOp::Less => {
                let (a, b) = (as_zero(a, self, ty, 0), as_zero(b, self, ty, -1));
                let less = self.compare(Binary::Lt, a, b, ty);
                let zeros = t.and([is(a, -1), is(b, 0)]);
                t.and([numbers, less, t.not(zeros)])
            }
            FloatOp::AtMost => {
                let (a, b) = (as_zero(a, self, ty, -1), as_zero(b, self, ty, 0));
                let at_most = self.compare(Binary::Le, a, b, ty);
                let zeros = t.and([is(a, 0), is(b, -1)]);
                t.and([numbers, t.or([at_most, zeros])])
            }
            FloatOp::Differ => t.not(self.float_test(FloatOp::Equal, a, b, ty)),
            _ => {
                let equal = self.compare(Binary::Eq, a, b, ty);
                let zero = |x: Num| t.or([is(x, 0), is(x, -1)]);
                t.and([numbers, t.or([equal, t.and([zero(a), zero(b)])])])
            }
        }
    }

    /// The key of a small integer.
    fn key_of_integer(&self, x: Num, ty: IntType) -> Option<Num> {
        let (t, format) = (self.t, Format::of(ty));
        let size = x.lo.abs().max(x.hi.abs());
        if size >= 1 << POWERS {
            return None;
        }
        let negative = t.lt(x.term, self.int(0));
        let absolute = match x.lo < 0 {
            true => t.ite(negative, t.neg(x.term), x.term),
            false => x.term,
        };
        let mut key = self.int(0);
        for power in 0..=size.checked_ilog2().unwrap_or(0) {
            let first = 1_i128 << power;
            let step = 1_i128 << (format.precision() - 1 - power);
            let beyond = t.mul([self.int(step), t.sub(absolute, self.int(first))]);
            let here = t.add([self.int(format.of_integer(first)), beyond]);
            key = t.ite(t.le(self.int(first), absolute), here, key);
        }
        let key = match x.lo < 0 {
            true => t.ite(negative, t.sub(self.int(-1), key), key),
            false => key,
        };
        Some(Num {
            term: key,
            lo: format.of_integer(x.lo),
            hi: format.of_integer(x.hi),
        })
    }

    /// The integer of a small number.
    fn integer_of_key(&self, x: Num, from: IntType, ty: IntType) -> Option<Num> {
        let (t, format) = (self.t, Format::of(from));
        let most = format.of_integer(1 << POWERS);
        if x.hi >= most || x.lo < !most {
            return None;
        }
        let negative = t.lt(x.term, self.int(0));
        let key = match x.lo < 0 {
            true => t.ite(negative, t.sub(self.int(-1), x.term), x.term),
            false => x.term,
        };
        let mut whole = self.int(0);
        let last = x.hi.max(!x.lo);
        for power in 0..POWERS {
            let first = format.of_integer(1 << power);
            if first > last {
                break;
            }
            let unit = 1_i128 << (format.precision() - 1 - power);
            let beyond = t.idiv(t.sub(key, self.int(first)), self.int(unit));
            let here = t.add([self.int(1 << power), beyond]);
            whole = t.ite(t.le(self.int(first), key), here, whole);
        }
        let whole = match x.lo < 0 {
            true => t.ite(negative, t.neg(whole), whole),
            false => whole,
        };
        let (lo, hi) = bounds(FloatOp::ToInt, ty, &[((x.lo, x.hi), from)]);
        let term = whole;
        Some(Num { term, lo, hi })
    }

    /// What holds of the result of an operation on two numbers, beside its bounds.
    fn order(&self, op: FloatOp, [a, b]: [Term; 2], result: Term, ty: IntType) -> Vec<Term> {
        let (t, format) = (self.t, Format::of(ty));
        let finite = format.infinity() - 1;
        let one = format.of_integer(1);
        let at_most = |x: Term, y: i128| t.le(x, self.int(y));
        let at_least = |x: Term, y: i128| t.le(self.int(y), x);
        let both = |x: Term, low: i128, high: i128| t.and([at_least(x, low), at_most(x, high)]);
        // Nearer to zero than a number that is not negative, or negative.
        let smaller = |x: Term| t.and([at_least(result, 0), t.le(result, x)]);
        let larger = |x: Term| t.and([t.le(x, result), at_most(result, -1)]);
        let mut facts = Vec::new();
        let mut when = |conditions: [Term; 2], fact: Term| {
            facts.push(t.implies(t.and(conditions), fact));
        };
        match op {
            FloatOp::Add => {
                for (x, y) in [(a, b), (b, a)] {
                    let x_finite = both(x, !finite, finite);
                    when([x_finite, both(y, 0, finite + 1)], t.le(x, result));
                    when([x_finite, both(y, !finite - 1, -1)], t.le(result, x));
                }
            }
            FloatOp::Multiply => {
                for (x, y) in [(a, b), (b, a)] {
                    when([both(x, 0, finite), both(y, 0, one)], smaller(x));
                    when([both(x, 0, finite), both(y, one, finite)], t.le(x, result));
                    when([both(x, !finite, -1), both(y, 0, one)], larger(x));
                    when(
                        [both(x, !finite, -1), both(y, one, finite)],
                        t.le(result, x),
                    );
                }
            }
            FloatOp::Divide => {
                when([both(a, 0, finite), both(b, one, finite)], smaller(a));
                when([both(a, 0, finite), both(b, 1, one)], t.le(a, result));
                when([both(a, !finite, -1), both(b, one, finite)], larger(a));
                when([both(a, !finite, -1), both(b, 1, one)], t.le(result, a));
            }
            _ => {}
        }
        facts
    }
}

impl<'t> Scope<'_, 't> {
    /// The truth of a test.
    pub(super) fn float_truth(&mut self, op: FloatOp, operands: &[Expr]) -> Result<Term, Mismatch> {
        let t = self.arith.t;
        let mut values = Vec::new();
        for operand in operands {
            values.push((self.value(operand)?, operand.ty));
        }
        Ok(match (op, &values[..]) {
            (FloatOp::IsNan, &[(x, ty)]) => self.arith.is_nan(x, ty),
            (FloatOp::IsNegative, &[(x, ty)]) => {
                let zero = self.arith.constant(0, ty);
                let below = self.arith.compare(Binary::Lt, x, zero, ty);
                let nan = self.arith.is_nan(x, ty);
                if nan == Term::FALSE {
                    return Ok(below);
                }
                let note = Note {
                    exact_if: t.not(nan),
                    ..Note::of_memory("the sign of a NaN")
                };
                let any = self.approximated_relation(note, [x, zero]);
                t.ite(nan, any, below)
            }
            (_, &[(a, ty), (b, _)]) => self.arith.float_test(op, a, b, ty),
            _ => return Err("floating-point arithmetic".into()),
        })
    }

    /// The result of an operation.
    pub(super) fn float_value(
        &mut self,
        op: FloatOp,
        operands: &[Expr],
        ty: IntType,
    ) -> Result<Num, Mismatch> {
        let mut values = Vec::new();
        for operand in operands {
            let value = self.value(operand)?;
            values.push((self.in_known_range(operand, value), operand.ty));
        }
        if let (FloatOp::ToInt, &[(ref x, from)]) = (op, &values[..]) {
            // Other numbers have no meaning as integers of the type.
            let (low, high) = Format::of(from).within(ty);
            let mut x = *x;
            if x.lo < low {
                let low = self.arith.constant(low, from);
                self.conditions
                    .push(self.arith.compare(Binary::Le, low, x, from));
            }
            if x.hi > high {
                let high = self.arith.constant(high, from);
                self.conditions
                    .push(self.arith.compare(Binary::Le, x, high, from));
            }
            (x.lo, x.hi) = (x.lo.max(low), x.hi.min(high));
            if x.lo > x.hi {
                return Ok(self.arith.constant(0, ty));
            }
            values[0].0 = x;
        }
        let ranges = values.iter().map(|(x, ty)| ((x.lo, x.hi), *ty));
        let (lo, hi) = bounds(op, ty, &ranges.collect::<Vec<_>>());
        if let Some(result) = self.arith.float(op, &values, ty) {
            let (lo, hi) = (lo.max(result.lo), hi.min(result.hi));
            return Ok(match lo <= hi {
                true => Num { lo, hi, ..result },
                false => result,
            });
        }
        Ok(self.float_approximated(op, &values, ty, (lo, hi)))
    }

    /// An integer with the range that it has until an operation leaves its type; elsewhere, which
    /// number becomes of it does not matter.
    fn in_known_range(&self, e: &Expr, value: Num) -> Num {
        let known = self.ranges.and_then(|(ranges, node)| ranges.known(node));
        let (Some(known), false) = (known, e.ty.float || self.arith.bits()) else {
            return value;
        };
        let look = Look {
            program: self.program,
            memory: self.memory,
        };
        let range = look.value(known, e);
        let (lo, hi) = (value.lo.max(range.lo), value.hi.min(range.hi));
        match lo <= hi {
            true => Num { lo, hi, ..value },
            false => value,
        }
    }

    /// An over-approximation of a result in these bounds.
    fn float_approximated(
        &mut self,
        op: FloatOp,
        values: &[(Num, IntType)],
        ty: IntType,
        (lo, hi): (i128, i128),
    ) -> Num {
        let what = match op {
            FloatOp::Add => "a sum of floating-point numbers",
            FloatOp::Multiply => "a product of floating-point numbers",
            FloatOp::Divide => "a quotient of floating-point numbers",
            FloatOp::Root => "a square root",
            _ => "a conversion of a floating-point number",
        };
        let mut terms: Vec<Term> = values.iter().map(|(x, _)| x.term).collect();
        if matches!(op, FloatOp::Add | FloatOp::Multiply) {
            terms.sort_unstable();
        }
        // The bounds belong to the variable: they may be others at another place.
        let name = format!("{op:?}!{}!{terms:?}!{lo}!{hi}", ty.bits).replace(' ', "");
        self.arith.lacks_floats.set(true);
        self.notes.push(Note {
            what: what.into(),
            bits: true,
            exact_if: Term::FALSE,
        });
        let why = Unknown::Approximated(what.into());
        let result = self.named_input(&name, ty, why).term;
        let mut facts = vec![self.arith.between(result, lo, hi)];
        if let &[a, b] = &terms[..] {
            let [a, b] = match op {
                FloatOp::Divide => [values[0].0.term, values[1].0.term],
                _ => [a, b],
            };
            facts.extend(self.arith.order(op, [a, b], result, ty));
        }
        let fact = self.arith.t.and(facts);
        self.facts.push((result, fact));
        Num {
            term: result,
            lo,
            hi,
        }
    }
}
