//! Loops of a system: where derivations can be pumped up.

use crate::chc::{PredId, System};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// A strongly connected part of the graph of predicates, from premises to conclusions, and where it is entered.
///
/// Invariant: every cycle inside passes through the head, or lies in a loop that does not have the head: one of those listed
/// after this.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Loop {
    /// The predicate at which an iteration ends: a clause that derives it from a premise inside is a back edge.
    pub(super) head: PredId,
    /// By predicate.
    inside: Vec<bool>,
}

impl Loop {
    /// Is the predicate in the loop?
    pub(super) fn has(&self, pred: PredId) -> bool {
        self.inside[pred.index()]
    }
}

/// The loops of a system, outer ones first: the components, then those of what is left of each without its head (\[Bou93\]:
/// Bourdoncle, Efficient Chaotic Iteration Strategies with Widenings, 1993).
pub(super) fn loops(system: &System) -> Vec<Loop> {
    let mut loops = Vec::new();
    let mut open = vec![vec![true; system.preds.len()]];
    while let Some(part) = open.pop() {
        for component in components(system, &part) {
            let mut inside = vec![false; system.preds.len()];
            component.iter().for_each(|p| inside[p.index()] = true);
            let head = head(system, &component, &inside);
            loops.push(Loop {
                head,
                inside: inside.clone(),
            });
            inside[head.index()] = false;
            open.push(inside);
        }
    }
    loops
}

/// The strongly connected components, with an edge inside, of the predicates that are in a part of the graph.
fn components(system: &System, part: &[bool]) -> Vec<Vec<PredId>> {
    let mut graph: DiGraph<PredId, ()> = DiGraph::new();
    for pred in system.pred_ids() {
        graph.add_node(pred);
    }
    let node = |pred: PredId| NodeIndex::new(pred.index());
    for (premise, head) in edges(system) {
        if part[premise.index()] && part[head.index()] {
            graph.update_edge(node(premise), node(head), ());
        }
    }
    let is_loop = |nodes: &Vec<NodeIndex>| match nodes[..] {
        [one] => graph.contains_edge(one, one),
        _ => true,
    };
    let components = kosaraju_scc(&graph).into_iter().filter(is_loop);
    let preds = components.map(|nodes| nodes.into_iter().map(|n| graph[n]).collect());
    preds.collect()
}

/// From premises to conclusions.
fn edges(system: &System) -> impl Iterator<Item = (PredId, PredId)> {
    system.clauses.iter().flat_map(|clause| {
        let heads = clause.head.iter().map(|head| head.pred);
        heads.flat_map(|head| clause.body.iter().map(move |atom| (atom.pred, head)))
    })
}

/// Where a component is entered, or else its first predicate.
fn head(system: &System, component: &[PredId], inside: &[bool]) -> PredId {
    let enters = |clause: &&crate::chc::Clause| {
        let derives = clause.head.as_ref().is_some_and(|h| inside[h.pred.index()]);
        derives && clause.body.iter().all(|atom| !inside[atom.pred.index()])
    };
    let entry = system.clauses.iter().find(enters);
    let entered = entry.and_then(|clause| clause.head.as_ref().map(|h| h.pred));
    let first = component.iter().copied().min();
    entered.or(first).expect("a component is not empty")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc::{Atom, Clause, Origin, Predicate, Span};
    use crate::term::{Sort, Term, Terms};

    /// The loops of a graph given by its edges, as `head: inside`.
    #[track_caller]
    fn check(edges: &str, expected: &[&str]) {
        let t = Terms::new();
        let names = ["a", "b", "c", "d"];
        let pred = |name: &str| Predicate {
            func: t.declare(t.symbol(name), &[], Sort::BOOL),
            span: Span::default(),
        };
        let atom = |name: &str| Atom {
            pred: PredId(names.iter().position(|&n| n == name).expect("a name") as u32),
            args: Vec::new(),
        };
        let clause = |edge: &str| {
            let (premises, head) = edge.split_once('>').unwrap_or(("", edge));
            let premises = premises.split('+').filter(|p| !p.is_empty());
            Clause {
                vars: Vec::new(),
                body: premises.map(atom).collect(),
                constraint: Term::TRUE,
                head: Some(atom(head)),
                origin: Origin::default(),
            }
        };
        let system = System {
            preds: names.map(pred).to_vec(),
            clauses: edges.split_whitespace().map(clause).collect(),
        };
        let name = |p: PredId| system.pred_name(&t, p);
        let found: Vec<String> = (loops(&system).iter())
            .map(|l| {
                let inside = system.pred_ids().filter(|&p| l.has(p)).map(name);
                format!("{}: {}", name(l.head), inside.collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn loops_of_graphs() {
        check("a a>b b>c", &[]);
        check("a a>a a>b", &["a: a"]);
        check("a a>b b>c c>b c>d", &["b: b c"]);
        // A loop in a loop, and one of its own.
        check("a a>b b>c c>c c>b d d>d", &["d: d", "b: b c", "c: c"]);
        // Recursion through two premises.
        check("a b a+b>b", &["b: b"]);
        // Entered at two places.
        check("a b a>b b>a", &["a: a b"]);
    }
}
