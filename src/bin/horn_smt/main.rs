//! The command line of the SMT solvers: runs SMT-LIB scripts on any back end of the library.
//!
//! Exit statuses ([`horn::os::status`]): 0 when the script has been run, 1 for an error in the
//! input, 2 for wrong usage, 3 for an internal fault.

mod args;
mod stats;

use args::Args;
use clap::Parser;
use horn::interpreter::{Extras, Input, Interpreter, RunError};
use horn::os::status::{DONE, FAULT, INPUT_ERROR, USAGE_ERROR};
use horn::report::Console;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, BackendError};
use horn::term::Terms;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let console: &'static Console = Box::leak(Box::new(Console::new(args.verbose)));
    Console::install(console);
    std::panic::set_hook(Box::new(move |panic| {
        console.say(format_args!("; internal fault: {panic}"));
    }));
    let status = catch_unwind(AssertUnwindSafe(|| work(&args, console)));
    let status = status.unwrap_or_else(|_| {
        // The hook has said what happened.
        let _ = writeln!(io::stdout(), "(error \"internal fault\")");
        FAULT
    });
    status.into()
}

fn work(args: &Args, console: &Console) -> u8 {
    let (name, backend) = match start_backend(args) {
        Ok(started) => started,
        Err(error) => {
            console.say(format_args!("error: {error}"));
            return USAGE_ERROR;
        }
    };
    let mut input = match Input::open(args.file.as_deref()) {
        Ok(input) => input,
        Err(error) => {
            let path = args.file.as_deref().unwrap_or(Path::new("-")).display();
            console.say(format_args!("error: {path}: {error}"));
            let message = format!("{path}: {error}").replace('"', "\"\"");
            let _ = writeln!(io::stdout(), "(error \"{message}\")");
            return INPUT_ERROR;
        }
    };
    let terms = Terms::new();
    let mut interpreter = Interpreter::empty(&terms, &backend, args.timeout);
    let result = interpreter.run(&mut input, Extras::default(), &|details| {
        console.say(format_args!("{details}"))
    });
    if let Some(format) = args.stats() {
        let line = stats::line(interpreter.tally(), format, input.name(), &name);
        console.say(format_args!("{line}"));
    }
    match result {
        Ok(()) => DONE,
        Err(RunError::Input) => INPUT_ERROR,
        // Whoever closed the pipe has seen enough.
        Err(RunError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => DONE,
        Err(error) => {
            console.say(format_args!("error: {error}"));
            INPUT_ERROR
        }
    }
}

/// The back end that the command line names, and what to call it.
fn start_backend(args: &Args) -> Result<(String, Backend), BackendError> {
    let options = ProcessOptions {
        dump: args.dump_smt.clone(),
        ..ProcessOptions::default()
    };
    let (backend, external) = Backend::choose(args.solver.as_deref(), options)?;
    let name = match (backend.is_native(), external) {
        (false, Some(choice)) => choice.name,
        (true, Some(choice)) => format!("native with {}", choice.name),
        (_, None) => "native".to_owned(),
    };
    log::info!("solver: {name}");
    Ok((name, backend))
}
