//! Solvers that die, hang, lie or babble: always a defined answer, in time, and no process is left.

use super::check;
use crate::certified::{context, read};
use crate::processes::processes_of;
use crate::time::PROMPTLY;
use horn::chc::{Answer, UnknownReason};
use horn::engine::pdr;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Failure, Limit, SatResult, SolverChoice};
use horn::term::{Sort, Terms};
use horn::work::milliseconds;
use std::path::Path;
use std::time::{Duration, Instant};

/// What the fake solver does when it is asked `(check-sat)`, as shell commands, and what comes of
/// it: the beginning of the outcome's text.
const FAULTS: [(&str, &str); 17] = [
    ("echo sat", "Sat"),
    ("echo; echo ' unsat '", "Unsat"),
    ("echo unknown", "Unknown(Incomplete(\"a bad day\"))"),
    ("exit 3", "Unknown(Broken(\"it ended\"))"),
    ("kill -SEGV $$", "Unknown(Broken(\"it ended\"))"),
    ("sleep 1000", "Unknown(Timeout)"),
    ("sleep 1; echo sat", "Unknown(Timeout)"),
    ("exec <&-; sleep 1000", "Unknown(Timeout)"),
    ("echo 'Bus error )('", "Unknown(Broken("),
    (
        "echo '(error \"line 3: no\")'; echo sat",
        "Unknown(Broken(\"(error \\\"line 3: no\\\") sat\"))",
    ),
    (
        "echo '(error \"out of memory\")'; exit 101",
        "Unknown(Broken(\"(error \\\"out of memory\\\")\"))",
    ),
    (
        "printf sa; exit 0",
        "Unknown(Broken(\"it ended after it said: sa\"))",
    ),
    ("printf 'sa'; sleep 1000", "Unknown(Timeout)"),
    ("echo sat; echo sat", "Unknown(Broken(\"sat sat\"))"),
    ("printf '\\377\\376\\n'", "Unknown(Broken(\"not text"),
    ("head -c 3000000 /dev/zero >&2; echo sat", "Sat"),
    ("yes '(a \"b\"'", "Unknown("),
];

/// What comes of a fake solver that goes on for good.
const ENDLESS: [&str; 2] = ["Unknown(Timeout)", "Unknown("];

/// A solver that is a shell script. It stays a child of the shell, as a user's own script might.
fn fake(directory: &Path, on_check: &str) -> Backend {
    fake_with_reason(directory, on_check, "a bad day")
}

/// As [`fake`]; what it does not know it does not know for this reason.
fn fake_with_reason(directory: &Path, on_check: &str, reason: &str) -> Backend {
    let script = directory.join("fake.sh");
    let text = format!(
        "while read -r line; do case $line in\n\
         '(check-sat'*) {on_check} ;;\n\
         '(get-info'*) echo '(:reason-unknown \"{reason}\")' ;;\n\
         '(echo '*) line=${{line#*\\\"}}; echo \"${{line%%\\\"*}}\" ;;\n\
         esac; done\n"
    );
    std::fs::write(&script, text).expect("a script");
    let choice = SolverChoice {
        name: "fake".to_owned(),
        command: vec![
            "/bin/sh".to_owned(),
            script.to_str().expect("a name").to_owned(),
        ],
        found: "made for a test".to_owned(),
    };
    Backend::process(&choice, ProcessOptions::default()).expect("a back end")
}

#[test]
fn misbehaviour_is_reported_in_time() {
    for (on_check, expected) in FAULTS {
        let directory = tempfile::tempdir().expect("a directory");
        let backend = fake(directory.path(), on_check);
        let t = Terms::new();
        let mut s = backend.solver(&t, "fault");
        // What answers at all may do so slowly where many programs share the machine.
        let limit = match ENDLESS.contains(&expected) {
            true => Duration::from_millis(400),
            false => PROMPTLY,
        };
        s.assert(t.var("p", Sort::BOOL));
        // Twice: the second check has a new process where the first was ended.
        for _ in 0..2 {
            let begun = Instant::now();
            s.set_limit(Limit::none().within(limit));
            let outcome = format!("{:?}", check(&mut *s, &[]));
            assert!(outcome.starts_with(expected), "{on_check}: {outcome}");
            let late = begun.elapsed().saturating_sub(limit);
            assert!(late < PROMPTLY, "{on_check}: {late:?} late");
        }
        drop(s);
        let left = processes_of(directory.path());
        assert!(left.is_empty(), "{on_check}: {left:?}");
    }
}

/// A solver that does not know about ticks, or does not keep its part of them, is ended by the
/// clock, and has spent them.
#[test]
fn a_budget_of_ticks_ends_a_check_that_goes_on() {
    let directory = tempfile::tempdir().expect("a directory");
    let backend = fake(directory.path(), "sleep 1000");
    let t = Terms::new();
    let mut s = backend.solver(&t, "overtime");
    s.assert(t.var("p", Sort::BOOL));
    let limit = Limit::none().part(milliseconds(100));
    s.set_limit(limit.clone());
    let begun = Instant::now();
    assert_eq!(check(&mut *s, &[]), SatResult::Unknown(Failure::Timeout));
    // Three seconds and ten times a tenth of one.
    assert!(begun.elapsed() < Duration::from_secs(4) + PROMPTLY);
    assert_eq!(limit.check(), Err(Failure::Timeout));
    drop(s);
    assert!(processes_of(directory.path()).is_empty());
}

#[test]
fn a_solver_that_does_not_read_blocks_nobody() {
    let directory = tempfile::tempdir().expect("a directory");
    let backend = fake(directory.path(), "sleep 1000");
    let t = Terms::new();
    let mut s = backend.solver(&t, "deaf");
    // More than a pipe holds, sent while the solver sleeps.
    let vars = (0..100_000).map(|i| t.var(&format!("p{i}"), Sort::BOOL));
    let big = t.and(vars);
    s.set_limit(Limit::none().within(Duration::from_millis(500)));
    assert_eq!(check(&mut *s, &[]), SatResult::Unknown(Failure::Timeout));
    s.assert(big);
    s.set_limit(Limit::none().within(Duration::from_millis(500)));
    assert_eq!(check(&mut *s, &[]), SatResult::Unknown(Failure::Timeout));
    drop(s);
    assert!(processes_of(directory.path()).is_empty());
}

#[test]
fn a_process_that_worked_may_die_once() {
    // The first process answers once and dies at the second check, the second one always answers.
    let directory = tempfile::tempdir().expect("a directory");
    let mark = directory.path().join("mark");
    let mark = mark.to_str().expect("a name");
    let on_check = format!(
        "if test -e {mark}.2; then echo unsat; elif test -e {mark}.1; then touch {mark}.2; exit 1; \
         else touch {mark}.1; echo sat; fi"
    );
    let backend = fake(directory.path(), &on_check);
    let t = Terms::new();
    let mut s = backend.solver(&t, "mortal");
    assert_eq!(check(&mut *s, &[]), SatResult::Sat);
    assert_eq!(check(&mut *s, &[]), SatResult::Unsat);
    let statistics = backend.statistics().processes;
    assert_eq!((statistics.starts, statistics.failures), (2, 1));
}

/// A solver's own clock may run out a little before ours does. Then the run has timed out; no
/// question is left open for another reason.
#[test]
fn a_solver_that_gives_up_first_has_timed_out() {
    let directory = tempfile::tempdir().expect("a directory");
    let backend = fake_with_reason(directory.path(), "echo unknown", "timeout");
    let t = Terms::new();
    let text = "(declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
    let system = read(&t, text);
    let context = context(&t, &backend);
    let Answer::Unknown(unknown) = pdr::solve(&system, &pdr::Options::default(), &context) else {
        panic!("nothing was decided");
    };
    assert_eq!(unknown.reason, UnknownReason::Timeout);
}

#[test]
fn a_program_that_is_no_solver_is_reported() {
    for command in ["/nonexistent/solver", "true", "echo hello", "cat", "false"] {
        let choice = SolverChoice {
            name: "none".to_owned(),
            command: command.split(' ').map(str::to_owned).collect(),
            found: String::new(),
        };
        let backend = Backend::process(&choice, ProcessOptions::default()).expect("a back end");
        let t = Terms::new();
        let mut s = backend.solver(&t, "none");
        let limit = Limit::none().within(Duration::from_secs(1));
        s.set_limit(limit);
        let outcome = check(&mut *s, &[]);
        assert!(
            matches!(
                outcome,
                SatResult::Unknown(Failure::Broken(_) | Failure::Timeout)
            ),
            "{command}: {outcome:?}"
        );
    }
}
