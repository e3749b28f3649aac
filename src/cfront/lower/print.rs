//! `sprintf` and `snprintf` with a format that is a literal: the models of the conversions, one
//! after the other.

use super::call::Named;
use super::literal::c_string;
use super::types::strip_casts;
use super::value::ExprValue;
use super::{Lowered, Lowerer};
use crate::cfront::ir::Expr;
use crate::cfront::types::{CType, DataModel, IntType};
use lang_c::ast::Expression;
use std::iter::Peekable;

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

/// A number in a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Size {
    Number(u32),
    /// It is a further argument.
    Given,
}

/// A conversion, without what is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Conversion {
    kind: u8,
    bits: u32,
    width: Size,
    /// The least digits of a number, or the most characters of a string.
    precision: Option<Size>,
    left: bool,
    zeros: bool,
    /// Does a number tell its base?
    alternative: bool,
    /// What stands before a number that is not negative: a sign, or 0 for nothing.
    plus: u8,
}

impl Default for Conversion {
    fn default() -> Self {
        Conversion {
            kind: 0,
            bits: 32,
            width: Size::Number(0),
            precision: None,
            left: false,
            zeros: false,
            alternative: false,
            plus: 0,
        }
    }
}

/// The parts of a format; `None` if there is one that has no model.
fn parts(format: &[u8], model: DataModel) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        parts.push(match byte {
            b'%' if rest.next_if_eq(&b'%').is_some() => Part::Byte(b'%'),
            b'%' => Part::Conversion(conversion(&mut rest, model)?),
            byte => Part::Byte(byte),
        });
    }
    Some(parts)
}

/// A number of a format, which is not larger than 4096; 0 if there is none.
fn number(rest: &mut Peekable<impl Iterator<Item = u8>>) -> Option<u32> {
    let mut value = 0_u32;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        value = value
            .checked_mul(10)?
            .checked_add(u32::from(digit - b'0'))?;
    }
    Some(value).filter(|&value| value <= 4096)
}

/// A conversion after its sign; `None` if it has no model.
fn conversion(
    rest: &mut Peekable<impl Iterator<Item = u8>>,
    model: DataModel,
) -> Option<Conversion> {
    let mut found = Conversion::default();
    while let Some(flag) = rest.next_if(|b| b"-0+ #".contains(b)) {
        match flag {
            b'-' => found.left = true,
            b'0' => found.zeros = true,
            b'#' => found.alternative = true,
            sign => found.plus = found.plus.max(sign),
        }
    }
    found.width = match rest.next_if_eq(&b'*') {
        Some(_) => Size::Given,
        None => Size::Number(number(rest)?),
    };
    if rest.next_if_eq(&b'.').is_some() {
        found.precision = Some(match rest.next_if_eq(&b'*') {
            Some(_) => Size::Given,
            None => Size::Number(number(rest)?),
        });
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
        (b's', _, 0) | (b'c', None, 0) | (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', _, _) => {
            Some(found)
        }
        _ => None,
    }
}

impl Conversion {
    /// The number of arguments that it takes.
    fn arguments(&self) -> usize {
        let is_given = |size: Option<Size>| usize::from(size == Some(Size::Given));
        1 + is_given(Some(self.width)) + is_given(self.precision)
    }

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
        let Some(parts) = parts(&c_string(&format.node), self.model) else {
            return Ok(None);
        };
        let taken = parts.iter().map(|part| match part {
            Part::Byte(_) => 0,
            Part::Conversion(conversion) => conversion.arguments(),
        });
        if taken.sum::<usize>() != call.arguments.len() - at - 1 || self.probing {
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
        let width = self.size(Some(c.width), values)?;
        let precision = self.size(c.precision, values)?;
        let Some(value) = values.next() else {
            return self.fail("an argument is missing");
        };
        let value = self.cast(value, &c.argument())?;
        let flag = |lowerer: &Self, flag: bool| lowerer.int(i128::from(flag));
        let (left, zeros) = (flag(self, c.left), flag(self, c.zeros));
        Ok(match c.kind {
            b'c' => ("horn_print_character", vec![value, width, left]),
            b's' => ("horn_print_string", vec![value, width, precision, left]),
            b'd' | b'i' => {
                let plus = self.int(i128::from(c.plus));
                let more = vec![value, plus, width, precision, zeros, left];
                ("horn_print_signed", more)
            }
            kind => {
                let base = match kind {
                    b'o' => 8,
                    b'u' => 10,
                    _ => 16,
                };
                // What comes after 9, and beside it what tells the base.
                let letter = if kind == b'X' { b'A' } else { b'a' };
                let tells = flag(self, c.alternative && kind != b'u');
                let (sign, base) = (self.int(0), self.int(base));
                let letter = self.int(i128::from(letter));
                let more = vec![
                    value, sign, base, letter, tells, width, precision, zeros, left,
                ];
                ("horn_print_digits", more)
            }
        })
    }

    /// A width or a precision as a value: -1 if there is none.
    fn size(
        &mut self,
        size: Option<Size>,
        values: &mut dyn Iterator<Item = ExprValue>,
    ) -> Lowered<ExprValue> {
        match size {
            None => Ok(self.long(-1)),
            Some(Size::Number(number)) => Ok(self.long(i128::from(number))),
            Some(Size::Given) => match values.next() {
                Some(value) => {
                    let value = self.cast(value, &CType::INT)?;
                    let long = IntType::new(self.model.long_bits(), true);
                    self.cast(value, &CType::Int(long))
                }
                None => self.fail("an argument is missing"),
            },
        }
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
            Part::Conversion(c) => match c.width {
                Size::Number(width) => Some((char::from(c.kind), c.bits, width)),
                Size::Given => Some((char::from(c.kind), c.bits, 99)),
            },
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
            ("%*d%.*s", Some(vec![('d', 32, 99), ('s', 32, 0)])),
            ("%#.3x", Some(vec![('x', 32, 0)])),
            ("%.3c", None),
            ("%p", None),
            ("%n", None),
            ("%", None),
        ] {
            assert_eq!(told(format), expected, "{format}");
        }
    }
}
