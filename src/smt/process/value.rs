//! Values as solvers print them.

use super::sexpr::Sexpr;
use crate::number::Rational;
use crate::smt::Failure;
use crate::term::{Sort, Terms, Value};

/// The value of that sort that an expression denotes.
pub(super) fn parse_value(t: &Terms, sort: Sort, text: Sexpr<'_>) -> Result<Value, Failure> {
    let value = match sort {
        Sort::BOOL => match text.atom() {
            Some("true") => Some(Value::Bool(true)),
            Some("false") => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::INT => parse_number(text)?
            .filter(Rational::is_integer)
            .map(Value::Number),
        Sort::REAL => parse_number(text)?.map(Value::Number),
        _ => {
            let sort = t.display_sort(sort).to_string();
            return Err(Failure::Unsupported(format!("values of sort {sort}")));
        }
    };
    value.ok_or_else(|| Failure::Broken("a value that cannot be read".to_owned()))
}

/// Solvers write numbers as `5`, `2.5`, `(- 5)`, `(/ 1 3)`, `(- (/ 1.0 3.0))`, `(/ (- 1) 3)`; deeper they do not nest.
fn parse_number(text: Sexpr<'_>) -> Result<Option<Rational>, Failure> {
    if let Some(atom) = text.atom() {
        return Ok(Rational::parse(atom));
    }
    let list = text.short_list().unwrap_or_default();
    let head = list.first().and_then(|head| head.atom());
    match (head, list.get(1..).unwrap_or_default()) {
        (Some("-"), &[x]) => Ok(parse_fraction(x).map(|x| -x)),
        (Some("/"), _) => Ok(parse_fraction(text)),
        (Some("root-obj"), _) => Err(Failure::Unsupported("an irrational value".to_owned())),
        _ => Ok(None),
    }
}

fn parse_fraction(text: Sexpr<'_>) -> Option<Rational> {
    if text.atom().is_some() {
        return parse_signed(text);
    }
    match *text.short_list()? {
        [slash, num, den] if slash.atom() == Some("/") => {
            let (num, den) = (parse_signed(num)?, parse_signed(den)?);
            (!den.is_zero()).then(|| num / den)
        }
        _ => parse_signed(text),
    }
}

fn parse_signed(text: Sexpr<'_>) -> Option<Rational> {
    match text.atom() {
        Some(atom) => Rational::parse(atom),
        None => match *text.short_list()? {
            [minus, x] if minus.atom() == Some("-") => Rational::parse(x.atom()?).map(|x| -x),
            _ => None,
        },
    }
}
