//! Verifies several properties, and writes one verdict about all of them.
//!
//! `FALSE` names the property that a run violates. `UNKNOWN` names the one that is open.

use crate::args::{Args, TraceFormat};
use crate::run::{self, C2HornRun};
use crate::trace::{write_invariants, write_run};
use crate::{Failure, Input, backend};
use horn::cfront::{Property, WitnessTask, correctness_witness, violation_witness};
use horn::cverify::{Checker, Fate, Finding, LoopBound, Violation};
use horn::os::status::{DONE, FAULT};
use horn::portfolio::Control;
use std::io::{self, BufWriter, Write};

/// Verifies these properties.
pub(crate) fn check(
    args: &Args,
    run: &C2HornRun,
    input: &Input,
    properties: &[Property],
) -> Result<u8, Failure> {
    let (backend, options, error) = (backend(args)?, args.options(), input.calls());
    let checker = Checker {
        file: input.file(args)?,
        error: error.as_deref(),
        backend: &backend,
        options: &options,
        control: Control {
            deadline: run.deadline,
            ..Control::new(&run.stop)
        },
        encoding: args.encoding(),
        asks_machine: args.asks_machine(),
        executes: !args.no_confirm,
    };
    let findings = checker.check(properties)?;
    let proved = findings
        .iter()
        .all(|finding| matches!(finding.fate, Fate::Holds { .. }));
    let assumed = match proved {
        // A program whose assumptions cannot be read as checks has none that can be named.
        true => checker.assumption(properties, 0).ok(),
        false => None,
    };
    if !run.claim() {
        // The main thread has given the last word.
        return Ok(DONE);
    }
    if let Some(note) = assumed.and_then(|assumed| assumed.note()) {
        eprintln!("{note}");
    }
    let is_fault = findings
        .iter()
        .any(|finding| matches!(finding.fate, Fate::Fault(_)));
    // Whoever has seen enough of standard output wants the witness all the same.
    let printed = write_findings(args, &findings);
    write_witness(args, input, properties, &findings)?;
    printed?;
    Ok(if is_fault { FAULT } else { DONE })
}

/// The violation that was found, if there is one.
fn violation(findings: &[Finding]) -> Option<&Violation> {
    findings.iter().find_map(|finding| match &finding.fate {
        Fate::Violated(violation) => Some(&**violation),
        _ => None,
    })
}

/// Writes the witness that belongs to the verdict about all properties, if there is one.
fn write_witness(
    args: &Args,
    input: &Input,
    properties: &[Property],
    findings: &[Finding],
) -> io::Result<()> {
    let Some(path) = &args.witness else {
        return Ok(());
    };
    let violated = violation(findings);
    let lines = |asked: &[Property]| -> Vec<String> {
        asked.iter().map(|property| property.check_line()).collect()
    };
    let specification = match &violated {
        Some(violation) => lines(&[violation.property]),
        None => lines(properties),
    };
    let task = WitnessTask {
        file: &input.name,
        bytes: &input.bytes,
        specification: &specification.join("\n"),
        model: args.model().unwrap_or_default(),
        time: run::date(),
    };
    let text = match violated {
        Some(violation) if violation.property == Property::Termination => {
            eprintln!("note: no witness is written: there is none of runs without end");
            return Ok(());
        }
        Some(violation) => violation_witness(&task, &violation.run),
        None => {
            let mut all = Vec::new();
            for finding in findings {
                match &finding.fate {
                    Fate::Holds { invariants, .. } => all.extend(invariants.iter().cloned()),
                    _ => return Ok(()),
                }
            }
            if properties.contains(&Property::Termination) {
                eprintln!("note: the witness does not say why runs end");
            }
            correctness_witness(&task, &all)
        }
    };
    std::fs::write(path, text)
}

/// Writes the verdict about all properties, with what belongs to it.
fn write_findings(args: &Args, findings: &[Finding]) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for finding in findings {
        let names = finding.names();
        let verdict = match &finding.fate {
            Fate::Holds { note, .. } => {
                if let Some(note) = note {
                    eprintln!("{note} ({names})");
                }
                "TRUE".to_owned()
            }
            Fate::Violated(violation) => {
                if let Some(why) = &violation.unconfirmed {
                    eprintln!("note: the run to the error is not confirmed: {why}");
                }
                format!("FALSE({})", violation.property)
            }
            Fate::Open(reason) | Fate::Fault(reason) => format!("UNKNOWN({reason})"),
        };
        if findings.len() > 1 {
            eprintln!("{names}: {verdict}");
        }
    }
    let open = findings.iter().find_map(|finding| match &finding.fate {
        Fate::Open(reason) | Fate::Fault(reason) => Some((finding.names(), reason)),
        _ => None,
    });
    match (violation(findings), open) {
        (Some(violation), _) => {
            writeln!(out, "FALSE({})", violation.property)?;
            // JSON has the verdict of reachability only.
            if args.trace == TraceFormat::Json {
                eprintln!("note: --trace json is for the error that the program speaks of");
            }
            write_run(&mut out, &violation.program, &violation.run, args.trace)?;
            if let Some(path) = &args.harness {
                std::fs::write(path, violation.program.harness(&violation.run))?;
            }
        }
        (None, Some((names, reason))) => writeln!(out, "UNKNOWN({names}: {reason})")?,
        (None, None) => {
            writeln!(out, "TRUE")?;
            for finding in findings {
                if let Fate::Holds {
                    invariants, bounds, ..
                } = &finding.fate
                {
                    write_bounds(&mut out, bounds)?;
                    write_invariants(&mut out, invariants)?;
                }
            }
        }
    }
    out.flush()
}

/// Writes why loops and recursions end.
fn write_bounds(out: &mut dyn Write, bounds: &[LoopBound]) -> io::Result<()> {
    for bound in bounds {
        let place = &bound.place;
        let what = match &bound.recursion {
            Some(name) => format!("the recursion of {name}"),
            None => "this loop".to_owned(),
        };
        match &bound.measures[..] {
            [] => writeln!(out, "{place}: {what} is never repeated")?,
            measures => writeln!(
                out,
                "{place}: {what} ends: {} decreases",
                measures.join(", then ")
            )?,
        }
    }
    Ok(())
}
