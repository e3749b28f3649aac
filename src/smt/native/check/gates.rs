//! Gates as the checker knows them: nodes, each of which is a function of what is no gate.

use crate::smt::native::proof::{Gate, Literal, ProofAtom};
use crate::term::Term;
use crate::work;
use rustc_hash::FxHashMap;
use std::ops::Not;

/// A node, or the negation of one. Equal nodes are equal functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node(u32);

impl Node {
    pub(super) const TRUE: Node = Node(0);
    pub(super) const FALSE: Node = Node(1);

    /// The node, negated or not.
    pub(super) fn with_sign(self, positive: bool) -> Node {
        if positive { self } else { !self }
    }

    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl Not for Node {
    type Output = Node;

    fn not(self) -> Node {
        Node(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shape {
    /// A formula that is not looked into.
    Formula(Term),
    /// Two terms, the first with the smaller number, are equal.
    Equal(Term, Term),
    /// A bit of a term that is not looked into.
    Bit(Term, u32),
    Gate(Gate<Node>),
}

/// Makes nodes, the same for the same shape. Gates are simplified in the same way by which the
/// search simplifies them; that this is right can be seen case by case.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    numbers: FxHashMap<Shape, u32>,
    /// The shapes by number, less that of truth.
    shapes: Vec<Shape>,
}

impl Nodes {
    /// The node of a shape, as it is.
    pub(super) fn node(&mut self, shape: Shape) -> Node {
        work::spend(2);
        // The first number is that of truth.
        let next = u32::try_from(self.numbers.len() + 1).expect("fewer than 2^31 nodes");
        let number = *self.numbers.entry(shape).or_insert(next);
        if number == next {
            self.shapes.push(shape);
        }
        Node(number << 1)
    }

    /// The shape of a node without a sign; `None` for truth.
    pub(super) fn shape(&self, node: Node) -> Option<Shape> {
        let place = (node.0 >> 1).checked_sub(1)?;
        Some(self.shapes[place as usize])
    }

    /// The output of a gate.
    pub(super) fn gate(&mut self, gate: Gate<Node>) -> Node {
        match gate {
            Gate::And([a, b]) => self.and(a, b),
            Gate::Xor([a, b]) => self.xor(a, b),
            Gate::Mux([c, a, b]) => self.mux(c, a, b),
            Gate::Majority([a, b, c]) => self.majority(a, b, c),
        }
    }

    pub(super) fn and(&mut self, a: Node, b: Node) -> Node {
        match (a.min(b), a.max(b)) {
            (Node::TRUE, x) => x,
            (Node::FALSE, _) => Node::FALSE,
            (x, y) if x == y => x,
            (x, y) if x == !y => Node::FALSE,
            (x, y) => self.node(Shape::Gate(Gate::And([x, y]))),
        }
    }

    pub(super) fn or(&mut self, a: Node, b: Node) -> Node {
        !self.and(!a, !b)
    }

    /// Negations of inputs are negations of the output.
    pub(super) fn xor(&mut self, a: Node, b: Node) -> Node {
        let same_signs = a.is_positive() == b.is_positive();
        // With the sign that it has, a node is positive.
        let (a, b) = (a.with_sign(a.is_positive()), b.with_sign(b.is_positive()));
        let output = match (a.min(b), a.max(b)) {
            (x, y) if x == y => Node::FALSE,
            (Node::TRUE, x) => !x,
            (x, y) => self.node(Shape::Gate(Gate::Xor([x, y]))),
        };
        output.with_sign(same_signs)
    }

    /// `a` if `c`, else `b`.
    pub(super) fn mux(&mut self, c: Node, a: Node, b: Node) -> Node {
        if !c.is_positive() {
            return self.mux(!c, b, a);
        }
        match (a, b) {
            _ if c == Node::TRUE => a,
            _ if a == b => a,
            _ if a == !b => !self.xor(c, a),
            _ if a == Node::TRUE || a == c => self.or(c, b),
            _ if a == Node::FALSE || a == !c => self.and(!c, b),
            _ if b == Node::TRUE || b == !c => self.or(!c, a),
            _ if b == Node::FALSE || b == c => self.and(c, a),
            _ if !a.is_positive() => !self.mux(c, !a, !b),
            _ => self.node(Shape::Gate(Gate::Mux([c, a, b]))),
        }
    }

    /// At least two of three.
    pub(super) fn majority(&mut self, a: Node, b: Node, c: Node) -> Node {
        for (x, y, z) in [(a, b, c), (a, c, b), (b, c, a)] {
            match z {
                _ if x == y => return x,
                _ if x == !y => return z,
                Node::TRUE => return self.or(x, y),
                Node::FALSE => return self.and(x, y),
                _ => {}
            }
        }
        let mut inputs = [a, b, c];
        if inputs.iter().filter(|x| x.is_positive()).count() < 2 {
            return !self.majority(!a, !b, !c);
        }
        inputs.sort_unstable();
        self.node(Shape::Gate(Gate::Majority(inputs)))
    }
}

/// The atom of a gate by whose output a clause is true, whatever the gate's inputs are.
pub(in crate::smt::native) fn defined_gate(atoms: &[ProofAtom], clause: &[Literal]) -> Option<u32> {
    let is_defined = |output: &u32| match &atoms[*output as usize] {
        ProofAtom::Gate(gate) => holds_always(*gate, *output, clause),
        _ => false,
    };
    clause.iter().map(|l| l.atom).find(is_defined)
}

/// Do all values of a gate's inputs, with the value of the output, make the clause true?
fn holds_always(gate: Gate<Literal>, output: u32, clause: &[Literal]) -> bool {
    let inputs = gate.inputs();
    let all_values = 0..1u32 << inputs.len();
    inputs.iter().all(|input| input.atom < output)
        && all_values.into_iter().all(|values| {
            let value_of = |l: Literal| {
                let place = inputs.iter().position(|input| input.atom == l.atom)?;
                Some((values >> place & 1 == 1) == l.positive)
            };
            let is_set = value_of_gate(gate.map(|input| value_of(input) == Some(true)));
            clause.iter().any(|&l| match l.atom == output {
                true => l.positive == is_set,
                false => value_of(l) == Some(true),
            })
        })
}

fn value_of_gate(gate: Gate<bool>) -> bool {
    match gate {
        Gate::And([a, b]) => a && b,
        Gate::Xor([a, b]) => a != b,
        Gate::Mux([c, a, b]) => {
            if c {
                a
            } else {
                b
            }
        }
        Gate::Majority([a, b, c]) => u8::from(a) + u8::from(b) + u8::from(c) >= 2,
    }
}
