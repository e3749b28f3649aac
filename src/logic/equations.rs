//! Solving of equations: variables of a conjunction that other variables determine.
//!
//! A round goes through the conjuncts once. An equation is solved for a variable that is not solved
//! for yet and does not occur in earlier solutions. So no solution contains a variable that is
//! solved for later, and one growing substitution puts the solutions, in one sweep, into each other
//! and into the other conjuncts. The next round may solve equations that this round left.

use crate::number::Rational;
use crate::term::{Op, Sort, Substitution, Term, TermSet, Terms};

/// Solutions with more than 200 nodes are not substituted: it would save nothing and, with many
/// occurrences in sums, cost much. The value was not tuned.
const SOLUTION_NODES: usize = 200;

/// The role of a variable. Variables of the first roles are solved for first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// Any term may replace it.
    Free,
    /// Any term may replace it, if no other variable can be solved for.
    Reluctant,
    /// A variable or a constant may replace it.
    Rigid,
    /// It stays.
    Fixed,
}

/// The result of a round.
pub(crate) struct Round<'t> {
    /// Variables with their terms. No variable occurs in a term.
    pub(crate) solutions: Vec<(Term, Term)>,
    /// The other conjuncts, with the solutions substituted.
    pub(crate) rest: Vec<Term>,
    /// Substitutes the solutions.
    pub(crate) substitution: Substitution<'t>,
}

/// One round; `None` if it finds no solution.
pub(crate) fn solve<'t>(
    t: &'t Terms,
    conjuncts: &[Term],
    role: impl Fn(Term) -> Role,
) -> Option<Round<'t>> {
    let mut search = Search {
        t,
        role,
        substitution: Substitution::new(t, []),
        solutions: Vec::new(),
        blocked: TermSet::default(),
    };
    let mut rest = Vec::new();
    for &conjunct in conjuncts {
        if !search.take(conjunct) {
            rest.push(conjunct);
        }
    }
    if search.solutions.is_empty() {
        return None;
    }
    let mut substitution = search.substitution;
    let rest = rest.into_iter().map(|c| substitution.apply(c)).collect();
    Some(Round {
        solutions: search.solutions,
        rest,
        substitution,
    })
}

struct Search<'t, R> {
    t: &'t Terms,
    role: R,
    substitution: Substitution<'t>,
    solutions: Vec<(Term, Term)>,
    /// The variables that are solved for, and the variables of their solutions.
    blocked: TermSet,
}

impl<R: Fn(Term) -> Role> Search<'_, R> {
    /// Takes a conjunct as a solution if it is one.
    fn take(&mut self, conjunct: Term) -> bool {
        let Some((var, raw)) = self.best(conjunct) else {
            return false;
        };
        let t = self.t;
        let solution = normal_term(t, self.substitution.apply(raw));
        if t.post_order([solution]).take(SOLUTION_NODES + 1).count() > SOLUTION_NODES {
            return false;
        }
        self.blocked.extend(t.vars([raw]));
        self.blocked.insert(var);
        self.substitution.define(var, solution);
        self.solutions.push((var, solution));
        true
    }

    /// The best solution of a conjunct for one of its variables.
    fn best(&self, conjunct: Term) -> Option<(Term, Term)> {
        let t = self.t;
        let sides = match (t.op(conjunct), t.args(conjunct)) {
            (Op::Var(_), _) => vec![(conjunct, Term::TRUE)],
            (Op::Not, &[x]) if t.is_var(x) => vec![(x, Term::FALSE)],
            (Op::Eq, &[x, y]) if t.sort_of(x).is_arith() => self.linear_solutions(x, y),
            (Op::Eq, &[x, y]) => vec![(x, y), (y, x)],
            _ => return None,
        };
        let good = sides.into_iter().filter(|&(x, e)| self.is_solution(x, e));
        good.min_by_key(|&(x, _)| (self.role)(x))
    }

    fn is_solution(&self, x: Term, e: Term) -> bool {
        let t = self.t;
        if !t.is_var(x) || self.blocked.contains(&x) {
            return false;
        }
        let simple = t.args(e).is_empty();
        let allowed = match (self.role)(x) {
            Role::Free | Role::Reluctant => true,
            Role::Rigid => simple,
            Role::Fixed => false,
        };
        let mut nodes = 0;
        allowed
            && t.post_order([e]).all(|s| {
                nodes += 1;
                s != x && nodes <= SOLUTION_NODES
            })
    }

    /// The solutions of an equation between numbers, for each variable that is a term of the sum
    /// with an invertible coefficient.
    fn linear_solutions(&self, x: Term, y: Term) -> Vec<(Term, Term)> {
        let t = self.t;
        let sort = t.sort_of(x);
        let mut sum = t.linear_sum(x);
        sum.add_scaled(&Rational::from(-1), &t.linear_sum(y));
        let normalizer = sum.normalizer();
        sum.scale(&normalizer);
        let integral = sum.terms.iter().all(|&(s, _)| t.sort_of(s) == Sort::INT);
        if integral && !sum.constant.is_integer() {
            return Vec::new();
        }
        let solution = |(var, coefficient): &(Term, Rational)| {
            // A sum of reals does not determine an integer variable.
            let fits =
                t.sort_of(*var) == sort && (sort == Sort::REAL || coefficient.abs().is_one());
            let usable = fits && t.is_var(*var) && (self.role)(*var) != Role::Fixed;
            (usable && !self.blocked.contains(var)).then(|| {
                let mut others = sum.clone();
                others.remove(*var);
                others.scale(&-&coefficient.recip());
                (*var, t.sum_term(&others, sort))
            })
        };
        sum.terms.iter().filter_map(solution).collect()
    }
}

/// An arithmetic term as a flat sum, so that substituted sums do not nest; other terms as they are.
pub(crate) fn normal_term(t: &Terms, term: Term) -> Term {
    let sort = t.sort_of(term);
    if sort.is_arith() && matches!(t.op(term), Op::Add | Op::Mul | Op::ToReal) {
        t.sum_term(&t.linear_sum(term), sort)
    } else {
        term
    }
}
