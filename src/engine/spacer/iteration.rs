//! The result of an iteration of the loop, for the log and for observers.

use crate::chc::PredId;
use crate::term::Term;
use std::fmt;

/// One iteration of the paper's Fig. 5.
#[derive(Clone, Debug)]
pub struct Iteration<'a> {
    /// The bound of the under-approximation that was solved: derivations of height `bound + 1`.
    pub bound: u32,
    /// The result of SOLVE.
    pub outcome: IterationOutcome,
    /// The number of conjuncts of the abstraction that was solved.
    pub before: usize,
    /// The number of conjuncts of the next abstraction.
    pub after: usize,
    /// The number of conjuncts of the system, `|Σ|`.
    pub all: usize,
    /// The invariants of the system known now, over the parameters of the predicates. The last
    /// predicate is `false`.
    pub invariants: &'a [(PredId, Term)],
    /// The ticks of SOLVE, EXTRACTINVS, ABSTRACT and REFINE.
    pub ticks: [u64; 4],
}

/// The result of solving an under-approximation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IterationOutcome {
    /// It is safe, by a proof, a part of which is inductive for the system.
    Safe {
        /// The number of lemmas of the proof.
        lemmas: usize,
        /// The size of their maximal inductive subset.
        inductive: usize,
    },
    /// It is unsafe, but its counterexample is not one of the system.
    Spurious {
        /// The number of facts of the derivation.
        steps: usize,
    },
    /// The search was given up, since it cost too much. All conjuncts come back.
    GivenUp,
    /// It is unsafe, and so is the system.
    Feasible {
        /// The number of facts of the derivation.
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
            IterationOutcome::Safe { lemmas, inductive } => {
                let invariants = self.invariants.len();
                write!(
                    f,
                    "safe by {lemmas} lemmas, {inductive} of them inductive, {invariants} invariants"
                )?;
            }
            IterationOutcome::Spurious { steps } => {
                write!(f, "spurious counterexample of {steps} steps")?
            }
            IterationOutcome::GivenUp => write!(f, "given up")?,
            IterationOutcome::Feasible { steps } => write!(f, "counterexample of {steps} steps")?,
        }
        let [solve, extract, abstracting, refine] = self.ticks;
        write!(
            f,
            "; next {}; ticks: solve {solve}, invariants {extract}, abstract {abstracting}, refine {refine}",
            self.after
        )
    }
}
