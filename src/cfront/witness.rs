//! SV-COMP witnesses, format 2.1: YAML with an `invariant_set` or a `violation_sequence`.
//!
//! The types of this module are the format's objects, with its names for their fields. Texts are
//! quoted, so that no reader takes one for a number, a date or a truth value. [`super::claims`]
//! reads witnesses.

use super::claims::hash_of;
use super::event::Event;
use super::invariant::Invariant;
use super::run::{ErrorRun, OUTSIDE};
use super::source::Place;
use super::types::DataModel;
use jiff::Timestamp;
use serde::Serialize;
use serde_saphyr::DoubleQuoted as Quoted;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// What a witness says of the task that it belongs to.
#[derive(Clone, Debug)]
pub struct WitnessTask<'a> {
    /// The program's file.
    pub file: &'a str,
    /// Its bytes, for the hash.
    pub bytes: &'a [u8],
    /// The property as text.
    pub specification: &'a str,
    /// Sizes of types.
    pub model: DataModel,
    /// When the witness is made.
    pub time: SystemTime,
}

/// A witness: a list of one entry.
#[derive(Serialize)]
struct Entry<'a> {
    entry_type: EntryType,
    metadata: Metadata<'a>,
    content: Vec<Element<'a>>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum EntryType {
    InvariantSet,
    ViolationSequence,
}

#[derive(Serialize)]
struct Metadata<'a> {
    format_version: Quoted<&'static str>,
    uuid: Quoted<String>,
    creation_time: Quoted<String>,
    producer: Producer,
    task: Task<'a>,
}

#[derive(Serialize)]
struct Producer {
    name: Quoted<&'static str>,
    version: Quoted<&'static str>,
}

#[derive(Serialize)]
struct Task<'a> {
    input_files: [Quoted<&'a str>; 1],
    /// SHA-256 in hexadecimal digits, by file.
    input_file_hashes: BTreeMap<&'a str, Quoted<String>>,
    specification: Quoted<&'a str>,
    data_model: &'static str,
    language: &'static str,
}

/// An element of a witness's content; the variant's name is its only key.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Element<'a> {
    Invariant(LoopInvariant<'a>),
    Segment([Step<'a>; 1]),
}

#[derive(Serialize)]
struct LoopInvariant<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    location: Location<'a>,
    value: Quoted<&'a str>,
    format: &'static str,
}

#[derive(Serialize)]
struct Step<'a> {
    waypoint: Waypoint<'a>,
}

#[derive(Serialize)]
struct Waypoint<'a> {
    #[serde(rename = "type")]
    kind: WaypointType,
    action: &'static str,
    location: Location<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum WaypointType {
    FunctionReturn,
    Target,
}

#[derive(Serialize)]
struct Constraint {
    value: Quoted<String>,
    format: &'static str,
}

#[derive(Serialize)]
struct Location<'a> {
    file_name: Quoted<String>,
    line: u32,
    column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<Quoted<&'a str>>,
}

impl<'a> Location<'a> {
    fn new(place: &Place, function: Option<&'a str>) -> Location<'a> {
        Location {
            file_name: Quoted(place.file.to_string()),
            line: place.line,
            column: place.column,
            function: function.map(Quoted),
        }
    }
}

/// The witness that invariants are.
pub fn correctness_witness(task: &WitnessTask<'_>, invariants: &[Invariant]) -> String {
    // Other files than the task's are not part of it.
    let told = invariants
        .iter()
        .filter(|i| i.at_loop && *i.place.file == *task.file && i.formula != "1");
    let content = told.map(|invariant| {
        Element::Invariant(LoopInvariant {
            kind: "loop_invariant",
            location: Location::new(&invariant.place, Some(&invariant.function)),
            value: Quoted(&invariant.formula),
            format: "c_expression",
        })
    });
    yaml(task, EntryType::InvariantSet, content.collect())
}

/// The witness that a run to the error is.
pub fn violation_witness(task: &WitnessTask<'_>, run: &ErrorRun) -> String {
    let mut content = Vec::new();
    for step in &run.steps {
        for event in &step.events {
            if let Event::Input { function, value } = event
                && *step.place.file == *task.file
                // The format has no waypoint for the arguments of `main`: no call returns them.
                && function != "main"
                // What is outside of the program has no name in it.
                && !value.starts_with(OUTSIDE)
            {
                let place = end_of_call(task.bytes, &step.place, function);
                let constraint = Constraint {
                    value: Quoted(result_is(value)),
                    format: "ext_c_expression",
                };
                content.push(segment(
                    WaypointType::FunctionReturn,
                    &place,
                    Some(constraint),
                ));
            }
        }
    }
    content.push(segment(WaypointType::Target, run.end.place(), None));
    yaml(task, EntryType::ViolationSequence, content)
}

/// The right parenthesis of a call, which is where the format has functions return; the beginning
/// if there is none.
fn end_of_call(bytes: &[u8], start: &Place, function: &str) -> Place {
    let line = usize::try_from(start.line).unwrap_or(usize::MAX);
    let before = bytes.split_inclusive(|&b| b == b'\n').take(line - 1);
    let column = usize::try_from(start.column).unwrap_or(usize::MAX);
    let from = before.map(<[u8]>::len).sum::<usize>() + column - 1;
    let rest = bytes.get(from..).unwrap_or_default();
    let name = function.as_bytes();
    let called = rest.windows(name.len().max(1)).position(|w| w == name);
    let (mut place, mut depth) = (start.clone(), 0_usize);
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'(' if called.is_some_and(|called| at > called) => depth += 1,
            b')' if depth == 1 => return place,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if *byte == b'\n' {
            place.line += 1;
            place.column = 1;
        } else {
            place.column += 1;
        }
    }
    start.clone()
}

/// A segment of one waypoint, which is to be followed.
fn segment<'a>(kind: WaypointType, place: &Place, constraint: Option<Constraint>) -> Element<'a> {
    let waypoint = Waypoint {
        kind,
        action: "follow",
        location: Location::new(place, None),
        constraint,
    };
    Element::Segment([Step { waypoint }])
}

/// The witness as text.
fn yaml(task: &WitnessTask<'_>, entry_type: EntryType, content: Vec<Element<'_>>) -> String {
    let hash = hash_of(task.bytes);
    let creation = Timestamp::try_from(task.time).unwrap_or_default();
    let entry = Entry {
        entry_type,
        metadata: Metadata {
            format_version: Quoted("2.1"),
            uuid: Quoted(uuid(task, entry_type).to_string()),
            creation_time: Quoted(creation.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
            producer: Producer {
                name: Quoted("c2horn"),
                version: Quoted(env!("CARGO_PKG_VERSION")),
            },
            task: Task {
                input_files: [Quoted(task.file)],
                input_file_hashes: BTreeMap::from([(task.file, Quoted(hash))]),
                specification: Quoted(task.specification.trim()),
                data_model: task.model.name(),
                language: "C",
            },
        },
        content,
    };
    serde_saphyr::to_string(&[entry]).expect("names, texts and numbers are YAML")
}

/// A UUID of version 8: from the hash of what the witness is about and the time.
fn uuid(task: &WitnessTask<'_>, entry_type: EntryType) -> Uuid {
    let mut hasher = Sha256::new();
    hasher.update(task.bytes);
    hasher.update([entry_type as u8]);
    let nanos = task
        .time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos());
    hasher.update(nanos.to_le_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize()[..16]);
    Uuid::new_v8(bytes)
}
/// The constraint of an input, in C without headers.
fn result_is(value: &str) -> String {
    let number = value.trim_start_matches('-');
    let sign = &value[..value.len() - number.len()];
    match number {
        "nan" | "nanf" => "\\result != \\result".to_owned(),
        "infinity" | "infinityf" => format!("\\result == {sign}1.0 / 0.0"),
        _ => format!("\\result == {value}"),
    }
}
