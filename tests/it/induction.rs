//! Structural induction: models with functions and lemmas, which the checker accepts, and no lemma
//! that is not true.

use crate::certified::{read, solve_certified};
use crate::corpus::corpus;
use horn::certify::{ModelError, check_model};
use horn::chc::{
    Answer, Atom, Clause, Interpretation, Model, Origin, PredId, Predicate, Span, System,
};
use horn::portfolio::{Choice, Options};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Limit};
use horn::term::{Case, CtorId, FuncId, Sort, Term, Terms};
use horn::work::milliseconds;

/// More ticks than any of the systems needs that are solved.
const BUDGET: u64 = milliseconds(6_000);

fn backend() -> Backend {
    let chosen = Backend::choose(None, ProcessOptions::default());
    chosen.expect("the embedded core is there").0
}

/// What the engine says of a system: the number of lemmas of its model if it has one.
fn found(text: &str) -> Option<usize> {
    let t = Terms::new();
    let system = read(&t, text);
    let options = Options {
        engine: Choice::from_name("induction").expect("it is registered"),
        budget: Some(BUDGET),
        ..Options::default()
    };
    match solve_certified(&t, &system, &backend(), &options).answer {
        Answer::Sat(model) => {
            let bodies = model.interpretations.iter().map(|i| i.body);
            let conjuncts = bodies.flat_map(|body| t.conjuncts(body));
            let lemmas = conjuncts.filter(|&c| !t.split_forall(c).0.is_empty());
            Some(lemmas.count())
        }
        Answer::Unsat(_) => panic!("unsat"),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn programs_of_lists_numbers_and_trees() {
    for file in [
        "append-associative",
        "append-is-injective",
        "deal-and-interleave",
        "enqueue-appends",
        "half-of-double",
        "init-of-append",
        "insertion-keeps-order-of-naturals",
        "mirror-twice",
        "occurrences-after-reverse",
        "plus-commutes",
        "reverse-by-accumulator",
        "reverse-of-append",
        "reverse-twice",
        "subset-of-itself",
        "swapped-sums-have-same-value",
        "take-after-drop",
        "take-and-drop",
    ] {
        let lemmas = found(&corpus(&format!("sat/adt/{file}.smt2")));
        assert!(lemmas.is_some_and(|count| count > 0), "{file}: {lemmas:?}");
    }
    for file in [
        "append-commutes",
        "double-of-half",
        "drop-and-take",
        "merge-drops-equal",
        "reverse-once",
        "reverse-onto-one",
        "zipper-forgets-reverse",
    ] {
        assert_eq!(
            found(&corpus(&format!("unsat/adt/{file}.smt2"))),
            None,
            "{file}"
        );
    }
}

/// Lists with functions: `length`, and `same`, which copies its argument.
struct Lists {
    list: Sort,
    cons: CtorId,
    length: FuncId,
    same: FuncId,
}

fn lists(t: &Terms) -> Lists {
    let id = t.declare_datatype(t.symbol("List"), &[]);
    let list = t.datatype(id).sort;
    let fields = vec![(t.symbol("head"), Sort::INT), (t.symbol("tail"), list)];
    t.define_datatype(id, &[(t.symbol("nil"), vec![]), (t.symbol("cons"), fields)]);
    let (nil, cons) = (t.datatype(id).ctors()[0], t.datatype(id).ctors()[1]);
    let (head, tail) = (t.var("h", Sort::INT), t.var("t", list));
    let define = |func: FuncId, empty: Term, longer: Term| {
        let case = |ctor, params: &[Term], body| Case {
            ctor,
            params: params.into(),
            body,
        };
        let cases = vec![case(nil, &[], empty), case(cons, &[head, tail], longer)];
        t.define_by_cases(func, cases);
    };
    let length = t.declare(t.symbol("length"), &[list], Sort::INT);
    let longer = t.add([t.apply(length, &[tail]), t.int(1)]);
    define(length, t.int(0), longer);
    let same = t.declare(t.symbol("same"), &[list], list);
    let copied = t.construct(cons, &[head, t.apply(same, &[tail])]);
    define(same, t.construct(nil, &[]), copied);
    Lists {
        list,
        cons,
        length,
        same,
    }
}

/// Is what is said of all `y` of a sort a lemma? It is the whole interpretation of a predicate that
/// holds of every list, so the model is accepted if it is proved.
fn is_lemma_of(sort: fn(&Lists) -> Sort, said: fn(&Terms, &Lists, Term) -> Term) -> bool {
    let t = &Terms::new();
    let lists = lists(t);
    let (x, y) = (t.var("x", lists.list), t.var("y", sort(&lists)));
    let clause = Clause {
        vars: vec![x],
        body: vec![],
        constraint: Term::TRUE,
        head: Some(Atom {
            pred: PredId(0),
            args: vec![x],
        }),
        origin: Origin::default(),
    };
    let system = System {
        preds: vec![Predicate {
            func: t.declare(t.symbol("p"), &[lists.list], Sort::BOOL),
            span: Span::default(),
        }],
        clauses: vec![clause],
    };
    let model = Model {
        interpretations: vec![Interpretation {
            params: vec![x],
            body: t.forall(&[y], said(t, &lists, y)),
        }],
    };
    let backend = backend();
    let mut solvers = || backend.solver(t, "check");
    match check_model(t, &system, &model, &mut solvers, &Limit::none()) {
        Ok(()) => true,
        Err(ModelError::NotDecided { .. }) => false,
        Err(other) => panic!("{other}"),
    }
}

/// As `is_lemma_of`, for all lists.
fn is_lemma(said: fn(&Terms, &Lists, Term) -> Term) -> bool {
    is_lemma_of(|lists| lists.list, said)
}

/// The length of the list of one number.
fn length_of_single(t: &Terms, lists: &Lists, number: Term) -> Term {
    let datatype = t.datatype_of(lists.list).expect("a datatype");
    let empty = t.construct(t.datatype(datatype).ctors()[0], &[]);
    let single = t.construct(lists.cons, &[number, empty]);
    t.apply(lists.length, &[single])
}

/// A lemma whose first variable is no value of a datatype is one case.
#[test]
fn lemmas_about_numbers() {
    let number = |_: &Lists| Sort::INT;
    assert!(is_lemma_of(number, |t, lists, y| {
        t.eq(length_of_single(t, lists, y), t.int(1))
    }));
    assert!(!is_lemma_of(number, |t, lists, y| {
        t.le(length_of_single(t, lists, y), y)
    }));
}

#[test]
fn false_lemmas_prove_nothing() {
    let truths: [fn(&Terms, &Lists, Term) -> Term; 3] = [
        |t, l, y| t.eq(t.apply(l.same, &[y]), y),
        |t, l, y| {
            let same = t.apply(l.same, &[y]);
            t.eq(t.apply(l.length, &[same]), t.apply(l.length, &[y]))
        },
        |t, l, y| t.le(t.int(0), t.apply(l.length, &[t.apply(l.same, &[y])])),
    ];
    for (at, lemma) in truths.into_iter().enumerate() {
        assert!(is_lemma(lemma), "lemma {at}");
    }
    let others: [fn(&Terms, &Lists, Term) -> Term; 4] = [
        // It holds of short lists.
        |t, l, y| t.lt(t.apply(l.length, &[t.apply(l.same, &[y])]), t.int(3)),
        // The step holds, and the beginning does not.
        |t, l, y| t.le(t.int(1), t.apply(l.length, &[t.apply(l.same, &[y])])),
        |t, l, y| {
            let longer = t.construct(l.cons, &[t.int(0), y]);
            t.eq(t.apply(l.same, &[longer]), y)
        },
        // The beginning holds, and the step does not.
        |t, l, y| t.eq(t.apply(l.length, &[t.apply(l.same, &[y])]), t.int(0)),
    ];
    for (at, lemma) in others.into_iter().enumerate() {
        assert!(!is_lemma(lemma), "formula {at}");
    }
}

/// Datatypes that refer to each other have values of any size, but tests take small ones.
#[test]
fn values_of_two_kinds_of_trees_are_finite() {
    let text = corpus("open/mirror-of-two-kinds-of-trees.smt2");
    let t = Terms::new();
    let system = read(&t, &*text);
    let options = Options {
        engine: Choice::from_name("induction").expect("it is registered"),
        budget: Some(milliseconds(500)),
        ..Options::default()
    };
    let answer = solve_certified(&t, &system, &backend(), &options).answer;
    assert!(!matches!(answer, Answer::Unsat(_)), "{}", answer.verdict());
}

/// A table over many enumerations has too many cases for a definition.
#[test]
fn definitions_have_few_cases() {
    let count = 14;
    let names: Vec<String> = (0..count).map(|at| format!("x{at}")).collect();
    let params = |without: usize| -> String {
        let kept = (0..count).filter(|at| *at != without);
        kept.map(|at| format!("({} E)", names[at])).collect()
    };
    let fact = |own: usize| {
        let args = (0..count).map(|at| if at == own { "e0" } else { &names[at] });
        let args: Vec<&str> = args.collect();
        format!("(assert (forall ({}) (p {})))", params(own), args.join(" "))
    };
    let facts: String = (0..count).map(fact).collect();
    let text = format!(
        "(declare-datatypes ((E 0) (L 0)) (((e0) (e1) (e2) (e3) (e4)) ((nil) (cons (hd E) (tl L)))))
         (declare-fun p ({}) Bool) (declare-fun q (L) Bool)
         {facts}
         (assert (forall ((l L)) (q l)))
         (assert (forall ({}(l L)) (=> (and (p {}) (q l) (= x0 e1) (= l nil)) (q l))))
         (assert (forall ((l L)) (=> (and (q l) (= l (cons e0 l))) false)))",
        "E ".repeat(count),
        params(count),
        names.join(" "),
    );
    let _ = found(&text);
}
