//! `sprintf` and `snprintf` with a format that is a literal: the models of the conversions, one
//! after the other.

use super::call::Named;
use super::format::strip_casts;
use super::literal::string_bytes;
use super::value::ExprValue;
use super::{Lowered, Lowerer};
use crate::cfront::ir::Expr;
use crate::cfront::types::{CType, DataModel, IntType};
use lang_c::ast::Expression;

/// The buffer of `sprintf` is as large as it needs to be.
const ENOUGH: i128 = 0x7fff_ffff;

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// A byte that is written as it is.
    Byte(u8),
    /// A conversion of an argument.
    Conversion(Conversion),
}

/// A conversion, without what is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Conversion {
    kind: u8,
    bits: u32,
    width: u32,
    /// The most characters of a string.
    precision: Option<u32>,
    left: bool,
    zeros: bool,
    /// What stands before a number that is not negative: a sign, or 0 for nothing.
    plus: u8,
}

/// The parts of a format; `None` if there is one that has no model.
fn parts(format: &[u8], model: DataModel) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            parts.push(Part::Byte(byte));
            continue;
        }
        let mut found = Conversion {
            kind: 0,
            bits: 32,
            width: 0,
            precision: None,
            left: false,
            zeros: false,
            plus: 0,
        };
        while let Some(flag) = rest.next_if(|b| b"-0+ ".contains(b)) {
            match flag {
                b'-' => found.left = true,
                b'0' => found.zeros = true,
                sign => found.plus = found.plus.max(sign),
            }
        }
        let number = |rest: &mut std::iter::Peekable<_>| {
            let mut value = 0_u32;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                value = value
                    .checked_mul(10)?
                    .checked_add(u32::from(digit - b'0'))?;
            }
            Some(value).filter(|&value| value <= 4096)
        };
        found.width = number(&mut rest)?;
        if rest.next_if_eq(&b'.').is_some() {
            found.precision = Some(number(&mut rest)?);
        }
        let mut before = 0;
        while let Some(length) = rest.next_if(|b| b"hljzt".contains(b)) {
            found.bits = match length {
                b'h' => found.bits / 2,
                b'l' if before == b'l' => 64,
                b'j' => 64,
                _ => model.long_bits(),
            };
            before = length;
        }
        found.kind = rest.next()?;
        match (found.kind, found.precision, before) {
            (b'%', None, 0) => parts.push(Part::Byte(b'%')),
            (b's', _, 0) | (b'c', None, 0) | (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', None, _) => {
                parts.push(Part::Conversion(found));
            }
            _ => return None,
        }
    }
    Some(parts)
}

impl Conversion {
    /// The type that the argument is converted to.
    fn argument(&self) -> CType {
        let signed = matches!(self.kind, b'd' | b'i');
        match self.kind {
            b's' => CType::Pointer(CType::Int(IntType::CHAR).into()),
            b'c' => CType::INT,
            _ => CType::Int(IntType::new(self.bits, signed)),
        }
    }
}

impl Lowerer<'_> {
    /// A call of `sprintf` or `snprintf` whose format has a model; `None` for other calls.
    pub(super) fn print_call(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        let at = match call.name {
            "sprintf" => 1,
            "snprintf" => 2,
            _ => return Ok(None),
        };
        let Some(Expression::StringLiteral(format)) =
            call.arguments.get(at).map(|e| &strip_casts(e).node)
        else {
            return Ok(None);
        };
        let Some(parts) = parts(&string_bytes(&format.node), self.model) else {
            return Ok(None);
        };
        let conversions = parts
            .iter()
            .filter(|part| matches!(part, Part::Conversion(_)));
        if conversions.count() != call.arguments.len() - at - 1 || self.probing {
            return Ok(None);
        }
        let long = CType::Int(IntType::new(self.model.long_bits(), true));
        let to = self.value(&call.arguments[0])?;
        let bytes = CType::Pointer(CType::Int(IntType::CHAR).into());
        let to = self.cast(to, &bytes)?;
        let to = self.kept(to)?;
        let size = match at {
            1 => self.long(ENOUGH),
            _ => {
                let size = self.value(&call.arguments[1])?;
                let size = self.cast(size, &long)?;
                self.kept(size)?
            }
        };
        let mut values = Vec::new();
        for argument in &call.arguments[at + 1..] {
            let value = self.value(argument)?;
            values.push(self.kept(value)?);
        }
        self.place = call.place.clone();
        self.before_call(call.span)?;
        let (mut length, mut values) = (self.long(0), values.into_iter());
        for part in parts {
            let (model, more) = self.printed(part, &mut values)?;
            let mut arguments = vec![to.clone(), size.clone(), length];
            arguments.extend(more);
            let value = self.library_part(model, arguments)?;
            length = self.kept(value)?;
        }
        self.library_part("horn_print_end", vec![to, size, length])
            .map(Some)
    }

    /// The model of a part of a format, and its further arguments.
    fn printed(
        &mut self,
        part: Part,
        values: &mut dyn Iterator<Item = ExprValue>,
    ) -> Lowered<(&'static str, Vec<ExprValue>)> {
        let c = match part {
            Part::Byte(byte) => {
                // The bytes of a literal are those of `char`.
                let byte = self.int(IntType::CHAR.wrap(i128::from(byte)));
                return Ok(("horn_print_char", vec![byte]));
            }
            Part::Conversion(conversion) => conversion,
        };
        let Some(value) = values.next() else {
            return self.fail("an argument is missing");
        };
        let value = self.cast(value, &c.argument())?;
        let (width, left) = (self.long(i128::from(c.width)), self.int(i128::from(c.left)));
        let zeros = self.int(i128::from(c.zeros));
        Ok(match c.kind {
            b'c' if c.width <= 1 => ("horn_print_char", vec![value]),
            b'c' => return super::unsupported("a character in a field"),
            b's' => {
                let most = self.long(c.precision.map_or(ENOUGH, i128::from));
                ("horn_print_string", vec![value, width, most, left])
            }
            b'd' | b'i' => {
                let plus = self.int(i128::from(c.plus));
                ("horn_print_signed", vec![value, plus, width, zeros, left])
            }
            kind => {
                let base = match kind {
                    b'o' => 8,
                    b'u' => 10,
                    _ => 16,
                };
                let letter = if kind == b'X' { b'A' } else { b'a' };
                let (sign, base, letter) =
                    (self.int(0), self.int(base), self.int(i128::from(letter)));
                let more = vec![value, sign, base, letter, width, zeros, left];
                ("horn_print_digits", more)
            }
        })
    }

    fn long(&self, value: i128) -> ExprValue {
        let ty = IntType::new(self.model.long_bits(), true);
        ExprValue::Scalar(Expr::constant(value, ty), CType::Int(ty))
    }

    fn int(&self, value: i128) -> ExprValue {
        ExprValue::Scalar(Expr::constant(value, IntType::INT), CType::INT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The conversions of a format, with their bits and widths.
    fn told(format: &str) -> Option<Vec<(char, u32, u32)>> {
        let parts = parts(format.as_bytes(), DataModel::Lp64)?;
        let conversions = parts.into_iter().filter_map(|part| match part {
            Part::Conversion(c) => Some((char::from(c.kind), c.bits, c.width)),
            Part::Byte(_) => None,
        });
        Some(conversions.collect())
    }

    #[test]
    fn formats_have_conversions() {
        for (format, expected) in [
            ("a%d%%", Some(vec![('d', 32, 0)])),
            ("%-5s|%.3s", Some(vec![('s', 32, 5), ('s', 32, 0)])),
            (
                "%04x%lu%hhd",
                Some(vec![('x', 32, 4), ('u', 64, 0), ('d', 8, 0)]),
            ),
            ("%lld %zu", Some(vec![('d', 64, 0), ('u', 64, 0)])),
            ("", Some(vec![])),
            ("%f", None),
            ("%*d", None),
            ("%.3d", None),
            ("%p", None),
            ("%n", None),
            ("%", None),
        ] {
            assert_eq!(told(format), expected, "{format}");
        }
    }
}
