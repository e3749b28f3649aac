//! The programs of the papers, rewritten.

use super::support::solve_text;
use horn::cfront::IntMode;

fn check(name: &str, expected: &str) {
    let path = format!(
        "{}/tests/cfront/programs/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let found = solve_text(&text, IntMode::Unbounded);
    if found.needs_solver() {
        return;
    }
    assert_eq!(found.word(), expected, "{name}: {found:?}");
}

#[test]
fn spacer() {
    check("spacer_fig1.c", "safe");
    check("spacer_fig2.c", "safe");
    check("spacer_fig2_broken.c", "unsafe");
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
