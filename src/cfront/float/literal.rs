//! Floating constants that are hexadecimal, or of `long double`.

use super::Format;
use num_bigint::BigUint;

/// Exponents of 10 up to this one are computed; the largest of `long double` is 4932.
const LARGEST_POWER: i64 = 6_000;
/// The bits of a significand of `long double`.
const EXTENDED: i64 = 64;

/// A number that is not negative: the value times 2 to the power of the exponent, and something
/// less than one unit of the value more, if there is a rest.
struct Binary {
    value: u128,
    exponent: i64,
    rest: bool,
}

/// The key of a hexadecimal constant, correctly rounded: digits with at most one point, `p`, and
/// the exponent of 2.
pub(crate) fn hexadecimal(text: &str, format: Format) -> Option<i128> {
    hexadecimal_binary(text)?.rounded(format)
}

/// The key of a constant of `long double` that is converted to a format: it is rounded twice.
pub(crate) fn extended(text: &str, is_hexadecimal: bool, format: Format) -> Option<i128> {
    let exact = match is_hexadecimal {
        true => hexadecimal_binary(text)?,
        false => decimal_binary(text)?,
    };
    exact.shortened(EXTENDED)?.rounded(format)
}

fn hexadecimal_binary(text: &str) -> Option<Binary> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let exponent: i64 = exponent.parse().ok()?;
    let mut exponent = exponent.clamp(-100_000, 100_000);
    let (mut value, mut is_after_point, mut rest) = (0_u128, false, false);
    for digit in digits.chars() {
        if digit == '.' {
            is_after_point = true;
            continue;
        }
        let digit = digit.to_digit(16)?;
        // Digits beyond 116 bits only matter for whether the rest is zero.
        if value < 1 << 116 {
            value = value * 16 + u128::from(digit);
            exponent -= if is_after_point { 4 } else { 0 };
        } else {
            rest |= digit != 0;
            exponent += if is_after_point { 0 } else { 4 };
        }
    }
    Some(Binary {
        value,
        exponent,
        rest,
    })
}

fn decimal_binary(text: &str) -> Option<Binary> {
    let (digits, power) = match text.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, power.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let number: BigUint = format!("0{before}{after}").parse().ok()?;
    let power = power.checked_sub(i64::try_from(after.len()).ok()?)?;
    if power.abs() > LARGEST_POWER {
        return None;
    }
    let ten = BigUint::from(10_u32).pow(u32::try_from(power.abs()).ok()?);
    let (mut above, mut below) = match power < 0 {
        true => (number, ten),
        false => (number * ten, BigUint::from(1_u32)),
    };
    // The quotient has at least 100 bits, unless it is 0.
    let shift = 100 + i64::try_from(below.bits()).ok()? - i64::try_from(above.bits()).ok()?;
    match shift < 0 {
        true => below <<= shift.unsigned_abs(),
        false => above <<= shift.unsigned_abs(),
    }
    let quotient = &above / &below;
    Some(Binary {
        rest: &quotient * &below != above,
        value: u128::try_from(&quotient).ok()?,
        exponent: -shift,
    })
}

impl Binary {
    fn length(&self) -> i64 {
        i64::from(128 - self.value.leading_zeros())
    }

    /// Rounded to a value of at most this number of bits, or the next power of 2.
    fn shortened(&self, kept: i64) -> Option<Binary> {
        let dropped = self.length() - kept;
        let value = match u32::try_from(dropped) {
            Err(_) | Ok(0) => {
                let (value, exponent) = (self.value, self.exponent);
                let rest = false;
                return Some(Binary {
                    value,
                    exponent,
                    rest,
                });
            }
            Ok(dropped) if dropped > 127 => 0,
            Ok(dropped) => {
                let (whole, half) = (self.value >> dropped, 1_u128 << (dropped - 1));
                let below = self.value & ((half << 1) - 1);
                let is_up = below > half || (below == half && (self.rest || whole & 1 == 1));
                whole + u128::from(is_up)
            }
        };
        Some(Binary {
            value,
            exponent: self.exponent.checked_add(dropped)?,
            rest: false,
        })
    }

    /// The key of the nearest number.
    fn rounded(&self, format: Format) -> Option<i128> {
        if self.value == 0 {
            return Some(0);
        }
        // The leading bit has the weight 2^top.
        let top = self.exponent + self.length() - 1;
        let bias = i64::try_from(format.bias()).ok()?;
        let precision = i64::from(format.precision());
        if top > bias {
            return Some(format.infinity());
        }
        // Subnormal numbers have fewer bits.
        let kept = precision.min(precision + top + bias - 1);
        let added = u32::try_from(kept - self.length()).unwrap_or(0);
        let significand = i128::try_from(self.shortened(kept)?.value << added).ok()?;
        // A significand with its leading bit adds one to the exponent, as does one that rounding
        // has made longer.
        let field = (top + bias - 1).max(0);
        Some((i128::from(field) << (precision - 1)) + significand)
    }
}
