//! The theories of the embedded core, one by one and together: `cargo bench --bench theories`.
//!
//! Each family has members of growing size. A member is a script of assertions and checks; the
//! counter says how many checks a run answers. `linear` has no theory beside arithmetic, and shows
//! what the others cost where they are not used.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use horn::smt::native::{NativeOptions, NativeSolver};
use horn::smt::{SatResult, Solver};
use horn::smtlib::{SmtReader, SmtStep, Source};
use horn::term::{Term, Terms};
use std::fmt::Write;

/// How often work that takes up to a second is done.
const SAMPLES: u32 = 10;

fn main() {
    divan::main();
}

/// Declarations, and formulas each of which is asserted in a new scope and checked. The last
/// one of these is contradictory by itself, the others are not.
struct Family {
    declarations: String,
    formulas: Vec<String>,
}

/// Reads the formulas of a family.
fn read(t: &Terms, family: &Family) -> Vec<Term> {
    let script = format!(
        "{}(check-sat-assuming ({}))",
        family.declarations,
        family.formulas.join(" ")
    );
    let source = Source::from_text("family", &script);
    let mut reader = SmtReader::new(t, &source);
    let mut last = None;
    while let Some((step, _)) = reader
        .next_step()
        .unwrap_or_else(|e| panic!("{}", e.report()))
    {
        last = Some(step);
    }
    match last {
        Some(SmtStep::Check(formulas)) => formulas.into_iter().map(|(f, _)| f).collect(),
        _ => unreachable!("the script ends with a check"),
    }
}

/// Checks each formula of a family in a new context; answers the number of checks.
fn run(t: &Terms, formulas: &[Term], options: &NativeOptions) -> usize {
    let mut solver = NativeSolver::new(t, options);
    for (number, &formula) in formulas.iter().enumerate() {
        solver.push();
        solver.assert(formula);
        let expected = match number + 1 == formulas.len() {
            true => SatResult::Unsat,
            false => SatResult::Sat,
        };
        assert_eq!(solver.check(format_args!("a formula"), &[]), expected);
        solver.pop();
    }
    formulas.len()
}

fn measure(bencher: Bencher, family: &Family) {
    let t = Terms::new();
    let formulas = read(&t, family);
    bencher
        .counter(ItemsCount::new(formulas.len()))
        .bench_local(|| run(&t, black_box(&formulas), &NativeOptions::for_engines()));
}

fn constants(count: usize, sort: &str, names: &[&str]) -> String {
    let mut declarations = String::new();
    for i in 0..=count {
        for name in names {
            // Writing into a string does not fail.
            let _ = write!(declarations, "(declare-const {name}{i} {sort})");
        }
    }
    declarations
}

fn conjunction(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    format!("(and true {})", parts.join(" "))
}

/// Diamonds of inequalities: each way through makes the number greater.
#[divan::bench(args = [8, 16], sample_count = SAMPLES)]
fn linear(bencher: Bencher, n: usize) {
    let step = |i: usize| {
        let next = i + 1;
        format!("(or (and (< x{i} y{i}) (< y{i} x{next})) (and (< x{i} z{i}) (<= z{i} x{next})))")
    };
    let diamonds = conjunction((0..n).map(step));
    measure(
        bencher,
        &Family {
            declarations: constants(n, "Int", &["x", "y", "z"]),
            formulas: vec![diamonds.clone(), format!("(and {diamonds} (<= x{n} x0))")],
        },
    );
}

/// Diamonds of equations, and a function that tells the ends apart.
#[divan::bench(args = [8, 16], sample_count = SAMPLES)]
fn functions(bencher: Bencher, n: usize) {
    let step = |i: usize| {
        let next = i + 1;
        format!(
            "(or (and (= (f x{i}) y{i}) (= y{i} (f x{next}))) \
             (and (= (f x{i}) z{i}) (= z{i} (f x{next}))))"
        )
    };
    let diamonds = conjunction((0..n).map(step));
    measure(
        bencher,
        &Family {
            declarations: format!(
                "(declare-sort U 0)(declare-fun f (U) U){}",
                constants(n, "U", &["x", "y", "z"])
            ),
            formulas: vec![
                diamonds.clone(),
                format!("(and {diamonds} (not (= (f (f x0)) (f (f x{n})))))"),
            ],
        },
    );
}

/// Stores to different indices, in two orders.
#[divan::bench(args = [4, 8], sample_count = SAMPLES)]
fn arrays(bencher: Bencher, n: usize) {
    let stores = |order: &mut dyn Iterator<Item = usize>| {
        order.fold("a".to_owned(), |array, i| {
            format!("(store {array} i{i} x{i})")
        })
    };
    let (there, back) = (stores(&mut (0..n)), stores(&mut (0..n).rev()));
    let indices: Vec<String> = (0..n).map(|i| format!("i{i}")).collect();
    let differ = format!("(not (= {there} {back}))");
    measure(
        bencher,
        &Family {
            declarations: format!(
                "(declare-const a (Array Int Int)){}",
                constants(n, "Int", &["i", "x"])
            ),
            formulas: vec![
                differ.clone(),
                format!("(and {differ} (distinct {}))", indices.join(" ")),
            ],
        },
    );
}

/// Lists that are longer by one than each other, in a circle.
#[divan::bench(args = [4, 8], sample_count = SAMPLES)]
fn datatypes(bencher: Bencher, n: usize) {
    let step = |i: usize| {
        let next = i + 1;
        format!("(or (= x{i} (cons 0 x{next})) (= (tail x{i}) x{next}))")
    };
    let built = |i: usize| format!("((_ is cons) x{i})");
    let steps = conjunction((0..n).map(step));
    let all = conjunction((0..n).map(built));
    measure(
        bencher,
        &Family {
            declarations: format!(
                "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List))))){}",
                constants(n, "List", &["x"])
            ),
            formulas: vec![steps.clone(), format!("(and {steps} {all} (= x0 x{n}))")],
        },
    );
}

/// The product of sums is the sum of products, by bits of that width.
#[divan::bench(args = [3, 4], sample_count = SAMPLES)]
fn bit_vectors(bencher: Bencher, width: usize) {
    let product = "(bvmul (bvadd x0 y0) z0)";
    measure(
        bencher,
        &Family {
            declarations: constants(0, &format!("(_ BitVec {width})"), &["x", "y", "z"]),
            formulas: vec![
                format!("(= {product} (bvmul x0 y0 z0))"),
                format!("(not (= {product} (bvadd (bvmul x0 z0) (bvmul y0 z0))))"),
            ],
        },
    );
}

/// Bit-vectors of that width that stay within a bound as numbers.
#[divan::bench(args = [32, 256], sample_count = SAMPLES)]
fn conversions(bencher: Bencher, width: usize) {
    let step = |i: usize| {
        let next = i + 1;
        format!("(= x{next} (+ x{i} (bv2nat y{i}))) (<= (bv2nat y{i}) (bv2nat y{next}))")
    };
    let steps = conjunction((0..8).map(step));
    measure(
        bencher,
        &Family {
            declarations: format!(
                "{}{}",
                constants(8, "Int", &["x"]),
                constants(8, &format!("(_ BitVec {width})"), &["y"])
            ),
            formulas: vec![
                steps.clone(),
                format!("(and {steps} (= y0 y7) (not (= (- x8 x0) (* 8 (bv2nat y3)))))"),
            ],
        },
    );
}

/// Sums of products of bounded numbers.
#[divan::bench(args = [1, 2], sample_count = SAMPLES)]
fn products(bencher: Bencher, n: usize) {
    let bounds = conjunction((0..n).map(|i| format!("(<= 0 x{i} 9) (<= 0 y{i} 9)")));
    let terms: Vec<String> = (0..n).map(|i| format!("(* x{i} y{i})")).collect();
    let sum = format!("(+ 0 {})", terms.join(" "));
    measure(
        bencher,
        &Family {
            declarations: constants(n, "Int", &["x", "y"]),
            formulas: vec![
                format!("(and {bounds} (> {sum} {}))", 60 * n),
                format!("(and {bounds} (> {sum} {}))", 81 * n),
            ],
        },
    );
}

/// An array of lists of numbers that a function gives: all but the arithmetic of products.
#[divan::bench(args = [4, 8], sample_count = SAMPLES)]
fn together(bencher: Bencher, n: usize) {
    let step = |i: usize| {
        let next = i + 1;
        format!(
            "(= a{next} (store a{i} (f x{i}) (cons x{i} (select a{i} (f x{i}))))) \
             (= x{next} (+ x{i} (head (select a{next} (f x{i})))))"
        )
    };
    let steps = conjunction((0..n).map(step));
    measure(
        bencher,
        &Family {
            declarations: format!(
                "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))\
                 (declare-fun f (Int) Int){}{}",
                constants(n, "(Array Int List)", &["a"]),
                constants(n, "Int", &["x"])
            ),
            formulas: vec![
                format!("(and {steps} (= x0 1))"),
                format!("(and {steps} (= x0 1) (not (= x{n} {})))", 1_u64 << n),
            ],
        },
    );
}
