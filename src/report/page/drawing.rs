//! Graphs in the language of Graphviz as SVG.

use super::Escaped;
use layout::backends::svg::SVGWriter;
use layout::gv::{DotParser, GraphBuilder};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Larger graphs are not drawn: the layout takes time that grows faster than the graph, and nothing
/// can be seen.
const LARGEST: usize = 150;

/// Writes a graph of that many nodes and edges, given as text for Graphviz, as a drawing; or the
/// text, where the graph is too large to be drawn. The name is a word that no other drawing of the
/// page has.
pub(super) fn write(out: &mut dyn Write, name: &str, dot: &str, size: usize) -> io::Result<()> {
    if let Some(drawing) = (size <= LARGEST).then(|| draw(name, dot)).flatten() {
        return writeln!(out, "<div class=\"drawing\">{drawing}</div>");
    }
    writeln!(
        out,
        "<p>The graph has {size} nodes and edges, too many for a drawing here.</p>\n\
         <details><summary>Its text for Graphviz</summary><pre>{}</pre></details>",
        Escaped(dot)
    )
}

/// The graph as SVG; `None` where the library cannot draw it.
fn draw(name: &str, dot: &str) -> Option<String> {
    // The library takes labels only that it can measure, and panics for some graphs.
    let drawn = catch_unwind(AssertUnwindSafe(|| {
        let graph = DotParser::new(dot).process().ok()?;
        let mut builder = GraphBuilder::new();
        builder.visit_graph(&graph);
        let mut svg = SVGWriter::new();
        builder.get().do_it(false, false, false, &mut svg);
        Some(svg.finalize())
    }));
    let text = drawn.ok().flatten()?;
    let svg = &text[text.find("<svg")?..];
    // Names hold for the whole page.
    let names = [
        "\"startarrow",
        "\"endarrow",
        "\"arrow",
        "#startarrow",
        "#endarrow",
        "#arrow",
    ];
    let own = names.iter().fold(svg.to_owned(), |svg, used| {
        let (mark, word) = used.split_at(1);
        svg.replace(used, &format!("{mark}{name}-{word}"))
    });
    Some(own)
}
