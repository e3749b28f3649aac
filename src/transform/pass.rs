//! The table of passes: every pass is a row here and a file beside, and a new pass changes nothing
//! else.
//!
//! The command line, `--help` and the tables of the documentation read these rows.

use super::error::LiftError;
use super::lift::Transformed;
use super::tools::Tools;
use super::{
    accelerate, choices, cone, constants, implied, inline, integers, invariants, locations, merge,
    prune, quotients, ranges, simplify, tuples, unused,
};
use crate::chc::System;
use std::fmt;

/// A pass, as the pipeline, the command line and the documentation know it.
pub struct PassSpec {
    /// The name on the command line and in statistics.
    pub name: &'static str,
    /// The effect of the pass: whole sentences.
    pub about: &'static str,
    /// The keys of the papers that the pass comes from, as in the crate's bibliography; none if it
    /// is not from a paper.
    pub paper: &'static [&'static str],
    /// Is the pass applied by default? It is if it pays for every engine.
    pub default: bool,
    /// When the pass is applied. A pass that asks a solver or interprets the system abstractly is
    /// applied once.
    pub when: When,
    /// The transformed system; `None` if the pass changes nothing.
    pub apply: fn(&Tools<'_>, &System) -> Option<Transformed>,
}

/// When a pass is applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// In every round.
    Always,
    /// In the first round only.
    First,
    /// Once, when the other passes change nothing any more.
    Last,
}

/// Declares the passes, in the order in which they are applied.
macro_rules! passes {
    ($($Pass:ident: $spec:expr;)+) => {
        /// The passes, in the order in which they are applied. Each one is a row of [`PASSES`].
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Pass {
            $(
                #[doc = concat!("The pass of this name; its row of [`PASSES`] says what it does.")]
                $Pass,
            )+
        }

        /// The rows of the passes, in the order of [`Pass::ALL`].
        pub static PASSES: &[PassSpec] = &[$($spec),+];

        impl Pass {
            /// All passes, in the order in which they are applied.
            pub const ALL: [Pass; [$(stringify!($Pass)),+].len()] = [$(Pass::$Pass),+];
        }
    };
}

passes! {
    Tuples: PassSpec {
        name: "tuples",
        about: "Replace arguments of tuple sorts by their fields.",
        paper: &[],
        default: true,
        when: When::Always,
        apply: |tools, system| tuples::apply(tools.terms, system),
    };
    Words: PassSpec {
        name: "words",
        about: "Find linear equations of bit-vectors by abstract interpretation, and use them as premises.",
        paper: &["MOS07"],
        default: true,
        when: When::First,
        apply: invariants::words,
    };
    Simplify: PassSpec {
        name: "simplify",
        about: "Simplify each clause: solve equations, and drop conjuncts that others imply.",
        paper: &[],
        default: true,
        when: When::Always,
        apply: |tools, system| simplify::apply(tools.terms, system),
    };
    Choices: PassSpec {
        name: "choices",
        about: "Move choices (`ite`) between numbers out of the atoms that compare them.",
        paper: &[],
        default: true,
        when: When::Always,
        apply: |tools, system| choices::apply(tools.terms, system),
    };
    Cone: PassSpec {
        name: "cone",
        about: "Drop predicates and clauses that no query depends on.",
        paper: &["CGP99"],
        default: true,
        when: When::Always,
        apply: |tools, system| cone::apply(tools.terms, system),
    };
    Constants: PassSpec {
        name: "constants",
        about: "Drop arguments that are always the same constant or always equal to another argument.",
        paper: &["Kil73"],
        default: true,
        when: When::Always,
        apply: |tools, system| constants::apply(tools.terms, system),
    };
    Unused: PassSpec {
        name: "unused",
        about: "Drop arguments that no clause uses.",
        paper: &["LS96"],
        default: true,
        when: When::Always,
        apply: |tools, system| unused::apply(tools.terms, system),
    };
    Integers: PassSpec {
        name: "integers",
        about: "Read bit-vectors as integers if this is exact and few operators take bits out of them.",
        paper: &["ZIMN22", "BRZ18"],
        default: true,
        when: When::Always,
        apply: |tools, system| integers::apply(tools.terms, system),
    };
    Merge: PassSpec {
        name: "merge",
        about: "Join clauses with the same head and premises into one with a disjunction.",
        paper: &["BCGKS09"],
        default: true,
        when: When::Always,
        apply: |tools, system| merge::apply(tools.terms, system),
    };
    Inline: PassSpec {
        name: "inline",
        about: "Eliminate predicates by resolution.",
        paper: &["BGMR15"],
        default: true,
        when: When::Always,
        apply: |tools, system| inline::apply(tools.terms, system),
    };
    Implied: PassSpec {
        name: "implied",
        about: "Drop conditions on premises that follow from how these are derived, where arguments are no longer used then.",
        paper: &["FL01", "LS96"],
        default: true,
        when: When::Last,
        apply: implied::apply,
    };
    Ranges: PassSpec {
        name: "ranges",
        about: "Find bounds of bit-vectors by abstract interpretation of the integers that they are read as, and use them as premises.",
        paper: &["SSM05", "ZIMN22"],
        default: true,
        when: When::Last,
        apply: ranges::apply,
    };
    Invariants: PassSpec {
        name: "invariants",
        about: "Find equations and bounds by abstract interpretation, and use them as premises.",
        paper: &["CC77", "Kar76", "SSM05"],
        default: true,
        when: When::Last,
        apply: invariants::apply,
    };
    Quotients: PassSpec {
        name: "quotients",
        about: "Replace integers of which the remainder is known by their quotients.",
        paper: &["Gra89"],
        default: true,
        when: When::Last,
        apply: quotients::apply,
    };
    Polynomials: PassSpec {
        name: "polynomials",
        about: "Find equations of degree 2 by abstract interpretation, and use them as premises. The clauses are not linear then.",
        paper: &["MOS04"],
        default: false,
        when: When::Last,
        apply: invariants::polynomials,
    };
    Locations: PassSpec {
        name: "locations",
        about: "Split a predicate by the values of its Boolean arguments if this makes the clauses smaller.",
        paper: &[],
        default: true,
        when: When::Last,
        apply: locations::apply,
    };
    Prune: PassSpec {
        name: "prune",
        about: "Drop parts of constraints that are impossible or implied where they stand. It asks a solver, and costs more than it saves.",
        paper: &["DDA10"],
        default: false,
        when: When::Last,
        apply: prune::apply,
    };
    Accelerate: PassSpec {
        name: "accelerate",
        about: "Add clauses for any number of steps of a simple loop.",
        paper: &["BIL06", "FG23"],
        default: false,
        when: When::Last,
        apply: accelerate::apply,
    };
}

impl Pass {
    /// The row of the pass.
    pub fn spec(self) -> &'static PassSpec {
        &PASSES[self as usize]
    }

    /// The name on the command line and in statistics.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The pass of that name.
    pub fn from_name(name: &str) -> Option<Pass> {
        Pass::ALL.into_iter().find(|pass| pass.name() == name)
    }

    /// The passes that are applied by default.
    pub fn default_passes() -> Vec<Pass> {
        let all = Pass::ALL.into_iter();
        all.filter(|pass| pass.spec().default).collect()
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A pass that could not take a certificate back.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the pass {pass} cannot take the certificate back: {why}")]
pub struct LiftFailure {
    /// The pass.
    pub pass: Pass,
    /// The reason.
    pub why: LiftError,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_has_its_row() {
        assert_eq!(PASSES.len(), Pass::ALL.len());
        for (at, pass) in Pass::ALL.into_iter().enumerate() {
            let name = format!("{pass:?}").to_lowercase();
            assert_eq!((pass.name(), pass as usize), (&*name, at));
            assert_eq!(Pass::from_name(&name), Some(pass));
        }
    }
}
