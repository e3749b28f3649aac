//! The turns of `auto`: which engines, in which order, for how long.

use super::invariants::inductive;
use super::{Jobs, Options};
use crate::chc::{Answer, System};
use crate::engine::{Context, acceleration, bmc, cells, kind, pdr, spacer};
use crate::term::Terms;
use std::fmt;
use std::time::Duration;

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The choice is the program's.
    #[default]
    Auto,
    /// Property-directed reachability.
    Pdr,
    /// Bounded unrolling: finds refutations, never models.
    Bmc,
    /// k-induction, of systems whose clauses have one premise at most.
    Kind,
    /// Proof-based abstraction and counterexample-guided refinement.
    Spacer,
    /// Property-directed reachability over the cells of arrays: finds models with quantifiers, never refutations.
    Cells,
    /// SPACER with loops taken many steps at a time.
    Acceleration,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 7] = [
        Engine::Auto,
        Engine::Pdr,
        Engine::Bmc,
        Engine::Kind,
        Engine::Spacer,
        Engine::Cells,
        Engine::Acceleration,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Pdr => "pdr",
            Engine::Bmc => "bmc",
            Engine::Kind => "kind",
            Engine::Spacer => "spacer",
            Engine::Cells => "cells",
            Engine::Acceleration => "acceleration",
        }
    }

    /// The engine of that name.
    pub fn from_name(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }
}

/// A glance by bounded unrolling.
const GLANCE: Turn = Turn {
    at_most: Duration::from_millis(400),
    ..Turn::of(Engine::Bmc, 0.02)
};
/// A glance by property-directed reachability.
const SIGHT: Turn = Turn {
    at_most: Duration::from_millis(300),
    ..Turn::of(Engine::Pdr, 0.02)
};
/// A glance by k-induction.
const STEPS: Turn = Turn {
    at_most: Duration::from_secs(2),
    ..Turn::of(Engine::Kind, 0.08)
};
/// What is said of arrays cell by cell is found at once, or mostly not,
const CELLS: Turn = Turn::of(Engine::Cells, 0.10);
/// and so it is with loops that count far.
const FAR: Turn = Turn {
    at_most: Duration::from_secs(3),
    ..Turn::of(Engine::Acceleration, 0.06)
};
/// All that the others do not need.
const PDR: Turn = Turn {
    part: None,
    ..Turn::of(Engine::Pdr, 0.0)
};
const HEIGHTS: Turn = Turn::of(Engine::Spacer, 0.08);
const COUNTERS: Turn = Turn {
    bounding: Some(spacer::Bounding::Counters),
    granularity: Some(spacer::Granularity::Conjuncts),
    ..Turn::of(Engine::Spacer, 0.06)
};
/// k-induction with invariants that others found.
const KNOWING: Turn = Turn::of(Engine::Kind, 0.03);
const UNROLL: Turn = Turn::of(Engine::Bmc, 0.07);

/// The turns of one thread, in parts of the time that there is: first a glance by bounded unrolling, since shallow
/// refutations are where it is quick, by property-directed reachability, since most of what it decides at all it decides at once,
/// and by k-induction, since what needs no other invariant than the query does not take long; then by cells of arrays and by
/// accelerated loops, where there are any; then property-directed reachability again; then SPACER, whose bounded questions and
/// abstractions find some invariants that the former misses; then k-induction with the invariants that they found, and what
/// unrolling has left, since some refutations that are not so shallow are found by it only. Measured on samples of CHC-COMP
/// 2025: most systems that property-directed reachability decides at all it decides in seconds, so a long first turn of anything
/// else delays everything.
///
/// SPACER has two turns, one for each kind of bounds: more is decided with bounded heights, other things with bounded loops. Where
/// loops are bounded every conjunct can be left out, so that the two differ in that as well.
const TURNS: [Turn; 10] = [
    GLANCE, SIGHT, STEPS, CELLS, FAR, PDR, HEIGHTS, COUNTERS, KNOWING, UNROLL,
];

/// The turns of one thread that suit a system.
pub(super) fn one_after_the_other(t: &Terms, system: &System) -> Vec<Turn> {
    let turns = TURNS.into_iter();
    turns.filter(|turn| turn.suits(t, system)).collect()
}

/// The time that turns on several threads are parts of where there is no limit; the last engine then goes on without one.
pub(super) const UNLIMITED: Duration = Duration::from_secs(60);

/// A turn of an engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    engine: Engine,
    /// This part of the time; `None` for all that the others do not need,
    part: Option<f64>,
    /// but no more than that.
    at_most: Duration,
    /// What SPACER bounds, where that is not as the options say.
    bounding: Option<spacer::Bounding>,
    /// What SPACER leaves out, likewise.
    granularity: Option<spacer::Granularity>,
}

impl Turn {
    const fn of(engine: Engine, part: f64) -> Turn {
        Turn {
            engine,
            part: Some(part),
            at_most: Duration::MAX,
            bounding: None,
            granularity: None,
        }
    }

    /// The same without an end of its own.
    fn for_good(self) -> Turn {
        Turn { part: None, ..self }
    }

    /// Is the engine for such systems?
    pub(super) fn suits(&self, t: &Terms, system: &System) -> bool {
        match self.engine {
            Engine::Kind => kind::suits(system),
            Engine::Cells => cells::suits(t, system),
            Engine::Acceleration => acceleration::suits(t, system),
            Engine::Auto | Engine::Pdr | Engine::Bmc | Engine::Spacer => true,
        }
    }

    /// Is it the turn that decides most of what is decided at all?
    pub(super) fn is_main(&self) -> bool {
        self.engine == Engine::Pdr && self.at_most == Duration::MAX
    }

    /// Could the engine find a model?
    pub(super) fn finds_models(&self) -> bool {
        self.engine != Engine::Bmc
    }

    /// The options for the turn.
    fn options(&self, options: &Options) -> Options {
        let mut options = options.clone();
        let spacer = &mut options.spacer;
        spacer.bounding = self.bounding.unwrap_or(spacer.bounding);
        spacer.granularity = self.granularity.unwrap_or(spacer.granularity);
        options
    }

    /// The time of the turn, where there is so much for all; `None` for what the others do not need.
    pub(super) fn time(&self, all: Duration) -> Option<Duration> {
        let time = all.mul_f64(self.part?);
        Some(time.min(self.at_most))
    }

    /// Has the engine do its turn, which ends after that time. Invariants that it answers without a verdict are inductive: they
    /// are checked beyond the turn's time, but within the limit of the context.
    pub(super) fn run(
        &self,
        system: &System,
        options: &Options,
        context: &Context<'_>,
        time: Option<Duration>,
    ) -> Answer {
        let own = time.map(|time| context.limit.within(time));
        let own = Context {
            limit: own.unwrap_or_else(|| context.limit.clone()),
            ..context.clone()
        };
        let mut found = run_engine(self.engine, system, &self.options(options), &own);
        if let Answer::Unknown(unknown) = &mut found
            && let Some(model) = unknown.invariants.take()
        {
            let Context { terms, backend, .. } = *context;
            unknown.invariants = inductive(terms, system, model, backend, &context.limit);
        }
        found
    }
}

/// Which engine: `pdr`, or where it is not as the options say, `spacer by counters`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.engine.name())?;
        match self.bounding {
            Some(spacer::Bounding::Counters) => f.write_str(" by counters"),
            _ => Ok(()),
        }
    }
}

/// The turns of several threads that suit a system, in the order of their beginning: a thread that is free takes the next one.
///
/// Property-directed reachability runs all the time. On two threads the other turns follow each other beside it, with the shares
/// that they have without it; on three unrolling goes on beside them, on four SPACER by heights, and on seven everything.
pub(super) fn at_the_same_time(jobs: Jobs, suits: impl Fn(&Turn) -> bool) -> Vec<Turn> {
    let (all_the_time, others, last): (&[Turn], &[Turn], &[Turn]) = match jobs.count() {
        ..=2 => (
            &[PDR],
            &[GLANCE, STEPS, CELLS, FAR, HEIGHTS, COUNTERS, KNOWING],
            &[UNROLL],
        ),
        3 => (&[PDR, UNROLL], &[STEPS, CELLS, FAR, HEIGHTS], &[COUNTERS]),
        4..=6 => (&[PDR, UNROLL, HEIGHTS], &[STEPS, CELLS, FAR], &[COUNTERS]),
        _ => (
            &[PDR, UNROLL, STEPS, CELLS, FAR, HEIGHTS, COUNTERS],
            &[],
            &[],
        ),
    };
    let suitable = |turns: &[Turn]| -> Vec<Turn> {
        let turns = turns.iter().copied();
        turns.filter(|turn| suits(turn)).collect()
    };
    let for_good = |turns: &[Turn]| suitable(turns).into_iter().map(Turn::for_good);
    for_good(all_the_time)
        .chain(scaled(&suitable(others), last))
        .chain(for_good(last))
        .collect()
}

/// For so long unrolling goes on alone where the other engines have given up, and something else could be tried.
pub(super) fn patience(all: Duration) -> Duration {
    UNROLL.time(all).unwrap_or(all)
}

/// The turns with such parts of the time that they and the rest have all of it; what bounds them grows as their parts do.
fn scaled(turns: &[Turn], rest: &[Turn]) -> Vec<Turn> {
    let all: f64 = turns.iter().chain(rest).filter_map(|turn| turn.part).sum();
    let scaled = |turn: &Turn| Turn {
        part: turn.part.map(|part| part / all),
        // A bound beyond what can be written is none.
        at_most: Duration::try_from_secs_f64(turn.at_most.as_secs_f64() / all)
            .unwrap_or(Duration::MAX),
        ..*turn
    };
    turns.iter().map(scaled).collect()
}

/// Runs an engine by itself.
pub(super) fn run_engine(
    engine: Engine,
    system: &System,
    options: &Options,
    context: &Context<'_>,
) -> Answer {
    match engine {
        Engine::Bmc => bmc::solve(system, &options.bmc, context),
        Engine::Kind => kind::solve(system, &options.kind, context),
        Engine::Spacer => spacer::solve(system, &options.spacer, context),
        Engine::Cells => cells::solve(system, &options.cells, context),
        Engine::Acceleration => acceleration::solve(system, &options.acceleration, context),
        Engine::Pdr | Engine::Auto => pdr::solve(system, &options.pdr, context),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_turn_has_more_time_than_any_other() {
        let others = TURNS.iter().filter_map(|turn| turn.part);
        let rest = 1.0 - others.clone().sum::<f64>();
        assert!(others.into_iter().all(|part| part < rest / 2.0), "{rest}");
        let main: Vec<&Turn> = TURNS.iter().filter(|turn| turn.is_main()).collect();
        assert!(matches!(main[..], [turn] if turn.part.is_none()));
    }
}
