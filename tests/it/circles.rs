//! No circle between the parts of a module: what stands side by side in a folder uses each other in
//! one direction only.
//!
//! A folder counts as one part with everything in it. A module and the parts in it may use each
//! other: a part takes from `super` what the parts have in common, and the module puts its parts
//! together.

use super::sources::{Module, source_files, uses};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// For each part of a module, the parts beside it that it uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// The parts of each module, and who of them uses whom.
fn graphs(uses: &[(Module, Module)]) -> BTreeMap<Module, Graph> {
    let mut graphs: BTreeMap<Module, Graph> = BTreeMap::new();
    for (user, used) in uses {
        let common = user.iter().zip(used).take_while(|(a, b)| a == b).count();
        if let (Some(from), Some(to)) = (user.get(common), used.get(common)) {
            let graph = graphs.entry(user[..common].to_vec()).or_default();
            graph.entry(from.clone()).or_default().insert(to.clone());
        }
    }
    graphs
}

/// The shortest way from a part to itself, with it at both ends.
fn circle_through<'g>(graph: &'g Graph, start: &'g str) -> Option<Vec<&'g str>> {
    let mut open = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = open.pop_front() {
        let used = graph.get(*way.last().expect("it has a start"));
        for next in used.into_iter().flatten() {
            let longer = [&way[..], &[next]].concat();
            if next == start {
                return Some(longer);
            }
            if seen.insert(next) {
                open.push_back(longer);
            }
        }
    }
    None
}

/// The shortest circle of a graph.
fn shortest_circle(graph: &Graph) -> Option<Vec<&str>> {
    let circles = graph.keys().filter_map(|part| circle_through(graph, part));
    circles.min_by_key(Vec::len)
}

#[test]
fn there_is_no_circle() {
    let graphs = graphs(&uses(&source_files()));
    assert!(graphs.len() > 10, "only {} modules", graphs.len());
    let circles: Vec<String> = (graphs.iter())
        .filter_map(|(module, graph)| {
            let circle = shortest_circle(graph)?.join(" > ");
            Some(format!("{}: {circle}", module.join("::")))
        })
        .collect();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn circles_are_found() {
    let check = |edges: &[(&str, &str)], expected: Option<&str>| {
        let path = |text: &str| text.split("::").map(str::to_owned).collect();
        let uses: Vec<_> = (edges.iter())
            .map(|(from, to)| (path(from), path(to)))
            .collect();
        let graphs = graphs(&uses);
        let found = graphs.values().find_map(shortest_circle);
        let text = found.map(|circle| circle.join(" > "));
        assert_eq!(text.as_deref(), expected, "{edges:?}");
    };
    check(&[("m::a", "m::b"), ("m::b", "m::a")], Some("a > b > a"));
    // A folder is one part.
    check(
        &[("m::a::x", "m::b"), ("m::b", "m::a::y")],
        Some("a > b > a"),
    );
    check(
        &[
            ("m::a", "m::b"),
            ("m::b", "m::c"),
            ("m::c", "m::a"),
            ("m::c", "m::b"),
        ],
        Some("b > c > b"),
    );
    // A module and its parts; one direction; circles of different modules.
    check(&[("m", "m::a"), ("m::a", "m")], None);
    check(&[("m::a", "m::b"), ("m::c", "m::a")], None);
    check(&[("m::a", "m::b"), ("n::b", "n::a")], None);
}
