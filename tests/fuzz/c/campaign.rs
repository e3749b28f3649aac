//! A campaign over programs of all generators.
//!
//! Of each program, one question in two forms: whether its whole state at the end can be the one
//! that the compiled program prints, and whether it can be another. The integers of the encoding
//! and whether loops are unrolled are drawn for each program.

use super::generate::{self, Program};
use super::{Way, answer, idioms, library, mixed, number, run};
use crate::random::Random;
use crate::tools::tool_found;

/// The figures of a campaign.
#[derive(Debug, Default)]
struct Tally {
    programs: usize,
    questions: usize,
    decided: usize,
    unrolled: usize,
    mathematical: usize,
}

/// What a program must have at its end, by the values that it prints.
fn state(program: &Program, values: &[String]) -> String {
    let parts = program.variables.iter().zip(values);
    let parts: Vec<String> = parts
        .map(|(variable, value)| format!("(long long)({variable}) == ({value}LL)"))
        .collect();
    parts.join(" && ")
}

#[test]
fn whole_states_are_what_their_systems_say() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let generators = [
        generate::program,
        library::program,
        mixed::program,
        idioms::program,
    ];
    let directory = tempfile::tempdir().expect("a scratch directory");
    let (seed, count) = (number("C_FUZZ_SEED", 1), number("C_FUZZ_PROGRAMS", 16));
    let mut tally = Tally::default();
    for index in 0..count {
        let mut random = Random::of(seed, index);
        let program = random.pick(&generators)(&mut random);
        let way = match random.weighted(&[6, 3, 1]) {
            0 => Way::Unrolled,
            1 => Way::Machine,
            _ => Way::Mathematical,
        };
        let values = run(directory.path(), &program);
        let is = state(&program, &values);
        tally.programs += 1;
        tally.unrolled += usize::from(matches!(way, Way::Unrolled));
        tally.mathematical += usize::from(matches!(way, Way::Mathematical));
        for (condition, expected) in [(is.clone(), true), (format!("!({is})"), false)] {
            let found = answer(&program, &condition, way);
            tally.questions += 1;
            tally.decided += usize::from(found.is_some());
            assert_eq!(
                found.unwrap_or(expected),
                expected,
                "seed {seed}, program {index}, {way:?}: `{condition}`\n{}int main(void) {{\n{}}}",
                program.before,
                program.body
            );
        }
    }
    eprintln!("seed {seed}: {tally:?}");
    assert!(
        tally.decided * 4 > tally.questions,
        "only {} of {} questions were decided",
        tally.decided,
        tally.questions
    );
}
