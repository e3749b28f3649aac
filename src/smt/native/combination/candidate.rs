//! The values of classes in a candidate, and the checks that make it a model.

use super::fresh::Fresh;
use crate::number::Rational;
use crate::smt::native::arrays::ArrayGraph;
use crate::smt::native::demand::{Demand, Lemma};
use crate::smt::native::egraph::{EGraph, Node};
use crate::smt::native::encoder::is_bitvec;
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
}

/// What the value of a class comes to.
enum Step {
    /// These classes come first.
    Needs(Vec<Node>),
    Is(Value),
}

impl<'s, 't> Candidate<'s, 't> {
    /// No class has a value yet.
    pub(in super::super) fn new(search: &'s Search<'t>) -> Self {
        Candidate {
            search,
            epsilon: search.arith.simplex.epsilon(),
            values: FxHashMap::default(),
            open: FxHashSet::default(),
            arrays: ArrayGraph::new(search.t, &search.equality.graph),
            fresh: Fresh::new(search.equality.graph.active().len()),
        }
    }

    fn graph(&self) -> &'s EGraph<'t> {
        &self.search.equality.graph
    }

    fn t(&self) -> &'t Terms {
        self.search.t
    }

    /// Gives all classes values that matter, and checks that they make a model.
    pub(in super::super) fn complete(mut self) -> Result<Interpretation, Demand> {
        let nodes = self.nodes();
        self.check_numbers(&nodes)?;
        for &node in &nodes {
            self.find_value(node)?;
        }
        self.check_separations()?;
        let (functions, fields) = self.check_functions()?;
        Ok(Interpretation {
            values: self.values,
            functions,
            fields,
        })
    }

    /// The nodes that matter: active applications, their arguments, and what is to be different.
    fn nodes(&self) -> Vec<Node> {
        let graph = self.graph();
        let mut nodes = Vec::new();
        let mut seen = FxHashSet::default();
        let mut add = |node: Node| {
            if seen.insert(node) {
                nodes.push(node);
            }
        };
        for &node in graph.active() {
            add(node);
            graph.args(node).iter().copied().for_each(&mut add);
        }
        for &(a, b, _) in graph.separations() {
            add(a);
            add(b);
        }
        work::spend_on(4 * nodes.len());
        nodes
    }

    /// Numbers and bit-vectors of one class must have one value.
    fn check_numbers(&mut self, nodes: &[Node]) -> Result<(), Demand> {
        let mut first: FxHashMap<Node, Node> = FxHashMap::default();
        for &node in nodes {
            let Some(value) = self.own_value(self.graph().term(node)) else {
                continue;
            };
            let root = self.graph().root(node);
            let first = *first.entry(root).or_insert(node);
            match self.values.get(&root) {
                Some(known) if *known != value => {
                    return Err(Demand::Lemma(Lemma {
                        premises: vec![(first, node)],
                        unequal: Vec::new(),
                        conclusion: Some((first, node)),
                        rule: Justification::Closure,
                    }));
                }
                Some(_) => {}
                None => {
                    self.values.insert(root, value);
                }
            }
        }
        Ok(())
    }

    /// The value that another theory gives a term: the simplex, or the bits.
    fn own_value(&self, term: Term) -> Option<Value> {
        let (t, encoder) = (self.t(), &self.search.encoder);
        if is_bitvec(t, t.sort_of(term)) {
            encoder.bits(term)?;
            return self.search.value_of_bits(term);
        }
        if !t.sort_of(term).is_arith() {
            return None;
        }
        let simplex = &self.search.arith.simplex;
        if let Some(number) = t.as_number(term) {
            return Some(Value::Number(number.clone()));
        }
        if let Some(sum) = encoder.shared(term) {
            let mut value = sum.constant.clone();
            for (&x, a) in &sum.terms {
                value.add_mul(a, &simplex.value(x).at(&self.epsilon));
            }
            return Some(Value::Number(value));
        }
        let var = encoder.arith_var(term)?;
        Some(Value::Number(simplex.value(var).at(&self.epsilon)))
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
        found.map_err(|demand| match demand {
            // The indices have the same value, which may have its reasons in their parts.
            Demand::Decide(i, j) => self.tell_apart(i, j),
            demand => demand,
        })?;
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
        let entries = arrays
            .entries(self.graph(), root)
            .into_iter()
            .map(|(index, node)| {
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
    fn check_separations(&self) -> Result<(), Demand> {
        let mut open = Ok(());
        for &(a, b, _) in self.graph().separations() {
            if self.value(a) == self.value(b) {
                match self.tell_apart(a, b) {
                    // Arrays that differ do so in elements that are to be different, too.
                    Demand::GiveUp(why) => open = Err(Demand::GiveUp(why)),
                    demand => return Err(demand),
                }
            }
        }
        open
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
    fn check_functions(&self) -> Result<(Functions, Fields), Demand> {
        let (t, graph) = (self.t(), self.graph());
        let mut functions = Functions::default();
        let mut fields = Fields::default();
        let mut first: FxHashMap<(Op, Vec<Value>), Node> = FxHashMap::default();
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
                return Err(self.tell_apart(x, y));
            }
        }
        Ok((functions, fields))
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
