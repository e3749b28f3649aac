//! Arguments that are always the same constant, or always equal to another argument of their
//! predicate.
//!
//! For each predicate the strongest such facts are computed that hold of everything derivable, by a
//! fixpoint over the clauses that starts from nothing being derivable \[Kil73\]. What clauses say
//! is followed through variables only: an argument that is a term counts as that term. Such
//! arguments go; the interpretation that comes back has the equations in it.

use super::signature::Signature;
use super::{LiftError, ModelLift, Tools, Transformed};
use crate::chc::{Clause, ClauseId, Model, PredGraph, PredId, System};
use crate::term::{Op, Substitution, Term, TermMap, Terms};
use rustc_hash::FxHashMap;

/// Ground terms of more nodes are not taken for constants. The value was not tuned.
const CONSTANT_NODES: usize = 16;

/// What is known of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ArgumentValue {
    /// Nothing.
    Free,
    /// It is this ground term.
    Constant(Term),
    /// It equals the argument at this earlier position, which is free.
    Same(usize),
}

impl ArgumentValue {
    /// Equal keys are equal arguments.
    fn key(self, position: usize) -> ArgumentValue {
        match self {
            ArgumentValue::Free => ArgumentValue::Same(position),
            other => other,
        }
    }
}

/// What is known of a predicate's arguments; `None` while nothing is derivable.
type State = Option<Vec<ArgumentValue>>;

/// The states of all predicates.
fn states(t: &Terms, system: &System) -> Vec<State> {
    let mut states: Vec<State> = vec![None; system.preds.len()];
    let graph = PredGraph::new(system);
    let mut open: Vec<ClauseId> = system.clause_ids().collect();
    let mut is_open = vec![true; system.clauses.len()];
    open.reverse();
    while let Some(id) = open.pop() {
        is_open[id.index()] = false;
        let clause = system.clause(id);
        let Some(head) = &clause.head else { continue };
        let Some(derived) = derived(t, clause, &states) else {
            continue;
        };
        let pred = head.pred.index();
        let joined = match &states[pred] {
            None => derived,
            Some(old) => join(old, &derived),
        };
        if states[pred].as_ref() != Some(&joined) {
            states[pred] = Some(joined);
            for &user in graph.users(head.pred) {
                if !std::mem::replace(&mut is_open[user.index()], true) {
                    open.push(user);
                }
            }
        }
    }
    states
}

/// What a clause derives, given what is known of the premises; `None` if it derives nothing.
fn derived(t: &Terms, clause: &Clause, states: &[State]) -> State {
    let head = clause.head.as_ref()?;
    let mut classes = Classes {
        t,
        parents: TermMap::default(),
    };
    for atom in &clause.body {
        let state = states[atom.pred.index()].as_ref()?;
        for (&arg, known) in atom.args.iter().zip(state) {
            let other = match *known {
                ArgumentValue::Free => continue,
                ArgumentValue::Constant(constant) => constant,
                ArgumentValue::Same(position) => atom.args[position],
            };
            classes.unify(arg, other)?;
        }
    }
    for conjunct in t.conjuncts(clause.constraint) {
        match (t.op(conjunct), t.args(conjunct)) {
            (Op::Eq, &[x, y]) => classes.unify(x, y)?,
            (Op::Var(_), _) => classes.unify(conjunct, Term::TRUE)?,
            (Op::Not, &[x]) => classes.unify(x, Term::FALSE)?,
            _ => {}
        }
    }
    let vars = t.vars(head.args.iter().copied());
    let mut resolve = Substitution::new(t, vars.into_iter().map(|v| (v, classes.find(v))));
    let mut first: TermMap<usize> = TermMap::default();
    let known = head.args.iter().enumerate().map(|(i, &arg)| {
        let arg = resolve.apply(arg);
        if is_constant(t, arg) {
            return ArgumentValue::Constant(arg);
        }
        match *first.entry(arg).or_insert(i) {
            position if position < i => ArgumentValue::Same(position),
            _ => ArgumentValue::Free,
        }
    });
    Some(known.collect())
}

/// A small ground term.
fn is_constant(t: &Terms, term: Term) -> bool {
    let mut nodes = 0;
    t.post_order([term]).all(|s| {
        nodes += 1;
        nodes <= CONSTANT_NODES && !t.is_var(s)
    })
}

/// What is known where one or the other is.
fn join(old: &[ArgumentValue], new: &[ArgumentValue]) -> Vec<ArgumentValue> {
    let mut first: FxHashMap<(ArgumentValue, ArgumentValue), usize> = FxHashMap::default();
    let joined = old.iter().zip(new).enumerate().map(|(i, (&old, &new))| {
        if let ArgumentValue::Constant(_) = old
            && old == new
        {
            return old;
        }
        match *first.entry((old.key(i), new.key(i))).or_insert(i) {
            position if position < i => ArgumentValue::Same(position),
            _ => ArgumentValue::Free,
        }
    });
    joined.collect()
}

/// Variables that are equal to each other or to constants.
struct Classes<'t> {
    t: &'t Terms,
    parents: TermMap<Term>,
}

impl Classes<'_> {
    fn find(&mut self, term: Term) -> Term {
        let mut root = term;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut at = term;
        while at != root {
            at = self
                .parents
                .insert(at, root)
                .expect("on the way to the root");
        }
        root
    }

    /// Takes two terms for equal, if that can be said of variables; `None` if they are different
    /// constants.
    fn unify(&mut self, x: Term, y: Term) -> Option<()> {
        let t = self.t;
        let (x, y) = (self.find(x), self.find(y));
        if x == y {
            return Some(());
        }
        match (t.is_var(x), t.is_var(y)) {
            (true, true) => {
                self.parents.insert(x, y);
            }
            (true, false) if is_constant(t, y) => {
                self.parents.insert(x, y);
            }
            (false, true) if is_constant(t, x) => {
                self.parents.insert(y, x);
            }
            (false, false) if t.eq(x, y) == Term::FALSE => return None,
            _ => {}
        }
        Some(())
    }
}

/// The system without constant and repeated arguments.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let states = states(t, system);
    let is_free = |known: &ArgumentValue| *known == ArgumentValue::Free;
    if states
        .iter()
        .flatten()
        .all(|state| state.iter().all(is_free))
    {
        return None;
    }
    let kept = system.pred_ids().map(|p| {
        let arity = t.func(system.pred(p).func).params.len();
        let state = states[p.index()].as_ref();
        let stays = |&i: &usize| state.is_none_or(|state| is_free(&state[i]));
        Some((0..arity).filter(stays).collect())
    });
    let signature = Signature::new(kept.collect());
    let clauses: Vec<Clause> = (system.clauses.iter())
        .map(|clause| shrink(t, clause, &signature, &states))
        .collect();
    let new = System {
        preds: signature.preds(t, system),
        clauses,
    };
    let models = Constants { signature, states };
    Some(Transformed::clause_wise(new, system.clause_ids(), models))
}

/// A clause without the arguments, which its premises' equations say.
fn shrink(t: &Terms, clause: &Clause, signature: &Signature, states: &[State]) -> Clause {
    let atoms = clause.body.iter();
    let equations = atoms.flat_map(|atom| equations(t, &states[atom.pred.index()], &atom.args));
    let mut new = signature.clause(clause);
    new.constraint = t.and(equations.chain([clause.constraint]));
    new.retain_occurring_vars(t);
    new
}

/// What a state says of arguments.
fn equations(t: &Terms, state: &State, args: &[Term]) -> Vec<Term> {
    let known = state.iter().flatten().zip(args);
    let equation = |(known, &arg): (&ArgumentValue, &Term)| match *known {
        ArgumentValue::Free => None,
        ArgumentValue::Constant(constant) => Some(t.eq(arg, constant)),
        ArgumentValue::Same(position) => Some(t.eq(arg, args[position])),
    };
    known.filter_map(equation).collect()
}

struct Constants {
    signature: Signature,
    states: Vec<State>,
}

impl ModelLift for Constants {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let t = tools.terms;
        let all_stay = |_: PredId, _: &[Term]| unreachable!("all predicates stay");
        let mut interpretations =
            (self.signature).interpretations(t, old, &model.interpretations, all_stay);
        for (interpretation, state) in interpretations.iter_mut().zip(&self.states) {
            interpretation.body = match state {
                // Nothing derives it, and clauses that derive from it need not keep its promises.
                None => Term::FALSE,
                Some(_) => {
                    let equations = equations(t, state, &interpretation.params);
                    t.and(equations.into_iter().chain([interpretation.body]))
                }
            };
        }
        Ok(Model { interpretations })
    }
}
