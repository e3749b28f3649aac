//! `scanf` and `fscanf`: numbers, words and characters are inputs. `sscanf` is another module.

use super::call::Named;
use super::directive::{Directive, directives};
use super::literal::{Text, c_string};
use super::types::strip_casts;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{Binary, Expr, Instr, Lvalue, Unknown};
use crate::cfront::types::{CType, DataModel, IntType};
use lang_c::ast::Expression;

/// What a format reads.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// The same, of characters that are in a set, or that are not.
    Members(Vec<u8>, bool, Option<u32>),
}

impl Item {
    /// Is this the type of what its argument points to?
    fn is_of(&self, ty: &CType) -> bool {
        match (self, ty) {
            (Item::Float(bits), CType::Float(own)) => bits == own,
            (Item::Float(_), _) => false,
            (item, CType::Int(int)) => int.bits == item.bits() && !int.boolean,
            _ => false,
        }
    }

    /// The bits of what its argument points to.
    fn bits(&self) -> u32 {
        match self {
            Item::Number(bits) | Item::Decimal(bits, _) | Item::Float(bits) => *bits,
            Item::Visible | Item::Word(_) | Item::Members(..) => 8,
        }
    }
}

/// The items that a format reads from a stream; `None` if one has no model there.
fn items(format: &[u8], model: DataModel) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    // Does white space of the format stand before what comes next?
    let mut spaced = false;
    for directive in directives(format, model)? {
        let after_space = std::mem::replace(&mut spaced, directive == Directive::Space);
        let Directive::Conversion(c) = directive else {
            continue;
        };
        let item = match (c.kind, c.width) {
            (b'n', _) => return None,
            _ if c.skipped => continue,
            (b'd', Some(width)) => Item::Decimal(c.bits, width),
            _ if c.is_integer() && c.width.is_none() => Item::Number(c.bits),
            (b'c', None) if c.length == 0 && after_space => Item::Visible,
            (b'c', None) if c.length == 0 => Item::Number(8),
            (b's', width) if c.length == 0 => Item::Word(width),
            (b'[', width) if c.length == 0 => Item::Members(c.set.0, c.set.1, width),
            _ => Item::Float(c.float_bits()?),
        };
        items.push(item);
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
        let Some(items) = items(&c_string(&format.node), self.model) else {
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
        self.models.call(name);
        let count = self.scan_count(name, items.len())?;
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
    fn scan_count(&mut self, name: &str, most: usize) -> Lowered<Expr> {
        let model = match name {
            "scanf" => "horn_scan_count",
            _ => "horn_scan_file_count",
        };
        let most = Expr::constant(most as i128, IntType::INT);
        let count = self.library_part(model, vec![ExprValue::number(most)])?;
        match self.kept(count)? {
            ExprValue::Scalar(count, _) => Ok(count),
            _ => self.fail("a count is a number"),
        }
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
        let width = match item {
            Item::Decimal(_, width) => Some(width),
            _ => None,
        };
        match (item, pointer) {
            (
                Item::Number(_) | Item::Float(_) | Item::Decimal(..),
                ExprValue::Scalar(pointer, CType::Pointer(of)),
            ) => {
                let place = deref(pointer, (*of).clone());
                self.step(Instr::Havoc(place.clone(), Unknown::Input(name.into())));
                if let Some(width) = width {
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
                let width = self.width_value(Some(width));
                self.library_part("horn_scan_field", vec![pointer, width])?;
            }
            (Item::Members(set, inside, width), pointer) => {
                let set = self.set_value(&set)?;
                let inside = ExprValue::number(Expr::constant(i128::from(inside), IntType::INT));
                let width = self.width_value(width);
                let arguments = vec![pointer, set, inside, width];
                self.library_part("horn_scan_members", arguments)?;
            }
            (Item::Number(_) | Item::Float(_) | Item::Decimal(..), _) => {
                return self.fail("this is no pointer");
            }
        }
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = join;
        Ok(())
    }

    /// The most characters of a conversion: a large number where it says none.
    pub(super) fn width_value(&self, width: Option<u32>) -> ExprValue {
        let width = Expr::constant(i128::from(width.unwrap_or(u32::MAX)), IntType::UINT);
        ExprValue::number(width)
    }

    /// The bytes of a set as a string.
    pub(super) fn set_value(&mut self, set: &[u8]) -> Lowered<ExprValue> {
        let place = self.string_object(&Text::of_bytes(set))?;
        self.load(&place)
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
        use Item::{Decimal, Float, Members, Number, Visible, Word};
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
            (
                "%5[a-c]",
                Some(vec![Members(b"abc".to_vec(), true, Some(5))]),
            ),
            ("%[^\n]", Some(vec![Members(b"\n".to_vec(), false, None)])),
            ("%d%n", None),
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
