//! The command line of Golem: `golem [-l LOGIC] [-e ENGINE] [--print-witness] … [-i] file`.

use super::{Ending, Invocation};
use horn::os::status::USAGE_ERROR;
use horn::report::OtherProof;
use std::ffi::OsString;

const HELP: &str = "\
Usage: golem [options] [-i] file

horn-solve answers here as Golem does, to Horn systems in SMT-LIB 2.

  -l, --logic NAME       the logic of constraints; it is read off the system anyway
  -e, --engine NAME      the engine: bmc, dar, imc, kind, lawi, pa, pdkind, se, spacer, split-tpa,
                         tpa, trl; others and lists become `auto`
  --validate             certificates are checked anyway
  --print-witness        print the model or the refutation
  --proof-format NAME    of the refutation: legacy, intermediate or alethe
  -i, --input FILE       the input
  -v                     print what the program does
  --version              print the version

`horn-solve --help` has the options of this program.
";

/// Engines of Golem, and the engines here that do the same.
const ENGINES: [(&str, &[&str]); 12] = [
    ("bmc", &["--engine", "bmc"]),
    ("dar", &["--engine", "dar"]),
    ("imc", &["--engine", "imc"]),
    ("kind", &["--engine", "kind"]),
    ("lawi", &["--engine", "impact"]),
    ("pa", &["--engine", "predicates"]),
    ("pdkind", &["--engine", "pdkind"]),
    ("se", &["--engine", "bmc", "--set", "bmc.merge=separate"]),
    ("spacer", &["--engine", "pdr"]),
    ("split-tpa", &["--engine", "split-tpa"]),
    ("tpa", &["--engine", "tpa"]),
    ("trl", &["--engine", "trl"]),
];
/// Engines of Golem without a counterpart.
const OTHERS: [&str; 3] = ["auto", "ic3ia", "uroboros"];
/// Options that mean nothing here and have a value, which may be the next argument.
const WITH_VALUES: [&str; 14] = [
    "--flow",
    "--lra-itp-algorithm",
    "--spacer.conjecture-trigger",
    "--spacer.max-lemmas-cc",
    "--spacer.max-pobs-cc",
    "--spacer.maypo-gas",
    "--spacer.maypo-trigger",
    "--spacer.min-pobs-cc",
    "--termination-backend",
    "--tpa.max-lemmas-cc",
    "--tpa.max-pobs-cc",
    "--tpa.maypo-gas",
    "--tpa.maypo-trigger",
    "--tpa.min-pobs-cc",
];

/// The run that the arguments ask for.
pub(super) fn translate(arguments: Vec<OsString>) -> Result<Invocation, Ending> {
    let mut run = Invocation::new();
    let mut witness = false;
    let mut format = OwnOr::Other(OtherProof::GolemLegacy);
    let mut file = None;
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_str().unwrap_or_default();
        let (name, mut value) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (text, None),
        };
        let mut value = |what: &str| -> Result<String, Ending> {
            let own = value.take();
            let next = || rest.next().and_then(|next| next.into_string().ok());
            own.or_else(next)
                .ok_or_else(|| wrong(&format!("{what} needs a value")))
        };
        match name {
            "-h" | "--help" => return Err(Ending::with(HELP.to_owned())),
            "--version" => {
                let own = env!("CARGO_PKG_VERSION");
                return Err(Ending::with(format!("Golem 0.9.0 (horn-solve {own})\n")));
            }
            "-l" | "--logic" => run.manner.ignored.push(format!("-l {}", value(name)?)),
            "-e" | "--engine" => engine(&value(name)?, &mut run)?,
            "-i" | "--input" => file = Some(OsString::from(value(name)?)),
            "--validate" => {}
            "--print-witness" => witness = true,
            "--proof-format" => format = proof_format(&value(name)?)?,
            "-v" | "--verbose" => run.flag("-v"),
            "--as" => return Err(wrong("--as must be the first argument")),
            _ if WITH_VALUES.contains(&name) => {
                let given = value(name)?;
                run.manner.ignored.push(format!("{name} {given}"));
            }
            _ if name.starts_with("--") && name.len() > 2 => {
                run.manner.ignored.push(text.to_owned());
            }
            _ if name.starts_with('-') && name.len() > 1 => {
                return Err(wrong(&format!("invalid option {name}")));
            }
            _ => file = Some(argument),
        }
    }
    let file = file.ok_or_else(|| wrong("no input file"))?;
    if witness {
        print_witness(format, &mut run);
    }
    run.push_file(&file);
    Ok(run)
}

/// A form of refutations.
enum OwnOr {
    /// Golem's.
    Other(OtherProof),
    /// A format of `horn-solve`, by its name.
    Own(&'static str),
}

/// Has the model or the refutation printed.
fn print_witness(format: OwnOr, run: &mut Invocation) {
    run.flag("--model");
    match format {
        OwnOr::Own(name) => run.set("--proof-format", Some(name)),
        OwnOr::Other(form) => {
            run.flag("--proof");
            run.manner.proofs = Some(form);
        }
    }
}

fn engine(name: &str, run: &mut Invocation) -> Result<(), Ending> {
    // The last engine counts.
    run.set("--engine", None);
    run.set("--set", None);
    if let Some((_, arguments)) = ENGINES.iter().find(|(known, _)| *known == name) {
        run.push(arguments);
        return Ok(());
    }
    // A list of engines is a portfolio.
    let are_known = name
        .split(',')
        .all(|name| OTHERS.contains(&name) || ENGINES.iter().any(|(known, _)| *known == name));
    match are_known {
        true => run.manner.ignored.push(format!("-e {name}")),
        false => return Err(wrong(&format!("unknown engine {name}"))),
    }
    Ok(())
}

fn proof_format(name: &str) -> Result<OwnOr, Ending> {
    match name {
        "legacy" => Ok(OwnOr::Other(OtherProof::GolemLegacy)),
        "intermediate" => Ok(OwnOr::Other(OtherProof::GolemIntermediate)),
        "alethe" => Ok(OwnOr::Own("alethe")),
        _ => Err(wrong(&format!("unknown proof format {name}"))),
    }
}

fn wrong(what: &str) -> Ending {
    Ending::wrong(USAGE_ERROR, format!("golem: {what}\n"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_ending, check_run};
    use super::*;

    #[test]
    fn options_become_those_of_this_program() {
        for (given, expected) in [
            ("-l QF_LIA -e spacer a", "--engine pdr -- a"),
            ("--engine=lawi --input=a", "--engine impact -- a"),
            ("--print-witness -i a -v", "-v --model --proof -- a"),
            ("-e se --engine spacer a", "--engine pdr -- a"),
            ("-e tpa -e auto a", "-- a"),
            ("-e split-tpa --validate a", "--engine split-tpa -- a"),
            ("-e ic3ia --force-ts a", "-- a"),
            ("--tpa.maypo-gas 5 --spacer.cc=no a", "-- a"),
            ("--tpa.maypo-gas=5 --flow backward a", "-- a"),
            ("-e spacer,bmc --tpa.cc=true a", "-- a"),
            ("--proof-format legacy a", "-- a"),
            ("--proof-format=alethe a", "-- a"),
            (
                "--print-witness --proof-format=alethe a",
                "--model --proof-format alethe -- a",
            ),
        ] {
            check_run(translate, given, expected);
        }
        for (given, form) in [
            ("", OtherProof::GolemLegacy),
            ("--proof-format legacy", OtherProof::GolemLegacy),
            ("--proof-format intermediate", OtherProof::GolemIntermediate),
        ] {
            let given = format!("--print-witness {given} a");
            let manner = check_run(translate, &given, "--model --proof -- a");
            assert_eq!(manner.proofs, Some(form));
        }
        for (given, said) in [
            ("-e foo a", "unknown engine foo"),
            ("-e", "-e needs a value"),
            ("-x a", "invalid option -x"),
            ("--proof-format warp a", "unknown proof format warp"),
            ("--validate", "no input file"),
            ("a --as z3", "--as must be the first argument"),
        ] {
            check_ending(translate, given, USAGE_ERROR, said);
        }
    }
}
