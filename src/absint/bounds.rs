//! Bounds on linear forms \[SSM05\] as a domain, widened along thresholds.

use super::affine::value_at;
use super::domain::Domain;
use super::equalities::sort_of;
use super::image::ColumnBounds;
use super::space::{Point, Space};
use super::thresholds::Thresholds;
use crate::number::Rational;
use crate::term::{LinearSum, Term, Terms};

/// A bound on a sum that was widened this number of times is given up. The value was not tuned.
const MOVES_OF_SUM: u8 = 4;
/// The same for a bound on a single number. In nested loops, the bounds of the inner counters move
/// once for each loop around; six loops need six moves. On CHC-COMP's linear integer
/// tasks 8 takes 2 % more of the ticks of small tasks than 4.
const MOVES_OF_NUMBER: u8 = 8;

/// One side of an interval.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Side {
    /// `None` is infinity.
    value: Option<Rational>,
    moves: u8,
}

/// A linear form and the interval of its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FormBounds {
    /// The form, without constant.
    pub(super) form: LinearSum,
    lower: Side,
    upper: Side,
}

impl Side {
    fn new(value: Option<Rational>) -> Self {
        Side { value, moves: 0 }
    }

    /// Gives way to another bound, unless this is the move of that number.
    fn widen(&mut self, to: Option<Rational>, last: u8) {
        self.moves += 1;
        self.value = to.filter(|_| self.moves < last);
    }
}

impl FormBounds {
    /// Of the form's value at a single point; without bounds where the point has no coordinate for
    /// a column of the form.
    fn of_point(form: &LinearSum, point: &Point) -> Self {
        let known = form
            .terms
            .iter()
            .all(|(x, _)| point.coordinate(*x).is_some());
        let coordinate = |x: Term| point.coordinate(x).cloned().unwrap_or_default();
        let value = known.then(|| value_at(form, &coordinate));
        FormBounds {
            form: form.clone(),
            lower: Side::new(value.clone()),
            upper: Side::new(value),
        }
    }

    fn unbounded(form: &LinearSum) -> Self {
        FormBounds {
            form: form.clone(),
            lower: Side::new(None),
            upper: Side::new(None),
        }
    }

    /// Is the interval inside of the other's?
    fn is_inside(&self, other: &FormBounds) -> bool {
        let above = |bound: &Rational| self.lower().is_some_and(|lower| bound <= lower);
        let below = |bound: &Rational| self.upper().is_some_and(|upper| bound >= upper);
        other.lower().is_none_or(above) && other.upper().is_none_or(below)
    }

    /// Becomes the interval of both.
    fn join(&mut self, other: &FormBounds) {
        let (lower, upper) = (other.lower(), other.upper());
        if self.lower().is_some_and(|l| lower.is_none_or(|o| o < l)) {
            self.lower.value = lower.cloned();
        }
        if self.upper().is_some_and(|u| upper.is_none_or(|o| o > u)) {
            self.upper.value = upper.cloned();
        }
    }

    /// Bounds that are stricter than these become these.
    fn allow(&mut self, [lower, upper]: &[Option<Rational>; 2]) {
        if let (Some(own), Some(to)) = (self.lower(), lower)
            && to < own
        {
            self.lower.value = Some(to.clone());
        }
        if let (Some(own), Some(to)) = (self.upper(), upper)
            && to > own
        {
            self.upper.value = Some(to.clone());
        }
    }

    /// Becomes an interval of both: bounds that give way do so to the next threshold.
    fn widen(&mut self, other: &FormBounds, thresholds: &Thresholds) {
        let last = match self.form.terms.len() {
            1 => MOVES_OF_NUMBER,
            _ => MOVES_OF_SUM,
        };
        let (lower, upper) = (other.lower(), other.upper());
        if self.lower().is_some_and(|l| lower.is_none_or(|o| o < l)) {
            let to = lower.and_then(|l| thresholds.at_most(l));
            self.lower.widen(to, last);
        }
        if self.upper().is_some_and(|u| upper.is_none_or(|o| o > u)) {
            let to = upper.and_then(|u| thresholds.at_least(u));
            self.upper.widen(to, last);
        }
    }

    /// The greatest lower bound known.
    pub(super) fn lower(&self) -> Option<&Rational> {
        self.lower.value.as_ref()
    }

    /// The least upper bound known.
    pub(super) fn upper(&self) -> Option<&Rational> {
        self.upper.value.as_ref()
    }
}

/// An interval for each form of the space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// By form; `None` is the element without states.
    forms: Option<Vec<FormBounds>>,
}

impl Bounds {
    /// The intervals of an element with states, by form.
    pub(super) fn forms(&self) -> &[FormBounds] {
        self.forms.as_deref().unwrap_or_default()
    }

    /// Literals that say the bounds that `keep` leaves of each form's lower and upper one.
    pub(super) fn literals_of<'b>(
        &'b self,
        t: &Terms,
        keep: impl Fn(&'b FormBounds) -> [Option<&'b Rational>; 2],
    ) -> Vec<Term> {
        let mut literals = Vec::new();
        for bounds in self.forms() {
            let sort = sort_of(t, &bounds.form);
            let number = |value: &Rational| t.number(value.clone(), sort);
            let form = t.sum_term(&bounds.form, sort);
            let [lower, upper] = keep(bounds);
            literals.extend(lower.map(|lower| t.le(number(lower), form)));
            literals.extend(upper.map(|upper| t.le(form, number(upper))));
        }
        literals
    }
}

impl Domain for Bounds {
    fn bottom(_: &Space) -> Self {
        Bounds { forms: None }
    }

    fn top(space: &Space) -> Self {
        let forms = space.forms().iter().map(FormBounds::unbounded);
        Bounds {
            forms: Some(forms.collect()),
        }
    }

    fn is_bottom(&self) -> bool {
        self.forms.is_none()
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        let forms = space.forms().iter();
        let forms = forms.map(|form| FormBounds::of_point(form, point));
        Bounds {
            forms: Some(forms.collect()),
        }
    }

    fn le(&self, other: &Self, _: &Space) -> bool {
        match (&self.forms, &other.forms) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(these), Some(those)) => these.iter().zip(those).all(|(a, b)| a.is_inside(b)),
        }
    }

    fn join(&mut self, other: &Self, _: &Space) {
        match (&mut self.forms, &other.forms) {
            (_, None) => {}
            (forms @ None, those) => forms.clone_from(those),
            (Some(these), Some(those)) => {
                these.iter_mut().zip(those).for_each(|(a, b)| a.join(b));
            }
        }
    }

    fn widen(&mut self, other: &Self, space: &Space) {
        match (&mut self.forms, &other.forms) {
            (Some(these), Some(those)) => {
                for (a, b) in these.iter_mut().zip(those) {
                    a.widen(b, space.thresholds());
                }
            }
            _ => self.join(other, space),
        }
    }

    fn allow(&mut self, bounds: &ColumnBounds) {
        for own in self.forms.iter_mut().flatten() {
            if let [(x, c)] = &own.form.terms[..]
                && c.is_one()
                && let Some(bounds) = bounds.get(x)
            {
                own.allow(bounds);
            }
        }
    }

    fn forget(&mut self, space: &Space, position: usize) {
        let Some(column) = space.column(position) else {
            return;
        };
        for bounds in self.forms.iter_mut().flatten() {
            if !bounds.form.coefficient(column).is_zero() {
                *bounds = FormBounds::unbounded(&bounds.form);
            }
        }
    }

    fn literals(&self, t: &Terms, _: &Space) -> Vec<Term> {
        match self.is_bottom() {
            true => vec![Term::FALSE],
            false => self.literals_of(t, |bounds| [bounds.lower(), bounds.upper()]),
        }
    }
}
