//! A program as a user meets it: arguments and input, then standard output, standard error and exit status.
//!
//! Which program is said by `PROGRAM` of the tests that take this in.

use crate::PROGRAM;
use std::io::Write;
use std::process::{Child, Command, Stdio};

/// The program with these arguments and pipes.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The program under way, with that input.
pub(crate) fn start(args: &[&str], input: &str) -> Child {
    let mut child = command(args).spawn().expect("the program is built");
    // It may end before it has read everything.
    let _ = child
        .stdin
        .take()
        .expect("piped")
        .write_all(input.as_bytes());
    child
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
