//! The graph of weak equivalence, for one state of the e-graph.

use crate::smt::native::demand::{Demand, Lemma};
use crate::smt::native::egraph::{EGraph, Node};
use crate::smt::native::proof::Justification;
use crate::term::{Op, Terms, Value};
use crate::work;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A store: an edge between its own class and that of the array that it changes.
#[derive(Clone, Copy, Debug)]
struct Store {
    node: Node,
    base: Node,
    index: Node,
}

/// An element that is known: at an index, or for a constant array everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Read {
    array: Node,
    index: Option<Node>,
    element: Node,
}

/// Arrays that are weakly equivalent, by their classes.
#[derive(Debug, Default)]
struct Component {
    classes: Vec<Node>,
    stores: Vec<Store>,
    reads: Vec<Read>,
    /// By value of the indices: what is weakly equivalent modulo the index.
    places: Vec<Place>,
    /// The place of each index.
    place_of: FxHashMap<Node, usize>,
    /// The element at all other indices, where there is no constant array.
    default: Option<Value>,
}

/// An index of a component.
#[derive(Debug)]
struct Place {
    /// The terms with its value, at least one.
    indices: Vec<Node>,
    /// By number of a class: a class that is weakly equivalent modulo this index.
    group: Vec<usize>,
    /// By group: the reads at this index from arrays of the group, by number.
    reads: FxHashMap<usize, Vec<usize>>,
}

/// The graph of weak equivalence.
#[derive(Debug, Default)]
pub(in super::super) struct ArrayGraph {
    components: Vec<Component>,
    /// The component of each class, and its number there.
    place_of: FxHashMap<Node, (usize, usize)>,
}

impl ArrayGraph {
    /// The graph of the active stores, reads and constant arrays.
    pub(in super::super) fn new(t: &Terms, graph: &EGraph<'_>) -> Self {
        let mut stores = Vec::new();
        let mut reads = Vec::new();
        for &node in graph.active() {
            let args = graph.args(node);
            match t.op(graph.term(node)) {
                Op::Store => {
                    let (base, index, element) = (args[0], args[1], args[2]);
                    stores.push(Store { node, base, index });
                    let (array, index) = (node, Some(index));
                    reads.push(Read {
                        array,
                        index,
                        element,
                    });
                }
                Op::Select => reads.push(Read {
                    array: args[0],
                    index: Some(args[1]),
                    element: node,
                }),
                Op::ConstArray => reads.push(Read {
                    array: node,
                    index: None,
                    element: args[0],
                }),
                _ => {}
            }
        }
        let mut made = ArrayGraph::default();
        made.find_components(graph, &stores, &reads);
        made
    }

    fn find_components(&mut self, graph: &EGraph<'_>, stores: &[Store], reads: &[Read]) {
        let mut number: FxHashMap<Node, usize> = FxHashMap::default();
        let mut classes = Vec::new();
        let mut number_of = |node: Node| {
            let root = graph.root(node);
            *number.entry(root).or_insert_with(|| {
                classes.push(root);
                classes.len() - 1
            })
        };
        let ends: Vec<(usize, usize)> = (stores.iter())
            .map(|s| (number_of(s.node), number_of(s.base)))
            .collect();
        let of_reads: Vec<usize> = reads.iter().map(|r| number_of(r.array)).collect();
        let mut union = UnionFind::<usize>::new(classes.len());
        for (a, b) in ends {
            union.union(a, b);
        }
        let mut component_of: FxHashMap<usize, usize> = FxHashMap::default();
        for (i, &class) in classes.iter().enumerate() {
            let next = self.components.len();
            let component = *component_of.entry(union.find(i)).or_insert(next);
            if component == next {
                self.components.push(Component::default());
            }
            let members = &mut self.components[component].classes;
            self.place_of.insert(class, (component, members.len()));
            members.push(class);
        }
        for &store in stores {
            let (component, _) = self.place_of[&graph.root(store.node)];
            self.components[component].stores.push(store);
        }
        for (&read, class) in std::iter::zip(reads, of_reads) {
            let (component, _) = self.place_of[&classes[class]];
            self.components[component].reads.push(read);
        }
        work::spend_on(8 * (stores.len() + reads.len()));
    }

    fn component(&self, root: Node) -> Option<(&Component, usize)> {
        let &(component, number) = self.place_of.get(&root)?;
        Some((&self.components[component], number))
    }

    /// The indices on which the value of an array depends.
    pub(in super::super) fn indices(&self, root: Node) -> Vec<Node> {
        let Some((component, _)) = self.component(root) else {
            return Vec::new();
        };
        let of_reads = component.reads.iter().filter_map(|r| r.index);
        // The index of a store is that of a read, too.
        of_reads.collect()
    }

    /// The elements on which the value of an array depends, whose indices have values.
    pub(in super::super) fn wanted<'v>(
        &mut self,
        graph: &EGraph<'_>,
        root: Node,
        value: impl Fn(Node) -> &'v Value,
    ) -> Vec<Node> {
        let Some(&(component, number)) = self.place_of.get(&root) else {
            return Vec::new();
        };
        self.find_places(graph, component, &value);
        let component = &self.components[component];
        let constants = component.reads.iter().filter(|r| r.index.is_none());
        let of_places = component.places.iter().flat_map(|p| p.reads_of(number));
        let reads = constants.chain(of_places.map(|&read| &component.reads[read]));
        let mut elements: Vec<Node> = reads.map(|r| r.element).collect();
        elements.sort_unstable();
        elements.dedup();
        elements
    }

    /// The number of an array's class in its component.
    fn number(&self, graph: &EGraph<'_>, array: Node) -> usize {
        self.place_of[&graph.root(array)].1
    }

    /// Groups the classes of a component for each value of an index, if that was not done.
    fn find_places<'v>(
        &mut self,
        graph: &EGraph<'_>,
        component: usize,
        value: &impl Fn(Node) -> &'v Value,
    ) {
        if !self.components[component].places.is_empty() {
            return;
        }
        let mut places: Vec<Place> = Vec::new();
        let mut place_of = FxHashMap::default();
        let mut known: FxHashMap<&Value, usize> = FxHashMap::default();
        for read in &self.components[component].reads {
            let Some(index) = read.index else { continue };
            let place = *known.entry(value(index)).or_insert(places.len());
            if place == places.len() {
                places.push(Place {
                    indices: Vec::new(),
                    group: Vec::new(),
                    reads: FxHashMap::default(),
                });
            }
            if place_of.insert(index, place).is_none() {
                places[place].indices.push(index);
            }
        }
        let classes = self.components[component].classes.len();
        for (number, place) in places.iter_mut().enumerate() {
            let mut union = UnionFind::<usize>::new(classes);
            for store in &self.components[component].stores {
                if place_of[&store.index] != number {
                    let ends = [store.node, store.base].map(|x| self.number(graph, x));
                    union.union(ends[0], ends[1]);
                }
            }
            work::spend_on(4 * self.components[component].stores.len() + classes);
            place.group = union.into_labeling();
        }
        let reads = &self.components[component].reads;
        for (number, read) in reads.iter().enumerate() {
            let array = self.number(graph, read.array);
            let at = match read.index {
                Some(index) => place_of[&index]..place_of[&index] + 1,
                None => 0..places.len(),
            };
            work::spend_on(4 * at.len());
            for place in &mut places[at] {
                let group = place.group[array];
                place.reads.entry(group).or_default().push(number);
            }
        }
        self.components[component].places = places;
        self.components[component].place_of = place_of;
    }

    /// What is wanted because reads of weakly equivalent arrays have different elements: at most
    /// one thing for each index, and one for constant arrays. All elements that the array depends
    /// on must have values.
    pub(in super::super) fn check<'v>(
        &self,
        t: &Terms,
        graph: &EGraph<'_>,
        root: Node,
        value: impl Fn(Node) -> &'v Value,
    ) -> Vec<Demand> {
        let Some((component, number)) = self.component(root) else {
            return Vec::new();
        };
        let mut demands = Vec::new();
        for place in &component.places {
            let [first, others @ ..] = place.reads_of(number) else {
                continue;
            };
            let first = &component.reads[*first];
            work::spend_on(2 * others.len());
            let mut others = others.iter().map(|&other| &component.reads[other]);
            let different = others.find(|other| value(first.element) != value(other.element));
            demands
                .extend(different.map(|other| self.differ(graph, component, place, first, other)));
        }
        demands.extend(self.check_constants(t, graph, component, value));
        demands
    }

    /// Weakly equivalent constant arrays have the same element, if there is an index that is not
    /// stored to between them: there are more, or one that no term denotes. If all have terms, the
    /// places decide.
    fn check_constants<'v>(
        &self,
        t: &Terms,
        graph: &EGraph<'_>,
        component: &Component,
        value: impl Fn(Node) -> &'v Value,
    ) -> Option<Demand> {
        let mut constants = component.reads.iter().filter(|r| r.index.is_none());
        let first = constants.next()?;
        let other = constants.find(|other| value(first.element) != value(other.element))?;
        let way = self.way(graph, component, |_| true, first.array, other.array);
        let sort = t.sort_of(graph.term(first.array));
        let (index, _) = t.array_parts(sort).expect("an array sort");
        let indices: FxHashSet<Node> = way.iter().map(|step| step.store.index).collect();
        let mut unequal = Vec::new();
        if let Some(all) = t.cardinality(index)
            && all <= indices.len() as u64
        {
            let denoted: FxHashSet<&Value> = (component.places.iter())
                .map(|place| value(place.indices[0]))
                .collect();
            let mut values = (0..all).map(|n| t.nth_value(index, n));
            let left = values.find(|value| !denoted.contains(value))?;
            let left = t.value_term(&left, index);
            let stored = way.iter().map(|step| step.store.index);
            let Some(node) = graph.find(left) else {
                let stored = graph.term(way.first()?.store.index);
                return Some(Demand::Compare(stored, left));
            };
            unequal.extend(stored.map(|stored| (node, stored)));
        }
        Some(Demand::Lemma(Lemma {
            premises: premises(&way, first.array, other.array),
            unequal,
            conclusion: Some((first.element, other.element)),
            rule: Justification::Arrays,
        }))
    }

    /// Two reads at one place have different elements.
    fn differ(
        &self,
        graph: &EGraph<'_>,
        component: &Component,
        place: &Place,
        first: &Read,
        other: &Read,
    ) -> Demand {
        if let (Some(i), Some(j)) = (first.index, other.index)
            && !graph.are_equal(i, j)
        {
            return Demand::Decide(i, j);
        }
        let is_beside = |store: &Store| !place.has(store.index);
        let way = self.way(graph, component, is_beside, first.array, other.array);
        Demand::Lemma(same_element(&way, first, other, place.indices[0]))
    }

    /// The shortest way from one array to another over stores that may be passed.
    fn way(
        &self,
        graph: &EGraph<'_>,
        component: &Component,
        may_pass: impl Fn(&Store) -> bool,
        from: Node,
        to: Node,
    ) -> Vec<StepOver> {
        let mut edges: Vec<Vec<StepOver>> = vec![Vec::new(); component.classes.len()];
        for &store in &component.stores {
            let ends = [store.node, store.base].map(|x| self.number(graph, x));
            if !may_pass(&store) {
                continue;
            }
            edges[ends[0]].push(StepOver { store, down: true });
            edges[ends[1]].push(StepOver { store, down: false });
        }
        let (start, end) = (self.number(graph, from), self.number(graph, to));
        let mut came_by: Vec<Option<StepOver>> = vec![None; component.classes.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            work::spend(2);
            for &step in &edges[at] {
                let next = self.number(graph, step.end());
                if next != start && came_by[next].is_none() {
                    came_by[next] = Some(step);
                    queue.push_back(next);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = end;
        while at != start {
            let step = came_by[at].expect("the arrays are weakly equivalent");
            way.push(step);
            at = self.number(graph, step.start());
        }
        way.reverse();
        way
    }

    /// What follows of elements from indices that are known to be equal or different: reads at
    /// equal indices, from arrays with only stores to different indices between them, have the same
    /// element.
    pub(in super::super) fn entailed(&self, graph: &EGraph<'_>) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        let has_axioms =
            |c: &&Component| !c.stores.is_empty() || c.reads.iter().any(|r| r.index.is_none());
        for component in self.components.iter().filter(has_axioms) {
            let mut indices: Vec<Node> = component.reads.iter().filter_map(|r| r.index).collect();
            indices.sort_unstable_by_key(|&index| (graph.root(index), index));
            indices.dedup_by_key(|index| graph.root(*index));
            for index in indices {
                self.add_entailed(graph, component, index, &mut lemmas);
            }
        }
        lemmas
    }

    /// As `entailed`, for the reads at one index.
    fn add_entailed(
        &self,
        graph: &EGraph<'_>,
        component: &Component,
        index: Node,
        lemmas: &mut Vec<Lemma>,
    ) {
        let may_pass = |store: &Store| graph.differ(index, store.index);
        let mut union = UnionFind::<usize>::new(component.classes.len());
        for store in component.stores.iter().filter(|store| may_pass(store)) {
            let ends = [store.node, store.base].map(|x| self.number(graph, x));
            union.union(ends[0], ends[1]);
        }
        work::spend_on(4 * component.stores.len() + component.classes.len());
        let mut first: FxHashMap<usize, &Read> = FxHashMap::default();
        let mut linked: FxHashSet<(usize, Node)> = FxHashSet::default();
        for read in &component.reads {
            if read.index.is_some_and(|i| !graph.are_equal(i, index)) {
                continue;
            }
            let group = union.find(self.number(graph, read.array));
            let first = *first.entry(group).or_insert(read);
            if graph.are_equal(first.element, read.element)
                || !linked.insert((group, graph.root(read.element)))
            {
                continue;
            }
            let way = self.way(graph, component, may_pass, first.array, read.array);
            lemmas.push(same_element(&way, first, read, index));
        }
    }

    /// The element of a constant array that is weakly equivalent, if there is one.
    pub(in super::super) fn default_element(&self, root: Node) -> Option<Node> {
        let (component, _) = self.component(root)?;
        let mut constants = component.reads.iter().filter(|r| r.index.is_none());
        constants.next().map(|r| r.element)
    }

    /// The element at all other indices that was chosen for an array.
    pub(in super::super) fn default_value(&self, root: Node) -> Option<Value> {
        self.component(root)?.0.default.clone()
    }

    /// Chooses the element at all other indices for all weakly equivalent arrays.
    pub(in super::super) fn set_default(&mut self, root: Node, value: Value) {
        if let Some(&(component, _)) = self.place_of.get(&root) {
            self.components[component].default = Some(value);
        }
    }

    /// Indices and elements that are known of an array. A constant array that agrees with it at an
    /// index counts: where stores reach all indices, constant arrays of a component may differ, and
    /// [`Self::default_element`] is of one of them.
    pub(in super::super) fn entries(&self, root: Node) -> Vec<(Node, Node)> {
        let Some((component, number)) = self.component(root) else {
            return Vec::new();
        };
        let at = |place: &Place| {
            let &read = place.reads_of(number).first()?;
            Some((place.indices[0], component.reads[read].element))
        };
        component.places.iter().filter_map(at).collect()
    }
}

/// Reads at one index, or at `place` where neither has an index, from arrays with a way between
/// them over stores to other indices, have the same element.
fn same_element(way: &[StepOver], first: &Read, other: &Read, place: Node) -> Lemma {
    let mut premises = premises(way, first.array, other.array);
    premises.extend(first.index.zip(other.index));
    let index = first.index.or(other.index).unwrap_or(place);
    Lemma {
        premises,
        unequal: way.iter().map(|step| (index, step.store.index)).collect(),
        conclusion: Some((first.element, other.element)),
        rule: Justification::Arrays,
    }
}

impl Place {
    fn has(&self, index: Node) -> bool {
        self.indices.contains(&index)
    }

    /// The reads at this index that agree with an array, which has this number in the component.
    fn reads_of(&self, number: usize) -> &[usize] {
        self.reads
            .get(&self.group[number])
            .map_or(&[], |reads| reads)
    }
}

/// A step over a store, from the store to the array that it changes or the other way.
#[derive(Clone, Copy, Debug)]
struct StepOver {
    store: Store,
    down: bool,
}

impl StepOver {
    fn start(self) -> Node {
        match self.down {
            true => self.store.node,
            false => self.store.base,
        }
    }

    fn end(self) -> Node {
        match self.down {
            true => self.store.base,
            false => self.store.node,
        }
    }
}

/// The pairs of equal arrays on a way: where one step ends, and where the next one starts.
fn premises(way: &[StepOver], from: Node, to: Node) -> Vec<(Node, Node)> {
    let starts = way.iter().map(|s| s.start()).chain([to]);
    let ends = [from].into_iter().chain(way.iter().map(|s| s.end()));
    std::iter::zip(ends, starts).collect()
}
