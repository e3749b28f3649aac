//! Asks several questions about one system, and shows a refutation.
//!
//!     cargo run --example ask_again
//!
//! What a check proves is kept, so the next check begins with it.

use horn::portfolio::Stop;
use horn::problem::{Outcome, Problem, ProblemError, Settings};
use horn::report::ProofFormat;

/// A bounded buffer with the numbers of what was put and what was taken.
const BUFFER: &str = "
    (declare-fun buffer (Int Int) Bool)
    (assert (! (buffer 0 0) :named empty))
    (assert (! (forall ((in Int) (out Int))
      (=> (and (buffer in out) (< (- in out) 8)) (buffer (+ in 1) out))) :named put))
    (assert (! (forall ((in Int) (out Int))
      (=> (and (buffer in out) (< out in)) (buffer in (+ out 1)))) :named take))";

fn check(problem: &mut Problem) -> Result<Outcome, ProblemError> {
    problem.check(&Settings::default(), &Stop::new(), &|_| {})
}

fn main() -> Result<(), ProblemError> {
    let mut problem = Problem::new();
    problem.read("buffer", BUFFER)?;

    // Each question is a scope, so that it is forgotten afterwards.
    for (question, expected) in [
        ("(> out in)", "sat"),
        ("(> (- in out) 8)", "sat"),
        ("(and (= in 3) (= (- in out) 2))", "unsat"),
    ] {
        problem.push()?;
        let query = format!(
            "(assert (! (forall ((in Int) (out Int)) (=> (and (buffer in out) {question}) false))
              :named question))"
        );
        problem.read("question", &query)?;
        let outcome = check(&mut problem)?;
        assert_eq!(outcome.verdict(), expected, "{question}");
        println!("{question}: {}", outcome.verdict());
        if expected == "unsat" {
            show(&problem, &outcome)?;
        }
        problem.pop()?;
    }

    // The system itself can change, too: invariants that still hold are used again.
    problem.read(
        "more",
        "(assert (forall ((in Int)) (=> (buffer in 3) (buffer in 4))))",
    )?;
    problem.read(
        "query",
        "(assert (forall ((in Int)) (=> (buffer in 0) (<= in 8))))",
    )?;
    assert_eq!(check(&mut problem)?.verdict(), "sat");
    println!("{}", problem.lemmas());
    Ok(())
}

/// Prints a refutation as text, and the clauses on the way to `false`.
fn show(problem: &Problem, outcome: &Outcome) -> Result<(), ProblemError> {
    print!("{}", outcome.refutation_text(problem, ProofFormat::Text)?);
    let nodes = outcome.nodes(problem)?;
    let mut at = nodes.len() - 1;
    let mut way = vec![nodes[at].label.as_str()];
    while let Some(&premise) = nodes[at].premises.first() {
        at = premise;
        way.push(&nodes[at].label);
    }
    way.reverse();
    println!("{}", way.join(", "));
    Ok(())
}

#[test]
fn it_runs() -> Result<(), ProblemError> {
    main()
}
