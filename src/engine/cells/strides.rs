//! How far the cells of an array are apart: the number that divides all indices at which it is read
//! and written, counted from where it begins.
//!
//! Memory whose elements have four bytes is read at `p + 4 i`. What is at the addresses between is
//! never asked. If cells were all indices, an invariant about them would have to say as well which
//! remainder they have. So cell `i` is the one at `p + 4 i`. Not from a paper.

use super::bases::Beginnings;
use super::reads::{Indices, is_memory};
use crate::chc::{Clause, System};
use crate::number::Rational;
use crate::term::{Sort, Term, Terms};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

/// Where the cells of an array argument are.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The position of the argument that the array begins at; `None` if it begins at 0.
    beginning: Option<usize>,
    /// Cells are this far apart. Positive, and 1 for arrays whose indices are no integers.
    stride: Rational,
}

impl Layout {
    /// Where the cells are if these are the arguments.
    pub(super) fn of(&self, args: &[Term]) -> Places {
        Places {
            beginning: self.beginning.map(|at| args[at]),
            stride: self.stride.clone(),
        }
    }
}

/// The places of cells: multiples of a stride, counted from where an array begins.
pub(super) struct Places {
    beginning: Option<Term>,
    stride: Rational,
}

impl Places {
    /// The index of a cell.
    pub(super) fn index(&self, t: &Terms, cell: Term) -> Term {
        if self.beginning.is_none() && self.stride.is_one() {
            return cell;
        }
        let offset = t.scale(self.stride.clone(), cell);
        as_sum(t, t.add(self.beginning.into_iter().chain([offset])))
    }

    /// The cell at an index, if it is known that there is one.
    pub(super) fn cell(&self, t: &Terms, index: Term) -> Option<Term> {
        if self.beginning.is_none() && self.stride.is_one() {
            return Some(index);
        }
        let mut sum = t.linear_sum(self.offset(t, index));
        if !sum
            .numbers()
            .all(|number| number.is_divisible_by(&self.stride))
        {
            return None;
        }
        sum.scale(&self.stride.recip());
        Some(t.sum_term(&sum, Sort::INT))
    }

    /// The cell at an index, and the condition that there is one.
    pub(super) fn cell_if(&self, t: &Terms, index: Term) -> (Term, Term) {
        match self.cell(t, index) {
            Some(cell) => (cell, Term::TRUE),
            None => {
                let offset = as_sum(t, self.offset(t, index));
                let cell = t.idiv(offset, t.number(self.stride.clone(), Sort::INT));
                (cell, t.divisible(self.stride.clone(), offset))
            }
        }
    }

    /// An index, counted from where the array begins.
    fn offset(&self, t: &Terms, index: Term) -> Term {
        let beginning = self.beginning.map(|beginning| t.neg(beginning));
        t.add([index].into_iter().chain(beginning))
    }
}

/// The index of an array's cell that has the number of another array's cell at an index, where
/// there is one.
pub(super) fn index_beside(t: &Terms, at: &Places, index: Term, other: &Places) -> Term {
    match at.stride == other.stride {
        true => {
            let beginning = other.beginning.into_iter();
            as_sum(t, t.add(beginning.chain([at.offset(t, index)])))
        }
        false => other.index(t, at.cell_if(t, index).0),
    }
}

/// An integer as a sum in which every term occurs once.
pub(super) fn as_sum(t: &Terms, integer: Term) -> Term {
    t.sum_term(&t.linear_sum(integer), Sort::INT)
}

/// For each predicate and each of its arguments where its cells are, if it is an array. What is
/// said of other arguments means nothing.
pub(super) type Layouts = Vec<Vec<Layout>>;

/// Finds how far the cells of arrays with these beginnings are apart. Arrays that are passed on to
/// each other have the same stride.
pub(super) fn layouts(t: &Terms, system: &System, beginnings: &Beginnings) -> Layouts {
    let mut strides = Strides::new(beginnings);
    for clause in &system.clauses {
        strides.add(t, clause);
    }
    let mut chosen = strides.chosen().into_iter();
    let of_pred = |beginnings: &Vec<Option<usize>>| {
        let layout = |&beginning: &Option<usize>| Layout {
            beginning,
            stride: chosen.next().expect("one for each argument"),
        };
        beginnings.iter().map(layout).collect()
    };
    beginnings.iter().map(of_pred).collect()
}

/// What is known of the indices of each argument.
struct Strides<'b> {
    beginnings: &'b Beginnings,
    /// The number of the first argument of each predicate.
    first: Vec<usize>,
    /// Arguments that clauses pass on to each other.
    classes: UnionFind<usize>,
    /// The greatest common divisor of the indices of each argument, 0 if there are none.
    divisors: Vec<Rational>,
}

impl<'b> Strides<'b> {
    fn new(beginnings: &'b Beginnings) -> Strides<'b> {
        let mut all = 0;
        let first = beginnings.iter().map(|args| {
            all += args.len();
            all - args.len()
        });
        let first: Vec<usize> = first.collect();
        Strides {
            beginnings,
            first,
            classes: UnionFind::new(all),
            divisors: vec![Rational::zero(); all],
        }
    }

    /// Takes the indices of a clause into account.
    fn add(&mut self, t: &Terms, clause: &Clause) {
        let indices = Indices::of_clause(t, clause);
        // The first argument that is made of the arrays of a class, and where it begins.
        let mut known: FxHashMap<usize, (usize, Option<Term>)> = FxHashMap::default();
        for atom in clause.atoms() {
            for (at, &array) in atom.args.iter().enumerate() {
                if !is_memory(t, t.sort_of(array)) {
                    continue;
                }
                let number = self.first[atom.pred.index()] + at;
                let beginning = self.beginnings[atom.pred.index()][at].map(|at| atom.args[at]);
                for class in indices.classes(t, array) {
                    let &mut (other, from) = known.entry(class).or_insert((number, beginning));
                    self.classes.union(number, other);
                    self.divide(t, number, from, beginning);
                }
                for index in indices.accessed(t, array) {
                    self.divide(t, number, Some(index), beginning);
                }
            }
        }
    }

    /// Makes the divisor of an argument divide the difference of two integers, one of which is 0 if
    /// it is not given.
    fn divide(&mut self, t: &Terms, number: usize, to: Option<Term>, from: Option<Term>) {
        let divisor = &mut self.divisors[number];
        if !divisor.is_one() {
            let integer = |given: Option<Term>| given.unwrap_or_else(|| t.int(0));
            let sum = t.linear_sum(t.sub(integer(to), integer(from)));
            *divisor = sum
                .numbers()
                .fold(divisor.clone(), |divisor, number| divisor.gcd(number));
        }
    }

    /// How far the cells of each argument are apart.
    fn chosen(self) -> Vec<Rational> {
        let mut of_class = vec![Rational::zero(); self.divisors.len()];
        for (number, divisor) in self.divisors.iter().enumerate() {
            let class = self.classes.find(number);
            of_class[class] = of_class[class].gcd(divisor);
        }
        let of = |number: usize| match &of_class[self.classes.find(number)] {
            divisor if divisor.is_zero() => Rational::one(),
            divisor => divisor.clone(),
        };
        (0..self.divisors.len()).map(of).collect()
    }
}
