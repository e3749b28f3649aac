//! Finding the files to read.

use std::path::PathBuf;

/// The SMT-LIB files below a directory, in order.
pub(crate) fn files(directory: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from(directory)];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory)
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "smt2")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
