//! Quotients and remainders.

use super::arithmetic::{choice, complement, differ, less, negation_if, sum};
use super::{Circuit, Word};
use crate::smt::native::literal::Lit;

/// Quotient and remainder without signs, by restoring division: from the most significant bit on, a
/// bit of `x` enters the rest from below, and `y` is subtracted from the rest if it fits.
///
/// Zero always fits. So the quotient by zero has all bits, and the remainder is `x`, as SMT-LIB
/// demands. A divisor that has a bit for certain is not zero: the rest is smaller than it, and has
/// no bits above its bits. The gates of quotient and remainder are the same, whichever is needed
/// first.
pub(super) fn divide<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit]) -> (Word, Word) {
    let (zero, one) = (c.constant(false), c.constant(true));
    debug_assert_eq!(x.len(), y.len(), "words of one width are divided");
    let width = x.len();
    let minus = complement(y);
    let wide: Word = y.iter().copied().chain([zero]).collect();
    let needed = match y.contains(&one) {
        true => width - y.iter().rev().take_while(|&&bit| bit == zero).count(),
        false => width,
    };
    let mut quotient = vec![zero; width];
    let mut rest = vec![zero; width];
    for i in (0..width).rev() {
        let shifted: Word = [x[i]].into_iter().chain(rest).collect();
        let fits = less(c, &wide, &shifted, false);
        // What is left is less than `y`, or a part of `x`: it has no more bits than they have.
        let kept = &shifted[..needed];
        let smaller = sum(c, kept, &minus[..needed], one);
        rest = choice(c, fits, &smaller, kept);
        rest.resize(width, zero);
        quotient[i] = fits;
    }
    (quotient, rest)
}

/// The signs of two words.
fn signs(x: &[Lit], y: &[Lit]) -> (Lit, Lit) {
    (x[x.len() - 1], y[y.len() - 1])
}

/// Quotient and remainder of the absolute values.
fn divide_magnitudes<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit]) -> (Word, Word) {
    let (of_x, of_y) = signs(x, y);
    let x = negation_if(c, of_x, x);
    let y = negation_if(c, of_y, y);
    divide(c, &x, &y)
}

/// The signed quotient, truncated.
pub(super) fn signed_quotient<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit]) -> Word {
    let (quotient, _) = divide_magnitudes(c, x, y);
    let (of_x, of_y) = signs(x, y);
    let is_negative = c.xor(of_x, of_y);
    negation_if(c, is_negative, &quotient)
}

/// The signed remainder with the sign of the dividend.
pub(super) fn signed_remainder<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit]) -> Word {
    let (_, remainder) = divide_magnitudes(c, x, y);
    let (of_x, _) = signs(x, y);
    negation_if(c, of_x, &remainder)
}

/// The signed remainder with the sign of the divisor: `y` more than the other one where the signs
/// differ and it is not zero.
pub(super) fn signed_modulus<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit]) -> Word {
    let remainder = signed_remainder(c, x, y);
    let zero = c.constant(false);
    let is_some = differ(c, &remainder, &vec![zero; x.len()]);
    let (of_x, of_y) = signs(x, y);
    let signs_differ = c.xor(of_x, of_y);
    let corrects = c.and(signs_differ, is_some);
    let more: Word = y.iter().map(|&bit| c.and(corrects, bit)).collect();
    sum(c, &remainder, &more, zero)
}
