//! Programs that a test makes and then starts.
//!
//! Children write them. If this process wrote them itself, a child that another thread starts at
//! that moment would inherit the open file, and until that child has replaced its image the kernel
//! would refuse to run the file ("Text file busy").

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Copies a program, with its permissions.
pub(crate) fn copy_program(from: &str, to: &Path) {
    let status = Command::new("cp").arg(from).arg(to).status();
    assert!(status.expect("cp exists").success(), "{}", to.display());
}

/// Makes a program of this text, which begins with `#!`.
pub(crate) fn make_script(path: &Path, text: &str) {
    let mut shell = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut input = shell.stdin.take().expect("piped");
    input.write_all(text.as_bytes()).expect("the shell reads");
    drop(input);
    let status = shell.wait().expect("it is ours");
    assert!(status.success(), "{}", path.display());
}
