//! A system for unit tests of engines.

use crate::chc::{Atom, Clause, Origin, PredId, Predicate, Span, System};
use crate::term::{Sort, Term, Terms};

/// A counter: `p(0)`, `p(x) ∧ step(x) → p(x + 1)`, `p(x) ∧ bad(x) → false`.
pub(in crate::engine) fn counter(
    t: &Terms,
    step: impl FnOnce(Term) -> Term,
    bad: impl FnOnce(Term) -> Term,
) -> System {
    let p = t.declare(t.symbol("p"), &[Sort::INT], Sort::BOOL);
    let x = t.var("x", Sort::INT);
    let atom = |arg| Atom {
        pred: PredId(0),
        args: vec![arg],
    };
    let clause = |body, constraint, head| Clause {
        vars: vec![x],
        body,
        constraint,
        head,
        origin: Origin::default(),
    };
    let next = t.add([x, t.int(1)]);
    System {
        preds: vec![Predicate {
            func: p,
            span: Span::default(),
        }],
        clauses: vec![
            clause(vec![], t.eq(x, t.int(0)), Some(atom(x))),
            clause(vec![atom(x)], step(x), Some(atom(next))),
            clause(vec![atom(x)], bad(x), None),
        ],
    }
}
