//! The names of properties, in options and in SV-COMP's files.

use crate::cfront::source::CError;
use std::fmt;

/// What is asked of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Property {
    /// The error that the program speaks of is not reached.
    UnreachCall,
    /// Every access is one to memory that is there.
    ValidDeref,
    /// Only the beginnings of allocated memory are freed, and only once.
    ValidFree,
    /// Allocated memory is freed, or something points to it.
    ValidMemtrack,
    /// Allocated memory is freed before the program ends.
    ValidMemcleanup,
    /// The result of a signed operation is in its type, and shifts have a meaning.
    NoOverflow,
    /// Nothing is divided by zero.
    NoDivisionByZero,
    /// Shifts are by amounts of bits that the type has, and floating-point numbers are converted to
    /// integer types that have a value for them.
    NoUndefinedResult,
    /// Every run ends.
    Termination,
}

/// The properties, with their names and the formulas of SV-COMP's files. Division by zero and
/// undefined results have none there.
const ALL: [(Property, &str, &str); 9] = [
    (Property::UnreachCall, "unreach-call", ""),
    (Property::ValidDeref, "valid-deref", "Gvalid-deref"),
    (Property::ValidFree, "valid-free", "Gvalid-free"),
    (Property::ValidMemtrack, "valid-memtrack", "Gvalid-memtrack"),
    (
        Property::ValidMemcleanup,
        "valid-memcleanup",
        "Gvalid-memcleanup",
    ),
    (Property::NoOverflow, "no-overflow", "G!overflow"),
    (
        Property::NoDivisionByZero,
        "no-division-by-zero",
        "G!division-by-zero",
    ),
    (
        Property::NoUndefinedResult,
        "no-undefined-result",
        "G!undefined-result",
    ),
    (Property::Termination, "termination", "Fend"),
];

/// Names of `--check` that stand for several properties, or are shorter.
const GROUPS: [(&str, &[Property]); 6] = [
    (
        "memsafety",
        &[
            Property::ValidDeref,
            Property::ValidFree,
            Property::ValidMemtrack,
        ],
    ),
    ("memcleanup", &[Property::ValidMemcleanup]),
    ("overflow", &[Property::NoOverflow]),
    ("division", &[Property::NoDivisionByZero]),
    ("result", &[Property::NoUndefinedResult]),
    (
        "undefined",
        &[
            Property::ValidDeref,
            Property::ValidFree,
            Property::NoOverflow,
            Property::NoDivisionByZero,
            Property::NoUndefinedResult,
        ],
    ),
];

impl Property {
    /// The name, as in SV-COMP's verdicts.
    pub fn name(self) -> &'static str {
        let row = ALL.iter().find(|(property, ..)| *property == self);
        row.map_or("", |(_, name, _)| name)
    }

    /// The line of a property file that asks for it.
    pub fn check_line(self) -> String {
        let row = ALL.iter().find(|(property, ..)| *property == self);
        let formula = match row.map_or("", |(_, _, formula)| formula) {
            "" => "G ! call(reach_error())".to_owned(),
            formula => match formula.split_at(1) {
                (letter, rest) if rest.starts_with('!') => format!("{letter} ! {}", &rest[1..]),
                (letter, rest) => format!("{letter} {rest}"),
            },
        };
        format!("CHECK( init(main()), LTL({formula}) )")
    }

    /// The properties that a name of `--check` stands for; `None` for other names.
    pub fn of_word(word: &str) -> Option<Vec<Property>> {
        if let Some((property, ..)) = ALL.iter().find(|(_, name, _)| *name == word) {
            return Some(vec![*property]);
        }
        let group = GROUPS.iter().find(|(name, _)| *name == word);
        group.map(|(_, properties)| properties.to_vec())
    }

    /// The words that [`Property::of_word`] knows.
    pub fn words() -> impl Iterator<Item = &'static str> {
        let groups = GROUPS.iter().map(|(name, _)| *name);
        groups.chain(ALL.iter().map(|(_, name, _)| *name))
    }

    /// The properties that SV-COMP's files name, in the order of the file.
    ///
    /// # Errors
    /// A line is none that is known.
    pub fn of_file(text: &str) -> Result<Vec<Property>, CError> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let lines = compact.split("CHECK(").filter(|line| !line.is_empty());
        let found = lines.map(|line| {
            let formula = line.strip_prefix("init(main()),LTL(").unwrap_or(line);
            let formula = formula.trim_end_matches(')');
            // Calls and labels are read by what reads programs, which says what is wrong with them.
            let known = ALL.iter().find(|(_, _, known)| *known == formula);
            match known {
                Some((property, ..)) => Ok(*property),
                None if ["G!call(", "G!label("]
                    .iter()
                    .any(|f| formula.starts_with(f)) =>
                {
                    Ok(Property::UnreachCall)
                }
                None => Err(CError::Property(format!(
                    "`CHECK( {} )` is no property that is known here",
                    line.trim_end_matches(')')
                ))),
            }
        });
        found.collect()
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The property that an error of a check is a violation of.
pub(crate) fn of_error(what: &str) -> Option<Property> {
    let (name, _) = what.split_once(": ")?;
    let row = ALL.iter().find(|(_, known, _)| *known == name);
    row.map(|(property, ..)| *property)
}

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SetOfProperties(u8);

impl SetOfProperties {
    pub(crate) fn of(list: &[Property]) -> Self {
        let bits = list.iter().map(|&property| 1 << property as u8);
        SetOfProperties(bits.fold(0, |all, bit| all | bit))
    }

    pub(crate) fn has(self, property: Property) -> bool {
        self.0 & (1 << property as u8) != 0
    }

    /// Do the checks need to know which memory is there?
    pub(crate) fn follows_memory(self) -> bool {
        [
            Property::ValidDeref,
            Property::ValidFree,
            Property::ValidMemtrack,
            Property::ValidMemcleanup,
        ]
        .iter()
        .any(|&property| self.has(property))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_sv_comp_are_read() {
        let memory = "CHECK( init(main()), LTL(G valid-free) )\n\
                      CHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        let expected = [
            Property::ValidFree,
            Property::ValidDeref,
            Property::ValidMemtrack,
        ];
        assert_eq!(Property::of_file(memory).expect("known"), expected);
        for (text, expected) in [
            (
                "CHECK( init(main()), LTL(G ! overflow) )",
                Property::NoOverflow,
            ),
            ("CHECK( init(main()), LTL(F end) )", Property::Termination),
            (
                "CHECK( init(main()), LTL(G valid-memcleanup) )",
                Property::ValidMemcleanup,
            ),
            (
                "CHECK( init(main()), LTL(G ! call(reach_error())) )",
                Property::UnreachCall,
            ),
            (
                "CHECK( init(main()), LTL(G ! label(ERROR)) )",
                Property::UnreachCall,
            ),
        ] {
            assert_eq!(
                Property::of_file(text).expect("known"),
                [expected],
                "{text}"
            );
        }
        let unknown = Property::of_file("CHECK( init(main()), LTL(G ! data-race) )");
        let message = unknown.expect_err("not supported").to_string();
        assert!(message.contains("data-race"), "{message}");
    }

    #[test]
    fn words_are_properties() {
        for word in Property::words() {
            assert!(
                Property::of_word(word).is_some_and(|list| !list.is_empty()),
                "{word}"
            );
        }
        assert_eq!(Property::of_word("overflows"), None);
        let error = format!("{}: here", Property::ValidFree);
        assert_eq!(of_error(&error), Some(Property::ValidFree));
        assert_eq!(of_error("call of reach_error"), None);
    }
}
