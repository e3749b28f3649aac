//! Interpolants that external solvers print: read, and believed only if they are such.

use super::backends;
use crate::processes::processes_of;
use crate::solvers::solver_found;
use crate::time::PROMPTLY;
use horn::logic::interpolate::{Interpolation, check};
use horn::smt::process::ProcessOptions;
use horn::smt::{
    Backend, Failure, InterpolationOptions, InterpolationSource, Limit, NoInterpolants, PartTree,
    SolverChoice, Strength, find_solver,
};
use horn::term::{BvOp, Sort, Term, Terms};
use std::path::Path;
use std::time::Duration;

fn interpolation<'a, 't>(
    t: &'t Terms,
    backend: &'a Backend,
    source: InterpolationSource,
) -> Interpolation<'a, 't> {
    Interpolation {
        terms: t,
        backend,
        limit: Limit::none().within(10 * PROMPTLY),
        name: "test",
        options: InterpolationOptions {
            source,
            ..InterpolationOptions::default()
        },
    }
}

/// Some contradictions: their names, and the formulas of two sides or of more parts.
fn contradictions(t: &Terms) -> Vec<(&'static str, Vec<Vec<Term>>)> {
    let int = |name: &str| t.var(name, Sort::INT);
    let (x, y, z) = (int("x"), int("y"), int("z"));
    let (p, q) = (t.var("p", Sort::BOOL), t.var("q", Sort::BOOL));
    let (r, s) = (t.var("r", Sort::REAL), t.var("s", Sort::REAL));
    let third = t.div(t.real(1.into()), t.real(3.into()));
    let row = t.array_sort(Sort::INT, Sort::INT);
    let a = t.var("a", row);
    let byte = t.bitvec_sort(8);
    let (b, c) = (t.var("b", byte), t.var("c", byte));
    let bits = |value: i64| t.bitvec(&value.into(), 8);
    vec![
        ("booleans", vec![vec![p, t.implies(p, q)], vec![t.not(q)]]),
        (
            "equations",
            vec![vec![t.eq(x, t.int(1))], vec![t.eq(x, t.int(2))]],
        ),
        (
            "integers",
            vec![
                vec![t.le(x, t.int(3)), t.eq(y, t.scale(2.into(), x))],
                vec![t.gt(y, t.int(6)), t.eq(z, y)],
            ],
        ),
        (
            "parity",
            vec![
                vec![t.eq(x, t.scale(2.into(), y))],
                vec![t.eq(x, t.add([t.scale(2.into(), z), t.int(1)]))],
            ],
        ),
        (
            "reals",
            vec![
                vec![t.lt(r, third), t.eq(s, t.neg(r))],
                vec![t.lt(s, t.neg(t.real(1.into())))],
            ],
        ),
        (
            "arrays",
            vec![
                vec![t.eq(t.select(a, t.int(3)), t.int(4)), p],
                vec![t.eq(t.select(a, t.int(3)), t.int(5)), q],
            ],
        ),
        (
            "bits",
            vec![
                vec![t.bv(BvOp::Ult, &[b, bits(5)]), t.eq(c, bits(0))],
                vec![t.bv(BvOp::Ult, &[bits(6), b])],
            ],
        ),
        (
            "a sequence",
            vec![
                vec![t.eq(x, t.int(0))],
                vec![t.eq(y, t.add([x, t.int(1)]))],
                vec![t.eq(z, t.add([y, t.int(1)]))],
                vec![t.gt(z, t.int(2))],
            ],
        ),
        (
            "a sequence of Booleans",
            vec![vec![p], vec![t.implies(p, q)], vec![t.not(q)], vec![p]],
        ),
    ]
}

/// Which of them each solver is given. cvc5 enumerates, and finds the simplest only. Z3 takes a
/// second for each.
const FOUND: [(&str, &[&str]); 2] = [
    (
        "z3",
        &[
            "integers",
            "parity",
            "reals",
            "arrays",
            "bits",
            "a sequence",
        ],
    ),
    ("cvc5", &["booleans", "equations", "a sequence of Booleans"]),
];

#[test]
fn solvers_have_interpolants() {
    for (solver, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let listed = FOUND.iter().find(|(name, _)| *name == solver);
        let (_, listed) = listed.expect("a list for each solver");
        for (name, parts) in contradictions(&t) {
            if !listed.contains(&name) {
                continue;
            }
            let asked = interpolation(&t, &backend, InterpolationSource::External);
            let found = asked.sequence_interpolants(&parts);
            let found = found.unwrap_or_else(|error| panic!("{solver}, {name}: {error}"));
            let tree = PartTree::path(parts.len());
            let right = check(&t, &backend, &asked.limit, &tree, &parts, &found);
            assert_eq!(right, Ok(true), "{solver}, {name}");
        }
    }
}

#[test]
fn branches_fit_together() {
    let Some((_, backend)) = backends(&ProcessOptions::default()).into_iter().next() else {
        return;
    };
    let t = Terms::new();
    let [x, y, z, v] = ["x", "y", "z", "v"].map(|name| t.var(name, Sort::INT));
    // Two subtrees, each with a leaf, bound `y` and `v`; the root adds them.
    let nodes = vec![
        vec![t.le(x, t.int(3))],
        vec![t.eq(y, t.add([x, t.int(1)]))],
        vec![t.or([t.le(z, t.int(5)), t.eq(z, t.int(7))])],
        vec![t.eq(v, t.scale(2.into(), z))],
        vec![t.gt(t.add([y, v]), t.int(18))],
    ];
    let tree = PartTree::new(vec![1, 4, 3, 4]).expect("a tree");
    let mut asked = interpolation(&t, &backend, InterpolationSource::External);
    // Those of one proof would not fit together.
    asked.options.strength = Strength::Weak;
    let found = asked
        .tree_interpolants(&tree, &nodes)
        .expect("interpolants");
    let right = check(&t, &backend, &asked.limit, &tree, &nodes, &found);
    assert_eq!(right, Ok(true));
    let mut open = nodes;
    open[4] = vec![t.gt(t.add([y, v]), t.int(17))];
    let found = asked.tree_interpolants(&tree, &open);
    assert_eq!(found, Err(NoInterpolants::Satisfiable));
}

/// Z3 for all commands but `get-interpolant`. What it answers to `get-interpolant` are
/// these shell commands, for which the words of the question are `$1`, `$2` and so on.
fn liar(directory: &Path, z3: &str, lie: &str) -> Backend {
    let script = directory.join("liar.sh");
    let text = format!(
        "read -r first\n\
         case $first in\n\
         '(set-option :memory_max_size'*) while read -r line; do case $line in\n\
         '(get-interpolant'*) set -- $line; {lie} ;;\n\
         '(get-info'*) echo '(:rlimit 7)' ;;\n\
         '(echo '*) line=${{line#*\\\"}}; echo \"${{line%%\\\"*}}\" ;;\n\
         esac; done ;;\n\
         *) {{ printf '%s\\n' \"$first\"; cat; }} | {z3} -in -smt2 ;;\n\
         esac\n"
    );
    std::fs::write(&script, text).expect("a script");
    let script = script.to_str().expect("a name").to_owned();
    let choice = SolverChoice {
        name: "a z3 that lies".to_owned(),
        command: vec!["/bin/sh".to_owned(), script],
        found: "made for a test".to_owned(),
    };
    Backend::process(&choice, ProcessOptions::default()).expect("a back end")
}

#[test]
fn wrong_interpolants_are_refused() {
    if !solver_found(Some("z3")) {
        return;
    }
    let z3 = find_solver(Some("z3")).expect("it was found");
    let broken = |why: &str| Failure::Broken(why.to_owned());
    let incomplete = |why: &str| Failure::Incomplete(why.to_owned());
    for (lie, expected) in [
        (
            "echo true",
            broken("its interpolant does not contradict the other side"),
        ),
        (
            "echo false",
            broken("its interpolant does not follow from the one side"),
        ),
        // `x ≤ 3` implies itself, but the other side does not have `x`.
        (
            "echo \"(<= $4 3)\"",
            broken("its interpolant has symbols of one side"),
        ),
        (
            "echo x9999999",
            incomplete("its interpolant cannot be read at x9999999"),
        ),
        (
            "echo 17",
            incomplete("its interpolant cannot be read at 17"),
        ),
        (
            "echo sat",
            incomplete("it finds no interpolant, and says sat"),
        ),
        ("echo true; echo true", broken("true true")),
        ("echo", broken("")),
        (
            "echo '(and true'",
            broken("words that do not fit together: (and true (:rlimit 7) k2"),
        ),
        ("echo '(error \"no\")'", broken("(error \"no\")")),
        (
            "echo '(error \"out of memory\")'; exit 101",
            incomplete("out of memory"),
        ),
        ("exit 3", broken("it ended")),
        ("sleep 1000", Failure::Timeout),
    ] {
        let directory = tempfile::tempdir().expect("a directory");
        let backend = liar(directory.path(), &z3.command[0], lie);
        let t = Terms::new();
        let (_, parts) = contradictions(&t).swap_remove(2);
        let mut asked = interpolation(&t, &backend, InterpolationSource::External);
        if expected == Failure::Timeout {
            asked.limit = Limit::none().within(Duration::from_secs(2));
        }
        let found = asked.sequence_interpolants(&parts);
        assert_eq!(found, Err(expected.into()), "{lie}");
        // With the core beside it, it is not even asked.
        asked.limit = Limit::none().within(PROMPTLY);
        asked.options.source = InterpolationSource::Both;
        let found = asked.sequence_interpolants(&parts).expect("the core's");
        let tree = PartTree::path(2);
        let right = check(&t, &backend, &asked.limit, &tree, &parts, &found);
        assert_eq!(right, Ok(true), "{lie}");
        drop(backend);
        let left = processes_of(directory.path());
        assert!(left.is_empty(), "{lie}: {left:?}");
    }
}

#[test]
fn the_external_solver_has_what_the_core_has_not() {
    let Some((_, backend)) = backends(&ProcessOptions::default()).into_iter().next() else {
        return;
    };
    let t = Terms::new();
    // Bit-vectors of the two sides are arguments of one function, and equal bit by bit. The bits of
    // one are negations, of which the core divides six at most.
    let sort = t.bitvec_sort(8);
    let f = t.declare(t.symbol("f"), &[sort], Sort::INT);
    let [x, y, shared] = ["x", "y", "shared"].map(|n| t.var(n, sort));
    let result = t.var("result", Sort::INT);
    let doubled = t.bv(BvOp::Add, &[shared, shared]);
    let shifted = t.bv(BvOp::Shl, &[shared, t.bitvec(&1.into(), 8)]);
    let negated = t.bv(BvOp::Not, &[y]);
    let parts = vec![
        vec![t.eq(x, doubled), t.eq(t.apply(f, &[x]), result)],
        vec![t.eq(negated, shifted), t.lt(t.apply(f, &[negated]), result)],
    ];
    let run = |source| interpolation(&t, &backend, source).sequence_interpolants(&parts);
    let of_core = run(InterpolationSource::Core);
    assert!(of_core.is_err(), "{of_core:?}");
    let of_both = run(InterpolationSource::Both);
    assert!(of_both.is_ok(), "{of_both:?}");
}

#[test]
fn a_solver_without_interpolants_says_so() {
    let backend = Backend::native(horn::smt::native::NativeOptions::default());
    let t = Terms::new();
    let p = t.var("p", Sort::BOOL);
    let parts = [vec![p], vec![t.not(p)]];
    let run = |source| interpolation(&t, &backend, source).sequence_interpolants(&parts);
    let why = "interpolants: no external solver has them".to_owned();
    assert_eq!(
        run(InterpolationSource::External),
        Err(Failure::Unsupported(why).into())
    );
    assert_eq!(run(InterpolationSource::Both), Ok(vec![p]));
}

#[test]
fn questions_are_dumped() {
    let directory = tempfile::tempdir().expect("a directory");
    let options = ProcessOptions {
        dump: Some(directory.path().to_owned()),
        ..ProcessOptions::default()
    };
    for (solver, backend) in backends(&options) {
        let t = Terms::new();
        let (_, parts) = contradictions(&t).swap_remove(0);
        let asked = interpolation(&t, &backend, InterpolationSource::External);
        asked.sequence_interpolants(&parts).expect("interpolants");
        let files = std::fs::read_dir(directory.path()).expect("a directory");
        let texts = files.map(|file| std::fs::read_to_string(file.expect("a file").path()));
        let asked = texts.filter(|text| {
            let text = text.as_ref().expect("text");
            text.contains("(get-interpolant")
        });
        assert!(asked.count() > 0, "{solver}");
    }
}
