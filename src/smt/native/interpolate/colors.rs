//! Whose symbols atoms have: those of a subtree of parts, of the others, or of both.

use crate::smt::native::proof::{Proof, ProofAtom, Why};
use crate::term::{FuncId, Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whose an atom is. `A` is the subtree that an interpolant describes, `B` everything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Color {
    /// Some of its symbols are `A`'s alone, none `B`'s.
    A,
    /// Some of its symbols are `B`'s alone, none `A`'s.
    B,
    /// Both sides have all its symbols.
    Both,
    /// It has symbols of `A` alone and symbols of `B` alone.
    Mixed,
}

impl Color {
    fn new(of_a: bool, of_b: bool) -> Color {
        match (of_a, of_b) {
            (true, true) => Color::Mixed,
            (true, false) => Color::A,
            (false, true) => Color::B,
            (false, false) => Color::Both,
        }
    }

    /// The color of what has the symbols of both.
    pub(super) fn and(self, other: Color) -> Color {
        let has = |color| self == color || other == color || self == Color::Mixed;
        let mixed = other == Color::Mixed;
        Color::new(has(Color::A) || mixed, has(Color::B) || mixed)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symbol {
    Variable(Term),
    Function(FuncId),
    /// What a variable stands for that the encoding of a part made.
    Definition(u32),
}

fn symbol(t: &Terms, term: Term) -> Option<Symbol> {
    match t.op(term) {
        Op::Var(_) => Some(Symbol::Variable(term)),
        Op::Apply(func) => Some(Symbol::Function(func)),
        _ => None,
    }
}

/// Is it an atom that the encoding made, not one that formulas have?
fn is_definitional(t: &Terms, atom: &ProofAtom) -> bool {
    match atom {
        ProofAtom::Operator(_) | ProofAtom::Gate(_) => true,
        ProofAtom::Formula(term) | ProofAtom::Bit(term, _) => symbol(t, *term).is_none(),
        ProofAtom::Truth | ProofAtom::Scope | ProofAtom::Equal(..) | ProofAtom::Bound { .. } => {
            false
        }
    }
}

/// The symbols of a proof's atoms, and the nodes that have them.
pub(super) struct Symbols {
    /// By number of a symbol.
    nodes: Vec<Vec<usize>>,
    /// By atom: the numbers of its symbols.
    atoms: Vec<Vec<usize>>,
    /// By term in a linear form, likewise.
    terms: FxHashMap<Term, Vec<usize>>,
}

/// Numbers the symbols that the nodes have.
#[derive(Default)]
struct Numbering {
    numbers: FxHashMap<Symbol, usize>,
    nodes: Vec<Vec<usize>>,
}

impl Numbering {
    fn note(&mut self, symbol: Symbol, node: usize) -> usize {
        let next = self.nodes.len();
        let number = *self.numbers.entry(symbol).or_insert(next);
        if number == next {
            self.nodes.push(Vec::new());
        }
        let nodes = &mut self.nodes[number];
        if nodes.last() != Some(&node) {
            nodes.push(node);
        }
        number
    }

    /// The numbers of the symbols in terms; symbols that no node has are everyone's.
    fn of_terms(&self, t: &Terms, terms: impl IntoIterator<Item = Term>) -> Vec<usize> {
        let symbols = t.post_order(terms).filter_map(|x| symbol(t, x));
        let numbers = symbols.filter_map(|s| self.numbers.get(&s).copied());
        let distinct: FxHashSet<usize> = numbers.collect();
        distinct.into_iter().collect()
    }
}

impl Symbols {
    /// The symbols of a proof from the formulas of the nodes. `node_of` says which node a part of
    /// the proof belongs to.
    pub(super) fn new(
        t: &Terms,
        formulas: &[Vec<Term>],
        proof: &Proof,
        node_of: impl Fn(u32) -> usize,
    ) -> Symbols {
        let mut numbering = Numbering::default();
        for (node, formulas) in formulas.iter().enumerate() {
            for symbol in (t.post_order(formulas.iter().copied())).filter_map(|x| symbol(t, x)) {
                numbering.note(symbol, node);
            }
        }
        let mut terms = FxHashMap::default();
        for atom in &proof.atoms {
            if let ProofAtom::Bound { form, .. } = atom {
                for &(x, _) in form {
                    let symbols = || numbering.of_terms(t, [x]);
                    terms.entry(x).or_insert_with(symbols);
                }
            }
        }
        let mut atoms: Vec<Vec<usize>> = (proof.atoms.iter())
            .map(|atom| match is_definitional(t, atom) {
                true => Vec::new(),
                false => numbering.of_terms(t, atom.terms()),
            })
            .collect();
        // What the encoding of a part made is that part's alone.
        for step in &proof.steps {
            if let Why::Input { part, .. } = step.why {
                for literal in &step.clause {
                    let number = literal.atom;
                    if is_definitional(t, &proof.atoms[number as usize]) {
                        let own = numbering.note(Symbol::Definition(number), node_of(part));
                        atoms[number as usize] = vec![own];
                    }
                }
            }
        }
        Symbols {
            nodes: numbering.nodes,
            atoms,
            terms,
        }
    }

    /// The colors where `A` is the nodes that are `inside`.
    pub(super) fn colors(&self, inside: &[bool]) -> Colors {
        let color = |nodes: &Vec<usize>| {
            let in_a = nodes.iter().any(|&n| inside[n]);
            let in_b = nodes.iter().any(|&n| !inside[n]);
            Color::new(!in_b, !in_a)
        };
        let symbols: Vec<Color> = self.nodes.iter().map(color).collect();
        let of = |numbers: &Vec<usize>| {
            let colors = numbers.iter().map(|&n| symbols[n]);
            colors.fold(Color::Both, Color::and)
        };
        Colors {
            atoms: self.atoms.iter().map(of).collect(),
            terms: self.terms.iter().map(|(&x, own)| (x, of(own))).collect(),
        }
    }
}

/// Colors at one cut of the tree.
pub(super) struct Colors {
    /// By atom.
    pub(super) atoms: Vec<Color>,
    /// By term in a linear form.
    terms: FxHashMap<Term, Color>,
}

impl Colors {
    /// Does a term of a linear form have symbols of this side alone, and none of the other?
    pub(super) fn has_alone(&self, side: Color, term: &Term) -> bool {
        self.terms.get(term) == Some(&side)
    }
}
