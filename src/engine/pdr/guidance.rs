//! Global guidance \[VCSG20\]: patterns in the lemmas and obligations of a predicate.
//!
//! Generalisation sees one cube at a time, so it may for ever make lemmas that differ in numbers
//! only. Here families of such lemmas are recognised, with one of three results, named as the
//! paper's rules:
//!
//! - *subsume*: if the constants of lemmas `⋁ sᵢ + cᵢ > 0` lie on a line `cᵢ = pᵢ + t·dᵢ`, one
//!   lemma for all `t` replaces them. The variable `t` is eliminated.
//! - *conjecture*: if the cubes differ only in bounds that move one way, the cube without these
//!   bounds becomes a may-obligation, with gas for its work.
//! - *concretise*: if obligations relate the same variables by ever new coefficients, the next
//!   obligations bound each of the variables by its value in the model instead.
//!
//! Tried: two tasks of CHC-COMP 2025 that took more than 20 s take 0.2 s with guidance.
//!
//! DIVERGENCE: the paper clusters by anti-unification and takes the convex closure of a whole
//! cluster. Here cubes form a family if their left sides are equal, and the last three of them must
//! lie on a line. This takes constant time, and suffices for the families that counters make.

use crate::chc::PredId;
use crate::logic::{LinearLiteral, Relation, Valuation};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Three cubes make a family: two differences are needed to see a direction. The value is the
/// least that works, and was not tuned.
const FAMILY: usize = 3;
/// Coefficients diverge when 4 different vectors of them were met for the same terms. The value was
/// not tuned.
const COEFFICIENTS: usize = 4;

/// The lemmas and coefficients seen in a run.
#[derive(Default)]
pub(super) struct Guidance {
    /// The last constants, by predicate and shape of the cube.
    clusters: FxHashMap<(PredId, Shape), Vec<Vec<Rational>>>,
    /// The coefficients seen, by predicate and terms of the sum.
    coefficients: FxHashMap<(PredId, Vec<Term>), FxHashSet<Vec<Rational>>>,
}

/// A cube without the constants of its inequalities.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Shape {
    inequalities: Vec<ShapeInequality>,
    others: Vec<Term>,
}

/// An inequality `sum ⋈ -c` without its constant `c`; the coefficients are coprime integers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct ShapeInequality {
    sum: LinearSum,
    relation: Relation,
    sort: Sort,
}

impl ShapeInequality {
    fn with_constant(&self, constant: Rational) -> LinearLiteral {
        LinearLiteral {
            sum: LinearSum {
                terms: self.sum.terms.clone(),
                constant,
            },
            relation: self.relation.clone(),
            sort: self.sort,
        }
    }
}

/// The advice from the family of a new lemma.
#[derive(Debug, Default)]
pub(super) struct Advice {
    /// Cubes that contain all cubes of the family, the weakest first. If one is blocked, its lemma
    /// subsumes the others.
    pub(super) subsume: Vec<Vec<Term>>,
    /// The common part of the family's cubes, if their other bounds move one way.
    pub(super) conjecture: Option<Vec<Term>>,
}

impl Guidance {
    /// Adds the cube of a lemma to its family, and answers the advice that the family gives.
    pub(super) fn lemma(&mut self, t: &Terms, pred: PredId, cube: &[Term]) -> Advice {
        let (shape, constants) = Shape::of_cube(t, cube);
        if shape.inequalities.is_empty() {
            return Advice::default();
        }
        let cluster = self.clusters.entry((pred, shape.clone())).or_default();
        if cluster.contains(&constants) {
            return Advice::default();
        }
        cluster.push(constants);
        if cluster.len() < FAMILY {
            return Advice::default();
        }
        let points: [Vec<Rational>; FAMILY] = std::array::from_fn(|i| cluster[i].clone());
        cluster.remove(0);
        match direction(&points) {
            Some(line) => shape.advice(t, &points, &line),
            None => Advice::default(),
        }
    }

    /// The cube of a new obligation, true under `valuation`, with bounds on single terms in place
    /// of inequalities whose coefficients diverge. The result implies the cube and is true under
    /// the valuation.
    pub(super) fn concretise(
        &mut self,
        t: &Terms,
        pred: PredId,
        cube: Vec<Term>,
        valuation: &mut Valuation<'_>,
    ) -> Vec<Term> {
        let mut result = Vec::with_capacity(cube.len());
        for literal in cube {
            match self.diverging(t, pred, literal) {
                None => result.push(literal),
                Some(linear) => result.extend(bounds_of_terms(t, &linear, valuation)),
            }
        }
        result
    }

    /// The literal as an inequality, if its coefficients diverge.
    fn diverging(&mut self, t: &Terms, pred: PredId, literal: Term) -> Option<LinearLiteral> {
        let linear = LinearLiteral::of_term(t, literal)?;
        if !is_inequality(&linear) || linear.sum.terms.len() < 2 {
            return None;
        }
        let factor = linear.sum.normalizer();
        let coefficients = linear.sum.terms.iter().map(|(_, c)| &factor * c).collect();
        let terms = linear.sum.terms.iter().map(|&(x, _)| x).collect();
        let met = self.coefficients.entry((pred, terms)).or_default();
        if met.len() < COEFFICIENTS {
            met.insert(coefficients);
            return None;
        }
        (!met.contains(&coefficients)).then_some(linear)
    }
}

fn is_inequality(literal: &LinearLiteral) -> bool {
    matches!(literal.relation, Relation::Le | Relation::Lt)
}

/// Bounds on each `xᵢ` that imply `Σ aᵢ·xᵢ + c ≤ 0`: its value in the model, from above if `aᵢ` is
/// positive, otherwise from below.
fn bounds_of_terms(t: &Terms, linear: &LinearLiteral, valuation: &mut Valuation<'_>) -> Vec<Term> {
    let bound = |(x, a): &(Term, Rational)| {
        let sign = Rational::from(if a.is_positive() { 1 } else { -1 });
        let value = valuation.number(*x);
        let literal = LinearLiteral {
            sum: LinearSum {
                terms: vec![(*x, sign.clone())],
                constant: -&(&sign * &value),
            },
            relation: Relation::Le,
            sort: t.sort_of(*x),
        };
        literal.to_term(t)
    };
    linear.sum.terms.iter().map(bound).collect()
}

/// The change of each constant from one point to the next, if the points lie on a line: the second
/// difference is a positive multiple of the first.
fn direction(points: &[Vec<Rational>; FAMILY]) -> Option<Vec<Rational>> {
    let difference = |a: &[Rational], b: &[Rational]| -> Vec<Rational> {
        a.iter().zip(b).map(|(x, y)| y - x).collect()
    };
    let first = difference(&points[0], &points[1]);
    let second = difference(&points[1], &points[2]);
    let lead = first.iter().position(|d| !d.is_zero())?;
    let ratio = &second[lead] * &first[lead].recip();
    let on_line = first.iter().zip(&second).all(|(a, b)| &ratio * a == *b);
    (on_line && ratio.is_positive()).then_some(first)
}

impl Shape {
    /// A cube as its shape and the constants `c` of its inequalities `sum + c ⋈ 0`.
    fn of_cube(t: &Terms, cube: &[Term]) -> (Shape, Vec<Rational>) {
        let mut inequalities = Vec::new();
        let mut others = Vec::new();
        for &literal in cube {
            match LinearLiteral::of_term(t, literal).filter(is_inequality) {
                Some(mut linear) => {
                    let factor = linear.sum.normalizer();
                    linear.sum.scale(&factor);
                    let constant = std::mem::take(&mut linear.sum.constant);
                    let inequality = ShapeInequality {
                        sum: linear.sum,
                        relation: linear.relation,
                        sort: linear.sort,
                    };
                    inequalities.push((inequality, constant));
                }
                None => others.push(literal),
            }
        }
        inequalities.sort_by(|(a, _), (b, _)| {
            let key = |i: &ShapeInequality| i.sum.terms.clone();
            key(a).cmp(&key(b))
        });
        others.sort_unstable();
        let (inequalities, constants) = inequalities.into_iter().unzip();
        let shape = Shape {
            inequalities,
            others,
        };
        (shape, constants)
    }

    /// The advice of a family whose points lie on a line.
    fn advice(&self, t: &Terms, points: &[Vec<Rational>; FAMILY], line: &[Rational]) -> Advice {
        let first = &points[0];
        let literal =
            |i: usize, c: &Rational| self.inequalities[i].with_constant(c.clone()).to_term(t);
        let all = 0..self.inequalities.len();
        let (moving, still): (Vec<usize>, Vec<usize>) = all.partition(|&i| !line[i].is_zero());
        let mut common = self.others.clone();
        common.extend(still.iter().map(|&i| literal(i, &first[i])));
        let (up, down): (Vec<usize>, Vec<usize>) =
            moving.iter().partition(|&&i| line[i].is_positive());
        if up.is_empty() || down.is_empty() {
            // All bounds move one way: the cubes without them are equal.
            return Advice {
                subsume: Vec::new(),
                conjecture: (!common.is_empty()).then_some(common),
            };
        }
        // ∃t. ⋀ sᵢ + pᵢ + t·dᵢ ≤ 0, by adding up each pair of an upper and a lower bound on t.
        let mut whole = common.clone();
        for &i in &up {
            for &j in &down {
                let mut sum = self.inequalities[i].with_constant(first[i].clone());
                let other = self.inequalities[j].with_constant(first[j].clone());
                sum.sum.scale(&-&line[j]);
                sum.sum.add_scaled(&line[i], &other.sum);
                if other.relation == Relation::Lt {
                    sum.relation = Relation::Lt;
                }
                if other.sort == Sort::REAL {
                    sum.sort = Sort::REAL;
                }
                whole.push(sum.to_term(t));
            }
        }
        // The same for t ≥ 0: from the first cube of the family on.
        let mut onwards = whole.clone();
        onwards.extend(up.iter().map(|&i| literal(i, &first[i])));
        let sensible = |cube: &Vec<Term>| !cube.contains(&Term::FALSE);
        let mut subsume = vec![whole, onwards];
        for cube in &mut subsume {
            cube.retain(|&l| l != Term::TRUE);
            cube.sort_unstable();
            cube.dedup();
        }
        subsume.retain(|cube| sensible(cube) && !cube.is_empty());
        Advice {
            subsume,
            conjecture: None,
        }
    }
}
