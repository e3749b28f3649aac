//! The checker of proofs.
//!
//! It shares no code with the search: it knows `number`, `term`, and what a [`Proof`] is. Each step
//! is checked by itself:
//!
//! - a resolution by resolving;
//! - a Farkas step by adding up;
//! - a clause of an encoding by looking into the formula that it comes from, as far as the clause's
//!   literals go (`entails`), of a long conjunction by what its parts say (`parts`), or by what the
//!   operator means;
//! - a clause about an atom with a choice between numbers by putting the results in its place;
//! - a lemma about equality, arrays or constructors by the closure of its negation (`closure`);
//! - a lemma about a product by multiplying two inequalities (`products`);
//! - a clause of a gate by trying all values of the inputs;
//! - a clause between bit-vectors and gates by building the circuits once more (`circuits`).
//!
//! What it has found of terms serves the next proof as well (`readings`). That depends on terms
//! alone; every step of every proof is checked.
//!
//! What it trusts: the builders of `term`, and `Terms::linear_sum`.

mod bounds;
mod circuits;
mod closure;
mod gates;
mod numbers;
mod parts;
mod products;
mod readings;

use super::proof::{Justification, Literal, Proof, ProofAtom, Why, difference};
use crate::number::{DeltaRational, Rational};
use crate::term::{CtorId, LinearSum, Op, Sort, Term, Terms};
use crate::work;
use bounds::{CheckedInequality, Side};
pub(super) use circuits::{BitPair, Circuits};
pub(super) use closure::{Closure, Premises};
pub(super) use gates::defined_gate;
pub use readings::Readings;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// A step that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("step {step}: {flaw}")]
pub struct ProofError {
    /// Its number.
    pub step: usize,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// What is wrong with a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// A step refers to a step, a literal or a form that does not exist.
    #[error("it refers to a step or an assumption that does not exist")]
    Reference,
    /// The formula is no assertion, nor a conjunct of one.
    #[error("its formula is not asserted")]
    NotAsserted,
    /// The clause does not follow by its rule.
    #[error("the clause does not follow by its rule")]
    Justification,
    /// The inequalities do not add up to falsity.
    #[error("the inequalities do not add up to falsity")]
    Sum,
    /// The steps do not resolve to the clause.
    #[error("the steps do not resolve to the clause")]
    Resolution,
    /// The last clause has a literal that no assumption makes false.
    #[error("its last clause does not contradict the assumptions")]
    Open,
}

/// Formulas are looked into to this depth of alternation; encodings need less. The value was not
/// tuned.
const MAX_DEPTH: usize = 32;

/// Does the proof show that the assertions and the assumptions are contradictory?
///
/// # Errors
/// A step does not hold, or the last one is no contradiction.
pub fn check(
    t: &Terms,
    assertions: &[Term],
    assumptions: &[Term],
    proof: &Proof,
) -> Result<(), ProofError> {
    Readings::default().check(t, assertions, assumptions, proof)
}

/// The conjuncts of formulas, each positive or negated.
fn conjuncts(t: &Terms, formulas: &[Term]) -> FxHashSet<(Term, bool)> {
    let mut found = FxHashSet::default();
    let mut todo: Vec<(Term, bool)> = formulas.iter().map(|&f| (f, true)).collect();
    while let Some((f, positive)) = todo.pop() {
        if !found.insert((f, positive)) {
            continue;
        }
        match (t.op(f), positive) {
            (Op::Not, _) => todo.push((t.args(f)[0], !positive)),
            (Op::And, true) | (Op::Or, false) => {
                todo.extend(t.args(f).iter().map(|&a| (a, positive)))
            }
            _ => {}
        }
    }
    found
}

/// Reads the clauses of a proof.
pub(super) struct Checker<'a> {
    t: &'a Terms,
    proof: &'a Proof,
    asserted: FxHashSet<(Term, bool)>,
    readings: Readings,
    /// The inequalities of literals by their numbers; `None` for a literal that says none.
    numbers: RefCell<FxHashMap<Literal, Option<u32>>>,
    circuits: RefCell<Circuits<'a>>,
    /// Formulas with signs that do not imply the clause under examination when they are looked into
    /// from this depth on, nor from a greater one. Without them, the time can be exponential in the
    /// alternations of conjunctions and disjunctions.
    failed: RefCell<FxHashMap<(Term, bool), usize>>,
}

impl<'a> Checker<'a> {
    /// A checker of a proof from these assertions.
    pub(super) fn new(t: &'a Terms, assertions: &[Term], proof: &'a Proof) -> Self {
        Checker {
            t,
            proof,
            asserted: conjuncts(t, assertions),
            readings: Readings::default(),
            numbers: RefCell::default(),
            circuits: RefCell::new(Circuits::new(t, &proof.atoms)),
            failed: RefCell::default(),
        }
    }

    /// Do the steps hold, and does the last one contradict the assumptions?
    fn accepts(&self, assumptions: &[Term]) -> Result<(), ProofError> {
        let steps = &self.proof.steps;
        for number in 0..steps.len() {
            let result = self.step(number);
            result.map_err(|flaw| ProofError { step: number, flaw })?;
        }
        let end = steps.len().saturating_sub(1);
        let fail = |flaw| ProofError { step: end, flaw };
        let last = steps.last().ok_or(fail(Flaw::Reference))?;
        let assumed = conjuncts(self.t, assumptions);
        let mut literals = last.clause.iter();
        let is_closed = literals.all(|&literal| self.contradicts(literal, &assumed));
        is_closed.then_some(()).ok_or(fail(Flaw::Open))
    }

    fn step(&self, number: usize) -> Result<(), Flaw> {
        let step = &self.proof.steps[number];
        let known = |l: &Literal| (l.atom as usize) < self.proof.atoms.len();
        if !step.clause.iter().all(known) {
            return Err(Flaw::Reference);
        }
        match &step.why {
            Why::Chain(steps) => self.resolve(number, steps, &step.clause),
            Why::Farkas(factors) => self.add_up(&step.clause, factors),
            Why::Input { rule, .. } => self.input(*rule, &step.clause),
        }
    }

    /// What a literal's atom says.
    pub(super) fn atom(&self, literal: Literal) -> &ProofAtom {
        &self.proof.atoms[literal.atom as usize]
    }

    fn resolve(&self, number: usize, steps: &[u32], clause: &[Literal]) -> Result<(), Flaw> {
        let Some((first, rest)) = steps.split_first() else {
            let tautology = clause.iter().any(|&l| clause.contains(&!l));
            return tautology.then_some(()).ok_or(Flaw::Resolution);
        };
        let earlier = |s: u32| {
            let step = self
                .proof
                .steps
                .get(s as usize)
                .filter(|_| (s as usize) < number);
            step.map(|s| &s.clause).ok_or(Flaw::Reference)
        };
        let mut resolvent: FxHashSet<Literal> = earlier(*first)?.iter().copied().collect();
        for &step in rest {
            let other = earlier(step)?;
            let mut pivots = other.iter().filter(|&&l| resolvent.contains(&!l));
            let (Some(&pivot), None) = (pivots.next(), pivots.next()) else {
                return Err(Flaw::Resolution);
            };
            resolvent.remove(&!pivot);
            work::spend_on(1 + other.len());
            resolvent.extend(other.iter().copied().filter(|&l| l != pivot));
        }
        let within = resolvent.iter().all(|l| clause.contains(l));
        within.then_some(()).ok_or(Flaw::Resolution)
    }

    fn add_up(&self, clause: &[Literal], factors: &[Rational]) -> Result<(), Flaw> {
        let mut sum: FxHashMap<Term, Rational> = FxHashMap::default();
        let mut constant = DeltaRational::zero();
        if clause.len() != factors.len() || !factors.iter().all(Rational::is_positive) {
            return Err(Flaw::Sum);
        }
        for (&literal, factor) in clause.iter().zip(factors) {
            let inequality = self.inequality(!literal).ok_or(Flaw::Sum)?;
            constant.add_mul(factor, &inequality.bound);
            for (x, a) in &inequality.terms {
                sum.entry(*x).or_default().add_mul(factor, a);
            }
        }
        // 0 ≤ constant
        let holds = sum.values().all(Rational::is_zero) && constant.signum() < 0;
        holds.then_some(()).ok_or(Flaw::Sum)
    }

    /// What a literal about a bound says.
    fn inequality(&self, literal: Literal) -> Option<CheckedInequality> {
        let ProofAtom::Bound { form, bound, .. } = self.atom(literal) else {
            return None;
        };
        let is_int = form
            .iter()
            .all(|(x, a)| self.t.sort_of(*x) == Sort::INT && a.is_integer());
        let mut terms = form.to_vec();
        terms.sort_by_key(|&(x, _)| x);
        let mut bound = if is_int {
            DeltaRational::from(bound.floor())
        } else {
            bound.clone()
        };
        if !literal.positive {
            // form ≥ the next bound, that is, -form ≤ -next
            let next = if is_int {
                DeltaRational::from(&bound.real + &Rational::one())
            } else {
                DeltaRational::new(bound.real, &bound.delta + &Rational::one())
            };
            bound = -&next;
            terms.iter_mut().for_each(|(_, a)| *a = -&*a);
        }
        Some(CheckedInequality { terms, bound })
    }

    fn input(&self, rule: Justification, clause: &[Literal]) -> Result<(), Flaw> {
        // What holds by itself makes a clause true.
        let is_true = |&l: &Literal| {
            l.positive && matches!(self.atom(l), ProofAtom::Truth | ProofAtom::Operator(_))
        };
        if clause.iter().any(is_true) {
            return Ok(());
        }
        let follows = match rule {
            Justification::Assertion(formula, positive) => {
                if !self.asserted.contains(&(formula, positive)) {
                    return Err(Flaw::NotAsserted);
                }
                self.entails(formula, positive, clause, 0)
            }
            Justification::Definition(formula) => [true, false].iter().any(|&positive| {
                let says = |l: &&Literal| {
                    l.positive != positive && *self.atom(**l) == ProofAtom::Formula(formula)
                };
                clause.iter().any(|l| says(&l)) && self.entails_inside(formula, positive, clause)
            }),
            Justification::Operator(term) => self.operator(term, clause),
            Justification::Closure => self.is_closed(clause, false),
            Justification::Arrays => self.is_closed(clause, true),
            Justification::Shared(x, y) => self.shared(x, y, clause),
            Justification::Extensionality(x, y) => self.extensionality(x, y, clause),
            Justification::Exhaustive(x) => self.exhaustive(x, clause),
            Justification::Expand(x, ctor) => self.expand(x, ctor, clause),
            Justification::Product(product) => self.product(product, clause),
            Justification::Gate => defined_gate(&self.proof.atoms, clause).is_some(),
            Justification::Equation => clause.iter().any(|&l| match *self.atom(l) {
                ProofAtom::Equal(x, y) => self.bits_imply(x, y, !l.positive, clause),
                _ => false,
            }),
        };
        follows.then_some(()).ok_or(Flaw::Justification)
    }

    /// Is a literal false under one of the assumptions?
    fn contradicts(&self, literal: Literal, assumed: &FxHashSet<(Term, bool)>) -> bool {
        let negation = [!literal];
        match self.atom(literal) {
            ProofAtom::Truth | ProofAtom::Operator(_) | ProofAtom::Scope if !literal.positive => {
                true
            }
            _ => assumed
                .iter()
                .any(|&(f, positive)| self.entails(f, positive, &negation, 0)),
        }
    }

    /// Does the formula (its negation, if not `positive`) imply the clause, as far as can be seen
    /// from its connectives?
    fn entails(&self, f: Term, positive: bool, clause: &[Literal], depth: usize) -> bool {
        work::spend(1);
        if depth == 0 {
            self.forget_failed();
        }
        let says = |&l: &Literal| l.positive == positive && *self.atom(l) == ProofAtom::Formula(f);
        if clause.iter().any(says) {
            return true;
        }
        let failed = self.failed.borrow().get(&(f, positive)).copied();
        if depth >= failed.unwrap_or(MAX_DEPTH) {
            return false;
        }
        let found = self.entails_by_head(f, positive, clause, depth);
        if !found && matches!(self.t.op(f), Op::And | Op::Or | Op::Ite | Op::Eq) {
            self.failed.borrow_mut().insert((f, positive), depth);
        }
        found
    }

    fn entails_inside(&self, f: Term, positive: bool, clause: &[Literal]) -> bool {
        self.forget_failed();
        self.entails_by_head(f, positive, clause, 0)
    }

    /// Another clause comes under examination.
    fn forget_failed(&self) {
        let mut failed = self.failed.borrow_mut();
        if !failed.is_empty() {
            *failed = FxHashMap::default();
        }
    }

    fn entails_by_head(&self, f: Term, positive: bool, clause: &[Literal], depth: usize) -> bool {
        let t = self.t;
        let args = t.args(f);
        let next = |g: Term, positive: bool| self.entails(g, positive, clause, depth + 1);
        match t.op(f) {
            Op::True => !positive,
            Op::False => positive,
            Op::Not => next(args[0], !positive),
            Op::And | Op::Or if positive == (t.op(f) == Op::And) => {
                self.has_part(f, positive, clause) || args.iter().any(|&a| next(a, positive))
            }
            Op::And | Op::Or => self.all_leaves(f, positive, clause, depth),
            Op::Ite => {
                let cases = [args[0], args[1], args[2]];
                self.both_cases(cases, positive, clause, depth + 1)
            }
            Op::Eq if t.sort_of(args[0]) == Sort::BOOL => {
                (next(args[0], true) || next(args[1], positive))
                    && (next(args[0], false) || next(args[1], !positive))
            }
            Op::Eq if !t.sort_of(args[0]).is_arith() => {
                self.has_equal(args[0], args[1], positive, clause)
                    || self.bits_imply(args[0], args[1], positive, clause)
            }
            Op::Bv(_) => {
                let mut circuits = self.circuits.borrow_mut();
                circuits.order_implies(f, positive, clause).is_some()
            }
            Op::Eq | Op::Le | Op::Lt | Op::IsInt => {
                self.entails_bound(f, positive, clause)
                    || self.cases(f).is_some_and(|cases| {
                        // The clause of a case has the atom of the case.
                        let depth = (depth + 1).max(MAX_DEPTH - 2);
                        self.both_cases(cases, positive, clause, depth)
                    })
            }
            _ => false,
        }
    }

    /// Does `ite condition yes no` (its negation, if not `positive`) imply the clause in both
    /// cases?
    fn both_cases(
        &self,
        [condition, yes, no]: [Term; 3],
        positive: bool,
        clause: &[Literal],
        depth: usize,
    ) -> bool {
        let next = |g: Term, positive: bool| self.entails(g, positive, clause, depth);
        (next(condition, true) || next(yes, positive))
            && (next(condition, false) || next(no, positive))
    }

    /// For a disjunction, or the negation of a conjunction, however it is nested: does each part
    /// imply the clause?
    fn all_leaves(&self, f: Term, positive: bool, clause: &[Literal], depth: usize) -> bool {
        let t = self.t;
        let mut todo = vec![(f, positive)];
        let mut seen = FxHashSet::default();
        while let Some((g, positive)) = todo.pop() {
            if !seen.insert((g, positive)) {
                continue;
            }
            match (t.op(g), positive) {
                (Op::Or, true) | (Op::And, false)
                    if g == f || !self.mentions(g, positive, clause) =>
                {
                    todo.extend(t.args(g).iter().map(|&a| (a, positive)));
                }
                (Op::Not, _) => todo.push((t.args(g)[0], !positive)),
                _ if self.entails(g, positive, clause, depth + 1) => {}
                _ => return false,
            }
        }
        true
    }

    fn mentions(&self, f: Term, positive: bool, clause: &[Literal]) -> bool {
        let says = |l: &Literal| l.positive == positive && *self.atom(*l) == ProofAtom::Formula(f);
        clause.iter().any(says)
    }

    fn has_equal(&self, x: Term, y: Term, positive: bool, clause: &[Literal]) -> bool {
        let says = |l: &Literal| {
            let same = *self.atom(*l) == ProofAtom::Equal(x, y)
                || *self.atom(*l) == ProofAtom::Equal(y, x);
            same && l.positive == positive
        };
        x == y && !positive || clause.iter().any(says)
    }

    /// Does `x = y`, or its negation if not `positive`, imply the clause by what it says of bits?
    fn bits_imply(&self, x: Term, y: Term, positive: bool, clause: &[Literal]) -> bool {
        let mut circuits = self.circuits.borrow_mut();
        let found = circuits.equation_implies((x, y), positive, clause);
        found.is_some()
    }

    /// The bits of two bit-vectors of one width, the least significant first, and what a clause
    /// says of them.
    pub(super) fn bit_pairs(&self, x: Term, y: Term, clause: &[Literal]) -> Vec<BitPair> {
        let mut circuits = self.circuits.borrow_mut();
        circuits.bit_pairs(x, y, clause)
    }

    /// What a literal says, where gates are functions of their inputs.
    pub(super) fn formula_of(&self, literal: Literal) -> Term {
        let mut circuits = self.circuits.borrow_mut();
        match circuits.of(literal) {
            Some(node) => circuits.formula(node),
            None => self.proof.formula(self.t, literal),
        }
    }

    /// Does an arithmetic atom, or its negation if not `positive`, imply the clause, as one of the
    /// inequalities that it is?
    fn entails_bound(&self, f: Term, positive: bool, clause: &[Literal]) -> bool {
        let sides = self.sides(f, positive);
        let mut implied = sides.iter().map(|&side| self.has_side(side, clause));
        if positive {
            implied.any(|is| is)
        } else {
            implied.all(|is| is)
        }
    }

    /// An arithmetic atom as inequalities, which hold together where it does; those of which one
    /// holds where it does not, if not `positive`.
    fn sides(&self, f: Term, positive: bool) -> Rc<[Side]> {
        let known = self.readings.bounds.borrow().of_atom(f, positive);
        if let Some(known) = known {
            return known;
        }
        let t = self.t;
        let args = t.args(f);
        let (mut sum, equation, strict) = match t.op(f) {
            Op::Le => (self.sum(args[0]), false, false),
            Op::Lt => (self.sum(args[0]), false, true),
            _ => (self.sum(args[0]), true, false),
        };
        let other = match t.op(f) {
            Op::IsInt => self.sum(t.to_real(t.to_int(args[0]))),
            _ => self.sum(args[1]),
        };
        sum.add_scaled(&Rational::from(-1), &other);
        let sums = if equation {
            vec![sum.clone(), negated(&sum)]
        } else {
            vec![sum]
        };
        let side = |sum: &LinearSum| match positive {
            true => self.normalized(sum, strict),
            // ¬(s ≤ 0) is -s < 0
            false => self.normalized(&negated(sum), !strict),
        };
        let sides = sums.iter().map(side).collect();
        self.readings
            .bounds
            .borrow_mut()
            .add_atom(f, positive, sides)
    }

    /// An arithmetic atom that has an `ite` as a summand: the condition, and the atom with each of
    /// the results in its place. Of several ones it is the oldest term, as the search has it.
    fn cases(&self, f: Term) -> Option<[Term; 3]> {
        if let Some(&known) = self.readings.cases.borrow().get(&f) {
            return known;
        }
        let found = self.find_cases(f);
        self.readings.cases.borrow_mut().insert(f, found);
        found
    }

    fn find_cases(&self, f: Term) -> Option<[Term; 3]> {
        let t = self.t;
        let args = t.args(f);
        let (Op::Eq | Op::Le | Op::Lt, Sort::INT | Sort::REAL) = (t.op(f), t.sort_of(args[0]))
        else {
            return None;
        };
        let mut sum = t.linear_sum(args[0]);
        sum.add_scaled(&Rational::from(-1), &t.linear_sum(args[1]));
        let choices = sum.terms.iter().filter(|&&(x, _)| t.op(x) == Op::Ite);
        let (choice, factor) = choices.min_by_key(|&&(x, _)| x).cloned()?;
        let &[condition, yes, no] = t.args(choice) else {
            return None;
        };
        let [yes, no] = [yes, no].map(|result| {
            let mut case = sum.clone();
            case.add_scaled(&-&factor, &itself(choice));
            case.add_scaled(&factor, &t.linear_sum(result));
            match t.op(f) {
                Op::Eq => t.sum_is_zero(&case, t.sort_of(args[0])),
                op => t.sum_at_most_zero(&case, op == Op::Lt, t.sort_of(args[0])),
            }
        });
        Some([condition, yes, no])
    }

    /// Is an inequality false by itself, or one of the literals?
    fn has_side(&self, side: Side, clause: &[Literal]) -> bool {
        match side {
            Err(holds) => !holds,
            Ok(wanted) => clause.iter().any(|&l| self.number(l) == Some(wanted)),
        }
    }

    /// The number of what a literal about a bound says.
    fn number(&self, literal: Literal) -> Option<u32> {
        if let Some(&known) = self.numbers.borrow().get(&literal) {
            return known;
        }
        let says = self.inequality(literal);
        let number = says.map(|says| self.readings.bounds.borrow_mut().number(says));
        self.numbers.borrow_mut().insert(literal, number);
        number
    }

    /// Is `sum ≤ 0` (`sum < 0` if strict) false by itself, or one of the literals?
    fn has_at_most_zero(&self, sum: &LinearSum, strict: bool, clause: &[Literal]) -> bool {
        let side = self.normalized(sum, strict);
        let side = self.readings.bounds.borrow_mut().side(side);
        self.has_side(side, clause)
    }

    /// `sum ≤ 0` (`sum < 0` if strict) as literals say it; `Err` with its truth value if it has no
    /// terms.
    fn normalized(&self, sum: &LinearSum, strict: bool) -> Result<CheckedInequality, bool> {
        if sum.is_constant() {
            let value = sum.constant.signum();
            return Err(value < 0 || value == 0 && !strict);
        }
        let scale = sum.normalizer();
        let is_int = sum
            .terms
            .iter()
            .all(|&(x, _)| self.t.sort_of(x) == Sort::INT);
        let terms = sum.terms.iter().map(|(x, a)| (*x, a * &scale)).collect();
        let bound = DeltaRational::new(
            -(&sum.constant * &scale),
            if strict {
                Rational::from(-1)
            } else {
                Rational::zero()
            },
        );
        let bound = if is_int {
            DeltaRational::from(bound.floor())
        } else {
            bound
        };
        Ok(CheckedInequality { terms, bound })
    }

    /// The linear sum that a term is, with remainders in terms of quotients, as the search writes
    /// them.
    fn sum(&self, term: Term) -> LinearSum {
        let t = self.t;
        let mut sum = t.linear_sum(term);
        loop {
            let is_remainder = |x: Term| t.op(x) == Op::Mod && divisor(t, x).is_some();
            let found = sum.terms.iter().find(|&&(x, _)| is_remainder(x));
            let Some((x, factor)) = found.cloned() else {
                return sum;
            };
            let args = t.args(x);
            let divisor = divisor(t, x).expect("just tested");
            sum.remove(x);
            sum.add_scaled(&factor, &t.linear_sum(args[0]));
            sum.add_scaled(
                &-(&factor * divisor),
                &t.linear_sum(t.idiv(args[0], args[1])),
            );
        }
    }

    /// Does what an operator means imply the clause?
    fn operator(&self, term: Term, clause: &[Literal]) -> bool {
        let t = self.t;
        let args = t.args(term);
        let own = itself(term);
        let minus = Rational::from(-1);
        let at_most_zero = |sum: &LinearSum, strict| self.has_at_most_zero(sum, strict, clause);
        match t.op(term) {
            Op::Ite => [(true, args[1]), (false, args[2])]
                .iter()
                .any(|&(branch, value)| {
                    let equal = if t.sort_of(term).is_arith() {
                        let mut difference = own.clone();
                        difference.add_scaled(&minus, &self.sum(value));
                        at_most_zero(&difference, false)
                            || at_most_zero(&negated(&difference), false)
                    } else {
                        self.has_equal(term, value, true, clause)
                    };
                    equal && self.entails(args[0], !branch, clause, 0)
                }),
            Op::IDiv | Op::Mod | Op::Div if divisor(t, term).is_none() => {
                self.division(term, clause)
            }
            Op::IDiv => {
                let divisor = divisor(t, term).expect("just tested");
                let mut rest = self.sum(args[0]);
                rest.add_scaled(&-divisor, &own);
                let mut most = rest.clone();
                most.constant += &(Rational::one() - divisor.abs());
                at_most_zero(&negated(&rest), false) || at_most_zero(&most, false)
            }
            Op::Abs => {
                let argument = self.sum(args[0]);
                let (mut over, mut under) = (own.clone(), own);
                over.add_scaled(&minus, &argument);
                under.add_scaled(&Rational::one(), &argument);
                at_most_zero(&negated(&over), false)
                    || at_most_zero(&negated(&under), false)
                    || at_most_zero(&over, false) && at_most_zero(&under, false)
            }
            Op::ToInt => {
                let mut rest = self.sum(args[0]);
                rest.add_scaled(&minus, &own);
                let mut less = rest.clone();
                less.constant += &minus;
                at_most_zero(&negated(&rest), false) || at_most_zero(&less, true)
            }
            Op::Bv(op) => self.bit_operator(op, term, clause),
            _ => false,
        }
    }

    /// Does the clause say one direction of what an equation of numbers means as bounds?
    fn shared(&self, x: Term, y: Term, clause: &[Literal]) -> bool {
        let is_number = self.t.sort_of(x).is_arith() && self.t.sort_of(x) == self.t.sort_of(y);
        if !is_number {
            return false;
        }
        let mut difference = self.sum(x);
        difference.add_scaled(&Rational::from(-1), &self.sum(y));
        let sides = [negated(&difference), difference];
        let says = |positive| {
            let same = |l: &Literal| {
                let atom = self.atom(*l);
                l.positive == positive
                    && (*atom == ProofAtom::Equal(x, y) || *atom == ProofAtom::Equal(y, x))
            };
            clause.iter().any(same)
        };
        // One side follows from the equation, and one of the strict ones from its negation.
        let has_side = |side, strict| self.has_at_most_zero(side, strict, clause);
        says(false) && sides.iter().any(|side| has_side(side, false))
            || says(true) && sides.iter().all(|side| has_side(side, true))
    }

    /// Does the clause say that two arrays are equal or differ at their difference?
    fn extensionality(&self, x: Term, y: Term, clause: &[Literal]) -> bool {
        let t = self.t;
        let is_array = t.sort_of(x) == t.sort_of(y) && t.array_parts(t.sort_of(x)).is_some();
        is_array && self.has_equal(x, y, true, clause) && {
            let index = difference(t, x, y);
            let same = t.eq(t.select(x, index), t.select(y, index));
            self.entails(same, false, clause, 0)
        }
    }

    /// Does the clause have the testers of all constructors?
    fn exhaustive(&self, x: Term, clause: &[Literal]) -> bool {
        let t = self.t;
        let datatype = t.datatype_of(t.sort_of(x));
        datatype.is_some_and(|id| {
            let mut ctors = t.datatype(id).ctors().iter();
            ctors.all(|&ctor| self.entails(t.is(ctor, x), true, clause, 0))
        })
    }

    /// Does the clause say that a term, if a constructor builds it, is what that builds of its
    /// fields?
    fn expand(&self, x: Term, ctor: CtorId, clause: &[Literal]) -> bool {
        let t = self.t;
        if t.ctor_sort(ctor) != t.sort_of(x) {
            return false;
        }
        let fields = t.ctor(ctor).fields.iter();
        let fields: Vec<Term> = fields.map(|&field| t.field(field, x)).collect();
        self.has_equal(x, t.construct(ctor, &fields), true, clause)
            && self.entails(t.is(ctor, x), false, clause, 0)
    }
}

/// The numeral other than 0 by which a quotient or remainder divides.
fn divisor(t: &Terms, term: Term) -> Option<&Rational> {
    t.as_number(t.args(term)[1]).filter(|k| !k.is_zero())
}

/// The sum that is a term alone.
fn itself(term: Term) -> LinearSum {
    LinearSum {
        terms: vec![(term, Rational::one())],
        constant: Rational::zero(),
    }
}

fn negated(sum: &LinearSum) -> LinearSum {
    let mut negated = sum.clone();
    negated.scale(&Rational::from(-1));
    negated
}
