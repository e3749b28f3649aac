//! The project's own systems: with all passes, and with each alone, a certificate that comes back
//! is accepted, and the verdict is the one announced. The passes share the files between them; all
//! files are solved by `scripts/corpus`, with the passes that are the default.

use super::lift::{SatResult, backend, pipelines, solve};
use horn::smt::Limit;
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform::Options;
use horn::work::milliseconds;
use std::path::{Path, PathBuf};

/// The budget of each file, in ticks; most need a small part of it.
const BUDGET: u64 = milliseconds(100);
/// Larger files take long to solve without optimisation.
const MAX_BYTES: u64 = 6_000;
/// At least this part of the files that are tried is to be decided, in percent. Few files are tried
/// with each pass, so it holds of all passes together.
const DECIDED_FLOOR: usize = 60;

/// Of this number of files, a pass alone is tried on one, and all passes on two.
const SAMPLE: usize = 6;

/// The small files below a directory, in order.
pub(super) fn files(directory: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![PathBuf::from(directory)];
    while let Some(directory) = open.pop() {
        let entries = std::fs::read_dir(directory).expect("the directory is there");
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2")
                && path.metadata().is_ok_and(|m| m.len() <= MAX_BYTES)
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn run(path: &Path, options: &Options) -> SatResult {
    let t = Terms::new();
    let source = Source::open(&path.to_string_lossy()).expect("the file can be read");
    // Some scripts have several checks; what is read is the system at the end.
    let Ok(system) = read_system(&t, &source) else {
        return SatResult::Open;
    };
    let backend = backend();
    let limit = Limit::none().part(BUDGET);
    solve(&t, &system, options, &backend, &limit)
        .unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The number of files that are decided as expected, and the number of files tried.
fn check(
    directory: &str,
    expected: SatResult,
    wrong: SatResult,
    first: usize,
    options: &Options,
) -> (usize, usize) {
    let sample = match options.passes.len() {
        1 => SAMPLE,
        _ => SAMPLE / 2,
    };
    let all = files(directory).into_iter();
    let files: Vec<PathBuf> = all.skip(first % sample).step_by(sample).collect();
    let mut decided = 0;
    for path in &files {
        let outcome = run(path, options);
        assert_ne!(outcome, wrong, "{} by {:?}", path.display(), options.passes);
        decided += usize::from(outcome == expected);
    }
    let total = files.len();
    println!("{directory}, {:?}: {decided} of {total}", options.passes);
    (decided, total)
}

/// Tries the files of a directory with all pipelines.
#[track_caller]
fn check_all(directory: &str, expected: SatResult, wrong: SatResult) {
    let (mut decided, mut total) = (0, 0);
    for (at, options) in pipelines().iter().enumerate() {
        let (some, of) = check(directory, expected, wrong, at, options);
        assert!(of > 0, "there are files for {:?}", options.passes);
        decided += some;
        total += of;
    }
    assert!(
        decided * 100 >= total * DECIDED_FLOOR,
        "{decided} of {total} are decided"
    );
}

#[test]
fn models_come_back() {
    check_all("horn-benchmarks/sat", SatResult::Sat, SatResult::Unsat);
}

#[test]
fn refutations_come_back() {
    check_all("horn-benchmarks/unsat", SatResult::Unsat, SatResult::Sat);
}
