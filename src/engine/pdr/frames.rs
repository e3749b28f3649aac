//! Lemmas and their levels: the over-approximations `F_n(p)`.
//!
//! `F_n(p)` is the conjunction of the lemmas of `p` with level `n` or more; it contains everything derivable by derivations of
//! height `n + 1` or less, so that `F_0` is about facts.
//!
//! Invariant: `F_n(p) ⊆ F_{n+1}(p)`, by construction.
//! Invariant: for each rule, `⋀ F_{n-1}(bodyᵢ) ∧ constraint ⇒ F_n(head)`, with `F_{-1}` empty; established by the queries
//! that precede [`Frames::add`].

use crate::chc::PredId;
use crate::term::{Term, Terms};

/// A level, or `∞` for what is inductive.
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

/// A lemma of a predicate: no state of the cube is derivable up to the level.
#[derive(Clone, Debug)]
pub(crate) struct Lemma {
    /// Literals over the predicate's parameters, in ascending order.
    pub(crate) cube: Vec<Term>,
    /// The negation of the cube.
    pub(crate) formula: Term,
    /// Up to where it holds.
    pub(crate) level: Level,
    /// When `F_level` had this version, the lemma did not hold one level higher.
    failed: Option<u64>,
}

/// All lemmas by predicate.
pub(crate) struct Frames {
    lemmas: Vec<Vec<Lemma>>,
    /// By predicate, every lemma and rise of a level in order of time: what solver contexts have to be told.
    log: Vec<Vec<(Level, Term)>>,
    /// By level, how often `F_level` of any predicate changed.
    versions: Vec<u64>,
}

impl Frames {
    /// No lemmas for that many predicates.
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

    /// What was learned of a predicate, in order of time; it only grows.
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

    /// Adds the lemma that the cube (any order, no literal twice) is not derivable up to `level`; lemmas that follow from it
    /// are removed. The caller has proved it.
    pub(crate) fn add(&mut self, t: &Terms, pred: PredId, mut cube: Vec<Term>, level: Level) {
        cube.sort_unstable();
        let lemmas = &mut self.lemmas[pred.index()];
        // Up to which level lemmas known before imply this one.
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

    /// The version of `F_level`: another number whenever it has changed for some predicate.
    fn version(&self, level: Level) -> u64 {
        let number = level.number().map(|n| n as usize);
        let version = number.and_then(|n| self.versions.get(n));
        version.copied().unwrap_or_default()
    }

    /// Remembers that the lemma with this cube at `level` does not hold one level higher, as things are.
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

    /// The cubes of the lemmas of exactly this level that may hold one level higher: not those that failed there when the level
    /// was the same as now.
    pub(crate) fn cubes_to_push(&self, pred: PredId, level: Level) -> Vec<Vec<Term>> {
        let version = self.version(level);
        let lemmas = self.lemmas(pred).iter();
        let hopeful = lemmas.filter(|l| l.level == level && l.failed != Some(version));
        hopeful.map(|l| l.cube.clone()).collect()
    }

    /// Lemmas above `level` are inductive together: they hold at all levels.
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
    // A lemma for all levels changes the levels that will be made, too: they begin with the version of the highest.
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
