//! What constructors add to the closure \[BST07\].
//!
//! - Two constructor terms of one class have the same constructor, and equal arguments.
//! - A selector of the constructor of its argument's class is that constructor's argument.
//! - A tester of a class that has a constructor is true or false.
//!
//! Whatever needs a case distinction, and acyclicity, is in [`datatypes`](super::super::datatypes).

use super::{Cause, Change, Clash, EGraph, Node};
use crate::term::Op;
use crate::work;

impl EGraph<'_> {
    /// Applies the rules to an application that has just become active.
    pub(super) fn activate_constructors(&mut self, node: Node) {
        match self.t.op(self.term(node)) {
            Op::Construct(_) => {
                let root = self.root(node);
                match self.nodes[root.index()].constructor {
                    None => {
                        self.nodes[root.index()].constructor = Some(node);
                        self.changes.push(Change::Constructor(root));
                        self.read_uses(root, node);
                    }
                    // Found to be different, or decomposed, when the graph is closed.
                    Some(other) => self.same_class.push((node, other)),
                }
            }
            Op::Field(_) | Op::Is(_) => {
                let arg = self.args(node)[0];
                if let Some(constructor) = self.constructor(arg) {
                    self.read(node, constructor);
                }
            }
            _ => {}
        }
    }

    /// Two classes have become one: what do their constructors say?
    pub(super) fn join_constructors(&mut self, small: Node, big: Node) -> Result<(), Clash> {
        let constructors = [small, big].map(|x| self.nodes[x.index()].constructor);
        match constructors {
            [Some(c), Some(d)] => self.decompose(c, d)?,
            [Some(c), None] => {
                self.nodes[big.index()].constructor = Some(c);
                self.read_uses(big, c);
            }
            [None, Some(d)] => self.read_uses(small, d),
            [None, None] => {}
        }
        Ok(())
    }

    /// Two constructor terms are equal.
    pub(super) fn decompose(&mut self, c: Node, d: Node) -> Result<(), Clash> {
        debug_assert!(self.are_equal(c, d), "what is decomposed is of one class");
        debug_assert!(
            self.is_active(c) && self.is_active(d),
            "constructor terms take part"
        );
        if self.t.op(self.term(c)) != self.t.op(self.term(d)) {
            return Err(Clash {
                nodes: (c, d),
                unless: None,
            });
        }
        let both: Vec<(Node, Node)> = std::iter::zip(self.args(c), self.args(d))
            .map(|(&x, &y)| (x, y))
            .collect();
        let cause = Cause::Constructor(c, d);
        self.pending
            .extend(both.into_iter().map(|(x, y)| (x, y, cause)));
        Ok(())
    }

    /// The selectors and testers among the uses of what was a class of this root until now, which
    /// is equal to a constructor term.
    fn read_uses(&mut self, root: Node, constructor: Node) {
        let uses = self.nodes[root.index()].uses.clone();
        work::spend_on(uses.len());
        for user in uses {
            self.read(user, constructor);
        }
    }

    /// A selector or a tester of an argument that is equal to a constructor term.
    fn read(&mut self, user: Node, constructor: Node) {
        let t = self.t;
        let Op::Construct(ctor) = t.op(self.term(constructor)) else {
            unreachable!("it is a constructor term");
        };
        let result = match t.op(self.term(user)) {
            Op::Field(selector) if t.selector(selector).ctor == ctor => {
                self.args(constructor)[t.selector(selector).index as usize]
            }
            Op::Is(tested) if tested == ctor => Node::TRUE,
            Op::Is(_) => Node::FALSE,
            _ => return,
        };
        debug_assert!(
            self.are_equal(self.args(user)[0], constructor),
            "the argument is equal to the constructor term"
        );
        let cause = Cause::Constructor(self.args(user)[0], constructor);
        self.pending.push((user, result, cause));
    }
}
