//! Solvers that are wrong on purpose, each in one way: the fuzzer must find out.

use super::distort::distorted;
use super::subject::{Subject, Tested, Text};
use horn::number::Rational;
use horn::smt::{Backend, Failure, Limit, SatResult, Solver};
use horn::term::{BvOp, Op, Sort, Term, Terms, Value};
use std::fmt::Arguments;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mistake {
    /// The third assertion is not made.
    ForgetsAnAssertion,
    /// A closed scope's last assertion stays.
    KeepsAfterPop,
    /// With three assumptions or more, `sat` becomes `unsat`.
    SaysUnsat,
    /// With two assumptions or more, `unsat` becomes `sat`, under any values.
    SaysSat,
    /// A core of two or more lacks the last.
    TooSmallCore,
    /// A core has what was not assumed.
    StrangeCore,
    /// A number is greater by one.
    WrongValue,
    /// It panics in the second check.
    Panics,
    /// Bit-vectors are added without carries in what is asserted.
    ForgetsCarries,
    /// An interpolant is always true.
    WeakInterpolant,
    /// An interpolant is the part before it.
    StrangeInterpolant,
    /// A proof that proves nothing.
    WrongProof,
    /// A function may have another value at each term.
    ForgetsCongruence,
    /// A product may be any number.
    ForgetsProducts,
    /// A choice of two numbers may be the wrong one.
    ForgetsConditions,
    /// At all indices, a store has the element that was stored last.
    ReadsWhatWasStored,
    /// A store may change all other elements.
    ForgetsOtherElements,
    /// Arrays with the same elements may be different.
    ForgetsExtensionality,
    /// All fields but the first may be any.
    ForgetsConstructors,
    /// A value may be built by any number of constructors.
    ForgetsTesters,
    /// A field that a value does not have may be another one at each place.
    ForgetsSelectors,
    /// The first array of numbers has another one at 0.
    WrongElement,
}

/// A back end with a mistake.
pub(crate) struct Faulty {
    pub(crate) backend: Backend,
    pub(crate) mistake: Mistake,
}

impl Subject for Faulty {
    fn solver<'t>(&self, t: &'t Terms) -> Box<dyn Tested + 't> {
        Box::new(FaultySolver {
            t,
            inner: self.backend.solver(t, "faulty"),
            mistake: self.mistake,
            assertions: 0,
            checks: 0,
            last: Vec::new(),
            stays: None,
            lied: false,
        })
    }

    fn interpolants(&self, t: &Terms, parts: &[Vec<Term>]) -> Option<Result<Vec<Term>, String>> {
        let before = |end: usize| t.and(parts[..end].concat());
        match self.mistake {
            Mistake::WeakInterpolant => Some(Ok(vec![Term::TRUE; parts.len() - 1])),
            Mistake::StrangeInterpolant => Some(Ok((1..parts.len()).map(before).collect())),
            _ => None,
        }
    }
}

/// The formula with an exclusive or in place of each sum of bit-vectors.
fn without_carries(t: &Terms, formula: Term) -> Term {
    t.rewrite(formula, |term| match t.op(term) {
        Op::Bv(BvOp::Add) => t.bv(BvOp::Xor, t.args(term)),
        _ => term,
    })
}

struct FaultySolver<'t> {
    t: &'t Terms,
    inner: Box<dyn Solver + 't>,
    mistake: Mistake,
    /// How many assertions and checks there were.
    assertions: usize,
    checks: usize,
    /// The last assertion of each scope.
    last: Vec<Option<Term>>,
    /// What a closed scope left behind.
    stays: Option<Term>,
    /// The last answer was not the solver's.
    lied: bool,
}

impl Tested for FaultySolver<'_> {
    fn solver(&mut self) -> &mut dyn Solver {
        self
    }

    fn check_proof(&mut self, _: &[Term], _: &[Term]) -> Option<Result<Text, String>> {
        let wrong = self.mistake == Mistake::WrongProof;
        wrong.then(|| Err("the proof ends without a contradiction".to_owned()))
    }
}

impl Solver for FaultySolver<'_> {
    fn push(&mut self) {
        self.last.push(None);
        self.inner.push();
    }

    fn pop(&mut self) {
        let last = self.last.pop().flatten();
        if self.mistake == Mistake::KeepsAfterPop {
            self.stays = last;
        }
        self.inner.pop();
    }

    fn assert(&mut self, formula: Term) {
        self.assertions += 1;
        if self.mistake == Mistake::ForgetsAnAssertion && self.assertions == 3 {
            return;
        }
        if let Some(last) = self.last.last_mut() {
            *last = Some(formula);
        }
        self.inner.assert(match self.mistake {
            Mistake::ForgetsCarries => without_carries(self.t, formula),
            mistake => distorted(self.t, formula, mistake),
        });
    }

    fn check(&mut self, about: Arguments<'_>, assumptions: &[Term]) -> SatResult {
        self.checks += 1;
        assert!(
            self.mistake != Mistake::Panics || self.checks < 2,
            "the second check"
        );
        if let Some(formula) = self.stays.take() {
            self.inner.assert(formula);
        }
        let outcome = self.inner.check(about, assumptions);
        let lie = match (self.mistake, &outcome) {
            (Mistake::SaysUnsat, SatResult::Sat) if assumptions.len() >= 3 => {
                Some(SatResult::Unsat)
            }
            (Mistake::SaysSat, SatResult::Unsat) if assumptions.len() >= 2 => Some(SatResult::Sat),
            _ => None,
        };
        self.lied = lie.is_some();
        lie.unwrap_or(outcome)
    }

    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        if self.lied {
            let default = |&term: &Term| self.t.default_value(self.t.sort_of(term));
            let values: Option<Vec<Value>> = terms.iter().map(default).collect();
            return values.ok_or(Failure::Unsupported("values of all sorts".to_owned()));
        }
        let mut values = self.inner.values(terms)?;
        if self.mistake == Mistake::WrongValue
            && let Some(Value::Number(number)) = values.first_mut()
        {
            *number = &*number + Rational::one();
        }
        if self.mistake == Mistake::WrongElement {
            self.change_an_element(&mut values);
        }
        Ok(values)
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        if self.lied {
            return Ok(Vec::new());
        }
        let mut core = self.inner.core()?;
        match self.mistake {
            Mistake::TooSmallCore if core.len() > 1 => drop(core.pop()),
            Mistake::StrangeCore => core.push(self.t.var("strange", Sort::BOOL)),
            _ => {}
        }
        Ok(core)
    }

    fn set_limit(&mut self, limit: Limit) {
        self.inner.set_limit(limit);
    }
}

impl FaultySolver<'_> {
    fn change_an_element(&self, values: &mut [Value]) {
        let of_numbers = |value: &&mut Value| {
            let parts = value.as_array().map(|a| self.t.array_parts(a.sort()));
            parts == Some(Some((Sort::INT, Sort::INT)))
        };
        if let Some(Value::Array(array)) = values.iter_mut().find(of_numbers) {
            let place = Value::from(0);
            let element = array.select(&place).as_number().cloned();
            let changed = Value::from(element.unwrap_or_default() + Rational::one());
            *array = array.clone().store(self.t, [(place, changed)]);
        }
    }
}
