//! The circuits of bit-vector terms as the checker knows them, written once more.
//!
//! A clause that connects a term with gates is accepted if the gates of the proof are those of the
//! circuit that is built here from the term: equal as nodes, which are hash-consed. So this file
//! says what the operators of SMT-LIB are, bit by bit, and the search must build the same circuits.

use super::gates::{Node, Nodes, Shape};
use crate::smt::native::proof::{Gate, Literal, ProofAtom, bit_is_set};
use crate::term::{BvOp, Op, Sort, Term, TermMap, Terms};
use crate::work;
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::iter::{repeat_n, zip};
use std::rc::Rc;

/// Bits, the least significant first.
type Bits = Vec<Node>;

/// The bits at one place of two bit-vectors, and what a clause says of them.
pub(in crate::smt::native) struct BitPair {
    /// The bits as formulas.
    pub(in crate::smt::native) bits: [Term; 2],
    /// For each bit: whether the clause has it (`true`) or its negation (`false`), with the
    /// literal; without one where what it would say is false by itself.
    pub(in crate::smt::native) said: [Option<(Option<Literal>, bool)>; 2],
    /// The literal of the clause that says that the two differ.
    pub(in crate::smt::native) differ: Option<Literal>,
}

/// The nodes of a proof's atoms and of the bits of terms.
pub(in crate::smt::native) struct Circuits<'t> {
    t: &'t Terms,
    nodes: Nodes,
    words: TermMap<Rc<[Node]>>,
    /// The formulas of nodes without a sign.
    formulas: FxHashMap<Node, Term>,
    /// By atom; `None` for atoms that are no nodes.
    atoms: Vec<Option<Node>>,
}

impl<'t> Circuits<'t> {
    /// The nodes of these atoms of a proof.
    pub(in crate::smt::native) fn new(t: &'t Terms, atoms: &[ProofAtom]) -> Self {
        let mut circuits = Circuits {
            t,
            nodes: Nodes::default(),
            words: TermMap::default(),
            formulas: FxHashMap::default(),
            atoms: Vec::with_capacity(atoms.len()),
        };
        for atom in atoms {
            let node = circuits.of_atom(atom);
            circuits.atoms.push(node);
        }
        circuits
    }

    fn of_atom(&mut self, atom: &ProofAtom) -> Option<Node> {
        Some(match *atom {
            ProofAtom::Truth => Node::TRUE,
            ProofAtom::Formula(formula) => self.of_formula(formula),
            ProofAtom::Equal(x, y) => self.nodes.node(Shape::Equal(x.min(y), x.max(y))),
            ProofAtom::Bit(x, index) => {
                let width = self.t.bitvec_width(self.t.sort_of(x));
                let exists = is_leaf(self.t, x) && width.is_some_and(|width| index < width);
                exists.then(|| self.nodes.node(Shape::Bit(x, index)))?
            }
            ProofAtom::Gate(gate) => {
                // Inputs have smaller numbers, or the definitions could be circular.
                let inputs: Option<Vec<Node>> =
                    gate.inputs().iter().map(|&input| self.of(input)).collect();
                let mut inputs = inputs?.into_iter();
                self.nodes
                    .gate(gate.map(|_| inputs.next().expect("as many")))
            }
            ProofAtom::Operator(_) | ProofAtom::Scope | ProofAtom::Bound { .. } => return None,
        })
    }

    /// The node of a literal; `None` if it is none.
    pub(super) fn of(&self, literal: Literal) -> Option<Node> {
        let node = *self.atoms.get(literal.atom as usize)?;
        Some(node?.with_sign(literal.positive))
    }

    /// The nodes of the literals of a clause, and falsity, which needs no literal.
    fn of_clause(&self, clause: &[Literal]) -> FxHashMap<Node, Option<Literal>> {
        let nodes = clause.iter().filter_map(|&l| Some((self.of(l)?, Some(l))));
        nodes.chain([(Node::FALSE, None)]).collect()
    }

    /// The literal by which a clause has what an order of two bit-vectors, or its negation if not
    /// `positive`, says; none if that is false by itself. `None` if it does not imply the clause.
    pub(in crate::smt::native) fn order_implies(
        &mut self,
        f: Term,
        positive: bool,
        clause: &[Literal],
    ) -> Option<BTreeSet<Literal>> {
        let (t, Op::Bv(op)) = (self.t, self.t.op(f)) else {
            return None;
        };
        let &[x, y] = t.args(f) else {
            return None;
        };
        let (x, y) = (self.bits(x).to_vec(), self.bits(y).to_vec());
        let node = match op {
            BvOp::Ult => self.less(&x, &y, true),
            BvOp::Ule => self.less(&x, &y, false),
            BvOp::Slt => self.less(&sign_flipped(x), &sign_flipped(y), true),
            BvOp::Sle => self.less(&sign_flipped(x), &sign_flipped(y), false),
            _ => return None,
        };
        let found = *self.of_clause(clause).get(&node.with_sign(positive))?;
        Some(found.into_iter().collect())
    }

    /// The literals by which a clause has what `x = y`, or its negation if not `positive`, says bit
    /// by bit, without what is false by itself. `None` if it does not imply the clause.
    pub(in crate::smt::native) fn equation_implies(
        &mut self,
        (x, y): (Term, Term),
        positive: bool,
        clause: &[Literal],
    ) -> Option<BTreeSet<Literal>> {
        let (t, x_sort) = (self.t, self.t.sort_of(x));
        if t.bitvec_width(x_sort).is_none() || t.sort_of(y) != x_sort {
            return None;
        }
        let (x, y) = (self.bits(x), self.bits(y));
        let said = self.of_clause(clause);
        let mut pairs = zip(&*x, &*y);
        if positive {
            // The two bits are equal: one holds or the other does not.
            let both = |a, b| Some([*said.get(&a)?, *said.get(&b)?]);
            let found = pairs.find_map(|(&a, &b)| both(a, !b).or_else(|| both(!a, b)))?;
            return Some(found.into_iter().flatten().collect());
        }
        let mut found = BTreeSet::new();
        for (&a, &b) in pairs {
            let differ = self.nodes.xor(a, b);
            found.extend(*said.get(&differ)?);
        }
        Some(found)
    }

    /// The bits of two bit-vectors of one width, and what a clause says of them.
    pub(super) fn bit_pairs(&mut self, x: Term, y: Term, clause: &[Literal]) -> Vec<BitPair> {
        let literals = clause.iter().filter_map(|&l| Some((self.of(l)?, l)));
        let literals: FxHashMap<Node, Literal> = literals.collect();
        let said = |bit: Node| {
            let with_sign = |positive| match bit.with_sign(positive) {
                Node::FALSE => Some((None, positive)),
                node => literals.get(&node).map(|&l| (Some(l), positive)),
            };
            with_sign(true).or_else(|| with_sign(false))
        };
        let (x, y) = (self.bits(x), self.bits(y));
        let pair = |(&a, &b): (&Node, &Node)| BitPair {
            bits: [self.formula(a), self.formula(b)],
            said: [said(a), said(b)],
            differ: literals.get(&self.nodes.xor(a, b)).copied(),
        };
        zip(&*x, &*y).map(pair).collect()
    }

    /// The literal of a clause that is the lowest bit of a term, with that sign; none if the bit is
    /// false by itself with that sign. `None` if the clause does not have it.
    pub(in crate::smt::native) fn lowest_bit(
        &mut self,
        x: Term,
        positive: bool,
        clause: &[Literal],
    ) -> Option<BTreeSet<Literal>> {
        let bit = self.bits(x)[0].with_sign(positive);
        let found = *self.of_clause(clause).get(&bit)?;
        Some(found.into_iter().collect())
    }

    /// A formula for a node: a gate as what it is of its inputs.
    pub(super) fn formula(&mut self, node: Node) -> Term {
        let t = self.t;
        let mut todo = vec![node.with_sign(node.is_positive())];
        while let Some(&x) = todo.last() {
            work::spend(1);
            let shape = self.nodes.shape(x);
            let inputs: &[Node] = match &shape {
                Some(Shape::Gate(gate)) => gate.inputs(),
                _ => &[],
            };
            let inputs = inputs.iter().map(|&x| x.with_sign(x.is_positive()));
            let open = inputs.filter(|x| !self.formulas.contains_key(x));
            let pending = todo.len();
            todo.extend(open);
            if todo.len() == pending {
                todo.pop();
                let formula = shape.map_or(Term::TRUE, |shape| self.of_shape(shape));
                self.formulas.insert(x, formula);
            }
        }
        known_formula(t, &self.formulas, node)
    }

    /// The formula of a shape, where those of a gate's inputs are known.
    fn of_shape(&self, shape: Shape) -> Term {
        let t = self.t;
        let of = |x: Node| known_formula(t, &self.formulas, x);
        match shape {
            Shape::Formula(formula) => formula,
            Shape::Equal(x, y) => t.eq(x, y),
            Shape::Bit(x, place) => bit_is_set(t, x, place),
            Shape::Gate(gate) => match gate.map(of) {
                Gate::And([a, b]) => t.and([a, b]),
                Gate::Xor([a, b]) => t.not(t.eq(a, b)),
                Gate::Mux([c, a, b]) => t.ite(c, a, b),
                Gate::Majority([a, b, c]) => t.or([t.and([a, b]), t.and([a, c]), t.and([b, c])]),
            },
        }
    }

    /// The bits of a bit-vector.
    fn bits(&mut self, term: Term) -> Rc<[Node]> {
        let t = self.t;
        let mut todo = vec![term];
        while let Some(&x) = todo.last() {
            let pending = todo.len();
            let is_open =
                |a: &Term| t.bitvec_width(t.sort_of(*a)).is_some() && !self.words.contains_key(a);
            if !is_leaf(t, x) && is_open(&x) {
                todo.extend(t.args(x).iter().copied().filter(is_open));
            }
            if todo.len() > pending {
                continue;
            }
            todo.pop();
            if !self.words.contains_key(&x) {
                let bits = self.new_bits(x);
                self.words.insert(x, bits.into());
            }
        }
        Rc::clone(&self.words[&term])
    }

    /// The bits of a term, of whose arguments the bits are known.
    fn new_bits(&mut self, term: Term) -> Bits {
        let t = self.t;
        let width = t.bitvec_width(t.sort_of(term)).unwrap_or(0);
        if is_leaf(t, term) {
            let bit = |index| self.nodes.node(Shape::Bit(term, index));
            return (0..width).map(bit).collect();
        }
        if let Some(value) = t.as_bitvec(term) {
            let value = value.numer();
            let bit = |index| Node::TRUE.with_sign(value.bit(index));
            return (0..u64::from(width)).map(bit).collect();
        }
        let words: Vec<Rc<[Node]>> = (t.args(term).iter())
            .filter_map(|a| self.words.get(a).cloned())
            .collect();
        match t.op(term) {
            Op::Ite => {
                let condition = self.condition(t.args(term)[0]);
                self.choice(condition, &words[0], &words[1])
            }
            Op::Bv(op) => self.operator(op, &words),
            op => unreachable!("{op:?} is looked into"),
        }
    }

    /// The node of a condition, which is not looked into.
    fn condition(&mut self, formula: Term) -> Node {
        let inner = self.t.as_not(formula).unwrap_or(formula);
        let node = match self.t.op(inner) {
            Op::True => Node::TRUE,
            Op::False => Node::FALSE,
            _ => self.of_formula(inner),
        };
        node.with_sign(inner == formula)
    }

    /// The node of a formula. An equation has the same one whether it is a formula or an atom of
    /// equality: a search has both where the equation has applications.
    fn of_formula(&mut self, formula: Term) -> Node {
        let t = self.t;
        match (t.op(formula), t.args(formula)) {
            (Op::Eq, &[x, y]) if t.sort_of(x) != Sort::BOOL && !t.sort_of(x).is_arith() => {
                self.nodes.node(Shape::Equal(x.min(y), x.max(y)))
            }
            _ => self.nodes.node(Shape::Formula(formula)),
        }
    }

    fn operator(&mut self, op: BvOp, args: &[Rc<[Node]>]) -> Bits {
        let (x, y) = (&*args[0], &*args[args.len() - 1]);
        let (width, sign) = (x.len(), x[x.len() - 1]);
        let signs_differ = self.nodes.xor(sign, y[y.len() - 1]);
        let extended = |by, more: u32| [x, &vec![by; more as usize]].concat();
        match op {
            BvOp::Not => complement(x),
            BvOp::And => self.fold(args, |c, x, y| c.bitwise(x, y, Nodes::and)),
            BvOp::Or => self.fold(args, |c, x, y| c.bitwise(x, y, Nodes::or)),
            BvOp::Xor => self.fold(args, |c, x, y| c.bitwise(x, y, Nodes::xor)),
            BvOp::Add => self.fold(args, |c, x, y| c.sum(x, y, Node::FALSE)),
            BvOp::Mul => self.fold(args, Self::product),
            BvOp::Neg => self.negation(x),
            BvOp::Udiv => self.divide(x, y).0,
            BvOp::Urem => self.divide(x, y).1,
            BvOp::Sdiv => {
                let (quotient, _) = self.divide_magnitudes(x, y);
                self.negation_if(signs_differ, &quotient)
            }
            BvOp::Srem => {
                let (_, remainder) = self.divide_magnitudes(x, y);
                self.negation_if(sign, &remainder)
            }
            BvOp::Smod => {
                let (_, remainder) = self.divide_magnitudes(x, y);
                let remainder = self.negation_if(sign, &remainder);
                let equal = self.equal(&remainder, &vec![Node::FALSE; width]);
                let corrects = self.nodes.and(signs_differ, !equal);
                let more: Bits = y.iter().map(|&b| self.nodes.and(corrects, b)).collect();
                self.sum(&remainder, &more, Node::FALSE)
            }
            BvOp::Shl => {
                // A shift to the right of the bits in reverse order.
                let turned: Bits = x.iter().rev().copied().collect();
                let moved = self.shifted_right(turned, y, Node::FALSE);
                moved.into_iter().rev().collect()
            }
            BvOp::Lshr => self.shifted_right(x.to_vec(), y, Node::FALSE),
            BvOp::Ashr => self.shifted_right(x.to_vec(), y, sign),
            BvOp::Concat => [y, x].concat(),
            BvOp::Extract { hi, lo } => x[lo as usize..=hi as usize].to_vec(),
            BvOp::ZeroExtend(more) => extended(Node::FALSE, more),
            BvOp::SignExtend(more) => extended(sign, more),
            BvOp::RotateRight(places) => (0..width)
                .map(|i| x[(i + places as usize) % width])
                .collect(),
            BvOp::RotateLeft(places) => {
                let back = width - places as usize % width;
                (0..width).map(|i| x[(i + back) % width]).collect()
            }
            BvOp::Repeat(copies) => x.repeat(copies as usize),
            BvOp::Comp => vec![self.equal(x, y)],
            BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle | BvOp::ToNat | BvOp::FromInt(_) => {
                unreachable!("{op:?} makes no bit-vector of bit-vectors")
            }
        }
    }

    fn fold(
        &mut self,
        args: &[Rc<[Node]>],
        mut both: impl FnMut(&mut Self, &[Node], &[Node]) -> Bits,
    ) -> Bits {
        let first = args[0].to_vec();
        (args[1..].iter()).fold(first, |before, arg| both(self, &before, arg))
    }

    fn bitwise(
        &mut self,
        x: &[Node],
        y: &[Node],
        gate: fn(&mut Nodes, Node, Node) -> Node,
    ) -> Bits {
        zip(x, y)
            .map(|(&a, &b)| gate(&mut self.nodes, a, b))
            .collect()
    }

    fn choice(&mut self, condition: Node, x: &[Node], y: &[Node]) -> Bits {
        let pairs = zip(x, y);
        pairs
            .map(|(&a, &b)| self.nodes.mux(condition, a, b))
            .collect()
    }

    /// `x + y + carry`, from the least significant bit on.
    fn sum(&mut self, x: &[Node], y: &[Node], mut carry: Node) -> Bits {
        let mut sum = Bits::with_capacity(x.len());
        for (&a, &b) in zip(x, y) {
            let half = self.nodes.xor(a, b);
            sum.push(self.nodes.xor(half, carry));
            carry = self.nodes.majority(a, b, carry);
        }
        sum
    }

    /// `¬x + 1`.
    fn negation(&mut self, x: &[Node]) -> Bits {
        self.sum(&complement(x), &vec![Node::FALSE; x.len()], Node::TRUE)
    }

    fn negation_if(&mut self, condition: Node, x: &[Node]) -> Bits {
        let negative = self.negation(x);
        self.choice(condition, &negative, x)
    }

    /// The sum of `x·2^i` over the bits `i` of `y`; for a constant over its digits 1, less that
    /// over its digits -1.
    fn product(&mut self, x: &[Node], y: &[Node]) -> Bits {
        let width = x.len();
        let mut total = vec![Node::FALSE; width];
        if y.iter().all(|&d| d == Node::TRUE || d == Node::FALSE) {
            let bits = y.iter().rev().map(|&d| u8::from(d == Node::TRUE));
            let mut rest = bits.fold(BigInt::ZERO, |number, bit| number * 2 + bit);
            for i in 0..width {
                let shifted: Bits = repeat_n(&Node::FALSE, i)
                    .chain(x)
                    .take(width)
                    .copied()
                    .collect();
                // An odd number is 1 or -1 more than a multiple of 4.
                match i32::try_from(rest.mod_floor(&4.into())) {
                    Ok(1) => {
                        total = self.sum(&total, &shifted, Node::FALSE);
                        rest -= 1;
                    }
                    Ok(3) => {
                        total = self.sum(&total, &complement(&shifted), Node::TRUE);
                        rest += 1;
                    }
                    _ => {}
                }
                rest /= 2;
            }
            return total;
        }
        for (i, &digit) in y.iter().enumerate().filter(|(_, d)| **d != Node::FALSE) {
            let shifted = repeat_n(&Node::FALSE, i).chain(x).take(width);
            let part: Bits = shifted.map(|&a| self.nodes.and(digit, a)).collect();
            total = self.sum(&total, &part, Node::FALSE);
        }
        total
    }

    /// `x < y`, or `x ≤ y` if not strict: decided by the most significant bits that differ.
    fn less(&mut self, x: &[Node], y: &[Node], strict: bool) -> Node {
        let equal = Node::TRUE.with_sign(!strict);
        zip(x, y).fold(equal, |less, (&a, &b)| self.nodes.majority(!a, b, less))
    }

    fn equal(&mut self, x: &[Node], y: &[Node]) -> Node {
        let differ = zip(x, y).fold(Node::FALSE, |differ, (&a, &b)| {
            let here = self.nodes.xor(a, b);
            self.nodes.or(differ, here)
        });
        !differ
    }

    /// Quotient and remainder by long division; all ones and `x` if `y` is zero.
    fn divide(&mut self, x: &[Node], y: &[Node]) -> (Bits, Bits) {
        let divisor = [y, &[Node::FALSE]].concat();
        // The rest is less than a divisor that is not zero.
        let top = y.iter().rposition(|&bit| bit != Node::FALSE);
        let is_positive = y.contains(&Node::TRUE);
        let length = top.filter(|_| is_positive).map_or(x.len(), |top| top + 1);
        let mut quotient = Bits::new();
        let mut rest = vec![Node::FALSE; x.len()];
        for &bit in x.iter().rev() {
            rest.insert(0, bit);
            let fits = self.less(&divisor, &rest, false);
            rest.truncate(length);
            let smaller = self.sum(&rest, &complement(&y[..length]), Node::TRUE);
            rest = self.choice(fits, &smaller, &rest);
            rest.resize(x.len(), Node::FALSE);
            quotient.insert(0, fits);
        }
        (quotient, rest)
    }

    /// Quotient and remainder of the absolute values.
    fn divide_magnitudes(&mut self, x: &[Node], y: &[Node]) -> (Bits, Bits) {
        let x = self.negation_if(x[x.len() - 1], x);
        let y = self.negation_if(y[y.len() - 1], y);
        self.divide(&x, &y)
    }

    /// `x` shifted to the right by the number `y`, where `fill` comes in.
    fn shifted_right(&mut self, x: Bits, y: &[Node], fill: Node) -> Bits {
        let width = x.len();
        let is_within = |k: usize| k < usize::BITS as usize && 1 << k < width;
        let mut word = x;
        for (k, &digit) in y.iter().enumerate().filter(|(k, _)| is_within(*k)) {
            let moved = [&word[1 << k..], &vec![fill; 1 << k]].concat();
            word = self.choice(digit, &moved, &word);
        }
        let high = y.iter().enumerate().filter(|(k, _)| !is_within(*k));
        let beyond = high.fold(Node::FALSE, |any, (_, &bit)| self.nodes.or(any, bit));
        self.choice(beyond, &vec![fill; width], &word)
    }
}

fn known_formula(t: &Terms, known: &FxHashMap<Node, Term>, node: Node) -> Term {
    let positive = node.is_positive();
    let formula = known[&node.with_sign(positive)];
    if positive { formula } else { t.not(formula) }
}

/// Is a bit-vector not looked into?
fn is_leaf(t: &Terms, term: Term) -> bool {
    match t.op(term) {
        Op::Bv(op) => matches!(op, BvOp::FromInt(_)),
        op => !matches!(op, Op::BitVec(_) | Op::Ite),
    }
}

fn complement(x: &[Node]) -> Bits {
    x.iter().map(|&bit| !bit).collect()
}

/// The order of signed numbers is that of unsigned ones where the sign is complemented.
fn sign_flipped(mut x: Bits) -> Bits {
    if let Some(sign) = x.last_mut() {
        *sign = !*sign;
    }
    x
}
