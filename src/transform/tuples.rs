//! Replacement of tuples by their fields.
//!
//! A *tuple* is a value of a datatype with one constructor that is not recursive. A variable of a
//! tuple sort is replaced by the constructor applied to new variables, an argument of a predicate
//! by one argument for each field, all the way down. So selectors meet constructors and disappear,
//! and a system with tuples of numbers becomes a system with numbers only. Tuples inside arrays
//! stay. Not from a paper.

use super::ground::ClauseSource;
use super::signature::params;
use super::{LiftError, ModelLift, Tools, Transformed};
use crate::chc::{Atom, Clause, ClauseId, Interpretation, Model, PredId, Predicate, System};
use crate::term::{CtorId, Op, SelectorId, Sort, Substitution, Term, TermMap, Terms};
use rustc_hash::FxHashMap;

/// A sort with more than 64 fields, all the way down, stays as it is. The value was not tuned.
const MOST_FIELDS: usize = 64;

/// The sorts that are tuples.
struct Tuples<'t> {
    t: &'t Terms,
    /// For each sort its constructor, if it is a tuple's.
    known: FxHashMap<Sort, Option<CtorId>>,
}

impl<'t> Tuples<'t> {
    fn new(t: &'t Terms) -> Self {
        Tuples {
            t,
            known: FxHashMap::default(),
        }
    }

    /// The constructor of a tuple's sort.
    fn ctor(&mut self, sort: Sort) -> Option<CtorId> {
        if let Some(&known) = self.known.get(&sort) {
            return known;
        }
        let ctor = self.find(sort);
        self.known.insert(sort, ctor);
        ctor
    }

    fn find(&self, sort: Sort) -> Option<CtorId> {
        let t = self.t;
        let &[ctor] = t.datatype(t.datatype_of(sort)?).ctors() else {
            return None;
        };
        let mut parts = t.field_sorts(sort);
        let is_recursive = parts.any(|part| t.sort_post_order(part).contains(&sort));
        (!is_recursive && fields_below(t, sort) <= MOST_FIELDS).then_some(ctor)
    }

    /// The fields of a term all the way down, in order, up to fields of sorts that are not tuples.
    fn leaves(&mut self, root: Term) -> Vec<Term> {
        let t = self.t;
        let (mut leaves, mut open) = (Vec::new(), vec![root]);
        while let Some(term) = open.pop() {
            match self.ctor(t.sort_of(term)) {
                Some(ctor) => {
                    let fields = t.ctor(ctor).fields.iter().rev();
                    open.extend(fields.map(|&selector| field(t, selector, term)));
                }
                None => leaves.push(term),
            }
        }
        leaves
    }

    /// The sorts of the leaves of a sort.
    fn leaf_sorts(&mut self, sort: Sort) -> Vec<Sort> {
        let t = self.t;
        let (mut leaves, mut open) = (Vec::new(), vec![sort]);
        while let Some(sort) = open.pop() {
            match self.ctor(sort) {
                Some(ctor) => {
                    open.extend(t.sorts_of_fields(ctor).rev());
                }
                None => leaves.push(sort),
            }
        }
        leaves
    }

    /// A tuple of new variables, which are added to `vars`, with names that begin with `base`.
    fn fresh(&mut self, sort: Sort, base: &str, vars: &mut Vec<Term>) -> Term {
        enum Task {
            Make(Sort),
            Build(CtorId),
        }
        let t = self.t;
        let (mut tasks, mut made) = (vec![Task::Make(sort)], Vec::new());
        while let Some(task) = tasks.pop() {
            match task {
                Task::Make(sort) => match self.ctor(sort) {
                    Some(ctor) => {
                        tasks.push(Task::Build(ctor));
                        tasks.extend(t.sorts_of_fields(ctor).rev().map(Task::Make));
                    }
                    None => {
                        let var = t.fresh_var(base, sort);
                        vars.push(var);
                        made.push(var);
                    }
                },
                Task::Build(ctor) => {
                    let fields = made.split_off(made.len() - t.ctor(ctor).fields.len());
                    made.push(t.construct(ctor, &fields));
                }
            }
        }
        made.pop().expect("one tuple was asked for")
    }

    /// Equations of tuples as equations of their leaves, and fields of conditional tuples as
    /// conditional fields.
    fn split(&mut self, formula: Term) -> Term {
        let t = self.t;
        t.rewrite(formula, |term| match (t.op(term), t.args(term)) {
            (Op::Eq, &[x, y]) if self.ctor(t.sort_of(x)).is_some() => {
                let (left, right) = (self.leaves(x), self.leaves(y));
                t.and(std::iter::zip(left, right).map(|(x, y)| t.eq(x, y)))
            }
            (Op::Field(selector), &[value]) => field(t, selector, value),
            _ => term,
        })
    }
}

/// The number of fields of a sort of non-recursive tuples. Counting stops when the limit is
/// exceeded.
fn fields_below(t: &Terms, sort: Sort) -> usize {
    let (mut count, mut open) = (0, vec![sort]);
    while let Some(sort) = open.pop()
        && count <= MOST_FIELDS
    {
        let is_datatype = t.datatype_of(sort).is_some();
        count += 1;
        if is_datatype {
            open.extend(t.field_sorts(sort));
        }
    }
    count
}

/// A field of a term; of a conditional term the conditional fields.
fn field(t: &Terms, selector: SelectorId, root: Term) -> Term {
    let mut done: TermMap<Term> = TermMap::default();
    let mut stack = vec![(root, false)];
    while let Some((term, leave)) = stack.pop() {
        match (t.op(term), t.args(term)) {
            _ if done.contains_key(&term) => {}
            (Op::Ite, &[cond, x, y]) if leave => {
                done.insert(term, t.ite(cond, done[&x], done[&y]));
            }
            (Op::Ite, &[_, x, y]) => stack.extend([(term, true), (x, false), (y, false)]),
            _ => {
                done.insert(term, t.field(selector, term));
            }
        }
    }
    done[&root]
}

/// The system with fields in place of tuples.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let mut tuples = Tuples::new(t);
    if !t.has_datatypes() {
        return None;
    }
    let sorts = |p: &Predicate| t.func(p.func).params.iter().copied();
    let args = system.preds.iter().flat_map(sorts);
    let vars = system.clauses.iter().flat_map(|c| &c.vars);
    let mut sorts = args.chain(vars.map(|&v| t.sort_of(v)));
    if !sorts.any(|sort| tuples.ctor(sort).is_some()) {
        return None;
    }
    let preds = system.preds.iter().map(|pred| {
        let decl = t.func(pred.func);
        let leaves = decl.params.iter().flat_map(|&sort| tuples.leaf_sorts(sort));
        let leaves: Vec<Sort> = leaves.collect();
        match *leaves == *decl.params {
            true => pred.clone(),
            false => Predicate {
                func: t.declare(decl.name, &leaves, decl.result),
                span: pred.span,
            },
        }
    });
    let preds: Vec<Predicate> = preds.collect();
    let clauses = system.clauses();
    let flat = clauses.map(|(id, clause)| flatten(&mut tuples, id, clause));
    let (clauses, sources): (Vec<Clause>, Vec<ClauseSource>) = flat.unzip();
    let new = System { preds, clauses };
    let models = Flattened;
    Some(Transformed::clause_wise(new, sources, models))
}

/// The clause with tuples of new variables in place of variables of tuple sorts.
fn flatten(tuples: &mut Tuples<'_>, id: ClauseId, clause: &Clause) -> (Clause, ClauseSource) {
    let t = tuples.t;
    let (mut vars, mut definitions) = (Vec::new(), Vec::new());
    for &var in &clause.vars {
        let sort = t.sort_of(var);
        match tuples.ctor(sort) {
            Some(_) => {
                let name = t.as_var(var).map_or("", |name| t.name(name));
                let base = name.split('!').next().unwrap_or(name);
                definitions.push((var, tuples.fresh(sort, base, &mut vars)));
            }
            None => vars.push(var),
        }
    }
    let mut substitution = Substitution::new(t, definitions.iter().copied());
    let mut atom = |atom: &Atom| {
        let args = atom.args.iter().flat_map(|&arg| {
            let arg = tuples.split(substitution.apply(arg));
            tuples.leaves(arg)
        });
        Atom {
            pred: atom.pred,
            args: args.collect(),
        }
    };
    let flat = Clause {
        vars,
        body: clause.body.iter().map(&mut atom).collect(),
        head: clause.head.as_ref().map(&mut atom),
        constraint: tuples.split(substitution.apply(clause.constraint)),
        origin: clause.origin,
    };
    let source = ClauseSource {
        definitions,
        ..id.into()
    };
    (flat, source)
}

struct Flattened;

impl ModelLift for Flattened {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let t = tools.terms;
        let mut tuples = Tuples::new(t);
        let mut lift = |pred: PredId| {
            let params = params(t, old, pred);
            let leaves = params.iter().flat_map(|&param| tuples.leaves(param));
            let new = model.get(pred);
            let body = t.substitute(new.body, new.params.iter().copied().zip(leaves));
            Interpretation { params, body }
        };
        let interpretations = old.pred_ids().map(&mut lift).collect();
        Ok(Model { interpretations })
    }
}
