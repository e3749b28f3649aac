//! Functions defined by recursion over a datatype.
//!
//! A declared function may have a definition: one case for each constructor of the datatype of its
//! first argument. If each recursion ends ([`Terms::terminate`]), the equations of all cases have
//! exactly one solution, whatever they say. That it does is for [`certify`](crate::certify) to
//! check.
//!
//! The store attaches no other meaning to these functions: a solver that reads them sees functions
//! of which nothing is known. [`Terms::unfolding`] gives the equations that it is to know.

use super::{CtorId, FuncDecl, FuncId, Op, Term, Terms};
use rustc_hash::FxHashSet;
use std::iter::zip;

/// What a function is at values of one constructor: `f(C(x̄), ȳ) = body`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The constructor `C`.
    pub ctor: CtorId,
    /// Variables: `x̄` for the constructor's fields, then `ȳ` for the function's other arguments.
    pub params: Box<[Term]>,
    /// A term over these variables.
    pub body: Term,
}

impl FuncDecl {
    /// The cases of the function's definition, none if it has no definition.
    pub fn cases(&self) -> &[Case] {
        self.cases.get().map_or(&[], |cases| cases)
    }
}

impl Terms {
    /// Gives a declared function its definition, only once.
    pub fn define_by_cases(&self, func: FuncId, cases: Vec<Case>) {
        let set = self.func(func).cases.set(cases.into());
        assert!(set.is_ok(), "a function is defined once");
    }

    /// The functions with definitions that terms speak of, also by way of other definitions, in the
    /// order in which they are met.
    pub fn defined_functions(&self, roots: impl IntoIterator<Item = Term>) -> Vec<FuncId> {
        let mut found: Vec<FuncId> = Vec::new();
        let mut seen: FxHashSet<FuncId> = FxHashSet::default();
        let mut roots: Vec<Term> = roots.into_iter().collect();
        while !roots.is_empty() {
            let first = found.len();
            for term in self.post_order(roots) {
                if let Op::Apply(func) = self.op(term)
                    && !self.func(func).cases().is_empty()
                    && seen.insert(func)
                {
                    found.push(func);
                }
            }
            let cases = found[first..].iter().flat_map(|&f| self.func(f).cases());
            roots = cases.map(|case| case.body).collect();
        }
        found
    }

    /// The definition of a function at these arguments: an equation that holds of the function. It
    /// is conditional unless the first argument is built by a constructor.
    ///
    /// ```text
    /// len(cons(h, t)) = 1 + len(t)
    /// (is-nil(x) ⟹ len(x) = 0) ∧ (is-cons(x) ⟹ len(x) = 1 + len(tail(x)))
    /// ```
    pub fn unfolding(&self, func: FuncId, args: &[Term]) -> Term {
        let application = self.apply(func, args);
        let (value, cases) = (args[0], self.definition_cases(func, args));
        let equation = |&(ctor, body): &(CtorId, Term)| {
            self.implies(self.is(ctor, value), self.eq(application, body))
        };
        match self.op(value) {
            // The other cases have fields that no builder takes apart.
            Op::Construct(built) => {
                let cases = cases.iter().filter(|(ctor, _)| *ctor == built);
                self.and(cases.map(equation))
            }
            _ => self.and(cases.iter().map(equation)),
        }
    }

    /// The right-hand sides of a function's definition, over its first argument's fields and the
    /// other arguments: for each constructor the value if the first argument is built by it.
    pub fn definition_cases(&self, func: FuncId, args: &[Term]) -> Vec<(CtorId, Term)> {
        let body = |case: &Case| (case.ctor, self.case_body(case, args));
        self.func(func).cases().iter().map(body).collect()
    }

    /// As [`Terms::definition_cases`], for one constructor; `None` if the definition has no case
    /// for it.
    pub fn definition_case(&self, func: FuncId, ctor: CtorId, args: &[Term]) -> Option<Term> {
        let mut cases = self.func(func).cases().iter();
        let case = cases.find(|case| case.ctor == ctor)?;
        Some(self.case_body(case, args))
    }

    fn case_body(&self, case: &Case, args: &[Term]) -> Term {
        let (&value, others) = args.split_first().expect("it has a first argument");
        let fields = self.ctor(case.ctor).fields.iter();
        let fields = fields.map(|&field| self.field(field, value));
        let args = fields.chain(others.iter().copied());
        self.substitute(case.body, zip(case.params.iter().copied(), args))
    }
}
