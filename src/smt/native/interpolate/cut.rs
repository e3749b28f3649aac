//! The interpolant at one node of the tree: partial interpolants, clause by clause of the proof.
//!
//! What a partial interpolant `I` of a clause `C` promises: `A` and `C`'s literals being false
//! imply `I`; `B` and `C`'s literals being false contradict it. Of literals that only one side can
//! say it is that side's premise that they are false. Of a mixed literal `a + b ≤ k` both sides
//! know a part: `A` that `a ≤ v` fails, `B` that `v + b ≤ k` does, where `v` is a variable of the
//! interpolant. (In the other direction likewise.) For mixed equations see `mixed`.

use super::colors::{Color, Colors};
use super::divided::Divided;
use crate::smt::Limit;
use crate::smt::interpolation::{Interpolant, NoInterpolants, Strength};
use crate::smt::native::check::Checker;
use crate::smt::native::proof::{Gate, Justification, Literal, Proof, ProofAtom, ProofStep, Why};
use crate::term::{Sort, Term, Terms};
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// The interpolation problem of the nodes that are `inside` against the others.
pub(super) struct Cut<'a> {
    pub(super) t: &'a Terms,
    pub(super) strength: Strength,
    pub(super) decompose: bool,
    pub(super) proof: &'a Proof,
    pub(super) colors: &'a Colors<'a>,
    /// By part of the proof: does it belong to `A`?
    of_a: &'a dyn Fn(u32) -> bool,
    /// Is it the only cut of its tree? Only then equations are divided.
    is_only: bool,
    pub(super) limit: &'a Limit,
    /// Reads clauses of theories; made when it is needed first.
    pub(super) checker: OnceCell<Checker<'a>>,
    pub(super) equations: Divided,
    /// By mixed atom: the variable for the value of what `A` alone has.
    values: FxHashMap<u32, Term>,
    quantified: Vec<Term>,
}

impl<'a> Cut<'a> {
    pub(super) fn new(
        t: &'a Terms,
        (strength, decompose): (Strength, bool),
        proof: &'a Proof,
        colors: &'a Colors<'a>,
        of_a: &'a dyn Fn(u32) -> bool,
        is_only: bool,
        limit: &'a Limit,
    ) -> Self {
        Cut {
            t,
            strength,
            decompose,
            proof,
            colors,
            of_a,
            is_only,
            limit,
            checker: OnceCell::new(),
            equations: Divided::default(),
            values: FxHashMap::default(),
            quantified: Vec::new(),
        }
    }

    /// The interpolant.
    ///
    /// # Errors
    /// A mixed clause or literal cannot be divided between the sides, or the limit is reached.
    pub(super) fn interpolant(mut self) -> Result<Interpolant, NoInterpolants> {
        let proof = self.proof;
        let mut partial: Vec<Term> = Vec::with_capacity(proof.steps.len());
        for step in &proof.steps {
            let interpolant = match &step.why {
                Why::Input { rule, part } => self.leaf(step, *rule, *part)?,
                Why::Farkas(factors) => self.sums(&step.clause, factors),
                Why::Chain(steps) => self.resolve(steps, &partial)?,
            };
            partial.push(interpolant);
        }
        let formula = *partial.last().expect("a proof has a step");
        let mut quantified = self.quantified;
        if !quantified.is_empty() {
            let used: FxHashSet<Term> = self.t.vars([formula]).into_iter().collect();
            quantified.retain(|v| used.contains(v));
        }
        Ok(Interpolant {
            formula,
            quantified,
        })
    }

    /// What a literal says. Gates that no part has defined are functions of what both sides have.
    pub(super) fn formula(&self, literal: Literal) -> Term {
        match self.proof.atoms[literal.atom as usize] {
            ProofAtom::Gate(_) if self.color(literal) == Color::Both => {
                self.checker().formula_of(literal)
            }
            _ => self.proof.formula(self.t, literal),
        }
    }

    /// What reads clauses of theories.
    pub(super) fn checker(&self) -> &Checker<'a> {
        let make = || Checker::new(self.t, &[], self.proof);
        self.checker.get_or_init(make)
    }

    pub(super) fn color(&self, literal: Literal) -> Color {
        self.colors.atoms[literal.atom as usize]
    }

    /// Does a literal that is not mixed count as `A`'s?
    pub(super) fn is_a(&self, literal: Literal) -> bool {
        match self.color(literal) {
            Color::A => true,
            Color::Both => self.strength == Strength::Weak,
            Color::B | Color::Mixed => false,
        }
    }

    /// The partial interpolant of an asserted clause. A clause of `A` gives the disjunction of its
    /// literals on `B`'s side. A clause of `B` gives the conjunction of the negations of its
    /// literals on `A`'s side.
    fn leaf(
        &mut self,
        step: &ProofStep,
        rule: Justification,
        part: u32,
    ) -> Result<Term, NoInterpolants> {
        let t = self.t;
        // What a theory says, or a definition that the search has made, belongs to whoever has all
        // its symbols.
        let colors = step.clause.iter().map(|&l| self.color(l));
        let of_a = match colors.fold(Color::Both, Color::and) {
            Color::Both => (self.of_a)(part),
            Color::A => true,
            Color::B => false,
            Color::Mixed if self.is_only => {
                let divided = self.mixed_leaf(&step.clause, rule)?;
                return divided.ok_or(NoInterpolants::Mixed);
            }
            Color::Mixed => return Err(NoInterpolants::Mixed),
        };
        let mut parts = Vec::new();
        for &literal in &step.clause {
            if self.is_a(literal) != of_a {
                let literal = if of_a { literal } else { !literal };
                parts.push(self.formula(literal));
            }
        }
        Ok(if of_a { t.or(parts) } else { t.and(parts) })
    }

    /// The resolvent of a chain: `∨` where the pivot counts as `A`'s, `∧` where it counts as `B`'s;
    /// where it is mixed, a value for `A`'s part of it for which both hold.
    fn resolve(&mut self, steps: &[u32], partial: &[Term]) -> Result<Term, NoInterpolants> {
        let (&first, rest) = steps
            .split_first()
            .expect("without assumptions every chain has steps");
        let proof = self.proof;
        let clause = |step: u32| &proof.steps[step as usize].clause;
        let mut resolvent: FxHashSet<Literal> = clause(first).iter().copied().collect();
        let mut interpolant = partial[first as usize];
        for &step in rest {
            let pivot = clause(step).iter().find(|&&l| resolvent.contains(&!l));
            let pivot = *pivot.expect("each step of a chain resolves");
            resolvent.remove(&!pivot);
            work::spend_on(1 + clause(step).len());
            resolvent.extend(clause(step).iter().copied().filter(|&l| l != pivot));
            let parts = [interpolant, partial[step as usize]];
            interpolant = match self.color(pivot) {
                Color::Mixed => match self.proof.atoms[pivot.atom as usize] {
                    ProofAtom::Bound { .. } => self.resolve_bound(pivot, parts),
                    ProofAtom::Equal(..) if self.is_only => self.resolve_equation(pivot, parts),
                    // Where the output is false, the inputs are equal.
                    ProofAtom::Gate(Gate::Xor(_)) if self.is_only => {
                        self.resolve_equation(!pivot, parts)
                    }
                    _ => return Err(NoInterpolants::Mixed),
                },
                _ if self.is_a(pivot) => self.t.or(parts),
                _ => self.t.and(parts),
            };
        }
        Ok(interpolant)
    }

    /// `∃v. I ∧ J` for the partial interpolants of the clauses with `a + b ≤ k` and with its
    /// negation.
    ///
    /// `A` implies it: with `v = a` one of the premises holds in each of them. `B` contradicts it:
    /// whatever `v` is, `v + b ≤ k` or not, and so `B` contradicts `J` or `I`. The quantifier stays
    /// in front of everything that is made of the formula, which is monotone; the variable is
    /// renamed, since the same pivot may be resolved again.
    fn resolve_bound(&mut self, pivot: Literal, parts: [Term; 2]) -> Term {
        let t = self.t;
        let both = t.and(parts);
        let Some(&value) = self.values.get(&pivot.atom) else {
            return both;
        };
        let name = t.fresh_var("part", t.sort_of(value));
        let renamed = t.substitute(both, [(value, name)]);
        if renamed != both {
            self.quantified.push(name);
        }
        renamed
    }

    /// The variable for the value of the terms of a mixed atom that `A` alone has.
    pub(super) fn value_of_a(&mut self, atom: u32) -> Term {
        if let Some(&value) = self.values.get(&atom) {
            return value;
        }
        let t = self.t;
        let ProofAtom::Bound { form, .. } = &self.proof.atoms[atom as usize] else {
            unreachable!("sums are of bounds");
        };
        let mut of_a = form
            .iter()
            .filter(|(x, _)| self.colors.has_alone(Color::A, x));
        let is_int = of_a.all(|(x, a)| t.sort_of(*x) == Sort::INT && a.is_integer());
        let sort = if is_int { Sort::INT } else { Sort::REAL };
        let value = t.fresh_var("part", sort);
        self.values.insert(atom, value);
        value
    }
}
