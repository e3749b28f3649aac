//! How runs end: limits, signals, closed pipes; and what is left behind.

use super::{HORN_SOLVE, UNSAFE};
use crate::hard::HARD;
use crate::program::text;
use crate::solvers::solver_found;
use crate::time::PROMPTLY;
use horn::smt::find_solver;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Ends promptly after the moment, with `unknown`, the reason, and status 0.
#[track_caller]
fn check_end(child: Child, since: Instant, reason: &str) {
    let output = child.wait_with_output().expect("the program runs");
    let took = since.elapsed();
    let err = text(&output.stderr);
    assert_eq!(text(&output.stdout), "unknown\n", "{err}");
    assert!(err.contains(reason), "{err}");
    assert_eq!(output.status.code(), Some(0));
    assert!(took < PROMPTLY, "{took:?}");
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([name, &id]).status();
    assert!(status.expect("kill exists").success());
}

#[test]
fn signals_and_limits_give_unknown() {
    if !solver_found(None) {
        return;
    }
    for name in ["-INT", "-TERM"] {
        let mut child = HORN_SOLVE.start(&["-v"], HARD);
        let mut errors = BufReader::new(child.stderr.take().expect("piped"));
        // After the third depth, one is known to be safe.
        let lines = errors.by_ref().lines().map_while(Result::ok);
        assert_eq!(lines.filter(|l| l.contains(": depth ")).take(3).count(), 3);
        signal(&child, name);
        let since = Instant::now();
        let mut rest = String::new();
        errors.read_to_string(&mut rest).expect("text");
        let reason = "; reason: interrupted; safe up to depth ";
        assert!(rest.contains(reason), "{rest}");
        check_end(child, since, "");
    }
    let started = Instant::now() + Duration::from_secs(1);
    check_end(
        HORN_SOLVE.start(&["--timeout", "1"], HARD),
        started,
        "; reason: timeout",
    );
    let option = format!("(set-option :timeout 1000){HARD}");
    let started = Instant::now() + Duration::from_secs(1);
    check_end(HORN_SOLVE.start(&[], &option), started, "; reason: timeout");
    let output = HORN_SOLVE.run(&["--memory", "1"], HARD);
    assert_eq!(text(&output.stdout), "unknown\n");
    assert!(text(&output.stderr).contains("; reason: memory limit"));
    // The reason can be asked for.
    let asked = format!("(set-option :timeout 300){HARD}(get-info :reason-unknown)");
    HORN_SOLVE.check(
        &[],
        &asked,
        "unknown\n(:reason-unknown \"timeout\")\n",
        "",
        0,
    );
}

/// Waits until the process catches the signal SIGTERM, by the mask of caught signals in its status.
#[track_caller]
fn wait_until_sigterm_is_caught(child: &Child) {
    /// The bit of SIGTERM, which is signal 15; the lowest bit is that of signal 1.
    const SIGTERM_BIT: u64 = 1 << 14;
    let catches = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let mask = status.lines().find_map(|l| l.strip_prefix("SigCgt:"))?;
        let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
        Some(mask & SIGTERM_BIT != 0)
    };
    let started = Instant::now();
    while catches() != Some(true) {
        assert!(started.elapsed() < PROMPTLY, "SIGTERM is not caught");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_last_word_is_spoken_by_the_main_thread() {
    if !solver_found(None) {
        return;
    }
    // The solving thread waits for the end of its input, and polls no token.
    let mut child = HORN_SOLVE
        .command(&[])
        .spawn()
        .expect("the program is built");
    let input = child.stdin.take();
    wait_until_sigterm_is_caught(&child);
    signal(&child, "-TERM");
    check_end(child, Instant::now(), "; reason: interrupted");
    drop(input);
    let mut child = HORN_SOLVE
        .command(&["--timeout", "0.5"])
        .spawn()
        .expect("the program is built");
    let input = child.stdin.take();
    check_end(
        child,
        Instant::now() + Duration::from_millis(500),
        "; reason: timeout",
    );
    drop(input);
}

#[test]
fn no_process_is_left_behind() {
    if !solver_found(None) {
        return;
    }
    let solver = find_solver(None).expect("found before").command[0].clone();
    let child = HORN_SOLVE.start(&["--solver", &solver], HARD);
    let started = Instant::now();
    let children = || -> Vec<String> {
        let list = format!("/proc/{0}/task", child.id());
        let threads = fs::read_dir(list).into_iter().flatten().flatten();
        let lists = threads.filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
        lists
            .flat_map(|l| l.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    let mut before = children();
    while before.is_empty() {
        assert!(started.elapsed() < PROMPTLY, "no solver runs");
        std::thread::sleep(Duration::from_millis(20));
        before = children();
    }
    signal(&child, "-TERM");
    check_end(child, Instant::now(), "interrupted");
    let alive = |id: &&String| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // A zombie is dead and waits for whoever adopted it.
        !stat.is_empty() && !stat.contains(") Z ")
    };
    let started = Instant::now();
    while before.iter().any(|id| alive(&id)) && started.elapsed() < PROMPTLY {
        std::thread::sleep(Duration::from_millis(20));
    }
    let left: Vec<_> = before.iter().filter(alive).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_closed_standard_output_ends_it_quietly() {
    let folder = tempfile::tempdir().expect("a scratch directory");
    let certificate = folder.path().join("certificate");
    let name = certificate.to_str().expect("a name in UTF-8");
    let mut child = HORN_SOLVE.start(&["--proof", "--certificate", name], UNSAFE);
    drop(child.stdout.take());
    let status = child.wait().expect("the program runs");
    let mut err = String::new();
    child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut err)
        .expect("text");
    assert_eq!((status.code(), err.as_str()), (Some(0), ""));
    // Files are written all the same.
    let files = fs::read_dir(&certificate).expect("the certificate is there");
    assert!(files.count() > 0);
}
