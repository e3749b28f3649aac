//! Choices of engines by name, for command lines and configuration files.

use std::str::FromStr;

/// A choice that does not exist, or a value that it does not take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingError {
    /// There is no such choice.
    #[error("there is no choice `{name}`; there are {}", .known.join(", "))]
    Name {
        /// What was asked for.
        name: String,
        /// The choices that there are.
        known: &'static [&'static str],
    },
    /// It does not take this value.
    #[error("`{name}` takes {expected}, not `{value}`")]
    Value {
        /// The choice.
        name: String,
        /// What it takes.
        expected: &'static str,
        /// What it was given.
        value: String,
    },
}

/// A name and a value, on the way to a choice.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

impl Setting<'_> {
    /// `on` or `off`.
    pub(crate) fn switch(self) -> Result<bool, SettingError> {
        self.one_of("`on` or `off`", &[("on", true), ("off", false)])
    }

    /// A number.
    pub(crate) fn number(self) -> Result<u32, SettingError> {
        u32::from_str(self.value).map_err(|_| self.wrong("a number"))
    }

    /// One of the words, which `expected` names.
    pub(crate) fn one_of<T: Copy>(
        self,
        expected: &'static str,
        words: &[(&str, T)],
    ) -> Result<T, SettingError> {
        let found = words.iter().find(|(word, _)| *word == self.value);
        found
            .map(|&(_, meaning)| meaning)
            .ok_or_else(|| self.wrong(expected))
    }

    /// No choice has the name.
    pub(crate) fn unknown(self, known: &'static [&'static str]) -> SettingError {
        SettingError::Name {
            name: self.name.to_owned(),
            known,
        }
    }

    fn wrong(self, expected: &'static str) -> SettingError {
        SettingError::Value {
            name: self.name.to_owned(),
            expected,
            value: self.value.to_owned(),
        }
    }
}
