//! The progress of engines over time as SVG: lemmas and depths.

use super::Escaped;
use std::io::{self, Write};
use std::time::Duration;

/// How far an engine was at some time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Since the beginning of the run.
    pub time: Duration,
    /// The engine.
    pub engine: &'static str,
    /// Its depth.
    pub depth: u32,
    /// Its lemmas.
    pub lemmas: usize,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 180.0;
/// The colours of engines, in turn.
const COLOURS: [&str; 6] = [
    "#3465a4", "#a40000", "#4e9a06", "#75507b", "#c17d11", "#555753",
];

/// Writes a chart of the depths and one of the lemmas; nothing, where there is no sample.
pub(super) fn write(out: &mut dyn Write, samples: &[Sample]) -> io::Result<()> {
    let Some(last) = samples.last() else {
        return Ok(());
    };
    let end = last.time.as_secs_f64().max(1e-3);
    let mut engines: Vec<&str> = Vec::new();
    for sample in samples {
        if !engines.contains(&sample.engine) {
            engines.push(sample.engine);
        }
    }
    write_lines(out, "Depth", samples, &engines, end, |sample| {
        f64::from(sample.depth)
    })?;
    write_lines(out, "Lemmas", samples, &engines, end, |sample| {
        sample.lemmas as f64
    })
}

/// One chart: a line for each engine.
fn write_lines(
    out: &mut dyn Write,
    title: &str,
    samples: &[Sample],
    engines: &[&str],
    end: f64,
    value: impl Fn(&Sample) -> f64,
) -> io::Result<()> {
    let most = samples.iter().map(&value).fold(1.0, f64::max);
    writeln!(
        out,
        "<h3>{title}</h3>\n<svg class=\"chart\" width=\"{WIDTH}\" height=\"{}\" \
         xmlns=\"http://www.w3.org/2000/svg\">",
        HEIGHT + 20.0
    )?;
    writeln!(
        out,
        "<line x1=\"0\" y1=\"{HEIGHT}\" x2=\"{WIDTH}\" y2=\"{HEIGHT}\" stroke=\"#999\"/>\
         <text x=\"2\" y=\"12\" font-size=\"12\">{most}</text>\
         <text x=\"{}\" y=\"{}\" font-size=\"12\">{end:.2} s</text>",
        WIDTH - 60.0,
        HEIGHT + 15.0
    )?;
    for (number, engine) in engines.iter().enumerate() {
        let own = samples.iter().filter(|sample| sample.engine == *engine);
        let points = own.map(|sample| {
            let x = WIDTH * sample.time.as_secs_f64() / end;
            let y = HEIGHT * (1.0 - value(sample) / most);
            format!("{x:.1},{y:.1}")
        });
        let points = points.collect::<Vec<_>>().join(" ");
        let colour = COLOURS[number % COLOURS.len()];
        writeln!(
            out,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"{colour}\">{}</text>",
            60 + 120 * number,
            HEIGHT + 15.0,
            Escaped(engine)
        )?;
    }
    writeln!(out, "</svg>")
}
