//! What a witness claims, and where in the text: checks of invariants, and waypoints.
//!
//! `encode` puts the claims into the automata while functions are lowered.

mod encode;

use crate::cfront::claims::{
    Action, Content, InvariantKind, Location, Quotation, Waypoint, WaypointKind, Witness,
};
use crate::cfront::ir::{Claimed, ObjectId};
use crate::cfront::lower::Specification;
use crate::cfront::program::Target;
use crate::cfront::source::{CError, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The name of a call's result in the constraints of witnesses, as the parser of C can read it.
const RESULT: &str = "__witness_result";

/// How waypoints restrict runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// A waypoint that is due is passed where the run next comes to its place. These are some of
    /// the runs that agree with the witness, and they are easy to find.
    Strict,
    /// A waypoint that is due is passed at any visit of its place: all runs that agree.
    Full,
}

/// Where in the text a claim can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Site {
    Statement,
    Loop,
    Branching,
    Enter,
    Return,
    Target,
}

impl Site {
    /// What begins there, for messages.
    fn name(self) -> &'static str {
        match self {
            Site::Statement => "statement or declaration in a block",
            Site::Loop => "loop",
            Site::Branching => "branching",
            Site::Enter | Site::Return => "list of arguments that ends",
            Site::Target => "error",
        }
    }
}

/// Which way a branching goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cfront::lower) enum Outcome {
    Truth(bool),
    Case(i128),
    Default,
}

/// A waypoint with its segment.
#[derive(Clone, Debug)]
struct Passage {
    segment: usize,
    waypoint: Waypoint,
    /// Of a branching.
    outcome: Option<Outcome>,
}

#[derive(Clone, Debug)]
enum Claim {
    Invariant(usize, Quotation),
    Passage(Passage),
}

/// A claim and its place.
#[derive(Clone, Debug)]
struct Mark {
    site: Site,
    location: Location,
    claim: Claim,
}

/// When a visit of a waypoint's place passes the waypoint.
enum Passes {
    Never,
    Always,
    If(Quotation),
}

/// The claims of a witness, while a program is translated.
#[derive(Default)]
pub(in crate::cfront::lower) struct Watch {
    marks: Vec<Rc<Mark>>,
    by_line: FxHashMap<(Site, u32), Vec<usize>>,
    /// For each mark, the byte of the text that it is about.
    found: Vec<Option<usize>>,
    /// Columns of sites in lines that marks speak of.
    columns: FxHashMap<(Site, u32), FxHashSet<u32>>,
    /// The segments in which something is to be avoided.
    avoiding: FxHashSet<usize>,
    /// The number of segments; 0 without a violation.
    segments: usize,
    strict: bool,
    /// Counts the segments that are complete.
    counter: Option<ObjectId>,
    /// Is an expression of the witness under way? Its spans are not the program's.
    pub(in crate::cfront::lower) quoting: bool,
    /// What the points that are made belong to.
    pub(in crate::cfront::lower) claim: Option<Claimed>,
    /// Was something left out that is not supported? Claims may be about places in it.
    pub(in crate::cfront::lower) gave_up: bool,
    /// Where the last statement began.
    pub(in crate::cfront::lower) statement: usize,
    /// Is the target a violation of a property, which other checks find?
    checked: bool,
}

impl Watch {
    /// The claims of a witness.
    pub(in crate::cfront::lower) fn of(
        witness: &Witness,
        reading: Reading,
    ) -> Result<Watch, CError> {
        let mut watch = Watch {
            strict: reading == Reading::Strict,
            ..Watch::default()
        };
        match &witness.content {
            Content::Invariants(claims) => {
                for (number, claim) in claims.iter().enumerate() {
                    let site = match claim.kind {
                        InvariantKind::Loop => Site::Loop,
                        InvariantKind::Location => Site::Statement,
                    };
                    let value = Claim::Invariant(number, claim.value.clone());
                    watch.mark(site, claim.location.clone(), value);
                }
            }
            Content::Violation(segments) => {
                watch.segments = segments.len();
                let all = segments.iter().enumerate();
                for (segment, waypoint) in
                    all.flat_map(|(at, s)| s.waypoints.iter().map(move |w| (at, w)))
                {
                    watch.waypoint(segment, waypoint)?;
                }
            }
        }
        Ok(watch)
    }

    fn waypoint(&mut self, segment: usize, waypoint: &Waypoint) -> Result<(), CError> {
        if waypoint.action == Action::Avoid {
            self.avoiding.insert(segment);
        }
        let site = match waypoint.kind {
            WaypointKind::Assumption => Site::Statement,
            WaypointKind::Target => Site::Target,
            WaypointKind::Branching => Site::Branching,
            WaypointKind::Enter => Site::Enter,
            WaypointKind::Return => Site::Return,
        };
        let outcome = match (&waypoint.constraint, waypoint.kind) {
            (Some(constraint), WaypointKind::Branching) => Some(outcome(constraint)?),
            _ => None,
        };
        let passage = Passage {
            segment,
            waypoint: waypoint.clone(),
            outcome,
        };
        self.mark(site, waypoint.location.clone(), Claim::Passage(passage));
        Ok(())
    }

    fn mark(&mut self, site: Site, location: Location, claim: Claim) {
        let at = self.marks.len();
        self.by_line
            .entry((site, location.line))
            .or_default()
            .push(at);
        self.found.push(None);
        self.marks.push(Rc::new(Mark {
            site,
            location,
            claim,
        }));
    }

    /// The claims, of a program with this error. Where nothing is the error, a property is
    /// violated.
    pub(in crate::cfront::lower) fn about(self, spec: &Specification) -> Watch {
        Watch {
            checked: spec.is_empty(),
            ..self
        }
    }

    /// The target, where a violation of a property is watched for.
    pub(in crate::cfront::lower) fn target(&self) -> Option<Target> {
        let counter = self.counter.filter(|_| self.checked)?;
        let last = self.marks.iter().find(|mark| mark.site == Site::Target)?;
        Some(Target {
            counter,
            segments: i128::try_from(self.segments.checked_sub(1)?).ok()?,
            line: last.location.line,
        })
    }

    /// Is this about a violation?
    fn leads(&self) -> bool {
        self.segments > 0
    }

    /// Have all claims had a place?
    pub(in crate::cfront::lower) fn check_found(&self) -> Result<(), CError> {
        let lost = self
            .marks
            .iter()
            .zip(&self.found)
            .filter(|(mark, _)| !self.checked || mark.site != Site::Target)
            .find(|(_, found)| found.is_none());
        // No run comes to a place that was left out.
        let Some((mark, _)) = lost.filter(|_| !self.gave_up) else {
            return Ok(());
        };
        let columns = self.columns.get(&(mark.site, mark.location.line));
        let mut columns: Vec<u32> = columns.into_iter().flatten().copied().collect();
        columns.sort_unstable();
        let columns: Vec<String> = columns.iter().map(u32::to_string).collect();
        let hint = match &columns[..] {
            [] => String::new(),
            columns => format!(
                "; in that line there is one at column {}",
                columns.join(", ")
            ),
        };
        Err(CError::Meaning {
            place: mark.location.place.clone(),
            message: format!(
                "there is no {} at {}{hint}",
                mark.site.name(),
                mark.location
            ),
        })
    }

    /// The claims about a place, in the order of the witness.
    fn at(&mut self, site: Site, offset: usize, place: &Place) -> Vec<Rc<Mark>> {
        let Some(known) = self.by_line.get(&(site, place.line)) else {
            return Vec::new();
        };
        self.columns
            .entry((site, place.line))
            .or_default()
            .insert(place.column);
        let mut here = Vec::new();
        for &at in known {
            let mark = &self.marks[at];
            let is_other = self.found[at].is_some_and(|first| first != offset);
            if mark.location.is_at(place) && !is_other {
                self.found[at] = Some(offset);
                here.push(mark.clone());
            }
        }
        here
    }
}

/// Which way of a branching a constraint speaks of.
fn outcome(constraint: &Quotation) -> Result<Outcome, CError> {
    match constraint.text.trim() {
        "true" => Ok(Outcome::Truth(true)),
        "false" => Ok(Outcome::Truth(false)),
        "default" => Ok(Outcome::Default),
        text => match text.parse() {
            Ok(value) => Ok(Outcome::Case(value)),
            Err(_) => Err(CError::Meaning {
                place: constraint.place.clone(),
                message: format!(
                    "the constraint of a branching is `true`, `false`, an integer or `default`, not `{text}`"
                ),
            }),
        },
    }
}

/// Has the evaluation of this expression a meaning wherever it stands? By its text alone.
fn is_always_defined(constraint: &Quotation) -> bool {
    !["/", "%", "*", "[", "->", "<<", ">>"]
        .iter()
        .any(|operator| constraint.text.contains(operator))
}
