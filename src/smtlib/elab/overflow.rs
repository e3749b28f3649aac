//! Overflow predicates of SMT-LIB 2.7, and Z3's names for their complements, as formulas over the
//! other operators.

use crate::term::{BvOp, Term, Terms};
use num_bigint::BigInt;

/// When the result of an operation is none of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overflow {
    /// `bvnego`.
    Neg,
    /// `bvuaddo`.
    UnsignedAdd,
    /// `bvsaddo`.
    SignedAdd,
    /// `bvusubo`.
    UnsignedSub,
    /// `bvssubo`.
    SignedSub,
    /// `bvumulo`.
    UnsignedMul,
    /// `bvsmulo`.
    SignedMul,
    /// A signed product that is too large.
    SignedMulAbove,
    /// A signed product that is too small.
    SignedMulBelow,
    /// `bvsdivo`.
    SignedDiv,
}

impl Overflow {
    /// The number of operands.
    pub(super) fn operands(self) -> usize {
        match self {
            Overflow::Neg => 1,
            _ => 2,
        }
    }

    /// Are there to be twice as many bits for it?
    pub(super) fn is_product(self) -> bool {
        matches!(
            self,
            Overflow::UnsignedMul
                | Overflow::SignedMul
                | Overflow::SignedMulAbove
                | Overflow::SignedMulBelow
        )
    }

    /// The predicate of operands of one width.
    pub(super) fn formula(self, t: &Terms, args: &[Term]) -> Term {
        let width = t.bitvec_width(t.sort_of(args[0])).expect("a bit-vector");
        let zero = t.bitvec(&BigInt::ZERO, width);
        let least = t.bitvec(&(BigInt::from(1) << (width - 1)), width);
        let is_negative = |x: Term| t.bv(BvOp::Slt, &[x, zero]);
        let (x, y) = (args[0], *args.last().expect("an operand"));
        match self {
            Overflow::Neg => t.eq(x, least),
            Overflow::UnsignedAdd => t.bv(BvOp::Ult, &[t.bv(BvOp::Add, &[x, y]), x]),
            Overflow::UnsignedSub => t.bv(BvOp::Ult, &[x, y]),
            Overflow::SignedAdd => {
                // Of operands of one sign, the sum has the other.
                let sum = t.bv(BvOp::Add, &[x, y]);
                let one_sign = t.eq(is_negative(x), is_negative(y));
                t.and([one_sign, t.not(t.eq(is_negative(sum), is_negative(x)))])
            }
            Overflow::SignedSub => {
                let difference = t.bv(BvOp::Add, &[x, t.bv(BvOp::Neg, &[y])]);
                let signs_differ = t.not(t.eq(is_negative(x), is_negative(y)));
                let turns = t.not(t.eq(is_negative(difference), is_negative(x)));
                t.and([signs_differ, turns])
            }
            Overflow::SignedDiv => {
                let minus_one = t.bitvec(&BigInt::from(-1), width);
                t.and([t.eq(x, least), t.eq(y, minus_one)])
            }
            Overflow::UnsignedMul => {
                let product = wide_product(t, BvOp::ZeroExtend(width), x, y);
                let (hi, lo) = (2 * width - 1, width);
                t.not(t.eq(t.bv(BvOp::Extract { hi, lo }, &[product]), zero))
            }
            Overflow::SignedMul | Overflow::SignedMulAbove | Overflow::SignedMulBelow => {
                let product = wide_product(t, BvOp::SignExtend(width), x, y);
                let bound = |value: BigInt| t.bitvec(&value, 2 * width);
                let half = BigInt::from(1) << (width - 1);
                let below = t.bv(BvOp::Slt, &[product, bound(-&half)]);
                let above = t.bv(BvOp::Sle, &[bound(half), product]);
                match self {
                    Overflow::SignedMulAbove => above,
                    Overflow::SignedMulBelow => below,
                    _ => t.or([above, below]),
                }
            }
        }
    }
}

/// The product with twice as many bits.
fn wide_product(t: &Terms, extension: BvOp, x: Term, y: Term) -> Term {
    t.bv(BvOp::Mul, &[t.bv(extension, &[x]), t.bv(extension, &[y])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    /// What a predicate says of two numbers without bounds.
    fn expected(overflow: Overflow, bits: u32, x: i64, y: i64) -> bool {
        let signed = |x: i64| {
            if x >> (bits - 1) == 1 {
                x - (1 << bits)
            } else {
                x
            }
        };
        let (sx, sy) = (signed(x), signed(y));
        let half = 1 << (bits - 1);
        let leaves = |value: i64| value < -half || value >= half;
        match overflow {
            Overflow::Neg => leaves(-sx),
            Overflow::UnsignedAdd => x + y >= 1 << bits,
            Overflow::SignedAdd => leaves(sx + sy),
            Overflow::UnsignedSub => x < y,
            Overflow::SignedSub => leaves(sx - sy),
            Overflow::UnsignedMul => x * y >= 1 << bits,
            Overflow::SignedMul => leaves(sx * sy),
            Overflow::SignedMulAbove => sx * sy >= half,
            Overflow::SignedMulBelow => sx * sy < -half,
            Overflow::SignedDiv => sy != 0 && leaves(sx / sy),
        }
    }

    #[test]
    fn predicates_say_what_arithmetic_says() {
        let t = Terms::new();
        let all = [
            Overflow::Neg,
            Overflow::UnsignedAdd,
            Overflow::SignedAdd,
            Overflow::UnsignedSub,
            Overflow::SignedSub,
            Overflow::UnsignedMul,
            Overflow::SignedMul,
            Overflow::SignedMulAbove,
            Overflow::SignedMulBelow,
            Overflow::SignedDiv,
        ];
        for bits in [1, 4] {
            for (x, y) in (0..1 << bits).flat_map(|x| (0..1 << bits).map(move |y| (x, y))) {
                for overflow in all {
                    let args = [x, y].map(|value| t.bitvec(&BigInt::from(value), bits));
                    let formula = overflow.formula(&t, &args[..overflow.operands()]);
                    let wanted = if expected(overflow, bits, x, y) {
                        Term::TRUE
                    } else {
                        Term::FALSE
                    };
                    assert_eq!(formula, wanted, "{overflow:?} of {x} and {y}");
                    assert_eq!(t.sort_of(formula), Sort::BOOL);
                }
            }
        }
    }
}
