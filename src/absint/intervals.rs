//! Intervals \[CC77\] and disjunctions of intervals: for each number a bounded set of disjoint
//! intervals. The invariants of \[BDW18\] are of this kind.

use super::domain::Domain;
use super::image::Image;
use super::space::{Point, Space};
use super::thresholds::Thresholds;
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, Terms};

/// The first 3 widenings of a number's intervals move bounds to thresholds, later ones give them
/// up, and close gaps. The value was not tuned.
const MOVES: u32 = 3;

/// A closed interval; `None` is infinity.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Interval {
    lower: Option<Rational>,
    upper: Option<Rational>,
}

impl Interval {
    fn is_inside(&self, other: &Interval) -> bool {
        let above = |bound: &Rational| self.lower.as_ref().is_some_and(|l| bound <= l);
        let below = |bound: &Rational| self.upper.as_ref().is_some_and(|u| bound >= u);
        other.lower.as_ref().is_none_or(above) && other.upper.as_ref().is_none_or(below)
    }
}

/// The values of one number.
///
/// Invariant: there is an interval. They are disjoint, ascending, and at most as many as wanted;
/// between two there is a value that is in none, of the number's sort.
#[derive(Clone, Debug)]
struct Values {
    intervals: Vec<Interval>,
    /// How often the values changed by widening.
    widenings: u32,
}

impl Values {
    fn new(lower: Option<Rational>, upper: Option<Rational>) -> Self {
        Values {
            intervals: vec![Interval { lower, upper }],
            widenings: 0,
        }
    }

    /// Does the invariant of the type hold, with at most this number of intervals?
    fn is_valid(&self, most: usize, is_integer: bool) -> bool {
        let step = Rational::from(i64::from(is_integer));
        let ordered = |i: &Interval| match (&i.lower, &i.upper) {
            (Some(lower), Some(upper)) => lower <= upper,
            _ => true,
        };
        let apart = |pair: &[Interval]| match (&pair[0].upper, &pair[1].lower) {
            (Some(upper), Some(lower)) => *lower > upper + &step,
            _ => false,
        };
        (1..=most.max(1)).contains(&self.intervals.len())
            && self.intervals.iter().all(ordered)
            && self.intervals.windows(2).all(apart)
    }

    /// The interval around all values.
    fn hull(&self) -> Interval {
        let (first, last) = (self.intervals.first(), self.intervals.last());
        Interval {
            lower: first.and_then(|i| i.lower.clone()),
            upper: last.and_then(|i| i.upper.clone()),
        }
    }

    fn is_inside(&self, other: &Values) -> bool {
        let mut intervals = self.intervals.iter();
        intervals.all(|own| other.intervals.iter().any(|other| own.is_inside(other)))
    }

    /// Becomes the union of both, with as many intervals as allowed.
    fn join(&mut self, other: &Values, most: usize, is_integer: bool) {
        let mut all = std::mem::take(&mut self.intervals);
        all.extend(other.intervals.iter().cloned());
        // No lower bound is less than any.
        all.sort_by(|a, b| a.lower.cmp(&b.lower));
        let step = Rational::from(i64::from(is_integer));
        for next in all {
            let Some(last) = self.intervals.last_mut() else {
                self.intervals.push(next);
                continue;
            };
            let meets = match (&last.upper, &next.lower) {
                (Some(upper), Some(lower)) => *lower <= upper + &step,
                _ => true,
            };
            if !meets {
                self.intervals.push(next);
            } else if let Some(upper) = &mut last.upper {
                match next.upper {
                    Some(new) if new <= *upper => {}
                    new => last.upper = new,
                }
            }
        }
        while self.intervals.len() > most {
            self.close_gap();
        }
        debug_assert!(
            self.is_valid(most, is_integer),
            "intervals are disjoint and ascend"
        );
    }

    /// Closes the smallest gap.
    fn close_gap(&mut self) {
        let gap = |i: usize| {
            let (below, above) = (&self.intervals[i], &self.intervals[i + 1]);
            above.lower.clone().unwrap_or_default() - below.upper.clone().unwrap_or_default()
        };
        let gaps = 0..self.intervals.len().saturating_sub(1);
        if let Some(i) = gaps.min_by_key(|&i| gap(i)) {
            let above = self.intervals.remove(i + 1);
            self.intervals[i].upper = above.upper;
        }
    }

    /// Becomes values of both: bounds that give way do so to the next threshold.
    fn widen(&mut self, other: &Values, most: usize, is_integer: bool, along: &Thresholds) {
        if other.is_inside(self) {
            return;
        }
        let before = self.hull();
        self.widenings += 1;
        let moves = self.widenings <= MOVES;
        self.join(other, if moves { most } else { 1 }, is_integer);
        let is_moved = |to: &Rational, from: Option<&Rational>| from != Some(to);
        if let Some(first) = self.intervals.first_mut() {
            let moved = first.lower.take_if(|l| is_moved(l, before.lower.as_ref()));
            let to = moved.filter(|_| moves).and_then(|l| along.at_most(&l));
            first.lower = first.lower.take().or(to);
        }
        if let Some(last) = self.intervals.last_mut() {
            let moved = last.upper.take_if(|u| is_moved(u, before.upper.as_ref()));
            let to = moved.filter(|_| moves).and_then(|u| along.at_least(&u));
            last.upper = last.upper.take().or(to);
        }
        debug_assert!(
            self.is_valid(most, is_integer),
            "intervals are disjoint and ascend"
        );
    }

    /// What is said of a number.
    fn literals(&self, t: &Terms, x: Term) -> Vec<Term> {
        let is_integer = t.sort_of(x) == Sort::INT;
        let number = |n: &Rational| t.number(n.clone(), t.sort_of(x));
        let hull = self.hull();
        let mut literals = Vec::new();
        // Over integers bounds are rounded.
        let lower = |l: &Rational| number(&if is_integer { l.ceil() } else { l.clone() });
        let upper = |u: &Rational| number(&if is_integer { u.floor() } else { u.clone() });
        literals.extend(hull.lower.iter().map(|l| t.le(lower(l), x)));
        literals.extend(hull.upper.iter().map(|u| t.le(x, upper(u))));
        for pair in self.intervals.windows(2) {
            let sides = pair[0].upper.as_ref().zip(pair[1].lower.as_ref());
            literals.extend(sides.map(|(u, l)| t.or([t.le(x, upper(u)), t.le(lower(l), x)])));
        }
        literals
    }
}

/// At most `MOST` intervals for each number: with 1 the domain of intervals.
#[derive(Clone, Debug)]
pub struct Intervals<const MOST: usize> {
    /// By number; `None` is the element without states.
    values: Option<Vec<Values>>,
}

impl<const MOST: usize> Intervals<MOST> {
    /// With these bounds of each number.
    fn with(space: &Space, bounds: impl Fn(Term) -> [Option<Rational>; 2]) -> Self {
        let values = space.numbers().iter().map(|&x| {
            let [lower, upper] = bounds(x);
            Values::new(lower, upper)
        });
        Intervals {
            values: Some(values.collect()),
        }
    }
}

impl<const MOST: usize> Domain for Intervals<MOST> {
    const BY_PATHS: bool = true;
    /// The value was not tuned.
    const DELAY: u32 = 2;

    fn bottom(_: &Space) -> Self {
        Intervals { values: None }
    }

    fn top(space: &Space) -> Self {
        Self::with(space, |_| [None, None])
    }

    fn is_bottom(&self) -> bool {
        self.values.is_none()
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        let bounds = |x| [point.coordinate(x).cloned(), point.coordinate(x).cloned()];
        Self::with(space, bounds)
    }

    fn of_image(space: &Space, _: &Point, image: &Image) -> Self {
        Self::with(space, |x| {
            let terms = vec![(x, Rational::one())];
            let constant = Rational::zero();
            let form = LinearSum { terms, constant };
            [image.lower(&form), image.upper(&form)]
        })
    }

    fn le(&self, other: &Self, _: &Space) -> bool {
        match (&self.values, &other.values) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(these), Some(those)) => these.iter().zip(those).all(|(a, b)| a.is_inside(b)),
        }
    }

    fn join(&mut self, other: &Self, space: &Space) {
        match (&mut self.values, &other.values) {
            (_, None) => {}
            (values @ None, those) => values.clone_from(those),
            (Some(these), Some(those)) => {
                let pairs = these.iter_mut().zip(those);
                for ((a, b), &is_integer) in pairs.zip(space.are_numbers_integers()) {
                    a.join(b, MOST, is_integer);
                }
            }
        }
    }

    fn widen(&mut self, other: &Self, space: &Space) {
        let (Some(these), Some(those)) = (&mut self.values, &other.values) else {
            return self.join(other, space);
        };
        let pairs = these.iter_mut().zip(those);
        for ((a, b), &is_integer) in pairs.zip(space.are_numbers_integers()) {
            a.widen(b, MOST, is_integer, space.thresholds());
        }
    }

    fn forget(&mut self, space: &Space, position: usize) {
        let column = space.column(position);
        let values = self.values.iter_mut().flatten();
        for (values, &x) in values.zip(space.numbers()) {
            if Some(x) == column {
                *values = Values::new(None, None);
            }
        }
    }

    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term> {
        let Some(values) = &self.values else {
            return vec![Term::FALSE];
        };
        let numbers = values.iter().zip(space.numbers());
        numbers
            .flat_map(|(values, &x)| values.literals(t, x))
            .collect()
    }
}
