//! The graph of a system's clauses, and the graph of abstract states that an engine builds, in the
//! language of Graphviz: `dot -Tsvg` draws them.

use super::Lines;
use crate::chc::{ClauseId, PredGraph, PredId, System};
use crate::engine::AbstractGraph;
use crate::term::Terms;
use std::fmt;
use std::io::{self, Write};

/// Writes the graph of the clauses of `system`, which were read from the text of `lines`.
///
/// Each predicate is a box with its name and its number of arguments. The head of a loop has a
/// double border. Each clause is an arrow from its premise to its conclusion, with its name or its
/// number and its line. A clause without premises starts at `true`, and a query ends at `false`. A
/// clause with several premises is an oval between them and its conclusion. Back edges of loops are
/// bold.
///
/// # Errors
/// Those of the writer.
///
/// ```
/// use horn::report::{Lines, write_graph};
/// use horn::smtlib::{Source, read_system};
/// use horn::term::Terms;
///
/// let text = "(declare-fun p (Int) Bool) (assert (p 0)) (assert (not (p 1)))";
/// let t = Terms::new();
/// let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
/// let mut dot = Vec::new();
/// write_graph(&mut dot, &t, &system, &Lines::new(text)).expect("memory takes it");
/// let dot = String::from_utf8_lossy(&dot);
/// assert!(dot.contains("p0 -> false [label=\"clause 1 (line 1)\"];"), "{dot}");
/// ```
pub fn write_graph(
    out: &mut dyn Write,
    t: &Terms,
    system: &System,
    lines: &Lines,
) -> io::Result<()> {
    let graph = PredGraph::new(system);
    writeln!(out, "digraph system {{")?;
    writeln!(out, "  node [shape=box];")?;
    for pred in system.pred_ids() {
        let name = Quoted(system.pred_name(t, pred));
        let arity = t.func(system.pred(pred).func).params.len();
        let border = match graph.is_loop_head(pred) {
            true => ", peripheries=2",
            false => "",
        };
        writeln!(out, "  p{} [label=\"{name}/{arity}\"{border}];", pred.0)?;
    }
    if system.clauses.iter().any(|clause| clause.body.is_empty()) {
        writeln!(out, "  true [shape=plaintext];")?;
    }
    if !graph.queries().is_empty() {
        writeln!(out, "  false [shape=plaintext];")?;
    }
    for (id, clause) in system.clauses() {
        let line = lines.line(clause.origin.span);
        let place = line.map_or(String::new(), |line| format!(" (line {line})"));
        let label = format!("{}{place}", system.clause_label(t, id));
        write_clause(out, &graph, id, &label)?;
    }
    writeln!(out, "}}")
}

/// Writes a graph of abstract states in the language of Graphviz.
///
/// Each state is a box with its predicate and its formula. Each edge is an arrow from its premise
/// to its conclusion, with the number of the clause. An edge without premises starts at `true`, and
/// one with several goes through an oval. A dashed arrow leads from a covered state to the one that
/// covers it.
///
/// # Errors
/// Those of the writer.
pub fn write_abstract_graph(out: &mut dyn Write, graph: &AbstractGraph) -> io::Result<()> {
    writeln!(out, "digraph states {{")?;
    writeln!(out, "  node [shape=box];")?;
    for (number, state) in graph.states.iter().enumerate() {
        let (pred, formula) = (Quoted(&state.pred), Quoted(&state.formula));
        writeln!(out, "  s{number} [label=\"{pred}\\n{formula}\"];")?;
        if let Some(by) = state.covered_by {
            writeln!(
                out,
                "  s{number} -> s{by} [style=dashed, label=\"covered by\"];"
            )?;
        }
    }
    if graph.edges.iter().any(|edge| edge.premises.is_empty()) {
        writeln!(out, "  true [shape=plaintext];")?;
    }
    for (number, edge) in graph.edges.iter().enumerate() {
        let (label, conclusion) = (format!("clause {}", edge.clause.0), edge.conclusion);
        match edge.premises[..] {
            [] => writeln!(out, "  true -> s{conclusion} [label=\"{label}\"];")?,
            [premise] => writeln!(out, "  s{premise} -> s{conclusion} [label=\"{label}\"];")?,
            ref premises => {
                writeln!(out, "  e{number} [label=\"{label}\", shape=ellipse];")?;
                for premise in premises {
                    writeln!(out, "  s{premise} -> e{number};")?;
                }
                writeln!(out, "  e{number} -> s{conclusion};")?;
            }
        }
    }
    writeln!(out, "}}")
}

/// The arrows of a clause.
fn write_clause(
    out: &mut dyn Write,
    graph: &PredGraph,
    id: ClauseId,
    label: &str,
) -> io::Result<()> {
    let (head, label) = (graph.head(id), Quoted(label));
    let conclusion = head.map_or("false".to_owned(), node);
    let back = |inner: PredId| {
        let l = head.and_then(|head| graph.order().loop_of_head(head));
        l.is_some_and(|l| graph.is_back_edge(id, l) && graph.order().is_inside(l, inner))
    };
    match graph.premises(id) {
        [] => writeln!(out, "  true -> {conclusion} [label=\"{label}\"];"),
        &[premise] => {
            let bold = if back(premise) { ", style=bold" } else { "" };
            let from = node(premise);
            writeln!(out, "  {from} -> {conclusion} [label=\"{label}\"{bold}];")
        }
        premises => {
            let oval = format!("c{}", id.0);
            writeln!(out, "  {oval} [label=\"{label}\", shape=ellipse];")?;
            for &premise in premises {
                let bold = if back(premise) { " [style=bold]" } else { "" };
                writeln!(out, "  {} -> {oval}{bold};", node(premise))?;
            }
            writeln!(out, "  {oval} -> {conclusion};")
        }
    }
}

/// The name of a predicate's node.
fn node(pred: PredId) -> String {
    format!("p{}", pred.0)
}

/// Text inside quotation marks.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str(" ")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}
