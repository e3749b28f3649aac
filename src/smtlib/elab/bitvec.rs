//! Bit-vectors: literals and functions without indices.

use super::Elaborator;
use super::builtin::Builtin;
use super::error::ElabError;
use crate::chc::Span;
use crate::number::Rational;
use crate::smtlib::ast::Op;
use crate::smtlib::source::Source;
use crate::term::{BvOp, Symbol, Term, Terms};
use num_bigint::BigInt;
use num_traits::One as _;
use smallvec::SmallVec;

impl Elaborator<'_> {
    /// `#xf0` and `#b01`.
    pub(super) fn bit_literal(
        &mut self,
        source: &Source,
        op: Op,
        span: Span,
    ) -> Result<(), ElabError> {
        let digits = &source.slice(span)[2..];
        let (radix, bits) = if op == Op::Hexadecimal {
            (16, 4)
        } else {
            (2, 1)
        };
        let width = self.checked_width(digits.len() as u64 * bits, span)?;
        let value = BigInt::parse_bytes(digits.as_bytes(), radix).expect("the lexer knows digits");
        self.push_term(self.t.bitvec(&value, width), span);
        Ok(())
    }

    /// A function on bit-vectors, applied to the last `count` values, which stay on the stack.
    pub(super) fn bit_vector(
        &mut self,
        symbol: Symbol,
        builtin: Builtin,
        count: usize,
        span: Span,
    ) -> Result<Term, ElabError> {
        let t = self.t;
        let (least, most, expected) = match builtin {
            Builtin::BvUnary(_) | Builtin::BvReduce(_) | Builtin::BvToNat | Builtin::BvToInt => {
                (1, 1, "1 argument")
            }
            Builtin::BvOverflow(overflow, _) if overflow.operands() == 1 => (1, 1, "1 argument"),
            Builtin::BvNary(_) | Builtin::Concat => (1, usize::MAX, "1 or more arguments"),
            Builtin::BvNegated(_) => (2, usize::MAX, "2 or more arguments"),
            _ => (2, 2, "2 arguments"),
        };
        if count < least || count > most {
            return Err(self.arity(symbol, expected, count, span));
        }
        let args = self.vectors(symbol, builtin == Builtin::Concat, count)?;
        Ok(match builtin {
            Builtin::BvUnary(op) | Builtin::BvBinary(op) => t.bv(op, &args),
            Builtin::BvNary(op) => many(&args, |args| t.bv(op, args)),
            Builtin::BvNegated(op) => t.bv(BvOp::Not, &[t.bv(op, &args)]),
            Builtin::BvCompare(op, turned) => {
                let (x, y) = if turned {
                    (args[1], args[0])
                } else {
                    (args[0], args[1])
                };
                t.bv(op, &[x, y])
            }
            Builtin::BvOverflow(overflow, complement) => {
                let width = t.bitvec_width(t.sort_of(args[0])).unwrap_or(1);
                if overflow.is_product() {
                    self.checked_width(2 * u64::from(width), span)?;
                }
                let formula = overflow.formula(t, &args);
                if complement { t.not(formula) } else { formula }
            }
            Builtin::BvReduce(op) => reduced(t, op, args[0]),
            Builtin::BvSub => t.bv(BvOp::Add, &[args[0], t.bv(BvOp::Neg, &[args[1]])]),
            Builtin::Concat => {
                let (&first, rest) = args.split_first().expect("there are arguments");
                rest.iter()
                    .fold(first, |left, &right| t.bv(BvOp::Concat, &[left, right]))
            }
            Builtin::BvToNat => t.bv(BvOp::ToNat, &args),
            Builtin::BvToInt => self.signed_value(args[0]),
            _ => unreachable!("the caller sends functions on bit-vectors"),
        })
    }

    /// The number that a vector denotes in two's complement.
    fn signed_value(&self, vector: Term) -> Term {
        let t = self.t;
        let width = t.bitvec_width(t.sort_of(vector)).expect("a bit-vector");
        let natural = t.bv(BvOp::ToNat, &[vector]);
        let zero = t.bitvec(&BigInt::ZERO, width);
        let modulus = t.number(
            Rational::from(BigInt::one() << width),
            crate::term::Sort::INT,
        );
        t.ite(
            t.bv(BvOp::Slt, &[vector, zero]),
            t.sub(natural, modulus),
            natural,
        )
    }

    /// The last `count` values as bit-vectors, of one width unless any will do.
    fn vectors(
        &mut self,
        symbol: Symbol,
        any_width: bool,
        count: usize,
    ) -> Result<SmallVec<[Term; 4]>, ElabError> {
        let t = self.t;
        let from = self.args_from(count);
        let mut args: SmallVec<[Term; 4]> = SmallVec::with_capacity(count);
        let mut total: u64 = 0;
        for at in from..from + count {
            let term = self.closed(at)?;
            let Some(width) = t.bitvec_width(t.sort_of(term)) else {
                return Err(self.argument(symbol, from, at, "a bit-vector"));
            };
            if let Some(&first) = args.first()
                && !any_width
                && t.sort_of(first) != t.sort_of(term)
            {
                return Err(self.argument(symbol, from, at, &self.sort_text(t.sort_of(first))));
            }
            total += u64::from(width);
            args.push(term);
        }
        if any_width {
            self.checked_width(total, self.stack[from].1)?;
        }
        Ok(args)
    }
}

/// One bit: are all bits of a vector 1, or for a disjunction, is one of them?
fn reduced(t: &Terms, op: BvOp, vector: Term) -> Term {
    let width = t.bitvec_width(t.sort_of(vector)).expect("a bit-vector");
    let [zero, one] = [0, 1].map(|bit| t.bitvec(&BigInt::from(bit), 1));
    let is = |value: BigInt| t.eq(vector, t.bitvec(&value, width));
    match op {
        BvOp::And => t.ite(is(BigInt::from(-1)), one, zero),
        _ => t.ite(is(BigInt::ZERO), zero, one),
    }
}

/// An associative operator on one or more vectors.
fn many(args: &[Term], build: impl Fn(&[Term]) -> Term) -> Term {
    match *args {
        [x] => x,
        _ => build(args),
    }
}
