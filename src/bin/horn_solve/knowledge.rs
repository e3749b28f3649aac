//! What earlier checks have proved, of this script or of an earlier run: candidates for the next
//! check, which may be about another system.

use horn::chc::{Answer, Model, System, lemmas_as_queries, queries_as_lemmas};
use horn::smtlib::{Source, read_system, system_text};
use horn::term::{Term, Terms};
use std::fs;
use std::io;
use std::path::Path;

/// Lemmas, as queries of a system for themselves, so that they do not depend on which predicates
/// the next system has.
#[derive(Default)]
pub(crate) struct Knowledge {
    lemmas: Option<System>,
}

impl Knowledge {
    /// The lemmas in a file.
    ///
    /// # Errors
    /// A report of why the file cannot be read.
    pub(crate) fn read(t: &Terms, path: &Path) -> Result<Knowledge, String> {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| format!("error: {name}: {error}"))?;
        let source = Source::from_text(&name, &text);
        let lemmas = read_system(t, &source).map_err(|error| error.report())?;
        Ok(Knowledge {
            lemmas: Some(lemmas),
        })
    }

    /// Invariants that a system may have; `None` if nothing is known of its predicates.
    pub(crate) fn candidates(&self, t: &Terms, system: &System) -> Option<Model> {
        let model = queries_as_lemmas(t, system, self.lemmas.as_ref()?);
        let mut said = model.interpretations.iter();
        let any = said.any(|interpretation| interpretation.body != Term::TRUE);
        any.then_some(model)
    }

    /// Remembers what was proved of a system. A refutation leaves what is known.
    pub(crate) fn learn(&mut self, t: &Terms, system: &System, answer: &Answer) {
        let proved = match answer {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) => None,
            Answer::Unknown(unknown) => unknown.invariants.as_ref(),
        };
        if let Some(model) = proved {
            self.lemmas = Some(lemmas_as_queries(t, system, model));
        }
    }

    /// Writes the lemmas.
    pub(crate) fn write(&self, t: &Terms, path: &Path) -> io::Result<()> {
        let text = match &self.lemmas {
            Some(lemmas) => system_text(t, lemmas).to_string(),
            None => String::new(),
        };
        fs::write(path, text)
    }
}
