//! The promises of [`Op`] and [`BvOp`], as functions for debug assertions.

use super::{BvOp, Op, Sort, SortKind, Term, Terms};

/// Of wide connectives, as many arguments as this are compared with each other.
const COMPARED: usize = 16;

impl Terms {
    /// Are the number and the sorts of the arguments those of the operator, and is the sort that of
    /// its result?
    pub(super) fn is_well_sorted(&self, op: Op, sort: Sort, args: &[Term]) -> bool {
        let is = |x: Term, s: Sort| self.sort_of(x) == s;
        let all = |s: Sort| args.iter().all(|&x| is(x, s));
        match (op, args) {
            (Op::Var(_), []) => true,
            (Op::True | Op::False, []) => sort == Sort::BOOL,
            (Op::Number(id), []) => {
                sort == Sort::REAL || sort == Sort::INT && self.number_value(id).is_integer()
            }
            (Op::Apply(func), _) => {
                let decl = self.func(func);
                let params = decl.params.iter().copied();
                sort == decl.result && params.eq(args.iter().map(|&x| self.sort_of(x)))
            }
            (Op::Not, [_]) | (Op::And | Op::Or, [_, _, ..]) => sort == Sort::BOOL && all(sort),
            (Op::Eq, &[x, y]) => sort == Sort::BOOL && self.sort_of(x) == self.sort_of(y),
            (Op::Ite, &[cond, x, y]) => is(cond, Sort::BOOL) && is(x, sort) && is(y, sort),
            (Op::Forall | Op::Exists, [bound @ .., body]) => {
                let vars = bound.iter().all(|&x| self.is_var(x));
                sort == Sort::BOOL && is(*body, sort) && vars && !bound.is_empty()
            }
            (Op::Add | Op::Mul, [_, _, ..]) => sort.is_arith() && all(sort),
            (Op::Div, [_, _]) => sort == Sort::REAL && all(sort),
            (Op::IDiv | Op::Mod, [_, _]) | (Op::Abs, [_]) => sort == Sort::INT && all(sort),
            (Op::Le | Op::Lt, &[x, _]) => {
                sort == Sort::BOOL && self.sort_of(x).is_arith() && all(self.sort_of(x))
            }
            (Op::ToReal, [_]) => sort == Sort::REAL && all(Sort::INT),
            (Op::ToInt, [_]) => sort == Sort::INT && all(Sort::REAL),
            (Op::IsInt, [_]) => sort == Sort::BOOL && all(Sort::REAL),
            (Op::Bv(op), _) => self.is_well_sorted_word(op, sort, args),
            _ => self.is_well_sorted_structure(op, sort, args),
        }
    }

    /// As [`Terms::is_well_sorted`], of arrays, datatypes and literals of bit-vectors.
    fn is_well_sorted_structure(&self, op: Op, sort: Sort, args: &[Term]) -> bool {
        let sort_of = |x: Term| self.sort_of(x);
        match (op, args) {
            (Op::BitVec(id), []) => self.bitvec_width(sort).is_some_and(|width| {
                let value = self.number_value(id);
                value.is_integer()
                    && !value.is_negative()
                    && value.bit_length() <= u64::from(width) + 1
            }),
            (Op::Select, &[array, index]) => {
                self.array_parts(sort_of(array)) == Some((sort_of(index), sort))
            }
            (Op::Store, &[array, index, value]) => {
                sort_of(array) == sort
                    && self.array_parts(sort) == Some((sort_of(index), sort_of(value)))
            }
            (Op::ConstArray, &[value]) => {
                (self.array_parts(sort)).is_some_and(|(_, element)| element == sort_of(value))
            }
            (Op::Construct(ctor), _) => {
                let fields = self.ctor(ctor).fields.iter();
                let sorts = fields.map(|&field| self.selector(field).sort);
                sort == self.ctor_sort(ctor) && sorts.eq(args.iter().map(|&x| sort_of(x)))
            }
            (Op::Field(selector), &[x]) => {
                let selector = self.selector(selector);
                sort == selector.sort && sort_of(x) == self.ctor_sort(selector.ctor)
            }
            (Op::Is(ctor), &[x]) => sort == Sort::BOOL && sort_of(x) == self.ctor_sort(ctor),
            _ => false,
        }
    }

    /// As [`Terms::is_well_sorted`], of operators on bit-vectors: do the widths fit?
    fn is_well_sorted_word(&self, op: BvOp, sort: Sort, args: &[Term]) -> bool {
        let widths: Option<Vec<u32>> = (args.iter())
            .map(|&x| self.bitvec_width(self.sort_of(x)))
            .collect();
        let width = self.bitvec_width(sort);
        if let (BvOp::FromInt(wanted), &[x]) = (op, args) {
            return self.sort_of(x) == Sort::INT && width == Some(wanted);
        }
        let Some(widths) = widths else { return false };
        let alike = widths.windows(2).all(|pair| pair[0] == pair[1]);
        match (op, &widths[..]) {
            (BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle, [_, _]) => sort == Sort::BOOL && alike,
            (BvOp::Comp, [_, _]) => width == Some(1) && alike,
            (BvOp::ToNat, [_]) => sort == Sort::INT,
            (BvOp::Concat, &[high, low]) => width == Some(high + low),
            (BvOp::Extract { hi, lo }, &[from]) => {
                lo <= hi && hi < from && width == Some(hi - lo + 1)
            }
            (BvOp::ZeroExtend(more) | BvOp::SignExtend(more), &[from]) => {
                width == Some(from + more)
            }
            (BvOp::Repeat(times), &[from]) => width == Some(from * times),
            (BvOp::Not | BvOp::Neg | BvOp::RotateLeft(_) | BvOp::RotateRight(_), &[from]) => {
                width == Some(from)
            }
            (BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Add | BvOp::Mul, &[first, _, ..])
            | (
                BvOp::Udiv
                | BvOp::Urem
                | BvOp::Sdiv
                | BvOp::Srem
                | BvOp::Smod
                | BvOp::Shl
                | BvOp::Lshr
                | BvOp::Ashr,
                &[first, _],
            ) => alike && width == Some(first),
            _ => false,
        }
    }

    /// Has an application the normal form that the documentation of its operator promises?
    pub(super) fn is_normal(&self, op: Op, args: &[Term]) -> bool {
        let is_number = |x: Term| self.as_number(x).is_some();
        match (op, args) {
            (Op::Not, &[x]) => {
                let head = self.op(x);
                !matches!(head, Op::Not | Op::True | Op::False | Op::Le | Op::Lt)
            }
            (Op::And | Op::Or, _) => {
                let few = &args[..args.len().min(COMPARED)];
                let different = (few.iter().enumerate()).all(|(i, x)| !few[..i].contains(x));
                let constant = |x: &Term| matches!(*x, Term::TRUE | Term::FALSE);
                different && !args.iter().any(constant) && self.is_flat(op, args)
            }
            (Op::Eq, &[x, y]) => {
                !self.is_distinct_constant(x) && (self.is_distinct_constant(y) || x < y)
            }
            (Op::Ite, &[cond, x, y]) => x != y && !matches!(cond, Term::TRUE | Term::FALSE),
            (Op::Add, [first @ .., last]) => {
                let is_zero = self.as_number(*last).is_some_and(|n| n.is_zero());
                !is_zero && !first.iter().any(|&x| is_number(x)) && self.is_flat(op, args)
            }
            (Op::Mul, [factor, ..]) => {
                let is_idle = |n: &crate::number::Rational| n.is_zero() || n.is_one();
                // Where multiplying out stops at its limits, factors are products.
                !self.as_number(*factor).is_some_and(is_idle)
            }
            (Op::Le | Op::Lt, &[x, y]) => x != y && !(is_number(x) && is_number(y)),
            (Op::Bv(BvOp::Not), &[x]) => self.op(x) != Op::Bv(BvOp::Not),
            (Op::Store, &[array, index, _]) => {
                self.op(array) != Op::Store || self.args(array)[1] != index
            }
            _ => true,
        }
    }

    /// Is no argument a small application of the same operator?
    fn is_flat(&self, op: Op, args: &[Term]) -> bool {
        args.iter().all(|x| self.parts(op, x) == [*x])
    }

    /// Is the sort one whose parts the store has? Bit-vectors have a positive width.
    pub(super) fn is_sort_kind(&self, kind: &SortKind) -> bool {
        match kind {
            SortKind::BitVec(width) => *width > 0,
            _ => true,
        }
    }
}
