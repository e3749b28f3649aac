//! Conjunctions, disjunctions, sums and products in the making.
//!
//! The builders of terms flatten: a conjunction in a conjunction gives one list. A text that nests 100,000 of them would be
//! copied at each level. So a large one is kept as a [`Value::Pending`] node, whose parts are values themselves, until something
//! other than the same connective wants it; then it is flattened once. Conjunctions and disjunctions may stay pending
//! while a `let` refers to them several times (a part met again adds nothing); sums and products may not.

use crate::term::{Op, Sort, Term, Terms};
use rustc_hash::FxHashSet;

/// A value on the elaborator's stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A term.
    Term(Term),
    /// A junction in the making.
    Pending(u32),
    /// A constructor without fields, of a parametric datatype whose parameters are not known yet: family and position.
    Open(u32, u32),
}

impl Value {
    /// The term, where it is one.
    pub(super) fn term(self) -> Option<Term> {
        match self {
            Value::Term(term) => Some(term),
            _ => None,
        }
    }
}

/// The connectives that flatten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
    Add,
    Mul,
}

impl Connective {
    fn op(self) -> Op {
        match self {
            Connective::And => Op::And,
            Connective::Or => Op::Or,
            Connective::Add => Op::Add,
            Connective::Mul => Op::Mul,
        }
    }

    fn build(self, t: &Terms, parts: &[Term]) -> Term {
        let parts = parts.iter().copied();
        match self {
            Connective::And => t.and(parts),
            Connective::Or => t.or(parts),
            Connective::Add => t.add(parts),
            Connective::Mul => t.mul(parts),
        }
    }
}

/// With no more parts than this, a junction is made at once: copying so many at each level costs little.
const AT_ONCE: usize = 32;

#[derive(Debug)]
struct Node {
    connective: Connective,
    sort: Sort,
    /// Its parts in [`Junctions::parts`].
    start: u32,
    end: u32,
    /// The term, once it was asked for.
    term: Option<Term>,
}

/// The junctions in the making of one term.
#[derive(Debug, Default)]
pub(super) struct Junctions {
    nodes: Vec<Node>,
    parts: Vec<Value>,
    /// Memory for flattening.
    stack: Vec<Value>,
    flat: Vec<Term>,
}

impl Junctions {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.parts.clear();
    }

    /// The sort of a junction in the making.
    pub(super) fn sort(&self, id: u32) -> Sort {
        self.nodes[id as usize].sort
    }

    /// May this be referred to more than once without being built?
    pub(super) fn may_be_shared(&self, id: u32) -> bool {
        matches!(
            self.nodes[id as usize].connective,
            Connective::And | Connective::Or
        )
    }

    /// The junction of values of the sort that fits the connective; none of them is open.
    pub(super) fn join(
        &mut self,
        t: &Terms,
        connective: Connective,
        sort: Sort,
        values: &[Value],
    ) -> Value {
        let count = |value: &Value| match *value {
            Value::Term(term) if t.op(term) == connective.op() => t.args(term).len(),
            Value::Term(_) | Value::Open(..) => 1,
            Value::Pending(_) => AT_ONCE,
        };
        let size: usize = values.iter().map(count).sum();
        let start = self.parts.len();
        for &value in values {
            let part = match value {
                // Another connective is not flattened into this one: build it.
                Value::Pending(id) if self.nodes[id as usize].connective != connective => {
                    Value::Term(self.build(t, id))
                }
                other => other,
            };
            self.parts.push(part);
        }
        let parts = &self.parts[start..];
        if size <= AT_ONCE && parts.iter().all(|part| matches!(part, Value::Term(_))) {
            self.flat.clear();
            self.flat
                .extend(parts.iter().filter_map(|part| part.term()));
            self.parts.truncate(start);
            return Value::Term(connective.build(t, &self.flat));
        }
        let (start, end) = (start as u32, self.parts.len() as u32);
        self.nodes.push(Node {
            connective,
            sort,
            start,
            end,
            term: None,
        });
        Value::Pending(self.nodes.len() as u32 - 1)
    }

    /// Builds a junction.
    pub(super) fn build(&mut self, t: &Terms, id: u32) -> Term {
        if let Some(term) = self.nodes[id as usize].term {
            return term;
        }
        let connective = self.nodes[id as usize].connective;
        let idempotent = matches!(connective, Connective::And | Connective::Or);
        let mut seen = FxHashSet::default();
        self.flat.clear();
        self.stack.push(Value::Pending(id));
        while let Some(value) = self.stack.pop() {
            match value {
                Value::Term(term) => self.flat.push(term),
                Value::Open(..) => unreachable!("open constructors are no parts of junctions"),
                Value::Pending(part) => {
                    let node = &self.nodes[part as usize];
                    debug_assert_eq!(node.connective, connective);
                    if let Some(term) = node.term {
                        self.flat.push(term);
                    } else if !idempotent || seen.insert(part) {
                        let parts = &self.parts[node.start as usize..node.end as usize];
                        self.stack.extend(parts.iter().rev());
                    }
                }
            }
        }
        let term = connective.build(t, &self.flat);
        self.nodes[id as usize].term = Some(term);
        term
    }
}
