//! The embedded SMT core, part by part: `cargo bench --bench native`.
//!
//! Counted is what each part does: pivots of the simplex, propagations of the Boolean part, queries
//! of a context as property-directed reachability uses one, interpolants, steps of proofs checked.
//! The work is the same in every run, so the counts are taken from one run before. Printed first is
//! how large the contexts and the store of terms become.

#[path = "shared/step.rs"]
mod step;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use fastrand::Rng;
use horn::smt::native::check::check;
use horn::smt::native::proof::Proof;
use horn::smt::native::{NativeOptions, NativeSolver, NativeStatistics, interpolants};
use horn::smt::{InterpolationOptions, Limit, PartTree, SatResult, Solver, Strength};
use horn::term::{Sort, Substitution, Term, Terms};
use std::process::Command;
use step::{SEED, Step, any, number, step};

/// How often work that takes up to a second is done.
const SAMPLES: u32 = 10;

fn main() {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("--size"), Some(name)) => print_size(&name),
        _ => {
            print_sizes();
            divan::main();
        }
    }
}

/// A workload: asks its questions in a context.
type Workload = fn(&Terms, &mut NativeSolver<'_>) -> u64;

const WORKLOADS: [(&str, Workload); 5] = [
    ("random inequalities", inequalities),
    ("random 3-SAT", three_sat),
    ("pigeonhole", pigeonhole),
    ("reachability, Int", |t, s| reachability(t, s, Sort::INT)),
    ("reachability, Real", |t, s| reachability(t, s, Sort::REAL)),
];

/// Runs a workload in a new store and a new context; answers the number of questions and
/// what was done.
fn run(workload: Workload, options: &NativeOptions) -> (u64, NativeStatistics) {
    let t = Terms::new();
    let mut solver = NativeSolver::new(&t, options);
    let questions = workload(&t, &mut solver);
    (questions, solver.statistics())
}

/// In a separate process for each workload, where memory has not been used before.
fn print_sizes() {
    let us = std::env::current_exe().expect("this program");
    for (name, _) in WORKLOADS {
        let status = Command::new(&us).args(["--size", name]).status();
        assert!(status.is_ok_and(|status| status.success()));
    }
}

fn print_size(name: &str) {
    let found = WORKLOADS.iter().find(|(other, _)| *other == name);
    let (_, workload) = found.expect("a workload");
    let before = resident();
    let t = Terms::new();
    let mut solver = NativeSolver::new(&t, &NativeOptions::for_engines());
    workload(&t, &mut solver);
    let grown = resident().saturating_sub(before) >> 10;
    let counts = solver.statistics();
    println!(
        "{name}: {} terms, {} rows in the tableau, {} kB of clauses and watches, {grown} kB of memory in all",
        t.len(),
        counts.rows,
        counts.clause_bytes >> 10
    );
}

/// Bytes of memory that this process has and that are no file's.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.map_or(0, |kilobytes| kilobytes * 1024)
}

/// Measures a workload by a count of what it does.
fn measure(
    bencher: Bencher,
    workload: Workload,
    options: &NativeOptions,
    count: fn(&NativeStatistics) -> u64,
) {
    let (_, statistics) = run(workload, options);
    bencher
        .counter(ItemsCount::new(count(&statistics)))
        .bench_local(|| run(black_box(workload), options));
}

/// Inequalities with four variables each, asserted one after the other until there is no solution,
/// and a few times anew.
fn inequalities(t: &Terms, s: &mut NativeSolver<'_>) -> u64 {
    const VARIABLES: usize = 25;
    const CHAINS: u64 = 8;
    const LENGTH: u64 = 75;
    let mut random = Rng::with_seed(SEED);
    let vars: Vec<Term> = (0..VARIABLES)
        .map(|i| t.var(&format!("r{i}"), Sort::REAL))
        .collect();
    let mut questions = 0;
    for _ in 0..CHAINS {
        s.push();
        for _ in 0..LENGTH {
            let mut summand = || {
                let x = any(&mut random, &vars);
                t.scale(random.i64(-5..=5).into(), x)
            };
            let sum = t.add([summand(), summand(), summand(), summand()]);
            s.assert(t.le(sum, t.real(random.i64(-20..=20).into())));
            questions += 1;
            if s.check(format_args!("is there a point?"), &[]) == SatResult::Unsat {
                break;
            }
        }
        s.pop();
    }
    questions
}

/// Random clauses of three literals, where about half of such formulas are contradictory.
fn three_sat(t: &Terms, s: &mut NativeSolver<'_>) -> u64 {
    const VARIABLES: u64 = 120;
    const FORMULAS: u64 = 4;
    let mut random = Rng::with_seed(SEED);
    for formula in 0..FORMULAS {
        s.push();
        for _ in 0..VARIABLES * 43 / 10 {
            let mut literal = || {
                let name = format!("p{formula}.{}", random.u64(..VARIABLES));
                let var = t.var(&name, Sort::BOOL);
                if random.bool() { t.not(var) } else { var }
            };
            let clause = [literal(), literal(), literal()];
            s.assert(t.or(clause));
        }
        s.check(format_args!("is it satisfiable?"), &[]);
        s.pop();
    }
    FORMULAS
}

/// One hole too few.
fn pigeonhole(t: &Terms, s: &mut NativeSolver<'_>) -> u64 {
    const PIGEONS: usize = 8;
    let at = |pigeon: usize, hole: usize| t.var(&format!("p{pigeon}@{hole}"), Sort::BOOL);
    for pigeon in 0..PIGEONS {
        s.assert(t.or((1..PIGEONS).map(|hole| at(pigeon, hole))));
        for other in 0..pigeon {
            for hole in 1..PIGEONS {
                s.assert(t.or([t.not(at(pigeon, hole)), t.not(at(other, hole))]));
            }
        }
    }
    assert_eq!(s.check(format_args!("do they fit?"), &[]), SatResult::Unsat);
    1
}

/// Ten variables, eight branches, differences as guards.
fn example(t: &Terms, sort: Sort) -> Step {
    step(t, sort, (10, 8), |random, pre| {
        let (x, y) = (any(random, pre), any(random, pre));
        vec![t.le(t.sub(x, y), number(t, sort, random.i64(-20..=20)))]
    })
}

/// The questions of property-directed reachability at one rule: cubes at levels, with lemmas that
/// hang on the literals of the levels from theirs on; a cube that is blocked becomes a lemma,
/// weakened, and the next question.
fn reachability(t: &Terms, s: &mut NativeSolver<'_>, sort: Sort) -> u64 {
    const LEVELS: usize = 6;
    const CUBES: usize = 250;
    let mut random = Rng::with_seed(SEED);
    let step = example(t, sort);
    let levels: Vec<Term> = (0..LEVELS)
        .map(|i| t.var(&format!("level{i}"), Sort::BOOL))
        .collect();
    s.assert(step.relation);
    let mut questions = 0;
    for _ in 0..CUBES {
        let level = random.usize(..LEVELS);
        let mut cube = Vec::new();
        for &x in &step.post {
            let bound = number(t, sort, random.i64(-30..=30));
            match random.u8(..3) {
                0 => cube.push(t.le(x, bound)),
                1 => cube.push(t.ge(x, bound)),
                _ => {}
            }
        }
        let assumptions = [&levels[level..], &cube].concat();
        questions += 1;
        let about = format_args!("has the cube a predecessor at level {level}?");
        if s.check(about, &assumptions) != SatResult::Unsat {
            continue;
        }
        let core = s.core().expect("a core");
        let weaker = s.weaken(&cube);
        cube.retain(|literal| core.contains(literal));
        let lemma = t.not(t.and(weaker.unwrap_or(cube)));
        let pairs = step.post.iter().copied().zip(step.pre.iter().copied());
        let lemma = Substitution::new(t, pairs).apply(lemma);
        s.assert(t.or([t.not(levels[level]), lemma]));
        // A question in a separate scope, like one about initial states.
        s.push();
        s.assert(t.not(lemma));
        questions += 1;
        s.check(format_args!("is the lemma new?"), &levels[level..]);
        s.pop();
    }
    questions
}

#[divan::bench(sample_count = SAMPLES)]
fn pivots(bencher: Bencher) {
    measure(bencher, inequalities, &NativeOptions::default(), |counts| {
        counts.pivots
    });
}

#[divan::bench(args = [false, true], sample_count = SAMPLES)]
fn propagations_of_3_sat(bencher: Bencher, proofs: bool) {
    let options = NativeOptions {
        proofs,
        ..NativeOptions::default()
    };
    measure(bencher, three_sat, &options, |counts| counts.propagations);
}

#[divan::bench(sample_count = SAMPLES)]
fn propagations_of_pigeonhole(bencher: Bencher) {
    measure(bencher, pigeonhole, &NativeOptions::default(), |counts| {
        counts.propagations
    });
}

/// Queries a second; with what proofs and weaker cubes need, or without.
#[divan::bench(args = ["Int", "Real", "Int, cores only", "Int, with proofs"], sample_count = SAMPLES)]
fn queries_of_reachability(bencher: Bencher, way: &str) {
    let workload: Workload = match way {
        "Real" => |t, s| reachability(t, s, Sort::REAL),
        _ => |t, s| reachability(t, s, Sort::INT),
    };
    let options = NativeOptions {
        proofs: way.contains("proofs"),
        weaken: !way.contains("only"),
        ..NativeOptions::default()
    };
    let (questions, _) = run(workload, &options);
    bencher
        .counter(ItemsCount::new(questions))
        .bench_local(|| run(black_box(workload), &options));
}

/// The parts of a contradiction: a counter that starts at 0, a number of steps, and that the
/// counter is beyond this number.
fn counter(t: &Terms, steps: i64) -> Vec<Vec<Term>> {
    let at = |i: i64| {
        let var = |name: &str| t.var(&format!("{name}{i}"), Sort::INT);
        (var("x"), var("y"))
    };
    let one = t.int(1);
    let step = |i: i64| {
        let ((x, y), (next_x, next_y)) = (at(i), at(i + 1));
        let first = [t.eq(next_x, t.add([x, one])), t.eq(next_y, t.add([y, one]))];
        let second = [t.eq(next_x, x), t.eq(next_y, t.add([y, one]))];
        vec![t.or([t.and(first), t.and(second)])]
    };
    let (x, y) = at(0);
    let (end_x, end_y) = at(steps);
    let begin = vec![t.eq(x, t.int(0)), t.eq(y, t.int(0))];
    let end = vec![t.or([t.gt(end_x, end_y), t.lt(end_y, t.int(steps))])];
    let steps = (0..steps).map(step);
    [begin].into_iter().chain(steps).chain([end]).collect()
}

const STEPS: i64 = 20;

/// Interpolants a second, with the search for the proof.
#[divan::bench(args = ["strong", "decomposed", "weak"], sample_count = SAMPLES)]
fn interpolants_of_a_counter(bencher: Bencher, way: &str) {
    let options = InterpolationOptions {
        strength: if way == "weak" {
            Strength::Weak
        } else {
            Strength::Strong
        },
        decompose: way == "decomposed",
        ..InterpolationOptions::default()
    };
    bencher
        .counter(ItemsCount::new(STEPS as u64 + 1))
        .bench_local(|| {
            let t = Terms::new();
            let parts = counter(&t, STEPS);
            let tree = PartTree::path(parts.len());
            let found = interpolants(&t, &tree, &parts, &options, &Limit::none());
            found.expect("interpolants").len()
        });
}

/// A contradiction and its proof.
fn proof(t: &Terms, assertions: &[Term]) -> Proof {
    let options = NativeOptions {
        proofs: true,
        ..NativeOptions::default()
    };
    let mut solver = NativeSolver::new(t, &options);
    assertions.iter().for_each(|&f| solver.assert(f));
    let outcome = solver.check(format_args!("a contradiction"), &[]);
    assert_eq!(outcome, SatResult::Unsat);
    solver.proof().expect("proofs are kept")
}

/// Steps of a proof checked a second.
#[divan::bench(args = [5, 10, 20])]
fn proof_steps_checked(bencher: Bencher, steps: i64) {
    let t = Terms::new();
    let assertions = counter(&t, steps).concat();
    let proof = proof(&t, &assertions);
    bencher
        .counter(ItemsCount::new(proof.steps.len()))
        .bench_local(|| check(&t, &assertions, &[], black_box(&proof)));
}
