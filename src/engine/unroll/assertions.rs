//! Inductive assertions along a derivation that has no values.
//!
//! The steps of a derivation without values contradict each other. Tree interpolants between them
//! are assertions, one for each step, over the arguments of what it derives. The constraint of a
//! step and the assertions of its premises imply its own assertion. The root's assertion is
//! `false`.
//!
//! A step that is used more than once is copied, so that the derivation becomes a tree. The
//! assertion of a step is the conjunction of the assertions of its copies. These are inductive,
//! too: the assertions of a copy's premises imply the copy's assertion.

use super::skeleton::instances;
use crate::chc::{FactId, Interpretation, Skeleton, Step, System, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::logic::interpolate::Interpolation;
use crate::smt::{InterpolationOptions, NoInterpolants, PartTree};
use crate::term::Term;

/// A derivation is given up if it needs more copies of steps than this. The value was not tuned.
const MOST_COPIES: usize = 10_000;

/// For each step of a derivation from the system's clauses that has no values, an assertion about
/// what the step derives; `None` if the derivation has values. The options say who finds the
/// interpolants, and which ones.
///
/// # Errors
/// The contradiction has no interpolants, or the solver does not find them within the limit, or the
/// derivation would become a tree of more than 10000 steps.
pub fn inductive_assertions(
    context: &Context<'_>,
    system: &System,
    skeleton: &Skeleton,
    options: &InterpolationOptions,
) -> Result<Option<Vec<Interpretation>>, UnknownReason> {
    let rules = RuleSystem::new(context.terms, system);
    let derivation = Derivation::of_false(skeleton.steps());
    let found = match assertions_along(context, &rules, &derivation, options)? {
        Along::Assertions(found) => found,
        Along::Feasible(_) => return Ok(None),
    };
    let assertion = |(step, body): (&Step, Term)| {
        let head = system.clause(step.clause).head.as_ref();
        Interpretation {
            params: head.map_or(Vec::new(), |head| rules.params[head.pred.index()].clone()),
            body,
        }
    };
    let steps = skeleton.steps().iter();
    Ok(Some(steps.zip(found).map(assertion).collect()))
}

/// A derivation, and what is wanted of it.
pub(crate) struct Derivation<'a> {
    /// The steps, premises first.
    pub(crate) steps: &'a [Step],
    /// For steps that are not looked into, what holds of their conclusions, over the parameters of
    /// their predicates; `None` for the others.
    pub(crate) given: Vec<Option<Term>>,
    /// What is to be shown of the last step, which is not given.
    pub(crate) conclusion: Term,
}

impl<'a> Derivation<'a> {
    /// A derivation of `false`, from the facts on.
    pub(crate) fn of_false(steps: &'a [Step]) -> Self {
        Derivation {
            steps,
            given: vec![None; steps.len()],
            conclusion: Term::FALSE,
        }
    }
}

/// What becomes of a derivation.
pub(crate) enum Along {
    /// For each step what holds of its conclusion, over the parameters of its predicate. The last
    /// assertion is the one that was to be shown.
    Assertions(Vec<Term>),
    /// The conclusion need not hold. These steps are the derivation as a tree, in which no step is
    /// used more than once. It has values, and the derivation itself may have none: a step that is
    /// used twice may need two conclusions.
    Feasible(Vec<Step>),
}

/// Assertions along a derivation by which its last step has the wanted conclusion; see
/// [`inductive_assertions`].
///
/// # Errors
/// As [`inductive_assertions`].
pub(crate) fn assertions_along(
    context: &Context<'_>,
    rules: &RuleSystem,
    derivation: &Derivation<'_>,
    options: &InterpolationOptions,
) -> Result<Along, UnknownReason> {
    let t = context.terms;
    let Unfolded {
        steps,
        parents,
        original,
    } = unfold(derivation)?;
    let tree = PartTree::new(parents).expect("a step comes after its premises");
    let mut instances = instances(t, rules, &steps);
    let last = steps.len() - 1;
    let mut nodes: Vec<Vec<Term>> = Vec::with_capacity(steps.len());
    for (copy, instance) in instances.iter_mut().enumerate() {
        let formula = match derivation.given[original[copy]] {
            Some(given) => given,
            None => rules.rule(instance.rule).constraint,
        };
        let mut node = vec![instance.said(formula)];
        if copy == last {
            node.push(instance.said(t.not(derivation.conclusion)));
        }
        node.extend(instance.links());
        nodes.push(node);
    }
    let interpolation = Interpolation {
        terms: t,
        backend: context.backend,
        limit: context.limit.clone(),
        name: "assertions along a derivation",
        options: *options,
    };
    let found = match interpolation.tree_interpolants(&tree, &nodes) {
        Ok(found) => found,
        Err(NoInterpolants::Satisfiable) => return Ok(Along::Feasible(steps)),
        Err(NoInterpolants::Unknown(failure)) => return Err(failure.into()),
        Err(error @ NoInterpolants::Mixed) => {
            return Err(UnknownReason::Incomplete(error.to_string()));
        }
    };
    let mut parts: Vec<Vec<Term>> = vec![Vec::new(); derivation.steps.len()];
    for (copy, &formula) in found.iter().enumerate() {
        let instance = &instances[copy];
        let params = &rules.params[rules.rule(instance.rule).head.index()];
        parts[original[copy]].push(instance.concluded(t, formula, params));
    }
    parts[original[last]].push(derivation.conclusion);
    let assertions = parts.into_iter().map(|parts| t.and(parts));
    Ok(Along::Assertions(assertions.collect()))
}

/// A derivation in which no step is used more than once.
struct Unfolded {
    steps: Vec<Step>,
    /// For each step but the last, the one that uses it.
    parents: Vec<usize>,
    /// For each step, the one that it is a copy of.
    original: Vec<usize>,
}

/// The copies of steps that the root needs.
fn unfold(derivation: &Derivation<'_>) -> Result<Unfolded, UnknownReason> {
    let steps = derivation.steps;
    // The root first: what a step is a copy of, what uses it, and as which premise.
    let mut copies: Vec<(usize, Option<(usize, usize)>)> = Vec::new();
    let mut open = vec![(steps.len() - 1, None)];
    while let Some((step, user)) = open.pop() {
        if copies.len() == MOST_COPIES {
            let why = format!("a derivation as a tree has more than {MOST_COPIES} steps");
            return Err(UnknownReason::Incomplete(why));
        }
        let here = copies.len();
        copies.push((step, user));
        if derivation.given[step].is_some() {
            continue;
        }
        let premises = steps[step].premises.iter().enumerate();
        open.extend(premises.map(|(place, premise)| (premise.index(), Some((here, place)))));
    }
    // The root last.
    let last = copies.len() - 1;
    copies.reverse();
    let copy = |&(step, _): &(usize, _)| match derivation.given[step] {
        None => steps[step].clone(),
        Some(_) => Step {
            clause: steps[step].clause,
            premises: Vec::new(),
        },
    };
    let mut unfolded: Vec<Step> = copies.iter().map(copy).collect();
    let mut parents = Vec::with_capacity(last);
    for (copy, &(_, user)) in copies.iter().enumerate() {
        if let Some((user, place)) = user {
            let number = u32::try_from(copy).expect("no more than the most copies");
            unfolded[last - user].premises[place] = FactId(number);
            parents.push(last - user);
        }
    }
    Ok(Unfolded {
        steps: unfolded,
        parents,
        original: copies.into_iter().map(|(step, _)| step).collect(),
    })
}
