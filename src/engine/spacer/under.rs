//! Under-approximations: what bounds them, and how the bounds rise.

use super::counters::Counted;
use crate::chc::PredId;
use crate::engine::pdr::{Level, ProofLemma};
use crate::engine::rules::RuleSystem;
use crate::term::{Term, Terms};

/// What under-approximations bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bounding {
    /// The height of derivations, as the levels of property-directed reachability do.
    #[default]
    Heights,
    /// The number of iterations of each loop, by counters: the paper's τ_B.
    Counters,
}

/// Which bounds rise when an under-approximation is safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Raise {
    /// All, by one.
    #[default]
    All,
    /// Those of loops with lemmas that are not inductive, by one; all if there are none.
    Failing,
}

/// The bounds of the present under-approximation.
pub(super) struct Under<'a> {
    counted: Option<&'a Counted>,
    /// By loop where loops are counted; else the one on the height.
    bounds: Vec<u32>,
}

/// What an under-approximation allows, for ABSTRACT.
pub(super) enum Limits {
    /// Derivations of this height and one more.
    Height(u32),
    /// What must be true beside the constraint of each rule, by its index.
    Rules(Vec<Term>),
}

impl<'a> Under<'a> {
    /// All bounds are 0.
    pub(super) fn new(counted: Option<&'a Counted>) -> Self {
        Under {
            counted,
            bounds: vec![0; counted.map_or(1, Counted::len)],
        }
    }

    /// The system with counters, where loops are counted.
    pub(super) fn counted(&self) -> Option<&'a Counted> {
        self.counted
    }

    /// The greatest bound: `B` of Table 1.
    pub(super) fn bound(&self) -> u32 {
        self.bounds.iter().copied().max().unwrap_or(0)
    }

    /// The height up to which an under-approximation has all derivations: one of this height has
    /// fewer iterations.
    pub(super) fn safe_depth(&self) -> u32 {
        1 + self.bounds.iter().copied().min().unwrap_or(0)
    }

    /// The bound on the height for SOLVE.
    pub(super) fn height(&self) -> u32 {
        match self.counted {
            Some(_) => u32::MAX - 2,
            None => self.bounds[0],
        }
    }

    /// Is the height of derivations bounded?
    pub(super) fn is_unrolled(&self) -> bool {
        self.counted.is_none()
    }

    /// Keeps the lemmas that make up the proof. Where loops are counted, these are the lemmas that
    /// hold at all levels.
    pub(super) fn keep_proof(&self, lemmas: &mut Vec<ProofLemma>) {
        if !self.is_unrolled() {
            lemmas.retain(|lemma| lemma.level == Level::INFINITY);
        }
    }

    /// The bounds on the counters of loops for each rule, by its index; `None` where loops are not
    /// counted.
    pub(super) fn restrictions(&self, t: &Terms, rules: &RuleSystem) -> Option<Vec<Term>> {
        let counted = self.counted?;
        Some(counted.restrictions(t, rules, &self.bounds))
    }

    /// What is allowed.
    pub(super) fn limits(&self, t: &Terms, rules: &RuleSystem) -> Limits {
        match self.restrictions(t, rules) {
            Some(restrictions) => Limits::Rules(restrictions),
            None => Limits::Height(self.bounds[0]),
        }
    }

    /// Raises bounds, given the predicates with lemmas that are not inductive.
    pub(super) fn raise(&mut self, raise: Raise, failing: &[PredId]) {
        let is_failing = |number: usize| {
            let counted = self.counted.filter(|_| raise == Raise::Failing);
            counted.is_some_and(|c| failing.iter().any(|&p| c.is_inside(number, p)))
        };
        let some: Vec<usize> = (0..self.bounds.len()).filter(|&l| is_failing(l)).collect();
        let all = some.is_empty();
        for (number, bound) in self.bounds.iter_mut().enumerate() {
            *bound += u32::from(all || some.contains(&number));
        }
    }
}
