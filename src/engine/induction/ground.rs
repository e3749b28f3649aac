//! Values: the evaluation of functions that are defined by recursion, and values to test
//! conjectures with \[CH00\].
//!
//! A value is a term of constructors, numerals and truth values. Equal values are equal terms.

use super::meaning::Meaning;
use crate::term::{CtorId, Op, Sort, Term, TermMap, Terms};
use rustc_hash::FxHashMap;

/// The evaluation of one term takes at most 4000 steps. The value was not tuned.
const STEPS: usize = 4000;
/// Evaluation goes to this depth of applications within applications. The value was not tuned.
const DEPTH: usize = 200;

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

    /// The call depth is bounded by `depth`.
    fn evaluate(&mut self, term: Term, depth: usize) -> Option<Term> {
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
                        let cases = t.definition_cases(func, &values);
                        let case = cases.iter().find(|(ctor, _)| *ctor == built)?;
                        self.evaluate(case.1, depth)
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

/// Is a term built by constructors and constants alone, as far as its head says?
fn is_value(t: &Terms, term: Term) -> bool {
    matches!(t.op(term), Op::Construct(_)) || t.is_distinct_constant(term)
}

/// Integers in tests are below 5. The value was not tuned.
const SMALL: usize = 5;

/// Numbers that look random, the same ones in every run \[SLF14\].
pub(super) struct Dice {
    state: u64,
    /// The least heights of values of datatypes, as far as they were wanted.
    heights: FxHashMap<Sort, usize>,
}

impl Dice {
    /// Numbers that depend on the seed.
    pub(super) fn new(seed: u64) -> Dice {
        Dice {
            state: seed,
            heights: FxHashMap::default(),
        }
    }

    /// A small natural number.
    pub(super) fn natural(&mut self) -> i64 {
        i64::try_from(self.below(SMALL)).expect("it is small")
    }

    /// The least height of a value that a constructor builds; `None` if there is none.
    fn height(&mut self, t: &Terms, ctor: CtorId) -> Option<usize> {
        let sort = t.ctor_sort(ctor);
        if !self.heights.contains_key(&sort) {
            self.measure(t, sort);
        }
        self.known_height(t, ctor)
    }

    /// The height by what is known of the fields' sorts.
    fn known_height(&self, t: &Terms, ctor: CtorId) -> Option<usize> {
        let fields = t.ctor(ctor).fields.iter();
        let heights = fields.map(|&field| {
            let sort = t.selector(field).sort;
            match t.datatype_of(sort) {
                None => Some(0),
                Some(_) => self.heights.get(&sort).map(|height| height + 1),
            }
        });
        heights
            .collect::<Option<Vec<usize>>>()?
            .into_iter()
            .max()
            .or(Some(0))
    }

    /// Finds the least heights of the values of a sort and of their parts: low ones first, each
    /// from lower ones.
    fn measure(&mut self, t: &Terms, sort: Sort) {
        let order = t.sort_post_order(sort);
        for height in 0..=order.len() {
            let found = order.iter().copied().filter(|&sort| {
                t.datatype_of(sort).is_some_and(|datatype| {
                    let ctors = t.datatype(datatype).ctors().iter();
                    let mut heights = ctors.filter_map(|&ctor| self.known_height(t, ctor));
                    !self.heights.contains_key(&sort) && heights.any(|h| h == height)
                })
            });
            let found: Vec<Sort> = found.collect();
            self.heights
                .extend(found.into_iter().map(|sort| (sort, height)));
        }
    }

    /// A number below a bound; 0 if the bound is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let mixed = usize::try_from((mixed ^ (mixed >> 31)) >> 33).expect("it has 31 bits");
        mixed % bound.max(1)
    }
}

/// A value of a sort, built of at most about `size` constructors; `None` for sorts that values are
/// not made of.
pub(super) fn random_value(t: &Terms, sort: Sort, size: usize, dice: &mut Dice) -> Option<Term> {
    if sort == Sort::INT {
        return Some(t.int(dice.natural() - 1));
    }
    if sort == Sort::BOOL {
        return Some(t.bool(dice.below(2) == 1));
    }
    let datatype = t.datatype_of(sort)?;
    let ctors = t.datatype(datatype).ctors();
    // A value without a size has an end: its constructor builds one of least height.
    let heights: Vec<_> = ctors.iter().map(|&ctor| dice.height(t, ctor)).collect();
    let lowest = heights.iter().copied().flatten().min()?;
    let is_small = |ctor: &CtorId| dice.known_height(t, *ctor) == Some(lowest);
    // Mostly as large as may be: many values would be constants otherwise.
    let (small, large): (Vec<_>, Vec<_>) = ctors.iter().copied().partition(is_small);
    let fitting = match size > 0 && dice.below(4) > 0 && !large.is_empty() {
        true => large,
        false => small,
    };
    let &ctor = fitting.get(dice.below(fitting.len()))?;
    let fields = t.ctor(ctor).fields.iter().map(|&field| {
        let field = t.selector(field).sort;
        // Elements are smaller than what they are elements of.
        let rest = match field == sort {
            true => size.saturating_sub(1),
            false => size / 2,
        };
        random_value(t, field, rest, dice)
    });
    let fields: Vec<Term> = fields.collect::<Option<_>>()?;
    Some(t.construct(ctor, &fields))
}

/// Two meanings are compared at 48 tuples of arguments. The value was not tuned.
const TUPLES: usize = 48;

/// Does one meaning of a predicate imply another one, in tests?
pub(super) fn implies(t: &Terms, one: &Meaning, other: &Meaning) -> bool {
    let mut ground = Ground::new(t);
    let mut dice = Dice::new(3);
    (0..TUPLES).all(|test| {
        // Equal arguments are rare among random ones.
        let seeds = [dice.below(1 << 20), dice.below(1 << 20)];
        let args = one.params.iter().enumerate().map(|(place, &param)| {
            let seed = seeds[(place * test) % 2];
            let mut dice = Dice::new(u64::try_from(seed).expect("it is small"));
            random_value(t, t.sort_of(param), test % 6, &mut dice)
        });
        let Some(args) = args.collect::<Option<Vec<Term>>>() else {
            return true;
        };
        let mut holds = |meaning: &Meaning| ground.value(meaning.formula(t, &args));
        holds(one) != Some(Term::TRUE) || holds(other) != Some(Term::FALSE)
    })
}
