//! The command line of Eldarica: `eld [-horn] [-hsmt] [-in] [-t:s] [-ssol] [-cex] … [file]`.

use super::{Ending, Invocation};
use horn::os::status::USAGE_ERROR;
use std::ffi::{OsStr, OsString};

const HELP: &str = "\
Usage: eld [options] file

horn-solve answers here as Eldarica does, to Horn systems in SMT-LIB 2.

  -horn, -hsmt    the input is a Horn system in SMT-LIB, as it is anyway
  -in             read from standard input
  -t:SECONDS      the limit of the whole run
  -ssol           print the model after `sat`, as definitions
  -cex, -scex     print the refutation after `unsat`
  -log            print what the program does
  -portfolio, -sym, -abstract*, -splitClauses:N, -arrayQuans:N and other options that choose how
  to search are accepted

`horn-solve --help` has the options of this program.
";

/// Options that choose how Eldarica searches, as they are or before a colon.
const SEARCH: [&str; 21] = [
    "portfolio",
    "abstract",
    "abstractPO",
    "abstractTO",
    "sym",
    "symDepth",
    "splitClauses",
    "arrayQuans",
    "arrayCloning",
    "noSlicing",
    "noIntervals",
    "disj",
    "dynamic",
    "glb",
    "lbe",
    "pngNo",
    "stac",
    "dynac",
    "unap",
    "tem",
    "cloneArrays",
];

/// The run that the arguments ask for.
pub(super) fn translate(arguments: Vec<OsString>) -> Result<Invocation, Ending> {
    let mut run = Invocation::new();
    run.manner.models.plain = true;
    run.manner.models.single = true;
    run.manner.models.connected = true;
    let drain = arguments.iter().any(|argument| argument == "-in");
    let mut file = None;
    for argument in arguments {
        match argument.to_str().and_then(|text| text.strip_prefix('-')) {
            Some(name) => option(name, drain, &mut run)?,
            None => file = Some(argument),
        }
    }
    match (drain, file) {
        (true, _) => run.push_file(OsStr::new("-")),
        (false, Some(file)) => run.push_file(&file),
        (false, None) => return Err(Ending::with(HELP.to_owned())),
    }
    Ok(run)
}

fn option(name: &str, drain: bool, run: &mut Invocation) -> Result<(), Ending> {
    let (word, value) = match name.split_once(':') {
        Some((word, value)) => (word, Some(value)),
        None => (name, None),
    };
    match (word, value) {
        ("horn" | "hsmt" | "in" | "assert" | "pHints", None) => {}
        ("t", Some(seconds)) if seconds.parse::<u32>().is_ok() => {
            run.push(&["--timeout", seconds]);
        }
        ("ssol", None) => run.push(&["--model"]),
        ("cex", None) => run.push(&["--proof"]),
        ("scex", None) => run.push(&["--proof-format", "smtlib"]),
        ("log", _) => run.push(&["-v"]),
        ("h" | "-help", None) => return Err(Ending::with(HELP.to_owned())),
        ("-version" | "v", None) => {
            let own = env!("CARGO_PKG_VERSION");
            return Err(Ending::with(format!("2.2.0 (horn-solve {own})\n")));
        }
        (word, _) if SEARCH.contains(&word) => run.manner.ignored.push(format!("-{name}")),
        _ => {
            return Err(Ending {
                out: String::new(),
                err: format!("Error: unrecognised option -{name} (use -h for help)\n"),
                status: USAGE_ERROR,
                drain,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_ending, check_run};
    use super::*;

    #[test]
    fn options_become_those_of_this_program() {
        for (given, expected) in [
            ("-horn -t:10 a.smt2", "--timeout 10 -- a.smt2"),
            ("-hsmt -in -t:5 -ssol", "--timeout 5 --model -- -"),
            ("-cex a", "--proof -- a"),
            ("-scex -log a", "--proof-format smtlib -v -- a"),
        ] {
            assert!(check_run(translate, given, expected).models.single);
        }
        let manner = check_run(translate, "-portfolio -abstract:oct a", "-- a");
        assert_eq!(manner.ignored, ["-portfolio", "-abstract:oct"]);
        for (given, status, said) in [
            ("-foo a", USAGE_ERROR, "unrecognised option -foo"),
            ("-t:soon a", USAGE_ERROR, "unrecognised option -t:soon"),
            ("", 0, "Usage: eld"),
            ("-h", 0, "Usage: eld"),
        ] {
            check_ending(translate, given, status, said);
        }
    }
}
