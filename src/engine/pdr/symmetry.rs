//! Symmetries of a system: permutations of a predicate's parameters after which the same is
//! derivable. A lemma brings its images, which hold at the same level, without a query \[GS21\].
//! Systems of processes that do the same have symmetries.
//!
//! A permutation of the parameters of `p` is one of the system here, if after it the rules with the
//! head `p` are the same. The arguments of each premise of `p` are permuted in the same way, or
//! not at all; arguments of other premises stay.
//!
//! Invariant: the lemmas of each level are closed under the permutations, so what a level implies
//! of the next one it implies of all images.

use super::Pdr;
use super::frames::Blocked;
use crate::chc::PredId;
use crate::engine::rules::{Rule, RuleSystem};
use crate::logic::LinearLiteral;
use crate::term::{Symmetries, Term, Terms, Tie};
use crate::work;
use rustc_hash::FxHashSet;

/// The engine looks for symmetries after 20 ms. The value was not tuned.
const BEFORE_SYMMETRIES: u64 = work::milliseconds(20);
/// The search for them takes at most 20 ms for each predicate. The value was not tuned.
const SEARCH: u64 = work::milliseconds(20);
/// A lemma has at most this number of images; if one has more, symmetries are not used any more.
/// The value was not tuned.
const MOST_IMAGES: usize = 64;

/// Parameters that move, and where they move to.
type Permutation = Vec<(Term, Term)>;

/// What is known of the symmetries of a system.
#[derive(Debug)]
pub(super) enum Symmetry {
    /// Nothing yet; the ticks of the thread when the engine began.
    Unknown(u64),
    /// Permutations of each predicate's parameters, by its index.
    Found(Vec<Vec<Permutation>>),
    /// Symmetries are not used.
    Unused,
}

/// What a symmetry does to the arguments of premises of the head's predicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Premises {
    /// They are permuted as the head's parameters.
    Follow,
    /// They stay.
    Stay,
}

impl Pdr<'_, '_> {
    /// Adds the lemma of a blocked cube, and its images under symmetries: they are blocked, too.
    pub(super) fn add_blocked(&mut self, blocked: Blocked) {
        let t = self.context.terms;
        self.find_symmetries();
        if let Symmetry::Found(permutations) = &self.symmetry {
            match images(t, &permutations[blocked.pred.index()], &blocked.cube) {
                Some(images) => {
                    for cube in images {
                        self.frames.add(t, Blocked { cube, ..blocked });
                    }
                }
                // Without all images the level is not closed.
                None => self.symmetry = Symmetry::Unused,
            }
        }
        self.frames.add(t, blocked);
    }

    /// Looks for symmetries once the engine has worked for some time, and closes the levels under
    /// them.
    fn find_symmetries(&mut self) {
        let Symmetry::Unknown(start) = self.symmetry else {
            return;
        };
        if work::spent() - start < BEFORE_SYMMETRIES {
            return;
        }
        let t = self.context.terms;
        let preds = self.rules.pred_ids();
        let found: Vec<_> = preds
            .map(|pred| of_predicate(t, &self.rules, pred))
            .collect();
        let number: usize = found.iter().map(Vec::len).sum();
        self.symmetry = match number {
            0 => Symmetry::Unused,
            _ => Symmetry::Found(found),
        };
        log::debug!("pdr: {number} symmetries");
        if number == 0 {
            return;
        }
        for pred in self.rules.pred_ids() {
            for lemma in self.frames.lemmas(pred).to_vec() {
                let (level, cube) = (lemma.level, lemma.cube);
                self.add_blocked(Blocked { pred, level, cube });
            }
        }
    }
}

/// The cubes that permutations map a cube to, without itself. `None` if they are many.
fn images(t: &Terms, permutations: &[Permutation], cube: &[Term]) -> Option<Vec<Vec<Term>>> {
    let mut images = vec![cube.to_vec()];
    let mut seen = FxHashSet::from_iter([normal(t, cube.iter().copied())]);
    let mut next = 0;
    while next < images.len() {
        for permutation in permutations {
            let literals = images[next].iter();
            let moved = literals.map(|&literal| t.substitute(literal, permutation.iter().copied()));
            let image = normal(t, moved);
            if seen.insert(image.clone()) {
                images.push(image);
            }
        }
        if images.len() > MOST_IMAGES {
            return None;
        }
        next += 1;
    }
    images.remove(0);
    Some(images)
}

/// Literals in normal form and in ascending order.
fn normal(t: &Terms, cube: impl Iterator<Item = Term>) -> Vec<Term> {
    let linear = |literal| LinearLiteral::of_term(t, literal).map(|linear| linear.to_term(t));
    let mut cube: Vec<Term> = cube
        .map(|literal| linear(literal).unwrap_or(literal))
        .collect();
    cube.sort_unstable();
    cube
}

/// Permutations of a predicate's parameters that are symmetries.
fn of_predicate(t: &Terms, rules: &RuleSystem, pred: PredId) -> Vec<Permutation> {
    let end = work::spent().saturating_add(SEARCH);
    let left = || end.saturating_sub(work::spent());
    let params = &rules.params[pred.index()];
    let mut found: Vec<Permutation> = Vec::new();
    for premises in [Premises::Follow, Premises::Stay] {
        let Some(mut symmetries) = of_rules(t, rules, pred, premises) else {
            return Vec::new();
        };
        for list in symmetries.alike(params) {
            for &param in &list[1..] {
                if left() == 0 {
                    return found;
                }
                let Some(mut moving) = symmetries.moving(&[(list[0], param)], left()) else {
                    continue;
                };
                moving.retain(|(from, _)| params.contains(from));
                if !found.contains(&moving) {
                    found.push(moving);
                }
            }
        }
    }
    found
}

/// Symmetries of the rules with that head. None if a constraint has a quantifier.
fn of_rules<'t>(
    t: &'t Terms,
    rules: &RuleSystem,
    pred: PredId,
    premises: Premises,
) -> Option<Symmetries<'t>> {
    let params = &rules.params[pred.index()];
    let mut symmetries = Symmetries::new(t, &[])?;
    for &param in params {
        symmetries.add_tie(&Tie {
            number: 0,
            vars: vec![param],
        });
    }
    let heads = rules.by_head[pred.index()].iter();
    let heads: Vec<&Rule> = heads.map(|&rule| rules.rule(rule)).collect();
    // Premises have the number of their predicate, arguments that follow that of the premise in its
    // rule, arguments that stay one that nothing else has.
    let of_premise = 1 + rules.params.len();
    let longest = heads.iter().map(|rule| rule.body.len()).max();
    let mut next = of_premise + longest.unwrap_or(0);
    for rule in heads {
        let mut ties = Vec::new();
        for (nth, atom) in rule.body.iter().enumerate() {
            ties.push(Tie {
                number: 1 + atom.pred.index(),
                vars: Vec::new(),
            });
            let follows = atom.pred == pred && premises == Premises::Follow;
            for (place, &arg) in atom.args.iter().enumerate() {
                ties.push(match follows {
                    true => Tie {
                        number: of_premise + nth,
                        vars: vec![params[place], arg],
                    },
                    false => Tie {
                        number: next,
                        vars: vec![arg],
                    },
                });
                next += 1;
            }
        }
        symmetries.add_conjunction(&t.conjuncts(rule.constraint), &ties)?;
    }
    Some(symmetries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc::System;
    use crate::engine::pdr::{Options, Pdr};
    use crate::engine::{Context, Tools};
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::smtlib::{Source, read_system};

    /// The system of these clauses over `x`, `y`, `u` and `v`, with the predicates `p` of two
    /// integers and `q` of one.
    fn system(t: &Terms, clauses: &[&str]) -> System {
        let clause = |clause: &&str| {
            format!("(assert (forall ((x Int) (y Int) (u Int) (v Int)) {clause}))\n")
        };
        let clauses: String = clauses.iter().map(clause).collect();
        let declared = "(declare-fun p (Int Int) Bool)(declare-fun q (Int) Bool)";
        let text = format!("{declared}{clauses}");
        read_system(t, &Source::from_text("text", text)).expect("it is Horn")
    }

    /// The number of permutations of the parameters of `p`.
    fn permutations(clauses: &[&str]) -> usize {
        let t = Terms::new();
        let rules = RuleSystem::new(&t, &system(&t, clauses));
        of_predicate(&t, &rules, PredId(0)).len()
    }

    const START: &str = "(=> (and (= x 0) (= y 0)) (p x y))";
    const FIRST: &str = "(=> (and (p x y) (< x 5) (= u (+ x 1))) (p u y))";
    const SECOND: &str = "(=> (and (p x y) (< y 5) (= v (+ y 1))) (p x v))";

    #[test]
    fn rules_may_change_places() {
        assert_eq!(permutations(&[START, FIRST, SECOND]), 1);
        let other = SECOND.replace('5', "6");
        assert_eq!(permutations(&[START, FIRST, &other]), 0);
        assert_eq!(permutations(&[START, FIRST]), 0);
        let other = START.replace("(= y 0)", "(= y 1)");
        assert_eq!(permutations(&[&other, FIRST, SECOND]), 0);
        let mirrored = other.replace("(p x y)", "(p y x)");
        assert_eq!(permutations(&[&other, &mirrored, FIRST, SECOND]), 1);
    }

    #[test]
    fn arguments_may_stay() {
        let both = "(=> (and (p x y) (= u (+ x 1)) (= v (+ x 1))) (p u v))";
        assert_eq!(permutations(&[START, both]), 1);
        let one = "(=> (and (p x y) (= u (+ x 1)) (= v (+ x 2))) (p u v))";
        assert_eq!(permutations(&[START, one]), 0);
        let of_q = "(=> (and (q x) (<= x u) (<= x v)) (p u v))";
        let some = "(=> (< 0 x) (q x))";
        assert_eq!(permutations(&[START, some, of_q, FIRST, SECOND]), 1);
        let of_two = "(=> (and (q x) (q y) (<= x u) (<= y v)) (p u v))";
        assert_eq!(
            permutations(&[START, some, of_two]),
            0,
            "premises stay in order"
        );
    }

    #[test]
    fn rules_without_premises_are_other_rules() {
        let given = "(=> (and (= x 0) (= y 1)) (p x y))";
        let derived = "(=> (and (p u v) (= x 1) (= y 0)) (p x y))";
        assert_eq!(permutations(&[given, derived]), 0);
        let of_q = "(=> (and (q v) (= x 1) (= y 0)) (p x y))";
        assert_eq!(permutations(&[given, "(q x)", of_q]), 0);
    }

    #[test]
    fn lemmas_bring_their_images() {
        let t = Terms::new();
        let system = system(
            &t,
            &[
                START,
                FIRST,
                SECOND,
                "(=> (and (p x y) (< 10 (+ x y))) false)",
            ],
        );
        let backend = Backend::native(NativeOptions::for_engines());
        let context = Context::new(Tools::new(&t, &backend, Limit::none()));
        let options = Options::default();
        let mut pdr = Pdr::new(RuleSystem::new(&t, &system), &options, &context);
        let pred = PredId(0);
        let [x, y] = [0, 1].map(|place| pdr.rules.params[0][place]);
        let level = super::super::Level::new(0);
        let cube = |param| vec![t.le(t.int(6), param)];
        let add = |pdr: &mut Pdr<'_, '_>, cube| pdr.add_blocked(Blocked { pred, level, cube });
        let cubes = |pdr: &Pdr<'_, '_>| -> Vec<Vec<Term>> {
            let lemmas = pdr.frames.lemmas(pred).iter();
            lemmas.map(|lemma| lemma.cube.clone()).collect()
        };
        add(&mut pdr, cube(x));
        assert_eq!(cubes(&pdr), [cube(x)], "symmetries are not used");
        // What there was before symmetries were found has images, too.
        pdr.symmetry = Symmetry::Unknown(work::spent());
        work::spend(BEFORE_SYMMETRIES);
        let sum = vec![t.lt(t.int(12), t.add([x, y]))];
        add(&mut pdr, sum.clone());
        assert_eq!(cubes(&pdr), [cube(x), cube(y), sum]);
        assert!(pdr.frames_are_valid());
    }

    #[test]
    fn too_many_images() {
        let t = Terms::new();
        let vars: Vec<Term> = (0..8)
            .map(|i| t.var(&format!("v{i}"), crate::term::Sort::INT))
            .collect();
        let swap = |i: usize| vec![(vars[0], vars[i]), (vars[i], vars[0])];
        let swaps: Vec<Permutation> = (1..8).map(swap).collect();
        let first = |count: usize| -> Vec<Term> {
            (0..)
                .zip(&vars[..count])
                .map(|(i, &v)| t.lt(v, t.int(i)))
                .collect()
        };
        let number = |count| images(&t, &swaps, &first(count)).map(|images| images.len());
        assert_eq!(number(1), Some(8 - 1));
        assert_eq!(number(2), Some(8 * 7 - 1));
        assert_eq!(number(3), None);
        assert_eq!(images(&t, &[], &first(3)), Some(Vec::new()));
    }
}
