//! Terms as C expressions.
//!
//! Integers of SMT-LIB are mathematical; sums and products of them are written in `long long`.
//! Bit-vectors are written as [`words`]. What C cannot say (arrays, quantifiers, numbers beyond
//! `long long`, bit-vectors of more than 64 bits) has no expression.

mod plain;
mod words;

pub(super) use plain::plain;

use crate::term::{Op, Sort, Term, TermMap, Terms};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// Expressions of more text than this are not written.
const LONGEST: usize = 20_000;

/// A writer of C expressions.
pub struct Expressions<'a> {
    t: &'a Terms,
    names: &'a FxHashMap<Term, String>,
    known: TermMap<Option<String>>,
}

impl<'a> Expressions<'a> {
    /// A writer that gives variables these names; terms with other variables cannot be written. A
    /// variable that is a bit-vector is a C variable of the same number of bits, signed or
    /// unsigned.
    pub fn new(t: &'a Terms, names: &'a FxHashMap<Term, String>) -> Self {
        Expressions {
            t,
            names,
            known: TermMap::default(),
        }
    }

    /// A term as an operand: with brackets where it needs them. `None` where C cannot say it, or
    /// not shortly.
    pub fn write(&mut self, term: Term) -> Option<String> {
        for part in self.t.post_order([term]) {
            let text = self
                .of_written_parts(part)
                .filter(|text| text.len() <= LONGEST);
            self.known.insert(part, text);
        }
        self.known.get(&term).cloned().flatten()
    }

    /// A term whose parts are written.
    fn of_written_parts(&self, term: Term) -> Option<String> {
        let t = self.t;
        let mut args = Vec::new();
        for arg in t.args(term) {
            args.push(self.known.get(arg)?.as_deref()?);
        }
        Some(match (t.op(term), &args[..]) {
            (Op::True, _) => "1".to_owned(),
            (Op::False, _) => "0".to_owned(),
            (Op::Var(_), _) => {
                let name = self.names.get(&term)?;
                match t.bitvec_width(t.sort_of(term)) {
                    Some(_) => self.word_of_variable(term, name)?,
                    None => name.clone(),
                }
            }
            (Op::Number(id), _) => number(&t.number_value(id).to_integer()?)?,
            (Op::Not, [a]) => format!("!({a})"),
            (Op::And, args) => format!("({})", args.join(" && ")),
            (Op::Or, args) => format!("({})", args.join(" || ")),
            (Op::Eq, [a, b]) => format!("({} == {b})", self.wide(term, a)),
            (Op::Le, [a, b]) => format!("({} <= {b})", self.wide(term, a)),
            (Op::Lt, [a, b]) => format!("({} < {b})", self.wide(term, a)),
            (Op::Ite, [c, a, b]) => format!("({c} ? {a} : {b})"),
            (Op::Add, [first, rest @ ..]) => {
                format!("((long long)({first}) + {})", rest.join(" + "))
            }
            (Op::Mul, [first, rest @ ..]) => {
                format!("((long long)({first}) * {})", rest.join(" * "))
            }
            // The remainder of SMT-LIB is never negative.
            (Op::Mod, [a, b]) if self.is_positive(t.args(term)[1]) => {
                format!("((({a}) % {b} + {b}) % {b})")
            }
            (Op::IDiv, [a, b]) if self.is_positive(t.args(term)[1]) => {
                format!("((({a}) - ((({a}) % {b} + {b}) % {b})) / {b})")
            }
            (Op::BitVec(_) | Op::Bv(_), args) => self.word(term, args)?,
            _ => return None,
        })
    }

    /// The first operand of a comparison. C compares a signed number with an unsigned one of the
    /// same size as unsigned numbers, but for `long long`.
    fn wide(&self, comparison: Term, first: &str) -> String {
        let t = self.t;
        let operands = t.args(comparison);
        let is_whole = t.sort_of(operands[0]) == Sort::INT;
        // A number that is not negative is the same in all types.
        let is_natural = |&operand: &Term| {
            let number = t.as_number(operand);
            number.is_some_and(|number| !number.is_negative())
        };
        if !is_whole || operands.iter().any(is_natural) {
            return first.to_owned();
        }
        format!("(long long){first}")
    }

    fn is_positive(&self, term: Term) -> bool {
        let number = self.t.as_number(term);
        number.is_some_and(|number| number.is_positive())
    }
}

/// A number that `long long` holds.
fn number(value: &BigInt) -> Option<String> {
    let value = i64::try_from(value).ok()?;
    Some(match i32::try_from(value) {
        // The smallest number of a type is not minus a number of that type.
        _ if value == i64::MIN => format!("({}LL - 1)", i64::MIN + 1),
        Ok(i32::MIN) | Err(_) => format!("({value}LL)"),
        Ok(small @ ..0) => format!("({small})"),
        Ok(small) => small.to_string(),
    })
}
