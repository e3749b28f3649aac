//! Congruence, constants, constructors and arrays.

use super::*;

/// What congruence, constants and constructors say, without arrays.
#[test]
fn closures_of_equations() {
    let right: &[&[Row]] = &[
        &[("e", "(both-u u u)")],
        &[
            ("-e", "(both-u u v)"),
            ("-e", "(both-u v o)"),
            ("e", "(both-u u o)"),
        ],
        &[("-e", "(both-u u v)"), ("e", "(both-u (g u) (g v))")],
        &[
            ("-e", "(both-u u v)"),
            ("f", "(of-u u)"),
            ("-f", "(of-u v)"),
        ],
        &[("-e", "(both-i x 1)"), ("-e", "(both-i x 2)")],
        &[
            ("-e", "(both-w w1 empty)"),
            ("-e", "(both-w w1 (link x w2))"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("-e", "(both-w w2 (link y w1))"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("-e", "(both-w w1 (link y w2))"),
            ("e", "(both-i x y)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-i (hd w1) x)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-w (tl w1) w2)"),
        ],
        &[("-e", "(both-w w1 (link x w2))"), ("f", "((_ is link) w1)")],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("-f", "((_ is empty) w1)"),
        ],
    ];
    let wrong: &[&[Row]] = &[
        &[],
        &[("e", "(both-u u v)")],
        &[("-e", "(both-u u u)")],
        &[("-e", "(both-u u v)"), ("e", "(both-u u o)")],
        &[
            ("-e", "(both-u u v)"),
            ("-e", "(both-u v o)"),
            ("-e", "(both-u u o)"),
        ],
        &[("e", "(both-u (g u) (g v))")],
        &[("-e", "(both-u (g u) (g v))"), ("e", "(both-u u v)")],
        &[("-e", "(both-u u v)"), ("f", "(of-u u)"), ("f", "(of-u v)")],
        &[("f", "(of-u u)"), ("-f", "(of-u v)")],
        &[("-e", "(both-i x 1)"), ("-e", "(both-i y 2)")],
        &[("-e", "(both-i x 1)"), ("-e", "(both-i x y)")],
        &[("-e", "(both-w w1 empty)")],
        &[("-e", "(both-w w1 (link x w2))")],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-i (hd w1) y)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-i (hk w1) x)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("-f", "((_ is link) w1)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("f", "((_ is empty) w1)"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m2 x) y)"),
        ],
    ];
    let rule = |_: &Terms, _| (vec![], Justification::Closure);
    check_table(rule, &[("true", right, wrong)]);
}

/// What is read from arrays: an index is passed over by a store to another one that differs.
#[test]
fn closures_with_arrays() {
    let right: &[&[Row]] = &[
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m2 x) y)"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i x z)"),
            ("e", "(both-i (select m2 z) (select m1 z))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i z x)"),
            ("e", "(both-i (select m1 z) (select m2 z))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 1 y))"),
            ("e", "(both-i (select m2 2) (select m1 2))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x 5))"),
            ("-e", "(both-i x 1)"),
            ("-e", "(both-i y 2)"),
            ("e", "(both-i (select m2 y) (select m1 y))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("-e", "(both-m m3 (store m1 z y))"),
            ("e", "(both-i x 7)"),
            ("e", "(both-i z 7)"),
            ("e", "(both-i (select m2 7) (select m3 7))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 p y))"),
            ("e", "(both-i (select n2 (not p)) (select n1 (not p)))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 (not p) y))"),
            ("e", "(both-i (select n2 p) (select n1 p))"),
        ],
        &[
            ("-e", "(both-c c2 (store c1 (link x w1) y))"),
            ("e", "(both-i (select c2 empty) (select c1 empty))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 p y))"),
            ("-e", "(both-p q (not p))"),
            ("e", "(both-i (select n2 q) (select n1 q))"),
        ],
        &[
            ("-e", "(both-c c2 (store c1 w1 y))"),
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-i (select c2 empty) (select c1 empty))"),
        ],
    ];
    let wrong: &[&[Row]] = &[
        &[
            ("-e", "(both-n n2 (store n1 p y))"),
            ("f", "(both-p (not p) q)"),
            ("e", "(both-i (select n2 q) (select n1 q))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 q y))"),
            ("e", "(both-i (select n2 (not p)) (select n1 (not p)))"),
        ],
        &[
            ("-e", "(both-c c2 (store c1 w1 y))"),
            ("-e", "(both-w w2 (link x empty))"),
            ("e", "(both-i (select c2 empty) (select c1 empty))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m2 z) y)"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m1 x) y)"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m2 z) (select m1 z))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("-e", "(both-i x z)"),
            ("e", "(both-i (select m2 z) (select m1 z))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 1 y))"),
            ("e", "(both-i (select m2 1) (select m1 1))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x 5))"),
            ("-e", "(both-i x 1)"),
            ("e", "(both-i (select m2 y) (select m1 y))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x 5))"),
            ("-e", "(both-i x 1)"),
            ("-e", "(both-i y 1)"),
            ("e", "(both-i (select m2 y) (select m1 y))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("-e", "(both-m m3 (store m1 z y))"),
            ("e", "(both-i x 7)"),
            ("e", "(both-i (select m2 7) (select m3 7))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 p y))"),
            ("e", "(both-i (select n2 q) (select n1 q))"),
        ],
        &[
            ("-e", "(both-k k2 (store k1 u y))"),
            ("e", "(both-u u o)"),
            ("e", "(both-i (select k2 v) (select k1 v))"),
        ],
        &[
            ("-e", "(both-c c2 (store c1 (link x w1) y))"),
            (
                "e",
                "(both-i (select c2 (link z w1)) (select c1 (link z w1)))",
            ),
        ],
        &[
            ("-e", "(both-c c2 (store c1 w2 y))"),
            ("e", "(both-i (select c2 empty) (select c1 empty))"),
        ],
    ];
    let rule = |_: &Terms, _| (vec![], Justification::Arrays);
    check_table(rule, &[("true", right, wrong)]);
}

/// Every value of a datatype is built by one of its constructors.
#[test]
fn constructors_are_exhaustive() {
    let all: &[Row] = &[
        ("f", "((_ is empty) w1)"),
        ("f", "((_ is link) w1)"),
        ("f", "((_ is knot) w1)"),
    ];
    let negated: &[Row] = &[("-f", "((_ is empty) w1)"), all[1], all[2]];
    let others: &[Row] = &[all[0], all[1], ("f", "((_ is knot) w2)")];
    let tables: [Table; 2] = [
        (
            "(both-w w1 w2)",
            &[all],
            &[&all[..2], &all[1..], &[all[0], all[2]], negated, others],
        ),
        ("(both-i x y)", &[], &[all]),
    ];
    let rule = |t: &Terms, f| (vec![], Justification::Exhaustive(pair(t, f).0));
    check_table(rule, &tables);
}

/// A term that a constructor builds is what that builds of the term's fields.
#[test]
fn constructor_terms_are_expanded() {
    let rebuilt: Row = ("e", "(both-w w1 (link (hd w1) (tl w1)))");
    let is_no_link: Row = ("-f", "((_ is link) w1)");
    let tables: [Table; 3] = [
        (
            "(both-w w1 (link x w2))",
            &[&[rebuilt, is_no_link]],
            &[
                &[rebuilt],
                &[is_no_link],
                &[rebuilt, ("f", is_no_link.1)],
                &[("-e", rebuilt.1), is_no_link],
                &[rebuilt, ("-f", "((_ is empty) w1)")],
            ],
        ),
        // Of a constructor term nothing is implied.
        ("(both-w (link x w1) (link x w1))", &[], &[&[]]),
        ("(both-iw x (link x w2))", &[], &[&[rebuilt, is_no_link]]),
    ];
    let rule = |t: &Terms, f| {
        let (x, built) = pair(t, f);
        let Op::Construct(ctor) = t.op(built) else {
            panic!("it is a constructor term");
        };
        (vec![], Justification::Expand(x, ctor))
    };
    check_table(rule, &tables);
}

/// Two arrays are equal or differ at their difference. An array differs from itself nowhere.
#[test]
fn arrays_differ_somewhere() {
    let t = Terms::new();
    let formulas = formulas_with(&t, DECLARATIONS, "(both-m m1 m2) (both-u u v)");
    let (x, y) = pair(&t, formulas[0]);
    // As a search names it.
    let (first, last) = (x.min(y), x.max(y));
    let name = format!("difference\\{},{}", first.index(), last.index());
    let index = t.var(&name, Sort::INT);
    let flaw = |rule: Justification, literals: &[(ProofAtom, bool)]| {
        let atoms = literals.iter().map(|(atom, _)| atom.clone()).collect();
        let literals = (0..).zip(literals);
        let clause = literals.map(|(atom, &(_, positive))| Literal { atom, positive });
        let clause: Box<[Literal]> = clause.collect();
        let why = Why::Input { rule, part: 0 };
        let steps = vec![ProofStep { clause, why }];
        check(&t, &[], &[], &Proof { atoms, steps })
            .expect_err("nothing is contradictory")
            .flaw
    };
    let rule = Justification::Extensionality(x, y);
    let equal = ProofAtom::Equal(x, y);
    let same = |i: Term| ProofAtom::Formula(t.eq(t.select(x, i), t.select(y, i)));
    let right = [(equal.clone(), true), (same(index), false)];
    assert_eq!(flaw(rule, &right), Flaw::Open);
    for wrong in [
        &right[..1],
        &right[1..],
        &[(equal.clone(), false), (same(index), false)],
        &[(equal.clone(), true), (same(index), true)],
        &[(equal, true), (same(t.int(0)), false)],
    ] {
        assert_eq!(flaw(rule, wrong), Flaw::Justification, "{wrong:?}");
    }
    assert_eq!(
        flaw(Justification::Extensionality(x, x), &[]),
        Flaw::Justification
    );
    // What is no array has no elements.
    let (u, v) = pair(&t, formulas[1]);
    let equal = [(ProofAtom::Equal(u, v), true)];
    assert_eq!(
        flaw(Justification::Extensionality(u, v), &equal),
        Flaw::Justification
    );
}
