//! Intervals of variables at each point of an automaton, with integers that wrap around: a fixpoint
//! with widening at loop heads \[CC77\], and two narrowing steps.
//!
//! Intervals are used only where they are inductive, which is checked again at the end: every step
//! leads from states within the intervals to states within the intervals. So all that the clauses
//! derive is in the intervals, and operations that cannot leave their types there need not be
//! reduced. A function with its own automaton may be called with any arguments, and may leave any
//! values.

use super::interval::{Interval, Intervals, Look};
use super::slice::Effect;
use crate::cfront::graph;
use crate::cfront::ir::{Cfa, Expr, ExprKind, Instr, Lvalue};
use crate::cfront::memory::{Access, Memory, PartId};
use crate::cfront::program::Program;
use std::rc::Rc;

/// Rounds before loop heads are widened. The value was not tuned.
const PATIENCE: usize = 3;
/// Rounds before they are widened to the ends of types at once. The value was not tuned.
const LEAP: usize = 12;
/// Rounds before what still changes is given up. The value was not tuned.
const ROUNDS: usize = 40;
/// Steps down from the fixpoint. The value was not tuned.
const DESCENT: usize = 2;
/// Automata of up to 8000 steps are analysed. The value was not tuned.
const LARGEST: usize = 8_000;

/// What is known at each point; `None` where nothing gets to.
pub(crate) struct Ranges {
    states: Vec<Option<Rc<Intervals>>>,
}

/// Looks for what is known.
struct Analysis<'a> {
    look: Look<'a>,
    cfa: &'a Cfa,
    effects: &'a [Effect],
    entering: Vec<Vec<usize>>,
    /// Points where cycles are cut.
    heads: Vec<bool>,
    order: Vec<usize>,
    /// Numbers that intervals are widened to.
    thresholds: Vec<i128>,
}

/// What is known at the points of an automaton, by the effects of its steps; `None` where that is
/// not found out.
pub(super) fn ranges(
    program: &Program,
    memory: &Memory,
    cfa: &Cfa,
    effects: &[Effect],
) -> Option<Ranges> {
    if cfa.edges.len() > LARGEST {
        return None;
    }
    let mut entering = vec![Vec::new(); cfa.nodes.len()];
    for (at, edge) in cfa.edges.iter().enumerate() {
        entering[edge.to.0].push(at);
    }
    let (heads, order) = graph::back_targets(cfa);
    let analysis = Analysis {
        look: Look { program, memory },
        cfa,
        effects,
        entering,
        heads,
        order,
        thresholds: thresholds(cfa),
    };
    let mut ranges = analysis.climb()?;
    for _ in 0..DESCENT {
        let lower = analysis.round(&ranges, &|_, new| new);
        if !analysis.is_inductive(&lower) {
            break;
        }
        ranges = lower;
    }
    analysis.is_inductive(&ranges).then_some(ranges)
}

impl Ranges {
    /// What is known at a point; `None` where nothing gets to.
    pub(super) fn known(&self, node: usize) -> Option<&Intervals> {
        self.states[node].as_deref()
    }

    /// The interval of a variable at a point.
    pub(crate) fn at(&self, memory: &Memory, node: usize, part: PartId) -> Interval {
        match &self.states[node] {
            Some(known) => known.get(memory, part),
            None => Interval::of(memory.parts[part.0].ty),
        }
    }
}

impl Analysis<'_> {
    /// From below to what is closed under the steps, if that does not take too long.
    fn climb(&self) -> Option<Ranges> {
        let mut ranges = Ranges {
            states: vec![None; self.cfa.nodes.len()],
        };
        for round in 0..ROUNDS {
            let widen = |old: Interval, new: Interval| match round {
                0..PATIENCE => new,
                PATIENCE..LEAP => widened(old, new, &self.thresholds),
                _ => widened(old, new, &[]),
            };
            let next = self.round(&ranges, &widen);
            if next.states == ranges.states {
                return Some(ranges);
            }
            ranges = next;
        }
        None
    }

    /// The states of all points from the states before, in the order of the paths. At loop heads,
    /// `widen` gets the old and the new interval.
    fn round(&self, before: &Ranges, widen: &dyn Fn(Interval, Interval) -> Interval) -> Ranges {
        let mut states = before.states.clone();
        for &node in &self.order {
            let arrived = self.arriving(&states, node);
            states[node] = match (&before.states[node], arrived) {
                (Some(old), Some(new)) if self.heads[node] => {
                    let memory = self.look.memory;
                    Some(Rc::new(old.widen(memory, &new, widen)))
                }
                (_, new) => new,
            };
        }
        Ranges { states }
    }

    /// What is known by all ways to a point.
    fn arriving(&self, states: &[Option<Rc<Intervals>>], node: usize) -> Option<Rc<Intervals>> {
        let mut arrived: Option<Rc<Intervals>> = None;
        if node == self.cfa.entry {
            return Some(Rc::default());
        }
        for &at in &self.entering[node] {
            let from = states[self.cfa.edges[at].from.0].as_ref();
            let Some(next) = from.and_then(|known| self.step(at, known)) else {
                continue;
            };
            arrived = Some(match arrived {
                None => next,
                Some(known) if Rc::ptr_eq(&known, &next) => known,
                Some(known) => Rc::new(known.join(self.look.memory, &next)),
            });
        }
        arrived
    }

    /// What is known after a step; `None` where it is not taken.
    fn step(&self, at: usize, known: &Rc<Intervals>) -> Option<Rc<Intervals>> {
        let memory = self.look.memory;
        match &self.cfa.edges[at].instr {
            instr if instr.is_silent() => Some(known.clone()),
            Instr::Error(_) | Instr::Unsupported(_) => None,
            Instr::Assume(e, wanted) => self.look.assume(known, e, *wanted).map(Rc::new),
            Instr::Assign(place, e) => {
                let value = self.look.value(known, e);
                let mut known = Intervals::clone(known);
                self.write(&mut known, place, value);
                Some(Rc::new(known))
            }
            instr => {
                let mut known = Intervals::clone(known);
                let effect = &self.effects[at];
                let value = match instr {
                    Instr::Fill(_, e) => e.as_const().map(Interval::constant),
                    _ => None,
                };
                for &part in effect.writes.iter().chain(&effect.changes) {
                    match value {
                        Some(value) => {
                            let value = value.fit(memory.parts[part.0].ty);
                            known.set(memory, part, value);
                        }
                        None => known.forget(part),
                    }
                }
                Some(Rc::new(known))
            }
        }
    }

    fn write(&self, known: &mut Intervals, place: &Lvalue, value: Interval) {
        let memory = self.look.memory;
        match memory.access(self.look.program, place) {
            Ok(Access::Scalar(part, _)) => {
                known.set(memory, part, value.convert(memory.parts[part.0].ty));
            }
            Ok(Access::Element) => {
                for (_, part) in memory.elements(self.look.program, place) {
                    let value = value.convert(memory.parts[part.0].ty);
                    let either = known.get(memory, part).hull(value);
                    known.set(memory, part, either);
                }
            }
            // Intervals speak of no array.
            Ok(Access::Array(_) | Access::Nowhere) | Err(_) => {}
        }
    }

    /// Does every step lead from what is known to what is known?
    fn is_inductive(&self, ranges: &Ranges) -> bool {
        let memory = self.look.memory;
        let starts = match &ranges.states[self.cfa.entry] {
            Some(known) => Intervals::default().implies(memory, known),
            None => false,
        };
        let all = self.cfa.edges.iter().enumerate();
        starts
            && all.into_iter().all(|(at, edge)| {
                let from = ranges.states[edge.from.0].as_ref();
                match from.and_then(|known| self.step(at, known)) {
                    None => true,
                    Some(next) => ranges.states[edge.to.0]
                        .as_ref()
                        .is_some_and(|known| next.implies(memory, known)),
                }
            })
    }
}

/// From the ends of an interval that have moved to the next of these numbers; behind the last, as
/// far as types go.
fn widened(old: Interval, new: Interval, thresholds: &[i128]) -> Interval {
    let below = thresholds.partition_point(|&at| at <= new.lo);
    let above = thresholds.partition_point(|&at| at < new.hi);
    Interval {
        lo: match new.lo < old.lo {
            true => below.checked_sub(1).map_or(i128::MIN, |at| thresholds[at]),
            false => old.lo,
        },
        hi: match new.hi > old.hi {
            true => thresholds.get(above).copied().unwrap_or(i128::MAX),
            false => old.hi,
        },
    }
}

/// The constants of the program and the numbers beside them, in order.
fn thresholds(cfa: &Cfa) -> Vec<i128> {
    let mut found = Vec::new();
    let mut look = |e: &Expr| {
        e.walk(&mut |part| {
            if let ExprKind::Const(value) = part.kind {
                found.extend([value - 1, value, value + 1]);
            }
        });
    };
    for edge in &cfa.edges {
        match &edge.instr {
            Instr::Assume(e, _) | Instr::Assign(_, e) => look(e),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
