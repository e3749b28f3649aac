//! The options of the command line. One definition each; the text is the help.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, CommandFactory, Parser, ValueEnum};
use horn::engine::EngineSettings;
use horn::os::{Jobs, argument};
use horn::portfolio::{CheckMode, Choice, Options};
use horn::report::tables::{Table, set_help};
use horn::report::{ProgressForm, ProofFormat, StatsFormat};
use horn::transform::{self, Pass};
use std::ffi::OsString;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Decides whether a system of constrained Horn clauses has a model.
///
/// The first line on standard output is the verdict: `sat`, `unsat` or `unknown`. Every `sat` has a
/// model and every `unsat` a refutation, and both were checked. Diagnostics go to standard error.
///
/// Exit status: 0 with any verdict, 1 for an error in the input, 2 for wrong usage, 3 for a fault
/// of this program.
#[derive(Parser, Debug)]
#[command(name = "horn-solve", version, max_term_width = 100)]
pub(crate) struct Args {
    /// The system in SMT-LIB 2. Without FILE, or with `-`, it is read from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The search algorithm.
    #[arg(long, value_name = "NAME", default_value = Choice::AUTO, value_parser = choice_parser())]
    engine: Choice,

    /// Run up to N engines of `auto` at the same time, each on its own thread. 0 stands for the
    /// number of processors. With more than one, the certificate can differ from run to run.
    #[arg(long, value_name = "N", default_value = "1", value_parser = argument::jobs)]
    jobs: Jobs,

    /// Answer `unknown` after this many seconds.
    #[arg(long, value_name = "SECS", value_parser = argument::seconds)]
    pub(crate) timeout: Option<Duration>,

    /// Answer `unknown` to a check after this much work. A second of a present machine has about
    /// 20,000,000 ticks. Unlike a time, a number of ticks makes the answer a function of the input.
    #[arg(long, value_name = "N")]
    pub(crate) ticks: Option<u64>,

    /// Answer `unknown` when the program and its solver processes use more resident memory.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// After `sat`, print the model: one list of `define-fun`. With `minimal` without the conjuncts
    /// that no clause needs.
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "full")]
    pub(crate) model: Option<ModelArg>,

    /// After `sat`, print the names of the clauses for which the model has to say something, and of
    /// the predicates that it says nothing is derivable about. After `unsat`, print the names of
    /// the clauses in the refutation.
    #[arg(long)]
    pub(crate) core: bool,

    /// After `unsat`, print the refutation.
    #[arg(long)]
    proof: bool,

    /// After `unsat`, print the refutation in this format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    proof_format: Option<ProofArg>,

    /// After `sat` or `unsat`, write the certificate into this directory, as files that other
    /// programs can check. The certificates of later checks of a script are in its directories `2`,
    /// `3`, and so on.
    #[arg(long, value_name = "DIR")]
    pub(crate) certificate: Option<PathBuf>,

    /// Write a graph for Graphviz (`dot`) about the last check into this file: the refutation after
    /// `unsat`, otherwise the graph of the clauses.
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,

    /// Write a page for a browser about the last check into this file: the graph of the clauses,
    /// the invariants or the refutation, and what the work was spent on.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// After a check, write what was proved of everything derivable into this file, as clauses.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_lemmas: Option<PathBuf>,

    /// Begin with the lemmas in this file. None of them need be true: what holds of them together
    /// is used.
    #[arg(long, value_name = "FILE")]
    pub(crate) use_lemmas: Option<PathBuf>,

    /// The SMT solver: `native` for the embedded core alone, or `z3`, `cvc5`, a path or a command
    /// line. The default is $HORN_SOLVER, or else the embedded core with an external solver, if
    /// there is one, for what the core does not decide.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,

    /// What to do with a verdict whose certificate could not be checked in time: `strict` makes it
    /// `unknown`, `lenient` prints it with a note.
    #[arg(long, value_enum, default_value_t)]
    check: CheckArg,

    /// Have models checked by these solvers as well, for example `z3,cvc5`.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) check_with: Vec<String>,

    /// Write each query to the SMT solver, and a refused certificate, into this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) dump_smt: Option<PathBuf>,

    /// Only read the system. Print its class and size.
    #[arg(long)]
    pub(crate) parse_only: bool,

    /// Only read the system. Print the graph of its clauses for Graphviz (`dot`).
    #[arg(long, conflicts_with_all = ["parse_only", "print_preprocessed"])]
    pub(crate) print_graph: bool,

    /// Write the graph of abstract states of the engine that ran last for Graphviz (`dot`) to this
    /// file. The engines `predicates`, `impact`, `splitting` and `trace` build one, of the
    /// preprocessed system.
    #[arg(long, value_name = "FILE")]
    pub(crate) print_arg: Option<PathBuf>,

    /// Solve the system without preprocessing.
    #[arg(long)]
    no_preprocess: bool,

    /// Leave out this pass of preprocessing. Can be given several times.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Pass::ALL.map(Pass::name)))]
    disable_pass: Vec<String>,

    /// Apply this pass of preprocessing, which is off by default. Can be given several times.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Pass::ALL.map(Pass::name)))]
    enable_pass: Vec<String>,

    /// Set an option of an engine, as in `pdr.guidance=off`; can be given several times.
    #[arg(long, value_name = "ENGINE.OPTION=VALUE", value_parser = EngineSettings::checked, long_help = set_help())]
    set: Vec<String>,

    /// Only preprocess the system. Print the result as SMT-LIB: the last one, or with `all` the
    /// result of each pass, separated by `(reset)`.
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "last")]
    pub(crate) print_preprocessed: Option<PrintArg>,

    /// Take the options of another solver, and answer as it does: `z3`, `eld` or `golem`. This must
    /// be the first argument. It is the default if the program's file has that name.
    #[arg(long = "as", value_name = "NAME", value_parser = ["horn-solve", "z3", "eld", "golem"])]
    misplaced_name: Option<String>,

    /// Print statistics to standard error.
    #[arg(long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    stats: Option<StatsArg>,

    /// How to show on standard error how far the engines are.
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    progress: ProgressArg,

    /// Print a table of the documentation, as Markdown.
    #[arg(long, value_name = "TABLE", hide = true, value_parser = PossibleValuesParser::new(Table::ALL.map(Table::name)))]
    print_table: Option<String>,

    /// Print what the engines do. Twice: in detail.
    #[arg(short, long, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PrintArg {
    Last,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ModelArg {
    /// All that was proved.
    Full,
    /// The conjuncts that a proof needs.
    Minimal,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ProgressArg {
    /// As `line` if standard error is a terminal, otherwise as `none`.
    #[default]
    Auto,
    /// Nothing.
    None,
    /// A live line.
    Line,
    /// A JSON object on a line for itself, at each new depth and at most ten times a second.
    Json,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum CheckArg {
    #[default]
    Strict,
    Lenient,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProofArg {
    /// Text for people. The default after `--proof`.
    Text,
    /// One JSON object.
    Json,
    /// One s-expression, as Z3 prints it. The default of `get-proof`.
    Smtlib,
    /// A graph of the facts for Graphviz.
    Dot,
    /// A proof for checkers of the format Alethe, where arithmetic is linear.
    Alethe,
}

impl From<ProofArg> for ProofFormat {
    fn from(format: ProofArg) -> ProofFormat {
        match format {
            ProofArg::Text => ProofFormat::Text,
            ProofArg::Json => ProofFormat::Json,
            ProofArg::Smtlib => ProofFormat::Smtlib,
            ProofArg::Dot => ProofFormat::Dot,
            ProofArg::Alethe => ProofFormat::Alethe,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StatsArg {
    Text,
    Json,
}

impl Args {
    /// The options of a command line, whose first argument is the program's name. A first `--as`
    /// has been taken away.
    ///
    /// # Errors
    /// What is wrong with it, or the text that it asks for.
    pub(crate) fn of(arguments: Vec<OsString>) -> Result<Args, clap::Error> {
        let args = Args::try_parse_from(arguments)?;
        match args.misplaced_name {
            None => Ok(args),
            Some(_) => {
                let message = "--as must be the first argument";
                Err(Args::command().error(ErrorKind::ArgumentConflict, message))
            }
        }
    }

    /// The library's options. The limits of time and memory are not among them: they hold for the
    /// whole run.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options {
            preprocess: self.preprocess(),
            engine: self.engine,
            check: match self.check {
                CheckArg::Strict => CheckMode::Strict,
                CheckArg::Lenient => CheckMode::Lenient,
            },
            jobs: self.jobs,
            budget: self.ticks,
            invariants: self.wants_invariants(),
            graph: self.print_arg.is_some(),
            ..Options::default()
        };
        options.settings.assign_checked(&self.set);
        options
    }

    /// Are invariants wanted if there is no verdict?
    fn wants_invariants(&self) -> bool {
        let files = [&self.report, &self.save_lemmas];
        let shown = self.model.is_some() || self.stats.is_some();
        shown || files.into_iter().any(Option::is_some)
    }

    /// The passes of preprocessing.
    pub(crate) fn preprocess(&self) -> transform::Options {
        if self.no_preprocess {
            return transform::Options::none();
        }
        transform::Options::default().with_and_without(&self.enable_pass, &self.disable_pass)
    }

    /// Does the input come from standard input?
    pub(crate) fn is_stdin(&self) -> bool {
        self.file
            .as_deref()
            .is_none_or(|file| file == Path::new("-"))
    }

    /// Is there something to be done that needs no solver, instead of solving?
    pub(crate) fn only_reads(&self) -> bool {
        self.parse_only || self.print_graph || self.print_preprocessed.is_some()
    }

    /// How progress is shown.
    pub(crate) fn progress(&self) -> ProgressForm {
        match self.progress {
            ProgressArg::Auto if stderr().is_terminal() => ProgressForm::Line,
            ProgressArg::Auto | ProgressArg::None => ProgressForm::None,
            ProgressArg::Line => ProgressForm::Line,
            ProgressArg::Json => ProgressForm::Json,
        }
    }

    /// The memory limit in bytes.
    pub(crate) fn memory_bytes(&self) -> Option<u64> {
        self.memory
            .map(|megabytes| megabytes.saturating_mul(1 << 20))
    }

    /// The table of the documentation that is to be printed instead of solving.
    pub(crate) fn table(&self) -> Option<Table> {
        self.print_table.as_deref().and_then(Table::from_name)
    }

    /// The form of refutations, if they are to be printed after `unsat`.
    pub(crate) fn proof(&self) -> Option<ProofFormat> {
        let wanted = self.proof_format.map(ProofFormat::from);
        wanted.or(self.proof.then_some(ProofFormat::Text))
    }

    /// The form in which `get-proof` prints.
    pub(crate) fn get_proof(&self) -> ProofFormat {
        self.proof_format
            .map_or(ProofFormat::Smtlib, ProofFormat::from)
    }

    /// The form of statistics, if there are to be any.
    pub(crate) fn stats(&self) -> Option<StatsFormat> {
        self.stats.map(|format| match format {
            StatsArg::Text => StatsFormat::Text,
            StatsArg::Json => StatsFormat::Json,
        })
    }
}

/// Engines by name.
fn choice_parser() -> impl TypedValueParser<Value = Choice> {
    let names = PossibleValuesParser::new(Choice::all().map(possible_choice));
    names.map(|name| Choice::from_name(&name).expect("only these are possible"))
}

/// A choice with its help.
fn possible_choice(choice: Choice) -> PossibleValue {
    PossibleValue::new(choice.name()).help(choice.about())
}
