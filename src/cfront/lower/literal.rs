//! Numbers, characters and strings.

use super::value::ExprValue;
use super::{Lowered, Lowerer, unsupported};
use crate::cfront::ir::Expr;
use crate::cfront::types::{CType, IntType};
use lang_c::ast::{Constant, Integer, IntegerBase, IntegerSize};

impl Lowerer<'_> {
    pub(super) fn literal(&mut self, constant: &Constant) -> Lowered<ExprValue> {
        match constant {
            Constant::Integer(integer) => match self.integer_literal(integer) {
                Some(e) => {
                    let ty = CType::Int(e.ty);
                    Ok(ExprValue::Scalar(e, ty))
                }
                None => self.fail("this number is too large"),
            },
            Constant::Float(_) => unsupported("floating-point numbers"),
            Constant::Character(text) => {
                let wide = text.starts_with(['L', 'u', 'U']);
                let inner = text.trim_start_matches(['L', 'u', 'U', '8']);
                let inner = inner.strip_prefix('\'').unwrap_or(inner);
                let bytes = unescape(inner.strip_suffix('\'').unwrap_or(inner));
                let value = match bytes[..] {
                    [byte] if wide && byte < 128 => i128::from(byte),
                    [byte] if !wide => IntType::CHAR.wrap(i128::from(byte)),
                    // Compilers take the characters as the digits of a number.
                    [_, _, ..] if !wide && bytes.len() <= 4 => {
                        let number = bytes.iter().fold(0, |n, &b| n * 256 + i128::from(b));
                        IntType::INT.wrap(number)
                    }
                    _ => return unsupported("a character constant of this form"),
                };
                let e = Expr::constant(value, IntType::INT);
                Ok(ExprValue::Scalar(e, CType::INT))
            }
        }
    }

    /// A number, of the first type that holds it.
    fn integer_literal(&self, integer: &Integer) -> Option<Expr> {
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits = match &*integer.number {
            "" => "0",
            digits => digits,
        };
        let value = i128::from_str_radix(digits, radix).ok()?;
        let long = self.model.long_bits();
        let widths: &[u32] = match integer.suffix.size {
            IntegerSize::Int => &[32, long, 64],
            IntegerSize::Long => &[long, 64],
            IntegerSize::LongLong => &[64],
        };
        let decimal = radix == 10;
        let fits = |ty: &IntType| value <= ty.max();
        let types = widths.iter().flat_map(|&bits| {
            let signed = (!integer.suffix.unsigned).then(|| IntType::new(bits, true));
            // Decimal numbers without suffix are never unsigned.
            let unsigned = (integer.suffix.unsigned || !decimal).then(|| IntType::new(bits, false));
            signed.into_iter().chain(unsigned)
        });
        let ty = types.into_iter().find(fits);
        // Compilers take the largest type where none fits.
        let ty = ty.or_else(|| Some(IntType::new(64, false)).filter(fits))?;
        Some(Expr::constant(value, ty))
    }
}

/// Is this a string of other characters than bytes?
pub(super) fn is_wide(parts: &[String]) -> bool {
    let wide = |part: &String| part.starts_with(['L', 'U']) || part.starts_with("u\"");
    parts.iter().any(wide)
}

/// The bytes of adjacent string literals, without the final zero.
pub(super) fn string_bytes(parts: &[String]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        let inner = part.trim_start_matches(['L', 'u', 'U', '8']);
        let inner = inner.strip_prefix('"').unwrap_or(inner);
        bytes.extend(unescape(inner.strip_suffix('"').unwrap_or(inner)));
    }
    bytes
}

/// Text with its escapes replaced.
fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at] != b'\\' || at + 1 >= bytes.len() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        at += 1;
        let escape = bytes[at];
        at += 1;
        match escape {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'e' => out.push(27),
            b'x' => {
                let mut value = 0_u32;
                while let Some(digit) = bytes.get(at).and_then(|&b| (b as char).to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    at += 1;
                }
                out.push(value.to_le_bytes()[0]);
            }
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    if let Some(digit) = bytes.get(at).and_then(|&b| (b as char).to_digit(8)) {
                        value = value * 8 + digit;
                        at += 1;
                    }
                }
                out.push(value.to_le_bytes()[0]);
            }
            other => out.push(other),
        }
    }
    out
}
