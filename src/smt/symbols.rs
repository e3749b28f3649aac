//! The symbols that interpolants may have.

use super::PartTree;
use crate::term::{FuncId, Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A constant or a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symbol {
    Variable(Term),
    Function(FuncId),
}

/// The distinct symbols of formulas.
pub(crate) struct Symbols(FxHashSet<Symbol>);

impl Symbols {
    /// Those of these formulas.
    pub(crate) fn of(t: &Terms, formulas: &[Term]) -> Self {
        let symbol = |x| match t.op(x) {
            Op::Var(_) => Some(Symbol::Variable(x)),
            Op::Apply(func) => Some(Symbol::Function(func)),
            _ => None,
        };
        let all = t.post_order(formulas.iter().copied());
        Symbols(all.filter_map(symbol).collect())
    }
}

/// Has each interpolant, of all nodes but the root, only symbols that both its node's subtree and
/// the other nodes have? A node has the symbols of its parts.
pub(crate) fn only_shared(
    t: &Terms,
    tree: &PartTree,
    nodes: &[Vec<&Symbols>],
    interpolants: &[Term],
) -> bool {
    let mut nodes_with: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
    for (node, parts) in nodes.iter().enumerate() {
        for &symbol in parts.iter().flat_map(|part| &part.0) {
            nodes_with.entry(symbol).or_default().push(node);
        }
    }
    interpolants.iter().enumerate().all(|(node, &interpolant)| {
        let inside = tree.subtree(node);
        Symbols::of(t, &[interpolant]).0.iter().all(|symbol| {
            let nodes = nodes_with.get(symbol).map_or(&[][..], |nodes| nodes);
            nodes.iter().any(|&n| inside[n]) && nodes.iter().any(|&n| !inside[n])
        })
    })
}
