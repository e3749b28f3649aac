//! A number that identifies a system, also across stores of terms.
//!
//! Two systems with equal predicates and, in order, equal clauses have equal fingerprints.
//! Variables are equal if they stand at the same position of their clauses' lists. The two sides of
//! an equation may change places, since their order in a store depends on which was made first.
//! Different systems have equal fingerprints with a probability of about 2^-100.

use super::{Clause, System};
use crate::term::{Op, Sort, Term, TermMap, Terms};

/// A 128-bit mixing hash; not cryptographic.
#[derive(Clone, Copy)]
struct Mixer(u128);

/// An odd constant whose bits look random: the fractional part of the golden ratio.
const MULTIPLIER: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

impl Mixer {
    fn new(kind: &str) -> Self {
        let mut mixer = Mixer(MULTIPLIER);
        mixer.text(kind);
        mixer
    }

    fn number(&mut self, value: u128) {
        let mixed = (self.0 ^ value).wrapping_mul(MULTIPLIER);
        self.0 = (mixed ^ (mixed >> 61))
            .wrapping_mul(MULTIPLIER)
            .rotate_left(37);
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.number(u128::from(byte)));
        self.number(text.len() as u128);
    }
}

impl System {
    /// The fingerprint of the system.
    pub fn fingerprint(&self, t: &Terms) -> u128 {
        let mut mixer = Mixer::new("system");
        for pred in &self.preds {
            let func = t.func(pred.func);
            mixer.text(t.name(func.name));
            func.params
                .iter()
                .for_each(|&sort| mixer.number(sort_number(t, sort)));
        }
        for clause in &self.clauses {
            mixer.number(self.clause_number(t, clause));
        }
        mixer.0
    }

    fn clause_number(&self, t: &Terms, clause: &Clause) -> u128 {
        let mut numbers: TermMap<u128> = TermMap::default();
        let mut mixer = Mixer::new("clause");
        for (position, &var) in clause.vars.iter().enumerate() {
            let mut number = Mixer::new("variable");
            number.number(position as u128);
            number.number(sort_number(t, t.sort_of(var)));
            numbers.insert(var, number.0);
        }
        mixer.text(clause.origin.name.map_or("", |name| t.name(name)));
        mixer.number(u128::from(clause.is_query()));
        for atom in clause.atoms() {
            mixer.number(u128::from(atom.pred.0));
            for &arg in &atom.args {
                mixer.number(term_number(t, arg, &mut numbers));
            }
        }
        mixer.number(term_number(t, clause.constraint, &mut numbers));
        mixer.0
    }
}

fn sort_number(t: &Terms, sort: Sort) -> u128 {
    let mut mixer = Mixer::new("sort");
    mixer.text(&t.display_sort(sort).to_string());
    mixer.0
}

fn term_number(t: &Terms, root: Term, numbers: &mut TermMap<u128>) -> u128 {
    let mut stack = vec![root];
    while let Some(&term) = stack.last() {
        if numbers.contains_key(&term) {
            stack.pop();
            continue;
        }
        let open = stack.len();
        stack.extend(t.args(term).iter().filter(|arg| !numbers.contains_key(arg)));
        if stack.len() == open {
            let mut mixer = Mixer::new(&head_text(t, term));
            if t.op(term) == Op::Eq {
                mixer.number(
                    t.args(term)
                        .iter()
                        .fold(0, |sum, arg| sum.wrapping_add(numbers[arg])),
                );
            } else {
                t.args(term)
                    .iter()
                    .for_each(|arg| mixer.number(numbers[arg]));
            }
            numbers.insert(term, mixer.0);
            stack.pop();
        }
    }
    numbers[&root]
}

/// The head of a term as text, with names and values in place of ids.
fn head_text(t: &Terms, term: Term) -> String {
    let sort = t.display_sort(t.sort_of(term));
    match t.op(term) {
        Op::Var(name) => format!("free variable {} {sort}", t.name(name)),
        Op::Apply(func) => format!("function {} {sort}", t.name(t.func(func).name)),
        Op::Number(id) | Op::BitVec(id) => format!("number {} {sort}", t.number_value(id)),
        Op::Construct(ctor) => format!("constructor {} {sort}", t.name(t.ctor(ctor).name)),
        Op::Is(ctor) => format!("tester {}", t.name(t.ctor(ctor).name)),
        Op::Field(selector) => format!("selector {} {sort}", t.name(t.selector(selector).name)),
        op => format!("{op:?} {sort}"),
    }
}
