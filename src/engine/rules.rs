//! Clauses in the form that engines work on.
//!
//! A [`Rule`] is a clause with fresh variables. Its head and body atoms are applied to distinct
//! variables, and equations in the constraint say what the arguments were. The head's arguments are
//! the predicate's parameters, the same variables in all rules, so that all rules with one head can
//! live in one solver. `false` is one more predicate without parameters.

use crate::chc::{Atom, Clause, ClauseId, Interpretation, Model, PredGraph, PredId, System};
use crate::term::{Substitution, Term, TermMap, TermSet, Terms};
use std::collections::hash_map::Entry;

/// A rule of a [`RuleSystem`]: its position there, the same as its clause's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RuleId(pub(crate) u32);

impl RuleId {
    /// The position as an index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The clause that the rule is.
    pub(crate) fn clause(self) -> ClauseId {
        ClauseId(self.0)
    }
}

/// A body atom over distinct variables of its rule. Different atoms may share variables, and share
/// them with the head.
#[derive(Clone, Debug)]
pub(crate) struct RuleAtom {
    /// The predicate.
    pub(crate) pred: PredId,
    /// Distinct variables.
    pub(crate) args: Vec<Term>,
}

/// `head(params) ← body ∧ constraint`.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The derived predicate, possibly [`RuleSystem::goal`].
    pub(crate) head: PredId,
    /// The premises.
    pub(crate) body: Vec<RuleAtom>,
    /// The constraint.
    pub(crate) constraint: Term,
    /// For each variable of the clause its counterpart.
    pub(crate) clause_vars: Vec<Term>,
    /// All variables of the rule, the head's parameters included.
    pub(crate) vars: Vec<Term>,
}

/// A rule of other variables, see [`RuleSystem::unroll`].
pub(crate) struct Unrolled {
    /// What holds of the variables where the rule is used.
    pub(crate) constraint: Term,
    /// For each variable of the clause its counterpart.
    pub(crate) clause_vars: Vec<Term>,
}

/// A system as rules.
#[derive(Clone, Debug)]
pub(crate) struct RuleSystem {
    /// The rule of each clause, by its index.
    pub(crate) rules: Vec<Rule>,
    /// The variables that are the arguments of each predicate in heads and in lemmas, by its
    /// index; `false` is the last.
    pub(crate) params: Vec<Vec<Term>>,
    /// The rules that may derive each predicate, by its index. Those with a premise that nothing
    /// can derive are left out.
    pub(crate) by_head: Vec<Vec<RuleId>>,
    /// Has each predicate, by its index, a derivation if constraints are ignored?
    derivable: Vec<bool>,
    /// The predicate that stands for `false`.
    pub(crate) goal: PredId,
}

impl RuleSystem {
    /// The rules of a system.
    pub(crate) fn new(t: &Terms, system: &System) -> Self {
        let goal = PredId(u32::try_from(system.preds.len()).expect("few predicates"));
        let mut params: Vec<Vec<Term>> = system
            .preds
            .iter()
            .map(|p| {
                let decl = t.func(p.func);
                let base = |i: usize| format!("{}.{i}", t.name(decl.name));
                (decl.params.iter().enumerate())
                    .map(|(i, &sort)| t.fresh_var(&base(i), sort))
                    .collect()
            })
            .collect();
        params.push(Vec::new());
        let graph = PredGraph::new(system);
        let mut by_head = vec![Vec::new(); params.len()];
        let mut rules = Vec::with_capacity(system.clauses.len());
        for (id, clause) in system.clauses() {
            let rule = Builder::new(t, clause, &params, goal).build(clause);
            if graph.is_usable(id) {
                by_head[rule.head.index()].push(RuleId(id.0));
            }
            rules.push(rule);
        }
        RuleSystem {
            rules,
            params,
            by_head,
            derivable: system.pred_ids().map(|p| graph.is_derivable(p)).collect(),
            goal,
        }
    }

    /// A rule by id.
    pub(crate) fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// All predicates, `false` included.
    pub(crate) fn pred_ids(&self) -> impl Iterator<Item = PredId> + use<> {
        (0..=self.goal.0).map(PredId)
    }

    /// A formula over the predicate's parameters, said of the atom's arguments.
    pub(crate) fn instance(&self, t: &Terms, formula: Term, atom: &RuleAtom) -> Term {
        let params = &self.params[atom.pred.index()];
        debug_assert_eq!(
            params.len(),
            atom.args.len(),
            "an argument for each parameter"
        );
        t.substitute(
            formula,
            params.iter().copied().zip(atom.args.iter().copied()),
        )
    }

    /// Formulas over the atom's arguments, said of its predicate's parameters: the way back of
    /// [`RuleSystem::instance`].
    pub(crate) fn over_params(&self, t: &Terms, formulas: &[Term], atom: &RuleAtom) -> Vec<Term> {
        let params = &self.params[atom.pred.index()];
        let renaming = atom.args.iter().copied().zip(params.iter().copied());
        let mut rename = Substitution::new(t, renaming);
        formulas.iter().map(|&f| rename.apply(f)).collect()
    }

    /// The rule over other variables: `head` for the predicate's parameters, `body` for the
    /// arguments of its premises, in order, and fresh ones for the rest.
    pub(crate) fn unroll(
        &self,
        t: &Terms,
        id: RuleId,
        head: &[Term],
        body: &[&[Term]],
    ) -> Unrolled {
        let rule = self.rule(id);
        let params = &self.params[rule.head.index()];
        debug_assert_eq!(params.len(), head.len(), "an argument for each parameter");
        debug_assert_eq!(rule.body.len(), body.len(), "arguments for each premise");
        let mut renaming: TermMap<Term> =
            params.iter().copied().zip(head.iter().copied()).collect();
        let mut facts = Vec::new();
        for (atom, args) in rule.body.iter().zip(body) {
            debug_assert_eq!(
                atom.args.len(),
                args.len(),
                "an argument for each parameter"
            );
            for (&own, &arg) in atom.args.iter().zip(*args) {
                match renaming.entry(own) {
                    Entry::Vacant(new) => {
                        new.insert(arg);
                    }
                    Entry::Occupied(known) => facts.push(t.eq(arg, *known.get())),
                }
            }
        }
        for &v in &rule.vars {
            renaming
                .entry(v)
                .or_insert_with(|| t.fresh_var("v", t.sort_of(v)));
        }
        let mut rename = Substitution::new(t, renaming);
        facts.push(rename.apply(rule.constraint));
        let clause_vars = rule.clause_vars.iter().map(|&v| rename.apply(v)).collect();
        Unrolled {
            constraint: t.and(facts),
            clause_vars,
        }
    }

    /// What a model says of each predicate, over the predicate's parameters.
    pub(crate) fn formulas(&self, t: &Terms, model: &Model) -> Vec<(PredId, Term)> {
        let interpretations = (0..).map(PredId).zip(&model.interpretations);
        let formula = |(pred, said): (PredId, &Interpretation)| {
            let params = self.params[pred.index()].iter().copied();
            // Rules that count have counters behind the parameters that a model knows.
            debug_assert!(
                said.params.len() <= params.len(),
                "the model is one of the system"
            );
            let renaming = said.params.iter().copied().zip(params);
            (pred, t.substitute(said.body, renaming))
        };
        interpretations.map(formula).collect()
    }

    /// The conjuncts of what a model says of each predicate, over the predicate's parameters.
    pub(crate) fn conjuncts(&self, t: &Terms, model: &Model) -> Vec<(PredId, Term)> {
        let formulas = self.formulas(t, model).into_iter();
        let conjuncts = formulas.map(|(pred, formula)| (pred, t.conjuncts(formula)));
        conjuncts
            .flat_map(|(pred, conjuncts)| conjuncts.into_iter().map(move |c| (pred, c)))
            .collect()
    }

    /// A model of the system from a formula over the parameters of each predicate; what nothing can
    /// derive is empty.
    pub(crate) fn model(&self, formulas: impl Fn(PredId) -> Term) -> Model {
        let interpretations = (0..self.goal.0)
            .map(PredId)
            .map(|p| Interpretation {
                params: self.params[p.index()].clone(),
                body: if self.derivable[p.index()] {
                    formulas(p)
                } else {
                    Term::FALSE
                },
            })
            .collect();
        Model { interpretations }
    }
}

impl Rule {
    /// Has the rule no premise?
    pub(crate) fn is_fact(&self) -> bool {
        self.body.is_empty()
    }
}

/// A rule in the making.
struct Builder<'a> {
    t: &'a Terms,
    params: &'a [Vec<Term>],
    goal: PredId,
    /// The rule's counterpart of each variable of the clause.
    renaming: TermMap<Term>,
    /// Equations for arguments that are no variables, or not the first to use theirs.
    equations: Vec<Term>,
    fresh: Vec<Term>,
}

impl<'a> Builder<'a> {
    fn new(t: &'a Terms, clause: &Clause, params: &'a [Vec<Term>], goal: PredId) -> Self {
        let mut renaming = TermMap::default();
        // A head argument that is a variable becomes the parameter itself.
        if let Some(head) = &clause.head {
            for (&arg, &param) in head.args.iter().zip(&params[head.pred.index()]) {
                if t.is_var(arg) {
                    renaming.entry(arg).or_insert(param);
                }
            }
        }
        for &v in &clause.vars {
            renaming.entry(v).or_insert_with(|| {
                let name = t.as_var(v).expect("clause variables are variables");
                t.fresh_var(t.name(name), t.sort_of(v))
            });
        }
        Builder {
            t,
            params,
            goal,
            renaming,
            equations: Vec::new(),
            fresh: Vec::new(),
        }
    }

    fn build(mut self, clause: &Clause) -> Rule {
        let t = self.t;
        let mut rename = Substitution::new(t, self.renaming.iter().map(|(&v, &w)| (v, w)));
        if let Some(head) = &clause.head {
            for (&arg, &param) in head.args.iter().zip(&self.params[head.pred.index()]) {
                self.equations.push(t.eq(param, rename.apply(arg)));
            }
        }
        let body = clause
            .body
            .iter()
            .map(|atom| self.atom(atom, &mut rename))
            .collect();
        let head = clause.head.as_ref().map_or(self.goal, |h| h.pred);
        let clause_vars: Vec<Term> = clause.vars.iter().map(|v| self.renaming[v]).collect();
        let constraint = rename.apply(clause.constraint);
        let mut seen = TermSet::default();
        let vars = (self.params[head.index()].iter())
            .chain(&clause_vars)
            .chain(&self.fresh)
            .copied()
            .filter(|&v| seen.insert(v))
            .collect();
        Rule {
            head,
            body,
            constraint: t.and(self.equations.into_iter().chain([constraint])),
            clause_vars,
            vars,
        }
    }

    fn atom(&mut self, atom: &Atom, rename: &mut Substitution<'_>) -> RuleAtom {
        let t = self.t;
        let mut used = TermSet::default();
        let mut args = Vec::with_capacity(atom.args.len());
        for &arg in &atom.args {
            let renamed = rename.apply(arg);
            if t.is_var(renamed) && used.insert(renamed) {
                args.push(renamed);
            } else {
                let fresh = t.fresh_var("arg", t.sort_of(arg));
                self.fresh.push(fresh);
                self.equations.push(t.eq(fresh, renamed));
                args.push(fresh);
            }
        }
        RuleAtom {
            pred: atom.pred,
            args,
        }
    }
}
