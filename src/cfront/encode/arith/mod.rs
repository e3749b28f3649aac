//! Arithmetic of C as terms, in one of three ways.
//!
//! Over the integers, every value comes with an interval that it is known to be in, so that what
//! wraps around is reduced only where it can leave its type. Bit operations with constants are sums
//! of remainders: `x & 12` is `x mod 16 - x mod 4`, for negative `x`, too, since the remainder of
//! SMT-LIB is that of two's complement.

mod bits;

use crate::cfront::ir::Binary;
use crate::cfront::types::IntType;
use crate::number::Rational;
use crate::term::{BvOp, Sort, Term, Terms};
use num_bigint::BigInt;
use std::cell::{Cell, RefCell};

/// How the integers of C become terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IntMode {
    /// As mathematical integers. Signed arithmetic that leaves its type has no meaning in C; that
    /// of unsigned numbers is taken not to leave it upwards. Whether they do is what
    /// [`super::CheckedProperty`] may ask. Conversions, and differences below zero, are exact.
    #[default]
    Unbounded,
    /// As integers, reduced after each operation where they can leave their type: exactly as
    /// machines compute.
    Wrap,
    /// As bit-vectors.
    BitVector,
}

/// A value: its term, and the interval that it is in. Over bit-vectors the interval is that of the
/// type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Num {
    pub(crate) term: Term,
    pub(crate) lo: i128,
    pub(crate) hi: i128,
}

/// Bounds beyond this are as good as none.
const FAR: i128 = 1 << 120;

/// Conditions under which operations leave their types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Left {
    /// Of unsigned operations, which wrap around.
    pub(crate) unsigned: Vec<Term>,
    /// Of signed ones, which have no meaning then.
    pub(crate) signed: Vec<Term>,
}

impl Left {
    pub(crate) fn all(&self) -> impl Iterator<Item = Term> {
        self.unsigned.iter().chain(&self.signed).copied()
    }
}

/// Builds terms in one of the modes.
pub(crate) struct Arith<'t> {
    pub(crate) t: &'t Terms,
    pub(crate) mode: IntMode,
    /// Is all that is in memory in the range of its type? Else this holds of unsigned and narrow
    /// types only.
    pub(crate) ranged: bool,
    /// What was found since it was last taken.
    left: RefCell<Left>,
    /// Is a floating-point operation over-approximated that is exact over bit-vectors?
    pub(crate) lacks_floats: Cell<bool>,
}

impl<'t> Arith<'t> {
    pub(crate) fn new(t: &'t Terms, mode: IntMode, ranged: bool) -> Self {
        Arith {
            t,
            mode,
            ranged,
            left: RefCell::default(),
            lacks_floats: Cell::new(false),
        }
    }

    pub(crate) fn bits(&self) -> bool {
        self.mode == IntMode::BitVector
    }

    /// The sort of values of a type.
    pub(crate) fn sort(&self, ty: IntType) -> Sort {
        if self.bits() {
            self.t.bitvec_sort(ty.bits)
        } else {
            Sort::INT
        }
    }

    /// Takes the conditions under which operations leave their types.
    pub(crate) fn take_left(&self) -> Left {
        self.left.take()
    }

    /// What `build` builds is evaluated only where the condition holds: elsewhere none of its
    /// operations leaves its type.
    pub(crate) fn only_if<R>(&self, condition: Term, build: impl FnOnce() -> R) -> R {
        let before = self.left.take();
        let built = build();
        let inner = self.left.replace(before);
        let mut left = self.left.borrow_mut();
        let under = |leaves: Term| self.t.and([condition, leaves]);
        left.unsigned.extend(inner.unsigned.into_iter().map(under));
        left.signed.extend(inner.signed.into_iter().map(under));
        drop(left);
        built
    }

    pub(crate) fn int(&self, value: i128) -> Term {
        self.t
            .number(Rational::from(BigInt::from(value)), Sort::INT)
    }

    pub(crate) fn constant(&self, value: i128, ty: IntType) -> Num {
        let term = if self.bits() {
            self.t.bitvec(&BigInt::from(value), ty.bits)
        } else {
            self.int(value)
        };
        Num {
            term,
            lo: value,
            hi: value,
        }
    }

    /// Any value of a type; a number, if that is what it is.
    pub(crate) fn of(&self, term: Term, ty: IntType) -> Num {
        let number = self.t.as_number(term).and_then(Rational::to_integer);
        let number = number.and_then(|number| i128::try_from(number).ok());
        if let Some(number) = number.filter(|number| (ty.min()..=ty.max()).contains(number)) {
            return Num {
                term,
                lo: number,
                hi: number,
            };
        }
        Num {
            term,
            lo: ty.min(),
            hi: ty.max(),
        }
    }

    /// That a term is in the range of a type; nothing over bit-vectors.
    pub(crate) fn in_range(&self, term: Term, ty: IntType) -> Term {
        if self.bits() {
            if ty.boolean {
                let one = self.t.bitvec(&BigInt::from(1), ty.bits);
                return self.t.bv(BvOp::Ule, &[term, one]);
            }
            return Term::TRUE;
        }
        self.between(term, ty.min(), ty.max())
    }

    /// That an integer is no less than one number and no more than another.
    pub(crate) fn between(&self, term: Term, lo: i128, hi: i128) -> Term {
        let t = self.t;
        t.and([t.le(self.int(lo), term), t.le(term, self.int(hi))])
    }

    /// 1 or 0.
    pub(crate) fn number_of(&self, truth: Term, ty: IntType) -> Num {
        let (one, zero) = (self.constant(1, ty), self.constant(0, ty));
        Num {
            term: self.t.ite(truth, one.term, zero.term),
            lo: 0,
            hi: 1,
        }
    }

    /// Other than 0?
    pub(crate) fn truth(&self, a: Num, ty: IntType) -> Term {
        let zero = self.constant(0, ty).term;
        self.t.not(self.t.eq(a.term, zero))
    }

    pub(crate) fn choose(&self, condition: Term, a: Num, b: Num) -> Num {
        Num {
            term: self.t.ite(condition, a.term, b.term),
            lo: a.lo.min(b.lo),
            hi: a.hi.max(b.hi),
        }
    }

    pub(crate) fn compare(&self, op: Binary, a: Num, b: Num, ty: IntType) -> Term {
        let t = self.t;
        if self.bits() {
            let (lt, le) = if ty.signed {
                (BvOp::Slt, BvOp::Sle)
            } else {
                (BvOp::Ult, BvOp::Ule)
            };
            return match op {
                Binary::Lt => t.bv(lt, &[a.term, b.term]),
                Binary::Le => t.bv(le, &[a.term, b.term]),
                Binary::Eq => t.eq(a.term, b.term),
                _ => t.not(t.eq(a.term, b.term)),
            };
        }
        match op {
            Binary::Lt if a.hi < b.lo => Term::TRUE,
            Binary::Le if a.hi <= b.lo => Term::TRUE,
            Binary::Lt if a.lo >= b.hi => Term::FALSE,
            Binary::Le if a.lo > b.hi => Term::FALSE,
            Binary::Eq if a.hi < b.lo || b.hi < a.lo => Term::FALSE,
            Binary::Ne if a.hi < b.lo || b.hi < a.lo => Term::TRUE,
            Binary::Lt => t.lt(a.term, b.term),
            Binary::Le => t.le(a.term, b.term),
            Binary::Eq => t.eq(a.term, b.term),
            _ => t.not(t.eq(a.term, b.term)),
        }
    }

    /// The value converted to a type, exactly in every mode.
    pub(crate) fn convert(&self, a: Num, from: IntType, to: IntType) -> Num {
        if to.boolean {
            if from.boolean {
                return a;
            }
            return self.number_of(self.truth(a, from), to);
        }
        if !self.bits() {
            return self.reduce(a, to);
        }
        let term = match to.bits.cmp(&from.bits) {
            std::cmp::Ordering::Equal => a.term,
            std::cmp::Ordering::Less => self.t.bv(
                BvOp::Extract {
                    hi: to.bits - 1,
                    lo: 0,
                },
                &[a.term],
            ),
            std::cmp::Ordering::Greater => {
                let by = to.bits - from.bits;
                let op = if from.signed {
                    BvOp::SignExtend(by)
                } else {
                    BvOp::ZeroExtend(by)
                };
                self.t.bv(op, &[a.term])
            }
        };
        self.of(term, to)
    }

    /// The value of a type that is congruent to an integer.
    pub(super) fn reduce(&self, a: Num, ty: IntType) -> Num {
        let (t, min, max, modulus) = (self.t, ty.min(), ty.max(), ty.modulus());
        if a.lo >= min && a.hi <= max {
            return a;
        }
        let period = self.int(modulus);
        let term = if a.lo >= min - modulus && a.hi <= max + modulus {
            let mut term = a.term;
            if a.hi > max {
                term = t.ite(t.lt(self.int(max), a.term), t.sub(a.term, period), term);
            }
            if a.lo < min {
                term = t.ite(t.lt(a.term, self.int(min)), t.add([a.term, period]), term);
            }
            term
        } else if ty.signed {
            let half = self.int(modulus / 2);
            t.sub(t.modulo(t.add([a.term, half]), period), half)
        } else {
            t.modulo(a.term, period)
        };
        self.of(term, ty)
    }

    /// The result of an operation as its type holds it.
    fn fit(&self, a: Num, ty: IntType) -> Num {
        if a.lo >= ty.min() && a.hi <= ty.max() {
            return a;
        }
        match (self.mode, ty.signed) {
            (IntMode::Unbounded, true) => {
                let t = self.t;
                let below = t.lt(a.term, self.int(ty.min()));
                let above = t.lt(self.int(ty.max()), a.term);
                self.left.borrow_mut().signed.push(t.or([below, above]));
            }
            (IntMode::Unbounded, false) => {
                if a.lo < 0 {
                    return self.reduce(a, ty);
                }
                let wraps = self.t.lt(self.int(ty.max()), a.term);
                self.left.borrow_mut().unsigned.push(wraps);
            }
            _ => return self.reduce(a, ty),
        }
        Num {
            lo: a.lo.clamp(ty.min(), ty.max()),
            hi: a.hi.clamp(ty.min(), ty.max()),
            ..a
        }
    }

    pub(crate) fn negate(&self, a: Num, ty: IntType) -> Num {
        if self.bits() {
            return self.of(self.t.bv(BvOp::Neg, &[a.term]), ty);
        }
        let raw = Num {
            term: self.t.neg(a.term),
            lo: -a.hi,
            hi: -a.lo,
        };
        self.fit(raw, ty)
    }

    pub(crate) fn complement(&self, a: Num, ty: IntType) -> Num {
        if self.bits() {
            return self.of(self.t.bv(BvOp::Not, &[a.term]), ty);
        }
        // Over the integers `~x` is `-x - 1`, which conversion brings back into an unsigned type.
        self.reduce(self.inverted(a), ty)
    }

    /// `-x - 1`.
    fn inverted(&self, a: Num) -> Num {
        let t = self.t;
        Num {
            term: t.sub(self.int(-1), a.term),
            lo: -1 - a.hi,
            hi: -1 - a.lo,
        }
    }

    /// An operation on two values of a type (of a shift, the amount is of any type); `None` if it
    /// cannot be said exactly.
    pub(crate) fn binary(&self, op: Binary, a: Num, b: Num, ty: IntType) -> Option<Num> {
        if self.bits() {
            return Some(self.bit_vector(op, a, b, ty));
        }
        let t = self.t;
        let raw = match op {
            Binary::Add => Num {
                term: t.add([a.term, b.term]),
                lo: far(a.lo.saturating_add(b.lo)),
                hi: far(a.hi.saturating_add(b.hi)),
            },
            Binary::Sub => Num {
                term: t.sub(a.term, b.term),
                lo: far(a.lo.saturating_sub(b.hi)),
                hi: far(a.hi.saturating_sub(b.lo)),
            },
            Binary::Mul => {
                let ends = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
                let products = ends.map(|(x, y)| far(x.saturating_mul(y)));
                Num {
                    term: t.mul([a.term, b.term]),
                    lo: products.into_iter().min().expect("four products"),
                    hi: products.into_iter().max().expect("four products"),
                }
            }
            Binary::Div | Binary::Rem => return Some(self.fit(self.divide(op, a, b), ty)),
            Binary::Shl | Binary::Shr => return self.shift(op, a, b, ty),
            Binary::And | Binary::Or | Binary::Xor => return self.bitwise(op, a, b, ty),
            _ => return None,
        };
        Some(self.fit(raw, ty))
    }

    /// Division that rounds towards zero: the quotient or remainder of absolute values of the
    /// dividend, with its sign.
    fn divide(&self, op: Binary, a: Num, b: Num) -> Num {
        let t = self.t;
        let plain = |x: Term| match op {
            Binary::Div => t.idiv(x, b.term),
            _ => t.modulo(x, b.term),
        };
        let zero = self.int(0);
        let term = if a.lo >= 0 {
            plain(a.term)
        } else {
            let negative = t.neg(plain(t.neg(a.term)));
            t.ite(t.le(zero, a.term), plain(a.term), negative)
        };
        let size = a.lo.abs().max(a.hi.abs());
        let size = match op {
            Binary::Div => size,
            _ => size.min(b.lo.abs().max(b.hi.abs()) - 1).max(0),
        };
        let positive = a.lo >= 0 && (op == Binary::Rem || b.lo >= 0);
        Num {
            term,
            lo: if positive { 0 } else { -size },
            hi: size,
        }
    }

    fn shift(&self, op: Binary, a: Num, amount: Num, ty: IntType) -> Option<Num> {
        let width = i128::from(ty.bits);
        let (lo, hi) = (amount.lo.max(0), amount.hi.min(width - 1));
        if lo > hi {
            return None;
        }
        let by = |bits: i128| self.shift_by(op, a, bits, ty);
        let mut result = by(hi);
        for bits in (lo..hi).rev() {
            let is = self.t.eq(amount.term, self.int(bits));
            result = self.choose(is, by(bits), result);
        }
        Some(result)
    }

    fn shift_by(&self, op: Binary, a: Num, bits: i128, ty: IntType) -> Num {
        let factor = 1_i128 << bits;
        let t = self.t;
        if op == Binary::Shr {
            return Num {
                term: t.idiv(a.term, self.int(factor)),
                lo: a.lo >> bits,
                hi: a.hi >> bits,
            };
        }
        let raw = Num {
            term: t.mul([self.int(factor), a.term]),
            lo: far(a.lo.saturating_mul(factor)),
            hi: far(a.hi.saturating_mul(factor)),
        };
        // Bits that are shifted out are lost.
        if ty.signed && self.mode == IntMode::Unbounded {
            self.fit(raw, ty)
        } else {
            self.reduce(raw, ty)
        }
    }

    fn bit_vector(&self, op: Binary, a: Num, b: Num, ty: IntType) -> Num {
        let op = match op {
            Binary::Add => BvOp::Add,
            Binary::Sub => {
                let negative = self.t.bv(BvOp::Neg, &[b.term]);
                return self.of(self.t.bv(BvOp::Add, &[a.term, negative]), ty);
            }
            Binary::Mul => BvOp::Mul,
            Binary::Div if ty.signed => BvOp::Sdiv,
            Binary::Div => BvOp::Udiv,
            Binary::Rem if ty.signed => BvOp::Srem,
            Binary::Rem => BvOp::Urem,
            Binary::Shl => BvOp::Shl,
            Binary::Shr if ty.signed => BvOp::Ashr,
            Binary::Shr => BvOp::Lshr,
            Binary::And => BvOp::And,
            Binary::Or => BvOp::Or,
            _ => BvOp::Xor,
        };
        self.of(self.t.bv(op, &[a.term, b.term]), ty)
    }
}

/// A bound that later sums cannot overflow.
fn far(value: i128) -> i128 {
    value.clamp(-FAR, FAR)
}
