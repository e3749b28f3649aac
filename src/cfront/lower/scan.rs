//! `scanf` and `fscanf`: numbers and characters are inputs.

use super::call::Named;
use super::library::strip_casts;
use super::literal::string_bytes;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{Binary, Expr, ExprKind, Instr, Lvalue, Unknown};
use crate::cfront::types::{CType, DataModel, IntType};
use lang_c::ast::Expression;

/// The bits of the items that a format reads; `None` if it has other conversions than of integers
/// and single characters.
fn items(format: &[u8], model: DataModel) -> Option<Vec<u32>> {
    let mut items = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let skipped = rest.next_if_eq(&b'*').is_some();
        let mut width = false;
        while rest.next_if(u8::is_ascii_digit).is_some() {
            width = true;
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
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if skipped => {}
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => items.push(bits),
            b'c' if skipped => {}
            b'c' if !width && before == 0 => items.push(8),
            _ => return None,
        }
    }
    Some(items)
}

impl Lowerer<'_> {
    /// A call of `scanf` or `fscanf` with a format of numbers; `None` for other functions.
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
            return unsupported(format!("`{name}` of other than numbers"));
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
        for (at, (bits, pointer)) in items.into_iter().zip(places).enumerate() {
            match pointer {
                ExprValue::Scalar(pointer, CType::Pointer(of)) if matches!(*of, CType::Int(int) if int.bits == bits && !int.boolean) =>
                {
                    let place = deref(pointer, (*of).clone());
                    self.scan_item(name, &count, at, place);
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
    fn scan_item(&mut self, name: &str, count: &Expr, at: usize, place: Lvalue) {
        let at = Expr::constant(at as i128, IntType::INT);
        let read = self.arithmetic(Binary::Lt, at, count.clone());
        let (yes, join) = (self.node(), self.node());
        self.connect(self.frame.at, yes, Instr::Assume(read.clone(), true));
        self.connect(self.frame.at, join, Instr::Assume(read, false));
        self.frame.at = yes;
        self.step(Instr::Havoc(place, Unknown::Input(name.into())));
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = join;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_items() {
        for (format, expected) in [
            ("%d %u", Some(vec![32, 32])),
            ("%*d,%hhx%%%3ld", Some(vec![8, 64])),
            ("%c%lld%hd", Some(vec![8, 64, 16])),
            ("nothing", Some(vec![])),
            ("%s", None),
            ("%4c", None),
            ("%f", None),
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
