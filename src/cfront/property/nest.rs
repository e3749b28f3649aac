//! Loops within loops: the components of an automaton, and what is left of each without its head
//! (\[Bou93\]).
//!
//! A path that goes on forever within one call of a function stays in one of these from some point
//! on, and passes its head again and again.

use crate::cfront::ir::{Cfa, NodeId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;

/// A component of an automaton that has a cycle.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    /// Each cycle that is in no inner component passes this point.
    pub(super) head: NodeId,
    /// The points of it.
    pub(super) members: FxHashSet<usize>,
}

/// The components of an automaton, outer ones first.
pub(super) fn components(cfa: &Cfa) -> Vec<Nested> {
    let mut found = Vec::new();
    let mut open: Vec<FxHashSet<usize>> = vec![(0..cfa.nodes.len()).collect()];
    while let Some(points) = open.pop() {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes: Vec<NodeIndex> = cfa.nodes.iter().map(|_| graph.add_node(())).collect();
        for edge in &cfa.edges {
            if points.contains(&edge.from.0) && points.contains(&edge.to.0) {
                graph.add_edge(nodes[edge.from.0], nodes[edge.to.0], ());
            }
        }
        for members in kosaraju_scc(&graph) {
            let is_cycle = members.len() > 1 || graph.contains_edge(members[0], members[0]);
            if !is_cycle {
                continue;
            }
            let members = members.into_iter().map(NodeIndex::index);
            let members: FxHashSet<usize> = members.collect();
            let head = head_of(cfa, &members);
            let mut inner = members.clone();
            inner.remove(&head.0);
            open.push(inner);
            found.push(Nested { head, members });
        }
    }
    found
}

/// The point that a component is entered by; among several, the head of a loop statement.
fn head_of(cfa: &Cfa, members: &FxHashSet<usize>) -> NodeId {
    let entered = cfa
        .edges
        .iter()
        .filter(|edge| members.contains(&edge.to.0) && !members.contains(&edge.from.0));
    let entered: FxHashSet<usize> = entered.map(|edge| edge.to.0).collect();
    let best = members.iter().copied().min_by_key(|at| {
        let is_loop = cfa.nodes[*at].loop_head;
        (!entered.contains(at), !is_loop, *at)
    });
    NodeId(best.expect("a component has points"))
}
