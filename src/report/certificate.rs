//! Certificates as directories of files that other programs check.
//!
//! The format is specified in docs/src/certificates.md.

use super::clause_proof::{ClauseProof, ClauseProver};
use super::functions::recursive_definitions;
use super::instances::InstanceLister;
use super::model::{ModelForm, definitions, param_base};
use super::{Lines, Proof};
use crate::chc::{Answer, ClauseId, Model, Refutation, System};
use crate::smt::Limit;
use crate::smtlib::{ClauseQueries, system_text};
use crate::term::Terms;
use rustc_hash::FxHashSet;
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The version of the format.
const VERSION: u32 = 1;
/// The file that says what the others are.
const INDEX: &str = "certificate.json";

/// Writes the certificate of an answer about a system that was read from a text, into a directory
/// that is made where it does not exist. Files of the same names are overwritten. `unknown` has no
/// certificate: an older `certificate.json` is removed, and nothing is written. What the limit does
/// not leave time for is the proofs of clauses.
///
/// # Errors
/// The errors of the file system; a refutation that is wrong.
pub fn write_certificate(
    directory: &Path,
    input: &str,
    lines: &Lines,
    t: &Terms,
    system: &System,
    answer: &Answer,
    limit: &Limit,
) -> io::Result<()> {
    let directory = CertificateDirectory { path: directory };
    match answer {
        Answer::Unknown(_) => directory.remove_index(),
        Answer::Sat(model) => {
            directory.begin(input, t, system)?;
            let rest = directory.write_model(lines, t, system, model, limit)?;
            directory.write_index("sat", &rest)
        }
        Answer::Unsat(refutation) => {
            directory.begin(input, t, system)?;
            directory.write_refutation(lines, t, system, refutation)
        }
    }
}

struct CertificateDirectory<'a> {
    path: &'a Path,
}

impl CertificateDirectory<'_> {
    fn file(&self, name: &str) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::new(File::create(self.path.join(name))?))
    }

    /// Without its index, a directory is no certificate.
    fn remove_index(&self) -> io::Result<()> {
        match fs::remove_file(self.path.join(INDEX)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The input, and the system as it was read. The index is written last, so that what is left of
    /// an interrupted run is no certificate.
    fn begin(&self, input: &str, t: &Terms, system: &System) -> io::Result<()> {
        fs::create_dir_all(self.path)?;
        self.remove_index()?;
        fs::write(self.path.join("input.smt2"), input)?;
        let mut out = self.file("system.smt2")?;
        write!(out, "{}", system_text(t, system))?;
        out.flush()
    }

    fn write_index(&self, result: &str, rest: &serde_json::Value) -> io::Result<()> {
        let mut index = json!({
            "format": "horn-certificate",
            "version": VERSION,
            "result": result,
            "input": "input.smt2",
            "system": "system.smt2",
        });
        if let (Some(index), Some(rest)) = (index.as_object_mut(), rest.as_object()) {
            index.extend(rest.clone());
        }
        let mut out = self.file(INDEX)?;
        serde_json::to_writer_pretty(&mut out, &index)?;
        writeln!(out)?;
        out.flush()
    }

    /// Writes the model, and for each clause a script that is unsatisfiable, with its proof if the
    /// limit leaves time for it. Answers what the index says of them.
    fn write_model(
        &self,
        lines: &Lines,
        t: &Terms,
        system: &System,
        model: &Model,
        limit: &Limit,
    ) -> io::Result<serde_json::Value> {
        let form = ModelForm {
            plain: true,
            ..ModelForm::default()
        };
        let definitions = definitions(t, system, model, form);
        let queries = ClauseQueries::new(t, system);
        let declarations = queries.declarations();
        let prover = ClauseProver::new(t, model, &queries, limit);
        let lister = InstanceLister::new(t, system, model, &queries, limit);
        let functions = recursive_definitions(t, model, &param_base(t, model));
        let mut out = self.file("model.smt2")?;
        (functions.iter().chain(&definitions))
            .try_for_each(|definition| writeln!(out, "{definition}"))?;
        out.flush()?;
        let mut clauses = Vec::with_capacity(system.clauses.len());
        for (id, clause) in system.clauses() {
            let name = format!("clause-{}.smt2", id.0);
            let mut out = self.file(&name)?;
            let label = system.clause_label(t, id);
            writeln!(out, "; {label} fails in the model\n(set-logic ALL)")?;
            write!(out, "{declarations}")?;
            // All of them: a checker may add the lemmas of the model.
            (functions.iter()).try_for_each(|function| writeln!(out, "{function}"))?;
            let mut used = FxHashSet::default();
            for atom in clause.atoms() {
                if used.insert(atom.pred) {
                    writeln!(out, "{}", definitions[atom.pred.index()])?;
                }
            }
            let mut text = String::new();
            queries.write(&mut text, clause).map_err(io::Error::other)?;
            writeln!(out, "{text}(check-sat)")?;
            out.flush()?;
            let mut entry = json!({
                "id": id.0,
                "line": lines.line(clause.origin.span),
                "query": name,
            });
            if let Some(instances) = lister.of_clause(clause) {
                entry["instances"] = instances;
            }
            match prover.prove(clause) {
                Ok(proof) => entry["proof"] = self.write_proof(id, &proof)?,
                Err(why) => entry["no-proof"] = json!(why.to_string()),
            }
            clauses.push(entry);
        }
        let mut index = json!({"model": "model.smt2", "clauses": clauses});
        let lemmas = lister.of_lemmas();
        if !lemmas.is_empty() {
            index["lemmas"] = json!(lemmas);
        }
        Ok(index)
    }

    /// The proof of a clause, and the query that it is about.
    fn write_proof(&self, id: ClauseId, proof: &ClauseProof) -> io::Result<serde_json::Value> {
        let [query, alethe] = ["smt2", "alethe"].map(|end| format!("proof-{}.{end}", id.0));
        let mut out = self.file(&query)?;
        write!(out, "(set-logic ALL)\n{}(check-sat)\n", proof.query)?;
        out.flush()?;
        let mut out = self.file(&alethe)?;
        out.write_all(proof.steps.as_bytes())?;
        out.flush()?;
        Ok(json!({"query": query, "alethe": alethe}))
    }

    /// The derivation, and a script that is satisfiable.
    fn write_refutation(
        &self,
        lines: &Lines,
        t: &Terms,
        system: &System,
        refutation: &Refutation,
    ) -> io::Result<()> {
        let proof = Proof::new(t, system, refutation, lines).map_err(io::Error::other)?;
        let mut out = self.file("derivation.json")?;
        proof.write_json(&mut out)?;
        out.flush()?;
        let mut out = self.file("derivation.smt2")?;
        let declarations = ClauseQueries::new(t, system).declarations();
        writeln!(out, "; the steps of the derivation\n(set-logic ALL)")?;
        write!(out, "{declarations}")?;
        proof.write_ground(&mut out)?;
        writeln!(out, "(check-sat)")?;
        out.flush()?;
        let rest = json!({"derivation": "derivation.json", "steps": "derivation.smt2"});
        self.write_index("unsat", &rest)
    }
}
