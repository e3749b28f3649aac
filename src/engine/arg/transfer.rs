//! The abstract successor of an edge, and coverage.

use super::abstraction::{AbstractionFormula, Diagrams};
use super::configuration::AbstractionKind;
use super::graph::Edge;
use crate::engine::Context;
use crate::engine::rules::{RuleId, RuleSystem};
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{Evaluator, Sort, Term, TermSet, Terms, Unspecified};
use biodivine_lib_bdd::Bdd;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A boolean abstraction of more cubes than this is not completed: the cartesian one takes its
/// place, which is weaker. The value was not tuned.
const MOST_CUBES: usize = 64;

/// Asks solvers about edges and states.
pub(in crate::engine) struct Transfer<'a, 't> {
    context: &'a Context<'t>,
    rules: &'a RuleSystem,
    /// For each rule that was used a solver with its constraint.
    of_rule: FxHashMap<RuleId, Box<dyn Solver + 't>>,
    /// Compares formulas.
    coverage: Box<dyn Solver + 't>,
    diagrams: Rc<Diagrams>,
}

impl<'a, 't> Transfer<'a, 't> {
    pub(in crate::engine) fn new(rules: &'a RuleSystem, context: &'a Context<'t>) -> Self {
        let mut coverage = context.backend.solver(context.terms, "coverage");
        coverage.set_purpose("cover");
        coverage.set_limit(context.limit.clone());
        Transfer {
            context,
            rules,
            of_rule: FxHashMap::default(),
            coverage,
            diagrams: Rc::new(Diagrams::new()),
        }
    }

    /// The abstraction, by the predicates, of what an edge derives where the formulas hold of its
    /// premises; `None` if it derives nothing. What is not decided counts as possible.
    pub(super) fn successor(
        &mut self,
        edge: &Edge,
        formulas: &[Term],
        kind: AbstractionKind,
        predicates: &[Term],
    ) -> Result<Option<AbstractionFormula>, Failure> {
        let diagrams = Rc::clone(&self.diagrams);
        let Some(mut question) = self.question(edge.rule, formulas) else {
            return Ok(None);
        };
        match kind {
            AbstractionKind::Trivial => question.cartesian(&[]),
            AbstractionKind::Cartesian
            | AbstractionKind::Values
            | AbstractionKind::ValuesCartesian => question.cartesian(predicates),
            AbstractionKind::Boolean => question.boolean(predicates, &diagrams),
        }
    }

    /// Of the predicates those which follow by a rule where the formulas hold of its premises;
    /// `None` if the rule derives nothing from them. What is not decided does not follow.
    pub(in crate::engine) fn following(
        &mut self,
        rule: RuleId,
        formulas: &[Term],
        predicates: &[Term],
    ) -> Result<Option<Vec<Term>>, Failure> {
        match self.question(rule, formulas) {
            None => Ok(None),
            Some(mut question) => question.following(predicates),
        }
    }

    /// The question what a rule derives where the formulas hold of its premises; `None` if one of
    /// them is `false`.
    fn question(&mut self, rule: RuleId, formulas: &[Term]) -> Option<EdgeQuery<'_, 't>> {
        let (t, rules) = (self.context.terms, self.rules);
        let assumed: Vec<Term> = std::iter::zip(&rules.rule(rule).body, formulas)
            .flat_map(|(atom, &formula)| t.conjuncts(rules.instance(t, formula, atom)))
            .filter(|&conjunct| conjunct != Term::TRUE)
            .collect();
        if assumed.contains(&Term::FALSE) {
            return None;
        }
        Some(EdgeQuery {
            t,
            solver: solver_of(&mut self.of_rule, self.context, rules, rule),
            rule,
            params: &rules.params[rules.rule(rule).head.index()],
            assumed,
        })
    }

    /// What an edge needs for a conclusion, of what is said of each of its premises; `None` if it
    /// does not follow, or that is not decided. What is said are formulas over the parameters of a
    /// premise's predicate, each with a mark.
    pub(super) fn core<M: Copy>(
        &mut self,
        edge: &Edge,
        said: &[Vec<(Term, M)>],
        conclusion: Term,
    ) -> Result<Option<Vec<(Term, M)>>, Failure> {
        let (t, rules) = (self.context.terms, self.rules);
        let rule = rules.rule(edge.rule);
        let instances = std::iter::zip(&rule.body, said).flat_map(|(atom, said)| {
            let instance =
                move |&(formula, mark)| (rules.instance(t, formula, atom), formula, mark);
            said.iter().map(instance)
        });
        let instances: Vec<(Term, Term, M)> = instances.collect();
        let mut assumed: Vec<Term> = instances.iter().map(|&(instance, ..)| instance).collect();
        assumed.push(t.not(conclusion));
        let solver = solver_of(&mut self.of_rule, self.context, rules, edge.rule);
        solver.set_purpose("minimise");
        // constraint ∧ ⋀ said[bodyᵢ] ∧ ¬conclusion
        let about = format_args!("what an edge of rule {} needs", edge.rule.0);
        match solver.check(about, &assumed) {
            SatResult::Unsat => {
                let core: TermSet = solver.core()?.into_iter().collect();
                let used = instances.into_iter().filter(|(i, ..)| core.contains(i));
                Ok(Some(
                    used.map(|(_, formula, mark)| (formula, mark)).collect(),
                ))
            }
            SatResult::Sat | SatResult::Unknown(Failure::Incomplete(_)) => Ok(None),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// The solver that has a rule's constraint.
    pub(super) fn solver(&mut self, rule: RuleId) -> &mut (dyn Solver + 't) {
        solver_of(&mut self.of_rule, self.context, self.rules, rule)
    }

    /// Does one abstraction imply the other? No, where that is not decided. Diagrams decide where
    /// both have one.
    pub(super) fn covers(
        &mut self,
        weak: &AbstractionFormula,
        strong: &AbstractionFormula,
    ) -> Result<bool, Failure> {
        match strong.entails(weak) {
            Some(entails) => Ok(entails),
            None => self.implies(strong.formula, weak.formula),
        }
    }

    /// Does one formula imply the other? No, where that is not decided.
    pub(super) fn implies(&mut self, strong: Term, weak: Term) -> Result<bool, Failure> {
        let found = self.first_implied(&[], strong, &[weak])?;
        Ok(found.is_some())
    }

    /// The place of the first of these formulas that a formula implies, as far as that is decided.
    /// A formula that is false in a known model of the strong one is not asked about. The
    /// parameters are the variables of all formulas; without them no model is known.
    pub(super) fn first_implied(
        &mut self,
        params: &[Term],
        strong: Term,
        weak: &[Term],
    ) -> Result<Option<usize>, Failure> {
        let t = self.context.terms;
        let known: TermSet = t.conjuncts(strong).into_iter().collect();
        let mut model: Option<Evaluator<'_>> = None;
        for (place, &weak) in weak.iter().enumerate() {
            if strong == Term::FALSE || t.conjuncts(weak).iter().all(|c| known.contains(c)) {
                return Ok(Some(place));
            }
            let never = weak == Term::FALSE || strong == Term::TRUE && t.vars([weak]).is_empty();
            if never || model.as_mut().is_some_and(|model| is_false(model, weak)) {
                continue;
            }
            // strong ∧ ¬weak
            let about = format_args!("does a state not cover another one");
            match self.coverage.check(about, &[strong, t.not(weak)]) {
                SatResult::Unsat => return Ok(Some(place)),
                SatResult::Sat if params.is_empty() => {}
                SatResult::Sat => {
                    let values = self.coverage.values(params).ok();
                    let pairs = values.map(|values| params.iter().copied().zip(values));
                    model = pairs.map(|pairs| Evaluator::with(t, Unspecified::Refuse, pairs));
                }
                SatResult::Unknown(Failure::Incomplete(_)) => {}
                SatResult::Unknown(failure) => return Err(failure),
            }
        }
        Ok(None)
    }
}

/// Is a formula false in a model, whatever SMT-LIB leaves open?
fn is_false(model: &mut Evaluator<'_>, formula: Term) -> bool {
    model.eval_bool(formula) == Ok(false)
}

/// The solver with a rule's constraint.
fn solver_of<'s, 't>(
    solvers: &'s mut FxHashMap<RuleId, Box<dyn Solver + 't>>,
    context: &Context<'t>,
    rules: &RuleSystem,
    rule: RuleId,
) -> &'s mut (dyn Solver + 't) {
    let solver = solvers.entry(rule).or_insert_with(|| {
        let mut solver = context.backend.solver(context.terms, "transfer");
        solver.set_limit(context.limit.clone());
        solver.assert(rules.rule(rule).constraint);
        solver
    });
    &mut **solver
}

/// What is asked about what an edge derives.
struct EdgeQuery<'q, 't> {
    t: &'t Terms,
    /// Has the rule's constraint.
    solver: &'q mut (dyn Solver + 't),
    rule: RuleId,
    /// The parameters of what is derived.
    params: &'q [Term],
    /// What holds of the premises, and what else is assumed.
    assumed: Vec<Term>,
}

/// What a solver says of an edge.
enum Derived<'t> {
    /// It derives nothing.
    Nothing,
    /// It may derive something.
    Possible,
    /// It derives what has these values. A formula whose truth SMT-LIB leaves open is undefined:
    /// the solver's model may say another thing than the default.
    Values(Box<Evaluator<'t>>),
}

impl<'t> EdgeQuery<'_, 't> {
    fn ask(&mut self, purpose: &'static str) -> Result<Derived<'t>, Failure> {
        self.solver.set_purpose(purpose);
        // constraint ∧ ⋀ assumed
        let about = format_args!("an edge of rule {}", self.rule.0);
        match self.solver.check(about, &self.assumed) {
            SatResult::Unsat => Ok(Derived::Nothing),
            SatResult::Sat => Ok(match self.solver.values(self.params) {
                Ok(values) => {
                    let pairs = self.params.iter().copied().zip(values);
                    let model = Evaluator::with(self.t, Unspecified::Refuse, pairs);
                    Derived::Values(Box::new(model))
                }
                Err(_) => Derived::Possible,
            }),
            SatResult::Unknown(Failure::Incomplete(_)) => Ok(Derived::Possible),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// The conjunction of the predicates that follow \[BPR01\], and of the values of arguments that
    /// have one value each.
    fn cartesian(&mut self, predicates: &[Term]) -> Result<Option<AbstractionFormula>, Failure> {
        let follow = self.following(predicates)?;
        Ok(follow.map(|follow| AbstractionFormula::of_formula(self.t.and(follow))))
    }

    /// The predicates that follow, in their order; `None` if the edge derives nothing.
    fn following(&mut self, predicates: &[Term]) -> Result<Option<Vec<Term>>, Failure> {
        let Some(mut possible) = self.first(predicates)? else {
            return Ok(None);
        };
        let mut follow = Vec::new();
        while let Some(predicate) = possible.pop() {
            self.assumed.push(self.t.not(predicate));
            // constraint ∧ ⋀ φ[bodyᵢ] ∧ ¬predicate
            match self.ask("abstraction")? {
                Derived::Nothing => follow.push(predicate),
                Derived::Possible => {}
                // What a model makes false does not follow.
                Derived::Values(mut model) => possible.retain(|&p| !is_false(&mut model, p)),
            }
            self.assumed.pop();
        }
        follow.reverse();
        Ok(Some(follow))
    }

    /// The predicates of a precision which may follow, and the values of its arguments in a model;
    /// `None` if the edge derives nothing.
    fn first(&mut self, precision: &[Term]) -> Result<Option<Vec<Term>>, Failure> {
        let t = self.t;
        let is_predicate = |&p: &Term| t.sort_of(p) == Sort::BOOL;
        let possible = precision.iter().copied();
        // constraint ∧ ⋀ φ[bodyᵢ]
        Ok(match self.ask("transfer")? {
            Derived::Nothing => None,
            Derived::Possible => Some(possible.filter(is_predicate).collect()),
            Derived::Values(mut model) => {
                let mut in_model = |p: Term| match is_predicate(&p) {
                    true => (!is_false(&mut model, p)).then_some(p),
                    false => {
                        let value = model.eval(p).ok()?;
                        Some(t.eq(p, t.value_term(&value, t.sort_of(p))))
                    }
                };
                Some(possible.filter_map(&mut in_model).collect())
            }
        })
    }

    /// The strongest Boolean combination of the predicates that follows, by all models \[LNO06\].
    /// The cartesian abstraction if there are too many, or if the solver gives none.
    fn boolean(
        &mut self,
        predicates: &[Term],
        diagrams: &Diagrams,
    ) -> Result<Option<AbstractionFormula>, Failure> {
        let predicates = diagrams.known(predicates);
        self.solver.push();
        let all = self.all_models(predicates, diagrams);
        self.solver.pop();
        match all? {
            Some(diagram) if diagram.is_false() => Ok(None),
            Some(diagram) => Ok(Some(diagrams.abstraction(self.t, predicates, diagram))),
            None => self.cartesian(predicates),
        }
    }

    /// The diagram of the predicates' values in all models. It excludes the models that it has met
    /// by assertions. `None` if not all were found.
    fn all_models(
        &mut self,
        predicates: &[Term],
        diagrams: &Diagrams,
    ) -> Result<Option<Bdd>, Failure> {
        let t = self.t;
        let mut found = diagrams.nothing();
        for cubes in 0..=MOST_CUBES {
            let purpose = if cubes == 0 {
                "transfer"
            } else {
                "abstraction"
            };
            // constraint ∧ ⋀ φ[bodyᵢ] ∧ ¬⋁ cubes found before
            let mut model = match self.ask(purpose)? {
                Derived::Nothing => return Ok(Some(found)),
                Derived::Possible => return Ok(None),
                Derived::Values(model) => model,
            };
            let signs = predicates.iter().map(|&p| model.eval_bool(p));
            let Ok(signs) = signs.collect::<Result<Vec<bool>, _>>() else {
                return Ok(None);
            };
            found = found.or(&diagrams.cube(signs.iter().copied().map(Some)));
            let other = std::iter::zip(predicates, signs).map(|(&predicate, sign)| match sign {
                true => t.not(predicate),
                false => predicate,
            });
            self.solver.assert(t.or(other));
        }
        Ok(None)
    }
}
