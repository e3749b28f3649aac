//! The way back of a certificate through the passes of preprocessing.

use super::admission::{TICKS, admit};
use super::certificate::Gate;
use super::panic::panic_message;
use crate::chc::{Answer, Model, System};
use crate::smt::Limit;
use crate::transform::{Pass, Preprocessed, Tools};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Lifting has one of this many parts of the budget that is left: a system that can only be solved
/// anew needs the rest. The value was not tuned.
const LIFT_PARTS: u64 = 2;
/// The client in whose name queries for taking certificates back are counted.
const CLIENT: &str = "lift";

impl Gate<'_> {
    /// An answer about the original system, from one about the preprocessed system.
    ///
    /// # Errors
    /// This pass could not take the answer back.
    pub fn lift(
        &self,
        prepared: &Preprocessed,
        found: Answer,
        limit: &Limit,
    ) -> Result<Answer, Pass> {
        let mut stages = (0..prepared.stages.len()).rev();
        stages.try_fold(found, |answer, stage| {
            self.lift_stage(prepared, stage, answer, limit)
        })
    }

    fn lift_stage(
        &self,
        prepared: &Preprocessed,
        stage: usize,
        answer: Answer,
        limit: &Limit,
    ) -> Result<Answer, Pass> {
        let backend = self.backend.for_client(CLIENT);
        let limit = limit.share(LIFT_PARTS, u64::MAX);
        let tools = Tools::new(self.terms, &backend, limit);
        let work = || prepared.lift_stage(&tools, self.system, stage, answer);
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(failure)) => {
                log::info!("{failure}");
                Err(failure.pass)
            }
            Err(panic) => {
                let pass = prepared.stages[stage].pass;
                log::warn!("the pass {pass} failed: {}", panic_message(&*panic));
                Err(pass)
            }
        }
    }

    /// The pass that makes a wrong certificate from a right one; `None` where the engine's
    /// certificate is refused.
    pub fn blame(&self, prepared: &Preprocessed, found: Answer, limit: &Limit) -> Option<Pass> {
        let why = |system: &System, answer: &Answer| self.refusal(system, answer, limit);
        if let Some(why) = why(prepared.system(self.system), &found) {
            log::info!("the certificate for the preprocessed system is refused: {why}");
            return None;
        }
        let mut answer = found;
        for stage in (0..prepared.stages.len()).rev() {
            match self.lift_stage(prepared, stage, answer, limit) {
                Err(pass) => return Some(pass),
                Ok(lifted) => answer = lifted,
            }
            if let Some(why) = why(prepared.system_before(self.system, stage), &answer) {
                let pass = prepared.stages[stage].pass;
                log::warn!("what the pass {pass} takes back is refused: {why}");
                return Some(pass);
            }
        }
        None
    }

    /// The invariants of the original system that those of the preprocessed one are, and what
    /// preprocessing found beside them; `None` where nothing can be taken back.
    pub fn take_back(
        &self,
        prepared: &Preprocessed,
        found: Option<Model>,
        limit: &Limit,
    ) -> Option<Model> {
        let backend = self.backend.for_client(CLIENT);
        let tools = Tools::new(self.terms, &backend, limit.part(TICKS));
        let work = || {
            let trivial = || Model::trivial(self.terms, prepared.system(self.system));
            let found = found.unwrap_or_else(trivial);
            match prepared.lift(&tools, self.system, Answer::Sat(found)) {
                Ok(Answer::Sat(model)) => {
                    let known = Model::trivial(self.terms, self.system);
                    admit(&tools, self.system, &known, model)
                }
                _ => None,
            }
        };
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_default()
    }
}
