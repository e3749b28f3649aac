//! Random contradictions in linear arithmetic and Booleans, in parts: each has interpolants,
//! whatever the parts share.

use fastrand::Rng;
use horn::logic::interpolate::{Interpolation, check};
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, InterpolationOptions, Limit, NoInterpolants, PartTree, Strength};
use horn::term::{Sort, Term, Terms};

/// What formulas are made of.
#[derive(Clone, Copy, Debug)]
struct Profile {
    ints: usize,
    reals: usize,
    bools: usize,
    /// Coefficients and constants have at most this absolute value.
    radius: i64,
    /// Part of the arithmetic literals that are equations, in percent.
    equations: u32,
}

const PROFILES: [Profile; 5] = [
    // Integers: unbounded equations, whose contradictions need cuts.
    Profile {
        ints: 4,
        reals: 0,
        bools: 0,
        radius: 5,
        equations: 60,
    },
    // Integers with cases.
    Profile {
        ints: 4,
        reals: 0,
        bools: 2,
        radius: 3,
        equations: 40,
    },
    // Rationals with cases.
    Profile {
        ints: 0,
        reals: 4,
        bools: 2,
        radius: 4,
        equations: 30,
    },
    // Everything.
    Profile {
        ints: 3,
        reals: 2,
        bools: 2,
        radius: 3,
        equations: 40,
    },
    // Bounds far from each other.
    Profile {
        ints: 3,
        reals: 0,
        bools: 1,
        radius: 30,
        equations: 50,
    },
];

/// Makes the formulas of one problem.
struct Maker<'t> {
    t: &'t Terms,
    random: Rng,
    profile: Profile,
    /// By part: the variables that it may have.
    visible: Vec<Vec<Term>>,
}

impl<'t> Maker<'t> {
    fn new(t: &'t Terms, seed: u64, profile: Profile, parts: usize) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut visible = vec![Vec::new(); parts];
        let sorts = [
            (profile.ints, Sort::INT, "x"),
            (profile.reals, Sort::REAL, "r"),
            (profile.bools, Sort::BOOL, "p"),
        ];
        for (count, sort, name) in sorts {
            for number in 0..count {
                let var = t.var(&format!("{name}{number}"), sort);
                // Most variables are in a part or two.
                for _ in 0..random.usize(1..=2) {
                    let part = &mut visible[random.usize(0..parts)];
                    if !part.contains(&var) {
                        part.push(var);
                    }
                }
            }
        }
        Maker {
            t,
            random,
            profile,
            visible,
        }
    }

    fn parts(&mut self) -> Vec<Vec<Term>> {
        (0..self.visible.len())
            .map(|part| {
                let count = self.random.usize(1..=3);
                (0..count).map(|_| self.formula(part, 2)).collect()
            })
            .collect()
    }

    fn formula(&mut self, part: usize, depth: u32) -> Term {
        let t = self.t;
        if depth == 0 || self.random.u32(0..100) < 55 {
            return self.literal(part);
        }
        let args = [self.formula(part, depth - 1), self.formula(part, depth - 1)];
        match self.random.u32(0..3) {
            0 => t.and(args),
            1 => t.or(args),
            _ => t.eq(args[0], args[1]),
        }
    }

    fn literal(&mut self, part: usize) -> Term {
        let t = self.t;
        let vars = self.visible[part].clone();
        let (bools, numbers): (Vec<Term>, Vec<Term>) =
            vars.iter().partition(|&&v| t.sort_of(v) == Sort::BOOL);
        if !bools.is_empty() && (numbers.is_empty() || self.random.u32(0..4) == 0) {
            let var = bools[self.random.usize(0..bools.len())];
            return if self.random.bool() { var } else { t.not(var) };
        }
        let is_real = numbers.iter().any(|&v| t.sort_of(v) == Sort::REAL);
        let sort = if is_real { Sort::REAL } else { Sort::INT };
        let constant = self.number();
        let mut sum = vec![t.number(constant.into(), sort)];
        for &var in &numbers {
            let var = match t.sort_of(var) == sort {
                true => var,
                false => t.to_real(var),
            };
            let factor = self.number();
            sum.push(t.scale(factor.into(), var));
        }
        let (sum, zero) = (t.add(sum), t.number(0.into(), sort));
        match self.random.u32(0..100) {
            n if n < self.profile.equations => t.eq(sum, zero),
            n if n % 3 == 0 => t.lt(sum, zero),
            n if n % 7 == 0 => t.not(t.eq(sum, zero)),
            _ => t.le(sum, zero),
        }
    }

    fn number(&mut self) -> i64 {
        let radius = self.profile.radius;
        self.random.i64(-radius..=radius)
    }
}

/// A tree with this number of nodes, at random.
fn tree(random: &mut Rng, nodes: usize) -> PartTree {
    let parents = (0..nodes - 1).map(|node| random.usize(node + 1..nodes));
    PartTree::new(parents.collect()).expect("parents come later")
}

fn texts(t: &Terms, formulas: &[Term]) -> String {
    let texts: Vec<String> = formulas.iter().map(|&f| t.display(f).to_string()).collect();
    texts.join(" ")
}

/// A tree and options at random.
pub(super) fn problem(random: &mut Rng) -> (PartTree, InterpolationOptions) {
    let nodes = random.usize(2..=4);
    let tree = match random.bool() {
        true => PartTree::path(nodes),
        false => tree(random, nodes),
    };
    let options = InterpolationOptions {
        strength: match random.bool() {
            true => Strength::Strong,
            false => Strength::Weak,
        },
        decompose: random.bool(),
        ..InterpolationOptions::default()
    };
    (tree, options)
}

/// Solves a problem whose tree and options are random; was it contradictory?
fn has_interpolants(seed: u64, profile: Profile) -> bool {
    let mut random = Rng::with_seed(seed);
    let (tree, options) = problem(&mut random);
    is_solved(random, profile, &tree, options)
}

/// Solves a random problem; was it contradictory?
fn is_solved(
    mut random: Rng,
    profile: Profile,
    tree: &PartTree,
    options: InterpolationOptions,
) -> bool {
    let t = Terms::new();
    let seed = random.u64(..);
    let parts = Maker::new(&t, seed, profile, tree.nodes()).parts();
    let about = format!("seed {seed}, {profile:?}");
    has_right_interpolants(&t, &about, &parts, tree, options)
}

/// Solves a problem, each of whose contradictions has interpolants; was it contradictory?
pub(super) fn has_right_interpolants(
    t: &Terms,
    about: &str,
    parts: &[Vec<Term>],
    tree: &PartTree,
    options: InterpolationOptions,
) -> bool {
    let backend = Backend::native(NativeOptions::default());
    let interpolation = Interpolation {
        terms: t,
        backend: &backend,
        limit: Limit::none(),
        name: "test",
        options,
    };
    let what = || {
        let parts: Vec<String> = parts.iter().map(|part| texts(t, part)).collect();
        format!("{about}, {tree:?}, {options:?}: {}", parts.join(" | "))
    };
    match interpolation.tree_interpolants(tree, parts) {
        Err(NoInterpolants::Satisfiable) => false,
        Err(why) => panic!("{why}: {}", what()),
        Ok(found) => {
            let proving = backend.proving();
            let right = check(t, &proving, &Limit::none(), tree, parts, &found);
            assert_eq!(right, Ok(true), "{}: {}", what(), texts(t, &found));
            true
        }
    }
}

/// Thousands of contradictions, each with interpolants that a solver with checked proofs finds
/// right.
#[test]
fn every_contradiction_has_interpolants() {
    let mut contradictions = 0;
    for seed in 0..1000 {
        for profile in PROFILES {
            contradictions += u32::from(has_interpolants(seed, profile));
        }
    }
    assert!(contradictions > 3000, "{contradictions}");
}

/// The weak interpolants of one proof do not fit together in a tree with branches; the ones that
/// the core answers do.
#[test]
fn weak_interpolants_fit_together_in_branches() {
    let mut contradictions = 0;
    for seed in 0..300 {
        for profile in PROFILES {
            let mut random = Rng::with_seed(seed);
            let nodes = random.usize(3..=6);
            let tree = std::iter::repeat_with(|| tree(&mut random, nodes));
            let tree = { tree }.find(|tree| !tree.is_path()).expect("a tree");
            let options = InterpolationOptions {
                strength: Strength::Weak,
                decompose: random.bool(),
                ..InterpolationOptions::default()
            };
            contradictions += u32::from(is_solved(random, profile, &tree, options));
        }
    }
    assert!(contradictions > 1000, "{contradictions}");
}
