//! Conclusions that can be seen to follow from single premises, or from equations of bit-vectors.
//!
//! Most clauses of large systems are of this kind, and a look at the formulas costs a hundredth of
//! a query.

use super::words::WordEquations;
use crate::number::Rational;
use crate::term::{Op, Sort, Term, TermSet, Terms};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// `form + constant ≤ 0`, or `< 0`. The first coefficient of the form is 1 or -1. Over integers no
/// bound of an integral sum is strict.
struct Bound {
    form: Vec<(Term, Rational)>,
    constant: Rational,
    strict: bool,
}

impl Bound {
    /// Does it follow from another bound of the same form?
    fn follows_from(&self, (constant, strict): &(Rational, bool)) -> bool {
        self.constant < *constant || self.constant == *constant && (*strict || !self.strict)
    }
}

/// The bounds that a formula says together: two of an equation. `None` if it is no comparison of
/// numbers, or one that needs both of two bounds to be false.
fn bounds(t: &Terms, formula: Term) -> Option<Vec<Bound>> {
    let (atom, negated) = match t.op(formula) {
        Op::Not => (t.args(formula)[0], true),
        _ => (formula, false),
    };
    let (x, y) = match (t.op(atom), t.args(atom)) {
        (Op::Le | Op::Lt | Op::Eq, &[x, y]) if t.sort_of(x).is_arith() => (x, y),
        _ => return None,
    };
    let mut difference = t.linear_sum(x);
    difference.add_scaled(&Rational::from(-1), &t.linear_sum(y));
    let is_int = t.sort_of(x) == Sort::INT;
    let bound = |sign: i64, strict: bool| {
        let mut sum = difference.clone();
        sum.scale(&Rational::from(sign));
        let integral = is_int && sum.terms.iter().all(|(_, c)| c.is_integer());
        let strict = match strict && integral && sum.constant.is_integer() {
            true => {
                sum.constant += &Rational::one();
                false
            }
            false => strict,
        };
        if let Some((_, first)) = sum.terms.first() {
            let scale = first.abs().recip();
            sum.scale(&scale);
        }
        Bound {
            form: sum.terms,
            constant: sum.constant,
            strict,
        }
    };
    match (t.op(atom), negated) {
        (Op::Le, false) => Some(vec![bound(1, false)]),
        (Op::Le, true) => Some(vec![bound(-1, true)]),
        (Op::Lt, false) => Some(vec![bound(1, true)]),
        (Op::Lt, true) => Some(vec![bound(-1, false)]),
        (Op::Eq, false) => Some(vec![bound(1, false), bound(-1, false)]),
        _ => None,
    }
}

/// The premises of a clause, for looks at single ones.
pub(super) struct Premises<'a> {
    t: &'a Terms,
    formulas: TermSet,
    /// The strictest bound of each form.
    bounds: FxHashMap<Vec<(Term, Rational)>, (Rational, bool)>,
    /// The equations of bit-vectors, once a conclusion is one.
    equations: OnceCell<WordEquations>,
    premises: Vec<Term>,
}

impl<'a> Premises<'a> {
    /// These premises.
    pub(super) fn new(t: &'a Terms, premises: &[Term]) -> Self {
        let mut strictest: FxHashMap<Vec<(Term, Rational)>, (Rational, bool)> =
            FxHashMap::default();
        for bound in premises.iter().filter_map(|&f| bounds(t, f)).flatten() {
            match strictest.get_mut(&bound.form) {
                Some(known) if bound.follows_from(known) => {}
                Some(known) => *known = (bound.constant, bound.strict),
                None => {
                    strictest.insert(bound.form, (bound.constant, bound.strict));
                }
            }
        }
        Premises {
            t,
            formulas: premises.iter().copied().collect(),
            bounds: strictest,
            equations: OnceCell::new(),
            premises: premises.to_vec(),
        }
    }

    /// Does a conclusion follow from one premise, each of its bounds from one, or an equation of
    /// bit-vectors from such equations? `false` says nothing.
    pub(super) fn imply(&self, conclusion: Term) -> bool {
        if conclusion == Term::TRUE || self.formulas.contains(&conclusion) {
            return true;
        }
        let follows = |bound: &Bound| {
            if bound.form.is_empty() {
                return bound.follows_from(&(Rational::zero(), false));
            }
            let known = self.bounds.get(&bound.form);
            known.is_some_and(|known| bound.follows_from(known))
        };
        match bounds(self.t, conclusion) {
            Some(bounds) => bounds.iter().all(follows),
            None => self.t.word_equation(conclusion).is_some_and(|conclusion| {
                let among = || WordEquations::among(self.t, &self.premises);
                self.equations.get_or_init(among).imply(&conclusion)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Evaluator, Unspecified, Value};

    #[test]
    fn bounds_follow_from_stricter_ones() {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let (r, s) = (t.var("r", Sort::REAL), t.var("s", Sort::REAL));
        let one = || t.real(Rational::one());
        let sum = t.add([x, y]);
        let table = [
            (t.le(t.int(3), x), t.le(t.int(2), x), true),
            (t.le(t.int(3), x), t.le(t.int(4), x), false),
            (t.le(t.int(3), x), t.lt(t.int(2), x), true),
            (t.le(t.int(3), x), t.lt(t.int(3), x), false),
            (
                t.le(t.int(3), x),
                t.le(t.int(4), t.add([x, t.int(1)])),
                true,
            ),
            (t.le(sum, t.int(0)), t.le(t.add([y, x]), t.int(1)), true),
            (t.le(sum, t.int(0)), t.le(x, t.int(1)), false),
            (t.eq(x, y), t.le(x, y), true),
            (t.eq(x, y), t.eq(y, x), true),
            (t.le(x, y), t.eq(x, y), false),
            (t.not(t.le(x, y)), t.le(y, x), true),
            (t.not(t.le(x, y)), t.le(t.add([y, t.int(1)]), x), true),
            (t.not(t.eq(x, y)), t.lt(x, y), false),
            (t.lt(r, s), t.le(r, s), true),
            (t.le(r, s), t.lt(r, s), false),
            (t.lt(r, s), t.lt(r, s), true),
            (t.not(t.le(r, s)), t.lt(s, r), true),
            (t.lt(r, s), t.le(t.add([r, one()]), s), false),
            (t.le(t.add([r, one()]), s), t.lt(r, s), true),
            (
                t.le(t.scale(Rational::from(2), x), t.int(3)),
                t.le(x, t.int(1)),
                false,
            ),
            (
                t.le(t.scale(Rational::from(2), x), t.int(3)),
                t.le(x, t.int(2)),
                true,
            ),
        ];
        for (premise, conclusion, expected) in table {
            let found = Premises::new(&t, &[premise]).imply(conclusion);
            let text = |f| t.display(f).to_string();
            assert_eq!(found, expected, "{} to {}", text(premise), text(conclusion));
        }
    }

    #[test]
    fn the_strictest_premise_counts() {
        let t = Terms::new();
        let x = t.var("x", Sort::INT);
        let at_least = |n| t.le(t.int(n), x);
        for order in [[1, 5, 3], [5, 3, 1], [3, 1, 5]] {
            let premises = Premises::new(&t, &order.map(at_least));
            assert!(premises.imply(at_least(5)) && !premises.imply(at_least(6)));
        }
        assert!(Premises::new(&t, &[]).imply(t.le(t.int(0), t.int(0))));
        assert!(!Premises::new(&t, &[]).imply(at_least(0)));
    }

    /// What is said to follow does, for all small values.
    #[test]
    fn nothing_follows_that_does_not() {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let mut formulas = Vec::new();
        for (a, b) in [(1, 0), (0, 1), (1, 1), (1, -1), (2, 0), (-2, 2), (-1, 0)] {
            for constant in -2..=2 {
                let sum = t.add([t.scale(a.into(), x), t.scale(b.into(), y)]);
                let bound = t.int(constant);
                formulas.extend([t.le(sum, bound), t.lt(sum, bound), t.eq(sum, bound)]);
            }
        }
        formulas.extend(formulas.clone().into_iter().map(|f| t.not(f)));
        let values: Vec<Vec<bool>> = (formulas.iter())
            .map(|&f| {
                let pairs = (-4..=4).flat_map(|x| (-4..=4).map(move |y| (x, y)));
                let holds = |(a, b): (i64, i64)| {
                    let model = [(x, a), (y, b)].map(|(v, n)| (v, Value::Number(n.into())));
                    Evaluator::with(&t, Unspecified::Refuse, model).holds(f)
                };
                pairs.map(holds).collect()
            })
            .collect();
        let mut found = 0;
        for (i, &premise) in formulas.iter().enumerate() {
            let premises = Premises::new(&t, &[premise]);
            for (j, &conclusion) in formulas.iter().enumerate() {
                if premises.imply(conclusion) {
                    found += 1;
                    let mut cases = std::iter::zip(&values[i], &values[j]);
                    let text = |f| t.display(f).to_string();
                    let holds = cases.all(|(before, after)| !before || *after);
                    assert!(holds, "{} to {}", text(premise), text(conclusion));
                }
            }
        }
        assert!(found > 1000, "{found}");
    }
}
