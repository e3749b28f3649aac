//! A program that writes commands to standard input and waits for the answer of each.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program under way, its standard input, and the lines of its answers.
fn start(arguments: &[&str]) -> (Child, ChildStdin, Lines<BufReader<ChildStdout>>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_horn-solve"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let input = child.stdin.take().expect("piped");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    (child, input, lines)
}

#[test]
fn horn_scripts_are_answered_while_they_are_read() {
    let own = (
        &["--solver", "native"][..],
        "\"ready\"",
        "(error \"the last check, if any, did not answer unknown\")",
    );
    let z3 = (
        &["--as", "z3", "-in", "-smt2"][..],
        "ready",
        "(:reason-unknown \"\")",
    );
    for (personality, ready, reason) in [own, z3] {
        let (mut child, mut input, mut lines) = start(personality);
        let mut ask = |commands: &str, answer: &str| {
            input.write_all(commands.as_bytes()).expect("it reads");
            let line = lines.next().expect("an answer").expect("text");
            assert_eq!(line, answer, "{personality:?}: {commands}");
        };
        ask("(set-logic HORN)\n(echo \"ready\")\n", ready);
        ask(
            "(declare-fun p (Int) Bool)\n(assert (p 0))\n(check-sat)\n",
            "sat",
        );
        // A command over several lines, and two commands on one.
        let rule = "(assert (forall ((x Int))\n  (=> (p x) (p (+ x 2)))))\n";
        ask(
            &format!("{rule}(push 1) (assert (not (p 6))) (check-sat)\n"),
            "unsat",
        );
        ask("(pop 1)\n(assert (not (p 7)))\n(check-sat)\n", "sat");
        ask("(get-info :reason-unknown)\n", reason);
        input.write_all(b"(exit)\n").expect("it reads");
        // Standard input stays open until the program has ended.
        assert!(child.wait().expect("it is ours").success());
        drop(input);
    }
}

/// Lines and columns count from the beginning of the script, wherever it was cut.
#[test]
fn places_are_those_of_the_script() {
    let (mut child, mut input, mut lines) = start(&["--solver", "native", "--proof"]);
    let mut next = || lines.next().expect("a line").expect("text");
    input
        .write_all(b"(declare-fun p (Int) Bool)\n(assert (p 0))\n(echo \"one\")\n")
        .expect("it reads");
    assert_eq!(next(), "\"one\"");
    input
        .write_all(b"(assert (not (p 0)))\n(check-sat)\n")
        .expect("it reads");
    let refutation = [next(), next(), next(), next(), next()].join("\n");
    assert!(refutation.starts_with("unsat\n0: (p 0)\n"), "{refutation}");
    assert!(
        refutation.contains("(line 2)") && refutation.contains("(line 4)"),
        "{refutation}"
    );
    input.write_all(b"(assert (p x))\n").expect("it reads");
    assert!(next().starts_with("(error \"line 6 column 12: "));
    drop(input);
    assert_eq!(child.wait().expect("it is ours").code(), Some(1));
}
