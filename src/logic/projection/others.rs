//! Elimination of variables of sorts other than numbers, and of variables inside terms of other
//! sorts.
//!
//! The first rule that applies is used, until none of the variables occurs outside of linear
//! literals. The rules for arrays are those of \[KBGM15\]; the others are not from a paper. Each
//! rule replaces literals by literals that imply them (for some values of the variables eliminated)
//! and that are true under the valuation.

use super::Projection;
use crate::logic::literal::{LinearLiteral, Relation};
use crate::term::{Op, Sort, Substitution, Term, TermMap, TermSet};

/// After 2000 steps the remaining variables are replaced by their values. No rule is known to be
/// applied for ever, but terms may grow. The value was not tuned.
const STEPS: usize = 2_000;

impl Projection<'_, '_> {
    /// Eliminates the variables that occur outside of linear literals, or inside the terms of
    /// those.
    pub(super) fn eliminate_others(&mut self) {
        let mut steps = 0;
        while let Some(stuck) = self.stuck() {
            steps += 1;
            if steps > STEPS {
                self.settle(stuck);
                continue;
            }
            let moved = self.solve()
                || self.drop_differences()
                || self.rewrite_one()
                || self.eliminate_reads()
                || self.expand_datatype()
                || self.bound_bits();
            if !moved {
                self.settle(stuck);
            }
        }
    }

    /// A variable that occurs outside of linear literals.
    fn stuck(&self) -> Option<Term> {
        let mut subterms = self.t.post_order(self.other.iter().copied());
        subterms.find(|s| self.vars.contains(s))
    }

    /// Solves equations for variables and substitutes the solutions. Solutions without variables
    /// to be eliminated are substituted at once, others one by one.
    fn solve(&mut self) -> bool {
        let mut first = None;
        let mut closed: Vec<(Term, Term)> = Vec::new();
        let mut solved = TermSet::default();
        for &literal in &self.other {
            let Some((var, solution)) = self.solution(literal) else {
                continue;
            };
            first.get_or_insert((var, solution));
            if !solved.contains(&var) && !self.mentions(solution) {
                solved.insert(var);
                closed.push((var, solution));
            }
        }
        match first {
            None => return false,
            Some(one) if closed.is_empty() => self.replace(&[one]),
            Some(_) => self.replace(&closed),
        }
        true
    }

    /// A variable and the term that a literal says it equals.
    fn solution(&self, literal: Term) -> Option<(Term, Term)> {
        let t = self.t;
        if self.vars.contains(&literal) {
            return Some((literal, Term::TRUE));
        }
        if let Some(atom) = t.as_not(literal)
            && self.vars.contains(&atom)
        {
            return Some((atom, Term::FALSE));
        }
        let &[x, y] = t.args(literal) else {
            return None;
        };
        if t.op(literal) != Op::Eq {
            return None;
        }
        let free_of = |v: Term, e: Term| !t.any_subterm(e, |s| s == v);
        let solves = |v: Term, e: Term| self.vars.contains(&v) && free_of(v, e);
        if solves(x, y) {
            return Some((x, y));
        }
        if solves(y, x) {
            return Some((y, x));
        }
        match t.sort_of(x).is_arith() {
            true => self.linear_solution(literal),
            false => self.bit_solution(x, y),
        }
    }

    /// The solution of a linear equation, some of whose terms have other sorts inside.
    fn linear_solution(&self, equation: Term) -> Option<(Term, Term)> {
        let t = self.t;
        let literal = LinearLiteral::of_term(t, equation)?;
        if literal.relation != Relation::Eq {
            return None;
        }
        literal.sum.terms.iter().find_map(|(var, coefficient)| {
            let fits = match t.sort_of(*var) {
                Sort::INT => coefficient.abs().is_one() && literal.is_integral(t),
                sort => sort == literal.sort,
            };
            if !fits || !self.vars.contains(var) {
                return None;
            }
            let mut rest = literal.sum.clone();
            rest.remove(*var);
            rest.scale(&-&coefficient.recip());
            let solution = t.sum_term(&rest, literal.sort);
            (!t.any_subterm(solution, |s| s == *var)).then_some((*var, solution))
        })
    }

    /// Replaces variables by terms with the same values in which none of them occurs.
    pub(super) fn replace(&mut self, solutions: &[(Term, Term)]) {
        for &(var, by) in solutions {
            debug_assert!(self.valuation.value(var) == self.valuation.value(by));
            self.vars.remove(&var);
        }
        let t = self.t;
        let mut substitution = Substitution::new(t, solutions.iter().copied());
        let other = std::mem::take(&mut self.other);
        let touched = self.linear.take_with(solutions.iter().map(|&(x, _)| x));
        for literal in other {
            let new = substitution.apply(literal);
            self.take(literal, new);
        }
        for (_, literal) in touched {
            let new = substitution.apply(literal.to_term(t));
            self.assume([new]);
        }
    }

    /// Adds a literal made from another one. The builders may have made it something else than a
    /// literal.
    pub(super) fn take(&mut self, old: Term, new: Term) {
        match new == old {
            true => self.other.push(old),
            false => self.assume([new]),
        }
    }

    /// Drops a variable that occurs only in disequalities with some terms, if its sort has more
    /// values than these.
    fn drop_differences(&mut self) -> bool {
        let t = self.t;
        let mut only_differs: TermMap<bool> = TermMap::default();
        for &literal in &self.other {
            let free = self.differing(literal);
            for var in t.vars([literal]) {
                if self.vars.contains(&var) {
                    *only_differs.entry(var).or_insert(true) &= free == Some(var);
                }
            }
        }
        let found = only_differs
            .into_iter()
            .filter(|&(v, free)| {
                free && t.cardinality(t.sort_of(v)).is_none() && !self.linear.has(v)
            })
            .map(|(v, _)| v)
            .min();
        let Some(var) = found else { return false };
        self.vars.remove(&var);
        self.other.retain(|&l| !t.any_subterm(l, |s| s == var));
        true
    }

    /// The variable to be eliminated in a disequality with a term that does not contain it.
    fn differing(&self, literal: Term) -> Option<Term> {
        let t = self.t;
        let atom = t.as_not(literal)?;
        let &[x, y] = t.args(atom) else { return None };
        let differs = |v: Term, e: Term| {
            (self.vars.contains(&v) && !t.any_subterm(e, |s| s == v)).then_some(v)
        };
        match t.op(atom) {
            Op::Eq => differs(x, y).or_else(|| differs(y, x)),
            _ => None,
        }
    }

    /// Rewrites a literal with a variable to be eliminated by the rules for arrays or datatypes.
    fn rewrite_one(&mut self) -> bool {
        for i in 0..self.other.len() {
            let literal = self.other[i];
            if self.mentions(literal) && self.rewrite(i, literal) {
                return true;
            }
        }
        false
    }

    /// Replaces the literal at a place, if there is a rule for it.
    fn rewrite(&mut self, place: usize, literal: Term) -> bool {
        let t = self.t;
        if self.read_over_writes(place, literal) {
            return true;
        }
        let (atom, positive) = match t.as_not(literal) {
            Some(atom) => (atom, false),
            None => (literal, true),
        };
        let (Op::Eq, &[x, y]) = (t.op(atom), t.args(atom)) else {
            return false;
        };
        let is_array = t.array_parts(t.sort_of(x)).is_some();
        let replacement = match (is_array, positive) {
            (true, true) => return self.array_equation(place, x, y),
            (true, false) => self.array_difference(x, y),
            (false, true) => self.datatype_equation(x, y),
            (false, false) => self.datatype_difference(x, y),
        };
        let Some(replacement) = replacement else {
            return false;
        };
        self.other.swap_remove(place);
        self.assume(replacement);
        true
    }

    /// Replaces a variable by a term of the same value: one of the literals' terms without
    /// variables to be eliminated if there is one, since it says more than the value alone.
    fn settle(&mut self, var: Term) {
        let t = self.t;
        let value = self.valuation.value(var);
        let sort = t.sort_of(var);
        let linear: Vec<Term> = self
            .linear
            .iter()
            .flat_map(|l| l.sum.terms.iter().map(|&(x, _)| x))
            .collect();
        let candidates: Vec<Term> = t
            .post_order(self.other.iter().copied().chain(linear))
            .filter(|&s| t.sort_of(s) == sort && sort != Sort::BOOL && !t.vars([s]).is_empty())
            .filter(|&s| !self.mentions(s))
            .collect();
        let equal = candidates
            .into_iter()
            .filter(|&s| self.valuation.value(s) == value)
            .min_by_key(|&s| (t.size([s]), s));
        let by = equal.unwrap_or_else(|| self.valuation.constant(var));
        self.replace(&[(var, by)]);
    }
}
