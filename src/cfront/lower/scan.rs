//! `scanf` and `fscanf`: numbers, words and characters are inputs.

use super::call::Named;
use super::format::strip_casts;
use super::literal::string_bytes;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{Binary, Expr, ExprKind, Instr, Lvalue, Unknown};
use crate::cfront::types::{CType, DataModel, IntType};
use lang_c::ast::Expression;

/// What a format reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    /// A number or a character of this number of bits.
    Number(u32),
    /// A decimal number with a sign, of this number of bits, written with at most this number of
    /// characters.
    Decimal(u32, u32),
    /// A character that is no white space.
    Visible,
    /// A floating-point number of this number of bits.
    Float(u32),
    /// A word of at most this number of characters.
    Word(Option<u32>),
}

impl Item {
    /// Is this the type of what its argument points to?
    fn is_of(self, ty: &CType) -> bool {
        match (self, ty) {
            (Item::Float(bits), CType::Float(own)) => bits == *own,
            (Item::Float(_), _) => false,
            (item, CType::Int(int)) => int.bits == item.bits() && !int.boolean,
            _ => false,
        }
    }

    /// The bits of what its argument points to.
    fn bits(self) -> u32 {
        match self {
            Item::Number(bits) | Item::Decimal(bits, _) | Item::Float(bits) => bits,
            Item::Visible | Item::Word(_) => 8,
        }
    }
}

/// The items that a format reads; `None` if it has other conversions than of integers, words and
/// single characters.
fn items(format: &[u8], model: DataModel) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = format.iter().copied().peekable();
    // Does white space of the format stand before what comes next?
    let mut spaced = false;
    while let Some(byte) = rest.next() {
        let after_space = spaced;
        spaced = byte == b' ' || (b'\t'..=b'\r').contains(&byte);
        if byte != b'%' {
            continue;
        }
        let skipped = rest.next_if_eq(&b'*').is_some();
        let mut width: Option<u32> = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            let before = width.unwrap_or(0).checked_mul(10)?;
            width = Some(before.checked_add(u32::from(digit - b'0'))?);
        }
        let mut bits = 32;
        let mut before = 0;
        while let Some(length) = rest.next_if(|b| b"hljzt".contains(b)) {
            bits = match length {
                b'h' => bits / 2,
                b'l' if before == b'l' => 64,
                b'j' => 64,
                _ => model.long_bits(),
            };
            before = length;
        }
        match rest.next()? {
            b'%' => {}
            kind if skipped && b"diuxXocsaefgAEFG".contains(&kind) => {}
            b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => match before {
                0 => items.push(Item::Float(32)),
                b'l' => items.push(Item::Float(64)),
                _ => return None,
            },
            b'd' if let Some(width) = width => items.push(Item::Decimal(bits, width)),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if width.is_none() => {
                items.push(Item::Number(bits));
            }
            b'c' if width.is_none() && before == 0 && after_space => items.push(Item::Visible),
            b'c' if width.is_none() && before == 0 => items.push(Item::Number(8)),
            b's' if width != Some(0) && before == 0 => items.push(Item::Word(width)),
            _ => return None,
        }
    }
    Some(items)
}

impl Lowerer<'_> {
    /// A call of `scanf` or `fscanf` with a format that is a literal; `None` for other functions.
    pub(super) fn scan_call(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        let name = call.name.strip_prefix("__isoc99_").unwrap_or(call.name);
        let name = name.strip_prefix("__isoc23_").unwrap_or(name);
        let at = match name {
            "scanf" => 0,
            "fscanf" => 1,
            _ => return Ok(None),
        };
        let Some(Expression::StringLiteral(format)) =
            call.arguments.get(at).map(|e| &strip_casts(e).node)
        else {
            return Ok(None);
        };
        let Some(items) = items(&string_bytes(&format.node), self.model) else {
            return unsupported(format!("`{name}` of other than numbers and words"));
        };
        let mut places = Vec::new();
        for argument in call.arguments.iter().skip(at + 1) {
            let value = self.value(argument)?;
            places.push(self.kept(value)?);
        }
        if places.len() != items.len() {
            return unsupported(format!("`{name}` with another number of arguments"));
        }
        self.place = call.place.clone();
        self.before_call(call.span)?;
        let count = self.scan_count(name, items.len());
        self.models.call(name);
        for (at, (item, pointer)) in items.into_iter().zip(places).enumerate() {
            match &pointer {
                ExprValue::Scalar(_, CType::Pointer(of)) if item.is_of(of) => {
                    self.scan_item(name, &count, at, (item, pointer))?;
                }
                _ => return unsupported(format!("`{name}` into memory of another type")),
            }
        }
        self.any_error_number()?;
        Ok(Some(ExprValue::Scalar(count, CType::INT)))
    }

    /// How many items are read: at most this number, or -1.
    fn scan_count(&mut self, name: &str, most: usize) -> Expr {
        let place = self.temporary(CType::INT);
        self.step(Instr::Havoc(place.clone(), Unknown::Input(name.into())));
        let count = Expr {
            kind: ExprKind::Load(Box::new(place)),
            ty: IntType::INT,
        };
        let (least, most) = (
            Expr::constant(-1, IntType::INT),
            Expr::constant(most as i128, IntType::INT),
        );
        let above = self.arithmetic(Binary::Le, least, count.clone());
        let below = self.arithmetic(Binary::Le, count.clone(), most);
        self.step(Instr::Assume(above, true));
        self.step(Instr::Assume(below, true));
        count
    }

    /// An item gets a value if more items are read than its position says.
    fn scan_item(
        &mut self,
        name: &str,
        count: &Expr,
        at: usize,
        (item, pointer): (Item, ExprValue),
    ) -> Lowered<()> {
        let at = Expr::constant(at as i128, IntType::INT);
        let read = self.arithmetic(Binary::Lt, at, count.clone());
        let (yes, join) = (self.node(), self.node());
        self.connect(self.frame.at, yes, Instr::Assume(read.clone(), true));
        self.connect(self.frame.at, join, Instr::Assume(read, false));
        self.frame.at = yes;
        match (item, pointer) {
            (
                Item::Number(_) | Item::Float(_) | Item::Decimal(..),
                ExprValue::Scalar(pointer, CType::Pointer(of)),
            ) => {
                let place = deref(pointer, (*of).clone());
                self.step(Instr::Havoc(place.clone(), Unknown::Input(name.into())));
                if let Item::Decimal(_, width) = item {
                    self.assume_width(&place, width)?;
                }
            }
            (Item::Visible, pointer) => {
                self.library_part("horn_scan_visible", vec![pointer])?;
            }
            (Item::Word(None), pointer) => {
                self.library_part("horn_scan_word", vec![pointer])?;
            }
            (Item::Word(Some(width)), pointer) => {
                let width = ExprValue::Scalar(
                    Expr::constant(i128::from(width), IntType::UINT),
                    CType::Int(IntType::UINT),
                );
                self.library_part("horn_scan_field", vec![pointer, width])?;
            }
            (Item::Number(_) | Item::Float(_) | Item::Decimal(..), _) => {
                return self.fail("this is no pointer");
            }
        }
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = join;
        Ok(())
    }

    /// A decimal number is written with at most this number of characters, one of which may be a
    /// sign.
    fn assume_width(&mut self, place: &Lvalue, width: u32) -> Lowered<()> {
        let ExprValue::Scalar(value, CType::Int(ty)) = self.load(place)? else {
            return self.fail("this is no number");
        };
        let power = |digits| 10_i128.checked_pow(digits).unwrap_or(i128::MAX);
        let (least, most) = (1 - power(width.saturating_sub(1)), power(width) - 1);
        if least > ty.min() {
            let least = Expr::constant(least, ty);
            let above = self.arithmetic(Binary::Le, least, value.clone());
            self.step(Instr::Assume(above, true));
        }
        if most < ty.max() {
            let most = Expr::constant(most, ty);
            let below = self.arithmetic(Binary::Le, value, most);
            self.step(Instr::Assume(below, true));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_items() {
        use Item::{Decimal, Float, Number, Visible, Word};
        for (format, expected) in [
            ("%d %u", Some(vec![Number(32), Number(32)])),
            ("%*d,%hhx%%%3ld", Some(vec![Number(8), Decimal(64, 3)])),
            ("%d %c", Some(vec![Number(32), Visible])),
            ("%3u", None),
            ("%c%lld%hd", Some(vec![Number(8), Number(64), Number(16)])),
            ("%s%*s %15s", Some(vec![Word(None), Word(Some(15))])),
            ("nothing", Some(vec![])),
            ("%ls", None),
            ("%0s", None),
            ("%[a-z]", None),
            ("%4c", None),
            ("%f %lf%*g", Some(vec![Float(32), Float(64)])),
            ("%Lf", None),
            ("%99999999999s", None),
            ("%", None),
        ] {
            assert_eq!(
                items(format.as_bytes(), DataModel::Lp64),
                expected,
                "{format}"
            );
        }
    }
}
