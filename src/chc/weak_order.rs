//! Loop nesting: Bourdoncle's weak topological order of the predicates \[Bou93\].
//!
//! A weak topological order is a sequence of the predicates with nested, disjoint intervals, the
//! *loops*. Each loop begins with its *head*. An edge from `p` to `q` leads forward in the
//! sequence, or `q` is the head of a loop that contains `p`: then the edge is a *back edge*. So
//! each cycle of the graph contains a loop head, and a fixpoint that widens at the heads ends.

use super::PredId;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::ops::Range;

/// A loop: a strongly connected part of the graph, which its head splits into smaller loops and
/// single predicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The predicate at which an iteration ends. It is the first of `range`.
    pub head: PredId,
    /// The loop's interval of [`WeakOrder::preds`].
    pub range: Range<usize>,
    /// The smallest loop around this one, as an index of [`WeakOrder::loops`].
    pub parent: Option<usize>,
}

/// A weak topological order.
///
/// Invariant: `position` is the inverse of `preds`. The ranges of two loops are disjoint, or one
/// contains the other without its first predicate. Loops are listed by the beginnings of their
/// ranges, so outer loops come before inner ones.
#[derive(Clone, Debug, Default)]
pub struct WeakOrder {
    preds: Vec<PredId>,
    /// The place of each predicate in `preds`, by its index.
    position: Vec<usize>,
    loops: Vec<Loop>,
    /// The smallest loop that contains each predicate, by its index.
    innermost: Vec<Option<usize>>,
}

impl WeakOrder {
    /// The order of the graph with these successors by predicate. `head` chooses the head of a
    /// strongly connected part, which is given as a list and as a test.
    pub(super) fn new(
        successors: &[Vec<PredId>],
        head: impl Fn(&[PredId], &dyn Fn(PredId) -> bool) -> PredId,
    ) -> Self {
        let mut builder = Builder {
            successors,
            part_of: vec![0; successors.len()],
            place: vec![0; successors.len()],
            parts: 0,
            order: WeakOrder {
                position: vec![0; successors.len()],
                innermost: vec![None; successors.len()],
                ..WeakOrder::default()
            },
        };
        builder.build(&head);
        debug_assert!(
            builder.order.is_valid(),
            "loops nest, and positions are inverse"
        );
        debug_assert!(
            builder.order.is_weak_order_of(successors),
            "an edge leads forward or to the head of a loop around it"
        );
        builder.order
    }

    /// Does the invariant of the type hold?
    fn is_valid(&self) -> bool {
        let inverse = self.preds.len() == self.position.len()
            && (self.preds.iter().enumerate()).all(|(at, &pred)| self.position(pred) == at);
        let nested = self.loops.iter().enumerate().all(|(i, l)| {
            let begins = !l.range.is_empty() && self.preds[l.range.start] == l.head;
            let is_inner = l.parent.is_none_or(|parent| {
                let outer = &self.loops[parent].range;
                parent < i && outer.start < l.range.start && l.range.end <= outer.end
            });
            begins && is_inner
        });
        let ascending = self.loops.is_sorted_by(|a, b| {
            let disjoint = a.range.end <= b.range.start;
            a.range.start < b.range.start && (disjoint || b.range.end <= a.range.end)
        });
        inverse && nested && ascending
    }

    /// Does each edge lead forward, or to the head of a loop that contains its beginning?
    fn is_weak_order_of(&self, successors: &[Vec<PredId>]) -> bool {
        successors.iter().zip(&self.position).all(|(next, &from)| {
            next.iter().all(|&to| {
                let is_forward = from < self.position(to);
                let closes = |l: &Loop| l.range.contains(&from);
                is_forward || self.loop_of_head(to).is_some_and(closes)
            })
        })
    }

    /// The predicates in the order.
    pub fn preds(&self) -> &[PredId] {
        &self.preds
    }

    /// The place of a predicate in [`WeakOrder::preds`].
    pub fn position(&self, pred: PredId) -> usize {
        self.position[pred.index()]
    }

    /// The loops, outer ones before the loops inside.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// Is the predicate in this loop?
    pub fn is_inside(&self, l: &Loop, pred: PredId) -> bool {
        l.range.contains(&self.position(pred))
    }

    /// The smallest loop that contains a predicate.
    pub fn innermost(&self, pred: PredId) -> Option<&Loop> {
        self.innermost[pred.index()].map(|l| &self.loops[l])
    }

    /// The loop whose head is this predicate.
    pub fn loop_of_head(&self, pred: PredId) -> Option<&Loop> {
        self.innermost(pred).filter(|l| l.head == pred)
    }

    /// The strongly connected components, each as an interval of [`WeakOrder::preds`], predecessors
    /// first.
    pub fn components(&self) -> impl Iterator<Item = &[PredId]> {
        let outer = self.loops.iter().filter(|l| l.parent.is_none());
        let mut outer = outer.map(|l| l.range.clone()).peekable();
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at;
            at = match outer.next_if(|range| range.start == start) {
                Some(range) => range.end,
                None if start < self.preds.len() => start + 1,
                None => return None,
            };
            Some(&self.preds[start..at])
        })
    }
}

/// Work that is left, in the order of a stack.
enum Task {
    /// The predicates of a part of the graph are to be ordered, inside of a loop.
    Order(Vec<PredId>, Option<usize>),
    /// A single predicate comes next, inside of a loop.
    Place(PredId, Option<usize>),
    /// A loop comes next: its predicates, and the loop around it.
    Open(Vec<PredId>, Option<usize>),
    /// A loop ends here.
    Close(usize),
}

/// A weak topological order in the making. It does not recurse: graphs may nest deeply.
struct Builder<'a> {
    successors: &'a [Vec<PredId>],
    /// The number of the last part that contained each predicate, by its index.
    part_of: Vec<usize>,
    /// The place of each predicate in that part.
    place: Vec<usize>,
    /// How many parts there were.
    parts: usize,
    order: WeakOrder,
}

impl Builder<'_> {
    fn build(&mut self, head: &impl Fn(&[PredId], &dyn Fn(PredId) -> bool) -> PredId) {
        let number = u32::try_from(self.successors.len()).expect("few predicates");
        let mut tasks = vec![Task::Order((0..number).map(PredId).collect(), None)];
        while let Some(task) = tasks.pop() {
            match task {
                // A component is pushed after the components that it leads to, so that it is popped
                // first.
                Task::Order(part, parent) => {
                    tasks.extend(self.components(&part).into_iter().map(
                        |component| match component[..] {
                            [one] if !self.successors[one.index()].contains(&one) => {
                                Task::Place(one, parent)
                            }
                            _ => Task::Open(component, parent),
                        },
                    ));
                }
                Task::Place(pred, parent) => self.place(pred, parent),
                Task::Open(mut component, parent) => {
                    let number = self.enter(&component);
                    let head = head(&component, &|p| self.part_of[p.index()] == number);
                    let index = self.order.loops.len();
                    let start = self.order.preds.len();
                    self.order.loops.push(Loop {
                        head,
                        range: start..start,
                        parent,
                    });
                    self.place(head, Some(index));
                    component.retain(|&p| p != head);
                    tasks.push(Task::Close(index));
                    tasks.push(Task::Order(component, Some(index)));
                }
                Task::Close(index) => self.order.loops[index].range.end = self.order.preds.len(),
            }
        }
    }

    fn place(&mut self, pred: PredId, innermost: Option<usize>) {
        self.order.position[pred.index()] = self.order.preds.len();
        self.order.innermost[pred.index()] = innermost;
        self.order.preds.push(pred);
    }

    /// Makes a part the current one, and answers its number.
    fn enter(&mut self, part: &[PredId]) -> usize {
        self.parts += 1;
        for (place, pred) in part.iter().enumerate() {
            self.part_of[pred.index()] = self.parts;
            self.place[pred.index()] = place;
        }
        self.parts
    }

    /// The strongly connected components of a part of the graph, successors first, in time linear
    /// in the part and its edges.
    fn components(&mut self, part: &[PredId]) -> Vec<Vec<PredId>> {
        let number = self.enter(part);
        let mut graph: DiGraph<PredId, ()> = DiGraph::new();
        for &pred in part {
            graph.add_node(pred);
        }
        for (place, pred) in part.iter().enumerate() {
            for next in &self.successors[pred.index()] {
                if self.part_of[next.index()] == number {
                    let next = NodeIndex::new(self.place[next.index()]);
                    graph.add_edge(NodeIndex::new(place), next, ());
                }
            }
        }
        let preds = |nodes: Vec<NodeIndex>| nodes.into_iter().map(|n| graph[n]).collect();
        kosaraju_scc(&graph).into_iter().map(preds).collect()
    }
}
