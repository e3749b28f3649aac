//! Clauses that hold by equality, by the rules of constructors, and by reading from arrays.
//!
//! The classes of terms under the negation of the clause are built again. Each union keeps its
//! reason, so the unions are a forest, and the way between two terms of a class is unique
//! \[NO07\]. A way becomes a step of `eq_transitive`, an application a step of `eq_congruent`, and
//! these rules of our own are the axioms:
//!
//! | rule | clause |
//! |---|---|
//! | `distinct_values` | `(cl (not (= v w)))` for two values |
//! | `dt_distinct` | `(cl (not (= (C …) (D …))))` |
//! | `dt_inject` | `(cl (not (= (C … x …) (C … y …))) (= x y))`, the argument is the place |
//! | `dt_select` | `(cl (not (= x (C … y …))) (= (s x) y))` for the selector of that place |
//! | `dt_test` | `(cl (not (= x (C …))) (= ((_ is D) x) v))`, `v` is `true` if `C` is `D`, else `false` |
//! | `dt_acyclic` | `(cl (not (= x (C … x …))))`, where `x` is below constructors only |
//! | `array_same` | `(cl (= (select (store a i v) i) v))` |
//! | `array_other` | `(cl (= i j) (= (select (store a i v) j) (select a j)))` |
//! | `array_const` | `(cl (= (select ((as const S) v) i) v))` |
//!
//! The checker of proofs builds the same classes without reasons (`check::closure`).

use super::Unsupported;
use super::clausal::Goal;
use super::derivation::{Derivation, Stated, equation, formula};
use super::writer::{Lit, StepName, Writer};
use crate::smt::native::proof::ProofAtom;
use crate::term::{Op, Sort, Term, TermMap, Terms};
use crate::work;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// Reasons are looked into to this depth. The value was not tuned.
const MAX_DEPTH: usize = 500;

/// Why two terms are equal.
#[derive(Clone, Debug)]
enum Reason {
    /// The clause has the negation of the equation.
    Literal,
    /// The second is `true` or `false`, as the derivation of the clause from the first one's
    /// negation, or from itself, shows.
    Truth(Box<Derivation>),
    /// They apply the same to equal arguments.
    Congruence,
    /// They are at this place of two equal terms of one constructor.
    Inject(usize, usize, usize),
    /// The first is a field of a term that equals this constructor term.
    Field(usize),
    /// The first tests a term that equals this constructor term.
    Test(usize),
    /// They are what two arrays have at this index, see [`Access`].
    Read(Box<Access>),
}

/// The way from one array to another, at one index.
#[derive(Clone, Debug)]
struct Access {
    /// The elements, each with how it is read.
    ends: [Element; 2],
    /// The index.
    index: usize,
    /// The stores between the arrays; `true` for a step from the store to what it changes.
    stores: Vec<(usize, bool)>,
}

/// An element of an array.
#[derive(Clone, Copy, Debug)]
struct Element {
    array: usize,
    /// `None` for all indices.
    index: Option<usize>,
    element: usize,
    /// Does the array have it by what stores and constant arrays are? Else it is a reading itself.
    by_axiom: bool,
}

/// An equation that holds unless the clause does.
#[derive(Clone, Copy, Debug)]
struct Equation {
    literal: Lit,
    /// The step that states the equation and literals of the clause; `None` if its negation is a
    /// literal of the clause.
    step: Option<StepName>,
}

/// Classes of terms under the negation of a clause.
pub(super) struct Closure<'w, 'a> {
    t: &'a Terms,
    out: &'w mut Writer<'a>,
    terms: Vec<Term>,
    number: TermMap<usize>,
    union: UnionFind<usize>,
    /// By term: the terms that it was joined with, and the number of the reason.
    joined: Vec<Vec<(usize, usize)>>,
    reasons: Vec<((usize, usize), Reason)>,
    /// Pairs whose equation the clause has, negated or not.
    negated: FxHashSet<(usize, usize)>,
    wanted: Vec<(usize, usize)>,
    /// Steps for reasons.
    known: FxHashMap<usize, Equation>,
    depth: usize,
}

impl<'w, 'a> Closure<'w, 'a> {
    /// The classes that the negation of the clause makes by itself.
    ///
    /// # Errors
    /// The clause is about gates or bits.
    pub(super) fn new(out: &'w mut Writer<'a>, goal: Goal<'_>) -> Result<Self, Unsupported> {
        let t = out.t;
        let roots = goal.atoms().flat_map(|(atom, _)| atom.terms());
        let roots = [Term::TRUE, Term::FALSE].into_iter().chain(roots);
        let terms: Vec<Term> = t.post_order(roots).collect();
        let number: TermMap<usize> = std::iter::zip(terms.iter().copied(), 0..).collect();
        let mut closure = Closure {
            t,
            out,
            union: UnionFind::new(terms.len()),
            joined: vec![Vec::new(); terms.len()],
            reasons: Vec::new(),
            negated: FxHashSet::default(),
            wanted: Vec::new(),
            known: FxHashMap::default(),
            depth: 0,
            terms,
            number,
        };
        for (atom, positive) in goal.atoms() {
            match *atom {
                ProofAtom::Equal(x, y) if positive => {
                    let pair = (closure.number[&x], closure.number[&y]);
                    closure.wanted.push(pair);
                }
                ProofAtom::Equal(x, y) => {
                    let (x, y) = (closure.number[&x], closure.number[&y]);
                    closure.negated.extend([(x, y), (y, x)]);
                    closure.join(x, y, || Reason::Literal);
                }
                ProofAtom::Bit(..) | ProofAtom::Gate(_) => {
                    return Err(Unsupported::Rule("bit-vectors"));
                }
                _ => {}
            }
        }
        closure.add_truths(&goal);
        Ok(closure)
    }

    /// Formulas that imply the clause are false, and those whose negation does are true.
    fn add_truths(&mut self, goal: &Goal<'_>) {
        for i in 0..self.terms.len() {
            let formula = self.terms[i];
            if self.t.sort_of(formula) != Sort::BOOL {
                continue;
            }
            work::spend(4);
            for (positive, value) in [(true, Term::FALSE), (false, Term::TRUE)] {
                if let Some(derivation) = goal.entails(formula, positive, 0) {
                    let value = self.number[&value];
                    self.join(i, value, || Reason::Truth(Box::new(derivation)));
                }
            }
        }
    }

    fn root(&self, i: usize) -> usize {
        self.union.find(i)
    }

    fn args(&self, i: usize) -> Vec<usize> {
        let args = self.t.args(self.terms[i]).iter();
        args.map(|x| self.number[x]).collect()
    }

    fn join(&mut self, x: usize, y: usize, reason: impl FnOnce() -> Reason) -> bool {
        let is_new = self.union.union(x, y);
        if is_new {
            let number = self.reasons.len();
            self.reasons.push(((x, y), reason()));
            self.joined[x].push((y, number));
            self.joined[y].push((x, number));
        }
        is_new
    }

    /// The step that states the clause, or a part of it.
    ///
    /// # Errors
    /// No contradiction was found in the clause's negation.
    pub(super) fn refute(mut self, arrays: bool) -> Result<StepName, Unsupported> {
        loop {
            while self.join_congruent() | self.join_fields() {}
            if let Some(step) = self.contradiction()? {
                return Ok(step);
            }
            if !arrays || !self.join_reads() {
                return Err(Unsupported::Clause);
            }
        }
    }

    fn join_congruent(&mut self) -> bool {
        let mut known: FxHashMap<(Op, Sort, Vec<usize>), usize> = FxHashMap::default();
        let mut changed = false;
        for i in 0..self.terms.len() {
            work::spend(4);
            let args: Vec<usize> = self.args(i).into_iter().map(|x| self.root(x)).collect();
            if args.is_empty() {
                continue;
            }
            let term = self.terms[i];
            let key = (self.t.op(term), self.t.sort_of(term), args);
            let other = *known.entry(key).or_insert(i);
            changed |= self.join(i, other, || Reason::Congruence);
        }
        changed
    }

    /// The constructor terms of the classes, one of each class.
    fn built(&self) -> FxHashMap<usize, usize> {
        let mut built = FxHashMap::default();
        for i in 0..self.terms.len() {
            if matches!(self.t.op(self.terms[i]), Op::Construct(_)) {
                built.entry(self.root(i)).or_insert(i);
            }
        }
        built
    }

    /// Joins arguments of equal constructor terms, and what selectors and testers give of them.
    fn join_fields(&mut self) -> bool {
        let t = self.t;
        let of_class = self.built();
        let mut pairs = Vec::new();
        for i in 0..self.terms.len() {
            let args = self.args(i);
            if matches!(t.op(self.terms[i]), Op::Construct(_)) {
                let other = of_class[&self.root(i)];
                if t.op(self.terms[i]) == t.op(self.terms[other]) {
                    let places = std::iter::zip(args, self.args(other)).enumerate();
                    pairs.extend(places.map(|(at, (x, y))| (x, y, Reason::Inject(i, other, at))));
                }
                continue;
            }
            let built = args.first().and_then(|&x| of_class.get(&self.root(x)));
            let Some(&built) = built else { continue };
            match (t.op(self.terms[i]), t.op(self.terms[built])) {
                (Op::Field(selector), Op::Construct(ctor)) if t.selector(selector).ctor == ctor => {
                    let place = t.selector(selector).index as usize;
                    pairs.push((i, self.args(built)[place], Reason::Field(built)));
                }
                (Op::Is(tested), Op::Construct(ctor)) => {
                    let value = if tested == ctor {
                        Term::TRUE
                    } else {
                        Term::FALSE
                    };
                    pairs.push((i, self.number[&value], Reason::Test(built)));
                }
                _ => {}
            }
        }
        let joined = pairs
            .into_iter()
            .filter_map(|(x, y, reason)| self.join(x, y, || reason).then_some(()));
        joined.count() > 0
    }

    /// A step for a contradiction between what is equal.
    fn contradiction(&mut self) -> Result<Option<StepName>, Unsupported> {
        for (x, y) in self.wanted.clone() {
            if self.root(x) == self.root(y) {
                return self
                    .explain(x, y)?
                    .step
                    .map(Some)
                    .ok_or(Unsupported::Clause);
            }
        }
        let mut values: FxHashMap<usize, usize> = FxHashMap::default();
        for i in 0..self.terms.len() {
            let class = self.root(i);
            let is_value = match self.t.op(self.terms[i]) {
                Op::Construct(_) => true,
                _ => self.t.is_distinct_constant(self.terms[i]),
            };
            if !is_value {
                continue;
            }
            let other = *values.entry(class).or_insert(i);
            if self.are_distinct(i, other) {
                let equal = self.explain(i, other)?;
                let step = self.distinct(i, other)?;
                return self.resolved(step, &[equal]).map(Some);
            }
        }
        self.cycle()
    }

    /// Are these two values different by themselves?
    fn are_distinct(&self, x: usize, y: usize) -> bool {
        let t = self.t;
        let (x, y) = (self.terms[x], self.terms[y]);
        match (t.op(x), t.op(y)) {
            (Op::Construct(c), Op::Construct(d)) => c != d,
            (Op::Construct(_), _) | (_, Op::Construct(_)) => false,
            _ => x != y && t.is_distinct_constant(x) && t.is_distinct_constant(y),
        }
    }

    /// That two values are different.
    fn distinct(&mut self, x: usize, y: usize) -> Result<StepName, Unsupported> {
        let literal = self.equation(x, y);
        let x = self.terms[x];
        Ok(match self.t.op(x) {
            Op::Construct(_) => self.out.tautology("dt_distinct", &[!literal], &[]),
            _ if self.t.sort_of(x).is_arith() => {
                self.out.la_generic(&[!literal], &["1".to_owned()])
            }
            _ => self.out.tautology("distinct_values", &[!literal], &[]),
        })
    }

    /// A step for a value that would be a part of itself.
    fn cycle(&mut self) -> Result<Option<StepName>, Unsupported> {
        let Some(cycle) = self.find_cycle() else {
            return Ok(None);
        };
        // From the last constructor term outwards: each equals a term around the first one.
        let start = cycle[0].0;
        let mut inner = self.text(start);
        let mut chain: Option<(usize, Equation)> = None;
        for &(term, place) in cycle.iter().rev() {
            let arg = self.args(term)[place];
            let arg_text = self.text(arg);
            // The argument equals the text inside.
            let equal = match chain {
                None => self.explain(arg, start)?,
                Some((next, equal)) => {
                    let way = self.explain(arg, next)?;
                    let literal = self.raw_equation(&arg_text, &inner);
                    self.conclude("eq_transitive", &[way, equal], literal, &[])?
                }
            };
            let around = self.with_argument(term, place, &inner);
            let mut equations = Vec::new();
            for (at, other) in self.args(term).into_iter().enumerate() {
                equations.push(if at == place {
                    equal
                } else {
                    self.explain(other, other)?
                });
            }
            let text = self.text(term);
            let literal = self.raw_equation(&text, &around);
            let equal = self.conclude("eq_congruent", &equations, literal, &[])?;
            chain = Some((term, equal));
            inner = around;
        }
        let Some((_, equal)) = chain else {
            return Ok(None);
        };
        let step = self.out.tautology("dt_acyclic", &[!equal.literal], &[]);
        self.resolved(step, &[equal]).map(Some)
    }

    /// Constructor terms, each with the place of an argument that equals the next one, the last one
    /// the first.
    fn find_cycle(&self) -> Option<Vec<(usize, usize)>> {
        let mut edges: FxHashMap<usize, Vec<(usize, usize)>> = FxHashMap::default();
        let mut starts = Vec::new();
        for i in 0..self.terms.len() {
            if matches!(self.t.op(self.terms[i]), Op::Construct(_)) {
                let places = (0..self.args(i).len()).map(|place| (i, place));
                edges.entry(self.root(i)).or_default().extend(places);
                starts.push(self.root(i));
            }
        }
        let next = |(term, place): (usize, usize)| self.root(self.args(term)[place]);
        let edges_of = |class: usize| edges.get(&class).into_iter().flatten().copied();
        starts.into_iter().find_map(|start| {
            // By class: the edge over which it was reached first.
            let mut reached: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
            let mut queue = VecDeque::from([start]);
            while let Some(class) = queue.pop_front() {
                work::spend(1);
                for edge in edges_of(class) {
                    if let Entry::Vacant(entry) = reached.entry(next(edge)) {
                        entry.insert(edge);
                        queue.push_back(next(edge));
                    }
                }
            }
            let mut way = vec![*reached.get(&start)?];
            while self.root(way[way.len() - 1].0) != start {
                way.push(reached[&self.root(way[way.len() - 1].0)]);
            }
            way.reverse();
            Some(way)
        })
    }
}

/// Steps for equations.
impl Closure<'_, '_> {
    fn text(&self, i: usize) -> String {
        formula(self.t, self.terms[i])
    }

    /// The equation of two terms.
    fn equation(&mut self, x: usize, y: usize) -> Lit {
        self.out.equation(self.terms[x], self.terms[y])
    }

    fn raw_equation(&mut self, x: &str, y: &str) -> Lit {
        self.out.written(format!("(= {x} {y})"))
    }

    /// A constructor term with this text in place of an argument.
    fn with_argument(&self, term: usize, place: usize, text: &str) -> String {
        let args: Vec<String> = self.args(term).into_iter().map(|x| self.text(x)).collect();
        let whole = self.text(term);
        let length: usize = args.iter().map(|arg| arg.len() + 1).sum();
        let mut parts = vec![whole[..whole.len() - 1 - length].to_owned()];
        parts.extend(args);
        text.clone_into(&mut parts[place + 1]);
        format!("{})", parts.join(" "))
    }

    /// A clause without the equations in it that hold unless the goal does.
    fn resolved(
        &mut self,
        step: StepName,
        equations: &[Equation],
    ) -> Result<StepName, Unsupported> {
        let mut steps = vec![step];
        for equation in equations {
            steps.extend(equation.step.filter(|step| !steps.contains(step)));
        }
        match steps.len() {
            1 => Ok(step),
            _ => self.out.resolve(&steps),
        }
    }

    /// What follows from equations by a rule without premises.
    fn conclude(
        &mut self,
        rule: &str,
        equations: &[Equation],
        literal: Lit,
        args: &[String],
    ) -> Result<Equation, Unsupported> {
        let mut clause: Vec<Lit> = equations.iter().map(|equal| !equal.literal).collect();
        clause.push(literal);
        let step = self.out.tautology(rule, &clause, args);
        let step = self.resolved(step, equations)?;
        self.out.check_length()?;
        Ok(Equation {
            literal,
            step: Some(step),
        })
    }

    /// Why two terms of one class are equal.
    fn explain(&mut self, x: usize, y: usize) -> Result<Equation, Unsupported> {
        let literal = self.equation(x, y);
        if x == y {
            let step = self.out.tautology("eq_reflexive", &[literal], &[]);
            let step = Some(step);
            return Ok(Equation { literal, step });
        }
        if self.negated.contains(&(x, y)) {
            return Ok(Equation {
                literal,
                step: None,
            });
        }
        if self.depth == MAX_DEPTH {
            return Err(Unsupported::Clause);
        }
        self.depth += 1;
        let way = self.way(x, y).ok_or(Unsupported::Clause)?;
        let steps: Result<Vec<Equation>, Unsupported> =
            way.into_iter().map(|reason| self.reason(reason)).collect();
        self.depth -= 1;
        match *steps? {
            [only] => Ok(only),
            ref steps => self.conclude("eq_transitive", steps, literal, &[]),
        }
    }

    /// The reasons on the way between two terms.
    fn way(&self, x: usize, y: usize) -> Option<Vec<usize>> {
        let mut reached: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut queue = VecDeque::from([x]);
        while let Some(at) = queue.pop_front() {
            work::spend(1);
            if at == y {
                break;
            }
            for &(next, reason) in &self.joined[at] {
                if next != x && !reached.contains_key(&next) {
                    reached.insert(next, (at, reason));
                    queue.push_back(next);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = y;
        while at != x {
            let &(before, reason) = reached.get(&at)?;
            way.push(reason);
            at = before;
        }
        way.reverse();
        Some(way)
    }

    /// The equation that a reason is for.
    fn reason(&mut self, number: usize) -> Result<Equation, Unsupported> {
        if let Some(&known) = self.known.get(&number) {
            return Ok(known);
        }
        let ((x, y), reason) = self.reasons[number].clone();
        let literal = self.equation(x, y);
        let found = match reason {
            Reason::Literal => Equation {
                literal,
                step: None,
            },
            Reason::Truth(derivation) => self.truth((x, y), &derivation)?,
            Reason::Congruence => {
                let pairs = std::iter::zip(self.args(x), self.args(y));
                let equations: Result<Vec<Equation>, Unsupported> =
                    pairs.map(|(a, b)| self.explain(a, b)).collect();
                self.conclude("eq_congruent", &equations?, literal, &[])?
            }
            Reason::Inject(left, right, place) => {
                let equal = self.explain(left, right)?;
                self.conclude("dt_inject", &[equal], literal, &[place.to_string()])?
            }
            Reason::Field(built) => {
                let argument = self.args(x)[0];
                let equal = self.explain(argument, built)?;
                self.conclude("dt_select", &[equal], literal, &[])?
            }
            Reason::Test(built) => {
                let argument = self.args(x)[0];
                let equal = self.explain(argument, built)?;
                self.conclude("dt_test", &[equal], literal, &[])?
            }
            Reason::Read(access) => self.access(&access, literal)?,
        };
        self.known.insert(number, found);
        Ok(found)
    }

    /// That a formula equals `true` or `false`.
    fn truth(
        &mut self,
        (formula, value): (usize, usize),
        derivation: &Derivation,
    ) -> Result<Equation, Unsupported> {
        let (formula, value) = (self.terms[formula], self.terms[value]);
        let is_true = value == Term::TRUE;
        let literal = self.out.equation(formula, value);
        let own = |sign| Stated::Formula(formula, sign);
        // `(cl (= v f) (not v) (not f))`, or `(cl (= v f) v f)`: constants are the oldest terms.
        let rule = if is_true { "equiv_neg1" } else { "equiv_neg2" };
        let clause = vec![
            equation(self.t, formula, value, true),
            Stated::Formula(value, !is_true),
            own(!is_true),
        ];
        let of_value = vec![Stated::Formula(value, is_true)];
        let name = if is_true { "true" } else { "false" };
        let parts = vec![
            Derivation::axiom(rule, clause),
            Derivation::axiom(name, of_value),
            derivation.clone(),
        ];
        let step = self.out.derive(&Derivation::Resolution(parts))?;
        Ok(Equation { literal, step })
    }
}

/// Reading from arrays.
impl Closure<'_, '_> {
    /// Joins elements that are read from the same place of one array; was there something to join?
    fn join_reads(&mut self) -> bool {
        let elements = self.elements();
        let mut joined = false;
        for (n, &first) in elements.iter().enumerate() {
            for &other in &elements[..n] {
                let index = match (first.index, other.index) {
                    (Some(i), Some(j)) if self.root(i) != self.root(j) => continue,
                    (i, j) => i.or(j),
                };
                let Some(index) = index else { continue };
                if self.root(first.element) == self.root(other.element) {
                    continue;
                }
                if let Some(stores) = self.passage(first.array, other.array, index) {
                    let ends = [first, other];
                    let access = Access {
                        ends,
                        index,
                        stores,
                    };
                    let reason = || Reason::Read(Box::new(access));
                    joined |= self.join(first.element, other.element, reason);
                }
            }
        }
        joined
    }

    fn elements(&self) -> Vec<Element> {
        let element = |i: usize| {
            let args = self.args(i);
            let (array, index, element, by_axiom) = match self.t.op(self.terms[i]) {
                Op::Select => (args[0], Some(args[1]), i, false),
                Op::Store => (i, Some(args[1]), args[2], true),
                Op::ConstArray => (i, None, args[0], true),
                _ => return None,
            };
            Some(Element {
                array,
                index,
                element,
                by_axiom,
            })
        };
        (0..self.terms.len()).filter_map(element).collect()
    }

    /// The stores on a way between two arrays, none of which is to an index.
    fn passage(&self, from: usize, to: usize, index: usize) -> Option<Vec<(usize, bool)>> {
        let is_store = |&i: &usize| self.t.op(self.terms[i]) == Op::Store;
        let stores = (0..self.terms.len()).filter(is_store);
        let stores = stores.filter(|&store| self.differ(self.args(store)[1], index).is_some());
        let stores: Vec<usize> = stores.collect();
        // By class of arrays: the store over which it was reached.
        let mut reached: FxHashMap<usize, Option<(usize, bool)>> = FxHashMap::default();
        reached.insert(self.root(from), None);
        let mut queue = VecDeque::from([self.root(from)]);
        while let Some(at) = queue.pop_front() {
            work::spend_on(1 + stores.len());
            for &store in &stores {
                let (above, below) = (self.root(store), self.root(self.args(store)[0]));
                for (here, next, down) in [(above, below, true), (below, above, false)] {
                    if here == at && !reached.contains_key(&next) {
                        reached.insert(next, Some((store, down)));
                        queue.push_back(next);
                    }
                }
            }
        }
        let mut way = Vec::new();
        let mut at = self.root(to);
        while let Some((store, down)) = *reached.get(&at)? {
            way.push((store, down));
            at = self.root(if down { store } else { self.args(store)[0] });
        }
        way.reverse();
        Some(way)
    }

    /// Two terms in the classes of these two, in this order, that are different: by themselves
    /// (`None`), or since the clause has their equation.
    fn differ(&self, x: usize, y: usize) -> Option<(usize, usize, bool)> {
        let (left, right) = (self.root(x), self.root(y));
        let kept_apart = self.wanted.iter().find_map(|&(a, b)| {
            let (of_a, of_b) = (self.root(a), self.root(b));
            match () {
                () if (of_a, of_b) == (left, right) => Some((a, b, true)),
                () if (of_b, of_a) == (left, right) => Some((b, a, true)),
                () => None,
            }
        });
        let by_themselves = || {
            let is_offset = self.t.sort_of(self.terms[x]).is_arith()
                && self.t.eq(self.terms[x], self.terms[y]) == Term::FALSE;
            is_offset.then_some((x, y, false))
        };
        let values = || {
            let members = |class| (0..self.terms.len()).filter(move |&i| self.root(i) == class);
            let first_value = |class| {
                members(class).find(|&i| {
                    let is_built = matches!(self.t.op(self.terms[i]), Op::Construct(_));
                    is_built || self.t.is_distinct_constant(self.terms[i])
                })
            };
            let (a, b) = (first_value(left)?, first_value(right)?);
            self.are_distinct(a, b).then_some((a, b, false))
        };
        kept_apart.or_else(by_themselves).or_else(values)
    }

    /// A step with the negation of the equation of two terms that differ, and literals of the
    /// clause, which has not that equation.
    fn difference(&mut self, x: usize, y: usize) -> Result<StepName, Unsupported> {
        let (a, b, is_wanted) = self.differ(x, y).ok_or(Unsupported::Clause)?;
        let literal = self.equation(x, y);
        let apart = self.equation(a, b);
        let given = Equation {
            literal,
            step: None,
        };
        let mut around = Vec::new();
        for (from, to) in [(a, x), (y, b)] {
            if from != to {
                around.push(self.explain(from, to)?);
            }
        }
        if literal == apart {
            return self.distinct(a, b);
        }
        let links = [&around[..], &[given]].concat();
        let step = self.conclude("eq_transitive", &links, apart, &[])?.step;
        let step = step.expect("it was concluded");
        if is_wanted {
            return Ok(step);
        }
        let distinct = self.distinct(a, b)?;
        self.out.resolve(&[step, distinct])
    }

    /// That two elements are equal.
    fn access(&mut self, access: &Access, literal: Lit) -> Result<Equation, Unsupported> {
        let [first, other] = access.ends;
        let mut links = self.element(first, access.index)?;
        let mut at = first.array;
        for &(store, down) in &access.stores {
            let base = self.args(store)[0];
            let (from, to) = if down { (store, base) } else { (base, store) };
            self.pass_on(&mut links, at, from, access.index)?;
            links.push(self.beside(store, base, access.index)?);
            at = to;
        }
        self.pass_on(&mut links, at, other.array, access.index)?;
        links.extend(self.element(other, access.index)?);
        match *links {
            [only] if only.literal == literal => Ok(only),
            _ => self.conclude("eq_transitive", &links, literal, &[]),
        }
    }

    /// The reading of an array at an index.
    fn reading(&self, array: usize, index: usize) -> String {
        format!("(select {} {})", self.text(array), self.text(index))
    }

    /// Adds that two equal arrays have the same at an index.
    fn pass_on(
        &mut self,
        links: &mut Vec<Equation>,
        from: usize,
        to: usize,
        index: usize,
    ) -> Result<(), Unsupported> {
        if from != to {
            let equations = [self.explain(from, to)?, self.explain(index, index)?];
            let [before, after] = [from, to].map(|array| self.reading(array, index));
            let literal = self.raw_equation(&before, &after);
            links.push(self.conclude("eq_congruent", &equations, literal, &[])?);
        }
        Ok(())
    }

    /// That a store has at an index beside its own what the array has that it changes.
    fn beside(&mut self, store: usize, base: usize, index: usize) -> Result<Equation, Unsupported> {
        let own = self.args(store)[1];
        let [above, below] = [store, base].map(|array| self.reading(array, index));
        let literal = self.raw_equation(&above, &below);
        let equal = self.equation(own, index);
        let axiom = self.out.tautology("array_other", &[equal, literal], &[]);
        // The clause may have the equation of the indices itself.
        let is_wanted = self.wanted.contains(&(own, index)) || self.wanted.contains(&(index, own));
        let step = match is_wanted {
            true => axiom,
            false => {
                let apart = self.difference(own, index)?;
                self.out.resolve(&[axiom, apart])?
            }
        };
        let step = Some(step);
        Ok(Equation { literal, step })
    }

    /// That an element is what is read from its array at an index: no equation where it is that
    /// term.
    fn element(&mut self, element: Element, index: usize) -> Result<Vec<Equation>, Unsupported> {
        let mut links = Vec::new();
        let own_index = element.index.unwrap_or(index);
        if element.by_axiom {
            let [read, own] = [
                self.reading(element.array, own_index),
                self.text(element.element),
            ];
            let literal = self.raw_equation(&read, &own);
            let rule = match element.index {
                Some(_) => "array_same",
                None => "array_const",
            };
            let step = Some(self.out.tautology(rule, &[literal], &[]));
            links.push(Equation { literal, step });
        }
        if own_index != index {
            let array = element.array;
            let equations = [self.explain(array, array)?, self.explain(own_index, index)?];
            let [before, after] = [own_index, index].map(|at| self.reading(array, at));
            let literal = self.raw_equation(&before, &after);
            links.push(self.conclude("eq_congruent", &equations, literal, &[])?);
        }
        Ok(links)
    }
}
