//! The commands of the format, and the clauses that they state.

use super::derivation::{DIFFERENCE, Derivation, Stated, difference_name, equation, formula};
use super::{Alethe, Unsupported, stripped};
use crate::smt::native::proof::Gate;
use crate::term::{Op, Printer, Sort, Term, TermMap, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

/// A proof is not longer, in bytes. The value was not tuned.
pub(super) const LONGEST: usize = 4 << 20;

/// A formula gets a name if its text is longer, in bytes. The value was not tuned.
const LONG: usize = 60;

/// The names of gates begin with this.
const GATE: &str = "gate!";

/// Is it a formula that rules of the format look into?
pub(super) fn is_connective(t: &Terms, f: Term) -> bool {
    match t.op(f) {
        Op::Not | Op::And | Op::Or => true,
        Op::Ite => t.sort_of(f) == Sort::BOOL,
        Op::Eq => t.sort_of(t.args(f)[0]) == Sort::BOOL,
        _ => false,
    }
}

/// An atom, by the number of its text, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit {
    atom: u32,
    positive: bool,
}

impl Lit {
    /// The literal, or its negation if not `positive`.
    pub(super) fn with_sign(self, positive: bool) -> Lit {
        if positive { self } else { !self }
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit {
            positive: !self.positive,
            ..self
        }
    }
}

/// A step, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StepName(usize);

/// The text of a proof under way.
pub(super) struct Writer<'a> {
    pub(super) t: &'a Terms,
    text: String,
    /// What atoms are, by number.
    atoms: Vec<String>,
    number_of: FxHashMap<String, u32>,
    of_terms: FxHashMap<Term, u32>,
    /// The texts of formulas, in which long parts are names.
    texts: TermMap<Rc<str>>,
    /// Names of long formulas, with what they stand for.
    definitions: Vec<(String, Rc<str>)>,
    /// The clauses of the steps so far.
    clauses: Vec<Vec<Lit>>,
    names: Vec<String>,
    /// Tautologies that were stated, by their text.
    stated: FxHashMap<String, StepName>,
    /// Constants at which two arrays differ, with the arrays; older constants first.
    different: BTreeMap<Term, (Term, Term)>,
    /// The names of gates, by what they are.
    gates: FxHashMap<String, Lit>,
    /// What atoms of the proof that is translated are, by their number there.
    of_proof: FxHashMap<u32, Lit>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(t: &'a Terms) -> Self {
        Writer {
            t,
            text: String::new(),
            atoms: Vec::new(),
            number_of: FxHashMap::default(),
            of_terms: FxHashMap::default(),
            texts: TermMap::default(),
            definitions: Vec::new(),
            clauses: Vec::new(),
            names: Vec::new(),
            stated: FxHashMap::default(),
            different: BTreeMap::new(),
            gates: FxHashMap::default(),
            of_proof: FxHashMap::default(),
        }
    }

    /// The proof, with the texts of the assertions.
    pub(super) fn finish(mut self, assertions: &[Term]) -> Alethe {
        let assertions = assertions.iter().map(|&f| self.formula(f).to_string());
        let assertions = assertions.collect();
        let definition =
            |(name, text): &(String, Rc<str>)| format!("(define-fun {name} () Bool {text})");
        let steps = self.differences() + &self.text;
        Alethe {
            definitions: self.definitions.iter().map(definition).collect(),
            assertions,
            steps,
        }
    }

    /// Definitions of the constants at which two arrays differ.
    fn differences(&self) -> String {
        let t = self.t;
        let mut text = String::new();
        for (&constant, &(x, y)) in &self.different {
            let name = difference_name(t, constant).expect("it is such a constant");
            let sort = Printer::new(t).sort(t.sort_of(constant)).to_string();
            let [x, y] = [x, y].map(|array| formula(t, array));
            let _ = writeln!(
                text,
                "(define-fun {name} () {sort} (choice ((i!{name} {sort})) \
                 (not (= (select {x} i!{name}) (select {y} i!{name})))))"
            );
        }
        text
    }

    /// Two arrays are equal or differ at this constant.
    pub(super) fn differ_at(&mut self, constant: Term, arrays: (Term, Term)) {
        self.different.insert(constant, arrays);
    }

    /// The text of a formula. Parts that are longer than [`LONG`] are names.
    fn formula(&mut self, f: Term) -> Rc<str> {
        let t = self.t;
        let mut stack = vec![f];
        while let Some(&top) = stack.last() {
            let parts = if is_connective(t, top) {
                t.args(top)
            } else {
                &[]
            };
            let pending = stack.len();
            let missing = parts.iter().filter(|part| !self.texts.contains_key(*part));
            stack.extend(missing);
            if stack.len() > pending {
                continue;
            }
            stack.pop();
            if !self.texts.contains_key(&top) {
                let text = self.short(top, parts);
                self.texts.insert(top, text);
            }
        }
        Rc::clone(&self.texts[&f])
    }

    /// The text of a formula whose parts have texts, or a name for it.
    fn short(&mut self, f: Term, parts: &[Term]) -> Rc<str> {
        let t = self.t;
        let head = match t.op(f) {
            _ if parts.is_empty() => None,
            Op::Not => Some("not"),
            Op::And => Some("and"),
            Op::Or => Some("or"),
            Op::Ite => Some("ite"),
            _ => Some("="),
        };
        let text: Rc<str> = match head {
            None => formula(t, f).into(),
            Some(head) => {
                let parts: Vec<&str> = parts.iter().map(|part| &*self.texts[part]).collect();
                format!("({head} {})", parts.join(" ")).into()
            }
        };
        // A negation stays one, since rules look for it. The constants at which arrays differ are
        // defined in the proof, names of formulas in the query.
        if text.len() <= LONG || t.op(f) == Op::Not || text.contains(DIFFERENCE) {
            return text;
        }
        let mut name = format!("f!{}", self.definitions.len());
        while t.has_symbol(&name) {
            name.push('!');
        }
        self.definitions.push((name.clone(), text));
        name.into()
    }

    /// Is the text short enough?
    ///
    /// # Errors
    /// It is too long.
    pub(super) fn check_length(&self) -> Result<(), Unsupported> {
        match self.text.len() {
            0..=LONGEST => Ok(()),
            _ => Err(Unsupported::Long(LONGEST)),
        }
    }

    /// The clause that a step states.
    pub(super) fn clause(&self, step: StepName) -> &[Lit] {
        &self.clauses[step.0]
    }

    fn atom(&mut self, text: String) -> u32 {
        if let Some(&number) = self.number_of.get(&text) {
            return number;
        }
        let number = u32::try_from(self.atoms.len()).expect("a proof has fewer atoms");
        self.atoms.push(text.clone());
        self.number_of.insert(text, number);
        number
    }

    /// A formula, or its negation if not `positive`, as a literal.
    pub(super) fn literal(&mut self, f: Term, positive: bool) -> Lit {
        let (inner, positive) = stripped(self.t, f, positive);
        let atom = match self.of_terms.get(&inner) {
            Some(&atom) => atom,
            None => {
                let text = self.formula(inner).to_string();
                let atom = self.atom(text);
                self.of_terms.insert(inner, atom);
                atom
            }
        };
        Lit { atom, positive }
    }

    /// The output of a gate, by a name that the proof defines.
    pub(super) fn gate(&mut self, gate: Gate<Lit>) -> Lit {
        let text = match gate.map(|input| self.show(input)) {
            Gate::And([a, b]) => format!("(and {a} {b})"),
            Gate::Xor([a, b]) => format!("(xor {a} {b})"),
            Gate::Mux([c, a, b]) => format!("(ite {c} {a} {b})"),
            Gate::Majority([a, b, c]) => format!("(or (and {a} {b}) (and {a} {c}) (and {b} {c}))"),
        };
        if let Some(&output) = self.gates.get(&text) {
            return output;
        }
        let mut name = format!("{GATE}{}", self.gates.len());
        while self.t.has_symbol(&name) {
            name.push('!');
        }
        let _ = writeln!(self.text, "(define-fun {name} () Bool {text})");
        let output = self.written(name);
        self.gates.insert(text, output);
        output
    }

    /// What an atom of the proof that is translated is, if it was said.
    pub(super) fn atom_of_proof(&self, atom: u32) -> Option<Lit> {
        self.of_proof.get(&atom).copied()
    }

    /// Says what an atom of the proof that is translated is.
    pub(super) fn set_atom_of_proof(&mut self, atom: u32, is: Lit) {
        self.of_proof.insert(atom, is);
    }

    pub(super) fn show(&self, literal: Lit) -> String {
        let atom = &self.atoms[literal.atom as usize];
        match literal.positive {
            true => atom.clone(),
            false => format!("(not {atom})"),
        }
    }

    fn add(&mut self, name: String, clause: Vec<Lit>) -> StepName {
        self.clauses.push(clause);
        self.names.push(name);
        StepName(self.clauses.len() - 1)
    }

    /// States an assertion.
    pub(super) fn assume(&mut self, f: Term) -> StepName {
        let name = format!("a{}", self.clauses.len());
        let literal = self.literal(f, true);
        // As it is asserted: with all its negations.
        let text = self.formula(f);
        let _ = writeln!(self.text, "(assume {name} {text})");
        self.add(name, vec![literal])
    }

    /// States a clause by a rule.
    fn step(
        &mut self,
        literals: &[String],
        clause: Vec<Lit>,
        rule: &str,
        premises: &[StepName],
        args: &[String],
    ) -> StepName {
        let name = format!("t{}", self.clauses.len());
        let _ = write!(self.text, "(step {name} (cl");
        for literal in literals {
            let _ = write!(self.text, " {literal}");
        }
        let _ = write!(self.text, ") :rule {rule}");
        if !premises.is_empty() {
            let names: Vec<&str> = premises.iter().map(|p| self.names[p.0].as_str()).collect();
            let _ = write!(self.text, " :premises ({})", names.join(" "));
        }
        if !args.is_empty() {
            let _ = write!(self.text, " :args ({})", args.join(" "));
        }
        self.text.push_str(")\n");
        self.add(name, clause)
    }

    /// States a clause of literals.
    fn plain(
        &mut self,
        clause: Vec<Lit>,
        rule: &str,
        premises: &[StepName],
        args: &[String],
    ) -> StepName {
        let literals: Vec<String> = clause.iter().map(|&l| self.show(l)).collect();
        self.step(&literals, clause, rule, premises, args)
    }

    /// The clause of literals whose negations, times these factors, add up to falsity.
    pub(super) fn la_generic(&mut self, clause: &[Lit], factors: &[String]) -> StepName {
        self.plain(clause.to_vec(), "la_generic", &[], factors)
    }

    /// Resolves the first step with the second, the result with the third, and so on.
    ///
    /// # Errors
    /// There is no literal to resolve on, or more than one.
    pub(super) fn resolve(&mut self, steps: &[StepName]) -> Result<StepName, Unsupported> {
        let mut resolvent: Vec<Lit> = self.clauses[steps[0].0].clone();
        let mut members: FxHashSet<Lit> = resolvent.iter().copied().collect();
        for step in &steps[1..] {
            let other = &self.clauses[step.0];
            let mut pivots = other.iter().filter(|&&l| members.contains(&!l));
            let (Some(&pivot), None) = (pivots.next(), pivots.next()) else {
                return Err(Unsupported::Clause);
            };
            members.remove(&!pivot);
            resolvent.retain(|&l| l != !pivot);
            for &literal in other {
                if literal != pivot && members.insert(literal) {
                    resolvent.push(literal);
                }
            }
        }
        Ok(self.plain(resolvent, "resolution", steps, &[]))
    }

    /// Resolves steps in the order in which they propagate once a clause is denied. Atoms of the
    /// search can be one formula here, and then their own order is none.
    ///
    /// # Errors
    /// Propagation finds no contradiction.
    pub(super) fn propagate(
        &mut self,
        steps: &[StepName],
        wanted: &[Lit],
    ) -> Result<StepName, Unsupported> {
        let mut denied: FxHashSet<Lit> = wanted.iter().copied().collect();
        // The literals that steps made true, each with its step.
        let mut trail: Vec<(Lit, StepName)> = Vec::new();
        let conflict = loop {
            let before = trail.len();
            let mut conflict = None;
            for &step in steps {
                let clause = &self.clauses[step.0];
                let mut open = clause.iter().filter(|l| !denied.contains(*l));
                match (open.next(), open.next()) {
                    (None, _) => conflict = Some(step),
                    (Some(&only), None) if !denied.contains(&!only) => {
                        denied.insert(!only);
                        trail.push((only, step));
                    }
                    _ => {}
                }
            }
            if let Some(step) = conflict {
                break step;
            }
            if trail.len() == before {
                return Err(Unsupported::Clause);
            }
        };
        let mut chain = vec![conflict];
        let mut resolvent: FxHashSet<Lit> = self.clauses[conflict.0].iter().copied().collect();
        for (literal, step) in trail.into_iter().rev() {
            if resolvent.remove(&!literal) {
                let own = self.clauses[step.0].iter().copied();
                resolvent.extend(own.filter(|&l| l != literal));
                chain.push(step);
            }
        }
        match *chain {
            [only] => Ok(only),
            _ => self.resolve(&chain),
        }
    }

    /// The step with these literals, among which its own must be, if it has not all of them.
    ///
    /// # Errors
    /// The step has another literal.
    pub(super) fn weaken(
        &mut self,
        step: StepName,
        wanted: &[Lit],
    ) -> Result<StepName, Unsupported> {
        let own = self.clauses[step.0].clone();
        if own.iter().any(|l| !wanted.contains(l)) {
            return Err(Unsupported::Clause);
        }
        let mut clause = own;
        let before = clause.len();
        for &literal in wanted {
            if !clause.contains(&literal) {
                clause.push(literal);
            }
        }
        if clause.len() == before {
            return Ok(step);
        }
        Ok(self.plain(clause, "weakening", &[step], &[]))
    }

    /// Carries out a derivation; `None` where it is a literal and its negation.
    ///
    /// # Errors
    /// A resolution is none.
    pub(super) fn derive(
        &mut self,
        derivation: &Derivation,
    ) -> Result<Option<StepName>, Unsupported> {
        Ok(match derivation {
            Derivation::Same => None,
            Derivation::Axiom { rule, clause, args } => Some(self.axiom(rule, clause, args)?),
            Derivation::Disequality(x, y) => Some(self.disequality(*x, *y)),
            Derivation::Resolution(parts) => {
                let mut steps = Vec::with_capacity(parts.len());
                for part in parts {
                    steps.extend(self.derive(part)?);
                }
                match *steps {
                    [] => None,
                    [only] => Some(only),
                    _ => Some(self.resolve(&steps)?),
                }
            }
        })
    }

    /// States a tautology; the same is stated once. Literals with two negations are replaced.
    fn axiom(
        &mut self,
        rule: &str,
        stated: &[Stated],
        args: &[String],
    ) -> Result<StepName, Unsupported> {
        let mut literals = Vec::with_capacity(stated.len());
        let mut clause = Vec::with_capacity(stated.len());
        let mut doubled = Vec::new();
        for literal in stated {
            let (text, sign, lit) = match literal {
                Stated::Formula(f, sign) => {
                    let text = self.formula(*f).to_string();
                    (text, *sign, self.literal(*f, *sign))
                }
                Stated::Text(text, sign) => {
                    let (atom, positive) = (self.atom(text.clone()), *sign);
                    (text.clone(), *sign, Lit { atom, positive })
                }
                Stated::Own(own) => {
                    let lit = self.of_proof[&own.atom].with_sign(own.positive);
                    (self.atoms[lit.atom as usize].clone(), lit.positive, lit)
                }
            };
            if !sign && text.starts_with("(not ") {
                doubled.push((text.clone(), lit));
            }
            literals.push(match sign {
                true => text,
                false => format!("(not {text})"),
            });
            clause.push(lit);
        }
        let key = format!("{rule} {} {}", literals.join(" "), args.join(" "));
        if let Some(&step) = self.stated.get(&key) {
            return Ok(step);
        }
        let step = self.step(&literals, clause.clone(), rule, &[], args);
        let step = match doubled.is_empty() {
            true => step,
            false => self.without_double_negations(step, &clause, doubled),
        };
        self.stated.insert(key, step);
        Ok(step)
    }

    /// The step with `g` in place of `(not (not g))` for these literals.
    fn without_double_negations(
        &mut self,
        step: StepName,
        clause: &[Lit],
        doubled: Vec<(String, Lit)>,
    ) -> StepName {
        let mut steps = vec![step];
        for (negated, literal) in doubled {
            let stated = [format!("(not (not {negated}))"), self.show(literal)];
            // As literals, it is `g` and its negation, and states nothing.
            steps.push(self.step(&stated, vec![!literal, literal], "not_not", &[], &[]));
        }
        self.plain(clause.to_vec(), "resolution", &steps, &[])
    }

    /// `(cl (= x y) (not (<= x y)) (not (<= y x)))` for two numbers.
    fn disequality(&mut self, x: Term, y: Term) -> StepName {
        let equal = self.equation(x, y);
        let equal = self.show(equal);
        let [x, y] = [x, y].map(|side| formula(self.t, side));
        let [below, above] = [format!("(<= {x} {y})"), format!("(<= {y} {x})")];
        let whole = format!("(or {equal} (not {below}) (not {above}))");
        if let Some(&step) = self.stated.get(&whole) {
            return step;
        }
        let atoms = [equal, below, above].map(|text| self.atom(text));
        let disjunction = Lit {
            atom: self.atom(whole.clone()),
            positive: true,
        };
        let first = self.plain(vec![disjunction], "la_disequality", &[], &[]);
        let clause = [true, false, false].into_iter().zip(atoms);
        let clause = clause.map(|(positive, atom)| Lit { atom, positive });
        let step = self.plain(clause.collect(), "or", &[first], &[]);
        self.stated.insert(whole, step);
        step
    }

    /// The equation of two terms.
    pub(super) fn equation(&mut self, x: Term, y: Term) -> Lit {
        match equation(self.t, x, y, true) {
            Stated::Formula(f, sign) => self.literal(f, sign),
            Stated::Text(text, _) => self.written(text),
            Stated::Own(_) => unreachable!("an equation is a formula"),
        }
    }

    /// The literal of a formula that is written out.
    pub(super) fn written(&mut self, text: String) -> Lit {
        let atom = self.atom(text);
        Lit {
            atom,
            positive: true,
        }
    }

    /// States a clause that holds by a rule without premises; the same is stated once.
    pub(super) fn tautology(&mut self, rule: &str, clause: &[Lit], args: &[String]) -> StepName {
        let literals: Vec<String> = clause.iter().map(|&l| self.show(l)).collect();
        let key = format!("{rule} {} {}", literals.join(" "), args.join(" "));
        if let Some(&step) = self.stated.get(&key) {
            return step;
        }
        let step = self.step(&literals, clause.to_vec(), rule, &[], args);
        self.stated.insert(key, step);
        step
    }
}
