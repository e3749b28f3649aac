//! Interpolants of contradictory sums of inequalities.

use super::colors::Color;
use super::cut::Cut;
use crate::number::{DeltaRational, Rational};
use crate::smt::interpolation::Strength;
use crate::smt::native::inequality::Inequality;
use crate::smt::native::proof::{Literal, ProofAtom};
use crate::term::Term;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An inequality with its factor in a sum: `factor·form ≤ factor·bound`, where the factor is
/// negative for `≥`.
struct Scaled {
    factor: Rational,
    form: Vec<(Term, Rational)>,
    bound: DeltaRational,
}

/// Adds up inequalities.
fn total<'s>(t: &crate::term::Terms, parts: impl IntoIterator<Item = &'s Scaled>) -> Term {
    let mut sum = Inequality::default();
    for part in parts {
        sum.add(&part.factor, &part.form, &part.bound);
    }
    sum.term(t)
}

impl Cut<'_> {
    /// The interpolant of a contradictory sum: what `A`'s inequalities add up to, or the negation
    /// of what `B`'s do. Decomposed, it is what independent groups of them add up to: `A` implies
    /// each of these sums, or `B` does, and together they imply the one of all.
    pub(super) fn sums(&mut self, clause: &[Literal], factors: &[Rational]) -> Term {
        let t = self.t;
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        for (&literal, factor) in std::iter::zip(clause, factors) {
            let inequality = self.inequality(!literal, factor);
            match self.color(literal) {
                Color::Mixed => {
                    let (a, b) = self.divided(literal, inequality);
                    of_a.push(a);
                    of_b.push(b);
                }
                _ if self.is_a(literal) => of_a.push(inequality),
                _ => of_b.push(inequality),
            }
        }
        let (side, own) = match self.strength {
            Strength::Strong => (of_a, Color::A),
            Strength::Weak => (of_b, Color::B),
        };
        let groups = match self.decompose {
            true => self.independent(side, own),
            false => vec![side],
        };
        let totals = groups.iter().map(|group| total(t, group));
        match self.strength {
            Strength::Strong => t.and(totals),
            Strength::Weak => t.or(totals.map(|sum| t.not(sum))),
        }
    }

    /// What a literal about a bound says, times a factor.
    fn inequality(&self, literal: Literal, factor: &Rational) -> Scaled {
        let ProofAtom::Bound {
            form,
            bound,
            is_int,
        } = &self.proof.atoms[literal.atom as usize]
        else {
            unreachable!("sums are of bounds");
        };
        let form = form.to_vec();
        if literal.positive {
            return Scaled {
                factor: factor.clone(),
                form,
                bound: bound.clone(),
            };
        }
        let one = Rational::one();
        let bound = if *is_int {
            DeltaRational::from(&bound.real + &one)
        } else {
            DeltaRational::new(bound.real.clone(), &bound.delta + &one)
        };
        Scaled {
            factor: -factor,
            form,
            bound,
        }
    }

    /// A mixed inequality `a + b ≤ k` as `a ≤ v` of `A` and `v + b ≤ k` of `B`, where `a` has the
    /// terms that `A` alone has and `v` is the variable for their value.
    fn divided(&mut self, literal: Literal, inequality: Scaled) -> (Scaled, Scaled) {
        let value = self.value_of_a(literal.atom);
        let Scaled {
            factor,
            form,
            bound,
        } = inequality;
        let is_local = |(x, _): &(Term, Rational)| self.colors.has_alone(Color::A, x);
        let (mut of_a, mut of_b): (Vec<_>, Vec<_>) = form.into_iter().partition(is_local);
        of_a.push((value, Rational::from(-1)));
        of_b.push((value, Rational::one()));
        let a = Scaled {
            factor: factor.clone(),
            form: of_a,
            bound: DeltaRational::zero(),
        };
        let b = Scaled {
            factor,
            form: of_b,
            bound,
        };
        (a, b)
    }

    /// The inequalities of a side, `A` or `B`, in groups that share no term that this side alone
    /// has.
    fn independent(&self, parts: Vec<Scaled>, side: Color) -> Vec<Vec<Scaled>> {
        let mut groups: UnionFind<usize> = UnionFind::new(parts.len());
        let mut first_with: FxHashMap<Term, usize> = FxHashMap::default();
        for (number, part) in parts.iter().enumerate() {
            let terms = part.form.iter().map(|(x, _)| x);
            for &x in terms.filter(|x| self.colors.has_alone(side, x)) {
                groups.union(*first_with.entry(x).or_insert(number), number);
            }
        }
        let mut members: BTreeMap<usize, Vec<Scaled>> = BTreeMap::new();
        for (number, part) in parts.into_iter().enumerate() {
            members.entry(groups.find(number)).or_default().push(part);
        }
        members.into_values().collect()
    }
}
