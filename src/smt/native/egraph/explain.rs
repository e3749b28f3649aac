//! Explanations: the literals that make two nodes equal \[NO07\].
//!
//! The path between the nodes in the proof forest has the causes. A congruence is explained by the
//! equalities of the arguments, a rule about constructors by the equality that it applies to. A
//! path does not change while its class is not parted, so an explanation holds literals only that
//! were true when the nodes became equal.

use super::{Cause, EGraph, Node};
use crate::smt::native::literal::Lit;
use crate::work;
use rustc_hash::FxHashSet;

impl EGraph<'_> {
    /// The literals, all true, from which it follows that two nodes of one class are equal.
    pub(in super::super) fn explain(&self, a: Node, b: Node) -> Vec<Lit> {
        self.explain_all(&[(a, b)])
    }

    /// The literals, all true, from which it follows that the nodes of each pair are equal.
    pub(in super::super) fn explain_all(&self, pairs: &[(Node, Node)]) -> Vec<Lit> {
        let mut literals = Vec::new();
        let mut todo = pairs.to_vec();
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        while let Some((a, b)) = todo.pop() {
            if a == b {
                continue;
            }
            debug_assert!(self.are_equal(a, b));
            let meet = self.meeting_point(a, b);
            for start in [a, b] {
                let mut at = start;
                while at != meet {
                    work::spend(2);
                    let (next, cause) =
                        self.nodes[at.index()].edge.expect("on the way to the root");
                    // An edge belongs to the node where it begins.
                    if seen.insert(at) {
                        match cause {
                            Cause::Literal(lit) => literals.push(lit),
                            Cause::Constructor(x, y) => todo.push((x, y)),
                            Cause::Congruence => {
                                let both = std::iter::zip(self.args(at), self.args(next));
                                todo.extend(both.map(|(&x, &y)| (x, y)));
                            }
                        }
                    }
                    at = next;
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    /// Where the ways of two nodes of one tree to its root meet.
    fn meeting_point(&self, a: Node, b: Node) -> Node {
        let way = |start: Node| {
            std::iter::successors(Some(start), |x| {
                work::spend(1);
                self.nodes[x.index()].edge.map(|(next, _)| next)
            })
        };
        let on_way: FxHashSet<Node> = way(a).collect();
        let meet = way(b).find(|x| on_way.contains(x));
        meet.expect("nodes of one class are in one tree")
    }
}
