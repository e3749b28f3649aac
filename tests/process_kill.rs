//! Solver processes that are killed by others, and solvers whose user is killed.
//!
//! A program of its own: it kills every solver process that it finds among its children.

use horn::number::Rational;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Failure, Limit, Outcome, find_solver};
use horn::term::{Sort, Terms, Value};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

const KILLS: u32 = 100;

fn z3() -> Option<Backend> {
    let choice = find_solver(Some("z3")).ok();
    let excused = std::env::var("HORN_TESTS_WITHOUT_SOLVERS").is_ok_and(|v| v == "1");
    assert!(
        excused || choice.is_some(),
        "this test needs z3: run scripts/setup, or set HORN_TESTS_WITHOUT_SOLVERS=1"
    );
    Some(Backend::process(&choice?, ProcessOptions::default()).expect("a back end"))
}

fn kill(pid: u32) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "kill -9 \"$0\" 2>/dev/null", &pid.to_string()]);
    command.status().expect("a shell");
}

/// Number, state and parent of all processes whose program has this name.
fn processes(name: &str) -> Vec<(u32, char, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = entries.filter_map(|e| std::fs::read_to_string(e.path().join("stat")).ok());
    let found = stats.filter_map(|stat| {
        let (front, back) = stat.rsplit_once(')')?;
        let (pid, program) = front.split_once(" (")?;
        let mut fields = back.split_whitespace();
        let state = fields.next()?.chars().next()?;
        let parent = fields.next()?.parse().ok()?;
        (program == name).then_some((pid.parse().ok()?, state, parent))
    });
    found.collect()
}

fn children(name: &str) -> Vec<u32> {
    let us = std::process::id();
    let all = processes(name).into_iter();
    all.filter(|&(_, _, parent)| parent == us)
        .map(|(pid, ..)| pid)
        .collect()
}

/// Kills a solver process every few milliseconds while the session goes on.
#[test]
fn a_hundred_kills() {
    let Some(backend) = z3() else { return };
    let (killed, done) = (AtomicU32::new(0), AtomicBool::new(false));
    let (mut right, mut broken) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut pause = 1;
            while killed.load(Ordering::Relaxed) < KILLS {
                // Up to 126 milliseconds: a process that is being started, one at work, one at rest.
                pause = pause * 3 % 127;
                std::thread::sleep(Duration::from_millis(pause));
                if let Some(&pid) = children("z3").first() {
                    kill(pid);
                    killed.fetch_add(1, Ordering::Relaxed);
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        let t = Terms::new();
        let x = t.var("x", Sort::INT);
        let mut s = backend.solver(&t, "victim");
        s.set_limit(Limit::none().within(Duration::from_secs(300)));
        s.assert(t.le(t.int(0), x));
        let mut count = |outcome: Outcome, expected: Outcome| match outcome {
            Outcome::Unknown(Failure::Broken(_)) => broken += 1,
            outcome => {
                assert_eq!(outcome, expected);
                right += 1;
            }
        };
        let mut n = 0;
        while !done.load(Ordering::Relaxed) {
            n += 1;
            s.push();
            s.assert(t.lt(x, t.int(n)));
            let top = t.eq(x, t.int(n - 1));
            let outcome = s.check(format_args!("the greatest"), &[top]);
            if outcome == Outcome::Sat {
                match s.values(&[x]) {
                    Ok(values) => assert_eq!(values, [Value::from(Rational::from(n - 1))]),
                    Err(failure) => assert!(matches!(failure, Failure::Broken(_))),
                }
            }
            count(outcome, Outcome::Sat);
            let beyond = t.eq(x, t.int(n));
            let outcome = s.check(format_args!("one more"), &[t.le(x, t.int(n)), beyond]);
            if outcome == Outcome::Unsat {
                match s.core() {
                    Ok(core) => assert_eq!(core, [beyond]),
                    Err(failure) => assert!(matches!(failure, Failure::Broken(_))),
                }
            }
            count(outcome, Outcome::Unsat);
            s.pop();
            if n % 50 == 0 {
                s.assert(t.not(t.eq(x, t.int(-n)))); // the log grows
            }
        }
        let after = s.check(format_args!("it still works"), &[t.lt(x, t.int(0))]);
        assert_eq!(after, Outcome::Unsat);
    });
    drop(backend);
    assert!(
        children("z3").is_empty(),
        "processes are left, dead or alive"
    );
    println!("{right} answers, {broken} times none");
    assert!(right > KILLS, "only {right} answers");
}

/// Not a test by itself: starts a solver that thinks for a long time, says its number, and waits to be killed.
#[test]
#[ignore = "started by the test of those who are killed"]
fn hold_a_solver() {
    let Some(backend) = z3() else { return };
    let t = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
    let cube = |x| t.mul([x, x, x]);
    let mut s = backend.solver(&t, "orphan");
    assert_eq!(s.check(format_args!("start"), &[]), Outcome::Sat);
    println!("\nsolver {}", children("z3")[0]);
    s.assert(t.eq(t.add([cube(x), cube(y), cube(z)]), t.int(114)));
    s.set_limit(Limit::none().within(Duration::from_secs(60)));
    s.check(format_args!("something hard"), &[]);
}

#[test]
fn solvers_die_with_us() {
    if z3().is_none() {
        return;
    }
    let works = Command::new("setpriv")
        .args(["--pdeathsig", "KILL", "true"])
        .status();
    if !works.is_ok_and(|status| status.success()) {
        eprintln!("skipped: this system has no setpriv that can set a death signal");
        return;
    }
    let us = std::env::current_exe().expect("this program");
    let mut holder = Command::new(us)
        .args(["--ignored", "--exact", "hold_a_solver", "--nocapture"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program again");
    let lines = BufReader::new(holder.stdout.take().expect("a pipe")).lines();
    let solver: u32 = lines
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("solver ")?.parse().ok())
        .expect("it says which solver it started");
    std::thread::sleep(Duration::from_millis(200));
    let alive = || {
        processes("z3")
            .iter()
            .any(|&(pid, state, _)| pid == solver && state != 'Z')
    };
    assert!(alive(), "it is thinking");
    holder.kill().expect("it lives");
    holder.wait().expect("it is ours");
    let begun = Instant::now();
    while alive() {
        assert!(begun.elapsed() < Duration::from_secs(5), "it still lives");
        std::thread::sleep(Duration::from_millis(10));
    }
}
