//! Refutations as text, for people and as JSON, one fact at a time, so that the output is linear in
//! the refutation.

use super::Lines;
use super::graph::Quoted;
use crate::certify::{Conclusion, RefutationError, conclusions};
use crate::chc::{Clause, Fact, Refutation, Span, System};
use crate::term::{Printer, Sort, Term, Terms, Value, quote_symbol};
use serde_json::json;
use std::io::{self, Write};

/// The format of a refutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProofFormat {
    /// Text for people: two lines for each fact.
    #[default]
    Text,
    /// One JSON object, with one line for each fact.
    Json,
    /// One s-expression, as Z3 prints it.
    Smtlib,
    /// A graph of the facts in the language of Graphviz.
    Dot,
    /// A proof in the format Alethe.
    Alethe,
}

impl ProofFormat {
    /// All formats.
    pub const ALL: [ProofFormat; 5] = [
        ProofFormat::Text,
        ProofFormat::Json,
        ProofFormat::Smtlib,
        ProofFormat::Dot,
        ProofFormat::Alethe,
    ];

    /// The name on command lines and in interfaces.
    pub fn name(self) -> &'static str {
        match self {
            ProofFormat::Text => "text",
            ProofFormat::Json => "json",
            ProofFormat::Smtlib => "smtlib",
            ProofFormat::Dot => "dot",
            ProofFormat::Alethe => "alethe",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<ProofFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Why a format cannot express a refutation, for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Obstacle(pub(super) String);

impl From<&str> for Obstacle {
    fn from(text: &str) -> Obstacle {
        Obstacle(text.to_owned())
    }
}

/// A refutation with the conclusions of its facts, ready to be written.
pub struct Proof<'a> {
    pub(super) terms: &'a Terms,
    pub(super) system: &'a System,
    refutation: &'a Refutation,
    lines: &'a Lines,
    conclusions: Vec<Conclusion>,
}

impl<'a> Proof<'a> {
    /// Prepares a refutation of `system`, whose clauses were read from the text of `lines`.
    ///
    /// # Errors
    /// The refutation is wrong.
    pub fn new(
        terms: &'a Terms,
        system: &'a System,
        refutation: &'a Refutation,
        lines: &'a Lines,
    ) -> Result<Self, RefutationError> {
        Ok(Proof {
            terms,
            system,
            refutation,
            lines,
            conclusions: conclusions(terms, system, refutation)?,
        })
    }

    /// Writes it, with a newline at the end. Nothing is written if the format cannot express it.
    ///
    /// # Errors
    /// The errors of the writer; and in what is returned otherwise, why the format cannot express
    /// the refutation.
    pub fn write(
        &self,
        out: &mut dyn Write,
        format: ProofFormat,
    ) -> io::Result<Result<(), Obstacle>> {
        match format {
            ProofFormat::Text => self.write_text(out)?,
            ProofFormat::Json => self.write_json(out)?,
            ProofFormat::Smtlib => self.write_hyper_res(out)?,
            ProofFormat::Dot => self.write_dot(out)?,
            ProofFormat::Alethe => match self.alethe() {
                Ok(text) => out.write_all(text.as_bytes())?,
                Err(obstacle) => return Ok(Err(obstacle)),
            },
        }
        Ok(Ok(()))
    }

    pub(super) fn refutation(&self) -> &Refutation {
        self.refutation
    }

    pub(super) fn conclusions(&self) -> &[Conclusion] {
        &self.conclusions
    }

    pub(super) fn facts(&self) -> impl Iterator<Item = (usize, &Fact, &Clause, &Conclusion)> {
        (self
            .refutation
            .facts
            .iter()
            .zip(&self.conclusions)
            .enumerate())
        .map(|(i, (fact, conclusion))| (i, fact, self.system.clause(fact.clause), conclusion))
    }

    /// ```text
    /// 0: (inv 0)
    ///    by clause 0 (line 3) with x = 0
    /// 1: false
    ///    by `bad` (line 5) from 0 with x = 0
    /// ```
    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (number, fact, clause, conclusion) in self.facts() {
            let indent = " ".repeat(number.to_string().len() + 2);
            writeln!(out, "{number}: {}", self.derived(clause, conclusion))?;
            write!(out, "{indent}by {}", self.clause_name(fact, clause))?;
            if let Some(line) = self.lines.line(clause.origin.span) {
                write!(out, " (line {line})")?;
            }
            for (i, premise) in fact.premises.iter().enumerate() {
                write!(out, "{}{}", if i == 0 { " from " } else { ", " }, premise.0)?;
            }
            for (i, (&var, value)) in clause.vars.iter().zip(&fact.values).enumerate() {
                let (before, name) = (
                    if i == 0 { " with " } else { ", " },
                    self.terms.display(var),
                );
                let value = self.text(value, self.terms.sort_of(var));
                write!(out, "{before}{name} = {value}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// `{"result": "unsat", "facts": [{"id", "fact", "predicate", "arguments", "clause": {"id",
    /// "name", "line", "offset"}, "values": [{"variable", "sort", "value"}], "premises"}]}`; terms,
    /// sorts and values are SMT-LIB text, the names of predicates, variables and clauses are as
    /// they are without quotes, `predicate` is null for `false`, `name`, `line` and `offset` (of
    /// the assertion's first byte) are null where there is none, and `premises` are ids.
    pub(super) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let t = self.terms;
        writeln!(out, "{{\"result\": \"unsat\", \"facts\": [")?;
        for (number, fact, clause, conclusion) in self.facts() {
            let values = clause.vars.iter().zip(&fact.values).map(|(&var, value)| {
                let sort = t.sort_of(var);
                json!({
                    "variable": t.as_var(var).map(|name| t.name(name)),
                    "sort": t.display_sort(sort).to_string(),
                    "value": self.text(value, sort),
                })
            });
            let head = clause.head.as_ref();
            let object = json!({
                "id": number,
                "fact": self.derived(clause, conclusion),
                "predicate": head.map(|head| self.system.pred_name(t, head.pred)),
                "arguments": self.arguments(clause, conclusion),
                "clause": {
                    "id": fact.clause.0,
                    "name": clause.origin.name.map(|name| t.name(name)),
                    "line": self.lines.line(clause.origin.span),
                    "offset": (clause.origin.span != Span::default())
                        .then_some(clause.origin.span.start),
                },
                "values": values.collect::<Vec<_>>(),
                "premises": fact.premises.iter().map(|p| p.0).collect::<Vec<_>>(),
            });
            serde_json::to_writer(&mut *out, &object)?;
            let last = number + 1 == self.refutation.facts.len();
            writeln!(out, "{}", if last { "" } else { "," })?;
        }
        writeln!(out, "]}}")
    }

    /// Each fact is a box with its clause. Arrows lead from premises to what follows from them.
    pub(super) fn write_dot(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "digraph refutation {{\n  node [shape=box];")?;
        for (number, fact, clause, conclusion) in self.facts() {
            let (derived, name) = (
                self.derived(clause, conclusion),
                self.clause_name(fact, clause),
            );
            let (derived, name) = (Quoted(&derived), Quoted(&name));
            writeln!(out, "  f{number} [label=\"{derived}\\n{name}\"];")?;
            for premise in &fact.premises {
                writeln!(out, "  f{} -> f{number};", premise.0)?;
            }
        }
        writeln!(out, "}}")
    }

    /// A script that is satisfiable: for each fact the values of its clause's variables, the
    /// clause's constraint, and that its premises are the facts named.
    pub(super) fn write_ground(&self, out: &mut dyn Write) -> io::Result<()> {
        let t = self.terms;
        for (number, fact, clause, _) in self.facts() {
            let name = |var: Term| {
                // Two variables of a clause can have one name, if they have different sorts.
                let place = clause.vars.iter().position(|&own| own == var)?;
                let name = t.name(t.as_var(var)?);
                Some(format!("|fact {number}, variable {place}: {name}|"))
            };
            let text = |term: Term| Printer::new(t).with_vars(&name).text(term).to_string();
            writeln!(out, "; {}", self.clause_name(fact, clause))?;
            for (&var, value) in clause.vars.iter().zip(&fact.values) {
                let sort = t.sort_of(var);
                let (sort_text, value) = (t.display_sort(sort), self.text(value, sort));
                writeln!(out, "(define-const {} {sort_text} {value})", text(var))?;
            }
            if clause.constraint != Term::TRUE {
                writeln!(out, "(assert {})", text(clause.constraint))?;
            }
            for (atom, premise) in clause.body.iter().zip(&fact.premises) {
                let values = self.conclusions[premise.index()].iter().flatten();
                for (&arg, value) in atom.args.iter().zip(values) {
                    let value = self.text(value, t.sort_of(arg));
                    writeln!(out, "(assert (= {} {value}))", text(arg))?;
                }
            }
        }
        Ok(())
    }

    /// The clause's name in backquotes, or its number.
    fn clause_name(&self, fact: &Fact, clause: &Clause) -> String {
        match clause.origin.name {
            Some(name) => format!("`{}`", self.terms.name(name)),
            None => self.system.clause_label(self.terms, fact.clause),
        }
    }

    /// The ground atom, as SMT-LIB text.
    pub(super) fn derived(&self, clause: &Clause, conclusion: &Conclusion) -> String {
        let Some(head) = &clause.head else {
            return "false".to_owned();
        };
        let name = quote_symbol(self.system.pred_name(self.terms, head.pred));
        let arguments = self.arguments(clause, conclusion);
        if arguments.is_empty() {
            return name.into_owned();
        }
        format!("({name} {})", arguments.join(" "))
    }

    pub(super) fn arguments(&self, clause: &Clause, conclusion: &Conclusion) -> Vec<String> {
        let terms = clause.head.iter().flat_map(|head| &head.args);
        let values = conclusion.iter().flatten();
        let text = |(&term, value)| self.text(value, self.terms.sort_of(term));
        terms.zip(values).map(text).collect()
    }

    pub(super) fn text(&self, value: &Value, sort: Sort) -> String {
        let term = self.terms.value_term(value, sort);
        self.terms.display(term).to_string()
    }
}
