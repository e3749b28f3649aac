//! The beginning of a program that takes one way only, as a straight line: loops whose tests are
//! decided by what is known are unrolled.
//!
//! The state at the program's entry is followed symbolically, block by block, as blocks are
//! encoded. While a block leads to one cutpoint only, its steps are copied; at the first block that
//! leads to several, the copy goes on in the automaton as it was. So constants, strings and tables
//! are computed here, and not by the search for invariants. The copy has the same runs: a step is
//! left out only where its condition is false in each state that arrives.
//!
//! Where the budget is used up before the way parts, nothing is unrolled: what remains of a long
//! loop would be no easier than the loop.

use super::block::{Block, Builder, End, State};
use super::env::Env;
use super::guard::Guard;
use super::{Encoding, Geometry, initial_value};
use crate::cfront::ir::{Cfa, CfaNode, Edge, Instr, NodeId};
use crate::cfront::memory::{Memory, PartId};
use crate::cfront::program::Program;
use crate::term::Terms;
use rustc_hash::{FxHashMap, FxHashSet};

/// The automaton of the program's start with its beginning unrolled to at most `budget` steps;
/// `None` if that unrolls no loop.
pub(super) fn unrolled(
    t: &Terms,
    program: &Program,
    memory: &Memory,
    encoding: &Encoding,
    budget: usize,
) -> Option<Cfa> {
    let root = &encoding.flow.roots[0];
    let arith = encoding.arith(t);
    let geometry = Geometry::of(root);
    let cfa = &root.cfa;
    let entry = |part| initial_value(encoding, program, memory, &arith, 0, cfa.entry, part);
    let live = |node: usize, part: PartId| encoding.lives[0].has(node, part);
    let relevant = |part: PartId| encoding.relevant.contains(&part);
    let builder = Builder {
        program,
        memory,
        arith: &arith,
        cfa,
        leaving: &geometry.leaving,
        order: &geometry.position,
        cut: &geometry.cut,
        live: &live,
        relevant: &relevant,
        ranges: encoding.ranges[0].as_ref(),
        question: encoding.options.question,
        trace: true,
    };
    let mut copy = Copy::of(cfa);
    let (mut at, mut node) = (cfa.entry, copy.node(cfa.entry));
    copy.cfa.entry = node.0;
    let mut state = State {
        guard: Guard::default(),
        env: Env::new(&entry),
    };
    let (mut inputs, mut visits) = (Vec::new(), FxHashMap::<usize, usize>::default());
    loop {
        let calls = |&edge: &usize| matches!(cfa.edges[edge].instr, Instr::Call(..));
        if at == cfa.exit || geometry.leaving[at].iter().any(calls) {
            break;
        }
        let block = builder.block_after(at, state.clone(), std::mem::take(&mut inputs));
        let mut ways = block.ends.iter().filter_map(|(end, state)| match end {
            End::Cut(node) => Some((*node, state.env.clone())),
            _ => None,
        });
        let next = ways.next();
        if ways.next().is_some() {
            break;
        }
        drop(ways);
        let last = copy.block(&block, at, node, next.as_ref().map(|next| next.0));
        if copy.cfa.edges.len() > budget + cfa.edges.len() {
            return None;
        }
        inputs = block.inputs;
        let (Some((to, env)), Some(last)) = (next, last) else {
            // The way ends here.
            return (visits.values().any(|&count| count > 1)).then(|| copy.finished(None));
        };
        *visits.entry(to).or_default() += 1;
        let guard = Guard::default();
        (at, node, state) = (to, last, State { guard, env });
    }
    let is_unrolled = visits.values().any(|&count| count > 1);
    is_unrolled.then(|| copy.finished(Some((node, at))))
}

/// The automaton, with copies of steps.
struct Copy<'c> {
    from: &'c Cfa,
    cfa: Cfa,
}

impl<'c> Copy<'c> {
    fn of(from: &'c Cfa) -> Self {
        Copy {
            from,
            cfa: from.clone(),
        }
    }

    /// A new copy of a point.
    fn node(&mut self, of: usize) -> NodeId {
        let node = CfaNode {
            // It is passed once.
            loop_head: false,
            ..self.from.nodes[of].clone()
        };
        self.cfa.nodes.push(node);
        NodeId(self.cfa.nodes.len() - 1)
    }

    /// Copies the steps of a block that begins at a point, with this copy. Answers the copy of the
    /// cutpoint that it leads to.
    fn block(
        &mut self,
        block: &Block<'_>,
        start: usize,
        first: NodeId,
        cut: Option<usize>,
    ) -> Option<NodeId> {
        let mut copies = FxHashMap::default();
        copies.insert(start, first);
        let last = cut.map(|cut| self.node(cut));
        let passed = block.passed.iter().map(|passed| passed.edge);
        let ends = block.ends.iter().filter_map(|(end, _)| match end {
            End::Error(edge) | End::Unsupported(edge, _) | End::Wraps(edge) => Some(*edge),
            End::Cut(_) => None,
        });
        let mut seen = FxHashSet::default();
        for at in passed.chain(ends).filter(|&at| seen.insert(at)) {
            let edge = &self.from.edges[at];
            let from = match copies.get(&edge.from.0) {
                Some(&from) => from,
                None => {
                    let from = self.node(edge.from.0);
                    copies.insert(edge.from.0, from);
                    from
                }
            };
            let to = match (last, copies.get(&edge.to.0)) {
                (Some(last), _) if Some(edge.to.0) == cut => last,
                (_, Some(&to)) => to,
                _ => {
                    let to = self.node(edge.to.0);
                    copies.insert(edge.to.0, to);
                    to
                }
            };
            let edge = Edge {
                from,
                to,
                ..edge.clone()
            };
            self.cfa.edges.push(edge);
        }
        last
    }

    /// The automaton; the last copy goes on at a point of the original.
    fn finished(mut self, goes_on: Option<(NodeId, usize)>) -> Cfa {
        if let Some((from, to)) = goes_on {
            let place = self.from.nodes[to].place.clone();
            self.cfa.edges.push(Edge {
                from,
                to: NodeId(to),
                instr: Instr::Skip,
                place,
            });
        }
        let reached = crate::cfront::graph::forward(&self.cfa);
        self.cfa.edges.retain(|edge| reached[edge.from.0]);
        self.cfa
    }
}
