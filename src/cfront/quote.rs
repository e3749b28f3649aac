//! Expressions and places of a program as C text, for people.
//!
//! The text has the names of the source. What the front end made has none: an expression with a
//! temporary is written only where it is known what is in it.

use super::float::Format;
use super::ir::{Base, Binary, Expr, ExprKind, FloatOp, Lvalue, ObjectId, Rounding, Step};
use super::program::Program;
use super::types::CType;

/// Longer texts are not shown. The value was not tuned.
const LONGEST: usize = 200;

/// Writes expressions. `temporary` says what an object of the front end's holds.
pub(crate) struct Quoter<'a> {
    pub(crate) program: &'a Program,
    pub(crate) temporary: &'a dyn Fn(ObjectId) -> Option<String>,
}

/// How strongly the operators of a text bind. Operands of stronger ones need brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Choice,
    Or,
    And,
    Bits,
    Comparison,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// A text, and how strongly its outermost operator binds.
type Text = (String, Strength);

impl Quoter<'_> {
    /// The text of an expression; `None` if it has none, or a long one.
    pub(crate) fn expression(&self, e: &Expr) -> Option<String> {
        Some(self.of(e)?.0).filter(|text| text.len() <= LONGEST)
    }

    fn operand(&self, e: &Expr, least: Strength) -> Option<String> {
        let (text, strength) = self.of(e)?;
        Some(if strength < least {
            format!("({text})")
        } else {
            text
        })
    }

    fn of(&self, e: &Expr) -> Option<Text> {
        let unary = |sign: &str, a: &Expr| {
            let text = format!("{sign}{}", self.operand(a, Strength::Unary)?);
            Some((text, Strength::Unary))
        };
        match &e.kind {
            ExprKind::Const(key) if e.ty.float => {
                let text = Format::of(e.ty).text(*key);
                let is_negative = text.starts_with('-');
                let strength = if is_negative {
                    Strength::Unary
                } else {
                    Strength::Primary
                };
                Some((text, strength))
            }
            ExprKind::Const(value) if *value < 0 => Some((value.to_string(), Strength::Unary)),
            ExprKind::Const(value) => Some((value.to_string(), Strength::Primary)),
            ExprKind::Load(place) => Some((self.place(place)?, Strength::Primary)),
            ExprKind::Address(place) => self.address(place),
            ExprKind::Function(f) => Some((
                self.program.function(*f).name.to_string(),
                Strength::Primary,
            )),
            ExprKind::Neg(a) => unary("-", a),
            ExprKind::BitNot(a) => unary("~", a),
            ExprKind::Not(a) => unary("!", a),
            // What is written is the source's, which has few casts; the step does not need them.
            ExprKind::Convert(a) => self.of(a),
            ExprKind::Move(a, _, stride) if stride.container.is_some() => {
                let text = format!("container_of({})", self.of(a)?.0);
                Some((text, Strength::Primary))
            }
            ExprKind::Move(a, b, _) if b.as_const() == Some(0) => self.of(a),
            ExprKind::Move(a, b, _) => self.two([a, b], "+", Strength::Sum, Strength::Product),
            ExprKind::Both(a, b) => self.two([a, b], "&&", Strength::And, Strength::Bits),
            ExprKind::Either(a, b) => self.two([a, b], "||", Strength::Or, Strength::And),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Float(op, operands) => self.float(*op, operands, e),
            ExprKind::Choose(c, a, b) => {
                let least = Strength::Or;
                let (c, a, b) = (
                    self.operand(c, least)?,
                    self.operand(a, least)?,
                    self.operand(b, Strength::Choice)?,
                );
                Some((format!("{c} ? {a} : {b}"), Strength::Choice))
            }
        }
    }

    /// An operation on floating-point numbers.
    fn float(&self, op: FloatOp, operands: &[Expr], e: &Expr) -> Option<Text> {
        let call = |name: &str, a: &Expr| {
            let suffix = if e.ty.float && e.ty.bits == 32 {
                "f"
            } else {
                ""
            };
            let text = format!("{name}{suffix}({})", self.of(a)?.0);
            Some((text, Strength::Primary))
        };
        // Subtraction is addition of the negative.
        if let (FloatOp::Add, [a, b]) = (op, operands)
            && let ExprKind::Float(FloatOp::Negate, inner) = &b.kind
        {
            return self.two([a, inner.first()?], "-", Strength::Sum, Strength::Product);
        }
        match (op, operands) {
            (FloatOp::Negate, [a]) => {
                let text = format!("-{}", self.operand(a, Strength::Primary)?);
                Some((text, Strength::Unary))
            }
            (FloatOp::Absolute, [a]) => call("fabs", a),
            (FloatOp::Root, [a]) => call("sqrt", a),
            (FloatOp::IsNan, [a]) => call("isnan", a),
            (FloatOp::IsNegative, [a]) => call("signbit", a),
            (FloatOp::Round(way), [a]) => call(rounding_name(way), a),
            (FloatOp::Resize | FloatOp::FromInt | FloatOp::ToInt, [a]) => self.of(a),
            (op, [a, b]) => self.binary(plain_operator(op)?, a, b),
            _ => None,
        }
    }

    fn two(&self, [a, b]: [&Expr; 2], sign: &str, own: Strength, right: Strength) -> Option<Text> {
        let (a, b) = (self.operand(a, own)?, self.operand(b, right)?);
        Some((format!("{a} {sign} {b}"), own))
    }

    fn binary(&self, op: Binary, a: &Expr, b: &Expr) -> Option<Text> {
        let (sign, own, right) = operator(op);
        if matches!(op, Binary::Eq | Binary::Ne) && b.as_const() == Some(0) && is_pointer(a) {
            let a = self.operand(a, own)?;
            return Some((format!("{a} {sign} NULL"), own));
        }
        if op.is_comparison() && a.as_const().is_some() {
            // The number is on the right.
            let sign = match sign {
                "<" => ">",
                "<=" => ">=",
                other => other,
            };
            return self.two([b, a], sign, own, right);
        }
        self.two([a, b], sign, own, right)
    }

    fn address(&self, place: &Lvalue) -> Option<Text> {
        match place.path.split_last() {
            // An array as a pointer to its first element.
            Some((Step::Index(at), path)) if at.as_const() == Some(0) => {
                let array = Lvalue {
                    path: path.to_vec(),
                    ..place.clone()
                };
                Some((self.place(&array)?, Strength::Primary))
            }
            _ => Some((format!("&{}", self.place(place)?), Strength::Unary)),
        }
    }

    /// The text of a place.
    fn place(&self, place: &Lvalue) -> Option<String> {
        let mut text = match &place.base {
            Base::Object(id) => {
                let object = self.program.object(*id);
                match object.hidden {
                    true => (self.temporary)(*id)?,
                    false => object.name.to_string(),
                }
            }
            Base::Deref(pointer, _) => match (&pointer.kind, &place.path[..]) {
                (ExprKind::Move(array, at, stride), _)
                    if at.as_const() != Some(0) && stride.container.is_none() =>
                {
                    let array = self.operand(array, Strength::Primary)?;
                    format!("{array}[{}]", self.of(at)?.0)
                }
                (_, [Step::Field(of, at), ..]) => {
                    let pointer = self.operand(pointer, Strength::Primary)?;
                    let name = &self.program.structs.fields(*of)[*at].name;
                    return self.rest(format!("{pointer}->{name}"), &place.path[1..]);
                }
                (_, [Step::Index(_), ..]) => {
                    format!("(*{})", self.operand(pointer, Strength::Unary)?)
                }
                (_, []) => return Some(format!("*{}", self.operand(pointer, Strength::Unary)?)),
            },
        };
        text = self.rest(text, &place.path)?;
        Some(text)
    }

    fn rest(&self, mut text: String, path: &[Step]) -> Option<String> {
        for step in path {
            match step {
                Step::Field(of, at) => {
                    text = format!("{text}.{}", self.program.structs.fields(*of)[*at].name);
                }
                Step::Index(index) => text = format!("{text}[{}]", self.of(index)?.0),
            }
        }
        Some(text)
    }
}

fn rounding_name(way: Rounding) -> &'static str {
    match way {
        Rounding::Down => "floor",
        Rounding::Up => "ceil",
        Rounding::ToZero => "trunc",
        Rounding::Nearest => "round",
        Rounding::ToEven => "rint",
    }
}

/// The operator on integers that is written as this one.
fn plain_operator(op: FloatOp) -> Option<Binary> {
    Some(match op {
        FloatOp::Add => Binary::Add,
        FloatOp::Multiply => Binary::Mul,
        FloatOp::Divide => Binary::Div,
        FloatOp::Less => Binary::Lt,
        FloatOp::AtMost => Binary::Le,
        FloatOp::Equal => Binary::Eq,
        FloatOp::Differ => Binary::Ne,
        _ => return None,
    })
}

/// Is this a pointer that is read from a variable or moved?
fn is_pointer(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Load(place) => place.ty.is_pointer(),
        ExprKind::Move(..) | ExprKind::Address(_) => true,
        ExprKind::Convert(inner) => is_pointer(inner),
        _ => false,
    }
}

/// An operator, how strongly it binds, and how strongly its right operand must.
fn operator(op: Binary) -> (&'static str, Strength, Strength) {
    use Strength::{Bits, Comparison, Product, Shift, Sum, Unary};
    match op {
        Binary::Add => ("+", Sum, Product),
        Binary::Sub => ("-", Sum, Product),
        Binary::Mul => ("*", Product, Unary),
        Binary::Div => ("/", Product, Unary),
        Binary::Rem => ("%", Product, Unary),
        Binary::Shl => ("<<", Shift, Sum),
        Binary::Shr => (">>", Shift, Sum),
        Binary::And => ("&", Bits, Unary),
        Binary::Or => ("|", Bits, Unary),
        Binary::Xor => ("^", Bits, Unary),
        Binary::Lt => ("<", Comparison, Shift),
        Binary::Le => ("<=", Comparison, Shift),
        Binary::Eq => ("==", Comparison, Shift),
        Binary::Ne => ("!=", Comparison, Shift),
    }
}

/// The scalar at a number of units in an object of a type, as the end of its name: `[2].next`.
/// If the type of what is there is known, the name ends where something of that type begins.
pub(crate) fn path_at(program: &Program, ty: &CType, unit: u64, of: Option<&CType>) -> String {
    let structs = &program.structs;
    match ty {
        ty if unit == 0 && of == Some(ty) => String::new(),
        CType::Array(element, _) => {
            let units = structs.span(element);
            let rest = path_at(program, element, unit % units, of);
            format!("[{}]{rest}", unit / units)
        }
        CType::Struct(id) => {
            let mut before = 0_u64;
            for field in structs.fields(*id) {
                let units = structs.span(&field.ty);
                if unit < before.saturating_add(units) {
                    let rest = path_at(program, &field.ty, unit - before, of);
                    return format!(".{}{rest}", field.name);
                }
                before += units;
            }
            String::new()
        }
        _ => String::new(),
    }
}
