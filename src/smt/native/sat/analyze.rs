//! Conflict analysis: the clause of the first unique implication point, minimised; and the
//! assumptions that cause a contradiction.
//!
//! Where derivations are logged, their steps are in an order in which each resolves with the result
//! of those before: along the trail from its end, then the literals that minimisation removed, then
//! the literals that are false at level 0.

use super::super::literal::{Lit, Var};
use super::super::log::{Step, StepId};
use super::reduce::KEPT_GLUE;
use super::{Conflict, Reason, Sat};
use crate::work;

/// Older decisions count less by this factor for each conflict. The factor is that of MiniSat
/// \[ES03\].
const DECAY: f64 = 0.95;

/// Scratch memory of the analysis.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    /// What is known of each variable in this analysis.
    mark: Vec<Mark>,
    /// Variables whose mark must be cleared.
    marked: Vec<Var>,
    /// The last analysis that saw each decision level, to count levels.
    level_stamp: Vec<u64>,
    stamp: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Mark {
    #[default]
    None,
    /// It belongs to the clause, or did until it was resolved away.
    Seen,
    /// It is implied by literals of the clause.
    Redundant,
    /// It is not.
    Needed,
}

impl Analysis {
    pub(super) fn grow(&mut self) {
        self.mark.push(Mark::None);
    }

    /// Has no variable a mark? The marks themselves are read where there are few.
    fn is_clear(&self) -> bool {
        self.marked.is_empty() && self.mark.iter().take(64).all(|&mark| mark == Mark::None)
    }
}

/// A learned clause and what it says about the search.
#[derive(Debug)]
pub(in super::super) struct Learned {
    /// The literals: the first becomes true after backtracking, the second is of the highest level
    /// of the others.
    pub(in super::super) clause: Vec<Lit>,
    /// The level to which the search goes back.
    pub(in super::super) level: u32,
    /// Why it holds.
    pub(in super::super) step: StepId,
}

impl Sat {
    /// The clause to learn from a conflict whose clause has at least two literals of the highest
    /// level among them, which must be the current one and above 0.
    pub(in super::super) fn analyze(&mut self, conflict: Conflict) -> Learned {
        let level = self.level();
        debug_assert!(
            self.can_analyze(&conflict.clause),
            "it has two literals of this level"
        );
        let mut steps = vec![self.given(conflict.step, &conflict.clause)];
        let mut units: Vec<Var> = Vec::new();
        let mut clause: Vec<Lit> = vec![Lit::from_word(0)];
        let mut reason_lits = conflict.clause;
        let mut open = 0;
        let mut index = self.trail.len();
        let first = loop {
            work::spend_on(1 + reason_lits.len() / 4);
            for &lit in &reason_lits {
                let var = lit.var();
                if self.analysis.mark[var.index()] != Mark::None {
                    continue;
                }
                debug_assert!(self.is_false(lit));
                self.mark(var, Mark::Seen);
                match self.level_of(var) {
                    0 => units.push(var),
                    l => {
                        self.heap.bump(var);
                        if l == level {
                            open += 1;
                        } else {
                            clause.push(lit);
                        }
                    }
                }
            }
            let pivot = loop {
                index -= 1;
                let lit = self.trail[index];
                if self.analysis.mark[lit.var().index()] == Mark::Seen {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                break pivot;
            }
            reason_lits.clear();
            let step = self.reason_of_true(pivot, &mut reason_lits);
            steps.push(step);
        };
        clause[0] = !first;
        self.minimize(&mut clause, &mut steps, &mut units);
        self.clear_marks();
        let step = self.finish_chain(&clause, steps, units);
        self.heap.decay(DECAY);
        self.counts.conflicts += 1;
        self.counts.learned_literals += clause.len() as u64;
        let level = self.second_level(&mut clause);
        Learned {
            clause,
            level,
            step,
        }
    }

    /// Is a clause false at the current level, which is above 0, with two literals of that level?
    /// And has the last analysis left no marks?
    fn can_analyze(&self, clause: &[Lit]) -> bool {
        let here = clause
            .iter()
            .filter(|l| self.level_of(l.var()) == self.level());
        self.level() > 0
            && here.count() >= 2
            && clause.iter().all(|&l| self.is_false(l))
            && self.analysis.is_clear()
    }

    /// The highest level of the literals after the first, of which one of that level becomes the
    /// second; 0 where there is none.
    fn second_level(&self, clause: &mut [Lit]) -> u32 {
        match (1..clause.len()).max_by_key(|&i| self.level_of(clause[i].var())) {
            Some(second) => {
                clause.swap(1, second);
                self.level_of(clause[1].var())
            }
            None => 0,
        }
    }

    /// Goes back, adds the learned clause, and makes its first literal true.
    pub(in super::super) fn learn(&mut self, learned: Learned) {
        let Learned {
            clause,
            level,
            step,
        } = learned;
        debug_assert!(
            self.is_asserting(&clause),
            "backtracking leaves one literal open"
        );
        let glue = self.glue(&clause);
        self.backtrack(level);
        if let [unit] = *clause {
            self.enqueue_unit(unit, step);
        } else {
            let at = self.attach_learned(&clause, glue, step);
            self.enqueue(clause[0], Reason::Clause(at));
        }
    }

    /// For an assumption that is false: the assumptions, decisions all, that make it so, and the
    /// derivation of the clause of their negations.
    pub(in super::super) fn analyze_final(&mut self, assumption: Lit) -> (Vec<Lit>, StepId) {
        debug_assert!(self.is_false(assumption), "the assumption fails");
        debug_assert!(self.analysis.is_clear(), "the last analysis left no marks");
        let mut core = vec![assumption];
        let mut steps = Vec::new();
        let mut units = Vec::new();
        if self.level_of(assumption.var()) == 0 {
            units.push(assumption.var());
        } else {
            self.mark(assumption.var(), Mark::Seen);
        }
        let mut lits = Vec::new();
        let start = self.level_starts.first().copied().unwrap_or(0);
        for index in (start..self.trail.len()).rev() {
            let lit = self.trail[index];
            if self.analysis.mark[lit.var().index()] == Mark::None {
                continue;
            }
            if self.reason_of(lit.var()) == Reason::Decision {
                // The assumption may be the negation of another one.
                core.push(lit);
                continue;
            }
            lits.clear();
            let step = self.reason_of_true(lit, &mut lits);
            steps.push(step);
            work::spend_on(1 + lits.len() / 4);
            for &other in &lits {
                let var = other.var();
                if self.analysis.mark[var.index()] == Mark::None {
                    if self.level_of(var) == 0 {
                        units.push(var);
                    }
                    self.mark(var, Mark::Seen);
                }
            }
        }
        self.clear_marks();
        debug_assert!(
            core[1..].iter().all(|&l| self.is_true(l)),
            "the core was assumed before"
        );
        debug_assert!(
            self.level() <= self.assumed_levels,
            "every decision is an assumption"
        );
        let clause: Vec<Lit> = core.iter().map(|&l| !l).collect();
        let step = self.finish_chain(&clause, steps, units);
        (core, step)
    }

    /// The literals besides `lit`, all false, of the clause that made `lit` true, and the step of
    /// that clause.
    fn reason_of_true(&mut self, lit: Lit, others: &mut Vec<Lit>) -> StepId {
        if self.log.is_per_check() && self.assumed.contains(&lit) {
            self.irregular.insert(lit);
        }
        match self.reason_of(lit.var()) {
            Reason::Clause(clause) => {
                let lits = self.clauses.lits(clause);
                debug_assert_eq!(lits[0], lit);
                others.extend_from_slice(&lits[1..]);
                let (step, glue) = (self.clauses.step(clause), self.clauses.glue(clause));
                if self.clauses.is_learned(clause) && glue > KEPT_GLUE {
                    self.clauses.set_used(clause);
                    let glue = glue.min(self.glue(others) + 1);
                    self.clauses.set_glue(clause, glue);
                }
                if !self.is_given(step) {
                    return step;
                }
                let lits = self.clauses.lits(clause).to_vec();
                self.given(step, &lits)
            }
            Reason::Bound(from) => {
                others.push(!from);
                self.log_bound(from, lit)
            }
            Reason::Decision => unreachable!("a decision is implied by nothing"),
        }
    }

    /// Is only the current check logged, and the step older?
    fn is_given(&self, step: StepId) -> bool {
        self.log.is_per_check() && self.log.get(step).is_none()
    }

    /// The step of a clause. Where only the current check is logged and the clause is older, a step
    /// that keeps what it says about the assumptions.
    fn given(&mut self, step: StepId, clause: &[Lit]) -> StepId {
        if !self.is_given(step) {
            return step;
        }
        let of_cube = clause
            .iter()
            .copied()
            .filter(|l| self.assumed.contains(&!*l));
        let cube = of_cube.collect();
        self.log.add(Step::Given { cube })
    }

    /// Removes literals that the others imply.
    fn minimize(&mut self, clause: &mut Vec<Lit>, steps: &mut Vec<StepId>, units: &mut Vec<Var>) {
        let mut removed = Vec::new();
        let mut kept = 1;
        for i in 1..clause.len() {
            if self.is_redundant(clause[i]) {
                removed.push(clause[i].var());
            } else {
                clause[kept] = clause[i];
                kept += 1;
            }
        }
        clause.truncate(kept);
        if self.log.is_on() && !removed.is_empty() {
            self.log_removed(clause, removed, steps, units);
        }
    }

    /// Is a literal of the clause implied by others of it?
    fn is_redundant(&mut self, lit: Lit) -> bool {
        if self.reason_of(lit.var()) == Reason::Decision {
            return false;
        }
        // Literals under way, each with those of its reason still to be looked at.
        let mut stack: Vec<(Var, Vec<Lit>)> = vec![(lit.var(), self.causes(lit.var()))];
        while let Some((var, causes)) = stack.last_mut() {
            let var = *var;
            let Some(cause) = causes.pop() else {
                stack.pop();
                if !stack.is_empty() && self.analysis.mark[var.index()] == Mark::None {
                    self.mark(var, Mark::Redundant);
                }
                continue;
            };
            let cause = cause.var();
            if self.level_of(cause) == 0 {
                continue;
            }
            match self.analysis.mark[cause.index()] {
                Mark::Seen | Mark::Redundant => {}
                Mark::None if self.reason_of(cause) != Reason::Decision => {
                    stack.push((cause, self.causes(cause)));
                }
                Mark::None | Mark::Needed => {
                    // Nothing under way is implied.
                    for (var, _) in stack.drain(1..) {
                        if self.analysis.mark[var.index()] == Mark::None {
                            self.mark(var, Mark::Needed);
                        }
                    }
                    return false;
                }
            }
        }
        true
    }

    /// The other literals of the reason of a variable.
    fn causes(&self, var: Var) -> Vec<Lit> {
        match self.reason_of(var) {
            Reason::Clause(clause) => self.clauses.lits(clause)[1..].to_vec(),
            Reason::Bound(from) => vec![!from],
            Reason::Decision => Vec::new(),
        }
    }

    /// Logs the resolutions that remove literals: with their reasons, and the reasons of what these
    /// bring in.
    fn log_removed(
        &mut self,
        clause: &[Lit],
        removed: Vec<Var>,
        steps: &mut Vec<StepId>,
        units: &mut Vec<Var>,
    ) {
        let mut stays = rustc_hash::FxHashSet::default();
        stays.extend(clause.iter().map(|l| l.var()));
        let mut resolved: rustc_hash::FxHashSet<Var> = removed.iter().copied().collect();
        let mut todo = removed;
        let mut order = Vec::new();
        while let Some(var) = todo.pop() {
            order.push(var);
            for cause in self.causes(var) {
                let cause = cause.var();
                if self.level_of(cause) == 0 {
                    if self.analysis.mark[cause.index()] == Mark::None {
                        self.mark(cause, Mark::Seen);
                        units.push(cause);
                    }
                } else if !stays.contains(&cause) && resolved.insert(cause) {
                    todo.push(cause);
                }
            }
        }
        order.sort_by_key(|v| std::cmp::Reverse(self.assigned[v.index()].position));
        for var in order {
            let lit = var.literal(self.is_true(var.positive()));
            let step = self.reason_of_true(lit, &mut Vec::new());
            steps.push(step);
        }
    }

    /// Resolves with the literals false at level 0 and logs the chain.
    fn finish_chain(&mut self, clause: &[Lit], mut steps: Vec<StepId>, units: Vec<Var>) -> StepId {
        if !self.log.is_on() {
            return StepId::NONE;
        }
        if self.log.is_full() {
            steps.extend(units.iter().map(|v| self.unit_steps[v.index()]));
        } else if steps.is_empty() {
            // The assumption is false by itself or by another one.
            steps.push(self.given(StepId::NONE, clause));
        }
        self.log_chain(clause, steps)
    }

    /// The number of decision levels among literals that have values.
    fn glue(&mut self, lits: &[Lit]) -> u32 {
        self.analysis.stamp += 1;
        let stamp = self.analysis.stamp;
        let mut levels = 0;
        for &lit in lits {
            let level = self.level_of(lit.var()) as usize;
            if self.analysis.level_stamp.len() <= level {
                self.analysis.level_stamp.resize(level + 1, 0);
            }
            let seen = std::mem::replace(&mut self.analysis.level_stamp[level], stamp);
            levels += u32::from(seen != stamp);
        }
        levels
    }

    fn mark(&mut self, var: Var, mark: Mark) {
        self.analysis.mark[var.index()] = mark;
        self.analysis.marked.push(var);
    }

    fn clear_marks(&mut self) {
        work::spend_on(self.analysis.marked.len());
        for var in self.analysis.marked.drain(..) {
            self.analysis.mark[var.index()] = Mark::None;
        }
    }
}
