//! Whose symbols atoms have: those of a subtree of parts, of the others, or of both.

use crate::smt::native::proof::{Gate, Justification, Literal, Proof, ProofAtom, Why};
use crate::term::{FuncId, Op, Term, TermMap, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

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

/// Is it an atom that the encoding made, not one that formulas have? Those of formulas are values
/// of symbols, or of what is read from values.
fn is_definitional(t: &Terms, atom: &ProofAtom) -> bool {
    let is_read = |term| matches!(t.op(term), Op::Is(_) | Op::Field(_) | Op::Select);
    match atom {
        ProofAtom::Operator(_) | ProofAtom::Gate(_) => true,
        ProofAtom::Formula(term) | ProofAtom::Bit(term, _) => {
            symbol(t, *term).is_none() && !is_read(*term)
        }
        ProofAtom::Truth | ProofAtom::Scope | ProofAtom::Equal(..) | ProofAtom::Bound { .. } => {
            false
        }
    }
}

/// The symbols of a proof's atoms, and the nodes that have them.
pub(super) struct Symbols {
    /// The symbols by number, and for each the nodes that have it.
    numbering: Numbering,
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

    /// Has the node all symbols of an atom that some node has?
    fn has_all(&self, node: usize, t: &Terms, atom: &ProofAtom) -> bool {
        let symbols = self.of_terms(t, atom.terms()).into_iter();
        symbols
            .map(|s| &self.nodes[s])
            .all(|nodes| nodes.contains(&node))
    }

    /// The numbers of the symbols in terms; symbols that no node has are everyone's.
    fn of_terms(&self, t: &Terms, terms: impl IntoIterator<Item = Term>) -> Vec<usize> {
        let symbols = t.post_order(terms).filter_map(|x| symbol(t, x));
        let numbers = symbols.filter_map(|s| self.numbers.get(&s).copied());
        let distinct: FxHashSet<usize> = numbers.collect();
        distinct.into_iter().collect()
    }
}

/// The numbers of the symbols of a gate that no part has defined: those of its inputs, where the
/// numbers of earlier atoms are known.
fn of_inputs(gate: &Gate<Literal>, known: &[Vec<usize>]) -> Vec<usize> {
    let inputs = gate.inputs().iter();
    let numbers = inputs.flat_map(|input| &known[input.atom as usize]);
    let distinct: FxHashSet<usize> = numbers.copied().collect();
    distinct.into_iter().collect()
}

impl Symbols {
    /// The symbols of a proof from the formulas of the nodes. `node_of` says which node a part of
    /// the proof belongs to, if it belongs to one.
    pub(super) fn new(
        t: &Terms,
        formulas: &[Vec<Term>],
        proof: &Proof,
        node_of: impl Fn(u32) -> Option<usize>,
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
        let mut atoms = vec![None; proof.atoms.len()];
        let mut known: FxHashMap<(usize, usize), bool> = FxHashMap::default();
        // What the encoding of a part made is that part's alone.
        for step in &proof.steps {
            let Why::Input { part, rule } = step.why else {
                continue;
            };
            if rule.is_theory() && !matches!(rule, Justification::Gate | Justification::Equation) {
                continue;
            }
            // What the search has defined may have symbols of several parts.
            let Some(node) = node_of(part) else {
                continue;
            };
            for literal in &step.clause {
                let number = literal.atom as usize;
                let atom = &proof.atoms[number];
                let is_own = *known.entry((number, node)).or_insert_with(|| {
                    is_definitional(t, atom) && numbering.has_all(node, t, atom)
                });
                if is_own {
                    let own = numbering.note(Symbol::Definition(literal.atom), node);
                    atoms[number] = Some(vec![own]);
                }
            }
        }
        let mut found: Vec<Vec<usize>> = Vec::with_capacity(atoms.len());
        for (atom, own) in std::iter::zip(&proof.atoms, atoms) {
            // The inputs of a gate come before it.
            let numbers = own.unwrap_or_else(|| match atom {
                ProofAtom::Gate(gate) => of_inputs(gate, &found),
                _ => numbering.of_terms(t, atom.terms()),
            });
            debug_assert!(
                numbers.iter().all(|&n| n < numbering.nodes.len()),
                "a symbol of an atom is one that some node has"
            );
            found.push(numbers);
        }
        Symbols {
            numbering,
            atoms: found,
            terms,
        }
    }

    /// The colors where `A` is the nodes that are `inside`.
    pub(super) fn colors(&self, inside: &[bool]) -> Colors<'_> {
        let color = |nodes: &Vec<usize>| {
            debug_assert!(!nodes.is_empty(), "a symbol is of some node");
            let in_a = nodes.iter().any(|&n| inside[n]);
            let in_b = nodes.iter().any(|&n| !inside[n]);
            Color::new(!in_b, !in_a)
        };
        let symbols: Vec<Color> = self.numbering.nodes.iter().map(color).collect();
        let of = |numbers: &Vec<usize>| {
            let colors = numbers.iter().map(|&n| symbols[n]);
            colors.fold(Color::Both, Color::and)
        };
        Colors {
            atoms: self.atoms.iter().map(of).collect(),
            terms: self.terms.iter().map(|(&x, own)| (x, of(own))).collect(),
            numbers: &self.numbering.numbers,
            symbols,
            known: RefCell::default(),
        }
    }
}

/// Colors at one cut of the tree.
pub(super) struct Colors<'s> {
    /// By atom.
    pub(super) atoms: Vec<Color>,
    /// By term in a linear form.
    terms: FxHashMap<Term, Color>,
    numbers: &'s FxHashMap<Symbol, usize>,
    /// By number of a symbol.
    symbols: Vec<Color>,
    /// The colors of the terms that were asked for, and of their subterms.
    known: RefCell<TermMap<Color>>,
}

impl Colors<'_> {
    /// The color of a symbol; one that no node has is everyone's.
    fn of_symbol(&self, symbol: Symbol) -> Color {
        (self.numbers.get(&symbol)).map_or(Color::Both, |&number| self.symbols[number])
    }

    /// The color of a function.
    pub(super) fn of_function(&self, func: FuncId) -> Color {
        self.of_symbol(Symbol::Function(func))
    }

    /// The color of a term, by its symbols.
    pub(super) fn of_term(&self, t: &Terms, term: Term) -> Color {
        let mut known = self.known.borrow_mut();
        if let Some(&color) = known.get(&term) {
            return color;
        }
        for x in t.post_order([term]) {
            let head = symbol(t, x).map_or(Color::Both, |s| self.of_symbol(s));
            let args = t.args(x).iter().map(|arg| known[arg]);
            let color = args.fold(head, Color::and);
            known.insert(x, color);
        }
        known[&term]
    }

    /// The two terms with that of `A` first; `None` if they are not of one side each.
    pub(super) fn sides(&self, t: &Terms, x: Term, y: Term) -> Option<(Term, Term)> {
        match (self.of_term(t, x), self.of_term(t, y)) {
            (Color::A, Color::B) => Some((x, y)),
            (Color::B, Color::A) => Some((y, x)),
            _ => None,
        }
    }

    /// Does a term of a linear form have symbols of this side alone, and none of the other?
    pub(super) fn has_alone(&self, side: Color, term: &Term) -> bool {
        self.terms.get(term) == Some(&side)
    }
}
