//! The log that the search keeps of its derivations.

use super::literal::Lit;
use super::proof::Justification;
use crate::number::Rational;

/// A step of the log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct StepId(pub(super) u32);

impl StepId {
    /// The step of what is not logged.
    pub(super) const NONE: StepId = StepId(0);
}

/// How much is logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Logging {
    /// Nothing.
    Off,
    /// What the current check derives; clauses of earlier checks count as given. Enough to
    /// generalise a cube.
    Check,
    /// Everything, for proofs and interpolants.
    Full,
}

/// A step: a clause and why it holds.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A clause of an encoding.
    Input {
        /// Its literals.
        clause: Box<[Lit]>,
        /// Why it holds.
        rule: Justification,
        /// The partition of the interpolation problem to which it belongs.
        part: u32,
    },
    /// A clause that was there before the check; only its literals about the cube are kept.
    Given {
        /// Those literals.
        cube: Box<[Lit]>,
    },
    /// The negations of the literals, which are bounds, times these positive factors add up to
    /// `0 < 0` or worse.
    Farkas {
        /// The literals.
        clause: Box<[Lit]>,
        /// A factor for each literal.
        factors: Box<[Rational]>,
    },
    /// The resolvent of a chain: the first step resolved with the second, the result with the
    /// third, ….
    Chain {
        /// The literals of the resolvent; empty for [`Logging::Check`].
        clause: Box<[Lit]>,
        /// The steps.
        steps: Box<[StepId]>,
    },
}

/// The log of a solver.
#[derive(Debug)]
pub(super) struct Log {
    logging: Logging,
    /// Number of the first step that is kept.
    base: u32,
    steps: Vec<Step>,
    /// The partition to which clauses that are added now belong.
    pub(super) part: u32,
}

impl Log {
    /// An empty log.
    pub(super) fn new(logging: Logging) -> Log {
        Log {
            logging,
            base: 1,
            steps: Vec::new(),
            part: 0,
        }
    }

    /// Is everything logged?
    pub(super) fn is_full(&self) -> bool {
        self.logging == Logging::Full
    }

    /// Are chains to be logged?
    pub(super) fn is_on(&self) -> bool {
        self.logging != Logging::Off
    }

    /// Is what the current check derives logged, and nothing else?
    pub(super) fn is_per_check(&self) -> bool {
        self.logging == Logging::Check
    }

    /// Logs a step, which must be one that this log keeps.
    pub(super) fn add(&mut self, step: Step) -> StepId {
        let id = self.base as usize + self.steps.len();
        debug_assert!(
            self.is_well_formed(&step, id),
            "a step refers to earlier steps"
        );
        self.steps.push(step);
        StepId(u32::try_from(id).expect("fewer than 2^32 steps"))
    }

    /// May a step have this number: does a chain refer to earlier steps only, and has a sum a
    /// positive factor for each literal? Of a log of one check, other numbers are steps that are
    /// not kept.
    fn is_well_formed(&self, step: &Step, id: usize) -> bool {
        match step {
            Step::Input { .. } => self.is_full(),
            Step::Given { .. } => self.is_per_check(),
            Step::Farkas { clause, factors } => {
                clause.len() == factors.len() && factors.iter().all(Rational::is_positive)
            }
            Step::Chain { steps, .. } => {
                let is_earlier = |s: &StepId| *s != StepId::NONE && (s.0 as usize) < id;
                !self.is_full() || steps.iter().all(is_earlier)
            }
        }
    }

    /// Logs a clause of an encoding.
    pub(super) fn input(&mut self, clause: &[Lit], rule: Justification) -> StepId {
        if !self.is_full() {
            return StepId::NONE;
        }
        let part = self.part;
        let clause = clause.into();
        self.add(Step::Input { clause, rule, part })
    }

    /// Logs a contradiction between bounds.
    pub(super) fn farkas(&mut self, clause: &[Lit], factors: &[Rational]) -> StepId {
        if !self.is_on() {
            return StepId::NONE;
        }
        let (clause, factors) = (clause.into(), factors.into());
        self.add(Step::Farkas { clause, factors })
    }

    /// A step by its number; `None` if it is not kept.
    pub(super) fn get(&self, id: StepId) -> Option<&Step> {
        let index = id.0.checked_sub(self.base)?;
        self.steps.get(index as usize)
    }

    /// A new check begins: what only the last one needed is forgotten.
    pub(super) fn start_check(&mut self) {
        if self.is_per_check() {
            let made = u32::try_from(self.steps.len()).expect("fewer than 2^32 steps");
            // When the numbers run out they start again: older steps are taken for steps that are
            // not kept, or for steps of this check that do not exist yet; both count as given.
            self.base = self.base.checked_add(made).unwrap_or(1);
            self.steps.clear();
        }
    }
}
