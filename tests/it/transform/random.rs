//! Random small systems: every pass alone and all together take every certificate back, and no two
//! contradict each other.
//!
//! `HORN_TRANSFORM_CASES` and `HORN_TRANSFORM_SEED` make longer runs, as for `tests/fuzz/systems`.

use super::lift::{SatResult, backend, pipelines, solve};
use crate::harness::{environment, runner};
use crate::system;
use horn::smt::{Backend, Limit};
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform::Options;
use horn::work::milliseconds;
use proptest::test_runner::{TestCaseError, TestCaseResult};
use std::cell::RefCell;

const CASES: u32 = 60;
const SEED: u64 = 1;
/// The budget of each run, in ticks.
const BUDGET: u64 = milliseconds(500);
/// At least this part of the runs is to end with a certificate taken back, in percent.
const LIFTED_FLOOR: usize = 85;

fn check(text: &str, backend: &Backend, all: &mut Vec<SatResult>) -> TestCaseResult {
    let mut outcomes = Vec::new();
    for options in pipelines().iter().chain([&Options::none()]) {
        let t = Terms::new();
        let system = read_system(&t, &Source::from_text("random", text))
            .map_err(|e| TestCaseError::fail(format!("not read: {e}")))?;
        let limit = Limit::none().part(BUDGET);
        let outcome = solve(&t, &system, options, backend, &limit).map_err(TestCaseError::fail)?;
        outcomes.push(outcome);
    }
    let contradiction = outcomes.contains(&SatResult::Sat) && outcomes.contains(&SatResult::Unsat);
    all.append(&mut outcomes);
    match contradiction {
        true => Err(TestCaseError::fail("sat and unsat")),
        false => Ok(()),
    }
}

#[test]
fn certificates_of_random_systems_come_back() {
    let backend = backend();
    let seed = environment("HORN_TRANSFORM_SEED", SEED);
    let cases = environment("HORN_TRANSFORM_CASES", CASES);
    let all = RefCell::new(Vec::new());
    let outcome = runner(cases, seed).run(&system::system(), |system| {
        check(&system.to_string(), &backend, &mut all.borrow_mut())
    });
    let all = all.into_inner();
    let count = |outcome| all.iter().filter(|&&o| o == outcome).count();
    let lifted = count(SatResult::Sat) + count(SatResult::Unsat);
    println!(
        "seed {seed}: {} sat, {} unsat, {} open, {} not lifted",
        count(SatResult::Sat),
        count(SatResult::Unsat),
        count(SatResult::Open),
        count(SatResult::NotLifted)
    );
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
    assert!(
        lifted * 100 >= all.len() * LIFTED_FLOOR,
        "too few are lifted"
    );
}
