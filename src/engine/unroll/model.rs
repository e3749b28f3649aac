//! Models from unrollings in which `false` has no derivation of any height.
//!
//! Backwards, the formulas of all nodes contradict each other, although the last layer has
//! premises of any values. The nodes of one place are alternatives, and a *part* is the
//! formulas of one place. The parts form a tree, because the premises of a place's nodes are in
//! places that belong to it alone. The tree interpolant `I` of a place speaks of the activation
//! literals and arguments of its nodes. Let `Iₙ` be `I` for a derivation that has the node `n` of
//! the place and no other: the literal of `n` is true, those of its alternatives are false. The
//! model is
//!
//! ```text
//! M(p) = ⋀ Iₙ      for all nodes n of the predicate p
//! ```
//!
//! A rule for `p` is among the rules of each node `n` of `p`. So the part of the node's place and
//! the `I_c` of the premises' nodes `c` imply `Iₙ`, where the rule is used. Other places with
//! premises of alternatives have no node in the derivation. Their interpolants are true then,
//! because they follow from formulas that say nothing of it. So `M` satisfies all rules with a
//! head. The root's part contradicts the interpolants of its premises, so `M` satisfies the
//! queries.
//!
//! Parts may also have assumptions about the arguments of nodes. Then `M` is inductive where every
//! conclusion of a rule satisfies what is assumed of it, if the premises satisfy `M`. Who assumes
//! something shows that.
//!
//! Forwards, no path from a fact has as many steps as there are layers, and none leads to `false`.
//! The interpolants `I` of the sequence of layers say what is reached. Let `Iₙ` be as above. Every
//! layer that can be reached has a node, so the model is
//!
//! ```text
//! M(p) = ⋁ Iₙ      for all nodes n of the predicate p in layers before the last
//! ```
//!
//! One contradiction serves for `false` in all layers: `doneᵢ` says that it is in layer `i` or
//! before. The last part demands it, or any node of the last layer. In `Iₙ` it is false.
//!
//! DIVERGENCE: \[BCCZ99\] decides completeness by diameters, and \[BDW18\] by the forward condition
//! of unrolled loops; both give no certificate. These models are ours; the checker decides whether
//! they are any.

use super::layers::{NodeId, Place, Unrolling, UnrollingNode};
use crate::chc::{Model, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::logic::interpolate::Interpolation;
use crate::smt::{InterpolationOptions, NoInterpolants, PartTree};
use crate::term::{Sort, Term, TermSet, Terms};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A model from an unrolling backwards that has no derivation of `false`, even if premises of nodes
/// of the last layer are not derived: what is said of each predicate, over its parameters, by its
/// index. `assumed` is what a node's part says besides of what its rules mean.
///
/// # Errors
/// The contradiction has no interpolants, or they are not found within the limit.
pub(crate) fn inductive_formulas(
    context: &Context<'_>,
    unrolling: &Unrolling<'_, '_>,
    options: &InterpolationOptions,
    assumed: impl Fn(NodeId) -> Vec<Term>,
) -> Result<Vec<Term>, UnknownReason> {
    let (t, rules) = (context.terms, unrolling.rules());
    let mut places: FxHashMap<Place, Vec<NodeId>> = FxHashMap::default();
    for id in unrolling.nodes_from(0) {
        let place = unrolling.node(id).place();
        places.entry(place).or_default().push(id);
    }
    let mut order: Vec<Place> = places.keys().copied().collect();
    order.sort_unstable_by_key(|&(thread, distance)| (Reverse(distance), thread));
    let numbers = order.iter().enumerate().map(|(at, &place)| (place, at));
    let numbers: FxHashMap<Place, usize> = numbers.collect();
    let parents = order.iter().filter_map(|&place| unrolling.parent(place));
    let tree = PartTree::new(parents.map(|place| numbers[&place]).collect());
    let tree = tree.expect("premises are farther away from the root");
    let part = |place: &Place| {
        let mut part = Vec::new();
        for &id in &places[place] {
            part.extend(unrolling.formulas(id));
            part.extend(assumed(id));
        }
        part
    };
    let mut parts: Vec<Vec<Term>> = order.iter().map(part).collect();
    let root = parts.last_mut().expect("the root has a place");
    root.push(unrolling.node(unrolling.root()).on);
    let found = interpolants(context, options, &tree, &parts)?;
    let mut said: Vec<Vec<Term>> = vec![Vec::new(); rules.params.len()];
    for (place, &formula) in order.iter().zip(&found) {
        let nodes = || places[place].iter().map(|&id| unrolling.node(id));
        for node in nodes() {
            said[node.pred.index()].push(said_of(t, rules, formula, nodes(), node));
        }
    }
    Ok(said.into_iter().map(|said| t.and(said)).collect())
}

/// A model from an unrolling forwards that has no derivation of `false`, and no node in the last
/// layer has a derivation.
///
/// # Errors
/// As those of [`inductive_formulas`].
pub(crate) fn reachable_formulas(
    context: &Context<'_>,
    unrolling: &Unrolling<'_, '_>,
    options: &InterpolationOptions,
) -> Result<Vec<Term>, UnknownReason> {
    let (t, rules) = (context.terms, unrolling.rules());
    let last = unrolling.last();
    let nodes = |layer: usize| unrolling.layer(layer).iter().map(|&id| unrolling.node(id));
    let mut done = Vec::new();
    let mut parts = Vec::new();
    for layer in 0..=last {
        let here = unrolling.layer(layer).iter();
        let mut part: Vec<Term> = here.flat_map(|&id| unrolling.formulas(id)).collect();
        let ends = nodes(layer).filter(|node| node.pred == rules.goal);
        let ends = ends.map(|node| node.on).chain(done.last().copied());
        let now = t.fresh_var("done", Sort::BOOL);
        part.push(t.implies(now, t.or(ends)));
        done.push(now);
        parts.push(part);
    }
    let reached = nodes(last).map(|node| node.on).chain([done[last]]);
    parts[last].push(t.or(reached));
    let found = interpolants(context, options, &PartTree::path(last + 1), &parts)?;
    let mut said: Vec<Vec<Term>> = vec![Vec::new(); rules.params.len()];
    for (layer, &formula) in found.iter().enumerate() {
        let formula = t.substitute(formula, [(done[layer], Term::FALSE)]);
        for node in nodes(layer) {
            said[node.pred.index()].push(said_of(t, rules, formula, nodes(layer), node));
        }
    }
    Ok(said.into_iter().map(|said| t.or(said)).collect())
}

fn interpolants(
    context: &Context<'_>,
    options: &InterpolationOptions,
    tree: &PartTree,
    parts: &[Vec<Term>],
) -> Result<Vec<Term>, UnknownReason> {
    let interpolation = Interpolation {
        terms: context.terms,
        backend: context.backend,
        limit: context.limit.clone(),
        name: "interpolants of an unrolling",
        options: *options,
    };
    let found = interpolation.tree_interpolants(tree, parts);
    found.map_err(without_interpolants)
}

/// The reason of an engine that wants to make a model of interpolants, and has none.
pub(crate) fn without_interpolants(error: NoInterpolants) -> UnknownReason {
    match error {
        NoInterpolants::Unknown(failure) => failure.into(),
        NoInterpolants::Mixed | NoInterpolants::Satisfiable => no_model(&error.to_string()),
    }
}

/// The reason of an engine that shows that `false` has no derivation, and has no model to say so.
pub(crate) fn no_model(why: &str) -> UnknownReason {
    UnknownReason::Incomplete(format!(
        "false has no derivation, but no model was made: {why}"
    ))
}

/// A formula about the nodes of a place, for a derivation that has this one of them, over the
/// parameters of the node's predicate.
pub(crate) fn said_of<'a>(
    t: &Terms,
    rules: &RuleSystem,
    formula: Term,
    place: impl Iterator<Item = &'a UnrollingNode>,
    node: &UnrollingNode,
) -> Term {
    let params = &rules.params[node.pred.index()];
    let mut values = Vec::new();
    for other in place {
        let here = other.on == node.on;
        values.push((other.on, t.bool(here)));
        if here {
            values.extend(node.args.iter().copied().zip(params.iter().copied()));
        } else {
            // The formulas of nodes that are not part of the derivation do not constrain their
            // arguments, so an implied formula holds for any values.
            let default = |&x: &Term| Some((x, default_term(t, x)?));
            values.extend(other.args.iter().filter_map(default));
        }
    }
    t.substitute(formula, values)
}

/// Some value of the sort of a variable.
fn default_term(t: &Terms, x: Term) -> Option<Term> {
    let sort = t.sort_of(x);
    Some(t.value_term(&t.default_value(sort)?, sort))
}

/// The model, if its formulas contain no variables other than parameters.
///
/// # Errors
/// They contain others.
pub(crate) fn closed(t: &Terms, model: Model) -> Result<Model, UnknownReason> {
    let closed = model.interpretations.iter().all(|said| {
        let params: TermSet = said.params.iter().copied().collect();
        t.vars([said.body]).iter().all(|v| params.contains(v))
    });
    match closed {
        true => Ok(model),
        false => Err(no_model("a variable of a sort without values remains")),
    }
}
