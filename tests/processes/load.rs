//! With one job and no limit a run is a function of its input: the same answer, certificate and
//! counts under any load.

use crate::SetOnDrop;
use crate::program::{Program, text};
use crate::solvers::solver_found;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const HORN_SOLVE: Program = Program::new(env!("CARGO_BIN_EXE_horn-solve"));
const C2HORN: Program = Program::new(env!("CARGO_BIN_EXE_c2horn"));

/// Threads that keep processors busy.
const SPINNING: usize = 3;

/// Systems over the theories: some are decided by the first turn of `auto`, others by later turns.
const SYSTEMS: [&str; 14] = [
    "sat/lia/k-induction-event-machine",
    "sat/lia/token-counting",
    "sat/lia/up-and-down",
    "sat/lra/zeno",
    "sat/arrays/maximum-one-cell",
    "sat/arrays/newton-fig1",
    "sat/adt/option-never-negative",
    "sat/bv/ring-buffer-index",
    "sat/bool/peterson",
    "unsat/lia/gcd-of-48-and-36",
    "unsat/lia/nested-loops-9-by-9",
    "unsat/lra/train-gate-too-fast",
    "unsat/adt/list-length-three",
    "unsat/arrays/overwritten-cell",
];

/// C programs with the beginnings of their verdicts. The last one has several encodings, and an
/// overflow that is sought for a while.
const PROGRAMS: [(&str, &str); 3] = [
    (
        "int i = 0, n = __VERIFIER_nondet_int(); while (i < n) i++; if (n > 0 && i != n) reach_error();",
        "TRUE",
    ),
    (
        "unsigned x = __VERIFIER_nondet_uint(), y = 0; while (y < 5) { x++; y++; } if (x < y) reach_error();",
        "FALSE",
    ),
    (
        "unsigned k = 0; int x = 0, y = 0; while (__VERIFIER_nondet_int()) { k = (k + 1) % 8; x += 3; y += k; } \
         if (k > 7 || x % 3 != 0) reach_error();",
        "TRUE",
    ),
];

/// What a run says: the verdict and the certificate, and the statistics without times and memory.
fn run(system: &str) -> (String, Json) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("horn-benchmarks");
    let file = root.join(system).with_extension("smt2");
    let file = file.to_str().expect("a name");
    let args = ["--jobs", "1", "--stats=json", "--model", "--proof", file];
    let child = HORN_SOLVE.start(&args, "");
    let output = child.wait_with_output().expect("it ends");
    let errors = text(&output.stderr);
    let stats = errors.lines().rev().find(|line| line.starts_with('{'));
    let stats = stats.unwrap_or_else(|| panic!("{system}: no statistics in {errors}"));
    let mut stats: Json = serde_json::from_str(stats).expect("it is JSON");
    drop_measurements(&mut stats);
    (text(&output.stdout), stats)
}

/// Takes out what depends on the machine: times, and memory.
fn drop_measurements(stats: &mut Json) {
    match stats {
        Json::Object(object) => {
            object.retain(|name, _| !name.contains("time") && name != "peak-memory");
            object.values_mut().for_each(drop_measurements);
        }
        Json::Array(list) => list.iter_mut().for_each(drop_measurements),
        _ => {}
    }
}

/// What `c2horn` says of a program: the verdict with what follows, and the statistics without
/// times.
fn verify(main: &str) -> (String, Vec<String>) {
    let program = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n\
         extern void reach_error(void);\nint main(void) {{ {main} return 0; }}\n"
    );
    let child = C2HORN.start(&["--verify", "--stats", "-"], &program);
    let output = child.wait_with_output().expect("it ends");
    let errors = text(&output.stderr);
    let lines = errors.lines().filter(|line| !line.starts_with("time "));
    (text(&output.stdout), lines.map(str::to_owned).collect())
}

/// Does this beside threads that keep processors busy.
fn beside_a_busy_loop(work: impl FnOnce()) {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..SPINNING {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        // Also where the work fails: the scope waits for its threads.
        let _over = SetOnDrop(&over);
        work();
    });
}

#[test]
fn load_changes_nothing() {
    // Arrays, datatypes and bit-vectors are Z3's, whose work is limited in its own units.
    let has_z3 = solver_found(Some("z3"));
    let is_native = |system: &&str| {
        ["/lia/", "/lra/", "/bool/"]
            .iter()
            .any(|t| system.contains(t))
    };
    let systems = SYSTEMS.into_iter().filter(|s| has_z3 || is_native(s));
    let alone: BTreeMap<&str, (String, Json)> = systems.map(|s| (s, run(s))).collect();
    beside_a_busy_loop(|| {
        for (system, before) in &alone {
            assert_eq!(run(system), *before, "{system}");
        }
    });
    for (system, (said, stats)) in &alone {
        let (verdict, _) = system.split_once('/').expect("a directory");
        assert!(said.starts_with(verdict), "{system}: {said}");
        assert!(stats["ticks"].as_u64() > Some(0), "{system}: {stats}");
    }
}

#[test]
fn load_changes_nothing_about_c_programs() {
    let alone = PROGRAMS.map(|(program, _)| verify(program));
    beside_a_busy_loop(|| {
        for ((program, _), before) in PROGRAMS.iter().zip(&alone) {
            assert_eq!(verify(program), *before, "{program}");
        }
    });
    for ((program, verdict), (said, stats)) in PROGRAMS.iter().zip(&alone) {
        assert!(said.starts_with(verdict), "{program}: {said}");
        assert!(
            stats.iter().any(|line| line.starts_with("ticks: ")),
            "{stats:?}"
        );
    }
}
