//! Uninterpreted sorts and functions: a check when all other theories are satisfied.
//!
//! The equations that are true make classes of elements. If the equation of two elements of one
//! class is false, a chain of equations explains the conflict. If two applications of a function
//! have equal arguments and different results, the search gets the clause of functional consistency
//! \[Ack54\] for the two. There are finitely many pairs of applications, so this ends.
//!
//! DIVERGENCE: Ackermann's reduction adds all clauses beforehand; here each is added when a
//! candidate model violates it.
//!
//! Missing: congruence closure and an e-graph. Classes are rebuilt at each check, which is enough
//! for systems with few functions.

use super::arithmetic::Arithmetic;
use super::encoder::{Argument, Encoder};
use super::literal::Var;
use super::sat::Sat;
use crate::number::DeltaRational;
use crate::term::{FuncId, Op, Sort, Term, TermMap, Terms};
use crate::work;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// Elements by class, under the current values.
#[derive(Debug, Default)]
pub(super) struct Classes {
    class: TermMap<usize>,
    /// True equations, as edges.
    edges: TermMap<Vec<(Term, Var)>>,
    /// Applications of predicates that are open, and equal to others that are not.
    implied: TermMap<bool>,
}

/// Applications of one function to equal arguments.
struct Congruent {
    first: Term,
    result: CongruenceValue,
    /// Those of a predicate that are open.
    open: Vec<Term>,
}

/// Something that equality does not allow.
#[derive(Debug)]
pub(super) enum Violation {
    /// These equations are true, and the last one, which follows from them, is false.
    Chain(Vec<Var>, Var),
    /// These applications of one function have equal arguments and different results.
    Congruence(Term, Term),
}

/// The value of an argument or a result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum CongruenceValue {
    Bool(Option<bool>),
    Number(DeltaRational),
    Class(usize),
    /// An element that no equation mentions.
    Alone(Term),
}

impl Classes {
    /// The classes under the equations that are true.
    pub(super) fn new(sat: &Sat, encoder: &Encoder<'_>) -> Classes {
        let mut classes = Classes::default();
        for (x, y, var) in encoder.equalities() {
            if sat.value(var.positive()) == Some(true) {
                classes.edges.entry(x).or_default().push((y, var));
                classes.edges.entry(y).or_default().push((x, var));
            }
        }
        for (x, y, _) in encoder.equalities() {
            classes.number(x);
            classes.number(y);
        }
        classes
    }

    /// Gives the class of an element a number, if it has none.
    fn number(&mut self, element: Term) {
        if self.class.contains_key(&element) {
            return;
        }
        let number = self.class.len();
        let mut todo = vec![element];
        while let Some(x) = todo.pop() {
            work::spend(1);
            if self.class.insert(x, number).is_none() {
                todo.extend(self.edges.get(&x).into_iter().flatten().map(|&(y, _)| y));
            }
        }
    }

    /// The number of an element's class, if an equation mentions it.
    pub(super) fn class(&self, element: Term) -> Option<usize> {
        self.class.get(&element).copied()
    }

    /// Elements with a class; the numbers of classes are below.
    pub(super) fn len(&self) -> usize {
        self.class.len()
    }

    /// The value of an application of a predicate that is open, if another one decides it.
    pub(super) fn implied(&self, application: Term) -> Option<bool> {
        self.implied.get(&application).copied()
    }

    /// The first few violations; none if equality is satisfied.
    pub(super) fn violations(
        &mut self,
        t: &Terms,
        sat: &Sat,
        arith: &Arithmetic,
        encoder: &Encoder<'_>,
    ) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (x, y, var) in encoder.equalities() {
            if sat.value(var.positive()) == Some(false) && self.class(x) == self.class(y) {
                violations.push(Violation::Chain(self.chain(x, y), var));
            }
        }
        if violations.is_empty() {
            self.incongruent(t, sat, arith, encoder, &mut violations);
        }
        violations
    }

    /// True equations that lead from one element to another of its class, as few as possible.
    fn chain(&self, from: Term, to: Term) -> Vec<Var> {
        let mut came_by: TermMap<(Term, Var)> = TermMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(x) = queue.pop_front() {
            work::spend(1);
            if x == to {
                break;
            }
            for &(y, var) in self.edges.get(&x).into_iter().flatten() {
                if y != from && !came_by.contains_key(&y) {
                    came_by.insert(y, (x, var));
                    queue.push_back(y);
                }
            }
        }
        let mut chain = Vec::new();
        let mut at = to;
        while at != from {
            let (before, var) = came_by[&at];
            chain.push(var);
            at = before;
        }
        chain
    }

    fn incongruent(
        &mut self,
        t: &Terms,
        sat: &Sat,
        arith: &Arithmetic,
        encoder: &Encoder<'_>,
        violations: &mut Vec<Violation>,
    ) {
        let mut results: FxHashMap<(FuncId, Vec<CongruenceValue>), Congruent> =
            FxHashMap::default();
        // In the order of their making, so that a run can be repeated.
        let mut applications: Vec<(Term, &[Argument])> = encoder.applications().collect();
        applications.sort_by_key(|&(term, _)| term);
        work::spend_on(4 * applications.len());
        for (application, arguments) in applications {
            let Op::Apply(func) = t.op(application) else {
                unreachable!("an application applies a function");
            };
            let arguments = arguments.iter();
            let values: Vec<CongruenceValue> =
                arguments.map(|a| self.argument(sat, arith, a)).collect();
            let result = match t.sort_of(application) {
                Sort::BOOL => {
                    let var = encoder.variable(application);
                    CongruenceValue::Bool(var.and_then(|v| sat.value(v.positive())))
                }
                sort if sort.is_arith() => match encoder.arith_var(application) {
                    Some(var) => CongruenceValue::Number(arith.simplex.value(var)),
                    None => continue,
                },
                _ => self.element(application),
            };
            let open = (result == CongruenceValue::Bool(None)).then_some(application);
            match results.entry((func, values)) {
                Entry::Vacant(place) => {
                    place.insert(Congruent {
                        first: application,
                        result,
                        open: open.into_iter().collect(),
                    });
                }
                Entry::Occupied(mut place) => {
                    let known = place.get_mut();
                    known.open.extend(open);
                    if differ(&known.result, &result) {
                        violations.push(Violation::Congruence(known.first, application));
                    } else if known.result == CongruenceValue::Bool(None) {
                        known.first = application;
                        known.result = result;
                    }
                }
            }
        }
        for Congruent { result, open, .. } in results.into_values() {
            if let CongruenceValue::Bool(Some(value)) = result {
                self.implied
                    .extend(open.into_iter().map(|application| (application, value)));
            }
        }
    }

    fn argument(&self, sat: &Sat, arith: &Arithmetic, argument: &Argument) -> CongruenceValue {
        match argument {
            // What is open is false in the model.
            Argument::Formula(lit) => CongruenceValue::Bool(Some(sat.value(*lit).unwrap_or(false))),
            Argument::Sum(sum) => {
                let mut value = DeltaRational::from(sum.constant.clone());
                for (&x, a) in &sum.terms {
                    value.add_mul(a, &arith.simplex.value(x));
                }
                CongruenceValue::Number(value)
            }
            Argument::Element(term) => self.element(*term),
        }
    }

    fn element(&self, term: Term) -> CongruenceValue {
        self.class(term)
            .map_or(CongruenceValue::Alone(term), CongruenceValue::Class)
    }
}

/// Must the results be made equal?
fn differ(a: &CongruenceValue, b: &CongruenceValue) -> bool {
    match (a, b) {
        // An application that is open has no value yet that could be wrong; the model gives it the
        // others'.
        (CongruenceValue::Bool(a), CongruenceValue::Bool(b)) => {
            a.is_some() && b.is_some() && a != b
        }
        _ => a != b,
    }
}
