//! What the core is asked, written to files that any solver can read.

use super::session::formulas;
use crate::solvers::solver_found;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, SatResult, Solver, find_solver};
use horn::term::{Sort, Term, Terms};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of contexts of the core in a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(directory).expect("a directory");
    let paths = files.map(|file| file.expect("a file").path());
    let is_native = |path: &PathBuf| path.to_string_lossy().ends_with(".native.smt2");
    let mut paths: Vec<PathBuf> = paths.filter(is_native).collect();
    paths.sort();
    paths
}

/// The verdicts that `horn-smt` gives to a file, which has no error in it.
fn replay(file: &Path, solver: &[&str]) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_horn-smt"));
    let output = command.args(solver).arg(file).output().expect("it runs");
    let (out, err) = (output.stdout, String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{err}");
    let text = String::from_utf8(out).expect("text");
    assert!(!text.contains("(error"), "{text}");
    let verdicts = text
        .lines()
        .filter(|l| ["sat", "unsat", "unknown"].contains(l));
    verdicts.map(str::to_owned).collect()
}

/// A session with all that can be written down; answers the outcomes.
fn session(t: &Terms, solver: &mut dyn Solver) -> Vec<SatResult> {
    let (x, y) = (t.var("größe\nvon", Sort::INT), t.var("y", Sort::INT));
    let (p, r) = (t.var("p", Sort::BOOL), t.var("r", Sort::REAL));
    let f = t.declare(t.symbol("f"), &[Sort::INT], Sort::INT);
    let mut outcomes = Vec::new();
    let about = format_args!("does F_1 block\nthe cube?");
    let mut check = |solver: &mut dyn Solver, assumptions: &[Term]| {
        outcomes.push(solver.check(about, assumptions));
    };
    solver.assert(t.lt(t.int(3), x));
    check(solver, &[]);
    // Nothing is asked in this scope.
    solver.push();
    solver.assert(t.eq(t.apply(f, &[x]), y));
    solver.pop();
    check(solver, &[p, t.eq(x, t.int(2))]);
    assert_eq!(solver.core(), Ok(vec![t.eq(x, t.int(2))]));
    solver.push();
    solver.assert(t.eq(t.apply(f, &[x]), y));
    check(solver, &[t.not(p), t.lt(x, t.int(5))]);
    // Neither `r` nor `f(y)` was ever spoken of, nor the datatype.
    let of_datatype = t.args(formulas(t, "(= w1 empty)")[0]).to_vec();
    let asked = [x, r, t.apply(f, &[y]), t.add([x, y])];
    let values = solver.values(&[&asked, &of_datatype[..]].concat());
    assert_eq!(values.expect("values")[0], 4.into());
    check(solver, &[t.or([t.lt(x, y), t.lt(y, x)]), t.eq(x, y)]);
    assert_eq!(solver.core().map(|core| core.len()), Ok(2));
    solver.pop();
    check(solver, &[p]);
    outcomes
}

/// The external solver for what the core does not decide, if there is one.
fn external() -> bool {
    std::env::var_os("HORN_SOLVER").is_none() && solver_found(None)
}

#[test]
fn dumps_can_be_replayed() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("made/here");
    let options = ProcessOptions {
        dump: Some(place.clone()),
        ..ProcessOptions::default()
    };
    let (backend, _) = Backend::choose(Some("native"), options).expect("a back end");
    let t = Terms::new();
    let outcomes = session(&t, &mut *backend.solver(&t, "of p/2"));
    // A context for certificates is one like the others.
    let mut other = backend.proving().solver(&t, "check");
    assert_eq!(
        other.check(format_args!("nothing"), &[Term::FALSE]),
        SatResult::Unsat
    );
    let [file, second] = &files(&place)[..] else {
        panic!("two contexts, two files");
    };
    assert!(file.ends_with("000-of_p_2.native.smt2") && second.ends_with("001-check.native.smt2"));
    let text = std::fs::read_to_string(file).expect("text");
    for part in [
        "; the embedded core\n(set-option :produce-models true)\n",
        " is größe\n; von\n",
        "; does F_1 block\n; the cube?\n(check-sat-assuming (",
        "(check-sat)\n; unsat, ",
        "\n; sat, ",
        "(get-unsat-core)\n",
        "(push 1)\n(assert (= x",
        "(get-value (",
    ] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
    let expected: Vec<&str> = outcomes
        .iter()
        .map(|o| if *o == SatResult::Sat { "sat" } else { "unsat" })
        .collect();
    assert_eq!(expected, ["sat", "unsat", "sat", "unsat", "sat"]);
    assert_eq!(replay(file, &["--solver", "native"]), expected);
    assert_eq!(replay(second, &["--solver", "native"]), ["unsat"]);
    if external() {
        let choice = find_solver(None).expect("there is one");
        assert_eq!(
            replay(file, &["--solver", &choice.command.join(" ")]),
            expected,
            "{}",
            choice.name
        );
        let output = Command::new(&choice.command[0])
            .arg(file)
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let verdicts: Vec<&str> = text.lines().filter(|l| expected.contains(l)).collect();
        assert!(verdicts == expected && !text.contains("error"), "{text}");
    }
}

/// What the core does not decide stands there with its own answer and that of the external solver,
/// which has a file too.
#[test]
fn the_last_answer_counts() {
    let directory = tempfile::tempdir().expect("a directory");
    let options = ProcessOptions {
        dump: Some(directory.path().to_owned()),
        ..ProcessOptions::default()
    };
    let wanted = (!external()).then_some("native");
    let (backend, _) = Backend::choose(wanted, options).expect("a back end");
    let t = Terms::new();
    let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
    let mut solver = backend.solver(&t, "squares");
    solver.assert(t.forall(&[y], t.or([t.le(y, x), t.lt(t.int(2), y)])));
    let outcome = solver.check(format_args!("a quantifier"), &[t.eq(x, t.int(2))]);
    drop(solver);
    let text = std::fs::read_to_string(&files(directory.path())[0]).expect("text");
    assert!(
        text.contains("\n; unknown (not supported: (forall "),
        "{text}"
    );
    assert_eq!(
        text.contains("\n; sat, "),
        outcome == SatResult::Sat,
        "{text}"
    );
    let all = std::fs::read_dir(directory.path())
        .expect("a directory")
        .count();
    assert_eq!(all, if external() { 2 } else { 1 });
}
