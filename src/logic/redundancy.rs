//! Removal of literals that other literals of a cube imply: weaker bounds on the same sum.

use super::literal::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// `sum ≤ bound` or `sum < bound`; the smaller one is stronger.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Bound {
    value: Rational,
    /// Is the bound `≤`? `<` is stronger, and `false` comes before `true`.
    weak: bool,
}

/// The literals of a cube without the bounds that a single other literal implies. Of several bounds
/// on one linear sum the strongest stays, and none stays beside an equation. The order and the form
/// of the literals are kept, and nothing occurs twice.
pub fn without_weaker_bounds(t: &Terms, cube: &[Term]) -> Vec<Term> {
    let literals: Vec<Option<LinearLiteral>> = cube
        .iter()
        .map(|&literal| LinearLiteral::of_term(t, literal).map(normal))
        .collect();
    let mut bounds: FxHashMap<(Sort, LinearSum), (Bound, usize)> = FxHashMap::default();
    let mut equations: FxHashMap<(Sort, LinearSum), usize> = FxHashMap::default();
    for (position, literal) in literals.iter().enumerate() {
        let Some(literal) = literal else { continue };
        match literal.relation {
            Relation::Le | Relation::Lt => {
                let (left, bound) = parts(literal);
                let entry = bounds.entry(left).or_insert((bound.clone(), position));
                if bound < entry.0 {
                    *entry = (bound, position);
                }
            }
            Relation::Eq => {
                for sign in [1, -1] {
                    let mut side = literal.clone();
                    side.sum.scale(&Rational::from(sign));
                    equations.entry(parts(&side).0).or_insert(position);
                }
            }
            Relation::Ne | Relation::Divides(_) | Relation::NotDivides(_) => {}
        }
    }
    let stays = |position: usize| match &literals[position] {
        Some(literal) if matches!(literal.relation, Relation::Le | Relation::Lt) => {
            let (left, _) = parts(literal);
            // If the bound contradicts the equation, the cube is empty. Both stay.
            let implied = equations
                .get(&left)
                .is_some_and(|&e| equation_implies(&literals[e], literal));
            !implied && bounds[&left].1 == position
        }
        _ => cube[..position]
            .iter()
            .all(|&other| other != cube[position]),
    };
    let kept = (0..cube.len()).filter(|&position| stays(position));
    kept.map(|position| cube[position]).collect()
}

/// The same literal with coprime integer coefficients.
fn normal(mut literal: LinearLiteral) -> LinearLiteral {
    if !matches!(
        literal.relation,
        Relation::Divides(_) | Relation::NotDivides(_)
    ) {
        let factor = literal.sum.normalizer();
        literal.sum.scale(&factor);
    }
    literal
}

/// An inequality or equation `sum ⋈ 0` as its left side without constant and what that is compared
/// to.
fn parts(literal: &LinearLiteral) -> ((Sort, LinearSum), Bound) {
    let bound = Bound {
        value: -&literal.sum.constant,
        weak: literal.relation != Relation::Lt,
    };
    let left = LinearSum {
        terms: literal.sum.terms.clone(),
        constant: Rational::zero(),
    };
    ((literal.sort, left), bound)
}

/// Does an equation imply an inequality on the same left side, perhaps negated?
fn equation_implies(equation: &Option<LinearLiteral>, inequality: &LinearLiteral) -> bool {
    let Some(equation) = equation else {
        return false;
    };
    let same = equation.sum.terms == inequality.sum.terms;
    let sign = Rational::from(if same { 1 } else { -1 });
    // left = -c, so the inequality's left + d is d - c, up to the sign of the equation.
    let value = &inequality.sum.constant - &(&sign * &equation.sum.constant);
    match inequality.relation {
        Relation::Lt => value.is_negative(),
        _ => !value.is_positive(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn the_strongest_bounds_stay() {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let u = t.var("u", Sort::REAL);
        let p = t.var("p", Sort::BOOL);
        let int = |n| t.int(n);
        let half = || t.real(Rational::new(1, 2));
        let table = [
            (vec![t.le(x, int(5)), t.le(x, int(3))], "(<= x 3)"),
            (
                vec![t.le(x, int(5)), t.le(int(3), x), t.le(int(4), x)],
                "(<= x 5) (<= 4 x)",
            ),
            // An integral literal may be written as a strict one, and with other coefficients.
            (
                vec![t.le(t.mul([int(2), x]), t.mul([int(2), y])), t.le(x, y)],
                "(<= (* 2 x) (* 2 y))",
            ),
            (vec![t.lt(u, half()), t.le(u, half())], "(< u (/ 1.0 2.0))"),
            (
                vec![t.eq(x, int(4)), t.le(x, int(4)), t.le(int(1), x)],
                "(= x 4)",
            ),
            (vec![t.eq(x, y), t.le(y, x), t.le(x, y)], "(= x y)"),
            // A contradictory cube stays contradictory.
            (vec![t.eq(x, int(4)), t.le(x, int(3))], "(= x 4) (<= x 3)"),
            (vec![p, t.le(x, y), p, t.not(p)], "p (<= x y) (not p)"),
            (vec![], ""),
        ];
        for (cube, expected) in table {
            let kept = without_weaker_bounds(&t, &cube);
            let text: Vec<String> = kept.iter().map(|&l| t.display(l).to_string()).collect();
            assert_eq!(text.join(" "), expected);
        }
    }
}
