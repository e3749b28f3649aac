//! Coverage of states by older ones, also by force.

use super::cegar::Cegar;
use super::configuration::Coverage;
use super::graph::StateId;
use crate::chc::UnknownReason;
use crate::engine::unroll::{Along, Derivation};
use crate::smt::Failure;
use crate::term::Term;

impl Cegar<'_, '_> {
    /// STOP: an older uncovered state that covers a state.
    pub(super) fn covering(&mut self, id: StateId) -> Result<Option<StateId>, Failure> {
        let state = self.graph.state(id);
        let others = self.graph.uncovered(state.pred).iter().copied();
        let others: Vec<StateId> = others.take_while(|&other| other < id).collect();
        match self.configuration.coverage {
            Coverage::Never => Ok(None),
            Coverage::Diagrams => {
                for other in others {
                    if self.covers(other, id)? {
                        return Ok(Some(other));
                    }
                }
                Ok(None)
            }
            Coverage::Solver => {
                let params = &self.paths.rules.params[state.pred.index()];
                let formula = |&other: &StateId| self.graph.state(other).formula();
                let weak: Vec<Term> = others.iter().map(formula).collect();
                let found = self
                    .transfer
                    .first_implied(params, state.formula(), &weak)?;
                Ok(found.map(|place| others[place]))
            }
        }
    }

    /// Is what a state stands for a part of what another one stands for?
    pub(super) fn covers(&mut self, weak: StateId, strong: StateId) -> Result<bool, Failure> {
        let weak = &self.graph.state(weak).abstraction;
        let strong = &self.graph.state(strong).abstraction;
        match self.configuration.coverage {
            Coverage::Never => Ok(false),
            Coverage::Diagrams => self.transfer.covers(weak, strong),
            Coverage::Solver => self.transfer.implies(strong.formula, weak.formula),
        }
    }

    /// FCOVER of Impact: does an older state cover a state once the states on the way to it, from
    /// what both are derived from, are strengthened? Then they are, and so is the state.
    ///
    /// HORN: both may be derived from several states that the paper's nearest common ancestor is
    /// one of. DIVERGENCE: the paper tries all older states, and here the newest ones are tried, as
    /// many as the settings say.
    pub(super) fn force_covering(&mut self, id: StateId) -> Result<(), UnknownReason> {
        let most = self.paths.settings.forced_coverings as usize;
        if most == 0 {
            return Ok(());
        }
        let state = self.graph.state(id);
        let (pred, edge) = (state.pred, state.edge.clone());
        let states = self.graph.derivation(&edge);
        let steps = self.steps(&states, &edge);
        let candidates = self.graph.uncovered(pred).iter().rev();
        let candidates = candidates.copied().filter(|&other| other < id);
        for other in candidates.take(most).collect::<Vec<StateId>>() {
            let mut shared = self.graph.derivation(&self.graph.state(other).edge);
            shared.push(other);
            // ψ of what both are derived from is given, and of the other state if it is that.
            let given = |state: &StateId| {
                let is_shared = shared.binary_search(state).is_ok();
                is_shared.then(|| self.graph.state(*state).formula())
            };
            let derivation = Derivation {
                steps: &steps,
                known: vec![Term::TRUE; steps.len()],
                given: states.iter().map(given).chain([None]).collect(),
                conclusion: self.graph.state(other).formula(),
            };
            let assertions = match self.paths.assertions(&derivation) {
                Ok(Along::Assertions(assertions)) => assertions,
                Ok(Along::Feasible(_)) | Err(UnknownReason::Incomplete(_)) => continue,
                Err(reason) => return Err(reason),
            };
            let changed = std::iter::zip(states.iter().copied().chain([id]), assertions);
            let changed = changed.filter(|(state, _)| shared.binary_search(state).is_err());
            self.strengthen(&changed.collect::<Vec<(StateId, Term)>>())?;
            debug_assert!(self.graph.is_valid());
            return Ok(());
        }
        Ok(())
    }
}
