//! Refutations back to the clauses before elimination: resolutions are undone.

use super::{InlineOrigin, Inlined, NodeId, Parent};
use crate::chc::{FactId, Refutation, System};
use crate::term::{TermMap, Value};
use crate::transform::ground::{Rebuilder, fact_wise};
use crate::transform::{LiftError, Tools};
use std::rc::Rc;

/// The values of a clause's variables.
type Values = Rc<TermMap<Value>>;

/// What is to be done; what is derived lies on top of a stack.
enum Task {
    /// Derive an instance of a clause from premises.
    Derive {
        node: NodeId,
        values: Values,
        premises: Vec<FactId>,
    },
    /// Derive an instance of a clause; the premise at the position is the fact derived last.
    Use {
        node: NodeId,
        values: Values,
        position: usize,
        others: Vec<FactId>,
    },
}

/// The refutation of the system before elimination.
pub(super) fn lift(
    inlined: &Inlined,
    tools: &Tools<'_>,
    old: &System,
    refutation: Refutation,
) -> Result<Refutation, LiftError> {
    fact_wise(tools, old, refutation, |rebuilt, fact| {
        let node = inlined.clauses[fact.clause.index()];
        let vars = inlined.nodes[node.index()].clause.vars.iter().copied();
        let values: Values = Rc::new(vars.zip(fact.values).collect());
        derive(inlined, rebuilt, node, values, fact.premises)
    })
}

/// Derives what an instance of a clause of the arena says.
fn derive(
    inlined: &Inlined,
    rebuilt: &mut Rebuilder<'_, '_>,
    node: NodeId,
    values: Values,
    premises: Vec<FactId>,
) -> Result<FactId, LiftError> {
    let mut derived: Vec<FactId> = Vec::new();
    let mut tasks = vec![Task::Derive {
        node,
        values,
        premises,
    }];
    while let Some(task) = tasks.pop() {
        let (node, values, mut premises) = match task {
            Task::Derive {
                node,
                values,
                premises,
            } => (node, values, premises),
            Task::Use {
                node,
                values,
                position,
                mut others,
            } => {
                others.insert(position, derived.pop().expect("the premise was derived"));
                (node, values, others)
            }
        };
        match &inlined.nodes[node.index()].source {
            InlineOrigin::Original(id) => {
                let known = values.iter().map(|(&var, value)| (var, value.clone()));
                derived.push(rebuilt.add(*id, known, &[], premises)?);
            }
            InlineOrigin::Resolved {
                user,
                position,
                definition,
            } => {
                let body = inlined.nodes[definition.node.index()].clause.body.len();
                let inner = premises.drain(*position..position + body).collect();
                tasks.push(Task::Use {
                    node: user.node,
                    values: values_of(inlined, user, &values),
                    position: *position,
                    others: premises,
                });
                tasks.push(Task::Derive {
                    node: definition.node,
                    values: values_of(inlined, definition, &values),
                    premises: inner,
                });
            }
        }
    }
    Ok(derived.pop().expect("the last task derives"))
}

/// The values of a parent's variables from those of the resolvent's.
fn values_of(inlined: &Inlined, parent: &Parent, values: &Values) -> Values {
    let Some(renaming) = &parent.renaming else {
        // The parent's variables are among the resolvent's; the others do no harm.
        return Rc::clone(values);
    };
    let vars = inlined.nodes[parent.node.index()].clause.vars.iter();
    let pairs = vars.filter_map(|v| Some((*v, values.get(&renaming[v])?.clone())));
    Rc::new(pairs.collect())
}
