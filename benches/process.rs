//! Round trips to external solvers, on streams of queries as property-directed reachability poses
//! them.
//!
//! A synthetic transition relation over integers or reals; from random cubes of its poststates, the
//! loop does what the engine does: a satisfiable query yields a predecessor cube from the model's
//! values, an unsatisfiable one a core, which is made smaller literal by literal and whose negation
//! is asserted for good. `cargo bench --bench process [z3|cvc5|command]` prints the time for each
//! way of making assumptions.

#[path = "shared/step.rs"]
mod step;

use fastrand::Rng;
use horn::smt::process::{Assume, ProcessOptions};
use horn::smt::{Backend, SatResult, Solver, SolverChoice, find_solver};
use horn::term::{Sort, Term, Terms, Value};
use std::time::Instant;
use step::{SEED, Step, any, number, step};

/// The number of variables and of branches, each of these with three linear guards.
fn example(t: &Terms, sort: Sort, vars: usize, branches: usize) -> Step {
    step(t, sort, (vars, branches), |random, pre| {
        let mut guard = || {
            let (x, y) = (any(random, pre), any(random, pre));
            let c = number(t, sort, random.i64(-20..=20));
            t.le(t.add([x, t.scale(random.i64(-3..=3).into(), y)]), c)
        };
        (0..3).map(|_| guard()).collect()
    })
}

/// Bounds that fix or limit some of the variables.
fn cube(t: &Terms, vars: &[Term], values: &[i64], random: &mut Rng) -> Vec<Term> {
    let mut literals = Vec::new();
    for (&x, &v) in vars.iter().zip(values) {
        let v = number(t, t.sort_of(x), v);
        match random.u8(..4) {
            0 => literals.push(t.le(x, v)),
            1 => literals.push(t.ge(x, v)),
            2 => literals.extend([t.le(x, v), t.ge(x, v)]),
            _ => {}
        }
    }
    literals
}

/// Runs the loop; answers how many checks were satisfiable and how many not.
fn run(t: &Terms, e: &Step, s: &mut dyn Solver, rounds: usize) -> (u64, u64) {
    let mut random = Rng::with_seed(SEED);
    let (mut sat, mut unsat) = (0, 0);
    s.assert(e.relation);
    let mut values: Vec<i64> = Vec::new();
    let rename = |f: Term, t: &Terms| {
        let pairs = e.post.iter().copied().zip(e.pre.iter().copied());
        horn::term::Substitution::new(t, pairs).apply(f)
    };
    for _ in 0..rounds {
        if values.is_empty() {
            values = e.post.iter().map(|_| random.i64(-40..=40)).collect();
        }
        let mut literals = cube(t, &e.post, &values, &mut random);
        values.clear();
        match s.check(format_args!("a predecessor"), &literals) {
            SatResult::Sat => {
                sat += 1;
                let model = s.values(&e.pre).expect("values");
                values.extend(model.iter().map(|v| match v {
                    Value::Number(n) => n.floor().to_i64().unwrap_or(0),
                    _ => 0,
                }));
                if random.bool() {
                    values.clear();
                }
            }
            SatResult::Unsat => {
                unsat += 1;
                literals = s.core().expect("a core");
                let mut i = 0;
                while i < literals.len() {
                    let mut fewer = literals.clone();
                    fewer.remove(i);
                    match s.check(format_args!("one literal less"), &fewer) {
                        SatResult::Unsat => {
                            unsat += 1;
                            literals = s.core().expect("a core");
                        }
                        _ => {
                            sat += 1;
                            i += 1;
                        }
                    }
                }
                s.assert(rename(t.not(t.and(literals)), t));
            }
            SatResult::Unknown(why) => panic!("{why}"),
        }
    }
    (sat, unsat)
}

/// Processor time of this process and of its children that have ended, which another load on the
/// machine changes little.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let times = after_name.split_whitespace().skip(11).take(4);
    const TICKS_PER_SECOND: f64 = 100.0;
    times.filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() / TICKS_PER_SECOND
}

/// What a check costs in which there is nothing to decide.
fn round_trip(choice: &SolverChoice) {
    const CHECKS: u32 = 5000;
    let backend = Backend::process(choice, ProcessOptions::default()).expect("a back end");
    let t = Terms::new();
    let p = t.var("p", Sort::BOOL);
    let mut solver = backend.solver(&t, "bench");
    solver.check(format_args!("warm up"), &[p]);
    let start = Instant::now();
    for _ in 0..CHECKS {
        solver.check(format_args!("nothing"), &[p]);
    }
    println!("round trip: {:?}", start.elapsed() / CHECKS);
}

fn main() {
    let wanted = std::env::args().nth(1).filter(|a| !a.starts_with("--"));
    let choice = find_solver(wanted.as_deref()).expect("a solver");
    println!("{} ({})", choice.command.join(" "), choice.found);
    round_trip(&choice);
    for (sort, name) in [(Sort::INT, "Int"), (Sort::REAL, "Real")] {
        for (vars, branches) in [(4, 3), (12, 12), (20, 20)] {
            for assume in [Assume::Named, Assume::Direct] {
                let options = ProcessOptions {
                    assume: Some(assume),
                    ..ProcessOptions::default()
                };
                let backend = Backend::process(&choice, options).expect("a back end");
                let t = Terms::new();
                let e = example(&t, sort, vars, branches);
                let (start, before) = (Instant::now(), cpu_seconds());
                let mut solver = backend.solver(&t, "bench");
                let (sat, unsat) = run(&t, &e, &mut *solver, 300);
                let wall = start.elapsed().as_secs_f64();
                drop(solver); // the time of a process counts when it has ended
                let cpu = cpu_seconds() - before;
                let micros = |seconds: f64| seconds * 1e6 / (sat + unsat) as f64;
                println!(
                    "{name:5} {vars:3} variables {branches:3} branches {assume:9?} {sat:5} sat {unsat:5} unsat: \
                     {:7.1} µs each, {:7.1} µs of processor time",
                    micros(wall),
                    micros(cpu)
                );
            }
        }
    }
}
