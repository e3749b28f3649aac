//! The registry: every engine is a row here, and no other code has to be changed for a new one.
//!
//! The command line, `--help`, the tables of the documentation, the fuzz tests, the wall between
//! engines (`tests/it/wall.rs`) and the run over the corpus (`scripts/test`) read these rows. The
//! one more file that an engine needs is its list in `horn-benchmarks/solved/`, of the files that
//! it solves. `auto` uses an engine if `portfolio::turns` gives it a turn.
//!
//! Invariant: names are unique; the field of an engine's options in [`EngineSettings`] is the
//! engine's name, with `_` for `-`.

use super::option::{OptionRow, OptionSet};
use super::spec::{Finds, Suits};
use super::{
    Context, acceleration, bmc, cells, dar, folds, imc, impact, induction, kind, pdkind, pdr,
    polynomials, predicates, spacer, split_tpa, splitting, tpa, trace, trl,
};
use crate::chc::{Answer, System};
use crate::term::Terms;
use std::fmt;
use std::iter::zip;

/// Declares the engines: for each the type of its options, and its row.
macro_rules! engines {
    ($($name:ident($Options:ty): $spec:expr;)+) => {
        /// The engines.
        pub static ENGINES: &[EngineSpec] = &[$($spec),+];

        /// The options of all engines.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct EngineSettings {
            $(
                #[doc = concat!("The options of `", stringify!($name), "`.")]
                pub $name: $Options,
            )+
        }

        impl EngineSettings {
            /// The options of each engine, by the engine's name.
            pub(super) fn all(&self) -> Vec<(&'static str, &dyn OptionSet)> {
                let options: Vec<&dyn OptionSet> = vec![$(&self.$name),+];
                zip(ENGINES.iter().map(|spec| spec.name), options).collect()
            }

            /// As [`EngineSettings::all`], to be changed.
            pub(super) fn all_mut(&mut self) -> Vec<(&'static str, &mut dyn OptionSet)> {
                let options: Vec<&mut dyn OptionSet> = vec![$(&mut self.$name),+];
                zip(ENGINES.iter().map(|spec| spec.name), options).collect()
            }
        }
    };
}

engines! {
    pdr(pdr::Options): EngineSpec {
        name: "pdr",
        about: "property-directed reachability over Horn clauses",
        paper: &["HB12", "KGC14", "KBGM15"],
        suits: Suits::ALL,
        finds: Finds::Both,
        options: pdr::Options::ROWS,
        solve: |system, settings, context| pdr::solve(system, &settings.pdr, context),
    };
    bmc(bmc::Options): EngineSpec {
        name: "bmc",
        about: "bounded unrolling of derivations, height by height",
        paper: &["BCCZ99", "BDW18"],
        suits: Suits::ALL,
        finds: Finds::Both,
        options: bmc::Options::ROWS,
        solve: |system, settings, context| bmc::solve(system, &settings.bmc, context),
    };
    kind(kind::Options): EngineSpec {
        name: "kind",
        about: "k-induction",
        paper: &["SSS00"],
        suits: Suits {
            about: "systems of arithmetic and Booleans",
            test: kind::suits,
        },
        finds: Finds::Both,
        options: kind::Options::ROWS,
        solve: |system, settings, context| kind::solve(system, &settings.kind, context),
    };
    pdkind(pdkind::Options): EngineSpec {
        name: "pdkind",
        about: "property-directed k-induction",
        paper: &["JD16"],
        suits: Suits {
            about: "linear systems",
            test: pdkind::suits,
        },
        finds: Finds::Both,
        options: pdkind::Options::ROWS,
        solve: |system, settings, context| pdkind::solve(system, &settings.pdkind, context),
    };
    predicates(predicates::Options): EngineSpec {
        name: "predicates",
        about: "lazy predicate abstraction with predicates from interpolants",
        paper: &["GS97", "HJMS02", "BDW18"],
        suits: Suits::ALL,
        finds: Finds::Both,
        options: predicates::Options::ROWS,
        solve: |system, settings, context| {
            predicates::solve(system, &settings.predicates, context)
        },
    };
    imc(imc::Options): EngineSpec {
        name: "imc",
        about: "interpolation-based model checking",
        paper: &["McM03", "VG09"],
        suits: Suits {
            about: "linear systems",
            test: imc::suits,
        },
        finds: Finds::Both,
        options: imc::Options::ROWS,
        solve: |system, settings, context| imc::solve(system, &settings.imc, context),
    };
    dar(dar::Options): EngineSpec {
        name: "dar",
        about: "forward and backward reachability by interpolants, intertwined",
        paper: &["VGS13"],
        suits: Suits {
            about: "linear systems",
            test: dar::suits,
        },
        finds: Finds::Both,
        options: dar::Options::ROWS,
        solve: |system, settings, context| dar::solve(system, &settings.dar, context),
    };
    impact(impact::Options): EngineSpec {
        name: "impact",
        about: "lazy abstraction with interpolants",
        paper: &["McM06", "BDW18"],
        suits: Suits::ALL,
        finds: Finds::Both,
        options: impact::Options::ROWS,
        solve: |system, settings, context| impact::solve(system, &settings.impact, context),
    };
    splitting(splitting::Options): EngineSpec {
        name: "splitting",
        about: "splitting of abstract states by interpolants",
        paper: &["BDFW07", "EHP12", "BDW18"],
        suits: Suits::ALL,
        finds: Finds::Both,
        options: splitting::Options::ROWS,
        solve: |system, settings, context| {
            splitting::solve(system, &settings.splitting, context)
        },
    };
    trace(trace::Options): EngineSpec {
        name: "trace",
        about: "trace abstraction: automata of derivations without values are subtracted",
        paper: &["HHP09", "HHP13", "KG15"],
        suits: Suits::ALL,
        finds: Finds::Both,
        options: trace::Options::ROWS,
        solve: |system, settings, context| trace::solve(system, &settings.trace, context),
    };
    tpa(tpa::Options): EngineSpec {
        name: "tpa",
        about: "transition power abstraction: paths of up to 2ⁿ steps, from those of half the length",
        paper: &["BFHS22"],
        suits: Suits {
            about: "linear systems",
            test: tpa::suits,
        },
        finds: Finds::Both,
        options: tpa::Options::ROWS,
        solve: |system, settings, context| tpa::solve(system, &settings.tpa, context),
    };
    split_tpa(split_tpa::Options): EngineSpec {
        name: "split-tpa",
        about: "transition power abstraction split into paths of exactly 2ⁿ and of fewer steps",
        paper: &["BFHSb22"],
        suits: Suits {
            about: "linear systems",
            test: split_tpa::suits,
        },
        finds: Finds::Both,
        options: split_tpa::Options::ROWS,
        solve: |system, settings, context| split_tpa::solve(system, &settings.split_tpa, context),
    };
    trl(trl::Options): EngineSpec {
        name: "trl",
        about: "transitive relations learned from loops, until no path is long",
        paper: &["FG25"],
        suits: Suits {
            about: "linear systems",
            test: trl::suits,
        },
        finds: Finds::Both,
        options: trl::Options::ROWS,
        solve: |system, settings, context| trl::solve(system, &settings.trl, context),
    };
    spacer(spacer::Options): EngineSpec {
        name: "spacer",
        about: "proof-based abstraction and counterexample-guided refinement",
        paper: &["KGCC13"],
        suits: Suits::ALL,
        finds: Finds::Both,
        options: spacer::Options::ROWS,
        solve: |system, settings, context| spacer::solve(system, &settings.spacer, context),
    };
    cells(cells::Options): EngineSpec {
        name: "cells",
        about: "`pdr` over the cells of arrays: finds models with quantifiers",
        paper: &["MG16"],
        suits: Suits {
            about: "systems with arrays as arguments",
            test: cells::suits,
        },
        finds: Finds::Models,
        options: cells::Options::ROWS,
        solve: |system, settings, context| cells::solve(system, &settings.cells, context),
    };
    folds(folds::Options): EngineSpec {
        name: "folds",
        about: "`pdr` over folds of datatypes, such as length and sum, and folds that counterexamples ask for: finds models with recursive functions",
        paper: &["KKSS25", "KMF21"],
        suits: Suits {
            about: "systems with datatypes as arguments",
            test: folds::suits,
        },
        finds: Finds::Both,
        options: folds::Options::ROWS,
        solve: |system, settings, context| folds::solve(system, &settings.folds, context),
    };
    induction(induction::Options): EngineSpec {
        name: "induction",
        about: "structural induction over predicates that are graphs of functions, with lemmas from tests",
        paper: &["DFPP22", "UTS17", "CJRS13"],
        suits: Suits {
            about: "systems with datatypes as arguments",
            test: induction::suits,
        },
        finds: Finds::Models,
        options: induction::Options::ROWS,
        solve: |system, settings, context| induction::solve(system, &settings.induction, context),
    };
    acceleration(acceleration::Options): EngineSpec {
        name: "acceleration",
        about: "`spacer` over the system in which simple loops take any number of steps at once",
        paper: &["BIL06", "FG23"],
        suits: Suits {
            about: "systems with loops that count",
            test: acceleration::suits,
        },
        finds: Finds::Both,
        options: acceleration::Options::ROWS,
        solve: |system, settings, context| {
            acceleration::solve(system, &settings.acceleration, context)
        },
    };
    polynomials(polynomials::Options): EngineSpec {
        name: "polynomials",
        about: "`pdr` over the system with polynomial equations of degree 2 as premises",
        paper: &["MOS04"],
        suits: Suits {
            about: "systems of linear arithmetic",
            test: polynomials::suits,
        },
        finds: Finds::Both,
        options: polynomials::Options::ROWS,
        solve: |system, settings, context| {
            polynomials::solve(system, &settings.polynomials, context)
        },
    };
}

/// The engine of that name.
pub fn engine_named(name: &str) -> Option<&'static EngineSpec> {
    ENGINES.iter().find(|spec| spec.name == name)
}

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
    /// The engine itself. The method of this name calls it, and names it to the back end.
    pub solve: fn(&System, &EngineSettings, &Context<'_>) -> Answer,
}

impl EngineSpec {
    /// Decides a system, with the engine's options among the settings. The queries are counted in
    /// the engine's name.
    ///
    /// Of a system that the engine does not suit it may decide less, or nothing.
    pub fn solve(
        &self,
        system: &System,
        settings: &EngineSettings,
        context: &Context<'_>,
    ) -> Answer {
        let backend = context.backend.for_client(self.name);
        (self.solve)(system, settings, &context.with_backend(&backend))
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_settings_have_the_same_names() {
        let names: Vec<&str> = ENGINES.iter().map(|spec| spec.name).collect();
        let settings = EngineSettings::default();
        let fields: Vec<&str> = settings.all().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, fields);
        for (at, spec) in ENGINES.iter().enumerate() {
            assert!(!names[..at].contains(&spec.name), "{spec} occurs twice");
            assert_eq!(engine_named(spec.name), Some(spec));
            let (_, options) = settings.all()[at];
            let names = |rows: &[super::super::OptionRow]| -> Vec<&str> {
                rows.iter().map(|row| row.field).collect()
            };
            assert_eq!(names(spec.options), names(options.rows()));
        }
        assert_eq!(engine_named("auto"), None);
    }
}
