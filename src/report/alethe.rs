//! Refutations as proofs in the format Alethe \[SFBF21\], which other checkers read.
//!
//! The assumptions are the clauses as `smtlib::system_text` writes them. For each fact the proof
//! instantiates its clause (`forall_inst`), shows that the body holds, and concludes the head by
//! resolution. A constraint is shown from its atoms up, by the tautologies of its connectives; an
//! atom of numbers by `la_generic`. Arguments are calculated: a head `(p (+ 2 1))` becomes `(p 3)`
//! by congruence, and the other way round where a body needs it.
//!
//! Missing: what linear arithmetic does not evaluate, which is division, remainders, numbers by
//! cases, products of sums, arrays, datatypes and bit-vectors. A refutation that needs one of
//! them has no proof in this format, and the error shows the term.

mod truth;

use super::{Obstacle, Proof};
use crate::chc::{Clause, ClauseId, Fact, FactId};
use crate::smtlib::ClausePrinter;
use crate::term::{Evaluator, Printer, Sort, Term, TermMap, Terms, Unspecified};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// A clause whose text would have more symbols than this is refused: the format has no sharing that
/// all checkers understand. The value was not tuned.
const MOST_SYMBOLS: u64 = 1 << 20;

/// A longer text is refused, in bytes. The value was not tuned.
const LONGEST: usize = 1 << 28;

/// The number of a step.
type StepId = usize;

impl Proof<'_> {
    /// The proof in the format Alethe.
    ///
    /// # Errors
    /// Why the format cannot express the refutation.
    pub fn alethe(&self) -> Result<String, Obstacle> {
        let mut writer = Writer {
            proof: self,
            t: self.terms,
            clauses: ClausePrinter::new(self.terms, self.system),
            text: String::new(),
            steps: 0,
            assumed: FxHashMap::default(),
            derived: Vec::new(),
        };
        writer.refutation()?;
        Ok(writer.text)
    }
}

/// A proof under way.
struct Writer<'a> {
    proof: &'a Proof<'a>,
    t: &'a Terms,
    clauses: ClausePrinter<'a>,
    text: String,
    steps: StepId,
    /// The assumption of each clause that was used, and its formula.
    assumed: FxHashMap<ClauseId, (StepId, String)>,
    /// The step that derives each fact.
    derived: Vec<StepId>,
}

/// A ground instance of a clause: the texts of its variables' values, and an evaluator of terms.
struct Instance<'a> {
    values: TermMap<String>,
    evaluator: Evaluator<'a>,
}

impl<'a> Writer<'a> {
    /// Derives all facts, and the empty clause.
    fn refutation(&mut self) -> Result<(), Obstacle> {
        for number in 0..self.proof.refutation().facts.len() {
            self.within_length()?;
            let step = self.fact(FactId(number as u32))?;
            self.derived.push(step);
        }
        let contradiction = *self
            .derived
            .last()
            .ok_or_else(|| Obstacle::from("the refutation is empty"))?;
        let no = self.step(&["(not false)".to_owned()], "false", &[], &[]);
        self.step(&[], "resolution", &[contradiction, no], &[]);
        Ok(())
    }

    /// Is the text so far short enough?
    fn within_length(&self) -> Result<(), Obstacle> {
        match self.text.len() > LONGEST {
            true => Err(Obstacle::from("the proof is too long")),
            false => Ok(()),
        }
    }

    /// Derives a fact, with the values of its arguments.
    fn fact(&mut self, id: FactId) -> Result<StepId, Obstacle> {
        let (t, proof) = (self.t, self.proof);
        let fact = &proof.refutation().facts[id.index()];
        let clause = proof.system.clause(fact.clause);
        let (assumption, formula) = self.assumption(fact.clause, clause)?;
        let mut instance = self.instance(clause, fact);
        let (body, head) = self.parts(clause, &instance.values);
        let implication = match &body[..] {
            [] => head.clone(),
            body => format!("(=> {} {head})", conjunction(body)),
        };
        let mut known = match clause.vars.is_empty() {
            true => assumption,
            false => self.instantiate((assumption, &formula), clause, &instance, &implication),
        };
        if !body.is_empty() {
            let whole = conjunction(&body);
            let split = [negation(&whole), head.clone()];
            let mut used = vec![self.step(&split, "implies", &[known], &[])];
            if body.len() > 1 {
                let literals = body.iter().map(|part| negation(part));
                let literals: Vec<_> = [whole].into_iter().chain(literals).collect();
                used.push(self.step(&literals, "and_neg", &[], &[]));
            }
            // A clause is a set of literals: parts that become equal are resolved once.
            let is_first = |at: usize| !body[..at].contains(&body[at]);
            for (at, (atom, premise)) in clause.body.iter().zip(&fact.premises).enumerate() {
                if is_first(at) {
                    used.push(self.premise(&atom.args, *premise, &mut instance)?);
                }
            }
            if body.len() > clause.body.len() && is_first(clause.body.len()) {
                used.push(self.holds(clause.constraint, &mut instance)?);
            }
            known = self.step(std::slice::from_ref(&head), "resolution", &used, &[]);
        }
        let Some(atom) = &clause.head else {
            return Ok(known);
        };
        let name = t.func(proof.system.pred(atom.pred).func).name;
        let values = proof.arguments(clause, &proof.conclusions()[id.index()]);
        let sides = atom.args.iter().zip(&values);
        let wanted = applied(&t.display_symbol(name).to_string(), &values);
        self.calculated((known, &head), &wanted, sides, false, &mut instance)
    }

    /// The assumption of a clause, with its formula.
    fn assumption(&mut self, id: ClauseId, clause: &Clause) -> Result<(StepId, String), Obstacle> {
        if let Some(known) = self.assumed.get(&id) {
            return Ok(known.clone());
        }
        if self.symbols(clause) > MOST_SYMBOLS {
            return Err(Obstacle::from("a clause is too large without sharing"));
        }
        let names = self.clauses.variables(clause);
        let values = clause
            .vars
            .iter()
            .copied()
            .zip(names.iter().cloned())
            .collect();
        let (body, head) = self.parts(clause, &values);
        let mut formula = match &body[..] {
            [] => head,
            body => format!("(=> {} {head})", conjunction(body)),
        };
        if !names.is_empty() {
            let sorts = clause
                .vars
                .iter()
                .map(|&var| self.t.display_sort(self.t.sort_of(var)));
            let bound = names.iter().zip(sorts);
            let bound: Vec<_> = bound
                .map(|(name, sort)| format!("({name} {sort})"))
                .collect();
            formula = format!("(forall ({}) {formula})", bound.join(" "));
        }
        let step = self.steps;
        self.steps += 1;
        let _ = writeln!(self.text, "(assume t{step} {formula})");
        self.assumed.insert(id, (step, formula.clone()));
        Ok((step, formula))
    }

    /// Derives the instance of an assumption.
    fn instantiate(
        &mut self,
        (assumption, formula): (StepId, &str),
        clause: &Clause,
        instance: &Instance<'_>,
        implication: &str,
    ) -> StepId {
        let names = self.clauses.variables(clause);
        let values = clause.vars.iter().map(|var| &instance.values[var]);
        let pairs = names.iter().zip(values);
        let pairs: Vec<_> = pairs
            .map(|(name, value)| format!("(:= {name} {value})"))
            .collect();
        let sides = [negation(formula), implication.to_owned()];
        let either = format!("(or {} {})", sides[0], sides[1]);
        let inst = self.step(&[either], "forall_inst", &[], &pairs);
        let split = self.step(&sides, "or", &[inst], &[]);
        self.step(&sides[1..], "resolution", &[split, assumption], &[])
    }

    /// Derives an atom of a body from the fact that is its premise.
    fn premise(
        &mut self,
        args: &[Term],
        premise: FactId,
        instance: &mut Instance<'_>,
    ) -> Result<StepId, Obstacle> {
        let proof = self.proof;
        let clause = proof
            .system
            .clause(proof.refutation().facts[premise.index()].clause);
        let head = clause
            .head
            .as_ref()
            .ok_or_else(|| Obstacle::from("a premise is false"))?;
        let name = self.t.func(proof.system.pred(head.pred).func).name;
        let name = self.t.display_symbol(name).to_string();
        let values = proof.arguments(clause, &proof.conclusions()[premise.index()]);
        let texts: Vec<_> = args
            .iter()
            .map(|&arg| self.write(arg, &instance.values))
            .collect();
        let (given, wanted) = (applied(&name, &values), applied(&name, &texts));
        let known = self.derived[premise.index()];
        self.calculated(
            (known, &given),
            &wanted,
            args.iter().zip(&values),
            true,
            instance,
        )
    }

    /// Derives an atom from one with equal arguments. The sides are terms and their values; `back`
    /// if the values are known and the terms are wanted.
    fn calculated<'v>(
        &mut self,
        (known, given): (StepId, &str),
        wanted: &str,
        sides: impl Iterator<Item = (&'v Term, &'v String)>,
        back: bool,
        instance: &mut Instance<'_>,
    ) -> Result<StepId, Obstacle> {
        if given == wanted {
            return Ok(known);
        }
        let (mut literals, mut used) = (Vec::new(), Vec::new());
        for (&term, value) in sides {
            let text = self.write(term, &instance.values);
            let (left, right) = match back {
                true => (value.as_str(), text.as_str()),
                false => (text.as_str(), value.as_str()),
            };
            let literal = format!("(not (= {left} {right}))");
            if !literals.contains(&literal) {
                used.push(self.equal(term, left, right, instance)?);
            }
            literals.push(literal);
        }
        literals.extend([negation(given), wanted.to_owned()]);
        used.push(self.step(&literals, "eq_congruent_pred", &[], &[]));
        used.reverse();
        used.push(known);
        Ok(self.step(&[wanted.to_owned()], "resolution", &used, &[]))
    }

    /// Shows that a term and its value, whose texts are given, are equal.
    fn equal(
        &mut self,
        term: Term,
        left: &str,
        right: &str,
        instance: &mut Instance<'_>,
    ) -> Result<StepId, Obstacle> {
        let equation = format!("(= {left} {right})");
        if left == right {
            return Ok(self.step(&[equation], "eq_reflexive", &[], &[]));
        }
        if self.t.sort_of(term) == Sort::BOOL {
            let (is_true, shown) = self.truth(term, instance)?;
            let (value, literals) = match is_true {
                true => ("true", [equation.clone(), negation(left), negation(right)]),
                false => (
                    "(not false)",
                    [equation.clone(), left.to_owned(), right.to_owned()],
                ),
            };
            let rule = if is_true { "equiv_neg1" } else { "equiv_neg2" };
            let split = self.step(&literals, rule, &[], &[]);
            let rule = if is_true { "true" } else { "false" };
            let constant = self.step(&[value.to_owned()], rule, &[], &[]);
            return Ok(self.step(&[equation], "resolution", &[split, shown, constant], &[]));
        }
        self.linear(term)?;
        Ok(self.equal_numbers(left, right))
    }

    /// Shows that two sums of numerals are equal.
    fn equal_numbers(&mut self, left: &str, right: &str) -> StepId {
        let equation = format!("(= {left} {right})");
        if left == right {
            return self.step(&[equation], "eq_reflexive", &[], &[]);
        }
        let (below, above) = (
            format!("(<= {left} {right})"),
            format!("(<= {right} {left})"),
        );
        let sides = [equation.clone(), negation(&below), negation(&above)];
        let either = format!("(or {} {} {})", sides[0], sides[1], sides[2]);
        let cases = self.step(&[either], "la_disequality", &[], &[]);
        let split = self.step(&sides, "or", &[cases], &[]);
        let one = ["1".to_owned()];
        let below = self.step(&[below], "la_generic", &[], &one);
        let above = self.step(&[above], "la_generic", &[], &one);
        self.step(&[equation], "resolution", &[split, below, above], &[])
    }

    /// The instance of a clause that a fact is.
    fn instance(&self, clause: &Clause, fact: &Fact) -> Instance<'a> {
        let t = self.t;
        let pairs = || clause.vars.iter().copied().zip(&fact.values);
        let text = |(var, value)| {
            (
                var,
                t.display(t.value_term(value, t.sort_of(var))).to_string(),
            )
        };
        let assignment = pairs().map(|(var, value)| (var, value.clone()));
        Instance {
            values: pairs().map(text).collect(),
            evaluator: Evaluator::with(t, Unspecified::Refuse, assignment),
        }
    }

    /// The parts of a clause's body, the constraint last, and its head, with these texts for its
    /// variables.
    fn parts(&self, clause: &Clause, values: &TermMap<String>) -> (Vec<String>, String) {
        let (t, system) = (self.t, self.proof.system);
        let atoms = clause.body.iter().map(|atom| system.atom_term(t, atom));
        let constraint = (clause.constraint != Term::TRUE).then_some(clause.constraint);
        let mut body: Vec<_> = atoms
            .chain(constraint)
            .map(|part| self.write(part, values))
            .collect();
        let head = match &clause.head {
            Some(head) => self.write(system.atom_term(t, head), values),
            None => "false".to_owned(),
        };
        if body.is_empty() && clause.head.is_none() {
            body.push("true".to_owned());
        }
        (body, head)
    }

    /// A term with these texts for its variables.
    fn write(&self, term: Term, values: &TermMap<String>) -> String {
        let var = |var: Term| values.get(&var).cloned();
        let printer = Printer::new(self.t).without_sharing().with_vars(&var);
        printer.text(term).to_string()
    }

    /// The number of symbols of a clause without sharing.
    fn symbols(&self, clause: &Clause) -> u64 {
        let mut sizes: TermMap<u64> = TermMap::default();
        for term in self.t.post_order(clause.terms()) {
            let args = self.t.args(term).iter().map(|arg| sizes[arg]);
            let size = args.fold(1, u64::saturating_add);
            sizes.insert(term, size);
        }
        clause
            .terms()
            .map(|term| sizes[&term])
            .fold(0, u64::saturating_add)
    }

    /// States a step.
    fn step(
        &mut self,
        clause: &[String],
        rule: &str,
        premises: &[StepId],
        args: &[String],
    ) -> StepId {
        let step = self.steps;
        self.steps += 1;
        let _ = write!(self.text, "(step t{step} (cl");
        for literal in clause {
            let _ = write!(self.text, " {literal}");
        }
        let _ = write!(self.text, ") :rule {rule}");
        if !premises.is_empty() {
            let names: Vec<_> = premises
                .iter()
                .map(|premise| format!("t{premise}"))
                .collect();
            let _ = write!(self.text, " :premises ({})", names.join(" "));
        }
        if !args.is_empty() {
            let _ = write!(self.text, " :args ({})", args.join(" "));
        }
        self.text.push_str(")\n");
        step
    }
}

fn negation(formula: &str) -> String {
    format!("(not {formula})")
}

fn conjunction(parts: &[String]) -> String {
    match parts {
        [only] => only.clone(),
        _ => format!("(and {})", parts.join(" ")),
    }
}

/// A predicate applied to arguments.
fn applied(name: &str, args: &[String]) -> String {
    match args {
        [] => name.to_owned(),
        _ => format!("({name} {})", args.join(" ")),
    }
}
