//! Random scripts, by profile.

use super::formulas::Formulas;
use super::pdr;
use super::script::Command;
use super::structured;
use super::universe::Universe;
use crate::random::Random;
use horn::term::{Term, Terms};

/// What the scripts of a kind are made of.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) name: &'static str,
    /// How many variables there are of each sort.
    pub(crate) bools: usize,
    pub(crate) ints: usize,
    pub(crate) reals: usize,
    /// Of an uninterpreted sort; with them come functions.
    pub(crate) elements: usize,
    /// Bit-vectors of each of the widths.
    pub(crate) vectors: usize,
    /// The widths of bit-vectors.
    pub(crate) widths: &'static [u32],
    /// Products, quotients and remainders of bit-vectors.
    pub(crate) products: bool,
    /// All integers lie within this bound, which is asserted first.
    pub(crate) bound: Option<i64>,
    /// `div`, `mod` and `abs`; with both sorts also `to_int` and `is_int`.
    pub(crate) divisions: bool,
    /// Products of numbers, and quotients and remainders by terms that are not 0.
    pub(crate) nonlinear: bool,
    /// Coefficients and constants beyond 64 bits.
    pub(crate) big: bool,
    /// The nesting of connectives.
    pub(crate) depth: usize,
    /// Sums of many variables with wide coefficients, in conjunctions: work for the simplex and for
    /// cuts.
    pub(crate) dense: bool,
    /// What scripts look like.
    pub(crate) shape: Shape,
    /// Declares datatypes, functions, and constants of arrays and datatypes, as SMT-LIB text.
    pub(crate) declarations: &'static str,
}

/// What scripts look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A random walk over the commands.
    Walk,
    /// As property-directed reachability asks.
    Pdr,
    /// Clauses of three literals, about as many as make half of such scripts contradictory.
    Clauses,
}

/// A profile that others are made of.
pub(crate) const PLAIN: Profile = Profile {
    name: "",
    bools: 3,
    ints: 0,
    reals: 0,
    elements: 0,
    vectors: 0,
    widths: &[],
    products: false,
    bound: None,
    divisions: false,
    nonlinear: false,
    big: false,
    depth: 3,
    dense: false,
    shape: Shape::Walk,
    declarations: "",
};

/// All profiles, by turns.
pub(crate) fn profiles() -> impl Iterator<Item = &'static Profile> {
    PROFILES.iter().chain(&structured::PROFILES)
}

/// The profiles of numbers, truth values, elements and bit-vectors.
const PROFILES: [Profile; 24] = [
    Profile {
        name: "bool",
        bools: 8,
        depth: 5,
        ..PLAIN
    },
    Profile {
        name: "clauses",
        bools: 24,
        shape: Shape::Clauses,
        ..PLAIN
    },
    Profile {
        name: "lra",
        reals: 4,
        ..PLAIN
    },
    Profile {
        name: "lra-dense",
        reals: 7,
        dense: true,
        depth: 1,
        ..PLAIN
    },
    Profile {
        name: "lia-dense",
        ints: 4,
        dense: true,
        depth: 1,
        ..PLAIN
    },
    Profile {
        name: "lia",
        ints: 4,
        ..PLAIN
    },
    Profile {
        name: "lia-div",
        ints: 3,
        divisions: true,
        ..PLAIN
    },
    Profile {
        name: "lia-bounded",
        ints: 4,
        bound: Some(6),
        divisions: true,
        ..PLAIN
    },
    Profile {
        name: "nia",
        ints: 3,
        nonlinear: true,
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "nia-bounded",
        ints: 3,
        bound: Some(6),
        divisions: true,
        nonlinear: true,
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "nra",
        reals: 3,
        nonlinear: true,
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "nira",
        ints: 2,
        reals: 2,
        divisions: true,
        nonlinear: true,
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "lira",
        ints: 2,
        reals: 2,
        divisions: true,
        ..PLAIN
    },
    Profile {
        name: "lra-big",
        reals: 3,
        big: true,
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "lia-big",
        ints: 3,
        big: true,
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "uf",
        ints: 2,
        elements: 3,
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "pdr-lia",
        bools: 2,
        ints: 4,
        depth: 1,
        shape: Shape::Pdr,
        ..PLAIN
    },
    Profile {
        name: "pdr-lra",
        bools: 2,
        reals: 4,
        depth: 1,
        shape: Shape::Pdr,
        ..PLAIN
    },
    Profile {
        name: "pdr-mixed",
        bools: 2,
        ints: 2,
        reals: 2,
        divisions: true,
        depth: 1,
        shape: Shape::Pdr,
        ..PLAIN
    },
    Profile {
        name: "bv",
        bools: 2,
        vectors: 2,
        widths: &[1, 3, 5, 8],
        products: true,
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "bv-wide",
        bools: 1,
        vectors: 2,
        widths: &[16, 64, 130],
        depth: 2,
        ..PLAIN
    },
    Profile {
        name: "bv-int",
        bools: 1,
        ints: 2,
        vectors: 1,
        widths: &[1, 4],
        depth: 1,
        ..PLAIN
    },
    Profile {
        name: "uf-bv",
        ints: 1,
        elements: 2,
        vectors: 2,
        widths: &[2, 4],
        depth: 1,
        ..PLAIN
    },
    Profile {
        name: "pdr-bv",
        bools: 2,
        vectors: 2,
        widths: &[2, 6],
        products: true,
        depth: 1,
        shape: Shape::Pdr,
        ..PLAIN
    },
];

/// The percentage of long scripts among those which are not like a search.
const LONG: usize = 8;

/// A random script, over what the profile declares in this store.
pub(crate) fn script(
    t: &Terms,
    profile: &Profile,
    universe: &Universe,
    random: &mut Random,
) -> Vec<Command> {
    let mut formulas = Formulas::new(t, profile, universe, random, "");
    match profile.shape {
        Shape::Walk => walk(t, profile, &mut formulas),
        Shape::Pdr => pdr::script(t, profile, &mut formulas),
        Shape::Clauses => clauses(t, &mut formulas),
    }
}

/// A random walk over the commands, which ends with a check.
fn walk(t: &Terms, profile: &Profile, formulas: &mut Formulas<'_, '_>) -> Vec<Command> {
    let mut commands = bounds(t, profile, &formulas.ints);
    let steps = if formulas.random.percent(LONG) {
        formulas.random.between(30, 60)
    } else {
        formulas.random.between(3, 14)
    };
    let mut depth = 0;
    for _ in 0..steps {
        let pop = if depth > 0 { 24 } else { 0 };
        commands.push(match formulas.random.weighted(&[46, 28, 14, pop]) {
            0 => Command::Assert(formulas.assertion()),
            1 => Command::Check(assumptions(formulas)),
            2 => {
                depth += 1;
                Command::Push
            }
            _ => {
                depth -= 1;
                Command::Pop
            }
        });
    }
    commands.push(Command::Check(assumptions(formulas)));
    commands
}

/// Four and a quarter clauses for each variable; in the second half checks in between.
fn clauses(t: &Terms, formulas: &mut Formulas<'_, '_>) -> Vec<Command> {
    let count = formulas.variables().len() * 17 / 4;
    let mut commands = Vec::new();
    for i in 0..count {
        let literals = [formulas.literal(), formulas.literal(), formulas.literal()];
        commands.push(Command::Assert(t.or(literals)));
        if 2 * i > count && formulas.random.percent(20) {
            commands.push(Command::Check(assumptions(formulas)));
        }
    }
    commands.push(Command::Check(Vec::new()));
    commands
}

/// None, or some: mostly literals, now and then any formulas, sometimes one of them twice or
/// negated.
fn assumptions(formulas: &mut Formulas<'_, '_>) -> Vec<Term> {
    if formulas.random.percent(40) {
        return Vec::new();
    }
    let count = formulas.random.between(1, 6);
    let mut all: Vec<Term> = Vec::new();
    for _ in 0..count {
        let formula = match formulas.random.weighted(&[80, 14, 3, 3]) {
            1 => formulas.formula(2),
            2 if !all.is_empty() => formulas.random.pick(&all),
            3 if !all.is_empty() => {
                let again = formulas.random.pick(&all);
                formulas.t.not(again)
            }
            _ => formulas.literal(),
        };
        all.push(formula);
    }
    all
}

/// The bounds of all integers, if the profile has any.
fn bounds(t: &Terms, profile: &Profile, ints: &[Term]) -> Vec<Command> {
    let Some(bound) = profile.bound else {
        return Vec::new();
    };
    let within = |&x: &Term| t.and([t.le(t.int(-bound), x), t.le(x, t.int(bound))]);
    vec![Command::Assert(t.and(ints.iter().map(within)))]
}
