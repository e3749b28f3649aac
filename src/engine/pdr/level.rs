//! Levels of the frames.

/// A level of the frames; `∞` is the level of inductive lemmas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Level(u32);

impl Level {
    /// The level of lemmas that hold for all derivations.
    pub(crate) const INFINITY: Level = Level(u32::MAX);

    /// A finite level.
    pub(crate) fn new(level: u32) -> Self {
        Level(level)
    }

    /// The number of a finite level.
    pub(crate) fn number(self) -> Option<u32> {
        (self != Level::INFINITY).then_some(self.0)
    }

    /// The level before; `None` before level 0. `∞` stays.
    pub(crate) fn before(self) -> Option<Level> {
        match self {
            Level::INFINITY => Some(self),
            Level(n) => n.checked_sub(1).map(Level),
        }
    }

    /// The next level; `∞` stays.
    pub(crate) fn next(self) -> Level {
        Level(self.0.saturating_add(1))
    }
}
