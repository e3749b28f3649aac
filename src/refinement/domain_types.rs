//! Domain types: how the clauses use an argument of a predicate \[ABFRR13\].
//!
//! Arguments that clauses copy into each other have one type: that of all uses together. Boolean
//! arguments are compared with 0 and 1 only; others are compared for equality only; others are
//! added and ordered; the rest is used otherwise. A *loop counter* is changed by a constant in a
//! clause that derives a predicate from itself.

use crate::chc::{Clause, PredId, System};
use crate::logic::LinearLiteral;
use crate::number::Rational;
use crate::term::{BvOp, Op, Sort, Term, TermMap, Terms};

/// How an argument is used, the simplest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DomainType {
    /// It is a truth value.
    Boolean,
    /// It is compared with constants and with arguments of this kind.
    Equality,
    /// It is also added, subtracted and ordered.
    Addition,
    /// It is used in other ways, too.
    Other,
}

/// The domain type of each argument, and whether it is a loop counter.
#[derive(Clone, Debug)]
pub struct DomainTypes {
    /// By the index of the predicate and the position of the argument.
    types: Vec<Vec<(DomainType, bool)>>,
}

impl DomainTypes {
    /// What a system's clauses say of the arguments of its predicates.
    pub fn of(t: &Terms, system: &System) -> Self {
        let mut classes = Classes::default();
        let mut positions: Vec<Vec<usize>> = Vec::with_capacity(system.preds.len());
        for pred in &system.preds {
            let params = t.func(pred.func).params.iter();
            positions.push(params.map(|&sort| classes.add(of_sort(sort))).collect());
        }
        for clause in &system.clauses {
            let mut uses = Uses {
                t,
                classes: &mut classes,
                positions: &positions,
                vars: TermMap::default(),
            };
            uses.read(clause);
        }
        let of = |&position: &usize| {
            let class = classes.find(position);
            (classes.types[class], classes.is_counter[class])
        };
        let types = positions
            .iter()
            .map(|of_pred| of_pred.iter().map(of).collect());
        DomainTypes {
            types: types.collect(),
        }
    }

    /// The type of an argument, and whether it is a loop counter.
    pub fn get(&self, pred: PredId, position: usize) -> (DomainType, bool) {
        self.types[pred.index()][position]
    }
}

/// The simplest type of a sort.
fn of_sort(sort: Sort) -> DomainType {
    match sort.is_arith() || sort == Sort::BOOL {
        true => DomainType::Boolean,
        // What is known of other sorts is known from their uses.
        false => DomainType::Equality,
    }
}

/// Classes of arguments and variables that are copied into each other.
#[derive(Default)]
struct Classes {
    parents: Vec<usize>,
    types: Vec<DomainType>,
    is_counter: Vec<bool>,
}

impl Classes {
    fn add(&mut self, domain: DomainType) -> usize {
        self.parents.push(self.parents.len());
        self.types.push(domain);
        self.is_counter.push(false);
        self.parents.len() - 1
    }

    fn find(&self, mut class: usize) -> usize {
        while self.parents[class] != class {
            class = self.parents[class];
        }
        class
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        // The older class stays, so that those of arguments are found in few steps.
        let (root, leaf) = (one.min(other), one.max(other));
        self.parents[leaf] = root;
        self.types[root] = self.types[root].max(self.types[leaf]);
        self.is_counter[root] |= self.is_counter[leaf];
    }

    fn raise(&mut self, class: usize, domain: DomainType) {
        let class = self.find(class);
        self.types[class] = self.types[class].max(domain);
    }
}

/// The uses of variables in one clause.
struct Uses<'a> {
    t: &'a Terms,
    classes: &'a mut Classes,
    positions: &'a [Vec<usize>],
    /// The class of each variable.
    vars: TermMap<usize>,
}

impl Uses<'_> {
    fn read(&mut self, clause: &Clause) {
        let t = self.t;
        let mut formulas = vec![clause.constraint];
        for atom in clause.body.iter().chain(&clause.head) {
            for (place, &arg) in atom.args.iter().enumerate() {
                let position = self.positions[atom.pred.index()][place];
                self.assign(position, arg);
                formulas.push(arg);
            }
        }
        for part in t.post_order(formulas) {
            self.use_parts(part);
        }
        self.find_counters(clause);
    }

    fn class(&mut self, var: Term) -> usize {
        let sort = self.t.sort_of(var);
        let classes = &mut self.classes;
        let class = self.vars.entry(var);
        *class.or_insert_with(|| classes.add(of_sort(sort)))
    }

    /// A class has the value of a term.
    fn assign(&mut self, class: usize, value: Term) {
        let t = self.t;
        if t.is_var(value) {
            let other = self.class(value);
            self.classes.join(class, other);
            return;
        }
        match (t.op(value), t.args(value)) {
            (Op::True | Op::False, _) => {}
            (Op::Number(_) | Op::BitVec(_), _) => {
                let is_bit =
                    [Some(0), Some(1)].contains(&t.as_number(value).and_then(|n| n.to_i64()));
                let domain = if is_bit {
                    DomainType::Boolean
                } else {
                    DomainType::Equality
                };
                self.classes.raise(class, domain);
            }
            (Op::Ite, &[_, x, y]) => [x, y].into_iter().for_each(|x| self.assign(class, x)),
            (_, _) => self.classes.raise(class, of_operation(t, value)),
        }
    }

    /// What a term says of the variables that it is applied to.
    fn use_parts(&mut self, term: Term) {
        let t = self.t;
        let args = t.args(term);
        if let (Op::Eq, &[x, y]) = (t.op(term), args) {
            for (x, y) in [(x, y), (y, x)] {
                if t.is_var(x) {
                    let class = self.class(x);
                    self.assign(class, y);
                }
            }
            return;
        }
        let domain = of_operation(t, term);
        for &arg in args.iter().filter(|&&arg| t.is_var(arg)) {
            let class = self.class(arg);
            self.classes.raise(class, domain);
        }
    }

    /// Arguments of the head that are the same argument of a premise and a constant.
    fn find_counters(&mut self, clause: &Clause) {
        let t = self.t;
        let Some(head) = &clause.head else { return };
        let equations: Vec<Term> = t
            .post_order([clause.constraint])
            .filter(|&f| t.op(f) == Op::Eq)
            .collect();
        for atom in clause.body.iter().filter(|atom| atom.pred == head.pred) {
            for (place, (&after, &before)) in head.args.iter().zip(&atom.args).enumerate() {
                if !t.sort_of(after).is_arith() {
                    continue;
                }
                let mut equations = equations.iter();
                if is_step(t, after, before) || equations.any(|&f| says_step(t, f, after, before)) {
                    let class = self.classes.find(self.positions[head.pred.index()][place]);
                    self.classes.is_counter[class] = true;
                }
            }
        }
    }
}

/// Is one term the sum of the other one and a constant other than 0?
fn is_step(t: &Terms, after: Term, before: Term) -> bool {
    let mut difference = t.linear_sum(after);
    difference.add_scaled(&Rational::from(-1), &t.linear_sum(before));
    t.as_number(before).is_none() && difference.is_constant() && !difference.constant.is_zero()
}

/// Does an equation say that two variables differ by a constant other than 0?
fn says_step(t: &Terms, equation: Term, after: Term, before: Term) -> bool {
    let Some(LinearLiteral { sum, .. }) = LinearLiteral::of_term(t, equation) else {
        return false;
    };
    let (one, other) = (sum.coefficient(after), sum.coefficient(before));
    sum.terms.len() == 2 && !one.is_zero() && (one + other).is_zero() && !sum.constant.is_zero()
}

/// The type of what an operation is applied to, and of its result.
fn of_operation(t: &Terms, term: Term) -> DomainType {
    let is_constant = |x: &Term| t.as_number(*x).is_some();
    match t.op(term) {
        Op::Not | Op::And | Op::Or | Op::Ite | Op::Eq => DomainType::Boolean,
        Op::Add | Op::Le | Op::Lt | Op::Abs | Op::ToReal => DomainType::Addition,
        Op::Mul if t.args(term).iter().filter(|x| !is_constant(x)).count() < 2 => {
            DomainType::Addition
        }
        Op::Bv(BvOp::Add | BvOp::Neg | BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle) => {
            DomainType::Addition
        }
        _ => DomainType::Other,
    }
}
