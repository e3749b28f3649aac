//! Runs and invariants for people, and the same as JSON.

use crate::args::TraceFormat;
use horn::cfront::{CProgram, ErrorRun, Event, Invariant, Place, RunEnd, RunStep, outside_text};
use horn::cverify::Verdict;
use serde::Serialize;
use std::io::{self, Write};

/// A line of a trace has at most six events. The value was not tuned.
const EVENTS: usize = 6;
/// Of a long trace, as many lines of the beginning are shown. The value was not tuned.
const FIRST: usize = 60;
/// And as many of the end.
const LAST: usize = 40;

/// Writes what holds at loop heads and other points, where C can say it.
pub(crate) fn write_invariants(out: &mut dyn Write, invariants: &[Invariant]) -> io::Result<()> {
    for invariant in invariants
        .iter()
        .filter(|invariant| invariant.formula != "1")
    {
        let Invariant {
            place,
            function,
            text,
            ..
        } = invariant;
        writeln!(out, "{place}: in {function}: {text}")?;
    }
    Ok(())
}

/// Writes a run, and what it ends with. Without [`TraceFormat::Full`], the middle of a long one is
/// left out.
pub(crate) fn write_run(
    out: &mut dyn Write,
    program: &CProgram,
    run: &ErrorRun,
    format: TraceFormat,
) -> io::Result<()> {
    let lines = lines(&run.steps);
    let shown = match format {
        TraceFormat::Full => lines.len(),
        _ if lines.len() <= FIRST + LAST => lines.len(),
        _ => FIRST,
    };
    for line in &lines[..shown] {
        writeln!(out, "{line}")?;
    }
    if shown < lines.len() {
        let rest = lines.len() - LAST;
        writeln!(out, "… {} more lines, with --trace full …", rest - shown)?;
        for line in &lines[rest..] {
            writeln!(out, "{line}")?;
        }
    }
    let place = run.end.place();
    writeln!(out, "{place}: {}", end_text(&run.end))?;
    match program.line(place) {
        Some(line) => writeln!(out, "    {line}"),
        None => Ok(()),
    }
}

/// What a run ends with.
fn end_text(end: &RunEnd) -> String {
    match end {
        RunEnd::Error(_, what)
            if what.starts_with("call of __assert") || what == "call of assert" =>
        {
            "the assertion fails".to_owned()
        }
        RunEnd::Error(_, what) => what.clone(),
        RunEnd::Unsupported(_, what) => format!("not supported: {what}"),
        RunEnd::Wraps(_) => "wraps around".to_owned(),
        RunEnd::Invariant(..) => "an invariant does not hold".to_owned(),
    }
}

/// The lines of a trace: what happens in one line of the program in one.
fn lines(steps: &[RunStep]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut last, mut count): (Option<&RunStep>, usize) = (None, 0);
    for step in steps {
        if step.left_out > 0 {
            lines.push(format!("… {} steps without an input …", step.left_out));
            last = None;
        }
        let is_same = last.is_some_and(|last| {
            last.place.file == step.place.file
                && last.place.line == step.place.line
                && last.function == step.function
                && last.depth == step.depth
        });
        for (at, event) in step.events.iter().enumerate() {
            let text = event_text(event);
            match lines.last_mut() {
                Some(line) if (is_same || at > 0) && count < EVENTS => {
                    line.push_str(", ");
                    line.push_str(&text);
                    count += 1;
                }
                _ => {
                    let indent = "  ".repeat(step.depth);
                    lines.push(format!("{}: {indent}{text}", step.place));
                    count = 1;
                }
            }
        }
        last = Some(step);
    }
    lines
}

/// An event in words.
fn event_text(event: &Event) -> String {
    match event {
        Event::Input { function, value } => {
            let value = outside_text(value);
            match function.strip_prefix("extern ") {
                Some(variable) => format!("{variable} is {value} at the beginning"),
                None if function == "main" => format!("an argument of main is {value}"),
                None => format!("{function}() returns {value}"),
            }
        }
        Event::Uninitialised { variable, value } => {
            format!("{variable} is {}, not initialised", outside_text(value))
        }
        Event::Change { variable, value } => format!("{variable} = {value}"),
        Event::Test { condition, holds } => format!("{condition} is {holds}"),
        Event::Call {
            function,
            arguments,
        } => {
            let arguments = arguments
                .iter()
                .map(|argument| format!("{} = {}", argument.name, argument.value));
            format!("{function}({})", arguments.collect::<Vec<_>>().join(", "))
        }
        Event::Return {
            function,
            call,
            value,
        } => {
            let call = call.clone().unwrap_or_else(|| format!("{function}()"));
            match value {
                Some(value) => format!("{call} returns {value}"),
                None => format!("{call} returns"),
            }
        }
        Event::Allocation { memory } => format!("{memory} is allocated"),
        Event::Free { pointer } => format!("{pointer} is freed"),
    }
}

/// A verdict as JSON; docs/src/c-programs.md describes it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "verdict")]
enum JsonVerdict<'r> {
    True {
        invariants: Vec<JsonInvariant>,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    False {
        trace: Vec<JsonStep<'r>>,
        end: JsonEnd,
        complete: bool,
    },
    Unknown {
        reason: String,
    },
}

#[derive(Serialize)]
struct JsonPlace {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct JsonInvariant {
    #[serde(flatten)]
    place: JsonPlace,
    function: String,
    is_loop: bool,
    formula: String,
    text: String,
}

#[derive(Serialize)]
struct JsonStep<'r> {
    #[serde(flatten)]
    place: JsonPlace,
    function: &'r str,
    depth: usize,
    #[serde(flatten)]
    event: &'r Event,
}

#[derive(Serialize)]
struct JsonEnd {
    #[serde(flatten)]
    place: JsonPlace,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl JsonPlace {
    fn new(place: &Place) -> Self {
        JsonPlace {
            file: place.file.to_string(),
            line: place.line,
            column: place.column,
        }
    }
}

/// Writes a verdict with its trace or its invariants as one JSON object.
pub(crate) fn write_json(program: &CProgram, verdict: &Verdict) -> io::Result<()> {
    let json = match verdict {
        Verdict::True {
            invariants,
            overflow,
        } => JsonVerdict::True {
            invariants: invariants.iter().map(json_invariant).collect(),
            note: overflow.note(),
        },
        Verdict::False(run) => JsonVerdict::False {
            trace: run.steps.iter().flat_map(json_steps).collect(),
            end: JsonEnd {
                place: JsonPlace::new(run.end.place()),
                what: end_text(&run.end),
                text: program.line(run.end.place()).map(str::to_owned),
            },
            complete: run.is_whole(),
        },
        Verdict::Unknown(reason) | Verdict::Fault(reason) => JsonVerdict::Unknown {
            reason: reason.clone(),
        },
    };
    let text = serde_json::to_string_pretty(&json).expect("names and texts are JSON");
    writeln!(io::stdout().lock(), "{text}")
}

fn json_invariant(invariant: &Invariant) -> JsonInvariant {
    JsonInvariant {
        place: JsonPlace::new(&invariant.place),
        function: invariant.function.clone(),
        is_loop: invariant.at_loop,
        formula: invariant.formula.clone(),
        text: invariant.text.clone(),
    }
}

fn json_steps(step: &RunStep) -> Vec<JsonStep<'_>> {
    let events = step.events.iter().map(|event| JsonStep {
        place: JsonPlace::new(&step.place),
        function: &step.function,
        depth: step.depth,
        event,
    });
    events.collect()
}
