//! Formulas as solvers with a mistake in a theory understand them.

use super::faulty::Mistake;
use horn::term::{Op, Sort, Term, TermMap, Terms};

/// The formula as it is understood: weaker than it is, or stronger where stores are read wrongly.
pub(crate) fn distorted(t: &Terms, formula: Term, mistake: Mistake) -> Term {
    let mut done: TermMap<Term> = TermMap::default();
    // What is still known of the terms that were replaced.
    let mut known = Vec::new();
    for term in t.post_order([formula]) {
        let args: Vec<Term> = t.args(term).iter().map(|arg| done[arg]).collect();
        let fresh = |sort: Sort| t.var(&format!("distorted{}", term.index()), sort);
        let understood = match (mistake, t.op(term)) {
            (Mistake::ForgetsOtherElements, Op::Store) => {
                let array = fresh(t.sort_of(term));
                known.push(t.eq(t.select(array, args[1]), args[2]));
                array
            }
            (Mistake::ForgetsExtensionality, Op::Eq)
                if t.array_parts(t.sort_of(args[0])).is_some() =>
            {
                let are_equal = fresh(Sort::BOOL);
                known.push(t.implies(are_equal, t.eq(args[0], args[1])));
                are_equal
            }
            (Mistake::ForgetsConstructors, Op::Construct(ctor)) if !args.is_empty() => {
                let whole = fresh(t.sort_of(term));
                known.push(t.is(ctor, whole));
                // The first field can be read back, the others cannot.
                known.push(t.eq(t.field(t.ctor(ctor).fields[0], whole), args[0]));
                whole
            }
            (Mistake::ForgetsCongruence, Op::Apply(_)) if !args.is_empty() => {
                let value = fresh(t.sort_of(term));
                let is_right = t.var(&format!("right{}", term.index()), Sort::BOOL);
                known.push(t.implies(is_right, t.eq(value, t.rebuild(term, &args))));
                value
            }
            (Mistake::ForgetsProducts, Op::Mul) if t.is_product(term) => fresh(t.sort_of(term)),
            (Mistake::ForgetsConditions, Op::Ite) if t.sort_of(term).is_arith() => {
                t.ite(fresh(Sort::BOOL), args[1], args[2])
            }
            (Mistake::ReadsWhatWasStored, Op::Select) if t.op(args[0]) == Op::Store => {
                t.args(args[0])[2]
            }
            (Mistake::ForgetsTesters, Op::Is(_)) => fresh(Sort::BOOL),
            (Mistake::ForgetsSelectors, Op::Field(selector)) => {
                let field = fresh(t.sort_of(term));
                let has_field = t.is(t.selector(selector).ctor, args[0]);
                let right = t.eq(field, t.field(selector, args[0]));
                known.push(t.implies(has_field, right));
                field
            }
            _ => t.rebuild(term, &args),
        };
        done.insert(term, understood);
    }
    known.push(done[&formula]);
    t.and(known)
}
