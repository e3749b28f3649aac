//! Refutations from the states of a path: which clause leads from each state to the next, and for
//! which values of its variables.

use super::Layout;
use crate::chc::{Clause, ClauseId, FactId, PredId, Refutation, System};
use crate::logic::equations::{Role, solve};
use crate::smt::Failure;
use crate::term::{Term, TermSet, Terms, Value};
use crate::transform::ground::Rebuilder;
use crate::transform::{LiftError, Tools};
use rustc_hash::FxHashMap;

/// The clauses between two predicates; `None` is before the path or behind it.
type Between = FxHashMap<(Option<PredId>, Option<PredId>), Vec<Rule>>;

/// A clause, and what determines its variables.
struct Rule {
    clause: ClauseId,
    /// Variables that are no arguments, with terms over the arguments: defaults, where nothing
    /// determines them.
    definitions: Vec<(Term, Term)>,
}

/// A refutation of `old` along states of its transition system.
pub(super) fn refutation(
    layout: &Layout,
    tools: &Tools<'_>,
    old: &System,
    states: Vec<Vec<Value>>,
) -> Result<Refutation, LiftError> {
    let mut rules = Between::default();
    for (id, clause) in old.clauses() {
        let premise = clause.body.first().map(|atom| atom.pred);
        let head = clause.head.as_ref().map(|head| head.pred);
        let rule = Rule::new(tools.terms, id, clause);
        rules.entry((premise, head)).or_default().push(rule);
    }
    let mut rebuilt = Rebuilder::new(tools, old);
    let mut last: Option<(PredId, FactId)> = None;
    let facts = states
        .into_iter()
        .filter_map(|state| layout.fact(old, state));
    for next in facts.map(Some).chain([None]) {
        tools.limit.check()?;
        let (pred, values) = next.map_or((None, Vec::new()), |(p, values)| (Some(p), values));
        let between = (last.map(|(pred, _)| pred), pred);
        let premises: Vec<FactId> = last.iter().map(|&(_, fact)| fact).collect();
        let candidates = rules.get(&between).map_or(&[][..], |rules| rules);
        let fact = derive(&mut rebuilt, candidates, &values, &premises)?;
        last = pred.map(|pred| (pred, fact));
    }
    Ok(rebuilt.finish())
}

/// Adds an instance of one of the rules that derives its head for these values.
fn derive(
    rebuilt: &mut Rebuilder<'_, '_>,
    rules: &[Rule],
    values: &[Value],
    premises: &[FactId],
) -> Result<FactId, LiftError> {
    for rule in rules {
        let found = rebuilt.try_conclusion(rule.clause, values, &rule.definitions, premises)?;
        if let Some(fact) = found {
            return Ok(fact);
        }
    }
    let none = "the solver's answers contradict each other: no clause leads from one state of the \
        path that was found to the next one; try another --solver";
    let mut why = LiftError::Limit(Failure::Incomplete(none.to_owned()));
    for rule in rules {
        match rebuilt.add_conclusion(rule.clause, values, premises.to_vec()) {
            Ok(fact) => return Ok(fact),
            Err(error) => why = error,
        }
    }
    Err(why)
}

impl Rule {
    fn new(t: &Terms, id: ClauseId, clause: &Clause) -> Self {
        let args = clause.atoms().flat_map(|atom| &atom.args).copied();
        let args: TermSet = args.filter(|&arg| t.is_var(arg)).collect();
        let role = |x: Term| match args.contains(&x) {
            true => Role::Fixed,
            false => Role::Free,
        };
        let mut conjuncts = t.conjuncts(clause.constraint);
        let mut definitions = Vec::new();
        while let Some(round) = solve(t, &conjuncts, role) {
            // A definition may contain variables that a later round defines.
            definitions.splice(0..0, round.solutions);
            conjuncts = round.rest;
        }
        let free = (clause.vars.iter().copied())
            .filter(|x| !args.contains(x) && !definitions.iter().any(|(y, _)| y == x));
        let default = |x: Term| {
            let sort = t.sort_of(x);
            Some((x, t.value_term(&t.default_value(sort)?, sort)))
        };
        definitions.splice(0..0, free.filter_map(default).collect::<Vec<_>>());
        Rule {
            clause: id,
            definitions,
        }
    }
}

impl Layout {
    /// The predicate and the arguments that a state is about; `None` for the location of queries
    /// without premises.
    fn fact(&self, system: &System, mut state: Vec<Value>) -> Option<(PredId, Vec<Value>)> {
        let location = match self.location {
            None => 0,
            Some(_) => match state.remove(0) {
                Value::Number(number) => number.to_i64()?,
                _ => return None,
            },
        };
        let mut preds = system.pred_ids();
        let pred = preds.find(|pred| i64::try_from(pred.index()) == Ok(location))?;
        let places = self.places[pred.index()].iter();
        Some((pred, places.map(|&place| state[place].clone()).collect()))
    }
}
