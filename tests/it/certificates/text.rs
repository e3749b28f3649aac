//! Certificates as text.

use super::counter::{counter, long_refutation, model, refutation};
use crate::time::seconds_of;
use horn::chc::{Model, Refutation};
use horn::report::{Lines, ModelForm, Proof, ProofFormat, write_model, write_model_as};
use horn::smtlib::{Source, read_system};
use horn::term::Terms;

fn proof_text(bad: i64, refutation: &Refutation, format: ProofFormat) -> String {
    let t = Terms::new();
    let system = counter(&t, bad);
    let lines = Lines::default();
    let proof = Proof::new(&t, &system, refutation, &lines).expect("a right refutation");
    let mut out = Vec::new();
    let written = proof.write(&mut out, format);
    let written = written.expect("memory takes everything");
    written.expect("the format can express it");
    String::from_utf8(out).expect("text")
}

#[test]
fn a_refutation_without_a_source_text() {
    let expected = "\
0: (inv 0 1)
   by clause 0 with n = 1
1: (inv 1 1)
   by `step` from 0 with x = 0, n = 1
2: (done 1)
   by clause 2 from 1 with x = 1, n = 1
3: false
   by clause 3 from 1, 2 with x = 1, n = 1, q = 1
";
    assert_eq!(proof_text(1, &refutation(), ProofFormat::Text), expected);
}

#[test]
fn a_wrong_refutation_is_not_written() {
    let t = Terms::new();
    let (system, lines) = (counter(&t, 1), Lines::default());
    let mut wrong = refutation();
    wrong.facts.pop();
    let error = Proof::new(&t, &system, &wrong, &lines)
        .err()
        .expect("it is wrong");
    assert!(
        error
            .to_string()
            .ends_with("the last fact is no instance of a query")
    );
}

#[test]
fn long_refutations_are_written_in_linear_time() {
    const LENGTH: u32 = 100_000;
    for format in [ProofFormat::Text, ProofFormat::Json] {
        let write = || proof_text(LENGTH.into(), &long_refutation(LENGTH), format);
        let (text, seconds) = seconds_of(write);
        assert!(text.lines().count() > LENGTH as usize);
        assert!(seconds < 30.0, "{seconds} s");
    }
}

#[test]
fn parameters_get_the_names_of_clauses_or_new_ones() {
    let t = Terms::new();
    let system = counter(&t, 7);
    let text = |form| {
        let mut out = Vec::new();
        write_model_as(&mut out, &t, &system, &model(&t), form).expect("memory takes everything");
        String::from_utf8(out).expect("text")
    };
    let expected = "(\n  \
          (define-fun inv ((x Int) (n Int)) Bool\n    (and (>= x 0) (<= x n)))\n  \
          (define-fun done ((q Int)) Bool\n    true)\n\
        )\n";
    assert_eq!(text(ModelForm::default()), expected);
    // What a program reads has names that occur nowhere else.
    let plain = ModelForm {
        plain: true,
        ..ModelForm::default()
    };
    let expected = "(\n  \
          (define-fun inv ((x0 Int) (x1 Int)) Bool\n    (and (<= 0 x0) (<= x0 x1)))\n  \
          (define-fun done ((x0 Int)) Bool\n    true)\n\
        )\n";
    assert_eq!(text(plain), expected);
    t.symbol("x1");
    assert_eq!(
        text(plain),
        expected.replace("x0", "y0").replace("x1", "y1")
    );
    for base in ["y0", "v0", "p0", "arg0", "param0"] {
        t.symbol(base);
    }
    let expected = expected.replace("x0", "x_0").replace("x1", "x_1");
    assert_eq!(text(plain), expected);
}

#[test]
fn names_of_parameters_hide_nothing() {
    let t = Terms::new();
    let text = "
        (declare-fun p (Int Int Int) Bool)
        (declare-fun q (Int) Bool)
        (assert (forall ((q Int) (mod Int) (x Int)) (=> (= q (+ mod x)) (p q mod x))))
        (assert (forall ((x Int) (y Int)) (=> (p x x y) (q x))))
        (assert (forall ((x Int) (y Int)) (=> (p x y x) (q x))))";
    let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
    let mut out = Vec::new();
    write_model(&mut out, &t, &system, &Model::trivial(&t, &system)).expect("memory takes it");
    let out = String::from_utf8_lossy(&out);
    // `q` is a predicate, `mod` is SMT-LIB's, and `x` is taken by the first parameter.
    assert!(
        out.contains("(define-fun p ((x Int) (y Int) (x2 Int)) Bool"),
        "{out}"
    );
}
