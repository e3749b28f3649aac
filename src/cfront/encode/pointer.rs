//! Comparisons, of addresses above all: what the program does not determine may be either.

use super::arith::Num;
use super::translate::{Note, Scope};
use crate::cfront::ir::{Binary, Expr};
use crate::cfront::memory::{Comparison, Mismatch};
use crate::cfront::types::IntType;
use crate::term::Term;

impl Scope<'_, '_> {
    /// Is a number that is calculated with no address? See `Memory::check_number`.
    ///
    /// # Errors
    /// It may be one, and the step is the program's.
    pub(super) fn check_number(&self, e: &Expr) -> Result<(), Mismatch> {
        match self.in_check {
            true => Ok(()),
            false => self.memory.check_number(self.program, e),
        }
    }

    /// Does a conversion to a type leave only a part of an address, which is the machine's choice?
    pub(super) fn is_cut_address(&self, e: &Expr, to: IntType) -> bool {
        !to.boolean && to.bits < e.ty.bits && self.memory.is_address(self.program, e)
    }

    /// The truth of a comparison. Where C does not determine it, it is any, and over-approximated.
    pub(super) fn comparison(&mut self, op: Binary, a: &Expr, b: &Expr) -> Result<Term, Mismatch> {
        let is_order = matches!(op, Binary::Lt | Binary::Le);
        let kind = match is_order {
            true => self.memory.order(self.program, a, b),
            false => self.memory.equality(self.program, a, b),
        };
        let ty = a.ty;
        let (a, b) = (self.value(a)?, self.value(b)?);
        let truth = self.arith.compare(op, a, b, ty);
        let t = self.arith.t;
        let (determined, what) = match &kind {
            // What a model computes does not depend on where objects lie, nor does a property.
            _ if self.in_model || self.in_check => return Ok(truth),
            Comparison::Determined => return Ok(truth),
            Comparison::Within(ranges) => {
                let mut cases = vec![self.arith.compare(Binary::Eq, a, b, ty)];
                for x in [a, b] {
                    cases.push(t.not(self.arith.truth(x, ty)));
                }
                for range in ranges {
                    cases.push(t.and([self.is_within(a, range, ty), self.is_within(b, range, ty)]));
                }
                (t.or(cases), "the order of the addresses of two objects")
            }
            Comparison::Across(ranges) => {
                let either = |x: Num| t.or(ranges.iter().map(|range| self.is_within(x, range, ty)));
                let both = ranges.iter().map(|range| {
                    t.and([self.is_within(a, range, ty), self.is_within(b, range, ty)])
                });
                let one = t.or(both);
                let across = t.and([either(a), either(b), t.not(one)]);
                (t.not(across), "whether two strings are one")
            }
            Comparison::Open => (Term::FALSE, "whether an address is a certain number"),
        };
        if determined == Term::TRUE {
            return Ok(truth);
        }
        let note = Note {
            exact_if: determined,
            ..Note::of_memory(what)
        };
        let any = self.approximated_relation(note, [a, b]);
        let any = match op {
            Binary::Ne => t.not(any),
            _ => any,
        };
        Ok(t.ite(determined, truth, any))
    }

    /// Is an address in a range, or just behind it?
    fn is_within(&self, x: Num, range: &(i128, i128), ty: IntType) -> Term {
        let (first, end) = (
            self.arith.constant(range.0, ty),
            self.arith.constant(range.1, ty),
        );
        let above = self.arith.compare(Binary::Le, first, x, ty);
        let below = self.arith.compare(Binary::Le, x, end, ty);
        self.arith.t.and([above, below])
    }
}
