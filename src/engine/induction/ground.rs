//! The evaluation of functions that are defined by recursion.
//!
//! A value is a term of constructors, numerals and truth values. Equal values are equal terms.

use super::meaning::Meaning;
use super::values::{Dice, Values};
use crate::term::{Op, Term, TermMap, Terms};
use crate::work;

/// The evaluation of one term takes at most 4000 steps. The value was not tuned.
const STEPS: usize = 4000;
/// Evaluation goes to this depth of applications within applications. The value was not tuned.
const DEPTH: usize = 200;

/// A formula that passes has passed 120 tests. The value was not tuned.
const PASSED: usize = 120;

/// The evaluation of terms without variables.
pub(super) struct Ground<'t> {
    t: &'t Terms,
    known: TermMap<Option<Term>>,
    steps: usize,
}

impl<'t> Ground<'t> {
    pub(super) fn new(t: &'t Terms) -> Ground<'t> {
        Ground {
            t,
            known: TermMap::default(),
            steps: 0,
        }
    }

    /// The value of a term without variables; `None` if it has none that is known, or evaluation
    /// takes too long.
    pub(super) fn value(&mut self, term: Term) -> Option<Term> {
        self.steps = STEPS;
        self.evaluate(term, DEPTH)
    }

    /// Is a formula without quantifiers true in tests, with integers from `least` on for its
    /// variables? `None` if there are no values to test it with.
    pub(super) fn passes(&mut self, formula: Term, least: i64) -> Option<bool> {
        for test in Tests::of(self.t, formula, least).take(PASSED) {
            if self.value(test?) == Some(Term::FALSE) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Is a formula without quantifiers true in this number of tests?
    pub(super) fn is_true_in(&mut self, formula: Term, tests: usize) -> bool {
        let all = Tests::of(self.t, formula, 0).take(PASSED);
        let holds = all.filter(|&test| test.and_then(|test| self.value(test)) == Some(Term::TRUE));
        holds.take(tests).count() == tests
    }

    /// The call depth is bounded by `depth`.
    fn evaluate(&mut self, term: Term, depth: usize) -> Option<Term> {
        work::spend(3);
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let depth = depth.checked_sub(1)?;
        self.steps = self.steps.checked_sub(1)?;
        let found = self.evaluated(term, depth);
        if self.steps > 0 {
            self.known.insert(term, found);
        }
        found
    }

    fn evaluated(&mut self, term: Term, depth: usize) -> Option<Term> {
        let t = self.t;
        let args = t.args(term);
        match t.op(term) {
            Op::Ite => match self.evaluate(args[0], depth)? {
                Term::TRUE => self.evaluate(args[1], depth),
                Term::FALSE => self.evaluate(args[2], depth),
                _ => None,
            },
            Op::Var(_) => None,
            op => {
                let values = args.iter().map(|&arg| self.evaluate(arg, depth));
                let values: Vec<Term> = values.collect::<Option<_>>()?;
                match op {
                    Op::Apply(func) => {
                        let Op::Construct(built) = t.op(*values.first()?) else {
                            return None;
                        };
                        let case = t.definition_case(func, built, &values)?;
                        self.evaluate(case, depth)
                    }
                    Op::Eq => Some(t.bool(values[0] == values[1])),
                    Op::Construct(_) => Some(t.rebuild(term, &values)),
                    _ => {
                        let value = t.rebuild(term, &values);
                        is_value(t, value).then_some(value)
                    }
                }
            }
        }
    }
}

/// A formula with values for its variables, in one test after the other; `None` where there are no
/// values.
struct Tests<'t> {
    t: &'t Terms,
    formula: Term,
    vars: Vec<Term>,
    random: Values<'t>,
    next: usize,
}

impl<'t> Tests<'t> {
    fn of(t: &'t Terms, formula: Term, least: i64) -> Tests<'t> {
        Tests {
            t,
            formula,
            vars: t.vars([formula]),
            random: Values::new(t, 2).with_least(least),
            next: 0,
        }
    }
}

impl Iterator for Tests<'_> {
    type Item = Option<Term>;

    fn next(&mut self) -> Option<Option<Term>> {
        let test = self.next;
        self.next += 1;
        let values = self.vars.iter().map(|&var| {
            let value = self.random.for_test(self.t.sort_of(var), test);
            value.map(|value| (var, value))
        });
        let values = values.collect::<Option<Vec<(Term, Term)>>>();
        Some(values.map(|values| self.t.substitute(self.formula, values)))
    }
}

/// Is a term built by constructors and constants alone, as far as its head says?
fn is_value(t: &Terms, term: Term) -> bool {
    matches!(t.op(term), Op::Construct(_)) || t.is_distinct_constant(term)
}

/// Two meanings are compared at 48 tuples of arguments. The value was not tuned.
const TUPLES: usize = 48;

/// Does one meaning of a predicate imply another one, in tests?
pub(super) fn implies(t: &Terms, one: &Meaning, other: &Meaning) -> bool {
    let mut ground = Ground::new(t);
    let (mut seeds, mut values) = (Dice::new(3), Values::new(t, 0));
    (0..TUPLES).all(|test| {
        // Equal arguments are rare among random ones.
        let seeds = [seeds.below(1 << 20), seeds.below(1 << 20)];
        let args = one.params.iter().enumerate().map(|(place, &param)| {
            let seed = seeds[(place * test) % 2];
            values.begin(u64::try_from(seed).expect("it is small"));
            values.next(t.sort_of(param), test % 6)
        });
        let Some(args) = args.collect::<Option<Vec<Term>>>() else {
            return true;
        };
        let mut holds = |meaning: &Meaning| ground.value(meaning.formula(t, &args));
        holds(one) != Some(Term::TRUE) || holds(other) != Some(Term::FALSE)
    })
}
