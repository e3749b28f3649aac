//! The contract of interpolation: what is asked, and what is answered.
//!
//! An interpolation problem is a tree of parts, each a conjunction of formulas, that contradict
//! each other. For every node but the root there is an interpolant: a formula that follows from the
//! parts of the node's subtree, contradicts the other parts, and has only symbols that both sides
//! have. A sequence of parts is the tree that is a path; two parts are the shortest one.
//!
//! The interpolants fit together: those of a node's children and the node's own part imply the
//! node's interpolant, and those of the root's children contradict the root's part.

use super::{Budget, Failure, Limit, SatResult};
use crate::term::Term;
use std::fmt::Arguments;

/// Which interpolants are wanted: a proof gives more than one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// McMillan's \[McM05\]: near to what the subtree says.
    #[default]
    Strong,
    /// Its dual: near to the negation of what the others say. In a tree with branches those of one
    /// proof would not fit together. There they are found node by node, the leaves first: the
    /// others say what the interpolants say that were found before.
    Weak,
}

/// Who finds interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InterpolationSource {
    /// The embedded core, from its proofs.
    #[default]
    Core,
    /// The external solver, by its command `get-interpolant`. What it prints is believed only if a
    /// solver confirms that it is an interpolant.
    External,
    /// The core, and the external solver where the core finds a contradiction without interpolants,
    /// gives up, or does not decide the formulas.
    Both,
}

/// How to interpolate.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterpolationOptions {
    /// Who finds interpolants.
    pub source: InterpolationSource,
    /// Which interpolants are wanted.
    pub strength: Strength,
    /// Decompose sums of inequalities where their parts are independent \[BHKS19\]: into
    /// conjunctions if the interpolants are strong, into disjunctions if they are weak. (Those of
    /// the core only.)
    pub decompose: bool,
    /// When the core's search for the proof gives up.
    pub budget: Budget,
}

/// An interpolant, perhaps with a quantifier: `∃ quantified. formula`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interpolant {
    /// The formula: inequalities that have quantified variables are neither negated nor in
    /// conditions.
    pub formula: Term,
    /// New numbers that the formula speaks of. The proof compared sums of symbols of both sides;
    /// these are the values of one side's terms.
    pub quantified: Vec<Term>,
}

/// Why there are no interpolants.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoInterpolants {
    /// The parts do not contradict each other.
    #[error("the formulas can be true together")]
    Satisfiable,
    /// Whether they do is not known, or the limit was reached before the interpolants were found.
    #[error(transparent)]
    Unknown(#[from] Failure),
    /// The proof compares arrays, bit-vectors or products of the two sides in a way that cannot be
    /// divided between them.
    #[error("the proof compares terms of the two sides")]
    Mixed,
}

/// The answer to the question whether the parts of a problem can be true together.
pub(super) fn outcome(found: &Result<Vec<Interpolant>, NoInterpolants>) -> SatResult {
    match found {
        Ok(_) | Err(NoInterpolants::Mixed) => SatResult::Unsat,
        Err(NoInterpolants::Satisfiable) => SatResult::Sat,
        Err(NoInterpolants::Unknown(failure)) => SatResult::Unknown(failure.clone()),
    }
}

/// How the parts of an interpolation problem are arranged. Nodes are numbered so that each comes
/// before its parent; the last is the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartTree {
    /// The parent of each node except the root.
    parents: Vec<usize>,
}

impl PartTree {
    /// The tree in which these are the parents of all nodes but the root, in order; `None` if a
    /// parent does not come after its child, or is not there.
    pub fn new(parents: Vec<usize>) -> Option<PartTree> {
        let root = parents.len();
        let in_order = |(node, &parent): (usize, &usize)| node < parent && parent <= root;
        parents
            .iter()
            .enumerate()
            .all(in_order)
            .then_some(PartTree { parents })
    }

    /// The path with this number of nodes, at least one.
    pub fn path(nodes: usize) -> PartTree {
        PartTree {
            parents: (1..nodes).collect(),
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.parents.len() + 1
    }

    /// The parent of a node, `None` for the root.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents.get(node).copied()
    }

    /// The nodes whose parent this is.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        (0..node).filter(move |&child| self.parents[child] == node)
    }

    /// Does every node have one child at most?
    pub fn is_path(&self) -> bool {
        (1..).zip(&self.parents).all(|(next, &p)| next == p)
    }

    /// For each node: is it in the subtree of `node`?
    pub fn subtree(&self, node: usize) -> Vec<bool> {
        let mut inside = vec![false; self.nodes()];
        inside[node] = true;
        for below in (0..node).rev() {
            inside[below] = inside[self.parents[below]];
        }
        inside
    }
}

/// What is inside of a node's subtree and what is outside of it, where interpolants of a tree are
/// found one after the other.
pub(super) struct Sides<T> {
    pub(super) inside: Vec<T>,
    pub(super) outside: Vec<T>,
}

impl<T: Copy> Sides<T> {
    /// The two sides of a node. `found` has the interpolants of the nodes before this one.
    ///
    /// Let the *front* be the nodes that have interpolants and whose parents have none. The
    /// interpolants of the front together with the nodes that have none contradict each other, at
    /// the beginning by assumption. So a node and its children's interpolants contradict the rest
    /// of these, and an interpolant between the two takes their place in the contradiction. In the
    /// end the interpolants of the root's children contradict the root.
    pub(super) fn new(tree: &PartTree, nodes: &[Vec<T>], found: &[T], node: usize) -> Self {
        let (mut inside, mut outside) = (nodes[node].clone(), Vec::new());
        for (before, &interpolant) in found.iter().enumerate() {
            match tree.parent(before) {
                Some(parent) if parent == node => inside.push(interpolant),
                Some(parent) if parent > node => outside.push(interpolant),
                _ => {}
            }
        }
        outside.extend(nodes[node + 1..].iter().flatten());
        Sides { inside, outside }
    }
}

/// A part that an [`Interpolator`] was given, by its number in the order of adding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PartId(pub(super) u32);

impl PartId {
    /// Its number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A context for interpolation problems that share parts, over the terms of one store.
pub trait Interpolator {
    /// Adds a part, which holds in the problems that it is in.
    ///
    /// # Errors
    /// The solver does not decide one of the formulas; then no part is added.
    fn add(&mut self, formulas: &[Term]) -> Result<PartId, Failure>;

    /// Adds a part that is in every problem from now on. This may make problems easier.
    ///
    /// # Errors
    /// As those of [`Interpolator::add`].
    fn add_for_good(&mut self, formulas: &[Term]) -> Result<PartId, Failure>;

    /// Interpolants for all nodes of the tree but the root, in order. Each node is the conjunction
    /// of its parts. Every part that was added for good is in a node, and no part is in two.
    ///
    /// `about` says in a sentence which formula of the algorithm is decided; it goes into traces.
    ///
    /// # Errors
    /// The nodes do not contradict each other, or this is not known, or no interpolants are found.
    fn interpolants(
        &mut self,
        about: Arguments<'_>,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
    ) -> Result<Vec<Interpolant>, NoInterpolants>;

    /// From now on every problem ends within this limit.
    fn set_limit(&mut self, limit: Limit);
}

#[cfg(test)]
mod tests {
    use super::PartTree;

    #[test]
    fn parents_come_after_their_children() {
        assert_eq!(PartTree::new(vec![1, 1]), None);
        assert_eq!(PartTree::new(vec![3]), None);
        assert_eq!(PartTree::new(vec![1, 2]), Some(PartTree::path(3)));
        let tree = PartTree::new(vec![2, 2, 4, 4]).expect("a tree");
        assert!(!tree.is_path() && PartTree::path(1).is_path());
        assert_eq!(tree.nodes(), 5);
        assert_eq!(tree.children(2).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(tree.children(4).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(tree.subtree(2), [true, true, true, false, false]);
        assert_eq!(tree.subtree(3), [false, false, false, true, false]);
        assert_eq!((tree.parent(2), tree.parent(4)), (Some(4), None));
    }
}
