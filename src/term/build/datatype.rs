//! Builders of algebraic datatypes.

use crate::term::{CtorId, Op, SelectorId, Sort, Term, Terms};

impl Terms {
    /// A constructor applied to its fields.
    pub fn construct(&self, ctor: CtorId, fields: &[Term]) -> Term {
        debug_assert_eq!(self.ctor(ctor).fields.len(), fields.len());
        self.make(Op::Construct(ctor), self.ctor_sort(ctor), fields)
    }

    /// The field that `selector` reads. On a value of another constructor it stays as it is:
    /// unspecified.
    pub fn field(&self, selector: SelectorId, value: Term) -> Term {
        let decl = self.selector(selector);
        match self.op(value) {
            Op::Construct(ctor) if ctor == decl.ctor => self.args(value)[decl.index as usize],
            _ => self.make(Op::Field(selector), decl.sort, &[value]),
        }
    }

    /// Is `value` built by `ctor`?
    pub fn is(&self, ctor: CtorId, value: Term) -> Term {
        match self.op(value) {
            Op::Construct(c) => self.bool(c == ctor),
            _ if self.datatype(self.ctor(ctor).datatype).ctors().len() == 1 => Term::TRUE,
            _ => self.make(Op::Is(ctor), Sort::BOOL, &[value]),
        }
    }
}
