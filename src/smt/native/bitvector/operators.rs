//! The operators of SMT-LIB on words.

use super::arithmetic::{complement, differ, less, negation, product, sum};
use super::division::{divide, signed_modulus, signed_quotient, signed_remainder};
use super::shifts::{Direction, shift};
use super::{Circuit, Word};
use crate::smt::native::literal::Lit;
use crate::term::BvOp;
use std::iter::{repeat_n, zip};

/// The result of an operator that makes a bit-vector of bit-vectors.
pub(in super::super) fn word<C: Circuit>(c: &mut C, op: BvOp, args: &[&[Lit]]) -> Word {
    let (x, y) = (args[0], args[args.len() - 1]);
    let sign = x[x.len() - 1];
    let zero = c.constant(false);
    match op {
        BvOp::Not => complement(x),
        BvOp::And => fold(c, args, |c, x, y| bitwise(c, x, y, C::and)),
        BvOp::Or => fold(c, args, |c, x, y| bitwise(c, x, y, C::or)),
        BvOp::Xor => fold(c, args, |c, x, y| bitwise(c, x, y, C::xor)),
        BvOp::Add => fold(c, args, |c, x, y| sum(c, x, y, zero)),
        BvOp::Mul => fold(c, args, product),
        BvOp::Neg => negation(c, x),
        BvOp::Udiv => divide(c, x, y).0,
        BvOp::Urem => divide(c, x, y).1,
        BvOp::Sdiv => signed_quotient(c, x, y),
        BvOp::Srem => signed_remainder(c, x, y),
        BvOp::Smod => signed_modulus(c, x, y),
        BvOp::Shl => shift(c, x, y, Direction::Left, zero),
        BvOp::Lshr => shift(c, x, y, Direction::Right, zero),
        BvOp::Ashr => shift(c, x, y, Direction::Right, sign),
        BvOp::Concat => [y, x].concat(),
        BvOp::Extract { hi, lo } => x[lo as usize..=hi as usize].to_vec(),
        BvOp::ZeroExtend(more) => extended(x, more, zero),
        BvOp::SignExtend(more) => extended(x, more, sign),
        BvOp::RotateLeft(places) => rotated(x, x.len() - places as usize % x.len()),
        BvOp::RotateRight(places) => rotated(x, places as usize % x.len()),
        BvOp::Repeat(copies) => x.repeat(copies as usize),
        BvOp::Comp => vec![!differ(c, x, y)],
        BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle | BvOp::ToNat | BvOp::FromInt(_) => {
            unreachable!("{op:?} is between bit-vectors and another sort")
        }
    }
}

/// An order of two bit-vectors.
pub(in super::super) fn predicate<C: Circuit>(c: &mut C, op: BvOp, x: &[Lit], y: &[Lit]) -> Lit {
    let strict = matches!(op, BvOp::Ult | BvOp::Slt);
    if matches!(op, BvOp::Ult | BvOp::Ule) {
        return less(c, x, y, strict);
    }
    // With the sign complemented, the order is that of numbers without signs.
    let shifted = |x: &[Lit]| {
        let mut shifted = x.to_vec();
        if let Some(sign) = shifted.last_mut() {
            *sign = !*sign;
        }
        shifted
    };
    less(c, &shifted(x), &shifted(y), strict)
}

/// An associative operator on two arguments or more, from the first on.
fn fold<C: Circuit>(
    c: &mut C,
    args: &[&[Lit]],
    mut both: impl FnMut(&mut C, &[Lit], &[Lit]) -> Word,
) -> Word {
    let first = args[0].to_vec();
    args[1..]
        .iter()
        .fold(first, |before, arg| both(c, &before, arg))
}

fn bitwise<C: Circuit>(
    c: &mut C,
    x: &[Lit],
    y: &[Lit],
    gate: impl Fn(&mut C, Lit, Lit) -> Lit,
) -> Word {
    zip(x, y).map(|(&a, &b)| gate(c, a, b)).collect()
}

fn extended(x: &[Lit], more: u32, by: Lit) -> Word {
    let x = x.iter().copied();
    x.chain(repeat_n(by, more as usize)).collect()
}

/// The word from that bit on, and the bits below it after it.
fn rotated(x: &[Lit], from: usize) -> Word {
    let (low, high) = x.split_at(from);
    [high, low].concat()
}
