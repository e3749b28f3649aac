//! Writes what abstract interpretation alone knows of a program's loop heads.

use crate::args::Args;
use crate::run::C2HornRun;
use crate::trace::write_invariants;
use crate::{Failure, backend, print_size, print_time};
use horn::absint::InvariantDomain;
use horn::cfront::CProgram;
use horn::cverify::Verifier;
use horn::os::status::{DONE, FAULT};
use horn::portfolio::Control;
use std::io::{self, BufWriter, Write};

/// Prints the invariants that hold in this domain.
pub(crate) fn print(
    args: &Args,
    run: &C2HornRun,
    program: &CProgram,
    domain: InvariantDomain,
) -> Result<u8, Failure> {
    let (backend, options, before) = (backend(args)?, args.options(), run.time());
    let verifier = Verifier {
        program,
        backend: &backend,
        options: &options,
        control: Control {
            deadline: run.deadline,
            ..Control::new(&run.stop)
        },
        asks_machine: args.asks_machine(),
    };
    let found = verifier.interpret(domain, args.encoding());
    if !run.claim() {
        // The main thread has given the last word.
        return Ok(DONE);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match &found {
        Ok(found) => {
            if let Some(note) = &found.note {
                eprintln!("{note}");
            }
            write_invariants(&mut out, &found.invariants)?;
        }
        Err(error) => writeln!(out, "UNKNOWN({error})")?,
    }
    out.flush()?;
    if args.stats {
        print_time("to interpret", run.time() - before);
        if let Ok(found) = &found {
            print_size(&found.size);
        }
    }
    Ok(match &found {
        Err(error) if error.is_fault() => FAULT,
        _ => DONE,
    })
}
