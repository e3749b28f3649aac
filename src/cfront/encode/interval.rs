//! Intervals of expressions, as integers that wrap around have them, and what conditions say of
//! variables.

use crate::cfront::float;
use crate::cfront::ir::{Binary, Expr, ExprKind, Lvalue};
use crate::cfront::memory::{Access, Comparison, Memory, PartId};
use crate::cfront::program::Program;
use crate::cfront::types::IntType;
use rustc_hash::FxHashMap;

/// The numbers from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) lo: i128,
    pub(crate) hi: i128,
}

impl Interval {
    pub(crate) fn of(ty: IntType) -> Self {
        Interval {
            lo: ty.min(),
            hi: ty.max(),
        }
    }

    pub(crate) fn constant(value: i128) -> Self {
        Interval {
            lo: value,
            hi: value,
        }
    }

    pub(crate) fn hull(self, other: Interval) -> Self {
        Interval {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    pub(super) fn meet(self, other: Interval) -> Option<Self> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    fn is_in(self, ty: IntType) -> bool {
        debug_assert!(self.lo <= self.hi, "an interval has a value");
        ty.min() <= self.lo && self.hi <= ty.max()
    }

    /// The values after conversion to a type.
    pub(super) fn convert(self, ty: IntType) -> Self {
        let values = match ty.boolean && !self.is_in(ty) {
            true => Interval { lo: 0, hi: 1 },
            false => self.fit(ty),
        };
        debug_assert!(values.is_in(ty), "a converted value is one of the type");
        values
    }

    /// The values of an operation whose result wraps around in a type.
    pub(super) fn fit(self, ty: IntType) -> Self {
        if self.is_in(ty) {
            self
        } else {
            Interval::of(ty)
        }
    }

    /// From the smallest to the largest of these.
    fn from_ends(ends: [i128; 4]) -> Self {
        Interval {
            lo: ends.into_iter().min().expect("four numbers"),
            hi: ends.into_iter().max().expect("four numbers"),
        }
    }
}

/// What is known of variables: intervals narrower than their types.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Intervals {
    narrow: FxHashMap<PartId, Interval>,
}

/// Looks at expressions.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) program: &'a Program,
    pub(super) memory: &'a Memory,
}

impl Intervals {
    pub(crate) fn get(&self, memory: &Memory, part: PartId) -> Interval {
        let narrow = self.narrow.get(&part).copied();
        narrow.unwrap_or_else(|| Interval::of(memory.parts[part.0].ty))
    }

    pub(super) fn set(&mut self, memory: &Memory, part: PartId, value: Interval) {
        let info = &memory.parts[part.0];
        debug_assert!(value.lo <= value.hi, "an interval has a value");
        if info.array || value == Interval::of(info.ty) {
            self.narrow.remove(&part);
        } else {
            self.narrow.insert(part, value);
        }
    }

    pub(super) fn forget(&mut self, part: PartId) {
        self.narrow.remove(&part);
    }

    /// What is known on both of two ways.
    pub(super) fn join(&self, memory: &Memory, other: &Intervals) -> Intervals {
        self.widen(memory, other, &Interval::hull)
    }

    /// What `widen` makes of what was known and what is, as far as it is in types.
    pub(super) fn widen(
        &self,
        memory: &Memory,
        new: &Intervals,
        widen: &dyn Fn(Interval, Interval) -> Interval,
    ) -> Intervals {
        let mut widened = Intervals::default();
        for (&part, &now) in &new.narrow {
            let all = Interval::of(memory.parts[part.0].ty);
            let next = widen(self.get(memory, part), now).meet(all);
            widened.set(memory, part, next.unwrap_or(all));
        }
        widened
    }

    /// Does this say all that the other says?
    pub(super) fn implies(&self, memory: &Memory, other: &Intervals) -> bool {
        other.narrow.iter().all(|(&part, wide)| {
            let own = self.get(memory, part);
            wide.lo <= own.lo && own.hi <= wide.hi
        })
    }
}

impl Look<'_> {
    /// The interval of an expression's values.
    pub(super) fn value(&self, known: &Intervals, e: &Expr) -> Interval {
        let of = |e: &Expr| self.value(known, e);
        let whole = Interval::of(e.ty);
        match &e.kind {
            ExprKind::Const(value) => Interval::constant(*value),
            ExprKind::Load(place) => self.load(known, place, e.ty),
            ExprKind::Neg(a) => {
                let a = of(a);
                let (lo, hi) = (-a.hi, -a.lo);
                Interval { lo, hi }.fit(e.ty)
            }
            ExprKind::Not(_) | ExprKind::Both(..) | ExprKind::Either(..) => {
                Interval { lo: 0, hi: 1 }
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => Interval { lo: 0, hi: 1 },
            ExprKind::Binary(op, a, b) => {
                let result = binary(*op, of(a), of(b));
                result.map_or(whole, |result| result.fit(e.ty))
            }
            ExprKind::Convert(a) => of(a).convert(e.ty),
            ExprKind::Choose(_, a, b) => of(a).hull(of(b)),
            ExprKind::Float(op, operands) => {
                let ranges = operands.iter().map(|operand| {
                    let Interval { lo, hi } = of(operand);
                    ((lo, hi), operand.ty)
                });
                let (lo, hi) = float::bounds(*op, e.ty, &ranges.collect::<Vec<_>>());
                Interval { lo, hi }
            }
            ExprKind::Move(pointer, by, _) if by.as_const() == Some(0) => of(pointer),
            ExprKind::BitNot(_)
            | ExprKind::Address(_)
            | ExprKind::Function(_)
            | ExprKind::Move(..) => whole,
        }
    }

    fn load(&self, known: &Intervals, place: &Lvalue, ty: IntType) -> Interval {
        let of = |part: PartId| known.get(self.memory, part).convert(ty);
        match self.memory.access(self.program, place) {
            Ok(Access::Scalar(part, _)) => of(part),
            Ok(Access::Array(part)) => Interval::of(self.memory.parts[part.0].ty).convert(ty),
            Ok(Access::Element) => {
                let elements = self.memory.elements(self.program, place).into_iter();
                let all = elements.map(|(_, part)| of(part)).reduce(Interval::hull);
                all.unwrap_or(Interval::of(ty))
            }
            Ok(Access::Nowhere) | Err(_) => Interval::of(ty),
        }
    }

    /// What is known where the expression is other than 0 (`wanted`), or 0; `None` where it cannot
    /// be.
    pub(super) fn assume(&self, known: &Intervals, e: &Expr, wanted: bool) -> Option<Intervals> {
        match (&e.kind, wanted) {
            (ExprKind::Not(a), _) => self.assume(known, a, !wanted),
            (ExprKind::Both(a, b), true) | (ExprKind::Either(a, b), false) => {
                let known = self.assume(known, a, wanted)?;
                self.assume(&known, b, wanted)
            }
            (ExprKind::Both(a, b), false) | (ExprKind::Either(a, b), true) if has_floats(e) => {
                match (self.assume(known, a, wanted), self.assume(known, b, wanted)) {
                    (Some(one), Some(other)) => Some(one.join(self.memory, &other)),
                    (one, other) => one.or(other),
                }
            }
            (ExprKind::Convert(a), _) if e.ty.bits >= a.ty.bits || e.ty.boolean => {
                self.assume(known, a, wanted)
            }
            (ExprKind::Float(op, operands), _) if op.is_test() => {
                self.assume_float(known, *op, operands, wanted)
            }
            (ExprKind::Binary(op, a, b), _) if op.is_comparison() => {
                self.compare(known, *op, a, b, wanted)
            }
            (_, false) => self.narrow(known, e, Interval::constant(0)),
            (_, true) => self.differ(known, e, Interval::constant(0)),
        }
    }

    fn compare(
        &self,
        known: &Intervals,
        op: Binary,
        a: &Expr,
        b: &Expr,
        wanted: bool,
    ) -> Option<Intervals> {
        let kind = match op {
            Binary::Lt | Binary::Le => self.memory.order(self.program, a, b),
            _ => self.memory.equality(self.program, a, b),
        };
        if kind != Comparison::Determined {
            return Some(known.clone());
        }
        let at_most = |a: &Expr, b: &Expr, gap: i128| {
            let (low, high) = (self.value(known, a), self.value(known, b));
            let below = Interval {
                lo: low.lo,
                hi: low.hi.min(high.hi - gap),
            };
            let above = Interval {
                lo: high.lo.max(low.lo + gap),
                hi: high.hi,
            };
            if below.lo > below.hi || above.lo > above.hi {
                return None;
            }
            let known = self.narrow(known, a, below)?;
            self.narrow(&known, b, above)
        };
        match (op, wanted) {
            (Binary::Lt, true) => at_most(a, b, 1),
            (Binary::Lt, false) => at_most(b, a, 0),
            (Binary::Le, true) => at_most(a, b, 0),
            (Binary::Le, false) => at_most(b, a, 1),
            (Binary::Eq, true) | (Binary::Ne, false) => {
                let both = self.value(known, a).meet(self.value(known, b))?;
                let known = self.narrow(known, a, both)?;
                self.narrow(&known, b, both)
            }
            _ => {
                let known = self.differ(known, a, self.value(known, b))?;
                self.differ(&known, b, self.value(&known, a))
            }
        }
    }

    /// An expression differs from what has only one value.
    fn differ(&self, known: &Intervals, e: &Expr, other: Interval) -> Option<Intervals> {
        let mut value = self.value(known, e);
        if other.lo != other.hi {
            return Some(known.clone());
        }
        if value.lo == other.lo {
            value.lo += 1;
        }
        if value.hi == other.hi {
            value.hi -= 1;
        }
        if value.lo > value.hi {
            return None;
        }
        self.narrow(known, e, value)
    }

    /// An expression has a value in the interval.
    pub(super) fn narrow(&self, known: &Intervals, e: &Expr, to: Interval) -> Option<Intervals> {
        let value = self.value(known, e).meet(to)?;
        match &e.kind {
            ExprKind::Load(place) => {
                let Ok(Access::Scalar(part, _)) = self.memory.access(self.program, place) else {
                    return Some(known.clone());
                };
                let own = known.get(self.memory, part);
                // The number that was read is the one in memory.
                if !own.is_in(e.ty) || e.ty.boolean {
                    return Some(known.clone());
                }
                let mut known = known.clone();
                known.set(self.memory, part, own.meet(value)?);
                Some(known)
            }
            ExprKind::Convert(a) if !e.ty.boolean && self.value(known, a).is_in(e.ty) => {
                self.narrow(known, a, value)
            }
            ExprKind::Float(op, operands) => {
                match (self.before(known, *op, operands, value), &operands[..]) {
                    (Some(before), [a]) => self.narrow(known, a, before),
                    _ => Some(known.clone()),
                }
            }
            ExprKind::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                let (x, y) = (self.value(known, a), self.value(known, b));
                let sum = binary(*op, x, y);
                let by = if *op == Binary::Add { y.lo } else { -y.lo };
                if y.lo != y.hi || !sum.is_some_and(|sum| sum.is_in(e.ty)) {
                    return Some(known.clone());
                }
                let (lo, hi) = (value.lo - by, value.hi - by);
                self.narrow(known, a, Interval { lo, hi })
            }
            _ => Some(known.clone()),
        }
    }
}

/// Is there an operation on floating-point numbers in an expression?
fn has_floats(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= matches!(part.kind, ExprKind::Float(..)));
    found
}

/// The mathematical results of an operation; `None` where nothing is known of them.
fn binary(op: Binary, a: Interval, b: Interval) -> Option<Interval> {
    let natural = a.lo >= 0 && b.lo >= 0;
    let ends = |of: fn(i128, i128) -> i128| {
        Interval::from_ends([
            of(a.lo, b.lo),
            of(a.lo, b.hi),
            of(a.hi, b.lo),
            of(a.hi, b.hi),
        ])
    };
    Some(match op {
        Binary::Add => Interval {
            lo: a.lo + b.lo,
            hi: a.hi + b.hi,
        },
        Binary::Sub => Interval {
            lo: a.lo - b.hi,
            hi: a.hi - b.lo,
        },
        Binary::Mul => ends(i128::saturating_mul),
        // Division rounds towards zero.
        Binary::Div if b.lo > 0 => ends(|x, y| x / y),
        Binary::Rem if b.lo > 0 => Interval {
            lo: if a.lo >= 0 { 0 } else { a.lo.max(1 - b.hi) },
            hi: if a.hi <= 0 { 0 } else { a.hi.min(b.hi - 1) },
        },
        Binary::Shl if natural && b.lo == b.hi && b.hi < 64 => Interval {
            lo: a.lo.saturating_mul(1 << b.lo),
            hi: a.hi.saturating_mul(1 << b.lo),
        },
        Binary::Shr if b.lo == b.hi && (0..64).contains(&b.lo) => Interval {
            lo: a.lo >> b.lo,
            hi: a.hi >> b.lo,
        },
        Binary::And if natural => Interval {
            lo: 0,
            hi: a.hi.min(b.hi),
        },
        Binary::And if b.lo == b.hi && b.lo >= 0 => Interval { lo: 0, hi: b.hi },
        Binary::Or | Binary::Xor if natural => Interval {
            lo: 0,
            hi: ones_above(a.hi.max(b.hi)),
        },
        _ => return None,
    })
}

/// The smallest number of the form `2^k - 1` that is no less than a natural number.
fn ones_above(value: i128) -> i128 {
    let bits = i128::BITS - value.leading_zeros();
    (1_i128 << bits.min(126)) - 1
}
