//! Builders of bit-vectors. Only what costs nothing is simplified; evaluation folds constants where it matters.

use crate::number::Rational;
use crate::term::{BvOp, Op, Sort, Term, Terms};
use num_bigint::BigInt;

impl Terms {
    /// The bit-vector constant of that width whose unsigned value is `value` modulo `2^width`.
    pub fn bitvec(&self, value: &BigInt, width: u32) -> Term {
        let modulus = BigInt::from(1) << width;
        let value = num_integer::Integer::mod_floor(value, &modulus);
        let id = self.number_id(Rational::from(value));
        self.make(Op::BitVec(id), self.bitvec_sort(width), &[])
    }

    /// The unsigned value of a bit-vector constant, `None` for any other term.
    pub fn as_bitvec(&self, term: Term) -> Option<&Rational> {
        match self.op(term) {
            Op::BitVec(id) => Some(self.number_value(id)),
            _ => None,
        }
    }

    /// An operator on bit-vectors, applied to arguments of widths that fit it.
    pub fn bv(&self, op: BvOp, args: &[Term]) -> Term {
        let width = |x: Term| {
            self.bitvec_width(self.sort_of(x))
                .expect("an argument is a bit-vector")
        };
        let sort = match op {
            BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => Sort::BOOL,
            BvOp::ToNat => Sort::INT,
            BvOp::FromInt(width) => self.bitvec_sort(width),
            BvOp::Comp => self.bitvec_sort(1),
            BvOp::Concat => self.bitvec_sort(width(args[0]) + width(args[1])),
            BvOp::Extract { hi, lo } => {
                if lo == 0 && hi + 1 == width(args[0]) {
                    return args[0];
                }
                self.bitvec_sort(hi - lo + 1)
            }
            BvOp::ZeroExtend(0) | BvOp::SignExtend(0) | BvOp::Repeat(1) => return args[0],
            BvOp::ZeroExtend(n) | BvOp::SignExtend(n) => self.bitvec_sort(width(args[0]) + n),
            BvOp::Repeat(n) => self.bitvec_sort(width(args[0]) * n),
            _ => self.sort_of(args[0]),
        };
        self.make(Op::Bv(op), sort, args)
    }
}
