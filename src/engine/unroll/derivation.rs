//! Refutations, put together from the root down.

use crate::chc::{ClauseId, Fact, FactId, Refutation};
use crate::term::Value;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// How a state is derived: an instance of a clause, and the states that are its premises.
pub(crate) struct Derived<K> {
    /// The clause.
    pub(crate) clause: ClauseId,
    /// The values of its variables.
    pub(crate) values: Vec<Value>,
    /// For each atom of its body, in order, the state that it is about.
    pub(crate) premises: Vec<K>,
}

/// The derivation of a state. `derive` says of each state how it is derived; it is asked once for
/// each, and states that occur more than once are shared. A state must not be among what it is
/// derived from.
///
/// # Errors
/// What `derive` fails with.
pub(crate) fn refutation<K: Clone + Eq + Hash, E>(
    root: K,
    mut derive: impl FnMut(&K) -> Result<Derived<K>, E>,
) -> Result<Refutation, E> {
    let mut refutation = Refutation::default();
    let mut done: FxHashMap<K, FactId> = FxHashMap::default();
    let first = derive(&root)?;
    let mut stack = vec![(root, first)];
    while let Some((_, top)) = stack.last() {
        let missing = top.premises.iter().find(|p| !done.contains_key(*p));
        if let Some(missing) = missing.cloned() {
            let derived = derive(&missing)?;
            stack.push((missing, derived));
            continue;
        }
        let (state, derived) = stack.pop().expect("just looked at");
        let id = FactId(u32::try_from(refutation.facts.len()).expect("few facts"));
        let premises = derived.premises.iter().map(|p| done[p]).collect();
        let fact = Fact::new(derived.clause, derived.values, premises);
        refutation.facts.push(fact);
        done.insert(state, id);
    }
    Ok(refutation)
}
