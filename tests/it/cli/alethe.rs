//! Refutations in the format Alethe, checked by `scripts/check-alethe`, which shares no code with
//! the program.

use super::HORN_SOLVE;
use super::certificates::check_alethe;
use crate::program::text;
use crate::tools::tool_found;
use std::fs;
use std::path::Path;

const ALETHE: [&str; 6] = [
    "--solver",
    "native",
    "--timeout",
    "20",
    "--proof-format",
    "alethe",
];

/// A system with each connective, and each way in which values become equal.
const SYSTEM: &str = "(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun q (Real Bool Bool) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= x 2)) (p (+ x 1) (+ y (* (- 2) x))))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p z y) (not (= x 7))) (p 9 (* x z)))))
(assert (forall ((r Real) (b Bool) (c Bool)) (=> (ite b (and c (< r (/ 1.0 3.0))) (or (= b c) (< 2.0 r))) (q (* 2.0 r) (not (= b c)) (ite b c true)))))
(assert (forall ((r Real) (b Bool) (x Int) (y Int)) (=> (and (q r b true) (p x y) (or (and b (= r 0.0)) (= x 3)) (= y (- 6)) (not (= (= x 3) b))) false)))
(check-sat)
";

/// The refutation of a system in the file `system.smt2`, with the verdict.
fn proof_of(system: &str) -> String {
    let output = HORN_SOLVE.run(&ALETHE, system);
    let proof = text(&output.stdout);
    assert!(
        proof.starts_with("unsat\n(assume "),
        "{proof}{}",
        text(&output.stderr)
    );
    proof
}

/// A system with its clauses as they are printed, which proofs assume.
fn printed(system: &str) -> String {
    let output = HORN_SOLVE.run(&["--no-preprocess", "--print-preprocessed"], system);
    text(&output.stdout)
}

/// What the checker says of a proof.
fn judge(directory: &Path, system: &str, proof: &str) -> (String, bool) {
    let [query, file] = ["system.smt2", "proof.alethe"].map(|name| directory.join(name));
    fs::write(&query, system).expect("it can be written");
    fs::write(&file, proof).expect("it can be written");
    check_alethe(&query, &file)
}

#[test]
fn refutations_are_accepted_as_they_are() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let (proof, system) = (proof_of(SYSTEM), printed(SYSTEM));
    let judged = judge(scratch.path(), &system, &proof);
    assert_eq!(judged, ("valid\n".to_owned(), true), "{proof}");
    for rule in [
        "forall_inst",
        "implies",
        "and_neg",
        "eq_congruent_pred",
        "la_generic",
    ] {
        assert!(
            proof.contains(&format!(":rule {rule}")),
            "{rule} is not used:\n{proof}"
        );
    }
    // Another system, another value, a step left out.
    let lines: Vec<&str> = proof.lines().collect();
    let mut damaged = 0;
    for (at, line) in lines.iter().enumerate().skip(1) {
        for (from, to) in [
            (":= x ", ":= x 1"),
            ("(+ x 1)", "(+ x 2)"),
            (":= x 0", ":= x (/ 1.0 2.0)"),
            ("(cl (p", "(cl (p 5 5) (p"),
        ] {
            if line.contains(from) {
                let changed = line.replacen(from, to, 1);
                let changed = [&lines[..at], &[changed.as_str()], &lines[at + 1..]].concat();
                let (said, accepted) = judge(scratch.path(), &system, &changed.join("\n"));
                assert!(!accepted, "{line}: {said}");
                damaged += 1;
            }
        }
    }
    assert!(damaged > 5, "{damaged} proofs were changed");
}

/// Twice no integer is 1; with 1/2 for the integer `x` it would be.
#[test]
fn values_have_the_sorts_of_their_variables() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let clause = |sort: &str| format!("(forall ((x {sort})) (=> (= (* 2 x) 1) false))");
    let (equation, half) = ("(= (* 2 (/ 1.0 2.0)) 1)", "(* 2 (/ 1.0 2.0))");
    let (below, above) = (format!("(<= {half} 1)"), format!("(<= 1 {half})"));
    for (sort, expected) in [("Real", true), ("Int", false), ("Bool", false)] {
        let clause = clause(sort);
        let instance = format!("(=> {equation} false)");
        let proof = format!(
            "(assume t0 {clause})
(step t1 (cl (or (not {clause}) {instance})) :rule forall_inst :args ((:= x (/ 1.0 2.0))))
(step t2 (cl (not {clause}) {instance}) :rule or :premises (t1))
(step t3 (cl {instance}) :rule resolution :premises (t2 t0))
(step t4 (cl (not {equation}) false) :rule implies :premises (t3))
(step t5 (cl (or {equation} (not {below}) (not {above}))) :rule la_disequality)
(step t6 (cl {equation} (not {below}) (not {above})) :rule or :premises (t5))
(step t7 (cl {below}) :rule la_generic :args (1))
(step t8 (cl {above}) :rule la_generic :args (1))
(step t9 (cl {equation}) :rule resolution :premises (t6 t7 t8))
(step t10 (cl false) :rule resolution :premises (t4 t9))
(step t11 (cl (not false)) :rule false)
(step t12 (cl) :rule resolution :premises (t10 t11))
"
        );
        let (said, accepted) = judge(scratch.path(), &format!("(assert {clause})"), &proof);
        assert_eq!(accepted, expected, "{sort}: {said}");
    }
}

/// A place of a binder is no argument.
#[test]
fn congruence_is_not_for_binders() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    for (head, expected) in [("p", true), ("forall", false), ("exists", false)] {
        let assertions = [
            format!("({head} ((x Int)) (< x 0))"),
            "(= ((x Int)) ((x Int)))".to_owned(),
            "(= (< x 0) (< x 1))".to_owned(),
            format!("(not ({head} ((x Int)) (< x 1)))"),
        ];
        let assumed = |at: usize| format!("(assume t{at} {})\n", assertions[at]);
        let proof = format!(
            "{}(step t4 (cl (not {}) (not {}) (not {}) ({head} ((x Int)) (< x 1)))
  :rule eq_congruent_pred)
(step t5 (cl) :rule resolution :premises (t4 t0 t1 t2 t3))
",
            (0..4).map(assumed).collect::<String>(),
            assertions[1],
            assertions[2],
            assertions[0],
        );
        let asserted = assertions
            .map(|formula| format!("(assert {formula})\n"))
            .concat();
        let (said, accepted) = judge(scratch.path(), &asserted, &proof);
        assert_eq!(accepted, expected, "{head}: {said}");
    }
}

#[test]
fn refutations_of_the_corpus_are_accepted() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("horn-benchmarks/unsat");
    for file in [
        "bool/shift-register.smt2",
        "lia/path-beside-another.smt2",
        "lia/mccarthy91-off-by-one.smt2",
        "lra/sum-of-two-calls-too-high.smt2",
        "shapes/nested-implications.smt2",
        "shapes/or-not.smt2",
    ] {
        let path = root.join(file);
        let system = fs::read_to_string(&path).expect("the corpus has it");
        let judged = judge(scratch.path(), &printed(&system), &proof_of(&system));
        assert_eq!(judged, ("valid\n".to_owned(), true), "{file}");
    }
}

#[test]
fn what_the_format_cannot_say_is_named() {
    let system = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 7))
        (assert (forall ((x Int)) (=> (and (p x) (= (mod x 4) 3)) false)))(check-sat)";
    let why =
        "; the refutation is not printed: the format Alethe has no rules here for `(mod x 4)`";
    HORN_SOLVE.check(&ALETHE, system, "unsat\n", why, 0);
}
