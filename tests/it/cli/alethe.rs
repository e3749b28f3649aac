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
    let why = "; the refutation is not printed: the format Alethe has no rules here for Mod";
    HORN_SOLVE.check(&ALETHE, system, "unsat\n", why, 0);
}
