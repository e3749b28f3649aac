//! The file in which the commands of a context are kept, with the questions and answers as
//! comments.

use super::SatResult;
use super::commands::Commands;
use std::fmt::Arguments;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file, or nothing. What cannot be written is lost: a full disk must not change an answer.
pub(super) struct Dump(Option<BufWriter<File>>);

impl Dump {
    /// Nothing is kept.
    pub(super) fn none() -> Dump {
        Dump(None)
    }

    /// Keeps what is sent in this file, which is made anew.
    pub(super) fn create(path: &Path) -> Dump {
        let file = File::create(path);
        if let Err(error) = &file {
            log::warn!("{}: {error}", path.display());
        }
        Dump(file.ok().map(BufWriter::new))
    }

    /// Is something kept?
    pub(super) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Keeps commands. They are in the file before the solver gets them.
    pub(super) fn commands(&mut self, commands: &Commands) {
        if let Some(file) = &mut self.0 {
            let text = commands.as_bytes();
            let _ = file.write_all(text).and_then(|()| file.flush());
        }
    }

    /// Keeps a comment, of any number of lines.
    pub(super) fn comment(&mut self, text: Arguments<'_>) {
        if let Some(file) = &mut self.0 {
            for line in text.to_string().lines() {
                let _ = writeln!(file, "; {line}");
            }
            let _ = file.flush();
        }
    }

    /// Keeps an answer as a comment, with the time that it took.
    pub(super) fn answer(&mut self, outcome: &SatResult, time: Duration) {
        match outcome {
            SatResult::Sat => self.comment(format_args!("sat, {time:.1?}")),
            SatResult::Unsat => self.comment(format_args!("unsat, {time:.1?}")),
            SatResult::Unknown(why) => self.comment(format_args!("unknown ({why}), {time:.1?}")),
        }
    }
}

/// The file of the context with a number and a name; the `part` is in the file's name, too.
pub(super) fn dump_path(directory: &Path, number: u64, name: &str, part: &str) -> PathBuf {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let name = name.replace(|c| !allowed(c), "_");
    directory.join(format!("{number:03}-{name}.{part}.smt2"))
}
