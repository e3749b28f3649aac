//! Infeasible sliced prefixes of a derivation: Algorithm 3 of \[BLW15\].
//!
//! ```text
//! the paper                                   here
//! a path is a sequence of operations          conjuncts of nodes, node by node, children first
//! σ_f := ⟨⟩                                    nothing is dropped
//! for each operation op of σ:
//!   if σ_f ∧ op is contradictory:              the shortest contradictory prefix is found by
//!     Σ := Σ ∪ {σ_f ∧ op}                      bisection; it is an infeasible sliced prefix
//!     σ_f := σ_f ∧ [true]                      its last conjunct is dropped
//!   else:  σ_f := σ_f ∧ op                     until the rest of the derivation is feasible
//! ```
//!
//! Assignments never contradict what comes before them. So the conjuncts that define a variable of
//! their step come first in it, and others are dropped in their place.
//!
//! HORN: the conjuncts before a contradictory one are those of a forest. Only the derivation of the
//! node with that conjunct shares variables with it, so this is the infeasible part.
//!
//! DIVERGENCE: no more than 20 prefixes are found, the first ones.

use super::infeasible::{Conjuncts, Place};
use super::trace::{Part, Trace, TraceNode};
use crate::logic::LinearLiteral;
use crate::smt::Failure;
use crate::term::{Op, Sort, Term, TermSet, Terms};
use crate::transform::Tools;
use rustc_hash::FxHashSet;

/// The most prefixes of a derivation. The value was not tuned.
const MOST_PREFIXES: usize = 20;

/// The infeasible sliced prefixes of a trace as traces, the shortest first; none if it is feasible.
/// At most `most` of them are found.
///
/// # Errors
/// A solver does not answer.
pub(super) fn sliced_prefixes(
    tools: &Tools<'_>,
    trace: &Trace,
    most: usize,
) -> Result<Vec<Part>, Failure> {
    let mut search = Search {
        solver: Conjuncts::new(tools, trace),
        order: order(tools.terms, trace),
        dropped: FxHashSet::default(),
    };
    let mut prefixes = Vec::new();
    let mut feasible = 0;
    while prefixes.len() < most.min(MOST_PREFIXES) {
        let Some(last) = search.contradictory(feasible)? else {
            break;
        };
        let places: FxHashSet<Place> = search.kept(last + 1).into_iter().collect();
        let (node, _) = search.order[last];
        prefixes.push(trace.part(node, |node, at| places.contains(&(node, at))));
        search.dropped.insert(search.order[last]);
        feasible = last + 1;
    }
    Ok(prefixes)
}

/// A run of the algorithm.
struct Search<'a, 't> {
    solver: Conjuncts<'a, 't>,
    /// All conjuncts.
    order: Vec<Place>,
    /// The ones that became no-ops.
    dropped: FxHashSet<Place>,
}

impl Search<'_, '_> {
    /// The first conjuncts in order, as many as that, without the dropped ones.
    fn kept(&self, length: usize) -> Vec<Place> {
        let places = self.order[..length].iter().copied();
        places
            .filter(|place| !self.dropped.contains(place))
            .collect()
    }

    /// The position of the first conjunct that contradicts those before it; `None` if there is
    /// none. The first `feasible` ones do not.
    fn contradictory(&mut self, feasible: usize) -> Result<Option<usize>, Failure> {
        let Some(last) = self.last_of_core(self.order.len())? else {
            return Ok(None);
        };
        // Invariant: the conjuncts up to `high` are contradictory, those before `low` are not.
        let (mut low, mut high) = (feasible, last);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.last_of_core(middle + 1)? {
                Some(last) => high = last,
                None => low = middle + 1,
            }
        }
        Ok(Some(high))
    }

    /// The position of the last conjunct of a core of the first ones; `None` if they can be true.
    fn last_of_core(&mut self, length: usize) -> Result<Option<usize>, Failure> {
        let kept = self.kept(length);
        let Some(core) = self.solver.core(&kept)? else {
            return Ok(None);
        };
        let core: TermSet = core.into_iter().collect();
        let in_core = |place: &Place| {
            !self.dropped.contains(place) && core.contains(&self.solver.formula(*place))
        };
        let last = self.order[..length].iter().rposition(in_core);
        let why = "a core has no conjunct of the derivation";
        last.map(Some)
            .ok_or_else(|| Failure::Incomplete(why.to_owned()))
    }
}

/// The conjuncts node by node, in each node definitions first.
fn order(t: &Terms, trace: &Trace) -> Vec<Place> {
    let mut order = Vec::new();
    for (number, node) in trace.nodes.iter().enumerate() {
        let is_definition = definitions(t, node);
        for wanted in [true, false] {
            let places = is_definition.iter().enumerate();
            let here = places.filter(|&(_, &is)| is == wanted);
            order.extend(here.map(|(at, _)| (number, at)));
        }
    }
    order
}

/// Which conjuncts of a node are assignments: equations for a variable that no premise and no
/// earlier equation determines.
fn definitions(t: &Terms, node: &TraceNode) -> Vec<bool> {
    let premises = node.premises.iter();
    let mut known: TermSet = premises.flat_map(|p| p.args.iter().copied()).collect();
    let mut is_definition = |&conjunct: &Term| match defined(t, conjunct, &known) {
        Some(_) => {
            known.extend(t.vars([conjunct]));
            true
        }
        None => false,
    };
    node.conjuncts.iter().map(&mut is_definition).collect()
}

/// A variable that is not known and that an equation determines.
fn defined(t: &Terms, equation: Term, known: &TermSet) -> Option<Term> {
    let (Op::Eq, &[x, y]) = (t.op(equation), t.args(equation)) else {
        return None;
    };
    let is_free = |x: Term, value: Term| {
        t.is_var(x) && !known.contains(&x) && !t.any_subterm(value, |s| s == x)
    };
    let sides = [(x, y), (y, x)].into_iter();
    sides
        .filter(|&(x, y)| is_free(x, y))
        .map(|(x, _)| x)
        .next()
        .or_else(|| {
            let sum = LinearLiteral::of_term(t, equation)?.sum;
            let others = |x: Term| sum.terms.iter().filter(move |&&(y, _)| y != x);
            let mut terms = sum.terms.iter();
            let found = terms.find(|&&(x, ref c)| {
                (c.abs().is_one() || t.sort_of(x) == Sort::REAL)
                    && others(x).all(|&(y, _)| is_free(x, y))
                    && is_free(x, Term::TRUE)
            });
            found.map(|&(x, _)| x)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refinement::trace::Premise;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};

    /// An operation on one of the variables `x`, `y` and `z`.
    #[derive(Clone, Copy)]
    enum Operation {
        Assign(usize, i64),
        Equals(usize, i64),
        Exceeds(usize, i64),
    }
    use Operation::{Assign, Equals, Exceeds};

    /// A path of a program: each operation is a step.
    fn path(t: &Terms, operations: &[Operation]) -> Trace {
        let mut nodes: Vec<TraceNode> = Vec::new();
        for (number, &operation) in operations.iter().enumerate() {
            let before: Vec<Term> = (0..3).map(|_| t.fresh_var("x", Sort::INT)).collect();
            let mut after = before.clone();
            let conjunct = match operation {
                Assign(x, value) => {
                    after[x] = t.fresh_var("x", Sort::INT);
                    t.eq(after[x], t.int(value))
                }
                Equals(x, value) => t.eq(before[x], t.int(value)),
                Exceeds(x, value) => t.gt(before[x], t.int(value)),
            };
            let premise = |node: usize| Premise { node, args: before };
            nodes.push(TraceNode {
                clause: None,
                pred: None,
                conjuncts: vec![conjunct],
                known: Term::TRUE,
                args: after,
                premises: number.checked_sub(1).map(premise).into_iter().collect(),
            });
        }
        Trace { nodes }
    }

    /// Checks the prefixes: their last operations, and which operations before these are no-ops.
    #[track_caller]
    fn check(operations: &[Operation], expected: &[(usize, &[usize])]) {
        let t = Terms::new();
        let trace = path(&t, operations);
        let backend = Backend::native(NativeOptions::for_engines());
        let tools = Tools::new(&t, &backend, Limit::none());
        let found = sliced_prefixes(&tools, &trace, usize::MAX).expect("an answer");
        let read = |part: &Part| {
            let nodes = part.nodes.iter().zip(&part.trace.nodes);
            let no_ops = nodes.filter(|(_, node)| node.conjuncts.is_empty());
            let no_ops: Vec<usize> = no_ops.map(|(&number, _)| number).collect();
            (part.nodes.len() - 1, no_ops)
        };
        let found: Vec<(usize, Vec<usize>)> = found.iter().map(read).collect();
        let expected = expected
            .iter()
            .map(|&(last, no_ops)| (last, no_ops.to_vec()));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }

    /// Fig. 4 of the paper: a path with three contradictory assume operations has three infeasible
    /// sliced prefixes. In each of them the contradictory operations before its last are no-ops.
    #[test]
    fn the_prefixes_are_those_of_the_figure() {
        let figure = [
            Assign(0, 0),
            Assign(1, 0),
            Equals(0, 1),
            Assign(2, 5),
            Equals(1, 2),
            Exceeds(2, 0),
            Equals(2, 6),
        ];
        check(&figure, &[(2, &[]), (4, &[2]), (6, &[2, 4])]);
        // What contradicts only an operation that became a no-op is feasible.
        let dependent = [Assign(0, 0), Equals(0, 1), Exceeds(0, -1), Exceeds(0, 0)];
        check(&dependent, &[(1, &[]), (3, &[1])]);
        check(&[Assign(0, 0), Exceeds(0, -1)], &[]);
        check(&[Assign(0, 0), Assign(0, 1), Equals(0, 0)], &[(2, &[])]);
    }
}
