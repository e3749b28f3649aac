//! The ledger: every query is counted once, for its client and its purpose.

use super::certified::{read, solve_certified};
use super::corpus::corpus;
use super::solvers::solver_found;
use horn::engine::ENGINES;
use horn::portfolio::{Choice, Jobs, Options};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Counts, Row};
use horn::term::Terms;
use std::collections::BTreeSet;
use std::path::Path;

/// Systems that engines decide in different ways.
const SYSTEMS: [&str; 4] = [
    "sat/lia/k-induction-two-steps",
    "sat/lia/spacer-fig2",
    "unsat/lia/gcd-of-48-and-36",
    "sat/arrays/maximum-one-cell",
];

/// The work for an engine and a system, in ticks: some engines do not decide some of the systems.
const PATIENCE: u64 = 3_000_000;

/// The queries in the files of a directory, and their answers: `sat`, `unsat`, `unknown`.
fn written(directory: &Path) -> (u64, [u64; 3]) {
    let (mut queries, mut answers) = (0, [0; 3]);
    for file in std::fs::read_dir(directory).expect("a directory") {
        let path = file.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("text");
        for line in text.lines() {
            queries += u64::from(line.starts_with("(check-sat"));
            let starts = ["; sat, ", "; unsat, ", "; unknown ("];
            for (count, start) in answers.iter_mut().zip(starts) {
                *count += u64::from(line.starts_with(start));
            }
        }
    }
    (queries, answers)
}

/// Solves a system by a back end that writes all queries to files, and compares what is written
/// there with the rows of the ledger, which it answers.
fn check(solver: &str, system: &str, options: &Options) -> Vec<Row> {
    let directory = tempfile::tempdir().expect("a directory");
    let processes = ProcessOptions {
        dump: Some(directory.path().to_owned()),
        ..ProcessOptions::default()
    };
    let (backend, _) = Backend::choose(Some(solver), processes).expect("a back end");
    let t = Terms::new();
    let system_read = read(&t, corpus(&format!("{system}.smt2")));
    solve_certified(&t, &system_read, &backend, options);
    let rows = backend.statistics().rows;
    let counts = rows.iter().map(|row| row.counts);
    let counts: Counts = counts.sum();
    let answers = [counts.sat, counts.unsat, counts.unknown];
    let told = (counts.queries(), answers);
    let what = format!("{solver}, {system}, {:?}", options.engine);
    assert_eq!(written(directory.path()), told, "{what}: {rows:#?}");
    rows
}

fn options(engine: Choice, jobs: usize) -> Options {
    Options {
        engine,
        jobs: Jobs::new(jobs),
        budget: Some(PATIENCE),
        ..Options::default()
    }
}

#[test]
fn every_query_is_counted_once() {
    // The helper's own check is in no client's name.
    let others = ["preprocess", "lift", "check", "debug", "other"];
    let mut seen = BTreeSet::new();
    for system in SYSTEMS {
        for engine in ENGINES {
            let rows = check("native", system, &options(Choice::One(engine), 1));
            for row in &rows {
                let client = row.client;
                assert!(client == engine.name || others.contains(&client), "{row:?}");
            }
            seen.extend(rows.iter().map(|row| (row.client, row.purpose.to_string())));
        }
        for jobs in [1, 2] {
            check("native", system, &options(Choice::Auto, jobs));
        }
    }
    for (client, purposes) in [
        ("bmc", &["unroll"][..]),
        (
            "kind",
            &["base case", "step case", "interpolate", "initial states"],
        ),
        ("pdr", &["block", "reach", "drop literals", "derive"]),
        (
            "spacer",
            &["block", "extract invariants", "abstract", "refine"],
        ),
        ("cells", &["block"]),
        ("check", &["certificate"]),
    ] {
        for purpose in purposes {
            let row = (client, (*purpose).to_owned());
            assert!(seen.contains(&row), "no {client}, {purpose}: {seen:#?}");
        }
    }
    // A name with a number is one of a context whose purpose was forgotten.
    let numbered = |purpose: &String| purpose.ends_with(|c: char| c.is_ascii_digit());
    let numbered: Vec<_> = seen.iter().filter(|(_, p)| numbered(p)).collect();
    assert!(
        numbered.iter().all(|(client, _)| *client == "debug"),
        "{numbered:?}"
    );
}

#[test]
fn external_solvers_are_counted_alike() {
    if !solver_found(Some("z3")) {
        return;
    }
    let engines = ENGINES
        .iter()
        .filter(|e| ["pdr", "kind", "spacer"].contains(&e.name));
    for engine in engines {
        // A query that ends before the program was asked is counted, but not written.
        let options = Options {
            budget: None,
            ..options(Choice::One(engine), 1)
        };
        let rows = check("z3", "sat/lia/k-induction-two-steps", &options);
        // The core's interpolation problems are among the queries that are written.
        let interpolates = rows.iter().any(|row| row.purpose == "interpolate");
        assert_eq!(interpolates, engine.name == "kind", "{rows:#?}");
    }
}
