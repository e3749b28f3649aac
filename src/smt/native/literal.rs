//! Propositional variables and literals.

use std::fmt;
use std::ops::Not;

/// A propositional variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Var(u32);

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lit(u32);

impl Var {
    /// The variable of a dense index.
    #[inline]
    pub(super) fn new(index: usize) -> Var {
        Var(u32::try_from(index).expect("fewer than 2^31 variables"))
    }

    /// Its dense index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable itself as a literal.
    #[inline]
    pub(super) fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal of this variable that is true if the variable is `value`.
    #[inline]
    pub(super) fn literal(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

impl Lit {
    /// Its variable.
    #[inline]
    pub(super) fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Is it the variable itself?
    #[inline]
    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// A dense index; a literal and its negation are neighbours.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal as a word of the clause arena.
    #[inline]
    pub(super) fn to_word(self) -> u32 {
        self.0
    }

    /// The literal of a word, or a word of the arena in the form of a literal.
    #[inline]
    pub(super) fn from_word(word: u32) -> Lit {
        Lit(word)
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_positive() { "" } else { "-" };
        write!(f, "{sign}{}", self.0 >> 1)
    }
}
