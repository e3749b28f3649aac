//! What a check leaves beside its verdict, where the command line asks for it: the certificate,
//! files, and lemmas for later checks.

use super::{Script, ScriptError};
use crate::args::ModelArg;
use crate::essence;
use horn::chc::{Answer, Model, System};
use horn::portfolio::{Solved, Stats};
use horn::report::{
    CheckStats, Page, Proof, ProofFormat, write_abstract_graph, write_certificate, write_graph,
    write_model_as,
};
use horn::smt::Limit;
use horn::transform::Tools;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Duration;

impl Script<'_> {
    /// Prints the certificate if the command line asks for it; answers whether it did.
    pub(super) fn print_certificate(
        &self,
        answer: &Answer,
        system: &System,
        tools: &Tools<'_>,
    ) -> Result<bool, ScriptError> {
        let minimal = self.args.model == Some(ModelArg::Minimal);
        let needed = match answer {
            Answer::Sat(model) if minimal || self.args.core => {
                essence::needed_of(tools, system, model)
            }
            _ => None,
        };
        if self.args.core {
            let names = essence::names(answer, system, needed.as_ref());
            self.print(|out| essence::write(out, self.t, system, names))?;
        }
        match (answer, self.args.proof()) {
            (Answer::Sat(model), _) if self.args.model.is_some() => {
                let smaller = needed.as_ref().filter(|_| minimal);
                self.print_model(system, smaller.map_or(model, |needed| &needed.model))?;
            }
            (Answer::Unsat(refutation), Some(format)) => {
                match Proof::new(self.t, system, refutation, &self.lines) {
                    Ok(proof) => self.print_proof(&proof, format)?,
                    Err(error) => log::error!("the refutation cannot be printed: {error}"),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Prints a refutation, or says why the format cannot express it.
    pub(super) fn print_proof(
        &self,
        proof: &Proof<'_>,
        format: ProofFormat,
    ) -> Result<(), ScriptError> {
        if let Some(form) = self.manner.proofs {
            return self.print(|out| proof.write_as(out, form));
        }
        if let Err(obstacle) = self.print(|out| proof.write(out, format))? {
            let console = self.run.console;
            console.say(format_args!("; the refutation is not printed: {obstacle}"));
        }
        Ok(())
    }

    /// Writes the certificate as files if the command line asks for it. Clauses for which the limit
    /// leaves no time have no proof.
    pub(super) fn write_certificate(
        &self,
        answer: &Answer,
        system: &System,
        limit: &Limit,
    ) -> Result<(), ScriptError> {
        let Some(directory) = &self.args.certificate else {
            return Ok(());
        };
        let directory = match self.checks {
            1 => directory.clone(),
            number => directory.join(number.to_string()),
        };
        let text = &self.text;
        write_certificate(&directory, text, &self.lines, self.t, system, answer, limit)
            .map_err(|error| ScriptError::Certificate(directory, error))
    }

    /// Writes the graph of abstract states if the command line asks for it.
    pub(super) fn write_abstract_graph(&self, stats: &Stats) -> Result<(), ScriptError> {
        let Some(path) = &self.args.print_arg else {
            return Ok(());
        };
        let graphs = stats
            .engines()
            .filter_map(|progress| progress.graph.as_deref());
        let Some(graph) = graphs.last() else {
            let console = self.run.console;
            console.say(format_args!(
                "; no engine that ran builds a graph of abstract states"
            ));
            return Ok(());
        };
        let mut text = Vec::new();
        write_abstract_graph(&mut text, graph).expect("memory takes it");
        std::fs::write(path, text).map_err(|error| ScriptError::Graph(path.clone(), error))
    }

    /// Writes the graph of the refutation, or of the clauses where there is none, if the command
    /// line asks for it.
    pub(super) fn write_dot(&self, answer: &Answer, system: &System) -> Result<(), ScriptError> {
        let Some(path) = &self.args.dot else {
            return Ok(());
        };
        let refutation = match answer {
            Answer::Unsat(refutation) => Some(refutation),
            _ => None,
        };
        let proof = refutation
            .and_then(|refutation| Proof::new(self.t, system, refutation, &self.lines).ok());
        let mut text = Vec::new();
        match proof {
            Some(proof) => proof
                .write(&mut text, ProofFormat::Dot)
                .map(|written| written.expect("each refutation is a graph")),
            None => write_graph(&mut text, self.t, system, &self.lines),
        }
        .expect("memory takes it");
        std::fs::write(path, text).map_err(|error| ScriptError::Graph(path.clone(), error))
    }

    /// Remembers what was proved, and writes it if the command line asks for it.
    pub(super) fn learn(&mut self, answer: &Answer, system: &System) -> Result<(), ScriptError> {
        self.knowledge.learn(self.t, system, answer);
        let Some(path) = &self.args.save_lemmas else {
            return Ok(());
        };
        let written = std::fs::write(path, self.knowledge.text(self.t));
        written.map_err(|error| ScriptError::Lemmas(path.clone(), error))
    }

    /// Writes the page about the check if the command line asks for it.
    pub(super) fn write_page(
        &self,
        solved: &Solved,
        system: &System,
        figures: &dyn Fn(Duration) -> CheckStats,
    ) -> Result<(), ScriptError> {
        let Some(path) = &self.args.report else {
            return Ok(());
        };
        let (samples, total) = self.run.history();
        let page = Page {
            name: self.input.name(),
            text: &self.text,
            lines: &self.lines,
            terms: self.t,
            system,
            answer: &solved.answer,
            figures: &figures(total),
            stats: &solved.stats,
            samples: &samples,
        };
        let written = File::create(path).and_then(|file| {
            let mut out = BufWriter::new(file);
            page.write(&mut out)?;
            out.flush()
        });
        written.map_err(|error| ScriptError::Page(path.clone(), error))
    }

    pub(super) fn print_model(&self, system: &System, model: &Model) -> Result<(), ScriptError> {
        let form = self.manner.models;
        self.print(|out| write_model_as(out, self.t, system, model, form))
    }
}
