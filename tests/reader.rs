//! The reader, from text to clauses: tables of inputs with the clauses or the error they give, and the corpora.

use horn::chc::{Atom, Clause, System};
use horn::smtlib::{Reader, Source, read_system};
use horn::term::{Term, Terms};
use std::path::{Path, PathBuf};

/// A clause on one line: `[x y] (p x) & (< x y) -> (q y)`.
fn show(t: &Terms, system: &System, clause: &Clause) -> String {
    let text = |atom: &Atom| t.display(system.atom_term(t, atom)).to_string();
    let vars: Vec<String> = clause
        .vars
        .iter()
        .map(|&var| t.display(var).to_string())
        .collect();
    let mut body: Vec<String> = clause.body.iter().map(text).collect();
    if clause.constraint != Term::TRUE {
        body.push(t.display(clause.constraint).to_string());
    }
    let name = clause
        .origin
        .name
        .map_or(String::new(), |name| format!("{}: ", t.name(name)));
    let head = clause.head.as_ref().map_or("false".to_owned(), text);
    let body = if body.is_empty() {
        "true".to_owned()
    } else {
        body.join(" & ")
    };
    format!("{name}[{}] {body} -> {head}", vars.join(" "))
}

/// The clauses that a text gives, or its error as `LINE:COLUMN: message`.
fn read(text: &str) -> Vec<String> {
    let t = Terms::new();
    let source = Source::from_text("t", text);
    match read_system(&t, &source) {
        Ok(system) => system
            .clauses
            .iter()
            .map(|clause| show(&t, &system, clause))
            .collect(),
        Err(error) => vec![format!("{}: {}", error.position(), error.issue())],
    }
}

/// Declarations that the tables use: predicates `p` on Int, `q` on two, `n` and `m` on nothing, `r` on Real, `b` on Bool.
const DECLARATIONS: &str = "(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)(declare-fun n () Bool)\
    (declare-fun m () Bool)(declare-fun r (Real) Bool)(declare-fun b (Bool) Bool)\n";

/// Checks the clauses of an assertion, which stands on line 2.
fn check(assertion: &str, expected: &[&str]) {
    assert_eq!(
        read(&format!("{DECLARATIONS}(assert {assertion})")),
        expected,
        "clauses of {assertion}"
    );
}

#[test]
fn shapes_of_horn_clauses() {
    check(
        "(forall ((x Int)) (=> (p x) (p (+ x 1))))",
        &["[x] (p x) -> (p (+ x 1))"],
    );
    check(
        "(forall ((x Int)) (=> (and (p x) (> x 0)) false))",
        &["[x] (p x) & (< 0 x) -> false"],
    );
    check("n", &["[] true -> n"]);
    check("(not n)", &["[] n -> false"]);
    check("(=> n m)", &["[] n -> m"]);
}

/// The files with a suffix below a directory, in order.
fn files(directory: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory)
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_competition_selection_is_read() {
    let files = files(Path::new("../shared/benchmarks/chc-comp25"), ".smt2");
    if files.is_empty() {
        eprintln!("../shared/benchmarks/chc-comp25 is not there: nothing was read");
        return;
    }
    for path in files {
        let source = Source::open(&path.to_string_lossy()).expect("the file can be read");
        let t = Terms::new();
        let mut reader = Reader::new(&t, &source);
        loop {
            match reader.next_step() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => panic!("{error}"),
            }
        }
    }
}
