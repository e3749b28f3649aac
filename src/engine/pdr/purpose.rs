//! The purpose of a query: its name in traces and its row in the statistics.

/// What a query decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Can a rule derive a state of an obligation from `F_{n-1}`?
    Block,
    /// Can a rule derive a state of an obligation from reach facts?
    Reach,
    /// Can a premise of a step be a reach fact?
    Prefer,
    /// Does an obligation meet a new reach fact?
    Meet,
    /// Do lemmas block an obligation already?
    Subsumed,
    /// Is a cube blocked without one of its literals?
    Drop,
    /// Can a counterexample to generalisation be blocked?
    BlockCtg,
    /// Is a cube blocked with some bits, or a bound, in place of a bit-vector's value?
    WeakenBits,
    /// Is a cube blocked with the sum of two of its inequalities in their place?
    AddPair,
    /// Is a cube blocked that contains those of a family of lemmas?
    Subsume,
    /// Is a new lemma's cube blocked one level higher?
    Push,
    /// Is a frame's lemma valid one level higher?
    Propagate,
    /// From which premises does a rule derive a given state?
    Derive,
}

impl Purpose {
    /// Is the search still correct without an answer, only with weaker lemmas?
    pub(super) fn is_optional(self) -> bool {
        use Purpose::{AddPair, BlockCtg, Drop, Propagate, Push, Subsume, Subsumed, WeakenBits};
        matches!(
            self,
            Subsumed | Drop | BlockCtg | WeakenBits | AddPair | Subsume | Push | Propagate
        )
    }

    /// The name in traces and statistics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Purpose::Block => "block",
            Purpose::Reach => "reach",
            Purpose::Prefer => "prefer facts",
            Purpose::Meet => "meet facts",
            Purpose::Subsumed => "lemmas block",
            Purpose::Drop => "drop literals",
            Purpose::BlockCtg => "block CTGs",
            Purpose::WeakenBits => "weaken bits",
            Purpose::AddPair => "add pairs",
            Purpose::Subsume => "subsume lemmas",
            Purpose::Push => "push new lemma",
            Purpose::Propagate => "propagate",
            Purpose::Derive => "derive",
        }
    }
}
