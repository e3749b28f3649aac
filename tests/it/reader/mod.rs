//! The reader, from text to clauses: tables of inputs with the clauses or the error they give, deep
//! and damaged inputs, and the corpora.

mod clauses;
mod corpus;
mod deep;
mod errors;
mod fuzz;
mod memory;
mod script;
mod smt;
mod terms;

use horn::chc::{Atom, Clause, System};
use horn::smtlib::{Source, read_system, system_text};
use horn::term::{Term, Terms};

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

fn show_all(t: &Terms, system: &System) -> Vec<String> {
    system
        .clauses
        .iter()
        .map(|clause| show(t, system, clause))
        .collect()
}

/// The clauses that a text gives, or its error as `LINE:COLUMN: message`. What is read is also
/// printed and read again.
fn read(text: &str) -> Vec<String> {
    let t = Terms::new();
    let source = Source::from_text("t", text);
    match read_system(&t, &source) {
        Ok(system) => {
            check_round_trip(&source);
            show_all(&t, &system)
        }
        Err(error) => vec![format!("{}: {}", error.position(), error.issue())],
    }
}

/// Reads a source and prints its system; reads that again into a new store: the systems must be
/// equal.
fn check_round_trip(source: &Source) {
    let t = Terms::new();
    let system = read_system(&t, source).unwrap_or_else(|error| panic!("{error}"));
    let text = system_text(&t, &system).to_string();
    let again = Source::from_text(format!("{} printed", source.name()), text.clone());
    let u = Terms::new();
    let second =
        read_system(&u, &again).unwrap_or_else(|error| panic!("{error}\n{}{text}", error.report()));
    if system.fingerprint(&t) != second.fingerprint(&u) {
        for (first, second) in show_all(&t, &system).iter().zip(show_all(&u, &second)) {
            assert_eq!(
                *first,
                second,
                "a clause of {}, printed:\n{text}",
                source.name()
            );
        }
        panic!(
            "{} is not equal to itself printed and read:\n{text}",
            source.name()
        );
    }
}
