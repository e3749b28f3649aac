//! The checker of models against what is almost right: definitions without a meaning, lemmas that
//! are not true, and lemmas that would follow from each other.

mod world;

use horn::smt::Limit;
use horn::term::{FuncId, Sort, Term};
use world::{Said, World, world};

/// A function that has a definition, which may be wrong.
type Definition = fn(&World) -> FuncId;

/// A function of a list and a number, with this value at `cons(head, tail), n`.
fn at_cons(w: &World, longer: fn(&World, FuncId, &[Term]) -> Term) -> FuncId {
    let f = w.declare("f", &[w.list, Sort::INT], Sort::INT);
    w.define(f, [&|c| c[0], &|c| longer(w, f, c)]);
    f
}

#[test]
fn definitions_without_a_meaning_are_refused() {
    let wrong: [Definition; 12] = [
        // The argument stays, while a number goes down or a list is put into a result.
        |w| {
            at_cons(w, |w, f, c| {
                w.t.add([w.t.apply(f, &[w.cons(c[0], c[1]), c[2]]), w.t.int(1)])
            })
        },
        |w| {
            at_cons(w, |w, f, c| {
                w.t.apply(f, &[w.cons(c[0], c[1]), w.t.add([c[2], w.t.int(-1)])])
            })
        },
        // It is another list, or the list of a field that was read.
        |w| at_cons(w, |w, f, c| w.t.apply(f, &[w.cons(c[2], c[1]), c[0]])),
        |w| {
            at_cons(w, |w, f, c| {
                let tail = w.t.ctor(w.ctors(w.list)[1]).fields[1];
                w.t.apply(f, &[w.t.field(tail, w.nil()), c[2]])
            })
        },
        // The arguments change places and do not get smaller.
        |w| {
            let f = w.declare("f", &[w.list, w.list], Sort::INT);
            let swapped = |c: &[Term]| {
                let value = w.t.apply(f, &[c[2], w.cons(c[0], c[1])]);
                w.t.add([value, w.t.int(1)])
            };
            w.define(f, [&|_| w.t.int(0), &swapped]);
            f
        },
        // In the condition of a choice, and in an argument.
        |w| {
            at_cons(w, |w, f, c| {
                let whole = w.t.apply(f, &[w.cons(c[0], c[1]), c[2]]);
                w.t.ite(w.t.le(whole, w.t.int(0)), w.t.int(1), w.t.int(0))
            })
        },
        |w| {
            at_cons(w, |w, f, c| {
                let whole = w.t.apply(f, &[w.cons(c[0], c[1]), c[2]]);
                w.t.apply(f, &[c[1], w.t.add([whole, w.t.int(1)])])
            })
        },
        // By way of another function, which hands the list on.
        |w| {
            let f = w.declare("f", &[w.list], Sort::INT);
            let g = w.declare("g", &[w.list, w.list], Sort::INT);
            w.define(
                f,
                [&|_| w.t.int(0), &|c| {
                    w.t.apply(g, &[c[1], w.cons(c[0], c[1])])
                }],
            );
            let back =
                |place: usize| move |c: &[Term]| w.t.add([w.t.apply(f, &[c[place]]), w.t.int(1)]);
            w.define(g, [&back(0), &back(2)]);
            f
        },
        // Subtrees in arrays.
        |w| {
            let f = w.declare("f", &[w.wide], Sort::INT);
            let inner = |c: &[Term]| {
                let kid = w.t.select(c[0], w.t.int(0));
                w.t.add([w.t.apply(f, &[kid]), w.t.int(1)])
            };
            w.define(f, [&|_| w.t.int(0), &inner]);
            f
        },
        // A case is missing, or the cases are those of another order.
        |w| {
            let f = w.declare("f", &[w.list], Sort::INT);
            let case = w.case(f, w.ctors(w.list)[0], &|_| w.t.int(0));
            w.t.define_by_cases(f, vec![case]);
            f
        },
        |w| {
            let f = w.declare("f", &[w.list], Sort::INT);
            let cases = [1, 0].map(|at| w.case(f, w.ctors(w.list)[at], &|_| w.t.int(0)));
            w.t.define_by_cases(f, cases.into());
            f
        },
        // A variable that is none of the parameters.
        |w| at_cons(w, |w, _, _| w.t.var("free", Sort::INT)),
    ];
    for (at, definition) in wrong.into_iter().enumerate() {
        let w = &world();
        let f = definition(w);
        let args =
            w.t.func(f)
                .params
                .iter()
                .map(|&sort| w.t.fresh_var("y", sort));
        let args: Vec<Term> = args.collect();
        let lemma = w.t.forall(&args, w.t.lt(w.t.apply(f, &args), w.t.int(0)));
        assert_eq!(w.lemmas(&[lemma]), [Said::NoMeaning; 2], "definition {at}");
    }
}

/// What is said of a list, another one and a number.
type Statement = fn(&World, Term, Term, Term) -> Term;

#[test]
fn lemmas_are_proved_if_they_hold() {
    let truths: [Statement; 3] = [
        |w, x, _, n| {
            let length = w.t.apply(w.length(), &[x]);
            w.t.eq(w.t.apply(w.count(), &[x, n]), w.t.add([length, n]))
        },
        |w, x, y, _| {
            let (length, append) = (w.length(), w.append());
            let both = [x, y].map(|of| w.t.apply(length, &[of]));
            let appended = w.t.apply(append, &[x, y]);
            w.t.eq(w.t.apply(length, &[appended]), w.t.add(both))
        },
        |w, x, _, _| w.t.eq(w.t.apply(w.same(), &[x]), x),
    ];
    let others: [Statement; 11] = [
        // An accumulator has all values.
        |w, x, _, n| {
            w.t.eq(w.t.apply(w.count(), &[x, n]), w.t.apply(w.length(), &[x]))
        },
        |w, x, _, n| w.t.eq(w.t.apply(w.count(), &[x, n]), n),
        |w, x, _, n| {
            w.t.le(w.t.apply(w.count(), &[x, n]), w.t.add([n, w.t.int(3)]))
        },
        |w, x, _, n| w.t.le(w.t.int(0), w.t.apply(w.count(), &[x, n])),
        |w, x, y, _| {
            let append = w.append();
            w.t.eq(w.t.apply(append, &[x, y]), w.t.apply(append, &[y, x]))
        },
        |w, x, y, _| w.t.eq(w.t.apply(w.append(), &[x, y]), y),
        // What SMT-LIB leaves open.
        |w, x, _, _| {
            w.t.eq(
                w.t.idiv(w.t.apply(w.length(), &[x]), w.t.int(0)),
                w.t.int(0),
            )
        },
        |w, x, _, _| {
            let length = w.t.apply(w.length(), &[x]);
            w.t.eq(w.t.modulo(length, w.t.int(0)), length)
        },
        |w, x, _, _| {
            let head = w.t.field(w.t.ctor(w.ctors(w.list)[1]).fields[0], x);
            let is_empty = w.t.eq(w.t.apply(w.length(), &[x]), w.t.int(0));
            w.t.implies(is_empty, w.t.eq(head, w.t.int(0)))
        },
        |w, x, _, _| {
            let length = w.length();
            let tail = w.t.field(w.t.ctor(w.ctors(w.list)[1]).fields[1], x);
            w.t.le(w.t.apply(length, &[tail]), w.t.apply(length, &[x]))
        },
        |w, x, y, _| {
            let length = w.length();
            let [a, b] = [x, y].map(|of| w.t.apply(length, &[of]));
            w.t.implies(w.t.eq(a, b), w.t.eq(x, y))
        },
    ];
    for (statements, is_true) in [(&truths[..], true), (&others[..], false)] {
        for (at, statement) in statements.iter().enumerate() {
            // The variables have names that come up in proofs, too, and the names of parameters.
            for [a, b, n] in [["tail!0", "tail!1", "head!2"], ["x!0", "x", "n"]] {
                let w = &world();
                let (a, b) = (w.t.var(a, w.list), w.t.var(b, w.list));
                let n = w.t.var(n, Sort::INT);
                let said = statement(w, a, b, n);
                let used = w.t.vars([said]);
                for bound in [[a, b, n], [n, b, a]] {
                    let bound: Vec<Term> = bound.into_iter().filter(|v| used.contains(v)).collect();
                    let found = w.lemmas(&[w.t.forall(&bound, said)]);
                    let is_accepted = found.contains(&Said::Accepted);
                    let may_be = is_true && bound[0] == a;
                    assert!(!is_accepted || is_true, "{at}: {found:?}");
                    assert!(is_accepted || !may_be, "{at}: {found:?}");
                }
            }
        }
    }
}

/// A list is as long as its copy. Where each of two lemmas follows from the other one, none is
/// proved, and nothing is whatever their order.
#[test]
fn lemmas_do_not_prove_each_other() {
    let w = &world();
    let (t, y) = (&w.t, w.t.var("y", w.list));
    let (length, same) = (w.length(), w.same());
    let copy = t.apply(same, &[y]);
    let all = |said: Term| t.forall(&[y], said);
    let is_long = |of: Term| all(t.le(t.int(1), t.apply(length, &[of])));
    let copies = all(t.eq(copy, y));
    let twice = is_long(t.apply(same, &[copy]));
    let (one, other) = (is_long(y), is_long(copy));
    for lemmas in [
        [copies, one, other],
        [one, copies, other],
        [other, one, copies],
        [other, twice, copies],
        [copies, twice, one],
    ] {
        for found in w.lemmas(&lemmas) {
            assert!(
                [Said::NotDecided, Said::Refused].contains(&found),
                "{found:?}"
            );
        }
    }
}

#[test]
fn what_holds_of_an_underivable_predicate_is_no_lemma_of_another_one() {
    let w = &world();
    let (t, x, y) = (&w.t, w.t.var("param", w.list), w.t.var("y", w.list));
    let (length, same) = (w.length(), w.same());
    let is_long = |of: Term| t.le(t.int(1), t.apply(length, &[t.apply(same, &[of])]));
    let lemma = t.forall(&[y], is_long(y));
    let limit = &Limit::none();
    // The false formula is the interpretation of a predicate that holds of nothing.
    assert_eq!(w.check(&[Term::TRUE], &[lemma], limit), Said::Accepted);
    let found = w.check(&[is_long(x)], &[lemma], limit);
    assert_eq!(found, Said::NotDecided);
    assert_eq!(
        w.check(&[is_long(x), Term::TRUE], &[lemma], limit),
        Said::NotDecided
    );
}

#[test]
fn what_is_not_proved_in_time_is_not_proved() {
    let w = &world();
    let (t, y) = (&w.t, w.t.var("y", w.list));
    let lemma = t.forall(&[y], t.eq(t.apply(w.same(), &[y]), y));
    assert_eq!(w.check(&[lemma], &[], &Limit::none()), Said::Accepted);
    for ticks in [0, 1, 100, 1000] {
        let limit = Limit::none().part(ticks);
        let found = w.check(&[lemma], &[], &limit);
        assert_eq!(found, Said::NotDecided, "{ticks}");
    }
}

#[test]
fn trees_of_other_trees() {
    let w = &world();
    let t = &w.t;
    let (of_tree, of_forest, depth) = (
        w.declare("tree", &[w.tree], Sort::INT),
        w.declare("forest", &[w.forest], Sort::INT),
        w.declare("depth", &[w.wide], Sort::INT),
    );
    let of = |f, x| t.apply(f, &[x]);
    let one_more = |x| t.add([t.int(1), x]);
    w.define(of_tree, [&|_| t.int(1), &|c| one_more(of(of_forest, c[0]))]);
    let both = |c: &[Term]| t.add([of(of_tree, c[0]), of(of_forest, c[1])]);
    w.define(of_forest, [&|_| t.int(0), &both]);
    w.define(depth, [&|_| t.int(0), &|_| t.int(1)]);
    let [x, f, a] = [w.tree, w.forest, w.wide].map(|sort| t.fresh_var("v", sort));
    let inner = t.select(t.field(t.ctor(w.ctors(w.wide)[1]).fields[0], a), t.int(0));
    for (at, lemma) in [
        t.forall(&[x], t.eq(of(of_tree, x), t.int(1))),
        t.forall(&[x], t.lt(of(of_tree, x), t.int(4))),
        t.forall(&[f], t.eq(of(of_forest, f), t.int(0))),
        t.forall(&[f, x], t.le(of(of_tree, x), of(of_forest, f))),
        t.forall(&[a], t.eq(of(depth, a), t.int(0))),
        t.forall(&[a], t.eq(of(depth, a), t.int(1))),
        t.forall(&[a], t.lt(of(depth, inner), of(depth, a))),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(!w.lemmas(&[lemma]).contains(&Said::Accepted), "lemma {at}");
    }
    let bound = t.forall(&[a], t.le(of(depth, a), t.int(1)));
    assert_eq!(w.lemmas(&[bound]), [Said::Accepted; 2]);
}
