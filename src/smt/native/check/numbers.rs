//! Numbers of bit-vectors, and bit-vectors of numbers.

use super::{Checker, negated};
use crate::number::Rational;
use crate::smt::native::proof::Literal;
use crate::term::{BvOp, LinearSum, Op, Sort, Term, Terms};

/// Is it the number of a bit-vector of several bits, which is a sum of numbers of single bits?
pub(super) fn is_number_of_bits(t: &Terms, term: Term) -> bool {
    t.op(term) == Op::Bv(BvOp::ToNat) && t.bitvec_width(t.sort_of(t.args(term)[0])) != Some(1)
}

/// `Σ 2^i · bit i`: the natural number that a bit-vector denotes.
pub(super) fn weighted_bits(t: &Terms, vector: Term) -> LinearSum {
    let width = t.bitvec_width(t.sort_of(vector)).unwrap_or(0);
    let number = |index| {
        let (hi, lo) = (index, index);
        let bit = t.bv(BvOp::Extract { hi, lo }, &[vector]);
        let weight = t.number(Rational::from(2).pow(index), Sort::INT);
        t.mul([weight, t.bv(BvOp::ToNat, &[bit])])
    };
    t.linear_sum(t.add((0..width).map(number).collect::<Vec<_>>()))
}

impl Checker<'_> {
    /// Does what `bv2nat` of a single bit, or `int2bv`, means imply the clause?
    pub(super) fn bit_operator(&self, op: BvOp, term: Term, clause: &[Literal]) -> bool {
        let t = self.t;
        let argument = t.args(term)[0];
        let minus = Rational::from(-1);
        let at_most_zero = |sum: &LinearSum| self.has_at_most_zero(sum, false, clause);
        match op {
            BvOp::ToNat if !is_number_of_bits(t, term) => {
                // 0 ≤ n ≤ 1, and n ≥ 1 if and only if the bit is set
                let number = LinearSum {
                    terms: vec![(term, Rational::one())],
                    constant: Rational::zero(),
                };
                let mut below_one = number.clone();
                below_one.constant = minus;
                let has_bit = |positive| {
                    let mut circuits = self.circuits.borrow_mut();
                    circuits.has_bit(argument, positive, clause)
                };
                at_most_zero(&negated(&number))
                    || at_most_zero(&below_one)
                    || at_most_zero(&negated(&below_one)) && has_bit(false)
                    || at_most_zero(&number) && has_bit(true)
            }
            BvOp::FromInt(width) => {
                // the number of the bits - x + 2^width · (x div 2^width) = 0
                let modulus = Rational::from(2).pow(width);
                let quotient = t.idiv(argument, t.number(modulus.clone(), Sort::INT));
                let mut rest = weighted_bits(t, term);
                rest.add_scaled(&minus, &self.sum(argument));
                rest.add_scaled(&modulus, &self.sum(quotient));
                at_most_zero(&negated(&rest)) || at_most_zero(&rest)
            }
            _ => false,
        }
    }
}
