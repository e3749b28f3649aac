//! The command line of the SMT solvers: runs SMT-LIB scripts on any back end of the library.
//!
//! Exit statuses ([`horn::os::status`]): 0 when the script has been run, 1 for an error in the
//! input, 2 for wrong usage, 3 for an internal fault.

mod args;
mod input;
mod stats;

use args::Args;
use clap::Parser;
use horn::interpreter::Interpreter;
use horn::os::status::{DONE, FAULT, INPUT_ERROR, USAGE_ERROR};
use horn::report::Console;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, BackendError};
use horn::term::Terms;
use input::Input;
use std::io::{self, BufWriter, Write};
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
    let mut interpreter = Interpreter::new(&terms, &backend, input::nothing(), args.timeout);
    let result = execute(&terms, &mut interpreter, &mut input, console);
    if let Some(format) = args.stats() {
        let line = stats::line(interpreter.tally(), format, input.name(), &name);
        console.say(format_args!("{line}"));
    }
    match result {
        Ok(()) => DONE,
        Err(ScriptError::Input) => INPUT_ERROR,
        // Whoever closed the pipe has seen enough.
        Err(ScriptError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => DONE,
        Err(error) => {
            console.say(format_args!("error: {error}"));
            INPUT_ERROR
        }
    }
}

/// Why a script was not run to its end.
#[derive(Debug, thiserror::Error)]
enum ScriptError {
    /// The text is wrong; this has been reported.
    #[error("error in the input")]
    Input,
    /// Standard input cannot be read.
    #[error("standard input: {0}")]
    Read(io::Error),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// Runs a script, and writes each answer at once: whoever asked may wait for it.
fn execute(
    terms: &Terms,
    interpreter: &mut Interpreter<'_, 'static>,
    input: &mut Input,
    console: &Console,
) -> Result<(), ScriptError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut print = |text: &str| out.write_all(text.as_bytes()).and_then(|()| out.flush());
    while !interpreter.has_ended() {
        let Some(source) = input.next_part().map_err(ScriptError::Read)? else {
            break;
        };
        interpreter.continue_with(source);
        loop {
            match interpreter.next_response() {
                Ok(None) => break,
                Ok(Some(response)) => {
                    print(&response.text(terms))?;
                    if let Some(details) = response.details() {
                        console.say(format_args!("{details}"));
                    }
                }
                Err(error) => {
                    print(&format!("{}\n", error.smtlib_text()))?;
                    console.say(format_args!("{}", error.report().trim_end()));
                    return Err(ScriptError::Input);
                }
            }
        }
    }
    Ok(())
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
