//! Models back to the predicates before elimination: interpretations are found again, last
//! eliminated first.
//!
//! When a predicate was eliminated, the clauses that defined and used it had other predicates only,
//! which have their interpretations by the time that its own is sought. Any formula will do that
//! the definitions imply, with their own variables quantified existentially, and that implies the
//! uses, with theirs quantified universally. There is one, because the resolvents hold. The
//! interpretation is the first of these that can be computed:
//!
//! 1. the disjunction of the definitions, where these have no variables left once equations are
//!    solved, or the conjunction of the uses, likewise, if it is small;
//! 2. the conjunction of Craig interpolants \[McM05\] between the definitions and each conjunct of
//!    what each use derives;
//! 3. one of the formulas of item 1 that is not small;
//! 4. the definitions with their variables projected away, model by model, which ends for linear
//!    arithmetic.

use super::{Inlined, renamed, var_set};
use crate::chc::{Atom, Clause, Interpretation, Model, PredId, System};
use crate::logic::equations::{Role, normal_term, solve};
use crate::logic::interpolate::{Interpolation, Partitioned};
use crate::logic::{Valuation, project};
use crate::smt::{Failure, InterpolationOptions, NoInterpolants, PartTree, SatResult};
use crate::term::{Substitution, Term, TermSet, Terms};
use crate::transform::signature::params;
use crate::transform::{LiftError, Tools, context};

/// Interpretations of at most 300 nodes count as small. The value was not tuned.
const SMALL: usize = 300;
/// Rounds of equation solving. The value was not tuned.
const ROUNDS: usize = 8;
/// Projection gives up after 200 cubes. The value was not tuned.
const MAX_CUBES: usize = 200;

/// What a definition or a use says of its predicate's parameters: its constraint, and its other
/// atoms, in order.
pub(super) struct Opened {
    conjuncts: Vec<Term>,
    body: Vec<Atom>,
    head: Option<Atom>,
}

impl Opened {
    /// Of a clause with new variables, one of whose atoms, with these arguments, is that of the
    /// predicate.
    fn new(t: &Terms, clause: Clause, args: &[Term], params: &[Term]) -> Self {
        let equations = params
            .iter()
            .zip(args)
            .map(|(&param, &arg)| t.eq(param, arg));
        let formula = t.and(equations.chain([clause.constraint]));
        let mut opened = Opened {
            conjuncts: t.conjuncts(formula),
            body: clause.body,
            head: clause.head,
        };
        opened.solve(t, &params.iter().copied().collect());
        opened
    }

    /// Solves equations for the variables other than parameters.
    fn solve(&mut self, t: &Terms, params: &TermSet) {
        let role = |var: Term| match params.contains(&var) {
            true => Role::Fixed,
            false => Role::Free,
        };
        for _ in 0..ROUNDS {
            self.conjuncts = context::simplify(t, &self.conjuncts);
            let Some(mut round) = solve(t, &self.conjuncts, role) else {
                return;
            };
            self.conjuncts = round.rest;
            let atoms = self.body.iter_mut().chain(&mut self.head);
            for arg in atoms.flat_map(|atom| &mut atom.args) {
                *arg = normal_term(t, round.substitution.apply(*arg));
            }
        }
    }

    /// Are there no variables but the parameters?
    fn is_closed(&self, t: &Terms, params: &[Term]) -> bool {
        let atoms = self.body.iter().chain(&self.head);
        let args = atoms.flat_map(|atom| atom.args.iter().copied());
        let vars = t.vars(args.chain(self.conjuncts.iter().copied()));
        let params: TermSet = params.iter().copied().collect();
        vars.iter().all(|v| params.contains(v))
    }

    /// The formula, with the meaning of each atom of the body, in order, and the negation of the
    /// head's.
    fn formula(&self, t: &Terms, mut meaning: impl FnMut(&Atom) -> Term) -> Term {
        let premises = self.premises(&mut meaning);
        let head = self.head.as_ref().map(|atom| t.not(meaning(atom)));
        t.and(premises.into_iter().chain(head))
    }

    /// The formula without the head.
    fn premises(&self, meaning: impl FnMut(&Atom) -> Term) -> Vec<Term> {
        let body = self.body.iter().map(meaning);
        self.conjuncts.iter().copied().chain(body).collect()
    }
}

/// What a definition says, over new parameters.
fn open_definition(t: &Terms, clause: &Clause, params: &[Term]) -> Opened {
    let (mut clause, _) = renamed(t, clause);
    let head = clause.head.take().expect("definitions have heads");
    Opened::new(t, clause, &head.args, params)
}

/// What a use says, of the premise at a position.
fn open_use(t: &Terms, clause: &Clause, position: usize, params: &[Term]) -> Opened {
    let (mut clause, _) = renamed(t, clause);
    let premise = clause.body.remove(position);
    Opened::new(t, clause, &premise.args, params)
}

/// New variables for the arguments of an atom.
fn fresh_params(t: &Terms, atom: &Atom) -> Vec<Term> {
    let sorts = atom.args.iter().map(|&arg| t.sort_of(arg));
    sorts.map(|sort| t.fresh_var("param", sort)).collect()
}

/// The definition over fresh parameters, if it has no other variables once equations are solved.
pub(super) fn closed_definition(t: &Terms, clause: &Clause) -> Option<Opened> {
    let params = fresh_params(t, clause.head.as_ref()?);
    let opened = open_definition(t, clause, &params);
    opened.is_closed(t, &params).then_some(opened)
}

/// The use over fresh parameters of its first premise with the predicate, if it has no other
/// variables once equations are solved.
pub(super) fn closed_use(t: &Terms, clause: &Clause, pred: PredId) -> Option<Opened> {
    let position = clause.body.iter().position(|atom| atom.pred == pred)?;
    let params = fresh_params(t, &clause.body[position]);
    let opened = open_use(t, clause, position, &params);
    opened.is_closed(t, &params).then_some(opened)
}

/// The model of the system before elimination.
pub(super) fn lift(
    inlined: &Inlined,
    tools: &Tools<'_>,
    old: &System,
    model: Model,
) -> Result<Model, LiftError> {
    let t = tools.terms;
    let unknown_yet = |_: PredId, _: &[Term]| Term::TRUE;
    let mut interpretations =
        (inlined.signature).interpretations(t, old, &model.interpretations, unknown_yet);
    for elimination in inlined.eliminations.iter().rev() {
        tools.limit.check()?;
        let pred = elimination.pred;
        let clauses = |ids: &[super::NodeId]| -> Vec<&Clause> {
            ids.iter()
                .map(|id| &inlined.nodes[id.index()].clause)
                .collect()
        };
        let search = Search {
            tools,
            pred,
            params: params(t, old, pred),
            definitions: clauses(&elimination.definitions),
            uses: clauses(&elimination.uses),
            known: &interpretations,
        };
        let body = search.run().map_err(|failure| match failure {
            Failure::Timeout | Failure::Cancelled => LiftError::Limit(failure),
            failure => LiftError::Interpretation {
                pred: old.pred_name(t, pred).to_owned(),
                why: failure.to_string(),
            },
        })?;
        let params = search.params;
        interpretations[pred.index()] = Interpretation { params, body };
    }
    Ok(Model { interpretations })
}

/// The search for the interpretation of one predicate.
struct Search<'a, 't> {
    tools: &'a Tools<'t>,
    pred: PredId,
    params: Vec<Term>,
    definitions: Vec<&'a Clause>,
    uses: Vec<&'a Clause>,
    /// By predicate; right for all that occur but `pred`.
    known: &'a [Interpretation],
}

impl Search<'_, '_> {
    fn run(&self) -> Result<Term, Failure> {
        let t = self.tools.terms;
        let definitions: Vec<Opened> = (self.definitions.iter())
            .map(|clause| open_definition(t, clause, &self.params))
            .collect();
        let below = t.or(definitions
            .iter()
            .map(|d| d.formula(t, |atom| self.meaning(atom))));
        let is_closed = definitions.iter().all(|d| d.is_closed(t, &self.params));
        let strongest = is_closed.then_some(below);
        let weakest = self.weakest();
        let closed = [strongest, weakest];
        let is_small = |&f: &Term| t.post_order([f]).take(SMALL + 1).count() <= SMALL;
        if let Some(small) = closed.into_iter().flatten().find(is_small) {
            return Ok(self.simplified(small));
        }
        match self.interpolate(below) {
            Ok(interpolant) => Ok(self.simplified(interpolant)),
            Err(NoInterpolants::Satisfiable) => Err(Failure::Incomplete(
                "the definitions and a use contradict each other in the model".to_owned(),
            )),
            Err(_) => match closed.into_iter().flatten().next() {
                Some(large) => Ok(large),
                None => self.projection(below),
            },
        }
    }

    fn simplified(&self, formula: Term) -> Term {
        let t = self.tools.terms;
        t.and(context::simplify(t, &t.conjuncts(formula)))
    }

    /// What the interpretations say of an atom.
    fn meaning(&self, atom: &Atom) -> Term {
        self.known[atom.pred.index()].at(self.tools.terms, &atom.args)
    }

    /// The weakest interpretation that the uses allow, if all their variables are parameters.
    fn weakest(&self) -> Option<Term> {
        let t = self.tools.terms;
        let mut parts = Vec::with_capacity(self.uses.len());
        for clause in &self.uses {
            let &[position] = &self.positions(clause)[..] else {
                return None;
            };
            let opened = open_use(t, clause, position, &self.params);
            if !opened.is_closed(t, &self.params) {
                return None;
            }
            parts.push(t.not(opened.formula(t, |atom| self.meaning(atom))));
        }
        Some(t.and(parts))
    }

    /// Where in a clause's body the predicate is.
    fn positions(&self, clause: &Clause) -> Vec<usize> {
        let body = clause.body.iter().enumerate();
        body.filter(|(_, atom)| atom.pred == self.pred)
            .map(|(i, _)| i)
            .collect()
    }

    /// The conjunction of interpolants between `below`, what the definitions say, and each premise
    /// of each use with each conjunct of what the use derives. These are small problems with small
    /// interpolants. One for the whole head can be as large as all ways in which the definitions
    /// lead to it, and is part of the problem of the next predicate.
    ///
    /// Where a use has several premises with the predicate, those before the one in question mean
    /// their interpolants already, and those behind it what the definitions say; so that in the end
    /// all may mean their interpolants.
    fn interpolate(&self, below: Term) -> Result<Term, NoInterpolants> {
        let t = self.tools.terms;
        let mut problem = self.problem();
        let definitions = problem.add(&t.conjuncts(below))?;
        let mut parts = Vec::new();
        for clause in &self.uses {
            let mut found: Vec<Term> = Vec::new();
            for position in self.positions(clause) {
                let opened = open_use(t, clause, position, &self.params);
                let mut earlier = found.iter();
                let premises = opened.premises(|atom| {
                    if atom.pred != self.pred {
                        return self.meaning(atom);
                    }
                    match earlier.next() {
                        Some(&interpolant) => self.instance(interpolant, atom),
                        None => self.instance(self.with_new_locals(below), atom),
                    }
                });
                let above = problem.add(&t.conjuncts(t.and(premises)))?;
                let derived = match &opened.head {
                    Some(atom) => t.conjuncts(self.meaning(atom)),
                    None => vec![Term::FALSE],
                };
                let interpolants = derived.into_iter().map(|conjunct| {
                    let denied = problem.add(&[t.not(conjunct)])?;
                    let nodes = [vec![definitions], vec![above, denied]];
                    // definitions ∧ premises ∧ ¬conjunct
                    let about = format_args!("the definitions imply what a use derives");
                    let between = problem.interpolants(about, &PartTree::path(2), &nodes)?;
                    Ok(between[0])
                });
                let interpolants: Vec<Term> =
                    interpolants.collect::<Result<_, NoInterpolants>>()?;
                found.push(t.and(interpolants));
            }
            parts.extend(found);
        }
        Ok(t.and(parts))
    }

    /// A formula over the parameters, of an atom's arguments.
    fn instance(&self, formula: Term, atom: &Atom) -> Term {
        debug_assert_eq!(
            self.params.len(),
            atom.args.len(),
            "an argument for each parameter"
        );
        let pairs = self.params.iter().copied().zip(atom.args.iter().copied());
        self.tools.terms.substitute(formula, pairs)
    }

    /// The formula with fresh variables in place of the variables that are not parameters.
    fn with_new_locals(&self, formula: Term) -> Term {
        let t = self.tools.terms;
        let params = var_set(t, self.params.iter().copied());
        let locals = t
            .vars([formula])
            .into_iter()
            .filter(|v| !params.contains(v));
        let pairs: Vec<_> = locals
            .map(|v| (v, t.fresh_var("local", t.sort_of(v))))
            .collect();
        Substitution::new(t, pairs).apply(formula)
    }

    /// A context for interpolants.
    fn problem(&self) -> Partitioned<'_, '_> {
        let interpolation = Interpolation {
            terms: self.tools.terms,
            backend: self.tools.backend,
            limit: self.tools.limit.clone(),
            name: "inline interpolants",
            // Fixed, since no option of an engine reaches the lifting of models: the core alone,
            // because where it finds none there are the closed definitions and the projection; and
            // strong ones, which say as much as the definitions do, as the projection would.
            options: InterpolationOptions::default(),
        };
        interpolation.problem()
    }

    /// `below` with all variables but the parameters projected away.
    fn projection(&self, below: Term) -> Result<Term, Failure> {
        let t = self.tools.terms;
        let vars = t.vars([below]);
        let params = var_set(t, self.params.iter().copied());
        let locals: Vec<Term> = vars
            .iter()
            .copied()
            .filter(|v| !params.contains(v))
            .collect();
        let mut solver = self.tools.backend.solver(t, "project");
        solver.set_limit(self.tools.limit.clone());
        solver.assert(below);
        let mut cubes = Vec::new();
        while cubes.len() < MAX_CUBES {
            // definitions ∧ ¬⋁ projections so far
            match solver.check(format_args!("more of what the definitions say"), &[]) {
                SatResult::Unsat => return Ok(t.or(cubes)),
                SatResult::Unknown(failure) => return Err(failure),
                SatResult::Sat => {}
            }
            let values = solver.values(&vars)?;
            let mut valuation = Valuation::new(t, vars.iter().copied().zip(values));
            if !valuation.holds(below) {
                return Err(Failure::Broken(
                    "the solver's model does not satisfy the formula".to_owned(),
                ));
            }
            let cube = t.and(project(t, &mut valuation, locals.iter().copied(), [below]));
            solver.assert(t.not(cube));
            cubes.push(cube);
        }
        Err(Failure::Incomplete(
            "the projection has too many parts".to_owned(),
        ))
    }
}
