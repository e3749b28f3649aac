//! Loops in refutations that are not written out: right and wrong ones, and their texts.

use super::counter::{counter, fact};
use crate::certified::{native, read};
use crate::corpus::corpus;
use horn::certify::check_refutation;
use horn::chc::{
    Change, ClauseId, Fact, FactId, Iteration, IterationPremise, IterationStep, Refutation, System,
};
use horn::number::Rational;
use horn::report::{Lines, Proof, ProofFormat};
use horn::smt::Limit;
use horn::term::{BitVec, Terms, Value};
use horn::transform::{self, Pass, Tools, preprocess};

/// The number of steps of the counter.
const TIMES: i64 = 3_000_000_000;

/// `inv(0, N)`, `inv(N, N)` after N iterations, `done(1)`, `false`.
fn looping() -> Refutation {
    let steps = vec![IterationStep {
        clause: ClauseId(1),
        values: vec![Value::from(0), Value::from(TIMES)],
        changes: vec![Change::By(Rational::one()), Change::None],
        premises: vec![IterationPremise::Before],
    }];
    let times = Rational::from(TIMES);
    let iterated = Fact {
        iteration: Some(Box::new(Iteration { times, steps })),
        ..fact(1, &[TIMES - 1, TIMES], &[0])
    };
    Refutation {
        facts: vec![
            fact(0, &[TIMES], &[]),
            iterated,
            fact(2, &[TIMES, TIMES], &[1]),
            fact(3, &[TIMES, TIMES, 1], &[1, 2]),
        ],
    }
}

/// What the check says of the refutation with another iteration.
#[track_caller]
fn check_loop(change: impl FnOnce(&mut Iteration), expected: &str) {
    check_fact(
        |fact| change(fact.iteration.as_mut().expect("it has one")),
        expected,
    );
}

#[track_caller]
fn check_fact(change: impl FnOnce(&mut Fact), expected: &str) {
    let t = Terms::new();
    let system = counter(&t, 1);
    let mut refutation = looping();
    change(&mut refutation.facts[1]);
    let said = match check_refutation(&t, &system, &refutation) {
        Ok(()) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    };
    let said = said.trim_start_matches("fact 1 (by step): ");
    assert_eq!(said, expected);
}

#[test]
fn iterations_right_and_wrong() {
    check_loop(|_| {}, "accepted");
    let constraint =
        "step 0 of the iterations is not seen to satisfy its constraint in each iteration";
    let premise = "step 0 of the iterations is not seen to have premise 0 in each iteration";
    let values = "step 0 of the iterations has not the values of its clause's variables";
    let last = "the values are not those of the last iteration";
    // One iteration more, and one less.
    check_loop(
        |i| {
            i.times = Rational::from(TIMES + 1);
            i.steps[0].values[0] = Value::from(-1);
        },
        premise,
    );
    check_loop(|i| i.times = Rational::from(TIMES + 1), constraint);
    check_loop(|i| i.times = Rational::from(TIMES - 1), last);
    check_fact(|fact| fact.values[0] = Value::from(5), last);
    // No number of iterations; nothing in them.
    let no_number = |times: &str| format!("{times} is no number of iterations");
    check_loop(|i| i.times = Rational::zero(), &no_number("0"));
    check_loop(|i| i.times = Rational::from(-1), &no_number("-1"));
    check_loop(|i| i.times = Rational::new(1, 2), &no_number("1/2"));
    check_loop(|i| i.steps.clear(), "the iterations have no steps");
    // Another change, which is no change of the loop.
    let by = |by: i64| Change::By(Rational::from(by));
    check_loop(|i| i.steps[0].changes[0] = by(2), constraint);
    check_loop(|i| i.steps[0].changes[0] = by(-1), premise);
    check_loop(|i| i.steps[0].changes[0] = Change::None, premise);
    check_loop(|i| i.steps[0].changes[1] = by(1), premise);
    check_loop(
        |i| i.steps[0].changes[0] = Change::By(Rational::new(1, 2)),
        values,
    );
    check_loop(
        |i| i.steps[0].changes[0] = Change::Fields(Vec::new()),
        values,
    );
    check_loop(|i| i.steps[0].changes.truncate(1), values);
    check_loop(|i| i.steps[0].values.truncate(1), values);
    check_loop(|i| i.steps[0].values[1] = Value::Bool(true), values);
    let bits = Value::BitVec(BitVec::from_int(&0.into(), 8));
    check_loop(|i| i.steps[0].values[0] = bits, values);
    // Another premise, or none.
    check_loop(|i| i.steps[0].values[0] = Value::from(1), constraint);
    check_fact(|fact| fact.premises.clear(), premise);
    check_fact(|fact| fact.premises[0] = FactId(1), premise);
    for other in [
        IterationPremise::Step(0),
        IterationPremise::Step(7),
        IterationPremise::Premise(0),
        IterationPremise::Premise(7),
    ] {
        check_loop(|i| i.steps[0].premises[0] = other, premise);
    }
    check_loop(
        |i| i.steps[0].premises.clear(),
        "step 0 of the iterations has 0 premises for 1 atoms",
    );
    // Another clause: none, a query, one with a premise of another predicate.
    check_loop(
        |i| i.steps[0].clause = ClauseId(9),
        "step 0 of the iterations derives nothing: clause 9",
    );
    check_loop(
        |i| {
            i.steps[0].clause = ClauseId(3);
            i.steps[0].values.push(Value::from(1));
            i.steps[0].changes = vec![Change::None; 3];
            i.steps[0].values[0] = Value::from(1);
        },
        "step 0 of the iterations derives nothing: clause 3",
    );
    // The same step twice.
    check_loop(
        |i| {
            let again = i.steps[0].clone();
            i.steps.push(again);
        },
        "accepted",
    );
}

/// A loop may begin with an iteration, and be only one.
#[test]
fn one_iteration_is_a_step() {
    let t = Terms::new();
    let system = counter(&t, 1);
    let mut refutation = looping();
    for fact in &mut refutation.facts {
        for value in &mut fact.values {
            if *value == Value::from(TIMES) {
                *value = Value::from(1);
            }
        }
    }
    let fact = &mut refutation.facts[1];
    fact.values = vec![Value::from(0), Value::from(1)];
    let iteration = fact.iteration.as_mut().expect("it has one");
    iteration.times = Rational::one();
    iteration.steps[0].values[1] = Value::from(1);
    assert_eq!(check_refutation(&t, &system, &refutation), Ok(()));
    assert!(refutation.is_over(&system));
}

fn said(t: &Terms, system: &System, refutation: &Refutation, format: ProofFormat) -> String {
    let lines = Lines::default();
    let proof = Proof::new(t, system, refutation, &lines).expect("a right refutation");
    let mut out = Vec::new();
    match proof.write(&mut out, format).expect("memory takes it") {
        Ok(()) => String::from_utf8(out).expect("text"),
        Err(obstacle) => obstacle.to_string(),
    }
}

#[test]
fn iterations_are_told() {
    let t = Terms::new();
    let (system, refutation) = (counter(&t, 1), looping());
    let text = said(&t, &system, &refutation, ProofFormat::Text);
    let expected = "\
1: (inv 3000000000 3000000000)
   by 3000000000 iterations, in the first of which
   1.0: (inv 1 3000000000)
        by `step` from 0, later 1.0 with x = 0 … 2999999999, n = 3000000000
";
    assert!(text.contains(expected), "{text}");
    let json = said(&t, &system, &refutation, ProofFormat::Json);
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let iteration = &json["facts"][1]["iteration"];
    assert_eq!(iteration["times"], "3000000000");
    let step = &iteration["steps"][0];
    assert_eq!(step["premises"], serde_json::json!(["before"]));
    assert_eq!(step["values"][0]["change"], "1");
    assert_eq!(step["values"][1]["change"], serde_json::Value::Null);
    assert_eq!(step["arguments"][0]["value"], "1");
    let obstacle = "the refutation has a loop with too many iterations to be written out";
    for format in [ProofFormat::Smtlib, ProofFormat::Alethe] {
        assert_eq!(said(&t, &system, &refutation, format), obstacle);
    }
}

/// Passes take iterations back: what one clause does is done by several, over bits in place of
/// integers, with arguments that were gone.
#[test]
fn iterations_are_taken_back() {
    let text = corpus("unsat/bv/sum-wraps-after-a-billion.smt2");
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let tools = Tools {
        terms: &t,
        backend: &backend,
        limit: Limit::none(),
    };
    let prepared = preprocess(&tools, &system, &transform::Options::default());
    let inner = prepared.system(&system);
    assert!(inner.preds.len() < system.preds.len());
    let passes = vec![Pass::Accelerate];
    let options = transform::Options { passes, rounds: 1 };
    let accelerated = preprocess(&tools, inner, &options);
    let context = crate::certified::context(&t, &backend);
    let answer = horn::engine::spacer::solve(
        accelerated.system(inner),
        &horn::engine::spacer::Options::default(),
        &context,
    );
    let lifted = accelerated
        .lift(&tools, inner, answer)
        .expect("it is taken back");
    let lifted = prepared
        .lift(&tools, &system, lifted)
        .expect("it is taken back");
    let horn::chc::Answer::Unsat(refutation) = lifted else {
        panic!("it is unsatisfiable");
    };
    assert!(refutation.has_iterations() && refutation.is_over(&system));
    assert_eq!(check_refutation(&t, &system, &refutation), Ok(()));
}

#[test]
fn bits_wrap_around_in_a_change() {
    let t = Terms::new();
    let text = "(declare-fun p ((_ BitVec 8)) Bool)
        (assert (p #x05))
        (assert (forall ((x (_ BitVec 8))) (=> (p x) (p (bvadd x #xfd)))))
        (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (= x #x00)) false)))";
    let system = read(&t, text);
    let bits = |value: i64| Value::BitVec(BitVec::from_int(&value.into(), 8));
    // 5 - 3·k = 0 modulo 256 for k = 87: the values pass 0 once, and go around the circle.
    let steps = vec![IterationStep {
        clause: ClauseId(1),
        values: vec![bits(5)],
        changes: vec![Change::By(Rational::from(-3))],
        premises: vec![IterationPremise::Before],
    }];
    let times = Rational::from(87);
    let mut iterated = Fact::new(ClauseId(1), vec![bits(3)], vec![FactId(0)]);
    iterated.iteration = Some(Box::new(Iteration { times, steps }));
    let mut refutation = Refutation {
        facts: vec![
            Fact::new(ClauseId(0), vec![], vec![]),
            iterated,
            Fact::new(ClauseId(2), vec![bits(0)], vec![FactId(1)]),
        ],
    };
    assert_eq!(check_refutation(&t, &system, &refutation), Ok(()));
    let iteration = refutation.facts[1].iteration.as_mut().expect("it has one");
    iteration.times = Rational::from(86);
    assert!(check_refutation(&t, &system, &refutation).is_err());
}

/// A loop of two steps with a premise that is the same in each iteration:
/// `a(x) ∧ k(n) ∧ x < n ⇒ b(x + 1)`, `b(x) ⇒ a(x)`.
#[track_caller]
fn check_two_steps(change: impl FnOnce(&mut Vec<IterationStep>), expected: &str) {
    let t = Terms::new();
    let text = "(declare-fun a (Int) Bool) (declare-fun b (Int) Bool) (declare-fun k (Int) Bool)
        (assert (a 0))
        (assert (k 1000000))
        (assert (forall ((x Int) (n Int)) (=> (and (a x) (k n) (< x n)) (b (+ x 1)))))
        (assert (forall ((x Int)) (=> (b x) (a x))))
        (assert (forall ((x Int)) (=> (and (a x) (= x 1000000)) false)))";
    let system = read(&t, text);
    let step = |clause: u32, values: &[i64], changes: &[i64], premises: &[IterationPremise]| {
        let change = |&by: &i64| match by {
            0 => Change::None,
            by => Change::By(Rational::from(by)),
        };
        IterationStep {
            clause: ClauseId(clause),
            values: values.iter().map(|&value| Value::from(value)).collect(),
            changes: changes.iter().map(change).collect(),
            premises: premises.to_vec(),
        }
    };
    let of_facts = [IterationPremise::Before, IterationPremise::Premise(1)];
    let mut steps = vec![
        step(2, &[0, 1_000_000], &[1, 0], &of_facts),
        step(3, &[1], &[1], &[IterationPremise::Step(0)]),
    ];
    change(&mut steps);
    let last = steps.last().expect("there is a step").clause;
    let times = Rational::from(1_000_000);
    let iterated = Fact {
        iteration: Some(Box::new(Iteration { times, steps })),
        ..Fact::new(
            last,
            vec![Value::from(1_000_000)],
            vec![FactId(0), FactId(1)],
        )
    };
    let refutation = Refutation {
        facts: vec![
            fact(0, &[], &[]),
            fact(1, &[], &[]),
            iterated,
            fact(4, &[1_000_000], &[2]),
        ],
    };
    let said = match check_refutation(&t, &system, &refutation) {
        Ok(()) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(said.ends_with(expected), "{said}");
}

#[test]
fn steps_of_an_iteration_follow_from_each_other() {
    check_two_steps(|_| {}, "accepted");
    let premise = |step: usize, at: usize| {
        format!("step {step} of the iterations is not seen to have premise {at} in each iteration")
    };
    let first = |i: &mut Vec<IterationStep>, at: usize, other| i[0].premises[at] = other;
    // A premise of another predicate, or of another value.
    check_two_steps(
        |i| first(i, 1, IterationPremise::Premise(0)),
        &premise(0, 1),
    );
    check_two_steps(
        |i| first(i, 1, IterationPremise::Premise(2)),
        &premise(0, 1),
    );
    check_two_steps(|i| first(i, 1, IterationPremise::Before), &premise(0, 1));
    check_two_steps(|i| i[0].values[1] = Value::from(2_000_000), &premise(0, 1));
    // The last step is not what the first one begins with: of another value or another change.
    check_two_steps(|i| i[1].values[0] = Value::from(2), &premise(0, 0));
    check_two_steps(|i| i[1].changes[0] = Change::None, &premise(0, 0));
    // A step in between is not what the one before it derives.
    let again = |i: &mut Vec<IterationStep>| i.push(i[1].clone());
    check_two_steps(again, "accepted");
    check_two_steps(
        |i| {
            again(i);
            i[1].values[0] = Value::from(2);
        },
        &premise(1, 0),
    );
    check_two_steps(
        |i| {
            again(i);
            i[1].changes[0] = Change::None;
        },
        &premise(1, 0),
    );
    check_two_steps(
        |i| {
            again(i);
            i[2].premises[0] = IterationPremise::Step(1);
        },
        &premise(2, 0),
    );
}

/// `e(x, y) ⇒ e(y, x)`: nothing is derivable, though `e(5, 5)` follows from itself.
#[test]
fn a_step_does_not_follow_from_itself() {
    let t = Terms::new();
    let text = "(declare-fun e (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (e x y) (e y x))))
        (assert (forall ((x Int)) (=> (e x x) false)))";
    let system = read(&t, text);
    let step = |premise: usize| IterationStep {
        clause: ClauseId(0),
        values: vec![Value::from(5), Value::from(5)],
        changes: vec![Change::None, Change::None],
        premises: vec![IterationPremise::Step(premise)],
    };
    for premises in [vec![0], vec![1, 0], vec![1, 1]] {
        let steps = premises.iter().map(|&premise| step(premise)).collect();
        let times = Rational::one();
        let iterated = Fact {
            iteration: Some(Box::new(Iteration { times, steps })),
            ..fact(0, &[5, 5], &[])
        };
        let facts = vec![iterated, fact(1, &[5], &[0])];
        let said = check_refutation(&t, &system, &Refutation { facts });
        let error = said.expect_err("nothing is derivable").to_string();
        assert!(error.contains("is not seen to have premise 0"), "{error}");
    }
}
