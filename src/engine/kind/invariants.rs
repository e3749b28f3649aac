//! Invariants by abstract interpretation, refined while k-induction runs \[BDW18\].
//!
//! ```text
//! between two steps of k-induction:
//!   as many ticks as k-induction has used, for the rounds of the generator
//!   a round ends: its invariants are assumed of all states, and the step case is asked again
//! ```
//!
//! DIVERGENCE: the generator of \[BDW18\] runs beside k-induction, and starts again with more
//! precision; here both take turns, and each round builds on the one before, as in \[DepthK\].

use crate::absint::{InvariantDomain, Rounds};
use crate::chc::{Model, System};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::smt::Failure;
use crate::term::Term;
use crate::work;

/// A turn of the generator has at least this number of ticks. The value was not tuned.
const LEAST: u64 = work::milliseconds(100);
/// A turn costs at most a quarter of the remaining budget. The value was not tuned.
const PARTS: u64 = 4;

/// The generator, and what it may cost.
pub(super) struct Refinement<'t> {
    rounds: Rounds<'t>,
    /// The ticks of its turns so far.
    spent: u64,
    /// The meter's reading at the beginning of the run.
    begun: u64,
}

impl<'t> Refinement<'t> {
    pub(super) fn new(
        system: &'t System,
        rules: &RuleSystem,
        domain: InvariantDomain,
        context: &Context<'t>,
    ) -> Self {
        let preds = system.pred_ids();
        let params = preds.map(|p| rules.params[p.index()].clone()).collect();
        Refinement {
            rounds: Rounds::new(context.terms, system, params, domain, context.backend),
            spent: 0,
            begun: context.limit.ticks(),
        }
    }

    /// A turn: the invariants of a round that ends in it, if one does.
    ///
    /// # Errors
    /// The limit of the run.
    pub(super) fn turn(
        &mut self,
        rules: &RuleSystem,
        context: &Context<'t>,
    ) -> Result<Option<Model>, Failure> {
        if self.rounds.is_done() {
            return Ok(None);
        }
        let before = context.limit.ticks();
        let others = (before - self.begun).saturating_sub(2 * self.spent);
        let limit = context.limit.share(PARTS, others.max(LEAST));
        let found = self.rounds.next(&limit);
        self.spent += context.limit.ticks() - before;
        context.limit.check()?;
        let found: Vec<Term> = match found {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(None),
            Err(why) => {
                log::debug!("no invariants in this turn: {why}");
                return Ok(None);
            }
        };
        let model = rules.model(|p| found[p.index()]);
        for said in &model.interpretations {
            log::debug!("invariant: {}", context.terms.display(said.body));
        }
        Ok(Some(model))
    }
}
