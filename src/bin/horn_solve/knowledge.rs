//! Lemmas in files: what an earlier run has proved, and what this one leaves.

use horn::portfolio::Knowledge;
use horn::smtlib::Source;
use horn::term::Terms;
use std::fs;
use std::path::Path;

/// The lemmas in a file.
///
/// # Errors
/// A report of why the file cannot be read.
pub(crate) fn read_lemmas(t: &Terms, path: &Path) -> Result<Knowledge, String> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| format!("error: {name}: {error}"))?;
    Knowledge::read(t, &Source::from_text(&name, &text)).map_err(|error| error.report())
}
