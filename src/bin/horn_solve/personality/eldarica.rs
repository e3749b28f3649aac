//! The command line of Eldarica: `eld [-horn] [-hsmt] [-in] [-t:s] [-ssol] [-cex] … [file]`.

use super::{Ending, Invocation};
use horn::report::OtherProof;
use std::ffi::{OsStr, OsString};

const HELP: &str = "\
Usage: eld [options] file

horn-solve answers here as Eldarica does, to Horn systems in SMT-LIB 2.

  -horn, -hsmt    the input is a Horn system in SMT-LIB, as it is anyway
  -in             read from standard input
  -t:SECONDS      the limit of the whole run
  -ssol           print the model after `sat`, as definitions
  -cex, -scex     print the refutation after `unsat`, in Eldarica's form or in SMT-LIB
  -log            print what the program does
  -portfolio, -sym, -abstract*, -splitClauses:N, -arrayQuans:N and other options that choose how
  to search or what else to print are accepted

`horn-solve --help` has the options of this program.
";

/// Options of Eldarica that mean nothing here, as they are or before a colon: they choose how it
/// searches, or print what this program does not know.
const IGNORED: [&str; 49] = [
    "abstract",
    "abstractPO",
    "abstractTO",
    "arithMode",
    "arrayCloning",
    "arrayQuans",
    "assert",
    "brew",
    "cexSimplified",
    "cloneArrays",
    "dinq",
    "disj",
    "dotCEX",
    "dynac",
    "dynamic",
    "eogCEX",
    "f",
    "fairNIASplitting",
    "glb",
    "heapSolver",
    "hints",
    "lbe",
    "logPreds",
    "logSimplified",
    "logSimplifiedSMT",
    "m",
    "minePredicates",
    "n",
    "noIntervals",
    "noSlicing",
    "p",
    "pHints",
    "pIntermediate",
    "pPredicates",
    "pngNo",
    "portfolio",
    "postHints",
    "princess",
    "sol",
    "solutionReconstruction",
    "sp",
    "splitClauses",
    "stac",
    "statistics",
    "sym",
    "symDepth",
    "tem",
    "unap",
    "verifySolutions",
];

/// The run that the arguments ask for.
pub(super) fn translate(arguments: Vec<OsString>) -> Result<Invocation, Ending> {
    let mut run = Invocation::new();
    run.manner.models.indented = true;
    run.manner.models.connected = true;
    run.manner.solves_at_end = true;
    let mut file = None;
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        match argument.to_str().and_then(|text| text.strip_prefix('-')) {
            Some("in") => file = Some(OsString::from("-")),
            Some("dot") => {
                let drawn = rest.next().unwrap_or_default();
                let drawn = drawn.to_string_lossy();
                run.manner.ignored.push(format!("-dot {drawn}"));
            }
            Some(name) => option(name, &mut run)?,
            None if file.as_deref() == Some(OsStr::new("-")) => {}
            None => file = Some(argument),
        }
    }
    match file {
        Some(file) => run.push_file(&file),
        None => return Err(wrong("no input file given")),
    }
    Ok(run)
}

fn option(name: &str, run: &mut Invocation) -> Result<(), Ending> {
    let (word, value) = match name.split_once(':') {
        Some((word, value)) => (word, Some(value)),
        None => (name, None),
    };
    match (word, value) {
        ("horn" | "hsmt", None) => {}
        ("t", Some(value)) => run.set("--timeout", Some(&seconds(value)?)),
        ("ssol", None) => run.flag("--model"),
        ("cex", None) => refutation(OtherProof::Eldarica, run),
        ("scex", None) => refutation(OtherProof::EldaricaSmt, run),
        ("log", _) => run.flag("-v"),
        ("h" | "-help", None) => return Err(Ending::with(HELP.to_owned())),
        ("-version" | "v", None) => {
            let own = env!("CARGO_PKG_VERSION");
            return Err(Ending::with(format!("2.2.0 (horn-solve {own})\n")));
        }
        (word, _) if IGNORED.contains(&word) => run.manner.ignored.push(format!("-{name}")),
        _ => return Err(wrong(&format!("unrecognized option '-{name}'"))),
    }
    Ok(())
}

/// Asks for the refutation in this form. Eldarica's `-scex` counts beside `-cex`, whichever is
/// last.
fn refutation(form: OtherProof, run: &mut Invocation) {
    run.flag("--proof");
    if run.manner.proofs != Some(OtherProof::EldaricaSmt) {
        run.manner.proofs = Some(form);
    }
}

/// The seconds of `-t:`, as this program takes them. No time at all is over at once.
fn seconds(value: &str) -> Result<String, Ending> {
    match value.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds.max(0.001).to_string()),
        _ => Err(wrong(&format!("For input string: \"{value}\""))),
    }
}

/// Eldarica prints its help and an error to standard output, and ends as after an answer.
fn wrong(what: &str) -> Ending {
    let what = what.replace('"', "\"\"");
    Ending::with(format!("{HELP}(error \"{what}\")\n"))
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
            ("-t:5 -t:1.5 -ssol -ssol a", "--timeout 1.5 --model -- a"),
            ("-t:0 a", "--timeout 0.001 -- a"),
            ("-cex a", "--proof -- a"),
            ("-scex -log a", "--proof -v -- a"),
            ("-in a", "-- -"),
            ("-dot graph a", "-- a"),
        ] {
            assert!(check_run(translate, given, expected).models.indented);
        }
        for (given, form) in [
            ("-cex a", OtherProof::Eldarica),
            ("-cex -scex a", OtherProof::EldaricaSmt),
            ("-scex -cex a", OtherProof::EldaricaSmt),
        ] {
            assert_eq!(
                check_run(translate, given, "--proof -- a").proofs,
                Some(form)
            );
        }
        let manner = check_run(translate, "-portfolio -abstract:oct a", "-- a");
        assert_eq!(manner.ignored, ["-portfolio", "-abstract:oct"]);
        let others = "-sol -n -p -statistics -assert -hints:f -sp -cexSimplified -verifySolutions \
                      -logSimplified -minePredicates";
        let manner = check_run(translate, &format!("{others} a"), "-- a");
        assert_eq!(manner.ignored.join(" "), others);
        for (given, said) in [
            ("-foo a", "(error \"unrecognized option '-foo'\")"),
            ("-t:soon a", "(error \"For input string: \"\"soon\"\"\")"),
            ("", "(error \"no input file given\")"),
            ("-h", "Usage: eld"),
        ] {
            check_ending(translate, given, 0, said);
        }
    }
}
