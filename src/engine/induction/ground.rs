//! Values: the evaluation of functions that are defined by recursion, and values to test
//! conjectures with \[CH00\].
//!
//! A value is a term of constructors, numerals and truth values. Equal values are equal terms.

use super::meaning::Meaning;
use crate::term::{Op, Sort, Term, TermMap, Terms};

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

/// Numbers that look random, the same ones in every run \[SLF14\].
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number below a bound; 0 if the bound is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let mixed = usize::try_from((mixed ^ (mixed >> 31)) >> 33).expect("it has 31 bits");
        mixed % bound.max(1)
    }
}

/// A value of a sort, built of at most about `size` constructors; `None` for sorts that values are
/// not made of.
pub(super) fn random_value(t: &Terms, sort: Sort, size: usize, dice: &mut Dice) -> Option<Term> {
    if sort == Sort::INT {
        return Some(t.int(i64::try_from(dice.below(5)).expect("it is small") - 1));
    }
    if sort == Sort::BOOL {
        return Some(t.bool(dice.below(2) == 1));
    }
    let datatype = t.datatype_of(sort)?;
    let ctors = t.datatype(datatype).ctors();
    let is_small = |ctor: &_| {
        let fields = t.ctor(*ctor).fields.iter();
        let sorts = fields.map(|&field| t.selector(field).sort);
        sorts
            .filter(|&field| t.datatype_of(field).is_some())
            .count()
            == 0
    };
    // Mostly as large as may be: many values would be constants otherwise.
    let fitting: Vec<_> = match size > 0 && dice.below(4) > 0 {
        true => ctors.iter().filter(|c| !is_small(c)).collect(),
        false => ctors.iter().filter(|c| is_small(c)).collect(),
    };
    let fitting = match fitting.is_empty() {
        true => ctors.iter().collect(),
        false => fitting,
    };
    let &&ctor = fitting.get(dice.below(fitting.len()))?;
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
    let mut dice = Dice(3);
    (0..TUPLES).all(|test| {
        // Equal arguments are rare among random ones.
        let seeds = [dice.below(1 << 20), dice.below(1 << 20)];
        let args = one.params.iter().enumerate().map(|(place, &param)| {
            let seed = seeds[(place * test) % 2];
            let mut dice = Dice(u64::try_from(seed).expect("it is small"));
            random_value(t, t.sort_of(param), test % 6, &mut dice)
        });
        let Some(args) = args.collect::<Option<Vec<Term>>>() else {
            return true;
        };
        let mut holds = |meaning: &Meaning| ground.value(meaning.formula(t, &args));
        holds(one) != Some(Term::TRUE) || holds(other) != Some(Term::FALSE)
    })
}
