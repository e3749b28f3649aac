//! Functions that a model defines by recursion over datatypes.
//!
//! The definition of a function has one case for each constructor of its first argument. Where the
//! evaluation ends at all arguments ([`Terms::terminate`]), there is exactly one
//! function that fulfils it ([`is_well_founded`]). So each equation of a definition may be used as
//! a premise, at any arguments ([`unfoldings`]), while solvers know nothing else of the function.
//! What they prove holds of every function that fulfils these equations, and so of the one that is
//! defined.

use crate::term::{Case, Fact, FuncId, Op, Origin, Sort, Term, TermSet, Terms};
use rustc_hash::FxHashSet;

/// Has this function exactly one meaning? It and the functions that it applies are defined case by
/// case, and their evaluation ends.
pub(super) fn is_well_founded(t: &Terms, func: FuncId) -> bool {
    let mut seen = FxHashSet::from_iter([func]);
    let mut open = vec![func];
    while let Some(func) = open.pop() {
        if !covers_constructors(t, func) {
            return false;
        }
        for case in t.func(func).cases() {
            let Some(applied) = applied(t, func, case) else {
                return false;
            };
            open.extend(applied.into_iter().filter(|&other| seen.insert(other)));
        }
    }
    t.terminate(&seen)
}

/// Is one equation of each definition for each term not enough? The values of functions are values
/// that functions are applied to, or arguments other than the first are datatypes'.
pub(super) fn need_saturation(t: &Terms, funcs: &[FuncId]) -> bool {
    let is_data = |&sort: &Sort| t.datatype_of(sort).is_some();
    funcs.iter().any(|&func| {
        let decl = t.func(func);
        is_data(&decl.result) || decl.params.iter().skip(1).any(is_data)
    })
}

/// Are the cases of a function those of the constructors of its first argument, in order?
fn covers_constructors(t: &Terms, func: FuncId) -> bool {
    let decl = t.func(func);
    let datatype = decl.params.first().and_then(|&sort| t.datatype_of(sort));
    let ctors = datatype.map_or(&[][..], |datatype| t.datatype(datatype).ctors());
    let cases = decl.cases().iter().map(|case| case.ctor);
    !ctors.is_empty() && cases.eq(ctors.iter().copied())
}

/// The functions that a case of `func` applies; `None` if the case has not the right form.
fn applied(t: &Terms, func: FuncId, case: &Case) -> Option<Vec<FuncId>> {
    let decl = t.func(func);
    let fields = &t.ctor(case.ctor).fields;
    let sorts = fields.iter().map(|&field| t.selector(field).sort);
    let sorts = sorts.chain(decl.params.iter().skip(1).copied());
    let params: TermSet = case.params.iter().copied().collect();
    let are_variables = params.iter().all(|&param| t.is_var(param));
    let is_typed = case.params.iter().map(|&param| t.sort_of(param)).eq(sorts);
    let is_right = params.len() == case.params.len() && t.sort_of(case.body) == decl.result;
    if !(are_variables && is_typed && is_right) || t.has_quantifier(case.body) {
        return None;
    }
    let mut found = Vec::new();
    for term in t.post_order([case.body]) {
        match t.op(term) {
            Op::Var(_) if !params.contains(&term) => return None,
            Op::Apply(other) => found.push(other),
            _ => {}
        }
    }
    Some(found)
}

/// Equations of the definitions of functions that occur in formulas without quantifiers: at each
/// datatype term of the formulas, and at all other arguments that the functions have there.
pub(super) fn unfoldings(t: &Terms, formulas: &[Term]) -> Vec<Fact> {
    let funcs = t.defined_functions(formulas.iter().copied());
    if funcs.is_empty() {
        return Vec::new();
    }
    let mut values: Vec<Term> = Vec::new();
    let mut others: Vec<&[Term]> = Vec::new();
    for term in t.post_order(formulas.iter().copied()) {
        if t.datatype_of(t.sort_of(term)).is_some() {
            values.push(term);
        }
        if matches!(t.op(term), Op::Apply(func) if funcs.contains(&func)) {
            others.push(&t.args(term)[1..]);
        }
    }
    others.push(&[]);
    others.sort_unstable();
    others.dedup();
    let mut found = Vec::new();
    for &func in &funcs {
        let sorts = &t.func(func).params;
        for &others in &others {
            let suits = others
                .iter()
                .map(|&x| t.sort_of(x))
                .eq(sorts[1..].iter().copied());
            for &value in values
                .iter()
                .filter(|&&v| suits && t.sort_of(v) == sorts[0])
            {
                let args = [&[value], others].concat();
                found.push(Fact {
                    formula: t.unfolding(func, &args),
                    origin: Origin::Definition(func, args),
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::CtorId;

    /// Lists of integers: their sort and their constructors.
    fn lists(t: &Terms) -> (Sort, [CtorId; 2]) {
        let id = t.declare_datatype(t.symbol("List"), &[]);
        let list = t.datatype(id).sort;
        let fields = vec![(t.symbol("head"), Sort::INT), (t.symbol("tail"), list)];
        t.define_datatype(id, &[(t.symbol("nil"), vec![]), (t.symbol("cons"), fields)]);
        let ctors = t.datatype(id).ctors();
        (list, [ctors[0], ctors[1]])
    }

    #[test]
    fn functions_of_two_lists_or_with_lists_as_values_need_saturation() {
        let t = Terms::new();
        let (list, _) = lists(&t);
        let needs = |params: &[Sort], result| {
            let func = t.declare(t.symbol("f"), params, result);
            need_saturation(&t, &[func])
        };
        assert!(!needs(&[list], Sort::INT));
        assert!(!needs(&[list, Sort::INT], Sort::INT));
        assert!(needs(&[list], list));
        assert!(needs(&[list, list], Sort::INT));
        assert!(needs(&[list, Sort::INT], list));
        assert!(!need_saturation(&t, &[]));
    }

    #[test]
    fn cases_have_variables_of_the_right_sorts() {
        let t = Terms::new();
        let (list, [nil, cons]) = lists(&t);
        let (head, tail) = (t.var("h", Sort::INT), t.var("t", list));
        let has_meaning = |params: [Term; 2], longer: Term| {
            let func = t.declare(t.symbol("f"), &[list], Sort::INT);
            let case = |ctor, params: &[Term], body| Case {
                ctor,
                params: params.into(),
                body,
            };
            let cases = vec![case(nil, &[], t.int(0)), case(cons, &params, longer)];
            t.define_by_cases(func, cases);
            is_well_founded(&t, func)
        };
        let empty = t.construct(nil, &[]);
        assert!(has_meaning([head, tail], head));
        assert!(!has_meaning([t.var("r", Sort::REAL), tail], t.int(1)));
        assert!(!has_meaning([tail, head], t.int(1)));
        assert!(!has_meaning([head, empty], t.int(1)));
        assert!(!has_meaning([t.int(0), tail], t.int(1)));
        assert!(!has_meaning([head, tail], t.var("r", Sort::REAL)));
    }

    #[test]
    fn equations_at_each_list() {
        let t = Terms::new();
        let (list, [nil, cons]) = lists(&t);
        let (head, tail) = (t.var("h", Sort::INT), t.var("t", list));
        let length = t.declare(t.symbol("length"), &[list], Sort::INT);
        let longer = t.add([t.apply(length, &[tail]), t.int(1)]);
        let case = |ctor, params: &[Term], body| Case {
            ctor,
            params: params.into(),
            body,
        };
        let cases = vec![case(nil, &[], t.int(0)), case(cons, &[head, tail], longer)];
        t.define_by_cases(length, cases);
        let (x, y) = (t.var("x", list), t.var("y", list));
        let formulas = [t.le(t.int(0), t.apply(length, &[x])), t.eq(x, y)];
        let found: Vec<Term> = (unfoldings(&t, &formulas).iter())
            .map(|fact| fact.formula)
            .collect();
        let expected = [x, y].map(|value| t.unfolding(length, &[value]));
        assert_eq!(found.len(), 2);
        assert!(expected.iter().all(|equation| found.contains(equation)));
        // Without the function there is nothing to say.
        assert!(unfoldings(&t, &formulas[1..]).is_empty());
    }
}
