//! One check as a page that a browser shows: a single HTML file that needs nothing beside it.
//!
//! - `mod`: the parts of the page.
//! - `drawing`: graphs in the language of Graphviz as SVG.
//! - `chart`: the progress of engines over time as SVG.

mod chart;
mod drawing;

pub use chart::Sample;

use super::model::{ModelForm, definitions};
use super::{CheckStats, Lines, Proof, write_graph};
use crate::chc::{Answer, Clause, ClauseId, System};
use crate::portfolio::Stats;
use crate::term::Terms;
use std::fmt::{self, Display};
use std::io::{self, Write};

/// The source text of a clause is cut off behind this many characters.
const CLAUSE_TEXT: usize = 600;
/// The number of a refutation's facts that are shown from its beginning, and from its end.
const FACTS: usize = 200;

/// The style of the page.
const STYLE: &str = "
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222 }
pre { background: #f6f6f4; margin: 0; overflow-x: auto; padding: .4em .6em; white-space: pre-wrap }
table { border-collapse: collapse; width: 100% } th { text-align: left }
td, th { border-bottom: 1px solid #ddd; padding: .3em .6em; vertical-align: top }
.number { text-align: right } .bar { background: #7a9cc6; display: inline-block; height: .7em }
.drawing { overflow: auto; max-height: 40em; border: 1px solid #ddd } nav a { margin-right: 1.2em }
h1 b { font-weight: 600 } .sat { color: #1a6b2d } .unsat { color: #a02020 } .unknown { color: #876800 }
";

/// What a page shows.
pub struct Page<'a> {
    /// The name of the input.
    pub name: &'a str,
    /// The text of the input, and where its lines begin.
    pub text: &'a str,
    /// Where the lines of the text begin.
    pub lines: &'a Lines,
    /// The store of the system's terms.
    pub terms: &'a Terms,
    /// The system as it was read.
    pub system: &'a System,
    /// The answer, which has been checked.
    pub answer: &'a Answer,
    /// The figures of the run.
    pub figures: &'a CheckStats,
    /// Its measurements.
    pub stats: &'a Stats,
    /// The progress of engines, in the order of time.
    pub samples: &'a [Sample],
}

impl Page<'_> {
    /// Writes the page.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (name, verdict) = (Escaped(self.name), self.answer.verdict());
        writeln!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
        )?;
        writeln!(
            out,
            "<title>{name}: {verdict}</title>\n<style>{STYLE}</style>\n</head>\n<body>"
        )?;
        writeln!(out, "<h1>{name}: <b class=\"{verdict}\">{verdict}</b></h1>")?;
        let proof = match self.answer {
            Answer::Sat(_) => "Invariants",
            Answer::Unsat(_) => "Refutation",
            Answer::Unknown(_) => "What is known",
        };
        writeln!(
            out,
            "<nav><a href=\"#graph\">Graph</a><a href=\"#proof\">{proof}</a>\
             <a href=\"#clauses\">Clauses</a><a href=\"#passes\">Preprocessing</a>\
             <a href=\"#work\">Work</a></nav>"
        )?;
        writeln!(out, "<h2 id=\"graph\">Graph of the clauses</h2>")?;
        self.write_graph(out)?;
        writeln!(out, "<h2 id=\"proof\">{proof}</h2>")?;
        match self.answer {
            Answer::Sat(model) => {
                let definitions = definitions(self.terms, self.system, model, ModelForm::default());
                self.write_predicates(out, Some(&definitions))?;
            }
            Answer::Unsat(_) => {
                self.write_refutation(out)?;
                self.write_predicates(out, None)?;
            }
            Answer::Unknown(unknown) => {
                writeln!(out, "<p>{}</p>", Escaped(&unknown.reason.to_string()))?;
                let known = unknown.invariants.as_ref();
                let definitions = known
                    .map(|model| definitions(self.terms, self.system, model, ModelForm::default()));
                self.write_predicates(out, definitions.as_deref())?;
            }
        }
        writeln!(out, "<h2 id=\"clauses\">Clauses</h2>")?;
        self.write_clauses(out)?;
        writeln!(out, "<h2 id=\"passes\">Preprocessing</h2>")?;
        self.write_passes(out)?;
        writeln!(out, "<h2 id=\"work\">Work</h2>")?;
        self.write_work(out)?;
        writeln!(out, "</body>\n</html>")
    }

    fn write_graph(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut dot = Vec::new();
        write_graph(&mut dot, self.terms, self.system, self.lines)?;
        let size = self.system.preds.len() + self.system.clauses.len();
        drawing::write(out, "clauses", &String::from_utf8_lossy(&dot), size)
    }

    /// The predicates, each beside what is known of it.
    fn write_predicates(&self, out: &mut dyn Write, said: Option<&[String]>) -> io::Result<()> {
        writeln!(
            out,
            "<table>\n<tr><th>Predicate</th><th>Interpretation</th></tr>"
        )?;
        for pred in self.system.pred_ids() {
            let name = Escaped(self.system.pred_name(self.terms, pred));
            let text = said.map_or("", |said| &said[pred.index()]);
            let (id, text) = (pred.0, Escaped(text));
            writeln!(
                out,
                "<tr id=\"pred-{id}\"><td>{name}</td><td><pre>{text}</pre></td></tr>"
            )?;
        }
        writeln!(out, "</table>")
    }

    fn write_refutation(&self, out: &mut dyn Write) -> io::Result<()> {
        let Answer::Unsat(refutation) = self.answer else {
            return Ok(());
        };
        let Ok(proof) = Proof::new(self.terms, self.system, refutation, self.lines) else {
            return writeln!(out, "<p>The refutation cannot be shown.</p>");
        };
        let mut dot = Vec::new();
        proof.write_dot(&mut dot)?;
        let dot = String::from_utf8_lossy(&dot).into_owned();
        drawing::write(out, "refutation", &dot, refutation.facts.len())?;
        let mut text = Vec::new();
        proof.write_text(&mut text)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        // Two lines are about one fact.
        let shown = match lines.len() > 4 * FACTS {
            true => [
                &lines[..2 * FACTS],
                &["…"],
                &lines[lines.len() - 2 * FACTS..],
            ]
            .concat(),
            false => lines,
        };
        writeln!(out, "<pre>{}</pre>", Escaped(&shown.join("\n")))
    }

    fn write_clauses(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "<table>\n<tr><th>Clause</th><th>Line</th><th>Predicates</th><th>Text</th></tr>"
        )?;
        for (id, clause) in self.system.clauses() {
            self.write_clause(out, id, clause)?;
        }
        writeln!(out, "</table>")
    }

    fn write_clause(&self, out: &mut dyn Write, id: ClauseId, clause: &Clause) -> io::Result<()> {
        let label = self.system.clause_label(self.terms, id);
        let span = clause.origin.span;
        let line = self.lines.line(span).map(|line| line.to_string());
        write!(
            out,
            "<tr id=\"clause-{}\"><td>{}</td><td class=\"number\">{}</td><td>",
            id.0,
            Escaped(&label),
            line.unwrap_or_default()
        )?;
        for atom in clause.atoms() {
            let name = Escaped(self.system.pred_name(self.terms, atom.pred));
            write!(out, "<a href=\"#pred-{}\">{name}</a> ", atom.pred.0)?;
        }
        let text = self.text.get(span.start as usize..span.end as usize);
        let mut shown: String = text.unwrap_or("").chars().take(CLAUSE_TEXT).collect();
        if text.is_some_and(|text| text.len() > shown.len()) {
            shown.push('…');
        }
        writeln!(out, "</td><td><pre>{}</pre></td></tr>", Escaped(&shown))
    }

    /// What preprocessing left after each pass.
    fn write_passes(&self, out: &mut dyn Write) -> io::Result<()> {
        let changes = self.stats.passes.iter().filter(|run| run.changed);
        writeln!(out, "<pre>")?;
        for run in changes {
            writeln!(out, "{}", Escaped(&run.to_string()))?;
        }
        writeln!(out, "</pre>")
    }

    /// The progress of the engines, the queries by purpose, and all figures.
    fn write_work(&self, out: &mut dyn Write) -> io::Result<()> {
        chart::write(out, self.samples)?;
        writeln!(
            out,
            "<table>\n<tr><th>Queries</th><th>Purpose</th><th>Time</th><th></th></tr>"
        )?;
        let rows = self.figures.ledger();
        let most = rows.iter().map(|row| row.counts.time).max();
        for row in rows {
            let seconds = row.counts.time.as_secs_f64();
            let width = 20.0 * seconds / most.map_or(1.0, |t| t.as_secs_f64()).max(1e-9);
            writeln!(
                out,
                "<tr><td class=\"number\">{}</td><td>{}, {}</td><td class=\"number\">{seconds:.3} s</td>\
                 <td><span class=\"bar\" style=\"width:{width:.2}em\"></span></td></tr>",
                row.counts.queries(),
                Escaped(row.client),
                Escaped(&row.purpose)
            )?;
        }
        writeln!(out, "</table>\n<pre>")?;
        for (name, value) in self.figures.shown() {
            writeln!(out, "{name}: {}", Escaped(&value))?;
        }
        writeln!(out, "</pre>")
    }
}

/// Text inside HTML.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}
