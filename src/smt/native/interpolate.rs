//! Craig interpolants from proofs.
//!
//! For assertions in two parts `A` and `B` that contradict each other, an interpolant is implied by `A`, contradicts `B`, and
//! has only symbols that both have. For a sequence of parts, `I₁ … Iₙ₋₁` come from one proof, so that `Iₖ` and part `k + 1`
//! imply `Iₖ₊₁`. Each clause of the proof has a partial interpolant, McMillan's \[McM05\] or its dual: literals that both parts can
//! say count as `B`'s in the strong system, as `A`'s in the weak one.
//!
//! - A clause of `A`: the disjunction of its literals that count as `B`'s. A clause of `B`: the negations of those that count as `A`'s.
//! - A contradictory sum of inequalities: the sum of `A`'s part, or in the weak system the negation of the sum of `B`'s part.
//!   It can be decomposed \[BHKS19\]: here into the parts of `A`'s inequalities that share no symbol of `A` alone, each of
//!   which is free of such symbols by itself. (DIVERGENCE: the paper decomposes by linear algebra and finds more parts.)
//! - A resolution: `∨` if the pivot counts as `A`'s, else `∧`.
//!
//! There is none where the proof divides integers into cases by a form that has symbols of `A` alone and of `B` alone.

use super::extract::extract;
use super::inequality::Inequality;
use super::log::Logging;
use super::proof::{Atom, Literal, Proof, ProofStep, Rule, Why};
use super::search::{Budget, Search, Verdict};
use super::support::Support;
use crate::number::{DeltaRational, Rational};
use crate::smt::{Failure, Limit};
use crate::term::{FuncId, Op, Term, Terms};
use crate::work;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Which of the interpolants that a proof gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// McMillan's: near to `A`.
    #[default]
    Strong,
    /// Its dual: near to the negation of `B`.
    Weak,
}

/// How to interpolate.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterpolationOptions {
    /// Which of the interpolants that a proof gives.
    pub strength: Strength,
    /// Decompose sums of inequalities into conjunctions where their parts are independent. (Strong ones only.)
    pub decompose: bool,
    /// When the search for the proof gives up.
    pub budget: Budget,
}

/// Why there are no interpolants.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoInterpolants {
    /// The parts do not contradict each other.
    #[error("the formulas can be true together")]
    Satisfiable,
    /// Whether they do is not known.
    #[error(transparent)]
    Unknown(#[from] Failure),
    /// The proof has a literal with symbols of one side alone and of the other side alone.
    #[error("the proof mixes symbols of the two sides")]
    Mixed,
}

/// Interpolants between the parts, in order: one fewer than there are parts. The formula after the first `k` parts is implied
/// by these and contradicts the others.
///
/// # Errors
/// The parts do not contradict each other, or this is not known, or the proof found has no interpolants, or the limit is
/// reached before all of them are read off.
pub fn interpolants(
    t: &Terms,
    parts: &[Vec<Term>],
    options: &InterpolationOptions,
    limit: &Limit,
) -> Result<Vec<Term>, NoInterpolants> {
    let support = Support::default();
    let mut search = Search::new(t, Logging::Full, options.budget);
    for (number, part) in (0..).zip(parts) {
        search.sat.log.part = number;
        search.encoder.start_partition();
        for &formula in part {
            support.check(t, formula)?;
            search.encoding().assert(formula, None);
        }
    }
    let step = match search.solve(&[], limit)? {
        Verdict::Sat => return Err(NoInterpolants::Satisfiable),
        Verdict::Unsat { step, .. } => step,
    };
    let proof = extract(&search, step);
    let colors = Colors::new(t, parts, &proof);
    (1..parts.len())
        .map(|cut| {
            limit.check()?;
            Cut {
                t,
                options,
                proof: &proof,
                colors: &colors,
                cut,
            }
            .interpolant()
        })
        .collect()
}

/// Interpolants as those of [`interpolants`]: strong ones, or where these mix the parts' symbols, weak ones.
///
/// # Errors
/// As there.
pub fn any_interpolants(
    t: &Terms,
    parts: &[Vec<Term>],
    limit: &Limit,
) -> Result<Vec<Term>, NoInterpolants> {
    let mut options = InterpolationOptions::default();
    match interpolants(t, parts, &options, limit) {
        Err(NoInterpolants::Mixed) => {
            options.strength = Strength::Weak;
            interpolants(t, parts, &options, limit)
        }
        found => found,
    }
}

/// A symbol of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symbol {
    Variable(Term),
    Function(FuncId),
}

/// In which parts symbols occur: the first and the last.
#[derive(Clone, Copy, Debug)]
struct Range {
    /// The least last part of a symbol: if it is before the cut, some symbol is `A`'s alone.
    last: usize,
    /// The greatest first part: if it is behind the cut, some symbol is `B`'s alone.
    first: usize,
}

impl Range {
    const EVERYWHERE: Range = Range {
        last: usize::MAX,
        first: 0,
    };

    fn and(self, other: Range) -> Range {
        Range {
            last: self.last.min(other.last),
            first: self.first.max(other.first),
        }
    }
}

/// The ranges of atoms and of terms in them.
struct Colors {
    atoms: Vec<Range>,
    terms: FxHashMap<Term, Range>,
}

/// Whose a literal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Color {
    A,
    B,
    Both,
}

impl Colors {
    fn new(t: &Terms, parts: &[Vec<Term>], proof: &Proof) -> Colors {
        let mut symbols: FxHashMap<Symbol, Range> = FxHashMap::default();
        for (number, part) in parts.iter().enumerate() {
            for subterm in t.post_order(part.iter().copied()) {
                if let Some(symbol) = symbol(t, subterm) {
                    let range = symbols.entry(symbol).or_insert(Range {
                        last: number,
                        first: number,
                    });
                    range.last = number;
                }
            }
        }
        let roots = proof.atoms.iter().flat_map(Atom::terms);
        let mut terms: FxHashMap<Term, Range> = FxHashMap::default();
        for term in t.post_order(roots) {
            let own = symbol(t, term).and_then(|s| symbols.get(&s).copied());
            let args = t.args(term).iter().map(|arg| terms[arg]);
            let range = args.fold(own.unwrap_or(Range::EVERYWHERE), Range::and);
            terms.insert(term, range);
        }
        let range_of = |term: Term| terms[&term];
        let mut atoms: Vec<Range> = proof
            .atoms
            .iter()
            .map(|atom| match atom {
                Atom::Truth | Atom::Scope | Atom::Operator(_) => Range::EVERYWHERE,
                Atom::Formula(term) => range_of(*term),
                Atom::Equal(x, y) => range_of(*x).and(range_of(*y)),
                Atom::Bound { form, .. } => {
                    let ranges = form.iter().map(|&(x, _)| range_of(x));
                    ranges.fold(Range::EVERYWHERE, Range::and)
                }
            })
            .collect();
        // Literals for subformulas and operators are of the part that they were made for.
        for step in &proof.steps {
            if let Why::Input { part, .. } = step.why {
                for literal in &step.clause {
                    if is_definitional(t, &proof.atoms[literal.atom as usize]) {
                        let part = part as usize;
                        atoms[literal.atom as usize] = Range {
                            last: part,
                            first: part,
                        };
                    }
                }
            }
        }
        Colors { atoms, terms }
    }
}

fn symbol(t: &Terms, term: Term) -> Option<Symbol> {
    match t.op(term) {
        Op::Var(_) => Some(Symbol::Variable(term)),
        Op::Apply(func) => Some(Symbol::Function(func)),
        _ => None,
    }
}

/// Is it a literal that the encoding made, not one that formulas have?
fn is_definitional(t: &Terms, atom: &Atom) -> bool {
    match atom {
        Atom::Operator(_) => true,
        Atom::Formula(term) => symbol(t, *term).is_none(),
        Atom::Truth | Atom::Scope | Atom::Equal(..) | Atom::Bound { .. } => false,
    }
}

/// The interpolation problem of the first `cut` parts against the others.
struct Cut<'a> {
    t: &'a Terms,
    options: &'a InterpolationOptions,
    proof: &'a Proof,
    colors: &'a Colors,
    cut: usize,
}

impl Cut<'_> {
    fn interpolant(&self) -> Result<Term, NoInterpolants> {
        let mut partial: Vec<Term> = Vec::with_capacity(self.proof.steps.len());
        for step in &self.proof.steps {
            let interpolant = match &step.why {
                Why::Input { rule, part } => self.leaf(step, *rule, *part as usize)?,
                Why::Farkas(factors) => self.sums(&step.clause, factors)?,
                Why::Chain(steps) => self.resolve(steps, &partial)?,
            };
            partial.push(interpolant);
        }
        Ok(*partial.last().expect("a proof has a step"))
    }

    fn color_of(&self, range: Range) -> Result<Color, NoInterpolants> {
        match (range.last < self.cut, range.first >= self.cut) {
            (true, true) => Err(NoInterpolants::Mixed),
            (true, false) => Ok(Color::A),
            (false, true) => Ok(Color::B),
            (false, false) => Ok(Color::Both),
        }
    }

    /// Does a literal count as `A`'s?
    fn is_a(&self, literal: Literal) -> Result<bool, NoInterpolants> {
        Ok(
            match self.color_of(self.colors.atoms[literal.atom as usize])? {
                Color::A => true,
                Color::B => false,
                Color::Both => self.options.strength == Strength::Weak,
            },
        )
    }

    fn leaf(&self, step: &ProofStep, rule: Rule, part: usize) -> Result<Term, NoInterpolants> {
        let (t, proof) = (self.t, self.proof);
        let mut of_a = part < self.cut;
        if matches!(rule, Rule::Equality | Rule::Congruence(..)) {
            // What equality says belongs to whoever has all its symbols.
            let ranges = step
                .clause
                .iter()
                .map(|l| self.colors.atoms[l.atom as usize]);
            of_a = self.color_of(ranges.fold(Range::EVERYWHERE, Range::and))? == Color::A;
        }
        let mut parts = Vec::new();
        for &literal in &step.clause {
            if self.is_a(literal)? != of_a {
                let literal = if of_a { literal } else { !literal };
                parts.push(proof.formula(t, literal));
            }
        }
        Ok(if of_a { t.or(parts) } else { t.and(parts) })
    }

    fn resolve(&self, steps: &[u32], partial: &[Term]) -> Result<Term, NoInterpolants> {
        let (&first, rest) = steps
            .split_first()
            .expect("without assumptions every chain has steps");
        let clause = |step: u32| &self.proof.steps[step as usize].clause;
        let mut resolvent: FxHashSet<Literal> = clause(first).iter().copied().collect();
        let mut interpolant = partial[first as usize];
        for &step in rest {
            let pivot = clause(step).iter().find(|&&l| resolvent.contains(&!l));
            let pivot = *pivot.expect("each step of a chain resolves");
            resolvent.remove(&!pivot);
            work::spend_on(1 + clause(step).len());
            resolvent.extend(clause(step).iter().copied().filter(|&l| l != pivot));
            let parts = [interpolant, partial[step as usize]];
            interpolant = if self.is_a(pivot)? {
                self.t.or(parts)
            } else {
                self.t.and(parts)
            };
        }
        Ok(interpolant)
    }

    /// The interpolant of a contradictory sum: what `A`'s inequalities add up to.
    fn sums(&self, clause: &[Literal], factors: &[Rational]) -> Result<Term, NoInterpolants> {
        let mut of_a = Vec::new();
        let mut of_b = Vec::new();
        for (&literal, factor) in std::iter::zip(clause, factors) {
            let inequality = self.inequality(!literal);
            if self.is_a(literal)? {
                of_a.push((inequality, factor));
            } else {
                of_b.push((inequality, factor));
            }
        }
        if self.options.strength == Strength::Weak {
            return Ok(self.t.not(self.total(of_b.iter())));
        }
        if !self.options.decompose {
            return Ok(self.total(of_a.iter()));
        }
        let groups = self.independent(of_a);
        Ok(self
            .t
            .and(groups.iter().map(|group| self.total(group.iter()))))
    }

    /// What a literal about a bound says: a sign, a form and a bound.
    fn inequality(&self, literal: Literal) -> Bounded<'_> {
        let Atom::Bound {
            form,
            bound,
            is_int,
        } = &self.proof.atoms[literal.atom as usize]
        else {
            unreachable!("sums are of bounds");
        };
        if literal.positive {
            return (Rational::one(), form, bound.clone());
        }
        let one = Rational::one();
        let next = if *is_int {
            DeltaRational::from(&bound.real + &one)
        } else {
            DeltaRational::new(bound.real.clone(), &bound.delta + &one)
        };
        (Rational::from(-1), form, next)
    }

    fn total<'b>(&self, parts: impl Iterator<Item = &'b Scaled<'b>>) -> Term {
        let mut sum = Inequality::default();
        for ((sign, form, bound), factor) in parts {
            sum.add(&(sign * *factor), form, bound);
        }
        sum.term(self.t)
    }

    /// The inequalities in groups that share no term with symbols of `A` alone.
    fn independent<'b>(&self, parts: Vec<Scaled<'b>>) -> Vec<Vec<Scaled<'b>>> {
        let is_local = |x: &Term| self.colors.terms.get(x).is_some_and(|r| r.last < self.cut);
        let mut groups: UnionFind<usize> = UnionFind::new(parts.len());
        let mut first_with: FxHashMap<Term, usize> = FxHashMap::default();
        for (number, ((_, form, _), _)) in parts.iter().enumerate() {
            for x in form.iter().map(|&(x, _)| x).filter(is_local) {
                groups.union(*first_with.entry(x).or_insert(number), number);
            }
        }
        let mut members: BTreeMap<usize, Vec<Scaled<'b>>> = BTreeMap::new();
        for (number, part) in parts.into_iter().enumerate() {
            members.entry(groups.find(number)).or_default().push(part);
        }
        members.into_values().collect()
    }
}

/// A sign, a form and a bound: `sign·form ≤ sign·bound`.
type Bounded<'b> = (Rational, &'b [(Term, Rational)], DeltaRational);

/// An inequality and its factor.
type Scaled<'b> = (Bounded<'b>, &'b Rational);
