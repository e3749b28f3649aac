//! What the tests of the readers share.

use crate::term::{CtorId, Sort, Terms};

/// The lists of integers, and their constructors `nil` and `cons`.
pub(super) fn list_of_integers(t: &Terms) -> (Sort, [CtorId; 2]) {
    let list = t.declare_datatype(t.symbol("list"), &[]);
    let sort = t.datatype(list).sort;
    let fields = vec![(t.symbol("head"), Sort::INT), (t.symbol("tail"), sort)];
    t.define_datatype(
        list,
        &[(t.symbol("nil"), vec![]), (t.symbol("cons"), fields)],
    );
    let ctors = t.datatype(list).ctors();
    (sort, ctors.try_into().expect("two constructors"))
}
