//! Inductive assertions along a derivation that has no values.
//!
//! The steps of a derivation without values contradict each other.
//! [`refinement`](crate::refinement) finds assertions, one for each step, over the arguments of
//! what it derives. The constraint of a step and the assertions of its premises imply its own
//! assertion. The root's assertion is `false`.
//!
//! A step that is used more than once is copied, so that the derivation becomes a tree. The
//! assertion of a step is the conjunction of the assertions of its copies. These are inductive,
//! too: the assertions of a copy's premises imply the copy's assertion.

use super::skeleton::{InstanceId, Instances};
use crate::chc::{FactId, Interpretation, PredId, Skeleton, Step, System, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::refinement::{Options, Premise, Refined, Refiner, Tally, Trace, TraceNode};
use crate::term::Term;

/// A derivation is given up if it needs more copies of steps than this. The value was not tuned.
const MOST_COPIES: usize = 10_000;

/// For each step of a derivation from the system's clauses that has no values, an assertion about
/// what the step derives; `None` if the derivation has values. The options say where assertions
/// come from, and which ones.
///
/// # Errors
/// No source has assertions, or a solver does not answer within the limit, or the derivation would
/// become a tree of more than 10000 steps.
pub fn inductive_assertions(
    context: &Context<'_>,
    system: &System,
    skeleton: &Skeleton,
    options: &Options,
) -> Result<Option<Vec<Interpretation>>, UnknownReason> {
    let rules = RuleSystem::new(context.terms, system);
    let refiner = Refiner::new(system, options.clone());
    let mut assertions = Assertions::new(context, &rules, refiner);
    let found = match assertions.along(&Derivation::of_false(skeleton.steps()))? {
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
    /// What is known of the conclusions of the steps, over the parameters of their predicates: each
    /// step and what is known of its premises imply it.
    pub(crate) known: Vec<Term>,
    /// What is to be shown of the last step, which is not given.
    pub(crate) conclusion: Term,
}

impl<'a> Derivation<'a> {
    /// A derivation of `false`, from the facts on.
    pub(crate) fn of_false(steps: &'a [Step]) -> Self {
        Derivation {
            steps,
            given: vec![None; steps.len()],
            known: vec![Term::TRUE; steps.len()],
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

/// Finds assertions along derivations by the rules of one system.
pub(crate) struct Assertions<'a, 't> {
    context: &'a Context<'t>,
    rules: &'a RuleSystem,
    refiner: Refiner<'a, 't>,
    instances: Instances<'t>,
}

impl<'a, 't> Assertions<'a, 't> {
    /// The refiner says where assertions come from.
    pub(crate) fn new(
        context: &'a Context<'t>,
        rules: &'a RuleSystem,
        refiner: Refiner<'a, 't>,
    ) -> Self {
        Assertions {
            context,
            rules,
            refiner,
            instances: Instances::new(context.terms),
        }
    }

    /// What has been refined so far.
    pub(crate) fn tally(&self) -> Tally {
        self.refiner.tally()
    }

    /// Assertions along a derivation by which its last step has the wanted conclusion; see
    /// [`inductive_assertions`].
    ///
    /// # Errors
    /// As [`inductive_assertions`].
    pub(crate) fn along(&mut self, derivation: &Derivation<'_>) -> Result<Along, UnknownReason> {
        let (t, rules) = (self.context.terms, self.rules);
        let unfolded = unfold(derivation)?;
        let instances = self.instances.of(rules, &unfolded.steps);
        let trace = self.trace(derivation, &unfolded, &instances);
        let found = match self.refiner.refine(self.context, &trace)? {
            Refined::Assertions(found) => found,
            Refined::Feasible => return Ok(Along::Feasible(unfolded.steps)),
        };
        let mut parts: Vec<Vec<Term>> = vec![Vec::new(); derivation.steps.len()];
        let (&root, others) = unfolded
            .original
            .split_last()
            .expect("a derivation has a root");
        for ((&original, &formula), &id) in others.iter().zip(&found).zip(&instances) {
            let instance = self.instances.get(id);
            let params = &rules.params[rules.rule(instance.rule).head.index()];
            parts[original].push(instance.concluded(t, formula, params));
        }
        parts[root].push(derivation.conclusion);
        let assertions = parts.into_iter().map(|parts| t.and(parts));
        Ok(Along::Assertions(assertions.collect()))
    }

    /// The derivation as formulas. Its root says that the conclusion does not hold.
    fn trace(
        &mut self,
        derivation: &Derivation<'_>,
        unfolded: &Unfolded,
        instances: &[InstanceId],
    ) -> Trace {
        let (t, rules) = (self.context.terms, self.rules);
        let mut nodes = Vec::with_capacity(unfolded.steps.len());
        for (copy, &id) in instances.iter().enumerate() {
            let step = &unfolded.steps[copy];
            let instance = self.instances.get_mut(id);
            let head = rules.rule(instance.rule).head;
            let given = derivation.given[unfolded.original[copy]];
            let mut conjuncts = match given {
                None => instance.constraint(t, rules).to_vec(),
                Some(given) => t.conjuncts(instance.said(given)),
            };
            if copy + 1 == unfolded.steps.len() {
                let violated = instance.said(t.not(derivation.conclusion));
                conjuncts.extend(t.conjuncts(violated));
            }
            if !step.premises.is_empty() {
                conjuncts.extend(instance.equations());
            }
            let premise = |(premise, args): (&FactId, &Vec<Term>)| Premise {
                node: premise.index(),
                args: args.clone(),
            };
            let premises = step.premises.iter().zip(instance.premises());
            let premises = premises.map(premise).collect();
            let whole = t.and(conjuncts);
            let known = instance.said(derivation.known[unfolded.original[copy]]);
            nodes.push(TraceNode {
                known,
                clause: given.is_none().then_some(step.clause),
                pred: predicate(rules, head),
                conjuncts: t.conjuncts(whole),
                args: instance.head().to_vec(),
                premises,
            });
        }
        Trace { nodes }
    }
}

/// A predicate of the system; `None` for the one that stands for `false`.
fn predicate(rules: &RuleSystem, pred: PredId) -> Option<PredId> {
    (pred != rules.goal).then_some(pred)
}

/// A derivation in which no step is used more than once.
struct Unfolded {
    steps: Vec<Step>,
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
    for (copy, &(_, user)) in copies.iter().enumerate() {
        if let Some((user, place)) = user {
            let number = u32::try_from(copy).expect("no more than the most copies");
            unfolded[last - user].premises[place] = FactId(number);
        }
    }
    Ok(Unfolded {
        steps: unfolded,
        original: copies.into_iter().map(|(step, _)| step).collect(),
    })
}
