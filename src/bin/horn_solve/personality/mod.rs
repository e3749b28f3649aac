//! Other solvers' command lines: called by the name of Z3, Eldarica or Golem, this program takes
//! the options of that program and answers as that program does.
//!
//! The name is that of the file by which the program was started, or what `--as NAME` says as the
//! first argument. The options become those of `horn-solve`; what these have no word for is the
//! [`Manner`] of the run.

mod eldarica;
mod golem;
mod z3;

use horn::os::status::DONE;
use horn::os::{SILENCE_BEFORE, drain_stdin};
use horn::report::{ModelForm, OtherProof};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;
pub(crate) use z3::{NO_FILE, OUT_OF_MEMORY, is_horn};

/// The name of this program in its own messages.
const OWN: &str = "horn-solve";

/// Whose command line it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Personality {
    Z3,
    Eldarica,
    Golem,
}

impl Personality {
    /// The names that `--as` takes, and what they stand for.
    const NAMES: [(&str, Option<Personality>); 4] = [
        (OWN, None),
        ("z3", Some(Personality::Z3)),
        ("eld", Some(Personality::Eldarica)),
        ("golem", Some(Personality::Golem)),
    ];

    /// The personality of a program with that name.
    fn of_name(name: &OsStr) -> Option<Personality> {
        let name = name.to_str()?;
        let known = Personality::NAMES.iter().find(|(known, _)| *known == name);
        known.and_then(|&(_, personality)| personality)
    }

    fn translate(self, arguments: Vec<OsString>) -> Result<Invocation, Ending> {
        let drain = self.reads_stdin(&arguments);
        let run = match self {
            Personality::Z3 => z3::translate(arguments),
            Personality::Eldarica => eldarica::translate(arguments),
            Personality::Golem => golem::translate(arguments),
        };
        run.map_err(|ending| Ending { drain, ..ending })
    }

    /// Do the arguments ask for standard input, right or wrong as they may be?
    fn reads_stdin(self, arguments: &[OsString]) -> bool {
        let options: &[&str] = match self {
            Personality::Z3 => &["-in", "--in"],
            Personality::Eldarica => &["-in"],
            Personality::Golem => &["-"],
        };
        let mut given = arguments.iter();
        given.any(|argument| options.iter().any(|option| argument == option))
    }
}

/// A run that another program's command line asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Invocation {
    /// The same as arguments of `horn-solve`, the program's name among them.
    pub(crate) arguments: Vec<OsString>,
    pub(crate) manner: Manner,
}

impl Invocation {
    fn new() -> Self {
        Invocation {
            arguments: vec![OWN.into()],
            manner: Manner {
                models: ModelForm {
                    plain: true,
                    ..ModelForm::default()
                },
                quiet: true,
                ..Manner::default()
            },
        }
    }

    fn push(&mut self, arguments: &[&str]) {
        self.arguments.extend(arguments.iter().map(OsString::from));
    }

    /// Sets an option of `horn-solve` to a value, or takes it away. Of an option that is given
    /// twice the last one counts, as it does for the other programs.
    fn set(&mut self, option: &str, value: Option<&str>) {
        if let Some(place) = self.arguments.iter().position(|given| given == option) {
            self.arguments.drain(place..place + 2);
        }
        if let Some(value) = value {
            self.push(&[option, value]);
        }
    }

    /// Sets an option of `horn-solve` that has no value.
    fn flag(&mut self, option: &str) {
        if !self.arguments.iter().any(|given| given == option) {
            self.push(&[option]);
        }
    }

    /// Adds the file with the input, which may have the name of an option.
    fn push_file(&mut self, file: &OsStr) {
        self.arguments
            .extend([OsString::from("--"), file.to_owned()]);
    }
}

/// How a run differs from one of `horn-solve` beside its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Manner {
    /// What is printed in place of `unknown` where the time of the whole run is over.
    pub(crate) overdue: &'static str,
    /// What is printed in place of `unknown` where the memory is used up.
    pub(crate) exhausted: &'static str,
    /// The limit of each check.
    pub(crate) check_timeout: Option<Duration>,
    /// Is it Z3's? Then scripts that are no Horn systems are run as well, a script goes on after an
    /// error in a command, questions about values and options are answered, and the exit statuses
    /// are Z3's.
    pub(crate) z3: bool,
    /// Is a system decided that no command asks about?
    pub(crate) solves_at_end: bool,
    /// Is nothing written to standard error but what `-v` asks for?
    pub(crate) quiet: bool,
    /// How models are printed.
    pub(crate) models: ModelForm,
    /// How refutations are printed after `unsat`, if this is another program's form.
    pub(crate) proofs: Option<OtherProof>,
    /// Are statistics printed to standard output at the end, as an s-expression?
    pub(crate) statistics: bool,
    /// Parameters that mean nothing here.
    pub(crate) ignored: Vec<String>,
}

impl Default for Manner {
    fn default() -> Self {
        Manner {
            overdue: "unknown",
            exhausted: "unknown",
            check_timeout: None,
            z3: false,
            solves_at_end: false,
            quiet: false,
            models: ModelForm::default(),
            proofs: None,
            statistics: false,
            ignored: Vec::new(),
        }
    }
}

/// The end of a program that does not come to solving: what it prints, and its exit status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ending {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: u8,
    /// Does somebody write to standard input?
    pub(crate) drain: bool,
}

impl Ending {
    /// After this text on standard output.
    fn with(out: String) -> Self {
        Ending {
            out,
            err: String::new(),
            status: DONE,
            drain: false,
        }
    }

    /// With this status, after this text on standard error.
    fn wrong(status: u8, err: String) -> Self {
        Ending {
            out: String::new(),
            err,
            status,
            drain: false,
        }
    }

    /// Prints, and reads what is written to standard input: whoever writes there is not killed by
    /// it. Answers the status.
    pub(crate) fn end(&self) -> u8 {
        // A closed output is not an error here.
        let _ = io::stdout().write_all(self.out.as_bytes());
        let _ = io::stderr().write_all(self.err.as_bytes());
        if self.drain {
            drain_stdin(SILENCE_BEFORE);
        }
        self.status
    }
}

/// What a command line asks for; `None` if it is `horn-solve`'s own. With `--as` these are the
/// arguments without it.
pub(crate) enum CommandLine {
    Own(Vec<OsString>),
    Other(Result<Invocation, Ending>),
}

/// Tells whose command line it is, and translates it. The first argument is the program's name.
pub(crate) fn command_line(arguments: Vec<OsString>) -> CommandLine {
    let mut arguments = arguments;
    let program = match arguments.is_empty() {
        true => OsString::from(OWN),
        false => arguments.remove(0),
    };
    let personality = match named(&mut arguments) {
        Some(name) => match Personality::NAMES.iter().find(|(known, _)| name == *known) {
            Some(&(_, personality)) => personality,
            // The parser of the own command line says which names there are.
            None => {
                let named = [program, OsString::from("--as"), name];
                return CommandLine::Own(named.into_iter().chain(arguments).collect());
            }
        },
        None => Path::new(&program)
            .file_name()
            .and_then(Personality::of_name),
    };
    match personality {
        None => CommandLine::Own([program].into_iter().chain(arguments).collect()),
        Some(personality) => CommandLine::Other(personality.translate(arguments)),
    }
}

/// Takes `--as NAME` or `--as=NAME` away from the beginning.
fn named(arguments: &mut Vec<OsString>) -> Option<OsString> {
    let first = arguments.first()?.to_str()?;
    if let Some(name) = first.strip_prefix("--as=").map(OsString::from) {
        arguments.remove(0);
        return Some(name);
    }
    if first == "--as" && arguments.len() > 1 {
        arguments.remove(0);
        return Some(arguments.remove(0));
    }
    None
}

/// What the tests of all command lines do.
#[cfg(test)]
mod testing {
    use super::{Ending, Invocation, Manner};
    use std::ffi::OsString;

    type Translate = fn(Vec<OsString>) -> Result<Invocation, Ending>;

    pub(super) fn arguments(words: &str) -> Vec<OsString> {
        words.split_whitespace().map(OsString::from).collect()
    }

    /// A command line becomes these arguments of `horn-solve`. Answers the manner.
    #[track_caller]
    pub(super) fn check_run(translate: Translate, given: &str, expected: &str) -> Manner {
        let run = translate(arguments(given)).expect("a right command line");
        let expected = arguments(&format!("horn-solve {expected}"));
        assert_eq!(run.arguments, expected, "{given}");
        run.manner
    }

    /// A command line ends the program at once, with this status, and this is said.
    #[track_caller]
    pub(super) fn check_ending(translate: Translate, given: &str, status: u8, said: &str) {
        let ending = translate(arguments(given)).expect_err("it does not solve");
        let text = format!("{}{}", ending.out, ending.err);
        assert_eq!(ending.status, status, "{given}");
        assert!(text.contains(said), "{given}: {text}");
    }
}
