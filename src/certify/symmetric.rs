//! Conclusions of a clause that follow because others do: a symmetry of the premises maps those to
//! them.

use crate::term::{Symmetries, TICKS_OF_NODE, Term, Terms};
use crate::work;

/// Symmetries are looked for after conclusions of a clause took 20 ms. The value was not tuned.
const BEFORE_SYMMETRIES: u64 = work::milliseconds(20);
/// The search takes at most this part of the ticks that were needed for the conclusions that were
/// proved. The value was not tuned.
const SHARE: u64 = 16;

/// What was proved of a clause.
pub(super) struct Symmetric<'a> {
    t: &'a Terms,
    premises: &'a [Term],
    /// Conclusions that were proved, of which no two are known to be symmetric.
    proved: Vec<Term>,
    /// The ticks that they took.
    cost: u64,
    /// The ticks of the search for symmetries.
    searched: u64,
    /// The symmetries of the premises, and the signatures of what was proved.
    known: Option<(Symmetries<'a>, Vec<Option<u64>>)>,
    /// Is it not known yet that a premise has quantifiers?
    has_symmetries: bool,
}

impl<'a> Symmetric<'a> {
    /// Nothing was proved from these premises.
    pub(super) fn new(t: &'a Terms, premises: &'a [Term]) -> Self {
        Symmetric {
            t,
            premises,
            proved: Vec::new(),
            cost: 0,
            searched: 0,
            known: None,
            has_symmetries: true,
        }
    }

    /// A conclusion follows from the premises, and to know took that many ticks.
    pub(super) fn add(&mut self, conclusion: Term, ticks: u64) {
        self.proved.push(conclusion);
        self.cost += ticks;
    }

    /// Does a symmetry of the premises map something that was proved to this conclusion?
    pub(super) fn has(&mut self, conclusion: Term) -> bool {
        if self.cost < BEFORE_SYMMETRIES || self.searched > self.cost / SHARE {
            return false;
        }
        let before = work::spent();
        let found = self.is_image(conclusion).unwrap_or(false);
        self.searched += work::spent() - before;
        found
    }

    /// `None` if symmetries are not known: a formula has quantifiers, or it would take too long.
    fn is_image(&mut self, conclusion: Term) -> Option<bool> {
        if self.known.is_none() && self.has_symmetries {
            let nodes = self.t.post_order(self.premises.iter().copied());
            let most = self.cost / SHARE / TICKS_OF_NODE;
            if nodes.zip(0..=most).count() as u64 > most {
                return None;
            }
            let symmetries = Symmetries::new(self.t, self.premises);
            self.has_symmetries = symmetries.is_some();
            self.known = symmetries.map(|found| (found, Vec::new()));
        }
        let (symmetries, signatures) = self.known.as_mut()?;
        let signature = symmetries.signature(conclusion)?;
        for &formula in &self.proved[signatures.len()..] {
            signatures.push(symmetries.signature(formula));
        }
        let left = (self.cost / SHARE).saturating_sub(self.searched);
        let end = work::spent().saturating_add(left);
        let like = self.proved.iter().zip(&*signatures);
        let mut like = like.filter(|(_, known)| **known == Some(signature));
        Some(like.any(|(&formula, _)| {
            let left = end.saturating_sub(work::spent());
            left > 0 && symmetries.maps(formula, conclusion, left)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn images_of_what_was_proved() {
        let t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
        let below = |v, n| t.lt(v, t.int(n));
        let premises = [below(x, 3), below(y, 3), below(z, 2)];
        let mut symmetric = Symmetric::new(&t, &premises);
        symmetric.add(below(x, 5), BEFORE_SYMMETRIES - 1);
        assert!(!symmetric.has(below(y, 5)), "they are not looked for yet");
        symmetric.add(below(z, 4), 1);
        assert!(symmetric.has(below(y, 5)));
        for other in [below(z, 5), below(y, 4), below(y, 6), below(x, 4)] {
            assert!(!symmetric.has(other), "{}", t.display(other));
        }
        assert!(!symmetric.has(t.forall(&[y], below(y, 5))));
        // The search takes no more than a part of what proofs took.
        symmetric.searched = symmetric.cost / SHARE + 1;
        assert!(!symmetric.has(below(y, 5)));
    }

    #[test]
    fn premises_with_quantifiers_have_no_symmetries() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let premises = [t.forall(&[x], t.le(x, y))];
        let mut symmetric = Symmetric::new(&t, &premises);
        symmetric.add(t.le(x, y), BEFORE_SYMMETRIES);
        assert!(!symmetric.has(t.le(y, x)));
        assert!(symmetric.known.is_none() && !symmetric.has_symmetries);
    }
}
