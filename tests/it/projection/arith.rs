//! Linear arithmetic.

use horn::logic::{Valuation, project};
use horn::number::Rational;
use horn::term::{Sort, Term, Terms, Value};
use proptest::prelude::*;

/// `a·x + b·y + c·z + d` and what it is compared by.
type Row = ([i64; 4], u8);

const MODEL: std::ops::RangeInclusive<i64> = -6..=6;
const COEFFICIENT: std::ops::RangeInclusive<i64> = -3..=3;

fn row() -> impl Strategy<Value = Row> {
    ([COEFFICIENT, COEFFICIENT, COEFFICIENT, -7..=7], 0u8..7)
}

/// The literal of a row that is true at `point`.
fn literal(t: &Terms, vars: &[Term; 3], (row, kind): &Row, point: &[i64; 3], sort: Sort) -> Term {
    let number = |n: i64| t.number(Rational::from(n), sort);
    let products = vars.iter().zip(row).map(|(&v, &c)| t.mul([number(c), v]));
    let sum = t.add(products.chain([number(row[3])]));
    let value: i64 = point.iter().zip(row).map(|(p, c)| p * c).sum::<i64>() + row[3];
    let zero = number(0);
    let modulus = i64::from(*kind);
    match kind {
        0 => t.eq(sum, number(value)),
        1 if value != 0 => t.not(t.eq(sum, zero)),
        2 if sort == Sort::REAL && value != 0 => {
            if value < 0 {
                t.lt(sum, zero)
            } else {
                t.lt(zero, sum)
            }
        }
        3..=4 if sort == Sort::INT => t.eq(
            t.modulo(sum, number(modulus)),
            number(value.rem_euclid(modulus)),
        ),
        5 if sort == Sort::INT => t.le(t.idiv(sum, number(3)), number(value.div_euclid(3))),
        6 => t.le(
            t.ite(t.le(vars[0], vars[2]), sum, t.neg(sum)),
            number(if point[0] <= point[2] { value } else { -value }),
        ),
        _ if value <= 0 => t.le(sum, zero),
        _ => t.le(zero, sum),
    }
}

fn check(sort: Sort, rows: &[Row], point: [i64; 3], step: i64, reach: i64) {
    let t = Terms::new();
    let vars = ["x", "y", "z"].map(|n| t.var(n, sort));
    let valuation =
        |values: [Rational; 3]| Valuation::new(&t, vars.into_iter().zip(values.map(Value::Number)));
    let literals: Vec<Term> = rows
        .iter()
        .map(|r| literal(&t, &vars, r, &point, sort))
        .collect();
    let mut model = valuation(point.map(Rational::from));
    let result = t.and(project(&t, &mut model, [vars[2]], literals.clone()));
    assert!(model.holds(result), "the result is true in the model");
    assert!(
        !t.any_subterm(result, |s| s == vars[2]),
        "the variable is gone"
    );
    for x in MODEL {
        for y in MODEL {
            let (x, y) = (Rational::from(x), Rational::from(y));
            if !valuation([x.clone(), y.clone(), Rational::zero()]).holds(result) {
                continue;
            }
            let witness = (-reach..=reach).any(|z| {
                let mut point = valuation([x.clone(), y.clone(), Rational::new(z, step)]);
                literals.iter().all(|&l| point.holds(l))
            });
            assert!(
                witness,
                "x = {x}, y = {y}: {} does not follow from {}",
                t.display(t.and(literals)),
                t.display(result)
            );
        }
    }
}

proptest! {
    #![proptest_config(crate::harness::cases(100))]

    #[test]
    fn integers(rows in prop::collection::vec(row(), 1..5), point in [MODEL, MODEL, MODEL]) {
        check(Sort::INT, &rows, point, 1, 250);
    }

    /// Between two bounds with denominators up to 3 there is a multiple of 1/12.
    #[test]
    fn rationals(rows in prop::collection::vec(row(), 1..4), point in [MODEL, MODEL, MODEL]) {
        check(Sort::REAL, &rows, point, 12, 12 * 80);
    }
}
