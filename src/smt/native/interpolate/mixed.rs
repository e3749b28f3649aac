//! Mixed equations, and mixed clauses about equality: what each side knows of them.
//!
//! Let `a = b` be an equation of a term of `A` and one of `B` \[CHN13\].
//!
//! - Where it is true, both sides know a part: `A` that `a = v`, `B` that `v = b`, for a variable
//!   `v` of the interpolant.
//! - Where it is false, there is a property that `a` has and `b` has not. A partial interpolant
//!   says of shared terms `s` that they have it, `E(s)`, and never that one has not.
//!
//! Let `I` be the partial interpolant of the clause with `a = b`, and `J` that of the clause with
//! its negation. The resolvent has `I` where each `E(s)` is replaced by `J` with `s` for `v`. `A`
//! implies it: `A` implies `J` with `a` for `v`, so `a` has the property to be a `v` for which `J`
//! holds. `B` contradicts it: `J` does not hold with `b` for `v`, so `b` has not that property.
//! Nothing stays quantified.

use super::colors::Color;
use super::cut::Cut;
use super::exchange::{Contradiction, Exchange};
use crate::number::Rational;
use crate::smt::Failure;
use crate::smt::native::check::Checker;
use crate::smt::native::proof::{Justification, Literal, ProofAtom};
use crate::term::{LinearSum, Sort, Term};

impl Cut<'_> {
    /// The interpolant of a mixed clause of a theory; `None` if the clause cannot be divided.
    ///
    /// # Errors
    /// The limit is reached.
    pub(super) fn mixed_leaf(
        &mut self,
        clause: &[Literal],
        rule: Justification,
    ) -> Result<Option<Term>, Failure> {
        match rule {
            Justification::Closure => self.closure_leaf(clause, false),
            Justification::Arrays => self.closure_leaf(clause, true),
            Justification::Shared(x, y) => Ok(self.shared_leaf(clause, x, y)),
            Justification::Gate => Ok(self.gate_leaf(clause)),
            Justification::Equation => Ok(self.equation_leaf(clause)),
            _ => Ok(None),
        }
    }

    /// The interpolant of a clause whose negation is contradictory by congruence.
    fn closure_leaf(&mut self, clause: &[Literal], arrays: bool) -> Result<Option<Term>, Failure> {
        let Some(contradiction) = self.contradiction(clause, arrays) else {
            return Ok(None);
        };
        let (t, proof, colors) = (self.t, self.proof, self.colors);
        let checker = (self.checker).get_or_init(|| Checker::new(t, &[], proof));
        let equations = &mut self.equations;
        let exchange = Exchange::new(t, colors, checker, &contradiction, self.limit);
        exchange.interpolant(|atom, term| equations.property(t, atom, term))
    }

    /// The negation of a clause, divided between the sides.
    fn contradiction(&mut self, clause: &[Literal], arrays: bool) -> Option<Contradiction> {
        let (t, proof, colors) = (self.t, self.proof, self.colors);
        let mut contradiction = Contradiction {
            arrays,
            ..Contradiction::default()
        };
        for &literal in clause {
            let atom = &proof.atoms[literal.atom as usize];
            contradiction.terms.extend(atom.terms());
            match (self.color(literal), atom) {
                (Color::Mixed, &ProofAtom::Equal(x, y)) => {
                    let (a, b) = colors.sides(t, x, y)?;
                    if literal.positive {
                        contradiction.apart.push((a, b, literal.atom));
                    } else {
                        let value = self.equations.value(t, literal.atom, t.sort_of(a));
                        contradiction.divided[0].push((a, value));
                        contradiction.divided[1].push((value, b));
                    }
                }
                (Color::Mixed, _) => return None,
                _ => {
                    let side = usize::from(!self.is_a(literal));
                    contradiction.literals[side].push(literal);
                }
            }
        }
        Some(contradiction)
    }

    /// The interpolant of a clause that says what an equation of numbers means as bounds:
    /// `a ≠ b ∨ a ≤ b`, `a ≠ b ∨ a ≥ b`, or `a = b ∨ a < b ∨ a > b`.
    ///
    /// `B` knows of a bound `a ≤ b` that `w + c ≤ b`, where `w` is the variable for the value of
    /// what `A` alone has in `a`, and `c` is the rest of `a`.
    fn shared_leaf(&mut self, clause: &[Literal], x: Term, y: Term) -> Option<Term> {
        let t = self.t;
        let (a, _) = self.colors.sides(t, x, y)?;
        let mut equation = None;
        // The values of `a` by the variables of bounds, and whether the bounds are upper ones.
        let mut values: Vec<(Term, bool)> = Vec::new();
        for &literal in clause {
            match &self.proof.atoms[literal.atom as usize] {
                ProofAtom::Equal(..) => equation = Some(literal),
                ProofAtom::Bound { .. } => values.push(self.value_by_bound(!literal, a)?),
                // It is false.
                ProofAtom::Truth => {}
                _ => return None,
            }
        }
        let equation = equation?;
        match (equation.positive, values.as_slice()) {
            // `a = v ∧ v = b`, and a bound that fails.
            (false, &[(by_bound, is_upper)]) => {
                let value = self.equations.value(t, equation.atom, t.sort_of(a));
                Some(match is_upper {
                    true => t.le(value, by_bound),
                    false => t.le(by_bound, value),
                })
            }
            // `a ≤ b`, `a ≥ b`, and a property that only `a` has.
            (true, &[(first, first_is_upper), (second, second_is_upper)])
                if first_is_upper != second_is_upper =>
            {
                let (upper, lower) = match first_is_upper {
                    true => (first, second),
                    false => (second, first),
                };
                let property = self.equations.property(t, equation.atom, upper);
                // Where `A`'s value is not between the two, so that nothing is said of the property
                // unless the bounds determine the value.
                let same = t.and([t.le(lower, upper), t.le(upper, lower), property]);
                Some(t.or([t.lt(lower, upper), same]))
            }
            _ => None,
        }
    }

    /// Of a mixed bound of `a` and a term of `B`: the value of `a` by the variable for the value of
    /// `A`'s terms, and whether the bound is an upper one of `a`.
    fn value_by_bound(&mut self, literal: Literal, a: Term) -> Option<(Term, bool)> {
        let t = self.t;
        if self.color(literal) != Color::Mixed {
            return None;
        }
        let ProofAtom::Bound { form, .. } = &self.proof.atoms[literal.atom as usize] else {
            return None;
        };
        let is_local = |(x, _): &(Term, Rational)| self.colors.has_alone(Color::A, x);
        let LinearSum { terms, constant } = t.linear_sum(a);
        let (local, mut rest): (Vec<_>, Vec<_>) = terms.into_iter().partition(is_local);
        // What the form has of `A` alone is a multiple of what `a` has.
        let in_form: Vec<_> = form.iter().filter(|x| is_local(x)).collect();
        let (x, coefficient) = local.first()?;
        let (_, of_form) = in_form.iter().find(|(y, _)| x == y)?;
        let factor: Rational = coefficient / of_form;
        let is_multiple = |(x, c): &&(Term, Rational)| local.contains(&(*x, &factor * c));
        if in_form.len() != local.len() || !in_form.iter().all(is_multiple) {
            return None;
        }
        let is_int = t.sort_of(a) == Sort::INT;
        if is_int && !factor.is_integer() {
            return None;
        }
        let is_upper = literal.positive != factor.is_negative();
        let value = self.value_of_a(literal.atom);
        rest.push((value, factor));
        let sum = LinearSum {
            terms: rest,
            constant,
        };
        Some((t.sum_term(&sum, t.sort_of(a)), is_upper))
    }

    /// The resolvent on a mixed equation, see the module's documentation.
    pub(super) fn resolve_equation(&mut self, pivot: Literal, parts: [Term; 2]) -> Term {
        let t = self.t;
        // The second of the parts is of the clause that has the pivot.
        let [with, without] = match pivot.positive {
            true => [parts[1], parts[0]],
            false => parts,
        };
        let value = self.equations.known_value(pivot.atom);
        let has_property = |term: Term| match value {
            Some(value) => t.substitute(without, [(value, term)]),
            None => without,
        };
        (self.equations).define_property(t, pivot.atom, with, has_property)
    }
}
