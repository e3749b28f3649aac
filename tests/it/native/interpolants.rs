//! Interpolants: implied by what is before them, contradictory with what follows, over symbols of
//! both.

use super::session::{formulas, formulas_with, proving};
use horn::logic::interpolate::{Interpolation, check};
use horn::smt::native::{self, Budget, NativeOptions, NativeSolver};
use horn::smt::{
    Backend, Failure, InterpolationOptions, Limit, NoInterpolants, PartTree, SatResult, Solver,
    Strength,
};
use horn::term::{Op, Term, TermSet, Terms};

/// The ways of interpolation.
const WAYS: [(Strength, bool); 4] = [
    (Strength::Strong, false),
    (Strength::Strong, true),
    (Strength::Weak, false),
    (Strength::Weak, true),
];

fn options((strength, decompose): (Strength, bool)) -> InterpolationOptions {
    InterpolationOptions {
        strength,
        decompose,
        ..InterpolationOptions::default()
    }
}

/// Interpolants of a sequence of parts by the embedded core.
fn interpolants(
    t: &Terms,
    parts: &[Vec<Term>],
    options: &InterpolationOptions,
) -> Result<Vec<Term>, NoInterpolants> {
    let interpolation = Interpolation {
        terms: t,
        backend: &Backend::native(NativeOptions::default()),
        limit: Limit::none(),
        name: "test",
        options: *options,
    };
    interpolation.sequence_interpolants(parts)
}

/// Do formulas contradict each other?
fn contradict(t: &Terms, formulas: &[Term]) -> bool {
    let mut solver = NativeSolver::new(t, &proving());
    solver.check(format_args!("is it an interpolant?"), formulas) == SatResult::Unsat
}

/// The constants and functions in formulas.
fn symbols(t: &Terms, formulas: &[Term]) -> Vec<Op> {
    let all = t.post_order(formulas.iter().copied()).map(|x| t.op(x));
    all.filter(|op| matches!(op, Op::Var(_) | Op::Apply(_)))
        .collect()
}

/// Interpolants between parts that are written with `|` between them, in a way that was judged.
#[track_caller]
fn interpolate(t: &Terms, text: &str, way: (Strength, bool)) -> Result<Vec<Term>, NoInterpolants> {
    let parts: Vec<Vec<Term>> = text.split('|').map(|part| formulas(t, part)).collect();
    interpolate_parts(t, text, &parts, way)
}

/// Interpolants between the parts of a text, in a way that was judged.
#[track_caller]
fn interpolate_parts(
    t: &Terms,
    text: &str,
    parts: &[Vec<Term>],
    way: (Strength, bool),
) -> Result<Vec<Term>, NoInterpolants> {
    let found = interpolants(t, parts, &options(way))?;
    assert_eq!(found.len() + 1, parts.len(), "{text}");
    for (i, part) in parts.iter().enumerate() {
        // With the interpolant before it, a part implies the one behind it; the last implies
        // falsity.
        let mut question = part.clone();
        question.extend(i.checked_sub(1).map(|before| found[before]));
        question.extend(found.get(i).map(|&behind| t.not(behind)));
        assert!(
            contradict(t, &question),
            "{way:?}: part {i} of {text}: {}",
            texts(t, &found)
        );
    }
    for (i, &interpolant) in found.iter().enumerate() {
        let (left, right) = (
            symbols(t, &parts[..=i].concat()),
            symbols(t, &parts[i + 1..].concat()),
        );
        let own = symbols(t, &[interpolant]);
        let shared = own.iter().all(|op| left.contains(op) && right.contains(op));
        assert!(shared, "{way:?}: {text}: {}", texts(t, &found));
    }
    Ok(found)
}

fn texts(t: &Terms, formulas: &[Term]) -> String {
    let texts: Vec<String> = formulas.iter().map(|&f| t.display(f).to_string()).collect();
    texts.join(" ")
}

/// Contradictions of two and more parts, in all ways.
#[test]
fn interpolants_are_such() {
    for text in [
        "(< x y) | (< y x)",
        "(< x y) (< y z) | (< z w) (< w x)",
        "(= x y) (= y 3) | (= x z) (> z 4)",
        "p (=> p q) | (not q)",
        "(or p q) (not p) | (=> q (> x 0)) (< x 0)",
        "(or (< x 1) (< x 2)) | (> x 3)",
        "(or (and p (< x 1)) (and q (< x 2))) | (> x 3) (or p q)",
        "(= r (* 2.0 s)) (> s 1.0) | (< r 2.0)",
        "(<= r s) | (<= s (- r 0.5))",
        "(> r 0.0) (> s 0.0) | (< (+ r s) 0.0)",
        "false | p",
        "p | false",
        "(= u v) | (= v o) (not (= u o))",
        "(= u v) (= v o) | (not (= u o))",
        "(= (ite p x y) 3) (= x 3) (= y 3) (< z (ite p x y)) | (> z 5)",
        "(= z (ite p 1 2)) | (> z 3)",
        "(= z (mod x 5)) | (>= z 5)",
        "(= z (abs x)) | (< z 0)",
        "(= r (to_real x)) | (< 0.0 r 1.0)",
        // A sequence: the part between has symbols of both sides.
        "(= x 0) | (= y (+ x 1)) | (= z (+ y 1)) | (> z 2)",
        "(= x 0) | (or (= y (+ x 1)) (= y (+ x 2))) | (or (= z (+ y 1)) (= z (+ y 2))) | (> z 4)",
        "(> x 0) | (= y (* 2 x)) | p | (< y 2)",
        "p | (=> p q) | (not q) | (> x 0)",
        "(= r 0.0) | (= s (+ r 0.5)) | (< (* 2.0 s) 1.0)",
        // Cuts have symbols of both sides: interpolants need quotients.
        "(= z (* 2 x)) | (= z (+ 1 (* 2 y)))",
        "(or (= z (* 6 x)) (= z (+ 3 (* 6 x)))) | (or (= z (+ 1 (* 3 y))) (= z (+ 2 (* 3 y))))",
        "(= z (* 2 x)) (= w (* 2 y)) | (= (+ z w) 7)",
        "(= z (* 4 x)) | (= w (+ z 2)) | (= w (* 4 y))",
        "(<= (* 3 x) z (+ (* 3 x) 1)) | (= z (+ (* 3 y) 2))",
        "(= (to_real (* 2 x)) (+ r 0.5)) | (= r (to_real y))",
    ] {
        for way in WAYS {
            let t = Terms::new();
            if let Err(why) = interpolate(&t, text, way) {
                panic!("{way:?}: {text}: {why}");
            }
        }
    }
}

/// The symbols of [`equations_of_both_sides`]: those with `a`, `b`, `c` are of one part each.
const SIDES: &str = "(declare-sort U 0)(declare-datatypes ((T 0)) (((leaf) (node (left T) (val U) (right T)))))\
    (declare-const a U)(declare-const a2 U)(declare-const b U)(declare-const b2 U)(declare-const c U)\
    (declare-const s U)(declare-const s2 U)(declare-const s3 U)\
    (declare-fun f (U) U)(declare-fun g (U U) U)(declare-fun p (U) Bool)(declare-fun fa (U) U)(declare-fun fb (U) U)\
    (declare-const ta T)(declare-const ta2 T)(declare-const tb T)(declare-const tb2 T)(declare-const t1 T)(declare-const t2 T)\
    (declare-const ia Int)(declare-const ia2 Int)(declare-const ib Int)(declare-const ib2 Int)(declare-const i Int)\
    (declare-const j Int)(declare-fun k (Int) Int)(declare-fun q (Int) Bool)(declare-fun u (Int) U)\
    (declare-const ra Real)(declare-const rb Real)(declare-fun h (Real) Real)\
    (declare-const ma (Array Int Int))(declare-const mb (Array Int Int))(declare-const m (Array Int Int))\
    (declare-const n (Array Int Int))";

/// Clauses and literals of equality with symbols of both sides alone.
#[test]
fn equations_of_both_sides() {
    for text in [
        // Congruence: paths over shared terms, and over applications of shared functions.
        "(= a s) (= (f a) a2) (p a2) | (= b s) (= (f b) b2) (not (p b2))",
        "(= a s) (= a2 s2) (p (g a a2)) | (= b s) (= b2 s2) (not (p (g b b2)))",
        "(= a s) (= (f (f a)) s2) | (= b s) (= (f b) b2) (distinct (f b2) s2)",
        "(= (f a) s) (= a s2) (= s3 (f s)) | (= b s2) (distinct (f (f b)) s3)",
        "(= a s) (= (f (f (f a))) a) (= (f (f (f (f (f a))))) a) | (= b s) (distinct (f b) b)",
        // Functions of one side.
        "(= (fa s) s2) (= (fa s3) a) (p a) | (= s s3) (not (p s2))",
        "(= s s3) (= (fb s) b) (not (p b)) | (= (fb s3) s2) (p s2) (= (fa s2) a)",
        // The contradiction is in the first part, in the second, in none.
        "(distinct a a2) (= a s) (= a2 s2) | (= s b) (= b s2)",
        "(= a s) (= a s2) | (= s b) (distinct b s2)",
        "(= a s) (= a2 s2) (distinct a a2) | (= s b) (= s2 b)",
        // Disjunctions, so that literals that equate terms of both sides may be decided.
        "(or (= a s) (= a s2)) (p (f a)) | (= b s) (= b2 s2) (not (p (f b))) (not (p (f b2)))",
        "(or (= a s) (= a s2)) (or (= a2 s2) (= a2 s3)) (distinct (g a a2) s) | (= (g s s2) s) (= (g s s3) s) \
            (= (g s2 s2) s) (= (g s2 s3) s)",
        // Constructors.
        "(= t1 (node ta a ta2)) (p a) | (= t1 (node tb b tb2)) (not (p b))",
        "(= t1 (node ta a ta2)) | (= t1 leaf)",
        "(= t1 (node ta a ta2)) (= ta t2) | (= (left t1) tb) (distinct tb t2)",
        "(= t1 (node ta a (node t2 a2 ta2))) | (= t2 (node tb b t1))",
        "((_ is node) t1) (= (val t1) a) (p a) | (= t1 (node tb b tb2)) (not (p b))",
        "(= t1 (node ta a t2)) (= ta leaf) | (= t1 (node tb b tb2)) (not (and ((_ is leaf) tb) (= tb2 t2)))",
        // Numbers as arguments: literals that equate numbers of both sides, as bounds as well.
        "(= ia i) (q ia) | (= ib i) (not (q ib))",
        "(= ia (+ i 1)) (= (k ia) ia2) (> ia2 3) | (= ib (+ i 1)) (= (k ib) ib2) (< ib2 3)",
        "(<= i ia) (<= ia j) (q ia) | (<= j ib) (<= ib i) (not (q ib))",
        "(= (* 2 ia) i) (= (k (+ ia 1)) 3) | (= i (* 2 ib)) (= (k (+ ib 1)) 4)",
        "(= (+ ia i) j) (= (k (+ ia 5)) 3) | (= (- j i) ib) (< (k (+ ib 5)) 0)",
        "(= ra (+ (to_real i) 0.5)) (> (h ra) 1.0) | (= (* 2.0 rb) (+ (* 2.0 (to_real i)) 1.0)) (< (h rb) 0.5)",
        "(<= 0 ia 1) (p (u ia)) | (<= 0 i 1) (not (p (u 0))) (not (p (u 1)))",
        "(<= 0 ia 1) (= a (u ia)) (p a) | (= (u 0) b) (= (u 1) b2) (not (p b)) (not (p b2))",
        // More parts.
        "(= a s) (p (f a)) | (= s b) (= s2 b) | (= c s2) (not (p (f c)))",
        "(= t1 (node ta a ta2)) (p a) | (= s (val t1)) (= s b) | (= c s) (not (p c))",
        "(= ia i) (q ia) | (= i ib) (= j ib) | (= ia2 j) (not (q ia2))",
        // Arrays, where what they are read at is shared.
        "(= ma m) (= (select ma i) ia) (> ia 3) | (= mb m) (= (select mb i) ib) (< ib 2)",
        "(= m (store ma i 3)) (= (select ma j) 4) (distinct i j) | (= mb m) (distinct (select mb i) 3)",
    ] {
        for way in WAYS {
            let t = Terms::new();
            // In one reading, so that all parts have the same functions.
            let parts = text.split('|').map(|part| format!("(and {part} true)"));
            let parts = formulas_with(&t, SIDES, &parts.collect::<Vec<_>>().join(" "));
            let parts: Vec<Vec<Term>> = parts.into_iter().map(|part| vec![part]).collect();
            if let Err(why) = interpolate_parts(&t, text, &parts, way) {
                panic!("{way:?}: {text}: {why}");
            }
        }
    }
}

/// Strong ones are near to what is before, weak ones to the negation of what follows; decomposed
/// ones are even nearer.
#[test]
fn interpolants_have_a_strength() {
    // In the order of the ways; where decomposition changes nothing, `same`.
    let same = "";
    for (text, expected) in [
        (
            "(< x y) | (< y x)",
            [
                "(<= 1 (+ (* (- 1) x) y))",
                same,
                "(<= 0 (+ (* (- 1) x) y))",
                same,
            ],
        ),
        ("(> x 5) | (< x 3)", ["(<= 6 x)", same, "(<= 3 x)", same]),
        (
            "p q | (or (not p) (not q))",
            ["(and q p)", same, "(and p q)", same],
        ),
        (
            "(or p q) | (not p) (not q)",
            ["(or p q)", same, "(or p q)", same],
        ),
        (
            "(> x 5) (> y 4) | (< (+ x y) 3)",
            ["(and (<= 5 y) (<= 6 x))", same, "(<= 3 (+ x y))", same],
        ),
        (
            "(> x z) (> z 5) (> y w) (> w 4) | (< (+ x y) 3)",
            [
                "(<= 13 (+ x y))",
                "(and (<= 7 x) (<= 6 y))",
                "(<= 3 (+ x y))",
                same,
            ],
        ),
        (
            "(< (+ x y) 3) | (> x z) (> z 5) (> y w) (> w 4)",
            [
                "(<= (+ x y) 2)",
                same,
                "(< (+ x y) 13)",
                "(or (< y 6) (< x 7))",
            ],
        ),
    ] {
        for (number, way) in WAYS.into_iter().enumerate() {
            let expected = match expected[number] {
                "" => expected[number - 1],
                own => own,
            };
            let t = Terms::new();
            let found = interpolate(&t, text, way).expect("interpolants");
            assert_eq!(texts(&t, &found), expected, "{way:?}: {text}");
        }
    }
    // For every contradiction: the decomposed strong one implies the strong one, that the weak one,
    // and that the decomposed weak one.
    for text in [
        "(< x y) (< y z) | (< z w) (< w x)",
        "(or p (> x 3)) (or (not p) (> x 4)) | (< x 2)",
        "(> x 5) (> y 4) | (< (+ x y) 3)",
        "(> x z) (> z 5) (> y 4) | (> w (+ x y)) (< w 3)",
    ] {
        let t = Terms::new();
        let [strong, decomposed, weak, weakest] =
            WAYS.map(|way| interpolate(&t, text, way).expect("interpolants")[0]);
        for (stronger, weaker) in [(decomposed, strong), (strong, weak), (weak, weakest)] {
            assert!(
                contradict(&t, &[stronger, t.not(weaker)]),
                "{text}: {}",
                texts(&t, &[stronger, weaker])
            );
        }
    }
}

/// In a tree with branches, weak interpolants are such, and are no strong ones.
#[test]
fn branches_have_weak_interpolants() {
    let t = Terms::new();
    let nodes: Vec<Vec<Term>> = [
        "p (or q (> x 0))",
        "q (or p (> y 0))",
        "(or (not p) (not q))",
    ]
    .map(|node| formulas(&t, node))
    .into();
    let tree = PartTree::new(vec![2, 2]).expect("a tree");
    let backend = Backend::native(proving());
    let run = |strength| {
        let interpolation = Interpolation {
            terms: &t,
            backend: &backend,
            limit: Limit::none(),
            name: "test",
            options: options((strength, false)),
        };
        let found = interpolation.tree_interpolants(&tree, &nodes);
        let found = found.expect("interpolants");
        let right = check(&t, &backend, &Limit::none(), &tree, &nodes, &found);
        assert_eq!(right, Ok(true), "{strength:?}: {}", texts(&t, &found));
        found
    };
    let (strong, weak) = (run(Strength::Strong), run(Strength::Weak));
    assert!(contradict(&t, &[strong[0], t.not(weak[0])]));
    assert!(!contradict(&t, &[weak[0], t.not(strong[0])]));
    // The parts may also be true together.
    let nodes: Vec<Vec<Term>> = ["p", "q", "(or p q)"].map(|f| formulas(&t, f)).into();
    let weak = native::interpolants(
        &t,
        &tree,
        &nodes,
        &options((Strength::Weak, false)),
        &Limit::none(),
    );
    assert_eq!(weak, Err(NoInterpolants::Satisfiable));
}

#[test]
fn there_may_be_none() {
    let t = Terms::new();
    let run = |text: &str, options: &InterpolationOptions| {
        let parts: Vec<Vec<Term>> = text.split('|').map(|part| formulas(&t, part)).collect();
        interpolants(&t, &parts, options)
    };
    let usual = InterpolationOptions::default();
    assert_eq!(
        run("(< x y) | (< y z)", &usual),
        Err(NoInterpolants::Satisfiable)
    );
    let unknown = run("(forall ((k Int)) (< (f k) x)) | p (not p)", &usual);
    assert!(
        matches!(
            unknown,
            Err(NoInterpolants::Unknown(Failure::Unsupported(_)))
        ),
        "{unknown:?}"
    );
    let budget = Budget {
        splits: 0,
        ..Budget::default()
    };
    let limited = run(
        "(< 27 (+ (* 11 x) (* 13 y)) 45) | (< (- 10) (- (* 7 x) (* 9 y)) 4)",
        &InterpolationOptions { budget, ..usual },
    );
    assert!(
        matches!(
            limited,
            Err(NoInterpolants::Unknown(Failure::Incomplete(_)))
        ),
        "{limited:?}"
    );
    let one_part = run("p (not p)", &usual).expect("no cut, no interpolant");
    assert!(one_part.is_empty());
}

/// What is shared by many is written once.
#[test]
fn long_sequences_stay_small() {
    let t = Terms::new();
    let steps: Vec<String> = (0..30)
        .map(|i| format!("(= x{} (+ x{i} 1))", i + 1))
        .collect();
    let declare: String = (0..=30)
        .map(|i| format!("(declare-const x{i} Int)"))
        .collect();
    let all: Vec<Term> = super::session::formulas_with(
        &t,
        &declare,
        &format!("(= x0 0) {} (> x30 30)", steps.join(" ")),
    );
    let parts: Vec<Vec<Term>> = all.iter().map(|&f| vec![f]).collect();
    let found = interpolants(&t, &parts, &InterpolationOptions::default());
    let found = found.expect("interpolants");
    let distinct: TermSet = found.iter().copied().collect();
    assert_eq!(distinct.len(), 31);
    let text: Vec<String> = found.iter().map(|&f| t.display(f).to_string()).collect();
    assert_eq!(text[7], "(<= x7 7)");
}
