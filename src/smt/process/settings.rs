//! What is different from solver to solver: one row each.

use crate::smt::follow::Assume;
use rsmt2::conf::SmtStyle;

/// The row of a solver.
#[derive(Clone, Debug)]
pub(super) struct ProcessSettings {
    /// What the program's file name contains.
    pub(super) name: &'static str,
    /// The preset of rsmt2, which knows the arguments that make the program read SMT-LIB from its
    /// standard input. A solver without a preset gets no arguments.
    preset: Option<SmtStyle>,
    /// The logic that is set.
    pub(super) logic: Option<&'static str>,
    /// How assumptions are made.
    pub(super) assume: Assume,
    /// The command that decides what is asserted all anew, with preprocessing for which there is no
    /// time in a dialogue.
    pub(super) anew: Option<&'static str>,
    /// How a check is limited to an amount of work, the same on every machine.
    pub(super) work: Option<WorkUnits>,
    /// The option that limits each check to a number of milliseconds, and the number that stands
    /// for no limit.
    pub(super) timeout: Option<(&'static str, u32)>,
    /// How it gives interpolants, if it does.
    pub(super) interpolation: Option<Interpolation>,
}

/// How a solver gives interpolants. A process that gives them answers no other questions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interpolation {
    /// The options that are set first, before the logic.
    pub(super) options: &'static [(&'static str, &'static str)],
    /// The command.
    pub(super) command: InterpolationCommand,
    /// What it says where it finds none.
    pub(super) none: &'static [&'static str],
}

/// A form of the command `get-interpolant`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InterpolationCommand {
    /// `(get-interpolant A B)` of two formulas that contradict each other. The answer is a formula.
    Contradiction,
    /// `(get-interpolant I C)`, where what is asserted implies `C`. The answer defines `I`.
    Conclusion,
}

impl ProcessSettings {
    /// The settings of a solver whose program has this file name.
    pub(super) fn of_program(name: &str) -> ProcessSettings {
        let mut presets = PRESETS.into_iter();
        presets
            .find(|preset| name.contains(preset.name))
            .expect("the last preset has an empty name")
    }

    /// The command that starts the solver. Where the user gave arguments, these are all; else they
    /// come from the preset.
    pub(super) fn command_line(&self, given: &[String]) -> Vec<String> {
        match (self.preset, given) {
            (Some(style), [program]) => {
                let mut configuration = style.new(program);
                configuration.incremental();
                let mut words = vec![configuration.get_cmd().to_owned()];
                words.extend_from_slice(configuration.get_options());
                words
            }
            _ => given.to_vec(),
        }
    }
}

/// A solver's own measure of work.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkUnits {
    /// The option that limits each check to a number of units, where 0 stands for no limit.
    pub(super) option: &'static str,
    /// What a unit costs.
    pub(super) ticks: u64,
    /// The `get-info` keyword under which the solver says how many units it has used since it was
    /// started.
    pub(super) used: Option<&'static str>,
}

/// The solvers that are known. The last row is for all others.
///
/// Measured on streams of queries as property-directed reachability poses them
/// (`benches/process.rs`, and dumps of the engine on fourteen contexts of CHC-COMP's LIA and LRA
/// tracks, replayed), in processor time:
///
/// - Z3 5.4: a round trip with nothing to decide takes 34 µs. [`Assume::Direct`] took 3 to 50 %
///   less than [`Assume::Named`] on the engine's dumps, mostly about 17 %. Literals that imply the
///   assumptions took 1.7 to 3 times as long as either; asking for the core by a second check,
///   twice as long. Cores cost nothing to speak of, so they are always on.
/// - Z3 with the logic `QF_LIA`, which has another solver, took three times as long as without a
///   logic. None of twenty of its parameters that were tried was faster on all streams.
/// - Z3's incremental solver takes very long for some questions about arrays of arrays, dozens of
///   disjuncts with stores, which it decides in 50 ms once equations are solved.
/// - A unit of Z3's `rlimit` takes 0.1 µs where it decides bit-vectors, and up to 1 µs over arrays
///   and datatypes.
/// - A timeout in Z3 starts a thread in each check, for 0.3 ms; so it is used for short limits
///   only.
/// - Z3's `get-interpolant` takes 0.8 s and 670 MB for the simplest question, the next ones too. It
///   obeys neither its limit on work nor its timeout, so it has a limit on memory. It says `sat`
///   also of contradictions, where symbols of one side are arrays or values of datatypes.
/// - cvc5's `get-interpolant` enumerates formulas by size. It found `y ≤ 6` for `y = 2x ∧ x ≤ 3` in
///   10 s, and Boolean ones and equations at once. It has no cores beside interpolants.
/// - cvc5 1.0 takes three to ten times as long as Z3; its cores cost half as much again.
const PRESETS: [ProcessSettings; 3] = [
    ProcessSettings {
        name: "z3",
        preset: Some(SmtStyle::Z3),
        logic: None,
        assume: Assume::Direct,
        anew: Some("(check-sat-using (then simplify propagate-values solve-eqs smt))"),
        work: Some(WorkUnits {
            option: ":rlimit",
            ticks: 8,
            used: Some(":rlimit"),
        }),
        timeout: Some((":timeout", u32::MAX)),
        interpolation: Some(Interpolation {
            options: &[(":memory_max_size", "2000")],
            command: InterpolationCommand::Contradiction,
            none: &["sat", "unknown"],
        }),
    },
    ProcessSettings {
        name: "cvc5",
        // cvc5 takes the arguments of its forerunner.
        preset: Some(SmtStyle::CVC4),
        logic: Some("ALL"),
        assume: Assume::Named,
        anew: None,
        work: Some(WorkUnits {
            option: ":reproducible-resource-limit",
            ticks: 200,
            used: None,
        }),
        timeout: Some((":tlimit-per", 0)),
        interpolation: Some(Interpolation {
            options: &[
                (":produce-unsat-cores", "false"),
                (":produce-interpolants", "true"),
            ],
            command: InterpolationCommand::Conclusion,
            none: &["fail", "none", "unknown"],
        }),
    },
    ProcessSettings {
        name: "",
        preset: None,
        logic: Some("ALL"),
        assume: Assume::Named,
        anew: None,
        work: None,
        timeout: None,
        interpolation: None,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines() {
        for (name, given, expected) in [
            ("z3", "/bin/z3", "/bin/z3 -in -smt2"),
            (
                "cvc5-nightly",
                "cvc5",
                "cvc5 -q --no-interactive --lang smt2 --incremental",
            ),
            ("z3", "z3 -in", "z3 -in"),
            ("yices-smt2", "yices-smt2", "yices-smt2"),
        ] {
            let given: Vec<String> = given.split(' ').map(str::to_owned).collect();
            let command = ProcessSettings::of_program(name).command_line(&given);
            assert_eq!(command.join(" "), expected);
        }
    }
}
