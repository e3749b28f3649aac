//! The choices of the engine, by name.

use super::{Bounding, Granularity, Raise};
use crate::engine::pdr;
use crate::engine::setting::{Setting, SettingError};

/// Choices of SPACER.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// What can be left out of constraints.
    pub granularity: Granularity,
    /// What bounds the under-approximations.
    pub bounding: Bounding,
    /// Which bounds rise.
    pub raise: Raise,
    /// After a spurious counterexample all conjuncts are taken back: refinement by proofs only, `t_p` of Table 1.
    pub pba: bool,
    /// In each ABSTRACT and REFINE so many conjuncts are tried to be left out one by one.
    pub mus_attempts: u32,
    /// Give up beyond this bound.
    pub max_bound: u32,
    /// For SOLVE, which is about bounded derivations: by default no obligation is asked for beyond the level at which it is wanted,
    /// and none is strengthened by values of a model, so that it ends.
    pub pdr: pdr::Options,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            granularity: Granularity::default(),
            bounding: Bounding::default(),
            raise: Raise::default(),
            pba: false,
            mus_attempts: 100,
            max_bound: u32::MAX - 2,
            pdr: pdr::Options {
                requeue: false,
                guidance: false,
                ..pdr::Options::default()
            },
        }
    }
}

/// The names of the choices, those of SOLVE excepted.
pub const NAMES: [&str; 6] = [
    "granularity",
    "bounding",
    "raise",
    "refine",
    "mus-attempts",
    "max-bound",
];

impl Options {
    /// Sets a choice by name.
    ///
    /// # Errors
    /// There is no choice of that name, or it does not take that value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let setting = Setting { name, value };
        let granularities = [
            ("conjuncts", Granularity::Conjuncts),
            ("next-state", Granularity::NextState),
        ];
        match name {
            "granularity" => {
                self.granularity = setting.one_of("`conjuncts` or `next-state`", &granularities)?;
            }
            "bounding" => {
                let ways = [
                    ("heights", Bounding::Heights),
                    ("counters", Bounding::Counters),
                ];
                self.bounding = setting.one_of("`heights` or `counters`", &ways)?;
            }
            "raise" => {
                let ways = [("all", Raise::All), ("failing", Raise::Failing)];
                self.raise = setting.one_of("`all` or `failing`", &ways)?;
            }
            "refine" => {
                let ways = [("counterexamples", false), ("proofs", true)];
                self.pba = setting.one_of("`counterexamples` or `proofs`", &ways)?;
            }
            "mus-attempts" => self.mus_attempts = setting.number()?,
            "max-bound" => self.max_bound = setting.number()?.min(u32::MAX - 2),
            _ => return Err(setting.unknown(&NAMES)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_by_name() {
        let mut options = Options::default();
        let settings = [
            ("granularity", "conjuncts"),
            ("bounding", "counters"),
            ("raise", "failing"),
            ("refine", "proofs"),
            ("mus-attempts", "7"),
            ("max-bound", "9"),
        ];
        assert_eq!(settings.map(|(name, _)| name), NAMES);
        for (name, value) in settings {
            assert_eq!(options.set(name, value), Ok(()));
            assert!(options.set(name, "much").is_err(), "{name}");
        }
        let expected = Options {
            granularity: Granularity::Conjuncts,
            bounding: Bounding::Counters,
            raise: Raise::Failing,
            pba: true,
            mus_attempts: 7,
            max_bound: 9,
            ..Options::default()
        };
        assert_eq!(options, expected);
        assert!(options.set("luck", "on").is_err());
    }
}
