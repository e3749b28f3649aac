//! The command line of the C front end.
//!
//! `main` reads the input and says how it ends; `verdict` verifies, `check` verifies several
//! properties, `validate` judges witnesses, `invariants` interprets abstractly. Exit statuses
//! ([`horn::os::status`]): 0 with a system or any verdict, 1 for an error in the input, 2 for wrong
//! usage, 3 for an internal fault.

mod args;
mod check;
mod invariants;
mod run;
mod trace;
mod validate;
mod verdict;

use args::Args;
use clap::Parser;
use horn::cfront::{CError, CFile, CProgram, DataModel, Property, Size};
use horn::os::memory::MemoryWatch;
use horn::os::status::{DONE, FAULT, INPUT_ERROR, USAGE_ERROR};
use horn::os::supervise::supervise;
use horn::report::Console;
use horn::smt::Backend;
use horn::smt::process::ProcessOptions;
use horn::smtlib::system_text;
use horn::term::Terms;
use run::C2HornRun;
use std::cell::OnceCell;
use std::io::{self, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// The stack of the working thread: the parser recurses over the program.
const STACK: usize = 512 << 20;

/// The program, and the property that is asked.
struct Input {
    /// The file's name.
    name: String,
    bytes: Vec<u8>,
    /// The text of the property file, if one was given.
    property: Option<String>,
    /// The file through the preprocessor, once it was asked for.
    preprocessed: OnceCell<CFile>,
}

impl Input {
    /// The file through the preprocessor, with the data model that the options say.
    fn file(&self, args: &Args) -> Result<&CFile, CError> {
        if let Some(file) = self.preprocessed.get() {
            return Ok(file);
        }
        let file = self.file_for(args, args.model().unwrap_or_default())?;
        Ok(self.preprocessed.get_or_init(|| file))
    }

    /// The file through the preprocessor, with this data model.
    fn file_for(&self, args: &Args, model: DataModel) -> Result<CFile, CError> {
        CFile::new(&self.name, &self.bytes, model, &args.preprocessing())
    }

    /// The properties that are asked, where that is not only the program's error.
    fn properties(&self, args: &Args) -> Result<Vec<Property>, Failure> {
        match &self.property {
            Some(text) if text.contains("CHECK(") => Ok(Property::of_file(text)?),
            Some(_) => Ok(Vec::new()),
            None => Ok(args.checks()),
        }
    }

    /// The program with these properties, of which one system can ask.
    fn program(&self, args: &Args, properties: &[Property]) -> Result<CProgram, Failure> {
        let is_call = |property: &Property| *property == Property::UnreachCall;
        if properties.contains(&Property::Termination) {
            let message = "error: termination is no question of one system: use --verify";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(match properties.iter().all(is_call) {
            true => CProgram::read_file(self.file(args)?, self.property.as_deref())?,
            false => CProgram::read_for(self.file(args)?, properties)?,
        })
    }

    /// The lines of the property file that speak of the program's error.
    fn calls(&self) -> Option<String> {
        let text = self.property.as_deref()?;
        let lines = text
            .split("CHECK(")
            .filter(|line| line.contains("call(") || line.contains("label("));
        Some(lines.map(|line| format!("CHECK({line}")).collect())
    }
}

/// Why there is no verdict.
enum Failure {
    /// The input has an error, or cannot be read.
    Input(String),
    /// The options have one.
    Usage(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<CError> for Failure {
    fn from(error: CError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let console: &'static Console = Box::leak(Box::new(Console::new(args.verbose)));
    Console::install(console);
    let run = Arc::new(C2HornRun::new(args.timeout, args.has_verdict()));
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
    let done = read_input(args).and_then(|input| {
        if let Some(path) = &args.validate {
            return validate::validate(args, run, &input, path);
        }
        let properties = input.properties(args)?;
        if args.verify && properties.iter().any(|p| *p != Property::UnreachCall) {
            return check::check(args, run, &input, &properties);
        }
        let program = input.program(args, &properties)?;
        match args.invariants {
            Some(domain) => invariants::print(args, run, &program, domain.domain()),
            None if args.verify => verdict::verify(args, run, &input, &program),
            None => Ok(print_system(args, run, &program)?),
        }
    });
    let (message, status) = match done {
        Ok(status) => return status,
        // Whoever closed the pipe has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => return DONE,
        Err(Failure::Output(error)) => (format!("error: {error}"), INPUT_ERROR),
        Err(Failure::Input(message)) => (message, INPUT_ERROR),
        Err(Failure::Usage(message)) => (message, USAGE_ERROR),
    };
    if run.claim() {
        let reason = message.replace('\n', " ");
        // A closed standard output is not an error here.
        let _ = writeln!(io::stdout(), "UNKNOWN({reason})");
    }
    eprintln!("{message}");
    status
}

fn read_input(args: &Args) -> Result<Input, Failure> {
    let path = args.file.as_deref().filter(|path| *path != Path::new("-"));
    let name = match path {
        Some(path) => path.display().to_string(),
        None => "<stdin>".to_owned(),
    };
    let bytes = match path {
        Some(path) => std::fs::read(path),
        None => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
    };
    let bytes = bytes.map_err(|error| Failure::Input(format!("{name}: error: {error}")))?;
    let property = args.property.as_deref().map(std::fs::read_to_string);
    let property = property.transpose();
    let property =
        property.map_err(|error| Failure::Input(format!("the property file: error: {error}")))?;
    Ok(Input {
        name,
        bytes,
        property,
        preprocessed: OnceCell::new(),
    })
}

/// The solvers that are asked.
fn backend(args: &Args) -> Result<Backend, Failure> {
    let chosen = Backend::choose(args.solver.as_deref(), ProcessOptions::default());
    match chosen {
        Ok((backend, _)) => Ok(backend),
        Err(error) => Err(Failure::Usage(format!("error: {error}"))),
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
        print_size(&encoded.size());
        print_time("to encode", encoding_time);
        print_time("with writing", run.time());
    }
    Ok(DONE)
}

fn print_time(of: &str, time: Duration) {
    eprintln!("{:<20} {:.3} s", format!("time {of}:"), time.as_secs_f64());
}

fn print_size(size: &Size) {
    eprintln!("predicates:          {}", size.predicates);
    eprintln!("clauses:             {}", size.clauses);
    eprintln!(
        "variables:           {} at most, {:.1} on average, of a predicate",
        size.most_variables, size.mean_variables
    );
}
