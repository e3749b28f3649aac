//! The values that the theories of numbers and of bit-vectors give to terms of the e-graph.

use crate::number::{DeltaRational, Rational};
use crate::smt::native::demand::Lemma;
use crate::smt::native::egraph::Node;
use crate::smt::native::encoder::{is_bitvec, is_conversion};
use crate::smt::native::literal::Lit;
use crate::smt::native::proof::Justification;
use crate::smt::native::search::Search;
use crate::smt::native::simplex::ArithVar;
use crate::term::{BitVec, BvOp, Op, Sort, Term, Value};
use crate::work;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

/// The value that another theory gives a term: the simplex, or the bits.
pub(super) fn own_value(search: &Search<'_>, epsilon: &Rational, term: Term) -> Option<Value> {
    let (t, encoder) = (search.t, &search.encoder);
    if is_bitvec(t, t.sort_of(term)) {
        encoder.bits(term)?;
        return search.value_of_bits(term);
    }
    own_number(search, term).map(|number| Value::Number(number.at(epsilon)))
}

/// The value of a number in the simplex.
fn own_number(search: &Search<'_>, term: Term) -> Option<DeltaRational> {
    let (t, encoder, simplex) = (search.t, &search.encoder, &search.arith.simplex);
    if !t.sort_of(term).is_arith() {
        return None;
    }
    if let Some(number) = t.as_number(term) {
        return Some(DeltaRational::from(number.clone()));
    }
    let Some(sum) = encoder.shared(term) else {
        return encoder.arith_var(term).map(|var| simplex.value(var));
    };
    let mut value = DeltaRational::from(sum.constant.clone());
    for (&x, a) in &sum.terms {
        value.add_mul(a, &simplex.value(x));
    }
    Some(value)
}

/// Two nodes of one class are equal.
pub(super) fn same_class(a: Node, b: Node) -> Lemma {
    Lemma {
        premises: vec![(a, b)],
        unequal: Vec::new(),
        conclusion: Some((a, b)),
        rule: Justification::Closure,
    }
}

/// The result of a conversion of a number or a bit-vector.
pub(super) fn converted(conversion: Op, argument: &Value) -> Value {
    match (conversion, argument) {
        (Op::Bv(BvOp::FromInt(width)), Value::Number(number)) => {
            Value::BitVec(BitVec::from_int(&number.numer(), width))
        }
        (_, Value::BitVec(bits)) => Value::Number(bits.to_nat()),
        _ => unreachable!("a conversion has such an argument"),
    }
}

/// The bits of a conversion as the number has them, as literals; `None` for other nodes.
pub(super) fn bits_of_conversion(search: &Search<'_>, node: Node) -> Option<Vec<Lit>> {
    let (t, graph) = (search.t, &search.equality.graph);
    let term = graph.term(node);
    if !is_conversion(t, term) {
        return None;
    }
    let argument = graph.term(*graph.args(node).first()?);
    let is_to_bits = is_bitvec(t, t.sort_of(term));
    let (vector, number) = match is_to_bits {
        true => (term, argument),
        false => (argument, term),
    };
    let Some(Value::Number(value)) = own_value(search, &search.arith.simplex.epsilon(), number)
    else {
        return None;
    };
    let width = t.bitvec_width(t.sort_of(vector))?;
    let word = BitVec::from_int(&value.floor().numer(), width);
    let bits = search.encoder.bits(vector)?.iter();
    let wanted = (0..).zip(bits).map(|(i, &bit)| match word.is_set(i) {
        true => bit,
        false => !bit,
    });
    Some(wanted.collect())
}

/// What the theories of numbers and of bit-vectors do not know yet: pairs of nodes of one class
/// whose values differ, or some of whose bits are open.
pub(super) fn to_share(search: &Search<'_>) -> Vec<Lemma> {
    let (t, graph) = (search.t, &search.equality.graph);
    let mut first: FxHashMap<Node, Node> = FxHashMap::default();
    let mut lemmas = Vec::new();
    for node in graph.relevant() {
        if graph.is_alone(node) {
            continue;
        }
        let term = graph.term(node);
        let is_bitvec = is_bitvec(t, t.sort_of(term));
        let has_value = match is_bitvec {
            true => search.encoder.bits(term).is_some(),
            false => own_number(search, term).is_some(),
        };
        if !has_value {
            continue;
        }
        let other = *first.entry(graph.root(node)).or_insert(node);
        let agree = || match is_bitvec {
            true => bits_agree(search, graph.term(other), term),
            false => own_number(search, graph.term(other)) == own_number(search, term),
        };
        if other != node && !agree() && !is_shared(search, other, node) {
            lemmas.push(same_class(other, node));
        }
    }
    lemmas
}

/// Is there a literal that says that two nodes are equal, and is it true?
fn is_shared(search: &Search<'_>, a: Node, b: Node) -> bool {
    let graph = &search.equality.graph;
    let equation = search.encoder.equation(graph.term(a), graph.term(b));
    equation.is_some_and(|var| search.sat.value(var.positive()) == Some(true))
}

/// Pairs of numbers of different classes that are equal by bounds of variables and of differences
/// of variables. Pairs with an equation, which says so already, are left out.
pub(super) fn equal_numbers(search: &Search<'_>) -> Vec<(Term, Term)> {
    let (t, graph) = (search.t, &search.equality.graph);
    let names = Names::new(search);
    let mut first: FxHashMap<(Sort, Name), Node> = FxHashMap::default();
    let mut equal = Vec::new();
    for node in graph.relevant() {
        let term = graph.term(node);
        let Some(name) = names.of(search, term) else {
            continue;
        };
        let other = *first.entry((t.sort_of(term), name)).or_insert(node);
        let pair = (graph.term(other), term);
        let is_new = search.encoder.equation(pair.0, pair.1).is_none();
        if is_new && !graph.are_equal(other, node) {
            equal.push(pair);
        }
    }
    equal
}

/// A variable, if there is one, plus a constant.
type Name = (Option<ArithVar>, Rational);

/// One variable for each class of variables that bounds of their differences make equal.
struct Names(FxHashMap<ArithVar, ArithVar>);

impl Names {
    fn new(search: &Search<'_>) -> Names {
        let is_zero = |form| {
            let value = search.arith.simplex.fixed_value(form);
            value.is_some_and(DeltaRational::is_zero)
        };
        let differences = search.encoder.differences();
        work::spend_on(differences.len());
        let equal: Vec<[ArithVar; 2]> = differences
            .iter()
            .filter(|&&(form, _)| is_zero(form))
            .map(|&(_, pair)| pair)
            .collect();
        let mut vars: Vec<ArithVar> = equal.iter().flatten().copied().collect();
        vars.sort_unstable();
        vars.dedup();
        let place = |x: &ArithVar| vars.binary_search(x).expect("it is one of them");
        let mut union = UnionFind::<usize>::new(vars.len());
        for [x, y] in &equal {
            union.union(place(x), place(y));
        }
        let name = |(i, &x)| (x, vars[union.find(i)]);
        Names(vars.iter().enumerate().map(name).collect())
    }

    /// A number as a variable plus a constant, without the variable if bounds leave the number one
    /// value. `None` for other sums.
    fn of(&self, search: &Search<'_>, term: Term) -> Option<Name> {
        let encoder = &search.encoder;
        if !search.t.sort_of(term).is_arith() {
            return None;
        }
        if let Some(number) = search.t.as_number(term) {
            return Some((None, number.clone()));
        }
        let own = encoder.arith_var(term).map(|x| [(x, Rational::one())]);
        let (terms, mut rest): (&mut dyn Iterator<Item = (ArithVar, &Rational)>, Rational) =
            match (encoder.shared(term), &own) {
                (Some(sum), _) => (
                    &mut sum.terms.iter().map(|(&x, a)| (x, a)),
                    sum.constant.clone(),
                ),
                (None, Some(own)) => (&mut own.iter().map(|(x, a)| (*x, a)), Rational::zero()),
                (None, None) => return None,
            };
        let mut open = None;
        for (x, a) in terms {
            match search.arith.simplex.fixed_value(x) {
                Some(value) => rest.add_mul(a, &value.real),
                None if open.is_none() && a.is_one() => {
                    open = Some(self.0.get(&x).copied().unwrap_or(x));
                }
                None => return None,
            }
        }
        Some((open, rest))
    }
}

/// Have two bit-vectors the same bits, none of them open unless it is one literal in both?
fn bits_agree(search: &Search<'_>, x: Term, y: Term) -> bool {
    let bits = |x| search.encoder.bits(x).map_or(&[][..], |bits| bits);
    std::iter::zip(bits(x), bits(y)).all(|(&a, &b)| {
        let (of_a, of_b) = (search.sat.value(a), search.sat.value(b));
        a == b || of_a.is_some() && of_a == of_b
    })
}
