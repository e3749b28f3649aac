//! Programs of the system that tests start: there, or excused.

use std::process::{Command, Stdio};

/// Does the program run with these arguments? It must, unless the one who runs the tests excuses
/// it.
///
/// # Panics
/// The program does not run, and `HORN_TESTS_WITHOUT_TOOLS` is not 1.
#[track_caller]
pub(crate) fn tool_found(program: &str, arguments: &[&str]) -> bool {
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let found = status.is_ok_and(|status| status.success());
    let excused = std::env::var("HORN_TESTS_WITHOUT_TOOLS").is_ok_and(|v| v == "1");
    assert!(
        found || excused,
        "this test needs `{program} {}` to work: install it, or set HORN_TESTS_WITHOUT_TOOLS=1",
        arguments.join(" ")
    );
    if !found {
        eprintln!("skipped: `{program} {}` does not work", arguments.join(" "));
    }
    found
}
