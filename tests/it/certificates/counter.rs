//! A small system with certificates, made by hand.

use horn::chc::{
    Atom, Clause, ClauseId, Fact, FactId, Interpretation, Model, Origin, PredId, Predicate,
    Refutation, Span, System,
};
use horn::number::Rational;
use horn::term::{Sort, Term, Terms, Value};

/// A counter with a bound that it does not change, and a flag:
///
/// ```text
/// clause 0: inv(0, n)      ← n ≥ 0
/// step:     inv(x + 1, n)  ← inv(x, n) ∧ x < n
/// clause 2: done(div(n, x)) ← inv(x, n) ∧ x = n
/// clause 3: false          ← inv(x, n) ∧ done(q) ∧ x ≥ bad
/// ```
pub(crate) fn counter(t: &Terms, bad: i64) -> System {
    let int = |name| t.var(name, Sort::INT);
    let (x, n, q) = (int("x"), int("n"), int("q"));
    let number = |value: i64| t.number(Rational::from(value), Sort::INT);
    let declare = |name: &str, params: &[Sort]| Predicate {
        func: t.declare(t.symbol(name), params, Sort::BOOL),
        span: Span::default(),
    };
    let inv = |x, n| Atom {
        pred: PredId(0),
        args: vec![x, n],
    };
    let done = |q| Atom {
        pred: PredId(1),
        args: vec![q],
    };
    let clause = |vars: &[Term], body: Vec<Atom>, constraint, head| Clause {
        vars: vars.to_vec(),
        body,
        constraint,
        head,
        origin: Origin::default(),
    };
    let next = t.add([x, number(1)]);
    let mut clauses = vec![
        clause(&[n], vec![], t.le(number(0), n), Some(inv(number(0), n))),
        clause(&[x, n], vec![inv(x, n)], t.lt(x, n), Some(inv(next, n))),
        clause(
            &[x, n],
            vec![inv(x, n)],
            t.eq(x, n),
            Some(done(t.idiv(n, x))),
        ),
        clause(
            &[x, n, q],
            vec![inv(x, n), done(q)],
            t.le(number(bad), x),
            None,
        ),
    ];
    clauses[1].origin.name = Some(t.symbol("step"));
    System {
        preds: vec![
            declare("inv", &[Sort::INT, Sort::INT]),
            declare("done", &[Sort::INT]),
        ],
        clauses,
    }
}

/// A fact of the counter: clause, values, premises.
pub(crate) fn fact(clause: u32, values: &[i64], premises: &[u32]) -> Fact {
    let values = values.iter().map(|&v| Value::from(v)).collect();
    let premises = premises.iter().map(|&p| FactId(p)).collect();
    Fact::new(ClauseId(clause), values, premises)
}

/// `inv(0, 1)`, `inv(1, 1)`, `done(1)`, `false`.
pub(crate) fn refutation() -> Refutation {
    Refutation {
        facts: vec![
            fact(0, &[1], &[]),
            fact(1, &[0, 1], &[0]),
            fact(2, &[1, 1], &[1]),
            fact(3, &[1, 1, 1], &[1, 2]),
        ],
    }
}

/// `inv(0, l)`, …, `inv(l, l)`, `done(1)`, `false`: `length + 3` facts.
pub(crate) fn long_refutation(length: u32) -> Refutation {
    let l = i64::from(length);
    let mut facts = vec![fact(0, &[l], &[])];
    facts.extend((0..length).map(|x| fact(1, &[x.into(), l], &[x])));
    facts.push(fact(2, &[l, l], &[length]));
    facts.push(fact(3, &[l, l, 1], &[length, length + 1]));
    Refutation { facts }
}

/// `inv(x, n) ⟺ 0 ≤ x ≤ n`, `done(q) ⟺ true`, over parameters with other names than the clauses'
/// variables, and a swapped one.
pub(crate) fn model(t: &Terms) -> Model {
    let int = |name| t.var(name, Sort::INT);
    let (a, x, b) = (int("n"), int("x"), int("b"));
    let zero = t.number(Rational::zero(), Sort::INT);
    let invariant = t.and([t.le(zero, a), t.le(a, x)]);
    Model {
        interpretations: vec![
            Interpretation {
                params: vec![a, x],
                body: invariant,
            },
            Interpretation {
                params: vec![b],
                body: Term::TRUE,
            },
        ],
    }
}
