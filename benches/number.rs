//! Multiply-add on [`Rational`] against `BigRational`: the inner step of the simplex tableau.

use divan::{Bencher, black_box};
use horn::number::Rational;
use num_rational::BigRational;

const TERMS: i64 = 1000;

fn main() {
    divan::main();
}

/// Small operands, as in the rows of a tableau: integers, or fractions with denominators up to 7.
fn operands(fractions: bool) -> Vec<(Rational, Rational)> {
    let number = |i: i64| Rational::new(i % 19 - 9, if fractions { i % 7 + 1 } else { 1 });
    (0..TERMS).map(|i| (number(i), number(3 * i + 1))).collect()
}

fn rational(bencher: Bencher, operands: &[(Rational, Rational)]) {
    bencher.bench_local(|| {
        let mut sum = Rational::zero();
        for (a, b) in black_box(operands) {
            sum.add_mul(a, b);
        }
        sum
    });
}

fn big_rational(bencher: Bencher, operands: &[(Rational, Rational)]) {
    let operands: Vec<(BigRational, BigRational)> =
        operands.iter().map(|(a, b)| (a.into(), b.into())).collect();
    bencher.bench_local(|| {
        let mut sum = BigRational::from_integer(0.into());
        for (a, b) in black_box(&operands) {
            sum += a * b;
        }
        sum
    });
}

#[divan::bench]
fn integers(bencher: Bencher) {
    rational(bencher, &operands(false));
}

#[divan::bench]
fn integers_big_rational(bencher: Bencher) {
    big_rational(bencher, &operands(false));
}

#[divan::bench]
fn fractions(bencher: Bencher) {
    rational(bencher, &operands(true));
}

#[divan::bench]
fn fractions_big_rational(bencher: Bencher) {
    big_rational(bencher, &operands(true));
}

#[divan::bench]
fn beyond_64_bits(bencher: Bencher) {
    let factor = Rational::from(i64::MAX);
    let big: Vec<_> = operands(false)
        .into_iter()
        .map(|(a, b)| (a * &factor * &factor, b))
        .collect();
    rational(bencher, &big);
}

#[divan::bench]
fn compare(bencher: Bencher) {
    let operands = operands(true);
    bencher.bench_local(|| black_box(&operands).iter().filter(|(a, b)| a < b).count());
}
