//! Arrays within one clause: which indices of which arrays are read, and variables in place of the
//! reads.

use crate::chc::{Atom, Clause};
use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, TermMap, TermSet, Terms};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

/// A clause says of this number of pairs of indices that arrays have the same elements there if
/// they are the same. The value was not tuned.
const MOST_PAIRS: usize = 20_000;

/// Is it a term of an array sort?
pub(super) fn is_array(t: &Terms, term: Term) -> bool {
    t.array_parts(t.sort_of(term)).is_some()
}

/// Is it the sort of arrays with integers as indices?
pub(super) fn is_memory(t: &Terms, sort: Sort) -> bool {
    let parts = t.array_parts(sort);
    parts.is_some_and(|(index, _)| index == Sort::INT)
}

/// The arrays that an array is made of by writes and cases: variables, elements of other arrays,
/// fields.
fn bases(t: &Terms, array: Term) -> Vec<Term> {
    let (mut found, mut seen, mut open) = (Vec::new(), TermSet::default(), vec![array]);
    while let Some(term) = open.pop() {
        // Arrays may share parts, of which each counts once.
        if !seen.insert(term) {
            continue;
        }
        match (t.op(term), t.args(term)) {
            (Op::Store, &[inner, ..]) => open.push(inner),
            (Op::Ite, &[_, x, y]) => open.extend([x, y]),
            (Op::ConstArray, _) => {}
            _ => found.push(term),
        }
    }
    found
}

/// That two indices are the same, without what both are counted from: `p + 4 i = p + 4 j` is
/// `i = j`.
fn is_same(t: &Terms, x: Term, y: Term) -> Term {
    if t.sort_of(x) != Sort::INT || t.is_var(x) && t.is_var(y) {
        return t.eq(x, y);
    }
    let mut left = t.linear_sum(t.sub(x, y));
    left.scale(&left.normalizer());
    if !left.constant.is_integer() {
        return Term::FALSE;
    }
    let (positive, negative) = (left.terms.into_iter()).partition(|(_, c)| c.is_positive());
    left.terms = positive;
    let mut right = LinearSum {
        terms: negative,
        constant: std::mem::take(&mut left.constant),
    };
    right.scale(&Rational::from(-1));
    t.eq(t.sum_term(&left, Sort::INT), t.sum_term(&right, Sort::INT))
}

/// Is it an equation between arrays?
fn is_equation(t: &Terms, term: Term) -> bool {
    t.op(term) == Op::Eq && is_array(t, t.args(term)[0])
}

/// Adds an extensionality witness `i` for every equation between arrays that may be denied:
/// `a = b ∨ a[i] ≠ b[i]`.
pub(super) fn with_differences(t: &Terms, formula: Term) -> Term {
    let differs = denied_equations(t, formula).into_iter().map(|equation| {
        let sides = t.args(equation);
        let (index, _) = t.array_parts(t.sort_of(sides[0])).expect("arrays");
        let place = t.fresh_var("difference", index);
        let same = t.eq(t.select(sides[0], place), t.select(sides[1], place));
        t.or([equation, t.not(same)])
    });
    t.and([formula].into_iter().chain(differs))
}

/// The equations between arrays that occur in a formula other than as conjuncts and disjuncts of
/// it.
fn denied_equations(t: &Terms, formula: Term) -> Vec<Term> {
    let (mut found, mut seen, mut open) = (TermSet::default(), TermSet::default(), vec![formula]);
    while let Some(term) = open.pop() {
        if !seen.insert(term) || is_equation(t, term) {
            continue;
        }
        match t.op(term) {
            Op::And | Op::Or => open.extend(t.args(term)),
            _ => found.extend(t.post_order([term]).filter(|&part| is_equation(t, part))),
        }
    }
    let mut found: Vec<Term> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Which indices are read and written of which arrays. Arrays that equations connect have their
/// indices in common.
pub(super) struct Indices {
    /// The number of each base.
    numbers: TermMap<usize>,
    /// The numbers of bases that equations connect.
    classes: UnionFind<usize>,
    /// The indices that are read of each class, by the number that stands for the class.
    read: Vec<Vec<Term>>,
    /// The indices that are written, each with the number of a base.
    written: Vec<(usize, Term)>,
}

impl Indices {
    /// Of what is read and written in a clause, and where arrays differ whose equation may be
    /// denied.
    pub(super) fn of_clause(t: &Terms, clause: &Clause) -> Self {
        let args = clause.atoms().flat_map(|atom| atom.args.iter().copied());
        Indices::new(t, args.chain([with_differences(t, clause.constraint)]))
    }

    /// Of what is read and written in these terms.
    pub(super) fn new(t: &Terms, roots: impl IntoIterator<Item = Term>) -> Self {
        let mut indices = Indices {
            numbers: TermMap::default(),
            classes: UnionFind::new_empty(),
            read: Vec::new(),
            written: Vec::new(),
        };
        for term in t.post_order(roots) {
            match (t.op(term), t.args(term)) {
                (Op::Select, &[array, index]) => {
                    for base in bases(t, array) {
                        let class = indices.class(base);
                        if !indices.read[class].contains(&index) {
                            indices.read[class].push(index);
                        }
                    }
                }
                (Op::Eq, &[x, y]) if is_array(t, x) => {
                    let all = [bases(t, x), bases(t, y)].concat();
                    for pair in all.windows(2) {
                        indices.join(pair[0], pair[1]);
                    }
                }
                (Op::Store, &[array, index, _]) => {
                    for base in bases(t, array) {
                        let class = indices.class(base);
                        indices.written.push((class, index));
                    }
                }
                (Op::Ite | Op::ConstArray, _) => {}
                _ if is_array(t, term) => {
                    indices.class(term);
                }
                _ => {}
            }
        }
        indices
    }

    /// The numbers that stand for the classes of the arrays that an array is made of.
    pub(super) fn classes(&self, t: &Terms, array: Term) -> Vec<usize> {
        let numbers = bases(t, array).into_iter();
        let numbers = numbers.filter_map(|base| self.numbers.get(&base));
        numbers.map(|&number| self.classes.find(number)).collect()
    }

    /// The number that stands for the class of a base.
    fn class(&mut self, base: Term) -> usize {
        let next = self.read.len();
        let number = *self.numbers.entry(base).or_insert(next);
        if number == next {
            self.classes.new_set();
            self.read.push(Vec::new());
        }
        self.classes.find_mut(number)
    }

    fn join(&mut self, x: Term, y: Term) {
        let (x, y) = (self.class(x), self.class(y));
        if !self.classes.union(x, y) {
            return;
        }
        let whole = self.classes.find_mut(x);
        let [first, second] = [x, y].map(|class| std::mem::take(&mut self.read[class]));
        for index in first.into_iter().chain(second) {
            if !self.read[whole].contains(&index) {
                self.read[whole].push(index);
            }
        }
    }

    /// The indices at which an array is read or written, the read ones first.
    pub(super) fn accessed(&self, t: &Terms, array: Term) -> Vec<Term> {
        let classes = self.classes(t, array);
        let own = self
            .written
            .iter()
            .filter(|(number, _)| classes.contains(&self.classes.find(*number)));
        let mut seen = TermSet::default();
        let mut all = self.of(t, array);
        all.extend(own.map(|&(_, index)| index));
        all.retain(|&index| seen.insert(index));
        all
    }

    /// The indices that are read of an array, in the order in which they were found.
    pub(super) fn of(&self, t: &Terms, array: Term) -> Vec<Term> {
        let mut found = Vec::new();
        for class in self.classes(t, array) {
            for &index in &self.read[class] {
                if !found.contains(&index) {
                    found.push(index);
                }
            }
        }
        found
    }
}

/// The clause with variables for what it reads of arrays that occur in it only to be read, written
/// and compared. Its constraint follows from that of the clause given, and says the same but for
/// equations between arrays: where they hold, that is said of the indices that the clause reads,
/// and where they do not, nothing is said. Beyond [`MOST_PAIRS`] pairs of indices it is not said
/// either that an array has the same element at the same index.
pub(super) fn without_local_arrays(t: &Terms, clause: &Clause) -> Clause {
    let mut reader = Reader {
        t,
        whole: whole(t, clause),
        cells: FxHashMap::default(),
        read: Vec::new(),
        found: FxHashMap::default(),
        equations: Vec::new(),
    };
    if !t.post_order(clause.terms()).any(|term| is_array(t, term)) {
        return clause.clone();
    }
    let constraint = reader.rewritten(clause.constraint);
    let mut atom = |atom: &Atom| Atom {
        pred: atom.pred,
        args: atom.args.iter().map(|&arg| reader.rewritten(arg)).collect(),
    };
    let mut rewritten = Clause {
        vars: Vec::new(),
        body: clause.body.iter().map(&mut atom).collect(),
        head: clause.head.as_ref().map(&mut atom),
        constraint,
        origin: clause.origin,
    };
    let said = [reader.equal(), reader.consistent()].concat();
    rewritten.constraint = t.and([constraint].into_iter().chain(said));
    rewritten.vars = rewritten.occurring_vars(t);
    rewritten
}

/// The bases of arrays that occur as a whole: as an argument of a predicate, an element, an index,
/// a field.
fn whole(t: &Terms, clause: &Clause) -> TermSet {
    let args = || clause.atoms().flat_map(|atom| atom.args.iter().copied());
    let mut found: TermSet = args().flat_map(|arg| bases(t, arg)).collect();
    for term in t.post_order(clause.terms()) {
        let args = t.args(term);
        let parts = match t.op(term) {
            Op::Select => &args[1..],
            Op::Store => &args[1..],
            Op::Eq | Op::Ite => &[],
            _ => args,
        };
        let arrays = parts.iter().filter(|&&part| is_array(t, part));
        found.extend(arrays.flat_map(|&part| bases(t, part)));
    }
    found
}

/// An equation between arrays: the variable in its place, and its sides.
struct Equation {
    holds: Term,
    sides: [Term; 2],
}

struct Reader<'t> {
    t: &'t Terms,
    /// These arrays stay, and so do reads of them.
    whole: TermSet,
    /// The variable of each cell, by its array and index.
    cells: FxHashMap<(Term, Term), Term>,
    /// The keys of `cells`, in the order in which they came.
    read: Vec<(Term, Term)>,
    /// What arrays have at indices, as far as it was asked.
    found: FxHashMap<(Term, Term), Term>,
    equations: Vec<Equation>,
}

impl Reader<'_> {
    /// A term with variables for reads and for equations between arrays.
    fn rewritten(&mut self, term: Term) -> Term {
        let t = self.t;
        t.rewrite(term, |term| match (t.op(term), t.args(term)) {
            (Op::Select, &[array, index]) => self.cell(array, index),
            (Op::Eq, &[x, y]) if is_array(t, x) => {
                let holds = t.fresh_var("same", Sort::BOOL);
                self.equations.push(Equation {
                    holds,
                    sides: [x, y],
                });
                holds
            }
            _ => term,
        })
    }

    /// What an array has at an index, both of them rewritten.
    fn cell(&mut self, array: Term, index: Term) -> Term {
        let t = self.t;
        // Arrays may be long chains of writes, and share parts.
        let mut open = vec![array];
        while let Some(&part) = open.last() {
            if self.found.contains_key(&(part, index)) {
                open.pop();
                continue;
            }
            let inner: &[Term] = match (t.op(part), t.args(part)) {
                (Op::Store, args) => &args[..1],
                (Op::Ite, args) => &args[1..],
                _ => &[],
            };
            let before = open.len();
            let unknown = |inner: &&Term| !self.found.contains_key(&(**inner, index));
            open.extend(inner.iter().filter(unknown));
            if open.len() == before {
                let cell = self.cell_of(part, index);
                self.found.insert((part, index), cell);
                open.pop();
            }
        }
        self.found[&(array, index)]
    }

    /// As [`Reader::cell`], where it is known what the parts of the array have at the index.
    fn cell_of(&mut self, array: Term, index: Term) -> Term {
        let t = self.t;
        match (t.op(array), t.args(array)) {
            (Op::ConstArray, &[element]) => element,
            (Op::Store, &[inner, at, element]) => {
                t.ite(is_same(t, at, index), element, self.found[&(inner, index)])
            }
            (Op::Ite, &[condition, x, y]) => {
                let [x, y] = [x, y].map(|part| self.found[&(part, index)]);
                t.ite(condition, x, y)
            }
            (Op::Var(_), _) if !self.whole.contains(&array) => self.variable(array, index),
            _ => t.select(array, index),
        }
    }

    /// The variable for the cell of a variable.
    fn variable(&mut self, array: Term, index: Term) -> Term {
        let t = self.t;
        if let Some(&cell) = self.cells.get(&(array, index)) {
            return cell;
        }
        let (_, element) = t.array_parts(t.sort_of(array)).expect("it is an array");
        let cell = t.fresh_var("cell", element);
        if is_array(t, cell) {
            // It is the next round's.
            self.whole.insert(cell);
        }
        self.cells.insert((array, index), cell);
        self.read.push((array, index));
        cell
    }

    /// What the equations say: sides that are the same have the same cells, wherever one of their
    /// arrays is read.
    fn equal(&mut self) -> Vec<Term> {
        let t = self.t;
        let equations = std::mem::take(&mut self.equations);
        let mut said = Vec::new();
        // What is read by one equation may be read by the next.
        let mut compared = FxHashSet::default();
        loop {
            let before = compared.len();
            for (number, Equation { holds, sides }) in equations.iter().enumerate() {
                let arrays: TermSet = sides.iter().flat_map(|&side| bases(t, side)).collect();
                let read = self.read.iter().filter(|(array, _)| arrays.contains(array));
                let indices: Vec<Term> = read.map(|&(_, index)| index).collect();
                for index in indices {
                    if compared.insert((number, index)) {
                        let same = self.same_at(*sides, index);
                        said.push(t.or([t.not(*holds), same]));
                    }
                }
            }
            if compared.len() == before {
                return said;
            }
        }
    }

    /// That the sides of an equation have the same element at an index.
    fn same_at(&mut self, sides: [Term; 2], index: Term) -> Term {
        let [x, y] = sides.map(|side| self.cell(side, index));
        self.t.eq(x, y)
    }

    /// At the same index an array has the same element: for the first [`MOST_PAIRS`] pairs of
    /// indices.
    fn consistent(&self) -> Vec<Term> {
        let t = self.t;
        let mut by_array: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
        let mut said = Vec::new();
        for &(array, index) in &self.read {
            let others = by_array.entry(array).or_default();
            for &other in others.iter().take(MOST_PAIRS - said.len()) {
                let cells = [index, other].map(|at| self.cells[&(array, at)]);
                said.push(t.or([t.not(is_same(t, index, other)), t.eq(cells[0], cells[1])]));
            }
            others.push(index);
        }
        said
    }
}
