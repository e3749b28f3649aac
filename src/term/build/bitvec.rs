//! Builders of bit-vectors.

use super::FLATTEN_LIMIT;
use crate::number::Rational;
use crate::term::{BitVec, BvOp, Op, Sort, Term, Terms, Value};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use smallvec::SmallVec;

/// Literals are computed up to this width: `repeat` must not fill the memory.
const FOLD_WIDTH: u32 = 1 << 16;

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

    /// The bit-vector that a literal denotes.
    fn bitvec_value(&self, term: Term) -> Option<BitVec> {
        let value = self.as_bitvec(term)?.to_integer()?;
        Some(BitVec::from_int(&value, self.bit_width(term)))
    }

    /// The width of a bit-vector.
    pub(super) fn bit_width(&self, term: Term) -> u32 {
        self.bitvec_width(self.sort_of(term))
            .expect("an argument is a bit-vector")
    }

    /// An operator on bit-vectors, applied to arguments of widths that fit it.
    pub fn bv(&self, op: BvOp, args: &[Term]) -> Term {
        let width = |x: Term| self.bit_width(x);
        let sort = match op {
            BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => Sort::BOOL,
            BvOp::ToNat => Sort::INT,
            BvOp::FromInt(width) => self.bitvec_sort(width),
            BvOp::Comp => self.bitvec_sort(1),
            BvOp::Concat => self.bitvec_sort(width(args[0]) + width(args[1])),
            BvOp::Extract { hi, lo } => return self.extract(args[0], hi, lo),
            BvOp::ZeroExtend(n) | BvOp::SignExtend(n) => self.bitvec_sort(width(args[0]) + n),
            BvOp::Repeat(n) => self.bitvec_sort(width(args[0]) * n),
            _ => self.sort_of(args[0]),
        };
        if let Some(value) = self.folded(op, sort, args) {
            return value;
        }
        let simpler = match (op, args) {
            (BvOp::Add, _) => {
                let parts = args.iter().map(|&x| (x, BigInt::one()));
                return self.sum_of_words(sort, parts);
            }
            (BvOp::Neg, &[x]) => return self.sum_of_words(sort, [(x, BigInt::from(-1))]),
            (BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor, _) => {
                return self.associative(op, sort, args);
            }
            (BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle, &[x, y]) => self.comparison(op, x, y),
            (_, &[x]) => self.unary(op, x),
            (BvOp::Udiv | BvOp::Sdiv, &[x, y])
                if self.is_bits(y, |one| one.unsigned().is_one()) =>
            {
                Some(x)
            }
            (BvOp::Shl | BvOp::Lshr | BvOp::Ashr, &[x, y]) if self.is_zero_bits(y) => Some(x),
            _ => None,
        };
        simpler
            .or_else(|| self.by_what_is_known(op, args))
            .unwrap_or_else(|| self.make(Op::Bv(op), sort, args))
    }

    /// The literal that an operator on literals denotes, unless it is very wide.
    fn folded(&self, op: BvOp, sort: Sort, args: &[Term]) -> Option<Term> {
        if self
            .bitvec_width(sort)
            .is_some_and(|width| width > FOLD_WIDTH)
        {
            return None;
        }
        if let BvOp::FromInt(width) = op {
            let value = self.as_number(args[0])?.to_integer()?;
            return Some(self.bitvec(&value, width));
        }
        let values: Option<Vec<BitVec>> = args.iter().map(|&x| self.bitvec_value(x)).collect();
        let values = values?;
        let value = BitVec::apply(op, &values.iter().collect::<Vec<_>>());
        Some(self.value_term(&value, sort))
    }

    fn is_bits(&self, term: Term, is: impl Fn(&BitVec) -> bool) -> bool {
        self.bitvec_value(term).is_some_and(|value| is(&value))
    }

    fn is_zero_bits(&self, term: Term) -> bool {
        self.is_bits(term, |value| value.unsigned().is_zero())
    }

    /// An operator whose arguments may be taken in any order: literals become one, the last
    /// argument, and go where they are neutral.
    fn associative(&self, op: BvOp, sort: Sort, args: &[Term]) -> Term {
        let width = self.bit_width(args[0]);
        let number = |value: i32| BitVec::from_int(&value.into(), width);
        let (neutral, absorbing) = match op {
            BvOp::And => (number(-1), Some(number(0))),
            BvOp::Or => (number(0), Some(number(-1))),
            BvOp::Mul => (number(1), Some(number(0))),
            _ => (number(0), None),
        };
        let idempotent = matches!(op, BvOp::And | BvOp::Or);
        let mut constant = neutral.clone();
        let mut others: SmallVec<[Term; 8]> = SmallVec::new();
        for x in args {
            for &part in self.parts(Op::Bv(op), x) {
                match self.bitvec_value(part) {
                    Some(value) => {
                        let Value::BitVec(both) = BitVec::apply(op, &[&constant, &value]) else {
                            unreachable!("the operator makes bit-vectors of bit-vectors")
                        };
                        constant = both;
                    }
                    // The same again says nothing new.
                    None if idempotent
                        && others.len() <= FLATTEN_LIMIT
                        && others.contains(&part) => {}
                    None => others.push(part),
                }
            }
        }
        let literal = || self.value_term(&Value::BitVec(constant.clone()), sort);
        if others.is_empty() || absorbing.as_ref() == Some(&constant) {
            return literal();
        }
        if op == BvOp::Mul {
            return self.product_of_words(sort, &others, constant.unsigned().clone().into());
        }
        if constant != neutral {
            others.push(literal());
        }
        match *others {
            [x] => x,
            _ => {
                let simpler = self.by_what_is_known(op, &others);
                simpler.unwrap_or_else(|| self.make(Op::Bv(op), sort, &others))
            }
        }
    }

    /// What a comparison is that can be decided, or is an equation, by an end of the order.
    fn comparison(&self, op: BvOp, x: Term, y: Term) -> Option<Term> {
        let strict = matches!(op, BvOp::Ult | BvOp::Slt);
        if x == y {
            return Some(if strict { Term::FALSE } else { Term::TRUE });
        }
        let width = self.bit_width(x);
        let half = BigInt::from(1) << (width - 1);
        let (least, greatest) = match op {
            BvOp::Slt | BvOp::Sle => (half.clone(), half - 1),
            _ => (BigInt::ZERO, half * 2 - 1),
        };
        let is = |term, end: &BigInt| self.is_bits(term, |v| v == &BitVec::from_int(end, width));
        // x < y fails, and x <= y is x = y, where x is greatest or y is least; x <= y holds, and x
        // < y is x != y, in the other cases.
        if is(x, &greatest) || is(y, &least) {
            Some(if strict { Term::FALSE } else { self.eq(x, y) })
        } else if is(x, &least) || is(y, &greatest) {
            Some(if strict {
                self.not(self.eq(x, y))
            } else {
                Term::TRUE
            })
        } else {
            self.comparison_with_remainder(op, x, y)
        }
    }

    /// A remainder without signs is less than its divisor unless this is 0, and at most the
    /// dividend.
    fn comparison_with_remainder(&self, op: BvOp, x: Term, y: Term) -> Option<Term> {
        let parts = |term: Term| match (self.op(term), self.args(term)) {
            (Op::Bv(BvOp::Urem), &[dividend, divisor]) => Some((dividend, divisor)),
            _ => None,
        };
        let is_zero = |word: Term| self.eq(word, self.bitvec(&BigInt::ZERO, self.bit_width(word)));
        match (op, parts(x), parts(y)) {
            (BvOp::Ult, Some((_, divisor)), _) if divisor == y => Some(self.not(is_zero(y))),
            (BvOp::Ule, _, Some((_, divisor))) if divisor == x => Some(is_zero(x)),
            (BvOp::Ule, Some((dividend, _)), _) if dividend == y => Some(Term::TRUE),
            (BvOp::Ult, _, Some((dividend, _))) if dividend == x => Some(Term::FALSE),
            _ => None,
        }
    }

    /// What an operator with one argument is without it.
    fn unary(&self, op: BvOp, x: Term) -> Option<Term> {
        match (op, self.op(x), self.args(x)) {
            (BvOp::Not, Op::Bv(BvOp::Not), &[y]) => Some(y),
            (BvOp::ZeroExtend(0) | BvOp::SignExtend(0) | BvOp::Repeat(1), ..) => Some(x),
            _ => None,
        }
    }

    /// Bits of the term that they come from: `x` may put terms together, extend or cut them.
    fn extract(&self, mut x: Term, mut hi: u32, mut lo: u32) -> Term {
        loop {
            let whole = lo == 0 && hi + 1 == self.bit_width(x);
            x = match (self.op(x), self.args(x)) {
                _ if whole => return x,
                (Op::Bv(BvOp::Extract { lo: from, .. }), &[y]) => {
                    (hi, lo) = (hi + from, lo + from);
                    y
                }
                (Op::Bv(BvOp::ZeroExtend(_) | BvOp::SignExtend(_)), &[y])
                    if hi < self.bit_width(y) =>
                {
                    y
                }
                (Op::Bv(BvOp::Concat), &[_, low]) if hi < self.bit_width(low) => low,
                (Op::Bv(BvOp::Concat), &[high, low]) if lo >= self.bit_width(low) => {
                    let below = self.bit_width(low);
                    (hi, lo) = (hi - below, lo - below);
                    high
                }
                _ => {
                    let (op, sort) = (BvOp::Extract { hi, lo }, self.bitvec_sort(hi - lo + 1));
                    let folded = self.folded(op, sort, &[x]);
                    return folded
                        .or_else(|| self.by_what_is_known(op, &[x]))
                        .unwrap_or_else(|| self.make(Op::Bv(op), sort, &[x]));
                }
            };
        }
    }
}
