//! What a program says to an input.

use crate::program::{Program, text};
use std::process::Output;

impl Program {
    /// The program's output and exit status after it has read the input and ended.
    pub(crate) fn run(self, args: &[&str], input: &str) -> Output {
        self.start(args, input)
            .wait_with_output()
            .expect("the program runs")
    }

    /// Exact standard output, something that standard error contains, and the status.
    #[track_caller]
    pub(crate) fn check(self, args: &[&str], input: &str, stdout: &str, stderr: &str, status: i32) {
        let output = self.run(args, input);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(out, stdout, "standard error: {err}");
        assert!(err.contains(stderr), "standard error: {err}");
        assert_eq!(output.status.code(), Some(status), "standard error: {err}");
    }
}
