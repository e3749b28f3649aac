//! The linear literals of a projection, by the terms in them.

use crate::logic::literal::LinearLiteral;
use crate::term::{Term, TermMap, TermSet};
use crate::work;

/// Linear literals in an order, each at a place. Only [`LinearLiterals::fill`] moves one.
///
/// Elimination takes the literals of one variable after the other, so the others are not looked
/// through each time.
#[derive(Default)]
pub(super) struct LinearLiterals {
    /// By place; `None` where a literal was taken away.
    places: Vec<Option<LinearLiteral>>,
    /// By term of a sum: the places of literals that have it, in no order. Places of literals that
    /// have it no longer may be among them.
    places_of: TermMap<Vec<u32>>,
    /// The terms of literals that were added or taken since the last call of
    /// [`LinearLiterals::changed`].
    changed: TermSet,
}

impl LinearLiterals {
    /// Adds a literal behind all others.
    pub(super) fn push(&mut self, literal: LinearLiteral) {
        let place = u32::try_from(self.places.len()).expect("fewer than 2^32 literals");
        self.places.push(None);
        self.put(place, literal);
    }

    /// Adds a literal at a place that is free.
    pub(super) fn put(&mut self, place: u32, literal: LinearLiteral) {
        debug_assert!(self.places[place as usize].is_none());
        work::spend_on(literal.sum.terms.len());
        for &(x, _) in &literal.sum.terms {
            self.places_of.entry(x).or_default().push(place);
            self.changed.insert(x);
        }
        self.places[place as usize] = Some(literal);
    }

    /// The literals, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &LinearLiteral> {
        self.places.iter().flatten()
    }

    /// The literals whose sums have a term, in order.
    pub(super) fn with(&self, term: Term) -> impl Iterator<Item = &LinearLiteral> {
        let mut places: Vec<u32> = self.places_with(term).collect();
        places.sort_unstable();
        places.dedup();
        places
            .into_iter()
            .filter_map(|place| self.places[place as usize].as_ref())
    }

    /// Has the sum of a literal this term?
    pub(super) fn has(&self, term: Term) -> bool {
        self.places_with(term).next().is_some()
    }

    /// The places of literals whose sums have a term. A place may occur more than once.
    fn places_with(&self, term: Term) -> impl Iterator<Item = u32> {
        let places = self.places_of.get(&term).map_or(&[][..], Vec::as_slice);
        let has = move |place: &u32| {
            work::spend(1);
            let literal = self.places.get(*place as usize).and_then(Option::as_ref);
            literal.is_some_and(|l| l.sum.has(term))
        };
        places.iter().copied().filter(has)
    }

    /// Takes away the literals whose sums have one of these terms, with their places, in order.
    pub(super) fn take_with(
        &mut self,
        terms: impl IntoIterator<Item = Term>,
    ) -> Vec<(u32, LinearLiteral)> {
        let mut places: Vec<u32> = Vec::new();
        for term in terms {
            places.extend(self.places_with(term));
            self.places_of.remove(&term);
        }
        places.sort_unstable();
        places.dedup();
        let mut taken = Vec::with_capacity(places.len());
        for place in places {
            let literal = self.places[place as usize].take();
            let literal = literal.expect("it was seen at this place");
            self.changed
                .extend(literal.sum.terms.iter().map(|&(x, _)| x));
            taken.push((place, literal));
        }
        taken
    }

    /// Moves the last literal to a place that is free.
    pub(super) fn fill(&mut self, place: u32) {
        while self.places.last().is_some_and(Option::is_none) {
            self.places.pop();
        }
        if (place as usize) < self.places.len()
            && let Some(last) = self.places.pop().flatten()
        {
            self.put(place, last);
        }
    }

    /// The terms whose literals are others than at the last call.
    pub(super) fn changed(&mut self) -> TermSet {
        std::mem::take(&mut self.changed)
    }
}
