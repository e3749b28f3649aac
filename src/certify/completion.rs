//! Models whose arrays are completed between the indices that matter \[BMS06\].
//!
//! A solver's model gives the elements at the indices of the query and one more element for all
//! other indices. Quantified premises fail there although nothing depends on these elements. The
//! completed model gives an array at every integer the element at the closest of the given points
//! that is not greater, or at the least point where there is none.

use crate::number::Rational;
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{ArrayValue, Op, Sort, Term, TermMap, Terms, Value};
use crate::work;

/// A completed model.
pub(super) struct Completion<'t> {
    t: &'t Terms,
    /// By array variable, for arrays by integers: the elements from each point on, in ascending
    /// order. The first holds below its point, too.
    steps: TermMap<Vec<(Rational, Term)>>,
    rewritten: TermMap<Term>,
}

impl<'t> Completion<'t> {
    /// The completion of a model, given by values of variables, with these points, which must be in
    /// ascending order.
    pub(super) fn new(t: &'t Terms, values: &[(Term, Value)], points: &[Rational]) -> Self {
        let mut made = Completion {
            t,
            steps: TermMap::default(),
            rewritten: TermMap::default(),
        };
        for (var, value) in values {
            let sort = t.sort_of(*var);
            match (value, t.array_parts(sort)) {
                (Value::Array(array), Some((Sort::INT, element))) if !points.is_empty() => {
                    made.steps.insert(*var, steps(t, array, element, points));
                }
                _ => {
                    made.rewritten.insert(*var, t.value_term(value, sort));
                }
            }
        }
        made
    }

    /// Is the completed model the one that it was made of?
    pub(super) fn is_given(&self) -> bool {
        self.steps.is_empty()
    }

    /// What a formula without quantifiers says in the model: a formula over its variables that the
    /// model does not assign. `None` where the model does not say.
    ///
    /// # Errors
    /// `solver`, which has nothing on its stack, does not decide whether two arrays are equal.
    pub(super) fn rewrite(
        &mut self,
        formula: Term,
        solver: &mut dyn Solver,
    ) -> Result<Option<Term>, Failure> {
        let t = self.t;
        for part in t.post_order([formula]) {
            if self.rewritten.contains_key(&part) || self.steps.contains_key(&part) {
                continue;
            }
            let args = t.args(part).iter().map(|arg| {
                // What is no key is an array of the completed model, which stands for itself.
                *self.rewritten.get(arg).unwrap_or(arg)
            });
            let args: Vec<Term> = args.collect();
            let made = match (t.op(part), &args[..]) {
                (Op::Select, &[array, index]) => Some(self.element(array, index)),
                (Op::Eq, &[a, b]) if t.array_parts(t.sort_of(a)).is_some() => {
                    self.equal(a, b, solver)?
                }
                _ => Some(t.rebuild(part, &args)),
            };
            let Some(made) = made else {
                return Ok(None);
            };
            self.rewritten.insert(part, made);
        }
        Ok(self.rewritten.get(&formula).copied())
    }

    /// The element of a rewritten array.
    fn element(&self, array: Term, index: Term) -> Term {
        let t = self.t;
        let mut elements: TermMap<Term> = TermMap::default();
        // Arrays of which the elements come first are on top.
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            work::spend(4);
            let parts = match (t.op(top), t.args(top)) {
                (Op::Store, args) => &args[..1],
                (Op::Ite, args) => &args[1..],
                _ => &[],
            };
            let pending = stack.len();
            stack.extend(parts.iter().filter(|part| !elements.contains_key(*part)));
            if stack.len() > pending {
                continue;
            }
            let element = match (t.op(top), t.args(top)) {
                (Op::Store, &[base, at, stored]) => t.ite(t.eq(index, at), stored, elements[&base]),
                (Op::Ite, &[condition, yes, no]) => t.ite(condition, elements[&yes], elements[&no]),
                _ => self.element_of_leaf(top, index),
            };
            elements.insert(top, element);
            stack.pop();
        }
        elements[&array]
    }

    /// The element of a rewritten array that is neither a store nor an `ite`.
    fn element_of_leaf(&self, array: Term, index: Term) -> Term {
        let t = self.t;
        let Some([(_, first), others @ ..]) = self.steps.get(&array).map(Vec::as_slice) else {
            return t.select(array, index);
        };
        others.iter().fold(*first, |below, (point, element)| {
            let point = t.number(point.clone(), Sort::INT);
            t.ite(t.lt(index, point), below, *element)
        })
    }

    /// Whether two rewritten arrays are equal, as a formula.
    fn equal(&self, a: Term, b: Term, solver: &mut dyn Solver) -> Result<Option<Term>, Failure> {
        let t = self.t;
        let (index, _) = t.array_parts(t.sort_of(a)).expect("arrays are compared");
        let place = t.fresh_var("difference", index);
        let [a, b] = [a, b].map(|array| self.element(array, place));
        let differ = t.not(t.eq(a, b));
        if t.vars([differ]).iter().any(|&var| var != place) {
            return Ok(None);
        }
        match solver.check(
            format_args!("arrays differ in a completed model"),
            &[differ],
        ) {
            SatResult::Unsat => Ok(Some(Term::TRUE)),
            SatResult::Sat => Ok(Some(Term::FALSE)),
            SatResult::Unknown(why) => Err(why),
        }
    }
}

/// The elements of an array from each point on.
fn steps(
    t: &Terms,
    array: &ArrayValue,
    element: Sort,
    points: &[Rational],
) -> Vec<(Rational, Term)> {
    let mut steps: Vec<(Rational, Term)> = Vec::new();
    for point in points {
        let value = array.select(&Value::Number(point.clone()));
        let value = t.value_term(value, element);
        if steps.last().is_none_or(|&(_, last)| last != value) {
            steps.push((point.clone(), value));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_go_into_stores_and_choices() {
        let t = Terms::new();
        let sort = t.array_sort(Sort::INT, Sort::INT);
        let [a, b] = ["a", "b"].map(|name| t.var(name, sort));
        let [i, j, x] = ["i", "j", "x"].map(|name| t.var(name, Sort::INT));
        let c = t.var("c", Sort::BOOL);
        let completion = Completion::new(&t, &[], &[]);
        let choice = t.ite(c, t.store(a, j, x), b);
        let stored = t.ite(t.eq(i, j), x, t.select(a, i));
        let expected = t.ite(c, stored, t.select(b, i));
        assert_eq!(completion.element(choice, i), expected);
    }

    #[test]
    fn points_complete_arrays_by_integers() {
        let t = Terms::new();
        let sort = t.array_sort(Sort::INT, Sort::INT);
        let (a, i) = (t.var("a", sort), t.var("i", Sort::INT));
        let Value::Array(zeros) = Value::const_array(&t, sort, Value::Number(Rational::zero()))
        else {
            unreachable!("it is an array");
        };
        let number = |n: i64| Value::Number(Rational::from(n));
        let array = Value::Array(zeros.store(&t, [(number(2), number(7))]));
        let values = [(a, array)];
        assert!(Completion::new(&t, &values, &[]).is_given());
        let points = [1, 2, 4].map(Rational::from);
        let completion = Completion::new(&t, &values, &points);
        assert!(!completion.is_given());
        let upto = |n: i64| t.lt(i, t.int(n));
        let expected = t.ite(upto(4), t.ite(upto(2), t.int(0), t.int(7)), t.int(0));
        assert_eq!(completion.element(a, i), expected);
    }
}
