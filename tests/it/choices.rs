//! Choices that are moved out of atoms, of clauses by a pass and of queries by the embedded core:
//! the formula says the same, without conditional terms.

use horn::logic::Choices;
use horn::number::Rational;
use horn::smt::native::check::check as check_proof;
use horn::smt::native::proof::Proof;
use horn::smt::native::{NativeOptions, NativeSolver};
use horn::smt::{Limit, SatResult, Solver};
use horn::term::{Evaluator, Sort, Term, Terms, Unspecified, Value};
use proptest::prelude::*;

/// The Boolean variables are the conditions of choices, together with comparisons.
const BITS: usize = 3;
const NUMBERS: std::ops::RangeInclusive<i64> = -2..=2;

/// Builds formulas over the variables from a list of decisions.
struct Builder<'a> {
    t: &'a Terms,
    sort: Sort,
    bits: Vec<Term>,
    numbers: [Term; 2],
    decisions: std::slice::Iter<'a, u8>,
}

impl Builder<'_> {
    fn decide(&mut self, of: u8) -> u8 {
        self.decisions.next().copied().unwrap_or(0) % of
    }

    fn constant(&mut self) -> Term {
        let value = i64::from(self.decide(5)) - 2;
        self.t.number(Rational::from(value), self.sort)
    }

    fn condition(&mut self, depth: usize) -> Term {
        match self.decide(4) {
            0 if depth > 0 => self.atom(depth - 1),
            1 => {
                let bit = usize::from(self.decide(3));
                self.t.not(self.bits[bit])
            }
            _ => {
                let bit = usize::from(self.decide(3));
                self.bits[bit]
            }
        }
    }

    fn number(&mut self, depth: usize) -> Term {
        match self.decide(if depth == 0 { 4 } else { 12 }) {
            0..=2 => self.constant(),
            3 => self.numbers[usize::from(self.decide(2))],
            4..=8 => {
                let condition = self.condition(depth - 1);
                let (yes, no) = (self.number(depth - 1), self.number(depth - 1));
                self.t.ite(condition, yes, no)
            }
            9 => {
                let factor = i64::from(self.decide(5)) - 2;
                let x = self.number(depth - 1);
                self.t.scale(Rational::from(factor), x)
            }
            _ => {
                let (x, y) = (self.number(depth - 1), self.number(depth - 1));
                self.t.add([x, y])
            }
        }
    }

    fn atom(&mut self, depth: usize) -> Term {
        let (x, y) = (self.number(depth), self.number(depth));
        match self.decide(4) {
            0 => self.t.le(x, y),
            1 => self.t.lt(x, y),
            2 if self.sort == Sort::INT => {
                let remainder = self.t.modulo(x, self.t.int(3));
                self.t.eq(remainder, self.t.int(1))
            }
            _ => self.t.eq(x, y),
        }
    }

    fn formula(&mut self) -> Term {
        let parts: Vec<Term> = (0..=self.decide(2)).map(|_| self.atom(4)).collect();
        self.t.or(parts)
    }
}

/// A random formula, and the values of its variables.
fn formula_and_cases(t: &Terms, sort: Sort, decisions: &[u8]) -> (Term, Vec<Vec<(Term, Value)>>) {
    let bits: Vec<Term> = (0..BITS)
        .map(|i| t.var(&format!("b{i}"), Sort::BOOL))
        .collect();
    let numbers = ["x", "y"].map(|name| t.var(name, sort));
    let mut builder = Builder {
        t,
        sort,
        bits: bits.clone(),
        numbers,
        decisions: decisions.iter(),
    };
    let formula = builder.formula();
    let mut cases = Vec::new();
    for case in 0..1 << BITS {
        for (x, y) in NUMBERS.flat_map(|x| NUMBERS.map(move |y| (x, y))) {
            let values = bits.iter().enumerate();
            let values = values.map(|(i, &bit)| (bit, Value::Bool(case >> i & 1 == 1)));
            let number = |value: i64| Value::Number(Rational::from(value));
            let values = values.chain([(numbers[0], number(x)), (numbers[1], number(y))]);
            cases.push(values.collect());
        }
    }
    (formula, cases)
}

/// Compares a formula with the one without choices under all values of the variables.
fn check(sort: Sort, decisions: &[u8]) {
    let t = Terms::new();
    let (formula, cases) = formula_and_cases(&t, sort, decisions);
    let moved = Choices::new(&t).moved_out(formula);
    for values in cases {
        let mut evaluator = Evaluator::with(&t, Unspecified::Default, values);
        assert_eq!(
            evaluator.eval(formula),
            evaluator.eval(moved),
            "{} became {}",
            t.display(formula),
            t.display(moved)
        );
    }
}

/// A solver that keeps proofs, with these assertions.
fn asserted<'t>(t: &'t Terms, formulas: &[Term]) -> NativeSolver<'t> {
    let options = NativeOptions {
        proofs: true,
        ..NativeOptions::default()
    };
    let mut solver = NativeSolver::new(t, &options);
    formulas.iter().for_each(|&f| solver.assert(f));
    solver
}

/// The proof of a contradiction that was found. It is accepted.
fn accepted_proof(t: &Terms, solver: &mut NativeSolver<'_>, formulas: &[Term]) -> Proof {
    let proof = solver.proof().expect("proofs are kept");
    let checked = check_proof(t, formulas, &[], &proof);
    assert_eq!(checked, Ok(()), "{}", proof.text(t));
    proof
}

/// The core finds a formula of integers, and its negation, to be true in one of the cases or in
/// none, as all cases say.
fn check_core(decisions: &[u8]) {
    let t = Terms::new();
    let (formula, cases) = formula_and_cases(&t, Sort::INT, decisions);
    let in_range = ["x", "y"].map(|name| {
        let x = t.var(name, Sort::INT);
        let (least, most) = (t.int(*NUMBERS.start()), t.int(*NUMBERS.end()));
        t.and([t.le(least, x), t.le(x, most)])
    });
    for formula in [formula, t.not(formula)] {
        let formulas = [&in_range[..], &[formula]].concat();
        let is_possible = cases.iter().any(|values| {
            let values = values.iter().cloned();
            Evaluator::with(&t, Unspecified::Default, values).holds(formula)
        });
        let mut solver = asserted(&t, &formulas);
        let outcome = solver.check(format_args!("a random formula"), &[]);
        let expected = if is_possible {
            SatResult::Sat
        } else {
            SatResult::Unsat
        };
        assert_eq!(outcome, expected, "{}", t.display(formula));
        if !is_possible {
            accepted_proof(&t, &mut solver, &formulas);
        }
    }
}

proptest! {
    #[test]
    fn formulas_say_the_same(
        is_integral: bool,
        decisions in prop::collection::vec(0u8..=255, 10..120),
    ) {
        check(if is_integral { Sort::INT } else { Sort::REAL }, &decisions);
    }

    #[test]
    fn the_core_says_what_all_cases_say(decisions in prop::collection::vec(0u8..=255, 10..120)) {
        check_core(&decisions);
    }
}

/// A counter that goes from vote to vote, and the sum of the votes, which is the same number: each
/// is made of variables to the simplex method, and more than 65,000 ways to its value.
#[test]
fn a_counter_is_the_sum_of_its_steps() {
    let t = Terms::new();
    let votes: Vec<Term> = (0..16)
        .map(|i| t.var(&format!("v{i}"), Sort::BOOL))
        .collect();
    let [one, minus_one] = [1, -1].map(|by| t.int(by));
    let counter = votes.iter().fold(t.int(0), |counter, &vote| {
        let [up, down] = [one, minus_one].map(|by| t.add([counter, by]));
        t.ite(vote, up, down)
    });
    let sum = t.add(votes.iter().map(|&vote| t.ite(vote, one, minus_one)));
    let formulas = [t.lt(t.int(2), counter), t.lt(sum, t.int(3))];
    let mut solver = asserted(&t, &formulas);
    solver.set_limit(Limit::none().part(10_000_000));
    let outcome = solver.check(format_args!("two sums of the same"), &[]);
    assert_eq!(outcome, SatResult::Unsat);
    let proof = accepted_proof(&t, &mut solver, &formulas);
    proof.alethe(&t, &formulas).expect("the format can say it");
}

/// Eleven voters, each of which adds 1 to a counter or takes 1 away: the counter's sign is a
/// formula over the votes, of a size that grows with the square of their number.
#[test]
fn counters_of_votes_have_tables() {
    let t = Terms::new();
    let votes: Vec<Term> = (0..11)
        .map(|i| t.var(&format!("v{i}"), Sort::BOOL))
        .collect();
    let step = |&vote: &Term| t.ite(vote, t.int(1), t.int(-1));
    let counter = t.add(votes.iter().map(step));
    let is_positive = Choices::new(&t).moved_out(t.lt(t.int(0), counter));
    let subterms: Vec<Term> = t.post_order([is_positive]).collect();
    assert!(subterms.iter().all(|&f| t.sort_of(f) == Sort::BOOL));
    assert!(subterms.len() < 300);
    for yes in 0..=votes.len() {
        let values = votes
            .iter()
            .enumerate()
            .map(|(i, &v)| (v, Value::Bool(i < yes)));
        let mut evaluator = Evaluator::with(&t, Unspecified::Default, values);
        assert_eq!(evaluator.holds(is_positive), yes > 5);
    }
}

/// A choice between two variables: one atom for each case, without the choice.
#[test]
fn a_choice_between_two_becomes_cases() {
    let t = Terms::new();
    let [x, y, bound] = ["x", "y", "bound"].map(|name| t.var(name, Sort::REAL));
    let [c, d] = ["c", "d"].map(|name| t.var(name, Sort::BOOL));
    let zero = t.real(Rational::zero());
    let below = |v| t.le(t.sub(v, bound), zero);
    let read = t.ite(c, y, x);
    let moved = Choices::new(&t).moved_out(t.le(read, bound));
    assert_eq!(moved, t.ite(c, below(y), below(x)));
    // A step of a counter: the variable stays on one side, its bounds differ.
    let step = t.ite(c, t.real(Rational::one()), zero);
    let moved = Choices::new(&t).moved_out(t.lt(t.add([x, step]), zero));
    let minus_one = t.real(Rational::from(-1));
    assert_eq!(moved, t.ite(c, t.lt(x, minus_one), t.lt(x, zero)));
    // Three cases are too many.
    let of_three = t.le(t.ite(d, bound, read), zero);
    assert_eq!(Choices::new(&t).moved_out(of_three), of_three);
}

/// An atom with too many cases stays as it is.
#[test]
fn many_cases_are_left() {
    let t = Terms::new();
    let sum = t.add((0..10).map(|i| {
        let [c, x, y] = ["c", "x", "y"].map(|name| format!("{name}{i}"));
        t.ite(
            t.var(&c, Sort::BOOL),
            t.var(&x, Sort::INT),
            t.var(&y, Sort::INT),
        )
    }));
    let atom = t.le(sum, t.int(0));
    assert_eq!(Choices::new(&t).moved_out(atom), atom);
}

/// A chain of choices among many numbers: tables are made of the first part of it alone.
#[test]
fn long_chains_do_not_exhaust_the_memory() {
    let t = Terms::new();
    let step = |chain, i: i64| {
        let condition = t.var(&format!("c{i}"), Sort::BOOL);
        t.ite(condition, t.int(i % 32), chain)
    };
    let chain = (0..50_000).fold(t.int(0), step);
    let atom = t.le(chain, t.int(7));
    let before = t.len();
    assert_eq!(Choices::new(&t).moved_out(atom), atom);
    assert!(t.len() < before + (1 << 19));
}

/// An equation with a number has the cases of nested choices, also inside of another term.
#[test]
fn an_equation_with_a_number_becomes_cases() {
    let t = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| t.var(name, Sort::REAL));
    let [p, q] = ["p", "q"].map(|name| t.var(name, Sort::BOOL));
    let five = t.real(Rational::from(5));
    let chosen = t.ite(p, a, t.ite(q, b, c));
    let [is_a, is_b, is_c] = [a, b, c].map(|x| t.eq(x, five));
    let cases = t.ite(p, is_a, t.ite(q, is_b, is_c));
    let atom = t.eq(chosen, five);
    let mut choices = Choices::new(&t);
    assert_eq!(choices.moved_out(atom), cases);
    assert_eq!(choices.moved_out(t.ite(atom, a, b)), t.ite(cases, a, b));
    // A comparison stays: other atoms may compare the choice, too.
    let below = t.le(chosen, five);
    assert_eq!(choices.moved_out(below), below);
}
