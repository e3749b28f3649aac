//! Polyhedral cones in double description \[MRTT53\].
//!
//! A cone is described twice: by inequalities `row · x ≥ 0` and equations `row · x = 0`, and by
//! rays and lines whose non-negative combinations are the cone. The two descriptions are dual: an
//! inequality is a ray of the polar cone. So one step, Chernikova's \[Che68\], does both: it cuts
//! the cone by a new inequality, and it extends the cone by a new ray.

use crate::number::Rational;
use crate::work;

/// A description has at most 128 rows beside its lines: the rows that another one saturates are a
/// word of this number of bits. The value was not tuned.
const MOST_ROWS: usize = 128;
/// The coordinates of rows have at most 48 bits. The value was not tuned.
const MOST_BITS: u64 = 48;

/// A vector of coprime integers.
pub(in crate::absint) type Row = Vec<Rational>;

/// A description would be larger than the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::absint) struct TooLarge;

/// One of the two descriptions: the cone that these vectors make.
#[derive(Clone, Debug, Default)]
pub(in crate::absint) struct Rows {
    /// Vectors that count with any factor: lines, or the equations of the dual. They are
    /// independent.
    pub(in crate::absint) lines: Vec<Row>,
    /// Vectors that count with a factor of at least 0: rays, or the inequalities of the dual.
    pub(in crate::absint) rays: Vec<Row>,
}

/// A cone.
///
/// Invariant: each description is minimal, and the two are dual.
#[derive(Clone, Debug)]
pub(in crate::absint) struct Cone {
    pub(in crate::absint) constraints: Rows,
    pub(in crate::absint) generators: Rows,
}

/// The scalar product.
pub(in crate::absint) fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    let mut sum = Rational::zero();
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum.add_mul(x, y);
        }
    }
    sum
}

/// Makes the coordinates coprime integers without changing the direction.
fn normalise(row: &mut Row) {
    let mut numerators = Rational::zero();
    let mut denominators = Rational::one();
    for c in row.iter().filter(|c| !c.is_zero()) {
        numerators = numerators.gcd(&Rational::from(c.numer()));
        denominators = denominators.lcm(&Rational::from(c.denom()));
    }
    if numerators.is_zero() || numerators.is_one() && denominators.is_one() {
        return;
    }
    let factor = &denominators / &numerators;
    row.iter_mut().for_each(|c| *c *= &factor);
}

/// `a · x + b · y`, with coprime integer coordinates.
fn combine(a: &Rational, x: &[Rational], b: &Rational, y: &[Rational]) -> Row {
    let sum = |(x, y): (&Rational, &Rational)| {
        let mut sum = a * x;
        sum.add_mul(b, y);
        sum
    };
    let mut row: Row = x.iter().zip(y).map(sum).collect();
    normalise(&mut row);
    row
}

fn is_zero(row: &[Rational]) -> bool {
    row.iter().all(Rational::is_zero)
}

impl Rows {
    /// The vectors of the standard basis as lines: the whole space.
    fn whole(dimension: usize) -> Self {
        let unit = |i: usize| {
            let coordinate = |j| Rational::from(i64::from(i == j));
            (0..dimension).map(coordinate).collect()
        };
        Rows {
            lines: (0..dimension).map(unit).collect(),
            rays: Vec::new(),
        }
    }

    fn check(&self) -> Result<(), TooLarge> {
        let is_small = |row: &Row| row.iter().all(|c| c.bit_length() <= MOST_BITS);
        let rows = || self.rays.iter().chain(&self.lines);
        match self.rays.len() <= MOST_ROWS && rows().all(is_small) {
            true => Ok(()),
            false => Err(TooLarge),
        }
    }

    /// For each ray the rays of the dual that it is orthogonal to, as bits.
    fn saturated(&self, dual: &Rows) -> Vec<u128> {
        let width = self.rays.first().map_or(0, Vec::len);
        work::spend_on(self.rays.len() * dual.rays.len() * width / 4);
        let bits = |ray: &Row| {
            let bit = |(i, other): (usize, &Row)| u128::from(dot(ray, other).is_zero()) << i;
            dual.rays.iter().enumerate().map(bit).sum()
        };
        self.rays.iter().map(bits).collect()
    }

    /// Chernikova's step: keeps the part of the cone where `row · x ≥ 0`, or where it is 0. The
    /// dual is the cone's other description, without the row.
    fn cut(&mut self, dual: &Rows, row: &[Rational], is_equation: bool) -> Result<(), TooLarge> {
        let value = |x: &Row| dot(row, x);
        work::spend_on((self.lines.len() + self.rays.len()) * row.len() / 2);
        if let Some(i) = self.lines.iter().position(|l| !value(l).is_zero()) {
            self.cut_line(i, row, is_equation);
            return self.check();
        }
        let values: Vec<Rational> = self.rays.iter().map(value).collect();
        if values.iter().all(|v| !v.is_negative()) && !is_equation {
            return Ok(());
        }
        let saturated = self.saturated(dual);
        let of_sign = |sign: i32| {
            let places = 0..values.len();
            places
                .filter(|&i| values[i].signum() == sign)
                .collect::<Vec<usize>>()
        };
        let (above, below) = (of_sign(1), of_sign(-1));
        work::spend_on(above.len() * below.len() * (1 + self.rays.len() / 4));
        let mut rays = Vec::new();
        for &i in &above {
            for &j in &below {
                let both = saturated[i] & saturated[j];
                // No other ray is on the least face with both.
                let is_between = |(k, s): (usize, &u128)| k != i && k != j && both & s == both;
                if !saturated.iter().enumerate().any(is_between) {
                    let factor = -&values[j];
                    rays.push(combine(&factor, &self.rays[i], &values[i], &self.rays[j]));
                    if rays.len() > MOST_ROWS {
                        return Err(TooLarge);
                    }
                }
            }
        }
        let kept = |i: usize| !(below.contains(&i) || is_equation && above.contains(&i));
        let old = std::mem::take(&mut self.rays).into_iter().enumerate();
        self.rays = old.filter(|(i, _)| kept(*i)).map(|(_, ray)| ray).collect();
        self.rays.extend(rays);
        self.check()
    }

    /// The step where a line is not orthogonal to the row: the other vectors are moved along it.
    fn cut_line(&mut self, i: usize, row: &[Rational], is_equation: bool) {
        let mut line = self.lines.swap_remove(i);
        let mut at_line = dot(row, &line);
        if at_line.is_negative() {
            line.iter_mut().for_each(|c| *c = -&*c);
            at_line = -at_line;
        }
        for x in self.lines.iter_mut().chain(&mut self.rays) {
            let at_x = dot(row, x);
            if !at_x.is_zero() {
                *x = combine(&at_line, x, &-at_x, &line);
            }
        }
        if !is_equation {
            self.rays.push(line);
        }
    }

    /// Adds a vector to what makes the cone.
    fn push(&mut self, mut row: Row, is_line: bool) {
        normalise(&mut row);
        match is_line {
            true => self.lines.push(row),
            false => self.rays.push(row),
        }
    }

    /// Removes what is redundant; the dual is minimal.
    fn minimise(&mut self, dual: &Rows) {
        // Rays with opposites in the cone are lines.
        let orthogonal = |ray: &Row| dual.rays.iter().all(|other| dot(ray, other).is_zero());
        work::spend_on(self.rays.len() * (1 + dual.rays.len()));
        let (lines, rays): (Vec<Row>, Vec<Row>) = std::mem::take(&mut self.rays)
            .into_iter()
            .partition(orthogonal);
        self.rays = rays;
        for line in std::mem::take(&mut self.lines).into_iter().chain(lines) {
            let line = self.modulo_lines(line);
            if let Some(pivot) = line.iter().position(|c| !c.is_zero()) {
                for other in &mut self.lines {
                    if !other[pivot].is_zero() {
                        let factor = -&other[pivot];
                        *other = match line[pivot].is_negative() {
                            true => combine(&-&line[pivot], other, &-factor, &line),
                            false => combine(&line[pivot], other, &factor, &line),
                        };
                    }
                }
                self.lines.push(line);
            }
        }
        let mut rays: Vec<Row> = std::mem::take(&mut self.rays)
            .into_iter()
            .map(|ray| self.modulo_lines(ray))
            .collect();
        rays.sort_unstable();
        rays.dedup();
        self.rays = rays;
        let saturated = self.saturated(dual);
        let is_extreme = |s: &u128| !saturated.iter().any(|o| o != s && o & s == *s);
        work::spend_on(saturated.len() * saturated.len() / 8);
        let extreme: Vec<bool> = saturated.iter().map(is_extreme).collect();
        let mut extreme = extreme.into_iter();
        self.rays.retain(|_| extreme.next().expect("one for each"));
    }

    /// A vector that differs by a combination of lines, and is 0 at their first coordinates.
    fn modulo_lines(&self, mut row: Row) -> Row {
        for line in &self.lines {
            let pivot = line
                .iter()
                .position(|c| !c.is_zero())
                .expect("it is a line");
            if !row[pivot].is_zero() {
                let factor = -&row[pivot];
                row = match line[pivot].is_negative() {
                    true => combine(&-&line[pivot], &row, &-factor, line),
                    false => combine(&line[pivot], &row, &factor, line),
                };
            }
        }
        row
    }
}

impl Cone {
    /// The whole space.
    pub(in crate::absint) fn whole(dimension: usize) -> Self {
        Cone {
            constraints: Rows::default(),
            generators: Rows::whole(dimension),
        }
    }

    /// The cone that the vectors make.
    pub(in crate::absint) fn generated(dimension: usize, by: &Rows) -> Result<Self, TooLarge> {
        let mut cone = Cone {
            constraints: Rows::whole(dimension),
            generators: Rows::default(),
        };
        cone.extend(by)?;
        Ok(cone)
    }

    /// Keeps the part that satisfies the constraints.
    pub(in crate::absint) fn cut(&mut self, by: &Rows) -> Result<(), TooLarge> {
        add(&mut self.constraints, &mut self.generators, by)
    }

    /// Becomes the least cone with these vectors.
    pub(in crate::absint) fn extend(&mut self, by: &Rows) -> Result<(), TooLarge> {
        add(&mut self.generators, &mut self.constraints, by)
    }
}

/// Adds vectors to one description, and makes the dual of it again.
fn add(to: &mut Rows, dual: &mut Rows, by: &Rows) -> Result<(), TooLarge> {
    let lines = by.lines.iter().map(|line| (line, true));
    for (row, is_line) in lines.chain(by.rays.iter().map(|ray| (ray, false))) {
        let holds = |x: &Row, also_below: bool| {
            let value = dot(row, x);
            value.is_zero() || !also_below && value.is_positive()
        };
        let is_known = dual.lines.iter().all(|x| holds(x, true))
            && dual.rays.iter().all(|x| holds(x, is_line));
        work::spend_on((dual.lines.len() + dual.rays.len()) * row.len() / 4);
        if is_known || is_zero(row) {
            continue;
        }
        dual.cut(to, row, is_line)?;
        to.push(row.clone(), is_line);
        to.minimise(dual);
        to.check()?;
        debug_assert!(are_dual(to, dual), "generators satisfy the constraints");
    }
    Ok(())
}

/// Does each vector of one description satisfy all of the other: is the product of two rays at
/// least 0, and that with a line 0?
fn are_dual(one: &Rows, other: &Rows) -> bool {
    let vanishes = |a: &Row, b: &Row| dot(a, b).is_zero();
    let of_lines = one.lines.iter().all(|a| {
        let mut all = other.lines.iter().chain(&other.rays);
        all.all(|b| vanishes(a, b))
    });
    let of_rays = one.rays.iter().all(|a| {
        other.lines.iter().all(|b| vanishes(a, b))
            && other.rays.iter().all(|b| !dot(a, b).is_negative())
    });
    of_lines && of_rays
}
