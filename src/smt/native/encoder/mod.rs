//! From terms to clauses: the definitional encoding of \[PG86\], each subformula once.
//!
//! A subformula has a literal that implies it where it occurs positively, and is implied by it
//! where it occurs negatively. The clauses of a direction are added when the direction is first
//! needed, and stay. Arithmetic atoms become bounds, and equations become two bounds each. An
//! arithmetic operator (`ite`, `div`, `abs`, …) becomes a variable whose definition is guarded by a
//! literal. An atom with the operator is encoded as the atom *and* the guards of its operators, so
//! a definition is only active where the atom is. Bit-vectors become circuits of gates, see `bits`.
//!
//! Nothing recurses: a work list holds the subformulas that are still to be defined.

mod applications;
mod arith;
mod bits;
mod choices;
mod operators;

use super::arithmetic::Arithmetic;
use super::bitvector::Gate;
use super::equality::Equality;
use super::literal::{Lit, Var};
use super::proof::Justification;
use super::sat::Sat;
use super::simplex::ArithVar;
use crate::number::Rational;
use crate::term::{Op, Sort, Term, TermMap, TermSet, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

pub(super) use arith::Sum;
pub(super) use bits::{is_bitvec, is_conversion, single_bit};
pub(super) use operators::two_factors;

/// What a variable of propositional search means. Bounds are in [`Arithmetic`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// It is a bound.
    Bound,
    /// It is true.
    Truth,
    /// This formula holds: a variable, an atom that is no bound, or a subformula.
    Formula(Term),
    /// These two terms are equal.
    Equal(Term, Term),
    /// This bit of a bit-vector is set; it is counted from the least significant one.
    Bit(Term, u32),
    /// It is the output of a gate.
    Gate(Gate<Lit>),
    /// This operator term has its meaning.
    Operator(Term),
    /// A scope of assertions is open.
    Scope,
}

/// A formula that is a conjunction of literals: bounds, and the guards of operators in them.
///
/// Its negation is that one of the bounds fails, while the guards hold.
#[derive(Clone, Debug, Default)]
struct AtomCode {
    bounds: SmallVec<[Lit; 2]>,
    guards: SmallVec<[Lit; 2]>,
}

impl AtomCode {
    fn as_literal(&self) -> Option<Lit> {
        match (&*self.bounds, &*self.guards) {
            (&[lit], []) => Some(lit),
            _ => None,
        }
    }
}

/// A subformula's variable, and the directions of its definition that have clauses.
#[derive(Clone, Copy, Debug)]
struct Definition {
    var: Var,
    positive: bool,
    negative: bool,
}

/// Something to be defined.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// A subformula, in its positive or its negative direction.
    Formula(Term, bool),
    Operator(Term),
    /// An equation of bit-vectors.
    Equation(Term, Term),
}

/// The encoder of a context.
pub(super) struct Encoder<'t> {
    t: &'t Terms,
    /// Subformulas, by partition for interpolation: their definitions are not shared between
    /// partitions.
    definitions: TermMap<Definition>,
    /// Boolean variables and applications of predicates.
    variables: TermMap<Var>,
    /// Equations that theories share: between terms of sorts that are not numbers, and between
    /// numbers that are parts of applications.
    equalities: FxHashMap<(Term, Term), Var>,
    /// The numbers that are arguments of applications, as sums.
    shared: TermMap<Sum>,
    /// The formulas that are arguments of applications, by partition.
    formulas: TermSet,
    atoms: TermMap<AtomCode>,
    /// Arithmetic terms that are not sums.
    terms: TermMap<ArithVar>,
    /// The term of each arithmetic variable that is no form.
    term_of: FxHashMap<ArithVar, Term>,
    forms: FxHashMap<Box<[(ArithVar, Rational)]>, ArithVar>,
    /// The forms `x - y`, each with its two variables.
    differences: Vec<(ArithVar, [ArithVar; 2])>,
    /// The guards of operators.
    operators: TermMap<Var>,
    /// The conversions between numbers and bit-vectors whose bits have the number's value.
    conversions: TermSet,
    bits: bits::Bits,
    choices: choices::Choices,
    meanings: Vec<Meaning>,
    /// The most bits that a coefficient or a bound has in what was encoded.
    width: u64,
    truth: Option<Lit>,
    /// Are there partitions for interpolation?
    is_partitioned: bool,
    tasks: Vec<Task>,
}

impl<'t> Encoder<'t> {
    pub(super) fn new(t: &'t Terms) -> Self {
        Encoder {
            t,
            definitions: TermMap::default(),
            variables: TermMap::default(),
            equalities: FxHashMap::default(),
            shared: TermMap::default(),
            formulas: TermSet::default(),
            atoms: TermMap::default(),
            terms: TermMap::default(),
            term_of: FxHashMap::default(),
            forms: FxHashMap::default(),
            differences: Vec::new(),
            operators: TermMap::default(),
            conversions: TermSet::default(),
            bits: bits::Bits::default(),
            choices: choices::Choices::default(),
            meanings: Vec::new(),
            width: 0,
            truth: None,
            is_partitioned: false,
            tasks: Vec::new(),
        }
    }

    /// What a variable means.
    pub(super) fn meaning(&self, var: Var) -> Meaning {
        self.meanings[var.index()]
    }

    /// The most bits that a coefficient or a bound has in what was encoded. Divisions of integers
    /// into cases do not count.
    pub(super) fn width(&self) -> u64 {
        self.width
    }

    /// Subformulas and operators are defined anew from here on, so that no clause is shared with
    /// what was before.
    pub(super) fn start_partition(&mut self) {
        self.is_partitioned = true;
        self.definitions.clear();
        self.operators.clear();
        self.conversions.clear();
        self.atoms.clear();
        self.formulas.clear();
        self.bits.start_partition();
        // The definition of an equation of bit-vectors is made of gates.
        self.equalities
            .retain(|(x, _), _| !is_bitvec(self.t, self.t.sort_of(*x)));
    }

    /// Gates are made anew from here on, so that those which the search makes by itself are shared
    /// with no partition.
    pub(super) fn start_search(&mut self) {
        self.bits.start_partition();
    }

    /// The arithmetic variable of a term that is no sum, if it was encoded.
    pub(super) fn arith_var(&self, term: Term) -> Option<ArithVar> {
        self.terms.get(&term).copied()
    }

    /// The term that an arithmetic variable is, unless it is a form.
    pub(super) fn arith_term(&self, var: ArithVar) -> Option<Term> {
        self.term_of.get(&var).copied()
    }

    /// The variable of a Boolean variable or the application of a predicate, if it was encoded.
    pub(super) fn variable(&self, term: Term) -> Option<Var> {
        self.variables.get(&term).copied()
    }

    /// The forms `x - y`, each with its two variables.
    pub(super) fn differences(&self) -> &[(ArithVar, [ArithVar; 2])] {
        &self.differences
    }

    /// The forms of several variables, at most this number, each with its own variable.
    pub(super) fn short_forms(
        &self,
        longest: usize,
    ) -> impl Iterator<Item = (&[(ArithVar, Rational)], ArithVar)> {
        let forms = self.forms.iter().map(|(form, &var)| (&**form, var));
        let mut short: Vec<_> = forms.filter(|(form, _)| form.len() <= longest).collect();
        short.sort_unstable_by_key(|&(_, var)| var);
        short.into_iter()
    }

    /// Are there partitions for interpolation?
    pub(super) fn is_partitioned(&self) -> bool {
        self.is_partitioned
    }

    /// The variable of the equation of two terms, if it has one.
    pub(super) fn equation(&self, x: Term, y: Term) -> Option<Var> {
        self.equalities.get(&(x.min(y), x.max(y))).copied()
    }

    /// The sum that a number is which is an argument of an application.
    pub(super) fn shared(&self, number: Term) -> Option<&Sum> {
        self.shared.get(&number)
    }

    /// A condition and the two cases of an atom whose choices are moved out.
    fn cases(&mut self, atom: Term) -> Option<[Term; 3]> {
        self.choices.cases(self.t, atom)
    }

    /// The bits of a bit-vector that was encoded, the least significant first.
    pub(super) fn bits(&self, term: Term) -> Option<&Rc<[Lit]>> {
        self.bits.of_any_partition(term)
    }
}

/// An encoder at work, with what it writes to.
pub(super) struct Encoding<'e, 't> {
    pub(super) encoder: &'e mut Encoder<'t>,
    pub(super) sat: &'e mut Sat,
    pub(super) arith: &'e mut Arithmetic,
    pub(super) equality: &'e mut Equality<'t>,
}

impl Encoding<'_, '_> {
    /// A new variable.
    pub(super) fn new_var(&mut self, meaning: Meaning) -> Var {
        let var = self.sat.new_var(false);
        self.note_meaning(var, meaning);
        var
    }

    fn note_meaning(&mut self, var: Var, meaning: Meaning) {
        debug_assert_eq!(self.encoder.meanings.len(), var.index());
        self.encoder.meanings.push(meaning);
    }

    /// The literal that is true.
    pub(super) fn truth(&mut self) -> Lit {
        if let Some(lit) = self.encoder.truth {
            return lit;
        }
        let lit = self.new_var(Meaning::Truth).positive();
        self.sat
            .add_clause(&[lit], None, Justification::Definition(Term::TRUE));
        self.encoder.truth = Some(lit);
        lit
    }

    /// Asserts a formula; with a guard, where the guard holds.
    pub(super) fn assert(&mut self, formula: Term, guard: Option<Lit>) {
        let t = self.encoder.t;
        for (f, positive) in parts(t, formula, true, Op::And) {
            self.assert_conjunct(f, positive, guard);
        }
        self.finish();
    }

    /// Asserts a formula that is no conjunction, or its negation.
    fn assert_conjunct(&mut self, formula: Term, positive: bool, guard: Option<Lit>) {
        let t = self.encoder.t;
        let rule = Justification::Assertion(formula, positive);
        let mut clause: Vec<Lit> = guard.map(|g| !g).into_iter().collect();
        let leaves = parts(t, formula, positive, Op::Or);
        if let [(leaf, positive)] = *leaves {
            self.define(leaf, positive, clause, rule);
            return;
        }
        for (leaf, positive) in leaves {
            let lit = self.literal(leaf, positive);
            clause.push(if positive { lit } else { !lit });
        }
        self.sat.add_clause(&clause, guard.map(|g| !g), rule);
    }

    /// Literals that are together equivalent to an assumption: as many as possible, so that a core
    /// says much.
    pub(super) fn assumption(&mut self, formula: Term) -> SmallVec<[Lit; 2]> {
        let t = self.encoder.t;
        let mut literals = SmallVec::new();
        let mut todo = vec![(formula, true)];
        // Parts may be shared: the tree of a formula may be exponentially larger than its graph.
        let mut opened: FxHashSet<(Term, bool)> = FxHashSet::default();
        while let Some((f, positive)) = todo.pop() {
            match (t.op(f), positive) {
                (Op::Not, _) => todo.push((t.args(f)[0], !positive)),
                (Op::And, true) | (Op::Or, false) => {
                    if opened.insert((f, positive)) {
                        todo.extend(t.args(f).iter().rev().map(|&a| (a, positive)));
                    }
                }
                _ => {
                    if positive && let Some(code) = self.atom_code(f) {
                        let parts = code.bounds.iter().chain(&code.guards);
                        literals.extend(parts.copied());
                    } else if positive && let Some(bits) = self.fixed_bits(f) {
                        literals.extend(bits);
                    } else {
                        let lit = self.literal(f, positive);
                        literals.push(if positive { lit } else { !lit });
                    }
                }
            }
        }
        self.finish();
        literals
    }

    /// Defines what is on the list.
    pub(super) fn finish(&mut self) {
        while let Some(task) = self.encoder.tasks.pop() {
            match task {
                Task::Formula(f, positive) => {
                    let var = self.encoder.definitions[&f].var;
                    let prefix = vec![var.literal(!positive)];
                    self.define(f, positive, prefix, Justification::Definition(f));
                }
                Task::Operator(term) => self.define_operator(term),
                Task::Equation(x, y) => self.define_equation(x, y),
            }
        }
    }

    /// The literal of a formula, to be used in that direction: if `positive`, the literal implies
    /// the formula; else its negation implies the formula's.
    pub(super) fn literal(&mut self, formula: Term, positive: bool) -> Lit {
        let t = self.encoder.t;
        match t.op(formula) {
            Op::True => self.truth(),
            Op::False => !self.truth(),
            // A negation's argument is none, so this goes no deeper.
            Op::Not => !self.literal(t.args(formula)[0], !positive),
            Op::Var(_) | Op::Apply(_) | Op::Select | Op::Field(_) | Op::Is(_) => {
                self.variable(formula)
            }
            Op::And | Op::Or | Op::Ite | Op::Bv(_) => self.defined(formula, positive),
            Op::Eq if t.sort_of(t.args(formula)[0]) == Sort::BOOL => {
                self.defined(formula, positive)
            }
            _ => match self.atom_code(formula).and_then(|code| code.as_literal()) {
                Some(lit) => lit,
                None => self.defined(formula, positive),
            },
        }
    }

    /// The literal of a Boolean variable or an atom that is not looked into.
    fn variable(&mut self, formula: Term) -> Lit {
        if let Some(&var) = self.encoder.variables.get(&formula) {
            return var.positive();
        }
        let var = self.new_var(Meaning::Formula(formula));
        self.encoder.variables.insert(formula, var);
        if is_application(self.encoder.t, formula) {
            self.equality.add_atom(self.sat, formula, var);
            self.define_arguments(formula, &[var.positive(), !var.positive()]);
        }
        var.positive()
    }

    /// The literal of a compound formula, whose clauses for that direction will come.
    fn defined(&mut self, formula: Term, positive: bool) -> Lit {
        let definition = match self.encoder.definitions.get(&formula) {
            Some(&definition) => definition,
            None => Definition {
                var: self.new_var(Meaning::Formula(formula)),
                positive: false,
                negative: false,
            },
        };
        let mut changed = definition;
        let direction = if positive {
            &mut changed.positive
        } else {
            &mut changed.negative
        };
        if !std::mem::replace(direction, true) {
            self.encoder.tasks.push(Task::Formula(formula, positive));
            self.encoder.definitions.insert(formula, changed);
        }
        definition.var.positive()
    }

    /// Adds the clauses `prefix ∨ formula`, or `prefix ∨ ¬formula` if not `positive`.
    fn define(&mut self, formula: Term, positive: bool, prefix: Vec<Lit>, rule: Justification) {
        let t = self.encoder.t;
        let args = t.args(formula);
        match t.op(formula) {
            Op::And | Op::Or if (t.op(formula) == Op::And) == positive => {
                for &arg in args {
                    self.add(&prefix, &[(arg, positive)], rule);
                }
            }
            Op::And | Op::Or => {
                let parts: Vec<(Term, bool)> = args.iter().map(|&a| (a, positive)).collect();
                self.add(&prefix, &parts, rule);
            }
            Op::Ite => self.add_cases(&prefix, [args[0], args[1], args[2]], positive, rule),
            Op::Eq if t.sort_of(args[0]) == Sort::BOOL => {
                self.add(&prefix, &[(args[0], false), (args[1], positive)], rule);
                self.add(&prefix, &[(args[0], true), (args[1], !positive)], rule);
            }
            _ => self.define_atom(formula, positive, prefix, rule),
        }
    }

    /// Adds `prefix ∨ parts`, where a part is a formula or the negation of one.
    fn add(&mut self, prefix: &[Lit], parts: &[(Term, bool)], rule: Justification) {
        let mut clause = prefix.to_vec();
        for &(part, positive) in parts {
            let lit = self.literal(part, positive);
            clause.push(if positive { lit } else { !lit });
        }
        self.sat.add_clause(&clause, prefix.first().copied(), rule);
    }

    /// Adds `prefix ∨ (ite condition yes no)`, or the negation if not `positive`.
    fn add_cases(
        &mut self,
        prefix: &[Lit],
        [condition, yes, no]: [Term; 3],
        positive: bool,
        rule: Justification,
    ) {
        self.add(prefix, &[(condition, false), (yes, positive)], rule);
        self.add(prefix, &[(condition, true), (no, positive)], rule);
    }

    fn define_atom(
        &mut self,
        formula: Term,
        positive: bool,
        prefix: Vec<Lit>,
        rule: Justification,
    ) {
        if let Some(cases) = self.encoder.cases(formula) {
            self.add_cases(&prefix, cases, positive, rule);
            return;
        }
        let guard = prefix.first().copied();
        let Some(code) = self.atom_code(formula) else {
            let lit = match self.encoder.t.op(formula) {
                Op::Bv(_) => self.order(formula),
                _ => self.literal(formula, positive),
            };
            let clause: Vec<Lit> = prefix
                .into_iter()
                .chain([if positive { lit } else { !lit }])
                .collect();
            self.sat.add_clause(&clause, guard, rule);
            return;
        };
        let with = |lits: &[Lit]| -> Vec<Lit> { prefix.iter().chain(lits).copied().collect() };
        if positive {
            for &bound in &code.bounds {
                self.sat.add_clause(&with(&[bound]), guard, rule);
            }
        } else {
            let fails: Vec<Lit> = code.bounds.iter().map(|&b| !b).collect();
            self.sat.add_clause(&with(&fails), guard, rule);
        }
        for &needed in &code.guards {
            self.sat.add_clause(&with(&[needed]), guard, rule);
        }
    }
}

/// Is a term an application that the e-graph knows?
pub(super) fn is_application(t: &Terms, term: Term) -> bool {
    match t.op(term) {
        Op::Apply(_) => !t.args(term).is_empty(),
        Op::Select | Op::Store | Op::ConstArray => true,
        Op::Construct(_) | Op::Field(_) | Op::Is(_) => true,
        Op::Mul => t.is_product(term),
        Op::IDiv | Op::Mod | Op::Div => divisor(t, term).is_none(),
        _ => is_conversion(t, term),
    }
}

/// The numeral other than 0 by which a quotient or remainder divides; `None` where the divisor is
/// another term.
fn divisor(t: &Terms, term: Term) -> Option<&Rational> {
    t.as_number(t.args(term)[1]).filter(|k| !k.is_zero())
}

/// The conjuncts or disjuncts, as the connective says, of a formula, or of its negation if not
/// `positive`: formulas, each positive or negated.
fn parts(t: &Terms, formula: Term, positive: bool, connective: Op) -> Vec<(Term, bool)> {
    let mut leaves = Vec::new();
    let mut todo = vec![(formula, positive)];
    let mut seen = FxHashSet::default();
    while let Some((f, positive)) = todo.pop() {
        if !seen.insert((f, positive)) {
            continue;
        }
        match (t.op(f), positive) {
            (Op::Not, _) => todo.push((t.args(f)[0], !positive)),
            (op @ (Op::And | Op::Or), _) if (op == connective) == positive => {
                todo.extend(t.args(f).iter().rev().map(|&a| (a, positive)));
            }
            _ => leaves.push((f, positive)),
        }
    }
    leaves
}
