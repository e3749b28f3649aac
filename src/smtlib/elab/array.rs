//! Arrays.

use super::Elaborator;
use super::builtin::Builtin;
use super::error::{ElabError, ElabErrorKind};
use crate::chc::Span;
use crate::term::{Sort, Symbol, Term};

impl Elaborator<'_> {
    /// `select` or `store`, applied to the last `count` values, which stay on the stack.
    pub(super) fn array_function(
        &mut self,
        symbol: Symbol,
        builtin: Builtin,
        count: usize,
        span: Span,
    ) -> Result<Term, ElabError> {
        let reads = builtin == Builtin::Select;
        if count != if reads { 2 } else { 3 } {
            return Err(self.arity(
                symbol,
                if reads { "2 arguments" } else { "3 arguments" },
                count,
                span,
            ));
        }
        let from = self.args_from(count);
        let array = self.closed(from)?;
        let Some((index, element)) = self.t.array_parts(self.t.sort_of(array)) else {
            return Err(self.argument(symbol, from, from, "an array sort"));
        };
        let index = self.array_argument(symbol, from, from + 1, index)?;
        if reads {
            return Ok(self.t.select(array, index));
        }
        let element = self.array_argument(symbol, from, from + 2, element)?;
        Ok(self.t.store(array, index, element))
    }

    fn array_argument(
        &mut self,
        symbol: Symbol,
        from: usize,
        at: usize,
        sort: Sort,
    ) -> Result<Term, ElabError> {
        let (value, span) = self.stack[at];
        let term = self.coerce(value, span, sort)?;
        term.ok_or_else(|| self.argument(symbol, from, at, &self.sort_text(sort)))
    }

    /// `((as const S) x)`.
    pub(super) fn constant_array(
        &mut self,
        symbol: Symbol,
        sort: Sort,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let Some((_, element)) = self.t.array_parts(sort) else {
            let (what, found) = (
                "the sort of a constant array".to_owned(),
                self.sort_text(sort),
            );
            return Err(ElabErrorKind::Mismatch {
                what,
                expected: "an array sort".to_owned(),
                found,
            }
            .at(span));
        };
        let args = self.coerced(symbol, &[element], count, span)?;
        self.push_term(self.t.const_array(sort, args[0]), span);
        Ok(())
    }
}
