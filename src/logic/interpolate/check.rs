//! Are interpolants right?

use crate::smt::{Backend, Failure, Limit, PartTree, SatResult, Symbols, only_shared};
use crate::term::{Term, Terms};

/// Are these interpolants of a tree whose nodes have these formulas, one for each node but the
/// root? Each node's formulas and its children's interpolants must imply the node's own, or be
/// contradictory at the root, and no interpolant may have symbols that are not shared. By induction
/// over the tree each then follows from its subtree and contradicts what is outside of it.
///
/// # Errors
/// A solver does not decide one of the questions.
pub fn check(
    t: &Terms,
    backend: &Backend,
    limit: &Limit,
    tree: &PartTree,
    nodes: &[Vec<Term>],
    interpolants: &[Term],
) -> Result<bool, Failure> {
    let symbols: Vec<Symbols> = nodes.iter().map(|node| Symbols::of(t, node)).collect();
    let symbols: Vec<Vec<&Symbols>> = symbols.iter().map(|node| vec![node]).collect();
    if interpolants.len() + 1 != nodes.len() || !only_shared(t, tree, &symbols, interpolants) {
        return Ok(false);
    }
    for (node, formulas) in nodes.iter().enumerate() {
        let mut solver = backend.solver(t, "interpolants");
        solver.set_limit(limit.clone());
        formulas.iter().for_each(|&f| solver.assert(f));
        tree.children(node)
            .for_each(|child| solver.assert(interpolants[child]));
        if let Some(&own) = interpolants.get(node) {
            solver.assert(t.not(own));
        }
        // ⋀ children's interpolants ∧ own formulas ∧ ¬ own interpolant
        match solver.check(format_args!("does node {node} fit to its children"), &[]) {
            SatResult::Unsat => {}
            SatResult::Sat => return Ok(false),
            SatResult::Unknown(failure) => return Err(failure),
        }
    }
    Ok(true)
}
