//! A linear system as one transition system.
//!
//! The states of all predicates become states of one: a *location* says of which predicate, and
//! *slots* hold the arguments. Arguments of one sort share slots, in order; a slot that a predicate
//! does not use has a default value, so that a predicate's state is one state of the transition
//! system.
//!
//! ```text
//! Init(s)       ⋁ rule = k ∧ s = (p, args) ∧ φₖ
//!               for initial clauses k:  p(args) ← φₖ
//! Trans(s, s')  ⋁ rule = k ∧ s = (q, args) ∧ s' = (p, args') ∧ φₖ
//!               for clauses k:          p(args') ← q(args) ∧ φₖ
//! Bad(s)        ⋁ rule = k ∧ s = (q, args) ∧ φₖ
//!               for queries k:          false ← q(args) ∧ φₖ
//! ```
//!
//! `rule` and the variables of the clauses are *inputs*. A query without premises starts from a
//! separate location, which only queries of this kind lead to; so a refutation of height 1 becomes
//! one of height 2.

mod path;

use super::signature::params;
use super::{Lift, LiftError, Tools, Transformed};
use crate::chc::{
    Atom, Clause, ClauseId, Fact, FactId, Interpretation, Model, Origin, PredId, Predicate,
    Refutation, Span, System,
};
use crate::term::{Sort, Term, TermSet, Terms, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A transition system. Its formulas have no variables but those of a state, of the next state, and
/// the inputs.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The variables of a state.
    pub state: Vec<Term>,
    /// Those of the next state, in the same order.
    pub next: Vec<Term>,
    /// The variables that are chosen anew in each step.
    pub inputs: Vec<Term>,
    /// The initial states, over state and inputs.
    pub init: Term,
    /// The steps, over state, inputs and next state.
    pub trans: Term,
    /// The states from which `false` follows, over state and inputs.
    pub bad: Term,
}

/// A linear system as a transition system.
pub struct Linearised {
    /// The transition system.
    pub transition: TransitionSystem,
    /// The same as a system of three clauses about one predicate, in the order *Init*, *Trans*,
    /// *Bad*, and the way back.
    pub transformed: Transformed,
    layout: Rc<Layout>,
}

impl Linearised {
    /// A refutation of the system, `old`, from the states of a path of the transition system: the
    /// values of the state variables, from an initial to a bad state.
    ///
    /// # Errors
    /// Two states that follow each other are no step, or the values of a clause's variables are not
    /// found, or the limit is reached.
    pub fn refutation(
        &self,
        tools: &Tools<'_>,
        old: &System,
        states: Vec<Vec<Value>>,
    ) -> Result<Refutation, LiftError> {
        path::refutation(&self.layout, tools, old, states)
    }
}

/// The transition system of a linear system; `None` where a clause has several premises, or a slot
/// that has to be free has a sort without a value that is known.
pub fn linearise(t: &Terms, system: &System) -> Option<Linearised> {
    if !system.is_linear() {
        return None;
    }
    let layout = Layout::new(t, system)?;
    let transition = layout.transition(t, system);
    let pred = Predicate {
        func: t.declare(
            t.symbol("state"),
            &(transition.state.iter())
                .map(|&x| t.sort_of(x))
                .collect::<Vec<_>>(),
            Sort::BOOL,
        ),
        span: Span::default(),
    };
    let atom = |args: &[Term]| Atom {
        pred: PredId(0),
        args: args.to_vec(),
    };
    let (state, next) = (atom(&transition.state), atom(&transition.next));
    let clause = |body: Option<&Atom>, constraint, head: Option<&Atom>| {
        let atoms = body.into_iter().chain(head);
        let states = atoms.flat_map(|atom| atom.args.iter().copied());
        Clause {
            vars: states.chain(transition.inputs.iter().copied()).collect(),
            body: body.cloned().into_iter().collect(),
            constraint,
            head: head.cloned(),
            origin: Origin::default(),
        }
    };
    let clauses = vec![
        clause(None, transition.init, Some(&state)),
        clause(Some(&state), transition.trans, Some(&next)),
        clause(Some(&state), transition.bad, None),
    ];
    let vars = clauses.iter().map(|clause| clause.vars.clone()).collect();
    let layout = Rc::new(layout);
    let system = System {
        preds: vec![pred],
        clauses,
    };
    Some(Linearised {
        transformed: Transformed {
            system,
            lift: Box::new(Delinearise {
                layout: Rc::clone(&layout),
                vars,
            }),
        },
        transition,
        layout,
    })
}

/// Where states of predicates are in states of the transition system.
struct Layout {
    /// The location; `None` where there is one only.
    location: Option<Term>,
    /// Which clause a step is an instance of, by its number.
    rule: Term,
    slots: Vec<Term>,
    /// The slots of the arguments of each predicate, by its index.
    places: Vec<Vec<usize>>,
    /// The value of each slot where it is not used; `None` where that is never the case.
    defaults: Vec<Option<Term>>,
}

/// The way back.
struct Delinearise {
    layout: Rc<Layout>,
    /// The variables of each clause of the transition system, by its index.
    vars: Vec<Vec<Term>>,
}

impl Layout {
    fn new(t: &Terms, system: &System) -> Option<Self> {
        let mut slots: Vec<Term> = Vec::new();
        let mut by_sort: FxHashMap<Sort, Vec<usize>> = FxHashMap::default();
        let mut places: Vec<Vec<usize>> = Vec::new();
        for pred in system.pred_ids() {
            let mut used: FxHashMap<Sort, usize> = FxHashMap::default();
            let place = |&sort: &Sort| {
                let (all, used) = (
                    by_sort.entry(sort).or_default(),
                    used.entry(sort).or_default(),
                );
                if *used == all.len() {
                    all.push(slots.len());
                    slots.push(t.fresh_var("slot", sort));
                }
                *used += 1;
                all[*used - 1]
            };
            places.push(
                t.func(system.pred(pred).func)
                    .params
                    .iter()
                    .map(place)
                    .collect(),
            );
        }
        let has_early_query = system.clauses.iter().any(|c| c.is_query() && c.is_fact());
        let locations = system.preds.len() + usize::from(has_early_query);
        let default = |(slot, &x): (usize, &Term)| {
            let always = !has_early_query && places.iter().all(|used| used.contains(&slot));
            let sort = t.sort_of(x);
            match always {
                true => Some(None),
                false => t
                    .default_value(sort)
                    .map(|value| Some(t.value_term(&value, sort))),
            }
        };
        Some(Layout {
            location: (locations != 1).then(|| t.fresh_var("location", Sort::INT)),
            rule: t.fresh_var("rule", Sort::INT),
            defaults: slots
                .iter()
                .enumerate()
                .map(default)
                .collect::<Option<_>>()?,
            slots,
            places,
        })
    }

    /// The variables of a state.
    fn state(&self) -> Vec<Term> {
        self.location.iter().chain(&self.slots).copied().collect()
    }

    /// The values of a state's variables, given what an atom is about; without an atom, of the
    /// location of queries without premises.
    fn values(&self, t: &Terms, atom: Option<(PredId, &[Term])>) -> Vec<Term> {
        let location = atom.map_or(self.places.len(), |(pred, _)| pred.index());
        let location = t.int(i64::try_from(location).expect("few predicates"));
        let mut slots = self.defaults.clone();
        if let Some((pred, args)) = atom {
            for (&place, &arg) in self.places[pred.index()].iter().zip(args) {
                slots[place] = Some(arg);
            }
        }
        let slots = slots
            .into_iter()
            .map(|x| x.expect("a slot without default is used"));
        self.location
            .map(|_| location)
            .into_iter()
            .chain(slots)
            .collect()
    }

    fn transition(&self, t: &Terms, system: &System) -> TransitionSystem {
        let state = self.state();
        let next: Vec<Term> = (state.iter())
            .map(|&x| t.fresh_var("next", t.sort_of(x)))
            .collect();
        let mut inputs = vec![self.rule];
        let mut seen = TermSet::default();
        let mut parts: [Vec<Term>; 3] = Default::default();
        for (id, clause) in system.clauses() {
            inputs.extend(clause.vars.iter().filter(|&&x| seen.insert(x)));
            let is = |vars: &[Term], atom: Option<&Atom>| {
                let values = self.values(t, atom.map(|a| (a.pred, a.args.as_slice())));
                t.and(vars.iter().zip(values).map(|(&x, value)| t.eq(x, value)))
            };
            let chosen = t.eq(self.rule, t.int(i64::from(id.0)));
            let premise = clause.body.first();
            let mut add = |part: usize, formulas: &[Term]| {
                let formulas = formulas.iter().copied();
                parts[part].push(t.and([chosen].into_iter().chain(formulas)));
            };
            match (premise, &clause.head) {
                (None, Some(head)) => add(0, &[is(&state, Some(head)), clause.constraint]),
                (Some(premise), Some(head)) => {
                    let (from, to) = (is(&state, Some(premise)), is(&next, Some(head)));
                    add(1, &[from, to, clause.constraint]);
                }
                (Some(premise), None) => add(2, &[is(&state, Some(premise)), clause.constraint]),
                (None, None) => {
                    add(0, &[is(&state, None), clause.constraint]);
                    add(2, &[is(&state, None)]);
                }
            }
        }
        let [init, trans, bad] = parts.map(|part| t.or(part));
        TransitionSystem {
            state,
            next,
            inputs,
            init,
            trans,
            bad,
        }
    }
}

impl Delinearise {
    /// The old clause that a fact is an instance of, and the values of its variables.
    fn instance(&self, old: &System, fact: &Fact) -> Result<(ClauseId, Vec<Value>), LiftError> {
        let vars = self.vars[fact.clause.index()].iter().copied();
        let values: FxHashMap<Term, &Value> = vars.zip(&fact.values).collect();
        let is_rule = |id: &ClauseId| {
            let number = Value::Number(i64::from(id.0).into());
            values.get(&self.layout.rule) == Some(&&number)
        };
        let gone = || LiftError::Values {
            clause: format!("step of clause {}", fact.clause.0),
            why: "it is no step of the system".to_owned(),
        };
        let id = old.clause_ids().find(is_rule).ok_or_else(gone)?;
        let vars = old.clause(id).vars.iter();
        Ok((id, vars.map(|x| values[x].clone()).collect()))
    }
}

impl Lift for Delinearise {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let t = tools.terms;
        let all = &model.interpretations[0];
        let interpretation = |pred| {
            let params = params(t, old, pred);
            let values = self.layout.values(t, Some((pred, &params)));
            let state = all.params.iter().copied().zip(values);
            Interpretation {
                body: t.substitute(all.body, state),
                params,
            }
        };
        Ok(Model {
            interpretations: old.pred_ids().map(interpretation).collect(),
        })
    }

    fn refutation(
        &self,
        _: &Tools<'_>,
        old: &System,
        refutation: Refutation,
    ) -> Result<Refutation, LiftError> {
        if refutation.has_iterations() {
            return Err(LiftError::Iteration(
                "it is one of a transition system".into(),
            ));
        }
        // The path from the end to the start.
        let mut path = Vec::new();
        let mut at = refutation.facts.last();
        while let Some(fact) = at {
            let (id, values) = self.instance(old, fact)?;
            // The step from the location of queries without premises is no step of the system.
            if !(old.clause(id).is_fact() && old.clause(id).is_query() && fact.clause.0 == 2) {
                path.push((id, values));
            }
            at = fact.premises.first().map(|p| &refutation.facts[p.index()]);
        }
        let facts = (0..).zip(path.into_iter().rev());
        let fact = |(i, (clause, values)): (u32, (ClauseId, Vec<Value>))| {
            let premises = i.checked_sub(1).map(FactId).into_iter().collect();
            Fact::new(clause, values, premises)
        };
        Ok(Refutation {
            facts: facts.map(fact).collect(),
        })
    }
}
