//! What is known of a bit-vector whatever its variables are: some of its bits, and an interval of
//! its unsigned values.
//!
//! Comparisons that are decided become constants, signed operators on numbers that are not negative
//! become unsigned ones, and masks, remainders and extensions that change nothing are left out. An
//! equation stays as it is: what makes lemmas needs the literals of its premises, and single bits
//! decide such an equation anyway.
//!
//! Widths above 128 are not considered, and of a deep term only [`BUDGET`] operators are.

mod values;

use crate::term::{BvOp, Op, Term, Terms};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use values::{Known, lowest};

/// The most operators that are considered for one term. The value was not tuned.
const BUDGET: usize = 24;

impl Terms {
    /// What a bit-vector of a width to 128 is known to be, found with that many operators.
    fn known(&self, term: Term, budget: &mut usize) -> Option<Known> {
        let width = self.bitvec_width(self.sort_of(term))?;
        if width > 128 {
            return None;
        }
        let known = match (self.op(term), self.args(term)) {
            (Op::BitVec(_), _) => {
                let value = self.as_bitvec(term)?.numer().to_u128();
                value.map(|value| Known::just(width, value))
            }
            (Op::Ite, &[_, x, y]) if *budget > 0 => {
                *budget -= 1;
                let x = self.known(x, budget);
                x.and_then(|x| Some(x.join(self.known(y, budget)?)))
            }
            (Op::Bv(op), args) if *budget > 0 => self.known_of(op, args, budget),
            _ => None,
        };
        Some(known.unwrap_or(Known::any(width)))
    }

    /// What the bit-vector that an operator makes is known to be; `None` if nothing is.
    fn known_of(&self, op: BvOp, args: &[Term], budget: &mut usize) -> Option<Known> {
        *budget = budget.saturating_sub(1);
        let first = self.known(args[0], budget)?;
        let fold = |both: fn(Known, Known) -> Known, budget: &mut usize| {
            (args[1..].iter()).try_fold(first, |x, &y| Some(both(x, self.known(y, budget)?)))
        };
        match op {
            BvOp::Not => Some(first.not()),
            BvOp::Neg => Some(first.negated()),
            BvOp::And => fold(Known::and, budget),
            BvOp::Or => fold(Known::or, budget),
            BvOp::Xor => fold(Known::xor, budget),
            BvOp::Add => fold(Known::plus, budget),
            BvOp::Mul => fold(Known::times, budget),
            BvOp::Udiv => fold(Known::quotient, budget),
            BvOp::Urem => fold(Known::remainder, budget),
            BvOp::Shl => fold(Known::shifted_left, budget),
            BvOp::Lshr => fold(Known::shifted_right, budget),
            BvOp::Concat if first.width + self.bit_width(args[1]) <= 128 => {
                fold(Known::above, budget)
            }
            BvOp::Extract { hi, lo } => Some(first.extract(hi, lo)),
            BvOp::ZeroExtend(more) if more > 0 && first.width + more <= 128 => {
                Some(Known::just(more, 0).above(first))
            }
            BvOp::SignExtend(more) if more > 0 && first.width + more <= 128 => {
                Some(first.sign_extended(more))
            }
            _ => None,
        }
    }

    /// A simpler term in place of that operator on these arguments, if what is known of them
    /// admits one.
    pub(super) fn by_what_is_known(&self, op: BvOp, args: &[Term]) -> Option<Term> {
        let budget = &mut { BUDGET };
        match (op, args) {
            (BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle, &[x, y]) => {
                self.known_comparison(op, x, y, budget)
            }
            (BvOp::Comp | BvOp::ToNat | BvOp::FromInt(_), _) => None,
            _ => {
                if let Some(known) = self.known_of(op, args, budget)
                    && let Some(value) = known.value()
                {
                    return Some(self.bitvec(&BigInt::from(value), known.width));
                }
                self.unchanged(op, args, budget)
                    .or_else(|| self.without_signs(op, args))
            }
        }
    }

    fn known_comparison(&self, op: BvOp, x: Term, y: Term, budget: &mut usize) -> Option<Term> {
        let (of_x, of_y) = (self.known(x, budget)?, self.known(y, budget)?);
        let (always, never) = match op {
            BvOp::Ult => (of_x.high < of_y.low, of_y.high <= of_x.low),
            BvOp::Ule => (of_x.high <= of_y.low, of_y.high < of_x.low),
            _ => {
                let (x_negative, y_negative) = (of_x.is_negative()?, of_y.is_negative()?);
                if x_negative == y_negative {
                    let strict = op == BvOp::Slt;
                    let op = if strict { BvOp::Ult } else { BvOp::Ule };
                    return Some(self.bv(op, &[x, y]));
                }
                (x_negative, y_negative)
            }
        };
        if always {
            Some(Term::TRUE)
        } else if never {
            Some(Term::FALSE)
        } else {
            None
        }
    }

    /// The first argument, if the second does not change it: a mask that has all bits that may be
    /// set, or a larger divisor of a remainder.
    fn unchanged(&self, op: BvOp, args: &[Term], budget: &mut usize) -> Option<Term> {
        let &[x, y] = args else { return None };
        let (of_x, of_y) = (self.known(x, budget)?, self.known(y, budget)?);
        let all = lowest(of_x.width);
        let same = match op {
            BvOp::And => of_y.ones | of_x.zeros == all,
            BvOp::Or => of_y.zeros | of_x.ones == all,
            BvOp::Urem => of_x.high < of_y.low,
            _ => false,
        };
        same.then_some(x)
    }

    /// The unsigned operator on arguments that are not negative.
    fn without_signs(&self, op: BvOp, args: &[Term]) -> Option<Term> {
        let unsigned = match op {
            BvOp::Sdiv => BvOp::Udiv,
            BvOp::Srem | BvOp::Smod => BvOp::Urem,
            BvOp::Ashr => BvOp::Lshr,
            BvOp::SignExtend(more) => BvOp::ZeroExtend(more),
            _ => return None,
        };
        // The number of places has no sign.
        let signed = if op == BvOp::Ashr { &args[..1] } else { args };
        let is_not_negative = |&x: &Term| {
            let known = self.known(x, &mut { BUDGET });
            known.and_then(|known| known.is_negative()) == Some(false)
        };
        let all = signed.iter().all(is_not_negative);
        all.then(|| self.bv(unsigned, args))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_decides() {
        let t = Terms::new();
        let byte = t.bitvec_sort(8);
        let x = t.var("x", byte);
        let wide = t.bv(BvOp::ZeroExtend(8), &[x]);
        let number = |n: i32| t.bitvec(&BigInt::from(n), 16);
        let sum = t.bv(BvOp::Add, &[wide, number(5)]);
        assert_eq!(t.bv(BvOp::Ult, &[sum, number(261)]), Term::TRUE);
        assert_ne!(t.bv(BvOp::Ult, &[sum, number(260)]), Term::TRUE);
        assert_eq!(t.bv(BvOp::Slt, &[wide, number(-1)]), Term::FALSE);
        assert_eq!(t.bv(BvOp::And, &[wide, number(255)]), wide);
        assert_eq!(t.bv(BvOp::Urem, &[wide, number(256)]), wide);
        assert_eq!(t.bv(BvOp::Udiv, &[wide, number(256)]), number(0));
        let signed = t.bv(BvOp::Slt, &[wide, number(7)]);
        assert_eq!(signed, t.bv(BvOp::Ult, &[wide, number(7)]));
        let high = t.bv(BvOp::Extract { hi: 15, lo: 9 }, &[sum]);
        assert_eq!(high, t.bitvec(&BigInt::ZERO, 7));
    }
}
