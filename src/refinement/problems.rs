//! Interpolation problems of derivations that share steps.
//!
//! The derivations of an engine are about the same clauses, mostly in the same places. So the
//! formulas of many nodes were met before. One context has them all; a problem is about some of
//! them.

use super::{Options, Trace};
use crate::logic::interpolate::{Interpolation, Partitioned};
use crate::smt::{Failure, NoInterpolants, PartId, PartTree};
use crate::term::Term;
use crate::transform::Tools;
use rustc_hash::{FxHashMap, FxHashSet};

/// A context serves this number of problems. Its proofs and what it learns take memory, and what
/// other problems have left behind costs time. The value was not tuned.
const MOST_PROBLEMS: u32 = 30;

/// A problem of more nodes has a context to itself. In a shared one each node is an assumption of
/// the search, which makes all of them again after each restart. The value was not tuned.
const MOST_NODES: usize = 256;

/// A context, and what it has.
pub(super) struct Problems<'t> {
    asked: Interpolation<'t, 't>,
    context: Partitioned<'t, 't>,
    /// The parts by their formulas.
    parts: FxHashMap<Vec<Term>, PartId>,
    /// The number of problems so far.
    count: u32,
}

impl<'t> Problems<'t> {
    /// A context without formulas.
    pub(super) fn new(tools: &Tools<'t>, options: &Options) -> Self {
        let asked = Interpolation {
            terms: tools.terms,
            backend: tools.backend,
            limit: tools.limit.clone(),
            name: "assertions along a derivation",
            options: options.interpolation,
        };
        Problems {
            context: asked.problem(),
            asked,
            parts: FxHashMap::default(),
            count: 0,
        }
    }

    /// Has the context served as many problems as it should?
    pub(super) fn are_done(&self) -> bool {
        self.count >= MOST_PROBLEMS
    }

    /// Tree interpolants for the nodes of a trace, but for its root.
    ///
    /// # Errors
    /// The trace is feasible, or this is not known, or there are no interpolants.
    pub(super) fn interpolants(
        &mut self,
        tools: &Tools<'_>,
        trace: &Trace,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let tree = PartTree::new(trace.parents()).expect("a node comes after its premises");
        let formulas = |node: usize| {
            let mut formulas = trace.nodes[node].conjuncts.clone();
            formulas.extend(trace.links(tools.terms, node));
            formulas
        };
        let nodes: Vec<Vec<Term>> = (0..trace.nodes.len()).map(formulas).collect();
        if nodes.len() > MOST_NODES {
            return self.asked.tree_interpolants(&tree, &nodes);
        }
        self.count += 1;
        let mut used = FxHashSet::default();
        let parts = nodes.iter().map(|formulas| {
            let part = self.part(formulas)?;
            // Nodes without variables may say the same. No part is in two nodes.
            match part.is_some_and(|part| !used.insert(part)) {
                true => Ok(vec![self.context.add(formulas)?]),
                false => Ok(part.into_iter().collect()),
            }
        });
        let parts: Vec<Vec<PartId>> = parts.collect::<Result<_, Failure>>()?;
        let about = format_args!("contradictory steps");
        self.context.interpolants(about, &tree, &parts)
    }

    /// The part with these formulas; none where there are no formulas.
    fn part(&mut self, formulas: &[Term]) -> Result<Option<PartId>, Failure> {
        if formulas.is_empty() {
            return Ok(None);
        }
        if let Some(&known) = self.parts.get(formulas) {
            return Ok(Some(known));
        }
        let part = self.context.add(formulas)?;
        self.parts.insert(formulas.to_vec(), part);
        Ok(Some(part))
    }
}

#[cfg(test)]
mod tests {
    use super::super::perfect::is_inductive;
    use super::super::{Node, Premise};
    use super::*;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::term::{Sort, Terms};

    /// A step of one premise, or of none.
    fn node(conjunct: Term, args: Vec<Term>, premise: Option<(usize, Term)>) -> Node {
        let premise = premise.map(|(node, arg)| Premise {
            node,
            args: vec![arg],
        });
        Node {
            clause: None,
            pred: None,
            conjuncts: vec![conjunct],
            args,
            premises: premise.into_iter().collect(),
        }
    }

    /// `x₀ = 0`, as many steps that add 1 or 2, and the last value is greater than the bound.
    fn path(t: &Terms, xs: &[Term], ys: &[Term], steps: usize, bound: i64) -> Trace {
        let mut nodes = vec![node(t.eq(xs[0], t.int(0)), vec![xs[0]], None)];
        for number in 1..=steps {
            let added = t.sub(xs[number], ys[number]);
            let step = t.and([t.le(t.int(1), added), t.le(added, t.int(2))]);
            let premise = (number - 1, ys[number]);
            nodes.push(node(step, vec![xs[number]], Some(premise)));
        }
        let goal = t.gt(ys[0], t.int(bound));
        nodes.push(node(goal, Vec::new(), Some((steps, ys[0]))));
        Trace { nodes }
    }

    #[test]
    fn problems_that_share_steps_have_interpolants() {
        let t = Terms::new();
        let backend = Backend::native(NativeOptions::for_engines());
        let tools = Tools::new(&t, &backend, Limit::none());
        let [xs, ys] = ["x", "y"].map(|name| {
            let vars = (0..5).map(|_| t.fresh_var(name, Sort::INT));
            vars.collect::<Vec<Term>>()
        });
        let mut problems = Problems::new(&tools, &Options::default());
        let cases = [
            (2, 4, true),
            (3, 6, true),
            (3, 5, false),
            (4, 8, true),
            (2, 4, true),
        ];
        for (steps, bound, is_infeasible) in cases {
            let trace = path(&t, &xs, &ys, steps, bound);
            match problems.interpolants(&tools, &trace) {
                Ok(mut found) => {
                    assert!(is_infeasible);
                    found.push(Term::FALSE);
                    assert!(is_inductive(&tools, &trace, &found));
                }
                Err(NoInterpolants::Satisfiable) => assert!(!is_infeasible),
                Err(other) => panic!("{other:?}"),
            }
        }
        // A fact, the steps of the longest path, and four pairs of a length and a bound.
        assert_eq!(problems.parts.len(), 1 + 4 + 4);
    }

    #[test]
    fn nodes_that_say_the_same_are_different_parts() {
        let t = Terms::new();
        let backend = Backend::native(NativeOptions::for_engines());
        let tools = Tools::new(&t, &backend, Limit::none());
        let leaf = || node(Term::FALSE, Vec::new(), None);
        let mut root = node(Term::TRUE, Vec::new(), None);
        let premise = |node| Premise {
            node,
            args: Vec::new(),
        };
        root.premises = vec![premise(0), premise(1)];
        let trace = Trace {
            nodes: vec![leaf(), leaf(), root],
        };
        let mut problems = Problems::new(&tools, &Options::default());
        let mut found = problems
            .interpolants(&tools, &trace)
            .expect("a contradiction");
        found.push(Term::FALSE);
        assert!(is_inductive(&tools, &trace, &found));
    }
}
