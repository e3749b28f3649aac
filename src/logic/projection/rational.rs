//! Elimination of a real variable: virtual substitution \[LW93\] with one test point, chosen by the
//! model as in \[KGC14\].

use super::Projection;
use crate::logic::literal::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term};

/// `bound < var` or `bound ≤ var`, or the same with `var` on the left, by the list it is in.
struct Bound {
    bound: LinearSum,
    strict: bool,
    value: Rational,
}

impl Projection<'_, '_> {
    /// Eliminates a real variable that occurs in inequalities only.
    pub(super) fn eliminate_rational(&mut self, var: Term) {
        let literals = self.take_linear(var);
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for mut literal in literals {
            // a·var + s ⋈ 0  is  var ⋈ -s/a for a > 0, turned round for a < 0.
            let a = literal.sum.remove(var);
            let side = if a.is_positive() {
                &mut upper
            } else {
                &mut lower
            };
            literal.sum.scale(&-a.recip());
            side.push(Bound {
                value: self.sum_value(&literal.sum),
                strict: literal.relation == Relation::Lt,
                bound: literal.sum,
            });
        }
        if lower.is_empty() || upper.is_empty() {
            return;
        }
        // The test point is the tightest bound of the shorter side, or infinitesimally beyond it if
        // that bound is strict.
        let below = lower.len() <= upper.len();
        let (near, far) = if below {
            (lower, upper)
        } else {
            (upper, lower)
        };
        let sign = Rational::from(if below { 1 } else { -1 });
        let tightest = (0..near.len())
            .max_by_key(|&i| (&near[i].value * &sign, near[i].strict))
            .expect("the side is not empty");
        let beyond = near[tightest].strict;
        for (i, other) in near.iter().enumerate() {
            if i != tightest {
                // At the point itself a strict bound needs a strict distance; beyond it none does.
                let strict = other.strict && !beyond;
                self.compare(below, &other.bound, &near[tightest].bound, strict);
            }
        }
        for other in &far {
            let strict = other.strict || beyond;
            self.compare(below, &near[tightest].bound, &other.bound, strict);
        }
    }

    /// Adds `x ≤ y` or `x < y`, or the converse where `upwards` is false.
    fn compare(&mut self, upwards: bool, x: &LinearSum, y: &LinearSum, strict: bool) {
        let (x, y) = if upwards { (x, y) } else { (y, x) };
        let mut sum = x.clone();
        sum.add_scaled(&Rational::from(-1), y);
        self.add_linear(LinearLiteral {
            sum,
            relation: if strict { Relation::Lt } else { Relation::Le },
            sort: Sort::REAL,
        });
    }
}
