//! The values of classes in a candidate, and the checks that make it a model.

use super::fresh::Fresh;
use super::values::{converted, own_value, same_class};
use crate::number::Rational;
use crate::smt::native::arrays::ArrayGraph;
use crate::smt::native::demand::{Demand, Lemma, Valued};
use crate::smt::native::egraph::{EGraph, Node};
use crate::smt::native::encoder::{is_application, is_conversion, two_factors};
use crate::smt::native::interpretation::{Fields, Functions, Interpretation};
use crate::smt::native::proof::Justification;
use crate::smt::native::search::Search;
use crate::term::{Evaluator, Op, Sort, SortKind, Term, Terms, Unspecified, Value};
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};

/// Values of the classes of the e-graph, found one after the other.
pub(in super::super) struct Candidate<'s, 't> {
    search: &'s Search<'t>,
    epsilon: Rational,
    /// By root.
    values: FxHashMap<Node, Value>,
    /// Classes under way, whose values others wait for.
    open: FxHashSet<Node>,
    arrays: ArrayGraph,
    fresh: Fresh,
    /// What arrays want so far.
    demands: Vec<Demand>,
    /// The pairs of elements of arrays about which a lemma is among the demands.
    reported: FxHashSet<(Node, Node)>,
}

/// What the value of a class comes to.
enum Step {
    /// These classes come first.
    Needs(Vec<Node>),
    Is(Value),
}

impl<'s, 't> Candidate<'s, 't> {
    /// No class has a value yet. `arrays` is the graph of weak equivalence of the search's state.
    pub(in super::super) fn new(search: &'s Search<'t>, arrays: ArrayGraph) -> Self {
        Candidate {
            search,
            epsilon: search.arith.simplex.epsilon(),
            values: FxHashMap::default(),
            open: FxHashSet::default(),
            arrays,
            fresh: Fresh::new(search.equality.graph.active().len()),
            demands: Vec::new(),
            reported: FxHashSet::default(),
        }
    }

    fn graph(&self) -> &'s EGraph<'t> {
        &self.search.equality.graph
    }

    fn t(&self) -> &'t Terms {
        self.search.t
    }

    /// Gives all classes values that matter, and checks that they make a model.
    ///
    /// # Errors
    /// The values make no model: what is wanted, as far as it was found, at least one thing.
    pub(in super::super) fn complete(mut self) -> Result<Interpretation, Vec<Demand>> {
        let nodes = self.graph().relevant();
        self.check_values(&nodes)?;
        self.check_conversions()?;
        self.check_products()?;
        for &node in &nodes {
            if let Err(demand) = self.find_value(node) {
                self.demands.push(demand);
                return Err(self.demands);
            }
        }
        if !self.demands.is_empty() {
            return Err(self.demands);
        }
        self.check_separations()?;
        let (functions, fields) = self.check_functions()?;
        Ok(Interpretation {
            values: self.values,
            functions,
            fields,
        })
    }

    /// Numbers and bit-vectors of one class must have one value.
    fn check_values(&mut self, nodes: &[Node]) -> Result<(), Vec<Demand>> {
        let mut first: FxHashMap<Node, Node> = FxHashMap::default();
        let mut demands = Vec::new();
        for &node in nodes {
            let Some(value) = own_value(self.search, &self.epsilon, self.graph().term(node)) else {
                continue;
            };
            let root = self.graph().root(node);
            let first = *first.entry(root).or_insert(node);
            match self.values.get(&root) {
                Some(known) if *known != value => {
                    demands.push(Demand::Lemma(same_class(first, node)));
                }
                Some(_) => {}
                None => {
                    self.values.insert(root, value);
                }
            }
        }
        none_wanted(demands)
    }

    /// Conversions of equal values must have one result, which must be the right one.
    fn check_conversions(&self) -> Result<(), Vec<Demand>> {
        let (t, graph) = (self.t(), self.graph());
        let active = graph.active().iter().copied();
        let conversions = active.filter(|&x| is_conversion(t, graph.term(x)));
        let mut first: FxHashMap<(Op, &Value), Node> = FxHashMap::default();
        let (mut open, mut wrong) = (Vec::new(), Vec::new());
        for node in conversions {
            let argument = graph.args(node)[0];
            let value = |x: Node| self.value(x).expect("numbers and bit-vectors have values");
            let key = (t.op(graph.term(node)), value(argument));
            let known = *first.entry(key).or_insert(node);
            if value(known) != value(node) {
                open.push(Demand::Decide(graph.args(known)[0], argument));
            } else if converted(key.0, key.1) != *value(node) {
                wrong.push(Demand::Convert(node));
            }
        }
        none_wanted(open)?;
        // The clauses are many, and may change the numbers of the others.
        wrong.truncate(1);
        none_wanted(wrong)
    }

    /// Products must have the values that their factors give them. Quotients and remainders by 0
    /// must have the values that evaluation gives them.
    fn check_products(&self) -> Result<(), Vec<Demand>> {
        let (t, graph) = (self.t(), self.graph());
        let number = |x: Term| match own_value(self.search, &self.epsilon, x) {
            Some(Value::Number(number)) => number,
            _ => unreachable!("factors are numbers of the simplex"),
        };
        let (mut right, mut wrong, mut demands) = (Vec::new(), Vec::new(), Vec::new());
        for term in graph.active().iter().map(|&node| graph.term(node)) {
            match (t.op(term), t.args(term)) {
                (Op::Mul, args) if !t.is_monomial(term) => {
                    let product = |product, &x: &Term| &product * &number(x);
                    if args.iter().fold(Rational::one(), product) != number(term) {
                        demands.push(Demand::GiveUp("a product has too many monomials"));
                    }
                }
                (Op::Mul, _) => {
                    let factors = two_factors(t, term);
                    let valued = Valued {
                        product: term,
                        factors,
                        at: factors.map(number),
                        value: number(term),
                    };
                    match valued.is_right() {
                        true => right.push(valued),
                        false => wrong.push(valued),
                    }
                }
                (op @ (Op::IDiv | Op::Mod | Op::Div), &[x, y]) if number(y).is_zero() => {
                    let expected = match op {
                        Op::Mod => x,
                        _ => t.number(Rational::zero(), t.sort_of(term)),
                    };
                    if number(term) != number(expected) {
                        demands.push(Demand::Quotient(term, expected));
                    }
                }
                _ => {}
            }
        }
        none_wanted(std::mem::take(&mut demands))?;
        if !wrong.is_empty() {
            demands.push(Demand::Linearize(wrong, right));
        }
        none_wanted(demands)
    }

    /// The value of a class, if it was found.
    pub(in super::super) fn value(&self, node: Node) -> Option<&Value> {
        self.values.get(&self.graph().root(node))
    }

    /// Finds the value of a class and of the classes that it depends on.
    fn find_value(&mut self, node: Node) -> Result<(), Demand> {
        let mut stack = vec![self.graph().root(node)];
        while let Some(&root) = stack.last() {
            work::spend(8);
            if self.values.contains_key(&root) {
                stack.pop();
                continue;
            }
            match self.step(root)? {
                Step::Is(value) => {
                    self.fresh.note(&value);
                    self.values.insert(root, value);
                    self.open.remove(&root);
                    stack.pop();
                }
                Step::Needs(classes) => {
                    self.open.insert(root);
                    let cyclic = classes.iter().find(|c| self.open.contains(c));
                    if let Some(&class) = cyclic {
                        return Err(self.cycle(class, &stack));
                    }
                    stack.extend(classes);
                }
            }
        }
        Ok(())
    }

    /// The value of a class, or what it waits for.
    fn step(&mut self, root: Node) -> Result<Step, Demand> {
        let (t, graph) = (self.t(), self.graph());
        let sort = t.sort_of(graph.term(root));
        if let Some(constant) = graph.constant(root) {
            return Ok(Step::Is(constant_value(t, graph.term(constant))));
        }
        Ok(match t.sort_kind(sort) {
            SortKind::Uninterpreted(..) => Step::Is(Value::Element {
                sort,
                index: root.number(),
            }),
            SortKind::Datatype(_) => self.datatype(root, sort),
            SortKind::Array(..) => return self.array(root, sort),
            // A formula or a number that no literal speaks of: any value will do.
            _ => Step::Is(default_value(t, sort)?),
        })
    }

    /// The roots of those classes that have no value yet.
    fn without_value(&self, nodes: &[Node]) -> Vec<Node> {
        let roots = nodes.iter().map(|&x| self.graph().root(x));
        let mut missing: Vec<Node> = roots.filter(|r| !self.values.contains_key(r)).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    fn datatype(&mut self, root: Node, sort: Sort) -> Step {
        let (t, graph) = (self.t(), self.graph());
        let Some(constructor) = graph.constructor(root) else {
            return Step::Is(self.fresh.value(t, sort));
        };
        let args = graph.args(constructor);
        let missing = self.without_value(args);
        if !missing.is_empty() {
            return Step::Needs(missing);
        }
        let Op::Construct(ctor) = t.op(graph.term(constructor)) else {
            unreachable!("it is a constructor term");
        };
        let fields = args
            .iter()
            .map(|&x| self.value(x).expect("just tested").clone());
        Step::Is(Value::datatype(t, ctor, fields.collect()))
    }

    fn array(&mut self, root: Node, sort: Sort) -> Result<Step, Demand> {
        let indices = self.arrays.indices(root);
        let missing = self.without_value(&indices);
        if !missing.is_empty() {
            return Ok(Step::Needs(missing));
        }
        let mut arrays = std::mem::take(&mut self.arrays);
        let elements = arrays.wanted(self.graph(), root, |x| {
            self.value(x).expect("indices have values")
        });
        let missing = self.without_value(&elements);
        let result = match missing.is_empty() {
            false => Ok(Step::Needs(missing)),
            true => self.array_value(&mut arrays, root, sort).map(Step::Is),
        };
        self.arrays = arrays;
        result
    }

    /// The value of an array all of whose known elements have values.
    fn array_value(
        &mut self,
        arrays: &mut ArrayGraph,
        root: Node,
        sort: Sort,
    ) -> Result<Value, Demand> {
        let t = self.t();
        let (_, element) = t.array_parts(sort).expect("an array has an array sort");
        let found = arrays.check(t, self.graph(), root, |x| {
            self.value(x).expect("elements and indices have values")
        });
        for demand in found {
            match demand {
                // The indices have the same value, which may have its reasons in their parts.
                Demand::Decide(i, j) => self.demands.push(self.tell_apart(i, j)),
                Demand::Lemma(lemma) => {
                    if lemma
                        .conclusion
                        .is_none_or(|pair| self.reported.insert(pair))
                    {
                        self.demands.push(Demand::Lemma(lemma));
                    }
                }
                demand => return Err(demand),
            }
        }
        let default = match arrays.default_element(root) {
            Some(node) => self.value(node).expect("an element").clone(),
            None => match arrays.default_value(root) {
                Some(value) => value,
                None => {
                    let value = self.fresh.value(t, element);
                    arrays.set_default(root, value.clone());
                    value
                }
            },
        };
        let Value::Array(array) = Value::const_array(t, sort, default) else {
            unreachable!("it is an array");
        };
        let entries = arrays.entries(root).into_iter().map(|(index, node)| {
            let value = |x: Node| self.value(x).expect("elements and indices have values");
            (value(index).clone(), value(node).clone())
        });
        Ok(Value::Array(array.store(t, entries)))
    }

    /// A class depends on itself: a datatype would contain itself.
    fn cycle(&self, class: Node, stack: &[Node]) -> Demand {
        let start = stack.iter().position(|&x| x == class).unwrap_or(0);
        let graph = self.graph();
        let mut way: Vec<Node> = stack[start..]
            .iter()
            .copied()
            .filter(|x| self.open.contains(x))
            .collect();
        way.push(class);
        let mut premises = Vec::new();
        // Where the way comes in, and where it leaves through a constructor term.
        let mut entrance: Option<Node> = None;
        let mut first = None;
        for pair in way.windows(2) {
            let Some(constructor) = graph.constructor(pair[0]) else {
                return Demand::GiveUp("an array contains a datatype that contains the array");
            };
            let args = graph.args(constructor);
            let Some(&next) = args.iter().find(|&&x| graph.root(x) == pair[1]) else {
                return Demand::GiveUp("an array contains a datatype that contains the array");
            };
            match entrance {
                Some(entrance) => premises.push((entrance, constructor)),
                None => first = Some(constructor),
            }
            entrance = Some(next);
        }
        premises.extend(entrance.zip(first));
        Demand::Lemma(Lemma {
            premises,
            unequal: Vec::new(),
            conclusion: None,
            rule: Justification::Closure,
        })
    }

    /// Terms that are to be different must have different values.
    ///
    /// An application that takes no part has no meaning here, and any value. Its equations may be
    /// false by propagation, but nothing depends on it: what needs an equation to be false needs
    /// the guards of its terms.
    fn check_separations(&self) -> Result<(), Vec<Demand>> {
        let (t, graph) = (self.t(), self.graph());
        let takes_part = |x: Node| graph.is_active(x) || !is_application(t, graph.term(x));
        let separations = graph.separations().iter();
        let same = separations
            .filter(|&&(a, b, _)| takes_part(a) && takes_part(b))
            .filter(|&&(a, b, _)| self.value(a) == self.value(b));
        none_wanted(same.map(|&(a, b, _)| self.tell_apart(a, b)).collect())
    }

    /// What is to be decided of two classes that have the same value.
    pub(in super::super) fn tell_apart(&self, a: Node, b: Node) -> Demand {
        let (mut a, mut b) = (a, b);
        let graph = self.graph();
        while let (Some(c), Some(d)) = (graph.constructor(a), graph.constructor(b)) {
            let mut args = std::iter::zip(graph.args(c), graph.args(d));
            let Some((&x, &y)) = args.find(|(x, y)| !graph.are_equal(**x, **y)) else {
                break;
            };
            (a, b) = (x, y);
        }
        if !graph.are_separate(a, b) {
            return Demand::Decide(a, b);
        }
        let sort = self.t().sort_of(graph.term(a));
        let mut unbuilt = [a, b]
            .into_iter()
            .filter(|&x| graph.constructor(x).is_none());
        match unbuilt.next() {
            Some(node) if self.t().datatype_of(sort).is_some() => Demand::Distinguish(node),
            _ => Demand::GiveUp("no different values were found for terms that differ"),
        }
    }

    /// Functions must have one result on equal arguments.
    fn check_functions(&self) -> Result<(Functions, Fields), Vec<Demand>> {
        let (t, graph) = (self.t(), self.graph());
        let mut functions = Functions::default();
        let mut fields = Fields::default();
        let mut first: FxHashMap<(Op, Vec<Value>), Node> = FxHashMap::default();
        let mut demands = Vec::new();
        for &node in graph.active() {
            let op = t.op(graph.term(node));
            if !matches!(op, Op::Apply(_) | Op::Field(_)) {
                continue;
            }
            let value = |x: Node| self.value(x).expect("all have values").clone();
            let args: Vec<Value> = graph.args(node).iter().map(|&x| value(x)).collect();
            work::spend_on(4 * args.len());
            match op {
                Op::Apply(func) => {
                    functions.insert((func, args.clone()), value(node));
                }
                Op::Field(selector) => {
                    fields.insert((selector, args[0].clone()), value(node));
                }
                _ => unreachable!("just tested"),
            }
            let known = *first.entry((op, args)).or_insert(node);
            if value(known) != value(node) {
                let mut args = std::iter::zip(graph.args(known), graph.args(node));
                let pair = args.find(|(x, y)| !graph.are_equal(**x, **y));
                let (&x, &y) = pair.expect("the e-graph is closed");
                demands.push(self.tell_apart(x, y));
            }
        }
        none_wanted(demands)?;
        Ok((functions, fields))
    }
}

fn none_wanted(demands: Vec<Demand>) -> Result<(), Vec<Demand>> {
    match demands.is_empty() {
        true => Ok(()),
        false => Err(demands),
    }
}

/// The value of a constant whose identity is its value.
fn constant_value(t: &Terms, constant: Term) -> Value {
    let mut evaluator = Evaluator::new(t, Unspecified::Refuse);
    evaluator.eval(constant).expect("a constant has a value")
}

fn default_value(t: &Terms, sort: Sort) -> Result<Value, Demand> {
    t.default_value(sort)
        .ok_or(Demand::GiveUp("a sort has no value"))
}
