//! The programs of the papers, rewritten.

use super::support::solve_text;
use horn::cfront::IntMode;

fn check(name: &str, expected: &str) {
    check_text(name, &program(name), expected);
}

/// The text of a program.
pub(crate) fn program(name: &str) -> String {
    let path = format!(
        "{}/tests/it/cfront/programs/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The bounded program of Fig. 2 of the SPACER paper with a smaller bound in the error, which four
/// rounds reach.
pub(crate) fn broken_spacer_fig2() -> String {
    program("spacer_fig2.c").replace("y <= 2)", "y <= 400)")
}

fn check_text(name: &str, text: &str, expected: &str) {
    let found = solve_text(text, IntMode::Unbounded);
    if found.lacks_solver() {
        return;
    }
    assert_eq!(found.word(), expected, "{name}: {found:?}");
}

#[test]
fn spacer() {
    check("spacer_fig1.c", "safe");
    check("spacer_fig2.c", "safe");
    check_text("the broken Fig. 2", &broken_spacer_fig2(), "unsafe");
}

#[test]
fn sliced_prefixes() {
    check("sliced_prefix.c", "safe");
    check("sliced_prefix_broken.c", "unsafe");
}

#[test]
fn newton() {
    check("newton_fig1.c", "safe");
    check("newton_fig3.c", "safe");
}

#[test]
fn unifying_view() {
    check("unifying_view.c", "safe");
}
