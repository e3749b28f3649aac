//! Refutations: derivations of `false` from ground facts.
//!
//! A loop that is taken very often is not written out. The facts that one iteration derives stand
//! in an [`Iteration`], with the change of each value from one iteration to the next:
//!
//! ```text
//! p(0)                                        by p(0)
//! p(4000000000)                               by 4000000000 iterations of
//!     p(x + 1) by p(x) ∧ x < 4000000000 ⇒ p(x + 1) with x = 0, 1, 2, …
//! false                                       by p(x) ∧ x ≥ 4000000000 ⇒ false
//! ```

use super::{ClauseId, PredId, System};
use crate::number::Rational;
use crate::term::{BitVec, Import, Terms, Value};

/// A fact of a [`Refutation`]: its position there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FactId(pub u32);

impl FactId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A ground fact with its derivation: by a ground instance of a clause, or by the iterations of a
/// loop.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The clause applied; after iterations, the one that is applied last.
    pub clause: ClauseId,
    /// The value of each of the clause's variables, in the order of `Clause::vars`.
    pub values: Vec<Value>,
    /// For each atom of the clause's body, in order, the fact that derived it. Premises come before
    /// what follows from them. After iterations, these are the facts before the first one; the
    /// premises of steps refer to them.
    pub premises: Vec<FactId>,
    /// The iterations that derive the fact; `None` where it follows from its premises by the clause
    /// alone.
    pub iteration: Option<Box<Iteration>>,
}

impl Fact {
    /// A fact that follows from its premises by one clause.
    pub fn new(clause: ClauseId, values: Vec<Value>, premises: Vec<FactId>) -> Fact {
        Fact {
            clause,
            values,
            premises,
            iteration: None,
        }
    }

    /// The clauses that are applied to derive the fact from its premises.
    pub fn clauses(&self) -> impl Iterator<Item = ClauseId> {
        let steps = self.iteration.iter().flat_map(|i| &i.steps);
        let within = steps.map(|step| step.clause);
        let alone = self.iteration.is_none().then_some(self.clause);
        alone.into_iter().chain(within)
    }
}

/// A loop in a derivation: the same clauses again and again, with values that change by the same
/// amounts.
///
/// Invariant: there is a step, and at least one iteration. The fact has the clause of the last
/// step, and the values that it has in the last iteration. Its first premise is what the loop
/// begins with. Whether each iteration is a derivation is another question.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The number of iterations, an integer.
    pub times: Rational,
    /// What one iteration derives, premises first.
    pub steps: Vec<IterationStep>,
}

/// An instance of a clause in each iteration of a loop.
#[derive(Clone, Debug)]
pub struct IterationStep {
    /// The clause applied.
    pub clause: ClauseId,
    /// The values of the clause's variables in the first iteration.
    pub values: Vec<Value>,
    /// How each value changes from one iteration to the next.
    pub changes: Vec<Change>,
    /// For each atom of the clause's body, in order, what derived it.
    pub premises: Vec<IterationPremise>,
}

/// A premise of a step of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IterationPremise {
    /// The last step of the iteration before; in the first iteration, the fact's first premise.
    Before,
    /// An earlier step of the same iteration.
    Step(usize),
    /// The fact's premise at this position, in each iteration.
    Premise(usize),
}

impl IterationStep {
    /// The values in an iteration, counted from 0.
    ///
    /// # Errors
    /// `None` if a change does not fit its value.
    pub fn values_in(&self, t: &Terms, iteration: &Rational) -> Option<Vec<Value>> {
        let pairs = self.values.iter().zip(&self.changes);
        pairs
            .map(|(value, change)| change.applied(t, value, iteration))
            .collect()
    }

    /// What the step derives in an iteration, counted from 0, as a fact by its clause. `premise`
    /// tells the facts that its premises are there.
    ///
    /// # Errors
    /// `None` if a change does not fit its value.
    pub fn fact_in(
        &self,
        t: &Terms,
        iteration: &Rational,
        premise: impl Fn(IterationPremise) -> FactId,
    ) -> Option<Fact> {
        let premises = self.premises.iter().map(|&p| premise(p)).collect();
        Some(Fact::new(
            self.clause,
            self.values_in(t, iteration)?,
            premises,
        ))
    }
}

/// How a value changes from one iteration of a loop to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// It stays.
    None,
    /// A number grows by this amount; a bit-vector does so modulo 2ʷ for its width w.
    By(Rational),
    /// A value of a datatype keeps its constructor, and its fields change.
    Fields(Vec<Change>),
}

impl Change {
    /// What makes the first value the second one; `None` if no change does.
    pub fn between(before: &Value, after: &Value) -> Option<Change> {
        if before == after {
            return Some(Change::None);
        }
        match (before, after) {
            (Value::Number(x), Value::Number(y)) => Some(Change::By(y - x)),
            (Value::BitVec(x), Value::BitVec(y)) if x.width() == y.width() => {
                let by = &y.to_nat() - &x.to_nat();
                let by = BitVec::from_int(&by.numer(), x.width()).signed();
                Some(Change::By(Rational::from_big_parts(by, 1.into())))
            }
            (Value::Datatype(x), Value::Datatype(y)) if x.ctor() == y.ctor() => {
                let fields = x.fields().iter().zip(y.fields());
                let changes = fields.map(|(x, y)| Change::between(x, y));
                Some(Change::Fields(changes.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// The value after that number of changes; `None` if the change does not fit the value. An
    /// integer that changes by a fraction becomes one.
    pub fn applied(&self, t: &Terms, value: &Value, times: &Rational) -> Option<Value> {
        match (self, value) {
            (Change::None, _) => Some(value.clone()),
            (Change::By(by), Value::Number(x)) => Some(Value::Number(x + &(by * times))),
            (Change::By(by), Value::BitVec(x)) => {
                let sum = &x.to_nat() + &(by * times);
                let sum = sum.to_integer()?;
                Some(Value::BitVec(BitVec::from_int(&sum, x.width())))
            }
            (Change::Fields(changes), Value::Datatype(x)) => {
                let fields = x.fields().iter().zip(changes);
                let fields: Option<Vec<Value>> = fields
                    .map(|(field, change)| change.applied(t, field, times))
                    .collect();
                let fields = fields.filter(|fields| fields.len() == x.fields().len())?;
                Some(Value::datatype(t, x.ctor(), fields))
            }
            _ => None,
        }
    }
}

/// A derivation of `false` from ground facts: a directed acyclic graph, the last fact being an
/// instance of a query.
#[derive(Clone, Debug, Default)]
pub struct Refutation {
    /// The facts, premises first.
    pub facts: Vec<Fact>,
}

impl Refutation {
    /// Does each fact apply a clause of a system to earlier facts of the predicates that its body
    /// has, with a value for each of its variables? Whether the values satisfy the constraint is
    /// another question.
    pub fn is_over(&self, system: &System) -> bool {
        let mut facts = self.facts.iter().enumerate();
        facts.all(|(place, fact)| self.derives(system, place, fact) == Some(true))
    }

    /// Does a fact that comes behind that number of facts suit the system?
    fn derives(&self, system: &System, place: usize, fact: &Fact) -> Option<bool> {
        let pred = |clause: ClauseId| -> Option<PredId> {
            let clause = system.clauses.get(clause.index())?;
            clause.head.as_ref().map(|head| head.pred)
        };
        let earlier = |premise: &FactId| {
            let fact = self.facts[..place].get(premise.index());
            fact.and_then(|fact| pred(fact.clause))
        };
        let clause = system.clauses.get(fact.clause.index())?;
        let Some(iteration) = &fact.iteration else {
            let mut premises = fact.premises.iter().zip(&clause.body);
            let counts = fact.premises.len() == clause.body.len();
            let suit = premises.all(|(premise, atom)| earlier(premise) == Some(atom.pred));
            return Some(counts && fact.values.len() == clause.vars.len() && suit);
        };
        let is_last = |step: &IterationStep| step.clause == fact.clause;
        let ends = iteration.steps.last().is_some_and(is_last);
        let mut steps = iteration.steps.iter().enumerate();
        let suit = steps.all(|(at, step)| {
            let derived = |premise: &IterationPremise| match *premise {
                IterationPremise::Before => fact.premises.first().and_then(earlier),
                IterationPremise::Step(j) => (iteration.steps[..at].get(j))
                    .and_then(|step: &IterationStep| pred(step.clause)),
                IterationPremise::Premise(j) => fact.premises.get(j).and_then(earlier),
            };
            let Some(clause) = system.clauses.get(step.clause.index()) else {
                return false;
            };
            let mut premises = step.premises.iter().zip(&clause.body);
            step.premises.len() == clause.body.len()
                && step.values.len() == clause.vars.len()
                && step.changes.len() == clause.vars.len()
                && premises.all(|(premise, atom)| derived(premise) == Some(atom.pred))
        });
        Some(ends && suit && fact.values.len() == clause.vars.len())
    }

    /// The refutation with loops of at most `whole` iterations written out, and the first and the
    /// last `ends` iterations of all others. It is no refutation where some are left out between
    /// them.
    pub fn abridged(&self, t: &Terms, whole: u32, ends: u32) -> Abridged {
        let mut written = Abridged::default();
        let mut places: Vec<FactId> = Vec::with_capacity(self.facts.len());
        for fact in &self.facts {
            let premises = fact.premises.iter().map(|p| places[p.index()]).collect();
            let fact = Fact {
                premises,
                ..fact.clone()
            };
            places.push(match &fact.iteration {
                None => written.add(fact),
                Some(iteration) => {
                    let is_short = iteration.times <= Rational::from(i64::from(whole));
                    let ends = if is_short { whole } else { ends };
                    written.add_iterations(t, &fact, iteration, ends)
                }
            });
        }
        written
    }

    /// Has the refutation a loop that is not written out?
    pub fn has_iterations(&self) -> bool {
        self.facts.iter().any(|fact| fact.iteration.is_some())
    }

    /// The refutation in another store.
    #[must_use]
    pub fn import(&self, import: &mut Import<'_>) -> Refutation {
        self.map_values(|_, values| values.iter().map(|value| import.value(value)).collect())
    }

    /// The refutation of a system with one element of each uninterpreted sort.
    #[must_use]
    pub fn with_single_elements(&self, t: &Terms, system: &System) -> Refutation {
        self.map_values(|clause, values| {
            let clause = system.clauses.get(clause.index());
            let vars = clause.map_or(&[][..], |clause| &clause.vars);
            let single = |(place, value): (usize, &Value)| match vars.get(place) {
                Some(&var) if value.is_of(t, t.sort_of(var)) => {
                    t.with_single_elements(value, t.sort_of(var))
                }
                _ => value.clone(),
            };
            values.iter().enumerate().map(single).collect()
        })
    }

    /// The refutation with other values in place of those of a clause's variables.
    fn map_values(&self, mut all: impl FnMut(ClauseId, &[Value]) -> Vec<Value>) -> Refutation {
        let mut fact = |fact: &Fact| Fact {
            values: all(fact.clause, &fact.values),
            iteration: fact.iteration.as_ref().map(|iteration| {
                let step = |step: &IterationStep| IterationStep {
                    values: all(step.clause, &step.values),
                    ..step.clone()
                };
                Box::new(Iteration {
                    times: iteration.times.clone(),
                    steps: iteration.steps.iter().map(step).collect(),
                })
            }),
            clause: fact.clause,
            premises: fact.premises.clone(),
        };
        Refutation {
            facts: self.facts.iter().map(&mut fact).collect(),
        }
    }
}

/// A refutation in which iterations of loops are left out.
#[derive(Clone, Debug, Default)]
pub struct Abridged {
    /// All facts that are written out.
    pub facts: Refutation,
    /// The loops, in order.
    pub loops: Vec<AbridgedLoop>,
}

/// A loop of which the first and the last iterations are written out.
#[derive(Clone, Debug)]
pub struct AbridgedLoop {
    /// The first fact of the loop.
    pub begin: FactId,
    /// The first fact behind the iterations that are left out.
    pub resumed: FactId,
    /// The fact behind the loop.
    pub end: FactId,
    /// The number of iterations that are written out before others are left out.
    pub before: u32,
    /// The number of iterations that are left out, an integer.
    pub left_out: Rational,
}

impl Abridged {
    /// The fact that is added next.
    fn end(&self) -> FactId {
        FactId(u32::try_from(self.facts.facts.len()).expect("fewer than 2^32 facts"))
    }

    fn add(&mut self, fact: Fact) -> FactId {
        let id = self.end();
        self.facts.facts.push(fact);
        id
    }

    fn add_iterations(
        &mut self,
        t: &Terms,
        fact: &Fact,
        iteration: &Iteration,
        ends: u32,
    ) -> FactId {
        let times = &iteration.times;
        let ends = match times.to_i64() {
            Some(times) if times <= 2 * i64::from(ends) => times - times / 2,
            _ => i64::from(ends),
        };
        let resumed = (times - &Rational::from(ends)).max(Rational::from(ends));
        let begin = self.end();
        let mut last = fact.premises[0];
        for number in (0..ends).map(Rational::from) {
            last = self.add_iteration(t, fact, iteration, &number, last);
        }
        let behind = self.end();
        let mut number = resumed.clone();
        while number < *times {
            last = self.add_iteration(t, fact, iteration, &number, last);
            number += Rational::one();
        }
        self.loops.push(AbridgedLoop {
            begin,
            resumed: behind,
            end: self.end(),
            before: u32::try_from(ends).expect("it is at most the limit"),
            left_out: &resumed - &Rational::from(ends),
        });
        last
    }

    fn add_iteration(
        &mut self,
        t: &Terms,
        fact: &Fact,
        iteration: &Iteration,
        number: &Rational,
        before: FactId,
    ) -> FactId {
        let mut derived: Vec<FactId> = Vec::with_capacity(iteration.steps.len());
        for step in &iteration.steps {
            let fact = step.fact_in(t, number, |premise| match premise {
                IterationPremise::Before => before,
                IterationPremise::Step(at) => derived[at],
                IterationPremise::Premise(at) => fact.premises[at],
            });
            derived.push(self.add(fact.expect("changes fit their values")));
        }
        *derived.last().expect("an iteration has a step")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_bits_is_the_shortest_one() {
        let t = Terms::new();
        let bits = |x: i64| Value::BitVec(BitVec::from_int(&x.into(), 8));
        let change = Change::between(&bits(0), &bits(-1));
        assert_eq!(change, Some(Change::By(Rational::from(-1))));
        let change = change.expect("it is one");
        assert_eq!(
            change.applied(&t, &bits(3), &Rational::from(5)),
            Some(bits(254))
        );
    }

    /// What is written out of this number of iterations, with three at each end.
    fn written(times: i64) -> (Vec<Value>, Vec<FactId>, AbridgedLoop) {
        let iteration = Iteration {
            times: Rational::from(times),
            steps: vec![IterationStep {
                clause: ClauseId(1),
                values: vec![Value::from(0)],
                changes: vec![Change::By(Rational::one())],
                premises: vec![IterationPremise::Before],
            }],
        };
        let mut iterated = Fact::new(ClauseId(1), vec![Value::from(times - 1)], vec![FactId(0)]);
        iterated.iteration = Some(Box::new(iteration));
        let facts = vec![
            Fact::new(ClauseId(0), Vec::new(), Vec::new()),
            iterated,
            Fact::new(ClauseId(2), Vec::new(), vec![FactId(1)]),
        ];
        let mut found = Refutation { facts }.abridged(&Terms::new(), 0, 3);
        let facts = &found.facts.facts;
        let inner = &facts[1..facts.len() - 1];
        let values = inner.iter().map(|fact| fact.values[0].clone()).collect();
        let premises = facts[1..].iter().map(|fact| fact.premises[0]).collect();
        (values, premises, found.loops.pop().expect("there is one"))
    }

    #[test]
    fn iterations_between_the_ends_are_left_out() {
        for times in [1, 2, 5, 6, 7, 1_000_000] {
            let (values, premises, found) = written(times);
            let wanted = (0..3.min(times)).chain(times.saturating_sub(3).max(3)..times);
            assert_eq!(values, wanted.map(Value::from).collect::<Vec<_>>());
            let places = 0..u32::try_from(premises.len()).expect("few facts");
            assert_eq!(premises, places.map(FactId).collect::<Vec<_>>());
            let left_out = Rational::from((times - 6).max(0));
            assert_eq!(found.left_out, left_out, "{times}");
            assert_eq!(found.end.index(), values.len() + 1);
            assert_eq!(found.resumed.index(), 1 + found.before as usize);
        }
    }

    #[test]
    fn values_of_different_constructors_have_no_change() {
        let (x, y) = (Value::Bool(true), Value::Bool(false));
        assert_eq!(Change::between(&x, &x), Some(Change::None));
        assert_eq!(Change::between(&x, &y), None);
    }
}
