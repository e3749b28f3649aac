//! Datatypes and functions for tests.

use super::{Case, CtorId, FuncId, Sort, Term, Terms};

/// Natural numbers, and the sum of two by recursion over the first.
pub(crate) struct Naturals {
    pub(crate) sort: Sort,
    pub(crate) zero: Term,
    pub(crate) succ: CtorId,
    pub(crate) plus: FuncId,
}

impl Naturals {
    /// Declares and defines them.
    pub(crate) fn new(t: &Terms) -> Naturals {
        let id = t.declare_datatype(t.symbol("Nat"), &[]);
        let sort = t.datatype(id).sort;
        let pred = vec![(t.symbol("pred"), sort)];
        t.define_datatype(id, &[(t.symbol("zero"), vec![]), (t.symbol("succ"), pred)]);
        let (zero, succ) = (t.datatype(id).ctors()[0], t.datatype(id).ctors()[1]);
        let plus = t.declare(t.symbol("plus"), &[sort, sort], sort);
        let [m, n] = ["m", "n"].map(|name| t.var(name, sort));
        let case = |ctor, params: &[Term], body| Case {
            ctor,
            params: params.into(),
            body,
        };
        let longer = t.construct(succ, &[t.apply(plus, &[m, n])]);
        let cases = vec![case(zero, &[n], n), case(succ, &[m, n], longer)];
        t.define_by_cases(plus, cases);
        Naturals {
            sort,
            zero: t.construct(zero, &[]),
            succ,
            plus,
        }
    }
}
