//! The turns of `auto`: which engines, in which order, for how long.

use crate::chc::{Answer, System};
use crate::engine::{Context, ENGINES, EngineSettings, EngineSpec};
use crate::os::Jobs;
use crate::term::Terms;
use crate::work::milliseconds;
use std::fmt;

/// A glance by bounded unrolling.
const SHORT_BMC: Turn = Turn::of("bmc", 0.02).at_most(milliseconds(400));
/// A glance by property-directed reachability.
const SHORT_PDR: Turn = Turn::of("pdr", 0.02).at_most(milliseconds(300));
/// A glance by k-induction, without its generator of invariants. The unrolling of a system that is
/// not linear grows fast, and no turn was measured that has one.
///
/// Tried: the generator in this turn, up to intervals, octagons or partitions, with and without its
/// findings on the blackboard. Of 59 LRA-Lin tasks it solves 46 to 49 within 10 s of CPU time, and
/// 49 without. On 58 tasks over integers the same are solved.
const SHORT_KIND: Turn = Turn {
    settings: &[("invariants", "none")],
    ..Turn::of("kind", 0.08)
        .at_most(milliseconds(2_000))
        .for_linear()
};
/// Cells of arrays: the engine decides quickly, or mostly not at all.
const CELLS: Turn = Turn::of("cells", 0.10);
/// Folds of datatypes: the engine decides within a second, or not at all.
const FOLDS: Turn = Turn::of("folds", 0.10);
/// Structural induction: the engine decides within seconds, or not at all. It comes after folds,
/// whose models are smaller.
const INDUCTION: Turn = Turn::of("induction", 0.12).at_most(milliseconds(20_000));
/// The same for the system as it was written: preprocessing inlines predicates, and what was two
/// small functions becomes a relation that is no function.
const INDUCTION_AS_WRITTEN: Turn = Turn {
    name: "induction as written",
    as_written: true,
    ..INDUCTION
};
/// Loops that count far: the engine decides quickly, or mostly not at all.
const ACCELERATION: Turn = Turn::of("acceleration", 0.06).at_most(milliseconds(3_000));
/// Polynomial equations: with them the engine decides quickly, or not at all. Mostly there are
/// none. The values were not tuned.
const POLYNOMIALS: Turn = Turn::of("polynomials", 0.04).at_most(milliseconds(2_000));
/// Transition powers: they find deep counterexamples of loops that nothing accelerates, such as
/// phases of alternating steps, quickly or mostly not at all. The values were not tuned.
const POWERS: Turn = Turn::of("tpa", 0.03)
    .at_most(milliseconds(1_000))
    .for_linear();
/// Bounded unrolling from the facts on. It finds refutations, and models where loops end after a
/// number of steps that the facts determine, quickly or not at all. The values were not tuned.
const BMC_FORWARDS: Turn = Turn {
    name: "bmc forwards",
    settings: &[("direction", "forward")],
    ..Turn::of("bmc", 0.05)
        .at_most(milliseconds(1_000))
        .for_linear()
};
/// Property-directed reachability, with the budget that is left after the fixed shares of the
/// others.
const PDR: Turn = Turn {
    share: Share::Rest,
    ..Turn::of("pdr", 0.0)
};
/// SPACER with bounded heights.
const SPACER_HEIGHTS: Turn = Turn::of("spacer", 0.08);
/// SPACER with bounded loops.
const SPACER_COUNTERS: Turn = Turn {
    name: "spacer by counters",
    settings: &[("bounding", "counters"), ("granularity", "conjuncts")],
    ..Turn::of("spacer", 0.06)
};
/// The engine `kind` with invariants that other engines found.
const LATE_KIND: Turn = Turn::of("kind", 0.02).for_linear();
/// Bounded unrolling in depth.
const BMC: Turn = Turn::of("bmc", 0.03);

/// An engine that has found a verdict may use this many times the budget of its turn for making the
/// certificate. The value was not tuned.
const CERTIFICATE_FACTOR: u64 = 3;

/// The turns of one thread, in parts of the budget:
///
/// 1. Bounded unrolling for a short time, since it finds shallow refutations quickly.
/// 2. Property-directed reachability for a short time, since it decides most of its systems at
///    once.
/// 3. k-induction, since a property that needs no other invariant is proved quickly.
/// 4. Folds of datatypes, structural induction (with preprocessing and without), cells of arrays
///    and accelerated loops, if there are any; polynomial equations in linear arithmetic; then
///    transition powers, and bounded unrolling from the facts on, if the system is linear.
/// 5. Property-directed reachability again: the main turn.
/// 6. SPACER, whose bounded queries and abstractions find some invariants that the main turn
///    misses.
/// 7. k-induction with the invariants that were found, and bounded unrolling, which alone finds
///    some deeper refutations.
///
/// The shares were chosen on development tasks of CHC-COMP 2025: property-directed reachability
/// decides most of its systems within seconds, so a long first turn of another engine delays
/// everything. Tried: the second turn costs nothing, with 46 of the LRA-Lin tasks solved with and
/// without it.
///
/// The upper bounds of turns were not tuned.
///
/// SPACER has two turns, one for each kind of bounds. Bounded heights decide more systems; bounded
/// loops decide others. With bounded loops every conjunct of the system can be left out, so the two
/// differ in that as well.
const TURNS: [Turn; 16] = [
    SHORT_BMC,
    SHORT_PDR,
    SHORT_KIND,
    FOLDS,
    INDUCTION,
    INDUCTION_AS_WRITTEN,
    CELLS,
    ACCELERATION,
    POLYNOMIALS,
    POWERS,
    BMC_FORWARDS,
    PDR,
    SPACER_HEIGHTS,
    SPACER_COUNTERS,
    LATE_KIND,
    BMC,
];

/// The turns of eight threads and more, all at the same time: every engine of the schedule, once
/// for each kind of settings.
const EVERY_ENGINE: [Turn; 12] = [
    PDR,
    BMC,
    SHORT_KIND,
    FOLDS,
    INDUCTION,
    CELLS,
    ACCELERATION,
    POLYNOMIALS,
    POWERS,
    BMC_FORWARDS,
    SPACER_HEIGHTS,
    SPACER_COUNTERS,
];

/// The turns of one thread that suit a system. Those without preprocessing must also suit the
/// system that it was made of, `written`; they are left out where nothing was preprocessed.
pub(super) fn one_after_the_other(t: &Terms, written: &System, system: &System) -> Vec<Turn> {
    let is_written = std::ptr::eq(written, system);
    let fits = |turn: &Turn| !turn.as_written || !is_written && turn.suits(t, written);
    let turns = TURNS.into_iter();
    turns
        .filter(|turn| turn.suits(t, system) && fits(turn))
        .collect()
}

/// The ticks that turns on several threads have parts of where there is no limit; the last engine
/// then goes on without one. The value was not tuned.
pub(super) const UNLIMITED: u64 = milliseconds(60_000);

/// The budget of a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Share {
    /// A part of the budget of all turns, but no more than `at_most`.
    Part {
        /// The part: between 0 and 1.
        part: f64,
        /// The upper bound of the turn, in ticks.
        at_most: u64,
    },
    /// The budget that is left after the parts of the other turns.
    Rest,
    /// The turn ends with the race only.
    Endless,
}

/// A turn of an engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The engine.
    engine: &'static EngineSpec,
    /// The name in messages: the engine's, unless the settings or the system are others than those
    /// of the engine's first turn.
    name: &'static str,
    share: Share,
    /// The engine's options that are other than the caller's, with their values.
    settings: &'static [(&'static str, &'static str)],
    /// Is the turn for linear systems only, whatever the engine supports?
    linear: bool,
    /// Does the engine get the system without preprocessing?
    pub(super) as_written: bool,
}

/// The engine of this name. It must be in the registry, which is checked at compile time.
const fn registered(name: &str) -> &'static EngineSpec {
    let mut at = 0;
    while at < ENGINES.len() {
        if same(ENGINES[at].name, name) {
            return &ENGINES[at];
        }
        at += 1;
    }
    panic!("a turn of an engine that the registry does not have")
}

/// Are the two texts equal?
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

impl Turn {
    /// The turn of the engine of that name, which has this part of the budget.
    const fn of(name: &str, part: f64) -> Turn {
        let engine = registered(name);
        Turn {
            engine,
            name: engine.name,
            share: Share::Part {
                part,
                at_most: u64::MAX,
            },
            settings: &[],
            linear: false,
            as_written: false,
        }
    }

    /// The same turn for linear systems only.
    const fn for_linear(self) -> Turn {
        Turn {
            linear: true,
            ..self
        }
    }

    /// The same turn with an upper bound, in ticks.
    const fn at_most(self, at_most: u64) -> Turn {
        let share = match self.share {
            Share::Part { part, .. } => Share::Part { part, at_most },
            share => share,
        };
        Turn { share, ..self }
    }

    /// The same turn without an end.
    fn endless(self) -> Turn {
        Turn {
            share: Share::Endless,
            ..self
        }
    }

    /// Is the turn for the system, and does the engine support it?
    pub(super) fn suits(&self, t: &Terms, system: &System) -> bool {
        (!self.linear || system.is_linear()) && self.engine.suits(t, system)
    }

    /// Is this the main turn, which decides most of the systems that are decided at all?
    pub(super) fn is_main(&self) -> bool {
        self.share == Share::Rest
    }

    /// Is a model expected of the turn? Bounded unrolling has one only if no derivation is larger.
    pub(super) fn expects_models(&self) -> bool {
        self.engine.finds.models() && self.engine != BMC.engine
    }

    /// The settings for the turn.
    fn settings(&self, settings: &EngineSettings) -> EngineSettings {
        let mut own = settings.clone();
        for (option, value) in self.settings {
            let set = own.set(self.engine.name, option, value);
            set.expect("a test tries the settings of all turns");
        }
        own
    }

    /// The part of the budget that the turn has; `None` where it has no fixed part.
    fn part(&self) -> Option<f64> {
        match self.share {
            Share::Part { part, .. } => Some(part),
            Share::Rest | Share::Endless => None,
        }
    }

    /// The ticks of the turn, where there are `all` for all turns; `None` where it has no fixed
    /// part.
    pub(super) fn ticks(&self, all: u64) -> Option<u64> {
        match self.share {
            Share::Part { part, at_most } => Some(((all as f64 * part) as u64).min(at_most)),
            Share::Rest | Share::Endless => None,
        }
    }

    /// Has the engine do its turn, which ends after that many ticks; the main turn also uses the
    /// time that they were expected to take, since no later turn needs it as much. What it has left
    /// on the board is admitted beyond the turn's budget, but within the limit of the context.
    pub(super) fn run(
        &self,
        system: &System,
        settings: &EngineSettings,
        context: &Context<'_>,
        ticks: Option<u64>,
    ) -> Answer {
        let own = match ticks {
            Some(ticks) if self.is_main() => context.within(context.limit.long_turn(ticks)),
            Some(ticks) => Context {
                certificate_limit: Some(
                    context.limit.turn(ticks.saturating_mul(CERTIFICATE_FACTOR)),
                ),
                derivation_limit: Some(context.limit.clone()),
                ..context.within(context.limit.turn(ticks))
            },
            None => context.clone(),
        };
        let found = self.engine.solve(system, &self.settings(settings), &own);
        if matches!(found, Answer::Unknown(_))
            && let Some(board) = context.board
        {
            board.admit(context);
        }
        found
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The turns of several threads that suit a system, in the order in which they begin. A free thread
/// takes the next turn. The system as written has no turn here: it is tried after all engines have
/// given up (`pipeline`).
///
/// Property-directed reachability runs all the time. On two threads the other turns follow each
/// other beside it, with the shares that they have without it. On three threads bounded unrolling
/// runs beside them, on four SPACER by heights, and on eight every engine.
pub(super) fn at_the_same_time(jobs: Jobs, suits: impl Fn(&Turn) -> bool) -> Vec<Turn> {
    let (all_the_time, others, last): (&[Turn], &[Turn], &[Turn]) = match jobs.count() {
        ..=2 => (
            &[PDR],
            &[
                SHORT_BMC,
                SHORT_KIND,
                FOLDS,
                INDUCTION,
                CELLS,
                ACCELERATION,
                POLYNOMIALS,
                POWERS,
                BMC_FORWARDS,
                SPACER_HEIGHTS,
                SPACER_COUNTERS,
                LATE_KIND,
            ],
            &[BMC],
        ),
        3 => (
            &[PDR, BMC],
            &[
                SHORT_KIND,
                FOLDS,
                INDUCTION,
                CELLS,
                ACCELERATION,
                POLYNOMIALS,
                POWERS,
                BMC_FORWARDS,
                SPACER_HEIGHTS,
            ],
            &[SPACER_COUNTERS],
        ),
        4..=7 => (
            &[PDR, BMC, SPACER_HEIGHTS],
            &[
                SHORT_KIND,
                FOLDS,
                INDUCTION,
                CELLS,
                ACCELERATION,
                POLYNOMIALS,
                POWERS,
                BMC_FORWARDS,
            ],
            &[SPACER_COUNTERS],
        ),
        _ => (&EVERY_ENGINE, &[], &[]),
    };
    let suitable = |turns: &[Turn]| -> Vec<Turn> {
        let turns = turns.iter().copied();
        turns.filter(|turn| suits(turn)).collect()
    };
    let endless = |turns: &[Turn]| suitable(turns).into_iter().map(Turn::endless);
    endless(all_the_time)
        .chain(scaled(&suitable(others), last))
        .chain(endless(last))
        .collect()
}

/// The ticks for which a race goes on where something else could be tried: the other engines have
/// given up and unrolling is alone, or a pass could not take a certificate back.
pub(super) fn patience(all: u64) -> u64 {
    BMC.ticks(all).unwrap_or(all)
}

/// The turns with such parts of the budget that they and the rest have all of it; what bounds them
/// grows as their parts do.
fn scaled(turns: &[Turn], rest: &[Turn]) -> Vec<Turn> {
    let all: f64 = turns.iter().chain(rest).filter_map(Turn::part).sum();
    let scaled = |turn: &Turn| Turn {
        share: match turn.share {
            Share::Part { part, at_most } => Share::Part {
                part: part / all,
                // A bound that cannot be represented is no bound.
                at_most: (at_most as f64 / all) as u64,
            },
            share => share,
        },
        ..*turn
    };
    turns.iter().map(scaled).collect()
}

// The schedule is not part of the public interface.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_turn_has_more_than_any_other_without_datatypes() {
        // What is decided over datatypes is mostly decided by turns that no other system has.
        let for_data = |turn: &&Turn| ["folds", "induction"].contains(&turn.engine.name);
        let others = TURNS.iter().filter(|turn| !for_data(turn));
        let others = others.filter_map(Turn::part);
        let rest = 1.0 - others.clone().sum::<f64>();
        assert!(others.into_iter().all(|part| part < rest / 2.0), "{rest}");
        // Polynomial equations are for linear arithmetic alone.
        let over_data = TURNS
            .iter()
            .filter(|turn| turn.engine.name != "polynomials");
        let all: f64 = over_data.filter_map(Turn::part).sum();
        assert!(1.0 - all > 0.1, "over datatypes and arrays a tenth is left");
        let main: Vec<&Turn> = TURNS.iter().filter(|turn| turn.is_main()).collect();
        assert!(matches!(main[..], [turn] if turn.engine.name == "pdr"));
    }

    #[test]
    fn turns_are_set_as_they_say() {
        for turn in TURNS {
            let name = turn.engine.name;
            let settings = turn.settings(&EngineSettings::default());
            for &(option, value) in turn.settings {
                let set = settings.value_within(name, name, option);
                assert_eq!(set.as_deref(), Some(value), "{turn}");
            }
        }
    }

    /// The turns of that many threads, with their ticks where there are 10,000.
    #[track_caller]
    fn check_turns(count: usize, suits: impl Fn(&Turn) -> bool, expected: &[&str]) {
        let turns = at_the_same_time(Jobs::new(count), suits).into_iter();
        let ticks = |turn: &Turn| turn.ticks(10_000);
        let turns = turns.map(|turn| format!("{turn} {:?}", ticks(&turn)));
        assert_eq!(turns.collect::<Vec<_>>(), expected);
    }

    /// Turns that suit some systems only.
    const FOR_SOME: [&str; 5] = ["folds", "induction", "cells", "acceleration", "polynomials"];

    #[test]
    fn turns_of_threads_are_those_of_one() {
        let always = |turn: &Turn| !FOR_SOME.contains(&&*turn.to_string());
        check_turns(
            2,
            always,
            &[
                "pdr None",
                "bmc Some(540)",
                "kind Some(2162)",
                "tpa Some(810)",
                "bmc forwards Some(1351)",
                "spacer Some(2162)",
                "spacer by counters Some(1621)",
                "kind Some(540)",
                "bmc None",
            ],
        );
        check_turns(
            3,
            always,
            &[
                "pdr None",
                "bmc None",
                "kind Some(2666)",
                "tpa Some(1000)",
                "bmc forwards Some(1666)",
                "spacer Some(2666)",
                "spacer by counters None",
            ],
        );
        check_turns(
            4,
            always,
            &[
                "pdr None",
                "bmc None",
                "spacer None",
                "kind Some(3636)",
                "tpa Some(1363)",
                "bmc forwards Some(2272)",
                "spacer by counters None",
            ],
        );
        let all = [
            "pdr None",
            "bmc None",
            "kind None",
            "folds None",
            "induction None",
            "cells None",
            "acceleration None",
            "polynomials None",
            "tpa None",
            "bmc forwards None",
            "spacer None",
            "spacer by counters None",
        ];
        for count in [8, 100] {
            check_turns(count, |_| true, &all);
        }
    }
}
