//! Predicates, atoms, clauses and systems of clauses.

use crate::term::{FuncId, Sort, Symbol, Term, TermSet, Terms};
use std::ops::Range;

/// A predicate of a [`System`]: its position there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredId(pub u32);

/// A clause of a [`System`]: its position there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseId(pub u32);

impl PredId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ClauseId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes of the input. It is empty and starts at 0 if there was no input text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, and not including, `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The range in a text that begins that many bytes earlier; the last possible one where offsets
    /// do not suffice.
    #[must_use]
    pub fn shifted(self, bytes: u32) -> Span {
        Span::new(
            self.start.saturating_add(bytes),
            self.end.saturating_add(bytes),
        )
    }

    /// The range as indices into the text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An uninterpreted predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The declared function: name and argument sorts are there.
    pub func: FuncId,
    /// Where it was declared.
    pub span: Span,
}

/// A predicate applied to arguments of its sorts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The predicate.
    pub pred: PredId,
    /// The arguments: terms over the clause's variables.
    pub args: Vec<Term>,
}

/// Where a clause comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The name given by a `:named` annotation. Clauses split from one assertion share it.
    pub name: Option<Symbol>,
    /// The place of the assertion.
    pub span: Span,
}

/// `head ← body ∧ constraint`, for all values of `vars`.
///
/// Invariant: every variable of the head, the body and the constraint is in `vars`, once; the
/// constraint is a formula without quantifiers and without predicates.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The variables.
    pub vars: Vec<Term>,
    /// The atoms of the body, in the order of the text.
    pub body: Vec<Atom>,
    /// The constraint: the part of the body without predicates.
    pub constraint: Term,
    /// The head; `None` stands for `false`: the clause is a query.
    pub head: Option<Atom>,
    /// The assertion that the clause comes from.
    pub origin: Origin,
}

impl Clause {
    /// Has the clause no atom in its body?
    pub fn is_fact(&self) -> bool {
        self.body.is_empty()
    }

    /// Does the clause derive `false`?
    pub fn is_query(&self) -> bool {
        self.head.is_none()
    }

    /// Has the clause at most one atom in its body?
    pub fn is_linear(&self) -> bool {
        self.body.len() <= 1
    }

    /// All atoms: of the body, then the head.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().chain(&self.head)
    }

    /// The terms of the clause: the arguments of its atoms, then the constraint.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        let args = self.atoms().flat_map(|atom| atom.args.iter().copied());
        args.chain([self.constraint])
    }

    /// The clause where what is known of its premises is a part of the constraint.
    #[must_use]
    pub fn with_known<I>(&self, t: &Terms, known: impl Fn(&Atom) -> I) -> Clause
    where
        I: IntoIterator<Item = Term>,
    {
        let known = self.body.iter().flat_map(known);
        Clause {
            constraint: t.and(known.chain([self.constraint])),
            ..self.clone()
        }
    }

    /// Has a variable values with elements of uninterpreted sorts inside?
    pub fn has_elements(&self, t: &Terms) -> bool {
        self.vars.iter().any(|&var| t.has_elements(t.sort_of(var)))
    }

    /// The clause with other terms, each instead of one that [`Clause::terms`] has, in its order.
    pub fn map_terms(&self, mut other: impl FnMut(Term) -> Term) -> Clause {
        let mut clause = self.clone();
        for atom in clause.body.iter_mut().chain(&mut clause.head) {
            for arg in &mut atom.args {
                *arg = other(*arg);
            }
        }
        clause.constraint = other(clause.constraint);
        debug_assert_eq!(clause.terms().count(), self.terms().count());
        clause
    }

    /// The variables that occur in the clause, by first occurrence in the head, the body, the
    /// constraint.
    pub fn occurring_vars(&self, t: &Terms) -> Vec<Term> {
        let head = self.head.iter().flat_map(|a| a.args.iter().copied());
        let body = self.body.iter().flat_map(|a| a.args.iter().copied());
        t.vars(head.chain(body).chain([self.constraint]))
    }

    /// Removes variables that do not occur from the clause's list.
    pub fn retain_occurring_vars(&mut self, t: &Terms) {
        let occurring: TermSet = self.occurring_vars(t).into_iter().collect();
        self.vars.retain(|v| occurring.contains(v));
    }
}

/// A system of Horn clauses over the terms of one store.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The predicates, in the order of their declarations.
    pub preds: Vec<Predicate>,
    /// The clauses, in the order of the text.
    pub clauses: Vec<Clause>,
}

impl System {
    /// A predicate by id.
    pub fn pred(&self, id: PredId) -> &Predicate {
        &self.preds[id.index()]
    }

    /// A clause by id.
    pub fn clause(&self, id: ClauseId) -> &Clause {
        &self.clauses[id.index()]
    }

    /// The name of a predicate.
    pub fn pred_name<'t>(&self, t: &'t Terms, id: PredId) -> &'t str {
        t.name(t.func(self.pred(id).func).name)
    }

    /// All predicates.
    pub fn pred_ids(&self) -> impl Iterator<Item = PredId> + use<> {
        (0..u32::try_from(self.preds.len()).expect("few predicates")).map(PredId)
    }

    /// All clauses.
    pub fn clause_ids(&self) -> impl Iterator<Item = ClauseId> + use<> {
        (0..u32::try_from(self.clauses.len()).expect("few clauses")).map(ClauseId)
    }

    /// All clauses with their ids.
    pub fn clauses(&self) -> impl Iterator<Item = (ClauseId, &Clause)> {
        self.clause_ids().zip(&self.clauses)
    }

    /// Does the invariant of clauses hold of each: are the arguments of its atoms of the sorts of
    /// their predicates, and all its variables listed, each once?
    pub fn is_well_formed(&self, t: &Terms) -> bool {
        self.clauses.iter().all(|clause| {
            let vars: TermSet = clause.vars.iter().copied().collect();
            let is_closed = || clause.occurring_vars(t).iter().all(|x| vars.contains(x));
            vars.len() == clause.vars.len()
                && clause.vars.iter().all(|&x| t.is_var(x))
                && clause.atoms().all(|atom| self.is_atom(t, atom))
                && t.sort_of(clause.constraint) == Sort::BOOL
                && is_closed()
        })
    }

    /// Is it a predicate of the system, applied to arguments of its sorts?
    pub fn is_atom(&self, t: &Terms, atom: &Atom) -> bool {
        self.preds.get(atom.pred.index()).is_some_and(|pred| {
            let params = t.func(pred.func).params.iter().copied();
            params.eq(atom.args.iter().map(|&arg| t.sort_of(arg)))
        })
    }

    /// The atom as a term.
    pub fn atom_term(&self, t: &Terms, atom: &Atom) -> Term {
        debug_assert!(
            self.is_atom(t, atom),
            "arguments have the predicate's sorts"
        );
        t.apply(self.pred(atom.pred).func, &atom.args)
    }

    /// Do all clauses have at most one atom in their body?
    pub fn is_linear(&self) -> bool {
        self.clauses.iter().all(Clause::is_linear)
    }

    /// A name for a clause in messages: the user's, or its position, counted from 0.
    pub fn clause_label(&self, t: &Terms, id: ClauseId) -> String {
        match self.clause(id).origin.name {
            Some(name) => t.name(name).to_owned(),
            None => format!("clause {}", id.0),
        }
    }
}
