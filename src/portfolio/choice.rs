//! Which engine searches: one of the registry, or as the schedule says.

use crate::engine::{ENGINES, EngineSpec, engine_named};
use std::fmt;

/// The engine that a caller chooses.
///
/// ```
/// use horn::chc::Answer;
/// use horn::portfolio::{Choice, Control, Options, Stop, solve};
/// use horn::smt::Backend;
/// use horn::smt::native::NativeOptions;
/// use horn::smtlib::{Source, read_system};
/// use horn::term::Terms;
///
/// let text = "
///     (declare-fun p (Int) Bool)
///     (assert (p 0))
///     (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
///     (assert (forall ((x Int)) (=> (and (p x) (= x 3)) false)))";
/// let t = Terms::new();
/// let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
/// let backend = Backend::native(NativeOptions::for_engines());
/// let mut options = Options::default();
/// options.engine = Choice::from_name("bmc").expect("there is such an engine");
/// options.settings.assign("bmc.max-depth=10").expect("it is a number");
/// let stop = Stop::new();
/// let solved = solve(&t, &system, &backend, &options, Control::new(&stop));
/// assert!(matches!(solved.answer, Answer::Unsat(_)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// The engines that suit the system take turns.
    #[default]
    Auto,
    /// This one alone.
    One(&'static EngineSpec),
}

impl Choice {
    /// The name of [`Choice::Auto`].
    pub const AUTO: &'static str = "auto";

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Choice::Auto => Choice::AUTO,
            Choice::One(engine) => engine.name,
        }
    }

    /// How it searches, in half a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Choice::Auto => "all engines that suit the system, in turns",
            Choice::One(engine) => engine.about,
        }
    }

    /// All choices, `auto` first.
    pub fn all() -> impl Iterator<Item = Choice> {
        [Choice::Auto]
            .into_iter()
            .chain(ENGINES.iter().map(Choice::One))
    }

    /// The choice of that name.
    pub fn from_name(name: &str) -> Option<Choice> {
        match name {
            Choice::AUTO => Some(Choice::Auto),
            name => engine_named(name).map(Choice::One),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
