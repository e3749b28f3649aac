//! What the tests have in common.

use crate::certified::solve_certified;
use crate::solvers::solver_found;
use crate::tools::tool_found;
use horn::cfront::{
    CError, CProgram, CheckedProperty, DataModel, EncodeOptions, ErrorRun, IntMode, Invariant,
    REACHED, RunEnd,
};
use horn::chc::Answer;
use horn::portfolio::Options;
use horn::smt::Backend;
use horn::smt::process::ProcessOptions;
use horn::smtlib::{Source, read_system, system_text};
use horn::term::Terms;
use horn::work::milliseconds;
use std::process::Command;

/// A question may take this many ticks: a minute of a present machine, and more where the tests are
/// not optimised or the machine is busy.
const PATIENCE: u64 = milliseconds(60_000);

/// What comes out for a program.
#[derive(Debug)]
pub(crate) enum Found {
    Safe(Vec<Invariant>),
    Unsafe(ErrorRun),
    /// With the reason.
    Open(String),
}

impl Found {
    /// Is the question open, and there is no external solver? With one it would have an answer: the
    /// embedded core does not decide the question, or the check of its certificate.
    ///
    /// # Panics
    /// The question is open, there is no external solver, and nothing excuses that.
    #[track_caller]
    pub(crate) fn lacks_solver(&self) -> bool {
        matches!(self, Found::Open(_)) && !solver_found(None)
    }

    /// The run to the error, if one was found.
    pub(crate) fn run(&self) -> Option<&ErrorRun> {
        match self {
            Found::Unsafe(run) => Some(run),
            Found::Safe(_) | Found::Open(_) => None,
        }
    }

    /// In one word; of an unsafe program, whether the run is one of the machine's, too.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Found::Safe(_) => "safe",
            Found::Unsafe(run) => match run.end {
                RunEnd::Error(..) if run.is_exact() => "unsafe",
                RunEnd::Error(..) => "doubtful",
                RunEnd::Unsupported(..) => "unsupported",
                RunEnd::Wraps(_) => "wraps",
                RunEnd::Invariant(..) => "violated",
            },
            Found::Open(_) => "open",
        }
    }
}

/// Does the program reach the error in this run, by its harness? `None` without a compiler, where
/// that is excused.
#[track_caller]
pub(crate) fn confirmed(program: &CProgram, run: &ErrorRun) -> Option<bool> {
    if !tool_found("cc", &["--version"]) {
        return None;
    }
    let harness = program.harness(run);
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("harness.c"), &harness).expect("the directory can be written");
    let compiled = Command::new("cc")
        .args(["-w", "-fwrapv", "-fgnu89-inline", "-o"])
        .args([path("harness"), path("harness.c")])
        .arg("-lm")
        .output()
        .expect("the compiler was found");
    let message = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{message}\n{harness}");
    let status = Command::new(path("harness"))
        .status()
        .expect("it was compiled");
    Some(status.code() == Some(i32::from(REACHED)))
}

/// Reads a program of the data model with 64 bits, so that compilers on common machines agree.
pub(crate) fn read(text: &str) -> Result<CProgram, CError> {
    CProgram::read("test.c", text.as_bytes(), None, DataModel::Lp64)
}

/// Encodes, prints, reads what was printed, and solves.
pub(crate) fn solve_text(text: &str, ints: IntMode) -> Found {
    let program = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    solve_program(&program, ints)
}

/// As [`solve_text`], with the beginning of the program unrolled.
pub(crate) fn solve_unrolled(text: &str, ints: IntMode) -> Found {
    let program = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let unroll = 6_000;
    solve_encoded(
        &program,
        EncodeOptions {
            ints,
            unroll,
            ..EncodeOptions::default()
        },
    )
}

pub(crate) fn solve_program(program: &CProgram, ints: IntMode) -> Found {
    let options = EncodeOptions {
        ints,
        ..EncodeOptions::default()
    };
    solve_encoded(program, options)
}

fn solve_encoded(program: &CProgram, options: EncodeOptions) -> Found {
    let terms = Terms::new();
    let options = EncodeOptions {
        question: CheckedProperty::ErrorsAndWraps,
        ..options
    };
    let encoded = program.encode(&terms, options);
    let printed = system_text(&terms, encoded.system()).to_string();
    let again = Terms::new();
    let system = read_system(&again, &Source::from_text("printed", printed.as_str()))
        .unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(system.clauses.len(), encoded.system().clauses.len());
    let (backend, _) =
        Backend::choose(None, ProcessOptions::default()).expect("the embedded core is there");
    let options = Options {
        budget: Some(PATIENCE),
        ..Options::default()
    };
    match solve_certified(&terms, encoded.system(), &backend, &options).answer {
        Answer::Sat(model) => Found::Safe(encoded.invariants(&model)),
        Answer::Unsat(refutation) => match encoded.run(&refutation) {
            Some(run) => Found::Unsafe(run),
            None => Found::Open("inputs in a loop that is not written out".to_owned()),
        },
        Answer::Unknown(unknown) => Found::Open(unknown.reason.to_string()),
    }
}
