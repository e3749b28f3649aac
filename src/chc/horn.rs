//! From formulas to Horn clauses.
//!
//! An assertion is a closed formula over predicates. It is Horn if each clause of its clausal form
//! has at most one positive predicate. [`Normaliser::clauses`] walks down through the connectives,
//! with polarity, but only above predicates and quantifiers; other subformulas stay whole and go to
//! the constraint. A clause in the making is a disjunction of disjuncts still to be visited and of
//! what was found:
//!
//! ```text
//! A ∨ B,  ¬(A ∧ B)      both parts belong to the clause
//! A ∧ B,  ¬(A ∨ B)      two clauses, which share what was found so far (distribution)
//! A = B on Bool         (¬A ∨ B) ∧ (A ∨ ¬B);  negated: (A ∨ B) ∧ (¬A ∨ ¬B)
//! ite(C, A, B)          (¬C ∨ A) ∧ (C ∨ B);   negated: (¬C ∨ ¬A) ∧ (C ∨ ¬B)
//! ∀x A,  ¬∃x A          x becomes a variable of the clause
//! ∃x A,  ¬∀x A          not Horn
//! p(…),  ¬p(…)          the head; an atom of the body
//! ```
//!
//! Pulling the variables of `∀x A` out is sound for a disjunction as long as `x` is not free in the
//! other disjuncts, so a variable whose name the clause has already is given a fresh one. The same
//! quantified formula met twice in one clause counts once: `F ∨ F` has the clauses of `F`.
//!
//! Distribution may multiply clauses. There are limits ([`MAX_DISTRIBUTED`], [`MAX_COPIED`]) and
//! errors beyond them. No auxiliary predicates are made, so that certificates speak of the user's
//! clauses.

use super::marks::Marks;
use super::{Atom, Clause, Origin, PredId};
use crate::term::{FuncId, Op, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::Arc;

/// At most this many clauses come from distributing disjunctions over conjunctions in one
/// assertion. The value was not tuned.
pub const MAX_DISTRIBUTED: usize = 1 << 14;

/// Distribution copies at most this many disjuncts from clause to clause. The value was not tuned.
pub const MAX_COPIED: usize = 1 << 21;

/// At most this many connectives of one assertion are visited, or a multiple of the number of
/// terms. A formula that shares subformulas may unfold to exponentially many. The values were not
/// tuned.
const MAX_STEPS: usize = 1 << 22;
const MAX_STEPS_PER_TERM: usize = 8;

/// Why a formula gives no Horn clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HornError {
    /// What is wrong.
    pub kind: HornErrorKind,
    /// The subformula that shows it.
    pub term: Term,
}

/// What is wrong with a formula that is not Horn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HornErrorKind {
    /// A clause has two positive predicates.
    #[error("not a Horn clause: this predicate would be a second head")]
    TwoHeads {
        /// The other head.
        other: Term,
    },
    /// A variable of the head is existentially quantified.
    #[error("not a Horn clause: an existential quantifier in the head")]
    ExistsInHead,
    /// A variable of the body is universally quantified.
    #[error("not a Horn clause: a universal quantifier in the body")]
    ForallInBody,
    /// A quantifier that is neither in the head nor in the body: below `=`, `ite`, or in an
    /// argument.
    #[error("not supported: a quantifier inside of a term")]
    QuantifierInTerm,
    /// A predicate applied inside of a term.
    #[error("not supported: a predicate inside of a term")]
    PredicateInTerm,
    /// Distribution gives more than [`MAX_DISTRIBUTED`] clauses.
    #[error("this formula gives more than {MAX_DISTRIBUTED} Horn clauses")]
    TooManyClauses,
    /// Distribution copies more than [`MAX_COPIED`] disjuncts.
    #[error(
        "the Horn clauses of this formula have more than {MAX_COPIED} parts in common, which would be copied"
    )]
    TooMuchCopied,
}

impl HornErrorKind {
    fn at(self, term: Term) -> HornError {
        HornError { kind: self, term }
    }
}

const PREDICATE: u8 = 1;
const QUANTIFIER: u8 = 2;

/// Turns formulas into Horn clauses; knows which functions are predicates.
#[derive(Debug, Default)]
pub struct Normaliser {
    /// The predicate that each function is, by the function's index.
    preds: Vec<Option<PredId>>,
    /// Variables that may occur free, and are universal.
    free: FxHashSet<Symbol>,
    /// For each term of the store so far: does it contain a predicate, a quantifier? Arguments have
    /// smaller ids than the terms that have them, so one pass over new terms is enough.
    flags: Vec<u8>,
    marks: Marks,
    /// An empty clause in the making, with the memory of earlier ones.
    spare: Partial,
}

/// One clause in the making: a disjunction.
#[derive(Clone, Debug, Default)]
struct Partial {
    /// The disjuncts still to be visited, with their polarity; the next one is last.
    todo: Vec<(Term, bool)>,
    /// The quantifiers above, shared by clauses that were split after them.
    scope: Arc<Scope>,
    /// Negative predicates.
    body: Vec<Term>,
    /// Positive predicates.
    heads: Vec<Term>,
    /// Negations of the other disjuncts.
    constraint: Vec<Term>,
}

/// The quantifiers that a clause is under.
#[derive(Clone, Debug, Default)]
struct Scope {
    /// The quantifiers' variables, in order.
    vars: Vec<Term>,
    /// The quantified formulas.
    pulled: Vec<Term>,
    /// The variables' names and the formulas as sets, from the second quantifier on.
    names: FxHashSet<Symbol>,
    seen: FxHashSet<Term>,
}

impl Scope {
    /// Enters a quantified formula. Answers whether it is new.
    fn enter(&mut self, t: &Terms, formula: Term) -> bool {
        if let [first] = self.pulled[..] {
            self.seen.insert(first);
            self.names
                .extend(self.vars.iter().map(|&var| name_of(t, var)));
        }
        let new = self.pulled.is_empty() || self.seen.insert(formula);
        if new {
            self.pulled.push(formula);
        }
        new
    }

    /// Has one of the variables this name?
    fn has(&self, name: Symbol) -> bool {
        self.names.contains(&name)
    }

    fn add(&mut self, t: &Terms, var: Term) {
        self.vars.push(var);
        if self.pulled.len() > 1 {
            self.names.insert(name_of(t, var));
        }
    }
}

fn name_of(t: &Terms, var: Term) -> Symbol {
    t.as_var(var).expect("a bound variable is a variable")
}

/// Room for 2^12 elements is kept from one clause to the next.
const KEPT: usize = 1 << 12;

impl Partial {
    /// Forgets the clause and keeps memory for the next one.
    fn clear(&mut self) {
        self.todo.clear();
        for terms in [&mut self.body, &mut self.heads, &mut self.constraint] {
            terms.clear();
            terms.shrink_to(KEPT);
        }
        match Arc::get_mut(&mut self.scope) {
            // To clear a set takes the time of its largest size.
            Some(scope) if scope.seen.capacity() == 0 && scope.vars.len() <= KEPT => {
                scope.vars.clear();
                scope.pulled.clear();
            }
            _ => self.scope = Arc::default(),
        }
    }

    /// Is there nothing yet that distribution would copy?
    fn is_fresh(&self) -> bool {
        self.todo.is_empty()
            && self.body.is_empty()
            && self.heads.is_empty()
            && self.constraint.is_empty()
    }

    /// The number of disjuncts.
    fn size(&self) -> usize {
        self.todo.len() + self.body.len() + self.heads.len() + self.constraint.len()
    }

    /// The clause with further disjuncts, the first of which is visited first.
    fn with(&self, disjuncts: &[(Term, bool)]) -> Partial {
        let mut partial = self.clone();
        partial.todo.extend(disjuncts.iter().rev());
        partial
    }
}

/// The result of visiting one disjunct.
enum Visited {
    /// Go on with the clause.
    Continue,
    /// The clause is valid and is dropped.
    Valid,
    /// These clauses replace the clause, in order.
    Split(Vec<Partial>),
    /// One clause for each conjunct of this conjunction (or negated disjunction) replaces the
    /// clause.
    Conjuncts(Term, bool),
}

/// A clause in the making, or several that are made from it one after the other. There may be as
/// many as the text has parts.
enum Pending {
    One(Partial),
    /// One clause for each conjunct of a conjunction (or negated disjunction) from `next` on,
    /// together with what was found before.
    Conjuncts {
        partial: Partial,
        formula: Term,
        positive: bool,
        next: usize,
        /// The negation of the conjuncts without predicates. They go to the constraint of one
        /// clause, at the place of the first of them, unless they are all true.
        together: Option<Term>,
    },
}

impl Normaliser {
    /// A normaliser without predicates.
    pub fn new() -> Self {
        Normaliser::default()
    }

    /// Makes a function of result `Bool` a predicate.
    pub fn add_predicate(&mut self, func: FuncId, pred: PredId) {
        let index = func.0 as usize;
        if index >= self.preds.len() {
            self.preds.resize(index + 1, None);
        }
        self.preds[index] = Some(pred);
    }

    /// Makes a predicate an ordinary function again.
    pub fn remove_predicate(&mut self, func: FuncId) {
        if let Some(pred) = self.preds.get_mut(func.0 as usize) {
            *pred = None;
        }
    }

    /// The predicate that a function is.
    pub fn predicate(&self, func: FuncId) -> Option<PredId> {
        self.preds.get(func.0 as usize).copied().flatten()
    }

    /// Lets a variable occur free in formulas: it is universally quantified over each of them.
    pub fn add_free_variable(&mut self, name: Symbol) {
        self.free.insert(name);
    }

    /// Appends the clauses of a formula to `out`, in the order of its text. The formula is closed,
    /// except for the variables of [`Normaliser::add_free_variable`], and its predicates are known.
    ///
    /// # Errors
    /// The formula is not Horn, or gives too many clauses. Then `out` is unchanged.
    pub fn clauses(
        &mut self,
        t: &Terms,
        formula: Term,
        origin: Origin,
        out: &mut Vec<Clause>,
    ) -> Result<(), HornError> {
        debug_assert_eq!(t.sort_of(formula), Sort::BOOL);
        self.update_flags(t);
        let before = out.len();
        let result = self.run(t, formula, origin, out);
        if result.is_err() {
            out.truncate(before);
        }
        result
    }

    fn run(
        &mut self,
        t: &Terms,
        formula: Term,
        origin: Origin,
        out: &mut Vec<Clause>,
    ) -> Result<(), HornError> {
        let mut partial = std::mem::take(&mut self.spare);
        partial.todo.push((formula, true));
        let mut stack = Vec::new();
        let (mut distributed, mut copied, mut steps) = (0, 0, 0);
        let most_steps = MAX_STEPS.max(t.len().saturating_mul(MAX_STEPS_PER_TERM));
        loop {
            let too_many = HornErrorKind::TooManyClauses.at(formula);
            let valid = loop {
                let Some((disjunct, positive)) = partial.todo.pop() else {
                    break false;
                };
                steps += 1;
                if steps > most_steps {
                    return Err(too_many);
                }
                match self.look_at(t, &mut partial, disjunct, positive)? {
                    Visited::Continue => continue,
                    Visited::Valid => {}
                    Visited::Split(parts) => {
                        if !partial.is_fresh() {
                            distributed += parts.len();
                            copied += parts.iter().map(Partial::size).sum::<usize>();
                        }
                        stack.extend(parts.into_iter().rev().map(Pending::One));
                    }
                    Visited::Conjuncts(conjunction, positive) => {
                        let (together, count) = self.conjuncts(t, conjunction, positive);
                        if !partial.is_fresh() {
                            distributed += count;
                            copied += count * (partial.size() + 1);
                        }
                        stack.push(Pending::Conjuncts {
                            partial: std::mem::take(&mut partial),
                            formula: conjunction,
                            positive,
                            next: 0,
                            together,
                        });
                    }
                }
                if distributed > MAX_DISTRIBUTED {
                    return Err(too_many);
                }
                if copied > MAX_COPIED {
                    return Err(HornErrorKind::TooMuchCopied.at(formula));
                }
                // Others have taken its place, or it is valid.
                break true;
            };
            if !valid {
                out.extend(self.finish(t, &mut partial, origin)?);
            }
            partial.clear();
            match self.next_partial(t, &mut stack) {
                Some(next) => partial = next,
                None => break,
            }
        }
        self.spare = partial;
        Ok(())
    }

    /// Visits one disjunct of a clause.
    fn look_at(
        &mut self,
        t: &Terms,
        partial: &mut Partial,
        formula: Term,
        positive: bool,
    ) -> Result<Visited, HornError> {
        if self.flags[formula.index()] == 0 {
            let conjunct = if positive { t.not(formula) } else { formula };
            if conjunct == Term::FALSE {
                return Ok(Visited::Valid);
            }
            partial.constraint.push(conjunct);
            return Ok(Visited::Continue);
        }
        let (op, args) = t.op_and_args(formula);
        match (op, positive) {
            (Op::Not, _) => partial.todo.push((args[0], !positive)),
            (Op::Or, true) | (Op::And, false) => {
                partial
                    .todo
                    .extend(args.iter().rev().map(|&arg| (arg, positive)));
            }
            (Op::And, true) | (Op::Or, false) => {
                return Ok(Visited::Conjuncts(formula, positive));
            }
            (Op::Eq, _) if t.sort_of(args[0]) == Sort::BOOL => {
                let (a, b) = (args[0], args[1]);
                return Ok(Visited::Split(vec![
                    partial.with(&[(a, !positive), (b, true)]),
                    partial.with(&[(a, positive), (b, false)]),
                ]));
            }
            (Op::Ite, _) if t.sort_of(formula) == Sort::BOOL => {
                let (condition, a, b) = (args[0], args[1], args[2]);
                return Ok(Visited::Split(vec![
                    partial.with(&[(condition, false), (a, positive)]),
                    partial.with(&[(condition, true), (b, positive)]),
                ]));
            }
            (Op::Forall, true) | (Op::Exists, false) => self.pull(t, partial, formula, positive),
            (Op::Forall, false) => return Err(HornErrorKind::ForallInBody.at(formula)),
            (Op::Exists, true) => return Err(HornErrorKind::ExistsInHead.at(formula)),
            (Op::Apply(func), _) if self.predicate(func).is_some() => {
                if let Some(&arg) = args.iter().find(|arg| self.flags[arg.index()] != 0) {
                    return Err(self.inside_of_term(t, arg));
                }
                let found = if positive {
                    &mut partial.heads
                } else {
                    &mut partial.body
                };
                found.push(formula);
            }
            _ => return Err(self.inside_of_term(t, formula)),
        }
        Ok(Visited::Continue)
    }

    /// For a conjunction (or negated disjunction): the common part of its conjuncts without
    /// predicates, see [`Pending`], and the number of clauses that it gives.
    fn conjuncts(&self, t: &Terms, formula: Term, positive: bool) -> (Option<Term>, usize) {
        let args = t.args(formula);
        let opaque = |arg: &&Term| self.flags[arg.index()] == 0;
        let plain = args.iter().filter(opaque).copied();
        let together = if positive {
            t.not(t.and(plain))
        } else {
            t.or(plain)
        };
        let count = args.iter().filter(|arg| !opaque(arg)).count();
        // Without such conjuncts it is `false` as well.
        if together == Term::FALSE {
            (None, count)
        } else {
            (Some(together), count + 1)
        }
    }

    /// Takes the next clause in the making from the stack.
    fn next_partial(&self, t: &Terms, stack: &mut Vec<Pending>) -> Option<Partial> {
        loop {
            let (partial, formula, positive, next, together) = match stack.pop()? {
                Pending::One(partial) => return Some(partial),
                Pending::Conjuncts {
                    partial,
                    formula,
                    positive,
                    next,
                    together,
                } => (partial, formula, positive, next, together),
            };
            let Some(&arg) = t.args(formula).get(next) else {
                continue;
            };
            let opaque = self.flags[arg.index()] == 0;
            let part = match together {
                _ if !opaque => Some(partial.with(&[(arg, positive)])),
                Some(constraint) => {
                    let mut part = partial.clone();
                    part.constraint.push(constraint);
                    Some(part)
                }
                None => None,
            };
            stack.push(Pending::Conjuncts {
                partial,
                formula,
                positive,
                next: next + 1,
                together: together.filter(|_| !opaque),
            });
            if part.is_some() {
                return part;
            }
        }
    }

    /// Makes the variables of a quantified formula variables of the clause.
    fn pull(&mut self, t: &Terms, partial: &mut Partial, formula: Term, positive: bool) {
        let (&body, bound) = t
            .args(formula)
            .split_last()
            .expect("a quantifier has a body");
        let scope = Arc::make_mut(&mut partial.scope);
        if !scope.enter(t, formula) {
            // F ∨ F is F, and the clause comes from F already.
            return;
        }
        let mut renamed = Vec::new();
        for &var in bound {
            let name = name_of(t, var);
            if scope.has(name) || self.free.contains(&name) {
                let fresh = t.fresh_var(t.name(name), t.sort_of(var));
                renamed.push((var, fresh));
                scope.add(t, fresh);
            } else {
                scope.add(t, var);
            }
        }
        if renamed.is_empty() {
            partial.todo.push((body, positive));
        } else {
            partial.todo.push((t.substitute(body, renamed), positive));
            self.update_flags(t);
        }
    }

    /// The clause, after all its disjuncts have been visited.
    fn finish(
        &mut self,
        t: &Terms,
        partial: &mut Partial,
        origin: Origin,
    ) -> Result<Option<Clause>, HornError> {
        let constraint = conjunction(t, &mut partial.constraint);
        if constraint == Term::FALSE {
            return Ok(None);
        }
        let (heads, body) = (&mut partial.heads, &mut partial.body);
        make_distinct(heads);
        make_distinct(body);
        if heads.iter().any(|head| body.contains(head)) {
            // F ∨ ¬p ∨ p says nothing, and as a term it is true already.
            return Ok(None);
        }
        if let [other, second, ..] = heads[..] {
            return Err(HornErrorKind::TwoHeads { other }.at(second));
        }
        let roots = heads.iter().chain(&*body).chain([&constraint]);
        let vars = self.marks.occurring(t, roots.copied(), &partial.scope.vars);
        let head = heads.first().map(|&head| self.atom(t, head));
        let body = body.iter().map(|&atom| self.atom(t, atom)).collect();
        Ok(Some(Clause {
            vars,
            body,
            constraint,
            head,
            origin,
        }))
    }

    fn atom(&self, t: &Terms, term: Term) -> Atom {
        let (op, args) = t.op_and_args(term);
        let pred = match op {
            Op::Apply(func) => self.predicate(func),
            _ => None,
        };
        Atom {
            pred: pred.expect("only predicates are collected as atoms"),
            args: args.to_vec(),
        }
    }

    /// The error for a predicate or a quantifier inside a term: finds the place.
    fn inside_of_term(&self, t: &Terms, root: Term) -> HornError {
        let is_predicate =
            |term: &Term| matches!(t.op(*term), Op::Apply(func) if self.predicate(func).is_some());
        if self.flags[root.index()] & PREDICATE != 0 {
            let term = t.post_order([root]).find(is_predicate).unwrap_or(root);
            HornErrorKind::PredicateInTerm.at(term)
        } else {
            let is_quantifier = |term: &Term| matches!(t.op(*term), Op::Forall | Op::Exists);
            let term = t.post_order([root]).find(is_quantifier).unwrap_or(root);
            HornErrorKind::QuantifierInTerm.at(term)
        }
    }

    /// Computes the flags of the terms that are new in the store.
    fn update_flags(&mut self, t: &Terms) {
        for term in t.terms_from(self.flags.len()) {
            let (op, args) = t.op_and_args(term);
            let own = match op {
                Op::Forall | Op::Exists => QUANTIFIER,
                Op::Apply(func) if self.predicate(func).is_some() => PREDICATE,
                _ => 0,
            };
            let all = (args.iter()).fold(own, |flags, arg| flags | self.flags[arg.index()]);
            self.flags.push(all);
        }
    }
}

/// The conjunction of formulas, which are taken, as flat as negation allows: `¬(A ∨ B)` gives two
/// conjuncts. A shared subformula is opened once.
fn conjunction(t: &Terms, formulas: &mut Vec<Term>) -> Term {
    if formulas.is_empty() {
        return Term::TRUE;
    }
    formulas.reverse();
    let mut conjuncts = SmallVec::<[Term; 8]>::new();
    let mut opened = FxHashSet::default();
    while let Some(formula) = formulas.pop() {
        match t.op_and_args(formula) {
            (Op::And, args) => {
                if opened.insert(formula) {
                    formulas.extend(args.iter().rev());
                }
            }
            (Op::Not, &[inner]) if t.op(inner) == Op::Or => {
                if opened.insert(formula) {
                    formulas.extend(t.args(inner).iter().rev().map(|&disjunct| t.not(disjunct)));
                }
            }
            _ => conjuncts.push(formula),
        }
    }
    t.and(conjuncts)
}

/// Leaves out repetitions of atoms.
fn make_distinct(atoms: &mut Vec<Term>) {
    // Few atoms are compared in pairs. The value was not tuned.
    const COMPARED: usize = 8;
    if atoms.len() > COMPARED {
        let mut seen = FxHashSet::default();
        atoms.retain(|&atom| seen.insert(atom));
        return;
    }
    let mut kept = 0;
    for at in 0..atoms.len() {
        if !atoms[..kept].contains(&atoms[at]) {
            atoms[kept] = atoms[at];
            kept += 1;
        }
    }
    atoms.truncate(kept);
}
