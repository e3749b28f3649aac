//! Cubes, which are conjunctions of literals.

use super::literal::LinearLiteral;
use crate::term::{Op, Term, Terms};

/// The cube with two inequalities in place of each equation of arithmetic, so that each can be
/// dropped alone.
pub(crate) fn split_equalities(t: &Terms, cube: &[Term]) -> Vec<Term> {
    let mut split = Vec::with_capacity(cube.len());
    for &literal in cube {
        let &[x, y] = t.args(literal) else {
            split.push(literal);
            continue;
        };
        let arithmetic = t.op(literal) == Op::Eq && t.sort_of(x).is_arith();
        if !arithmetic || LinearLiteral::divisibility(t, x, y, true).is_some() {
            split.push(literal);
        } else {
            split.extend([t.le(x, y), t.le(y, x)]);
        }
    }
    split
}

/// Is there a division of integers in the formulas that is not in the cube?
pub(crate) fn divides_anew(t: &Terms, formulas: &[Term], cube: &[Term]) -> bool {
    let is_division = |&x: &Term| matches!(t.op(x), Op::IDiv | Op::Mod);
    let mut new = t.post_order(formulas.iter().copied()).filter(is_division);
    new.any(|x| !cube.iter().any(|&l| t.any_subterm(l, |s| s == x)))
}
