//! Arrays: weak equivalence \[CH15\].
//!
//! Two arrays are *weakly equivalent* if stores lead from one to the other: they differ at finitely
//! many indices. They are weakly equivalent *modulo* an index if they are so by stores to other
//! indices; then they have the same element there. So a read is compared with the other reads of
//! arrays that are weakly equivalent modulo its index. If their elements differ, there is a lemma:
//! the index is stored to on the way, or the elements are equal. Long ways need no new terms. Where
//! it is known which indices are equal, the lemmas are added before values are compared.
//!
//! A store counts as a read of its element at its index, a constant array as a read of its element
//! at every index. Arrays that are to be different differ at a new constant, their *difference*:
//! `a = b ∨ a[d] ≠ b[d]`.
//!
//! A model has for each array the elements that are known of it, and elsewhere an element that all
//! weakly equivalent arrays share. DIVERGENCE from \[CH15\]: two arrays with the same elements that
//! are not known to be equal are left apart until a function or a disequality depends on it; then
//! it is decided whether they are equal. The paper has a second kind of lemmas for that.
//!
//! Between two constant arrays of a small index sort there may be stores to all indices. Then an
//! index that no term denotes gets one, at which they are compared.

mod graph;

use super::proof::{Justification, difference};
use super::search::Search;
use crate::term::Term;

pub(super) use graph::ArrayGraph;

/// Adds the differences of arrays that are to be different, as far as they are new; were there any?
pub(super) fn add_differences(search: &mut Search<'_>) -> bool {
    let t = search.t;
    let graph = &search.equality.graph;
    let pairs = graph.separations().iter();
    let pairs = pairs.map(|&(a, b, _)| (graph.term(a), graph.term(b)));
    let pairs = pairs.filter(|&(x, _)| t.array_parts(t.sort_of(x)).is_some());
    let new: Vec<(Term, Term)> = pairs
        .filter(|&(x, y)| !search.differences.contains(&(x.min(y), x.max(y))))
        .collect();
    for &(x, y) in &new {
        if !search.differences.insert((x.min(y), x.max(y))) {
            continue;
        }
        let index = difference(t, x, y);
        let same = t.eq(t.select(x, index), t.select(y, index));
        let mut encoding = search.encoding();
        let equal = encoding.equal(x, y);
        let same = encoding.literal(same, false);
        let rule = Justification::Extensionality(x, y);
        encoding.sat.add_clause(&[equal, !same], Some(equal), rule);
        encoding.finish();
    }
    !new.is_empty()
}
