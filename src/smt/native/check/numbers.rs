//! Numbers of bit-vectors, and bit-vectors of numbers.

use super::{Checker, itself, negated};
use crate::number::Rational;
use crate::smt::native::proof::{Literal, weighted_bits};
use crate::term::{BvOp, LinearSum, Sort, Term};

impl Checker<'_> {
    /// Does what `bv2nat` or `int2bv` means imply the clause?
    pub(super) fn bit_operator(&self, op: BvOp, term: Term, clause: &[Literal]) -> bool {
        let t = self.t;
        let argument = t.args(term)[0];
        let minus = Rational::from(-1);
        let at_most_zero = |sum: &LinearSum| self.has_at_most_zero(sum, false, clause);
        let is_zero = |sum: &LinearSum| at_most_zero(sum) || at_most_zero(&negated(sum));
        let number = itself(term);
        match op {
            BvOp::ToNat => {
                // 0 ≤ n ≤ 2^width - 1
                let width = t.bitvec_width(t.sort_of(argument)).unwrap_or(0);
                let mut over = number.clone();
                over.constant = Rational::one() - Rational::from(2).pow(width);
                let in_range = at_most_zero(&negated(&number)) || at_most_zero(&over);
                in_range
                    || match width {
                        1 => self.number_of_bit(argument, &number, clause),
                        _ => {
                            // the number of the bits - n = 0
                            let mut rest = t.linear_sum(weighted_bits(t, argument));
                            rest.add_scaled(&minus, &number);
                            is_zero(&rest)
                        }
                    }
            }
            BvOp::FromInt(width) => {
                // the number of the bits - x + 2^width · (x div 2^width) = 0
                let modulus = Rational::from(2).pow(width);
                let quotient = t.idiv(argument, t.number(modulus.clone(), Sort::INT));
                let mut rest = t.linear_sum(weighted_bits(t, term));
                rest.add_scaled(&minus, &self.sum(argument));
                rest.add_scaled(&modulus, &self.sum(quotient));
                is_zero(&rest)
            }
            _ => false,
        }
    }

    /// Does it imply the clause that this number is at least 1 if and only if the bit is set?
    fn number_of_bit(&self, bit: Term, number: &LinearSum, clause: &[Literal]) -> bool {
        let mut below_one = number.clone();
        below_one.constant = Rational::from(-1);
        let at_most_zero = |sum: &LinearSum| self.has_at_most_zero(sum, false, clause);
        let has_bit = |positive| {
            let mut circuits = self.circuits.borrow_mut();
            circuits.lowest_bit(bit, positive, clause).is_some()
        };
        at_most_zero(&negated(&below_one)) && has_bit(false)
            || at_most_zero(number) && has_bit(true)
    }
}
