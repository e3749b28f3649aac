//! Functions of lists and trees, and what the checker says of models that speak of them.

use horn::certify::{Flaw, ModelError, check_model};
use horn::chc::{Atom, Clause, Interpretation, Model, Origin, PredId, Predicate, Span, System};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Limit};
use horn::term::{Case, CtorId, FuncId, Sort, Term, Terms};

/// What the checker says of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Said {
    Accepted,
    NotDecided,
    Refused,
    /// A function has not exactly one meaning.
    NoMeaning,
}

/// Datatypes: lists of numbers; trees and forests, which are made of each other; and trees with
/// an array of subtrees.
pub(super) struct World {
    pub(super) t: Terms,
    pub(super) list: Sort,
    pub(super) tree: Sort,
    pub(super) forest: Sort,
    pub(super) wide: Sort,
}

pub(super) fn world() -> World {
    let t = Terms::new();
    let [list, tree, forest, wide] = ["List", "Tree", "Forest", "Wide"].map(|name| {
        let id = t.declare_datatype(t.symbol(name), &[]);
        (id, t.datatype(id).sort)
    });
    let field = |name: &str, sort: Sort| (t.symbol(name), sort);
    let define = |id, empty: &str, other: &str, fields| {
        t.define_datatype(id, &[(t.symbol(empty), vec![]), (t.symbol(other), fields)]);
    };
    let fields = vec![field("head", Sort::INT), field("tail", list.1)];
    define(list.0, "nil", "cons", fields);
    define(tree.0, "leaf", "node", vec![field("children", forest.1)]);
    let fields = vec![field("first", tree.1), field("rest", forest.1)];
    define(forest.0, "none", "more", fields);
    let kids = t.array_sort(Sort::INT, wide.1);
    define(wide.0, "end", "wide", vec![field("kids", kids)]);
    World {
        list: list.1,
        tree: tree.1,
        forest: forest.1,
        wide: wide.1,
        t,
    }
}

/// The value of a function at a constructor, from the fields and the other arguments.
pub(super) type Body<'a> = &'a dyn Fn(&[Term]) -> Term;

impl World {
    pub(super) fn ctors(&self, sort: Sort) -> &[CtorId] {
        let id = self.t.datatype_of(sort).expect("a datatype");
        self.t.datatype(id).ctors()
    }

    pub(super) fn nil(&self) -> Term {
        self.t.construct(self.ctors(self.list)[0], &[])
    }

    pub(super) fn cons(&self, head: Term, tail: Term) -> Term {
        self.t.construct(self.ctors(self.list)[1], &[head, tail])
    }

    pub(super) fn declare(&self, name: &str, params: &[Sort], result: Sort) -> FuncId {
        self.t.declare(self.t.symbol(name), params, result)
    }

    pub(super) fn case(&self, func: FuncId, ctor: CtorId, body: Body<'_>) -> Case {
        let t = &self.t;
        let fields = t.ctor(ctor).fields.iter().map(|&f| t.selector(f).sort);
        let sorts = fields.chain(t.func(func).params[1..].iter().copied());
        let params: Vec<Term> = sorts.map(|sort| t.fresh_var("c", sort)).collect();
        Case {
            ctor,
            body: body(&params),
            params: params.into(),
        }
    }

    /// Gives a function its definition, one body for each constructor.
    pub(super) fn define(&self, func: FuncId, bodies: [Body<'_>; 2]) {
        let ctors = self.ctors(self.t.func(func).params[0]);
        let cases = ctors.iter().zip(bodies);
        let cases = cases.map(|(&ctor, body)| self.case(func, ctor, body));
        self.t.define_by_cases(func, cases.collect());
    }

    pub(super) fn length(&self) -> FuncId {
        let (t, f) = (&self.t, self.declare("length", &[self.list], Sort::INT));
        let longer = |c: &[Term]| t.add([t.apply(f, &[c[1]]), t.int(1)]);
        self.define(f, [&|_| t.int(0), &longer]);
        f
    }

    pub(super) fn same(&self) -> FuncId {
        let (t, f) = (&self.t, self.declare("same", &[self.list], self.list));
        let longer = |c: &[Term]| self.cons(c[0], t.apply(f, &[c[1]]));
        self.define(f, [&|_| self.nil(), &longer]);
        f
    }

    /// The length of a list and a number, which is counted up.
    pub(super) fn count(&self) -> FuncId {
        let t = &self.t;
        let f = self.declare("count", &[self.list, Sort::INT], Sort::INT);
        let longer = |c: &[Term]| t.apply(f, &[c[1], t.add([c[2], t.int(1)])]);
        self.define(f, [&|c| c[0], &longer]);
        f
    }

    pub(super) fn append(&self) -> FuncId {
        let t = &self.t;
        let f = self.declare("append", &[self.list, self.list], self.list);
        let longer = |c: &[Term]| self.cons(c[0], t.apply(f, &[c[1], c[2]]));
        self.define(f, [&|c| c[0], &longer]);
        f
    }

    /// What the checker says of predicates of lists with these interpretations. Those of the second
    /// kind hold of no list by a clause; all others hold of all lists, by the clause `p(x)`.
    pub(super) fn check(&self, bodies: &[Term], underivable: &[Term], limit: &Limit) -> Said {
        let t = &self.t;
        let [param, x] = ["param", "x"].map(|name| t.var(name, self.list));
        let all = bodies.iter().chain(underivable);
        let interpretations = all.map(|&body| Interpretation {
            params: vec![param],
            body,
        });
        let model = Model {
            interpretations: interpretations.collect(),
        };
        let pred = |_| Predicate {
            func: t.declare(t.fresh_symbol("p"), &[self.list], Sort::BOOL),
            span: Span::default(),
        };
        let clauses = (0..bodies.len()).map(|at| Clause {
            vars: vec![x],
            body: vec![],
            constraint: Term::TRUE,
            head: Some(Atom {
                pred: PredId(u32::try_from(at).expect("few")),
                args: vec![x],
            }),
            origin: Origin::default(),
        });
        let system = System {
            clauses: clauses.collect(),
            preds: (0..model.interpretations.len()).map(pred).collect(),
        };
        let chosen = Backend::choose(None, ProcessOptions::default());
        let backend = chosen.expect("the embedded core is there").0;
        let mut solvers = || backend.solver(t, "check");
        match check_model(t, &system, &model, &mut solvers, limit) {
            Ok(()) => Said::Accepted,
            Err(ModelError::NotDecided { .. }) => Said::NotDecided,
            Err(ModelError::Refused { .. }) => Said::Refused,
            Err(ModelError::Malformed {
                flaw: Flaw::Declared(_),
                ..
            }) => Said::NoMeaning,
            Err(other) => panic!("{other}"),
        }
    }

    /// What the checker says where these lemmas are to hold, the conjuncts of one predicate, or
    /// each of another one.
    pub(super) fn lemmas(&self, lemmas: &[Term]) -> [Said; 2] {
        let limit = &Limit::none();
        [
            self.check(&[self.t.and(lemmas.iter().copied())], &[], limit),
            self.check(lemmas, &[], limit),
        ]
    }
}
