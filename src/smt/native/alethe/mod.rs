//! Proofs in the Alethe format, which other programs check \[SFBF21\].
//!
//! The assertions are `assume` commands. A clause that follows from an assertion, or that defines a
//! subformula, becomes a derivation by the tautologies of its connectives (`clausal`,
//! `derivation`). Contradictory sums of inequalities are `la_generic` steps, and so is what an atom
//! says as a bound.
//!
//! Literals are formulas of the problem. Long formulas have names that stand for them, so that the
//! text stays short. Literals that hold by themselves are left out.
//!
//! What follows by equality becomes steps of `eq_transitive` and `eq_congruent` (`equality`). The
//! format has no rules for constructors, arrays, and the operators of arithmetic. What these mean
//! is stated by rules of our own, each of which is one axiom of SMT-LIB's theories: `operators` and
//! `equality` say which.
//!
//! Bit-vectors are circuits. A gate is a name that the proof defines, and rules of our own say what
//! terms are of gates (`bits`).
//!
//! Missing: products and quotients of variables. A proof that needs one of these has no text here.

mod bits;
mod choices;
mod clausal;
mod derivation;
mod equality;
mod operators;
mod writer;

use crate::smt::native::check::{Circuits, defined_gate};
use crate::smt::native::proof::{
    Justification, Literal, Proof, ProofAtom, ProofStep, Why, bit_is_set, difference,
};
use crate::term::{Op, Term, TermMap, TermSet, Terms};
use clausal::Failed;
use derivation::{Derivation, factor};
use equality::Closure;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use writer::{Lit, StepName, Writer, is_connective};

/// A proof in the format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alethe {
    /// Definitions of names, which the assertions and the steps use, as commands of SMT-LIB.
    pub definitions: Vec<String>,
    /// The assertions, as `assume` commands state them.
    pub assertions: Vec<String>,
    /// The commands of the proof, one a line.
    pub steps: String,
}

/// Why a proof has no text in the format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsupported {
    /// A step needs a rule about this.
    #[error("a step is about {0}")]
    Rule(&'static str),
    /// A clause does not follow by rules of the format in a way that was found.
    #[error("a clause is not derived by rules of the format")]
    Clause,
    /// The text would be longer than this number of bytes.
    #[error("the text is longer than {0} bytes")]
    Long(usize),
}

impl Proof {
    /// The proof in the Alethe format, if it contradicts these assertions without assumptions.
    ///
    /// # Errors
    /// Why the format cannot say it, or why it was not found.
    pub fn alethe(&self, t: &Terms, assertions: &[Term]) -> Result<Alethe, Unsupported> {
        let circuits = RefCell::new(Circuits::new(t, &self.atoms));
        let failed = RefCell::default();
        let mut translation = Translation {
            t,
            proof: self,
            out: Writer::new(t),
            circuits: &circuits,
            failed: &failed,
            asserted: FxHashMap::default(),
            units: FxHashMap::default(),
            steps: Vec::with_capacity(self.steps.len()),
        };
        if is_large(t, assertions) {
            return Err(Unsupported::Long(writer::LONGEST));
        }
        translation.assume(assertions);
        for step in &self.steps {
            let done = translation.step(step)?;
            // A step of the format may be stronger than the clause that it is for: then the empty
            // clause comes early, and the text ends with it.
            if done.is_some_and(|step| translation.out.clause(step).is_empty()) {
                return Ok(translation.out.finish(assertions));
            }
            translation.steps.push(done);
            translation.out.check_length()?;
        }
        Err(Unsupported::Clause)
    }
}

/// Where an asserted formula, positive or negated, comes from.
#[derive(Clone, Copy)]
enum Asserted {
    /// It is an assertion.
    Itself,
    /// It is an argument, by this index, of this formula, which is asserted with this sign.
    Part(Term, bool, usize),
}

/// A proof on its way into the format.
struct Translation<'a, 't> {
    t: &'t Terms,
    proof: &'a Proof,
    out: Writer<'t>,
    /// The circuits of the proof's gates.
    circuits: &'a RefCell<Circuits<'t>>,
    /// What was found not to imply the clause that is derived.
    failed: &'a RefCell<Failed>,
    /// The conjuncts of assertions.
    asserted: FxHashMap<(Term, bool), Asserted>,
    /// The steps that state conjuncts of assertions.
    units: FxHashMap<(Term, bool), StepName>,
    /// The steps so far; `None` for clauses with a literal that holds by itself.
    steps: Vec<Option<StepName>>,
}

impl Translation<'_, '_> {
    fn assume(&mut self, assertions: &[Term]) {
        let t = self.t;
        let mut todo = Vec::new();
        for &f in assertions {
            let step = self.out.assume(f);
            let (inner, positive) = stripped(t, f, true);
            self.units.entry((inner, positive)).or_insert(step);
            todo.push((inner, positive, Asserted::Itself));
        }
        while let Some((f, positive, origin)) = todo.pop() {
            if self.asserted.contains_key(&(f, positive)) {
                continue;
            }
            self.asserted.insert((f, positive), origin);
            if matches!((t.op(f), positive), (Op::And, true) | (Op::Or, false)) {
                for (index, &arg) in t.args(f).iter().enumerate() {
                    let (inner, sign) = stripped(t, arg, positive);
                    todo.push((inner, sign, Asserted::Part(f, positive, index)));
                }
            }
        }
    }

    /// The step that states a conjunct of an assertion.
    fn unit(&mut self, f: Term, positive: bool) -> Result<StepName, Unsupported> {
        // From the conjunct up to an assertion, then down again.
        let mut way = vec![(f, positive)];
        while let Some(&(f, positive)) = way.last() {
            if self.units.contains_key(&(f, positive)) {
                break;
            }
            match self.asserted.get(&(f, positive)) {
                Some(&Asserted::Part(whole, sign, _)) => way.push((whole, sign)),
                _ => return Err(Unsupported::Clause),
            }
        }
        while let Some((f, positive)) = way.pop() {
            if self.units.contains_key(&(f, positive)) {
                continue;
            }
            let Some(&Asserted::Part(whole, sign, index)) = self.asserted.get(&(f, positive))
            else {
                return Err(Unsupported::Clause);
            };
            let part = Derivation::part(self.t, whole, sign, index);
            let above = self.units[&(whole, sign)];
            let tautology = self.out.derive(&part)?.ok_or(Unsupported::Clause)?;
            let step = self.out.resolve(&[above, tautology])?;
            self.units.insert((f, positive), step);
        }
        Ok(self.units[&(f, positive)])
    }

    /// The literals of a clause; `None` if one holds by itself.
    fn literals(&mut self, clause: &[Literal]) -> Result<Option<Vec<Lit>>, Unsupported> {
        let mut literals = Vec::with_capacity(clause.len());
        for &literal in clause {
            match self.proof.atoms[literal.atom as usize] {
                ProofAtom::Truth | ProofAtom::Operator(_) | ProofAtom::Scope => {
                    if literal.positive {
                        return Ok(None);
                    }
                }
                _ => {
                    let is = self.literal(literal);
                    if !literals.contains(&is) {
                        literals.push(is);
                    }
                }
            }
        }
        let holds = literals.iter().any(|&l| literals.contains(&!l));
        Ok((!holds).then_some(literals))
    }

    /// What a literal is in the format. The inputs of a gate are named before it.
    fn literal(&mut self, literal: Literal) -> Lit {
        let mut todo = vec![literal.atom];
        while let Some(&atom) = todo.last() {
            let is_open = |input: &Literal| self.out.atom_of_proof(input.atom).is_none();
            let pending = todo.len();
            if let ProofAtom::Gate(gate) = &self.proof.atoms[atom as usize] {
                let inputs = gate.inputs().iter().filter(|l| is_open(l));
                todo.extend(inputs.map(|input| input.atom));
            }
            if todo.len() == pending {
                todo.pop();
                if self.out.atom_of_proof(atom).is_none() {
                    let is = self.atom(atom);
                    self.out.set_atom_of_proof(atom, is);
                }
            }
        }
        let known = self.out.atom_of_proof(literal.atom);
        known.expect("just said").with_sign(literal.positive)
    }

    /// What an atom is, of which the inputs are known if it is a gate.
    fn atom(&mut self, atom: u32) -> Lit {
        let t = self.t;
        match &self.proof.atoms[atom as usize] {
            ProofAtom::Equal(x, y) => self.out.equation(*x, *y),
            &ProofAtom::Bit(x, place) => self.out.literal(bit_is_set(t, x, place), true),
            ProofAtom::Gate(gate) => {
                let out = &self.out;
                let of = |input: Literal| {
                    let known = out.atom_of_proof(input.atom);
                    known.expect("inputs are known").with_sign(input.positive)
                };
                let gate = gate.map(of);
                self.out.gate(gate)
            }
            _ => {
                let itself = Literal {
                    atom,
                    positive: true,
                };
                self.out.literal(self.proof.formula(t, itself), true)
            }
        }
    }

    /// The step that states the clause of a step of the proof, or the empty clause; `None` where
    /// the clause holds by itself.
    fn step(&mut self, step: &ProofStep) -> Result<Option<StepName>, Unsupported> {
        let Some(wanted) = self.literals(&step.clause)? else {
            return Ok(None);
        };
        let found = match &step.why {
            Why::Chain(steps) => {
                let premises = steps.iter().filter_map(|&s| self.steps[s as usize]);
                let premises: Vec<StepName> = premises.collect();
                match *premises {
                    [] => return Err(Unsupported::Rule("a literal and its negation")),
                    [only] => only,
                    _ => match self.out.resolve(&premises) {
                        Ok(step) => step,
                        Err(_) => self.out.propagate(&premises, &wanted)?,
                    },
                }
            }
            Why::Farkas(factors) => {
                let factors: Vec<String> = factors.iter().map(factor).collect();
                self.out.la_generic(&wanted, &factors)
            }
            Why::Input { rule, .. } => self.input(*rule, &step.clause, &wanted)?,
        };
        if self.out.clause(found).is_empty() {
            return Ok(Some(found));
        }
        self.out.weaken(found, &wanted).map(Some)
    }

    /// A step that states a clause, or a part of it, that comes from an encoding or a theory; its
    /// literals in the format are `wanted`.
    fn input(
        &mut self,
        rule: Justification,
        clause: &[Literal],
        wanted: &[Lit],
    ) -> Result<StepName, Unsupported> {
        let t = self.t;
        let goal = clausal::Goal::new(t, self.proof, self.circuits, self.failed, clause);
        match rule {
            Justification::Assertion(formula, positive) => {
                let (f, positive) = stripped(t, formula, positive);
                let unit = self.unit(f, positive)?;
                let derivation = goal.entailed(f, positive).ok_or(Unsupported::Clause)?;
                match self.out.derive(&derivation)? {
                    None => Ok(unit),
                    Some(step) => self.out.resolve(&[unit, step]),
                }
            }
            Justification::Definition(formula) => {
                let derivation = goal.defined(formula).ok_or(Unsupported::Clause)?;
                self.out.derive(&derivation)?.ok_or(Unsupported::Clause)
            }
            Justification::Operator(term) => {
                let derivation = goal.operator(term)?;
                self.out.derive(&derivation)?.ok_or(Unsupported::Clause)
            }
            Justification::Shared(x, y) => {
                let found = goal.equation(x, y).or_else(|| goal.disequality(x, y));
                let derivation = found.ok_or(Unsupported::Clause)?;
                self.out.derive(&derivation)?.ok_or(Unsupported::Clause)
            }
            Justification::Closure => Closure::new(&mut self.out, goal).refute(false),
            Justification::Arrays => Closure::new(&mut self.out, goal).refute(true),
            Justification::Extensionality(x, y) => {
                let constant = difference(t, x, y);
                self.out.differ_at(constant, (x.min(y), x.max(y)));
                let derivation = goal.extensionality(x, y).ok_or(Unsupported::Clause)?;
                self.out.derive(&derivation)?.ok_or(Unsupported::Clause)
            }
            Justification::Exhaustive(x) => {
                let derivation = goal.exhaustive(x).ok_or(Unsupported::Clause)?;
                self.out.derive(&derivation)?.ok_or(Unsupported::Clause)
            }
            Justification::Expand(x, ctor) => {
                let derivation = goal.expand(x, ctor).ok_or(Unsupported::Clause)?;
                self.out.derive(&derivation)?.ok_or(Unsupported::Clause)
            }
            Justification::Product(_) => Err(Unsupported::Rule("products")),
            Justification::Gate => {
                let gate = defined_gate(&self.proof.atoms, clause);
                let gate = self.out.atom_of_proof(gate.ok_or(Unsupported::Clause)?);
                let name = self.out.show(gate.ok_or(Unsupported::Clause)?);
                Ok(self.out.tautology("bv_gate", wanted, &[name]))
            }
            Justification::Equation => {
                let derivation = goal.meaning_of_equation().ok_or(Unsupported::Clause)?;
                self.out.derive(&derivation)?.ok_or(Unsupported::Clause)
            }
        }
    }
}

/// Would formulas be too long as text without `let`? Each part has at least two bytes. Long parts
/// of connectives are names, but conditions inside of terms are not.
fn is_large(t: &Terms, formulas: &[Term]) -> bool {
    let mut sizes: TermMap<usize> = TermMap::default();
    for part in t.post_order(formulas.iter().copied()) {
        let args = t.args(part).iter().map(|arg| sizes[arg]);
        let size = args.fold(1, usize::saturating_add);
        sizes.insert(part, size);
    }
    let (mut seen, mut todo) = (TermSet::default(), formulas.to_vec());
    let mut all = 0_usize;
    while let Some(f) = todo.pop() {
        if seen.insert(f) {
            let is_named = is_connective(t, f);
            all = all.saturating_add(if is_named { t.args(f).len() } else { sizes[&f] });
            todo.extend(t.args(f).iter().filter(|_| is_named));
        }
    }
    all > writer::LONGEST / 2
}

/// A formula without the negations in front of it, and its sign.
fn stripped(t: &Terms, f: Term, positive: bool) -> (Term, bool) {
    let (mut f, mut positive) = (f, positive);
    while let Some(inner) = t.as_not(f) {
        (f, positive) = (inner, !positive);
    }
    (f, positive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::native::{NativeOptions, NativeSolver};
    use crate::smt::{SatResult, Solver};
    use crate::term::{BvOp, Sort};

    /// The text of a proof that assertions contradict each other.
    fn proof_of(t: &Terms, assertions: &[Term]) -> Result<Alethe, Unsupported> {
        let options = NativeOptions {
            proofs: true,
            ..NativeOptions::default()
        };
        let mut solver = NativeSolver::new(t, &options);
        assertions.iter().for_each(|&f| solver.assert(f));
        assert_eq!(solver.check(format_args!("test"), &[]), SatResult::Unsat);
        let proof = solver.proof().expect("proofs are kept");
        proof.alethe(t, assertions)
    }

    #[test]
    fn a_proof_ends_with_the_empty_clause() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let p = t.var("p", Sort::BOOL);
        let twice = t.scale(crate::number::Rational::from(2), x);
        let assertions = [
            t.or([t.not(p), t.eq(twice, t.add([twice, y]))]),
            t.ite(p, t.lt(y, t.int(0)), t.lt(t.int(3), y)),
            t.eq(p, t.le(y, t.int(2))),
        ];
        let unsat = [&assertions[..], &[p]].concat();
        let alethe = proof_of(&t, &unsat).expect("it is arithmetic");
        assert_eq!(alethe.assertions.len(), unsat.len());
        let text = alethe.steps;
        assert!(
            text.lines().last().expect("steps").contains("(cl) "),
            "{text}"
        );
        assert_eq!(text.matches("(assume ").count(), unsat.len());
        let rules = ["la_generic", "resolution"];
        assert!(rules.iter().all(|rule| text.contains(rule)), "{text}");
    }

    /// Conditions inside of numbers have no names, and the text of these doubles at each level.
    #[test]
    fn shared_conditions_may_be_too_long() {
        let t = Terms::new();
        let mut number = t.var("x", Sort::INT);
        for level in 0..60 {
            let [low, high] = ["l", "h"].map(|name| t.var(&format!("{name}{level}"), Sort::INT));
            let outside = t.or([t.lt(number, low), t.lt(high, number)]);
            number = t.ite(outside, t.int(0), t.int(1));
        }
        let p = t.var("p", Sort::BOOL);
        let unsat = [
            t.or([p, t.eq(number, t.int(1))]),
            t.not(p),
            t.eq(number, t.int(0)),
        ];
        let refused = proof_of(&t, &unsat).expect_err("it is too long");
        assert!(matches!(refused, Unsupported::Long(_)), "{refused}");
    }

    #[test]
    fn equations_of_elements_are_bounds() {
        let t = Terms::new();
        let array = t.array_sort(Sort::INT, Sort::INT);
        let [a, b] = ["a", "b"].map(|name| t.var(name, array));
        let [i, j] = ["i", "j"].map(|name| t.var(name, Sort::INT));
        let y = t.select(b, j);
        let x = t.select(a, i);
        let unsat = [t.eq(x, y), t.le(t.int(2), x), t.le(y, t.int(1))];
        proof_of(&t, &unsat).expect("it is arithmetic");
        let unsat = [t.not(t.eq(x, y)), t.le(x, y), t.le(y, x)];
        proof_of(&t, &unsat).expect("it is arithmetic");
    }

    #[test]
    fn choices_are_moved_out_of_atoms() {
        let t = Terms::new();
        let [b, c] = ["b", "c"].map(|name| t.var(name, Sort::BOOL));
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let (zero, one) = (t.int(0), t.int(1));
        let inner = t.ite(c, t.int(-1), zero);
        let nested = t.ite(b, inner, t.int(-1));
        let read = t.ite(b, x, y);
        let unsat = [
            vec![b, c, t.le(zero, nested)],
            vec![b, t.not(c), t.not(t.eq(nested, zero))],
            vec![t.le(one, t.add([nested, inner]))],
            vec![t.eq(t.add([nested, inner]), one)],
            vec![t.le(x, zero), t.le(y, zero), t.lt(zero, read)],
            vec![t.eq(read, one), t.eq(x, zero), t.eq(y, zero)],
            vec![t.not(t.eq(read, one)), t.eq(x, one), t.eq(y, one)],
            vec![t.eq(t.mul([t.int(2), read]), t.int(5)), b],
        ];
        for assertions in unsat {
            proof_of(&t, &assertions).expect("it is arithmetic");
        }
    }

    #[test]
    fn gates_have_names() {
        let t = Terms::new();
        let [v, w] = ["v", "w"].map(|name| t.var(name, t.bitvec_sort(4)));
        let less = |v, w| t.bv(BvOp::Ult, &[v, w]);
        let alethe = proof_of(&t, &[less(v, w), less(w, v)]).expect("there are rules");
        let rules = ["(define-fun gate!0 () Bool (", "bv_gate", "bv_order"];
        for rule in rules {
            assert!(alethe.steps.contains(rule), "{}", alethe.steps);
        }
    }

    #[test]
    fn what_the_format_cannot_say_is_named() {
        let t = Terms::new();
        let x = t.var("x", Sort::INT);
        let y = t.var("y", Sort::INT);
        let square = t.mul([x, y]);
        assert_eq!(
            proof_of(
                &t,
                &[t.lt(t.int(0), x), t.lt(t.int(0), y), t.lt(square, t.int(0))]
            ),
            Err(Unsupported::Rule("products"))
        );
    }
}
