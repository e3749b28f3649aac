//! Cubes and their literals, as blocking and generalisation need them: equations as two
//! inequalities, sums of inequalities, and weaker literals in place of a literal that gives a
//! bit-vector's value.

use crate::logic::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{BvOp, Op, Term, Terms};

/// Literals whose conjunction is the negation of a formula. Disjunctions at the top of the formula
/// are split.
pub(super) fn conjuncts_of_negation(t: &Terms, formula: Term) -> Vec<Term> {
    match t.op(formula) {
        Op::Or => t.args(formula).iter().map(|&f| t.not(f)).collect(),
        _ => vec![t.not(formula)],
    }
}

/// The sum of two inequalities; `None` if they are not inequalities of one sort, or if only a
/// constant would remain.
pub(super) fn add_inequalities(t: &Terms, one: Term, other: Term) -> Option<Term> {
    let mut one = LinearLiteral::of_term(t, one)?;
    let other = LinearLiteral::of_term(t, other)?;
    let inequality = |l: &LinearLiteral| matches!(l.relation, Relation::Le | Relation::Lt);
    if !inequality(&one) || !inequality(&other) || one.sort != other.sort {
        return None;
    }
    one.sum.add_scaled(&Rational::one(), &other.sum);
    if other.relation == Relation::Lt {
        one.relation = Relation::Lt;
    }
    (!one.sum.is_constant()).then(|| one.to_term(t))
}

/// A literal that gives a bit-vector's value: `x = v`.
struct BitValue {
    x: Term,
    value: Term,
    width: u32,
}

impl BitValue {
    /// The parts of the literal; `None` for other literals, and for vectors of one bit, which have
    /// no weaker literals.
    fn of(t: &Terms, literal: Term) -> Option<Self> {
        let (Op::Eq, &[x, y]) = (t.op(literal), t.args(literal)) else {
            return None;
        };
        let (x, value) = match (t.as_bitvec(x), t.as_bitvec(y)) {
            (None, Some(_)) => (x, y),
            (Some(_), None) => (y, x),
            _ => return None,
        };
        let width = t.bitvec_width(t.sort_of(x)).filter(|&width| width > 1)?;
        Some(BitValue { x, value, width })
    }
}

/// The bounds that a literal `x = v` over bit-vectors implies, signed and unsigned, from below and
/// from above; none for other literals.
pub(super) fn bounds_of_value(t: &Terms, literal: Term) -> Vec<Term> {
    let Some(BitValue { x, value, .. }) = BitValue::of(t, literal) else {
        return Vec::new();
    };
    let bounds = [BvOp::Sle, BvOp::Ule].into_iter().flat_map(|order| {
        let compare = |a, b| t.bv(order, &[a, b]);
        [compare(x, value), compare(value, x)]
    });
    // A bound at an end of the order is `true` or the literal itself.
    bounds
        .filter(|&bound| bound != Term::TRUE && bound != literal)
        .collect()
}

/// The literals for single bits whose conjunction is the literal `x = v` over bit-vectors; none for
/// other literals.
pub(super) fn bits_of_value(t: &Terms, literal: Term) -> Vec<Term> {
    let Some(BitValue { x, value, width }) = BitValue::of(t, literal) else {
        return Vec::new();
    };
    let value = t.as_bitvec(value).and_then(Rational::to_integer);
    let value = value.expect("a bit-vector is a natural number");
    let bit = |i: u32| {
        let bit = t.bitvec(&u8::from(value.bit(i.into())).into(), 1);
        t.eq(t.bv(BvOp::Extract { hi: i, lo: i }, &[x]), bit)
    };
    (0..width).map(bit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;
    use num_bigint::BigInt;

    fn text(t: &Terms, literals: &[Term]) -> Vec<String> {
        literals.iter().map(|&l| t.display(l).to_string()).collect()
    }

    #[test]
    fn values_have_bounds_and_bits() {
        let t = Terms::new();
        let x = t.var("x", t.bitvec_sort(3));
        let is = |value: i64| t.eq(x, t.bitvec(&BigInt::from(value), 3));
        assert_eq!(
            text(&t, &bounds_of_value(&t, is(5))),
            [
                "(bvsle x #b101)",
                "(bvsle #b101 x)",
                "(bvule x #b101)",
                "(bvule #b101 x)"
            ]
        );
        assert_eq!(
            text(&t, &bits_of_value(&t, is(5))),
            [
                "(= ((_ extract 0 0) x) #b1)",
                "(= ((_ extract 1 1) x) #b0)",
                "(= ((_ extract 2 2) x) #b1)"
            ]
        );
        assert_eq!(
            text(&t, &bounds_of_value(&t, is(0))),
            ["(bvsle x #b000)", "(bvsle #b000 x)"]
        );
        let y = t.var("y", Sort::INT);
        for other in [
            t.not(is(5)),
            t.eq(y, t.number(5.into(), Sort::INT)),
            t.eq(x, x),
        ] {
            assert!(bounds_of_value(&t, other).is_empty());
            assert!(bits_of_value(&t, other).is_empty());
        }
    }
}
