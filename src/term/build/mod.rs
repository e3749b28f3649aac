//! Builders: the only way to make terms, so that every term is in the form that [`Op`] promises.
//!
//! They simplify locally: constants are folded, units and duplicates dropped, small nested
//! conjunctions and sums flattened; the cost is linear in the number of arguments. They check sorts
//! by debug assertion only: text from users is checked before, where there is a position to blame.

mod arith;
mod array;
mod bitvec;
mod boolean;
mod datatype;
mod known;
mod residue;
mod words;

pub use words::WordEquation;

use super::{FuncId, Op, Sort, SortKind, Symbol, Term, Terms};

/// Nested applications of an associative operator are flattened if the inner one has at most this
/// many arguments. Without a limit, terms built inside out, or sharing what they nest, would be
/// copied over and over: a chain of `n` conjunctions into `n²/2` arguments, a chain of `n`
/// doublings into `2ⁿ`. The value was not tuned.
const FLATTEN_LIMIT: usize = 8;

impl Terms {
    /// The arguments of `term` if it is a small application of the associative `op`, else `term`
    /// alone.
    pub(super) fn parts<'a>(&'a self, op: Op, term: &'a Term) -> &'a [Term] {
        if self.op(*term) == op && self.args(*term).len() <= FLATTEN_LIMIT {
            self.args(*term)
        } else {
            std::slice::from_ref(term)
        }
    }

    /// The variable of that name and sort.
    pub fn var(&self, name: &str, sort: Sort) -> Term {
        self.var_of(self.symbol(name), sort)
    }

    /// The variable of that name and sort.
    pub fn var_of(&self, name: Symbol, sort: Sort) -> Term {
        self.make(Op::Var(name), sort, &[])
    }

    /// A variable that no term so far contains; its name starts with `base`.
    pub fn fresh_var(&self, base: &str, sort: Sort) -> Term {
        self.var_of(self.fresh_symbol(base), sort)
    }

    /// A fresh variable of a sort, named after a variable if the term is one.
    pub fn fresh_like(&self, term: Term, sort: Sort) -> Term {
        let name = self
            .as_var(term)
            .map_or(self.sort_letter(sort), |name| self.name(name));
        self.fresh_var(name.split('!').next().unwrap_or(name), sort)
    }

    /// A declared function applied to as many arguments as it has parameters, of those sorts.
    pub fn apply(&self, func: FuncId, args: &[Term]) -> Term {
        let decl = self.func(func);
        debug_assert!(
            decl.params.iter().eq(args
                .iter()
                .map(|&a| self.sort_of(a))
                .collect::<Vec<_>>()
                .iter())
        );
        self.make(Op::Apply(func), decl.result, args)
    }

    /// The term with the head of `like` over other arguments of the same sorts, simplified as by
    /// the builders.
    ///
    /// For quantifiers the arguments are the bound variables, which must be variables, and the
    /// body.
    pub fn rebuild(&self, like: Term, args: &[Term]) -> Term {
        self.build(self.op(like), self.sort_of(like), args)
    }

    /// The term of that sort with that head over arguments that suit it, simplified as by the
    /// builders.
    pub(super) fn build(&self, op: Op, sort: Sort, args: &[Term]) -> Term {
        match op {
            Op::Var(_) | Op::True | Op::False | Op::Number(_) | Op::BitVec(_) => {
                self.make(op, sort, args)
            }
            Op::Apply(func) => self.apply(func, args),
            Op::Not => self.not(args[0]),
            Op::And => self.and(args.iter().copied()),
            Op::Or => self.or(args.iter().copied()),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Forall => self.forall(&args[..args.len() - 1], args[args.len() - 1]),
            Op::Exists => self.exists(&args[..args.len() - 1], args[args.len() - 1]),
            Op::Add => self.add(args.iter().copied()),
            Op::Mul => self.mul(args.iter().copied()),
            Op::Div => self.div(args[0], args[1]),
            Op::IDiv => self.idiv(args[0], args[1]),
            Op::Mod => self.modulo(args[0], args[1]),
            Op::Abs => self.abs(args[0]),
            Op::Le => self.le(args[0], args[1]),
            Op::Lt => self.lt(args[0], args[1]),
            Op::ToReal => self.to_real(args[0]),
            Op::ToInt => self.to_int(args[0]),
            Op::IsInt => self.is_int(args[0]),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
            Op::ConstArray => self.const_array(sort, args[0]),
            Op::Construct(ctor) => self.construct(ctor, args),
            Op::Field(selector) => self.field(selector, args[0]),
            Op::Is(ctor) => self.is(ctor, args[0]),
            Op::Bv(op) => self.bv(op, args),
        }
    }

    /// Is this term a constant whose identity is its value: two different such terms of one sort
    /// denote different values?
    pub fn is_distinct_constant(&self, term: Term) -> bool {
        matches!(
            self.op(term),
            Op::True | Op::False | Op::Number(_) | Op::BitVec(_)
        )
    }

    /// A short name of a sort for made-up variables: `Int` gives `i`, a datatype `d`, ….
    pub fn sort_letter(&self, sort: Sort) -> &'static str {
        match self.sort_kind(sort) {
            SortKind::Bool => "b",
            SortKind::Int => "i",
            SortKind::Real => "r",
            SortKind::BitVec(_) => "v",
            SortKind::Array(..) => "a",
            SortKind::Datatype(_) => "d",
            SortKind::Uninterpreted(..) => "u",
        }
    }
}
