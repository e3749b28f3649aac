//! What earlier checks have proved, of this system or of a similar one: candidates for the next
//! check.

use crate::chc::{Answer, Model, System, lemmas_as_queries, queries_as_lemmas};
use crate::smtlib::{ReadError, Source, read_system, system_text};
use crate::term::{Term, Terms};

/// Lemmas, as queries of a separate system, so that they do not depend on which predicates the next
/// system has.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    lemmas: Option<System>,
}

impl Knowledge {
    /// The lemmas in a text of [`Knowledge::text`].
    ///
    /// # Errors
    /// The text is no system of clauses.
    pub fn read(t: &Terms, source: &Source) -> Result<Knowledge, ReadError> {
        Ok(Knowledge {
            lemmas: Some(read_system(t, source)?),
        })
    }

    /// Invariants that a system may have; `None` if nothing is known of its predicates.
    pub fn candidates(&self, t: &Terms, system: &System) -> Option<Model> {
        let model = queries_as_lemmas(t, system, self.lemmas.as_ref()?);
        let mut said = model.interpretations.iter();
        let any = said.any(|interpretation| interpretation.body != Term::TRUE);
        any.then_some(model)
    }

    /// Remembers what was proved of a system. A refutation leaves what is known.
    pub fn learn(&mut self, t: &Terms, system: &System, answer: &Answer) {
        let proved = match answer {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) => None,
            Answer::Unknown(unknown) => unknown.invariants.as_ref(),
        };
        if let Some(model) = proved {
            self.lemmas = Some(lemmas_as_queries(t, system, model));
        }
    }

    /// The lemmas as a text in SMT-LIB.
    pub fn text(&self, t: &Terms) -> String {
        let lemmas = self.lemmas.as_ref();
        lemmas.map_or_else(String::new, |lemmas| system_text(t, lemmas).to_string())
    }
}
