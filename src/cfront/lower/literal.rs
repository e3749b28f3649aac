//! Numbers, characters and strings.

use super::types::{UNKNOWN_FORMAT, ts18661_bits};
use super::value::ExprValue;
use super::{Lowered, Lowerer, unsupported};
use crate::cfront::float::{Format, extended, hexadecimal};
use crate::cfront::ir::Expr;
use crate::cfront::types::{CType, IntType};
use lang_c::ast::{
    Constant, Expression, Float, FloatBase, FloatFormat, Integer, IntegerBase, IntegerSize,
};

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
            Constant::Float(float) => self.float_literal(float),
            Constant::Character(text) => match character(text) {
                Some(e) => {
                    let ty = CType::Int(e.ty);
                    Ok(ExprValue::Scalar(e, ty))
                }
                None => unsupported("a character constant of this form"),
            },
        }
    }

    /// A floating-point constant, correctly rounded.
    fn float_literal(&self, constant: &Float) -> Lowered<ExprValue> {
        let bits = match &constant.suffix.format {
            FloatFormat::Float => 32,
            FloatFormat::Double => 64,
            FloatFormat::LongDouble => 80,
            FloatFormat::TS18661Format(format) => ts18661_bits(format),
        };
        if !matches!(bits, 32 | 64) || constant.suffix.imaginary {
            return unsupported(UNKNOWN_FORMAT);
        }
        let format = Format { bits };
        let text = &*constant.number;
        let key = match (&constant.base, bits) {
            (FloatBase::Hexadecimal, _) => hexadecimal(text, format),
            (FloatBase::Decimal, 32) => {
                let number = text.parse::<f32>().ok();
                number.map(|number| format.key(u64::from(number.to_bits())))
            }
            (FloatBase::Decimal, _) => {
                let number = text.parse::<f64>().ok();
                number.map(|number| format.key(number.to_bits()))
            }
        };
        match key {
            Some(key) => Ok(ExprValue::number(Expr::constant(key, IntType::float(bits)))),
            None => unsupported("a floating-point constant of this form"),
        }
    }

    /// A constant of `long double` that is converted to another type of floating-point numbers, as
    /// in <float.h>; `None` for other expressions.
    pub(super) fn cast_literal(&self, e: &Expression, to: &CType) -> Option<ExprValue> {
        let (Expression::Constant(constant), CType::Float(bits @ (32 | 64))) = (e, to) else {
            return None;
        };
        match &constant.node {
            Constant::Float(float)
                if float.suffix.format == FloatFormat::LongDouble && !float.suffix.imaginary =>
            {
                let is_hexadecimal = float.base == FloatBase::Hexadecimal;
                let key = extended(&float.number, is_hexadecimal, Format { bits: *bits })?;
                Some(ExprValue::number(Expr::constant(
                    key,
                    IntType::float(*bits),
                )))
            }
            _ => None,
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

/// A character constant, of the type that C gives it.
fn character(text: &str) -> Option<Expr> {
    let (prefix, inner) = text.split_once('\'')?;
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    if let Some(ty) = element_of(prefix) {
        return match wide_units(inner, ty)[..] {
            [unit] => Some(Expr::constant(unit, ty)),
            _ => None,
        };
    }
    let bytes = unescape(inner);
    let value = match bytes[..] {
        [byte] => IntType::CHAR.wrap(i128::from(byte)),
        // Compilers take the characters as the digits of a number.
        [_, _, ..] if bytes.len() <= 4 => {
            let number = bytes.iter().fold(0, |n, &b| n * 256 + i128::from(b));
            IntType::INT.wrap(number)
        }
        _ => return None,
    };
    Some(Expr::constant(value, IntType::INT))
}

/// The type of the elements that a prefix gives a literal; `None` for bytes.
fn element_of(prefix: &str) -> Option<IntType> {
    match prefix {
        // `wchar_t` is `int` on the System V ABI; on Windows it has 16 bits.
        "L" => Some(IntType::INT),
        "U" => Some(IntType::UINT),
        "u" => Some(IntType::new(16, false)),
        _ => None,
    }
}

/// What adjacent string literals are together.
pub(super) struct Text {
    /// The elements, without the final zero.
    pub(super) units: Vec<i128>,
    /// Their type.
    pub(super) element: IntType,
}

impl Text {
    /// The text of literals: they are of wide characters if one of them is.
    pub(super) fn of(parts: &[String]) -> Text {
        let prefix = |part: &String| part.split_once('"').and_then(|(p, _)| element_of(p));
        match parts.iter().find_map(prefix) {
            None => Text::of_bytes(&string_bytes(parts)),
            Some(element) => {
                let units = parts.iter().flat_map(|part| {
                    let inner = part.split_once('"').map_or("", |(_, inner)| inner);
                    wide_units(inner.strip_suffix('"').unwrap_or(inner), element)
                });
                let units = units.collect();
                Text { units, element }
            }
        }
    }

    /// A text of bytes.
    pub(super) fn of_bytes(bytes: &[u8]) -> Text {
        Text {
            units: bytes.iter().map(|&byte| i128::from(byte)).collect(),
            element: IntType::CHAR,
        }
    }

    /// The number of elements, with the final zero.
    pub(super) fn length(&self) -> u64 {
        self.units.len() as u64 + 1
    }
}

/// The wide characters of a text, with its escapes replaced.
fn wide_units(text: &str, element: IntType) -> Vec<i128> {
    let mut units = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let escape = match c {
            '\\' => rest.next(),
            _ => None,
        };
        let most = match escape {
            None => {
                push_character(&mut units, u32::from(c), element);
                continue;
            }
            Some('x') => usize::MAX,
            Some('0'..='7') => 2,
            Some(other) => {
                let byte = simple_escape(other).map_or(u32::from(other), u32::from);
                push_character(&mut units, byte, element);
                continue;
            }
        };
        let is_octal = escape.is_some_and(|c| c.is_ascii_digit());
        let base = if is_octal { 8 } else { 16 };
        let first = escape.filter(|_| is_octal).and_then(|c| c.to_digit(8));
        let mut value = first.unwrap_or(0);
        let mut count = 0;
        while count < most
            && let Some(digit) = rest.peek().and_then(|c| c.to_digit(base))
        {
            value = value.wrapping_mul(base).wrapping_add(digit);
            rest.next();
            count += 1;
        }
        units.push(element.wrap(i128::from(value)));
    }
    units
}

/// Appends a character: one unit, or two of 16 bits for characters that do not fit into one.
fn push_character(units: &mut Vec<i128>, code: u32, element: IntType) {
    if element.bits == 16 && code > 0xffff {
        let above = code - 0x1_0000;
        units.push(i128::from(0xd800 + (above >> 10)));
        units.push(i128::from(0xdc00 + (above & 0x3ff)));
    } else {
        units.push(i128::from(code));
    }
}

/// The character that a letter stands for after a backslash; `None` where it stands for itself, or
/// begins a number.
fn simple_escape(letter: char) -> Option<u8> {
    Some(match letter {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        _ => return None,
    })
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

/// The bytes of a text that functions of the C library see: those before the first zero.
pub(super) fn c_string(parts: &[String]) -> Vec<u8> {
    let mut bytes = string_bytes(parts);
    if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
        bytes.truncate(end);
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
        let digit = |at: usize, base| bytes.get(at).and_then(|&b| char::from(b).to_digit(base));
        match escape {
            b'x' => {
                let mut value = 0_u32;
                while let Some(digit) = digit(at, 16) {
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    at += 1;
                }
                out.push(value.to_le_bytes()[0]);
            }
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    if let Some(digit) = digit(at, 8) {
                        value = value * 8 + digit;
                        at += 1;
                    }
                }
                out.push(value.to_le_bytes()[0]);
            }
            other => out.push(simple_escape(char::from(other)).unwrap_or(other)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_texts_have_units() {
        for (parts, bits, units) in [
            (vec!["\"ab\""], 8, vec![97, 98]),
            (vec!["L\"a\\n\\x1F600\""], 32, vec![97, 10, 0x1f600]),
            (vec!["\"a\"", "L\"é\\101\""], 32, vec![97, 0xe9, 65]),
            (vec!["u\"\u{1F600}\""], 16, vec![0xd83d, 0xde00]),
            (vec!["U\"\u{e9}z\""], 32, vec![0xe9, 122]),
            (vec!["u8\"\u{e9}\""], 8, vec![0xc3, 0xa9]),
        ] {
            let parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
            let text = Text::of(&parts);
            assert_eq!((text.element.bits, text.units), (bits, units), "{parts:?}");
        }
    }

    #[test]
    fn characters_have_types() {
        for (text, expected) in [
            ("'a'", Some((97, IntType::INT))),
            ("'\\377'", Some((-1, IntType::INT))),
            ("'ab'", Some((0x6162, IntType::INT))),
            ("L'é'", Some((0xe9, IntType::INT))),
            ("L'\\xffffffff'", Some((-1, IntType::INT))),
            ("u'\\xffff'", Some((0xffff, IntType::new(16, false)))),
            ("U'\\''", Some((39, IntType::UINT))),
            ("L'ab'", None),
        ] {
            let found = character(text).map(|e| (e.as_const().unwrap_or(0), e.ty));
            assert_eq!(found, expected, "{text}");
        }
    }
}
