//! Lemmas and their levels: the over-approximations `F_n(p)`.
//!
//! `F_n(p)` is the conjunction of the lemmas of `p` with level `n` or more. It contains every state
//! that has a derivation of height `n + 1` or less, so `F_0` contains what initial clauses derive.
//!
//! Invariant (monotonicity): `F_n(p) ⇒ F_{n+1}(p)`, by construction.
//! Invariant (consecution): for each rule, `⋀ F_{n-1}(bodyᵢ) ∧ constraint ⇒ F_n(head)`, where
//! `F_{-1}` is `false`. The queries before each [`Frames::add`] establish it.

use crate::chc::PredId;
use crate::term::{Term, Terms};

/// A level of the frames; `∞` is the level of inductive lemmas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Level(u32);

impl Level {
    /// The level of lemmas that hold for all derivations.
    pub(crate) const INFINITY: Level = Level(u32::MAX);

    /// A finite level.
    pub(crate) fn new(level: u32) -> Self {
        Level(level)
    }

    /// The number of a finite level.
    pub(crate) fn number(self) -> Option<u32> {
        (self != Level::INFINITY).then_some(self.0)
    }

    /// The level before; `None` before level 0. `∞` stays.
    pub(crate) fn before(self) -> Option<Level> {
        match self {
            Level::INFINITY => Some(self),
            Level(n) => n.checked_sub(1).map(Level),
        }
    }

    /// The next level; `∞` stays.
    pub(crate) fn next(self) -> Level {
        Level(self.0.saturating_add(1))
    }
}

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
    /// The version of `F_level` at which the last attempt to push the lemma failed.
    failed: Option<u64>,
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
    /// as it is.
    pub(crate) fn mark_failed(&mut self, pred: PredId, cube: &[Term], level: Level) {
        let version = self.version(level);
        let mut lemmas = self.lemmas[pred.index()].iter_mut();
        if let Some(lemma) = lemmas.find(|l| l.level == level && l.cube == cube) {
            lemma.failed = Some(version);
        }
    }

    /// Is any lemma exactly at this level?
    pub(crate) fn is_level_empty(&self, level: Level) -> bool {
        self.lemmas.iter().flatten().all(|l| l.level != level)
    }

    /// The cubes of the lemmas of exactly this level that may be pushed to the next one: all but
    /// the lemmas that could not be pushed when `F_level` was the same as now.
    pub(crate) fn cubes_to_push(&self, pred: PredId, level: Level) -> Vec<Vec<Term>> {
        let version = self.version(level);
        let lemmas = self.lemmas(pred).iter();
        let hopeful = lemmas.filter(|l| l.level == level && l.failed != Some(version));
        hopeful.map(|l| l.cube.clone()).collect()
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
    versions[from..to].iter_mut().for_each(|v| *v += 1);
}

/// Is every element of `small` in `large`, both being in ascending order?
fn is_subset(small: &[Term], large: &[Term]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|x| rest.any(|y| x == y))
}
