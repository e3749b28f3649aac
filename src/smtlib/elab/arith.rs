//! Integers and reals.

use super::Elaborator;
use super::builtin::{Builtin, Comparison};
use super::error::ElabError;
use super::junction::{Connective, Value};
use crate::chc::Span;
use crate::number::Rational;
use crate::term::{Sort, Symbol, Term};
use smallvec::SmallVec;

impl Elaborator<'_> {
    /// An arithmetic function, applied to the last `count` values, which stay on the stack.
    pub(super) fn arithmetic(
        &mut self,
        symbol: Symbol,
        builtin: Builtin,
        count: usize,
        span: Span,
    ) -> Result<Value, ElabError> {
        let t = self.t;
        let (least, most) = match builtin {
            Builtin::Add | Builtin::Sub | Builtin::Mul => (1, usize::MAX),
            Builtin::Mod | Builtin::Rem => (2, 2),
            Builtin::Abs | Builtin::ToReal | Builtin::ToInt | Builtin::IsInt => (1, 1),
            _ => (2, usize::MAX),
        };
        if count < least || count > most {
            let expected = match (least, most) {
                (1, 1) => "1 argument",
                (2, 2) => "2 arguments",
                (1, _) => "1 or more arguments",
                _ => "2 or more arguments",
            };
            return Err(self.arity(symbol, expected, count, span));
        }
        let from = self.args_from(count);
        let sort = self.number_sort(symbol, builtin, from)?;
        Ok(match builtin {
            Builtin::Add => self
                .junctions
                .join(t, Connective::Add, sort, &self.numbers(from)),
            Builtin::Mul => self
                .junctions
                .join(t, Connective::Mul, sort, &self.numbers(from)),
            Builtin::Sub => self.difference(from, sort)?,
            _ => {
                let mut args: SmallVec<[Term; 8]> = SmallVec::with_capacity(count);
                for at in from..from + count {
                    args.push(self.closed(at)?);
                }
                Value::Term(self.closed_arithmetic(builtin, sort, &args))
            }
        })
    }

    /// The functions that do not flatten.
    fn closed_arithmetic(&self, builtin: Builtin, sort: Sort, args: &[Term]) -> Term {
        let t = self.t;
        let fold = |step: &dyn Fn(Term, Term) -> Term| {
            args[1..]
                .iter()
                .fold(args[0], |left, &right| step(left, right))
        };
        match builtin {
            Builtin::Divide => fold(&|x, y| t.div(x, y)),
            Builtin::IntDiv => fold(&|x, y| t.idiv(x, y)),
            Builtin::Mod => t.modulo(args[0], args[1]),
            Builtin::Rem => {
                let rest = t.modulo(args[0], args[1]);
                t.ite(t.ge(args[1], t.int(0)), rest, t.neg(rest))
            }
            Builtin::Abs if sort == Sort::INT => t.abs(args[0]),
            Builtin::Abs => {
                let negative = t.lt(args[0], t.real(Rational::zero()));
                t.ite(negative, t.neg(args[0]), args[0])
            }
            Builtin::ToReal => t.to_real(args[0]),
            Builtin::ToInt => t.to_int(args[0]),
            Builtin::IsInt => t.is_int(args[0]),
            Builtin::Compare(comparison) => {
                let compare = |x, y| match comparison {
                    Comparison::Le => t.le(x, y),
                    Comparison::Lt => t.lt(x, y),
                    Comparison::Ge => t.ge(x, y),
                    Comparison::Gt => t.gt(x, y),
                };
                match *args {
                    [x, y] => compare(x, y),
                    _ => t.and(args.windows(2).map(|pair| compare(pair[0], pair[1]))),
                }
            }
            _ => unreachable!("the caller treats sums and products"),
        }
    }

    /// Makes the values from `from` on numbers of one sort, which it returns: integers beside reals become reals.
    fn number_sort(
        &mut self,
        symbol: Symbol,
        builtin: Builtin,
        from: usize,
    ) -> Result<Sort, ElabError> {
        let (integers_only, reals_only) = match builtin {
            Builtin::IntDiv | Builtin::Mod | Builtin::Rem => (true, false),
            Builtin::Divide | Builtin::ToInt | Builtin::IsInt => (false, true),
            _ => (false, false),
        };
        let mut real = reals_only;
        let mut mixed = reals_only;
        for at in from..self.stack.len() {
            match self.sort_of(self.stack[at].0) {
                Some(Sort::INT) => mixed |= real,
                Some(Sort::REAL) if !integers_only => {
                    mixed |= !real && at > from;
                    real = true;
                }
                _ => {
                    let expected = if integers_only { "Int" } else { "Int or Real" };
                    return Err(self.argument(symbol, from, at, expected));
                }
            }
        }
        if real && mixed {
            for at in from..self.stack.len() {
                let term = self.closed(at)?;
                self.stack[at].0 = Value::Term(self.t.to_real(term));
            }
        }
        Ok(if real { Sort::REAL } else { Sort::INT })
    }

    /// The values from `from` on.
    fn numbers(&self, from: usize) -> SmallVec<[Value; 16]> {
        self.stack[from..].iter().map(|&(value, _)| value).collect()
    }

    /// `(- x)` and `(- x y …)`: a sum.
    fn difference(&mut self, from: usize, sort: Sort) -> Result<Value, ElabError> {
        let t = self.t;
        let unary = self.stack.len() == from + 1;
        let mut values = self.numbers(from);
        for (at, value) in (from..).zip(&mut values) {
            if unary || at > from {
                *value = Value::Term(t.neg(self.closed(at)?));
            }
        }
        Ok(self.junctions.join(t, Connective::Add, sort, &values))
    }
}
