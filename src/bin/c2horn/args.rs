//! The options of the command line. One definition each; the text is the help.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Parser, ValueEnum};
use horn::absint::InvariantDomain;
use horn::cfront::{DataModel, EncodeOptions, IntMode, Property};
use horn::engine::EngineSettings;
use horn::os::argument;
use horn::portfolio::{Choice, Options};
use horn::report::tables::set_help;
use horn::transform::{self, Pass};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

/// Translates a C program to constrained Horn clauses, or verifies it.
///
/// The system that it prints is satisfiable if and only if no error can be reached. The error is a
/// call of `reach_error` or `__VERIFIER_error`, or else a label `ERROR` or a failing assertion.
///
/// With `--verify`, the first line on standard output is `TRUE`, `FALSE(property)` or
/// `UNKNOWN(reason)`. Invariants, or the run to the error, follow. The property is `unreach-call`
/// where no option names others.
///
/// With `--validate`, the first line is `CONFIRMED`, `REFUTED(reason)` or `UNKNOWN(reason)`.
///
/// Exit status: 0 with a system or any verdict, 1 for an error in the input, 2 for wrong usage, 3
/// for a fault of this program.
#[derive(Parser, Debug)]
#[command(name = "c2horn", version, max_term_width = 100)]
pub(crate) struct Args {
    /// The program. Without FILE, or with `-`, it is read from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Solve the system, and print what follows for the program.
    #[arg(long)]
    pub(crate) verify: bool,

    /// Validate the SV-COMP witness in this file, in format 2.0 or 2.1. The property and the data
    /// model are the witness's where no option gives them.
    #[arg(long, value_name = "WITNESS", conflicts_with = "verify")]
    pub(crate) validate: Option<PathBuf>,

    /// Print what abstract interpretation knows of loop heads, in this abstract domain.
    #[arg(long, value_enum, value_name = "DOMAIN", conflicts_with_all = ["verify", "validate"])]
    pub(crate) invariants: Option<DomainArg>,

    /// Write the system to this file instead of standard output.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["verify", "validate", "invariants"])]
    pub(crate) output: Option<PathBuf>,

    /// How to model integers: `unbounded` as mathematical integers, `wrap` modulo powers of two,
    /// `bitvector` as bit-vectors. By default all three are used as needed, so that no run of the
    /// machine contradicts `TRUE`.
    #[arg(long, value_enum, value_name = "MODE")]
    int: Option<IntArg>,

    /// `long` and pointers have 32 bits (the default).
    #[arg(long, conflicts_with = "lp64")]
    ilp32: bool,

    /// `long` and pointers have 64 bits.
    #[arg(long)]
    lp64: bool,

    /// Search this folder for headers; can be given several times.
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,

    /// Define a macro, as 1 without a value; can be given several times.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,

    /// Do not define a macro that the compiler defines; can be given several times.
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,

    /// An SV-COMP property file, which says what to verify.
    #[arg(long, value_name = "FILE")]
    pub(crate) property: Option<PathBuf>,

    /// Ask for these properties, with commas between: `unreach-call`, `memsafety`, `memcleanup`,
    /// `overflow`, `division`, `result`, `undefined`, `termination`, or SV-COMP's names of single
    /// ones.
    #[arg(
        long,
        value_name = "PROPERTIES",
        value_delimiter = ',',
        conflicts_with_all = ["property", "validate"],
        value_parser = property_parser()
    )]
    check: Vec<String>,

    /// After `TRUE` or `FALSE`, write an SV-COMP witness in format 2.1 to this file.
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub(crate) witness: Option<PathBuf>,

    /// After `FALSE`, write the program with the inputs of the run to this file. When it is
    /// compiled and run, it ends with status 42 at the error.
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub(crate) harness: Option<PathBuf>,

    /// How to print the run to the error: `short` leaves out the middle of a long one, `full` does
    /// not. `json` prints the verdict with the run or the invariants as one JSON object, and
    /// nothing else.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "short")]
    pub(crate) trace: TraceFormat,

    /// Do not execute the run before `FALSE` is printed.
    #[arg(long, requires = "verify")]
    pub(crate) no_confirm: bool,

    /// Put functions into their callers up to this many steps in total. Other functions, and
    /// recursive ones, become predicates.
    #[arg(long, value_name = "STEPS")]
    inline: Option<usize>,

    /// The search algorithm, as in `horn-solve`.
    #[arg(long, value_name = "NAME", default_value = Choice::AUTO, value_parser = choice_parser())]
    engine: Choice,

    /// Set an option of an engine, as in `pdr.guidance=off`; can be given several times.
    #[arg(long, value_name = "ENGINE.OPTION=VALUE", value_parser = EngineSettings::checked, long_help = set_help())]
    set: Vec<String>,

    /// Search without preprocessing.
    #[arg(long)]
    no_preprocess: bool,

    /// Leave out this pass of preprocessing, as in `horn-solve`. Can be given several times.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Pass::ALL.map(Pass::name)))]
    disable_pass: Vec<String>,

    /// Answer `UNKNOWN` after this many seconds.
    #[arg(long, value_name = "SECS", value_parser = argument::seconds)]
    pub(crate) timeout: Option<Duration>,

    /// Answer `UNKNOWN` when the program and its solver processes use more resident memory.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// The SMT solver, as in `horn-solve`.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,

    /// Print the size of the system, the work and times to standard error.
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print what the program does. Twice: in detail.
    #[arg(short, long, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum IntArg {
    Unbounded,
    Wrap,
    Bitvector,
}

/// How to print a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TraceFormat {
    /// Without the middle of a long one.
    Short,
    /// All of it.
    Full,
    /// As JSON.
    Json,
}

/// An abstract domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DomainArg {
    /// Intervals of each variable, congruences and linear equations.
    Intervals,
    /// Bounds of sums and differences of two variables as well.
    Octagons,
    /// Linear inequalities of all variables as well.
    Polyhedra,
}

impl DomainArg {
    /// The domain of the library.
    pub(crate) fn domain(self) -> InvariantDomain {
        match self {
            DomainArg::Intervals => InvariantDomain::Intervals,
            DomainArg::Octagons => InvariantDomain::Octagons,
            DomainArg::Polyhedra => InvariantDomain::Polyhedra,
        }
    }
}

impl Args {
    /// The sizes of types, if an option says them.
    pub(crate) fn model(&self) -> Option<DataModel> {
        match (self.lp64, self.ilp32) {
            (true, _) => Some(DataModel::Lp64),
            (false, true) => Some(DataModel::Ilp32),
            (false, false) => None,
        }
    }

    /// The arguments of the preprocessor.
    pub(crate) fn preprocessing(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        let mut add = |option: &str, value: &OsStr| {
            let mut argument = OsString::from(option);
            argument.push(value);
            arguments.push(argument);
        };
        for folder in &self.include {
            add("-I", folder.as_os_str());
        }
        for name in &self.define {
            add("-D", OsStr::new(name));
        }
        for name in &self.undefine {
            add("-U", OsStr::new(name));
        }
        arguments
    }

    /// Is there a first line to be printed that says what was found?
    pub(crate) fn has_verdict(&self) -> bool {
        self.verify || self.validate.is_some() || self.invariants.is_some()
    }

    pub(crate) fn encoding(&self) -> EncodeOptions {
        let default = EncodeOptions::default();
        EncodeOptions {
            ints: match self.int {
                None | Some(IntArg::Unbounded) => IntMode::Unbounded,
                Some(IntArg::Wrap) => IntMode::Wrap,
                Some(IntArg::Bitvector) => IntMode::BitVector,
            },
            inline: self.inline.unwrap_or(default.inline),
            ..default
        }
    }

    /// Does the machine's result count where signed operations overflow? Not if mathematical
    /// integers were chosen.
    pub(crate) fn asks_machine(&self) -> bool {
        self.int.is_none()
    }

    /// The properties that `--check` names.
    pub(crate) fn checks(&self) -> Vec<Property> {
        let words = self.check.iter().filter_map(|word| Property::of_word(word));
        words.flatten().collect()
    }

    /// The options of each search.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options {
            engine: self.engine,
            preprocess: match self.no_preprocess {
                true => transform::Options::none(),
                false => transform::Options::default().with_and_without(&[], &self.disable_pass),
            },
            ..Options::default()
        };
        options.settings.assign_checked(&self.set);
        options
    }

    /// The memory limit in bytes.
    pub(crate) fn memory_bytes(&self) -> Option<u64> {
        self.memory.map(|mb| mb.saturating_mul(1 << 20))
    }
}

/// Properties by name.
fn property_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(Property::words())
}

/// Engines by name.
fn choice_parser() -> impl TypedValueParser<Value = Choice> {
    let names = PossibleValuesParser::new(Choice::all().map(Choice::name));
    names.map(|name| Choice::from_name(&name).expect("only these are possible"))
}
