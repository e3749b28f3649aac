//! Copies of stores, and terms and values taken from one store into another.

use super::evaluation::DEPTH;
use super::text::{Text, VARS, Vocabulary};
use horn::term::{Import, Sort, SortKind, Term, Terms, Value};

/// Something of each kind of term.
const TERMS: &[&str] = &[
    "p",
    "true",
    "x",
    "7",
    "(- 170141183460469231731687303715884105729)",
    "(/ 1.0 3.0)",
    "(and p (not q) (or q (= x y) (< r s)))",
    "(= p (<= (+ x (* 2 y)) (- z)))",
    "(ite (= x 0) (div x y) (mod (abs x) 3))",
    "(+ (to_int r) (ite (is_int s) 1 (* x y)))",
    "(< (/ r s) (to_real x))",
    "(forall ((x Int)) (exists ((r Real)) (< (to_real x) r)))",
    "(select (store a x y) (select b 3))",
    "(= a ((as const (Array Int Int)) 5))",
    "(select m p)",
    "(cons 1 (cons x nil))",
    "((_ is cons) l)",
    "(+ (head l) (head (tail k)))",
    "(box green (= c red))",
    "(node ((as const (Array Int Tree)) (leaf x)))",
    "(= e U!val!3)",
    "(= e f)",
    "(bvadd v (bvmul w #xa5))",
    "(bvult ((_ extract 3 1) v) #b101)",
    "(concat ((_ zero_extend 2) v) ((_ rotate_left 3) w))",
    "((_ int2bv 8) x)",
];

fn shown(t: &Terms, term: Term) -> String {
    t.display(term).to_string()
}

#[test]
fn stores_can_be_sent() {
    fn check<T: Send>() {}
    check::<Terms>();
}

#[test]
fn terms_keep_their_meaning_in_a_store_of_their_own() {
    for text in TERMS {
        let mut from = Vocabulary::new();
        let term = from.term(&Text::parse(text));
        let into = Terms::new();
        let taken = Import::new(&from.terms, &into).term(term);
        assert_eq!(shown(&into, taken), shown(&from.terms, term));
        // Datatypes are declared again in each import, so only a sort without one is the same in
        // the next.
        let again = Import::new(&from.terms, &into).term(term);
        assert_eq!(shown(&into, again), shown(&into, taken));
        assert!(into.has_datatypes() || again == taken, "{text}");
    }
}

#[test]
fn copies_grow_apart_and_meet_again() {
    for text in TERMS {
        let mut origin = Vocabulary::new();
        let (copy, mut sibling) = (origin.terms.clone(), Vocabulary::new());
        sibling.terms = copy.clone();
        // Other terms first, so that ids differ.
        let mut made = Vocabulary::new();
        made.terms = copy;
        for other in TERMS.iter().rev().take(5) {
            made.term(&Text::parse(other));
        }
        let parsed = Text::parse(text);
        let there = made.term(&parsed);
        for store in [&mut origin, &mut sibling] {
            let taken = Import::new(&made.terms, &store.terms).term(there);
            assert_eq!(store.term(&parsed), taken, "{text}");
        }
        // And from the child to the grandchild, from the aunt to the niece.
        let grandchild = made.terms.clone();
        assert_eq!(Import::new(&made.terms, &grandchild).term(there), there);
        let aunt = sibling.term(&parsed);
        let taken = Import::new(&sibling.terms, &grandchild).term(aunt);
        assert_eq!(taken, there, "{text}");
    }
}

#[test]
fn what_is_shared_costs_nothing() {
    let mut origin = Vocabulary::new();
    let terms: Vec<Term> = TERMS.iter().map(|x| origin.term(&Text::parse(x))).collect();
    let copy = origin.terms.clone();
    let (here, there) = (origin.terms.len(), copy.len());
    assert_eq!(here, there);
    for (from, into) in [(&origin.terms, &copy), (&copy, &origin.terms)] {
        let mut import = Import::new(from, into);
        assert!(terms.iter().all(|&term| import.term(term) == term));
    }
    assert_eq!((origin.terms.len(), copy.len()), (here, there));
}

#[test]
fn sharing_is_kept_and_depth_does_not_matter() {
    let t = Terms::new();
    let x = t.var("x", Sort::INT);
    let doubled = (0..64).fold(x, |term, _| t.modulo(term, t.abs(term)));
    let deep = (0..DEPTH).fold(x, |term, _| t.abs(t.idiv(term, x)));
    for into in [Terms::new(), t.clone()] {
        // New terms, whether or not the store is a copy.
        let y = t.var("y", Sort::INT);
        let mut import = Import::new(&t, &into);
        for term in [doubled, deep].map(|term| t.substitute(term, [(x, y)])) {
            let before = into.len();
            let taken = import.term(term);
            assert_eq!(into.size([taken]), t.size([term]));
            assert!(into.len() - before <= t.size([term]));
            assert_eq!(import.term(term), taken);
        }
    }
}

#[test]
fn functions_are_declared_once_for_an_import() {
    let t = Terms::new();
    let declare = |name| t.declare(t.symbol(name), &[Sort::INT], Sort::BOOL);
    let (old, copy) = (declare("p"), t.clone());
    let new = declare("p");
    let x = t.var("x", Sort::INT);
    let mut import = Import::new(&t, &copy);
    assert_eq!(import.func(old), old);
    let taken = import.func(new);
    assert_ne!(taken, old);
    assert_eq!(import.func(new), taken);
    let atom = t.apply(new, &[x]);
    assert_eq!(
        import.term(atom),
        copy.apply(taken, &[copy.var("x", Sort::INT)])
    );
    assert_ne!(Import::new(&t, &copy).func(new), taken);
}

#[test]
fn new_sorts_are_taken_with_their_parts() {
    let t = Terms::new();
    let copy = t.clone();
    let symbol = |name| t.symbol(name);
    // Two datatypes that need each other, one of them through an array of a sort that is made after
    // both.
    let tree = t.declare_datatype(symbol("T"), &[]);
    let list = t.declare_datatype(symbol("L"), &[Sort::INT]);
    let sort = |id| t.datatype(id).sort;
    let kids = t.array_sort(t.bitvec_sort(3), sort(list));
    t.define_datatype(tree, &[(symbol("mk"), vec![(symbol("kids"), kids)])]);
    let cons = vec![(symbol("hd"), sort(tree)), (symbol("tl"), sort(list))];
    t.define_datatype(list, &[(symbol("nil"), vec![]), (symbol("cons"), cons)]);
    let element = t.sort(SortKind::Uninterpreted(symbol("E"), [kids].into()));
    for (name, sort) in [("l", sort(list)), ("t", sort(tree)), ("e", element)] {
        let var = t.var(name, sort);
        let mut import = Import::new(&t, &copy);
        let taken = import.term(var);
        let text = |t: &Terms, sort| t.display_sort(sort).to_string();
        assert_eq!(text(&copy, copy.sort_of(taken)), text(&t, sort));
        let value = t.default_value(sort).expect("a value");
        let there = import.value(&value);
        assert!(there.is_of(&copy, copy.sort_of(taken)));
        let term = |t: &Terms, value, sort| shown(t, t.value_term(value, sort));
        assert_eq!(
            term(&copy, &there, copy.sort_of(taken)),
            term(&t, &value, sort)
        );
    }
}

/// A copy of a store with a datatype that is still to be defined, and then is defined in two ways.
#[test]
fn what_is_not_yet_defined_is_not_shared() {
    let t = Terms::new();
    let color = t.declare_datatype(t.symbol("Color"), &[]);
    let copy = t.clone();
    t.define_datatype(color, &[(t.symbol("red"), vec![])]);
    copy.define_datatype(color, &[(copy.symbol("blue"), vec![])]);
    let red = t.construct(t.datatype(color).ctors()[0], &[]);
    let taken = Import::new(&t, &copy).term(red);
    assert_eq!(shown(&copy, taken), "red");
    assert_ne!(copy.datatype_of(copy.sort_of(taken)), Some(color));
}

#[test]
fn values_are_taken_with_their_parts() {
    for (name, text) in VARS {
        let mut from = Vocabulary::new();
        let sort = from.sort(&Text::parse(text));
        let known = from.terms.clone();
        let ground = match name {
            "a" => "(store ((as const (Array Int Int)) 0) 3 5)",
            "m" => "(store ((as const (Array Bool Int)) 1) true 0)",
            "l" => "(cons 1 (cons 2 nil))",
            "c" => "blue",
            "e" => "U!val!7",
            _ => "",
        };
        let value = match ground {
            "" => from.terms.default_value(sort).expect("a value"),
            _ => {
                let term = from.term(&Text::parse(ground));
                from.terms.ground_value(term).expect("a ground term")
            }
        };
        let term = shown(&from.terms, from.terms.value_term(&value, sort));
        for into in [known, Terms::new()] {
            let mut import = Import::new(&from.terms, &into);
            let (taken, sort) = (import.value(&value), import.sort(sort));
            assert!(taken.is_of(&into, sort));
            assert_eq!(shown(&into, into.value_term(&taken, sort)), term);
        }
    }
}

#[test]
fn deep_values_are_taken_with_their_sharing() {
    let mut from = Vocabulary::new();
    let nil = from.term(&Text::parse("nil"));
    let list = from.terms.sort_of(nil);
    let cons = from
        .terms
        .datatype(from.terms.datatype_of(list).expect("a datatype"));
    let cons = cons.ctors()[1];
    let nil = from.terms.ground_value(nil).expect("a value");
    let longer = |l: Value, i: usize| {
        let head = Value::from(i64::try_from(i % 3).expect("small"));
        Value::datatype(&from.terms, cons, vec![head, l])
    };
    let long = (0..DEPTH).fold(nil, longer);
    let into = Terms::new();
    let mut import = Import::new(&from.terms, &into);
    let taken = import.value(&long);
    let sort = import.sort(list);
    assert_eq!(
        into.size([into.value_term(&taken, sort)]),
        from.terms.size([from.terms.value_term(&long, list)])
    );
    // What was taken once is there.
    assert!(
        import.value(&longer(long, 0)) == {
            let cons = into.datatype(into.datatype_of(sort).expect("a datatype"));
            Value::datatype(&into, cons.ctors()[1], vec![Value::from(0), taken])
        }
    );
}
