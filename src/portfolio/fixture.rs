//! What the tests of this module share: a small system, a run of it, and outcomes in words.

use super::outcome::SearchOutcome;
use super::run::SearchRun;
use super::{Control, Options, Stop};
use crate::chc::{Answer, System};
use crate::smt::Backend;
use crate::smt::native::NativeOptions;
use crate::smtlib::{Source, read_system};
use crate::term::Terms;

/// A counter that stops at its bound.
pub(super) const SAFE: &str = "(declare-fun p (Int) Bool)
    (assert (p 0))
    (assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
    (assert (forall ((x Int)) (=> (and (p x) (> x 5)) false)))";

/// Does something with a run of the system that the text says, by the embedded core.
pub(super) fn with_run<T>(text: &str, work: impl FnOnce(&SearchRun<'_>) -> T) -> T {
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
    with_run_of(&t, &system, &Options::default(), work)
}

/// As [`with_run`], of a system that was made before.
pub(super) fn with_run_of<T>(
    t: &Terms,
    system: &System,
    options: &Options,
    work: impl FnOnce(&SearchRun<'_>) -> T,
) -> T {
    let backend = Backend::native(NativeOptions::for_engines());
    let stop = Stop::new();
    let done = work(&SearchRun::new(
        t,
        system,
        &backend,
        options,
        Control::new(&stop),
    ));
    assert!(!stop.token().is_cancelled(), "the token is the caller's");
    done
}

/// A verdict, the reason why there is none, or the pass that is to blame.
pub(super) fn words(outcome: &SearchOutcome) -> String {
    match outcome {
        SearchOutcome::Open(unknown) => unknown.reason.to_string(),
        SearchOutcome::Judged(judged) => match &judged.answer {
            Answer::Unknown(unknown) => unknown.reason.to_string(),
            verdict => verdict.verdict().to_owned(),
        },
        SearchOutcome::Without(pass) => format!("without {pass}"),
    }
}
