//! Exact evaluation of terms under an assignment.
//!
//! SMT-LIB's functions are total, but the standard leaves some results open: division and remainder
//! by zero on `Int` and `Real`, and selectors on values of other constructors. A formula that is
//! true for one choice of these need not be for another, so what is done about them is the caller's
//! choice, [`Unspecified`]; the certificate checker refuses.
//!
//! What has no value — for that reason, or because a variable is not assigned — makes the terms
//! around it undefined, too, except where a result does not depend on it: an argument of `and` or
//! `or` that decides, the branch of an `ite` that is not taken, an `ite` whose condition is
//! undefined and whose branches have the same value. (That is Kleene's strong three-valued logic;
//! it is sound, a result holds for all choices.)
//!
//! Evaluation goes over the graph, not the tree, needs no call stack, and does not look at
//! arguments that cannot matter.
//!
//! Missing: quantifiers, which are undefined.

use super::{Op, Sort, Term, TermMap, Terms, Value, value::BitVec};
use crate::number::Rational;
use crate::term::BvOp;
use crate::work;
use smallvec::SmallVec;
use std::fmt;

/// Products of more bits than this are not computed: repeated squaring makes a term of 60 nodes a
/// number that no memory holds.
const PRODUCT_BITS: u64 = 1 << 24;

/// What a function gives where SMT-LIB leaves its result open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unspecified {
    /// The term is undefined. Certificates use this.
    Refuse,
    /// `(/ x 0) = 0`, `(div x 0) = 0`, `(mod x 0) = x`, and a selector gives the default value of
    /// its sort (see [`Terms::default_value`]). This is one of the interpretations that SMT-LIB
    /// allows.
    Default,
}

/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// The innermost subterm that has none.
    pub term: Term,
    /// Why.
    pub reason: UndefinedReason,
}

/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndefinedReason {
    /// It divides by zero.
    DivisionByZero,
    /// It selects a field of a constructor by which its argument is not built.
    WrongConstructor,
    /// It is a variable or a function application without an assigned value.
    Unassigned,
    /// It is a quantified formula.
    Quantifier,
    /// Its value is too large to be computed.
    TooLarge,
    /// It compares arrays that are equal if an uninterpreted sort has few elements.
    OpenSort,
}

impl fmt::Display for UndefinedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UndefinedReason::DivisionByZero => "division by zero",
            UndefinedReason::WrongConstructor => "selector of another constructor",
            UndefinedReason::Unassigned => "no value assigned",
            UndefinedReason::Quantifier => "quantifier",
            UndefinedReason::TooLarge => "value too large",
            UndefinedReason::OpenSort => "comparison over a sort of unknown size",
        })
    }
}

/// The message names the reason only: a term is printed by its store.
impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a subterm has no value: {}", self.reason)
    }
}

impl std::error::Error for Undefined {}

/// An evaluator under one assignment. It remembers what it computed, so that terms which share
/// subterms cost their joint size once.
///
/// ```
/// use horn::term::{Evaluator, Sort, Terms, Unspecified, Value};
///
/// let t = Terms::new();
/// let x = t.var("x", Sort::INT);
/// let mut evaluator = Evaluator::new(&t, Unspecified::Refuse);
/// evaluator.assign(x, Value::Number(7.into()));
/// assert_eq!(evaluator.eval(t.modulo(x, t.int(4))), Ok(Value::Number(3.into())));
/// // SMT-LIB leaves open what a division by zero is: it has no value here.
/// assert!(evaluator.eval(t.idiv(x, t.int(0))).is_err());
/// ```
pub struct Evaluator<'t> {
    terms: &'t Terms,
    unspecified: Unspecified,
    assigned: TermMap<Value>,
    known: TermMap<Result<Value, Undefined>>,
    /// Is a known result that there is no value?
    met_undefined: bool,
    /// Terms under way: none, but room for them.
    stack: Vec<Frame>,
}

/// A term under way.
struct Frame {
    term: Term,
    /// How many operands were looked at.
    next: usize,
    /// The values of the operands looked at, for the operators that need all.
    values: SmallVec<[Value; 2]>,
    /// The first operand found to be undefined, for the connectives that go on.
    undefined: Option<Undefined>,
    /// For a store into a store into …: the array stored into first, then index and element of
    /// each, first to last.
    chain: Vec<Term>,
}

/// What the evaluation of a term comes to.
enum Step {
    /// It needs this subterm first.
    Need(Term),
    Done(Result<Value, Undefined>),
}

/// Takes the value out of an operand's result, or leaves: for its value, or because the operand is
/// undefined.
macro_rules! operand {
    ($evaluator:expr, $term:expr) => {
        match $evaluator.get($term) {
            None => return Step::Need($term),
            Some(Err(undefined)) => return Step::Done(Err(undefined)),
            Some(Ok(value)) => value,
        }
    };
}

impl<'t> Evaluator<'t> {
    /// An evaluator under the empty assignment.
    pub fn new(terms: &'t Terms, unspecified: Unspecified) -> Self {
        Evaluator {
            terms,
            unspecified,
            assigned: TermMap::default(),
            known: TermMap::default(),
            met_undefined: false,
            stack: Vec::new(),
        }
    }

    /// Forgets the assignment and all that was computed. Many evaluations under one evaluator
    /// after the other need no new memory.
    pub fn restart(&mut self) {
        self.assigned.clear();
        self.known.clear();
        self.met_undefined = false;
    }

    /// An evaluator under an assignment, see [`Evaluator::assign`].
    pub fn with(
        terms: &'t Terms,
        unspecified: Unspecified,
        assignment: impl IntoIterator<Item = (Term, Value)>,
    ) -> Self {
        let mut evaluator = Evaluator::new(terms, unspecified);
        let assignment = assignment.into_iter();
        evaluator.assigned.reserve(assignment.size_hint().0);
        for (term, value) in assignment {
            evaluator.assign(term, value);
        }
        evaluator
    }

    /// Has a term a value that was assigned?
    pub fn is_assigned(&self, term: Term) -> bool {
        self.assigned.contains_key(&term)
    }

    /// Gives a variable, or a declared function applied to certain arguments, its value, instead of
    /// one given before. A selector may be given a value, too, where its argument is built by
    /// another constructor. What was computed so far is forgotten, unless it holds all the same.
    ///
    /// # Panics
    /// If the value is not of the term's sort ([`Value::is_of`]).
    pub fn assign(&mut self, term: Term, value: Value) {
        debug_assert!(matches!(
            self.terms.op(term),
            Op::Var(_) | Op::Apply(_) | Op::Field(_)
        ));
        assert!(
            value.is_of(self.terms, self.terms.sort_of(term)),
            "{value:?} is not of the sort of {}",
            self.terms.display(term)
        );
        // What has a value has it whatever a variable is that had none.
        if self.assigned.insert(term, value).is_some() || self.met_undefined {
            self.known.clear();
            self.met_undefined = false;
        }
    }

    /// The value of a term.
    pub fn eval(&mut self, term: Term) -> Result<Value, Undefined> {
        if let Some(known) = self.get(term) {
            return known;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(self.frame(term));
        while let Some(frame) = stack.last_mut() {
            match self.step(frame) {
                Step::Need(operand) => stack.push(self.frame(operand)),
                Step::Done(result) => {
                    work::spend(3);
                    self.met_undefined |= result.is_err();
                    self.known.insert(frame.term, result);
                    stack.pop();
                }
            }
        }
        self.stack = stack;
        self.known[&term].clone()
    }

    /// The truth value of a formula.
    pub fn eval_bool(&mut self, formula: Term) -> Result<bool, Undefined> {
        self.eval(formula).map(|value| boolean(&value))
    }

    /// The value of an integer or real term.
    pub fn eval_number(&mut self, term: Term) -> Result<Rational, Undefined> {
        self.eval(term).map(|value| number(&value).clone())
    }

    /// Is a formula true, and not undefined?
    pub fn holds(&mut self, formula: Term) -> bool {
        self.eval_bool(formula) == Ok(true)
    }

    /// What is known of a term; `None` if it must be evaluated first.
    fn get(&self, term: Term) -> Option<Result<Value, Undefined>> {
        let t = self.terms;
        Some(Ok(match t.op(term) {
            Op::True => Value::Bool(true),
            Op::False => Value::Bool(false),
            Op::Number(id) => Value::Number(t.number_value(id).clone()),
            Op::BitVec(id) => {
                let width = t.bitvec_width(t.sort_of(term)).expect("a bit-vector");
                Value::BitVec(BitVec::from_int(&t.number_value(id).numer(), width))
            }
            Op::Var(_) | Op::Apply(_) => return Some(self.assigned_value(term)),
            Op::Field(_) if self.assigned.contains_key(&term) => {
                return Some(self.assigned_value(term));
            }
            _ => return self.known.get(&term).cloned(),
        }))
    }

    fn assigned_value(&self, term: Term) -> Result<Value, Undefined> {
        if let Some(value) = self.assigned.get(&term) {
            return Ok(value.clone());
        }
        let name = self.terms.as_var(term);
        name.and_then(|name| self.terms.element_named(name, self.terms.sort_of(term)))
            .ok_or(Undefined {
                term,
                reason: UndefinedReason::Unassigned,
            })
    }

    fn frame(&self, term: Term) -> Frame {
        let mut chain = Vec::new();
        let mut array = term;
        while let (Op::Store, &[inner, index, element]) =
            (self.terms.op(array), self.terms.args(array))
        {
            if self.known.contains_key(&array) {
                break;
            }
            chain.extend([element, index]);
            array = inner;
        }
        if !chain.is_empty() {
            chain.push(array);
            chain.reverse();
        }
        Frame {
            term,
            next: 0,
            values: SmallVec::new(),
            undefined: None,
            chain,
        }
    }

    /// Goes on with a term until it needs the value of an operand that is not known, or has its
    /// own.
    fn step(&self, frame: &mut Frame) -> Step {
        let t = self.terms;
        match t.op(frame.term) {
            Op::Forall | Op::Exists => Step::Done(Err(Undefined {
                term: frame.term,
                reason: UndefinedReason::Quantifier,
            })),
            Op::And => self.step_junction(frame, false),
            Op::Or => self.step_junction(frame, true),
            Op::Ite => self.step_ite(frame),
            Op::Store => self.step_store(frame),
            _ => self.step_strict(frame),
        }
    }

    /// Conjunction or disjunction; `decisive` is the truth value that decides it.
    fn step_junction(&self, frame: &mut Frame, decisive: bool) -> Step {
        while let Some(&arg) = self.terms.args(frame.term).get(frame.next) {
            match self.get(arg) {
                None => return Step::Need(arg),
                Some(Err(undefined)) => {
                    frame.undefined.get_or_insert(undefined);
                }
                Some(Ok(value)) if boolean(&value) == decisive => {
                    return Step::Done(Ok(value));
                }
                Some(Ok(_)) => {}
            }
            frame.next += 1;
        }
        Step::Done(frame.undefined.map_or(Ok(Value::Bool(!decisive)), Err))
    }

    fn step_ite(&self, frame: &Frame) -> Step {
        let &[condition, x, y] = self.terms.args(frame.term) else {
            unreachable!("ite has three arguments");
        };
        let condition = match self.get(condition) {
            None => return Step::Need(condition),
            Some(condition) => condition,
        };
        match condition.map(|value| boolean(&value)) {
            Ok(true) => Step::Done(Ok(operand!(self, x))),
            Ok(false) => Step::Done(Ok(operand!(self, y))),
            Err(undefined) => {
                let (x, y) = (operand!(self, x), operand!(self, y));
                Step::Done(if x == y { Ok(x) } else { Err(undefined) })
            }
        }
    }

    /// A chain of stores is evaluated at once: an array for each of its terms would take quadratic
    /// space.
    fn step_store(&self, frame: &mut Frame) -> Step {
        while let Some(&part) = frame.chain.get(frame.next) {
            frame.values.push(operand!(self, part));
            frame.next += 1;
        }
        let mut values = std::mem::take(&mut frame.values).into_iter();
        let Some(Value::Array(base)) = values.next() else {
            unreachable!("a store changes an array");
        };
        let changes = std::iter::from_fn(|| values.next().zip(values.next()));
        Step::Done(Ok(Value::Array(base.store(self.terms, changes))))
    }

    /// An operator that needs all its operands.
    fn step_strict(&self, frame: &mut Frame) -> Step {
        let args = self.terms.args(frame.term);
        while let Some(&arg) = args.get(frame.next) {
            frame.values.push(operand!(self, arg));
            frame.next += 1;
        }
        let result = self.apply(frame.term, &frame.values);
        Step::Done(result.map_err(|reason| Undefined {
            term: frame.term,
            reason,
        }))
    }

    /// Are the values of both sides of an equation equal?
    fn equal(&self, equation: Term, x: &Value, y: &Value) -> Result<bool, UndefinedReason> {
        let t = self.terms;
        let is_open = || t.has_open_equality(t.sort_of(t.args(equation)[0]));
        match x == y {
            false if self.unspecified == Unspecified::Refuse && is_open() => {
                Err(UndefinedReason::OpenSort)
            }
            equal => Ok(equal),
        }
    }

    /// The value of a strict operator over those of its operands.
    fn apply(&self, term: Term, args: &[Value]) -> Result<Value, UndefinedReason> {
        let t = self.terms;
        let num = |i: usize| number(&args[i]);
        Ok(match t.op(term) {
            Op::Not => Value::Bool(!boolean(&args[0])),
            Op::Eq => Value::Bool(self.equal(term, &args[0], &args[1])?),
            Op::Add => Value::Number(args.iter().map(number).sum()),
            Op::Mul => Value::Number(product(args)?),
            Op::Div => self.divide(num(0), num(1), |x, y| x / y, |_| Rational::zero())?,
            Op::IDiv => self.divide(num(0), num(1), Rational::div_euclid, |_| Rational::zero())?,
            Op::Mod => self.divide(num(0), num(1), Rational::mod_euclid, Rational::clone)?,
            Op::Abs => Value::Number(num(0).abs()),
            Op::Le => Value::Bool(num(0) <= num(1)),
            Op::Lt => Value::Bool(num(0) < num(1)),
            Op::ToReal => args[0].clone(),
            Op::ToInt => Value::Number(num(0).floor()),
            Op::IsInt => Value::Bool(num(0).is_integer()),
            Op::Select => {
                let array = args[0].as_array().expect("select reads an array");
                array.select(&args[1]).clone()
            }
            Op::ConstArray => Value::const_array(t, t.sort_of(term), args[0].clone()),
            Op::Construct(ctor) => Value::datatype(t, ctor, args.to_vec()),
            Op::Field(selector) => {
                let (data, decl) = (datatype(&args[0]), t.selector(selector));
                match self.unspecified {
                    _ if data.ctor() == decl.ctor => data.fields()[decl.index as usize].clone(),
                    Unspecified::Refuse => return Err(UndefinedReason::WrongConstructor),
                    Unspecified::Default => t
                        .default_value(decl.sort)
                        .ok_or(UndefinedReason::WrongConstructor)?,
                }
            }
            Op::Is(ctor) => Value::Bool(datatype(&args[0]).ctor() == ctor),
            Op::Bv(BvOp::FromInt(width)) => Value::BitVec(BitVec::from_int(&num(0).numer(), width)),
            Op::Bv(op) => {
                let vectors = args.iter().map(|x| x.as_bitvec().expect("a bit-vector"));
                BitVec::apply(op, &vectors.collect::<SmallVec<[&BitVec; 4]>>())
            }
            op => unreachable!("{op:?} is a leaf, or not strict"),
        })
    }

    /// A division, or what the policy says of a division by zero.
    fn divide(
        &self,
        x: &Rational,
        y: &Rational,
        divide: fn(&Rational, &Rational) -> Rational,
        by_zero: fn(&Rational) -> Rational,
    ) -> Result<Value, UndefinedReason> {
        match self.unspecified {
            _ if !y.is_zero() => Ok(Value::Number(divide(x, y))),
            Unspecified::Refuse => Err(UndefinedReason::DivisionByZero),
            Unspecified::Default => Ok(Value::Number(by_zero(x))),
        }
    }
}

fn product(factors: &[Value]) -> Result<Rational, UndefinedReason> {
    let mut product = Rational::one();
    for factor in factors.iter().map(number) {
        if product.bit_length() + factor.bit_length() > PRODUCT_BITS {
            return Err(UndefinedReason::TooLarge);
        }
        product *= factor;
    }
    Ok(product)
}

fn boolean(value: &Value) -> bool {
    value
        .as_bool()
        .expect("the value of a formula is a truth value")
}

fn number(value: &Value) -> &Rational {
    value
        .as_number()
        .expect("the value of an arithmetic term is a number")
}

fn datatype(value: &Value) -> &super::DatatypeValue {
    value.as_datatype().expect("the value of a datatype")
}

impl Terms {
    /// The value of a ground term: one without variables and functions that have no fixed meaning,
    /// except the elements of uninterpreted sorts ([`Terms::value_term`]).
    pub fn ground_value(&self, term: Term) -> Result<Value, Undefined> {
        Evaluator::new(self, Unspecified::Refuse).eval(term)
    }

    /// The value of a sort with the same element, of number 0, for all elements of each
    /// uninterpreted sort in it.
    pub fn with_single_elements(&self, value: &Value, sort: Sort) -> Value {
        if !self.has_elements(sort) {
            return value.clone();
        }
        let term = self.value_term(value, sort);
        let elements = self.vars([term]).into_iter().map(|element| {
            let sort = self.sort_of(element);
            (
                element,
                self.value_term(&Value::Element { sort, index: 0 }, sort),
            )
        });
        let single = self.substitute(term, elements);
        let value = self.ground_value(single);
        value.expect("a term of constructors, stores and elements has a value")
    }
}
