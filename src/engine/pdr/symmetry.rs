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
use crate::term::{Symmetries, TICKS_OF_NODE, Term, Terms, Tie};
use crate::work;
use rustc_hash::FxHashSet;

/// The engine looks for symmetries after 20 ms. The value was not tuned.
const BEFORE_SYMMETRIES: u64 = work::milliseconds(20);
/// The search for them takes 50 ms or little more, for all predicates. The value was not tuned.
const SEARCH: u64 = work::milliseconds(50);
/// A lemma has at most 64 images, itself among them. If one has more, symmetries are not used any
/// more. The value was not tuned.
const LARGEST_ORBIT: usize = 64;

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
        self.find_symmetries();
        self.add_together(vec![blocked]);
    }

    /// As [`Pdr::add_blocked`], for lemmas of which some may hold because others do: if one of them
    /// has too many images, no images are added.
    pub(super) fn add_together(&mut self, blocked: Vec<Blocked>) {
        let t = self.context.terms;
        let closed = match &self.symmetry {
            Symmetry::Found(permutations) => with_images(t, permutations, &blocked),
            Symmetry::Unknown(_) | Symmetry::Unused => None,
        };
        if closed.is_none() && self.uses_symmetries() {
            // Without all images the levels would not be closed.
            self.symmetry = Symmetry::Unused;
        }
        for blocked in closed.unwrap_or(blocked) {
            self.frames.add(t, blocked);
        }
    }

    /// Are the levels closed under symmetries?
    pub(super) fn uses_symmetries(&self) -> bool {
        matches!(self.symmetry, Symmetry::Found(_))
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
        let end = work::spent().saturating_add(SEARCH);
        let found: Vec<_> = preds
            .map(|pred| of_predicate(t, &self.rules, pred, end))
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
        let of_pred = |pred| {
            let lemmas = self.frames.lemmas(pred).iter();
            lemmas.map(move |lemma| Blocked {
                pred,
                level: lemma.level,
                cube: lemma.cube.clone(),
            })
        };
        let lemmas = self.rules.pred_ids().flat_map(of_pred).collect();
        self.add_together(lemmas);
    }
}

/// Blocked cubes with all their images. `None` if one has many.
fn with_images(
    t: &Terms,
    permutations: &[Vec<Permutation>],
    blocked: &[Blocked],
) -> Option<Vec<Blocked>> {
    let mut all = Vec::new();
    for one in blocked {
        let cubes = orbit(t, &permutations[one.pred.index()], &one.cube)?;
        all.extend(cubes.into_iter().map(|cube| Blocked {
            pred: one.pred,
            level: one.level,
            cube,
        }));
    }
    Some(all)
}

/// The other cubes that permutations map a cube to, in normal form, and at the end the cube as it
/// is. `None` if they are many.
fn orbit(t: &Terms, permutations: &[Permutation], cube: &[Term]) -> Option<Vec<Vec<Term>>> {
    let mut orbit = vec![cube.to_vec()];
    let mut seen = FxHashSet::from_iter([normal(t, cube.iter().copied())]);
    let mut next = 0;
    while next < orbit.len() {
        for permutation in permutations {
            let literals = orbit[next].iter();
            let moved = literals.map(|&literal| t.substitute(literal, permutation.iter().copied()));
            let image = normal(t, moved);
            if seen.insert(image.clone()) {
                orbit.push(image);
            }
        }
        if orbit.len() > LARGEST_ORBIT {
            return None;
        }
        next += 1;
    }
    orbit.rotate_left(1);
    Some(orbit)
}

/// Literals in normal form and in ascending order, none twice.
fn normal(t: &Terms, cube: impl Iterator<Item = Term>) -> Vec<Term> {
    let linear = |literal| LinearLiteral::of_term(t, literal).map(|linear| linear.to_term(t));
    let literals = cube.map(|literal| linear(literal).unwrap_or(literal));
    let mut cube: Vec<Term> = literals.filter(|&literal| literal != Term::TRUE).collect();
    cube.sort_unstable();
    cube.dedup();
    cube
}

/// Permutations of a predicate's parameters that are symmetries, as far as they are found before
/// the ticks of the thread reach `end`.
fn of_predicate(t: &Terms, rules: &RuleSystem, pred: PredId, end: u64) -> Vec<Permutation> {
    let left = || end.saturating_sub(work::spent());
    let params = &rules.params[pred.index()];
    let mut found: Vec<Permutation> = Vec::new();
    let most = left() / TICKS_OF_NODE;
    if has_more_nodes(t, rules, pred, most) {
        return found;
    }
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

/// Have the rules with that head more than that number of terms and arguments of premises?
fn has_more_nodes(t: &Terms, rules: &RuleSystem, pred: PredId, most: u64) -> bool {
    let heads = rules.by_head[pred.index()].iter();
    let heads = heads.map(|&rule| rules.rule(rule));
    let terms = t.post_order(heads.clone().map(|rule| rule.constraint));
    let atoms = heads.flat_map(|rule| &rule.body);
    let args = atoms.flat_map(|atom| &atom.args).copied();
    terms.chain(args).zip(0..=most).count() as u64 > most
}

/// Symmetries of the rules with that head. `None` if a constraint has a quantifier.
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
        of_predicate(&t, &rules, PredId(0), u64::MAX).len()
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
        let sum = vec![t.le(t.int(13), t.add([x, y]))];
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
        let number = |count| orbit(&t, &swaps, &first(count)).map(|orbit| orbit.len());
        assert_eq!(number(1), Some(8));
        assert_eq!(number(2), Some(8 * 7));
        assert_eq!(number(3), None);
        assert_eq!(orbit(&t, &[], &first(3)), Some(vec![first(3)]));
    }
}
