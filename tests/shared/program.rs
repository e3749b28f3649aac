//! A program as a user meets it: arguments and input, then standard output, standard error and exit
//! status.

use std::io::Write;
use std::process::{Child, Command, Stdio};

/// One of the project's programs.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    path: &'static str,
}

impl Program {
    /// The program at a path that Cargo gives to tests, as in `env!("CARGO_BIN_EXE_horn-solve")`.
    pub(crate) const fn new(path: &'static str) -> Program {
        Program { path }
    }

    /// The program with these arguments and pipes.
    pub(crate) fn command(self, args: &[&str]) -> Command {
        let mut command = Command::new(self.path);
        command.args(args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The program under way, with that input.
    pub(crate) fn start(self, args: &[&str], input: &str) -> Child {
        let mut child = self.command(args).spawn().expect("the program is built");
        // It may end before it has read everything.
        let _ = child
            .stdin
            .take()
            .expect("piped")
            .write_all(input.as_bytes());
        child
    }
}

/// Output as text; what is no UTF-8 is replaced.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
