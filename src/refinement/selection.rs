//! The choice among the infeasible prefixes of a derivation: `ChooseSlicedPrefix` of Algorithm 4 of
//! \[BLW15\].

use super::domain_types::{DomainType, DomainTypes};
use super::trace::Trace;
use crate::term::{Term, TermMap, Terms};
use rustc_hash::FxHashSet;

/// How many arguments of each kind assertions speak of: loop counters, and others by their types,
/// the most difficult ones first. Less is better.
pub(super) fn domain_type_score(
    t: &Terms,
    trace: &Trace,
    assertions: &[Term],
    types: &DomainTypes,
) -> [usize; 5] {
    let mut spoken_of = FxHashSet::default();
    for (node, &assertion) in trace.nodes.iter().zip(assertions) {
        let Some(pred) = node.pred else { continue };
        let places = node.args.iter().copied().zip(0..);
        let places: TermMap<usize> = places.collect();
        let vars = t.vars([assertion]).into_iter();
        spoken_of.extend(vars.filter_map(|x| Some((pred, *places.get(&x)?))));
    }
    let mut score = [0; 5];
    for (pred, place) in spoken_of {
        let kind = match types.get(pred, place) {
            (_, true) => 0,
            (DomainType::Other, _) => 1,
            (DomainType::Addition, _) => 2,
            (DomainType::Equality, _) => 3,
            (DomainType::Boolean, _) => 4,
        };
        score[kind] += 1;
    }
    score
}

/// The number of steps between the root and the first step whose assertion says something. What was
/// derived from there on has to be derived again.
pub(super) fn redone(trace: &Trace, assertions: &[Term]) -> usize {
    let parents = trace.parents();
    let mut distance = vec![0; trace.nodes.len()];
    for node in (0..trace.root()).rev() {
        distance[node] = distance[parents[node]] + 1;
    }
    let says = |&(_, assertion): &(usize, &Term)| ![Term::TRUE, Term::FALSE].contains(assertion);
    let nodes = assertions.iter().enumerate().filter(says);
    nodes.map(|(node, _)| distance[node]).max().unwrap_or(0)
}

/// The number of terms in assertions, shared ones once.
pub(super) fn size(t: &Terms, assertions: &[Term]) -> usize {
    t.size(assertions.iter().copied())
}
