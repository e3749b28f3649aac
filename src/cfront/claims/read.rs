//! Witnesses of any tool, from YAML.
//!
//! The types here are the format's objects, with its names for their fields. In metadata, fields
//! that are not known are passed over; in the content they are errors, since a claim that is only
//! half understood is another claim.

use super::content::{
    Action, ClaimedInvariant, ClaimedTask, Content, InvariantKind, Location, Quotation, Segment,
    Waypoint, WaypointKind, Witness,
};
use super::scalar::Scalar;
use crate::cfront::source::{CError, Place};
use crate::cfront::types::DataModel;
use serde::Deserialize;
use serde_saphyr::Spanned;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Deserialize)]
struct RawEntry {
    entry_type: Spanned<Scalar>,
    metadata: Spanned<RawMetadata>,
    content: Spanned<Vec<Spanned<RawElement>>>,
}

#[derive(Deserialize)]
struct RawMetadata {
    format_version: Spanned<Scalar>,
    task: Option<RawTask>,
}

#[derive(Deserialize)]
struct RawTask {
    #[serde(default)]
    input_files: Vec<Scalar>,
    #[serde(default)]
    input_file_hashes: BTreeMap<String, Scalar>,
    specification: Option<Scalar>,
    data_model: Option<Spanned<Scalar>>,
    language: Option<Spanned<Scalar>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawElement {
    invariant: Option<RawInvariant>,
    contract: Option<RawContract>,
    segment: Option<Vec<RawStep>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInvariant {
    #[serde(rename = "type")]
    kind: Spanned<Scalar>,
    location: RawLocation,
    value: Spanned<Scalar>,
    format: Option<Spanned<Scalar>>,
    /// Of format 2.1: what the tool says of the invariant, such as that it is inductive. That it
    /// holds does not depend on it.
    #[serde(rename = "labels")]
    _labels: Option<Vec<Scalar>>,
}

/// Of format 2.1: what a function demands and ensures.
#[derive(Deserialize)]
struct RawContract {
    location: RawLocation,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    waypoint: RawWaypoint,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWaypoint {
    #[serde(rename = "type")]
    kind: Spanned<Scalar>,
    action: Spanned<Scalar>,
    location: RawLocation,
    constraint: Option<RawConstraint>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConstraint {
    value: Spanned<Scalar>,
    format: Option<Spanned<Scalar>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLocation {
    file_name: Option<Scalar>,
    line: Spanned<u32>,
    column: Option<Spanned<u32>>,
    /// The text's place says it.
    #[serde(rename = "function")]
    _function: Option<Scalar>,
}

/// Reads one witness.
struct Reader<'a> {
    name: Rc<str>,
    lines: Vec<&'a str>,
}

impl Witness {
    /// Reads the text of a witness in the format 2.0 or 2.1. Of 2.1, contracts of functions, ghost
    /// variables, transition invariants and cycles are not supported. `name` is the file's, for
    /// messages.
    ///
    /// # Errors
    /// The text is no YAML, or no witness, or has something that is not supported.
    pub fn read(name: &str, text: &str) -> Result<Witness, CError> {
        let reader = Reader {
            name: name.into(),
            lines: text.lines().collect(),
        };
        let entries: Vec<RawEntry> = serde_saphyr::from_str(text).map_err(|error| {
            let place = error.location().map(|at| reader.place(at));
            // Only the first line says what is wrong; the rest shows the text. Its end is the
            // place once more.
            let message = error.without_snippet().to_string();
            let message = message.lines().next().unwrap_or_default();
            let message = message.split(" at line ").next().unwrap_or_default();
            CError::Syntax {
                place: place.unwrap_or_else(|| reader.start()),
                message: message.to_owned(),
            }
        })?;
        reader.witness(entries)
    }
}

impl Reader<'_> {
    fn start(&self) -> Place {
        Place {
            file: self.name.clone(),
            line: 1,
            column: 1,
        }
    }

    fn place(&self, at: serde_saphyr::Location) -> Place {
        Place {
            file: self.name.clone(),
            line: u32::try_from(at.line()).unwrap_or(u32::MAX).max(1),
            column: u32::try_from(at.column()).unwrap_or(u32::MAX).max(1),
        }
    }

    fn fail<T, S>(&self, at: &Spanned<S>, message: impl Into<String>) -> Result<T, CError> {
        Err(CError::Meaning {
            place: self.place(at.referenced),
            message: message.into(),
        })
    }

    /// All entries of a file together.
    fn witness(&self, entries: Vec<RawEntry>) -> Result<Witness, CError> {
        let mut found: Option<Witness> = None;
        for entry in entries {
            let place = self.place(entry.metadata.referenced);
            let task = self.task(&entry.metadata.value)?;
            let content = match entry.entry_type.value.0.as_str() {
                "invariant_set" => self.invariants(entry.content.value)?,
                "violation_sequence" => {
                    self.segments(&entry.content.referenced, entry.content.value)?
                }
                other => {
                    let message = format!("entries of type `{other}` are not supported");
                    return self.fail(&entry.entry_type, message);
                }
            };
            match (&mut found, content) {
                (None, content) => {
                    found = Some(Witness {
                        content,
                        task,
                        place,
                    });
                }
                (Some(known), Content::Invariants(mut more)) => match &mut known.content {
                    Content::Invariants(claims) => claims.append(&mut more),
                    Content::Violation(_) => {
                        return self.fail(&entry.entry_type, "a second entry after a violation");
                    }
                },
                _ => return self.fail(&entry.entry_type, "a violation is the only entry"),
            }
        }
        found.ok_or_else(|| CError::Meaning {
            place: self.start(),
            message: "there is no entry".to_owned(),
        })
    }

    fn task(&self, metadata: &RawMetadata) -> Result<ClaimedTask, CError> {
        let version = &metadata.format_version;
        if !matches!(version.value.0.as_str(), "2.0" | "2.1") {
            let message = format!(
                "the format version `{}` is not supported: 2.0 and 2.1 are",
                version.value.0
            );
            return self.fail(version, message);
        }
        let Some(task) = &metadata.task else {
            return Ok(ClaimedTask::default());
        };
        if let Some(language) = &task.language
            && language.value.0 != "C"
        {
            return self.fail(language, format!("the language is `{}`", language.value.0));
        }
        let model = match &task.data_model {
            None => None,
            Some(model) => match model.value.0.as_str() {
                "ILP32" => Some(DataModel::Ilp32),
                "LP64" => Some(DataModel::Lp64),
                other => return self.fail(model, format!("there is no data model `{other}`")),
            },
        };
        let hashes = task.input_file_hashes.iter();
        Ok(ClaimedTask {
            files: task.input_files.iter().map(|file| file.0.clone()).collect(),
            hashes: hashes
                .map(|(file, hash)| (file.clone(), hash.0.clone()))
                .collect(),
            specification: task.specification.as_ref().map(|text| text.0.clone()),
            model,
        })
    }

    fn invariants(&self, elements: Vec<Spanned<RawElement>>) -> Result<Content, CError> {
        let mut claims = Vec::new();
        for element in elements {
            let RawInvariant {
                kind,
                location,
                value,
                format,
                ..
            } = match element.value {
                RawElement {
                    invariant: Some(invariant),
                    contract: None,
                    segment: None,
                } => invariant,
                RawElement {
                    contract: Some(contract),
                    ..
                } => {
                    let message = "contracts of functions are not supported";
                    return self.fail(&contract.location.line, message);
                }
                _ => return self.fail(&element, "an `invariant` is expected"),
            };
            self.check_format(format.as_ref(), &["c_expression", "ext_c_expression"])?;
            claims.push(ClaimedInvariant {
                kind: match kind.value.0.as_str() {
                    "loop_invariant" => InvariantKind::Loop,
                    "location_invariant" => InvariantKind::Location,
                    other => {
                        let message = format!("invariants of type `{other}` are not supported");
                        return self.fail(&kind, message);
                    }
                },
                location: self.location(&location)?,
                value: self.quotation(value),
            });
        }
        Ok(Content::Invariants(claims))
    }

    fn segments(
        &self,
        at: &serde_saphyr::Location,
        elements: Vec<Spanned<RawElement>>,
    ) -> Result<Content, CError> {
        let mut segments = Vec::new();
        for element in elements {
            let RawElement {
                invariant: None,
                contract: None,
                segment: Some(steps),
            } = &element.value
            else {
                return self.fail(&element, "a `segment` is expected");
            };
            let waypoints = steps.iter().map(|step| self.waypoint(&step.waypoint));
            let waypoints = waypoints.collect::<Result<Vec<Waypoint>, CError>>()?;
            let follows = |waypoint: &&Waypoint| waypoint.action == Action::Follow;
            let is_last_only = waypoints.last().as_ref().is_some_and(follows)
                && waypoints.iter().filter(follows).count() == 1;
            if !is_last_only {
                let message = "a segment has one waypoint to `follow`, which is its last";
                return self.fail(&element, message);
            }
            segments.push(Segment { waypoints });
        }
        let is_target = |segment: &Segment| {
            let mut waypoints = segment.waypoints.iter();
            waypoints.any(|waypoint| waypoint.kind == WaypointKind::Target)
        };
        let targets = segments.iter().filter(|segment| is_target(segment)).count();
        if targets == 1 && segments.last().is_some_and(is_target) {
            return Ok(Content::Violation(segments));
        }
        Err(CError::Meaning {
            place: self.place(*at),
            message: "a violation has one `target`, which is its last waypoint".to_owned(),
        })
    }

    fn waypoint(&self, raw: &RawWaypoint) -> Result<Waypoint, CError> {
        let action = match raw.action.value.0.as_str() {
            "follow" => Action::Follow,
            "avoid" => Action::Avoid,
            "cycle" => {
                let message = "a run that does not end (`cycle`) is not supported";
                return self.fail(&raw.action, message);
            }
            other => return self.fail(&raw.action, format!("there is no action `{other}`")),
        };
        let kind = match raw.kind.value.0.as_str() {
            "assumption" => WaypointKind::Assumption,
            "target" => WaypointKind::Target,
            "branching" => WaypointKind::Branching,
            "function_enter" => WaypointKind::Enter,
            "function_return" => WaypointKind::Return,
            other => {
                let message = format!("waypoints of type `{other}` are not supported");
                return self.fail(&raw.kind, message);
            }
        };
        if kind == WaypointKind::Target && action == Action::Avoid {
            return self.fail(&raw.action, "a target cannot be avoided");
        }
        let formats: &[&str] = match kind {
            WaypointKind::Return => &["acsl_expression", "c_expression", "ext_c_expression"],
            _ => &["c_expression", "ext_c_expression"],
        };
        let constraint = match (&raw.constraint, kind) {
            (Some(constraint), WaypointKind::Target | WaypointKind::Enter) => {
                let message = format!("a `{}` has no constraint", raw.kind.value.0);
                return self.fail(&constraint.value, message);
            }
            (None, WaypointKind::Assumption | WaypointKind::Branching) => {
                let message = format!("a waypoint `{}` has a constraint", raw.kind.value.0);
                return self.fail(&raw.kind, message);
            }
            (None, _) => None,
            (Some(constraint), _) => {
                self.check_format(constraint.format.as_ref(), formats)?;
                Some(self.quotation(constraint.value.clone()))
            }
        };
        Ok(Waypoint {
            kind,
            action,
            location: self.location(&raw.location)?,
            constraint,
        })
    }

    fn check_format(&self, told: Option<&Spanned<Scalar>>, known: &[&str]) -> Result<(), CError> {
        match told {
            Some(format) if !known.contains(&format.value.0.as_str()) => {
                let message = format!(
                    "the format `{}` is not supported here: `{}` is",
                    format.value.0, known[0]
                );
                self.fail(format, message)
            }
            _ => Ok(()),
        }
    }

    fn location(&self, raw: &RawLocation) -> Result<Location, CError> {
        if raw.line.value == 0 {
            return self.fail(&raw.line, "lines are counted from 1");
        }
        if let Some(column) = raw.column.as_ref().filter(|column| column.value == 0) {
            return self.fail(column, "columns are counted from 1");
        }
        Ok(Location {
            file: raw.file_name.as_ref().map(|name| name.0.clone()),
            line: raw.line.value,
            column: raw.column.as_ref().map(|column| column.value),
            place: self.place(raw.line.referenced),
        })
    }

    fn quotation(&self, scalar: Spanned<Scalar>) -> Quotation {
        let mut place = self.place(scalar.referenced);
        let text = scalar.value.0;
        let at = |number: u32| usize::try_from(number - 1).unwrap_or(usize::MAX);
        let line = self.lines.get(at(place.line)).copied().unwrap_or("");
        let rest: String = line.chars().skip(at(place.column)).collect();
        let quoted = rest.starts_with(['"', '\'']);
        let is_plain = rest[usize::from(quoted)..].starts_with(text.as_str());
        if is_plain && quoted {
            place.column += 1;
        }
        Quotation {
            text,
            place,
            is_plain,
        }
    }
}
