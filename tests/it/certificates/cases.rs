//! Conclusions by cases: models whose conclusions no solver decides as a whole.

use crate::certified::{native, read};
use horn::certify::{ModelError, check_model};
use horn::chc::{Interpretation, Model};
use horn::smt::{Failure, Limit, SatResult, Solver};
use horn::term::{Op, Sort, Term, Terms, Value};
use std::fmt;

/// Gives up where an assumption has a disjunction.
struct Slow<'t> {
    t: &'t Terms,
    inner: Box<dyn Solver + 't>,
}

impl Solver for Slow<'_> {
    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn assert(&mut self, formula: Term) {
        self.inner.assert(formula);
    }

    fn check(&mut self, about: fmt::Arguments<'_>, assumptions: &[Term]) -> SatResult {
        let is_disjunction = |part: Term| self.t.op(part) == Op::Or;
        let parts = self.t.post_order(assumptions.iter().copied());
        match parts.into_iter().any(is_disjunction) {
            true => SatResult::Unknown(Failure::Timeout),
            false => self.inner.check(about, assumptions),
        }
    }

    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        self.inner.values(terms)
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        self.inner.core()
    }

    fn set_limit(&mut self, limit: Limit) {
        self.inner.set_limit(limit);
    }
}

/// A counter at two locations: from 0 to 9 at the first, from 20 to 29 at the second.
const COUNTER: &str = "(declare-fun p (Bool Int) Bool)
    (assert (forall ((b Bool) (x Int) (c Bool) (y Int)) (=> (and (p b x) (= c (and b (< x 9)))
      (= y (ite (= x 9) 20 (ite (= x 29) 20 (+ x 1))))) (p c y))))";

/// What is said of a model, given as a formula over `b` and `x`.
fn checked(interpretation: &str) -> Result<(), ModelError> {
    let t = Terms::new();
    let system = read(&t, COUNTER);
    let said = format!(
        "(declare-fun q (Bool Int) Bool)
         (assert (forall ((b Bool) (x Int)) (=> {interpretation} (q b x))))"
    );
    let said = read(&t, said);
    let clause = &said.clauses[0];
    let params = [t.var("b0", Sort::BOOL), t.var("x0", Sort::INT)];
    let args = clause.head.as_ref().expect("it derives q").args.clone();
    let model = Model {
        interpretations: vec![Interpretation {
            params: params.to_vec(),
            body: t.substitute(clause.constraint, args.into_iter().zip(params)),
        }],
    };
    let backend = native();
    let mut solvers = || -> Box<dyn Solver + '_> {
        let inner = backend.solver(&t, "check");
        Box::new(Slow { t: &t, inner })
    };
    check_model(&t, &system, &model, &mut solvers, &Limit::none())
}

#[test]
fn cases_are_decided_one_by_one() {
    let right = "(or (and b (<= 0 x) (<= x 9)) (and (not b) (<= 20 x) (<= x 29)))";
    assert_eq!(checked(right), Ok(()));
    for wrong in [
        "(or (and b (<= 0 x) (<= x 8)) (and (not b) (<= 20 x) (<= x 29)))",
        "(or (and b (<= 0 x) (<= x 9)) (and (not b) (<= 20 x) (<= x 28)))",
        "(or (and b (<= 0 x) (<= x 9)) (and (not b) (<= 21 x) (<= x 29)))",
    ] {
        let error = checked(wrong).expect_err(wrong);
        assert!(matches!(error, ModelError::NotDecided { .. }), "{error}");
    }
}
