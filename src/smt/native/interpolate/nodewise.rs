//! Weak interpolants of trees with branches: one cut after the other.
//!
//! The weak interpolants of one proof do not fit together there. Let two leaves both have the
//! symbols `x` and `y`, and let the proof use `x` of the one leaf, `y` of the other, and `¬x ∨ ¬y`
//! of the root. The interpolants are `y → x` and `x → y`, and the root allows that both symbols
//! are false.
//!
//! So each node has its own proof, from the leaves on, in which the interpolants that were found
//! before stand for their subtrees ([`Sides::new`]). Their existential variables are constants of
//! the side that they are on.

use super::Partitions;
use crate::smt::interpolation::{
    Interpolant, InterpolationOptions, NoInterpolants, PartId, PartTree, Sides,
};
use crate::smt::{Failure, Limit};
use crate::term::{Term, Terms};

/// Interpolants for all nodes of the tree but the root, in order. `nodes` has their formulas.
///
/// # Errors
/// As those of [`Partitions::interpolants`].
pub(super) fn interpolants(
    t: &Terms,
    options: &InterpolationOptions,
    tree: &PartTree,
    nodes: &[Vec<Term>],
    limit: &Limit,
) -> Result<Vec<Interpolant>, NoInterpolants> {
    // All parts have guards: a cut is made without what interpolants stand for.
    let mut cuts = Partitions::new(t, options);
    let add = |formulas: &Vec<Term>| Ok(vec![cuts.add(formulas)?]);
    let nodes: Vec<Vec<PartId>> = nodes.iter().map(add).collect::<Result<_, Failure>>()?;
    let (mut found, mut parts) = (Vec::new(), Vec::new());
    for node in 0..nodes.len() - 1 {
        let Sides { inside, outside } = Sides::new(tree, &nodes, &parts, node);
        let cut = cuts.interpolants(&PartTree::path(2), &[inside, outside], limit);
        let cut = cut.map_err(|why| match why {
            NoInterpolants::Satisfiable if node > 0 => {
                let why = "an interpolant does not stand for its subtree";
                Failure::Broken(why.to_owned()).into()
            }
            why => why,
        });
        let [interpolant] = <[_; 1]>::try_from(cut?).expect("two parts have one interpolant");
        parts.push(cuts.add(&[interpolant.formula])?);
        found.push(interpolant);
    }
    Ok(found)
}
