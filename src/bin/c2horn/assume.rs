//! Which undefined behaviour `TRUE` assumes not to happen: accesses to memory that is not there,
//! and divisions by zero, unless the verifier excludes them in a short time.

use crate::Input;
use crate::args::Args;
use crate::run::C2HornRun;
use horn::cfront::{CProgram, Property, RunEnd};
use horn::cverify::{Verdict, Verifier};
use horn::portfolio::{Control, Options};
use horn::smt::Backend;
use horn::work::milliseconds;

/// The question has the ticks that the proof has cost, but not fewer than these, about 1 s. The
/// value was not tuned.
const LEAST: u64 = milliseconds(1_000);
/// The behaviour, which the encoding of other properties takes not to happen.
const ASSUMED: [Property; 3] = [
    Property::ValidDeref,
    Property::ValidFree,
    Property::NoDivisionByZero,
];
/// A note names up to 3 places. The value was not tuned.
const PLACES: usize = 3;

/// The note about a proof of these properties, which has cost this number of ticks; `None` if
/// nothing is assumed, or it was excluded.
pub(crate) fn note(
    args: &Args,
    run: &C2HornRun,
    input: &Input,
    backend: &Backend,
    proved: &[Property],
    ticks: u64,
) -> Option<String> {
    let open = ASSUMED.iter().filter(|property| !proved.contains(property));
    let open: Vec<Property> = open.copied().collect();
    if open.is_empty() {
        return None;
    }
    let program = CProgram::read_for(input.file(args).ok()?, &open).ok()?;
    let violations = program.violations();
    if violations.is_empty() {
        return None;
    }
    let options = Options {
        budget: Some(ticks.max(LEAST)),
        ..args.options()
    };
    let verifier = Verifier {
        program: &program,
        backend,
        options: &options,
        control: Control {
            deadline: run.deadline,
            ..Control::new(&run.stop)
        },
        asks_machine: false,
    };
    const HEAD: &str = "note: TRUE assumes that there is no undefined behaviour";
    match verifier.verify(args.encoding()).verdict {
        Verdict::True { .. } => None,
        Verdict::False(found) => {
            let place = found.end.place();
            let what = match &found.end {
                RunEnd::Error(_, what) => what.split_once(": ").map_or("", |(_, what)| what),
                _ => "a violation",
            };
            Some(format!("{HEAD}, and there may be some at {place}: {what}"))
        }
        Verdict::Unknown(_) | Verdict::Fault(_) => {
            let places = violations.iter().take(PLACES);
            let places: Vec<String> = places
                .map(|(place, what)| format!("{place}: {what}"))
                .collect();
            Some(format!(
                "{HEAD}, which was not shown of: {}",
                places.join("; ")
            ))
        }
    }
}
