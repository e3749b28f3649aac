//! Elimination of bit-vectors: equations that can be inverted, and bounds. Not from a paper.

use super::Projection;
use crate::term::{BvOp, Op, Substitution, Term};

impl Projection<'_, '_> {
    /// Solves an equation of bit-vectors for a variable that occurs once, under operations that
    /// have an inverse.
    pub(super) fn bit_solution(&self, x: Term, y: Term) -> Option<(Term, Term)> {
        let t = self.t;
        t.bitvec_width(t.sort_of(x))?;
        let vars = t.vars([x, y]);
        let mut ours = vars.into_iter().filter(|v| self.vars.contains(v));
        ours.find_map(|var| {
            let has = |e: Term| t.any_subterm(e, |s| s == var);
            let (mut side, mut value) = match (has(x), has(y)) {
                (true, false) => (x, y),
                (false, true) => (y, x),
                _ => return None,
            };
            while side != var {
                let args = t.args(side);
                let mut with = args.iter().copied().filter(|&a| has(a));
                let (part, None) = (with.next()?, with.next()) else {
                    return None;
                };
                let others: Vec<Term> = args.iter().copied().filter(|&a| a != part).collect();
                value = match t.op(side) {
                    Op::Bv(BvOp::Not) => t.bv(BvOp::Not, &[value]),
                    Op::Bv(BvOp::Neg) => t.bv(BvOp::Neg, &[value]),
                    Op::Bv(BvOp::Xor) => t.bv(BvOp::Xor, &[&[value][..], &others].concat()),
                    Op::Bv(BvOp::Add) => {
                        let negated = others.iter().map(|&o| t.bv(BvOp::Neg, &[o]));
                        let summands: Vec<Term> = [value].into_iter().chain(negated).collect();
                        t.bv(BvOp::Add, &summands)
                    }
                    Op::Bv(BvOp::Mul) => {
                        let &[factor] = &*others else { return None };
                        t.bv(BvOp::Mul, &[value, t.odd_inverse(factor)?])
                    }
                    _ => return None,
                };
                side = part;
            }
            Some((var, value))
        })
    }

    /// Puts a bound of a variable, or its neighbour where the bound is strict, in the variable's
    /// place, if what the literals say is true of it: of a variable that is only compared, by one
    /// of the orders, the tightest bound on either side will do.
    pub(super) fn bound_bits(&mut self) -> bool {
        let t = self.t;
        let mut ours = t.vars(self.other.iter().copied());
        ours.retain(|v| self.vars.contains(v) && t.bitvec_width(t.sort_of(*v)).is_some());
        ours.into_iter().any(|var| self.bound(var))
    }

    fn bound(&mut self, var: Term) -> bool {
        let t = self.t;
        let touched = self.other.iter().copied();
        let touched: Vec<Term> = touched
            .filter(|&l| t.any_subterm(l, |s| s == var))
            .collect();
        let points = touched.iter().filter_map(|&l| self.bound_of(var, l));
        let points: Vec<Term> = points.collect();
        let fits = |&point: &Term| {
            let mut substitution = Substitution::new(t, [(var, point)]);
            let mut at_point = touched.iter().map(|&l| substitution.apply(l));
            at_point.all(|l| self.valuation.holds(l))
        };
        let Some(point) = points.into_iter().find(fits) else {
            return false;
        };
        // All literals stay true, also the ones without the variable.
        let value = self.valuation.value(point);
        self.valuation.define(var, value);
        self.replace(&[(var, point)]);
        true
    }

    /// The value that is nearest to what a literal compares a variable to.
    fn bound_of(&self, var: Term, literal: Term) -> Option<Term> {
        let t = self.t;
        let (atom, positive) = match t.as_not(literal) {
            Some(atom) => (atom, false),
            None => (literal, true),
        };
        let &[x, y] = t.args(atom) else { return None };
        let (other, is_left) = match (x == var, y == var) {
            (true, false) => (y, true),
            (false, true) => (x, false),
            _ => return None,
        };
        let strict = match t.op(atom) {
            Op::Bv(BvOp::Ult | BvOp::Slt) => positive,
            Op::Bv(BvOp::Ule | BvOp::Sle) => !positive,
            _ => return None,
        };
        if t.any_subterm(other, |s| s == var) {
            return None;
        }
        if !strict {
            return Some(other);
        }
        let width = t.bitvec_width(t.sort_of(var))?;
        // Not x <= y is y < x.
        let step = if is_left == positive { -1 } else { 1 };
        Some(t.bv(BvOp::Add, &[other, t.bitvec(&step.into(), width)]))
    }
}
