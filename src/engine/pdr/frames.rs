//! Lemmas and their levels: the over-approximations `F_n(p)`.
//!
//! `F_n(p)` is the conjunction of the lemmas of `p` with level `n` or more. It contains every state
//! that has a derivation of height `n + 1` or less, so `F_0` contains what initial clauses derive.
//!
//! Invariant (monotonicity): `F_n(p) ⇒ F_{n+1}(p)`, by construction.
//! Invariant (consecution): for each rule, `⋀ F_{n-1}(bodyᵢ) ∧ constraint ⇒ F_n(head)`, where
//! `F_{-1}` is `false`. The queries before each [`Frames::add`] establish it, of the lemma or of
//! one that a symmetry maps to it.

use super::level::Level;
use super::witness::PushWitness;
use crate::chc::PredId;
use crate::term::{Term, Terms};

/// A cube that no derivation up to a level reaches: its negation becomes a lemma.
#[derive(Clone, Debug)]
pub(crate) struct Blocked {
    /// The predicate.
    pub(crate) pred: PredId,
    /// No state of the cube has a derivation of height `level + 1` or less.
    pub(crate) level: Level,
    /// Literals over the predicate's parameters, in any order, none twice.
    pub(crate) cube: Vec<Term>,
}

/// A lemma of a predicate: no state of the cube is derivable up to the level.
#[derive(Clone, Debug)]
pub(crate) struct Lemma {
    /// Literals over the predicate's parameters, in ascending order.
    pub(crate) cube: Vec<Term>,
    /// The negation of the cube.
    pub(crate) formula: Term,
    /// The highest level at which the lemma is known to hold.
    pub(crate) level: Level,
    /// The last attempt to push the lemma, which failed.
    failed: Option<FailedPush>,
}

/// An attempt to push a lemma that failed.
#[derive(Clone, Debug)]
struct FailedPush {
    /// The version of the lemma's frame at which it is known to fail.
    version: u64,
    /// Why it fails, if the solver said it.
    witness: Option<PushWitness>,
}

/// All lemmas by predicate.
pub(crate) struct Frames {
    lemmas: Vec<Vec<Lemma>>,
    /// Every lemma of each predicate, by its index, and every rise of a level, oldest first: solver
    /// contexts assert these.
    log: Vec<Vec<(Level, Term)>>,
    /// How often `F_level` of any predicate changed, for each level.
    versions: Vec<u64>,
}

impl Frames {
    /// Frames without lemmas, for a number of predicates.
    pub(crate) fn new(preds: usize) -> Self {
        Frames {
            lemmas: vec![Vec::new(); preds],
            log: vec![Vec::new(); preds],
            versions: Vec::new(),
        }
    }

    /// The lemmas of a predicate, in no particular order.
    pub(crate) fn lemmas(&self, pred: PredId) -> &[Lemma] {
        &self.lemmas[pred.index()]
    }

    /// All lemmas of a predicate with their levels, oldest first. The log only grows.
    pub(crate) fn log(&self, pred: PredId) -> &[(Level, Term)] {
        &self.log[pred.index()]
    }

    /// Has exactly this level the lemma that negates the cube?
    pub(super) fn has(&self, pred: PredId, level: Level, cube: &[Term]) -> bool {
        let mut lemmas = self.lemmas(pred).iter();
        lemmas.any(|lemma| lemma.level == level && lemma.cube == cube)
    }

    /// Number of lemmas.
    pub(crate) fn len(&self) -> usize {
        self.lemmas.iter().map(Vec::len).sum()
    }

    /// `F_level(pred)`.
    pub(crate) fn formula(&self, t: &Terms, pred: PredId, level: Level) -> Term {
        let lemmas = self.lemmas(pred).iter().filter(|l| l.level >= level);
        t.and(lemmas.map(|l| l.formula))
    }

    /// Adds the lemma that negates a blocked cube, and removes the lemmas that follow from it. The
    /// caller has proved that the cube is blocked.
    pub(crate) fn add(&mut self, t: &Terms, blocked: Blocked) {
        let Blocked {
            pred,
            level,
            mut cube,
        } = blocked;
        cube.sort_unstable();
        let lemmas = &mut self.lemmas[pred.index()];
        // The highest level at which earlier lemmas imply this one.
        let implying = lemmas.iter().filter(|l| is_subset(&l.cube, &cube));
        let known = implying.map(|l| l.level).max();
        if known >= Some(level) {
            return;
        }
        lemmas.retain(|l| l.level > level || !is_subset(&cube, &l.cube));
        note_change(&mut self.versions, known, level);
        let formula = t.or(cube.iter().map(|&l| t.not(l)));
        self.log[pred.index()].push((level, formula));
        lemmas.push(Lemma {
            cube,
            formula,
            level,
            failed: None,
        });
        debug_assert!(
            self.newest_is_valid(pred),
            "no other lemma says the same or more"
        );
    }

    /// Is the last lemma of a predicate in the right form, at the end of the log, and neither
    /// implied by another one of its level or a higher one, nor implying one of its level or a
    /// lower one?
    fn newest_is_valid(&self, pred: PredId) -> bool {
        let Some((newest, others)) = self.lemmas(pred).split_last() else {
            return false;
        };
        let is_implied = |l: &Lemma| l.level >= newest.level && is_subset(&l.cube, &newest.cube);
        let is_idle = |l: &Lemma| l.level <= newest.level && is_subset(&newest.cube, &l.cube);
        newest.cube.is_sorted_by(|a, b| a < b)
            && self.log(pred).last() == Some(&(newest.level, newest.formula))
            && !others.iter().any(|l| is_implied(l) || is_idle(l))
    }

    /// Has any lemma a level above this one?
    pub(super) fn has_above(&self, level: Level) -> bool {
        self.lemmas.iter().flatten().any(|l| l.level > level)
    }

    /// The same lemmas as if they had just been learnt: none above `bound`, and those above
    /// `inductive` at `bound`.
    #[must_use]
    pub(super) fn capped(&self, inductive: Level, bound: Level) -> Frames {
        let mut capped = Frames::new(self.lemmas.len());
        for (pred, lemmas) in self.lemmas.iter().enumerate() {
            for lemma in lemmas {
                let level = match lemma.level > inductive {
                    true => bound,
                    false => lemma.level.min(bound),
                };
                capped.log[pred].push((level, lemma.formula));
                capped.lemmas[pred].push(Lemma {
                    level,
                    failed: None,
                    ..lemma.clone()
                });
            }
        }
        debug_assert!(!capped.has_above(bound), "no lemma is above the bound");
        capped
    }

    /// Forgets which lemmas could not be pushed: the rules have changed.
    pub(super) fn forget_failures(&mut self) {
        let lemmas = self.lemmas.iter_mut().flatten();
        lemmas.for_each(|lemma| lemma.failed = None);
    }

    /// The version of `F_level`: another number whenever it has changed for some predicate.
    fn version(&self, level: Level) -> u64 {
        let number = level.number().map(|n| n as usize);
        let version = number.and_then(|n| self.versions.get(n));
        version.copied().unwrap_or_default()
    }

    /// Remembers that the lemma with this cube cannot be pushed from `level` while `F_level` stays
    /// as it is, or as long as the witness stands.
    pub(super) fn mark_failed(
        &mut self,
        pred: PredId,
        cube: &[Term],
        level: Level,
        witness: Option<PushWitness>,
    ) {
        let version = self.version(level);
        let mut lemmas = self.lemmas[pred.index()].iter_mut();
        if let Some(lemma) = lemmas.find(|l| l.level == level && l.cube == cube) {
            lemma.failed = Some(FailedPush { version, witness });
        }
    }

    /// Is any lemma exactly at this level?
    pub(crate) fn is_level_empty(&self, level: Level) -> bool {
        self.lemmas.iter().flatten().all(|l| l.level != level)
    }

    /// The cubes of the lemmas of exactly this level that may be pushed to the next one: all but
    /// the lemmas that could not be pushed when `F_level` was the same as now, or for a reason that
    /// still stands.
    pub(super) fn cubes_to_push(
        &mut self,
        t: &Terms,
        pred: PredId,
        level: Level,
    ) -> Vec<Vec<Term>> {
        let version = self.version(level);
        let log = &self.log;
        let lemmas = self.lemmas[pred.index()].iter_mut();
        let at_level = lemmas.filter(|lemma| lemma.level == level);
        let hopeful = at_level.filter_map(|lemma| {
            let is_hopeless = lemma.failed.as_mut().is_some_and(|failed| {
                if failed.version != version
                    && let Some(witness) = &mut failed.witness
                    && witness.stands(t, level, |pred| &log[pred.index()])
                {
                    failed.version = version;
                }
                failed.version == version
            });
            (!is_hopeless).then(|| lemma.cube.clone())
        });
        hopeful.collect()
    }

    /// Raises all lemmas above `level` to `∞`. The caller has proved that they are inductive
    /// together.
    pub(crate) fn seal_above(&mut self, level: Level) {
        for (lemmas, log) in self.lemmas.iter_mut().zip(&mut self.log) {
            for lemma in lemmas.iter_mut().filter(|l| l.level > level) {
                if lemma.level != Level::INFINITY {
                    lemma.level = Level::INFINITY;
                    log.push((Level::INFINITY, lemma.formula));
                }
            }
        }
        debug_assert!(
            self.lemmas
                .iter()
                .flatten()
                .all(|l| l.level <= level || l.level == Level::INFINITY),
            "what is above the level is inductive"
        );
    }
}

/// Notes a change of the levels above `known` up to `level`.
fn note_change(versions: &mut Vec<u64>, known: Option<Level>, level: Level) {
    let from = known.map_or(Level::new(0), Level::next).number();
    // A lemma of level ∞ also changes levels without a version yet: they begin with the last one.
    let last = versions.last().copied().unwrap_or_default();
    let to = match level.number() {
        Some(number) => number as usize + 1,
        None => versions.len(),
    };
    if versions.len() < to {
        versions.resize(to, last);
    }
    let from = from.map_or(versions.len(), |n| n as usize).min(to);
    debug_assert!(
        to <= versions.len(),
        "each level up to that of the lemma has a version"
    );
    versions[from..to].iter_mut().for_each(|v| *v += 1);
}

/// Is every element of `small` in `large`, both being in ascending order?
fn is_subset(small: &[Term], large: &[Term]) -> bool {
    debug_assert!(
        small.is_sorted() && large.is_sorted(),
        "the literals of a cube ascend"
    );
    let mut rest = large.iter();
    small.iter().all(|x| rest.any(|y| x == y))
}

// What is pushed again is seen from outside only by the number of queries.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Sort, Value};

    #[test]
    fn a_lemma_is_tried_again_when_its_witness_is_excluded() {
        let t = Terms::new();
        let (pred, x) = (PredId(0), t.var("x", Sort::INT));
        let cube = |n: i64| vec![t.eq(x, t.int(n))];
        let blocked = |n: i64, level: u32| Blocked {
            pred,
            level: Level::new(level),
            cube: cube(n),
        };
        let mut frames = Frames::new(1);
        frames.add(&t, blocked(9, 0));
        let state = (
            pred,
            vec![(x, Value::Number(0.into()))],
            frames.log(pred).len(),
        );
        let witness = PushWitness::new([state]);
        frames.mark_failed(pred, &cube(9), Level::new(0), Some(witness));
        assert!(frames.cubes_to_push(&t, pred, Level::new(0)).is_empty());
        // The state of the witness satisfies the new lemma.
        frames.add(&t, blocked(5, 2));
        assert!(frames.cubes_to_push(&t, pred, Level::new(0)).is_empty());
        // The new lemma excludes it. A look at another level hides nothing.
        frames.add(&t, blocked(0, 1));
        frames.cubes_to_push(&t, pred, Level::new(2));
        assert_eq!(frames.cubes_to_push(&t, pred, Level::new(0)), [cube(9)]);
    }
}
