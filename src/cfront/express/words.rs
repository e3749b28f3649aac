//! Bit-vectors as unsigned numbers of C: of type `unsigned` up to 32 bits, of `unsigned long long`
//! up to 64.
//!
//! The value of an expression is at most the bit-vector's largest number. For a bit-vector taken as
//! signed, the conversion to a signed type and its shift to the right are implementation-defined in
//! C; the text relies on what all compilers in use do (two's complement, copies of the sign).

use super::{Expressions, number};
use crate::term::{BvOp, Op, Term, Terms};
use num_bigint::BigInt;

/// The number of bits of a word, 1 to 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Width(u32);

impl Width {
    fn of(t: &Terms, term: Term) -> Option<Width> {
        let width = t.bitvec_width(t.sort_of(term))?;
        (1..=64).contains(&width).then_some(Width(width))
    }

    /// The bits of the type.
    fn bits_of_type(self) -> u32 {
        if self.0 <= 32 { 32 } else { 64 }
    }

    fn unsigned_type(self) -> &'static str {
        if self.0 <= 32 {
            "unsigned"
        } else {
            "unsigned long long"
        }
    }

    fn signed_type(self) -> &'static str {
        if self.0 <= 32 { "int" } else { "long long" }
    }

    /// The largest number.
    fn ones(self) -> u64 {
        u64::MAX >> (64 - self.0)
    }

    fn constant(self, value: u64) -> String {
        format!("{value}{}", if self.0 <= 32 { "u" } else { "ULL" })
    }

    /// An operand of any integer type, modulo 2^width.
    fn modulo(self, operand: &str) -> String {
        self.without_upper_bits(&format!("({}){operand}", self.unsigned_type()))
    }

    /// A word of another width, whose upper bits are dropped where this is the smaller one.
    fn of_word(self, from: Width, operand: &str) -> String {
        if self.bits_of_type() != from.bits_of_type() {
            self.modulo(operand)
        } else if self.0 < from.0 {
            self.without_upper_bits(operand)
        } else {
            operand.to_owned()
        }
    }

    /// An expression of the type, modulo 2^width.
    fn without_upper_bits(self, text: &str) -> String {
        if self.0 == self.bits_of_type() {
            format!("({text})")
        } else if text.contains([' ', ')']) {
            format!("(({text}) & {})", self.constant(self.ones()))
        } else {
            format!("({text} & {})", self.constant(self.ones()))
        }
    }

    /// A word as a signed number.
    fn signed(self, operand: &str) -> String {
        let kind = self.signed_type();
        match self.bits_of_type() - self.0 {
            0 => format!("(({kind}){operand})"),
            unused => format!("((({kind})({operand} << {unused})) >> {unused})"),
        }
    }
}

impl Expressions<'_> {
    /// The value of a C variable.
    pub(super) fn word_of_variable(&self, term: Term, name: &str) -> Option<String> {
        Width::of(self.t, term).map(|width| width.modulo(name))
    }

    /// The number that a constant denotes.
    fn constant(&self, term: Term) -> Option<u64> {
        match self.t.op(term) {
            Op::BitVec(id) => u64::try_from(self.t.number_value(id).to_integer()?).ok(),
            _ => None,
        }
    }

    /// A constant or an operation on bit-vectors whose arguments are written.
    pub(super) fn word(&self, term: Term, args: &[&str]) -> Option<String> {
        let t = self.t;
        let Op::Bv(op) = t.op(term) else {
            return Some(Width::of(t, term)?.constant(self.constant(term)?));
        };
        match op {
            BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle | BvOp::ToNat => {
                self.not_a_word(op, term, args)
            }
            _ => self.operation_on_words(op, term, args),
        }
    }

    /// A comparison of bit-vectors, or the integer of one.
    fn not_a_word(&self, op: BvOp, term: Term, args: &[&str]) -> Option<String> {
        let t = self.t;
        let signed = |at: usize| self.signed(t.args(term)[at], args[at]);
        match (op, args) {
            (BvOp::Ult, [a, b]) => Some(format!("({a} < {b})")),
            (BvOp::Ule, [a, b]) => Some(format!("({a} <= {b})")),
            (BvOp::Slt, _) => Some(format!("({} < {})", signed(0)?, signed(1)?)),
            (BvOp::Sle, _) => Some(format!("({} <= {})", signed(0)?, signed(1)?)),
            (BvOp::ToNat, [a]) if Width::of(t, t.args(term)[0])?.0 < 64 => {
                Some(format!("((long long)({a}))"))
            }
            _ => None,
        }
    }

    /// An operation whose result is a bit-vector.
    fn operation_on_words(&self, op: BvOp, term: Term, args: &[&str]) -> Option<String> {
        let t = self.t;
        let arg_width = |at: usize| Width::of(t, t.args(term)[at]);
        let signed = |at: usize| self.signed(t.args(term)[at], args[at]);
        let width = Width::of(t, term)?;
        let operation = |sign: &str| width.without_upper_bits(&args.join(sign));
        Some(match (op, args) {
            (BvOp::And, _) => operation(" & "),
            (BvOp::Or, _) => operation(" | "),
            (BvOp::Xor, _) => operation(" ^ "),
            (BvOp::Add, _) => operation(" + "),
            (BvOp::Mul, _) => operation(" * "),
            (BvOp::Not, [a]) => width.without_upper_bits(&format!("~{a}")),
            (BvOp::Neg, [a]) => width.without_upper_bits(&format!("-{a}")),
            (BvOp::Udiv, [a, b]) => {
                let ones = width.constant(width.ones());
                self.by_divisor(width, term, b, &[(0, &ones)], &format!("{a} / {b}"))
            }
            (BvOp::Urem, [a, b]) => {
                self.by_divisor(width, term, b, &[(0, a)], &format!("{a} % {b}"))
            }
            (BvOp::Sdiv | BvOp::Srem | BvOp::Smod, _) => {
                self.signed_division(op, width, term, args)?
            }
            (BvOp::Shl, [a, ..]) => self.shift(width, term, args, "<<", a, &width.constant(0)),
            (BvOp::Lshr, [a, ..]) => self.shift(width, term, args, ">>", a, &width.constant(0)),
            (BvOp::Ashr, _) => {
                let number = signed(0)?;
                let signs = format!("({number} < 0 ? -1 : 0)");
                self.shift(width, term, args, ">>", &number, &signs)
            }
            (BvOp::RotateLeft(by), [a]) => rotated(width, a, by % width.0),
            (BvOp::RotateRight(by), [a]) => rotated(width, a, width.0 - by % width.0),
            (BvOp::Concat, [a, b]) => joined(width, &[a, b], arg_width(1)?.0),
            (BvOp::Repeat(count), [a]) => {
                let parts = vec![*a; usize::try_from(count).ok()?];
                joined(width, &parts, arg_width(0)?.0)
            }
            (BvOp::Extract { lo: 0, .. } | BvOp::ZeroExtend(_), [a]) => {
                width.of_word(arg_width(0)?, a)
            }
            (BvOp::Extract { lo, .. }, [a]) => {
                width.of_word(arg_width(0)?, &format!("({a} >> {lo})"))
            }
            (BvOp::FromInt(_), [a]) => width.modulo(a),
            (BvOp::SignExtend(_), _) => width.modulo(&signed(0)?),
            (BvOp::Comp, [a, b]) => {
                let (one, zero) = (width.constant(1), width.constant(0));
                format!("({a} == {b} ? {one} : {zero})")
            }
            _ => return None,
        })
    }

    /// A bit-vector as a signed number.
    fn signed(&self, term: Term, text: &str) -> Option<String> {
        let width = Width::of(self.t, term)?;
        let Some(constant) = self.constant(term) else {
            let name = self.names.get(&term).map(String::as_str);
            let whole = name.filter(|_| width.0 == width.bits_of_type());
            return Some(width.signed(whole.unwrap_or(text)));
        };
        let negative = constant > width.ones() / 2;
        let subtracted = if negative {
            BigInt::from(width.ones()) + 1
        } else {
            BigInt::ZERO
        };
        let value = BigInt::from(constant) - subtracted;
        number(&value)
    }

    /// A quotient or remainder of signed numbers.
    fn signed_division(&self, op: BvOp, width: Width, term: Term, args: &[&str]) -> Option<String> {
        let [dividend, divisor] = args else {
            return None;
        };
        let x = self.signed(self.t.args(term)[0], dividend)?;
        let y = self.signed(self.t.args(term)[1], divisor)?;
        let zero = width.constant(0);
        let minus = || width.without_upper_bits(&format!("-{dividend}"));
        let (by_zero, by_minus_one, otherwise) = match op {
            BvOp::Sdiv => {
                let (one, ones) = (width.constant(1), width.constant(width.ones()));
                let by_zero = format!("({x} < 0 ? {one} : {ones})");
                (by_zero, minus(), format!("({x} / {y})"))
            }
            BvOp::Srem => ((*dividend).to_owned(), zero, format!("({x} % {y})")),
            _ => {
                // C's remainder has the sign of the dividend.
                let other_sign = format!("{x} % {y} != 0 && ({x} < 0) != ({y} < 0)");
                let modulo = format!("({other_sign} ? {x} % {y} + {y} : {x} % {y})");
                ((*dividend).to_owned(), zero, modulo)
            }
        };
        let cases = [(0, &*by_zero), (width.ones(), &*by_minus_one)];
        Some(self.by_divisor(width, term, divisor, &cases, &width.modulo(&otherwise)))
    }

    /// A quotient or remainder, which SMT-LIB defines for every divisor, while C has none by zero,
    /// nor the quotient of the smallest number by -1: what it is by these divisors, and otherwise.
    fn by_divisor(
        &self,
        width: Width,
        term: Term,
        divisor: &str,
        cases: &[(u64, &str)],
        otherwise: &str,
    ) -> String {
        let constant = self.constant(self.t.args(term)[1]);
        let cases: String = (cases.iter())
            .filter(|(value, _)| constant.is_none_or(|constant| constant == *value))
            .map(|(value, then)| format!("{divisor} == {} ? {then} : ", width.constant(*value)))
            .collect();
        format!("({cases}{otherwise})")
    }

    /// A shift of `shifted`, and what is left where every bit is shifted out, which C leaves open.
    fn shift(
        &self,
        width: Width,
        term: Term,
        args: &[&str],
        sign: &str,
        shifted: &str,
        beyond: &str,
    ) -> String {
        let within = format!("{shifted} {sign} {}", args[1]);
        let text = match self.constant(self.t.args(term)[1]) {
            Some(by) if by < u64::from(width.0) => within,
            Some(_) => beyond.to_owned(),
            None => format!(
                "{} < {} ? {within} : {beyond}",
                args[1],
                width.constant(width.0.into())
            ),
        };
        width.modulo(&format!("({text})"))
    }
}

/// A word rotated to the left by 0 to all of its bits.
fn rotated(width: Width, text: &str, by: u32) -> String {
    match width.0 - by {
        0 => text.to_owned(),
        _ if by == 0 => text.to_owned(),
        rest => width.without_upper_bits(&format!("{text} << {by} | {text} >> {rest}")),
    }
}

/// Words one after the other; all but the first have `bits` bits.
fn joined(width: Width, parts: &[&str], bits: u32) -> String {
    let (first, rest) = parts.split_first().expect("there is a first part");
    let kind = width.unsigned_type();
    let joined = rest
        .iter()
        .fold(format!("({kind})({first})"), |text, part| {
            format!("({text}) << {bits} | {part}")
        });
    format!("({joined})")
}
