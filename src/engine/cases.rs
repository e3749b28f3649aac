//! Clauses in which no equation between datatype terms is left that could be solved.
//!
//! Folds say little of an equation `x = cons(h, t)` inside a disjunction, and nothing of `x ≠ nil`;
//! a definition by pattern matching needs the pattern.
//! So a clause is split into cases, each a clause, until equations are solved by unification, and
//! tests and selectors are applied to nothing but variables of cases beyond the limit.

use crate::chc::{Atom, Clause};
use crate::term::{Op, Sort, Substitution, Term, TermSet, Terms};

/// A clause that has become 64 cases is not split further, so that equations and tests are left in
/// them. The value was not tuned.
const CASES: usize = 64;

/// A case of a clause.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    pub(super) head: Option<Atom>,
    pub(super) body: Vec<Atom>,
    pub(super) conjuncts: Vec<Term>,
}

/// The cases of a clause: it holds if and only if all of them do.
pub(super) fn cases(t: &Terms, clause: &Clause) -> Vec<Opened> {
    let whole = Opened {
        head: clause.head.clone(),
        body: clause.body.clone(),
        conjuncts: t.conjuncts(clause.constraint),
    };
    let mut open = vec![whole];
    let mut done: Vec<Opened> = Vec::new();
    while let Some(mut case) = open.pop() {
        if !case.unify(t) {
            continue;
        }
        let parts = match open.len() + done.len() < CASES {
            true => case.split(t),
            false => None,
        };
        match parts {
            // The first part is on top, so that the order of cases is the text's.
            Some(parts) => open.extend(parts.into_iter().rev()),
            None => done.push(case),
        }
    }
    done
}

impl Opened {
    /// Solves equations between datatype terms; false if they have no solution.
    fn unify(&mut self, t: &Terms) -> bool {
        loop {
            let mut conjuncts = Vec::with_capacity(self.conjuncts.len());
            let mut solution = None;
            for &conjunct in &self.conjuncts {
                if solution.is_some() {
                    conjuncts.push(conjunct);
                    continue;
                }
                match equation(t, conjunct) {
                    Equation::None => conjuncts.push(conjunct),
                    Equation::Solved(var, term) => solution = Some((var, term)),
                    Equation::Parts(parts) => conjuncts.extend(parts),
                    Equation::Impossible => return false,
                }
            }
            let changed = conjuncts.len() != self.conjuncts.len() || conjuncts != self.conjuncts;
            self.conjuncts = conjuncts;
            if let Some((var, term)) = solution {
                self.substitute(t, &mut Substitution::new(t, [(var, term)]));
            } else if !changed {
                return true;
            }
            if self.conjuncts.contains(&Term::FALSE) {
                return false;
            }
        }
    }

    fn substitute(&mut self, t: &Terms, substitution: &mut Substitution<'_>) {
        let atoms = self.body.iter_mut().chain(&mut self.head);
        for arg in atoms.flat_map(|atom| &mut atom.args) {
            *arg = substitution.apply(*arg);
        }
        let conjuncts = self.conjuncts.iter().map(|&c| substitution.apply(c));
        let conjuncts = conjuncts.flat_map(|c| t.conjuncts(c));
        self.conjuncts = conjuncts.filter(|&c| c != Term::TRUE).collect();
    }

    /// Cases that are together as strong; `None` if there is nothing to distinguish.
    fn split(&self, t: &Terms) -> Option<Vec<Opened>> {
        self.split_disjunction(t).or_else(|| self.split_value(t))
    }

    /// A case for each disjunct of a disjunction about datatypes.
    fn split_disjunction(&self, t: &Terms) -> Option<Vec<Opened>> {
        let is_about_data = |&f: &Term| t.any_subterm(f, |s| is_question(t, s));
        let (at, disjuncts) = self.conjuncts.iter().enumerate().find_map(|(at, &c)| {
            let disjuncts = disjuncts(t, c)?;
            disjuncts
                .iter()
                .any(is_about_data)
                .then_some((at, disjuncts))
        })?;
        let case = |disjunct: Term| {
            let mut case = self.clone();
            case.conjuncts.splice(at..=at, t.conjuncts(disjunct));
            case
        };
        Some(disjuncts.into_iter().map(case).collect())
    }

    /// A case for each constructor of a value that is tested, or taken apart.
    fn split_value(&self, t: &Terms) -> Option<Vec<Opened>> {
        let args = self
            .body
            .iter()
            .chain(&self.head)
            .flat_map(|atom| &atom.args);
        let roots = self.conjuncts.iter().chain(args).copied();
        let var = t.post_order(roots).find_map(|term| examined(t, term))?;
        let datatype = t.datatype_of(t.sort_of(var)).expect("a datatype's term");
        let case = |&ctor: &_| {
            let fields = t.fresh_fields(ctor);
            let mut case = self.clone();
            let by = t.construct(ctor, &fields);
            case.substitute(t, &mut Substitution::new(t, [(var, by)]));
            case
        };
        Some(t.datatype(datatype).ctors().iter().map(case).collect())
    }
}

/// What an equation between datatype terms comes to.
enum Equation {
    /// It is no such equation, or one that cannot be solved.
    None,
    /// A variable with the term that it is equal to.
    Solved(Term, Term),
    /// Equations that say the same.
    Parts(Vec<Term>),
    /// It has no solution.
    Impossible,
}

fn equation(t: &Terms, conjunct: Term) -> Equation {
    let (Op::Eq, &[x, y]) = (t.op(conjunct), t.args(conjunct)) else {
        return Equation::None;
    };
    if t.datatype_of(t.sort_of(x)).is_none() {
        return Equation::None;
    }
    let occurs = |var: Term, term: Term| t.any_subterm(term, |s| s == var);
    match (t.op(x), t.op(y)) {
        (Op::Construct(c), Op::Construct(d)) if c == d => {
            let pairs = std::iter::zip(t.args(x), t.args(y));
            Equation::Parts(pairs.map(|(&x, &y)| t.eq(x, y)).collect())
        }
        (Op::Construct(_), Op::Construct(_)) => Equation::Impossible,
        (Op::Var(_), _) if !occurs(x, y) => Equation::Solved(x, y),
        (_, Op::Var(_)) if !occurs(y, x) => Equation::Solved(y, x),
        (Op::Var(_), Op::Construct(_)) if is_built_on(t, y, x) => Equation::Impossible,
        (Op::Construct(_), Op::Var(_)) if is_built_on(t, x, y) => Equation::Impossible,
        _ => Equation::None,
    }
}

/// Is a value built by constructors alone from another one and others?
fn is_built_on(t: &Terms, value: Term, part: Term) -> bool {
    // Values may share parts.
    let (mut seen, mut open) = (TermSet::default(), vec![value]);
    while let Some(term) = open.pop() {
        if term == part {
            return true;
        }
        if seen.insert(term) && matches!(t.op(term), Op::Construct(_)) {
            open.extend(t.args(term));
        }
    }
    false
}

/// The disjuncts of a formula that is a disjunction.
pub(super) fn disjuncts(t: &Terms, formula: Term) -> Option<Vec<Term>> {
    let args = t.args(formula);
    match t.op(formula) {
        Op::Or => Some(args.to_vec()),
        Op::Not if t.op(args[0]) == Op::And => {
            Some(t.args(args[0]).iter().map(|&f| t.not(f)).collect())
        }
        Op::Ite => Some(vec![
            t.and([args[0], args[1]]),
            t.and([t.not(args[0]), args[2]]),
        ]),
        Op::Eq if t.sort_of(args[0]) == Sort::BOOL => Some(vec![
            t.and([args[0], args[1]]),
            t.and([t.not(args[0]), t.not(args[1])]),
        ]),
        Op::Not if t.op(args[0]) == Op::Eq => {
            let (x, y) = (t.args(args[0])[0], t.args(args[0])[1]);
            match (t.op(x), t.op(y)) {
                _ if t.sort_of(x) == Sort::BOOL => {
                    Some(vec![t.and([x, t.not(y)]), t.and([t.not(x), y])])
                }
                (Op::Construct(c), Op::Construct(d)) if c == d => {
                    let pairs = std::iter::zip(t.args(x), t.args(y));
                    Some(pairs.map(|(&x, &y)| t.not(t.eq(x, y))).collect())
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Is a subterm an equation of datatype terms, a test, or a selector?
fn is_question(t: &Terms, term: Term) -> bool {
    match t.op(term) {
        Op::Eq => t.datatype_of(t.sort_of(t.args(term)[0])).is_some(),
        Op::Is(_) | Op::Field(_) => true,
        _ => false,
    }
}

/// The variable that a subterm tests, takes apart, or compares with a value that is built by a
/// constructor.
fn examined(t: &Terms, term: Term) -> Option<Term> {
    let args = t.args(term);
    match t.op(term) {
        Op::Is(_) | Op::Field(_) if t.is_var(args[0]) => Some(args[0]),
        Op::Eq => match (t.op(args[0]), t.op(args[1])) {
            (Op::Construct(_), Op::Var(_)) => Some(args[1]),
            (Op::Var(_), Op::Construct(_)) => Some(args[0]),
            _ => None,
        },
        _ => None,
    }
}
