//! Engines whose solver processes never answer: whatever ends the run ends the processes.

use crate::hard::HARD;
use crate::processes::processes_of;
use horn::chc::{Answer, UnknownReason};
use horn::portfolio::{Control, Jobs, Options, Stop, solve};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, SolverChoice};
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform;
use std::path::Path;
use std::time::{Duration, Instant};

/// Much more than any way to end a run takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A solver that never answers. Its command line names a file in the directory.
fn silent(directory: &Path) -> SolverChoice {
    let file = directory.join("silent");
    std::fs::write(&file, "").expect("the directory can be written");
    let command = [
        "/bin/sh",
        "-c",
        "exec tail -f \"$0\"",
        file.to_str().expect("a name"),
    ];
    SolverChoice {
        name: "silent".to_owned(),
        command: command.map(str::to_owned).into(),
        found: String::new(),
    }
}

/// Each engine waits for a solver when the run is ended.
#[test]
fn no_process_is_left() {
    let directory = tempfile::tempdir().expect("a directory");
    let running = || processes_of(directory.path()).len();
    let solver = silent(directory.path());
    let backend = Backend::process(&solver, ProcessOptions::default()).expect("a thread");
    let options = Options {
        preprocess: transform::Options::none(),
        jobs: Jobs::new(4),
        ..Options::default()
    };
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("hard", HARD)).expect("it is right");
    let stop = Stop::new();
    let (solved, seen) = std::thread::scope(|scope| {
        let stopper = scope.spawn(|| {
            let begun = Instant::now();
            let mut seen = running();
            while seen < 4 && begun.elapsed() < PATIENCE {
                std::thread::sleep(Duration::from_millis(10));
                seen = running();
            }
            stop.stop(UnknownReason::Interrupted);
            seen
        });
        let solved = solve(&t, &system, &backend, &options, Control::new(&stop));
        (solved, stopper.join().expect("it looks and stops only"))
    });
    let Answer::Unknown(unknown) = solved.answer else {
        panic!("a verdict without a solver");
    };
    assert_eq!(unknown.reason, UnknownReason::Interrupted);
    assert!(seen >= 4, "only {seen} processes were there");
    let begun = Instant::now();
    while running() > 0 {
        assert!(begun.elapsed() < PATIENCE, "processes are left");
        std::thread::sleep(Duration::from_millis(10));
    }
}
