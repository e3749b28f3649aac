//! The embedded core as the solver under test, with its proofs, interpolants and weakened cubes.

use super::environment;
use super::script::{Command, declare};
use super::subject::{Subject, Tested, Text, interpolants};
use horn::smt::native::proof::Proof;
use horn::smt::native::{Budget, NativeOptions, NativeSolver, check};
use horn::smt::{Backend, InterpolationOptions, Solver, Strength};
use horn::term::{Term, Terms};
use std::cell::Cell;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command as Python;

/// The core in one way of working.
pub(crate) struct Native {
    options: NativeOptions,
    interpolation: InterpolationOptions,
}

impl Native {
    /// All ways: what is kept for proofs changes what is done.
    pub(crate) fn ways() -> Vec<Box<dyn Subject>> {
        let way = |proofs, weaken, strength, decompose| -> Box<dyn Subject> {
            let budget = Budget::default();
            Box::new(Native {
                options: NativeOptions {
                    proofs,
                    weaken,
                    budget,
                },
                interpolation: InterpolationOptions {
                    strength,
                    decompose,
                    budget,
                    ..InterpolationOptions::default()
                },
            })
        };
        vec![
            way(false, false, Strength::Strong, false),
            way(false, true, Strength::Weak, false),
            way(true, false, Strength::Strong, true),
            way(false, false, Strength::Weak, true),
        ]
    }
}

impl Subject for Native {
    fn solver<'t>(&self, t: &'t Terms) -> Box<dyn Tested + 't> {
        Box::new(Embedded {
            t,
            solver: NativeSolver::new(t, &self.options),
        })
    }

    fn interpolants(&self, t: &Terms, parts: &[Vec<Term>]) -> Option<Result<Vec<Term>, String>> {
        let backend = Backend::native(NativeOptions::default());
        Some(interpolants(t, &backend, self.interpolation, parts))
    }
}

struct Embedded<'t> {
    t: &'t Terms,
    solver: NativeSolver<'t>,
}

impl Tested for Embedded<'_> {
    fn solver(&mut self) -> &mut dyn Solver {
        &mut self.solver
    }

    fn check_proof(
        &mut self,
        assertions: &[Term],
        assumptions: &[Term],
    ) -> Option<Result<Text, String>> {
        let proof = self.solver.proof()?;
        let checked = check::check(self.t, assertions, assumptions, &proof);
        let checked = checked.map_err(|error| format!("{error}, of\n{}", proof.text(self.t)));
        if checked.is_ok() && assumptions.is_empty() && is_next() {
            return Some(check_text(self.t, assertions, &proof));
        }
        Some(checked.map(|()| Text::Unasked))
    }
}

/// Of this number of proofs without assumptions, one is checked as text, if nothing else is said.
const TEXTS: u32 = 8;

thread_local! {
    /// Of this number of proofs without assumptions, one is checked as text.
    static ONE_OF: Cell<u32> = Cell::new(environment("HORN_SMT_FUZZ_TEXTS").unwrap_or(TEXTS));
    /// The proofs that were not checked as text since the last one that was.
    static SKIPPED: Cell<u32> = const { Cell::new(0) };
}

/// From now on all proofs without assumptions are checked as text, in this thread.
pub(super) fn check_all_texts() {
    ONE_OF.set(1);
}

/// Is this proof to be checked as text?
fn is_next() -> bool {
    SKIPPED.set((SKIPPED.get() + 1) % ONE_OF.get().max(1));
    SKIPPED.get() == 0
}

/// Gives a proof in the Alethe format, where it has one, to `scripts/check-alethe`.
fn check_text(t: &Terms, assertions: &[Term], proof: &Proof) -> Result<Text, String> {
    let alethe = match proof.alethe(t, assertions) {
        Ok(alethe) => alethe,
        Err(why) => return Ok(Text::Missing(why.to_string())),
    };
    let commands: Vec<Command> = assertions.iter().copied().map(Command::Assert).collect();
    let mut query = String::new();
    declare(t, &commands, &mut query);
    for definition in &alethe.definitions {
        let _ = writeln!(query, "{definition}");
    }
    for assertion in &alethe.assertions {
        let _ = writeln!(query, "(assert {assertion})");
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let [query_file, proof_file] =
        ["query.smt2", "proof.alethe"].map(|name| scratch.path().join(name));
    fs::write(&query_file, &query).expect("it can be written");
    fs::write(&proof_file, &alethe.steps).expect("it can be written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check-alethe");
    let python = Python::new("python3")
        .arg(script)
        .arg(&query_file)
        .arg(&proof_file)
        .output();
    match python {
        // Without Python the text is not checked.
        Err(_) => Ok(Text::Unasked),
        Ok(output) if output.status.success() => Ok(Text::Accepted),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("{said}\n{query}\n{}", alethe.steps))
        }
    }
}
