//! Interpolation problems of derivations that share steps.
//!
//! The derivations of an engine are about the same clauses, mostly in the same places. So the
//! formulas of many nodes were met before. One context has them all; a problem is about some of
//! them.

use super::{Options, Trace};
use crate::logic::interpolate::{Interpolation, Partitioned};
use crate::smt::{Failure, NoInterpolants, PartId, PartTree};
use crate::term::{Op, Term, Terms};
use crate::transform::Tools;
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};

/// A context serves this number of problems. Its proofs and what it learns take memory, and what
/// other problems have left behind costs time. The value was not tuned.
const MOST_PROBLEMS: u32 = 30;

/// A context with more parts than this times the nodes of a problem is not used for it: what the
/// other parts say is not assumed, but their rows are in the tableau. The value was tuned on two
/// systems only.
const MOST_PARTS: usize = 4;

/// A problem of fewer formulas has a context to itself. That costs little, and the proof does not
/// use what was learned for other problems, which may be about their constants: Impact then learns
/// one bound of a loop after the other (`nested-loops-count`). Of 0, 200 and 1000, four engines
/// solve most of 234 tasks with 200.
const LEAST_FORMULAS: usize = 200;

/// A problem of more nodes has a context to itself. In a shared one each node is an assumption of
/// the search, which makes all of them again after each restart. The value was not tuned.
const MOST_NODES: usize = 256;

/// The search for clauses in place of interpolants costs at most this number of ticks. The value
/// was not tuned.
const PATIENCE: u64 = work::milliseconds(1_000);
/// The search for clauses costs at most a tenth of the remaining budget. The value was not tuned.
const PATIENCE_PARTS: u64 = 10;

/// A context, and what it has.
pub(super) struct Problems<'t> {
    asked: Interpolation<'t, 't>,
    /// Are interpolants rewritten as clauses?
    clausal: bool,
    context: Partitioned<'t, 't>,
    /// The parts by their formulas.
    parts: FxHashMap<Vec<Term>, PartId>,
    /// The number of problems so far.
    count: u32,
}

impl<'t> Problems<'t> {
    /// A context without formulas. The limit of the tools is that of all problems.
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
            clausal: options.clausal,
            parts: FxHashMap::default(),
            count: 0,
        }
    }

    /// Tree interpolants for the nodes of a trace, but for its root. If the options say so, they
    /// are conjunctions of clauses if these are found within a limit.
    ///
    /// # Errors
    /// The trace is feasible, or this is not known, or there are no interpolants.
    pub(super) fn interpolants(
        &mut self,
        tools: &Tools<'_>,
        trace: &Trace,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let (tree, nodes) = formulas(tools, trace);
        let size: usize = nodes.iter().map(Vec::len).sum();
        let found = match size < LEAST_FORMULAS || nodes.len() > MOST_NODES {
            true => self.asked.tree_interpolants(&tree, &nodes),
            false => self.of_shared(&tree, &nodes),
        }?;
        if !self.clausal || found.iter().all(|&f| are_clauses(tools.terms, f)) {
            return Ok(found);
        }
        let patience = tools.limit.share(PATIENCE_PARTS, PATIENCE);
        let clauses = self.asked.clausal(&patience, &tree, &nodes, &found)?;
        Ok(clauses.unwrap_or(found))
    }

    /// The same in the context, which is made anew if it is used up.
    fn of_shared(
        &mut self,
        tree: &PartTree,
        nodes: &[Vec<Term>],
    ) -> Result<Vec<Term>, NoInterpolants> {
        if self.count >= MOST_PROBLEMS || self.parts.len() > MOST_PARTS * nodes.len() {
            self.context = self.asked.problem();
            self.parts.clear();
            self.count = 0;
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
        let found = self.context.interpolants(about, tree, &parts);
        let is_mixed =
            matches!(found, Err(NoInterpolants::Mixed)) || self.context.had_quantifiers();
        if is_mixed && self.count > 1 {
            // What was learned for other problems makes interpolants worse than they need be, or
            // there are none.
            self.count = MOST_PROBLEMS;
            return self.asked.tree_interpolants(tree, nodes);
        }
        found
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

/// Is a formula a conjunction of clauses?
fn are_clauses(t: &Terms, formula: Term) -> bool {
    let is_literal = |&f: &Term| t.is_atom(t.as_not(f).unwrap_or(f));
    let is_clause = |conjunct: Term| match t.op(conjunct) {
        Op::Or => t.args(conjunct).iter().all(is_literal),
        _ => is_literal(&conjunct),
    };
    t.conjuncts(formula).into_iter().all(is_clause)
}

/// The tree of a trace, and what each node says.
fn formulas(tools: &Tools<'_>, trace: &Trace) -> (PartTree, Vec<Vec<Term>>) {
    let tree = PartTree::new(trace.parents()).expect("a node comes after its premises");
    let of_node = |node: usize| {
        let mut formulas = trace.nodes[node].conjuncts.clone();
        formulas.extend(trace.links(tools.terms, node));
        formulas
    };
    let nodes = (0..trace.nodes.len()).map(of_node).collect();
    (tree, nodes)
}

#[cfg(test)]
mod tests {
    use super::super::perfect::is_inductive;
    use super::super::{Premise, TraceNode};
    use super::*;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::term::Sort;

    /// A step of one premise, or of none.
    fn node(conjunct: Term, args: Vec<Term>, premise: Option<(usize, Term)>) -> TraceNode {
        let premise = premise.map(|(node, arg)| Premise {
            node,
            args: vec![arg],
        });
        TraceNode {
            clause: None,
            pred: None,
            conjuncts: vec![conjunct],
            known: Term::TRUE,
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
            let (tree, nodes) = formulas(&tools, &trace);
            match problems.of_shared(&tree, &nodes) {
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
        let (tree, nodes) = formulas(&tools, &trace);
        let found = problems.of_shared(&tree, &nodes);
        let mut found = found.expect("a contradiction");
        found.push(Term::FALSE);
        assert!(is_inductive(&tools, &trace, &found));
    }
}
