//! The program ended from outside, at any moment: it says the right verdict or `unknown`, at once,
//! and leaves no process behind. Limits of the system have a defined answer, too.
//!
//! `HORN_SIGNALS` asks for more than the usual number of runs, `HORN_SIGNALS_SEED` for others.

use crate::hard::HARD;
use crate::kill::{SAFE, UNSAFE, children_of, processes};
use crate::program::{Program, text};
use crate::solvers::solver_found;
use fastrand::Rng;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const HORN_SOLVE: Program = Program::new(env!("CARGO_BIN_EXE_horn-solve"));
const RUNS: u64 = 48;
/// Signals that ask for the end. SIGKILL leaves no time for a word.
const SIGNALS: [&str; 5] = ["TERM", "INT", "HUP", "XCPU", "KILL"];
/// The end takes the grace of 0.6 s that the work has, and more on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest time before the signal, in milliseconds.
const LATEST: u64 = 200;

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// Sends a signal after a pause, and answers what the program said, unless it had ended before.
fn end(mut child: Child, signal: &str, pause: Duration) -> (Output, Vec<u32>) {
    std::thread::sleep(pause);
    let solvers = children_of(child.id(), "z3");
    if child.try_wait().expect("it is ours").is_none() {
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.expect("kill exists").success());
    }
    let since = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(
        since.elapsed() < PATIENCE,
        "{signal}: {:?}",
        since.elapsed()
    );
    (output, solvers)
}

/// No process of these ids lives after a while.
#[track_caller]
fn check_gone(solvers: &[u32]) {
    let begun = Instant::now();
    let alive = || {
        let all = processes("z3").into_iter();
        all.filter(|(pid, state, _)| solvers.contains(pid) && *state != 'Z')
            .count()
    };
    while alive() > 0 {
        assert!(begun.elapsed() < PATIENCE, "a solver is left");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn signals_at_any_time() {
    let runs = environment("HORN_SIGNALS", RUNS);
    let seed = environment("HORN_SIGNALS_SEED", 1);
    let mut random = Rng::with_seed(seed);
    let has_z3 = solver_found(Some("z3"));
    let mut verdicts = 0;
    for run in 0..runs {
        let (system, verdict) = *random
            .choice(&[(SAFE, "sat"), (UNSAFE, "unsat"), (HARD, "unknown")])
            .expect("there are three");
        let solver = if has_z3 && random.bool() {
            "z3"
        } else {
            "native"
        };
        let signal = *random.choice(&SIGNALS).expect("there are some");
        let pause = Duration::from_millis(random.u64(..LATEST));
        let what =
            format!("seed {seed}, run {run}: {verdict} by {solver}, {signal} after {pause:?}");
        let child = HORN_SOLVE.start(&["--solver", solver, "--timeout", "60"], system);
        let (output, solvers) = end(child, signal, pause);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        match (output.status.code(), out.as_str()) {
            (Some(0), "unknown\n") => assert!(err.contains("; reason: "), "{what}: {err}"),
            (Some(0), out) => {
                assert_eq!(out, format!("{verdict}\n"), "{what}: {err}");
                verdicts += 1;
            }
            // Signals that come before they are caught end it as any program; so does SIGKILL.
            (None, out) => assert!(
                out.is_empty() || out == format!("{verdict}\n"),
                "{what}: {out}"
            ),
            (Some(status), out) => panic!("{what}: status {status}: {out}{err}"),
        }
        check_gone(&solvers);
    }
    assert!(verdicts > runs / 10, "only {verdicts} verdicts of {runs}");
}

/// What a shell says that sets a limit before it becomes the program.
fn under(limit: &str, arguments: &str, input: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_horn-solve");
    let mut child = Command::new("sh")
        .args([
            "-c",
            &format!("{limit} && exec '{program}' --solver native {arguments}"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut stdin = child.stdin.take().expect("piped");
    // It may end before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// Many predicates one after the other, which fill the memory.
fn chain(length: usize) -> String {
    let mut text = "(set-logic HORN)\n".to_owned();
    for i in 0..=length {
        writeln!(text, "(declare-fun p{i} (Int Int Int) Bool)").expect("memory takes it");
    }
    text.push_str("(assert (p0 0 0 0))\n");
    for i in 0..length {
        let next = i + 1;
        writeln!(
            text,
            "(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p{i} x y z) (p{i} y z x) \
             (< x (+ y {i}))) (p{next} (+ x 1) y (- z x)))))"
        )
        .expect("memory takes it");
    }
    text + "(check-sat)\n"
}

#[test]
fn limits_of_the_system_give_unknown() {
    // The kernel would send SIGKILL at once where both limits are the same.
    let output = under("ulimit -t 2", "", HARD);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(out, "unknown\n", "{err}");
    assert!(err.contains("; reason: timeout"), "{err}");
    // The smaller ones are reached while the input is read.
    let large = chain(60_000);
    for kilobytes in [120_000, 200_000, 300_000, 400_000] {
        let output = under(&format!("ulimit -v {kilobytes}"), "--timeout 100", &large);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(out, "unknown\n", "{kilobytes}: {err}");
        assert!(err.contains("; reason: memory limit"), "{kilobytes}: {err}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else {
        return;
    };
    let mut child = HORN_SOLVE
        .command(&["--solver", "native", "--model"])
        .stdout(full)
        .spawn()
        .expect("the program is built");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(SAFE.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let err = text(&output.stderr);
    assert!(err.contains("standard output: No space left"), "{err}");
    assert_ne!(output.status.code(), Some(0));
}
