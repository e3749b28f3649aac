//! Convex polyhedra that are not empty, as cones with one more coordinate, the first, which is 1.

mod cone;

use crate::number::Rational;
use cone::{Cone, TooLarge, dot};
pub(super) use cone::{Row, Rows};

/// A constraint, `row[0] + row[1..] · x ≥ 0`, or an equation where the flag is set.
pub(super) type Constraint<'a> = (&'a Row, bool);

/// A closed convex polyhedron that is not empty.
#[derive(Clone, Debug)]
pub(super) struct Polyhedron {
    cone: Cone,
}

/// `1 ≥ 0`, which keeps points apart from directions.
fn positive(dimension: usize) -> Row {
    let mut row = vec![Rational::zero(); dimension + 1];
    row[0] = Rational::one();
    row
}

/// The direction of a coordinate.
fn unit(dimension: usize, i: usize) -> Row {
    let mut row = vec![Rational::zero(); dimension + 1];
    row[i + 1] = Rational::one();
    row
}

/// Does a row say something of points?
fn is_constraint(row: &[Rational]) -> bool {
    row[1..].iter().any(|c| !c.is_zero())
}

/// Does a row relate several coordinates?
fn is_relation(row: &[Rational]) -> bool {
    row[1..].iter().filter(|c| !c.is_zero()).count() > 1
}

/// The weight of a coordinate that has bounds and no relations.
const BOUNDS: usize = 1;

/// What would be lost with a coordinate: 0 if nothing, [`BOUNDS`], or else how many relations it is
/// in. A value that is fixed costs nothing to keep, and counts as much.
fn weight(constraints: &[Constraint<'_>], i: usize) -> usize {
    let of = constraints.iter().filter(|(row, _)| !row[i + 1].is_zero());
    let weights = of.map(
        |&(row, is_equation)| match (is_relation(row), is_equation) {
            (_, true) => constraints.len() + 2,
            (true, false) => BOUNDS + 1,
            (false, false) => 0,
        },
    );
    weights.fold(0, |sum, weight| sum.max(BOUNDS) + weight)
}

impl Polyhedron {
    /// The point with these coordinates; one that is `None` may be anything.
    pub(super) fn of_point(coordinates: &[Option<Rational>]) -> Self {
        let dimension = coordinates.len();
        let mut point = positive(dimension);
        let mut generators = Rows::default();
        for (i, coordinate) in coordinates.iter().enumerate() {
            match coordinate {
                Some(c) => point[i + 1] = c.clone(),
                None => generators.lines.push(unit(dimension, i)),
            }
        }
        generators.rays.push(point);
        match Cone::generated(dimension + 1, &generators) {
            Ok(cone) => Polyhedron { cone },
            Err(TooLarge) => Polyhedron::whole(dimension),
        }
    }

    /// All points.
    pub(super) fn whole(dimension: usize) -> Self {
        let mut cone = Cone::whole(dimension + 1);
        let rays = vec![positive(dimension)];
        let lines = Vec::new();
        cone.cut(&Rows { lines, rays }).expect("two rows");
        Polyhedron { cone }
    }

    /// The points that satisfy constraints; `None` if there are none.
    pub(super) fn satisfying(dimension: usize, rows: &Rows) -> Result<Option<Self>, TooLarge> {
        let mut polyhedron = Polyhedron::whole(dimension);
        polyhedron.cone.cut(rows)?;
        Ok((!polyhedron.is_empty()).then_some(polyhedron))
    }

    /// The points that satisfy constraints, which there are. Where that is too large, constraints
    /// are left out: first those of coordinates without relations to others.
    pub(super) fn satisfying_most(dimension: usize, mut rows: Rows) -> Self {
        loop {
            match Polyhedron::satisfying(dimension, &rows) {
                Ok(Some(polyhedron)) => return polyhedron,
                Ok(None) => return Polyhedron::whole(dimension),
                Err(TooLarge) => {}
            }
            let equations = rows.lines.iter().map(|row| (row, true));
            let all: Vec<Constraint<'_>> = equations
                .chain(rows.rays.iter().map(|row| (row, false)))
                .collect();
            let weights: Vec<usize> = (0..dimension).map(|i| weight(&all, i)).collect();
            let least = weights.iter().copied().filter(|&w| w > 0).min();
            let goes = |i: usize| Some(weights[i]) == least;
            // Coordinates with bounds alone go at once, others one by one.
            let one = (0..dimension).find(|&i| goes(i));
            let is_dropped = |row: &Row| match least {
                Some(BOUNDS) => (0..dimension).any(|i| goes(i) && !row[i + 1].is_zero()),
                _ => one.is_some_and(|i| !row[i + 1].is_zero()),
            };
            rows.lines.retain(|row| !is_dropped(row));
            rows.rays.retain(|row| !is_dropped(row));
            if least.is_none() {
                return Polyhedron::whole(dimension);
            }
        }
    }

    /// The number of coordinates.
    pub(super) fn dimension(&self) -> usize {
        let rows = [&self.cone.constraints, &self.cone.generators];
        let mut rows = rows.into_iter().flat_map(|r| r.rays.iter().chain(&r.lines));
        rows.next().map_or(0, |row| row.len() - 1)
    }

    fn is_empty(&self) -> bool {
        self.cone.generators.rays.iter().all(|ray| ray[0].is_zero())
    }

    /// The constraints, equations first; no other constraint is needed.
    pub(super) fn constraints(&self) -> impl Iterator<Item = Constraint<'_>> {
        let Rows { lines, rays } = &self.cone.constraints;
        let all = lines.iter().map(|row| (row, true));
        let all = all.chain(rays.iter().map(|row| (row, false)));
        all.filter(|(row, _)| is_constraint(row))
    }

    /// Does every point satisfy `row[0] + row[1..] · x ≥ 0`?
    pub(super) fn satisfies(&self, row: &[Rational]) -> bool {
        let Rows { lines, rays } = &self.cone.generators;
        lines.iter().all(|x| dot(row, x).is_zero())
            && rays.iter().all(|x| !dot(row, x).is_negative())
    }

    /// Is every point one of the other's?
    pub(super) fn is_inside(&self, other: &Polyhedron) -> bool {
        let vanishes = |row: &Row| {
            let Rows { lines, rays } = &self.cone.generators;
            lines.iter().chain(rays).all(|x| dot(row, x).is_zero())
        };
        let Rows { lines, rays } = &other.cone.constraints;
        lines.iter().all(vanishes) && rays.iter().all(|row| self.satisfies(row))
    }

    /// The supremum of `row[0] + row[1..] · x`, if there is one.
    pub(super) fn upper(&self, row: &[Rational]) -> Option<Rational> {
        let Rows { lines, rays } = &self.cone.generators;
        if !lines.iter().all(|x| dot(row, x).is_zero()) {
            return None;
        }
        let mut upper: Option<Rational> = None;
        for ray in rays {
            let value = dot(row, ray);
            if ray[0].is_zero() {
                if value.is_positive() {
                    return None;
                }
                continue;
            }
            let value = value.checked_div(&ray[0]).expect("it is not zero");
            upper = Some(upper.map_or(value.clone(), |u| u.max(value)));
        }
        upper
    }

    /// Becomes the convex hull of both. Where that is too large, coordinates are forgotten.
    pub(super) fn join(&mut self, other: &Polyhedron) {
        let mut other = other.clone();
        loop {
            let mut joined = self.cone.clone();
            if joined.extend(&other.cone.generators).is_ok() {
                let before = std::mem::replace(&mut self.cone, joined);
                debug_assert!(
                    Polyhedron { cone: before }.is_inside(self),
                    "a hull contains both"
                );
                debug_assert!(other.is_inside(self), "a hull contains both");
                return;
            }
            let column = self.least_related();
            other.forget(column);
            self.forget(column);
        }
    }

    /// The coordinate that is in constraints, but in the fewest relations: what is forgotten with
    /// it is little, and a bound of a coordinate doubles the number of vertices.
    fn least_related(&self) -> usize {
        let all: Vec<Constraint<'_>> = self.constraints().collect();
        let columns = (0..self.dimension()).map(|i| (weight(&all, i), i));
        let least = columns.filter(|&(weight, _)| weight > 0).min();
        least.map_or(0, |(_, i)| i)
    }

    /// Forgets a coordinate: its value may be any.
    pub(super) fn forget(&mut self, i: usize) {
        let dimension = self.dimension();
        let lines = vec![unit(dimension, i)];
        let rays = Vec::new();
        let mut cone = self.cone.clone();
        match cone.extend(&Rows { lines, rays }) {
            Ok(()) => self.cone = cone,
            Err(TooLarge) => *self = Polyhedron::whole(dimension),
        }
    }

    /// Rounds constraints over integers to values that integers can reach.
    pub(super) fn tighten(&mut self, is_integer: &[bool]) {
        let mut rows = Rows::default();
        for (row, is_equation) in self.constraints() {
            let mut terms = row[1..].iter().zip(is_integer);
            if is_equation || !terms.all(|(c, is_integer)| *is_integer || c.is_zero()) {
                continue;
            }
            let divisor = row[1..].iter().fold(Rational::zero(), |gcd, c| gcd.gcd(c));
            if !row[0].is_divisible_by(&divisor) {
                let rounded = &(&row[0] * &divisor.recip()).floor() * &divisor;
                let rest = row[1..].iter().cloned();
                rows.rays
                    .push(std::iter::once(rounded).chain(rest).collect());
            }
        }
        let mut cone = self.cone.clone();
        if !rows.rays.is_empty() && cone.cut(&rows).is_ok() {
            let tight = Polyhedron { cone };
            // Without integer points the rounded constraints may contradict each other.
            if !tight.is_empty() {
                debug_assert!(tight.is_inside(self), "rounding cuts off points");
                *self = tight;
            }
        }
    }

    /// The standard widening of \[Hal79\] of this polyhedron by one that contains it: the
    /// constraints of this that the other satisfies, and the constraints of the other that could
    /// take the place of one of this. Also the guards that both satisfy: a widening up to them.
    ///
    /// A bare widening keeps constraints of this polyhedron and adds none but equations.
    pub(super) fn widen(&mut self, other: &Polyhedron, guards: &[Row], is_bare: bool) {
        let mut rows = Rows::default();
        for (row, is_equation) in self.constraints() {
            let negation: Row = row.iter().map(|c| -c).collect();
            let (holds, opposite) = (other.satisfies(row), other.satisfies(&negation));
            if is_equation && holds && opposite {
                rows.lines.push(row.clone());
            } else if holds {
                rows.rays.push(row.clone());
            } else if is_equation && opposite {
                rows.rays.push(negation);
            }
        }
        let saturated = |row: &Row| {
            let rays = self.cone.generators.rays.iter();
            rays.map(|x| dot(row, x).is_zero()).collect::<Vec<bool>>()
        };
        let own: Vec<Vec<bool>> = self
            .constraints()
            .filter(|(_, is_equation)| !is_equation)
            .map(|(row, _)| saturated(row))
            .collect();
        for (row, is_equation) in other.constraints() {
            if is_equation {
                // The dimension grows a bounded number of times.
                rows.lines.push(row.clone());
            } else if !is_bare && own.contains(&saturated(row)) {
                rows.rays.push(row.clone());
            }
        }
        rows.rays
            .extend(guards.iter().filter(|row| other.satisfies(row)).cloned());
        let dimension = self.dimension();
        *self = match Polyhedron::satisfying(dimension, &rows) {
            Ok(Some(widened)) => widened,
            Ok(None) | Err(TooLarge) => Polyhedron::whole(dimension),
        };
        debug_assert!(other.is_inside(self), "a widening contains both");
    }
}
