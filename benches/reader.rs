//! How fast text becomes clauses, and how much memory that takes: `cargo bench --bench reader`.
//!
//! Throughput is in bytes of text; `max alloc` is the memory held at the worst moment, beside the
//! text itself. `chain` is the chain of 10,000 predicates that `scripts/generate` writes. `typical`
//! is a system of a thousand clauses as front ends write them, over and over the same variables and
//! subterms, `distinct` has new numbers in each clause, so that nearly every subterm is a new term.
//! `corpus` is horn-benchmarks/, `competition` the selection of CHC-COMP files beside the project,
//! where it is.

#[path = "../tests/shared/files.rs"]
mod files;

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher};
use files::files;
use horn::smtlib::ast::Ast;
use horn::smtlib::stream::Commands;
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use std::fmt::Write as _;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const INPUTS: [&str; 5] = ["chain", "typical", "distinct", "corpus", "competition"];

fn input(name: &str) -> Vec<Source> {
    match name {
        "chain" => vec![Source::from_text(name, chain(10_000))],
        "typical" => vec![Source::from_text(
            name,
            generated(20_000, |clause| clause % 50),
        )],
        "distinct" => vec![Source::from_text(
            name,
            generated(20_000, |clause| 1_000_000 + clause * 10),
        )],
        "corpus" => readable("horn-benchmarks"),
        _ => readable("../shared/benchmarks/chc-comp25"),
    }
}

/// A system of that many clauses; `number` gives the first of the numbers in a clause.
fn generated(clauses: usize, number: impl Fn(usize) -> usize) -> String {
    let mut text = "(set-logic HORN)\n(declare-fun p (Int Int Bool) Bool)\n".to_owned();
    for clause in 0..clauses {
        let n = number(clause);
        let (a, b, c, d) = (n, n + 1, n + 2, n + 3);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "(assert (forall ((x Int) (y Int) (z Bool) (v Int))\n  (=> (and (p x y z) (let ((a!1 (+ x (* {a} y)))) \
             (and (not (<= a!1 {b})) (or (not z) (= v (+ {c} a!1))) (or z (>= y {d})))))\n    (p v (+ y {a}) (not z)))))"
        );
    }
    text
}

/// The system that `scripts/generate` writes for the family `chain`.
fn chain(size: usize) -> String {
    let mut text = "(set-logic HORN)\n".to_owned();
    // Writing to a string cannot fail.
    for at in 0..size {
        let _ = writeln!(text, "(declare-fun p{at} (Int) Bool)");
    }
    let mut step = |from: usize, to: usize| {
        let _ = writeln!(
            text,
            "(assert (forall ((x Int))\n  (=> (p{from} x) (p{to} (+ x 1)))))"
        );
    };
    for at in 0..size {
        if at % 3 == 0 {
            step(at, at);
        }
        if at + 1 < size {
            step(at, at + 1);
        }
    }
    let last = size - 1;
    let _ = writeln!(
        text,
        "(assert (p0 0))\n(assert (forall ((x Int))\n  (=> (and (p{last} x) (< x {last})) false)))"
    );
    text
}

/// The readable files below a directory.
fn readable(directory: &str) -> Vec<Source> {
    let paths = files(directory);
    let mut found: Vec<Source> = paths
        .iter()
        .filter_map(|path| Source::open(&path.to_string_lossy()).ok())
        .collect();
    found.retain(|source| read_system(&Terms::new(), source).is_ok());
    found
}

fn size(sources: &[Source]) -> BytesCount {
    BytesCount::new(
        sources
            .iter()
            .map(|source| source.text().len())
            .sum::<usize>(),
    )
}

/// Text to syntax.
#[divan::bench(args = INPUTS, sample_count = 10)]
fn parse(bencher: Bencher<'_, '_>, name: &str) {
    let sources = input(name);
    bencher.counter(size(&sources)).bench_local(|| {
        for source in &sources {
            let t = Terms::new();
            let mut ast = Ast::new(&t);
            let mut commands = Commands::new(source);
            while let Ok(Some(_)) = commands.next_command(&mut ast, &t) {}
        }
    });
}

/// Text to clauses.
#[divan::bench(args = INPUTS, sample_count = 10)]
fn read(bencher: Bencher<'_, '_>, name: &str) {
    let sources = input(name);
    bencher.counter(size(&sources)).bench_local(|| {
        for source in &sources {
            let t = Terms::new();
            divan::black_box(read_system(&t, source).expect("it was read before"));
        }
    });
}
