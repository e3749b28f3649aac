//! Elimination of predicates by resolution, also called unfolding \[BGMR15\].
//!
//! A predicate that does not occur in its own clauses' bodies is eliminated: each clause that uses
//! it becomes, for each clause that defines it, the resolvent of the two. That is done where
//! clauses do not multiply and constraints do not grow much. What is left are, roughly, the
//! predicates of loops and recursions, with large blocks in between.
//!
//! Clauses live in an arena and remember what they were resolved from; so the way back for
//! refutations is to undo the resolutions ([`derive`]), and for models to find interpretations in
//! the reverse order of eliminations ([`model`]).

mod derive;
mod model;

use super::signature::Signature;
use super::{Lift, LiftError, Tools, Transformed};
use crate::chc::{Atom, Clause, ClauseId, Model, Origin, PredId, Refutation, System};
use crate::smt::Support;
use crate::term::{Substitution, Term, TermMap, TermSet, Terms};
use model::{closed_definition, closed_use};

/// An elimination may copy constraints of up to 600 nodes. The value was not tuned.
const COPIED_NODES: usize = 600;
/// No resolvent has a constraint of more nodes than that, added up over what it is resolved from.
/// The value was not tuned.
const CLAUSE_NODES: usize = 20_000;
/// Sweeps over the predicates: what was refused once may become possible. The value was not tuned.
const SWEEPS: usize = 4;

/// A clause of the arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

struct ClauseNode {
    clause: Clause,
    source: InlineOrigin,
    /// About the nodes of its constraint.
    size: usize,
    /// Has no other clause that is alive one of its variables?
    unique: bool,
    alive: bool,
}

/// Where a clause comes from.
enum InlineOrigin {
    /// It is one of the system's.
    Original(ClauseId),
    /// The premise of `user` at a position was replaced by the body of `definition`.
    Resolved {
        user: Parent,
        position: usize,
        definition: Parent,
    },
}

/// A clause that a resolvent comes from, and what became of its variables, where they were renamed.
struct Parent {
    node: NodeId,
    renaming: Option<TermMap<Term>>,
}

/// A predicate eliminated, and the clauses that defined and used it then.
struct Elimination {
    pred: PredId,
    definitions: Vec<NodeId>,
    uses: Vec<NodeId>,
}

/// All clauses, also the ones that were resolved away.
struct Arena<'t> {
    t: &'t Terms,
    nodes: Vec<ClauseNode>,
    /// By predicate; clauses that are not alive any more are taken out when they are met.
    by_head: Vec<Vec<NodeId>>,
    by_body: Vec<Vec<NodeId>>,
    eliminations: Vec<Elimination>,
    support: Support,
}

/// The system without the predicates that are worth eliminating.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let mut arena = Arena::new(t, system);
    for _ in 0..SWEEPS {
        let before = arena.eliminations.len();
        system.pred_ids().for_each(|pred| arena.eliminate(pred));
        if arena.eliminations.len() == before {
            break;
        }
    }
    if arena.eliminations.is_empty() {
        return None;
    }
    let mut gone = vec![false; system.preds.len()];
    for elimination in &arena.eliminations {
        gone[elimination.pred.index()] = true;
    }
    let signature = Signature::without(t, system, |p| gone[p.index()]);
    let alive: Vec<NodeId> = (0u32..)
        .map(NodeId)
        .zip(&arena.nodes)
        .filter(|(_, node)| node.alive)
        .map(|(id, _)| id)
        .collect();
    let clause = |id: &NodeId| signature.clause(&arena.nodes[id.index()].clause);
    Some(Transformed {
        system: System {
            preds: signature.preds(t, system),
            clauses: alive.iter().map(clause).collect(),
        },
        lift: Box::new(Inlined {
            signature,
            nodes: arena.nodes,
            eliminations: arena.eliminations,
            clauses: alive,
        }),
    })
}

impl<'t> Arena<'t> {
    fn new(t: &'t Terms, system: &System) -> Self {
        let mut arena = Arena {
            t,
            nodes: Vec::new(),
            by_head: vec![Vec::new(); system.preds.len()],
            by_body: vec![Vec::new(); system.preds.len()],
            eliminations: Vec::new(),
            support: Support::default(),
        };
        for (id, clause) in system.clauses() {
            let size = t.size([clause.constraint]);
            arena.add(clause.clone(), InlineOrigin::Original(id), size, false);
        }
        arena
    }

    fn add(&mut self, clause: Clause, source: InlineOrigin, size: usize, unique: bool) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("few clauses"));
        if let Some(head) = &clause.head {
            self.by_head[head.pred.index()].push(id);
        }
        for atom in &clause.body {
            let users = &mut self.by_body[atom.pred.index()];
            if users.last() != Some(&id) {
                users.push(id);
            }
        }
        self.nodes.push(ClauseNode {
            clause,
            source,
            size,
            unique,
            alive: true,
        });
        id
    }

    fn node(&self, id: NodeId) -> &ClauseNode {
        &self.nodes[id.index()]
    }

    fn is_alive(&self, id: NodeId) -> bool {
        self.node(id).alive
    }

    /// How often a predicate occurs in a clause's body.
    fn occurrences(&self, id: NodeId, pred: PredId) -> usize {
        let body = self.node(id).clause.body.iter();
        body.filter(|atom| atom.pred == pred).count()
    }

    /// Eliminates a predicate if that is worth it.
    fn eliminate(&mut self, pred: PredId) {
        let alive = |list: &[NodeId]| -> Vec<NodeId> {
            let mut alive: Vec<NodeId> = list.to_vec();
            alive.retain(|&id| self.is_alive(id));
            alive.sort_unstable();
            alive.dedup();
            alive
        };
        let definitions = alive(&self.by_head[pred.index()]);
        let uses = alive(&self.by_body[pred.index()]);
        self.by_head[pred.index()].clone_from(&definitions);
        self.by_body[pred.index()].clone_from(&uses);
        if definitions.is_empty() || uses.is_empty() {
            // The cone of influence is another pass.
            return;
        }
        if !self.is_worth_it(pred, &definitions, &uses)
            || !self.has_way_back(pred, &definitions, &uses)
        {
            return;
        }
        let occurrences: usize = uses.iter().map(|&u| self.occurrences(u, pred)).sum();
        for &user in &uses {
            self.resolve_all(user, pred, &definitions, occurrences > 1);
        }
        for &id in definitions.iter().chain(&uses) {
            self.nodes[id.index()].alive = false;
        }
        self.eliminations.push(Elimination {
            pred,
            definitions,
            uses,
        });
    }

    /// Do neither clauses multiply nor constraints grow much, and is the predicate not recursive?
    fn is_worth_it(&self, pred: PredId, definitions: &[NodeId], uses: &[NodeId]) -> bool {
        if definitions.iter().any(|&d| self.occurrences(d, pred) > 0) {
            return false;
        }
        let count = definitions.len();
        let widest = definitions
            .iter()
            .map(|&d| self.node(d).clause.body.len())
            .max()
            .unwrap_or(0);
        let size_of = |ids: &[NodeId]| ids.iter().map(|&id| self.node(id).size).sum::<usize>();
        let definition_size = size_of(definitions);
        let (mut resolvents, mut copies, mut copied_uses) = (0usize, 0usize, 0usize);
        for &user in uses {
            let k = self.occurrences(user, pred);
            let power = u32::try_from(k).map_or(usize::MAX, |k| count.saturating_pow(k));
            let node = self.node(user);
            let own = node.clause.body.len();
            if own - k + k * widest > own.max(widest)
                || node.size + k * definition_size > CLAUSE_NODES
            {
                return false;
            }
            resolvents = resolvents.saturating_add(power);
            copies += k;
            copied_uses = copied_uses.saturating_add(node.size.saturating_mul(power - 1));
        }
        let copied = definition_size
            .saturating_mul(copies - 1)
            .saturating_add(copied_uses);
        resolvents <= count + uses.len() && copied <= COPIED_NODES
    }

    /// Is it likely that an interpretation can be found again? Interpolants and projections are
    /// there for what the embedded core supports; otherwise definitions or uses must say it without
    /// further variables.
    fn has_way_back(&self, pred: PredId, definitions: &[NodeId], uses: &[NodeId]) -> bool {
        let t = self.t;
        let supported = |&id: &NodeId| {
            let mut terms = self.node(id).clause.terms();
            terms.all(|term| self.support.check(t, term).is_ok())
        };
        definitions.iter().chain(uses).all(supported)
            || definitions
                .iter()
                .all(|&d| closed_definition(t, &self.node(d).clause).is_some())
            || uses.iter().all(|&u| {
                self.occurrences(u, pred) == 1
                    && closed_use(t, &self.node(u).clause, pred).is_some()
            })
    }

    /// Adds the resolvents of a clause, on all of its premises with the predicate, with all
    /// definitions.
    fn resolve_all(&mut self, user: NodeId, pred: PredId, definitions: &[NodeId], copy: bool) {
        let mut open = vec![user];
        while let Some(id) = open.pop() {
            let body = &self.node(id).clause.body;
            let Some(position) = body.iter().position(|atom| atom.pred == pred) else {
                continue;
            };
            for (rest, &definition) in definitions.iter().enumerate() {
                let last = rest + 1 == definitions.len();
                if let Some(resolvent) = self.resolve(id, position, definition, !last, copy) {
                    open.push(resolvent);
                }
            }
            self.nodes[id.index()].alive = false;
        }
    }

    /// Adds the resolvent of a clause on a premise with a definition; nothing if its constraint is
    /// false at first sight.
    fn resolve(
        &mut self,
        user: NodeId,
        position: usize,
        definition: NodeId,
        copy_user: bool,
        copy_definition: bool,
    ) -> Option<NodeId> {
        let t = self.t;
        let (upper, upper_renaming) = self.variant(user, copy_user);
        let (lower, lower_renaming) = self.variant(definition, copy_definition);
        let premise = &upper.body[position];
        let head = lower.head.as_ref().expect("definitions have heads");
        let equations = premise
            .args
            .iter()
            .zip(&head.args)
            .map(|(&x, &y)| t.eq(x, y));
        let constraint = t.and(equations.chain([upper.constraint, lower.constraint]));
        if constraint == Term::FALSE {
            return None;
        }
        let body: Vec<Atom> = upper.body[..position]
            .iter()
            .chain(&lower.body)
            .chain(&upper.body[position + 1..])
            .cloned()
            .collect();
        let clause = Clause {
            vars: [upper.vars, lower.vars].concat(),
            body,
            constraint,
            head: upper.head,
            origin: Origin::default(),
        };
        let parent = |node, renaming| Parent { node, renaming };
        let source = InlineOrigin::Resolved {
            user: parent(user, upper_renaming),
            position,
            definition: parent(definition, lower_renaming),
        };
        let size = self.node(user).size + self.node(definition).size;
        Some(self.add(clause, source, size, true))
    }

    /// The clause with variables that no other clause has that is alive.
    fn variant(&self, id: NodeId, copy: bool) -> (Clause, Option<TermMap<Term>>) {
        let node = self.node(id);
        if node.unique && !copy {
            return (node.clause.clone(), None);
        }
        let (clause, renaming) = renamed(self.t, &node.clause);
        (clause, Some(renaming))
    }
}

/// A clause with new variables, and these for the old ones.
fn renamed(t: &Terms, clause: &Clause) -> (Clause, TermMap<Term>) {
    let fresh = |&var: &Term| (var, t.fresh_like(var, t.sort_of(var)));
    let renaming: TermMap<Term> = clause.vars.iter().map(fresh).collect();
    let mut rename = Substitution::new(t, renaming.iter().map(|(&v, &w)| (v, w)));
    let mut atom = |atom: &Atom| Atom {
        pred: atom.pred,
        args: atom.args.iter().map(|&arg| rename.apply(arg)).collect(),
    };
    let renamed = Clause {
        vars: clause.vars.iter().map(|v| renaming[v]).collect(),
        body: clause.body.iter().map(&mut atom).collect(),
        head: clause.head.as_ref().map(&mut atom),
        constraint: rename.apply(clause.constraint),
        origin: clause.origin,
    };
    (renamed, renaming)
}

/// The way back: the arena, and which of its clauses the new system has.
struct Inlined {
    signature: Signature,
    nodes: Vec<ClauseNode>,
    eliminations: Vec<Elimination>,
    /// The clause of the arena that each new clause is, by its index.
    clauses: Vec<NodeId>,
}

impl Lift for Inlined {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        model::lift(self, tools, old, model)
    }

    fn refutation(
        &self,
        tools: &Tools<'_>,
        old: &System,
        refutation: Refutation,
    ) -> Result<Refutation, LiftError> {
        derive::lift(self, tools, old, refutation)
    }
}

/// The variables of terms.
fn var_set(t: &Terms, terms: impl IntoIterator<Item = Term>) -> TermSet {
    t.vars(terms).into_iter().collect()
}
