//! Proofs: does a formula follow from others, from lemmas, and from the definitions of functions;
//! and does it follow by induction?

use super::super::Context;
use crate::smt::{Limit, SatResult, Solver};
use crate::term::{Effort, FuncId, Op, Sort, Term, TermSet, Terms};
use crate::work::milliseconds;

/// How far a conjecture's definitions and lemmas are followed. The values were not tuned. They are
/// at most those of the checker of models.
pub(super) const SHORT: Effort = Effort::of(1, 200);
/// As above, for what is to be proved.
pub(super) const LONG: Effort = Effort::of(2, 400);
/// As above, without cases.
pub(super) const NO_CASES: Effort = Effort::of(0, 150);
/// As above, before the others: with equations that make terms smaller.
const REDUCING: Effort = Effort::reducing(2, 200);
/// The budget of a query, in ticks. The value was not tuned.
const QUERY: u64 = milliseconds(100);

/// What proves formulas.
pub(super) struct Prover<'t> {
    t: &'t Terms,
    solver: Box<dyn Solver + 't>,
    limit: Limit,
}

impl<'t> Prover<'t> {
    /// A prover that stops at the context's limit.
    pub(super) fn new(context: &Context<'t>) -> Prover<'t> {
        Prover {
            t: context.terms,
            solver: context.backend.solver(context.terms, "induction"),
            limit: context.limit.clone(),
        }
    }

    /// The limit of all proofs.
    pub(super) fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Is the limit reached?
    pub(super) fn is_over(&self) -> bool {
        self.limit.check().is_err()
    }

    /// Does a conclusion follow from premises without quantifiers, and from lemmas? False if it is
    /// not known.
    pub(super) fn follows(
        &mut self,
        premises: &[Term],
        lemmas: &[Term],
        conclusion: Term,
        effort: Effort,
    ) -> bool {
        if self.is_over() {
            return false;
        }
        let t = self.t;
        let denied = t.not(conclusion);
        let formulas: Vec<Term> = premises.iter().copied().chain([denied]).collect();
        let found = t.saturation(&formulas, lemmas, effort);
        if found.is_contradiction {
            return true;
        }
        // Equations of terms were all that there was to find without arithmetic and choices.
        let mut all = formulas.iter().copied().chain(found.formulas());
        if self.is_over() || !all.any(|formula| is_rich(t, formula)) {
            return false;
        }
        self.solver.set_limit(self.limit.part(QUERY));
        self.solver.push();
        let all = premises.iter().copied().chain(found.formulas());
        all.for_each(|fact| self.solver.assert(fact));
        // Formula: premises ∧ facts ∧ ¬conclusion.
        let answer = self
            .solver
            .check(format_args!("a conjecture fails"), &[denied]);
        self.solver.pop();
        answer == SatResult::Unsat
    }

    /// Does a formula hold of all values, by the lemmas and without induction?
    pub(super) fn is_obvious(&mut self, formula: Term, lemmas: &[Term]) -> bool {
        let (_, matrix) = self.t.split_forall(formula);
        self.follows(&[], lemmas, matrix, NO_CASES)
    }

    /// The formula with a variable first such that it holds by induction on this variable, after
    /// what has to be proved before.
    pub(super) fn by_induction(
        &mut self,
        formula: Term,
        lemmas: &[Term],
        effort: Effort,
    ) -> Option<Vec<Term>> {
        let t = self.t;
        let (bound, matrix) = t.split_forall(formula);
        let vars = induction_variables(t, bound, matrix);
        for &var in &vars {
            let others = bound.iter().copied().filter(|&other| other != var);
            let others: Vec<Term> = others.collect();
            if self.is_over() {
                return None;
            }
            if self.by_induction_on(var, &others, matrix, lemmas, effort) {
                return Some(vec![t.forall(&[&[var], &others[..]].concat(), matrix)]);
            }
        }
        let mut vars = vars.into_iter().filter(|_| effort.splits >= LONG.splits);
        vars.find_map(|var| self.by_two_steps(var, bound, matrix, lemmas, effort))
    }

    /// Proves a formula with hypotheses about a part and about a part of that part, as functions
    /// need that look at two constructors: first the formula for `x` together with that for
    /// `C(a, x)`, by induction on `x`, and the formula then follows.
    fn by_two_steps(
        &mut self,
        var: Term,
        bound: &[Term],
        matrix: Term,
        lemmas: &[Term],
        effort: Effort,
    ) -> Option<Vec<Term>> {
        let t = self.t;
        let looks_twice = |part: Term| matches!(t.op(part), Op::Apply(f) if looks_twice(t, f));
        if self.is_over() || !t.any_subterm(matrix, looks_twice) {
            return None;
        }
        let sort = t.sort_of(var);
        let others = bound.iter().copied().filter(|&other| other != var);
        let others: Vec<Term> = others.collect();
        let datatype = t.datatype(t.datatype_of(sort)?);
        let larger = datatype.ctors().iter().find_map(|&ctor| {
            let fields = t.ctor(ctor).fields.iter().map(|&field| t.selector(field));
            let fields = fields.map(|field| match field.sort == sort {
                true => var,
                false => t.fresh_var(t.name(field.name), field.sort),
            });
            let fields: Vec<Term> = fields.collect();
            let is_successor = fields.iter().filter(|&&field| field == var).count() == 1;
            is_successor.then(|| (t.construct(ctor, &fields), fields))
        });
        let (larger, mut fields) = larger?;
        fields.retain(|&field| field != var);
        let both = t.and([matrix, t.substitute(matrix, [(var, larger)])]);
        fields.extend(&others);
        if !self.by_induction_on(var, &fields, both, lemmas, effort) {
            return None;
        }
        let both = t.forall(&[&[var], &fields[..]].concat(), both);
        let with_both = [lemmas, &[both]].concat();
        self.by_induction_on(var, &others, matrix, &with_both, effort)
            .then(|| vec![both, t.forall(&[&[var], &others[..]].concat(), matrix)])
    }

    /// Does a formula hold by induction on its first variable?
    pub(super) fn by_induction_as_stated(
        &mut self,
        formula: Term,
        lemmas: &[Term],
        effort: Effort,
    ) -> bool {
        let (bound, matrix) = self.t.split_forall(formula);
        match bound.split_first() {
            Some((&var, others)) => self.by_induction_on(var, others, matrix, lemmas, effort),
            None => self.follows(&[], lemmas, formula, effort),
        }
    }

    fn by_induction_on(
        &mut self,
        var: Term,
        others: &[Term],
        matrix: Term,
        lemmas: &[Term],
        effort: Effort,
    ) -> bool {
        let t = self.t;
        let sort = t.sort_of(var);
        let datatype = t.datatype_of(sort).expect("it is a datatype's");
        // Few fields come first: these cases fail soon.
        let mut ctors = t.datatype(datatype).ctors().to_vec();
        ctors.sort_by_key(|&ctor| t.ctor(ctor).fields.len());
        ctors.into_iter().all(|ctor| {
            let fields = t.fresh_fields(ctor);
            let said_of = |of: Term| t.substitute(matrix, [(var, of)]);
            let smaller = fields.iter().filter(|&&field| t.sort_of(field) == sort);
            let hypotheses = smaller.map(|&field| match others {
                [] => said_of(field),
                _ => t.forall(others, said_of(field)),
            });
            let hypotheses: Vec<Term> = hypotheses.collect();
            let conclusion = said_of(t.construct(ctor, &fields));
            let (plain, general) = match others {
                [] => (hypotheses, lemmas.to_vec()),
                _ => (Vec::new(), [lemmas, &hypotheses].concat()),
            };
            let mut efforts = [REDUCING, effort].into_iter();
            efforts.any(|effort| self.follows(&plain, &general, conclusion, effort))
        })
    }
}

/// The variables on which a formula may be proved by induction, the most promising one first.
pub(super) fn induction_variables(t: &Terms, bound: &[Term], matrix: Term) -> Vec<Term> {
    let is_data = |&&var: &&Term| t.datatype_of(t.sort_of(var)).is_some();
    let mut vars: Vec<Term> = bound.iter().filter(is_data).copied().collect();
    // Where functions are applied to a variable, its constructor lets them unfold.
    vars.sort_by_key(|&var| std::cmp::Reverse(unfolded_at(t, matrix, var)));
    if vars
        .first()
        .is_some_and(|&var| unfolded_at(t, matrix, var) > 0)
    {
        vars.retain(|&var| unfolded_at(t, matrix, var) > 0);
    }
    vars
}

/// A formula as premises and a conclusion. The conclusion is the largest equation among the
/// disjuncts, or else the largest one that is not negated, if there is one.
pub(super) fn literals(t: &Terms, formula: Term) -> (Vec<Term>, Term) {
    let (mut disjuncts, mut open) = (Vec::new(), vec![formula]);
    let mut seen = TermSet::default();
    while let Some(part) = open.pop() {
        match (t.op(part), t.args(part)) {
            _ if !seen.insert(part) => {}
            (Op::Or, parts) => open.extend(parts.iter().rev()),
            (Op::Not, &[inner]) if t.op(inner) == Op::And => {
                open.extend(t.args(inner).iter().rev().map(|&part| t.not(part)));
            }
            _ => disjuncts.push(part),
        }
    }
    let weight = |&at: &usize| {
        let disjunct = disjuncts[at];
        let head = t.op(disjunct);
        (head == Op::Eq, head != Op::Not, t.size([disjunct]))
    };
    let conclusion = (0..disjuncts.len()).max_by_key(weight);
    let Some(conclusion) = conclusion.map(|at| disjuncts.remove(at)) else {
        return (Vec::new(), formula);
    };
    let premises = disjuncts.into_iter().map(|disjunct| t.not(disjunct));
    (premises.collect(), conclusion)
}

/// Does a case of the definition apply another function with a definition to a part of the first
/// argument, of the same sort? This is so where a function looks at two constructors.
fn looks_twice(t: &Terms, func: FuncId) -> bool {
    let sort = t.func(func).params.first();
    t.func(func).cases().iter().any(|case| {
        t.any_subterm(case.body, |part| {
            let (Op::Apply(other), Some(value)) = (t.op(part), t.args(part).first()) else {
                return false;
            };
            other != func
                && !t.func(other).cases().is_empty()
                && Some(&t.sort_of(*value)) == sort
                && case.params.contains(value)
        })
    })
}

/// How many functions with definitions are applied to a variable first?
fn unfolded_at(t: &Terms, formula: Term, var: Term) -> usize {
    let applied = t.post_order([formula]).filter(|&part| {
        matches!(t.op(part), Op::Apply(func) if !t.func(func).cases().is_empty())
            && t.args(part).first() == Some(&var)
    });
    applied.count()
}

/// Does a formula speak of numbers, or has it connectives?
fn is_rich(t: &Terms, formula: Term) -> bool {
    t.any_subterm(formula, |part| {
        matches!(t.op(part), Op::Le | Op::Lt | Op::Add | Op::Or | Op::And)
            && t.sort_of(part) != Sort::REAL
    })
}

/// The formula about all values of its variables.
pub(super) fn closed(t: &Terms, matrix: Term) -> Term {
    let vars = t.vars([matrix]);
    let mut seen = TermSet::default();
    let vars: Vec<Term> = vars.into_iter().filter(|&var| seen.insert(var)).collect();
    t.forall(&vars, matrix)
}
