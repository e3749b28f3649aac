//! The sources of assertions, and the words that name them on the command line.

use std::fmt;
use std::str::FromStr;

/// Where assertions come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssertionSource {
    /// Interpolants of the derivation.
    Craig,
    /// Postconditions or preconditions of an abstraction of the derivation.
    Newton(Newton),
    /// Values of arguments \[BLW15\].
    Values,
}

/// A variant of the algorithm of Section 6 of \[DHMNP17\].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Newton {
    /// Strongest postconditions or weakest preconditions.
    pub transformer: Transformer,
    /// Only the conjuncts of an unsatisfiable core (the paper's IT).
    pub core: bool,
    /// Only the variables that are live (the paper's LV).
    pub live: bool,
}

/// A predicate transformer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transformer {
    /// Strongest postconditions, from the facts to the root.
    Sp,
    /// Weakest preconditions, from the root to the facts.
    Wp,
}

impl AssertionSource {
    /// Weakest preconditions of an infeasible core, about live variables only.
    pub const PRECONDITIONS: AssertionSource = AssertionSource::Newton(Newton {
        transformer: Transformer::Wp,
        core: true,
        live: true,
    });

    /// Does the source need an infeasible core?
    pub(super) fn has_core(self) -> bool {
        matches!(self, AssertionSource::Newton(newton) if newton.core)
    }
}

impl fmt::Display for AssertionSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let newton = match self {
            AssertionSource::Craig => return f.write_str("craig"),
            AssertionSource::Values => return f.write_str("values"),
            AssertionSource::Newton(newton) => newton,
        };
        f.write_str(match newton.transformer {
            Transformer::Sp => "newton-sp",
            Transformer::Wp => "newton-wp",
        })?;
        f.write_str(if newton.core { "-core" } else { "" })?;
        f.write_str(if newton.live { "-live" } else { "" })
    }
}

/// A word that names no source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSource;

impl FromStr for AssertionSource {
    type Err = NoSource;

    fn from_str(word: &str) -> Result<Self, NoSource> {
        match word {
            "craig" => return Ok(AssertionSource::Craig),
            "values" => return Ok(AssertionSource::Values),
            _ => {}
        }
        let (transformer, rest) = match word.strip_prefix("newton-sp") {
            Some(rest) => (Transformer::Sp, rest),
            None => (
                Transformer::Wp,
                word.strip_prefix("newton-wp").ok_or(NoSource)?,
            ),
        };
        let (core, live) = match rest {
            "" => (false, false),
            "-core" => (true, false),
            "-live" => (false, true),
            "-core-live" => (true, true),
            _ => return Err(NoSource),
        };
        Ok(AssertionSource::Newton(Newton {
            transformer,
            core,
            live,
        }))
    }
}

/// Sources that are tried in turn: one or more, none twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources(Vec<AssertionSource>);

impl Sources {
    /// The sources.
    pub fn list(&self) -> &[AssertionSource] {
        &self.0
    }
}

impl From<AssertionSource> for Sources {
    fn from(source: AssertionSource) -> Self {
        Sources(vec![source])
    }
}

impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, source) in self.0.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { "," })?;
            source.fmt(f)?;
        }
        Ok(())
    }
}

impl FromStr for Sources {
    type Err = NoSource;

    fn from_str(text: &str) -> Result<Self, NoSource> {
        let mut sources = Vec::new();
        for word in text.split(',') {
            let source = word.parse()?;
            if sources.contains(&source) {
                return Err(NoSource);
            }
            sources.push(source);
        }
        Ok(Sources(sources))
    }
}

/// Which infeasible prefixes of a derivation assertions are made for \[BLW15\].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prefixes {
    /// None: for the whole derivation.
    Whole,
    /// The first, which is the shortest.
    First,
    /// The last, which is the longest.
    Last,
    /// The one whose assertions are about the variables of the simplest domain types.
    DomainTypes,
    /// The one whose first assertion is the farthest from the facts.
    Depth,
    /// The one whose assertions are the smallest.
    Score,
    /// All: the assertions of a node are conjoined.
    All,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_and_written() {
        for text in [
            "craig",
            "newton-sp",
            "newton-sp-core,newton-wp-core-live,craig",
            "newton-wp-live",
            "values,craig",
        ] {
            let sources: Sources = text.parse().expect(text);
            assert_eq!(sources.to_string(), text);
        }
        for text in [
            "",
            "newton",
            "newton-",
            "newton-sp-live-core",
            "newton-sp-core-core",
            "craig,",
            "craig,craig",
            "craig newton-sp",
        ] {
            assert_eq!(text.parse::<Sources>(), Err(NoSource), "{text}");
        }
    }
}
