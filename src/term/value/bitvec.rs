//! Bit-vectors and their operators, as in SMT-LIB's theory `FixedSizeBitVectors`: total, also for
//! divisors that are zero and shifts that are wider than the vector.

use super::Value;
use crate::number::Rational;
use crate::term::BvOp;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// A bit-vector of a positive width. The order is by width, then unsigned.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitVec {
    width: u32,
    /// The unsigned value. Invariant: below `2^width`.
    bits: BigUint,
}

/// `2^exponent`.
fn power_of_two(exponent: u32) -> BigUint {
    BigUint::one() << exponent
}

impl BitVec {
    /// The bit-vector of that width, positive, that denotes `value` modulo `2^width`.
    pub fn new(value: BigUint, width: u32) -> BitVec {
        assert!(width > 0, "a bit-vector has at least one bit");
        let bits = if value.bits() <= u64::from(width) {
            value
        } else {
            value % power_of_two(width)
        };
        BitVec { width, bits }
    }

    /// The bit-vector of that width, positive, that denotes an integer modulo `2^width`.
    pub fn from_int(value: &BigInt, width: u32) -> BitVec {
        let residue = value.mod_floor(&BigInt::from(power_of_two(width)));
        let (_, bits) = residue.into_parts();
        BitVec::new(bits, width)
    }

    /// Is this bit set? The least significant one has index 0.
    pub fn is_set(&self, index: u32) -> bool {
        self.bits.bit(u64::from(index))
    }

    /// The natural number that the bits denote.
    pub fn to_nat(&self) -> Rational {
        Rational::from(BigInt::from(self.bits.clone()))
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number that the bits denote without a sign.
    pub fn unsigned(&self) -> &BigUint {
        &self.bits
    }

    /// The number that the bits denote in two's complement.
    pub fn signed(&self) -> BigInt {
        let value = BigInt::from(self.bits.clone());
        if self.is_negative() {
            value - BigInt::from(power_of_two(self.width))
        } else {
            value
        }
    }

    /// The most significant bit.
    fn is_negative(&self) -> bool {
        self.bits.bit(u64::from(self.width) - 1)
    }

    /// A vector of the same width, of the bits of `value` that fit.
    fn like(&self, value: BigUint) -> BitVec {
        BitVec::new(value, self.width)
    }

    fn all_ones(&self) -> BigUint {
        power_of_two(self.width) - 1u32
    }

    fn complement(&self) -> BitVec {
        self.like(self.all_ones() - &self.bits)
    }

    fn negate(&self) -> BitVec {
        self.like(power_of_two(self.width) - &self.bits)
    }

    /// The absolute value of the signed number, read without a sign.
    fn magnitude(&self) -> BitVec {
        if self.is_negative() {
            self.negate()
        } else {
            self.clone()
        }
    }

    fn negate_if(self, condition: bool) -> BitVec {
        if condition { self.negate() } else { self }
    }

    fn udiv(&self, divisor: &BitVec) -> BitVec {
        if divisor.bits.is_zero() {
            self.like(self.all_ones())
        } else {
            self.like(&self.bits / &divisor.bits)
        }
    }

    fn urem(&self, divisor: &BitVec) -> BitVec {
        if divisor.bits.is_zero() {
            self.clone()
        } else {
            self.like(&self.bits % &divisor.bits)
        }
    }

    fn sdiv(&self, divisor: &BitVec) -> BitVec {
        let quotient = self.magnitude().udiv(&divisor.magnitude());
        quotient.negate_if(self.is_negative() != divisor.is_negative())
    }

    fn srem(&self, divisor: &BitVec) -> BitVec {
        let remainder = self.magnitude().urem(&divisor.magnitude());
        remainder.negate_if(self.is_negative())
    }

    fn smod(&self, divisor: &BitVec) -> BitVec {
        let remainder = self.srem(divisor);
        if remainder.bits.is_zero() || self.is_negative() == divisor.is_negative() {
            remainder
        } else {
            self.like(remainder.bits + &divisor.bits)
        }
    }

    /// By how many places to shift; `None` for the width or more.
    fn shift_amount(&self) -> Option<u32> {
        self.bits.to_u32().filter(|&places| places < self.width)
    }

    fn shl(&self, places: &BitVec) -> BitVec {
        match places.shift_amount() {
            Some(places) => self.like(&self.bits << places),
            None => self.like(BigUint::zero()),
        }
    }

    fn lshr(&self, places: &BitVec) -> BitVec {
        match places.shift_amount() {
            Some(places) => self.like(&self.bits >> places),
            None => self.like(BigUint::zero()),
        }
    }

    fn ashr(&self, places: &BitVec) -> BitVec {
        // Shifting the complement moves zeros in where ones must come.
        if self.is_negative() {
            self.complement().lshr(places).complement()
        } else {
            self.lshr(places)
        }
    }

    fn concat(&self, low: &BitVec) -> BitVec {
        BitVec::new(
            (&self.bits << low.width) | &low.bits,
            self.width + low.width,
        )
    }

    fn extract(&self, hi: u32, lo: u32) -> BitVec {
        BitVec::new(&self.bits >> lo, hi - lo + 1)
    }

    fn sign_extend(&self, more: u32) -> BitVec {
        let width = self.width + more;
        if self.is_negative() {
            let high = power_of_two(width) - power_of_two(self.width);
            BitVec::new(high | &self.bits, width)
        } else {
            BitVec::new(self.bits.clone(), width)
        }
    }

    fn rotate_left(&self, places: u32) -> BitVec {
        let places = places % self.width;
        self.like((&self.bits << places) | (&self.bits >> (self.width - places)))
    }

    /// The bits `copies` times: a product with 1…1…1, ones a width apart.
    fn repeat(&self, copies: u32) -> BitVec {
        let width = self.width * copies;
        let ones = (power_of_two(width) - 1u32) / self.all_ones();
        BitVec::new(&self.bits * ones, width)
    }

    /// An operator whose arguments are bit-vectors of widths that fit; all but [`BvOp::FromInt`].
    pub(in crate::term) fn apply(op: BvOp, args: &[&BitVec]) -> Value {
        let (x, y) = (args[0], args[args.len() - 1]);
        let fold = |f: fn(&BigUint, &BigUint) -> BigUint| {
            let rest = args[1..].iter();
            rest.fold(x.clone(), |sum, arg| x.like(f(&sum.bits, &arg.bits)))
        };
        let result = match op {
            BvOp::Not => x.complement(),
            BvOp::And => fold(|a, b| a & b),
            BvOp::Or => fold(|a, b| a | b),
            BvOp::Xor => fold(|a, b| a ^ b),
            BvOp::Neg => x.negate(),
            BvOp::Add => fold(|a, b| a + b),
            BvOp::Mul => fold(|a, b| a * b),
            BvOp::Udiv => x.udiv(y),
            BvOp::Urem => x.urem(y),
            BvOp::Sdiv => x.sdiv(y),
            BvOp::Srem => x.srem(y),
            BvOp::Smod => x.smod(y),
            BvOp::Shl => x.shl(y),
            BvOp::Lshr => x.lshr(y),
            BvOp::Ashr => x.ashr(y),
            BvOp::Concat => x.concat(y),
            BvOp::Extract { hi, lo } => x.extract(hi, lo),
            BvOp::ZeroExtend(more) => BitVec::new(x.bits.clone(), x.width + more),
            BvOp::SignExtend(more) => x.sign_extend(more),
            BvOp::RotateLeft(places) => x.rotate_left(places),
            BvOp::RotateRight(places) => x.rotate_left(x.width - places % x.width),
            BvOp::Repeat(copies) => x.repeat(copies),
            BvOp::Comp => BitVec::new(u32::from(x == y).into(), 1),
            BvOp::Ult => return Value::Bool(x.bits < y.bits),
            BvOp::Ule => return Value::Bool(x.bits <= y.bits),
            BvOp::Slt => return Value::Bool(x.signed() < y.signed()),
            BvOp::Sle => return Value::Bool(x.signed() <= y.signed()),
            BvOp::ToNat => return Value::Number(x.to_nat()),
            BvOp::FromInt(_) => unreachable!("the argument of int2bv is no bit-vector"),
        };
        Value::BitVec(result)
    }
}

/// As SMT-LIB writes it: hexadecimal where the width is a multiple of 4, as in `#x0a`, else binary,
/// as in `#b010`. Other programs read these more often than `(_ bv10 8)`.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.width / 4) as usize {
            digits if self.width.is_multiple_of(4) => write!(f, "#x{:0digits$x}", self.bits),
            _ => write!(f, "#b{:0width$b}", self.bits, width = self.width as usize),
        }
    }
}
