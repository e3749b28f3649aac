//! Sums, products and orders of words.

use super::{Circuit, Word};
use crate::smt::native::literal::Lit;
use std::iter::zip;

/// The complement.
pub(super) fn complement(x: &[Lit]) -> Word {
    x.iter().map(|&bit| !bit).collect()
}

/// `x + y + carry`, by a chain of full adders.
pub(super) fn sum<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit], carry: Lit) -> Word {
    debug_assert_eq!(x.len(), y.len(), "words of one width are added");
    let mut carry = carry;
    let mut sum = Word::with_capacity(x.len());
    for (&a, &b) in zip(x, y) {
        let half = c.xor(a, b);
        let bit = c.xor(half, carry);
        sum.push(bit);
        // The carry out of the last bit is lost.
        if sum.len() < x.len() {
            carry = c.majority(a, b, carry);
        }
    }
    sum
}

/// `-x`.
pub(super) fn negation<C: Circuit>(c: &mut C, x: &[Lit]) -> Word {
    let (zero, one) = (c.constant(false), c.constant(true));
    sum(c, &complement(x), &vec![zero; x.len()], one)
}

/// `-x` if the condition holds, else `x`.
pub(super) fn negation_if<C: Circuit>(c: &mut C, condition: Lit, x: &[Lit]) -> Word {
    let negative = negation(c, x);
    choice(c, condition, &negative, x)
}

/// `x` if the condition holds, else `y`.
pub(super) fn choice<C: Circuit>(c: &mut C, condition: Lit, x: &[Lit], y: &[Lit]) -> Word {
    debug_assert_eq!(x.len(), y.len(), "the choice is between words of one width");
    zip(x, y).map(|(&a, &b)| c.mux(condition, a, b)).collect()
}

/// `x · y`, as the sum of `x`, shifted, for each bit of `y`; of a constant `y` for each of its
/// signed digits.
pub(super) fn product<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit]) -> Word {
    debug_assert_eq!(x.len(), y.len(), "words of one width are multiplied");
    let (zero, one) = (c.constant(false), c.constant(true));
    let mut total = vec![zero; x.len()];
    if y.iter().all(|&digit| digit == zero || digit == one) {
        let bits: Vec<bool> = y.iter().map(|&digit| digit == one).collect();
        for (i, digit) in signed_digits(&bits).into_iter().enumerate() {
            let shifted = &x[..x.len() - i];
            let high = match digit {
                Digit::Zero => continue,
                Digit::One => sum(c, &total[i..], shifted, zero),
                Digit::MinusOne => sum(c, &total[i..], &complement(shifted), one),
            };
            total.truncate(i);
            total.extend(high);
            debug_assert_eq!(
                total.len(),
                x.len(),
                "a product has the width of its factors"
            );
        }
        return total;
    }
    for (i, &digit) in y.iter().enumerate() {
        if digit == zero {
            continue;
        }
        let part: Word = x[..x.len() - i].iter().map(|&a| c.and(digit, a)).collect();
        let high = sum(c, &total[i..], &part, zero);
        total.truncate(i);
        total.extend(high);
    }
    total
}

/// A digit of a number to base 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Digit {
    Zero,
    One,
    MinusOne,
}

/// A number modulo `2^width` with signed digits, no two neighbours of which are not zero
/// (Reitwiesner's form), from its bits. So `-1` has one digit, and a constant of `n` bits at most
/// `n/2 + 1` that are not zero.
fn signed_digits(bits: &[bool]) -> Vec<Digit> {
    let mut carry = false;
    let digit = |(i, &bit): (usize, &bool)| {
        if bit == carry {
            return Digit::Zero;
        }
        carry = bits.get(i + 1) == Some(&true);
        if carry { Digit::MinusOne } else { Digit::One }
    };
    let digits: Vec<Digit> = bits.iter().enumerate().map(digit).collect();
    debug_assert!(
        digits.windows(2).all(|pair| pair.contains(&Digit::Zero)),
        "one of two neighbours is zero"
    );
    digits
}

/// `x < y`, or `x ≤ y` if not strict, without signs: the carry of `¬x + y`, where a carry comes in
/// if not strict.
pub(super) fn less<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit], strict: bool) -> Lit {
    debug_assert_eq!(x.len(), y.len(), "words of one width are compared");
    let equal = c.constant(!strict);
    zip(x, y).fold(equal, |less, (&a, &b)| c.majority(!a, b, less))
}

/// Do two words differ?
pub(super) fn differ<C: Circuit>(c: &mut C, x: &[Lit], y: &[Lit]) -> Lit {
    debug_assert_eq!(x.len(), y.len(), "words of one width are compared");
    let none = c.constant(false);
    zip(x, y).fold(none, |before, (&a, &b)| {
        let here = c.xor(a, b);
        c.or(before, here)
    })
}
