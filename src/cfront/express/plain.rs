//! Formulas for people: C without the casts and brackets that make the exact text hard to read.
//!
//! Sums stand on the side where they have no minus, and `!(a <= b)` is `a > b`. Numbers are
//! mathematical. The exact text is that of [`super::Expressions`].

use crate::term::{Op, Term, Terms};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How strongly the outermost operator of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Primary,
}

type Text = (String, Strength);

/// A linear sum: the coefficients of texts, and a number.
#[derive(Default)]
struct Sum {
    parts: BTreeMap<String, BigInt>,
    number: BigInt,
}

/// A formula over variables with these names; `None` where it has other parts.
pub(crate) fn plain(t: &Terms, names: &FxHashMap<Term, String>, formula: Term) -> Option<String> {
    Some(Plain { t, names }.formula(formula, true)?.0)
}

struct Plain<'a> {
    t: &'a Terms,
    names: &'a FxHashMap<Term, String>,
}

fn in_brackets((text, strength): Text, least: Strength) -> String {
    match strength < least {
        true => format!("({text})"),
        false => text,
    }
}

impl Plain<'_> {
    /// A formula, or its negation.
    fn formula(&self, term: Term, wanted: bool) -> Option<Text> {
        let t = self.t;
        match (t.op(term), t.args(term)) {
            (Op::True, _) => Some((i32::from(wanted).to_string(), Strength::Primary)),
            (Op::False, _) => Some((i32::from(!wanted).to_string(), Strength::Primary)),
            (Op::Not, &[a]) => self.formula(a, !wanted),
            (Op::And, args) => self.all(args, wanted, wanted),
            (Op::Or, args) => self.all(args, !wanted, wanted),
            (Op::Le, &[a, b]) if wanted => self.comparison(a, "<=", b),
            (Op::Le, &[a, b]) => self.comparison(b, "<", a),
            (Op::Lt, &[a, b]) if wanted => self.comparison(a, "<", b),
            (Op::Lt, &[a, b]) => self.comparison(b, "<=", a),
            (Op::Eq, &[a, b]) => self.comparison(a, if wanted { "==" } else { "!=" }, b),
            _ => None,
        }
    }

    fn all(&self, args: &[Term], is_and: bool, wanted: bool) -> Option<Text> {
        let (sign, own) = match is_and {
            true => (" && ", Strength::And),
            false => (" || ", Strength::Or),
        };
        // Compilers warn of `&&` in `||` without brackets, and people stumble.
        let least = Strength::Comparison;
        let texts = args.iter().map(|&arg| {
            let text = self.formula(arg, wanted)?;
            Some(in_brackets(text, least))
        });
        Some((texts.collect::<Option<Vec<String>>>()?.join(sign), own))
    }

    /// `a op b`, with sums on the sides where they have no minus.
    fn comparison(&self, a: Term, op: &str, b: Term) -> Option<Text> {
        let mut sum = Sum::default();
        self.add(a, &BigInt::one(), &mut sum)?;
        self.add(b, &-BigInt::one(), &mut sum)?;
        let (mut left, mut right) = (Sum::default(), Sum::default());
        for (text, factor) in sum.parts {
            match factor.is_positive() {
                true => drop(left.parts.insert(text, factor)),
                false => drop(right.parts.insert(text, -factor)),
            }
        }
        let mut op = op;
        // Over whole numbers, `a + 1 <= b` is `a < b`, and `a < b + 1` is `a <= b`.
        if op == "<=" && sum.number.is_one() && !right.parts.is_empty() {
            (op, sum.number) = ("<", BigInt::zero());
        } else if op == "<" && (-&sum.number).is_one() && !left.parts.is_empty() {
            (op, sum.number) = ("<=", BigInt::zero());
        }
        let only_right = left.parts.is_empty();
        match only_right || (sum.number.is_positive() && !right.parts.is_empty()) {
            true => left.number = sum.number,
            false => right.number = -sum.number,
        }
        if only_right {
            // A number is on the right.
            std::mem::swap(&mut left, &mut right);
            op = match op {
                "<=" => ">=",
                "<" => ">",
                other => other,
            };
        }
        // Beside a number, bounds are ones that are reached.
        if right.parts.is_empty() && matches!(op, "<" | ">") {
            let one = BigInt::one();
            (op, right.number) = match op {
                "<" => ("<=", right.number - one),
                _ => (">=", right.number + one),
            };
        }
        let text = format!("{} {op} {}", left.text(), right.text());
        Some((text, Strength::Comparison))
    }

    /// Adds a multiple of a number to a sum.
    fn add(&self, term: Term, factor: &BigInt, sum: &mut Sum) -> Option<()> {
        let t = self.t;
        if let Some(number) = t.as_number(term) {
            sum.number += factor * number.to_integer()?;
            return Some(());
        }
        match (t.op(term), t.args(term)) {
            (Op::Add, args) => {
                for &arg in args {
                    self.add(arg, factor, sum)?;
                }
                Some(())
            }
            (Op::Mul, &[a, b]) if t.as_number(a).is_some() => {
                let number = t.as_number(a)?.to_integer()?;
                self.add(b, &(factor * number), sum)
            }
            _ => {
                let text = in_brackets(self.number(term)?, Strength::Product);
                let part = sum.parts.entry(text.clone()).or_default();
                *part += factor;
                if part.is_zero() {
                    sum.parts.remove(&text);
                }
                Some(())
            }
        }
    }

    /// A number that is no sum.
    fn number(&self, term: Term) -> Option<Text> {
        let t = self.t;
        let product = |a: Term, sign: &str, b: Term| {
            let (a, b) = (self.sum(a)?, self.sum(b)?);
            let (a, b) = (
                in_brackets(a, Strength::Product),
                in_brackets(b, Strength::Primary),
            );
            Some((format!("{a} {sign} {b}"), Strength::Product))
        };
        match (t.op(term), t.args(term)) {
            (Op::Var(_), _) if t.bitvec_width(t.sort_of(term)).is_none() => {
                Some((self.names.get(&term)?.clone(), Strength::Primary))
            }
            (Op::Mul, &[a, b]) => product(a, "*", b),
            (Op::Ite, &[c, a, b]) => {
                let c = in_brackets(self.formula(c, true)?, Strength::Or);
                let (a, b) = (self.sum(a)?, self.sum(b)?);
                let text = format!("{c} ? {} : {}", a.0, b.0);
                Some((text, Strength::Choice))
            }
            _ => None,
        }
    }

    fn sum(&self, term: Term) -> Option<Text> {
        let mut sum = Sum::default();
        self.add(term, &BigInt::one(), &mut sum)?;
        let is_name = |(text, factor): (&String, &BigInt)| {
            factor.is_one() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        let strength = match (sum.parts.len(), sum.number.is_zero()) {
            (0, _) => Strength::Primary,
            (1, true) if sum.parts.iter().all(is_name) => Strength::Primary,
            (1, true) => Strength::Product,
            _ => Strength::Sum,
        };
        Some((sum.text(), strength))
    }
}

impl Sum {
    fn text(&self) -> String {
        let mut text = String::new();
        for (part, factor) in &self.parts {
            let sign = match (text.is_empty(), factor.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            if !factor.abs().is_one() {
                text.push_str(&format!("{} * ", factor.abs()));
            }
            text.push_str(part);
        }
        match (text.is_empty(), self.number.is_zero()) {
            (true, _) => self.number.to_string(),
            (false, true) => text,
            (false, false) if self.number.is_negative() => {
                format!("{text} - {}", self.number.abs())
            }
            (false, false) => format!("{text} + {}", self.number),
        }
    }
}
