//! Verifies a program, and writes the verdict with what belongs to it.

use crate::args::{Args, TraceFormat};
use crate::run::{self, C2HornRun};
use crate::trace::{write_invariants, write_json, write_run};
use crate::{Failure, Input, backend, print_size, print_time};
use horn::cfront::{CProgram, Property, WitnessTask, correctness_witness, violation_witness};
use horn::cverify::{Checker, Confirmation, Verdict, Verified, Verifier};
use horn::os::status::{DONE, FAULT};
use horn::portfolio::Control;
use horn::term::Terms;
use std::io::{self, BufWriter, Write};

/// What a witness says the property was, where none was given.
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// The statistics of a verification: the size of the first system, and the work.
pub(crate) fn print_stats(args: &Args, run: &C2HornRun, program: &CProgram, verified: &Verified) {
    let (terms, before) = (Terms::new(), run.time());
    let encoded = program.encode(&terms, args.encoding());
    print_time("to encode", run.time() - before);
    print_size(&encoded.size());
    if let Verdict::True { overflow, .. } = &verified.verdict {
        eprintln!("overflow:            {overflow}");
    }
    eprintln!("systems solved:      {}", verified.questions);
    eprintln!("ticks:               {}", verified.ticks);
    let last = &verified.last.progress;
    eprintln!("last engine:         {}", last.engine);
    if let Some(decision) = &last.decision {
        eprintln!("decided by:          {} at {}", decision.case, decision.at);
    }
    if let Some(refined) = &last.refined {
        eprintln!("refinements:         {}", refined.refinements);
        eprintln!("judged:              {}", refined.judged);
        eprintln!("perfect:             {}", refined.perfect);
    }
}

/// Verifies, and writes the verdict with what belongs to it.
pub(crate) fn verify(
    args: &Args,
    run: &C2HornRun,
    input: &Input,
    program: &CProgram,
) -> Result<u8, Failure> {
    let backend = backend(args)?;
    let task = WitnessTask {
        file: &input.name,
        bytes: &input.bytes,
        specification: input.property.as_deref().unwrap_or(PROPERTY),
        model: args.model().unwrap_or_default(),
        time: run::date(),
    };
    let options = args.options();
    let control = Control {
        deadline: run.deadline,
        ..Control::new(&run.stop)
    };
    let before = run.time();
    let verifier = Verifier {
        program,
        backend: &backend,
        options: &options,
        control,
        asks_machine: args.asks_machine(),
    };
    let mut verified = verifier.verify(args.encoding());
    let note = confirmed(args, &verifier, &mut verified.verdict);
    let assumed = assumed(args, input, &verifier, &verified);
    if !run.claim() {
        // The main thread has given the last word.
        return Ok(DONE);
    }
    if let Some(note) = assumed {
        eprintln!("{note}");
    }
    let time = run.time() - before;
    let verdict = &verified.verdict;
    // Whoever has seen enough of standard output wants the files all the same.
    let printed = match args.trace {
        TraceFormat::Json => write_json(program, verdict),
        format => write_verdict(program, verdict, format),
    };
    if let Some(why) = note {
        eprintln!("note: the run to the error is not confirmed: {why}");
    }
    write_files(args, program, &task, verdict)?;
    printed?;
    // Statistics need another encoding: they come after the verdict, which is due.
    if args.stats {
        print_time("to verify", time);
        print_stats(args, run, program, &verified);
    }
    Ok(match verdict {
        Verdict::Fault(_) => FAULT,
        _ => DONE,
    })
}

/// Executes the run to an error. There is no verdict if the execution contradicts it. Answers why
/// it is not confirmed, if it is not.
fn confirmed(args: &Args, verifier: &Verifier<'_>, verdict: &mut Verdict) -> Option<String> {
    let Verdict::False(found) = verdict else {
        return None;
    };
    if args.no_confirm {
        return None;
    }
    match verifier.confirm(found) {
        Confirmation::Confirmed => None,
        Confirmation::Open(why) => Some(why),
        Confirmation::Contradicted(why) => {
            *verdict = Verdict::Unknown(why);
            None
        }
    }
}

/// What a proof assumes, if there is one.
fn assumed(
    args: &Args,
    input: &Input,
    verifier: &Verifier<'_>,
    verified: &Verified,
) -> Option<String> {
    let Verdict::True { .. } = &verified.verdict else {
        return None;
    };
    let checker = Checker {
        file: input.file(args).ok()?,
        error: None,
        backend: verifier.backend,
        options: verifier.options,
        control: verifier.control,
        encoding: args.encoding(),
        asks_machine: args.asks_machine(),
        executes: false,
    };
    // A program whose assumptions cannot be read as checks has none that can be named.
    let assumption = checker.assumption(&[Property::UnreachCall], verified.ticks);
    assumption.ok()?.note()
}

/// The verdict, with what belongs to it, on standard output; what it assumes on standard error.
fn write_verdict(program: &CProgram, verdict: &Verdict, format: TraceFormat) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match verdict {
        Verdict::True {
            invariants,
            overflow,
        } => {
            if let Some(note) = overflow.note() {
                eprintln!("{note}");
            }
            writeln!(out, "TRUE")?;
            write_invariants(&mut out, invariants)?;
        }
        Verdict::False(found) => {
            writeln!(out, "FALSE(unreach-call)")?;
            write_run(&mut out, program, found, format)?;
        }
        Verdict::Unknown(reason) | Verdict::Fault(reason) => writeln!(out, "UNKNOWN({reason})")?,
    }
    out.flush()
}

/// Writes the files that the options name.
fn write_files(
    args: &Args,
    program: &CProgram,
    task: &WitnessTask<'_>,
    verdict: &Verdict,
) -> io::Result<()> {
    let witness = match verdict {
        Verdict::True { invariants, .. } => correctness_witness(task, invariants),
        Verdict::False(run) => violation_witness(task, run),
        Verdict::Unknown(_) | Verdict::Fault(_) => return Ok(()),
    };
    if let Some(path) = &args.witness {
        std::fs::write(path, witness)?;
    }
    if let (Some(path), Verdict::False(run)) = (&args.harness, verdict) {
        std::fs::write(path, program.harness(run))?;
    }
    Ok(())
}
