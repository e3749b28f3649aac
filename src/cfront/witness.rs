//! SV-COMP witnesses, format 2.0: YAML with an `invariant_set` or a `violation_sequence`.

use super::invariant::Invariant;
use super::run::{ErrorRun, Event, OUTSIDE, RunEnd};
use super::source::Place;
use super::types::DataModel;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

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

/// The witness that invariants are.
pub fn correctness_witness(task: &WitnessTask<'_>, invariants: &[Invariant]) -> String {
    let mut text = header(task, "invariant_set");
    // Other files than the task's are not part of it.
    let told = invariants
        .iter()
        .filter(|i| i.at_loop && *i.place.file == *task.file && i.formula != "1");
    let mut empty = true;
    for invariant in told {
        if std::mem::take(&mut empty) {
            text.push_str("  content:\n");
        }
        text.push_str("    - invariant:\n        type: loop_invariant\n        location:\n");
        location(&mut text, 10, &invariant.place, Some(&invariant.function));
        let _ = writeln!(text, "        value: {}", quoted(&invariant.formula));
        text.push_str("        format: c_expression\n");
    }
    if empty {
        text.push_str("  content: []\n");
    }
    text
}

/// The witness that a run to the error is.
pub fn violation_witness(task: &WitnessTask<'_>, run: &ErrorRun) -> String {
    let mut text = header(task, "violation_sequence");
    text.push_str("  content:\n");
    for step in &run.steps {
        for event in &step.events {
            if let Event::Input { function, value } = event
                && *step.place.file == *task.file
                // What is outside of the program has no name in it.
                && !value.starts_with(OUTSIDE)
            {
                let place = end_of_call(task.bytes, &step.place, function);
                waypoint(&mut text, "function_return", &place);
                text.push_str("            constraint:\n");
                let _ = writeln!(
                    text,
                    "              value: {}",
                    quoted(&format!("\\result == {value}"))
                );
                text.push_str("              format: acsl_expression\n");
            }
        }
    }
    let (RunEnd::Error(place, _) | RunEnd::Unsupported(place, _) | RunEnd::Wraps(place)) = &run.end;
    waypoint(&mut text, "target", place);
    text
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

fn waypoint(text: &mut String, kind: &str, place: &Place) {
    let _ = writeln!(
        text,
        "    - segment:\n        - waypoint:\n            type: {kind}"
    );
    text.push_str("            action: follow\n            location:\n");
    location(text, 14, place, None);
}

fn location(text: &mut String, indent: usize, place: &Place, function: Option<&str>) {
    let pad = " ".repeat(indent);
    let _ = writeln!(text, "{pad}file_name: {}", quoted(&place.file));
    let _ = writeln!(text, "{pad}line: {}", place.line);
    let _ = writeln!(text, "{pad}column: {}", place.column);
    if let Some(function) = function {
        let _ = writeln!(text, "{pad}function: {}", quoted(function));
    }
}

/// Everything before the content.
fn header(task: &WitnessTask<'_>, kind: &str) -> String {
    let hash = hex(&Sha256::digest(task.bytes));
    let seconds = task
        .time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs());
    let mut text = format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n");
    let _ = writeln!(text, "    uuid: {}", quoted(&uuid(task, kind)));
    let _ = writeln!(text, "    creation_time: {}", quoted(&utc(seconds)));
    text.push_str("    producer:\n      name: \"c2horn\"\n");
    let _ = writeln!(text, "      version: {}", quoted(env!("CARGO_PKG_VERSION")));
    text.push_str("    task:\n      input_files:\n");
    let _ = writeln!(text, "        - {}", quoted(task.file));
    text.push_str("      input_file_hashes:\n");
    let _ = writeln!(text, "        {}: {}", quoted(task.file), quoted(&hash));
    let _ = writeln!(
        text,
        "      specification: {}",
        quoted(task.specification.trim())
    );
    let _ = writeln!(text, "      data_model: {}", task.model.name());
    text.push_str("      language: C\n");
    text
}

/// A UUID of version 8: from the hash of what the witness is about and the time.
fn uuid(task: &WitnessTask<'_>, kind: &str) -> String {
    let mut hasher = Sha256::new();
    hasher.update(task.bytes);
    hasher.update(kind);
    let nanos = task
        .time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos());
    hasher.update(nanos.to_le_bytes());
    let mut bytes = hasher.finalize().to_vec();
    bytes.truncate(16);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    format!(
        "{}-{}-{}-{}-{}",
        &text[..8],
        &text[8..12],
        &text[12..16],
        &text[16..20],
        &text[20..]
    )
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A string of YAML in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Seconds since 1970 as a date in UTC.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of the year 0, in eras of 400 years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}
