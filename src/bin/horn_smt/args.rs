//! The options of the command line. One definition each; the text is the help.

use clap::{ArgAction, Parser, ValueEnum};
use horn::portfolio::process;
use horn::report::StatsFormat;
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` says beside the options.
const AFTER: &str = "\
Commands:
  set-logic, set-option, set-info, declare-*, define-*, assert, push, pop, check-sat, check-sat-assuming, get-model, get-value,
  get-unsat-core, get-unsat-assumptions, get-proof, get-interpolants, get-assertions, get-info, echo, reset,
  reset-assertions, exit. Other commands and options of the standard are answered by `unsupported`.

Options of scripts:
  :produce-unsat-cores true   cores over the assertions that have a name: (assert (! F :named A))
  :produce-proofs true        proofs, of the embedded solver
  :interpolants WHICH         strong (near to what comes first, the default), weak, or decomposed
                              (strong, with sums of inequalities taken apart)
  :timeout MILLISECONDS       `unknown` after so long, for each check; `:tlimit-per` is the same
  :print-success true         `success` for each command that says nothing else
  Models and unsat assumptions are produced unless they are switched off.

Interpolants, as in SMTInterpol:
  (get-interpolants A (and B C) D)   after `unsat`: I1 and I2, such that A implies I1; I1, B and C imply I2; and I2 and D are
                                     contradictory, each over what both sides of its place speak of

Examples:
  horn-smt --stats script.smt2
  echo '(declare-const x Int)(assert (< 3 (* 2 x) 5))(check-sat)(get-model)' | horn-smt
  horn-solve --dump-smt queries system.smt2 && horn-smt --stats=json queries/000-*.smt2 > answers";

/// Runs SMT-LIB 2.6 scripts: satisfiability of formulas, with models and cores.
///
/// Standard input is answered line by line, so that other programs can use it as a solver.
///
/// Answers go to standard output as the standard says, one for each command that has one: `sat`,
/// `unsat` or `unknown`, a model, or `(error \"…\")`. Where an error is, and why a check was not
/// decided, is said in more detail on standard error. An error in the text of the script ends it; a
/// question that has no answer (a model after `unsat`) does not.
///
/// Exit status: 0 when the script has been run, 1 for an error in the text, 2 for wrong usage, 3
/// for an internal fault.
#[derive(Parser, Debug)]
#[command(name = "horn-smt", version, max_term_width = 120, after_long_help = AFTER)]
pub(crate) struct Args {
    /// The script; `-` or nothing: from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The SMT solver: `native` is the embedded one alone; `z3`, `cvc5`, a path, or a command line
    /// are external ones; otherwise the one in $HORN_SOLVER, else the embedded one, with an
    /// external one from `.tools/bin` or the search path for queries that it does not decide.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,

    /// Answer `unknown` to a check after this many seconds.
    #[arg(long, value_name = "SECS", value_parser = process::seconds)]
    pub(crate) timeout: Option<Duration>,

    /// Write the solver's queries into this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) dump_smt: Option<PathBuf>,

    /// At the end, print times and the number of checks by their answers to standard error, as one
    /// line.
    #[arg(long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    stats: Option<StatsArg>,

    /// Report progress on standard error; twice: in detail.
    #[arg(short, long, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StatsArg {
    Text,
    Json,
}

impl Args {
    /// The form of statistics, if there are to be any.
    pub(crate) fn stats(&self) -> Option<StatsFormat> {
        self.stats.map(|format| match format {
            StatsArg::Text => StatsFormat::Text,
            StatsArg::Json => StatsFormat::Json,
        })
    }
}
