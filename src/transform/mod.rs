//! Preprocessing: passes from system to system that take certificates back.
//!
//! A pass makes a system that is easier to solve and has the same verdict, together with a
//! [`Lift`]. The lift turns a certificate of the new system into one of the old: a model into a
//! model, and a refutation into a refutation over the old system's clauses and all of their
//! variables. [`preprocess`] composes passes; [`Preprocessed::lift_stage`] goes back through one of
//! them.
//!
//! Nothing here is trusted: the certificate that a lift makes is checked against the system as it
//! was read. A lift may also fail, with a reason; then the caller solves again without that pass.
//!
//! Invariant: a derivation of `false` in the old system becomes one in the new system that is not
//! higher. So a safe depth of the new system is a safe depth of the old one.

mod accelerate;
mod cone;
mod constants;
mod context;
mod equations;
mod ground;
mod inline;
mod invariants;
mod linearise;
mod locations;
mod merge;
mod pipeline;
mod prune;
mod signature;
mod simplify;
mod tuples;
mod unused;

use crate::chc::{Model, Refutation, System};
use crate::smt::{Backend, Failure, Limit};
use crate::term::Terms;
use std::fmt;

pub(crate) use accelerate::has_counting_loop;
use ground::{ClauseSource, ClauseSources};
pub use linearise::{Linearised, TransitionSystem, linearise};
pub use pipeline::{Options, PassRun, Preprocessed, Size, Stage, preprocess};

/// The passes, in the order in which they are applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pass {
    /// Replaces tuples by their fields.
    Tuples,
    /// Solves equations and drops implied and contradictory parts, clause by clause.
    Simplify,
    /// Drops predicates that nothing derives, or that no query needs.
    Cone,
    /// Drops arguments that are always the same constant, or equal to another argument.
    Constants,
    /// Drops arguments that are never constrained.
    Unused,
    /// Merges clauses with the same predicates into one.
    Merge,
    /// Eliminates predicates by resolution.
    Inline,
    /// Adds bounds on premises' arguments, and drops arguments that others determine; once, after
    /// the other passes.
    Invariants,
    /// Makes a predicate of each valuation of Boolean arguments; once, after the other passes.
    Locations,
    /// Drops parts of constraints that a solver finds impossible or implied; once, after the other
    /// passes.
    Prune,
    /// Adds a clause for any number of iterations of a loop; once, after the other passes.
    Accelerate,
}

impl Pass {
    /// All passes, in the order in which they are applied.
    pub const ALL: [Pass; 11] = [
        Pass::Tuples,
        Pass::Simplify,
        Pass::Cone,
        Pass::Constants,
        Pass::Unused,
        Pass::Merge,
        Pass::Inline,
        Pass::Invariants,
        Pass::Locations,
        Pass::Prune,
        Pass::Accelerate,
    ];

    /// The passes that are applied by default: the passes that pay for every engine. `prune` and
    /// `accelerate` do not.
    pub fn default_passes() -> Vec<Pass> {
        let pays = |pass: &Pass| !matches!(pass, Pass::Prune | Pass::Accelerate);
        Pass::ALL.into_iter().filter(pays).collect()
    }

    /// The name on the command line and in statistics.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Tuples => "tuples",
            Pass::Simplify => "simplify",
            Pass::Cone => "cone",
            Pass::Constants => "constants",
            Pass::Unused => "unused",
            Pass::Merge => "merge",
            Pass::Inline => "inline",
            Pass::Prune => "prune",
            Pass::Invariants => "invariants",
            Pass::Locations => "locations",
            Pass::Accelerate => "accelerate",
        }
    }

    /// What the pass does, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Pass::Tuples => "Replace arguments of tuple sorts by their fields.",
            Pass::Simplify => {
                "Simplify each clause: solve equations, and drop conjuncts that others imply."
            }
            Pass::Cone => "Drop predicates and clauses that no query depends on.",
            Pass::Constants => {
                "Drop arguments that are always the same constant or always equal to another argument."
            }
            Pass::Unused => "Drop arguments that no clause uses.",
            Pass::Merge => {
                "Join clauses with the same head and premises into one with a disjunction."
            }
            Pass::Inline => "Eliminate predicates by resolution.",
            Pass::Invariants => {
                "Find equations and bounds by abstract interpretation, and use them as premises."
            }
            Pass::Locations => {
                "Split a predicate by the values of its Boolean arguments if this makes the clauses smaller."
            }
            Pass::Prune => {
                "Drop parts of constraints that are impossible or implied where they stand. It asks a solver, and costs more than it saves."
            }
            Pass::Accelerate => "Add clauses for any number of steps of a simple loop.",
        }
    }

    /// The pass of that name.
    pub fn from_name(name: &str) -> Option<Pass> {
        Pass::ALL.into_iter().find(|pass| pass.name() == name)
    }

    /// Does the pass ask a solver? Such passes are applied once, after the others have come to
    /// rest.
    fn asks(self) -> bool {
        matches!(
            self,
            Pass::Prune | Pass::Invariants | Pass::Locations | Pass::Accelerate
        )
    }

    /// The transformed system; `None` if the pass changes nothing.
    pub fn apply(self, tools: &Tools<'_>, system: &System) -> Option<Transformed> {
        let t = tools.terms;
        match self {
            Pass::Tuples => tuples::apply(t, system),
            Pass::Simplify => simplify::apply(t, system),
            Pass::Cone => cone::apply(t, system),
            Pass::Constants => constants::apply(t, system),
            Pass::Unused => unused::apply(t, system),
            Pass::Merge => merge::apply(t, system),
            Pass::Inline => inline::apply(t, system),
            Pass::Prune => prune::apply(tools, system),
            Pass::Invariants => invariants::apply(tools, system),
            Pass::Locations => locations::apply(tools, system),
            Pass::Accelerate => accelerate::apply(tools, system),
        }
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of a pass.
pub struct Transformed {
    /// The new system.
    pub system: System,
    /// The way back.
    pub lift: Box<dyn Lift>,
}

impl Transformed {
    /// The result of a pass that makes each clause from one old clause, given by `sources` in
    /// order. Refutations are taken back clause by clause, models by `models`.
    fn clause_wise<S: Into<ClauseSource>>(
        system: System,
        sources: impl IntoIterator<Item = S>,
        models: impl ModelLift + 'static,
    ) -> Self {
        let sources = ClauseSources::new(&system.clauses, sources);
        Transformed {
            system,
            lift: Box::new(ClauseWise { sources, models }),
        }
    }
}

/// The tools of passes and lifts.
#[derive(Clone)]
pub struct Tools<'t> {
    /// The store that holds the systems' terms.
    pub terms: &'t Terms,
    /// Makes solvers that compute values and formulas.
    pub backend: &'t Backend,
    /// The limit of the work.
    pub limit: Limit,
}

impl<'t> Tools<'t> {
    /// These tools.
    pub fn new(terms: &'t Terms, backend: &'t Backend, limit: Limit) -> Self {
        Tools {
            terms,
            backend,
            limit,
        }
    }
}

/// Turns certificates of the system that a pass made into certificates of the system that it was
/// given, `old`. A model's quantifiers may stand anywhere: [`Preprocessed::lift_stage`] moves them
/// to the front of conjuncts, or fails.
pub trait Lift {
    /// A model of `old`, if `model` is one of the new system.
    ///
    /// # Errors
    /// No interpretation was found for a predicate.
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError>;

    /// A refutation of `old`, if `refutation` is one of the new system.
    ///
    /// # Errors
    /// No values were found for the variables of a clause.
    fn refutation(
        &self,
        tools: &Tools<'_>,
        old: &System,
        refutation: Refutation,
    ) -> Result<Refutation, LiftError>;
}

/// The half of a [`Lift`] for models.
trait ModelLift {
    /// As [`Lift::model`].
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError>;
}

/// The interpretations of predicates stay the same.
struct SameModel;

impl ModelLift for SameModel {
    fn model(&self, _: &Tools<'_>, _: &System, model: Model) -> Result<Model, LiftError> {
        Ok(model)
    }
}

/// The lift of a pass that makes each clause from one old clause.
struct ClauseWise<M> {
    sources: ClauseSources,
    models: M,
}

impl<M: ModelLift> Lift for ClauseWise<M> {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        self.models.model(tools, old, model)
    }

    fn refutation(
        &self,
        tools: &Tools<'_>,
        old: &System,
        refutation: Refutation,
    ) -> Result<Refutation, LiftError> {
        self.sources.refutation(tools, old, refutation)
    }
}

/// The reason why a certificate was not lifted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LiftError {
    /// The values of a clause's variables were not found.
    #[error("no values for the variables of {clause}: {why}")]
    Values {
        /// The name of the clause in messages.
        clause: String,
        /// The solver's reason.
        why: String,
    },
    /// A predicate's interpretation was not found.
    #[error("no interpretation of `{pred}`: {why}")]
    Interpretation {
        /// The predicate.
        pred: String,
        /// The reason.
        why: String,
    },
    /// The refutation would have too many steps.
    #[error("the refutation has more than {most} steps")]
    TooLong {
        /// The number of steps that may be written out.
        most: u32,
    },
    /// A limit was reached.
    #[error(transparent)]
    Limit(#[from] Failure),
}

/// A pass that could not take a certificate back.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the pass {pass} cannot take the certificate back: {why}")]
pub struct LiftFailure {
    /// The pass.
    pub pass: Pass,
    /// The reason.
    pub why: LiftError,
}
