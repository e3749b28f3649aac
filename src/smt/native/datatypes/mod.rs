//! Datatypes: the case distinctions \[BST07\].
//!
//! The e-graph knows what follows without them ([`constructors`](super::egraph)). A term without a
//! constructor in its class gets one if its value depends on it: if it is tested, if a field of it
//! is read, or if its sort has finitely many values. A sort with one constructor needs no case
//! distinction: the term equals the constructor term of its fields. Other terms get values that no
//! other term has.
//!
//! `combination` finds cycles of constructor terms when classes get values.

use super::egraph::Node;
use super::literal::Lit;
use super::proof::Justification;
use super::search::Search;
use crate::term::{CtorId, Op, Term};
use rustc_hash::FxHashSet;

/// Decides something about terms that need constructors, if there are any: about all whose sorts
/// have one constructor, else about one.
pub(super) fn split(search: &mut Search<'_>) -> bool {
    let nodes = need_constructors(search);
    let t = search.t;
    let has_choice = |&node: &Node| {
        let sort = t.sort_of(search.equality.graph.term(node));
        let datatype = t.datatype_of(sort).expect("it is of a datatype");
        t.datatype(datatype).ctors().len() > 1
    };
    let (open, plain): (Vec<Node>, Vec<Node>) = nodes.iter().partition(|&node| has_choice(node));
    let all = if plain.is_empty() {
        open.into_iter().take(1).collect()
    } else {
        plain
    };
    let level = search.sat.level();
    for &node in &all {
        distinguish(search, node);
        if search.sat.level() < level {
            break;
        }
    }
    !all.is_empty()
}

/// Nodes of classes without a constructor whose values depend on one, a node for each class.
fn need_constructors(search: &Search<'_>) -> Vec<Node> {
    let (t, graph) = (search.t, &search.equality.graph);
    let is_asked = |node: Node, sort| {
        let mut uses = graph.uses(node).iter().map(|&x| t.op(graph.term(x)));
        uses.any(|op| matches!(op, Op::Field(_) | Op::Is(_))) || t.cardinality(sort).is_some()
    };
    let mut seen = FxHashSet::default();
    let mut nodes = graph.relevant();
    nodes.retain(|&node| {
        graph.constructor(node).is_none() && seen.insert(graph.root(node)) && {
            let sort = t.sort_of(graph.term(node));
            t.datatype_of(sort).is_some() && is_asked(node, sort)
        }
    });
    nodes
}

/// Decides by which constructor a term is built; where that is known, says what it is then.
pub(super) fn distinguish(search: &mut Search<'_>, node: Node) {
    let t = search.t;
    let term = search.equality.graph.term(node);
    if let Op::Construct(_) = t.op(term) {
        // A literal that no clause asks for speaks of it.
        let guard = search.encoding().application_guard(term);
        search.encoding().finish();
        take_part(search, term, guard, None);
        return;
    }
    let datatype = t.datatype_of(t.sort_of(term)).expect("it is of a datatype");
    let ctors = t.datatype(datatype).ctors();
    if let [only] = *ctors {
        expand(search, term, only, None);
        return;
    }
    // Another term of the class may have been tested.
    let known = search.equality.graph.uses(node).iter().find_map(|&user| {
        let graph = &search.equality.graph;
        let tester = graph.term(user);
        match t.op(tester) {
            Op::Is(ctor) if graph.are_equal(user, Node::TRUE) => Some((ctor, t.args(tester)[0])),
            _ => None,
        }
    });
    if let Some((ctor, tested)) = known {
        let tester = search.encoding().literal(t.is(ctor, tested), true);
        expand(search, tested, ctor, Some(tester));
        return;
    }
    let testers: Vec<Lit> = ctors
        .iter()
        .map(|&ctor| search.encoding().literal(t.is(ctor, term), true))
        .collect();
    search.encoding().finish();
    match testers
        .iter()
        .find(|&&l| search.sat.value(l) != Some(false))
    {
        Some(&tester) => search.branch(tester),
        None => {
            let step = search
                .sat
                .log
                .input(&testers, Justification::Exhaustive(term));
            search.sat.add_lemma(testers, step);
        }
    }
}

/// A term that is built by a constructor, as a literal says, equals the constructor term of its
/// fields, which takes part from now on.
fn expand(search: &mut Search<'_>, term: Term, ctor: CtorId, tester: Option<Lit>) {
    let t = search.t;
    let fields = t.ctor(ctor).fields.iter();
    let fields: Vec<Term> = fields.map(|&field| t.field(field, term)).collect();
    let built = t.construct(ctor, &fields);
    let mut encoding = search.encoding();
    let equal = encoding.equal(term, built);
    let guard = encoding.application_guard(built);
    encoding.finish();
    if search.sat.value(equal) != Some(true) {
        let mut clause: Vec<Lit> = tester.map(|l| !l).into_iter().collect();
        clause.push(equal);
        let step = search
            .sat
            .log
            .input(&clause, Justification::Expand(term, ctor));
        search.sat.add_lemma(clause, step);
    }
    take_part(search, built, guard, tester);
}

/// Lets a constructor term take part where a literal is true. The search may have decided that it
/// does not, since nothing asked for it; then a clause says so.
fn take_part(search: &mut Search<'_>, built: Term, guard: Lit, when: Option<Lit>) {
    if search.sat.value(guard) != Some(false) {
        search.branch(guard);
        return;
    }
    let clause: Vec<Lit> = when.map(|l| !l).into_iter().chain([guard]).collect();
    let rule = Justification::Operator(built);
    let step = search.sat.log.input(&clause, rule);
    search.sat.add_lemma(clause, step);
}
