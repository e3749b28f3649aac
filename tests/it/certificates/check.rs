//! Certificates, right and wrong in every way, against the checker.
//!
//! The solver of these tests tries all small values, so they need no external program.

use super::counter::{counter, fact, long_refutation, model, refutation};
use crate::time::seconds_of;
use horn::certify::{check_model, check_model_as_written, check_refutation};
use horn::chc::{ClauseId, Fact, FactId, Interpretation, Refutation};
use horn::number::Rational;
use horn::smt::{CancelToken, Failure, Limit, SatResult, Solver};
use horn::term::{Evaluator, Op, Sort, Term, Terms, Unspecified, Value};
use std::fmt;

#[track_caller]
fn check_facts(change: impl FnOnce(&mut Vec<Fact>), expected: &str) {
    let t = Terms::new();
    let system = counter(&t, 1);
    let mut refutation = refutation();
    change(&mut refutation.facts);
    let said = match check_refutation(&t, &system, &refutation) {
        Ok(()) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(said, expected);
}

#[test]
fn refutations_right_and_wrong() {
    check_facts(|_| {}, "accepted");
    // A fact that no step uses does no harm, nor an early `false`.
    check_facts(|facts| facts.insert(3, fact(1, &[0, 1], &[0])), "accepted");
    check_facts(|facts| facts.push(facts[3].clone()), "accepted");
    check_facts(Vec::clear, "fact 0: missing: the refutation is empty");
    check_facts(
        |facts| facts.truncate(3),
        "fact 2 (by clause 2): the last fact is no instance of a query",
    );
    check_facts(
        |facts| facts[1].clause = ClauseId(9),
        "fact 1: the system has no clause 9",
    );
    check_facts(
        |facts| facts[1].clause = ClauseId(4),
        "fact 1: the system has no clause 4",
    );
    check_facts(
        |facts| facts[1].values.truncate(1),
        "fact 1 (by step): 1 values for 2 variables",
    );
    check_facts(
        |facts| facts[0].values.push(Value::from(3)),
        "fact 0 (by clause 0): 2 values for 1 variables",
    );
    check_facts(
        |facts| facts[0].values[0] = Value::Bool(true),
        "fact 0 (by clause 0): the value of `n` is not of sort Int: true",
    );
    check_facts(
        |facts| facts[0].values[0] = Value::Number(Rational::new(1, 2)),
        "fact 0 (by clause 0): the value of `n` is not of sort Int: 1/2",
    );
    check_facts(
        |facts| facts[1].premises.clear(),
        "fact 1 (by step): 0 premises for 1 atoms",
    );
    check_facts(
        |facts| facts[0].premises.push(FactId(0)),
        "fact 0 (by clause 0): 1 premises for 0 atoms",
    );
    check_facts(
        |facts| facts[1].premises[0] = FactId(1),
        "fact 1 (by step): premise 0 is fact 1, which does not come before",
    );
    check_facts(
        |facts| facts[1].premises[0] = FactId(77),
        "fact 1 (by step): premise 0 is fact 77, which does not come before",
    );
    check_facts(
        |facts| facts[2].premises[0] = FactId(0),
        "fact 2 (by clause 2): premise 0, argument 0: the atom has 1, fact 0 has 0",
    );
    check_facts(
        |facts| facts[3].premises = vec![FactId(2), FactId(2)],
        "fact 3 (by clause 3): premise 0 should be about `inv`, fact 2 is about `done`",
    );
    check_facts(
        |facts| {
            let last = facts[3].clone();
            facts.push(last);
            facts[4].premises[0] = FactId(3);
        },
        "fact 4 (by clause 3): premise 0 should be about `inv`, fact 3 is about false",
    );
    check_facts(
        |facts| facts[0].values[0] = Value::from(-1),
        "fact 0 (by clause 0): the constraint is false",
    );
    check_facts(
        |facts| facts[3].values = vec![Value::from(0), Value::from(1), Value::from(1)],
        "fact 3 (by clause 3): the constraint is false",
    );
    // No certificate chooses what a division by zero gives.
    check_facts(
        |facts| *facts = vec![fact(0, &[0], &[]), fact(2, &[0, 0], &[0])],
        "fact 1 (by clause 2): argument 0 of the head has no value: division by zero in (div n x)",
    );
}

#[test]
fn long_refutations_are_checked_in_linear_time() {
    const LENGTH: u32 = 100_000;
    let t = Terms::new();
    let system = counter(&t, LENGTH.into());
    let refutation = long_refutation(LENGTH);
    let (checked, seconds) = seconds_of(|| check_refutation(&t, &system, &refutation));
    assert_eq!(checked, Ok(()));
    assert!(seconds < 20.0, "{seconds} s");
}

/// A formula with a statement about each of the numbers from −3 to 6 in place of one for all.
fn tried_out(t: &Terms, formula: Term) -> Term {
    let (Op::Forall, [bound @ .., matrix]) = (t.op(formula), t.args(formula)) else {
        return formula;
    };
    let with = |formula: Term, &var: &Term| {
        let value = |value: i64| t.number(Rational::from(value), Sort::INT);
        t.and((-3..=6).map(|v| t.substitute(formula, [(var, value(v))])))
    };
    bound.iter().fold(*matrix, with)
}

/// Decides formulas over a few integers by trying the numbers from −3 to 6.
struct Enumerator<'t> {
    t: &'t Terms,
    stack: Vec<Vec<Term>>,
    model: Vec<(Term, Value)>,
    /// What is answered instead, if anything.
    instead: Option<Failure>,
}

impl Solver for Enumerator<'_> {
    fn push(&mut self) {
        self.stack.push(Vec::new());
    }

    fn pop(&mut self) {
        self.stack.pop().expect("a scope is open");
    }

    fn assert(&mut self, formula: Term) {
        self.stack
            .last_mut()
            .expect("a scope is open")
            .push(formula);
    }

    fn check(&mut self, _about: fmt::Arguments<'_>, assumptions: &[Term]) -> SatResult {
        if let Some(failure) = &self.instead {
            return SatResult::Unknown(failure.clone());
        }
        let all: Vec<Term> = self
            .stack
            .iter()
            .flatten()
            .chain(assumptions)
            .copied()
            .collect();
        let formula = self.t.and(all.into_iter().map(|f| tried_out(self.t, f)));
        let vars = self.t.vars([formula]);
        let mut values = vec![-3; vars.len()];
        loop {
            let pairs: Vec<_> = (vars.iter().copied())
                .zip(values.iter().map(|&v| Value::from(v)))
                .collect();
            let mut evaluator = Evaluator::with(self.t, Unspecified::Default, pairs.clone());
            if evaluator.holds(formula) {
                self.model = pairs;
                return SatResult::Sat;
            }
            let Some(place) = values.iter().position(|&v| v < 6) else {
                return SatResult::Unsat;
            };
            values[place] += 1;
            values[..place].fill(-3);
        }
    }

    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        let value = |term: &Term| self.model.iter().find(|(var, _)| var == term);
        let broken = Failure::Broken("not asked".to_owned());
        let found = terms
            .iter()
            .map(|term| value(term).map(|(_, value)| value.clone()));
        found.collect::<Option<_>>().ok_or(broken)
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        Err(Failure::Unsupported("cores".to_owned()))
    }

    fn set_limit(&mut self, _limit: Limit) {}
}

/// The counter that is safe: no `x` is above 6 in the enumerator's world, and none below 0 is
/// reached.
#[track_caller]
fn check_interpretations(
    change: impl FnOnce(&Terms, &mut Vec<Interpretation>),
    instead: Option<Failure>,
    expected: &str,
) {
    let t = Terms::new();
    let system = counter(&t, 7);
    let mut model = model(&t);
    change(&t, &mut model.interpretations);
    let mut made = 0;
    let mut solvers = || -> Box<dyn Solver> {
        made += 1;
        Box::new(Enumerator {
            t: &t,
            stack: Vec::new(),
            model: Vec::new(),
            instead: instead.clone(),
        })
    };
    let checked = check_model(&t, &system, &model, &mut solvers, &Limit::none());
    let as_written = check_model_as_written(&t, &system, &model, &mut solvers, &Limit::none());
    assert_eq!(as_written.is_ok(), checked.is_ok());
    let said = match checked {
        Ok(()) => "accepted".to_owned(),
        Err(error) => {
            assert_eq!(error.is_refusal(), instead.is_none());
            error.to_string()
        }
    };
    assert_eq!(said, expected);
}

#[test]
fn models_right_and_wrong() {
    let check = |change: &dyn Fn(&Terms, &mut Vec<Interpretation>), expected| {
        check_interpretations(change, None, expected);
    };
    check(&|_, _| {}, "accepted");
    check(
        &|_, model| model.truncate(1),
        "the model interprets 1 predicates, the system has 2",
    );
    check(
        &|_, model| model[0].params.truncate(1),
        "the interpretation of `inv` is not well formed: it has 1 parameters instead of 2",
    );
    check(
        &|t, model| model[0].params[0] = t.add([model[0].params[0], model[0].params[1]]),
        "the interpretation of `inv` is not well formed: the parameter `(+ n x)` is not a variable",
    );
    check(
        &|t, model| model[1].params[0] = t.var("r", Sort::REAL),
        "the interpretation of `done` is not well formed: the parameter `r` is of sort Real instead of Int",
    );
    check(
        &|_, model| model[0].params[1] = model[0].params[0],
        "the interpretation of `inv` is not well formed: the parameter `n` occurs twice",
    );
    check(
        &|_, model| model[0].body = model[0].params[0],
        "the interpretation of `inv` is not well formed: the body is of sort Int instead of Bool",
    );
    check(
        &|t, model| {
            let k = t.var("k", Sort::INT);
            model[0].body = t.exists(&[k], t.lt(k, model[0].params[0]));
        },
        "the interpretation of `inv` is not well formed: the body has a quantifier other than `forall` in front of a conjunct",
    );
    check(
        &|t, model| {
            let p = t.declare(t.symbol("p"), &[], Sort::BOOL);
            model[0].body = t.apply(p, &[]);
        },
        "the interpretation of `inv` is not well formed: the body mentions `p`, which is declared, not interpreted",
    );
    check(
        &|t, model| model[1].body = t.var("free", Sort::BOOL),
        "the interpretation of `done` is not well formed: the body has the variable `free`, which is not a parameter",
    );
    check(
        &|t, model| {
            let one = t.number(Rational::one(), Sort::INT);
            model[0].body = t.le(one, model[0].params[0]);
        },
        "clause 0 does not hold for n = 0",
    );
    check(
        &|_, model| model[0].body = Term::FALSE,
        "clause 0 does not hold for n = 0",
    );
    check(
        &|t, model| {
            let zero = t.number(Rational::zero(), Sort::INT);
            model[0].body = t.eq(model[0].params[0], zero);
        },
        "step does not hold for x = 0, n = 1",
    );
    check(
        &|_, model| model[1].body = Term::FALSE,
        "clause 2 does not hold for x = 0, n = 0",
    );
}

#[test]
fn models_for_all_values() {
    // `also(k, x, n)` is said of every `k`, in addition to what the right model says.
    let check = |also: &dyn Fn(&Terms, [Term; 3]) -> Term, expected| {
        let change = |t: &Terms, model: &mut Vec<Interpretation>| {
            let Interpretation { params, body } = &mut model[0];
            let k = t.var("k", Sort::INT);
            let also = also(t, [k, params[0], params[1]]);
            *body = t.and([*body, t.forall(&[k], also)]);
        };
        check_interpretations(change, None, expected);
    };
    let below = |t: &Terms, [k, x, n]: [Term; 3]| t.or([t.le(x, k), t.lt(k, n)]);
    check(&below, "accepted");
    // It holds of the facts, and is not kept.
    let not_above =
        |t: &Terms, [k, x, n]: [Term; 3]| t.or([t.le(n, k), t.le(x, k), t.lt(k, t.int(0))]);
    check(&not_above, "step does not hold for x = 0, n = 1");
    check(
        &|t, [k, x, _]| t.le(x, k),
        "clause 0 does not hold for n = 0",
    );
    let malformed = "the interpretation of `inv` is not well formed: the body has a quantifier other than `forall` in front of a conjunct";
    check(
        &|t, [k, x, n]| t.or([t.le(x, k), t.forall(&[n], t.le(n, k))]),
        malformed,
    );
    check(
        &|t, [k, _, _]| t.le(t.var("free", Sort::INT), k),
        "the interpretation of `inv` is not well formed: the body has the variable `free`, which is not a parameter",
    );
    check_interpretations(
        |t, model| model[0].body = t.forall(&[model[0].params[0]], model[0].body),
        None,
        malformed,
    );
    // What is true of all numbers is used, too, where no premise names an instance of it.
    check_interpretations(
        |t, model| {
            let Interpretation { params, body } = &mut model[0];
            let k = t.var("k", Sort::INT);
            let bounds = t.conjuncts(*body).into_iter();
            let each = bounds.map(|bound| {
                let same = t.eq(k, params[0]);
                t.forall(
                    &[k],
                    t.or([t.not(same), t.substitute(bound, [(params[0], k)])]),
                )
            });
            *body = t.and(each);
        },
        None,
        "accepted",
    );
}

#[test]
fn what_is_not_decided_is_not_accepted() {
    // The clauses before it can be seen to hold.
    let failure = Failure::Incomplete("too hard".to_owned());
    check_interpretations(
        |_, _| {},
        Some(failure),
        "clause 3 was not decided: the solver gave up: too hard",
    );
    check_interpretations(
        |_, _| {},
        Some(Failure::Timeout),
        "clause 3 was not decided: timeout",
    );
}

#[test]
fn a_cancelled_check_ends() {
    let t = Terms::new();
    let (system, model) = (counter(&t, 7), model(&t));
    let limit = Limit::new(None, CancelToken::new());
    limit.cancel.cancel();
    let mut made = 0;
    let mut solvers = || -> Box<dyn Solver> {
        made += 1;
        Box::new(Enumerator {
            t: &t,
            stack: Vec::new(),
            model: Vec::new(),
            instead: Some(Failure::Cancelled),
        })
    };
    let error = check_model(&t, &system, &model, &mut solvers, &limit).expect_err("cancelled");
    assert_eq!(error.to_string(), "clause 0 was not decided: cancelled");
    assert_eq!(made, 0, "no solver after the limit");
}

/// A sort that is declared may have one element only: a refutation has to hold then as well.
#[test]
fn elements_of_a_sort_may_be_the_same() {
    for (constraint, expected) in [
        (
            "(not (= x y))",
            "fact 0 (by clause 0): elements of a sort may be the same, and then the constraint is false",
        ),
        ("(= x x)", "accepted"),
        (
            "(not (= (store ((as const (Array U Int)) 0) x 1) ((as const (Array U Int)) 1)))",
            "fact 0 (by clause 0): elements of a sort may be the same, and then the constraint has no \
             value: comparison over a sort of unknown size in (= (store ((as const (Array U Int)) 0) \
             x 1) ((as const (Array U Int)) 1))",
        ),
    ] {
        let t = Terms::new();
        let text = format!(
            "(declare-sort U 0)(declare-fun p (U U) Bool)
             (assert (forall ((x U) (y U)) (=> {constraint} (p x y))))
             (assert (forall ((x U) (y U)) (=> (p x y) false)))"
        );
        let system = crate::certified::read(&t, &*text);
        let sort = t.sort_of(system.clauses[0].vars[0]);
        let elements = || {
            let count = system.clauses[0].vars.len() as u64;
            (0..count)
                .map(|index| Value::Element { sort, index })
                .collect()
        };
        let facts = vec![
            Fact::new(ClauseId(0), elements(), vec![]),
            Fact::new(ClauseId(1), elements(), vec![FactId(0)]),
        ];
        let said = match check_refutation(&t, &system, &Refutation { facts }) {
            Ok(()) => "accepted".to_owned(),
            Err(error) => {
                assert!(error.is_left_open());
                error.to_string()
            }
        };
        assert_eq!(said, expected);
    }
}
