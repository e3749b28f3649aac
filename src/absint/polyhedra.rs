//! Convex polyhedra \[CH78\] as a domain, with the standard widening of \[Hal79\].
//!
//! Elements are kept in double description, see `polyhedron`: points and images of paths come with
//! their vertices, hulls need no elimination, and inclusion is a matter of scalar products. The
//! price are boxes, which have many vertices: coordinates without relations to others are forgotten
//! where a hull becomes too large. A product with intervals or octagons keeps what is said of them.
//!
//! Truth values are not related to numbers. Reals have closed polyhedra only.

use super::domain::Domain;
use super::equalities::sort_of;
use super::image::{Image, row};
use super::polyhedron::{Polyhedron, Row};
use super::space::{Point, Space};
use crate::number::Rational;
use crate::term::{LinearSum, Term, Terms};

/// From the ninth widening on an element keeps what it has, and gets nothing in exchange. The value
/// was not tuned.
const MOST_WIDENINGS: u32 = 8;

/// A convex polyhedron over the space's related columns.
#[derive(Clone, Debug)]
pub struct Polyhedra {
    /// `None` is the element without states.
    states: Option<Polyhedron>,
    /// How often the element changed by widening.
    widenings: u32,
}

impl Polyhedra {
    fn new(states: Option<Polyhedron>) -> Self {
        Polyhedra {
            states,
            widenings: 0,
        }
    }

    /// The rows as sums over columns that are at least 0, or 0 where the flag is set.
    fn sums(&self, space: &Space) -> Vec<(LinearSum, bool)> {
        let columns = space.related();
        let sum = |row: &Row| {
            let terms = columns.iter().copied().zip(row[1..].iter().cloned());
            let mut terms: Vec<(Term, Rational)> = terms.filter(|(_, c)| !c.is_zero()).collect();
            terms.sort_unstable_by_key(|(x, _)| *x);
            LinearSum {
                terms,
                constant: row[0].clone(),
            }
        };
        let constraints = self.states.iter().flat_map(Polyhedron::constraints);
        constraints
            .map(|(row, is_equation)| (sum(row), is_equation))
            .collect()
    }
}

impl Domain for Polyhedra {
    const BY_PATHS: bool = true;
    /// The value was not tuned.
    const DELAY: u32 = 2;

    fn bottom(_: &Space) -> Self {
        Polyhedra::new(None)
    }

    fn top(space: &Space) -> Self {
        Polyhedra::new(Some(Polyhedron::whole(space.related().len())))
    }

    fn is_bottom(&self) -> bool {
        self.states.is_none()
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        let coordinates = space
            .related()
            .iter()
            .map(|&x| point.coordinate(x).cloned());
        Polyhedra::new(Some(Polyhedron::of_point(&coordinates.collect::<Vec<_>>())))
    }

    fn of_image(_: &Space, _: &Point, image: &Image) -> Self {
        Polyhedra::new(Some(image.polyhedron().clone()))
    }

    fn le(&self, other: &Self, _: &Space) -> bool {
        match (&self.states, &other.states) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(these), Some(those)) => these.is_inside(those),
        }
    }

    /// Rounding the constraints of a hull to integers would cut off vertices of both, which is
    /// sound but no upper bound in the order.
    fn join(&mut self, other: &Self, _: &Space) {
        match (&mut self.states, &other.states) {
            (_, None) => {}
            (states @ None, those) => states.clone_from(those),
            (Some(these), Some(those)) => {
                if !those.is_inside(these) {
                    these.join(those);
                }
            }
        }
    }

    fn widen(&mut self, other: &Self, space: &Space) {
        let Some(before) = self.states.clone().filter(|_| !other.is_bottom()) else {
            return self.join(other, space);
        };
        if other.le(self, space) {
            return;
        }
        self.join(other, space);
        let joined = self.states.replace(before);
        self.widenings += 1;
        let is_late = self.widenings > MOST_WIDENINGS;
        let guards = space.guards().iter();
        let guards: Vec<Row> = match is_late {
            true => Vec::new(),
            false => guards
                .filter_map(|sum| row(space.related(), sum, -1))
                .collect(),
        };
        if let (Some(states), Some(joined)) = (&mut self.states, &joined) {
            states.widen(joined, &guards, is_late);
        }
    }

    fn forget(&mut self, space: &Space, position: usize) {
        let column = space.column(position);
        let place = space.related().iter().position(|&x| Some(x) == column);
        if let (Some(states), Some(place)) = (&mut self.states, place) {
            states.forget(place);
        }
    }

    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term> {
        if self.is_bottom() {
            return vec![Term::FALSE];
        }
        let literal = |(sum, is_equation): (LinearSum, bool)| {
            let sort = sort_of(t, &sum);
            let zero = t.number(Rational::zero(), sort);
            let sum = t.sum_term(&sum, sort);
            if is_equation {
                t.eq(sum, zero)
            } else {
                t.le(zero, sum)
            }
        };
        self.sums(space).into_iter().map(literal).collect()
    }
}
