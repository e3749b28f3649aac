//! Checks several properties of a program, one group after the other.
//!
//! Properties whose checks fit into one encoding are a group. Each group has the same part of the
//! time that is left. Unless that is turned off, a run that violates a property is executed under
//! the sanitizers of the C compiler before it counts. If these do not see the violation, the
//! property is open.

use super::confirm::Confirmation;
use super::termination::{LoopBound, Termination};
use super::verdict::Verdict;
use super::verifier::Verifier;
use crate::cfront::{CError, CFile, CProgram, EncodeOptions, ErrorRun, Invariant, Property};
use crate::portfolio::{Control, Options};
use crate::smt::{Backend, Limit};

/// Properties that one encoding answers for.
const GROUPS: [&[Property]; 7] = [
    &[Property::UnreachCall],
    &[
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
    ],
    &[Property::NoOverflow],
    &[Property::NoDivisionByZero],
    &[Property::NoUndefinedResult],
    &[Property::ValidMemcleanup],
    &[Property::Termination],
];

/// A program of which several properties are asked, and how.
///
/// [`Checker::check`] has what is known of them.
pub struct Checker<'a> {
    /// The program, through the preprocessor.
    pub file: &'a CFile,
    /// The lines of a property file that say what the program's error is; `None` for the program's
    /// own convention.
    pub error: Option<&'a str>,
    /// Makes the solvers for engines and checkers.
    pub backend: &'a Backend,
    /// The options of each search.
    pub options: &'a Options,
    /// Ends the work.
    pub control: Control<'a>,
    /// The encoding that is tried first.
    pub encoding: EncodeOptions,
    /// As [`Verifier::asks_machine`].
    pub asks_machine: bool,
    /// Are runs executed before they count?
    pub executes: bool,
}

/// What is known of some properties.
pub struct Finding {
    /// The properties. Unless one of them is violated, the finding is about all of them.
    pub properties: Vec<Property>,
    /// What is known.
    pub fate: Fate,
}

/// What is known of properties.
pub enum Fate {
    /// They hold.
    Holds {
        /// What shows it at the program's loop heads and other cutpoints.
        invariants: Vec<Invariant>,
        /// Why loops and recursions end, where termination was asked.
        bounds: Vec<LoopBound>,
        /// What the proof assumes.
        note: Option<String>,
    },
    /// One of them is violated.
    Violated(Box<Violation>),
    /// They are open for this reason.
    Open(String),
    /// The verifier or an engine has a fault.
    Fault(String),
}

/// A run that violates a property.
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The program with the checks that the run is one of.
    pub program: CProgram,
    /// The run.
    pub run: ErrorRun,
    /// Why the run was to be executed and could not be; `None` also where [`Checker::executes`] is
    /// false.
    pub unconfirmed: Option<String>,
}

impl Finding {
    /// The names of the properties.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.properties.iter().map(|p| p.name()).collect();
        names.join(", ")
    }
}

impl Checker<'_> {
    /// What is known of these properties, group by group up to the first violation or fault.
    ///
    /// # Errors
    ///
    /// The program cannot be read, or the error that is named is not in it.
    pub fn check(&self, properties: &[Property]) -> Result<Vec<Finding>, CError> {
        let groups = GROUPS.iter().map(|group| {
            let asked = group.iter().filter(|p| properties.contains(p));
            asked.copied().collect::<Vec<Property>>()
        });
        let groups: Vec<Vec<Property>> = groups.filter(|group| !group.is_empty()).collect();
        let mut findings = Vec::new();
        for (at, group) in (0..).zip(&groups) {
            let parts = u32::try_from(groups.len() - at).unwrap_or(u32::MAX);
            self.find(group, parts, &mut findings)?;
            let last = findings.last().map(|finding: &Finding| &finding.fate);
            if matches!(last, Some(Fate::Violated(_) | Fate::Fault(_))) {
                break;
            }
        }
        Ok(findings)
    }

    /// A verifier of a program, with one of `parts` equal parts of the time that is left.
    pub(super) fn verifier<'b>(&'b self, program: &'b CProgram, parts: u32) -> Verifier<'b> {
        let whole = Limit::new(self.control.deadline, self.control.stop.token().clone());
        let part = whole.remaining().map(|left| left / parts.max(1));
        let limit = part.map_or(whole.clone(), |part| whole.within(part));
        Verifier {
            program,
            backend: self.backend,
            options: self.options,
            control: Control {
                deadline: limit.deadline,
                ..self.control
            },
            asks_machine: self.asks_machine,
        }
    }

    /// Adds what is known of the properties of a group.
    fn find(
        &self,
        group: &[Property],
        parts: u32,
        findings: &mut Vec<Finding>,
    ) -> Result<(), CError> {
        let program = match group {
            [Property::UnreachCall] => CProgram::read_file(self.file, self.error)?,
            [Property::Termination] => CProgram::read_for(self.file, &[])?,
            group => CProgram::read_for(self.file, group)?,
        };
        let verifier = Verifier {
            // Where signed operations are checked, those of the proof do not overflow.
            asks_machine: self.asks_machine && group != [Property::NoOverflow],
            ..self.verifier(&program, parts)
        };
        let mut add = |properties: &[Property], fate| {
            findings.push(Finding {
                properties: properties.to_vec(),
                fate,
            });
        };
        if group == [Property::Termination] {
            let found = verifier.terminates(self.encoding).termination;
            add(group, self.end(program, found));
            return Ok(());
        }
        let fate = match verifier.verify(self.encoding).verdict {
            Verdict::True {
                invariants,
                overflow,
            } => {
                let note = overflow.note().filter(|_| group != [Property::NoOverflow]);
                let holds = Fate::Holds {
                    invariants,
                    bounds: Vec::new(),
                    note,
                };
                if let Some((last @ Property::ValidMemtrack, others)) = group.split_last()
                    && let Some(reason) = self.may_lose_memory(&program)?
                {
                    if !others.is_empty() {
                        add(others, holds);
                    }
                    add(&[*last], Fate::Open(reason));
                    return Ok(());
                }
                holds
            }
            Verdict::False(found) => self.judge(program, found),
            Verdict::Unknown(reason) => Fate::Open(reason),
            Verdict::Fault(reason) => Fate::Fault(reason),
        };
        add(group, fate);
        Ok(())
    }

    /// Memory that is lost is seen at the program's end. Why it might not be: `None` if nothing is
    /// allocated, or if every run ends.
    fn may_lose_memory(&self, checked: &CProgram) -> Result<Option<String>, CError> {
        if !checked.allocates() {
            return Ok(None);
        }
        let program = CProgram::read_for(self.file, &[])?;
        let verifier = self.verifier(&program, 2);
        Ok(match verifier.terminates(self.encoding).termination {
            Termination::Ends { .. } => None,
            Termination::Forever(..) => Some("a run has no end: its memory may be lost".to_owned()),
            Termination::Unknown(why) | Termination::Fault(why) => Some(format!(
                "memory that a run without end loses is not seen: {why}"
            )),
        })
    }

    /// What is known of the ends of runs, once a run without an end was executed.
    fn end(&self, program: CProgram, found: Termination) -> Fate {
        match found {
            Termination::Ends {
                bounds,
                invariants,
                overflow,
            } => Fate::Holds {
                invariants,
                bounds,
                note: overflow.note(),
            },
            // Where a run has no more inputs, its execution has zeros.
            Termination::Forever(found, None | Some(0)) => self.judge(program, *found),
            Termination::Forever(found, Some(_)) => Fate::Violated(Box::new(Violation {
                property: Property::Termination,
                program,
                run: *found,
                unconfirmed: Some("it needs inputs other than 0 without end".to_owned()),
            })),
            Termination::Unknown(reason) => Fate::Open(reason),
            Termination::Fault(reason) => Fate::Fault(reason),
        }
    }

    /// What a run that violates a property says once it was executed.
    fn judge(&self, program: CProgram, run: ErrorRun) -> Fate {
        let property = run.end.property().unwrap_or(Property::UnreachCall);
        let confirmation = match self.executes {
            true => self.verifier(&program, 1).confirm(&run),
            false => Confirmation::Confirmed,
        };
        let unconfirmed = match confirmation {
            Confirmation::Contradicted(why) => return Fate::Open(why),
            Confirmation::Confirmed => None,
            Confirmation::Open(why) => Some(why),
        };
        Fate::Violated(Box::new(Violation {
            property,
            program,
            run,
            unconfirmed,
        }))
    }
}
