//! The command line of the Horn solver.
//!
//! Exit statuses ([`horn::os::status`]): 0 with any verdict, 1 for an error in the input, 2 for
//! wrong usage, 3 for an internal fault.

mod args;
mod essence;
mod knowledge;
mod personality;
mod reproducer;
mod run;
mod script;

use args::Args;
use horn::chc::UnknownReason;
use horn::interpreter::{Extras, Input, Interpreter, RunError};
use horn::os::memory::MemoryWatch;
use horn::os::process::end_children;
use horn::os::status::{DONE, FAULT, INPUT_ERROR, USAGE_ERROR};
use horn::os::supervise::supervise;
use horn::os::{SILENCE_AFTER, SILENCE_BEFORE, STACK, drain_stdin};
use horn::report::Console;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, SolverChoice};
use horn::term::Terms;
use personality::{CommandLine, Manner, NO_FILE, OUT_OF_MEMORY, command_line, is_horn};
use run::HornSolveRun;
use script::{Script, ScriptError, Solvers};
use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let (arguments, manner) = match command_line(std::env::args_os().collect()) {
        CommandLine::Own(arguments) => (arguments, Manner::default()),
        CommandLine::Other(Ok(run)) => (run.arguments, run.manner),
        CommandLine::Other(Err(ending)) => return ending.end().into(),
    };
    let args = match parse(arguments) {
        Ok(args) => args,
        Err(status) => return status.into(),
    };
    if let Some(table) = args.table() {
        // A closed standard output is not an error here.
        let _ = write!(io::stdout(), "{}", table.markdown());
        return ExitCode::SUCCESS;
    }
    let quiet = manner.quiet && args.verbose == 0;
    let console: &'static Console = Box::leak(Box::new(match quiet {
        true => Console::quiet(),
        false => Console::showing(args.verbose, args.progress()),
    }));
    Console::install(console);
    std::panic::set_hook(Box::new(move |panic| {
        console.say(format_args!("; internal fault: {panic}"));
    }));
    for parameter in &manner.ignored {
        log::info!("ignored: {parameter}");
    }
    let run = Arc::new(HornSolveRun::new(console, &args, &manner));
    let (shared, is_stdin, is_z3) = (Arc::clone(&run), args.is_stdin(), manner.z3);
    let status = supervise(&*run, "solve", STACK, move || work(&args, &manner, &shared));
    let reason = run.stop.reason().cloned();
    // Whoever writes is not killed by an end before that of the input, unless it wants the end.
    if is_stdin && reason != Some(UnknownReason::Interrupted) {
        // Work that has not ended starts processes until it notices.
        run.stop.stop(UnknownReason::Interrupted);
        drain_stdin(match status {
            USAGE_ERROR => SILENCE_BEFORE,
            _ => SILENCE_AFTER,
        });
        end_children();
    }
    match reason {
        Some(UnknownReason::Memory) if is_z3 => OUT_OF_MEMORY.into(),
        _ => status.into(),
    }
}

/// The options that the arguments of `horn-solve` are, or the exit status of a program that has
/// said what is wrong with them.
fn parse(arguments: Vec<OsString>) -> Result<Args, u8> {
    let is_stdin = arguments.iter().any(|argument| argument == "-");
    Args::of(arguments).map_err(|error| {
        // A closed output is not an error here.
        let _ = error.print();
        if is_stdin {
            drain_stdin(SILENCE_BEFORE);
        }
        u8::try_from(error.exit_code()).unwrap_or(USAGE_ERROR)
    })
}

/// All that is done in the solving thread.
fn work(args: &Args, manner: &Manner, run: &HornSolveRun) -> u8 {
    catch_unwind(AssertUnwindSafe(|| solve_input(args, manner, run))).unwrap_or_else(|_| {
        // The hook has said what happened.
        if run.claim_if_due() {
            let _ = writeln!(io::stdout(), "unknown");
        }
        FAULT
    })
}

fn solve_input(args: &Args, manner: &Manner, run: &HornSolveRun) -> u8 {
    let solvers = if args.only_reads() {
        None
    } else {
        match start_solvers(args) {
            Ok(solvers) => Some(solvers),
            Err(error) => {
                run.claim_or_wait();
                run.console.say(format_args!("error: {error}"));
                return USAGE_ERROR;
            }
        }
    };
    let input = Input::open(args.file.as_deref());
    let work = match (input, &solvers) {
        (Ok(input), Some(solvers)) if manner.z3 => horn_or_smt(input, solvers),
        (Ok(input), _) => Ok(Work::Horn(input)),
        (Err(error), _) => Err(error),
    };
    let input = match work {
        Ok(Work::Horn(input)) => input,
        Ok(Work::Smt(input, solvers)) => return run_smt(input, solvers, args, manner, run),
        Err(error) => return cannot_read(&error, args, manner, run),
    };
    // The store is given back by the end of the process, which is faster than term by term.
    let terms: &'static Terms = Box::leak(Box::new(Terms::new()));
    match Script::new(terms, input, (args, manner), run, solvers.as_ref()).execute() {
        Ok(executed) if executed.faults > 0 => FAULT,
        Ok(executed) if executed.refused && manner.z3 => INPUT_ERROR,
        // The exit status for used up memory depends on whose command line it is.
        Ok(_) | Err(ScriptError::Limit) => DONE,
        Err(ScriptError::Input) => INPUT_ERROR,
        // Whoever closed the pipe has seen enough.
        Err(ScriptError::Read(error)) => cannot_read(&error, args, manner, run),
        Err(ScriptError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => DONE,
        Err(error) => {
            run.console.say(format_args!("error: {error}"));
            INPUT_ERROR
        }
    }
}

/// What there is to do.
enum Work<'s> {
    /// A Horn system.
    Horn(Input),
    /// Another script.
    Smt(Input, &'s Solvers),
}

/// What the input is.
fn horn_or_smt(mut input: Input, solvers: &Solvers) -> io::Result<Work<'_>> {
    match input.look_ahead(is_horn)? {
        Some(true) => Ok(Work::Horn(input)),
        _ => Ok(Work::Smt(input, solvers)),
    }
}

/// Runs a script that is no Horn system.
fn run_smt(
    mut input: Input,
    solvers: &Solvers,
    args: &Args,
    manner: &Manner,
    run: &HornSolveRun,
) -> u8 {
    let limits = [manner.check_timeout, args.timeout];
    let terms: &'static Terms = Box::leak(Box::new(Terms::new()));
    let limit = limits.into_iter().flatten().min();
    let _watch = MemoryWatch::for_program(args.memory_bytes(), &run.stop);
    let interpreter = Interpreter::empty(terms, &solvers.main, limit);
    let mut interpreter = interpreter.with_ticks(args.ticks).as_z3();
    let extras = Extras {
        models: args.model.is_some(),
        statistics: manner.statistics,
    };
    let say = |details: &str| run.remark(format_args!("{details}"));
    let result = interpreter.run(&mut input, extras, &say);
    run.claim_or_wait();
    match result {
        Ok(()) => DONE,
        // Whoever closed the pipe has seen enough.
        Err(RunError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => DONE,
        Err(RunError::Input) => INPUT_ERROR,
        Err(error) => {
            run.console.say(format_args!("error: {error}"));
            INPUT_ERROR
        }
    }
}

fn cannot_read(error: &io::Error, args: &Args, manner: &Manner, run: &HornSolveRun) -> u8 {
    run.claim_or_wait();
    let name = args.file.as_deref().unwrap_or(Path::new("-")).display();
    if manner.z3 {
        (run.console).say(format_args!("(error \"failed to open file '{name}'\")"));
        return NO_FILE;
    }
    run.console.say(format_args!("error: {name}: {error}"));
    let message = format!("{name}: {error}").replace('"', "\"\"");
    let _ = writeln!(io::stdout(), "(error \"{message}\")");
    INPUT_ERROR
}

/// Finds the solvers that the command line names.
fn start_solvers(args: &Args) -> Result<Solvers, Box<dyn std::error::Error>> {
    let start = |wanted: Option<&str>| -> Result<Backend, Box<dyn std::error::Error>> {
        let options = ProcessOptions {
            dump: args.dump_smt.clone(),
            ..ProcessOptions::default()
        };
        let (backend, external) = Backend::choose(wanted, options)?;
        if log::log_enabled!(log::Level::Info) {
            log::info!("solver: {}", description(&backend, external.as_ref()));
        }
        Ok(backend)
    };
    let cross_checkers = args.check_with.iter();
    Ok(Solvers {
        main: start(args.solver.as_deref())?,
        cross_checkers: cross_checkers
            .map(|name| Ok((name.clone(), start(Some(name))?)))
            .collect::<Result<_, Box<dyn std::error::Error>>>()?,
    })
}

/// Which solver is used, for people.
fn description(backend: &Backend, external: Option<&SolverChoice>) -> String {
    let external = external.map(|choice| {
        let version = choice.version();
        let version = version.unwrap_or_else(|| "unknown version".to_owned());
        format!("{} ({}): {version}", choice.command.join(" "), choice.found)
    });
    match (backend.is_native(), external) {
        (false, Some(external)) => external,
        (true, Some(external)) => {
            format!("the embedded core; for what it does not decide {external}")
        }
        (_, None) => "the embedded core alone".to_owned(),
    }
}
