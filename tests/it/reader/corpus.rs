//! Whole files: the competition's, and this project's own.

use super::check_round_trip;
use crate::files::files;
use horn::chc::Classification;
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use std::path::Path;

fn open(path: &Path) -> Source {
    Source::open(&path.to_string_lossy()).expect("the file can be read")
}

/// The competition sorts files by hand: a few of its LRA systems have integers in them, one ADT
/// system a bit-vector.
fn same_track(ours: &str, theirs: &str) -> bool {
    ours == theirs
        || ours.replace("LIRA", "LRA") == theirs
        || ours.replace("ADT-BV-", "ADT-") == theirs
}

#[test]
fn the_competition_selection_is_read_and_printed() {
    let files = files("../shared/benchmarks/chc-comp25");
    if files.is_empty() {
        eprintln!("../shared/benchmarks/chc-comp25 is not there: nothing was read");
        return;
    }
    for path in files {
        let source = open(&path);
        check_round_trip(&source);
        let t = Terms::new();
        let system = read_system(&t, &source).expect("it was read before");
        let ours = Classification::of(&t, &system).track();
        let theirs = path
            .parent()
            .and_then(Path::file_name)
            .expect("files lie in tracks")
            .to_string_lossy();
        assert!(same_track(&ours, &theirs), "{} is {ours}", path.display());
    }
}

#[test]
fn our_own_systems_are_read_and_printed() {
    let files = files("horn-benchmarks");
    assert!(!files.is_empty(), "horn-benchmarks has systems");
    for path in files
        .iter()
        .filter(|path| !path.starts_with("horn-benchmarks/rejected"))
    {
        check_round_trip(&open(path));
    }
}

/// Files that must be rejected say where in a comment: `; error: LINE:COL`, perhaps with a part of
/// the message behind.
#[test]
fn what_is_to_be_rejected_is_rejected_at_the_right_place() {
    for path in files("horn-benchmarks/rejected") {
        let source = open(&path);
        let expected = source
            .text()
            .lines()
            .find_map(|line| line.strip_prefix("; error: "));
        let expected =
            expected.unwrap_or_else(|| panic!("{} says where its error is", path.display()));
        let (place, message) = expected.split_once(' ').unwrap_or((expected, ""));
        match read_system(&Terms::new(), &source) {
            Ok(_) => panic!("{} is read", path.display()),
            Err(error) => {
                assert_eq!(error.position().to_string(), place.trim(), "{error}");
                assert!(
                    error.to_string().contains(message.trim()),
                    "{error} should say: {message}"
                );
            }
        }
    }
}
