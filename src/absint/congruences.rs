//! Congruences \[Gra89\]: the remainders of integers, and of sums and differences of two.

use super::affine::value_at;
use super::domain::Domain;
use super::space::{Point, Space};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, Terms};

/// The values `residue + n · modulus`; with the modulus 0 one value, with 1 all integers.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Class {
    modulus: Rational,
    residue: Rational,
}

impl Class {
    fn all() -> Self {
        Class {
            modulus: Rational::one(),
            residue: Rational::zero(),
        }
    }

    fn of_value(value: Option<Rational>) -> Self {
        let class = |residue| Class {
            modulus: Rational::zero(),
            residue,
        };
        value
            .filter(Rational::is_integer)
            .map_or_else(Class::all, class)
    }

    /// Is the modulus not negative, and is the residue below it?
    fn is_valid(&self) -> bool {
        let is_below = || !self.residue.is_negative() && self.residue < self.modulus;
        self.modulus.is_integer()
            && self.residue.is_integer()
            && (self.modulus.is_zero() || self.modulus.is_positive() && is_below())
    }

    fn is_inside(&self, other: &Class) -> bool {
        let difference = &self.residue - &other.residue;
        let divides = |n: &Rational| match other.modulus.is_zero() {
            true => n.is_zero(),
            false => n.is_divisible_by(&other.modulus),
        };
        divides(&self.modulus) && divides(&difference)
    }

    fn join(&mut self, other: &Class) {
        let difference = &self.residue - &other.residue;
        self.modulus = self.modulus.gcd(&other.modulus).gcd(&difference);
        if !self.modulus.is_zero() {
            self.residue = self.residue.mod_euclid(&self.modulus);
        }
        debug_assert!(self.is_valid(), "the residue is below the modulus");
        debug_assert!(other.is_inside(self), "a join contains both");
    }
}

/// A class for each form of the space that is a sum of integers.
#[derive(Clone, Debug)]
pub struct Congruences {
    /// By form; `None` is the element without states.
    classes: Option<Vec<Class>>,
}

impl Domain for Congruences {
    const BY_PATHS: bool = true;

    fn bottom(_: &Space) -> Self {
        Congruences { classes: None }
    }

    fn top(space: &Space) -> Self {
        Congruences {
            classes: Some(space.integer_forms().map(|_| Class::all()).collect()),
        }
    }

    fn is_bottom(&self) -> bool {
        self.classes.is_none()
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        let class = |form: &LinearSum| {
            let mut columns = form.terms.iter();
            let is_known = columns.all(|(x, _)| point.coordinate(*x).is_some());
            let coordinate = |x: Term| point.coordinate(x).cloned().unwrap_or_default();
            Class::of_value(is_known.then(|| value_at(form, &coordinate)))
        };
        Congruences {
            classes: Some(space.integer_forms().map(class).collect()),
        }
    }

    fn le(&self, other: &Self, _: &Space) -> bool {
        match (&self.classes, &other.classes) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(these), Some(those)) => these.iter().zip(those).all(|(a, b)| a.is_inside(b)),
        }
    }

    fn join(&mut self, other: &Self, _: &Space) {
        match (&mut self.classes, &other.classes) {
            (_, None) => {}
            (classes @ None, those) => classes.clone_from(those),
            (Some(these), Some(those)) => {
                these.iter_mut().zip(those).for_each(|(a, b)| a.join(b));
            }
        }
    }

    /// Moduli have finitely many divisors.
    fn widen(&mut self, other: &Self, space: &Space) {
        self.join(other, space);
    }

    fn forget(&mut self, space: &Space, position: usize) {
        let column = space.column(position);
        let classes = self.classes.iter_mut().flatten();
        for (class, form) in classes.zip(space.integer_forms()) {
            if form.terms.iter().any(|(x, _)| Some(*x) == column) {
                *class = Class::all();
            }
        }
    }

    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term> {
        let Some(classes) = &self.classes else {
            return vec![Term::FALSE];
        };
        let literal = |(class, form): (&Class, &LinearSum)| {
            let form = t.sum_term(form, Sort::INT);
            let number = |n: &Rational| t.number(n.clone(), Sort::INT);
            let residue = number(&class.residue);
            match class.modulus.is_zero() {
                true => Some(t.eq(form, residue)),
                false if class.modulus.is_one() => None,
                false => Some(t.eq(t.modulo(form, number(&class.modulus)), residue)),
            }
        };
        classes
            .iter()
            .zip(space.integer_forms())
            .filter_map(literal)
            .collect()
    }
}
