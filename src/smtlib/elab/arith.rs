//! Integers and reals.

use super::apply::Args;
use super::builtin::{Builtin, Comparison};
use super::error::ElabError;
use super::{Elaborator, Operand};
use crate::chc::Span;
use crate::number::Rational;
use crate::term::{Sort, Symbol, Term};

impl Elaborator<'_> {
    /// An arithmetic function, applied to the last `count` values, which stay on the stack.
    pub(super) fn arithmetic(
        &mut self,
        symbol: Symbol,
        builtin: Builtin,
        count: usize,
        span: Span,
    ) -> Result<Term, ElabError> {
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
        let (args, sort) = self.numbers(symbol, builtin, from)?;
        Ok(match builtin {
            Builtin::Add => t.add(args),
            Builtin::Mul => t.mul(args),
            Builtin::Sub => match args[..] {
                [x] => t.neg(x),
                _ => t.add(
                    (0..)
                        .zip(&args)
                        .map(|(at, &x)| if at == 0 { x } else { t.neg(x) }),
                ),
            },
            _ => self.other_arithmetic(builtin, sort, &args),
        })
    }

    /// The functions that are not sums or products.
    fn other_arithmetic(&self, builtin: Builtin, sort: Sort, args: &[Term]) -> Term {
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

    /// The values from `from` on as numbers of one sort, and that sort: integers beside reals
    /// become reals.
    fn numbers(
        &self,
        symbol: Symbol,
        builtin: Builtin,
        from: usize,
    ) -> Result<(Args, Sort), ElabError> {
        let (integers_only, reals_only) = match builtin {
            Builtin::IntDiv | Builtin::Mod | Builtin::Rem => (true, false),
            Builtin::Divide | Builtin::ToInt | Builtin::IsInt => (false, true),
            _ => (false, false),
        };
        let mut args = Args::with_capacity(self.stack.len() - from);
        let (mut integers, mut reals) = (false, reals_only);
        for at in from..self.stack.len() {
            match self.stack[at].0 {
                Operand::Term(term) if self.t.sort_of(term) == Sort::INT => {
                    integers = true;
                    args.push(term);
                }
                Operand::Term(term) if self.t.sort_of(term) == Sort::REAL && !integers_only => {
                    reals = true;
                    args.push(term);
                }
                _ => {
                    let expected = if integers_only { "Int" } else { "Int or Real" };
                    return Err(self.argument(symbol, from, at, expected));
                }
            }
        }
        if integers && reals {
            args.iter_mut().for_each(|arg| *arg = self.t.to_real(*arg));
        }
        Ok((args, if reals { Sort::REAL } else { Sort::INT }))
    }
}
