//! What is kept of a refused certificate: the input again, with the certificate as comments.

use horn::chc::{Answer, System};
use horn::report::write_model;
use horn::term::Terms;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a script that asks again what was answered wrongly.
pub(crate) fn write(
    path: &Path,
    script: &str,
    why: &str,
    t: &Terms,
    system: &System,
    refused: &Answer,
) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "; {why}\n; the answer was {}, with", refused.verdict())?;
    match refused {
        Answer::Sat(model) if model.interpretations.len() == system.preds.len() => {
            let mut text = Vec::new();
            write_model(&mut text, t, system, model)?;
            for line in String::from_utf8_lossy(&text).lines() {
                writeln!(out, ";   {line}")?;
            }
        }
        Answer::Sat(model) => writeln!(out, "; {} interpretations", model.interpretations.len())?,
        // A wrong refutation has no readable form: its facts need not have conclusions.
        Answer::Unsat(refutation) => {
            for (number, fact) in refutation.facts.iter().enumerate() {
                let (clause, values) = (fact.clause.0, &fact.values);
                if let Some(iteration) = &fact.iteration {
                    writeln!(out, ";   {number}: {iteration:?}")?;
                }
                let premises: Vec<u32> = fact.premises.iter().map(|p| p.0).collect();
                writeln!(
                    out,
                    ";   {number}: clause {clause}, values {values:?}, from {premises:?}"
                )?;
            }
        }
        Answer::Unknown(_) => {}
    }
    writeln!(out)?;
    out.write_all(script.as_bytes())?;
    out.flush()
}
