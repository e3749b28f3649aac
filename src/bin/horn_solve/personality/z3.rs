//! The command line of Z3: `z3 [-in] [-smt2] [-model] [-T:s] [-t:ms] … [name=value …] [file]`.

use super::{Ending, Invocation};
use horn::smtlib::TICKS_OF_RLIMIT;
use std::ffi::{OsStr, OsString};
use std::time::Duration;

/// The version of Z3 whose options and answers these are.
const VERSION: &str = "4.15.0";
/// The exit status of Z3 after a wrong option.
const WRONG_OPTION: u8 = 109;
/// The exit status of Z3 after a wrong parameter.
const WRONG_PARAMETER: u8 = 110;
/// The exit status of Z3 where the input cannot be opened.
pub(crate) const NO_FILE: u8 = 108;
/// The exit status of Z3 where the memory is used up.
pub(crate) const OUT_OF_MEMORY: u8 = 101;
/// The options that need a value, with what Z3 calls it.
const WITH_VALUES: [(&str, &str); 4] = [
    ("T", "T:timeout"),
    ("t", "t:timeout"),
    ("memory", "memory:val"),
    ("v", "v:level"),
];

const HELP: &str = "\
Usage: z3 [options] [-file:]file

horn-solve answers here as Z3 does, to Horn systems and to SMT-LIB scripts.

  -smt2           the input is SMT-LIB 2, as it is anyway
  -in             read from standard input
  -model          print a model after `sat`
  -T:SECONDS      the limit of the whole run
  -t:MILLISECONDS the limit of each check
  -memory:MB      the limit of memory
  -st             print statistics
  -v:LEVEL        print what the program does
  -version        print the version
  rlimit=N        the limit of work
  timeout=N       the limit of each check, in milliseconds
  NAME=VALUE      other parameters are accepted; `-v:1` names them

`horn-solve --help` has the options of this program.
";

/// The run that the arguments ask for.
pub(super) fn translate(arguments: Vec<OsString>) -> Result<Invocation, Ending> {
    let mut run = Invocation::new();
    run.manner.overdue = "timeout";
    run.manner.exhausted = "(error \"out of memory\")";
    run.manner.z3 = true;
    run.manner.models.connected = true;
    let mut stdin = false;
    let mut file = None;
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            let name: Vec<OsString> = rest.collect();
            file = file.or(Some(name.join(OsStr::new(" "))));
            break;
        }
        if argument == "-in" || argument == "--in" {
            stdin = true;
            continue;
        }
        let taken = match argument.to_str() {
            Some(text) => option(text, &mut run)?,
            None => false,
        };
        if taken {
            continue;
        }
        match argument.to_str().filter(|text| text.starts_with('-')) {
            Some(text) if !text.starts_with("-file:") => {
                return Err(usage(&format!("invalid command line option: {text}")));
            }
            // Of several files the first one counts.
            Some(text) => file = file.or(Some(OsString::from(&text["-file:".len()..]))),
            None => file = file.or(Some(argument)),
        }
    }
    match (stdin, file) {
        (true, _) => run.push_file(OsStr::new("-")),
        (false, Some(file)) => run.push_file(&file),
        (false, None) => return Err(usage("input file was not specified.")),
    }
    Ok(run)
}

/// Takes an option or a parameter; `false` if it is neither, or is not known.
fn option(text: &str, run: &mut Invocation) -> Result<bool, Ending> {
    // Z3 takes options with one dash or two, and `/` in place of a dash on Windows only.
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-'));
    let Some(name) = name else {
        return Ok(match text.split_once('=') {
            Some((name, value)) => parameter(name, value, run)?,
            None => false,
        });
    };
    let (name, value) = match name.split_once(':') {
        Some((name, value)) => (name, Some(value)),
        None => (name, None),
    };
    match (name, value) {
        ("h" | "?" | "help", None) => return Err(Ending::with(HELP.to_owned())),
        ("version", None) => {
            let own = env!("CARGO_PKG_VERSION");
            let text = format!("Z3 version {VERSION} - 64 bit (horn-solve {own})\n");
            return Err(Ending::with(text));
        }
        ("smt2" | "nw", None) => {}
        ("model", None) => run.flag("--model"),
        ("st", None) => run.manner.statistics = true,
        ("T", Some(value)) => {
            let seconds = argument("T", value)?;
            let limit = (seconds > 0).then(|| seconds.to_string());
            run.set("--timeout", limit.as_deref());
        }
        ("t", Some(value)) => run.manner.check_timeout = milliseconds("timeout", value)?,
        ("memory", Some(value)) => memory(value, run)?,
        ("v", Some(value)) => verbosity(argument("v", value)?, run),
        (word, None) => match WITH_VALUES.iter().find(|(known, _)| *known == word) {
            Some((_, value)) => {
                return Err(usage(&format!("option argument (-{value}) is missing.")));
            }
            None => return Ok(false),
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// Takes a parameter. All are accepted, as far as their values are read.
fn parameter(name: &str, value: &str, run: &mut Invocation) -> Result<bool, Ending> {
    let is_name = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if !name.split('.').all(is_name) {
        return Ok(false);
    }
    let text = format!("{name}={value}");
    match name {
        "rlimit" => {
            let units = number(name, value)?;
            let ticks = units.saturating_mul(TICKS_OF_RLIMIT).to_string();
            run.set("--ticks", (units > 0).then_some(&ticks));
        }
        "timeout" => run.manner.check_timeout = milliseconds(name, value)?,
        "memory_max_size" => memory(value, run)?,
        "verbose" => verbosity(number(name, value)?, run),
        _ => run.manner.ignored.push(text),
    }
    Ok(true)
}

/// Z3 takes 0 and the largest 32-bit number for no limit.
fn milliseconds(name: &str, value: &str) -> Result<Option<Duration>, Ending> {
    let limit = number(name, value)?;
    let is_none = limit == 0 || limit >= u64::from(u32::MAX);
    Ok((!is_none).then(|| Duration::from_millis(limit)))
}

fn memory(value: &str, run: &mut Invocation) -> Result<(), Ending> {
    let limit = number("memory_max_size", value)?;
    let limit = (limit > 0).then(|| limit.to_string());
    run.set("--memory", limit.as_deref());
    Ok(())
}

fn verbosity(level: u64, run: &mut Invocation) {
    let flags = ["-v", "-vv"];
    run.arguments
        .retain(|given| !flags.iter().any(|flag| given == flag));
    if let Some(level) = level.checked_sub(1) {
        let place = usize::try_from(level).unwrap_or(usize::MAX);
        run.push(&[flags[place.min(flags.len() - 1)]]);
    }
}

/// The number after an option of Z3's own. It is 0 where there is none behind the colon.
fn argument(option: &str, value: &str) -> Result<u64, Ending> {
    match value {
        "" => Ok(0),
        _ => value.parse().map_err(|_| {
            usage(&format!(
                "invalid argument for -{option} option, it must be a non-negative integer."
            ))
        }),
    }
}

/// The value of a parameter, which some options set.
fn number(name: &str, value: &str) -> Result<u64, Ending> {
    value.parse().map_err(|_| {
        let message = match value {
            "" => format!("ERROR: invalid value '' for unsigned int parameter '{name}'\n"),
            _ => format!(
                "ERROR: Expected values for parameter {name} is an unsigned integer. It was given \
                 argument '{value}'\n"
            ),
        };
        Ending::wrong(WRONG_PARAMETER, message)
    })
}

fn usage(what: &str) -> Ending {
    let message = format!("Error: {what}\nFor usage information: z3 -h\n");
    Ending::wrong(WRONG_OPTION, message)
}

/// Is the script whose beginning this is a Horn system? `None` if that is still open: options and
/// comments do not tell it.
///
/// It is one if it sets the logic `HORN`, or if it is in Z3's rule dialect.
pub(crate) fn is_horn(text: &str) -> Option<bool> {
    let mut depth = 0_u64;
    // The words of the outermost command so far: two tell.
    let mut words: Vec<&str> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = match first {
            '(' => {
                depth += 1;
                1
            }
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    words.clear();
                }
                1
            }
            ';' => rest.find('\n')?,
            '"' | '|' => rest[1..].find(first)? + 2,
            _ => rest.find(|c: char| c.is_whitespace() || "();\"|".contains(c))?,
        };
        if !matches!(first, '(' | ')' | ';') && depth == 1 {
            words.push(&rest[..length]);
            match words[..] {
                ["set-logic", logic] => return Some(logic.trim_matches('|') == "HORN"),
                ["declare-rel" | "declare-var" | "rule" | "query"] => return Some(true),
                [
                    "set-logic" | "set-option" | "set-info" | "get-info" | "echo" | "push" | "pop"
                    | "reset",
                    ..,
                ] => {}
                _ => return Some(false),
            }
        }
        rest = &rest[length..];
    }
}

#[cfg(test)]
mod tests {
    use super::super::Personality;
    use super::super::testing::{arguments, check_ending, check_run};
    use super::*;

    #[test]
    fn options_become_those_of_this_program() {
        for (given, expected) in [
            ("a.smt2", "-- a.smt2"),
            ("-smt2 -in", "-- -"),
            ("-file:a.smt2 -model", "--model -- a.smt2"),
            ("-T:5 -memory:100 x", "--timeout 5 --memory 100 -- x"),
            ("-T:0 -v:0 x", "-- x"),
            ("-v:1 -v:7 x", "-vv -- x"),
            ("-T:5 -model -T:6 -model x", "--model --timeout 6 -- x"),
            ("-T:5 -T: x y", "-- x"),
            ("rlimit=0 rlimit=1000 -in", "--ticks 2000 -- -"),
            ("rlimit=1000 rlimit=0 -in", "-- -"),
            ("-memory:5 memory_max_size=7 x", "--memory 7 -- x"),
            ("-- -foo", "-- -foo"),
        ] {
            check_run(translate, given, expected);
        }
        let given = "-in -st -t:250 fp.spacer.mbqi=false rewriter.pull_cheap_ite=true";
        let manner = check_run(translate, given, "-- -");
        assert_eq!(manner.check_timeout, Some(Duration::from_millis(250)));
        assert_eq!(
            manner.ignored,
            ["fp.spacer.mbqi=false", "rewriter.pull_cheap_ite=true"]
        );
        assert!(manner.statistics && manner.z3 && manner.quiet);
        assert_eq!(manner.overdue, "timeout");
    }

    #[test]
    fn what_ends_the_program_at_once() {
        for (given, status, said) in [
            ("-foo x", WRONG_OPTION, "invalid command line option: -foo"),
            ("", WRONG_OPTION, "input file was not specified"),
            ("-T:soon x", WRONG_OPTION, "invalid argument for -T option"),
            ("-v:x y", WRONG_OPTION, "invalid argument for -v option"),
            ("-t x", WRONG_OPTION, "option argument (-t:timeout) is"),
            (
                "-t:x y",
                WRONG_PARAMETER,
                "parameter timeout is an unsigned",
            ),
            ("-t: y", WRONG_PARAMETER, "invalid value '' for"),
            ("rlimit=x y", WRONG_PARAMETER, "It was given argument 'x'"),
            (
                "-memory:x y",
                WRONG_PARAMETER,
                "parameter memory_max_size is",
            ),
            ("-version", 0, "Z3 version "),
            ("-h", 0, "Usage: z3"),
        ] {
            check_ending(translate, given, status, said);
        }
        for (given, drains) in [
            ("-in -foo", true),
            ("-in rlimit=x", true),
            ("-foo x", false),
        ] {
            let ending = Personality::Z3.translate(arguments(given));
            assert_eq!(ending.expect_err("it is wrong").drain, drains, "{given}");
        }
    }

    #[test]
    fn horn_systems_are_told_from_other_scripts() {
        for (text, expected) in [
            ("(set-option :timeout 5)\n(set-logic HORN)", Some(true)),
            ("; (set-logic QF_LIA)\n(set-logic |HORN|)\n", Some(true)),
            ("(set-info :source |(a) \" b|)(set-logic ALL)", Some(false)),
            ("(declare-rel p (Int))", Some(true)),
            ("(declare-fun p (Int) Bool)", Some(false)),
            ("(echo \"(set-logic HORN)\")(assert true)", Some(false)),
            ("(set-option :a b)\n", None),
            ("(set-logic", None),
            ("", None),
        ] {
            assert_eq!(is_horn(text), expected, "{text}");
        }
    }
}
