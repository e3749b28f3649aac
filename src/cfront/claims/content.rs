//! What a witness claims of a program.

use crate::cfront::source::{CError, Place};
use crate::cfront::types::DataModel;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Is a witness about a proof or about a run?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessKind {
    /// Invariants, which hold in every run.
    Correctness,
    /// Waypoints, which lead a run to the error.
    Violation,
}

/// A witness that was read, and is well formed.
#[derive(Clone, Debug)]
pub struct Witness {
    pub(crate) content: Content,
    /// What the witness says of its task.
    pub(super) task: ClaimedTask,
    /// Where it begins to do so.
    pub(super) place: Place,
}

/// What a witness says of the task that it belongs to.
#[derive(Clone, Debug, Default)]
pub(super) struct ClaimedTask {
    pub(super) files: Vec<String>,
    /// SHA-256 in hexadecimal digits, by file.
    pub(super) hashes: BTreeMap<String, String>,
    pub(super) specification: Option<String>,
    pub(super) model: Option<DataModel>,
}

/// The SHA-256 hash of a file, in hexadecimal digits.
pub(crate) fn hash_of(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a witness claims.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Invariants(Vec<ClaimedInvariant>),
    Violation(Vec<Segment>),
}

/// A text in a witness.
#[derive(Clone, Debug)]
pub(crate) struct Quotation {
    pub(crate) text: String,
    /// Where it begins.
    pub(crate) place: Place,
    /// Has the witness it as it is, in one line and without escapes? Then its bytes have places.
    pub(crate) is_plain: bool,
}

impl Quotation {
    /// The place of a byte of the text, as far as it is known.
    pub(crate) fn place_of(&self, offset: usize) -> Place {
        let mut place = self.place.clone();
        if self.is_plain {
            let offset = u32::try_from(offset.min(self.text.len())).unwrap_or(0);
            place.column = place.column.saturating_add(offset);
        }
        place
    }
}

/// A place in the program's text.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    /// The file's name; `None` is the program's.
    pub(crate) file: Option<String>,
    pub(crate) line: u32,
    /// `None` is the first place in the line that fits.
    pub(crate) column: Option<u32>,
    /// Where the witness says so.
    pub(crate) place: Place,
}

impl Location {
    /// Is this the place? Files are compared by the last parts of their names.
    pub(crate) fn is_at(&self, place: &Place) -> bool {
        let name = |path: &str| Path::new(path).file_name().map(ToOwned::to_owned);
        self.line == place.line
            && self.column.is_none_or(|column| column == place.column)
            && (self.file.as_ref()).is_none_or(|file| name(file) == name(&place.file))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        match self.column {
            Some(column) => write!(f, "{}:{column}", self.line),
            None => write!(f, "{}", self.line),
        }
    }
}

/// Where an invariant holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InvariantKind {
    /// At the head of the loop that begins there.
    Loop,
    /// Before the statement or declaration that begins there.
    Location,
}

/// An invariant that a witness claims.
#[derive(Clone, Debug)]
pub(crate) struct ClaimedInvariant {
    pub(crate) kind: InvariantKind,
    pub(crate) location: Location,
    pub(crate) value: Quotation,
}

/// Waypoints that a part of the run does not pass, and the one at its end.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) waypoints: Vec<Waypoint>,
}

/// Is a waypoint passed?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Follow,
    Avoid,
}

/// What happens at a waypoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WaypointKind {
    /// The constraint holds before a statement or declaration.
    Assumption,
    /// The error.
    Target,
    /// A branch is taken: the constraint says which.
    Branching,
    /// A function is called.
    Enter,
    /// A call comes back, with a result of which the constraint holds.
    Return,
}

/// A waypoint.
#[derive(Clone, Debug)]
pub(crate) struct Waypoint {
    pub(crate) kind: WaypointKind,
    pub(crate) action: Action,
    pub(crate) location: Location,
    pub(crate) constraint: Option<Quotation>,
}

impl Witness {
    /// What the witness is about.
    pub fn kind(&self) -> WitnessKind {
        match self.content {
            Content::Invariants(_) => WitnessKind::Correctness,
            Content::Violation(_) => WitnessKind::Violation,
        }
    }

    /// The property that the witness speaks of, as text.
    pub fn specification(&self) -> Option<&str> {
        self.task.specification.as_deref()
    }

    /// The sizes of types that it takes for granted.
    pub fn model(&self) -> Option<DataModel> {
        self.task.model
    }

    /// The claim that [`RunEnd::Invariant`](crate::cfront::RunEnd) speaks of, as C has it.
    pub fn invariant(&self, number: usize) -> Option<&str> {
        match &self.content {
            Content::Invariants(claims) => claims.get(number).map(|claim| &*claim.value.text),
            Content::Violation(_) => None,
        }
    }

    /// Is the witness about this program? If so, what is doubtful all the same.
    ///
    /// # Errors
    /// The hashes that the witness has are those of other files.
    pub fn check_program(&self, file: &str, bytes: &[u8]) -> Result<Option<String>, CError> {
        let ClaimedTask { files, hashes, .. } = &self.task;
        let name = |path: &str| Path::new(path).file_name().map(ToOwned::to_owned);
        let own = hash_of(bytes);
        if hashes.is_empty() {
            let note = "the witness has no hash of the program";
            return Ok(Some(format!("{}: warning: {note}", self.place)));
        }
        if !hashes.values().any(|hash| hash.eq_ignore_ascii_case(&own)) {
            let told: Vec<&str> = hashes.values().map(String::as_str).collect();
            let message = format!(
                "the witness is about another program: its SHA-256 is {}, and that of {file} is {own}",
                told.join(" or ")
            );
            return Err(self.error(message));
        }
        let named = |known: &&String| name(known) == name(file);
        let is_named = files.iter().chain(hashes.keys()).any(|known| named(&known));
        let note = format!(
            "{}: warning: the witness does not name the program {file}",
            self.place
        );
        Ok((!is_named).then_some(note))
    }

    /// Does the user ask for the same property?
    ///
    /// # Errors
    /// The user asks for another one.
    pub fn check_specification(&self, property: &str) -> Result<(), CError> {
        let compact = |text: &str| -> String { text.split_whitespace().collect() };
        // A witness is about one property of a file that may ask for several.
        let whole = compact(property);
        let is_asked = |own: &str| {
            own == whole
                || whole
                    .split("CHECK(")
                    .any(|line| own.strip_prefix("CHECK(") == Some(line))
        };
        match self.specification() {
            Some(own) if !is_asked(&compact(own)) => Err(self.error(format!(
                "the witness is about another property: `{own}`, not `{}`",
                property.trim()
            ))),
            _ => Ok(()),
        }
    }

    /// Does the user ask for the same sizes of types?
    ///
    /// # Errors
    /// The user asks for others.
    pub fn check_model(&self, model: DataModel) -> Result<(), CError> {
        match self.model() {
            Some(own) if own != model => Err(self.error(format!(
                "the witness is about the data model {}, not {}",
                own.name(),
                model.name()
            ))),
            _ => Ok(()),
        }
    }

    fn error(&self, message: String) -> CError {
        CError::Meaning {
            place: self.place.clone(),
            message,
        }
    }
}
