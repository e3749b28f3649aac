//! Partitions \[Jea03\]: an element of another domain for each part of the states. A few conditions
//! of the clauses divide the states, so that the element of a flag that is set is not joined with
//! that of a flag that is not.
//!
//! DIVERGENCE: \[Jea03\] refines partitions while the analysis runs; here the conditions are chosen
//! before.

use super::domain::Domain;
use super::image::Image;
use super::space::{Point, Space};
use crate::term::{Term, Terms};

/// An element for each combination of truth values of the space's conditions.
#[derive(Clone, Debug)]
pub struct Partition<D> {
    /// By the number whose bits are the truth values of the conditions.
    parts: Vec<D>,
}

impl<D: Domain> Partition<D> {
    fn all(space: &Space, element: D) -> Self {
        let parts = 1 << space.conditions().len();
        Partition {
            parts: vec![element; parts],
        }
    }

    /// With an element where the point is: everywhere, if that is not known.
    fn at(space: &Space, point: &Point, element: D) -> Self {
        let conditions = space.conditions().iter().enumerate();
        let bits = conditions.map(|(i, condition)| Some(usize::from(condition.holds(point)?) << i));
        match bits.sum::<Option<usize>>() {
            None => Self::all(space, element),
            Some(part) => {
                let mut only = Self::bottom(space);
                only.parts[part] = element;
                only
            }
        }
    }
}

impl<D: Domain> Domain for Partition<D> {
    const BY_PATHS: bool = D::BY_PATHS;
    /// The parts grow one after the other, and share one count. The factor was not tuned.
    const DELAY: u32 = 2 * D::DELAY;

    fn bottom(space: &Space) -> Self {
        Self::all(space, D::bottom(space))
    }

    fn top(space: &Space) -> Self {
        Self::all(space, D::top(space))
    }

    fn is_bottom(&self) -> bool {
        self.parts.iter().all(D::is_bottom)
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        Self::at(space, point, D::of_point(space, point))
    }

    fn of_image(space: &Space, point: &Point, image: &Image) -> Self {
        Self::at(space, point, D::of_image(space, point, image))
    }

    fn le(&self, other: &Self, space: &Space) -> bool {
        let mut pairs = self.parts.iter().zip(&other.parts);
        pairs.all(|(a, b)| a.is_bottom() || a.le(b, space))
    }

    fn join(&mut self, other: &Self, space: &Space) {
        for (a, b) in self.parts.iter_mut().zip(&other.parts) {
            a.join(b, space);
        }
    }

    fn widen(&mut self, other: &Self, space: &Space) {
        for (a, b) in self.parts.iter_mut().zip(&other.parts) {
            a.widen(b, space);
        }
    }

    /// Conditions may be about the parameter, so the parts become one.
    fn forget(&mut self, space: &Space, position: usize) {
        let mut one = D::bottom(space);
        self.parts.iter().for_each(|part| one.join(part, space));
        one.forget(space, position);
        *self = Self::all(space, one);
    }

    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term> {
        let literal = |(number, part): (usize, &D)| {
            let conditions = space.conditions().iter().enumerate();
            let guard = t.and(conditions.map(|(i, condition)| match number >> i & 1 {
                1 => condition.term,
                _ => t.not(condition.term),
            }));
            t.implies(guard, part.to_term(t, space))
        };
        let literals = self.parts.iter().enumerate().map(literal);
        literals.flat_map(|l| t.conjuncts(l)).collect()
    }
}
