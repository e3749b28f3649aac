//! Reading SMT-LIB numerals and decimals of any length.
//!
//! `num-bigint` reads decimal digits in quadratic time, and reducing a decimal by a general
//! greatest common divisor is slower still. Here digits are read by divide and conquer, and the
//! reduction uses that the denominator is a power of ten. A literal of a megabyte takes less than a
//! second.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::rational::Rational;

/// Below this number of digits it is faster to read digits one at a time. The value was not tuned.
const CHUNK_DIGITS: usize = 512;

impl Rational {
    /// Reads an SMT-LIB numeral (`12`) or decimal (`3.250`); `None` for any other text. Leading
    /// zeros, which SMT-LIB does not have in numerals, are accepted; a sign is not, since `-` is an
    /// operator there.
    pub fn parse(text: &str) -> Option<Rational> {
        let (whole, fraction) = match text.split_once('.') {
            Some((_, "")) => return None,
            Some((whole, fraction)) => (whole, fraction),
            None => (text, ""),
        };
        if whole.is_empty()
            || !whole
                .bytes()
                .chain(fraction.bytes())
                .all(|byte| byte.is_ascii_digit())
        {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.is_empty() {
            return Some(integer(whole));
        }
        let (num, places) = ([whole, fraction].concat(), fraction.len());
        Some(reduced_decimal(&num, places))
    }
}

fn integer(digits: &str) -> Rational {
    match digits.parse::<i64>() {
        Ok(value) => Rational::from(value),
        Err(_) => Rational::from(read_digits(digits.as_bytes())),
    }
}

/// `digits / 10^places`, where the last digit is not zero.
///
/// Ten does not divide the numerator, so at most one of 2 and 5 does, and dividing by it reduces
/// the fraction.
fn reduced_decimal(digits: &str, places: usize) -> Rational {
    if let Ok(num) = digits.parse::<i64>()
        && let Some(den) = u32::try_from(places)
            .ok()
            .and_then(|places| 10_i64.checked_pow(places))
    {
        return Rational::new(num, den);
    }
    let num = read_digits(digits.as_bytes());
    let (two_power, five_power);
    let num = if num.is_even() {
        let removed = usize::try_from(num.trailing_zeros().unwrap_or(0))
            .unwrap_or(places)
            .min(places);
        (two_power, five_power) = (places - removed, places);
        num >> removed
    } else {
        let (num, removed) = remove_fives(num, places);
        (two_power, five_power) = (places, places - removed);
        num
    };
    Rational::from(BigRational::new_raw(
        num,
        power_of_five(five_power) << two_power,
    ))
}

/// `5^exponent`, by repeated squaring.
fn power_of_five(exponent: usize) -> BigInt {
    let (mut base, mut left, mut power) = (BigInt::from(5), exponent, BigInt::one());
    while left > 0 {
        if left & 1 == 1 {
            power *= &base;
        }
        left >>= 1;
        if left > 0 {
            base = &base * &base;
        }
    }
    power
}

/// Divides by five as often as possible, at most `limit` times. Returns the quotient and the number
/// of divisions. The steps double while they succeed and halve afterwards, so there are
/// logarithmically many long divisions.
fn remove_fives(mut num: BigInt, limit: usize) -> (BigInt, usize) {
    let (mut removed, mut step, mut growing) = (0, 1, true);
    while step > 0 {
        if removed + step <= limit {
            let (quotient, rest) = num.div_rem(&power_of_five(step));
            if rest.is_zero() {
                num = quotient;
                removed += step;
                if growing {
                    step *= 2;
                    continue;
                }
            }
        }
        growing = false;
        step /= 2;
    }
    (num, removed)
}

/// The number of a text of decimal digits. `num-bigint` reads chunks of equal length; then
/// neighbours are joined, `high * 10^length + low`, with lengths that double, so that fast
/// multiplication does the work.
fn read_digits(digits: &[u8]) -> BigInt {
    // From the least significant chunk upwards; only the last, the most significant one, is
    // shorter.
    let mut chunks: Vec<BigInt> = digits
        .rchunks(CHUNK_DIGITS)
        .map(|chunk| {
            BigInt::parse_bytes(chunk, 10).expect("the caller has checked that all are digits")
        })
        .collect();
    let mut base = if chunks.len() > 1 {
        BigInt::from(10).pow(CHUNK_DIGITS as u32)
    } else {
        BigInt::one()
    };
    while chunks.len() > 1 {
        chunks = chunks
            .chunks(2)
            .map(|pair| {
                if let [low, high] = pair {
                    high * &base + low
                } else {
                    pair[0].clone()
                }
            })
            .collect();
        if chunks.len() > 1 {
            base = &base * &base;
        }
    }
    chunks.pop().unwrap_or_default()
}
