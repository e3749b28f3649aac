//! Random small Horn systems as SMT-LIB text.
//!
//! A system is drawn as trees that know no sorts and no arities: which variable, predicate or
//! operator a node means is settled when it is printed at the sort that its place demands. So every
//! tree is a well-sorted Horn system, and whatever shrinking makes of it is one, too.

use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt;
use std::ops::RangeInclusive;

/// Variables of each sort in a clause.
const VARS: usize = 3;
const MAX_ARITY: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Int,
    Real,
    Bool,
    /// Bit-vectors of [`WIDTH`] bits.
    Word,
    /// Arrays of integers by integers.
    Array,
    /// Lists of integers, a datatype.
    List,
}

/// The declaration of [`Sort::List`].
const LISTS: &str = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))";

/// The width of bit-vectors: so small that sums overflow often.
const WIDTH: u32 = 4;

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::Int => "Int",
            Sort::Real => "Real",
            Sort::Bool => "Bool",
            Sort::Word => "(_ BitVec 4)",
            Sort::Array => "(Array Int Int)",
            Sort::List => "L",
        }
    }
}

/// A term of any sort but Bool, named after what it is among numbers.
#[derive(Clone, Debug)]
enum Number {
    Const(i8),
    Var(usize),
    Add(Box<Number>, Box<Number>),
    Sub(Box<Number>, Box<Number>),
    Scale(i8, Box<Number>),
    Ite(Box<Formula>, Box<Number>, Box<Number>),
    /// Among reals a division.
    Div(Box<Number>, i8),
    /// Among reals the number itself.
    Mod(Box<Number>, i8),
    /// An integer among reals, `to_int` of a real among integers, the lowest two bits of a
    /// bit-vector, an element of an array or a list among integers.
    Convert(Box<Number>),
}

#[derive(Clone, Debug)]
enum Formula {
    Const(bool),
    Var(usize),
    /// A comparison of integers, or of reals, arrays or lists where the flag says so; of
    /// bit-vectors signed, or unsigned where the flag says so.
    Compare(&'static str, bool, Box<Number>, Box<Number>),
    Not(Box<Formula>),
    /// `and`, `or`, `=>`, `=`, `xor`.
    Binary(&'static str, Box<Formula>, Box<Formula>),
    Ite(Box<Formula>, Box<Formula>, Box<Formula>),
}

/// The argument of a predicate whatever the sort of its place.
type Argument = (Number, Formula);

#[derive(Clone, Debug)]
struct Atom {
    pred: usize,
    args: Vec<Argument>,
}

/// How an assertion is written.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Implication,
    Disjunction,
    NegatedConjunction,
}

#[derive(Clone, Debug)]
struct Clause {
    head: Option<Atom>,
    body: Vec<Atom>,
    constraint: Vec<Formula>,
    shape: Shape,
}

/// A Horn system; `Display` prints it.
#[derive(Clone)]
pub(crate) struct System {
    /// The sorts of each predicate's arguments.
    preds: Vec<Vec<Sort>>,
    clauses: Vec<Clause>,
}

fn number(depth: u32) -> BoxedStrategy<Number> {
    let leaf = prop_oneof![
        3 => (0..VARS).prop_map(Number::Var),
        1 => (-5i8..=9).prop_map(Number::Const),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let sub = || number(depth - 1).prop_map(Box::new);
    let divisor = || prop_oneof![2i8..=5, -3i8..=-2];
    prop_oneof![
        10 => leaf,
        6 => ((0..VARS), -4i8..=5).prop_map(|(v, c)| {
            Number::Add(Number::Var(v).into(), Number::Const(c).into())
        }),
        3 => (sub(), sub()).prop_map(|(a, b)| Number::Add(a, b)),
        2 => (sub(), sub()).prop_map(|(a, b)| Number::Sub(a, b)),
        2 => (-3i8..=3, sub()).prop_map(|(c, a)| Number::Scale(c, a)),
        1 => (formula(depth - 1), sub(), sub())
            .prop_map(|(c, a, b)| Number::Ite(Box::new(c), a, b)),
        1 => (sub(), divisor()).prop_map(|(a, k)| Number::Div(a, k)),
        1 => (sub(), divisor()).prop_map(|(a, k)| Number::Mod(a, k)),
        1 => sub().prop_map(Number::Convert),
    ]
    .boxed()
}

fn formula(depth: u32) -> BoxedStrategy<Formula> {
    let operator = prop::sample::select(vec!["=", "<=", "<", ">", ">=", "distinct"]);
    let compare = (operator, any::<bool>(), number(depth), number(depth))
        .prop_map(|(op, real, a, b)| Formula::Compare(op, real, Box::new(a), Box::new(b)));
    let var = (0..VARS).prop_map(Formula::Var);
    if depth == 0 {
        return prop_oneof![4 => compare, 1 => var].boxed();
    }
    let sub = || formula(depth - 1).prop_map(Box::new);
    let binary = prop::sample::select(vec!["and", "or", "=>", "=", "xor"]);
    prop_oneof![
        12 => compare,
        2 => var,
        1 => any::<bool>().prop_map(Formula::Const),
        2 => sub().prop_map(Formula::Not),
        4 => (binary, sub(), sub()).prop_map(|(op, a, b)| Formula::Binary(op, a, b)),
        1 => (sub(), sub(), sub()).prop_map(|(c, a, b)| Formula::Ite(c, a, b)),
    ]
    .boxed()
}

/// An atom with any arguments, repeated and compound ones among them.
fn any_atom() -> impl Strategy<Value = Atom> {
    let argument = prop_oneof![
        2 => ((0..VARS).prop_map(Number::Var), (0..VARS).prop_map(Formula::Var)),
        1 => (number(1), formula(1)),
    ];
    (pred(), vec(argument, MAX_ARITY)).prop_map(|(pred, args)| Atom { pred, args })
}

/// An atom whose arguments are distinct variables.
fn plain_atom() -> impl Strategy<Value = Atom> {
    let argument = |v| (Number::Var(v), Formula::Var(v));
    pred().prop_map(move |pred| Atom {
        pred,
        args: (0..MAX_ARITY).map(argument).collect(),
    })
}

/// An atom whose arguments are those of a plain one, one step later.
fn next_atom() -> impl Strategy<Value = Atom> {
    let number = |v| {
        let sum = |a: Number, b: Number| Number::Add(Box::new(a), Box::new(b));
        prop_oneof![
            2 => Just(Number::Var(v)),
            3 => (-2i8..=3).prop_map(move |c| sum(Number::Var(v), Number::Const(c))),
            1 => (0..VARS).prop_map(move |w| sum(Number::Var(v), Number::Var(w))),
            1 => (-2i8..=4).prop_map(Number::Const),
        ]
    };
    let formula = |v| {
        prop_oneof![
            1 => Just(Formula::Var(v)),
            1 => Just(Formula::Not(Box::new(Formula::Var(v)))),
            1 => formula(0),
        ]
    };
    let args: Vec<_> = (0..MAX_ARITY).map(|v| (number(v), formula(v))).collect();
    (pred(), args).prop_map(|(pred, args)| Atom { pred, args })
}

/// A variable compared with a constant: queries that are not met at once.
fn bound() -> impl Strategy<Value = Formula> {
    let operator = prop::sample::select(vec!["=", "<", ">"]);
    (operator, any::<bool>(), 0..VARS, -4i8..=12).prop_map(|(op, real, v, c)| {
        Formula::Compare(op, real, Number::Var(v).into(), Number::Const(c).into())
    })
}

/// Fewer predicates than that take it by the remainder.
fn pred() -> impl Strategy<Value = usize> {
    0..6usize
}

fn clause(
    head: Option<BoxedStrategy<Atom>>,
    premises: BoxedStrategy<usize>,
    constraint: BoxedStrategy<Vec<Formula>>,
) -> impl Strategy<Value = Clause> {
    let premise = || prop_oneof![2 => plain_atom(), 1 => any_atom()];
    let body = premises.prop_flat_map(move |n| vec(premise(), n));
    let head = match head {
        Some(atom) => atom.prop_map(Some).boxed(),
        None => Just(None).boxed(),
    };
    let shape = prop_oneof![
        4 => Just(Shape::Implication),
        1 => Just(Shape::Disjunction),
        1 => Just(Shape::NegatedConjunction),
    ];
    (head, body, constraint, shape).prop_map(|(head, body, constraint, shape)| Clause {
        head,
        body,
        constraint,
        shape,
    })
}

/// Systems of one to three predicates and two to eight clauses.
pub(crate) fn system() -> impl Strategy<Value = System> {
    // Mostly one numeric sort to a system: mixed ones are harder, and rare in practice.
    let signature = prop_oneof![
        5 => Just(vec![Sort::Int, Sort::Int, Sort::Int, Sort::Bool]),
        3 => Just(vec![Sort::Real, Sort::Real, Sort::Real, Sort::Bool]),
        1 => Just(vec![Sort::Int, Sort::Real, Sort::Bool]),
        3 => Just(vec![Sort::Word, Sort::Word, Sort::Word, Sort::Bool]),
        1 => Just(vec![Sort::Int, Sort::Array, Sort::Bool]),
        1 => Just(vec![Sort::Int, Sort::List, Sort::Bool]),
    ];
    let preds = signature
        .prop_flat_map(|sorts| vec(vec(prop::sample::select(sorts), 0..=MAX_ARITY), 1..=3));
    let premises = || prop_oneof![8 => Just(1usize), 3 => Just(2), 1 => Just(3)].boxed();
    let constants = vec(((-2i8..=4).prop_map(Number::Const), formula(0)), MAX_ARITY);
    let start = (pred(), constants).prop_map(|(pred, args)| Atom { pred, args });
    let fact = prop_oneof![4 => start, 1 => any_atom()].boxed();
    let step = prop_oneof![3 => next_atom(), 1 => any_atom()].boxed();
    let bounds = prop_oneof![3 => bound(), 1 => formula(2)];
    let any = |many: RangeInclusive<usize>| vec(formula(2), many).boxed();
    let facts = vec(clause(Some(fact), Just(0).boxed(), any(0..=1)), 1..=2);
    let rules = vec(clause(Some(step), premises(), any(0..=2)), 0..=4);
    let queries = vec(clause(None, premises(), vec(bounds, 1..=3).boxed()), 1..=2);
    (preds, facts, rules, queries).prop_map(|(preds, facts, rules, queries)| System {
        preds,
        clauses: [facts, rules, queries].concat(),
    })
}

/// Prints the trees of one clause.
struct Printer<'s> {
    preds: &'s [Vec<Sort>],
    /// The numeric sort of comparisons: none where the system has both.
    only: Option<Sort>,
    /// The sort of arrays or of lists, where the system has one.
    structure: Option<Sort>,
}

impl Printer<'_> {
    fn number(&self, term: &Number, sort: Sort) -> String {
        match sort {
            Sort::Word => return self.word(term),
            Sort::Array => return self.array(term),
            Sort::List => return self.list(term),
            Sort::Int | Sort::Real | Sort::Bool => {}
        }
        let sub = |term| self.number(term, sort);
        let real = sort == Sort::Real;
        match term {
            Number::Const(c) => literal(*c, sort),
            Number::Var(v) => format!("{}{v}", if real { 'r' } else { 'i' }),
            Number::Add(a, b) => format!("(+ {} {})", sub(a), sub(b)),
            Number::Sub(a, b) => format!("(- {} {})", sub(a), sub(b)),
            Number::Scale(c, a) => format!("(* {} {})", literal(*c, sort), sub(a)),
            Number::Ite(c, a, b) => format!("(ite {} {} {})", self.formula(c), sub(a), sub(b)),
            Number::Div(a, k) if real => format!("(/ {} {})", sub(a), literal(*k, sort)),
            Number::Div(a, k) => format!("(div {} {})", sub(a), literal(*k, sort)),
            Number::Mod(a, _) if real => sub(a),
            Number::Mod(a, k) => format!("(mod {} {})", sub(a), literal(*k, sort)),
            Number::Convert(a) if self.structure == Some(Sort::Array) => {
                format!("(select {} i0)", self.array(a))
            }
            Number::Convert(a) if self.structure == Some(Sort::List) => {
                let list = self.list(a);
                format!("(ite ((_ is cons) {list}) (hd {list}) 0)")
            }
            Number::Convert(a) if self.only.is_some() => sub(a),
            Number::Convert(a) if real => format!("(to_real {})", self.number(a, Sort::Int)),
            Number::Convert(a) => format!("(to_int {})", self.number(a, Sort::Real)),
        }
    }

    /// An array: sums and multiples store, the rest is taken for what it is made of.
    fn array(&self, term: &Number) -> String {
        let (sub, int) = (|term| self.array(term), |term| self.number(term, Sort::Int));
        match term {
            Number::Const(c) => format!("((as const (Array Int Int)) {})", literal(*c, Sort::Int)),
            Number::Var(v) => format!("a{v}"),
            Number::Add(a, b) | Number::Sub(a, b) => {
                format!("(store {} i0 {})", sub(a), int(b))
            }
            Number::Scale(c, a) => format!("(store {} {} i1)", sub(a), literal(*c, Sort::Int)),
            Number::Ite(c, a, b) => format!("(ite {} {} {})", self.formula(c), sub(a), sub(b)),
            Number::Div(a, _) | Number::Mod(a, _) | Number::Convert(a) => sub(a),
        }
    }

    /// A list: sums and multiples put an element in front, differences and quotients take it away.
    /// Selectors are guarded, since SMT-LIB leaves open what they give for an empty list.
    fn list(&self, term: &Number) -> String {
        let (sub, int) = (|term| self.list(term), |term| self.number(term, Sort::Int));
        match term {
            Number::Const(c) if c % 2 == 0 => "nil".to_owned(),
            Number::Const(c) => format!("(cons {} nil)", literal(*c, Sort::Int)),
            Number::Var(v) => format!("l{v}"),
            Number::Add(a, b) => format!("(cons {} {})", int(b), sub(a)),
            Number::Scale(c, a) => format!("(cons {} {})", literal(*c, Sort::Int), sub(a)),
            Number::Ite(c, a, b) => format!("(ite {} {} {})", self.formula(c), sub(a), sub(b)),
            Number::Sub(a, _) | Number::Div(a, _) => {
                let list = sub(a);
                format!("(ite ((_ is cons) {list}) (tl {list}) nil)")
            }
            Number::Mod(a, _) | Number::Convert(a) => sub(a),
        }
    }

    /// A comparison of arrays or lists: an equation, its negation, or a tester.
    fn structural(&self, op: &str, sort: Sort, a: &Number, b: &Number) -> String {
        let term = |x| self.number(x, sort);
        match op {
            "<" | ">" if sort == Sort::List => format!("((_ is cons) {})", term(a)),
            "=" | "<=" | ">=" => format!("(= {} {})", term(a), term(b)),
            _ => format!("(distinct {} {})", term(a), term(b)),
        }
    }

    /// A bit-vector.
    fn word(&self, term: &Number) -> String {
        let sub = |term| self.word(term);
        match term {
            Number::Const(c) => literal(*c, Sort::Word),
            Number::Var(v) => format!("w{v}"),
            Number::Add(a, b) => format!("(bvadd {} {})", sub(a), sub(b)),
            Number::Sub(a, b) => format!("(bvsub {} {})", sub(a), sub(b)),
            Number::Scale(c, a) => format!("(bvmul {} {})", literal(*c, Sort::Word), sub(a)),
            Number::Ite(c, a, b) => format!("(ite {} {} {})", self.formula(c), sub(a), sub(b)),
            Number::Div(a, k) => {
                let op = ["bvsdiv", "bvudiv"][usize::from(k % 2 == 0)];
                format!("({op} {} {})", sub(a), literal(*k, Sort::Word))
            }
            Number::Mod(a, k) => {
                let op = ["bvsmod", "bvurem", "bvsrem"][usize::from(k.unsigned_abs() % 3)];
                format!("({op} {} {})", sub(a), literal(*k, Sort::Word))
            }
            Number::Convert(a) => format!("((_ zero_extend 2) ((_ extract 1 0) {}))", sub(a)),
        }
    }

    fn formula(&self, formula: &Formula) -> String {
        let sub = |formula| self.formula(formula);
        match formula {
            Formula::Const(value) => value.to_string(),
            Formula::Var(v) => format!("b{v}"),
            Formula::Compare(op, unsigned, a, b) if self.only == Some(Sort::Word) => {
                let op = match (*op, *unsigned) {
                    ("<=", true) => "bvule",
                    ("<=", false) => "bvsle",
                    ("<", true) => "bvult",
                    ("<", false) => "bvslt",
                    (">", true) => "bvugt",
                    (">", false) => "bvsgt",
                    (">=", true) => "bvuge",
                    (">=", false) => "bvsge",
                    (same, _) => same,
                };
                format!("({op} {} {})", self.word(a), self.word(b))
            }
            Formula::Compare(op, real, a, b) => {
                let sort = if *real { Sort::Real } else { Sort::Int };
                let sort = self.only.unwrap_or(sort);
                if let Some(sort) = self.structure.filter(|_| *real) {
                    return self.structural(op, sort, a, b);
                }
                format!("({op} {} {})", self.number(a, sort), self.number(b, sort))
            }
            Formula::Not(a) => format!("(not {})", sub(a)),
            Formula::Binary(op, a, b) => format!("({op} {} {})", sub(a), sub(b)),
            Formula::Ite(c, a, b) => format!("(ite {} {} {})", sub(c), sub(a), sub(b)),
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let pred = atom.pred % self.preds.len();
        let sorts = &self.preds[pred];
        if sorts.is_empty() {
            return format!("p{pred}");
        }
        let mut text = format!("(p{pred}");
        for (&sort, (number, formula)) in sorts.iter().zip(&atom.args) {
            text.push(' ');
            text.push_str(&match sort {
                Sort::Bool => self.formula(formula),
                _ => self.number(number, sort),
            });
        }
        text + ")"
    }

    fn clause(&self, clause: &Clause) -> String {
        let head = clause.head.as_ref().map(|atom| self.atom(atom));
        let body = clause.body.iter().map(|atom| self.atom(atom));
        let body: Vec<String> = body
            .chain(clause.constraint.iter().map(|f| self.formula(f)))
            .collect();
        let negated = |parts: &[String]| -> Vec<String> {
            parts.iter().map(|part| format!("(not {part})")).collect()
        };
        let matrix = match clause.shape {
            Shape::Implication => {
                let head = head.unwrap_or_else(|| "false".to_owned());
                format!("(=> {} {head})", connect("and", &body, "true"))
            }
            Shape::Disjunction => {
                let parts = [negated(&body), head.into_iter().collect()].concat();
                connect("or", &parts, "false")
            }
            Shape::NegatedConjunction => {
                let parts = [body, negated(head.as_slice())].concat();
                format!("(not {})", connect("and", &parts, "true"))
            }
        };
        let vars = [
            ("i", Sort::Int),
            ("r", Sort::Real),
            ("b", Sort::Bool),
            ("w", Sort::Word),
            ("a", Sort::Array),
            ("l", Sort::List),
        ];
        let vars = vars
            .iter()
            .flat_map(|&(letter, sort)| (0..VARS).map(move |v| (format!("{letter}{v}"), sort)));
        let words: Vec<&str> = matrix.split([' ', '(', ')']).collect();
        let bound: Vec<String> = vars
            .filter(|(name, _)| words.contains(&name.as_str()))
            .map(|(name, sort)| format!("({name} {})", sort.name()))
            .collect();
        if bound.is_empty() {
            return format!("(assert {matrix})");
        }
        format!("(assert (forall ({})\n  {matrix}))", bound.join(" "))
    }
}

/// A numeral as SMT-LIB writes it at a sort.
fn literal(c: i8, sort: Sort) -> String {
    if sort == Sort::Word {
        return format!("(_ bv{} {WIDTH})", c.rem_euclid(1 << WIDTH));
    }
    let point = if sort == Sort::Real { ".0" } else { "" };
    if c < 0 {
        format!("(- {}{point})", c.unsigned_abs())
    } else {
        format!("{c}{point}")
    }
}

/// An operator over the parts, however many there are.
fn connect(operator: &str, parts: &[String], neutral: &str) -> String {
    match parts {
        [] => neutral.to_owned(),
        [one] => one.clone(),
        _ => format!("({operator} {})", parts.join(" ")),
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has = |sort| self.preds.iter().flatten().any(|&s| s == sort);
        let printer = Printer {
            preds: &self.preds,
            only: match (has(Sort::Int), has(Sort::Real)) {
                _ if has(Sort::Word) => Some(Sort::Word),
                (true, true) => None,
                (_, real) => Some(if real { Sort::Real } else { Sort::Int }),
            },
            structure: [Sort::Array, Sort::List].into_iter().find(|&s| has(s)),
        };
        writeln!(f, "(set-logic HORN)")?;
        if has(Sort::List) {
            writeln!(f, "{LISTS}")?;
        }
        for (pred, sorts) in self.preds.iter().enumerate() {
            let sorts: Vec<&str> = sorts.iter().map(|s| s.name()).collect();
            writeln!(f, "(declare-fun p{pred} ({}) Bool)", sorts.join(" "))?;
        }
        for clause in &self.clauses {
            writeln!(f, "{}", printer.clause(clause))?;
        }
        writeln!(f, "(check-sat)")
    }
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
