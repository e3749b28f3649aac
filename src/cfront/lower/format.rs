//! Formats of the printing family: may one write to memory, by the conversion `%n`?

use super::Lowerer;
use super::call::Named;
use super::literal::c_string;
use super::types::strip_casts;
use super::value::ExprValue;
use crate::cfront::ir::Instr;
use crate::cfront::lex::texts;
use crate::cfront::library::format_position;
use crate::cfront::types::CType;
use lang_c::ast::Expression;
use lang_c::span::Node;

/// Why a call with a list of arguments is not supported whose format is no literal.
pub(super) const COUNTED: &str =
    "a format that may have the conversion `%n`, with a list of arguments";

/// What is known of the formats of a program.
#[derive(Default)]
pub(super) struct Formats {
    /// May the conversion `%n` write by one of the further arguments of the program's functions?
    pub(super) is_counted: bool,
    /// Has a literal of the program this conversion?
    has_counting_literal: Option<bool>,
}

impl Lowerer<'_> {
    /// May a conversion `%n` of the format of a call write to what arguments point to? For a list
    /// of arguments and a format that is no literal, a step says that it may.
    pub(super) fn counts(&mut self, call: &Named<'_>, values: &[ExprValue]) -> bool {
        let Some(at) = format_position(call.name) else {
            return false;
        };
        let Some(format) = call.arguments.get(at) else {
            return false;
        };
        let mut known = Vec::new();
        if literals(format, &mut known) {
            return known.iter().any(|format| counts(format));
        }
        let further = values.get(at + 1..).unwrap_or(&[]);
        if call.name.starts_with('v') {
            self.step(Instr::Unsupported(COUNTED.into()));
            return false;
        }
        further.iter().any(|value| match value.ty() {
            CType::Pointer(to) => self.may_be_count(&to, 8),
            _ => false,
        })
    }

    /// May a pointer to this, as an argument, be one that the conversion `%n` writes by? Numbers of
    /// fewer bits count only where a literal of the program has the conversion.
    pub(super) fn may_be_count(&mut self, ty: &CType, bits: u32) -> bool {
        match ty {
            CType::Int(int) if int.bits >= bits => true,
            CType::Int(_) | CType::Void => self.has_counting_literal(),
            _ => false,
        }
    }

    /// Has a literal of the program the conversion `%n`?
    pub(super) fn has_counting_literal(&mut self) -> bool {
        let text = &self.source.text;
        let known = &mut self.formats.has_counting_literal;
        *known.get_or_insert_with(|| texts(text).any(|literal| counts(literal.as_bytes())))
    }

    /// Where no argument of the program's functions is a pointer that the conversion `%n` may write
    /// by, calls with lists of arguments are as if they had none.
    pub(super) fn settle_counts(&mut self) {
        if self.formats.is_counted {
            return;
        }
        let edges = self.functions.iter_mut().filter_map(|f| f.cfa.as_mut());
        for edge in edges.flat_map(|cfa| &mut cfa.edges) {
            if matches!(&edge.instr, Instr::Unsupported(what) if **what == *COUNTED) {
                edge.instr = Instr::Skip;
            }
        }
    }
}

/// The texts of which an expression is one; false where it may be another.
fn literals(e: &Node<Expression>, found: &mut Vec<Vec<u8>>) -> bool {
    match &strip_casts(e).node {
        Expression::StringLiteral(s) => {
            found.push(c_string(&s.node));
            true
        }
        Expression::Conditional(c) => {
            literals(&c.node.then_expression, found) && literals(&c.node.else_expression, found)
        }
        _ => false,
    }
}

/// Has a format a conversion `%n`, which writes to what its argument points to?
pub(super) fn counts(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while rest.any(|&byte| byte == b'%') {
        // Flags, a width, a precision, and a length come before the letter.
        let letter = rest.find(|byte| !b" #+-'I0123456789.*$hlLqjztw".contains(byte));
        if letter == Some(&b'n') {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_count() {
        for (format, expected) in [
            ("ab%n", true),
            ("%d%5n", true),
            ("%hhn", true),
            ("%-+ #0*.3lln", true),
            ("%1$n", true),
            ("%s%%%n", true),
            ("%%n", false),
            ("%dn", false),
            ("n%", false),
            ("", false),
        ] {
            assert_eq!(counts(format.as_bytes()), expected, "{format}");
        }
    }
}
