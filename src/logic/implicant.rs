//! Implicants: literals that are true in a model and together imply the formula.
//!
//! A model of `τ` picks one disjunct of every disjunction and one branch of every `ite`. The
//! literals on the way are a conjunction that implies `τ` and holds in the model: the first step of
//! model-based projection \[KGC14\]. The literals are made simple for the steps that follow: they
//! contain no `ite`, and `mod`, `div`, `abs` and `to_int` are replaced by their definition over an
//! auxiliary integer.

use super::Valuation;
use super::guard::guards;
use super::literal::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{Op, Sort, Term, TermMap, TermSet, Terms, Value};
use smallvec::SmallVec;

/// The literals of an implicant, and the auxiliary variables that occur in them.
#[derive(Debug, Default)]
pub struct Implicant {
    /// Literals, each once, true under the valuation.
    pub literals: Vec<Term>,
    /// Integer variables made here, with a value in the valuation. `∃ aux. ⋀ literals` implies the
    /// formulas.
    pub auxiliaries: Vec<Term>,
}

/// Literals that are true under `valuation` and imply all `formulas`, each of which must be true.
pub fn implicant(
    t: &Terms,
    valuation: &mut Valuation<'_>,
    formulas: impl IntoIterator<Item = Term>,
) -> Implicant {
    let mut search = Search {
        t,
        valuation,
        todo: Vec::new(),
        seen: TermSet::default(),
        simple: TermMap::default(),
        result: Implicant::default(),
    };
    for f in formulas {
        debug_assert!(
            search.valuation.holds(f),
            "false in the model: {}",
            t.display(f)
        );
        search.todo.push((f, true));
    }
    search.run();
    search.result
}

struct Search<'a, 't> {
    t: &'a Terms,
    valuation: &'a mut Valuation<'t>,
    /// Formulas with the polarity in which they are true.
    todo: Vec<(Term, bool)>,
    /// Literals found.
    seen: TermSet,
    /// Arithmetic terms rewritten without `ite` and its like.
    simple: TermMap<Term>,
    result: Implicant,
}

impl Search<'_, '_> {
    fn run(&mut self) {
        let mut visited: rustc_hash::FxHashSet<(Term, bool)> = Default::default();
        while let Some((f, positive)) = self.todo.pop() {
            debug_assert_eq!(
                self.valuation.holds(f),
                positive,
                "the part is true in the model"
            );
            if visited.insert((f, positive)) {
                self.visit(f, positive);
            }
        }
    }

    /// Replaces a formula that is not a literal by parts that imply it.
    fn visit(&mut self, f: Term, positive: bool) {
        let t = self.t;
        match (t.op(f), t.args(f)) {
            (Op::True | Op::False, _) => {}
            (Op::Not, &[g]) => self.todo.push((g, !positive)),
            (Op::And, parts) if positive => self.all(parts, true),
            (Op::Or, parts) if !positive => self.all(parts, false),
            (Op::And, parts) => self.one(parts, false),
            (Op::Or, parts) => self.one(parts, true),
            (Op::Ite, &[cond, x, y]) => {
                let branch = self.choose(cond, x, y);
                self.todo.push((branch, positive));
            }
            (Op::Eq, &[x, y]) if t.sort_of(x) == Sort::BOOL => {
                for side in [x, y] {
                    let value = self.valuation.holds(side);
                    self.todo.push((side, value));
                }
            }
            _ => self.literal(f, positive),
        }
    }

    fn all(&mut self, parts: &[Term], positive: bool) {
        self.todo.extend(parts.iter().rev().map(|&p| (p, positive)));
    }

    /// A part that has the given truth value: a literal that is in the implicant already if
    /// possible; else a part that does not depend on what a selector gives for other constructors;
    /// else the oldest, which tends to be the simplest.
    fn one(&mut self, parts: &[Term], positive: bool) {
        let valuation = &mut *self.valuation;
        let good = parts.iter().copied();
        let good: SmallVec<[Term; 4]> = good.filter(|&p| valuation.holds(p) == positive).collect();
        let literal = |p: Term| if positive { p } else { self.t.not(p) };
        let known = good.iter().find(|&&p| self.seen.contains(&literal(p)));
        let specified = || {
            let t = self.t;
            let mut guarded = good.iter();
            guarded.find(|&&p| guards(t, &[p]).into_iter().all(|g| valuation.holds(g)))
        };
        let first = good.first().expect("a true disjunction has a true part");
        let choice = *known.or_else(specified).unwrap_or(first);
        self.todo.push((choice, positive));
    }

    /// The branch that the model takes; its condition becomes part of the implicant.
    fn choose(&mut self, cond: Term, x: Term, y: Term) -> Term {
        let value = self.valuation.holds(cond);
        self.todo.push((cond, value));
        if value { x } else { y }
    }

    fn literal(&mut self, atom: Term, positive: bool) {
        let t = self.t;
        if let Some(literal) = self.divisibility(atom, positive) {
            return self.add(literal);
        }
        let args: Vec<Term> = t.args(atom).iter().map(|&a| self.simplify(a)).collect();
        if t.op(atom) == Op::IsInt {
            return self.integrality(args[0], positive);
        }
        let atom = if args == t.args(atom) {
            atom
        } else {
            t.rebuild(atom, &args)
        };
        self.add(if positive { atom } else { t.not(atom) });
    }

    fn add(&mut self, literal: Term) {
        debug_assert!(self.valuation.holds(literal), "{}", self.t.display(literal));
        if self.t.is_distinct_constant(literal) || !self.seen.insert(literal) {
            return;
        }
        if matches!(self.t.op(literal), Op::And | Op::Or | Op::Ite) {
            self.seen.remove(&literal);
            self.todo.push((literal, true));
        } else {
            self.result.literals.push(literal);
        }
    }

    /// `(mod e k) = r` is kept as it is, up to simplification of `e`: projection knows
    /// divisibility.
    fn divisibility(&mut self, atom: Term, positive: bool) -> Option<Term> {
        let t = self.t;
        let literal = if positive { atom } else { t.not(atom) };
        let mut linear = LinearLiteral::of_term(t, literal)?;
        if !matches!(
            linear.relation,
            Relation::Divides(_) | Relation::NotDivides(_)
        ) {
            return None;
        }
        let sum = t.sum_term(&linear.sum, Sort::INT);
        let simple = self.simplify(sum);
        linear.sum = t.linear_sum(simple);
        Some(linear.to_term(t))
    }

    /// `is_int x`: `x` is an integer `q`, or lies strictly between two.
    fn integrality(&mut self, x: Term, positive: bool) {
        let t = self.t;
        let floor = self.valuation.number(x).floor();
        let q = self.auxiliary(floor);
        let q_real = t.to_real(q);
        if positive {
            self.add(t.eq(x, q_real));
        } else {
            self.add(t.lt(q_real, x));
            self.add(t.lt(x, t.add([q_real, t.real(Rational::one())])));
        }
    }

    fn auxiliary(&mut self, value: Rational) -> Term {
        let q = self.t.fresh_var("q", Sort::INT);
        self.valuation.define(q, Value::Number(value));
        self.result.auxiliaries.push(q);
        q
    }

    /// A term with the same value, given the literals added, without `ite`, and without `mod`,
    /// `div`, `abs`, `to_int` if these have constant divisors.
    fn simplify(&mut self, root: Term) -> Term {
        let t = self.t;
        let mut stack = vec![(root, false)];
        while let Some((x, leave)) = stack.pop() {
            if self.simple.contains_key(&x) {
                continue;
            }
            let args = t.args(x);
            if t.sort_of(x) == Sort::BOOL && !args.is_empty() {
                // Formulas inside arrays or datatypes are replaced by their value.
                let value = self.valuation.holds(x);
                self.todo.push((x, value));
                self.simple.insert(x, t.bool(value));
            } else if args.is_empty() {
                self.simple.insert(x, x);
            } else if let (Op::Ite, &[cond, a, b]) = (t.op(x), args) {
                let branch = if self.valuation.holds(cond) { a } else { b };
                if let Some(&simple) = self.simple.get(&branch) {
                    self.choose(cond, a, b);
                    self.simple.insert(x, simple);
                } else {
                    stack.extend([(x, false), (branch, false)]);
                }
            } else if leave {
                let args: Vec<Term> = args.iter().map(|a| self.simple[a]).collect();
                let simple = self.define_away(x, &args);
                self.simple.insert(x, simple);
            } else {
                stack.push((x, true));
                stack.extend(args.iter().map(|&a| (a, false)));
            }
        }
        self.simple[&root]
    }

    /// `x` over simplified arguments, replaced by its definition if it has one.
    fn define_away(&mut self, x: Term, args: &[Term]) -> Term {
        let t = self.t;
        match (t.op(x), args) {
            (Op::Abs, &[a]) => {
                let negative = self.valuation.number(a).is_negative();
                let zero = t.int(0);
                self.add(if negative {
                    t.lt(a, zero)
                } else {
                    t.le(zero, a)
                });
                if negative { t.neg(a) } else { a }
            }
            (Op::ToInt, &[a]) => {
                let floor = self.valuation.number(a).floor();
                let q = self.auxiliary(floor);
                let q_real = t.to_real(q);
                self.add(t.le(q_real, a));
                self.add(t.lt(a, t.add([q_real, t.real(Rational::one())])));
                q
            }
            (op @ (Op::Mod | Op::IDiv), &[a, k])
                if t.as_number(k).is_some_and(|k| !k.is_zero()) =>
            {
                let divisor = t.as_number(k).expect("just tested").clone();
                let quotient = self.valuation.number(a).div_euclid(&divisor);
                let q = self.auxiliary(quotient);
                let remainder = t.sub(a, t.scale(divisor.clone(), q));
                self.add(t.le(t.int(0), remainder));
                self.add(t.lt(remainder, t.number(divisor.abs(), Sort::INT)));
                if op == Op::Mod { remainder } else { q }
            }
            _ if args == t.args(x) => x,
            _ => t.rebuild(x, args),
        }
    }
}
