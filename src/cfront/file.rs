//! C files, as programs are read from them.

use super::preprocess::preprocess;
use super::source::{CError, CText, blank, decoded, needs_preprocessor};
use super::types::DataModel;
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;

/// A C file that went through the preprocessor, for one data model.
pub struct CFile {
    pub(super) name: Rc<str>,
    /// What is in the file.
    pub(super) text: Rc<str>,
    pub(super) model: DataModel,
    /// What the preprocessor makes of it, with line markers.
    preprocessed: String,
}

impl CFile {
    /// The file of this name and content. It goes through the C preprocessor of the system if it
    /// includes others or defines macros, or if there are arguments for the preprocessor, such as
    /// `-I` and `-D` with what follows them.
    ///
    /// # Errors
    /// The preprocessor cannot be run, or it fails.
    pub fn new(
        name: &str,
        bytes: &[u8],
        model: DataModel,
        arguments: &[OsString],
    ) -> Result<CFile, CError> {
        let text = decoded(bytes);
        let blanked = blank(&text, true);
        let preprocessed = if needs_preprocessor(&blanked) || !arguments.is_empty() {
            let folder = Path::new(name).parent().unwrap_or(Path::new("."));
            preprocess(name, &blanked, folder, model, arguments).map_err(|message| {
                CError::Preprocessor {
                    file: name.to_owned(),
                    message,
                }
            })?
        } else {
            blanked
        };
        Ok(CFile {
            name: name.into(),
            text: Cow::into_owned(text).into(),
            model,
            preprocessed,
        })
    }

    /// The text for the parser.
    pub(super) fn source(&self) -> Result<CText, CError> {
        CText::of_preprocessed(&self.name, &self.preprocessed)
    }
}
