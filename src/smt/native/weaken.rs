//! From a cube that contradicts the assertions to a weaker one that contradicts them too.
//!
//! Take the assumptions of the cube for one side of an interpolation problem and everything else
//! for the other. The contradiction uses two things of the cube: literals that occur in clauses,
//! and literals in contradictory sums of inequalities. Only the cube's part of a sum matters:
//! `x ≥ 5` and `y ≤ 3` may be used only as `x - y ≥ 2`. The partial sums and the literals together
//! are implied by the cube and contradict the rest. They are the negation of McMillan's interpolant
//! \[McM05\], which is a conjunction because the cube's side has unit clauses only. \[BG15\]
//! generalises cubes by interpolants of this kind.
//!
//! Why it is sound: label the cube's literals with its side and all others with the other side. All
//! resolutions are then between literals of the other side, where partial interpolants are joined
//! by `∨`. A literal of the cube that the others imply may take part in such resolutions. It counts
//! as the other side's everywhere, and stays as it is if the contradiction needs it.

use super::encoder::{Meaning, single_bit};
use super::inequality::Inequality;
use super::literal::Lit;
use super::log::{Step, StepId};
use super::search::Search;
use super::simplex::Side;
use crate::number::Rational;
use crate::term::{Term, TermSet};
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};

impl Search<'_> {
    /// Formulas that the cube implies and that contradict the rest, from the derivation of a
    /// contradiction. `cube` has its literals with the terms that they come from, `core` the
    /// assumptions that the contradiction needs.
    ///
    /// `None` if nothing of the rest is needed.
    pub(super) fn weaken(
        &self,
        last: StepId,
        cube: &FxHashMap<Lit, Term>,
        core: &[Lit],
    ) -> Option<Vec<Term>> {
        let mut weaker: Vec<Term> = Vec::new();
        let mut seen = TermSet::default();
        let mut add = |formula: Term| {
            if formula != Term::TRUE && seen.insert(formula) {
                weaker.push(formula);
            }
        };
        let of_cube = |lit: &Lit| cube.contains_key(lit) && !self.sat.irregular.contains(lit);
        let whole = |lit: Lit| self.literal_term(lit, cube[&lit]);
        for &lit in core.iter().filter(|l| self.sat.irregular.contains(l)) {
            if cube.contains_key(&lit) {
                add(whole(lit));
            }
        }
        for step in self.steps_behind(last) {
            match step {
                Step::Given { cube: literals } => {
                    for lit in literals.iter().map(|&l| !l).filter(of_cube) {
                        add(whole(lit));
                    }
                }
                Step::Farkas { clause, factors } => {
                    let parts: Vec<(Lit, &Rational)> = std::iter::zip(clause, factors)
                        .map(|(&l, factor)| (!l, factor))
                        .filter(|(l, _)| of_cube(l))
                        .collect();
                    match *parts {
                        [] => {}
                        [(lit, _)] => add(whole(lit)),
                        _ if parts.len() == clause.len() => return None,
                        _ => add(self.sum(&parts)),
                    }
                }
                Step::Input { .. } | Step::Chain { .. } => {}
            }
        }
        Some(weaker)
    }

    /// What a literal of the cube says: of an equation perhaps only one half or one bit, and
    /// nothing where it holds by itself.
    fn literal_term(&self, lit: Lit, term: Term) -> Term {
        match self.encoder.meaning(lit.var()) {
            Meaning::Bound => self.sum(&[(lit, &Rational::one())]),
            Meaning::Operator(_) => Term::TRUE,
            Meaning::Bit(..) | Meaning::Gate(_) => self.bit_term(lit, term).unwrap_or(term),
            _ => term,
        }
    }

    /// What a literal says that came from an equation of a bit-vector with a constant: the value of
    /// one bit. `None` if it is none of its bits.
    fn bit_term(&self, lit: Lit, equation: Term) -> Option<Term> {
        let t = self.t;
        let vector = *t.args(equation).first()?;
        let bits = self.encoder.bits(vector)?;
        let place = bits.iter().position(|bit| bit.var() == lit.var())?;
        let value = u32::from(bits[place] == lit);
        let bit = single_bit(t, vector, place);
        Some(t.eq(bit, t.bitvec(&value.into(), 1)))
    }

    /// All logged steps that a step rests on.
    fn steps_behind(&self, last: StepId) -> Vec<&Step> {
        let mut steps = Vec::new();
        let mut seen: FxHashSet<StepId> = FxHashSet::default();
        let mut todo = vec![last];
        while let Some(id) = todo.pop() {
            work::spend(1);
            if !seen.insert(id) {
                continue;
            }
            let Some(step) = self.sat.log.get(id) else {
                continue;
            };
            if let Step::Chain { steps: behind, .. } = step {
                todo.extend_from_slice(behind);
            }
            steps.push(step);
        }
        steps
    }

    /// The sum of bounds times factors.
    fn sum(&self, parts: &[(Lit, &Rational)]) -> Term {
        let mut sum = Inequality::default();
        for &(lit, factor) in parts {
            let (var, side, bound) = self.arith.bound_of(lit).expect("sums are of bounds");
            let factor = match side {
                Side::Upper => factor.clone(),
                Side::Lower => -factor,
            };
            sum.add(&factor, &self.form_over_terms(var), &bound);
        }
        sum.term(self.t)
    }
}
