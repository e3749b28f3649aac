//! Options of engines, each declared once: a row says name, type, default, range, meaning and
//! source.
//!
//! From the rows of `declare_options!` come the struct with its fields, its defaults, the reader
//! of `--set`, the text of `--help` and the table of the documentation. (A. Biere's CaDiCaL keeps
//! its options in one such table.)
//!
//! ```ignore
//! declare_options! {
//!     /// Options of the engine.
//!     pub struct Options {
//!         /// Give up beyond this height of derivations.
//!         max_depth: u32 = UNLIMITED, in 0..=UNLIMITED;
//!         /// Generalises by dropping literals.
//!         drop_literals: bool = true, from "Bra11";
//!     }
//!     uses {
//!         /// For the search below.
//!         pdr: pdr::Options = pdr::Options::default();
//!     }
//! }
//! ```

use super::setting_error::SettingError;

/// The greatest number that an option takes; as a limit it is none.
///
/// The engines count two beyond it.
pub const UNLIMITED: u32 = u32::MAX - 2;

/// One option of an engine.
#[derive(Clone, Copy)]
pub struct OptionRow {
    /// The field of the options' struct. On the command line `-` stands for `_`.
    pub field: &'static str,
    /// What the option means: whole sentences.
    pub meaning: &'static str,
    /// The key of the paper that the option comes from, as in the crate's bibliography.
    pub source: Option<&'static str>,
    /// The numbers that the option takes, if it takes numbers.
    pub(crate) bounds: OptionRange,
    /// What values the option's type has, in words.
    pub(crate) values: fn(OptionRange) -> String,
}

impl OptionRow {
    /// The name on the command line.
    pub fn name(&self) -> String {
        self.field.replace('_', "-")
    }

    /// What values the option takes, in words.
    pub fn expected(&self) -> String {
        (self.values)(self.bounds)
    }
}

/// The options of one engine, with those of the engines that it runs inside.
pub trait OptionSet {
    /// The engine's options, without those of engines inside.
    fn rows(&self) -> &'static [OptionRow];

    /// Their values, in the order of the rows.
    fn values(&self) -> Vec<&dyn OptionValue>;

    /// As [`OptionSet::values`], to be changed.
    fn values_mut(&mut self) -> Vec<&mut dyn OptionValue>;

    /// The options of the engines that this one runs inside, with their names.
    fn inner(&self) -> Vec<(&'static str, &dyn OptionSet)>;

    /// As [`OptionSet::inner`], to be changed.
    fn inner_mut(&mut self) -> Vec<(&'static str, &mut dyn OptionSet)>;

    /// Sets one of the engine's options.
    ///
    /// # Errors
    /// There is no option of that name, or it does not take that value.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let rows = self.rows();
        let at = rows.iter().position(|row| row.name() == name);
        let at = at.ok_or_else(|| SettingError::no_option(name, rows))?;
        match self.values_mut()[at].take(value, rows[at].bounds) {
            true => Ok(()),
            false => Err(SettingError::value(&rows[at], value)),
        }
    }

    /// The value of one of the engine's options, as [`OptionSet::set`] reads it; `None` if there is
    /// no such option.
    fn value(&self, name: &str) -> Option<String> {
        let at = self.rows().iter().position(|row| row.name() == name)?;
        Some(self.values()[at].text())
    }
}

/// The numbers that an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionRange {
    /// The least one.
    pub least: u32,
    /// The greatest one.
    pub most: u32,
}

impl OptionRange {
    /// Every number.
    pub const ALL: OptionRange = OptionRange {
        least: 0,
        most: UNLIMITED,
    };
}

/// A value of an option.
pub trait OptionValue {
    /// Takes the value that a text means. `false`, and no change, if it means none, or one that is
    /// out of bounds.
    fn take(&mut self, text: &str, bounds: OptionRange) -> bool;

    /// The text that [`OptionValue::take`] reads as this value.
    fn text(&self) -> String;

    /// What values the type has within these bounds, in words.
    fn expected(bounds: OptionRange) -> String
    where
        Self: Sized;
}

impl OptionValue for bool {
    fn take(&mut self, text: &str, _: OptionRange) -> bool {
        match text {
            "on" => *self = true,
            "off" => *self = false,
            _ => return false,
        }
        true
    }

    fn text(&self) -> String {
        if *self { "on" } else { "off" }.to_owned()
    }

    fn expected(_: OptionRange) -> String {
        "`on` or `off`".to_owned()
    }
}

/// Numbers; [`UNLIMITED`] is the word `unlimited`.
impl OptionValue for u32 {
    fn take(&mut self, text: &str, bounds: OptionRange) -> bool {
        let number = match text {
            "unlimited" => Some(UNLIMITED),
            digits => digits.parse().ok(),
        };
        let inside = number.filter(|number| (bounds.least..=bounds.most).contains(number));
        inside.map(|number| *self = number).is_some()
    }

    fn text(&self) -> String {
        match *self {
            UNLIMITED => "unlimited".to_owned(),
            number => number.to_string(),
        }
    }

    fn expected(bounds: OptionRange) -> String {
        match bounds.most {
            UNLIMITED => format!("a number from {}, or `unlimited`", bounds.least),
            most => format!("a number from {} to {most}", bounds.least),
        }
    }
}

/// Makes an enumeration a type of options: each value has a word.
macro_rules! word_option {
    ($Type:ident: $($word:literal => $value:ident),+ $(,)?) => {
        impl $crate::engine::option::OptionValue for $Type {
            fn take(&mut self, text: &str, _: $crate::engine::option::OptionRange) -> bool {
                match text {
                    $($word => *self = $Type::$value,)+
                    _ => return false,
                }
                true
            }

            fn text(&self) -> String {
                match self {
                    $($Type::$value => $word.to_owned(),)+
                }
            }

            fn expected(_: $crate::engine::option::OptionRange) -> String {
                [$(concat!("`", $word, "`")),+].join(" or ")
            }
        }
    };
}

/// Declares the options of an engine: see the module's documentation.
macro_rules! declare_options {
    (@source) => { None };
    (@source $source:literal) => { Some($source) };
    (@bounds) => { $crate::engine::option::OptionRange::ALL };
    (@bounds $least:literal $most:expr) => {
        $crate::engine::option::OptionRange { least: $least, most: $most }
    };
    (
        $(#[doc = $about:literal])+
        $vis:vis struct $Options:ident {
            $(
                $(#[doc = $meaning:literal])+
                $field:ident: $type:ty = $default:expr
                    $(, in $least:literal..=$most:expr)? $(, from $source:literal)?;
            )*
        }
        $(uses {
            $(
                $(#[doc = $for:literal])+
                $inner:ident: $Inner:ty = $preset:expr;
            )+
        })?
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Eq, Debug)]
        $vis struct $Options {
            $(
                $(#[doc = $meaning])+
                $(#[doc = concat!("\n\nFrom \\[", $source, "\\].")])?
                $vis $field: $type,
            )*
            $($($(#[doc = $for])+ $vis $inner: $Inner,)+)?
        }

        impl Default for $Options {
            fn default() -> Self {
                $Options {
                    $($field: $default,)*
                    $($($inner: $preset,)+)?
                }
            }
        }

        impl $Options {
            /// The options, one row each.
            $vis const ROWS: &'static [$crate::engine::OptionRow] = &[$(
                $crate::engine::OptionRow {
                    field: stringify!($field),
                    meaning: concat!($($meaning),+),
                    source: $crate::engine::option::declare_options!(@source $($source)?),
                    bounds: $crate::engine::option::declare_options!(@bounds $($least $most)?),
                    values: <$type as $crate::engine::option::OptionValue>::expected,
                },
            )*];
        }

        impl $crate::engine::OptionSet for $Options {
            fn rows(&self) -> &'static [$crate::engine::OptionRow] {
                Self::ROWS
            }

            fn values(&self) -> Vec<&dyn $crate::engine::option::OptionValue> {
                vec![$(&self.$field),*]
            }

            fn values_mut(&mut self) -> Vec<&mut dyn $crate::engine::option::OptionValue> {
                vec![$(&mut self.$field),*]
            }

            fn inner(&self) -> Vec<(&'static str, &dyn $crate::engine::OptionSet)> {
                vec![$($((stringify!($inner), &self.$inner as _),)+)?]
            }

            fn inner_mut(&mut self) -> Vec<(&'static str, &mut dyn $crate::engine::OptionSet)> {
                vec![$($((stringify!($inner), &mut self.$inner as _),)+)?]
            }
        }
    };
}

pub(crate) use {declare_options, word_option};

impl SettingError {
    /// None of the rows has the name.
    pub(crate) fn no_option(name: &str, rows: &[OptionRow]) -> Self {
        SettingError::Name {
            name: name.to_owned(),
            known: rows.iter().map(OptionRow::name).collect(),
        }
    }

    /// The row's option does not take the value.
    pub(crate) fn value(row: &OptionRow, value: &str) -> Self {
        SettingError::Value {
            name: row.name(),
            expected: row.expected(),
            value: value.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Colour {
        Red,
        Green,
    }
    word_option!(Colour: "red" => Red, "green" => Green);

    declare_options! {
        /// Inside.
        struct Inner {
            /// A switch.
            switch: bool = true;
        }
    }

    declare_options! {
        /// Around.
        struct Outer {
            /// A number,
            /// in two lines.
            some_number: u32 = 3, in 1..=9, from "XY00";
            /// A limit.
            limit: u32 = UNLIMITED;
            /// A word.
            colour: Colour = Colour::Red;
        }
        uses {
            /// Below.
            inner: Inner = Inner { switch: false };
        }
    }

    #[test]
    fn a_row_is_field_default_reader_and_text() {
        let mut outer = Outer::default();
        let row = &Outer::ROWS[0];
        assert_eq!(
            (&*row.name(), row.meaning, row.source),
            ("some-number", " A number, in two lines.", Some("XY00"))
        );
        for (name, value, before) in [
            ("some-number", "9", "3"),
            ("limit", "7", "unlimited"),
            ("limit", "unlimited", "7"),
            ("colour", "green", "red"),
        ] {
            assert_eq!(outer.value(name).as_deref(), Some(before));
            assert_eq!(outer.set(name, value), Ok(()));
            assert_eq!(outer.value(name).as_deref(), Some(value));
        }
        assert_eq!((outer.some_number, outer.colour), (9, Colour::Green));
        assert_eq!(outer.value("inner"), None);
        let inner = outer.inner();
        let values = inner
            .iter()
            .map(|(name, inner)| (*name, inner.value("switch")));
        assert_eq!(
            values.collect::<Vec<_>>(),
            [("inner", Some("off".to_owned()))]
        );
    }

    #[test]
    fn what_a_row_does_not_take_is_refused() {
        for (name, value, expected) in [
            (
                "some-number",
                "10",
                "`some-number` takes a number from 1 to 9, not `10`",
            ),
            (
                "some-number",
                "on",
                "`some-number` takes a number from 1 to 9, not `on`",
            ),
            (
                "limit",
                "-1",
                "`limit` takes a number from 0, or `unlimited`, not `-1`",
            ),
            (
                "limit",
                "4294967294",
                "`limit` takes a number from 0, or `unlimited`, not `4294967294`",
            ),
            (
                "colour",
                "blue",
                "`colour` takes `red` or `green`, not `blue`",
            ),
            (
                "some_number",
                "1",
                "there is no option `some_number`; there are some-number, limit, colour",
            ),
        ] {
            let error = Outer::default().set(name, value).expect_err(name);
            assert_eq!(error.to_string(), expected);
        }
        let error = Inner::default()
            .set("switch", "1")
            .expect_err("it is a switch");
        assert_eq!(error.to_string(), "`switch` takes `on` or `off`, not `1`");
    }
}
