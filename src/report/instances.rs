//! Instances of what a model says, for certificates of models with quantifiers, or with functions
//! that are defined by recursion.
//!
//! A solver decides the query of a clause if it finds the right instances of definitions, of lemmas
//! and of quantified premises. They are listed here for it. With them premises say no more than
//! their conjuncts without quantifiers and the instances, and functions need no definitions: the
//! query that is left has no quantifiers, and functions in it are uninterpreted. The format is
//! specified in docs/src/certificates.md.
//!
//! The embedded core finds the instances as the check of models does: by [`Terms::saturation`]
//! where there are functions that are defined by recursion, and by [`contradictory_instances`]
//! where there are none or that finds nothing. The list has those of an unsatisfiable core.

use crate::certify::contradictory_instances;
use crate::chc::{Atom, Clause, Model, PredId, System, is_lemma};
use crate::smt::native::{NativeOptions, NativeSolver};
use crate::smt::{Limit, SatResult, Solver};
use crate::smtlib::ClauseQueries;
use crate::term::{CtorId, Effort, Fact, Origin, Printer, Term, TermMap, Terms};
use crate::work;
use serde_json::{Value, json};
use std::iter::zip;

/// The work for the instances of one query, in ticks. The value was not tuned.
const TICKS: u64 = work::milliseconds(1000);
/// The work for all instances of a certificate, in ticks. The value was not tuned.
const ALL_TICKS: u64 = work::milliseconds(20_000);

/// A conjunct of an interpretation.
#[derive(Clone, Copy)]
struct Conjunct {
    pred: PredId,
    /// Its place among the conjuncts.
    place: usize,
}

/// A premise with quantifiers in front.
struct General {
    formula: Term,
    source: Source,
}

/// Where a premise with quantifiers is from.
enum Source {
    /// It is a conjunct without parameters.
    Lemma(Conjunct),
    /// It is a conjunct at the arguments of an atom.
    Premise(Conjunct),
    /// It is what an induction assumes, at this place.
    Hypothesis(usize),
}

/// Lists instances for the clauses of a system and the lemmas of a model.
pub(super) struct InstanceLister<'a> {
    t: &'a Terms,
    system: &'a System,
    model: &'a Model,
    queries: &'a ClauseQueries<'a>,
    /// The conjuncts of interpretations that are lemmas, each once.
    lemmas: Vec<(Conjunct, Term)>,
    limit: Limit,
}

impl<'a> InstanceLister<'a> {
    /// For a model of the system that the queries are about.
    pub(super) fn new(
        t: &'a Terms,
        system: &'a System,
        model: &'a Model,
        queries: &'a ClauseQueries<'a>,
        limit: &Limit,
    ) -> Self {
        let mut lemmas: Vec<(Conjunct, Term)> = Vec::new();
        for pred in system.pred_ids() {
            for (place, formula) in (t.conjuncts(model.get(pred).body).into_iter()).enumerate() {
                if is_lemma(t, formula) && lemmas.iter().all(|&(_, known)| known != formula) {
                    lemmas.push((Conjunct { pred, place }, formula));
                }
            }
        }
        InstanceLister {
            t,
            system,
            model,
            queries,
            lemmas,
            limit: limit.part(ALL_TICKS),
        }
    }

    /// The instances for a clause; `None` if its query has no quantifiers and no functions that are
    /// defined by recursion, or if none were found.
    pub(super) fn of_clause(&self, clause: &Clause) -> Option<Value> {
        let t = self.t;
        let bodies = clause.atoms().map(|atom| self.model.get(atom.pred).body);
        let bodies: Vec<Term> = bodies.collect();
        let has_quantifiers = bodies.iter().any(|&body| t.has_quantifier(body));
        if !has_quantifiers && t.defined_functions(bodies).is_empty() {
            return None;
        }
        let mut names = TermMap::default();
        names.extend(self.queries.other_names(clause));
        let mut plain = vec![clause.constraint];
        let mut general = self.known_lemmas(self.lemmas.len());
        for atom in &clause.body {
            for (place, conjunct) in self.conjuncts(atom) {
                if t.is_general(conjunct) {
                    general.push(General {
                        formula: conjunct,
                        source: Source::Premise(Conjunct {
                            pred: atom.pred,
                            place,
                        }),
                    });
                } else if !t.has_quantifier(conjunct) {
                    plain.push(conjunct);
                }
            }
        }
        let mut denied = vec![Term::TRUE];
        if let Some(head) = &clause.head {
            denied.clear();
            for (place, conjunct) in self.conjuncts(head) {
                let (constants, matrix) = t.opened(conjunct);
                for (at, &constant) in constants.iter().enumerate() {
                    names.insert(constant, format!("|{place} {at}|"));
                }
                denied.push(t.not(matrix));
            }
        }
        let mut listed: Vec<Value> = Vec::new();
        for denied in denied {
            let needed = self.needed(&plain, &general, denied)?;
            self.list(&mut listed, &needed, &general, &mut names);
        }
        Some(json!(listed))
    }

    /// The instances for the lemmas that hold by induction: for each lemma a list for each case.
    pub(super) fn of_lemmas(&self) -> Vec<Value> {
        (0..self.lemmas.len())
            .filter_map(|place| self.of_lemma(place))
            .collect()
    }

    /// The instances for the cases of a lemma: its first variable is built by each constructor.
    fn of_lemma(&self, place: usize) -> Option<Value> {
        let t = self.t;
        let (conjunct, lemma) = self.lemmas[place];
        let (vars, matrix) = t.opened(lemma);
        let (&value, others) = vars.split_first()?;
        let datatype = t.datatype_of(t.sort_of(value))?;
        let mut names = TermMap::default();
        for (at, &other) in others.iter().enumerate() {
            names.insert(other, format!("|other {at}|"));
        }
        let mut of_constructor = |&ctor: &CtorId| {
            let mut general = self.known_lemmas(place);
            let (mut plain, mut fields) = (Vec::new(), Vec::new());
            for (at, &selector) in t.ctor(ctor).fields.iter().enumerate() {
                let sort = t.selector(selector).sort;
                let field = t.fresh_var("field", sort);
                names.insert(field, format!("|field {at}|"));
                fields.push(field);
                if sort == t.sort_of(value) {
                    let said = t.substitute(matrix, [(value, field)]);
                    match others {
                        [] => plain.push(said),
                        _ => general.push(General {
                            formula: t.forall(others, said),
                            source: Source::Hypothesis(general.len() - place),
                        }),
                    }
                }
            }
            let said = t.substitute(matrix, [(value, t.construct(ctor, &fields))]);
            let needed = self.needed(&plain, &general, t.not(said))?;
            let mut listed = Vec::new();
            self.list(&mut listed, &needed, &general, &mut names);
            let ctor = t.display_symbol(t.ctor(ctor).name).to_string();
            Some((ctor, Value::Array(listed)))
        };
        let cases = t.datatype(datatype).ctors().iter();
        let cases: Option<serde_json::Map<String, Value>> =
            cases.map(&mut of_constructor).collect();
        Some(json!({
            "predicate": self.name(conjunct.pred),
            "conjunct": conjunct.place,
            "cases": cases?,
        }))
    }

    /// Facts that, with premises and a denied conclusion, are contradictory; `None` if none were
    /// found.
    fn needed(&self, plain: &[Term], general: &[General], denied: Term) -> Option<Vec<Fact>> {
        let t = self.t;
        let formulas: Vec<Term> = plain.iter().copied().chain([denied]).collect();
        let premises = general.iter().map(|premise| premise.formula);
        let premises: Vec<Term> = premises.filter(|&p| !self.is_nested(p)).collect();
        if t.has_quantifier(denied) || premises.len() < general.len() {
            return None;
        }
        let functions = t.defined_functions(formulas.iter().chain(&premises).copied());
        let saturated = (!functions.is_empty())
            .then(|| self.by_saturation(&formulas, &premises))
            .flatten();
        saturated.or_else(|| self.by_models(plain, &premises, denied))
    }

    /// As `needed`: instances that models of those before make false.
    fn by_models(&self, plain: &[Term], premises: &[Term], denied: Term) -> Option<Vec<Fact>> {
        self.limit.check().ok()?;
        let limit = self.limit.part(TICKS);
        let mut solvers = || -> Box<dyn Solver> { Box::new(self.solver(&limit)) };
        contradictory_instances(self.t, premises, plain, denied, &mut solvers)
    }

    /// As `needed`: instances that match what functions are applied to.
    fn by_saturation(&self, formulas: &[Term], premises: &[Term]) -> Option<Vec<Fact>> {
        for effort in Effort::RISING {
            self.limit.check().ok()?;
            let found = self.t.saturation(formulas, premises, effort);
            let mut solver = self.solver(&self.limit.part(TICKS));
            formulas.iter().for_each(|&formula| solver.assert(formula));
            let facts: Vec<Term> = found.formulas().collect();
            let about = format_args!("a clause fails in the model, by instances");
            if solver.check(about, &facts) == SatResult::Unsat {
                let core = solver.core().ok()?;
                let used = found.facts.into_iter();
                return Some(used.filter(|fact| core.contains(&fact.formula)).collect());
            }
        }
        None
    }

    fn solver(&self, limit: &Limit) -> NativeSolver<'a> {
        let mut solver = NativeSolver::new(self.t, &NativeOptions::default());
        solver.set_limit(limit.clone());
        solver
    }

    /// Adds facts to a list, each once. Indices at which arrays differ get names. What holds of all
    /// values of a datatype needs no place in the list.
    fn list(
        &self,
        listed: &mut Vec<Value>,
        facts: &[Fact],
        general: &[General],
        names: &mut TermMap<String>,
    ) {
        for fact in facts {
            if let Origin::Difference(index, _) = fact.origin {
                let number = listed.iter().filter(|l| l.get("difference").is_some());
                names.insert(index, format!("|difference {}|", number.count()));
            }
            let instance = self.instance(&fact.origin, general, names);
            if let Some(instance) = instance
                && !listed.contains(&instance)
            {
                listed.push(instance);
            }
        }
    }

    /// An instance as the format has it, if it has a place there.
    fn instance(
        &self,
        origin: &Origin,
        general: &[General],
        names: &TermMap<String>,
    ) -> Option<Value> {
        let t = self.t;
        Some(match origin {
            Origin::Datatype => return None,
            Origin::Difference(index, arrays) => json!({
                "difference": names.get(index),
                "sort": t.display_sort(t.sort_of(*index)).to_string(),
                "arrays": self.texts(arrays, names),
            }),
            Origin::Definition(func, args) => json!({
                "function": t.display_symbol(t.func(*func).name).to_string(),
                "arguments": self.texts(args, names),
            }),
            Origin::Premise(place, values) => {
                let values = self.texts(values, names);
                match general[*place].source {
                    Source::Lemma(Conjunct { pred, place }) => json!({
                        "lemma": self.name(pred),
                        "conjunct": place,
                        "values": values,
                    }),
                    Source::Premise(Conjunct { pred, place }) => json!({
                        "premise": self.name(pred),
                        "conjunct": place,
                        "values": values,
                    }),
                    Source::Hypothesis(place) => json!({"hypothesis": place, "values": values}),
                }
            }
        })
    }

    /// The first lemmas.
    fn known_lemmas(&self, count: usize) -> Vec<General> {
        let known = self.lemmas[..count]
            .iter()
            .map(|&(conjunct, formula)| General {
                formula,
                source: Source::Lemma(conjunct),
            });
        known.collect()
    }

    /// The conjuncts of an atom's interpretation that are no lemmas, at its arguments, with their
    /// places.
    fn conjuncts(&self, atom: &Atom) -> Vec<(usize, Term)> {
        let t = self.t;
        let meaning = self.model.get(atom.pred);
        let pairs = || zip(meaning.params.iter().copied(), atom.args.iter().copied());
        let is_lemma = |conjunct| self.lemmas.iter().any(|&(_, lemma)| lemma == conjunct);
        let conjuncts = t.conjuncts(meaning.body).into_iter().enumerate();
        conjuncts
            .filter(|&(_, conjunct)| !is_lemma(conjunct))
            .map(|(place, conjunct)| (place, t.substitute(conjunct, pairs())))
            .collect()
    }

    /// Are there quantifiers below those in front?
    fn is_nested(&self, formula: Term) -> bool {
        self.t.has_quantifier(self.t.split_forall(formula).1)
    }

    fn name(&self, pred: PredId) -> String {
        let func = self.t.func(self.system.pred(pred).func);
        self.t.display_symbol(func.name).to_string()
    }

    fn texts(&self, terms: &[Term], names: &TermMap<String>) -> Vec<String> {
        let name = |var| names.get(&var).cloned();
        let text = |&term: &Term| {
            let printer = Printer::new(self.t).with_vars(&name);
            printer.text(term).to_string()
        };
        terms.iter().map(text).collect()
    }
}
