//! What is said of an engine in its row of the registry.

use crate::chc::System;
use crate::term::Terms;
use std::fmt;

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
