//! The encoder against a compiler: what a program prints must be what its system says, and nothing
//! else.
//!
//! Each random program is compiled and run. Of each variable at its end, `x == v` must be reachable
//! for the value printed, and anything else must not be, with integers as the machine has them, as
//! the program stands and with its loops unrolled; and with mathematical ones, where no operation
//! is found to leave its type.
//!
//! `C_FUZZ_PROGRAMS` is the number of programs, `C_FUZZ_SEED` the first seed. The `campaign` asks
//! less of each program, and more programs.

mod campaign;
mod expressions;
mod floats;
mod generate;
mod idioms;
mod layouts;
mod library;
mod mixed;

use crate::random::Random;
use crate::tools::tool_found;
use generate::{Program, program};
use horn::cfront::{CProgram, CheckedProperty, DataModel, EncodeOptions, IntMode, RunEnd};
use horn::chc::Answer;
use horn::portfolio::{Control, Options, Stop, solve};
use horn::smt::Backend;
use horn::smt::process::ProcessOptions;
use horn::term::Terms;
use horn::work::milliseconds;
use std::path::Path;
use std::process::Command;

/// Programs are unrolled to at most these steps.
const UNROLLED: usize = 2_000;
/// The budget of each question, in ticks.
const BUDGET: u64 = milliseconds(2_000);

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The values that a program prints.
fn run(directory: &Path, program: &Program) -> Vec<String> {
    let prints: String = (program.variables.iter())
        .map(|v| format!("printf(\"%lld\\n\", (long long)({v}));\n"))
        .collect();
    let text = format!(
        "#include <stdio.h>\n{}int main(void) {{\n{}{prints}return 0;\n}}\n",
        program.before, program.body
    );
    let (source, binary) = (directory.join("p.c"), directory.join("p"));
    std::fs::write(&source, text).expect("the directory can be written");
    let compiled = Command::new("cc")
        .args(["-w", "-fwrapv", "-O0", "-o"])
        .args([&binary, &source])
        .arg("-lm")
        .output()
        .expect("the compiler was found");
    let message = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(
        compiled.status.success(),
        "a program that is no C: {message}"
    );
    let output = Command::new(&binary).output().expect("it was compiled");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect()
}

/// What is asked of a program.
#[derive(Clone, Copy)]
struct Asked {
    ints: IntMode,
    question: CheckedProperty,
    unroll: usize,
}

/// Can the error or the overflow in question be reached, if this is the condition for the error?
/// `None`: not decided.
fn reachable(program: &Program, condition: &str, asked: Asked) -> Option<bool> {
    let text = format!(
        "{}int main(void) {{\n{}if ({condition}) {{ ERROR: return 1; }}\nreturn 0;\n}}\n",
        program.before, program.body
    );
    let read = CProgram::read("fuzz.c", text.as_bytes(), None, DataModel::Lp64);
    let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let terms = Terms::new();
    let options = EncodeOptions {
        ints: asked.ints,
        question: asked.question,
        unroll: asked.unroll,
        ..EncodeOptions::default()
    };
    let encoded = read.encode(&terms, options);
    let (backend, _) =
        Backend::choose(None, ProcessOptions::default()).expect("the embedded core is there");
    let stop = Stop::new();
    let options = Options {
        budget: Some(BUDGET),
        ..Options::default()
    };
    let control = Control::new(&stop);
    match solve(&terms, encoded.system(), &backend, &options, control).answer {
        Answer::Sat(_) => Some(false),
        Answer::Unsat(refutation) => {
            // Some bit operations are over-approximated, and reported as such.
            let run = encoded.run(&refutation).expect("loops are short");
            let wanted = match asked.question {
                CheckedProperty::Overflows => matches!(run.end, RunEnd::Wraps(_)),
                _ => matches!(run.end, RunEnd::Error(..)) && run.overflows.is_empty(),
            };
            (run.approximated.is_empty() && wanted).then_some(true)
        }
        Answer::Unknown(_) => None,
    }
}

/// How the system of a program is made.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// With the integers of the machine.
    Machine,
    /// With these, and loops unrolled.
    Unrolled,
    /// With mathematical integers, and loops unrolled.
    Mathematical,
    /// With bit-vectors, and loops unrolled.
    Bits,
}

const WAYS: &[Way] = &[Way::Machine, Way::Unrolled, Way::Mathematical];
const FLOAT_WAYS: &[Way] = &[Way::Machine, Way::Unrolled, Way::Mathematical, Way::Bits];

/// Can the condition hold at the end of a program? With mathematical integers, only if no operation
/// leaves its type. `None` if that was not decided.
fn answer(program: &Program, condition: &str, way: Way) -> Option<bool> {
    let ask = |ints, question, unroll| {
        let asked = Asked {
            ints,
            question,
            unroll,
        };
        reachable(program, condition, asked)
    };
    let ints = IntMode::Unbounded;
    match way {
        Way::Machine => ask(IntMode::Wrap, CheckedProperty::Errors, 0),
        Way::Unrolled => ask(IntMode::Wrap, CheckedProperty::Errors, UNROLLED),
        Way::Bits => ask(IntMode::BitVector, CheckedProperty::Errors, UNROLLED),
        Way::Mathematical => match ask(ints, CheckedProperty::Overflows, UNROLLED) {
            Some(false) => ask(ints, CheckedProperty::Errors, UNROLLED),
            _ => None,
        },
    }
}

#[test]
fn programs_compute_what_their_systems_say() {
    compare(program, WAYS);
}

#[test]
fn calls_of_the_library_compute_what_their_systems_say() {
    compare(library::program, WAYS);
}

#[test]
fn structures_jumps_and_lists_compute_what_their_systems_say() {
    compare(mixed::program, WAYS);
}

#[test]
fn idioms_compute_what_their_systems_say() {
    compare(idioms::program, WAYS);
}

#[test]
fn floating_point_programs_compute_what_their_systems_say() {
    compare(floats::program, FLOAT_WAYS);
}

/// Compares programs of a generator with their systems.
fn compare(program: impl Fn(&mut Random) -> Program, ways: &[Way]) {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let (first, count) = (number("C_FUZZ_SEED", 1), number("C_FUZZ_PROGRAMS", 12));
    let (mut asked, mut decided) = (0, [0; 4]);
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let program = program(&mut random);
        let values = run(directory.path(), &program);
        for _ in 0..2 {
            let at = random.below(values.len());
            let (variable, value) = (&program.variables[at], &values[at]);
            // `long long` holds what each type has; the most negative number has no literal.
            let value = format!("({value}LL)");
            let is = format!("(long long)({variable}) == {value}");
            for (condition, expected) in [(is.clone(), true), (format!("!({is})"), false)] {
                asked += 1;
                for (&way, count) in ways.iter().zip(&mut decided) {
                    let found = answer(&program, &condition, way);
                    *count += usize::from(found.is_some());
                    assert_eq!(
                        found.unwrap_or(expected),
                        expected,
                        "seed {seed}, {way:?}: `{condition}`\n{}int main(void) {{\n{}}}",
                        program.before,
                        program.body
                    );
                }
            }
        }
    }
    let [machine, unrolled, mathematical, bits] = decided;
    eprintln!(
        "{machine} of {asked} questions decided, {unrolled} unrolled, {mathematical} over mathematical integers, {bits} over bit-vectors"
    );
    // Without an external solver, questions about arrays stay open.
    assert!(
        machine.max(unrolled) * 4 > asked,
        "only {machine} of {asked} questions were decided"
    );
}
