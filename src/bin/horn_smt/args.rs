//! The options of the command line. One definition each; the text is the help.

use clap::{ArgAction, Parser, ValueEnum};
use horn::os::argument;
use horn::report::StatsFormat;
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` says beside the options.
const AFTER: &str = "\
Commands:
  set-logic, set-option, set-info, declare-*, define-*, assert, push, pop, check-sat,
  check-sat-assuming, get-model, get-value, get-unsat-core, get-unsat-assumptions, get-proof,
  get-interpolants, get-assertions, get-info, echo, reset, reset-assertions, exit;
  Z3's eval, simplify and check-sat-using, whose tactic means nothing.
  Other commands and options of the standard are answered by `unsupported`.

Options of scripts:
  :produce-unsat-cores true   unsat cores over the assertions with a name: (assert (! F :named A))
  :produce-proofs true        proofs, by the embedded core
  :interpolants WHICH         strong (close to the first part, the default), weak, or decomposed
                              (strong, with sums of inequalities taken apart)
  :timeout MILLISECONDS       a limit for each check; `:tlimit-per` is the same
  :rlimit N                   a limit of work for each check, in units of Z3
  :print-success true         `success` after each command without another answer
  Models and unsat assumptions are on by default.

Interpolants, as in SMTInterpol:
  (get-interpolants A (and B C) D)   after `unsat`, two formulas I1 and I2: A implies I1; I1, B and C
                                     imply I2; I2 and D contradict each other. Each has only symbols
                                     that occur on both sides of its place
  (get-interpolants A (B) C)         a tree: parentheses make one more subtree below the next part. A and
                                     B each imply an interpolant, and these two contradict C

Examples:
  horn-smt --stats script.smt2
  echo '(declare-const x Int)(assert (< 3 (* 2 x) 5))(check-sat)(get-model)' | horn-smt
  horn-solve --dump-smt queries system.smt2 && horn-smt --stats=json queries/000-*.smt2 > answers";

/// Runs SMT-LIB 2.6 scripts: satisfiability of formulas, with models, cores, proofs and
/// interpolants.
///
/// Answers go to standard output in the form of the standard. Details of an error, and the reason
/// for `unknown`, go to standard error. An error in the text ends the script. A request without an
/// answer, such as a model after `unsat`, does not.
///
/// Standard input is answered line by line, so that other programs can use this one as a solver.
///
/// Exit status: 0 if the script was run, 1 for an error in the text, 2 for wrong usage, 3 for a
/// fault of this program.
#[derive(Parser, Debug)]
#[command(name = "horn-smt", version, max_term_width = 120, after_long_help = AFTER)]
pub(crate) struct Args {
    /// The script. Without FILE, or with `-`, it is read from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The SMT solver: `native` for the embedded core alone, or `z3`, `cvc5`, a path or a command
    /// line. The default is $HORN_SOLVER, or else the embedded core with an external solver, if
    /// there is one, for what the core does not decide.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,

    /// Answer `unknown` to a check after this many seconds.
    #[arg(long, value_name = "SECS", value_parser = argument::seconds)]
    pub(crate) timeout: Option<Duration>,

    /// Write each query to the solver into this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) dump_smt: Option<PathBuf>,

    /// At the end, print times and the number of checks by answer to standard error, as one line.
    #[arg(long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    stats: Option<StatsArg>,

    /// Print what the program does. Twice: in detail.
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
