//! Floating-point numbers: operators, conversions, and the functions of <math.h> that are exact.

use super::call::Named;
use super::value::ExprValue;
use super::{Lowered, Lowerer};
use crate::cfront::float::{Format, is_not_zero, operation};
use crate::cfront::ir::{Binary, Expr, ExprKind, FloatOp, Instr, Rounding, Unknown};
use crate::cfront::types::{CType, IntType};

/// An arithmetic operator on two numbers of one type; `None` for operators on integers.
pub(super) fn arithmetic(op: Binary, a: Expr, b: Expr) -> Option<Expr> {
    let ty = a.ty;
    Some(match op {
        Binary::Add => operation(FloatOp::Add, vec![a, b], ty),
        Binary::Sub => {
            let minus = operation(FloatOp::Negate, vec![b], ty);
            operation(FloatOp::Add, vec![a, minus], ty)
        }
        Binary::Mul => operation(FloatOp::Multiply, vec![a, b], ty),
        Binary::Div => operation(FloatOp::Divide, vec![a, b], ty),
        _ => return None,
    })
}

fn test(op: FloatOp, operands: &[&Expr]) -> Expr {
    let operands = operands.iter().map(|&e| e.clone()).collect();
    operation(op, operands, IntType::INT)
}

fn choose(condition: Expr, yes: Expr, no: Expr) -> Expr {
    match condition.as_const() {
        Some(0) => no,
        Some(_) => yes,
        None => Expr {
            ty: yes.ty,
            kind: ExprKind::Choose(Box::new(condition), Box::new(yes), Box::new(no)),
        },
    }
}

fn int(value: i128) -> Expr {
    Expr::constant(value, IntType::INT)
}

fn not(e: Expr) -> Expr {
    super::expr::negation(e)
}

/// Names of the library and of the compiler as one name, and the type of the numbers; `None` as the
/// type where it is that of the argument.
fn known_name(name: &str, arguments: usize) -> Option<(&str, Option<u32>)> {
    const GENERIC: &str = " isnan isinf isinf_sign finite isfinite isnormal signbit isgreater \
        isgreaterequal isless islessequal islessgreater isunordered ";
    const PLAIN: &str = " fabs sqrt floor ceil trunc round rint nearbyint copysign fmin fmax fdim \
        isnan isinf finite signbit fpclassify huge_val inf nan ";
    const TWO: &str = " copysign fmin fmax fdim isgreater isgreaterequal isless islessequal \
        islessgreater isunordered ";
    let is_in = |list: &str, name: &str| list.contains(&format!(" {name} "));
    let builtin = name.strip_prefix("__builtin_");
    let own = builtin.or_else(|| name.strip_prefix("__")).unwrap_or(name);
    let plain = own.strip_suffix('f').filter(|short| is_in(PLAIN, short));
    let (found, bits) = match plain {
        // `isinf` is no `isin` of numbers of 32 bits.
        Some(short) if !is_in(GENERIC, own) => (short, Some(32)),
        _ if is_in(PLAIN, own) && !(is_in(GENERIC, own) && name != format!("__{own}")) => {
            (own, Some(64))
        }
        _ if is_in(GENERIC, own) => (own, None),
        _ => return None,
    };
    let is_constant = matches!(found, "huge_val" | "inf" | "nan");
    if is_constant && builtin.is_none() {
        return None;
    }
    let count = match found {
        "huge_val" | "inf" => 0,
        "fpclassify" if builtin.is_some() => 6,
        _ if is_in(TWO, found) => 2,
        _ => 1,
    };
    (arguments == count).then_some((found, bits))
}

impl Lowerer<'_> {
    /// A call of a function on floating-point numbers that is exact; `None` for other functions.
    pub(super) fn float_call(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        let Some((name, bits)) = known_name(call.name, call.arguments.len()) else {
            return Ok(None);
        };
        let declared = &self.functions[call.id.0].result_ty;
        let is_told = !self.implicit.contains(call.name) && !call.name.starts_with("__builtin_");
        let is_test = name.starts_with("is") || matches!(name, "finite" | "signbit" | "fpclassify");
        if is_told && !is_test && *declared != CType::Float(bits.unwrap_or(64)) {
            return Ok(None);
        }
        if matches!(name, "huge_val" | "inf" | "nan") {
            let ty = IntType::float(bits.unwrap_or(64));
            let format = Format::of(ty);
            let key = if name == "nan" {
                format.nan()
            } else {
                format.infinity()
            };
            return Ok(Some(ExprValue::number(Expr::constant(key, ty))));
        }
        let mut operands: Vec<Expr> = Vec::new();
        let numbers = match name {
            "fpclassify" => call.arguments.len() - 1..call.arguments.len(),
            _ => 0..call.arguments.len(),
        };
        for argument in &call.arguments[numbers] {
            let value = self.value(argument)?;
            let ty = match (bits, value.ty()) {
                (Some(bits), _) => CType::Float(bits),
                (None, CType::Float(bits)) => CType::Float(bits),
                (None, _) => CType::Float(64),
            };
            let value = self.cast(value, &ty)?;
            let ExprValue::Scalar(e, _) = self.kept(value)? else {
                return Ok(None);
            };
            operands.push(e);
        }
        if let [a, b] = &operands[..] {
            let ty = a.ty.common(b.ty);
            operands = operands
                .into_iter()
                .map(|e| super::expr::convert(e, ty))
                .collect();
        }
        self.place = call.place.clone();
        self.before_call(call.span)?;
        let result = match &operands[..] {
            [x] => self.function_of_one(call, name, x)?,
            [x, y] => Some(self.function_of_two(name, x, y)?),
            _ => None,
        };
        Ok(result.map(ExprValue::number))
    }

    fn function_of_one(&mut self, call: &Named<'_>, name: &str, x: &Expr) -> Lowered<Option<Expr>> {
        let infinity = Expr::constant(Format::of(x.ty).infinity(), x.ty);
        let absolute = operation(FloatOp::Absolute, vec![x.clone()], x.ty);
        let plain = |op| Some(operation(op, vec![x.clone()], x.ty));
        Ok(match name {
            "fabs" => Some(absolute),
            "sqrt" => {
                self.any_error_number()?;
                plain(FloatOp::Root)
            }
            "floor" => plain(FloatOp::Round(Rounding::Down)),
            "ceil" => plain(FloatOp::Round(Rounding::Up)),
            "trunc" => plain(FloatOp::Round(Rounding::ToZero)),
            "round" => plain(FloatOp::Round(Rounding::Nearest)),
            "rint" | "nearbyint" => plain(FloatOp::Round(Rounding::ToEven)),
            "isnan" => Some(test(FloatOp::IsNan, &[x])),
            "finite" | "isfinite" => Some(test(FloatOp::Less, &[&absolute, &infinity])),
            "isnormal" => {
                let least = Expr::constant(1 << (Format::of(x.ty).precision() - 1), x.ty);
                let finite = test(FloatOp::Less, &[&absolute, &infinity]);
                let normal = test(FloatOp::AtMost, &[&least, &absolute]);
                Some(choose(finite, normal, int(0)))
            }
            "isinf" | "isinf_sign" => {
                // Which number other than 0 a negative infinity gives, is open.
                let minus = match call.name {
                    "__builtin_isinf" => int(1),
                    "isinf" | "isinff" => {
                        let open = self.open_number()?;
                        choose(open, int(1), int(-1))
                    }
                    _ => int(-1),
                };
                let zero = Expr::constant(0, x.ty);
                let sign = choose(test(FloatOp::Less, &[x, &zero]), minus, int(1));
                let is_infinite = test(FloatOp::Equal, &[&absolute, &infinity]);
                Some(choose(is_infinite, sign, int(0)))
            }
            "signbit" => {
                let open = self.open_number()?;
                let open = choose(open.clone(), open, int(1));
                Some(choose(test(FloatOp::IsNegative, &[x]), open, int(0)))
            }
            "fpclassify" => self.class(call, x)?,
            _ => None,
        })
    }

    /// The class of a number: as the call has it, or as the GNU library does.
    fn class(&mut self, call: &Named<'_>, x: &Expr) -> Lowered<Option<Expr>> {
        let infinity = Expr::constant(Format::of(x.ty).infinity(), x.ty);
        let least = Expr::constant(1 << (Format::of(x.ty).precision() - 1), x.ty);
        let absolute = operation(FloatOp::Absolute, vec![x.clone()], x.ty);
        let mut classes = vec![int(0), int(1), int(4), int(3), int(2)];
        if let [given @ .., _] = call.arguments
            && !given.is_empty()
        {
            classes.clear();
            for class in given {
                let class = self.integer(class)?.0;
                classes.push(super::expr::convert(class, IntType::INT));
            }
        }
        let [nan, infinite, normal, subnormal, none] = &classes[..] else {
            return Ok(None);
        };
        let is_small = test(FloatOp::Less, &[&absolute, &least]);
        let small = choose(is_not_zero(x.clone()), subnormal.clone(), none.clone());
        let finite = choose(is_small, small, normal.clone());
        let is_infinite = test(FloatOp::Equal, &[&absolute, &infinity]);
        let number = choose(is_infinite, infinite.clone(), finite);
        let is_nan = test(FloatOp::IsNan, &[x]);
        Ok(Some(choose(is_nan, nan.clone(), number)))
    }

    fn function_of_two(&mut self, name: &str, x: &Expr, y: &Expr) -> Lowered<Expr> {
        let (x_nan, y_nan) = (test(FloatOp::IsNan, &[x]), test(FloatOp::IsNan, &[y]));
        Ok(match name {
            "copysign" => {
                let absolute = operation(FloatOp::Absolute, vec![x.clone()], x.ty);
                let minus = operation(FloatOp::Negate, vec![absolute.clone()], x.ty);
                choose(test(FloatOp::IsNegative, &[y]), minus, absolute)
            }
            "fmin" | "fmax" => {
                let (least, most) = match name {
                    "fmin" => (x, y),
                    _ => (y, x),
                };
                // Which of two zeros it is, is open.
                let open = self.open_number()?;
                let either = choose(open, x.clone(), y.clone());
                let is_less = test(FloatOp::Less, &[least, most]);
                let other = choose(test(FloatOp::Equal, &[x, y]), either, y.clone());
                let number = choose(is_less, x.clone(), other);
                choose(x_nan, y.clone(), choose(y_nan, x.clone(), number))
            }
            "fdim" => {
                let minus = operation(FloatOp::Negate, vec![y.clone()], x.ty);
                let difference = operation(FloatOp::Add, vec![x.clone(), minus], x.ty);
                let zero = Expr::constant(0, x.ty);
                let is_at_most = test(FloatOp::AtMost, &[x, y]);
                choose(is_at_most, zero, difference)
            }
            "isgreater" => test(FloatOp::Less, &[y, x]),
            "isgreaterequal" => test(FloatOp::AtMost, &[y, x]),
            "isless" => test(FloatOp::Less, &[x, y]),
            "islessequal" => test(FloatOp::AtMost, &[x, y]),
            "islessgreater" => {
                let less = test(FloatOp::Less, &[x, y]);
                choose(less, int(1), test(FloatOp::Less, &[y, x]))
            }
            _ => choose(x_nan, int(1), not(not(y_nan))),
        })
    }

    /// A number that the standard leaves open.
    fn open_number(&mut self) -> Lowered<Expr> {
        let place = self.temporary(CType::INT);
        self.step(Instr::Havoc(place.clone(), Unknown::Uninitialised));
        match self.load(&place)? {
            ExprValue::Scalar(e, _) => Ok(e),
            _ => self.fail("a number is a scalar"),
        }
    }
}
