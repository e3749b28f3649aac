//! The graph of a system's predicates, with an edge from each premise of a clause to its
//! conclusion.

use super::{ClauseId, Loop, PredId, System, WeakOrder};
use std::cell::OnceCell;

/// Which clauses derive and which use a predicate, what can be derived, and how the predicates'
/// loops nest.
///
/// The graph is that of one system: it is out of date when the system's clauses change.
#[derive(Clone, Debug)]
pub struct PredGraph {
    /// The clauses that derive each predicate, by its index, in ascending order.
    definitions: Vec<Vec<ClauseId>>,
    /// The clauses that have each predicate, by its index, as a premise: each once, in ascending
    /// order.
    users: Vec<Vec<ClauseId>>,
    queries: Vec<ClauseId>,
    /// The predicates of the premises of each clause, by its index, in order.
    premises: Vec<Vec<PredId>>,
    /// The predicate that each clause derives, by its index.
    heads: Vec<Option<PredId>>,
    derivable: Vec<bool>,
    /// Made when it is first asked for: not all users of the graph look at loops.
    order: OnceCell<WeakOrder>,
}

impl PredGraph {
    /// The graph of a system, in time linear in the system.
    pub fn new(system: &System) -> Self {
        let preds = system.preds.len();
        let mut graph = PredGraph {
            definitions: vec![Vec::new(); preds],
            users: vec![Vec::new(); preds],
            queries: Vec::new(),
            premises: Vec::with_capacity(system.clauses.len()),
            heads: Vec::with_capacity(system.clauses.len()),
            derivable: vec![false; preds],
            order: OnceCell::new(),
        };
        for (id, clause) in system.clauses() {
            for atom in &clause.body {
                let users = &mut graph.users[atom.pred.index()];
                if users.last() != Some(&id) {
                    users.push(id);
                }
            }
            let premises: Vec<PredId> = clause.body.iter().map(|atom| atom.pred).collect();
            match &clause.head {
                Some(head) => graph.definitions[head.pred.index()].push(id),
                None => graph.queries.push(id),
            }
            graph.premises.push(premises);
            graph.heads.push(clause.head.as_ref().map(|head| head.pred));
        }
        graph.derivable = graph.find_derivable();
        debug_assert!(
            graph.is_of(system),
            "the lists of clauses are those of the system"
        );
        graph
    }

    /// Does each clause define its head or is a query, and does each predicate that is derivable
    /// have a clause whose premises are?
    fn is_of(&self, system: &System) -> bool {
        let defined: usize = self.definitions.iter().map(Vec::len).sum();
        let lists = || {
            self.definitions
                .iter()
                .chain(&self.users)
                .chain([&self.queries])
        };
        defined + self.queries.len() == system.clauses.len()
            && self.premises.len() == system.clauses.len()
            && lists().all(|list| list.is_sorted_by(|a, b| a < b))
            && system.pred_ids().all(|pred| {
                let derives =
                    |id: &ClauseId| self.premises(*id).iter().all(|&p| self.is_derivable(p));
                self.is_derivable(pred) == self.definitions(pred).iter().any(derives)
            })
    }

    /// The predicates in a weak topological order, which has the loops. The first call takes time
    /// linear in the system and in the depth to which its loops nest.
    pub fn order(&self) -> &WeakOrder {
        self.order.get_or_init(|| {
            let conclusions = |users: &Vec<ClauseId>| {
                let mut next: Vec<PredId> = users.iter().filter_map(|&id| self.head(id)).collect();
                next.sort_unstable();
                next.dedup();
                next
            };
            let successors: Vec<Vec<PredId>> = self.users.iter().map(conclusions).collect();
            WeakOrder::new(&successors, |part, is_inside| self.entry(part, is_inside))
        })
    }

    /// Where a strongly connected part is entered: the conclusion of the first clause with no
    /// premise inside, or else its first predicate.
    fn entry(&self, part: &[PredId], is_inside: &dyn Fn(PredId) -> bool) -> PredId {
        let enters = |id: &&ClauseId| !self.premises(**id).iter().any(|&p| is_inside(p));
        let first = |&pred: &PredId| self.definitions(pred).iter().find(enters);
        let entries = part
            .iter()
            .filter_map(|pred| first(pred).map(|id| (id, *pred)));
        let entry = entries.min().map(|(_, pred)| pred);
        let least = part.iter().copied().min();
        entry.or(least).expect("a component is not empty")
    }

    /// The clauses that derive a predicate, in ascending order.
    pub fn definitions(&self, pred: PredId) -> &[ClauseId] {
        &self.definitions[pred.index()]
    }

    /// The clauses that have a predicate as a premise, each once, in ascending order.
    pub fn users(&self, pred: PredId) -> &[ClauseId] {
        &self.users[pred.index()]
    }

    /// The clauses that derive `false`, in ascending order.
    pub fn queries(&self) -> &[ClauseId] {
        &self.queries
    }

    /// The predicates of a clause's premises, in the order of its body.
    pub fn premises(&self, clause: ClauseId) -> &[PredId] {
        &self.premises[clause.index()]
    }

    /// The predicate that a clause derives; `None` is `false`.
    pub fn head(&self, clause: ClauseId) -> Option<PredId> {
        self.heads[clause.index()]
    }

    /// Has each clause at most one premise?
    pub fn is_linear(&self) -> bool {
        self.premises.iter().all(|premises| premises.len() <= 1)
    }

    /// Does a derivation of the predicate exist, constraints left aside, that uses the predicate?
    /// It is in a loop.
    pub fn is_recursive(&self, pred: PredId) -> bool {
        self.order().innermost(pred).is_some()
    }

    /// Is the predicate the head of a loop? Each cycle has a loop head.
    pub fn is_loop_head(&self, pred: PredId) -> bool {
        self.order().loop_of_head(pred).is_some()
    }

    /// Is a clause a back edge of a loop: does it derive the loop's head from a premise inside?
    pub fn is_back_edge(&self, clause: ClauseId, l: &Loop) -> bool {
        let mut premises = self.premises(clause).iter();
        self.head(clause) == Some(l.head) && premises.any(|&p| self.order().is_inside(l, p))
    }

    /// Has a predicate a derivation, constraints left aside?
    pub fn is_derivable(&self, pred: PredId) -> bool {
        self.derivable[pred.index()]
    }

    /// Are all premises of a clause derivable, constraints left aside?
    pub fn is_usable(&self, clause: ClauseId) -> bool {
        self.premises(clause).iter().all(|&p| self.is_derivable(p))
    }

    /// Does a query need each predicate, by its index, directly or through clauses that all have
    /// derivable premises?
    pub fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.definitions.len()];
        let mut open: Vec<ClauseId> = self.queries.clone();
        while let Some(id) = open.pop() {
            if !self.is_usable(id) {
                continue;
            }
            for &premise in self.premises(id) {
                if !std::mem::replace(&mut needed[premise.index()], true) {
                    open.extend(self.definitions(premise));
                }
            }
        }
        needed
    }

    /// Is each predicate, by its index, the head of a clause whose premises are all derivable in
    /// this sense?
    fn find_derivable(&self) -> Vec<bool> {
        let mut derivable = vec![false; self.definitions.len()];
        // The number of different premises of each clause that are not known to be derivable.
        let distinct = |premises: &Vec<PredId>| {
            let mut premises = premises.clone();
            premises.sort_unstable();
            premises.dedup();
            premises.len()
        };
        let mut missing: Vec<usize> = self.premises.iter().map(distinct).collect();
        let all = (0..u32::try_from(missing.len()).expect("few clauses")).map(ClauseId);
        let mut ready: Vec<ClauseId> = all.filter(|id| missing[id.index()] == 0).collect();
        while let Some(id) = ready.pop() {
            let Some(head) = self.head(id) else { continue };
            if std::mem::replace(&mut derivable[head.index()], true) {
                continue;
            }
            for &user in self.users(head) {
                missing[user.index()] -= 1;
                if missing[user.index()] == 0 {
                    ready.push(user);
                }
            }
        }
        derivable
    }
}
