//! Products and quotients of terms, by incremental linearisation \[CGIRS18\].
//!
//! A product is a variable of the simplex and a function of the e-graph. Sums are multiplied out
//! before ([`Terms::multiplied_out`]), so products of the same terms are one term. Where a
//! candidate for a model gives a product another value than its factors have, lemmas about it
//! follow that the values violate:
//!
//! - signs: a product is positive if both factors are;
//! - tangent planes at the values, at ±1, and at bounds of the factors: `(x - a)·(y - b) ≥ 0` where
//!   `x ≥ a` and `y ≥ b`;
//! - monotonicity: `x·y ≤ x·z` where `x ≥ 0` and `y ≤ z`;
//! - squares: `y² - x² ≥ k·(y + x)` where `y - x ≥ k` and `y + x ≥ 0`, and so with `-x` or `-y`;
//! - where a factor has one value left, the product is a linear term;
//! - an equation between factors is multiplied by the other factor: from `x - z = 1` follows
//!   `x·y - z·y = y`. The products that are new here are of factors that occur.
//!
//! Then a factor is decided to have its value, which makes the product linear. A budget bounds the
//! number of candidates, since the theory of integers with products is undecidable.
//!
//! All lemmas are instances of one rule, which the checker of proofs verifies: a product of two
//! inequalities, or of an equation and a factor, and another inequality add up to falsity.
//!
//! DIVERGENCE from \[CGIRS18\]: the paper adds lemmas of one kind only where those before do not
//! suffice. Here all kinds are added at once, and a factor is decided to have its value, which
//! finds models that lemmas alone would not. The paper multiplies no equations.
//!
//! Missing: intervals that follow from those of factors; products that are too long to be
//! multiplied out.
//!
//! Quotients and remainders by terms have definitions over the product of divisor and quotient. By
//! 0 they are functions of the dividend, about which nothing is known.

use super::demand::Valued;
use super::encoder::Encoding;
use super::literal::Lit;
use super::proof::Justification;
use super::search::Search;
use super::simplex::{ArithVar, Side};
use crate::number::Rational;
use crate::smt::Failure;
use crate::term::{Op, Sort, Term, TermSet, Terms};
use crate::work;

/// A product is compared with at most this many products that share a factor with it. The value was
/// not tuned.
const COMPARED: usize = 8;

/// The search gives up where a value has more bits than this. The value was not tuned.
const MOST_BITS: u64 = 1 << 12;

/// Bounds with more bits than this are no points of planes. The value was not tuned.
const LONGEST_POINT: u64 = 1 << 8;

/// Equations between more factors are not multiplied. The value was not tuned.
const LONGEST_EQUATION: usize = 3;

/// Values of real factors with longer denominators are rounded to multiples of `2^-16` before
/// planes touch there: each plane would make the next values longer. The value was not tuned.
const FRACTION_BITS: u32 = 16;

/// A short number near a value.
fn short(value: &Rational) -> Rational {
    if value.is_integer() || Rational::from(value.denom()).bit_length() <= u64::from(FRACTION_BITS)
    {
        return value.clone();
    }
    let scale = Rational::from(2).pow(FRACTION_BITS);
    &(value * &scale).floor() / &scale
}

/// `Σ coefficient·term + constant`.
type Parts = (Vec<(Term, Rational)>, Rational);

impl Search<'_> {
    /// Adds lemmas about products whose values are wrong in a candidate, and wants a factor of each
    /// to be decided. `right` are other products.
    ///
    /// # Errors
    /// The budget is used up.
    pub(super) fn linearize(&mut self, wrong: &[Valued], right: &[Valued]) -> Result<(), Failure> {
        self.spend_candidate()?;
        let equations = self.equations_between_factors(wrong, right);
        for valued in wrong {
            let near = [0, 1].map(|i| short(&valued.at[i]));
            if valued.value.bit_length().max(valued.right().bit_length()) > MOST_BITS {
                let why = "the values of products are too long";
                return Err(Failure::Incomplete(why.to_owned()));
            }
            let literals = self.encoding().values_of_factors(valued, &near);
            let is_true = |l: &Lit| self.sat.value(*l) == Some(true);
            let fixed = literals.iter().position(|pair| pair.iter().all(is_true));
            let (lemmas, premises) = match fixed {
                Some(which) => {
                    let (value, fixed) = (&near[which], literals[which]);
                    (
                        self.encoding().fixed(valued, which, value, fixed),
                        Vec::new(),
                    )
                }
                None => self.violated(valued, &near, &equations, [wrong, right]),
            };
            self.encoding().finish();
            for mut clause in lemmas {
                clause.sort_unstable();
                clause.dedup();
                let rule = Justification::Product(valued.product);
                let step = self.sat.log.input(&clause, rule);
                self.sat.add_lemma(clause, step);
            }
            if fixed.is_none() {
                let which = self.simplest(valued);
                for literal in literals[which].into_iter().chain(premises) {
                    self.branch(literal);
                }
            }
        }
        Ok(())
    }

    /// Lemmas about a product that the values violate, and those premises of lemmas that are to be
    /// decided. A lemma about squares has premises about sums that nothing else may be said of, and
    /// learned clauses ask for no decision.
    fn violated(
        &mut self,
        valued: &Valued,
        near: &[Rational; 2],
        equations: &[Parts],
        [wrong, right]: [&[Valued]; 2],
    ) -> (Vec<Vec<Lit>>, Vec<Lit>) {
        let t = self.t;
        let all = || wrong.iter().chain(right);
        let sharing = all().filter(|other| shared_factor(valued, other).is_some());
        let others: Vec<Valued> = sharing.take(COMPARED).cloned().collect();
        // The sums of factors from both sides of a partition would belong to neither.
        let may_mix = !self.encoder.is_partitioned();
        let squares = all().filter(|other| may_mix && are_squares(t, valued, other));
        let points = valued.factors.map(|factor| self.points_of(factor));
        let multiples = multiples(t, valued, equations, wrong, right);
        let mut encoding = self.encoding();
        let mut lemmas = encoding.lemmas(valued, &others, &points, near);
        let mut premises = Vec::new();
        for square in squares.take(COMPARED) {
            for lemma in encoding.square_lemmas(t, valued, square) {
                let [first, second, _] = lemma;
                premises.extend([!first, !second]);
                lemmas.push(lemma.to_vec());
            }
        }
        for (equation, by) in multiples {
            lemmas.extend(encoding.multiplied(t, equation, by));
        }
        (lemmas, premises)
    }

    /// A quotient or remainder by a term that is 0 has another value than `expected`: wants the
    /// term not to be 0, or else the value to be that.
    ///
    /// # Errors
    /// Neither is possible, or the budget is used up. Another value is right, too, but no model can
    /// say it.
    pub(super) fn divide(&mut self, quotient: Term, expected: Term) -> Result<(), Failure> {
        let divisor = self.t.args(quotient)[1];
        let zero = self.t.number(Rational::zero(), self.t.sort_of(divisor));
        let is_zero = self.encoding().equal(divisor, zero);
        let is_expected = self.encoding().equal(quotient, expected);
        self.encoding().finish();
        for wanted in [!is_zero, is_expected] {
            match self.sat.value(wanted) {
                None => self.branch(wanted),
                // A decision may be taken back.
                Some(false) if self.sat.level_of(wanted.var()) > self.sat.assumed_levels => {
                    self.restart();
                    self.branch(wanted);
                }
                Some(_) => continue,
            }
            return self.spend_candidate();
        }
        let why = "a quotient by zero has a value that evaluation does not give it";
        Err(Failure::Incomplete(why.to_owned()))
    }

    /// Counts a candidate whose products or quotients are wrong.
    fn spend_candidate(&mut self) -> Result<(), Failure> {
        self.linearized += 1;
        if self.linearized > self.budget.products {
            let why = "the limit on values of products is reached";
            return Err(Failure::Incomplete(why.to_owned()));
        }
        Ok(())
    }

    /// Where tangent planes are tried: at ±1 and at the bounds that a factor has now.
    fn points_of(&self, factor: Term) -> Vec<Rational> {
        let inner = match self.t.op(factor) {
            Op::ToReal => self.t.args(factor)[0],
            _ => factor,
        };
        let mut points = vec![Rational::one(), Rational::from(-1)];
        if let Some(var) = self.encoder.arith_var(inner) {
            let bounds = [Side::Lower, Side::Upper].map(|side| self.arith.simplex.bound(var, side));
            points.extend(
                bounds
                    .into_iter()
                    .flatten()
                    .map(|bound| bound.value.real.clone()),
            );
        }
        points.retain(|point| point.bit_length() <= LONGEST_POINT);
        points.sort_unstable();
        points.dedup();
        points
    }

    /// The equations between few factors that the bounds of forms say now.
    fn equations_between_factors(&self, wrong: &[Valued], right: &[Valued]) -> Vec<Parts> {
        // The products of factors from both sides of a partition would belong to neither.
        if self.encoder.is_partitioned() {
            return Vec::new();
        }
        let products = wrong.iter().chain(right);
        let factors: TermSet = products.flat_map(|valued| valued.factors).collect();
        let mut found = Vec::new();
        for (form, var) in self.encoder.short_forms(LONGEST_EQUATION) {
            work::spend(1);
            let bound = |side| self.arith.simplex.bound(var, side);
            let (Some(lower), Some(upper)) = (bound(Side::Lower), bound(Side::Upper)) else {
                continue;
            };
            if lower.value != upper.value {
                continue;
            }
            let factor = |(x, c): &(ArithVar, Rational)| {
                let term = self.encoder.arith_term(*x)?;
                factors.contains(&term).then(|| (term, c.clone()))
            };
            if let Some(parts) = form.iter().map(factor).collect() {
                found.push((parts, -&lower.value.real));
            }
        }
        found
    }

    /// The factor whose value is tried: an integer, with the shorter value.
    fn simplest(&self, valued: &Valued) -> usize {
        let weight = |i: usize| {
            let is_real = self.t.sort_of(valued.factors[i]) != Sort::INT;
            (is_real, valued.at[i].bit_length())
        };
        usize::from(weight(1) < weight(0))
    }
}

/// The equations that have a factor of this product, each with the other factor, as far as the
/// values do not satisfy what follows from multiplying them.
fn multiples<'e>(
    t: &Terms,
    valued: &Valued,
    equations: &'e [Parts],
    wrong: &[Valued],
    right: &[Valued],
) -> Vec<(&'e Parts, Term)> {
    let value_of = |product: Term| {
        let mut all = wrong.iter().chain(right);
        Some(&all.find(|other| other.product == product)?.value)
    };
    let mut found = Vec::new();
    for equation in equations {
        let (terms, constant) = equation;
        for i in [0, 1] {
            let (factor, by) = (valued.factors[i], valued.factors[1 - i]);
            let has_factor = terms.iter().any(|(x, _)| *x == factor);
            let multiple = || {
                let rest = constant * &valued.at[1 - i];
                terms.iter().try_fold(rest, |sum, (x, c)| {
                    Some(&sum + &(c * value_of(product_of(t, *x, by))?))
                })
            };
            if has_factor && multiple().is_none_or(|value| !value.is_zero()) {
                found.push((equation, by));
            }
        }
    }
    found
}

/// The product of two numbers; of an integer and a real it is real.
fn product_of(t: &Terms, x: Term, y: Term) -> Term {
    match t.sort_of(x) == t.sort_of(y) {
        true => t.mul([x, y]),
        false => t.mul([t.to_real(x), t.to_real(y)]),
    }
}

/// The places of a factor that two products share, if they are not the same product.
fn shared_factor(a: &Valued, b: &Valued) -> Option<(usize, usize)> {
    let places = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let shares = |&(i, j): &(usize, usize)| a.factors[i] == b.factors[j];
    places
        .into_iter()
        .find(shares)
        .filter(|_| a.product != b.product)
}

/// Are both products squares, of different terms of one sort?
fn are_squares(t: &Terms, a: &Valued, b: &Valued) -> bool {
    let is_square = |valued: &Valued| valued.factors[0] == valued.factors[1];
    is_square(a) && is_square(b) && {
        let ([x, _], [y, _]) = (a.factors, b.factors);
        x != y && t.sort_of(x) == t.sort_of(y)
    }
}

impl Encoding<'_, '_> {
    /// The literal `sum ≤ 0`, or `sum < 0` if strict.
    fn at_most(&mut self, (terms, constant): Parts, strict: bool) -> Lit {
        let mut sum = self.sum_of(terms);
        sum.add_constant(&constant);
        self.at_most_zero(&sum, strict)
    }

    /// The literal `sign·(term - value) ≤ 0`, or `< 0` if strict.
    fn beyond(&mut self, term: Term, value: &Rational, sign: i64, strict: bool) -> Lit {
        let sign = Rational::from(sign);
        let constant = -(&sign * value);
        self.at_most((vec![(term, sign)], constant), strict)
    }

    /// For each factor the two literals that say together that it has a value.
    fn values_of_factors(&mut self, valued: &Valued, near: &[Rational; 2]) -> [[Lit; 2]; 2] {
        [0, 1].map(|i| {
            let (factor, value) = (valued.factors[i], &near[i]);
            [1, -1].map(|sign| self.beyond(factor, value, sign, false))
        })
    }

    /// Where a factor has one value, the product is that times the other factor. Both literals of
    /// `fixed` say so.
    fn fixed(
        &mut self,
        valued: &Valued,
        which: usize,
        value: &Rational,
        fixed: [Lit; 2],
    ) -> Vec<Vec<Lit>> {
        let other = valued.factors[1 - which];
        let side = |sign: i64| {
            let sign = Rational::from(sign);
            let by = -(&sign * value);
            (vec![(valued.product, sign), (other, by)], Rational::zero())
        };
        [1, -1]
            .map(|sign| vec![!fixed[0], !fixed[1], self.at_most(side(sign), false)])
            .to_vec()
    }

    /// Where a sum is 0, so is its multiple by a factor.
    fn multiplied(&mut self, t: &Terms, (terms, constant): &Parts, by: Term) -> Vec<Vec<Lit>> {
        let scaled = |sign: i64, by: Option<Term>| {
            let sign = Rational::from(sign);
            let times = |x: Term| by.map_or(x, |by| product_of(t, x, by));
            let mut parts: Vec<(Term, Rational)> =
                terms.iter().map(|(x, c)| (times(*x), c * &sign)).collect();
            let constant = constant * &sign;
            match by {
                Some(by) => {
                    parts.push((by, constant));
                    (parts, Rational::zero())
                }
                None => (parts, constant),
            }
        };
        let premises = [1, -1].map(|sign| !self.at_most(scaled(sign, None), false));
        [1, -1]
            .map(|sign| {
                let conclusion = self.at_most(scaled(sign, Some(by)), false);
                vec![premises[0], premises[1], conclusion]
            })
            .to_vec()
    }

    /// Lemmas that the values violate.
    fn lemmas(
        &mut self,
        valued: &Valued,
        others: &[Valued],
        points: &[Vec<Rational>; 2],
        near: &[Rational; 2],
    ) -> Vec<Vec<Lit>> {
        let mut lemmas = Vec::new();
        lemmas.extend(self.sign_lemma(valued));
        for other in others {
            lemmas.extend(self.order_lemma(valued, other));
        }
        for a in &points[0] {
            for b in &points[1] {
                lemmas.extend(self.tangents(valued, a, b));
            }
        }
        lemmas.extend(self.tangents(valued, &near[0], &near[1]));
        lemmas.extend(self.secant(valued, &near[0]));
        lemmas
    }

    /// The sign of a product of factors that are not 0, or that a product with 0 is 0.
    fn sign_lemma(&mut self, valued: &Valued) -> Vec<Vec<Lit>> {
        let signs = [0, 1].map(|i| i64::from(valued.at[i].signum()));
        if signs[0] * signs[1] == i64::from(valued.value.signum()) {
            return Vec::new();
        }
        let zero = Rational::zero();
        if let Some(which) = signs.iter().position(|&sign| sign == 0) {
            let fixed = [1, -1].map(|s| self.beyond(valued.factors[which], &zero, s, false));
            return self.fixed(valued, which, &zero, fixed);
        }
        let mut clause: Vec<Lit> = [0, 1]
            .map(|i| self.beyond(valued.factors[i], &zero, signs[i], false))
            .to_vec();
        clause.push(self.beyond(valued.product, &zero, -signs[0] * signs[1], true));
        vec![clause]
    }

    /// The tangent planes at a point, as far as the values violate them.
    fn tangents(&mut self, valued: &Valued, a: &Rational, b: &Rational) -> Vec<Vec<Lit>> {
        let [x, y] = valued.factors;
        let plane = &(&(b * &valued.at[0]) + &(a * &valued.at[1])) - &(a * b);
        // The product is at least the plane, or at most, where (x - a)·(y - b) has that sign.
        let sign = match valued.value.cmp(&plane) {
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Greater => -1,
            std::cmp::Ordering::Equal => return Vec::new(),
        };
        let by = |c: &Rational| c * &Rational::from(sign);
        let terms = vec![
            (valued.product, by(&Rational::from(-1))),
            (x, by(b)),
            (y, by(a)),
        ];
        let conclusion = self.at_most((terms, -by(&(a * b))), false);
        let mut lemmas = Vec::new();
        for side in [1, -1] {
            // The values are on this side of the point, or on it.
            let is_here = |value: &Rational, at: &Rational, side: i64| {
                i64::from((value - at).signum()) * side >= 0
            };
            if is_here(&valued.at[0], a, side) && is_here(&valued.at[1], b, side * sign) {
                let premises = [
                    self.beyond(x, a, side, true),
                    self.beyond(y, b, side * sign, true),
                ];
                lemmas.push(vec![premises[0], premises[1], conclusion]);
            }
        }
        lemmas
    }

    /// A square is at most its secant between 0 and a point, and there alone, as far as the values
    /// violate that.
    fn secant(&mut self, valued: &Valued, point: &Rational) -> Option<Vec<Lit>> {
        let [x, y] = valued.factors;
        let is_violated = valued.value > point * &valued.at[0];
        if x != y || point.is_zero() || !is_violated {
            return None;
        }
        let side = i64::from(point.signum());
        let terms = vec![(valued.product, Rational::one()), (x, -point)];
        let premises = [
            self.beyond(x, &Rational::zero(), side, true),
            self.beyond(x, point, -side, true),
        ];
        let conclusion = self.at_most((terms, Rational::zero()), false);
        Some(vec![premises[0], premises[1], conclusion])
    }

    /// Products that share a factor are ordered like the others, or the other way round where it is
    /// negative.
    fn order_lemma(&mut self, valued: &Valued, other: &Valued) -> Option<Vec<Lit>> {
        let (i, j) = shared_factor(valued, other)?;
        let (y, z) = (valued.factors[1 - i], other.factors[1 - j]);
        let of_factor = i64::from(valued.at[i].signum());
        let of_products = i64::from((&valued.value - &other.value).signum()) * of_factor;
        let of_others = i64::from((&valued.at[1 - i] - &other.at[1 - j]).signum());
        if of_products == 0 || of_products == of_others {
            return None;
        }
        let difference = |a: Term, b: Term, sign: i64| {
            let sign = Rational::from(sign);
            (vec![(a, sign.clone()), (b, -sign)], Rational::zero())
        };
        let products = difference(valued.product, other.product, of_products * of_factor);
        Some(vec![
            self.beyond(valued.factors[i], &Rational::zero(), of_factor, true),
            self.at_most(difference(y, z, -of_products), true),
            self.at_most(products, false),
        ])
    }

    /// What the difference of two squares is at least or at most, as far as the values violate it.
    /// There are lemmas only about squares whose values are in the wrong order. Tried: with lemmas
    /// about all squares a product of two loops in C needs twice the ticks.
    ///
    /// With the signs for which `d = ±y - ±x` and `s = ±y + ±x` have values that are not negative,
    /// `y² - x² = d·s`. So it is at least `k·s` where `d ≥ k` and `s ≥ 0`, and at most that where
    /// `d ≤ k` and `s ≥ 0`. Here `k` is 0 or, for integers, 1.
    ///
    /// The first two literals of a lemma are the premises, negated.
    fn square_lemmas(&mut self, t: &Terms, a: &Valued, b: &Valued) -> Vec<[Lit; 3]> {
        let is_less = a.at[0].abs() <= b.at[0].abs();
        let (small, large) = if is_less { (a, b) } else { (b, a) };
        let sign =
            |valued: &Valued| Rational::from(if valued.at[0].is_negative() { -1 } else { 1 });
        let size = |valued: &Valued| valued.at[0].abs();
        let (d, s) = (&size(large) - &size(small), &size(large) + &size(small));
        let difference = &large.value - &small.value;
        if difference.signum() == d.signum() {
            return Vec::new();
        }
        let is_integral = t.sort_of(large.factors[0]) == Sort::INT;
        let ks = [Rational::zero(), Rational::one()].into_iter();
        let mut lemmas = Vec::new();
        for k in ks.take(1 + usize::from(is_integral)) {
            // `side·(d - k) ≥ 0` is to imply `side·(y² - x² - k·s) ≥ 0`.
            let side = -Rational::from(i64::from((&difference - &(&k * &s)).signum()));
            if side.is_zero() || (&(&d - &k) * &side).is_negative() {
                continue;
            }
            let (y, x) = (large.factors[0], small.factors[0]);
            let (of_y, of_x) = (&side * &sign(large), &side * &sign(small));
            let fails = (vec![(y, of_y.clone()), (x, -&of_x)], -(&side * &k));
            let is_negative = (vec![(y, sign(large)), (x, sign(small))], Rational::zero());
            let conclusion = vec![
                (small.product, side.clone()),
                (large.product, -&side),
                (y, &k * &of_y),
                (x, &k * &of_x),
            ];
            lemmas.push([
                self.at_most(fails, true),
                self.at_most(is_negative, true),
                self.at_most((conclusion, Rational::zero()), false),
            ]);
        }
        lemmas
    }
}
