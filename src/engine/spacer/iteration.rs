//! What an iteration of the loop did: the line that is logged, and what observers are told.

use crate::chc::PredId;
use crate::term::Term;
use std::fmt;
use std::time::Duration;

/// One iteration of the paper's Fig. 5.
#[derive(Clone, Debug)]
pub struct Iteration<'a> {
    /// The bound of the under-approximation that was solved: derivations of height `bound + 1`.
    pub bound: u32,
    /// What was found.
    pub outcome: Outcome,
    /// Conjuncts of the abstraction that was solved.
    pub before: usize,
    /// Conjuncts of the abstraction that comes next.
    pub after: usize,
    /// Conjuncts of the system, `|Σ|`.
    pub all: usize,
    /// The invariants of the system that are known now, over the parameters of the predicates. The last predicate is `false`.
    pub invariants: &'a [(PredId, Term)],
    /// The time of SOLVE, EXTRACTINVS, ABSTRACT and REFINE.
    pub times: [Duration; 4],
}

/// What an under-approximation turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Safe, by so many lemmas, of which so many are inductive for the system.
    Safe {
        /// The lemmas of the proof.
        lemmas: usize,
        /// The maximal inductive subset of them.
        inductive: usize,
    },
    /// Unsafe, by a counterexample of so many steps that the system does not have.
    Spurious {
        /// Facts of the derivation.
        steps: usize,
    },
    /// Unsafe, by one that it has.
    Feasible {
        /// Facts of the derivation.
        steps: usize,
    },
}

impl fmt::Display for Iteration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "bound {}, Σ̂ {} of {}: ",
            self.bound, self.before, self.all
        )?;
        match self.outcome {
            Outcome::Safe { lemmas, inductive } => {
                let invariants = self.invariants.len();
                write!(
                    f,
                    "safe by {lemmas} lemmas, {inductive} of them inductive, {invariants} invariants"
                )?;
            }
            Outcome::Spurious { steps } => write!(f, "spurious counterexample of {steps} steps")?,
            Outcome::Feasible { steps } => write!(f, "counterexample of {steps} steps")?,
        }
        let [solve, extract, abstracting, refine] = self.times.map(|time| time.as_secs_f64());
        write!(
            f,
            "; next {}; solve {solve:.3} s, invariants {extract:.3} s, abstract {abstracting:.3} s, refine {refine:.3} s",
            self.after
        )
    }
}
