//! Bit operations over the integers: by masks as sums of remainders, and bit by bit on small
//! numbers.

use super::{Arith, Num};
use crate::cfront::ir::Binary;
use crate::cfront::types::IntType;

/// Masks with up to 16 runs of ones are taken apart. The value was not tuned.
const RUNS: usize = 16;
/// Bit operations on two variables of up to 8 bits are taken apart. Each bit is a term. The value
/// was not tuned.
const SMALL_BITS: u32 = 8;
impl Arith<'_> {
    /// `&`, `|` or `^`; `None` if it cannot be said exactly.
    pub(super) fn bitwise(&self, op: Binary, a: Num, b: Num, ty: IntType) -> Option<Num> {
        let (a, mask) = match (a.lo == a.hi, b.lo == b.hi) {
            (_, true) => (a, Some(b.lo)),
            (true, _) => (b, Some(a.lo)),
            _ => (a, None),
        };
        let result = match mask {
            Some(mask) => self.with_mask(op, a, mask)?,
            None => self.small_bits(op, a, b)?,
        };
        // An unsigned mask with its highest bit set is no negative number.
        Some(self.reduce(result, ty))
    }

    fn with_mask(&self, op: Binary, a: Num, mask: i128) -> Option<Num> {
        let t = self.t;
        if mask < 0 {
            // By the complement of the mask, which is a natural number.
            let rest = -1 - mask;
            return Some(match op {
                Binary::And => {
                    let taken = self.and_mask(a, rest)?;
                    Num {
                        term: t.sub(a.term, taken.term),
                        lo: a.lo - rest,
                        hi: a.hi,
                    }
                }
                Binary::Or => self.inverted(self.and_mask(self.inverted(a), rest)?),
                _ => self.inverted(self.with_mask(op, a, rest)?),
            });
        }
        let both = self.and_mask(a, mask)?;
        let sum = |times: i128| {
            let taken = t.mul([self.int(times), both.term]);
            t.sub(t.add([a.term, self.int(mask)]), taken)
        };
        let hi = if a.lo >= 0 {
            ones_above(a.hi.max(mask))
        } else {
            a.hi + mask
        };
        Some(match op {
            Binary::And => both,
            Binary::Or => Num {
                term: sum(1),
                lo: a.lo.max(if a.lo >= 0 { mask } else { i128::MIN }),
                hi,
            },
            _ => Num {
                term: sum(2),
                lo: if a.lo >= 0 { 0 } else { a.lo - mask },
                hi,
            },
        })
    }

    /// `x & mask` for a mask that is a natural number: a sum over its runs of ones.
    fn and_mask(&self, a: Num, mask: i128) -> Option<Num> {
        let t = self.t;
        let low_bits = |bits: u32| {
            if a.lo >= 0 && a.hi < 1 << bits {
                a.term
            } else {
                t.modulo(a.term, self.int(1 << bits))
            }
        };
        let (mut at, mut parts) = (0, Vec::new());
        while at < 126 && mask >> at != 0 {
            if mask >> at & 1 == 0 {
                at += 1;
                continue;
            }
            let from = at;
            while mask >> at & 1 == 1 {
                at += 1;
            }
            parts.push(low_bits(at));
            if from > 0 {
                parts.push(t.neg(low_bits(from)));
            }
            if parts.len() > 2 * RUNS {
                return None;
            }
        }
        let term = if parts.is_empty() {
            self.int(0)
        } else {
            t.add(parts)
        };
        let hi = if a.lo >= 0 { mask.min(a.hi) } else { mask };
        Some(Num { term, lo: 0, hi })
    }

    /// A bit operation on two small natural numbers, bit by bit.
    fn small_bits(&self, op: Binary, a: Num, b: Num) -> Option<Num> {
        if a.lo < 0 || b.lo < 0 || a.hi.max(b.hi) >= 1 << SMALL_BITS {
            return None;
        }
        let t = self.t;
        let top = ones_above(a.hi.max(b.hi));
        let bit = |x: Num, at: u32| {
            let shifted = t.idiv(x.term, self.int(1 << at));
            let one_bit = if x.hi >> at <= 1 {
                shifted
            } else {
                t.modulo(shifted, self.int(2))
            };
            t.eq(one_bit, self.int(1))
        };
        let mut parts = Vec::new();
        let mut at = 0;
        while top >> at != 0 {
            let (x, y) = (bit(a, at), bit(b, at));
            let set = match op {
                Binary::And => t.and([x, y]),
                Binary::Or => t.or([x, y]),
                _ => t.xor(x, y),
            };
            parts.push(t.ite(set, self.int(1 << at), self.int(0)));
            at += 1;
        }
        let term = if parts.is_empty() {
            self.int(0)
        } else {
            t.add(parts)
        };
        Some(Num {
            term,
            lo: 0,
            hi: top,
        })
    }
}

/// The smallest number of the form `2^k - 1` that is no less than a natural number.
fn ones_above(value: i128) -> i128 {
    let bits = i128::BITS - value.leading_zeros();
    (1_i128 << bits.min(126)) - 1
}
