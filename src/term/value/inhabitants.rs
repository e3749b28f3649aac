//! What values a sort has: how many, which, and one to fall back on.

use super::{ArrayValue, BitVec, Value};
use crate::number::Rational;
use crate::term::{CtorId, Sort, SortKind, Terms};
use num_bigint::BigUint;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

/// A value under way in [`Terms::nth_value`]: its parts lie on top of the result stack.
enum Task {
    /// The value of that number of a sort.
    Make(Sort, u64),
    Construct(CtorId),
    /// An array of that sort and the number of its elements made so far, in the order of the
    /// indices.
    Array(Sort, u64),
}

impl Terms {
    /// How many values the sort has; `None` for an infinite sort or more than a `u64` can count.
    /// Uninterpreted sorts count as infinite.
    pub fn cardinality(&self, sort: Sort) -> Option<u64> {
        // Mostly there is nothing to search.
        if let Some(known) = self.simple_cardinality(sort) {
            return known;
        }
        if let Some(&known) = self.cardinalities.borrow().get(&sort) {
            return known;
        }
        let mut counts: FxHashMap<Sort, Option<u64>> = FxHashMap::default();
        let mut is_defined = true;
        for part in self.sort_post_order(sort) {
            // A sort that is not counted yet is one that this sort is a part of: a recursive
            // datatype, so infinite.
            let count = |s: Sort| counts.get(&s).copied().flatten();
            let total = match self.sort_kind(part) {
                SortKind::Array(index, element) => match (count(*index), count(*element)) {
                    (_, Some(1)) => Some(1),
                    (Some(indices), Some(elements)) => {
                        let indices = u32::try_from(indices).ok();
                        indices.and_then(|n| elements.checked_pow(n))
                    }
                    _ => None,
                },
                SortKind::Datatype(id) => {
                    let ctors = self.datatype(*id).ctors().iter();
                    is_defined &= ctors.len() > 0;
                    let mut sizes = ctors.map(|&c| self.ctor_cardinality(c, count));
                    sizes.try_fold(0_u64, |sum, n| sum.checked_add(n?))
                }
                _ => self.simple_cardinality(part).flatten(),
            };
            counts.insert(part, total);
        }
        let total = counts[&sort];
        if is_defined {
            self.cardinalities.borrow_mut().insert(sort, total);
        }
        total
    }

    /// The cardinality of a sort without parts; `None` for other sorts.
    fn simple_cardinality(&self, sort: Sort) -> Option<Option<u64>> {
        match self.sort_kind(sort) {
            SortKind::Bool => Some(Some(2)),
            SortKind::BitVec(width) => Some(2_u64.checked_pow(*width)),
            SortKind::Int | SortKind::Real | SortKind::Uninterpreted(..) => Some(None),
            SortKind::Array(..) | SortKind::Datatype(_) => None,
        }
    }

    /// How many values a constructor builds.
    fn ctor_cardinality(&self, ctor: CtorId, count: impl Fn(Sort) -> Option<u64>) -> Option<u64> {
        let mut counts = self.sorts_of_fields(ctor).map(count);
        counts.try_fold(1_u64, |product, n| product.checked_mul(n?))
    }

    /// The value of a number below the sort's cardinality, which must be known; different numbers
    /// give different values.
    pub(crate) fn nth_value(&self, sort: Sort, n: u64) -> Value {
        let mut tasks = vec![Task::Make(sort, n)];
        let mut made: Vec<Value> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Make(sort, n) => match self.sort_kind(sort) {
                    SortKind::Bool => made.push(Value::Bool(n == 1)),
                    SortKind::BitVec(width) => {
                        made.push(Value::BitVec(BitVec::new(BigUint::from(n), *width)));
                    }
                    SortKind::Datatype(_) => self.plan_datatype(sort, n, &mut tasks),
                    SortKind::Array(..) => self.plan_array(sort, n, &mut tasks),
                    _ => unreachable!("values of infinite sorts are not counted"),
                },
                Task::Construct(ctor) => {
                    let fields = made.split_off(made.len() - self.ctor(ctor).fields.len());
                    made.push(Value::datatype(self, ctor, fields));
                }
                Task::Array(sort, indices) => {
                    let (index_sort, _) = self.array_parts(sort).expect("an array sort");
                    let elements = made.split_off(made.len() - indices.max(1) as usize);
                    let array = ArrayValue::constant(self, sort, elements[0].clone());
                    let changes = (0..indices).map(|i| self.nth_value(index_sort, i));
                    made.push(Value::Array(array.store(self, changes.zip(elements))));
                }
            }
        }
        made.pop().expect("one value was asked for")
    }

    /// Splits the number of a datatype's value into constructor and numbers of the fields.
    fn plan_datatype(&self, sort: Sort, mut n: u64, tasks: &mut Vec<Task>) {
        let id = self.datatype_of(sort).expect("a datatype's sort");
        for &ctor in self.datatype(id).ctors() {
            let values = self
                .ctor_cardinality(ctor, |s| self.cardinality(s))
                .expect("a finite sort has finitely many values of each constructor");
            if n >= values {
                n -= values;
                continue;
            }
            tasks.push(Task::Construct(ctor));
            for field in self.sorts_of_fields(ctor).rev() {
                let radix = self.cardinality(field).expect("a field of a finite sort");
                tasks.push(Task::Make(field, n % radix));
                n /= radix;
            }
            return;
        }
        unreachable!("the number is below the cardinality");
    }

    /// Splits the number of an array into the numbers of its elements.
    fn plan_array(&self, sort: Sort, mut n: u64, tasks: &mut Vec<Task>) {
        let (index, element) = self.array_parts(sort).expect("an array sort");
        let radix = self
            .cardinality(element)
            .expect("elements of a finite sort");
        // Where there is only one element the indices may be infinitely many, and there is one
        // array.
        let indices = if radix == 1 {
            0
        } else {
            self.cardinality(index).expect("a finite sort")
        };
        tasks.push(Task::Array(sort, indices));
        for _ in 0..indices.max(1) {
            tasks.push(Task::Make(element, n % radix));
            n /= radix;
        }
    }

    /// A value of the sort: `false`, 0, zero bits, the constant array of the element sort's
    /// default, the element of number 0; of a datatype one of least height, by the first
    /// constructor that builds such. `None` where the sort has no value: a datatype none of whose
    /// constructors can be built without a value of it.
    pub fn default_value(&self, sort: Sort) -> Option<Value> {
        let order = self.sort_post_order(sort);
        let mut defaults: FxHashMap<Sort, Value> = FxHashMap::default();
        // Parts come before what has them, but for recursion: more rounds are needed only there.
        loop {
            let before = defaults.len();
            for &part in &order {
                if !defaults.contains_key(&part)
                    && let Some(value) = self.default_from(part, &defaults)
                {
                    defaults.insert(part, value);
                }
            }
            if defaults.contains_key(&sort) || defaults.len() == before {
                return defaults.remove(&sort);
            }
        }
    }

    /// The default value of a sort, given those of its parts.
    fn default_from(&self, sort: Sort, defaults: &FxHashMap<Sort, Value>) -> Option<Value> {
        match self.sort_kind(sort) {
            SortKind::Bool => Some(Value::Bool(false)),
            SortKind::Int | SortKind::Real => Some(Value::Number(Rational::zero())),
            SortKind::BitVec(width) => Some(Value::BitVec(BitVec::new(BigUint::ZERO, *width))),
            SortKind::Uninterpreted(..) => Some(Value::Element { sort, index: 0 }),
            SortKind::Array(_, element) => {
                let element = defaults.get(element)?.clone();
                Some(Value::const_array(self, sort, element))
            }
            SortKind::Datatype(id) => self.datatype(*id).ctors().iter().find_map(|&ctor| {
                let sorts = self.sorts_of_fields(ctor);
                let values = sorts.map(|sort| defaults.get(&sort).cloned());
                Some(Value::datatype(self, ctor, values.collect::<Option<_>>()?))
            }),
        }
    }

    /// The sorts that values of `root` may contain, parts before what has them as far as they are
    /// not recursive.
    pub(crate) fn sort_post_order(&self, root: Sort) -> Vec<Sort> {
        let mut order = Vec::new();
        let mut seen: FxHashSet<Sort> = FxHashSet::default();
        let mut stack = vec![(root, false)];
        while let Some((sort, leave)) = stack.pop() {
            if leave {
                order.push(sort);
            } else if seen.insert(sort) {
                stack.push((sort, true));
                let parts = self.sort_parts(sort).into_iter().rev();
                stack.extend(parts.map(|part| (part, false)));
            }
        }
        order
    }

    /// The same sorts in groups. Sorts that contain each other are in one group, and a group comes
    /// before the groups that contain it.
    pub(crate) fn sort_groups(&self, root: Sort) -> Vec<Vec<Sort>> {
        let order = self.sort_post_order(root);
        let mut graph: DiGraph<Sort, ()> = DiGraph::new();
        let nodes: FxHashMap<Sort, NodeIndex> = (order.iter())
            .map(|&sort| (sort, graph.add_node(sort)))
            .collect();
        for sort in &order {
            for part in self.sort_parts(*sort) {
                graph.add_edge(nodes[sort], nodes[&part], ());
            }
        }
        // A component comes after the components that it leads to.
        let group = |component: Vec<NodeIndex>| component.iter().map(|&n| graph[n]).collect();
        kosaraju_scc(&graph).into_iter().map(group).collect()
    }

    /// Index and element sort of an array sort, the sorts of a datatype's fields.
    fn sort_parts(&self, sort: Sort) -> Vec<Sort> {
        match self.sort_kind(sort) {
            SortKind::Array(index, element) => vec![*index, *element],
            _ => self.field_sorts(sort).collect(),
        }
    }
}
