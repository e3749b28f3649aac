//! Reduced products of domains \[CC79\].

use super::bounds::{Bounds, FormBounds};
use super::congruences::Congruences;
use super::domain::Domain;
use super::equalities::Equalities;
use super::image::{ColumnBounds, Image};
use super::intervals::Intervals;
use super::octagons::Octagons;
use super::polyhedra::Polyhedra;
use super::space::{Point, Space};
use crate::number::Rational;
use crate::term::{LinearSum, Term, Terms};

/// A domain that says less where another one says the same.
pub trait Beside<A>: Domain {
    /// Literals that make, with those of the other element, the conjunction of both.
    ///
    /// What is left out must be implied by the other literals and stay so as the elements grow: a
    /// clause that derives nothing outside of a product is not looked at again, so a literal must
    /// not appear later that was not implied then.
    ///
    /// By default nothing is left out.
    fn literals_beside(&self, t: &Terms, space: &Space, _: &A) -> Vec<Term> {
        self.literals(t, space)
    }
}

/// The reduced product of two domains: states that are in both elements. The two share one
/// fixpoint, so that each has the other's help in every question, and are reduced where they are
/// said: see [`Beside`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Product<A, B>(pub A, pub B);

impl<A: Domain, B: Beside<A>> Domain for Product<A, B> {
    const BY_PATHS: bool = A::BY_PATHS || B::BY_PATHS;

    const DELAY: u32 = if A::DELAY > B::DELAY {
        A::DELAY
    } else {
        B::DELAY
    };

    fn bottom(space: &Space) -> Self {
        Product(A::bottom(space), B::bottom(space))
    }

    fn top(space: &Space) -> Self {
        Product(A::top(space), B::top(space))
    }

    fn is_bottom(&self) -> bool {
        self.0.is_bottom() || self.1.is_bottom()
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        Product(A::of_point(space, point), B::of_point(space, point))
    }

    fn of_image(space: &Space, point: &Point, image: &Image) -> Self {
        let (first, second) = (
            A::of_image(space, point, image),
            B::of_image(space, point, image),
        );
        Product(first, second)
    }

    fn le(&self, other: &Self, space: &Space) -> bool {
        self.is_bottom() || self.0.le(&other.0, space) && self.1.le(&other.1, space)
    }

    fn join(&mut self, other: &Self, space: &Space) {
        self.0.join(&other.0, space);
        self.1.join(&other.1, space);
    }

    fn widen(&mut self, other: &Self, space: &Space) {
        self.0.widen(&other.0, space);
        self.1.widen(&other.1, space);
    }

    fn allow(&mut self, bounds: &ColumnBounds) {
        self.0.allow(bounds);
        self.1.allow(bounds);
    }

    fn forget(&mut self, space: &Space, position: usize) {
        self.0.forget(space, position);
        self.1.forget(space, position);
    }

    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term> {
        if self.is_bottom() {
            return vec![Term::FALSE];
        }
        let mut literals = self.0.literals(t, space);
        literals.extend(self.1.literals_beside(t, space, &self.0));
        literals
    }
}

impl<A: Domain> Beside<A> for Congruences {}
impl<A: Domain> Beside<A> for Octagons {}
impl<A: Domain> Beside<A> for Polyhedra {}
impl<A: Domain, const MOST: usize> Beside<A> for Intervals<MOST> {}

impl Beside<Equalities> for Bounds {
    fn literals_beside(&self, t: &Terms, _: &Space, other: &Equalities) -> Vec<Term> {
        self.literals_of(t, |bounds| new_bounds(self, other, bounds))
    }
}

/// The lower and the upper bound of a form, where they are not implied by equations and the bounds
/// of arguments.
fn new_bounds<'b>(
    all: &Bounds,
    equalities: &Equalities,
    bounds: &'b FormBounds,
) -> [Option<&'b Rational>; 2] {
    let form = &bounds.form;
    if form.terms.len() == 1 {
        return [bounds.lower(), bounds.upper()];
    }
    let mut equal = vec![form.clone()];
    for equation in equalities.equations() {
        for (x, c) in &form.terms {
            let other = equation.coefficient(*x);
            if equation.terms.len() == 2 && !other.is_zero() {
                let mut sum = form.clone();
                sum.add_scaled(&-&(c * &other.recip()), equation);
                equal.push(sum);
            }
        }
    }
    let implied = |upper| equal.iter().filter_map(move |sum| extreme(all, sum, upper));
    let lower = bounds.lower().filter(|&l| implied(false).all(|i| *l > i));
    let upper = bounds.upper().filter(|&u| implied(true).all(|i| *u < i));
    [lower, upper]
}

/// The least, or the greatest, value of a sum by the bounds of its terms.
fn extreme(all: &Bounds, sum: &LinearSum, upper: bool) -> Option<Rational> {
    let mut extreme = sum.constant.clone();
    for (x, c) in &sum.terms {
        let is_own = |b: &&FormBounds| matches!(b.form.terms[..], [(y, _)] if y == *x);
        let own = all.forms().iter().find(is_own)?;
        let bound = match c.is_positive() == upper {
            true => own.upper(),
            false => own.lower(),
        };
        extreme.add_mul(c, bound?);
    }
    Some(extreme)
}
