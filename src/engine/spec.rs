//! What an engine is for everybody but itself: a row of the registry.

use super::option::OptionRow;
use super::{Context, Settings};
use crate::chc::{Answer, System};
use crate::term::Terms;
use std::fmt;

/// An engine, as the command line, the portfolio, the documentation and the tests know it.
///
/// Two specifications are equal if their names are.
pub struct EngineSpec {
    /// The name on the command line and in statistics.
    pub name: &'static str,
    /// What the engine does, in half a sentence.
    pub about: &'static str,
    /// The keys of the papers that the engine comes from, as in the crate's bibliography.
    pub paper: &'static [&'static str],
    /// Which systems the engine is for.
    pub suits: Suits,
    /// Which verdicts the engine can give.
    pub finds: Finds,
    /// The engine's options, without those of the engines that it runs inside.
    pub options: &'static [OptionRow],
    /// Decides a system, with the engine's options among the settings.
    ///
    /// For a system that the engine does not suit the answer is `unknown`.
    pub solve: fn(&System, &Settings, &Context<'_>) -> Answer,
}

/// Which systems an engine is for.
#[derive(Clone, Copy)]
pub struct Suits {
    /// The systems, in words.
    pub about: &'static str,
    /// Is this one of them?
    pub test: fn(&Terms, &System) -> bool,
}

impl Suits {
    /// Every system.
    pub const ALL: Suits = Suits {
        about: "all systems",
        test: |_, _| true,
    };
}

/// Which verdicts an engine can give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finds {
    /// `sat` only.
    Models,
    /// `unsat` only.
    Refutations,
    /// `sat` and `unsat`.
    Both,
}

impl Finds {
    /// Can the engine answer `sat`?
    pub fn models(self) -> bool {
        self != Finds::Refutations
    }

    /// Can the engine answer `unsat`?
    pub fn refutations(self) -> bool {
        self != Finds::Models
    }
}

impl fmt::Display for Finds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Finds::Models => "models",
            Finds::Refutations => "refutations",
            Finds::Both => "both",
        })
    }
}

impl EngineSpec {
    /// Is the engine for this system?
    pub fn suits(&self, t: &Terms, system: &System) -> bool {
        (self.suits.test)(t, system)
    }
}

impl PartialEq for EngineSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for EngineSpec {}

impl fmt::Debug for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EngineSpec").field(&self.name).finish()
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
