//! Graphs: strongly connected components, back edges, reachability.

use super::ir::{Cfa, Instr};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The strongly connected component of each point; a point without a loop at itself is alone in its
/// own. Edges from a point to itself do not count as such: there are none.
pub(crate) fn components(cfa: &Cfa) -> Vec<usize> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<NodeIndex> = cfa.nodes.iter().map(|_| graph.add_node(())).collect();
    for edge in &cfa.edges {
        graph.add_edge(nodes[edge.from.0], nodes[edge.to.0], ());
    }
    let mut component = vec![usize::MAX; nodes.len()];
    for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
        for member in members {
            component[member.index()] = number;
        }
    }
    component
}

/// The points that edges lead back to in a depth-first search from the entry: every cycle that can
/// be reached has one, also in irreducible graphs. And the points in reverse postorder: edges that
/// do not lead to one of the former go forward.
pub(crate) fn back_targets(cfa: &Cfa) -> (Vec<bool>, Vec<usize>) {
    let leaving = cfa.leaving();
    let count = cfa.nodes.len();
    let mut state = vec![0_u8; count];
    let mut targets = vec![false; count];
    let mut order = Vec::new();
    state[cfa.entry] = 1;
    let mut path = vec![(cfa.entry, 0)];
    while let Some((node, at)) = path.pop() {
        if let Some(&edge) = leaving[node].get(at) {
            path.push((node, at + 1));
            let to = cfa.edges[edge].to.0;
            match state[to] {
                0 => {
                    state[to] = 1;
                    path.push((to, 0));
                }
                1 => targets[to] = true,
                _ => {}
            }
        } else {
            state[node] = 2;
            order.push(node);
        }
    }
    order.reverse();
    (targets, order)
}

/// The points from which one of these can be reached.
pub(crate) fn backward(cfa: &Cfa, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut entering = vec![Vec::new(); cfa.nodes.len()];
    for edge in &cfa.edges {
        entering[edge.to.0].push(edge.from.0);
    }
    let mut seen = vec![false; cfa.nodes.len()];
    let mut open: Vec<usize> = from.into_iter().collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&entering[node]);
        }
    }
    seen
}

/// The points that can be reached from the entry.
pub(crate) fn forward(cfa: &Cfa) -> Vec<bool> {
    let leaving = cfa.leaving();
    let mut seen = vec![false; cfa.nodes.len()];
    let mut open = vec![cfa.entry];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            for &edge in &leaving[node] {
                // Errors end a path.
                let ends = matches!(
                    cfa.edges[edge].instr,
                    Instr::Error(_) | Instr::Unsupported(_)
                );
                if !ends {
                    open.push(cfa.edges[edge].to.0);
                }
            }
        }
    }
    seen
}
