//! `sscanf` with a format that is a literal: the models of its directives, one after the other.
//! Each begins where the one before ended, and the first that fails ends the call.

use super::call::Named;
use super::directive::{Conversion, Directive, directives};
use super::literal::c_string;
use super::types::strip_casts;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{Binary, Expr, ExprKind, Instr, Lvalue, NodeId};
use crate::cfront::types::{CType, IntType};
use lang_c::ast::Expression;
use std::rc::Rc;

/// A call under way.
struct Scan {
    /// Holds where the next directive begins.
    at: Lvalue,
    /// Where the text begins.
    start: ExprValue,
    /// Holds the number of items so far.
    count: Lvalue,
    end: NodeId,
}

fn int(value: i128) -> ExprValue {
    ExprValue::number(Expr::constant(value, IntType::INT))
}

impl Lowerer<'_> {
    /// A call of `sscanf` whose format has a model; `None` for other calls.
    pub(super) fn text_scan_call(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        let name = call.name.strip_prefix("__isoc99_").unwrap_or(call.name);
        let name = name.strip_prefix("__isoc23_").unwrap_or(name);
        let ("sscanf", [text, format, items @ ..]) = (name, call.arguments) else {
            return Ok(None);
        };
        let Expression::StringLiteral(format) = &strip_casts(format).node else {
            return Ok(None);
        };
        let directives = directives(&c_string(&format.node), self.model);
        let Some(directives) = directives.filter(|all| all.iter().all(has_model)) else {
            return Ok(None);
        };
        let stored = directives.iter().filter(|directive| {
            matches!(directive, Directive::Conversion(conversion) if !conversion.skipped)
        });
        if stored.count() != items.len() || self.probing {
            return Ok(None);
        }
        let characters = CType::Pointer(Rc::new(CType::Int(IntType::CHAR)));
        let text = self.value(text)?;
        let text = self.cast(text, &characters)?;
        let start = self.kept(text)?;
        let mut places = Vec::new();
        for item in items {
            let value = self.value(item)?;
            places.push(self.kept(value)?);
        }
        self.place = call.place.clone();
        self.before_call(call.span)?;
        let (at, count) = (self.temporary(characters), self.temporary(CType::INT));
        self.assign(&at, start.clone())?;
        self.assign(&count, int(0))?;
        let end = self.node();
        let scan = Scan {
            at,
            start,
            count,
            end,
        };
        let mut places = places.into_iter();
        for directive in &directives {
            self.scan_directive(&scan, directive, &mut places)?;
        }
        self.connect(self.frame.at, end, Instr::Skip);
        self.frame.at = end;
        self.load(&scan.count).map(Some)
    }

    fn scan_directive(
        &mut self,
        scan: &Scan,
        directive: &Directive,
        places: &mut dyn Iterator<Item = ExprValue>,
    ) -> Lowered<()> {
        let at = self.address_of(&scan.at);
        match directive {
            Directive::Space => {
                self.library_part("horn_scan_spaces", vec![at])?;
            }
            Directive::Byte(byte) => {
                let byte = int(IntType::CHAR.wrap(i128::from(*byte)));
                let read = self.library_part("horn_scan_byte", vec![at, byte])?;
                self.go_on_if_read(scan, read)?;
            }
            Directive::Conversion(conversion) => {
                let place = match conversion.skipped {
                    true => None,
                    false => places.next(),
                };
                self.scan_conversion(scan, conversion, place)?;
            }
        }
        Ok(())
    }

    fn scan_conversion(
        &mut self,
        scan: &Scan,
        conversion: &Conversion,
        place: Option<ExprValue>,
    ) -> Lowered<()> {
        if conversion.kind == b'n' {
            let from = scan.start.clone();
            let position = self.load(&scan.at)?;
            let read = self.library_part("horn_scan_position", vec![from, position])?;
            return self.store_item(conversion, place, read);
        }
        match conversion.is_integer() {
            true => self.scan_integer(scan, conversion, place.clone())?,
            false => self.scan_bytes(scan, conversion, place.clone())?,
        }
        if place.is_some() {
            let count = self.load(&scan.count)?;
            let more = self.compute(Binary::Add, count, int(1))?;
            self.assign(&scan.count, more)?;
        }
        Ok(())
    }

    fn scan_integer(
        &mut self,
        scan: &Scan,
        conversion: &Conversion,
        place: Option<ExprValue>,
    ) -> Lowered<()> {
        let base = match conversion.kind {
            b'i' => 0,
            b'o' => 8,
            b'x' | b'X' => 16,
            _ => 10,
        };
        let value = self.temporary(CType::Int(IntType::new(64, false)));
        let (at, to) = (self.address_of(&scan.at), self.address_of(&value));
        let arguments = vec![at, int(base), self.width_value(conversion.width), to];
        let read = self.library_part("horn_scan_integer", arguments)?;
        self.go_on_if_read(scan, read)?;
        let value = self.load(&value)?;
        self.store_item(conversion, place, value)
    }

    /// Characters, a word, or members of a set.
    fn scan_bytes(
        &mut self,
        scan: &Scan,
        conversion: &Conversion,
        place: Option<ExprValue>,
    ) -> Lowered<()> {
        let stored = int(i128::from(place.is_some()));
        let to = match place {
            Some(to) => self.character_pointer(to)?,
            None => {
                let none = self.temporary(CType::Int(IntType::CHAR));
                self.address_of(&none)
            }
        };
        let width = self.width_value(conversion.width);
        let mut arguments = vec![self.address_of(&scan.at), to, stored];
        let model = match conversion.kind {
            b'c' => {
                arguments.push(self.width_value(conversion.width.or(Some(1))));
                "horn_scan_characters"
            }
            b's' => {
                arguments.push(width);
                "horn_scan_text_word"
            }
            _ => {
                arguments.push(self.set_value(&conversion.set.0)?);
                arguments.extend([int(i128::from(conversion.set.1)), width]);
                "horn_scan_text_members"
            }
        };
        let read = self.library_part(model, arguments)?;
        self.go_on_if_read(scan, read)
    }

    /// A pointer to characters, to which others are not converted.
    fn character_pointer(&mut self, to: ExprValue) -> Lowered<ExprValue> {
        match &to {
            ExprValue::Scalar(_, CType::Pointer(of)) if matches!(**of, CType::Int(int) if int.bits == 8) => {
                self.cast(to, &CType::Pointer(Rc::new(CType::Int(IntType::CHAR))))
            }
            _ => unsupported("`sscanf` of characters into memory of another type"),
        }
    }

    /// Puts an integer where an item points to.
    fn store_item(
        &mut self,
        conversion: &Conversion,
        place: Option<ExprValue>,
        value: ExprValue,
    ) -> Lowered<()> {
        match place {
            None => Ok(()),
            Some(ExprValue::Scalar(pointer, CType::Pointer(of))) if matches!(*of, CType::Int(int) if int.bits == conversion.bits && !int.boolean) =>
            {
                let to = deref(pointer, (*of).clone());
                let value = self.cast(value, &of)?;
                self.assign(&to, value)
            }
            Some(_) => unsupported("`sscanf` into memory of another type"),
        }
    }

    /// A directive that read nothing ends the call: at the end of the text before any item was
    /// read, with -1.
    fn go_on_if_read(&mut self, scan: &Scan, read: ExprValue) -> Lowered<()> {
        let ExprValue::Scalar(read, _) = self.kept(read)? else {
            return self.fail("a number is needed");
        };
        let compare = |lowerer: &Self, e: &Expr, value: i128| {
            lowerer.arithmetic(Binary::Eq, e.clone(), Expr::constant(value, IntType::INT))
        };
        let (on, over, none) = (self.node(), self.node(), self.node());
        let is_read = compare(self, &read, 1);
        self.connect(self.frame.at, on, Instr::Assume(is_read.clone(), true));
        self.connect(self.frame.at, over, Instr::Assume(is_read, false));
        self.frame.at = over;
        let ExprValue::Scalar(count, _) = self.load(&scan.count)? else {
            return self.fail("a number is needed");
        };
        let (at_end, is_first) = (compare(self, &read, -1), compare(self, &count, 0));
        let fails = Expr {
            kind: ExprKind::Both(Box::new(at_end), Box::new(is_first)),
            ty: IntType::INT,
        };
        self.connect(self.frame.at, none, Instr::Assume(fails.clone(), true));
        self.connect(self.frame.at, scan.end, Instr::Assume(fails, false));
        self.frame.at = none;
        self.assign(&scan.count, int(-1))?;
        self.connect(self.frame.at, scan.end, Instr::Skip);
        self.frame.at = on;
        Ok(())
    }

    /// A pointer to a variable of the front end's.
    fn address_of(&self, place: &Lvalue) -> ExprValue {
        let ty = CType::Pointer(Rc::new(place.ty.clone()));
        self.scalar(ExprKind::Address(Box::new(place.clone())), ty)
    }
}

/// Has a directive a model in texts?
fn has_model(directive: &Directive) -> bool {
    match directive {
        Directive::Space | Directive::Byte(_) => true,
        Directive::Conversion(conversion) => {
            let is_of_bytes = b"cs[".contains(&conversion.kind) && conversion.length == 0;
            is_of_bytes || conversion.is_integer() || conversion.kind == b'n'
        }
    }
}
