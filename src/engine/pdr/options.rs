//! The choices of the engine, by name: each with whose idea it is.

use crate::engine::setting::{Setting, SettingError};

/// Choices of property-directed reachability.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Where the solver can say what weaker cube it has refuted, take that instead of the unsat core: interpolation against
    /// the cube \[BG15\].
    pub weaken: bool,
    /// Generalise by dropping literals, relative to the lemmas of the level before \[Bra11\].
    pub drop_literals: bool,
    /// Where dropping a literal fails, so many predecessor states are tried to be blocked first: counterexamples to
    /// generalisation \[HBS13\].
    pub ctg: u32,
    /// Generalise by sums of pairs of inequalities: at most so many pairs are tried for a lemma.
    pub pairs: u32,
    /// Weaken values of bit-vectors to some of their bits, or else to a bound.
    pub bits: bool,
    /// Replace families of lemmas that differ in constants by one, and bound variables one by one where coefficients
    /// diverge: global guidance \[VCSG20\].
    pub guidance: bool,
    /// The work on a conjecture of global guidance: so many obligations may come of it; 0 for no conjectures.
    pub conjecture_gas: u32,
    /// Ask lemmas alone first whether they exclude an obligation already.
    pub avoid: bool,
    /// Ask for a blocked obligation again one level above its lemma, also where nobody wants it there: finds deep
    /// counterexamples at low bounds, as Z3 does.
    pub requeue: bool,
    /// Give up beyond this bound on the height of derivations.
    pub max_depth: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            weaken: true,
            drop_literals: true,
            ctg: 0,
            pairs: 12,
            bits: true,
            guidance: true,
            conjecture_gas: 10,
            avoid: true,
            requeue: true,
            max_depth: u32::MAX - 2,
        }
    }
}

/// The names of the choices.
pub const NAMES: [&str; 10] = [
    "weaken",
    "drop-literals",
    "ctg",
    "pairs",
    "bits",
    "guidance",
    "conjecture-gas",
    "avoid",
    "requeue",
    "max-depth",
];

impl Options {
    /// Sets a choice by name.
    ///
    /// # Errors
    /// There is no choice of that name, or it does not take that value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let setting = Setting { name, value };
        match name {
            "weaken" => self.weaken = setting.switch()?,
            "drop-literals" => self.drop_literals = setting.switch()?,
            "ctg" => self.ctg = setting.number()?,
            "pairs" => self.pairs = setting.number()?,
            "bits" => self.bits = setting.switch()?,
            "guidance" => self.guidance = setting.switch()?,
            "conjecture-gas" => self.conjecture_gas = setting.number()?,
            "avoid" => self.avoid = setting.switch()?,
            "requeue" => self.requeue = setting.switch()?,
            "max-depth" => self.max_depth = setting.number()?.min(u32::MAX - 2),
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
        for name in NAMES {
            let result = ["off", "0"].map(|value| options.set(name, value));
            assert!(result.iter().any(Result::is_ok), "{name}");
            assert!(options.set(name, "much").is_err(), "{name}");
        }
        let expected = Options {
            weaken: false,
            drop_literals: false,
            ctg: 0,
            pairs: 0,
            bits: false,
            guidance: false,
            conjecture_gas: 0,
            avoid: false,
            requeue: false,
            max_depth: 0,
        };
        assert_eq!(options, expected);
        let error = options.set("luck", "on").expect_err("there is none");
        assert!(
            error
                .to_string()
                .starts_with("there is no choice `luck`; there are weaken,")
        );
        let error = options.set("ctg", "on").expect_err("it takes a number");
        assert_eq!(error.to_string(), "`ctg` takes a number, not `on`");
    }
}
