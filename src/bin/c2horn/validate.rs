//! Validates a witness, and writes what is known of it.

use crate::args::Args;
use crate::run::C2HornRun;
use crate::trace::{write_invariants, write_run};
use crate::verdict::print_stats;
use crate::{Failure, Input, backend, print_time};
use horn::cfront::{CProgram, Property, Reading, RunEnd, Witness, WitnessKind};
use horn::cverify::{Validated, Validity, Verdict, Verifier};
use horn::os::status::{DONE, FAULT};
use horn::portfolio::Control;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Validates the witness in a file.
pub(crate) fn validate(
    args: &Args,
    run: &C2HornRun,
    input: &Input,
    path: &Path,
) -> Result<u8, Failure> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Input(format!("{file}: error: {error}")))?;
    let witness = Witness::read(&file, &text)?;
    if let Some(warning) = witness.check_program(&input.name, &input.bytes)? {
        eprintln!("{warning}");
    }
    let full = read_program(args, input, &witness, Reading::Full)?;
    let strict = match witness.kind() {
        WitnessKind::Correctness => None,
        WitnessKind::Violation => Some(read_program(args, input, &witness, Reading::Strict)?),
    };
    let (backend, options, before) = (backend(args)?, args.options(), run.time());
    let verifier = Verifier {
        program: &full,
        backend: &backend,
        options: &options,
        control: Control {
            deadline: run.deadline,
            ..Control::new(&run.stop)
        },
        asks_machine: args.asks_machine(),
    };
    let validated = verifier.validate(witness.kind(), strict.as_ref(), args.encoding());
    if !run.claim() {
        // The main thread has given the last word.
        return Ok(DONE);
    }
    write_validity(args, &full, &witness, &validated)?;
    if args.stats {
        print_time("to validate", run.time() - before);
        print_stats(args, run, &full, &validated.verified);
    }
    Ok(match validated.validity {
        Validity::Fault(_) => FAULT,
        _ => DONE,
    })
}

/// The program with the witness's claims. What the options leave open is as the witness has it.
fn read_program(
    args: &Args,
    input: &Input,
    witness: &Witness,
    reading: Reading,
) -> Result<CProgram, Failure> {
    if let Some(property) = &input.property {
        witness.check_specification(property)?;
    }
    let model = match args.model() {
        Some(model) => {
            witness.check_model(model)?;
            model
        }
        None => witness.model().unwrap_or_default(),
    };
    // A witness is about one line of a property file that may have several.
    let property = witness.specification().or(input.property.as_deref());
    let file = input.file_for(args, model)?;
    let asked = property.map(Property::of_file);
    Ok(match asked {
        // What is no line of a property file is read as the error of a program.
        Some(Ok(asked)) if asked.iter().any(|p| *p != Property::UnreachCall) => {
            if asked.contains(&Property::Termination) || asked.contains(&Property::UnreachCall) {
                let message = "error: witnesses of termination, and of errors together with \
                               other properties, are not validated";
                return Err(Failure::Input(message.to_owned()));
            }
            CProgram::read_for_with_witness(&file, &asked, witness, reading)?
        }
        _ => CProgram::read_with_witness(&file, property, witness, reading)?,
    })
}

/// What is known of the witness, with the proof or the run that says so.
fn write_validity(
    args: &Args,
    program: &CProgram,
    witness: &Witness,
    validated: &Validated,
) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let verdict = &validated.verified.verdict;
    if let Verdict::True { overflow, .. } = verdict
        && let Some(note) = overflow.note()
    {
        eprintln!("{note}");
    }
    match (&validated.validity, verdict) {
        (Validity::Confirmed, _) => writeln!(out, "CONFIRMED")?,
        (Validity::Refuted, Verdict::False(found)) => match &found.end {
            RunEnd::Invariant(place, number) => {
                let claim = witness.invariant(*number).unwrap_or_default();
                writeln!(
                    out,
                    "REFUTED({place}: the invariant `{claim}` does not hold)"
                )?;
            }
            end => writeln!(out, "REFUTED({}: the error is reached)", end.place())?,
        },
        (Validity::Refuted, _) => {
            writeln!(out, "REFUTED(no run to the error agrees with the witness)")?;
        }
        (Validity::Unknown(reason) | Validity::Fault(reason), _) => {
            writeln!(out, "UNKNOWN({reason})")?;
        }
    }
    match verdict {
        Verdict::True { invariants, .. } => write_invariants(&mut out, invariants)?,
        Verdict::False(found) => write_run(&mut out, program, found, args.trace)?,
        Verdict::Unknown(_) | Verdict::Fault(_) => {}
    }
    out.flush()
}
