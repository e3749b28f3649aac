//! The file in which a process's commands are kept, with the questions and answers as comments.

use std::fmt::Arguments;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// A file, or nothing. What cannot be written is lost: a full disk must not change an answer.
pub(super) struct Dump(Option<BufWriter<File>>);

impl Dump {
    /// Nothing is kept.
    pub(super) fn none() -> Dump {
        Dump(None)
    }

    /// Keeps what is sent to a process in this file, which is made anew.
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

    /// Keeps commands. They are in the file before the process gets them.
    pub(super) fn commands(&mut self, text: &str) {
        if let Some(file) = &mut self.0 {
            let _ = file.write_all(text.as_bytes()).and_then(|()| file.flush());
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
}
