//! External SMT solvers: there, or excused.

use horn::smt::find_solver;

/// Is the solver there (`None`: any)? It must be, unless the one who runs the tests excuses it.
///
/// # Panics
/// There is no such solver, and `HORN_TESTS_WITHOUT_SOLVERS` is not 1.
#[track_caller]
pub(crate) fn solver_found(name: Option<&str>) -> bool {
    let found = find_solver(name).is_ok();
    let excused = std::env::var("HORN_TESTS_WITHOUT_SOLVERS").is_ok_and(|v| v == "1");
    assert!(
        found || excused,
        "this test needs {}: run scripts/setup, or set HORN_TESTS_WITHOUT_SOLVERS=1",
        name.unwrap_or("an SMT solver")
    );
    if !found {
        eprintln!("skipped: there is no {}", name.unwrap_or("SMT solver"));
    }
    found
}
