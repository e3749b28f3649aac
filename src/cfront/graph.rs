//! Graphs: strongly connected components, back edges, reachability.

use super::ir::{Cfa, Edge, Instr};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, Reversed, VisitMap, Visitable};

/// The points and those of the edges that are kept.
fn graph_of(cfa: &Cfa, keep: impl Fn(&Edge) -> bool) -> DiGraph<(), ()> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<NodeIndex> = cfa.nodes.iter().map(|_| graph.add_node(())).collect();
    for edge in cfa.edges.iter().filter(|edge| keep(edge)) {
        graph.add_edge(nodes[edge.from.0], nodes[edge.to.0], ());
    }
    graph
}

/// The strongly connected component of each point; a point without a loop at itself is alone in its
/// own. Edges from a point to itself do not count as such: there are none.
pub(crate) fn components(cfa: &Cfa) -> Vec<usize> {
    let graph = graph_of(cfa, |_| true);
    let mut component = vec![usize::MAX; graph.node_count()];
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
///
/// By hand, because petgraph's search that tells back edges calls itself for every point.
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
    debug_assert!(
        leads_forward(cfa, &targets, &order),
        "other edges lead forward"
    );
    (targets, order)
}

/// Does each edge between points of the order lead forward, or to a target of back edges?
fn leads_forward(cfa: &Cfa, targets: &[bool], order: &[usize]) -> bool {
    let mut place = vec![None; cfa.nodes.len()];
    for (at, &node) in order.iter().enumerate() {
        place[node] = Some(at);
    }
    cfa.edges.iter().all(|edge| {
        let (from, to) = (place[edge.from.0], place[edge.to.0]);
        from.is_none() || to.is_some() && (from < to || targets[edge.to.0])
    })
}

/// The points from which one of these can be reached.
pub(crate) fn backward(cfa: &Cfa, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let graph = graph_of(cfa, |_| true);
    let reversed = Reversed(&graph);
    let mut search = Dfs::from_parts(Vec::new(), reversed.visit_map());
    for node in from {
        search.move_to(NodeIndex::new(node));
        while search.next(reversed).is_some() {}
    }
    seen(cfa, &search)
}

/// The points that can be reached from the entry.
pub(crate) fn forward(cfa: &Cfa) -> Vec<bool> {
    // Errors end a path.
    let goes_on = |edge: &Edge| !matches!(edge.instr, Instr::Error(_) | Instr::Unsupported(_));
    let graph = graph_of(cfa, goes_on);
    let mut search = Dfs::new(&graph, NodeIndex::new(cfa.entry));
    while search.next(&graph).is_some() {}
    seen(cfa, &search)
}

/// The points that a search has discovered.
fn seen(cfa: &Cfa, search: &Dfs<NodeIndex, <DiGraph<(), ()> as Visitable>::Map>) -> Vec<bool> {
    let nodes = (0..cfa.nodes.len()).map(NodeIndex::<u32>::new);
    nodes
        .map(|node| search.discovered.is_visited(&node))
        .collect()
}
