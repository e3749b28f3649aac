//! Propositional search: conflict-driven clause learning as in MiniSat \[ES03\].
//!
//! This file has the state of the search and its changes from outside: variables, clauses,
//! assignments, backtracking. Each part of the algorithm has its own file: `propagate`, `analyze`,
//! `decide`, `restart`, `reduce`.
//!
//! DIVERGENCE from MiniSat:
//!
//! - Clauses may be added while there are decisions. The longest possible part of the trail is
//!   kept, so that the next query under similar assumptions costs little.
//! - Relevancy: only variables of relevant clauses are decided. A clause of a definition, `¬d ∨ …`,
//!   is guarded: it becomes relevant when `d` is true. Search ends when every relevant clause has a
//!   true literal. The definitions that are open then can be completed from the leaves up: each
//!   literal gets the value of its formula, or, where only one direction is encoded, a value that
//!   makes its guarded clauses true. (\[SYC25\] decides the variables of a cone that is computed
//!   before each query.)
//! - The reason of a literal may be a theory implication by one other literal, without a clause.
//! - Phase saving \[PD07\] leaves out what the assumptions of a check imply about variables that
//!   have been assumed. Such variables choose what is active: a check that leaves one open would
//!   decide it as an earlier check assumed it, and so solve a harder problem than it was asked.
//!   Tried: `pdr` on eventclock4.invalid.02 of LRA-Lin takes 0.1 times as many ticks. Without what
//!   assumptions imply about other variables, `kind` takes 5 times as many on
//!   long-200-two-counters.
//!
//! Invariant: the first two literals of a clause are watched. If one is false, the other is true at
//! the same level or a lower one, or the false one has not been propagated yet.
//!
//! Invariant: a variable that has no value and occurs in an original clause is in the heap, or was
//! found to be irrelevant at the current decision level or below. If a guard has become true since,
//! the variable is put back before the next decision.

mod analyze;
mod clauses;
mod decide;
mod heap;
mod propagate;
mod reduce;
mod restart;
mod validity;

use super::literal::{Lit, Var};
use super::log::{Log, Logging, Step, StepId};
use super::proof::Justification;
use crate::work;
use analyze::Analysis;
use clauses::Clauses;
use heap::ActivityHeap;
use restart::Luby;
use rustc_hash::FxHashSet;
use validity::are_different;

pub(super) use clauses::ClauseRef;

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// It was decided or assumed.
    Decision,
    /// It is the first literal of this clause, and the others are false.
    Clause(ClauseRef),
    /// This literal implies it by itself: both are bounds on the same arithmetic variable.
    Bound(Lit),
}

/// A contradiction between the values of variables.
#[derive(Debug)]
pub(super) struct Conflict {
    /// A clause that holds, all of whose literals are false.
    pub(super) clause: Vec<Lit>,
    /// Why it holds.
    pub(super) step: StepId,
}

/// What is known of a variable that has a value.
#[derive(Clone, Copy, Debug)]
struct Assigned {
    level: u32,
    reason: Reason,
    /// Its index on the trail.
    position: u32,
}

/// A clause that watches a literal, and another literal of it: if that one is true, the clause
/// needs no look.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseRef,
    blocker: Lit,
}

/// An original clause that a variable occurs in.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    clause: ClauseRef,
    /// The blocker: if this literal is true, so is the clause, which is then not visited.
    blocker: Lit,
    /// While this literal is not false the clause asks for nothing.
    guard: Option<Lit>,
}

/// What a new clause is.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// One of the problem, perhaps with a guard.
    Original(Option<Lit>),
    /// One that follows and may be forgotten.
    Lemma,
}

/// How far the search went back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lowest {
    /// The length of the trail.
    pub(super) trail: usize,
    /// The decision level.
    pub(super) level: usize,
}

impl Default for Lowest {
    fn default() -> Self {
        Lowest {
            trail: usize::MAX,
            level: usize::MAX,
        }
    }
}

/// Counters, for statistics only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) decisions: u64,
    pub(super) propagations: u64,
    pub(super) conflicts: u64,
    pub(super) restarts: u64,
    pub(super) learned_literals: u64,
    /// Clauses that theories added.
    pub(super) lemmas: u64,
}

/// The state of propositional search.
#[derive(Debug)]
pub(super) struct Sat {
    /// The value of each literal: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    assigned: Vec<Assigned>,
    trail: Vec<Lit>,
    /// For each decision level above 0 the length of the trail before it.
    level_starts: Vec<usize>,
    /// The trail up to here has been propagated.
    propagated: usize,
    clauses: Clauses,
    learned: Vec<ClauseRef>,
    watches: Vec<Vec<Watch>>,
    /// The original clauses that each variable occurs in.
    occurrences: Vec<Vec<Occurrence>>,
    /// The clauses of more than two literals that ask for something when each literal is true, by
    /// the literal.
    guarded: Vec<Vec<ClauseRef>>,
    /// The clauses guarded by this part of the trail have had their variables put into the heap.
    activated: usize,
    heap: ActivityHeap,
    /// Variables found to be irrelevant, with the decision level at which they were.
    irrelevant: Vec<(Var, u32)>,
    /// Are there circuits among the clauses?
    pub(super) has_circuits: bool,
    /// The value that a decision gives to each variable.
    phase: Vec<bool>,
    /// Has a check assumed the variable?
    was_assumed: Vec<bool>,
    /// The step that proves the literal of a variable which has its value at level 0, under full
    /// logging.
    unit_steps: Vec<StepId>,
    analysis: Analysis,
    luby: Luby,
    /// The number of conflicts when a check last began after new ones.
    begun_at: u64,
    /// Learned clauses are deleted when there are this many.
    learned_limit: usize,
    /// The original clauses are contradictory, by this step.
    contradiction: Option<StepId>,
    /// The number of levels that belong to assumptions.
    pub(super) assumed_levels: u32,
    /// The assumptions of this check, where checks are logged.
    pub(super) assumed: FxHashSet<Lit>,
    /// Those of them that were true when they came to be made, or that a derivation resolved on.
    pub(super) irregular: FxHashSet<Lit>,
    /// Length of the trail of level 0 when clauses were last simplified.
    simplified: usize,
    /// The shortest that the trail, and the lowest that the level was since somebody asked.
    lowest: Lowest,
    pub(super) counts: Counts,
    pub(super) log: Log,
}

impl Sat {
    /// No variables and no clauses.
    pub(super) fn new(logging: Logging) -> Sat {
        Sat {
            values: Vec::new(),
            assigned: Vec::new(),
            trail: Vec::new(),
            level_starts: Vec::new(),
            propagated: 0,
            clauses: Clauses::default(),
            learned: Vec::new(),
            watches: Vec::new(),
            occurrences: Vec::new(),
            guarded: Vec::new(),
            activated: 0,
            heap: ActivityHeap::default(),
            irrelevant: Vec::new(),
            has_circuits: false,
            phase: Vec::new(),
            was_assumed: Vec::new(),
            unit_steps: Vec::new(),
            analysis: Analysis::default(),
            luby: Luby::default(),
            begun_at: 0,
            learned_limit: reduce::FIRST_LIMIT,
            contradiction: None,
            assumed_levels: 0,
            assumed: FxHashSet::default(),
            irregular: FxHashSet::default(),
            simplified: 0,
            lowest: Lowest::default(),
            counts: Counts::default(),
            log: Log::new(logging),
        }
    }

    /// A variable that occurs nowhere; decisions make it `phase`.
    pub(super) fn new_var(&mut self, phase: bool) -> Var {
        let var = Var::new(self.assigned.len());
        self.values.extend([0, 0]);
        self.assigned.push(Assigned {
            level: 0,
            reason: Reason::Decision,
            position: 0,
        });
        self.watches.extend([Vec::new(), Vec::new()]);
        self.occurrences.push(Vec::new());
        self.guarded.extend([Vec::new(), Vec::new()]);
        self.heap.grow();
        self.phase.push(phase);
        self.was_assumed.push(false);
        self.unit_steps.push(StepId::NONE);
        self.analysis.grow();
        var
    }

    /// The value of a literal, `None` if it is open.
    #[inline]
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    #[inline]
    fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] > 0
    }

    #[inline]
    fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.index()] < 0
    }

    /// The level at which a variable got its value, which it must have.
    #[inline]
    pub(super) fn level_of(&self, var: Var) -> u32 {
        self.assigned[var.index()].level
    }

    /// Why a variable has its value, which it must have.
    pub(super) fn reason_of(&self, var: Var) -> Reason {
        self.assigned[var.index()].reason
    }

    /// The current decision level.
    #[inline]
    pub(super) fn level(&self) -> u32 {
        u32::try_from(self.level_starts.len()).expect("as many as variables")
    }

    /// The literals that are true, in the order in which they became so.
    pub(super) fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// Are the clauses contradictory?
    pub(super) fn contradiction(&self) -> Option<StepId> {
        self.contradiction
    }

    /// Makes an open literal true.
    pub(super) fn enqueue(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(self.value(lit).is_none());
        debug_assert!(self.implies(reason, lit), "the reason implies the literal");
        let var = lit.var();
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.assigned[var.index()] = Assigned {
            level: self.level(),
            reason,
            position: u32::try_from(self.trail.len()).expect("as many as variables"),
        };
        self.trail.push(lit);
        if self.level_starts.is_empty() && self.log.is_full() {
            self.log_unit(lit, reason);
        }
    }

    /// Opens a decision level.
    pub(super) fn new_level(&mut self) {
        debug_assert!(self.is_propagated(), "a level follows complete propagation");
        self.level_starts.push(self.trail.len());
    }

    /// Begins a check with these assumptions, for the levels that follow.
    pub(super) fn set_assumptions(&mut self, assumptions: &[Lit]) {
        self.assumed_levels =
            u32::try_from(assumptions.len()).expect("fewer than 2^32 assumptions");
        for &lit in assumptions {
            self.was_assumed[lit.var().index()] = true;
        }
    }

    /// Takes back all decisions above a level.
    pub(super) fn backtrack(&mut self, level: u32) {
        if level >= self.level() {
            return;
        }
        let start = self.level_starts[level as usize];
        work::spend_on(self.trail.len() - start);
        for i in (start..self.trail.len()).rev() {
            let lit = self.trail[i];
            let var = lit.var();
            debug_assert!(
                self.is_true(lit) && self.level_of(var) > level,
                "it is of a level above"
            );
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            if !self.was_assumed[var.index()] || self.level_of(var) > self.assumed_levels {
                self.phase[var.index()] = lit.is_positive();
            }
            if !self.occurrences[var.index()].is_empty() {
                self.heap.insert(var);
            }
        }
        self.trail.truncate(start);
        self.activated = self.activated.min(start);
        self.level_starts.truncate(level as usize);
        self.lowest.trail = self.lowest.trail.min(start);
        self.lowest.level = self.lowest.level.min(level as usize);
        self.propagated = self.propagated.min(start);
        while let Some((var, _)) = self.irrelevant.pop_if(|(_, at)| *at > level) {
            self.heap.insert(var);
        }
        debug_assert!(
            self.marks_are_valid(),
            "marks are within the trail and its levels"
        );
    }

    /// How far the search went back since this was last asked.
    pub(super) fn take_lowest(&mut self) -> Lowest {
        std::mem::take(&mut self.lowest)
    }

    /// Has everything that is true been propagated?
    pub(super) fn is_propagated(&self) -> bool {
        self.propagated == self.trail.len()
    }

    /// Adds a clause of the problem. When search ends it must have a true literal, or its guard,
    /// one of its literals, must be open. Takes back decisions where the clause is false or has
    /// only one literal that is not.
    pub(super) fn add_clause(&mut self, lits: &[Lit], guard: Option<Lit>, rule: Justification) {
        work::spend_on(16 + 2 * lits.len());
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let step = self.log.input(&lits, rule);
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        if lits
            .iter()
            .any(|&l| self.is_true(l) && self.level_of(l.var()) == 0)
        {
            return;
        }
        // Under full logging the false literals stay, so that the clause is what its step says.
        if !self.log.is_full() {
            lits.retain(|&l| !(self.is_false(l) && self.level_of(l.var()) == 0));
        }
        let guard = guard.filter(|g| lits.contains(g));
        self.attach_new(&mut lits, Kind::Original(guard), step);
    }

    /// Adds a clause that follows from the others, and may be forgotten. Takes back decisions like
    /// `add_clause`.
    pub(super) fn add_lemma(&mut self, mut lits: Vec<Lit>, step: StepId) {
        self.counts.lemmas += 1;
        if !are_different(&lits) {
            // Atoms of theories may be one literal: the clause is the set of them.
            let mut different: Vec<Lit> = Vec::new();
            for lit in lits {
                if different.contains(&!lit) {
                    return;
                }
                if !different.contains(&lit) {
                    different.push(lit);
                }
            }
            lits = different;
        }
        self.attach_new(&mut lits, Kind::Lemma, step);
    }

    /// What changes when a theory adds something: the clauses that theories added, the variables,
    /// and the literals with a value.
    pub(super) fn state(&self) -> (u64, usize, usize) {
        (self.counts.lemmas, self.assigned.len(), self.trail.len())
    }

    /// Adds a clause without double literals.
    fn attach_new(&mut self, lits: &mut [Lit], kind: Kind, step: StepId) {
        debug_assert!(are_different(lits), "a clause has each variable once");
        // The best two literals to watch come first: literals that are not false, then the false
        // ones that become open soonest.
        let rank = |sat: &Sat, lit: Lit| match sat.value(lit) {
            Some(false) => sat.level_of(lit.var()),
            _ => u32::MAX,
        };
        for i in 0..lits.len().min(2) {
            let best = (i..lits.len()).max_by_key(|&j| rank(self, lits[j]));
            lits.swap(i, best.expect("the range is not empty"));
        }
        match *lits {
            [] => self.contradiction = Some(step),
            [unit] => {
                self.backtrack(0);
                match self.value(unit) {
                    None => self.enqueue_unit(unit, step),
                    Some(true) => {}
                    Some(false) => self.contradict(&[unit], step),
                }
            }
            [first, second, ..] => {
                let (a, b) = (rank(self, first), rank(self, second));
                if a == 0 {
                    self.contradict(lits, step);
                    return;
                }
                let clause = match kind {
                    Kind::Original(guard) => self.attach_original(lits, guard, step),
                    Kind::Lemma => {
                        let glue = u32::try_from(lits.len()).expect("clauses are short");
                        self.attach_learned(lits, glue, step)
                    }
                };
                if a == b && a != u32::MAX {
                    self.backtrack(a - 1);
                } else if b != u32::MAX && !(self.is_true(first) && self.level_of(first.var()) <= b)
                {
                    self.backtrack(b);
                    self.enqueue(first, Reason::Clause(clause));
                }
                debug_assert!(
                    self.is_watched_well(clause),
                    "the watched literals are the last false"
                );
            }
        }
    }

    /// All literals of a clause are false at level 0.
    fn contradict(&mut self, lits: &[Lit], step: StepId) {
        debug_assert!(
            lits.iter()
                .all(|&l| self.is_false(l) && self.level_of(l.var()) == 0)
        );
        let mut steps = vec![step];
        steps.extend(lits.iter().map(|l| self.unit_steps[l.var().index()]));
        self.contradiction = Some(self.log_chain(&[], steps));
    }

    /// Makes a literal true at level 0 because a clause says just that.
    fn enqueue_unit(&mut self, unit: Lit, step: StepId) {
        debug_assert_eq!(self.level(), 0);
        self.unit_steps[unit.var().index()] = step;
        self.enqueue(unit, Reason::Decision);
    }

    /// Stores a clause that may be forgotten.
    fn attach_learned(&mut self, lits: &[Lit], glue: u32, step: StepId) -> ClauseRef {
        let clause = self.attach(lits, true, glue, step);
        self.learned.push(clause);
        clause
    }

    /// Stores a clause of the problem.
    fn attach_original(&mut self, lits: &[Lit], guard: Option<Lit>, step: StepId) -> ClauseRef {
        debug_assert!(
            guard.is_none_or(|g| lits.contains(&g)),
            "the guard is a literal of its clause"
        );
        let clause = self.attach(lits, false, 0, step);
        for &lit in lits {
            let blocker = if lit == lits[0] { lits[1] } else { lits[0] };
            self.occurrences[lit.var().index()].push(Occurrence {
                clause,
                blocker,
                guard,
            });
            if self.value(lit).is_none() {
                self.heap.insert(lit.var());
            }
        }
        // The other literal of two is propagated when the guard is false.
        if let Some(guard) = guard
            && lits.len() > 2
        {
            self.guarded[(!guard).index()].push(clause);
        }
        clause
    }

    /// Stores a clause and watches its first two literals.
    fn attach(&mut self, lits: &[Lit], learned: bool, glue: u32, step: StepId) -> ClauseRef {
        debug_assert!(are_different(lits), "a clause has each variable once");
        let clause = self.clauses.add(lits, learned, glue, step);
        self.watches[(!lits[0]).index()].push(Watch {
            clause,
            blocker: lits[1],
        });
        self.watches[(!lits[1]).index()].push(Watch {
            clause,
            blocker: lits[0],
        });
        clause
    }

    /// Logs the chain that derives a clause.
    fn log_chain(&mut self, lits: &[Lit], steps: Vec<StepId>) -> StepId {
        if !self.log.is_on() {
            return StepId::NONE;
        }
        if let [single] = *steps {
            return single;
        }
        let clause = if self.log.is_full() {
            lits.into()
        } else {
            Box::default()
        };
        let steps = steps.into();
        self.log.add(Step::Chain { clause, steps })
    }

    /// Proves the literal, just made true at level 0, as a unit clause.
    fn log_unit(&mut self, lit: Lit, reason: Reason) {
        let (step, others): (StepId, Vec<Lit>) = match reason {
            // The step is set by `enqueue_unit`.
            Reason::Decision => return,
            Reason::Clause(clause) => {
                let others = self.clauses.lits(clause).iter().copied();
                (
                    self.clauses.step(clause),
                    others.filter(|&l| l != lit).collect(),
                )
            }
            Reason::Bound(from) => (self.log_bound(from, lit), vec![!from]),
        };
        let mut steps = vec![step];
        steps.extend(others.iter().map(|l| self.unit_steps[l.var().index()]));
        self.unit_steps[lit.var().index()] = self.log_chain(&[lit], steps);
    }

    /// Logs that one bound implies another.
    fn log_bound(&mut self, from: Lit, to: Lit) -> StepId {
        let one = crate::number::Rational::one;
        self.log.farkas(&[!from, to], &[one(), one()])
    }

    /// Bytes of the clauses and their watches.
    pub(super) fn bytes(&self) -> usize {
        let watches = self.watches.iter().map(|l| size_of_val(&l[..]));
        let occurrences = self.occurrences.iter().map(|l| size_of_val(&l[..]));
        let guarded = self.guarded.iter().map(|l| size_of_val(&l[..]));
        self.clauses.bytes() + watches.chain(occurrences).chain(guarded).sum::<usize>()
    }
}
