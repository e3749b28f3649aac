//! The command line of the C front end.
//!
//! Exit statuses ([`horn::os::status`]): 0 with a system or any verdict, 1 for an error in the
//! input, 2 for wrong usage, 3 for an internal fault.

mod args;
mod run;

use args::Args;
use clap::Parser;
use horn::cfront::{
    CProgram, Encoded, ErrorRun, Event, Invariant, RunEnd, WitnessTask, correctness_witness,
    violation_witness,
};
use horn::cverify::{Verdict, Verified, Verifier};
use horn::os::memory::MemoryWatch;
use horn::os::status::{DONE, FAULT, INPUT_ERROR, USAGE_ERROR};
use horn::os::supervise::supervise;
use horn::portfolio::{Control, Options};
use horn::report::Console;
use horn::smt::Backend;
use horn::smt::process::ProcessOptions;
use horn::smtlib::system_text;
use horn::term::Terms;
use run::C2HornRun;
use std::io::{self, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// The stack of the working thread: the parser recurses over the program.
const STACK: usize = 512 << 20;

/// What a witness says the property was, where none was given.
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

fn main() -> ExitCode {
    let args = Args::parse();
    let console: &'static Console = Box::leak(Box::new(Console::new(args.verbose)));
    Console::install(console);
    let run = Arc::new(C2HornRun::new(args.timeout, args.verify));
    let shared = Arc::clone(&run);
    supervise(&*run, "c2horn", STACK, move || work(&args, &shared)).into()
}

/// All that is done in the working thread.
fn work(args: &Args, run: &C2HornRun) -> u8 {
    let done = catch_unwind(AssertUnwindSafe(|| translate(args, run)));
    done.unwrap_or_else(|_| {
        if run.claim() {
            let _ = writeln!(io::stdout(), "UNKNOWN(internal fault)");
        }
        FAULT
    })
}

fn translate(args: &Args, run: &C2HornRun) -> u8 {
    let _watch = MemoryWatch::for_program(args.memory_bytes(), &run.stop);
    let name = match args.file.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => path.display().to_string(),
        None => "<stdin>".to_owned(),
    };
    let failed = |message: &dyn std::fmt::Display| {
        if run.claim() {
            let reason = message.to_string().replace('\n', " ");
            // A closed standard output is not an error here.
            let _ = writeln!(io::stdout(), "UNKNOWN({reason})");
        }
        eprintln!("{message}");
        INPUT_ERROR
    };
    let bytes = match read(args) {
        Ok(bytes) => bytes,
        Err(error) => return failed(&format!("{name}: error: {error}")),
    };
    let property = match args.property.as_deref().map(std::fs::read_to_string) {
        None => None,
        Some(Ok(text)) => Some(text),
        Some(Err(error)) => return failed(&format!("the property file: error: {error}")),
    };
    let program = match CProgram::read(&name, &bytes, property.as_deref(), args.model()) {
        Ok(program) => program,
        Err(error) => return failed(&error),
    };
    let written = if args.verify {
        let backend = match Backend::choose(args.solver.as_deref(), ProcessOptions::default()) {
            Ok((backend, _)) => backend,
            Err(error) => {
                failed(&format!("error: {error}"));
                return USAGE_ERROR;
            }
        };
        let task = WitnessTask {
            file: &name,
            bytes: &bytes,
            specification: property.as_deref().unwrap_or(PROPERTY),
            model: args.model(),
            time: run::date(),
        };
        answer(args, run, &program, &backend, &task)
    } else {
        print_system(args, run, &program)
    };
    match written {
        Ok(status) => status,
        // Whoever closed the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => DONE,
        Err(error) => failed(&format!("error: {error}")),
    }
}

fn read(args: &Args) -> io::Result<Vec<u8>> {
    match args.file.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => std::fs::read(path),
        None => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            Ok(bytes)
        }
    }
}

/// Writes the system as SMT-LIB.
fn print_system(args: &Args, run: &C2HornRun, program: &CProgram) -> io::Result<u8> {
    // The store is given back by the end of the process, which is faster than term by term.
    let terms: &'static Terms = Box::leak(Box::new(Terms::new()));
    let encoded = program.encode(terms, args.encoding());
    let encoding_time = run.time();
    let mut out: Box<dyn Write> = match &args.output {
        Some(path) => Box::new(BufWriter::new(std::fs::File::create(path)?)),
        None => Box::new(BufWriter::new(io::stdout().lock())),
    };
    for line in encoded.comments() {
        writeln!(out, "; {line}")?;
    }
    write!(out, "{}", system_text(terms, encoded.system()))?;
    out.flush()?;
    if args.stats {
        print_size(&encoded);
        print_time("to encode", encoding_time);
        print_time("with writing", run.time());
    }
    Ok(DONE)
}

fn print_time(of: &str, time: Duration) {
    eprintln!("{:<20} {:.3} s", format!("time {of}:"), time.as_secs_f64());
}

fn print_size(encoded: &Encoded<'_>) {
    let size = encoded.size();
    eprintln!("predicates:          {}", size.predicates);
    eprintln!("clauses:             {}", size.clauses);
    eprintln!(
        "variables:           {} at most, {:.1} on average, of a predicate",
        size.most_variables, size.mean_variables
    );
}

/// The statistics of a verification: the size of the first system, and the work.
fn print_stats(args: &Args, run: &C2HornRun, program: &CProgram, verified: &Verified) {
    let (terms, before) = (Terms::new(), run.time());
    let encoded = program.encode(&terms, args.encoding());
    print_time("to encode", run.time() - before);
    print_size(&encoded);
    if let Verdict::True { overflow, .. } = &verified.verdict {
        eprintln!("overflow:            {overflow}");
    }
    eprintln!("systems solved:      {}", verified.questions);
    eprintln!("ticks:               {}", verified.ticks);
}

/// Verifies, and writes the verdict with what belongs to it.
fn answer(
    args: &Args,
    run: &C2HornRun,
    program: &CProgram,
    backend: &Backend,
    task: &WitnessTask<'_>,
) -> io::Result<u8> {
    let options = Options {
        engine: args.engine,
        ..Options::default()
    };
    let control = Control {
        deadline: run.deadline,
        ..Control::new(&run.stop)
    };
    let before = run.time();
    let verifier = Verifier {
        program,
        backend,
        options: &options,
        control,
        asks_machine: args.asks_machine(),
    };
    let verified = verifier.verify(args.encoding());
    if !run.claim() {
        // The main thread has given the last word.
        return Ok(DONE);
    }
    let time = run.time() - before;
    let verdict = &verified.verdict;
    // Whoever has seen enough of standard output wants the files all the same.
    let printed = write_verdict(verdict);
    write_files(args, program, task, verdict)?;
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

/// The verdict, with what belongs to it, on standard output; what it assumes on standard error.
fn write_verdict(verdict: &Verdict) -> io::Result<()> {
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
            write_run(&mut out, found)?;
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

fn write_invariants(out: &mut dyn Write, invariants: &[Invariant]) -> io::Result<()> {
    for invariant in invariants {
        let Invariant {
            place,
            function,
            formula,
            ..
        } = invariant;
        writeln!(out, "{place}: in {function}: {formula}")?;
    }
    Ok(())
}

fn write_run(out: &mut dyn Write, run: &ErrorRun) -> io::Result<()> {
    for step in &run.steps {
        write!(out, "{}", step.place)?;
        for (at, event) in step.events.iter().enumerate() {
            out.write_all(if at == 0 { b": " } else { b", " })?;
            match event {
                Event::Input { function, value } => write!(out, "{function}() is {value}")?,
                Event::Uninitialised { variable, value } => {
                    write!(out, "{variable} is {value}, not initialised")?;
                }
                Event::Change { variable, value } => write!(out, "{variable} = {value}")?,
            }
        }
        writeln!(out)?;
    }
    match &run.end {
        RunEnd::Error(place, what) => writeln!(out, "{place}: {what}"),
        RunEnd::Unsupported(place, what) => writeln!(out, "{place}: not supported: {what}"),
        RunEnd::Wraps(place) => writeln!(out, "{place}: wraps around"),
    }
}
