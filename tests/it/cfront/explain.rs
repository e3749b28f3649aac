//! Certificates as words about C: invariants, runs, witnesses.

use super::support::{Found, solve_text};
use horn::cfront::{
    DataModel, Event, IntMode, RunEnd, WitnessTask, correctness_witness, violation_witness,
};
use std::time::UNIX_EPOCH;

const COUNTER: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) {
    if (x < 10) x++;
  }
  if (x > 10) reach_error();
  return 0;
}
";

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int unused = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x == 5 && y == x + 2) {
    y = 3;
    reach_error();
  }
  return 0;
}
";

fn task(bytes: &[u8]) -> WitnessTask<'_> {
    WitnessTask {
        file: "test.c",
        bytes,
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )",
        model: DataModel::Lp64,
        time: UNIX_EPOCH,
    }
}

#[test]
fn invariants_are_c() {
    let Found::Safe(invariants) = solve_text(COUNTER, IntMode::Unbounded) else {
        panic!("the counter is safe");
    };
    let [invariant] = &invariants[..] else {
        panic!("one loop: {invariants:?}");
    };
    assert_eq!(
        (invariant.place.line, invariant.function.as_str()),
        (5, "main")
    );
    assert!(invariant.at_loop);
    let bounds = ["x <= 10", "x < 11"];
    assert!(
        bounds.iter().any(|bound| invariant.formula.contains(bound)),
        "{invariant:?}"
    );
    let witness = correctness_witness(&task(COUNTER.as_bytes()), &invariants);
    for line in [
        "- entry_type: invariant_set",
        "creation_time: \"1970-01-01T00:00:00Z\"",
        "data_model: LP64",
        "type: loop_invariant",
        "line: 5",
        &format!("value: \"{}\"", invariant.formula),
        "format: c_expression",
    ] {
        let found = witness.lines().any(|l| l.trim() == line);
        assert!(found, "{line}\n{witness}");
    }
}

#[test]
fn runs_have_inputs_and_changes() {
    let Found::Unsafe(run) = solve_text(INPUTS, IntMode::Unbounded) else {
        panic!("the error can be reached");
    };
    let inputs: Vec<(u32, String)> = (run.steps.iter())
        .flat_map(|step| {
            step.events
                .iter()
                .map(move |event| (step.place.line, event))
        })
        .filter_map(|(line, event)| match event {
            Event::Input { value, .. } => Some((line, value.clone())),
            _ => None,
        })
        .collect();
    let expected = [(4, "5"), (5, "0"), (6, "7")].map(|(line, value)| (line, value.to_owned()));
    assert_eq!(inputs, expected);
    let RunEnd::Error(place, what) = &run.end else {
        panic!("{:?}", run.end);
    };
    assert_eq!((place.line, what.as_str()), (9, "call of reach_error"));
    let witness = violation_witness(&task(INPUTS.as_bytes()), &run);
    assert!(witness.contains("value: \"\\\\result == 7\""), "{witness}");
    assert!(witness.contains("type: target"), "{witness}");
}
