//! Solver processes that are killed by others, and solvers whose user is killed.

use crate::SetOnDrop;
use crate::hard::HARD;
use crate::program::{Program, text};
use crate::solvers::solver_found;
use crate::tools::tool_found;
use fastrand::Rng;
use horn::number::Rational;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Failure, Limit, SatResult, find_solver};
use horn::term::{Sort, Terms, Value};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

const HORN_SOLVE: Program = Program::new(env!("CARGO_BIN_EXE_horn-solve"));
const KILLS: u32 = 100;

/// Much more than the end of a killed process takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Z3, started under a name by which its processes are found; `None` where there is no Z3.
fn z3_as(name: &str, directory: &Path) -> Option<Backend> {
    if !solver_found(Some("z3")) {
        return None;
    }
    let mut choice = find_solver(Some("z3")).expect("found before");
    let program = std::fs::canonicalize(&choice.command[0]).expect("it is a file");
    let link = directory.join(name);
    std::os::unix::fs::symlink(program, &link).expect("the directory can be written");
    choice.command[0] = link.to_str().expect("a name").to_owned();
    Some(Backend::process(&choice, ProcessOptions::default()).expect("a back end"))
}

fn kill(pid: u32) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "kill -9 \"$0\" 2>/dev/null", &pid.to_string()]);
    command.status().expect("a shell");
}

/// Number, state and parent of all processes whose program has this name.
pub(crate) fn processes(name: &str) -> Vec<(u32, char, u32)> {
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
    children_of(std::process::id(), name)
}

/// The processes of this name whose parent is `process`, also dead ones that it has not waited for.
pub(crate) fn children_of(process: u32, name: &str) -> Vec<u32> {
    let all = processes(name).into_iter();
    all.filter(|&(_, _, parent)| parent == process)
        .map(|(pid, ..)| pid)
        .collect()
}

/// The name under which [`a_hundred_kills`] starts Z3; the kernel keeps 15 bytes of it.
const VICTIM: &str = "z3-victim";

/// Kills a solver process every few milliseconds while the session goes on.
#[test]
fn a_hundred_kills() {
    let directory = tempfile::tempdir().expect("a directory");
    let Some(backend) = z3_as(VICTIM, directory.path()) else {
        return;
    };
    let right = AtomicU32::new(0);
    let [done, over] = [const { AtomicBool::new(false) }; 2];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (mut pause, mut killed) = (1, 0);
            while killed < KILLS && !over.load(Ordering::Relaxed) {
                // Up to 126 milliseconds: a process that is being started, one at work, one at
                // rest.
                pause = pause * 3 % 127;
                std::thread::sleep(Duration::from_millis(pause));
                // At most two kills for each answer, however slow the machine is.
                if right.load(Ordering::Relaxed) < killed / 2 {
                    continue;
                }
                if let Some(&pid) = children(VICTIM).first() {
                    kill(pid);
                    killed += 1;
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        // The other thread ends where this one panics, too.
        let _over = SetOnDrop(&over);
        session_with_a_victim(&backend, &right, &done);
    });
    drop(backend);
    assert!(
        children(VICTIM).is_empty(),
        "processes are left, dead or alive"
    );
}

/// Asks about the greatest number below a bound, over and over, until `done`, and at least once for
/// each kill. An answer is `right` or is none because the solver broke.
fn session_with_a_victim(backend: &Backend, right: &AtomicU32, done: &AtomicBool) {
    let t = Terms::new();
    let x = t.var("x", Sort::INT);
    let mut s = backend.solver(&t, "victim");
    s.set_limit(Limit::none().within(Duration::from_secs(600)));
    s.assert(t.le(t.int(0), x));
    let mut broken = 0;
    let mut count = |outcome: SatResult, expected: SatResult| match outcome {
        SatResult::Unknown(Failure::Broken(_)) => broken += 1,
        outcome => {
            assert_eq!(outcome, expected);
            right.fetch_add(1, Ordering::Relaxed);
        }
    };
    let mut n = 0;
    while !done.load(Ordering::Relaxed) || n < i64::from(KILLS) {
        n += 1;
        s.push();
        s.assert(t.lt(x, t.int(n)));
        let top = t.eq(x, t.int(n - 1));
        let outcome = s.check(format_args!("the greatest"), &[top]);
        if outcome == SatResult::Sat {
            match s.values(&[x]) {
                Ok(values) => assert_eq!(values, [Value::from(Rational::from(n - 1))]),
                Err(failure) => assert!(matches!(failure, Failure::Broken(_))),
            }
        }
        count(outcome, SatResult::Sat);
        let beyond = t.eq(x, t.int(n));
        let outcome = s.check(format_args!("one more"), &[t.le(x, t.int(n)), beyond]);
        if outcome == SatResult::Unsat {
            match s.core() {
                Ok(core) => assert_eq!(core, [beyond]),
                Err(failure) => assert!(matches!(failure, Failure::Broken(_))),
            }
        }
        count(outcome, SatResult::Unsat);
        s.pop();
        if n % 50 == 0 {
            s.assert(t.not(t.eq(x, t.int(-n)))); // the log grows
        }
    }
    let after = s.check(format_args!("it still works"), &[t.lt(x, t.int(0))]);
    assert_eq!(after, SatResult::Unsat);
    println!(
        "{} answers, {broken} times none",
        right.load(Ordering::Relaxed)
    );
}

/// The name under which [`hold_a_solver`] starts Z3.
const ORPHAN: &str = "z3-orphan";

/// The clock ticks of processor time after which a solver is at work on its question; a tick of the
/// kernel is a hundredth of a second. To read the question takes less than one.
const THINKING: u64 = 5;

/// The clock ticks of processor time that a process has used; 0 if there is no such process.
fn processor_ticks(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    // The state is field 3 of the file; fields 14 and 15 are the time of the user and the system.
    let times = fields.split_whitespace().skip(11).take(2);
    times.filter_map(|time| time.parse::<u64>().ok()).sum()
}

/// Set for [`hold_a_solver`] to do something.
const HOLD: &str = "HORN_TEST_HOLD_A_SOLVER";

/// Only where another test starts this program for it: starts a solver that thinks for a long time,
/// says its number, and waits to be killed.
#[test]
fn hold_a_solver() {
    if std::env::var_os(HOLD).is_none() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let Some(backend) = z3_as(ORPHAN, directory.path()) else {
        return;
    };
    let t = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
    let cube = |x| t.mul([x, x, x]);
    let mut s = backend.solver(&t, "orphan");
    assert_eq!(s.check(format_args!("start"), &[]), SatResult::Sat);
    println!("\nsolver {}", children(ORPHAN)[0]);
    s.assert(t.eq(t.add([cube(x), cube(y), cube(z)]), t.int(114)));
    s.set_limit(Limit::none().within(Duration::from_secs(60)));
    s.check(format_args!("something hard"), &[]);
}

#[test]
fn solvers_die_with_us() {
    if !solver_found(Some("z3")) {
        return;
    }
    if !tool_found("setpriv", &["--pdeathsig", "KILL", "true"]) {
        return;
    }
    let us = std::env::current_exe().expect("this program");
    let path_of_test = concat!(module_path!(), "::hold_a_solver");
    let (_, test) = path_of_test.split_once("::").expect("it is in a program");
    let mut holder = Command::new(us)
        .args(["--exact", test, "--nocapture"])
        .env(HOLD, "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program again");
    let lines = BufReader::new(holder.stdout.take().expect("a pipe")).lines();
    let solver: u32 = lines
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("solver ")?.parse().ok())
        .expect("it says which solver it started");
    let alive = || {
        processes(ORPHAN)
            .iter()
            .any(|&(pid, state, _)| pid == solver && state != 'Z')
    };
    // It has used processor time since it said its number: it is at work.
    let (before, begun) = (processor_ticks(solver), Instant::now());
    while processor_ticks(solver) < before + THINKING {
        assert!(alive() && begun.elapsed() < PATIENCE, "it is not thinking");
        std::thread::sleep(Duration::from_millis(10));
    }
    holder.kill().expect("it lives");
    holder.wait().expect("it is ours");
    let begun = Instant::now();
    while alive() {
        assert!(begun.elapsed() < PATIENCE, "it still lives");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A counter that stays below its bound: a few dozen queries.
pub(crate) const SAFE: &str = "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (n Int)) (=> (and (= x 0) (>= n 0)) (inv x n))))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (< x n)) (inv (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (> x n)) false)))
(check-sat)
";

/// A counter that passes its bound after twelve steps.
pub(crate) const UNSAFE: &str = "(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (inv 0))
(assert (forall ((x Int)) (=> (and (inv x) (< x 20)) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (and (inv x) (= x 12)) false)))
(check-sat)
";

/// Runs `horn-solve` with a limit of `seconds` and kills one of its solvers after each of the
/// pauses. Its answer must be the verdict given or `unknown` with a reason, and no solver may be
/// left.
fn check_killed(
    (system, verdict): (&str, &str),
    seconds: &str,
    pauses: impl Iterator<Item = u64>,
) -> String {
    let mut child = HORN_SOLVE.start(&["--solver", "z3", "--timeout", seconds], system);
    let mut seen = Vec::new();
    let mut killed = Vec::new();
    for pause in pauses {
        std::thread::sleep(Duration::from_millis(pause));
        if child.try_wait().expect("it is ours").is_some() {
            break;
        }
        let running = children_of(child.id(), "z3");
        seen.extend_from_slice(&running);
        if let Some(&pid) = running.last().filter(|pid| !killed.contains(*pid)) {
            kill(pid);
            killed.push(pid);
        }
    }
    let output = child.wait_with_output().expect("it ends");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    if out != "unknown\n" {
        assert_eq!(out, format!("{verdict}\n"), "{err}");
    } else {
        assert!(err.contains("; reason: "), "{err}");
    }
    // What is dead waits for whoever adopted it.
    let alive = || {
        let all = processes("z3").into_iter();
        all.filter(|(pid, state, _)| seen.contains(pid) && *state != 'Z')
            .count()
    };
    let begun = Instant::now();
    while alive() > 0 {
        assert!(begun.elapsed() < PATIENCE, "a solver is left");
        std::thread::sleep(Duration::from_millis(10));
    }
    out
}

/// The pauses of a seed, up to a bound in milliseconds.
fn pauses(seed: u64, below: u64) -> impl Iterator<Item = u64> {
    let mut random = Rng::with_seed(seed);
    std::iter::repeat_with(move || random.u64(..below))
}

#[test]
fn killed_solvers_of_the_program() {
    if !solver_found(Some("z3")) {
        return;
    }
    let mut verdicts = 0;
    for seed in 0..8 {
        // Shown if the test fails.
        println!("seed {seed}");
        for system in [(SAFE, "sat"), (UNSAFE, "unsat")] {
            // More time than is needed on a busy machine.
            let answer = check_killed(system, "60", pauses(seed, 250).take(1));
            verdicts += u32::from(answer != "unknown\n");
        }
    }
    // One that is killed once is replaced.
    assert!(verdicts > 8, "only {verdicts} of 16");
    for seed in 0..4 {
        println!("seed {seed}");
        check_killed((HARD, "unknown"), "1.5", pauses(seed, 400));
        check_killed((HARD, "unknown"), "1.5", pauses(seed, 30));
        check_killed((SAFE, "sat"), "1.5", pauses(seed, 30));
    }
}
