//! The clauses of a predicate as rows of a definition by pattern matching: values for which a row
//! applies, and what is computed there.
//!
//! A row binds the variables of its clause to terms over the function's arguments, one after the
//! other: by the patterns of the head, by equations, and by premises, whose outputs are values of
//! other functions. What binds no variable is a guard.

use super::super::cases::Opened;
use super::meaning::{Meaning, Said};
use crate::chc::Atom;
use crate::number::Rational;
use crate::term::{Op, Sort, Term, TermMap, TermSet, Terms};

/// A clause of the definition.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// A pattern for each column, `None` where any value fits.
    pub(super) patterns: Vec<Option<Term>>,
    /// The columns' terms for variables of the clause.
    pub(super) bound: TermMap<Term>,
    /// Equations between terms over the columns and patterns that no constructor is at the head
    /// of, or variables that occur twice.
    pub(super) equations: Vec<(Term, Term)>,
    /// The premises and the conjuncts of the clause.
    pub(super) body: Vec<Atom>,
    pub(super) conjuncts: Vec<Term>,
    /// The argument that is computed, none if the row says when a relation holds.
    pub(super) output: Option<Term>,
}

/// What a row computes where its guards hold.
pub(super) struct Computed {
    pub(super) guards: Vec<Term>,
    pub(super) value: Term,
}

impl Row {
    /// The row of a clause whose head is an atom of the predicate.
    pub(super) fn new(case: &Opened, output: Option<usize>) -> Row {
        let head = case.head.as_ref().expect("the clause defines a predicate");
        let inputs = head.args.iter().enumerate();
        let inputs = inputs.filter(|(place, _)| Some(*place) != output);
        Row {
            patterns: inputs.map(|(_, &arg)| Some(arg)).collect(),
            bound: TermMap::default(),
            equations: Vec::new(),
            body: case.body.clone(),
            conjuncts: case.conjuncts.clone(),
            output: output.map(|place| head.args[place]),
        }
    }

    /// Takes the patterns that are no constructor's as equations with the columns.
    pub(super) fn take_plain_patterns(&mut self, t: &Terms, columns: &[Term]) {
        for (pattern, &column) in self.patterns.iter_mut().zip(columns) {
            let Some(found) = *pattern else {
                continue;
            };
            if matches!(t.op(found), Op::Construct(_)) {
                continue;
            }
            *pattern = None;
            if t.is_var(found) && !self.bound.contains_key(&found) {
                self.bound.insert(found, column);
            } else {
                self.equations.push((column, found));
            }
        }
    }

    /// What the row computes, if its clause determines that.
    pub(super) fn computed(&self, t: &Terms, meanings: &[Option<Meaning>]) -> Option<Computed> {
        let mut binding = Binding {
            t,
            bound: self.bound.clone(),
            guards: Vec::new(),
        };
        for &(column, pattern) in &self.equations {
            if !binding.take(pattern, column) {
                return None;
            }
        }
        let mut atoms: Vec<&Atom> = self.body.iter().collect();
        let mut conjuncts = self.conjuncts.clone();
        while !(atoms.is_empty() && conjuncts.is_empty()) {
            let before = (atoms.len(), conjuncts.len());
            conjuncts.retain(|&conjunct| !binding.take_conjunct(conjunct));
            if let Some(at) = atoms.iter().position(|a| binding.take_atom(a, meanings)) {
                atoms.remove(at);
            }
            if before == (atoms.len(), conjuncts.len()) {
                return None;
            }
        }
        let value = match self.output {
            Some(output) => binding.known(output)?,
            None => t.and(binding.guards.drain(..)),
        };
        Some(Computed {
            guards: binding.guards,
            value,
        })
    }
}

/// The variables of a clause that are known.
struct Binding<'t> {
    t: &'t Terms,
    bound: TermMap<Term>,
    guards: Vec<Term>,
}

impl Binding<'_> {
    fn is_bound(&self, term: Term) -> bool {
        let vars = self.t.vars([term]);
        vars.iter().all(|var| self.bound.contains_key(var))
    }

    /// The term over the columns, if all its variables are known.
    fn known(&self, term: Term) -> Option<Term> {
        let pairs = || self.bound.iter().map(|(&var, &by)| (var, by));
        self.is_bound(term)
            .then(|| self.t.substitute(term, pairs()))
    }

    /// Takes a pattern as equal to a value that is known. False if this does not determine the
    /// pattern's variables.
    fn take(&mut self, pattern: Term, value: Term) -> bool {
        let t = self.t;
        let mut open = vec![(pattern, value)];
        while let Some((pattern, value)) = open.pop() {
            if let Some(known) = self.known(pattern) {
                self.guards.push(t.eq(known, value));
                continue;
            }
            match t.op(pattern) {
                Op::Var(_) => {
                    self.bound.insert(pattern, value);
                }
                Op::Construct(ctor) => {
                    self.guards.push(t.is(ctor, value));
                    let fields = t.ctor(ctor).fields.iter();
                    let fields = fields.map(|&field| t.field(field, value));
                    open.extend(t.args(pattern).iter().copied().zip(fields));
                }
                _ if t.sort_of(pattern) == Sort::INT => {
                    if !self.solve(pattern, value) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Solves a linear equation with a value for its one variable that is not known, if its factor
    /// is 1 or -1.
    fn solve(&mut self, pattern: Term, value: Term) -> bool {
        let t = self.t;
        let mut sum = t.linear_sum(pattern);
        let open: Vec<(Term, Rational)> = (sum.terms.iter())
            .filter(|(x, _)| !self.is_bound(*x))
            .cloned()
            .collect();
        let [(var, factor)] = &open[..] else {
            return false;
        };
        if !t.is_var(*var) || factor.abs() != Rational::one() {
            return false;
        }
        sum.remove(*var);
        let rest = t.sum_term(&sum, Sort::INT);
        let Some(rest) = self.known(rest) else {
            return false;
        };
        self.bound
            .insert(*var, t.scale(factor.clone(), t.sub(value, rest)));
        true
    }

    /// Takes a conjunct: as a guard, or to bind a variable.
    fn take_conjunct(&mut self, conjunct: Term) -> bool {
        let t = self.t;
        if let Some(guard) = self.known(conjunct) {
            self.guards.push(guard);
            return true;
        }
        let args = t.args(conjunct);
        match t.op(conjunct) {
            Op::Var(_) => {
                self.bound.insert(conjunct, Term::TRUE);
                true
            }
            Op::Not if t.is_var(args[0]) => {
                self.bound.insert(args[0], Term::FALSE);
                true
            }
            Op::Eq => {
                let (x, y) = (self.known(args[0]), self.known(args[1]));
                match (x, y) {
                    (Some(x), _) => self.take(args[1], x),
                    (_, Some(y)) => self.take(args[0], y),
                    _ if t.sort_of(args[0]) == Sort::INT => {
                        self.solve(t.sub(args[0], args[1]), t.int(0))
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Takes a premise whose inputs are known: its output is the value of a function, or it is a
    /// guard.
    fn take_atom(&mut self, atom: &Atom, meanings: &[Option<Meaning>]) -> bool {
        let Some(meaning) = &meanings[atom.pred.index()] else {
            return false;
        };
        let output = meaning.output();
        let mut args = Vec::new();
        for (place, &arg) in atom.args.iter().enumerate() {
            match self.known(arg) {
                Some(known) => args.push(known),
                None if Some(place) == output => args.push(arg),
                None if !meaning.is_known() => args.push(arg),
                None => return false,
            }
        }
        let said = meaning.at(self.t, &args);
        match (&meaning.said, output) {
            (Said::Value(..), Some(place)) => self.take(atom.args[place], said),
            _ => {
                self.guards.push(said);
                true
            }
        }
    }
}

/// The variables of the columns, for tests of terms.
pub(super) fn variables(t: &Terms, terms: &[Term]) -> TermSet {
    t.vars(terms.iter().copied()).into_iter().collect()
}
