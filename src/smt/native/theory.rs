//! What the search asks of a theory \[NOT06\].
//!
//! A theory reads the literals of the trail in their order. Its state is a function of the literals
//! that it has read, so that it goes back with the trail: `new_level` marks the state before a
//! decision, and `backtrack` returns to a mark.

use super::sat::{Conflict, Lowest, Sat};
use crate::smt::{Failure, Limit};

/// A theory of the search.
pub(super) trait Theory {
    /// A new decision level begins. All literals before it have been read.
    fn new_level(&mut self, sat: &Sat);

    /// Goes back as far as propositional search did since this was last called.
    fn backtrack(&mut self, lowest: Lowest);

    /// The trail of level 0, all of which was read, has lost literals that no theory reads.
    fn forget_others(&mut self, sat: &Sat);

    /// Reads the literals that are true since, and makes true what follows from them at little
    /// cost. Answers a contradiction if it meets one.
    fn propagate(&mut self, sat: &mut Sat) -> Option<Conflict>;

    /// Are the literals that were read satisfiable together, as far as that is decided without
    /// distinguishing cases?
    ///
    /// # Errors
    /// The limit is reached.
    fn check(&mut self, sat: &mut Sat, limit: &Limit) -> Result<Option<Conflict>, Failure>;
}

/// What a theory has to say when all clauses are satisfied.
#[derive(Debug)]
pub(super) enum Final {
    /// The literals have a model.
    Satisfied,
    /// A clause was added, or a decision made: the search goes on.
    Continue,
}
