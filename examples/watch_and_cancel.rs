//! Watches a check that no engine finishes soon, and ends it from another thread.
//!
//!     cargo run --example watch_and_cancel

use horn::chc::UnknownReason;
use horn::portfolio::{Stop, TurnProgress};
use horn::problem::{Problem, ProblemError, Settings};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// Whether `x³ + 1 = y⁵` has a solution that counting by squares reaches.
const HARD: &str = "
    (declare-fun p (Int Int) Bool)
    (assert (forall ((x Int)) (p x 0)))
    (assert (forall ((x Int) (y Int)) (=> (p x y) (p (* x x) (+ y 1)))))
    (assert (forall ((x Int) (y Int))
      (=> (and (p x y) (= (+ (* x x x) 1) (* y y y y y)) (> y 3)) false)))";

fn main() -> Result<(), ProblemError> {
    let mut problem = Problem::new();
    problem.read("hard", HARD)?;

    // Engines report from the thread of the check, so what they report to is shared.
    let seen = Mutex::new(Vec::new());
    let watch = |progress: &TurnProgress| {
        let mut seen = seen
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if !seen.contains(&progress.engine) {
            println!("{} works, at height {}", progress.engine, progress.depth);
            seen.push(progress.engine);
        }
    };

    // A clone of the token ends the check.
    let stop = Stop::new();
    let token = stop.clone();
    let waiter = thread::spawn(move || {
        thread::sleep(Duration::from_millis(500));
        token.stop(UnknownReason::Interrupted);
    });
    let outcome = problem.check(&Settings::default(), &stop, &watch)?;
    waiter.join().expect("it only sleeps");
    assert_eq!(outcome.reason().as_deref(), Some("interrupted"));

    // Limits are settings: of time, or of work, which is the same on every machine.
    let mut settings = Settings::default();
    settings.set("ticks", "2000000")?;
    let outcome = problem.check(&settings, &Stop::new(), &|_| {})?;
    println!(
        "{}: {}",
        outcome.verdict(),
        outcome.reason().unwrap_or_default()
    );
    Ok(())
}

#[test]
fn it_runs() -> Result<(), ProblemError> {
    main()
}
