//! Datatypes by folds: models with functions that are defined by recursion, which the checker
//! accepts, and no verdict where folds do not suffice.

use crate::certified::{read, solve_certified};
use crate::corpus::corpus;
use horn::certify::{ModelError, check_model};
use horn::chc::{Answer, Interpretation, Model};
use horn::portfolio::{Choice, Options};
use horn::report::write_model;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Limit};
use horn::term::{Case, CtorId, FuncId, Sort, Term, Terms};
use horn::work::milliseconds;

/// More ticks than any of the systems needs that are solved.
const BUDGET: u64 = milliseconds(1_000);

fn backend() -> Backend {
    let chosen = Backend::choose(None, ProcessOptions::default());
    chosen.expect("the embedded core is there").0
}

/// More ticks than any of the systems needs whose folds are found on demand.
const BUDGET_ON_DEMAND: u64 = milliseconds(8_000);

/// The answer of the engine.
#[track_caller]
fn found(t: &Terms, text: &str, budget: u64) -> Answer {
    let system = read(t, text);
    let options = Options {
        engine: Choice::from_name("folds").expect("it is registered"),
        budget: Some(budget),
        ..Options::default()
    };
    solve_certified(t, &system, &backend(), &options).answer
}

/// Does the engine say what is expected, by a model with functions that are defined by recursion?
#[track_caller]
fn check(text: &str, expected: &str) {
    check_within(BUDGET, text, expected);
}

#[track_caller]
fn check_within(budget: u64, text: &str, expected: &str) {
    let t = Terms::new();
    let said = match found(&t, text, budget) {
        Answer::Sat(model) => {
            let bodies = model.interpretations.iter().map(|i| i.body);
            match t.defined_functions(bodies).is_empty() {
                true => "sat",
                false => "sat, by folds",
            }
        }
        Answer::Unsat(_) => panic!("unsat"),
        Answer::Unknown(_) => "open",
    };
    assert_eq!(said, expected, "{text}");
}

#[test]
fn programs_of_lists_and_trees() {
    for (file, expected) in [
        ("sat/adt/append-adds-lengths.smt2", "sat, by folds"),
        ("sat/adt/insertion-sort-keeps-length.smt2", "sat, by folds"),
        ("sat/adt/insertion-sort-sorts.smt2", "sat, by folds"),
        ("sat/adt/mirror-keeps-size.smt2", "sat, by folds"),
        ("sat/adt/queue-of-two-lists.smt2", "sat, by folds"),
        ("sat/adt/red-black-height.smt2", "sat, by folds"),
        ("sat/adt/expression-simplified.smt2", "sat, by folds"),
        ("sat/adt/member-of-append.smt2", "sat, by folds"),
        ("sat/adt/leftmost-path-parity.smt2", "sat, by folds"),
        ("sat/adt/binary-increment.smt2", "sat, by folds"),
        ("sat/adt/forest-mutual-recursion.smt2", "sat, by folds"),
    ] {
        check(&corpus(file), expected);
    }
}

/// Folds do not hide a derivation of `false`.
#[test]
fn wrong_programs_of_lists_and_trees_have_no_model() {
    for file in [
        "unsat/adt/append-claimed-shorter.smt2",
        "unsat/adt/insertion-sort-drops-equal.smt2",
        "unsat/adt/insertion-sort-wrong-way.smt2",
        "unsat/adt/mirror-copies-left.smt2",
        "unsat/adt/queue-keeps-back.smt2",
        "unsat/adt/red-black-single-nodes.smt2",
        "unsat/adt/expression-drops-one.smt2",
        "unsat/adt/member-of-second.smt2",
        "unsat/adt/leftmost-path-even.smt2",
        "unsat/adt/binary-increment-lost-carry.smt2",
    ] {
        let t = Terms::new();
        let answer = found(&t, &corpus(file), BUDGET);
        assert!(!matches!(answer, Answer::Sat(_)), "{file}");
    }
}

/// Automata of three states, two sums: no known set of folds has them.
#[test]
fn folds_are_found_on_demand() {
    for file in [
        "sat/adt/multiples-of-three.smt2",
        "sat/adt/letters-by-threes.smt2",
        "sat/adt/every-second-element.smt2",
        "sat/adt/red-under-red.smt2",
    ] {
        check_within(BUDGET_ON_DEMAND, &corpus(file), "sat, by folds");
    }
}

/// A derivation over folds that is one of the system.
#[test]
fn a_derivation_of_the_system_refutes_it() {
    let t = Terms::new();
    let answer = found(
        &t,
        &corpus("unsat/adt/multiples-of-three-apart.smt2"),
        BUDGET,
    );
    assert!(matches!(answer, Answer::Unsat(_)), "{}", answer.verdict());
}

/// Values that share parts, so that as trees they have 2^40 nodes.
#[test]
fn shared_values_are_walked_once() {
    let mut doubled = "(= y (node t40 (l y)))".to_owned();
    for level in (0..40).rev() {
        doubled = format!(
            "(let ((t{} (node t{level} t{level}))) {doubled})",
            level + 1
        );
    }
    let text = format!(
        "(declare-datatypes ((T 0)) (((leaf) (node (l T) (r T)))))
         (declare-fun p (T T) Bool)
         (assert (forall ((x T)) (p x x)))
         (assert (forall ((t0 T) (y T)) (=> (and (p t0 y) {doubled}) (p y t0))))
         (assert (forall ((x T) (y T)) (=> (and (p x y) (not (= x y))) false)))"
    );
    let t = Terms::new();
    let answer = found(&t, &text, BUDGET);
    assert!(!matches!(answer, Answer::Unsat(_)), "{}", answer.verdict());
}

const LIST: &str = "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))\n";

/// Tests, selectors, choices and disjunctions are taken apart into cases.
#[test]
fn values_are_taken_apart() {
    for (body, expected) in [
        // By selectors, for lists of which nothing else is known.
        (
            "(declare-fun p (List Int) Bool)
             (assert (forall ((l List)) (=> ((_ is nil) l) (p l 0))))
             (assert (forall ((l List) (n Int))
               (=> (and (not ((_ is nil) l)) (p (tail l) n)) (p l (+ n 1)))))
             (assert (forall ((l List) (n Int)) (=> (and (p l n) ((_ is cons) l) (< n 1)) false)))",
            "sat, by folds",
        ),
        // By a disjunction, a choice, and an inequality.
        (
            "(declare-fun p (List Int) Bool)
             (assert (forall ((l List) (n Int)) (=> (or (and (= l nil) (= n 0))
               (and (= l (cons n nil)) (> n 3))) (p l n))))
             (assert (forall ((k List) (h Int) (n Int) (b Bool)) (=> (p k n)
               (p (ite b (cons h k) k) (ite b (+ n 1) n)))))
             (assert (forall ((l List) (n Int)) (=> (and (p l n) (not (= l nil)) (< n 1)) false)))",
            "sat, by folds",
        ),
        // Equations that have no solution: a value is no part of itself.
        (
            "(declare-fun p (List) Bool)
             (assert (forall ((l List) (h Int)) (=> (= l (cons h l)) (p l))))
             (assert (forall ((l List)) (=> (and (p l) (= (cons 1 l) (cons 2 l))) (p (cons 3 l)))))
             (assert (forall ((l List)) (=> (p l) false)))",
            "sat",
        ),
        // That concatenation is a function is nothing that folds say.
        (
            "(declare-fun app (List List List) Bool)
             (declare-fun other (List List) Bool)
             (assert (forall ((l List)) (app nil l l)))
             (assert (forall ((h Int) (a List) (b List) (c List))
               (=> (app a b c) (app (cons h a) b (cons h c)))))
             (assert (forall ((h Int) (i Int) (a List) (b List))
               (=> (not (= h i)) (other (cons h a) (cons i b)))))
             (assert (forall ((h Int) (a List) (b List))
               (=> (other a b) (other (cons h a) (cons h b)))))
             (assert (forall ((a List) (b List) (c List) (d List))
               (=> (and (app a b c) (app a b d) (other c d)) false)))",
            "open",
        ),
    ] {
        check(&format!("{LIST}{body}"), expected);
    }
}

/// Names of a model's functions do not clash, and functions that refer to each other are printed in
/// one command.
#[test]
fn models_are_printed_with_their_functions() {
    let t = Terms::new();
    let text = "(declare-datatypes ((A 0) (B 0)) (((a) (ab (l B))) ((b) (ba (r A) (s A)))))
        (declare-fun size-A (A Int) Bool)
        (declare-fun size-B (B Int) Bool)
        (assert (size-A a 0))
        (assert (size-B b 0))
        (assert (forall ((x B) (n Int)) (=> (size-B x n) (size-A (ab x) (+ n 1)))))
        (assert (forall ((x A) (y A) (m Int) (n Int))
          (=> (and (size-A x m) (size-A y n)) (size-B (ba x y) (+ m n 1)))))
        (assert (forall ((x A) (m Int) (n Int))
          (=> (and (size-A x m) (size-A x n) (< m n)) false)))";
    let Answer::Sat(model) = found(&t, text, BUDGET) else {
        panic!("it has a model");
    };
    let mut printed = Vec::new();
    write_model(&mut printed, &t, &read(&t, text), &model).expect("memory takes it");
    let printed = String::from_utf8(printed).expect("it is text");
    assert!(printed.contains("define-funs-rec"), "{printed}");
    assert_eq!(printed.matches("(size-A (").count(), 0, "{printed}");
}

/// A definition of a function of lists: what it is at `nil`, and at `cons` of these fields.
fn length(t: &Terms, body: impl Fn(FuncId, Term, Term) -> (Term, Term)) -> (Sort, FuncId) {
    let id = t.declare_datatype(t.symbol("List"), &[]);
    let list = t.datatype(id).sort;
    let fields = vec![(t.symbol("head"), Sort::INT), (t.symbol("tail"), list)];
    t.define_datatype(id, &[(t.symbol("nil"), vec![]), (t.symbol("cons"), fields)]);
    let ctors: Vec<CtorId> = t.datatype(id).ctors().to_vec();
    let func = t.declare(t.symbol("f"), &[list], Sort::INT);
    let (head, tail) = (t.var("h", Sort::INT), t.var("t", list));
    let (empty, longer) = body(func, head, tail);
    let case = |ctor, params: &[Term], body| Case {
        ctor,
        params: params.into(),
        body,
    };
    t.define_by_cases(
        func,
        vec![
            case(ctors[0], &[], empty),
            case(ctors[1], &[head, tail], longer),
        ],
    );
    (list, func)
}

/// What the checker says of `p(x) ⟺ f(x) < 0` for a system that has no model, if `f` exists.
#[track_caller]
fn verdict(body: impl Fn(&Terms, FuncId, Term, Term) -> (Term, Term)) -> Result<(), ModelError> {
    let t = Terms::new();
    let (list, func) = length(&t, |func, head, tail| body(&t, func, head, tail));
    let pred = t.declare(t.symbol("p"), &[list], Sort::BOOL);
    let x = t.var("x", list);
    let atom = horn::chc::Atom {
        pred: horn::chc::PredId(0),
        args: vec![x],
    };
    let clause = |body: Vec<_>, head| horn::chc::Clause {
        vars: vec![x],
        body,
        constraint: Term::TRUE,
        head,
        origin: horn::chc::Origin::default(),
    };
    let system = horn::chc::System {
        preds: vec![horn::chc::Predicate {
            func: pred,
            span: horn::chc::Span::default(),
        }],
        clauses: vec![clause(vec![], Some(atom.clone())), clause(vec![atom], None)],
    };
    let model = Model {
        interpretations: vec![Interpretation {
            params: vec![x],
            body: t.lt(t.apply(func, &[x]), t.int(0)),
        }],
    };
    let backend = backend();
    let mut solvers = || backend.solver(&t, "check");
    check_model(&t, &system, &model, &mut solvers, &Limit::none())
}

/// What has no meaning proves nothing: the checker refuses functions whose definitions apply
/// functions to anything but a field.
#[test]
fn definitions_by_recursion_are_well_founded() {
    type Body = fn(&Terms, FuncId, Term, Term) -> (Term, Term);
    let malformed: [Body; 5] = [
        // f(cons(h, t)) = f(cons(h, t)) + 1
        |t, f, h, tail| {
            let list = t.datatype_of(t.sort_of(tail)).expect("a list");
            let cons = t.datatype(list).ctors()[1];
            let same = t.construct(cons, &[h, tail]);
            (t.int(0), t.add([t.apply(f, &[same]), t.int(1)]))
        },
        // f(nil) = f(nil) + 1
        |t, f, _, tail| {
            let list = t.datatype_of(t.sort_of(tail)).expect("a list");
            let nil = t.construct(t.datatype(list).ctors()[0], &[]);
            (t.add([t.apply(f, &[nil]), t.int(1)]), t.int(0))
        },
        // A variable that is no field.
        |t, f, _, tail| (t.int(0), t.apply(f, &[t.var("other", t.sort_of(tail))])),
        // A value of another sort.
        |t, _, _, _| (Term::TRUE, t.int(0)),
        // A function that is declared only.
        |t, _, h, _| {
            let g = t.declare(t.symbol("g"), &[Sort::INT], Sort::INT);
            (t.int(0), t.apply(g, &[h]))
        },
    ];
    for body in malformed {
        let said = verdict(body);
        assert!(
            matches!(said, Err(ModelError::Malformed { .. })),
            "{said:?}"
        );
    }
    // A function that exists: the model is not proved, since there is none.
    let said = verdict(|t, f, _, tail| (t.int(0), t.add([t.apply(f, &[tail]), t.int(1)])));
    assert!(
        matches!(said, Err(ModelError::NotDecided { .. })),
        "{said:?}"
    );
}
