//! Octagons \[Min06\]: bounds of `±x ± y`, as difference-bound matrices.
//!
//! A column `x` has two rows, one for `x` and one for `-x`. The entry at row `v` and column `w` is
//! an upper bound of `w - v`; so bounds of a single `x` are entries about `x - (-x)`. A matrix is
//! *closed* if no entry follows from others that say more: by the algorithm of \[BHZ08\], which is
//! complete for integers.
//!
//! Matrices that were widened are not closed before the next widening, which would undo it.

use super::domain::Domain;
use super::equalities::sort_of;
use super::image::Image;
use super::space::{Point, Space};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, Terms};
use crate::work;

/// The first 3 widenings of an element move bounds to thresholds, later ones give them up. The
/// value was not tuned.
const MOVES: u32 = 3;

/// An upper bound; `None` is infinity.
type Bound = Option<Rational>;

/// Is the first bound at most the second?
fn at_most(a: &Bound, b: &Bound) -> bool {
    match (a, b) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(a), Some(b)) => a <= b,
    }
}

/// A coherent difference-bound matrix: the entries at `(v, w)` and `(-w, -v)` are the same.
#[derive(Clone, Debug)]
struct Matrix {
    /// The number of rows, twice the number of columns of the space.
    size: usize,
    /// Row by row.
    entries: Vec<Bound>,
    is_closed: bool,
}

/// The row of the negation.
fn opposite(row: usize) -> usize {
    row ^ 1
}

impl Matrix {
    /// With these entries; those of the diagonal are 0.
    fn new(size: usize, is_closed: bool, entry: impl Fn(usize, usize) -> Bound) -> Self {
        let places = (0..size).flat_map(|v| (0..size).map(move |w| (v, w)));
        let bound = |(v, w)| match v == w {
            true => Some(Rational::zero()),
            false => entry(v, w),
        };
        Matrix {
            size,
            entries: places.map(bound).collect(),
            is_closed,
        }
    }

    /// Is the matrix coherent, with zeros on its diagonal?
    fn is_coherent(&self) -> bool {
        let mut rows = 0..self.size;
        self.entries.len() == self.size * self.size
            && rows.all(|v| {
                self.at(v, v).as_ref().is_some_and(Rational::is_zero)
                    && (0..self.size).all(|w| self.at(v, w) == self.at(opposite(w), opposite(v)))
            })
    }

    fn at(&self, v: usize, w: usize) -> &Bound {
        &self.entries[v * self.size + w]
    }

    /// Lowers an entry to the sum of two bounds, divided by a number.
    fn lower(&mut self, v: usize, w: usize, a: &Bound, b: &Bound, by: &Rational) {
        let (Some(a), Some(b)) = (a, b) else { return };
        let sum = &(a + b) * by;
        let entry = &mut self.entries[v * self.size + w];
        if entry.as_ref().is_none_or(|e| sum < *e) {
            *entry = Some(sum);
        }
    }

    /// Tight closure \[BHZ08\]: shortest paths, then bounds of single integers are made even, then
    /// each entry is at most half of what the bounds of both single columns say.
    fn closed(&self, are_integers: &[bool]) -> Matrix {
        let mut closed = self.clone();
        if self.is_closed {
            return closed;
        }
        closed.is_closed = true;
        let (one, half) = (Rational::one(), Rational::new(1, 2));
        work::spend_on(self.size * self.size * self.size / 2);
        for k in 0..self.size {
            for v in 0..self.size {
                let from = closed.at(v, k).clone();
                if from.is_none() {
                    continue;
                }
                for w in 0..self.size {
                    let to = closed.at(k, w).clone();
                    closed.lower(v, w, &from, &to, &one);
                }
            }
        }
        for v in (0..self.size).filter(|v| are_integers[v / 2]) {
            if let Some(bound) = &mut closed.entries[v * self.size + opposite(v)] {
                *bound = &(&*bound * &half).floor() * &Rational::from(2);
            }
        }
        for v in 0..self.size {
            let from = closed.at(v, opposite(v)).clone();
            for w in (0..self.size).filter(|_| from.is_some()) {
                let to = closed.at(opposite(w), w).clone();
                closed.lower(v, w, &from, &to, &half);
            }
        }
        for v in 0..self.size {
            closed.entries[v * self.size + v] = Some(Rational::zero());
        }
        debug_assert!(closed.is_coherent(), "closure keeps a matrix coherent");
        debug_assert!(
            closed
                .entries
                .iter()
                .zip(&self.entries)
                .all(|(new, old)| at_most(new, old)),
            "closure lowers bounds"
        );
        closed
    }

    /// The entries that imply all others, each once with its mirror image.
    fn reduced(&self) -> Vec<(usize, usize, &Rational)> {
        let mut present = self.entries.clone();
        let size = self.size;
        work::spend_on(size * size * size / 2);
        let place = |v: usize, w: usize| v * size + w;
        let mirror = |v: usize, w: usize| place(opposite(w), opposite(v));
        let mut reduced = Vec::new();
        for v in 0..size {
            for w in (0..size).filter(|&w| w != v) {
                let Some(bound) = self.at(v, w) else { continue };
                let sum = |a: &Bound, b: &Bound| Some(a.as_ref()? + b.as_ref()?);
                let says = |s: Option<Rational>, most: &Rational| s.is_some_and(|s| s <= *most);
                let is_own = |k: usize| k == v || k == w;
                let by_path = |k: usize| {
                    let path = sum(&present[place(v, k)], &present[place(k, w)]);
                    !is_own(k) && says(path, bound)
                };
                let (low, high) = (place(v, opposite(v)), place(opposite(w), w));
                let by_bounds =
                    w != opposite(v) && says(sum(&present[low], &present[high]), &(bound + bound));
                if by_bounds || (0..size).any(by_path) {
                    present[place(v, w)] = None;
                    present[mirror(v, w)] = None;
                }
            }
        }
        for v in 0..size {
            for w in (0..size).filter(|&w| w != v && place(v, w) <= mirror(v, w)) {
                if let (Some(_), Some(bound)) = (&present[place(v, w)], self.at(v, w)) {
                    reduced.push((v, w, bound));
                }
            }
        }
        reduced
    }
}

/// The form that an entry bounds, `w - v`.
fn form(columns: &[Term], v: usize, w: usize) -> LinearSum {
    let mut form = LinearSum::default();
    for (row, sign) in [(w, 1), (v, -1)] {
        let sign = if row.is_multiple_of(2) { sign } else { -sign };
        let terms = vec![(columns[row / 2], Rational::one())];
        let constant = Rational::zero();
        form.add_scaled(&Rational::from(sign), &LinearSum { terms, constant });
    }
    form
}

/// An octagon over the space's related columns.
#[derive(Clone, Debug)]
pub struct Octagons {
    /// `None` is the element without states.
    matrix: Option<Matrix>,
    /// How often the element changed by widening.
    widenings: u32,
}

impl Octagons {
    fn new(matrix: Option<Matrix>) -> Self {
        debug_assert!(
            matrix.as_ref().is_none_or(Matrix::is_coherent),
            "`w - v` is `-v - -w`"
        );
        Octagons {
            matrix,
            widenings: 0,
        }
    }

    fn closed(&self, space: &Space) -> Option<Matrix> {
        Some(self.matrix.as_ref()?.closed(space.are_integers()))
    }
}

impl Domain for Octagons {
    const BY_PATHS: bool = true;
    /// The value was not tuned.
    const DELAY: u32 = 2;

    fn bottom(_: &Space) -> Self {
        Octagons::new(None)
    }

    fn top(space: &Space) -> Self {
        let size = 2 * space.related().len();
        Octagons::new(Some(Matrix::new(size, true, |_, _| None)))
    }

    fn is_bottom(&self) -> bool {
        self.matrix.is_none()
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        let columns = space.related().iter();
        let values: Vec<Option<&Rational>> = columns.map(|&x| point.coordinate(x)).collect();
        let value = |row: usize| {
            let value = values[row / 2].cloned();
            value.map(|n| if row.is_multiple_of(2) { n } else { -n })
        };
        let entry = |v, w| Some(&value(w)? - &value(v)?);
        Octagons::new(Some(Matrix::new(2 * values.len(), true, entry)))
    }

    fn of_image(space: &Space, _: &Point, image: &Image) -> Self {
        let columns = space.related();
        let entry = |v, w| image.upper(&form(columns, v, w));
        Octagons::new(Some(Matrix::new(2 * columns.len(), false, entry)))
    }

    fn le(&self, other: &Self, space: &Space) -> bool {
        match (self.closed(space), &other.matrix) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(these), Some(those)) => {
                let mut pairs = these.entries.iter().zip(&those.entries);
                pairs.all(|(a, b)| at_most(a, b))
            }
        }
    }

    fn join(&mut self, other: &Self, space: &Space) {
        let Some(mut those) = other.closed(space) else {
            return;
        };
        if let Some(these) = self.closed(space) {
            for (b, a) in those.entries.iter_mut().zip(these.entries) {
                if at_most(b, &a) {
                    *b = a;
                }
            }
        }
        debug_assert!(
            those.is_coherent(),
            "the greater of mirror images are mirror images"
        );
        self.matrix = Some(those);
    }

    fn widen(&mut self, other: &Self, space: &Space) {
        let (Some(these), Some(those)) = (&mut self.matrix, other.closed(space)) else {
            return self.join(other, space);
        };
        let mut moved = false;
        let moves = self.widenings < MOVES;
        for (place, (a, b)) in these.entries.iter_mut().zip(those.entries).enumerate() {
            if at_most(&b, a) {
                continue;
            }
            moved = true;
            let (v, w) = (place / these.size, place % these.size);
            // A bound of a single column is there twice.
            let factor = Rational::from(if w == opposite(v) { 2 } else { 1 });
            let next = |bound: Rational| {
                let bound = space.thresholds().at_least(&(&bound * &factor.recip()))?;
                Some(&bound * &factor)
            };
            *a = b.filter(|_| moves).and_then(next);
        }
        debug_assert!(these.is_coherent(), "widening moves mirror images alike");
        if moved {
            these.is_closed = false;
            self.widenings += 1;
        }
    }

    fn forget(&mut self, space: &Space, position: usize) {
        let column = space.column(position);
        let place = space.related().iter().position(|&x| Some(x) == column);
        let (Some(place), Some(matrix)) = (place, self.closed(space)) else {
            return;
        };
        let entry = |v: usize, w: usize| match v / 2 == place || w / 2 == place {
            true => None,
            false => matrix.at(v, w).clone(),
        };
        self.matrix = Some(Matrix::new(matrix.size, true, entry));
    }

    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term> {
        let Some(matrix) = self.closed(space) else {
            return vec![Term::FALSE];
        };
        let literal = |(v, w, bound): (usize, usize, &Rational)| {
            let mut form = form(space.related(), v, w);
            let mut bound = bound.clone();
            if w == opposite(v) {
                let half = Rational::new(1, 2);
                form.scale(&half);
                bound = &bound * &half;
            }
            let sort = sort_of(t, &form);
            if sort == Sort::INT {
                bound = bound.floor();
            }
            t.le(t.sum_term(&form, sort), t.number(bound, sort))
        };
        matrix.reduced().into_iter().map(literal).collect()
    }
}
