//! The graph of predicates: loops of small graphs, and random graphs against the definitions.

use horn::chc::{Atom, Clause, ClauseId, Loop, Origin, PredGraph, PredId, Predicate, Span, System};
use horn::term::{Sort, Term, Terms};
use proptest::collection::vec;
use proptest::prelude::*;

/// A clause: the premises, and the conclusion; the number of predicates stands for `false`.
type Shape = (Vec<usize>, usize);

/// The system of propositional clauses of these shapes.
fn system(preds: usize, shapes: &[Shape]) -> System {
    let t = Terms::new();
    let atom = |p: usize| Atom {
        pred: PredId(u32::try_from(p).expect("a small graph")),
        args: Vec::new(),
    };
    let pred = |p: usize| Predicate {
        func: t.declare(t.symbol(&format!("p{p}")), &[], Sort::BOOL),
        span: Span::default(),
    };
    let clause = |(premises, head): &Shape| Clause {
        vars: Vec::new(),
        body: premises.iter().map(|&p| atom(p)).collect(),
        constraint: Term::TRUE,
        head: (*head < preds).then(|| atom(*head)),
        origin: Origin::default(),
    };
    System {
        preds: (0..preds).map(pred).collect(),
        clauses: shapes.iter().map(clause).collect(),
    }
}

/// The loops of a graph of the predicates a to d, given by clauses `premise+premise>head`, as
/// `head: inside`.
#[track_caller]
fn check(clauses: &str, expected: &[&str]) {
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    let number = |name: &str| NAMES.iter().position(|&n| n == name).expect("a name");
    let shape = |clause: &str| {
        let (premises, head) = clause.split_once('>').unwrap_or(("", clause));
        let premises = premises.split('+').filter(|p| !p.is_empty());
        (premises.map(number).collect(), number(head))
    };
    let shapes: Vec<Shape> = clauses.split_whitespace().map(shape).collect();
    let system = system(NAMES.len(), &shapes);
    let graph = PredGraph::new(&system);
    let order = graph.order();
    let found: Vec<String> = (order.loops().iter())
        .map(|l| {
            let inside = system.pred_ids().filter(|&p| order.is_inside(l, p));
            let inside: Vec<&str> = inside.map(|p| NAMES[p.index()]).collect();
            format!("{}: {}", NAMES[l.head.index()], inside.join(" "))
        })
        .collect();
    assert_eq!(found, expected, "{clauses}");
}

#[test]
fn loops_of_graphs() {
    check("a a>b b>c", &[]);
    check("a a>a a>b", &["a: a"]);
    check("a a>b b>c c>b c>d", &["b: b c"]);
    // A loop in a loop, and one beside them.
    check("a a>b b>c c>c c>b c>d d>d", &["b: b c", "c: c", "d: d"]);
    // Recursion through two premises.
    check("a b a+b>b", &["b: b"]);
    // Entered at two places.
    check("a b a>b b>a", &["a: a b"]);
    // Bourdoncle's way of splitting goes on inside: two ways around the head.
    check("a a>b b>c c>b c>d d>a", &["a: a b c d", "b: b c"]);
}

/// A chain of loops, each inside of the one before, is ordered without recursion.
#[test]
fn deep_nesting() {
    let preds = 400;
    let forward = (1..preds).map(|p| (vec![p - 1], p));
    let back = (1..preds).map(|p| (vec![preds - 1], p));
    let shapes: Vec<Shape> = [(Vec::new(), 0)]
        .into_iter()
        .chain(forward)
        .chain(back)
        .collect();
    let system = system(preds, &shapes);
    let graph = PredGraph::new(&system);
    let loops = graph.order().loops();
    assert_eq!(loops.len(), preds - 1);
    for (place, l) in loops.iter().enumerate() {
        assert_eq!(l.parent, place.checked_sub(1));
        assert_eq!(l.range, place + 1..preds);
    }
}

/// By predicate, what it leads to in one step or more.
fn reachability(preds: usize, shapes: &[Shape]) -> Vec<Vec<bool>> {
    let mut reaches = vec![vec![false; preds]; preds];
    for (premises, head) in shapes.iter().filter(|(_, head)| *head < preds) {
        premises.iter().for_each(|&p| reaches[p][*head] = true);
    }
    for middle in 0..preds {
        for from in 0..preds {
            for to in 0..preds {
                reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
            }
        }
    }
    reaches
}

/// What clauses derive from what is marked, until nothing is added.
fn derivable(preds: usize, shapes: &[Shape]) -> Vec<bool> {
    let mut marked = vec![false; preds + 1];
    for _ in 0..=shapes.len() {
        for (premises, head) in shapes {
            marked[*head] |= premises.iter().all(|&p| marked[p]);
        }
    }
    marked.pop();
    marked
}

/// The order is one of Bourdoncle's.
fn is_weak_topological(system: &System, graph: &PredGraph) -> Result<(), TestCaseError> {
    let order = graph.order();
    let mut preds = order.preds().to_vec();
    for (place, &pred) in preds.iter().enumerate() {
        prop_assert_eq!(order.position(pred), place);
    }
    preds.sort_unstable();
    prop_assert_eq!(preds, system.pred_ids().collect::<Vec<_>>());
    for l in order.loops() {
        prop_assert_eq!(order.preds()[l.range.start], l.head);
        prop_assert_eq!(order.loop_of_head(l.head), Some(l));
    }
    // Loops are disjoint or nested, and the parent is the smallest around.
    for (index, l) in order.loops().iter().enumerate() {
        let around = |o: &Loop| o.range.start < l.range.start && l.range.end <= o.range.end;
        let apart = |o: &Loop| o.range.end <= l.range.start;
        let before = &order.loops()[..index];
        prop_assert!(before.iter().all(|o| around(o) || apart(o)));
        let parent = before.iter().rposition(around);
        prop_assert_eq!(parent, l.parent);
    }
    for (id, clause) in system.clauses() {
        for premise in &clause.body {
            let Some(head) = &clause.head else { continue };
            let forward = order.position(premise.pred) < order.position(head.pred);
            let back = (order.loop_of_head(head.pred))
                .is_some_and(|l| order.is_inside(l, premise.pred) && graph.is_back_edge(id, l));
            prop_assert!(forward != back);
        }
    }
    Ok(())
}

/// Clauses over at most eight predicates.
fn shapes() -> impl Strategy<Value = (usize, Vec<Shape>)> {
    (1_usize..8).prop_flat_map(|preds| {
        let shape = (vec(0..preds, 0..3), 0..=preds);
        (Just(preds), vec(shape, 0..16))
    })
}

proptest! {
    #![proptest_config(crate::harness::cases(256))]
    #[test]
    fn weak_topological_order_by_definition((preds, shapes) in shapes()) {
        let system = system(preds, &shapes);
        let graph = PredGraph::new(&system);
        is_weak_topological(&system, &graph)?;
        let reaches = reachability(preds, &shapes);
        let order = graph.order();
        let mut component = vec![usize::MAX; preds];
        for (number, members) in order.components().enumerate() {
            members.iter().for_each(|p| component[p.index()] = number);
        }
        for p in system.pred_ids() {
            prop_assert_eq!(graph.is_recursive(p), reaches[p.index()][p.index()]);
            for q in system.pred_ids() {
                let (i, j) = (p.index(), q.index());
                let strongly = i == j || (reaches[i][j] && reaches[j][i]);
                prop_assert_eq!(component[i] == component[j], strongly);
                if reaches[i][j] {
                    prop_assert!(component[i] <= component[j]);
                }
            }
        }
        // Each loop is strongly connected by edges inside.
        for l in order.loops() {
            let inside = |p: usize| order.is_inside(l, PredId(u32::try_from(p).expect("small")));
            let kept: Vec<Shape> = (shapes.iter())
                .filter(|(_, head)| *head < preds && inside(*head))
                .map(|(premises, head)| {
                    (premises.iter().copied().filter(|&p| inside(p)).collect(), *head)
                })
                .collect();
            let reaches = reachability(preds, &kept);
            for i in (0..preds).filter(|&i| inside(i)) {
                for j in (0..preds).filter(|&j| inside(j)) {
                    prop_assert!(reaches[i][j]);
                }
            }
        }
    }

    #[test]
    fn clauses_and_derivability_by_definition((preds, shapes) in shapes()) {
        let system = system(preds, &shapes);
        let graph = PredGraph::new(&system);
        let derivable = derivable(preds, &shapes);
        for p in system.pred_ids() {
            let by = |wanted: &dyn Fn(&Clause) -> bool| -> Vec<ClauseId> {
                let these = system.clauses().filter(|(_, clause)| wanted(clause));
                these.map(|(id, _)| id).collect()
            };
            let defines = by(&|c| c.head.as_ref().is_some_and(|h| h.pred == p));
            prop_assert_eq!(graph.definitions(p), defines);
            let uses = by(&|c| c.body.iter().any(|a| a.pred == p));
            prop_assert_eq!(graph.users(p), uses);
            prop_assert_eq!(graph.is_derivable(p), derivable[p.index()]);
        }
        prop_assert_eq!(graph.is_linear(), shapes.iter().all(|(premises, _)| premises.len() <= 1));
        // Backwards from the queries, through clauses with derivable premises.
        let usable = |premises: &[usize]| premises.iter().all(|&p| derivable[p]);
        let mut needed = vec![false; preds + 1];
        needed[preds] = true;
        for _ in 0..=shapes.len() {
            for (premises, head) in shapes.iter().filter(|(premises, _)| usable(premises)) {
                if needed[*head] {
                    premises.iter().for_each(|&p| needed[p] = true);
                }
            }
        }
        needed.pop();
        prop_assert_eq!(graph.needed(), needed);
    }
}
