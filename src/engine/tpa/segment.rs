//! Segments: sets of paths that exist, each a cube over the states at both ends.
//!
//! A segment is an under-approximation of a power. The ones of single steps are cubes of *Trans*,
//! and two segments are joined by projection:
//!
//! ```text
//! step    MBP(inputs, Tr(x, i, z))                                    around a model
//! join    MBP(y, s₁(x, y) ∧ s₂(y, z))                                 around a model
//! ```
//!
//! DIVERGENCE: \[BFHS22\] remembers which states were reached, so each step of a counterexample
//! costs a query. A segment serves wherever its steps can be taken again. A loop of 2ⁿ steps that
//! each do the same is n joins.

use crate::term::{Term, TermMap};

/// A segment, by its number in [`Segments`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SegmentId(usize);

/// How the paths of a segment go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// No step is taken.
    Stay,
    /// One step.
    Step,
    /// One segment after the other.
    Joined(SegmentId, SegmentId),
}

/// A set of paths that exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    /// Over state and next state: all pairs of states in it are ends of a path.
    pub(super) literals: Vec<Term>,
    /// The number of steps of each path.
    pub(super) steps: u64,
    /// The way of the paths.
    pub(super) way: Way,
}

/// All segments.
#[derive(Default)]
pub(super) struct Segments {
    all: Vec<Segment>,
    /// By the conjunction of the literals.
    by_cube: TermMap<SegmentId>,
}

impl Segments {
    /// A segment by its number.
    pub(super) fn get(&self, id: SegmentId) -> &Segment {
        &self.all[id.0]
    }

    /// Adds a segment, whose literals have this conjunction, if there is none with the same cube
    /// and length.
    pub(super) fn add(&mut self, cube: Term, segment: Segment) -> SegmentId {
        match self.by_cube.get(&cube) {
            Some(&old) if self.get(old).steps == segment.steps => old,
            _ => {
                let id = SegmentId(self.all.len());
                self.all.push(segment);
                self.by_cube.insert(cube, id);
                id
            }
        }
    }

    /// The single steps of a path of this segment, in order.
    pub(super) fn steps(&self, id: SegmentId) -> StepsOf<'_> {
        StepsOf {
            segments: self,
            todo: vec![id],
        }
    }
}

/// The single steps of a segment, in order.
pub(super) struct StepsOf<'a> {
    segments: &'a Segments,
    todo: Vec<SegmentId>,
}

impl Iterator for StepsOf<'_> {
    type Item = SegmentId;

    fn next(&mut self) -> Option<SegmentId> {
        while let Some(id) = self.todo.pop() {
            match self.segments.get(id).way {
                Way::Stay => {}
                Way::Step => return Some(id),
                Way::Joined(first, second) => self.todo.extend([second, first]),
            }
        }
        None
    }
}
