//! Systems over the folds of datatypes, and the way back for models.

use super::super::cases::{Opened, cases};
use super::fold::{Folds, is_opaque};
use super::view::View;
use crate::chc::{Atom, Clause, ClauseId, Interpretation, Model, Origin, Predicate, System};
use crate::smt::{Failure, Limit};
use crate::term::{Sort, Term, Terms};

/// A case of a clause, which becomes one clause over folds.
pub(super) struct FoldCase {
    /// The clause.
    pub(super) clause: ClauseId,
    origin: Origin,
    /// The clause in this case.
    pub(super) opened: Opened,
}

/// The cases of all clauses of a system, in the order of the clauses.
///
/// # Errors
/// The limit is reached.
pub(super) fn fold_cases(
    t: &Terms,
    system: &System,
    limit: &Limit,
) -> Result<Vec<FoldCase>, Failure> {
    let mut all = Vec::new();
    for id in system.clause_ids() {
        limit.check()?;
        let clause = system.clause(id);
        all.extend(cases(t, clause).into_iter().map(|opened| FoldCase {
            clause: id,
            origin: clause.origin,
            opened,
        }));
    }
    Ok(all)
}

/// The predicates over folds: in place of a datatype's value they have its folds.
pub(super) struct FoldAbstraction<'a> {
    t: &'a Terms,
    folds: &'a Folds,
    preds: Vec<Predicate>,
    /// The sorts of the arguments of each original predicate.
    sorts: Vec<Box<[Sort]>>,
}

impl<'a> FoldAbstraction<'a> {
    /// The abstraction of a system's predicates by these folds.
    pub(super) fn new(t: &'a Terms, system: &System, folds: &'a Folds) -> Self {
        let sorts = |pred: &Predicate| t.func(pred.func).params.clone();
        let mut abstraction = FoldAbstraction {
            t,
            folds,
            preds: Vec::new(),
            sorts: system.preds.iter().map(sorts).collect(),
        };
        let pred = |pred: &Predicate| {
            let decl = t.func(pred.func);
            let parameter = abstraction.parameter(&decl.params).into_iter();
            let sorts = decl.params.iter();
            let results = sorts.flat_map(|&sort| abstraction.results(sort));
            let params: Vec<Sort> = parameter.chain(results).collect();
            Predicate {
                func: t.declare(t.fresh_symbol(t.name(decl.name)), &params, decl.result),
                span: pred.span,
            }
        };
        abstraction.preds = system.preds.iter().map(pred).collect();
        abstraction
    }

    /// The sort of the parameter that folds of arguments of these sorts depend on.
    fn parameter(&self, sorts: &[Sort]) -> Option<Sort> {
        let has_one = sorts.iter().any(|&sort| self.folds.have_parameter(sort));
        has_one.then_some(Sort::INT)
    }

    /// The sorts of what stands for an argument of this sort.
    fn results(&self, sort: Sort) -> Vec<Sort> {
        if self.t.datatype_of(sort).is_some() {
            let folds = self.folds.of(sort);
            return folds
                .map(|(_, fold)| self.t.func(fold.func).result)
                .collect();
        }
        match is_opaque(self.t, sort) {
            true => Vec::new(),
            false => vec![sort],
        }
    }

    /// The system over folds: one clause for each case of the original's clauses, in their order.
    /// If the original derives `p(x)`, it derives `p'(f(x))`.
    ///
    /// # Errors
    /// The limit is reached.
    pub(super) fn system(&self, cases: &[FoldCase], limit: &Limit) -> Result<System, Failure> {
        let mut clauses = Vec::with_capacity(cases.len());
        for case in cases {
            limit.check()?;
            clauses.push(self.clause(&case.opened, case.origin));
        }
        Ok(System {
            preds: self.preds.clone(),
            clauses,
        })
    }

    fn clause(&self, case: &Opened, origin: Origin) -> Clause {
        let t = self.t;
        let atoms = case.body.iter().chain(&case.head);
        let args = atoms.flat_map(|atom| atom.args.iter().copied());
        let mut view = View::new(t, self.folds);
        view.take(case.conjuncts.iter().copied().chain(args.clone()));
        let has_parameter = |atom: &Atom| self.parameter(&self.sorts[atom.pred.index()]).is_some();
        if case.body.iter().chain(&case.head).any(has_parameter) {
            view.at_integers(args);
        }
        view.compare();
        let atom = |atom: &Atom, at: usize| {
            let parameter = has_parameter(atom).then(|| view.parameters[at]);
            let args = atom.args.iter().flat_map(|&arg| view.of(arg, at));
            Atom {
                pred: atom.pred,
                args: parameter.into_iter().chain(args).collect(),
            }
        };
        // The premises hold for every parameter. The conclusion is for one of which nothing is
        // known, which comes first.
        let premises = case.body.iter().flat_map(|premise| {
            let count = match has_parameter(premise) {
                true => view.parameters.len(),
                false => 1,
            };
            (0..count).map(|at| atom(premise, at))
        });
        let conjuncts = case.conjuncts.iter().map(|conjunct| view.terms[conjunct]);
        let mut clause = Clause {
            vars: Vec::new(),
            body: premises.collect(),
            constraint: t.and(conjuncts.chain(view.facts.iter().copied())),
            head: case.head.as_ref().map(|head| atom(head, 0)),
            origin,
        };
        clause.vars = clause.occurring_vars(t);
        clause
    }

    /// The model that a model of the system over folds means. What it says of folds with a
    /// parameter holds for all values of the parameter.
    pub(super) fn model(&self, model: &Model) -> Model {
        let sorts = self.sorts.iter().map(|sorts| &**sorts);
        let pairs = sorts.zip(&model.interpretations);
        let interpretations = pairs.map(|(sorts, said)| self.interpretation(sorts, said));
        Model {
            interpretations: interpretations.collect(),
        }
    }

    fn interpretation(&self, sorts: &[Sort], of_folds: &Interpretation) -> Interpretation {
        let (t, folds) = (self.t, self.folds);
        let params: Vec<Term> = sorts.iter().map(|&sort| t.fresh_var("x", sort)).collect();
        let parameter = self.parameter(sorts).map(|sort| t.fresh_var("c", sort));
        let value = |&param: &Term| -> Vec<Term> {
            let sort = t.sort_of(param);
            if t.datatype_of(sort).is_some() {
                let applied = folds.of(sort).map(|(_, fold)| {
                    let extra = parameter.filter(|_| fold.has_parameter);
                    let args: Vec<Term> = [param].into_iter().chain(extra).collect();
                    t.apply(fold.func, &args)
                });
                return applied.collect();
            }
            match is_opaque(t, sort) {
                true => Vec::new(),
                false => vec![param],
            }
        };
        let values = parameter.into_iter().chain(params.iter().flat_map(value));
        let pairs = of_folds.params.iter().copied().zip(values);
        let mut body = t.substitute(of_folds.body, pairs);
        if let Some(parameter) = parameter
            && t.any_subterm(body, |part| part == parameter)
        {
            let conjuncts = t.conjuncts(body).into_iter();
            let (about, others): (Vec<Term>, Vec<Term>) =
                conjuncts.partition(|&c| t.any_subterm(c, |part| part == parameter));
            body = t.and(
                others
                    .into_iter()
                    .chain([t.forall(&[parameter], t.and(about))]),
            );
        }
        Interpretation { params, body }
    }
}
