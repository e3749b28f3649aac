//! Decisions: the most active \[MMZ01\] relevant \[SYC25\] variable, with the value that it had
//! last (phase saving \[PD07\]).

use super::super::literal::{Lit, Var};
use super::Sat;
use crate::work;

/// The relevancy of a variable is decided by at most 64 of its clauses. If they do not decide it,
/// the variable counts as relevant. The value was not tuned.
const LOOKED_AT: usize = 64;

/// What the original clauses of a variable ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relevancy {
    /// The guards of all of them are open or true.
    Asleep,
    /// Each one that asks for something has a true literal.
    Satisfied,
    /// One that asks for something has no true literal.
    Relevant,
}

impl Sat {
    /// The literal to decide next, `None` if every original clause has a true literal or an open
    /// guard.
    pub(in super::super) fn pick(&mut self) -> Option<Lit> {
        self.activate();
        while let Some(var) = self.heap.pop() {
            work::spend(2);
            if self.value(var.positive()).is_some() {
                continue;
            }
            match self.relevancy(var) {
                Relevancy::Relevant => return Some(var.literal(self.phase[var.index()])),
                // `activate` puts it back where a clause begins to ask.
                Relevancy::Asleep => {}
                Relevancy::Satisfied => {
                    let level = self.level();
                    debug_assert!(
                        self.irrelevant.last().is_none_or(|&(_, at)| at <= level),
                        "levels ascend, so that backtracking takes from the end"
                    );
                    self.irrelevant.push((var, level));
                }
            }
        }
        None
    }

    /// Puts back into the heap what the clauses ask for whose guards have become false.
    fn activate(&mut self) {
        while let Some(&lit) = self.trail.get(self.activated) {
            self.activated += 1;
            let level = self.level_of(lit.var());
            for &clause in &self.guarded[lit.index()] {
                let lits = self.clauses.lits(clause);
                // What is true for as long as the guard is false, or longer, makes the clause true
                // for good.
                if lits
                    .iter()
                    .any(|&l| self.is_true(l) && self.level_of(l.var()) <= level)
                {
                    continue;
                }
                for &other in lits {
                    if self.values[other.index()] == 0 {
                        self.heap.insert(other.var());
                    }
                }
            }
        }
    }

    /// Is the variable in an original clause that asks for something and has no true literal?
    fn relevancy(&mut self, var: Var) -> Relevancy {
        let mut occurrences = std::mem::take(&mut self.occurrences[var.index()]);
        let mut open = None;
        let mut relevancy = Relevancy::Asleep;
        work::spend_on(2 + occurrences.len().min(LOOKED_AT) / 4);
        for (i, occurrence) in occurrences.iter_mut().enumerate() {
            let is_asleep = occurrence.guard.is_some_and(|g| !self.is_false(g));
            if is_asleep {
                continue;
            }
            relevancy = Relevancy::Satisfied;
            if self.is_true(occurrence.blocker) {
                continue;
            }
            let lits = self.clauses.lits(occurrence.clause);
            match lits.iter().find(|&&l| self.is_true(l)) {
                Some(&lit) if i < LOOKED_AT => occurrence.blocker = lit,
                _ => {
                    open = Some(i);
                    break;
                }
            }
        }
        if let Some(i) = open {
            relevancy = Relevancy::Relevant;
            // The clause that decided last is visited first next time.
            occurrences.swap(0, i);
        }
        self.occurrences[var.index()] = occurrences;
        relevancy
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::log::Logging;
    use super::super::super::proof::Justification;
    use super::super::{Reason, Sat};
    use crate::term::Term;

    /// The first literal that is decided after `act` was true at the first level, and taken back.
    fn decided_after(is_assumed: bool) -> bool {
        let mut sat = Sat::new(Logging::Off);
        let [act, other] = [(); 2].map(|()| sat.new_var(false).positive());
        sat.add_clause(&[!act, other], None, Justification::Definition(Term::TRUE));
        if is_assumed {
            sat.set_assumptions(&[act]);
        }
        sat.new_level();
        sat.enqueue(act, Reason::Decision);
        assert!(sat.propagate().is_none());
        sat.backtrack(0);
        let decided = sat.pick().expect("the clause has no true literal");
        assert_eq!(decided.var(), act.var(), "the older variable goes first");
        decided.is_positive()
    }

    #[test]
    fn a_decision_repeats_the_last_one_but_no_assumption() {
        assert!(decided_after(false));
        assert!(!decided_after(true));
    }
}
