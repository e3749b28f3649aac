//! Hexadecimal floating constants.

use super::Format;

/// The key of a hexadecimal constant, correctly rounded: digits with at most one point, `p`, and
/// the exponent of 2.
pub(crate) fn hexadecimal(text: &str, format: Format) -> Option<i128> {
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
        // Digits beyond 120 bits only matter for whether the rest is zero.
        if value < 1 << 116 {
            value = value * 16 + u128::from(digit);
            exponent -= if is_after_point { 4 } else { 0 };
        } else {
            rest |= digit != 0;
            exponent += if is_after_point { 0 } else { 4 };
        }
    }
    if value == 0 {
        return Some(0);
    }
    // The leading bit has the weight 2^top.
    let length = i64::from(128 - value.leading_zeros());
    let top = exponent + length - 1;
    let bias = i64::try_from(format.bias()).ok()?;
    let precision = i64::from(format.precision());
    if top > bias {
        return Some(format.infinity());
    }
    // Subnormal numbers have fewer bits.
    let kept = precision.min(precision + top + bias - 1);
    let dropped = length - kept;
    let significand = match u32::try_from(dropped) {
        Err(_) => value << dropped.unsigned_abs(),
        Ok(dropped) if dropped > 127 => 0,
        Ok(0) => value,
        Ok(dropped) => {
            let (whole, half) = (value >> dropped, 1_u128 << (dropped - 1));
            let below = value & ((half << 1) - 1);
            let is_up = below > half || (below == half && (rest || whole & 1 == 1));
            whole + u128::from(is_up)
        }
    };
    let significand = i128::try_from(significand).ok()?;
    // A significand with its leading bit adds one to the exponent, as does one that rounding has
    // made longer.
    let field = (top + bias - 1).max(0);
    Some((i128::from(field) << (precision - 1)) + significand)
}
