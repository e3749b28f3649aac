//! The way back from what a pass made: [`Lift`], and its usual form for passes that work clause by
//! clause.

use super::error::LiftError;
use super::ground::{ClauseSource, ClauseSources};
use super::tools::Tools;
use crate::chc::{Model, Refutation, System};

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
    pub(super) fn clause_wise<S: Into<ClauseSource>>(
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

/// Turns certificates of the system that a pass made into certificates of the system that it was
/// given, `old`.
///
/// A model's quantifiers may stand anywhere:
/// [`Preprocessed::lift_stage`](super::Preprocessed::lift_stage) moves them to the front of
/// conjuncts, or fails.
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
pub(super) trait ModelLift {
    /// As [`Lift::model`].
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError>;
}

/// The interpretations of predicates stay the same.
pub(super) struct SameModel;

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
