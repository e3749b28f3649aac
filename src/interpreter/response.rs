//! Answers to commands.

use super::model::{Model, value_text};
use crate::smt::Failure;
use crate::smtlib::ReadError;
use crate::term::{Sort, Symbol, Term, Terms, Value};

/// The answer to a command.
#[derive(Clone, Debug)]
pub enum Response<'s> {
    /// The command was carried out, and nothing is to be said.
    Silent,
    /// The command was carried out, and the script wants to know (`:print-success`).
    Success,
    /// `check-sat`: the assertions can be true together.
    Sat,
    /// `check-sat`: they cannot.
    Unsat,
    /// `check-sat`: it is not known, for this reason.
    Unknown(Failure),
    /// `get-model`
    Model(Model),
    /// `get-value`: the texts of the terms, their values, and the sorts of these.
    Values(Vec<(&'s str, Value, Sort)>),
    /// Z3's `eval`: the value of a term, and its sort.
    Value(Value, Sort),
    /// Z3's `simplify`: the term.
    Simplified(Term),
    /// `get-unsat-core`: the names of assertions.
    UnsatCore(Vec<Symbol>),
    /// `get-unsat-assumptions`: the texts of assumptions.
    UnsatAssumptions(Vec<&'s str>),
    /// `get-proof`: a proof that the checker has accepted, as text.
    Proof(String),
    /// `get-interpolants`: for each part but the last, in the order in which they were given.
    Interpolants(Vec<Term>),
    /// `get-assertions`: the texts of the assertions, the oldest first.
    Assertions(Vec<&'s str>),
    /// `get-info`: a keyword with its value as it is printed.
    Info {
        /// The keyword, such as `:reason-unknown`.
        keyword: String,
        /// The value.
        value: String,
    },
    /// `get-info :all-statistics`: keywords without their colon, and values.
    Statistics(Vec<(&'static str, String)>),
    /// `echo`: the text.
    Echo(String),
    /// `echo` as Z3 answers it: the text, without quotation marks.
    Line(String),
    /// The command means nothing here, or the back end cannot do it; then it says why.
    Unsupported(Option<&'static str>),
    /// The command was not carried out: it makes no sense at this place, or failed. The script
    /// goes on.
    Refused(ReadError),
}

impl Response<'_> {
    /// What goes to standard output, in the form of SMT-LIB, with an end of line; nothing for
    /// [`Response::Silent`].
    pub fn text(&self, t: &Terms) -> String {
        let word = match self {
            Response::Silent => return String::new(),
            Response::Success => "success",
            Response::Sat => "sat",
            Response::Unsat => "unsat",
            Response::Unknown(_) => "unknown",
            Response::Unsupported(_) => "unsupported",
            Response::Model(model) => return model.text(t),
            Response::Values(values) => {
                let pair = |(text, value, sort): &(&str, Value, Sort)| {
                    format!("({text} {})", value_text(t, value, *sort))
                };
                return list(values.iter().map(pair));
            }
            Response::Value(value, sort) => return format!("{}\n", value_text(t, value, *sort)),
            Response::Simplified(term) => return format!("{}\n", t.display(*term)),
            Response::UnsatCore(names) => {
                return list(names.iter().map(|&name| t.display_symbol(name).to_string()));
            }
            Response::Interpolants(found) => {
                return list(found.iter().map(|&f| t.display(f).to_string()));
            }
            Response::UnsatAssumptions(texts) | Response::Assertions(texts) => {
                return list(texts.iter().map(|&text| text.to_owned()));
            }
            Response::Proof(text) => return text.clone(),
            Response::Info { keyword, value } => return format!("({keyword} {value})\n"),
            Response::Statistics(rows) => {
                return list(rows.iter().map(|(name, value)| format!(":{name} {value}")));
            }
            Response::Echo(text) => return format!("{}\n", quoted(text)),
            Response::Line(text) => return format!("{text}\n"),
            Response::Refused(error) => return format!("{}\n", error.smtlib_text()),
        };
        format!("{word}\n")
    }

    /// Details for a person who looks at standard error, if there are any.
    pub fn details(&self) -> Option<String> {
        match self {
            Response::Unknown(why) => Some(format!("; reason: {why}")),
            Response::Unsupported(Some(why)) => Some(format!("; unsupported: {why}")),
            Response::Refused(error) => Some(error.report().trim_end().to_owned()),
            _ => None,
        }
    }
}

/// The parts in parentheses, one on each line.
fn list(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    format!("({})\n", parts.join("\n "))
}

/// A text as a string literal.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
