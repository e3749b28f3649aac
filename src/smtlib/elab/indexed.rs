//! Identifiers that are more than symbols: indexed ones, `(_ extract 3 0)`, and qualified ones,
//! `(as nil (List Int))`.

use super::Elaborator;
use super::env::Global;
use super::error::{ElabError, ElabErrorKind};
use super::sorts::MAX_WIDTH;
use crate::chc::Span;
use crate::number::Rational;
use crate::smtlib::ast::{Ast, Identifier, Index};
use crate::smtlib::source::Source;
use crate::term::{BvOp, Sort, Term};

impl Elaborator<'_> {
    /// An identifier of the command's table, applied to the last `count` values (none: it stands
    /// alone).
    pub(super) fn qualified(
        &mut self,
        ast: &Ast,
        source: &Source,
        id: u32,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let identifier = ast.identifiers[id as usize];
        let indices = &ast.indices[identifier.indices.indices()];
        match (identifier.sort, indices) {
            (Some(sort), []) => self.sorted(identifier, self.sort(sort), count, span),
            (Some(_), _) => {
                let message = "an indexed identifier with a sort".to_owned();
                Err(ElabErrorKind::NotSupported(message).at(span))
            }
            (None, indices) => self.indexed(source, identifier, indices, count, span),
        }
    }

    /// `(as f S)`.
    fn sorted(
        &mut self,
        identifier: Identifier,
        sort: Sort,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let symbol = identifier.name.symbol;
        let name = self.t.name(symbol);
        let (local, global) = (
            self.known.env.local(symbol),
            self.known.env.meaning(symbol).global,
        );
        if name == "const" && global.is_none() && local.is_none() {
            return self.constant_array(symbol, sort, count, span);
        }
        if let (None, Some(Global::Constructor(family, index))) = (local, global)
            && self.as_instance(sort, family).is_some()
        {
            return self.construct_in(symbol, sort, index, count, span);
        }
        if count == 0 {
            self.constant(symbol, span)?
        } else {
            self.apply(symbol, count, span)?
        };
        let (value, _) = self.stack.pop().expect("an application leaves a value");
        let term = self.close(value, span)?;
        self.expect_sort(&format!("`{name}`"), term, sort, span)?;
        self.push_term(term, span);
        Ok(())
    }

    /// `(_ f i …)`.
    fn indexed(
        &mut self,
        source: &Source,
        identifier: Identifier,
        indices: &[Index],
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let name = self.t.name(identifier.name.symbol);
        let place = identifier.name.span;
        if let [Index::Symbol(constructor)] = indices
            && name == "is"
        {
            return self.tester(constructor.symbol, count, span);
        }
        let numerals: Option<Vec<Span>> = indices
            .iter()
            .map(|index| match index {
                Index::Numeral(digits) => Some(*digits),
                Index::Symbol(_) => None,
            })
            .collect();
        let unknown = || {
            let message = format!("the indexed function `{name}`");
            ElabErrorKind::NotSupported(message).at(place)
        };
        let numerals = numerals.ok_or_else(unknown)?;
        if let (Some(digits), [width]) = (bv_digits(name), &numerals[..]) {
            if count != 0 {
                return Err(self.arity(identifier.name.symbol, "no arguments", count, span));
            }
            return self.bv_constant(source, digits, *width, span);
        }
        if count != 1 && KNOWN.contains(&name) {
            return Err(self.arity(identifier.name.symbol, "1 argument", count, span));
        }
        if name == "divisible"
            && let [divisor] = numerals[..]
        {
            return self.divisible(source, identifier, divisor, span);
        }
        let mut small = Vec::with_capacity(numerals.len());
        for digits in numerals {
            small.push(index_value(source, digits)?);
        }
        let term = match (name, &small[..]) {
            ("int2bv" | "nat2bv" | "int_to_bv", &[width]) => {
                self.int_to_bits(identifier, width, span)?
            }
            ("extract", &[hi, lo]) => self.extract(identifier, hi, lo, span)?,
            ("zero_extend", &[bits]) => {
                self.resized(identifier, BvOp::ZeroExtend(bits), 1, bits, span)?
            }
            ("sign_extend", &[bits]) => {
                self.resized(identifier, BvOp::SignExtend(bits), 1, bits, span)?
            }
            ("repeat", &[times]) => self.repeated(identifier, times, span)?,
            // A rotation by the width is none.
            ("rotate_left", &[bits]) => self.rotated(identifier, BvOp::RotateLeft, bits)?,
            ("rotate_right", &[bits]) => self.rotated(identifier, BvOp::RotateRight, bits)?,
            _ => return Err(unknown()),
        };
        self.stack.truncate(self.args_from(count));
        self.push_term(term, span);
        Ok(())
    }

    /// `(_ bv5 8)`.
    fn bv_constant(
        &mut self,
        source: &Source,
        digits: &str,
        width: Span,
        span: Span,
    ) -> Result<(), ElabError> {
        let bits = self.written_width(source, width)?;
        let value = Rational::parse(digits).expect("these are digits").numer();
        if value.bits() > u64::from(bits) {
            let message = format!("{digits} does not fit into {bits} bits");
            return Err(ElabErrorKind::Index(message).at(span));
        }
        self.push_term(self.t.bitvec(&value, bits), span);
        Ok(())
    }

    /// The number of bits as a width; vectors of no bits and of too many are refused.
    pub(super) fn checked_width(&self, bits: u64, span: Span) -> Result<u32, ElabError> {
        let refused = match u32::try_from(bits) {
            Ok(0) => ElabErrorKind::Index("a bit-vector has at least one bit".to_owned()),
            Ok(width) if width <= MAX_WIDTH => return Ok(width),
            _ => ElabErrorKind::NotSupported(format!("bit-vectors of more than {MAX_WIDTH} bits")),
        };
        Err(refused.at(span))
    }

    /// A width that the text has as a numeral, of any length.
    pub(super) fn written_width(&self, source: &Source, digits: Span) -> Result<u32, ElabError> {
        let bits = source.slice(digits).parse().unwrap_or(u64::MAX);
        self.checked_width(bits, digits)
    }

    /// `((_ divisible n) x)`.
    fn divisible(
        &mut self,
        source: &Source,
        identifier: Identifier,
        divisor: Span,
        span: Span,
    ) -> Result<(), ElabError> {
        let value = Rational::parse(source.slice(divisor)).expect("the lexer knows numbers");
        if !value.is_positive() {
            return Err(
                ElabErrorKind::Index("the divisor must be positive".to_owned()).at(divisor),
            );
        }
        let args = self.coerced(identifier.name.symbol, &[Sort::INT], 1, span)?;
        self.push_term(self.t.divisible(value, args[0]), span);
        Ok(())
    }

    /// The one argument, a bit-vector, and its width; it stays on the stack.
    fn vector(&mut self, identifier: Identifier) -> Result<(Term, u32), ElabError> {
        let from = self.args_from(1);
        let term = self.closed(from)?;
        match self.t.bitvec_width(self.t.sort_of(term)) {
            Some(width) => Ok((term, width)),
            None => Err(self.argument(identifier.name.symbol, from, from, "a bit-vector")),
        }
    }

    fn int_to_bits(
        &mut self,
        identifier: Identifier,
        width: u32,
        span: Span,
    ) -> Result<Term, ElabError> {
        let width = self.checked_width(u64::from(width), span)?;
        let from = self.args_from(1);
        let term = self.closed(from)?;
        if self.t.sort_of(term) != Sort::INT {
            return Err(self.argument(identifier.name.symbol, from, from, "Int"));
        }
        Ok(self.t.bv(BvOp::FromInt(width), &[term]))
    }

    fn extract(
        &mut self,
        identifier: Identifier,
        hi: u32,
        lo: u32,
        span: Span,
    ) -> Result<Term, ElabError> {
        let (term, width) = self.vector(identifier)?;
        if lo > hi || hi >= width {
            let message = format!("bits {hi} down to {lo} of a vector of {width} bits");
            return Err(ElabErrorKind::Index(message).at(span));
        }
        Ok(self.t.bv(BvOp::Extract { hi, lo }, &[term]))
    }

    /// An operator whose result has `times` the width and `bits` more.
    fn resized(
        &mut self,
        identifier: Identifier,
        op: BvOp,
        times: u32,
        bits: u32,
        span: Span,
    ) -> Result<Term, ElabError> {
        let (term, width) = self.vector(identifier)?;
        self.checked_width(u64::from(width) * u64::from(times) + u64::from(bits), span)?;
        Ok(self.t.bv(op, &[term]))
    }

    fn repeated(
        &mut self,
        identifier: Identifier,
        times: u32,
        span: Span,
    ) -> Result<Term, ElabError> {
        self.resized(identifier, BvOp::Repeat(times), times, 0, span)
    }

    fn rotated(
        &mut self,
        identifier: Identifier,
        op: fn(u32) -> BvOp,
        bits: u32,
    ) -> Result<Term, ElabError> {
        let (term, width) = self.vector(identifier)?;
        Ok(match bits % width {
            0 => term,
            bits => self.t.bv(op(bits), &[term]),
        })
    }
}

/// The functions with numeral indices that take one argument.
const KNOWN: [&str; 10] = [
    "int2bv",
    "nat2bv",
    "int_to_bv",
    "extract",
    "zero_extend",
    "sign_extend",
    "repeat",
    "rotate_left",
    "rotate_right",
    "divisible",
];

/// The digits of `bv12`.
fn bv_digits(name: &str) -> Option<&str> {
    let digits = name.strip_prefix("bv")?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// An index as a number. What it means is checked by whoever asks; sums and products of indices and
/// widths are 64 bits wide.
fn index_value(source: &Source, digits: Span) -> Result<u32, ElabError> {
    source.slice(digits).parse().map_err(|_| {
        ElabErrorKind::NotSupported(format!("an index greater than {}", u32::MAX)).at(digits)
    })
}
