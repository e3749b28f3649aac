//! C programs as Horn clauses, and certificates back as words about C.
//!
//! ```text
//! text ──file──► preprocessed ──source, dialect──► known words ──parse──► tree ──lower──► automata
//!      ──memory──► variables ──flow, encode──► System
//! Model ──invariant──► C expressions at loop heads
//! a witness ──claims──► claims, which lower puts into the automata
//! properties ──property──► checks in the automata, before they are encoded
//! Refutation ──run, story──► steps, inputs, changes, calls ──witness──► YAML
//! ```
//!
//! ```
//! use horn::cfront::{CProgram, DataModel, EncodeOptions};
//! use horn::term::Terms;
//!
//! # fn main() -> Result<(), horn::cfront::CError> {
//! let text = "int main(void) { int x = 0; while (x < 10) x++; \
//!     if (x != 10) { ERROR: return 1; } return 0; }";
//! let program = CProgram::read("ten.c", text.as_bytes(), None, DataModel::Lp64)?;
//! let terms = Terms::new();
//! let encoded = program.encode(&terms, EncodeOptions::default());
//! assert_eq!(encoded.size().predicates, 1);
//! assert_eq!(encoded.comments(), ["main:1: loop at ten.c:1: x"]);
//! # Ok(())
//! # }
//! ```
//!
//! The blocks between cutpoints are the large blocks of adjustable-block encoding \[BDW18\];
//! summaries of functions are predicates, as in \[KGC14\].
//!
//! A function of the C library has a model in C (`library`), which is lowered at each call. Members
//! of a union have their bytes in common by steps that `unions` adds.
//!
//! Missing: `long double`, integers of 128 bits, vectors, pointers to members of a union of which
//! several are used, instructions in `asm`, threads, `setjmp`, addresses of locals of recursive
//! functions. A run that comes to one of these ends there, and says so ([`RunEnd::Unsupported`]).
//!
//! This module knows nothing of how systems are solved. Parsing recurses over the text: callers
//! give it a large stack where the text may nest deeply.

mod attributes;
mod claims;
mod contents;
mod dialect;
mod encode;
mod event;
mod express;
mod file;
mod float;
mod flow;
mod graph;
mod harness;
mod invariant;
mod ir;
mod lex;
mod library;
mod lower;
mod memory;
mod outside;
mod parse;
mod pragma;
mod preprocess;
mod program;
mod property;
mod quote;
mod run;
mod sequence;
mod source;
mod story;
mod touched;
mod types;
mod unions;
mod within;
mod witness;

pub use claims::{Witness, WitnessKind};
pub use encode::{CheckedProperty, EncodeOptions, IntMode};
pub use event::{Event, EventArgument, outside_text};
pub use express::Expressions;
pub use file::CFile;
pub use harness::{EXCLUDED, REACHED};
pub use invariant::Invariant;
pub use lower::Reading;
pub use preprocess::compiler;
pub use property::{LoopState, Loops, Property, Round};
pub use run::{Approximation, ErrorRun, RunEnd, RunStep};
pub use source::{CError, Place};
pub use types::DataModel;
pub use witness::{WitnessTask, correctness_witness, violation_witness};

use crate::chc::System;
use crate::term::{Term, Terms};
use std::rc::Rc;

/// A C program, read.
pub struct CProgram {
    /// The name of its file, and what is in it.
    file: (Rc<str>, Rc<str>),
    /// The text that was parsed, and how it was changed for that.
    text: (String, dialect::Edits),
    program: program::Program,
    memory: memory::Memory,
    open_order: sequence::OpenOrder<Place>,
}

impl CProgram {
    /// Reads a program. `property` is the text of an SV-COMP property; without one, the error is
    /// what the program's own convention says.
    ///
    /// # Errors
    /// The text is no C program, or the property is not supported.
    pub fn read(
        name: &str,
        bytes: &[u8],
        property: Option<&str>,
        model: DataModel,
    ) -> Result<CProgram, CError> {
        CProgram::read_file(&CFile::new(name, bytes, model, &[])?, property)
    }

    /// As [`CProgram::read`], of a file that went through the preprocessor already.
    ///
    /// # Errors
    /// As [`CProgram::read`].
    pub fn read_file(file: &CFile, property: Option<&str>) -> Result<CProgram, CError> {
        CProgram::read_all(file, property, None)
    }

    /// Reads a program together with what a witness claims of it. If that is a proof, the program
    /// also ends with [`RunEnd::Invariant`], where a claimed invariant does not hold. If it is a
    /// violation, the program's runs to the error are the runs that agree with the witness; with
    /// [`Reading::Strict`], some of them.
    ///
    /// # Errors
    /// As [`CProgram::read`]; or a claim is about no place of the program, or is no expression
    /// there.
    pub fn read_with_witness(
        file: &CFile,
        property: Option<&str>,
        witness: &Witness,
        reading: Reading,
    ) -> Result<CProgram, CError> {
        CProgram::read_all(file, property, Some((witness, reading)))
    }

    fn read_all(
        file: &CFile,
        property: Option<&str>,
        witness: Option<(&Witness, Reading)>,
    ) -> Result<CProgram, CError> {
        let source = file.source()?;
        let spec = match property {
            Some(property) => lower::Specification::of_property(property, &source.text)?,
            None => lower::Specification::of_text(&source.text),
        };
        CProgram::lowered(file, source, &spec, witness)
    }

    /// The program in a text, with the error that a specification says.
    fn lowered(
        file: &CFile,
        source: source::CText,
        spec: &lower::Specification,
        witness: Option<(&Witness, Reading)>,
    ) -> Result<CProgram, CError> {
        let unit = parse::parse(&source)?;
        let mut program = lower::lower(&source, &unit, spec, file.model, witness)?;
        let mut memory = memory::Memory::of(&mut program);
        if let Some(kept) = property::within_members(&program, &memory) {
            program = kept;
            memory = memory::Memory::of(&mut program);
        }
        let open_order = sequence::open_order(&unit).map(|at| source.place(at));
        Ok(CProgram {
            file: (file.name.clone(), file.text.clone()),
            open_order,
            text: source.into_text(),
            program,
            memory,
        })
    }

    /// Reads a program whose error is a violation of one of these properties; the error that the
    /// program speaks of is none. [`RunEnd::property`] tells which it is.
    ///
    /// [`Property::UnreachCall`] and [`Property::Termination`] have no checks.
    ///
    /// # Errors
    /// The text is no C program.
    pub fn read_for(file: &CFile, properties: &[Property]) -> Result<CProgram, CError> {
        CProgram::read_checked(file, properties, None)
    }

    /// As [`CProgram::read_for`], together with what a witness claims: see
    /// [`CProgram::read_with_witness`]. A violation is at the witness's target if it is in that
    /// line. One in another line is not supported: the statement may have several lines.
    ///
    /// # Errors
    /// As [`CProgram::read_with_witness`].
    pub fn read_for_with_witness(
        file: &CFile,
        properties: &[Property],
        witness: &Witness,
        reading: Reading,
    ) -> Result<CProgram, CError> {
        CProgram::read_checked(file, properties, Some((witness, reading)))
    }

    fn read_checked(
        file: &CFile,
        properties: &[Property],
        witness: Option<(&Witness, Reading)>,
    ) -> Result<CProgram, CError> {
        let spec = lower::Specification::without_errors();
        let plain = CProgram::lowered(file, file.source()?, &spec, witness)?;
        Ok(match properties {
            [] => plain,
            _ => plain.with_program(plain.checked(properties)),
        })
    }

    /// The program with checks for these properties.
    fn checked(&self, properties: &[Property]) -> program::Program {
        property::with_checks(&self.program, &self.memory, property::Set::of(properties))
    }

    /// Another program of the same text.
    fn with_program(&self, mut program: program::Program) -> CProgram {
        let memory = memory::Memory::of(&mut program);
        CProgram {
            file: self.file.clone(),
            text: self.text.clone(),
            program,
            memory,
            open_order: self.open_order.clone(),
        }
    }

    /// The sizes of the program's types.
    pub fn model(&self) -> DataModel {
        self.program.model
    }

    /// Does the program allocate memory that can be freed?
    pub fn allocates(&self) -> bool {
        property::allocates(&self.program)
    }

    /// What checks of the program may find, and where: the first place of each kind.
    pub fn violations(&self) -> Vec<(Place, String)> {
        property::violations(&self.program)
    }

    /// The expressions that have no meaning, because they change something twice, or change and
    /// read it, and C leaves open which is first: where, and why. They are evaluated from left to
    /// right.
    pub fn unsequenced(&self) -> &[(Place, String)] {
        &self.open_order.undefined
    }

    /// The expressions whose value depends on which call is first, which C leaves open: where, and
    /// why. They are evaluated from left to right.
    pub fn unordered_calls(&self) -> &[(Place, String)] {
        &self.open_order.calls
    }

    /// The loops of the program, whose error is none ([`CProgram::read_for`] no property).
    ///
    /// # Errors
    /// The program has a recursive function: its name.
    pub fn loops(&self) -> Result<Loops, String> {
        Loops::of(&self.program, &self.memory)
    }

    /// The program in which a round of a loop is an error that its measures do not allow; each loop
    /// has a list of the numbers of its measures, and one of them must become smaller, while those
    /// before it do not become larger. With `tells`, runs tell states ([`Loops::round`]).
    pub fn with_ranks(&self, loops: &Loops, ranks: &[Vec<usize>], tells: bool) -> CProgram {
        self.with_program(loops.with_ranks(&self.program, ranks, tells))
    }

    /// The program whose error is its end, after a state was reached at the head of a loop; what
    /// has no meaning in C is an end. From the state on, each input is `input`, if there is one.
    /// And the program whose error is that the state is reached.
    pub fn with_state(
        &self,
        loops: &Loops,
        number: usize,
        state: &LoopState,
        input: Option<i128>,
    ) -> [CProgram; 2] {
        let mut checked = self.checked(&[
            Property::ValidDeref,
            Property::ValidFree,
            Property::NoOverflow,
            Property::NoDivisionByZero,
            Property::NoUndefinedResult,
        ]);
        property::with_ends(&mut checked);
        [false, true].map(|is_goal| {
            self.with_program(loops.with_state(&checked, number, state, input, is_goal))
        })
    }

    /// The program in which pointers from outside are null or point to separate objects. Its runs
    /// are runs of the program in an environment with such objects. If it has no run to the error,
    /// that proves nothing.
    pub fn with_objects_outside(&self) -> CProgram {
        let (program, memory) = outside::with_objects(&self.program, &self.memory);
        CProgram {
            file: self.file.clone(),
            text: self.text.clone(),
            program,
            memory,
            open_order: self.open_order.clone(),
        }
    }

    /// The line of the program's file at a place, without what is around it; `None` of other files
    /// and of empty lines.
    pub fn line(&self, place: &Place) -> Option<&str> {
        let (name, text) = &self.file;
        let at = usize::try_from(place.line).ok()?.checked_sub(1)?;
        let line = text.lines().nth(at).filter(|_| *name == place.file)?.trim();
        (!line.is_empty()).then_some(line)
    }

    /// The program as a system of clauses.
    pub fn encode<'p>(&'p self, t: &'p Terms, options: EncodeOptions) -> Encoded<'p> {
        let encoding = encode::encode(t, &self.program, &self.memory, options);
        Encoded {
            t,
            program: self,
            encoding,
        }
    }
}

/// A program as a system of clauses, with the way back.
pub struct Encoded<'p> {
    t: &'p Terms,
    program: &'p CProgram,
    encoding: encode::Encoding,
}

impl Encoded<'_> {
    /// The system: it is satisfiable if no error can be reached.
    pub fn system(&self) -> &System {
        &self.encoding.system
    }

    /// Is a loop at the program's beginning unrolled ([`EncodeOptions::unroll`])?
    pub fn is_unrolled(&self) -> bool {
        self.encoding.is_unrolled
    }

    /// Is it a question of the system's whether an operation leaves its type?
    pub fn asks_for_wraps(&self) -> bool {
        self.encoding.clauses.iter().any(asks_for_wrap)
    }

    /// Is a floating-point operation over-approximated that is exact with
    /// [`IntMode::BitVector`]?
    pub fn lacks_floats(&self) -> bool {
        self.encoding.lacks_floats
    }

    /// The system with all other clauses made empty: what they derive never holds. Clauses keep
    /// their ids.
    pub fn questions_of_wraps(&self) -> System {
        let mut system = self.system().clone();
        for (clause, info) in system.clauses.iter_mut().zip(&self.encoding.clauses) {
            if !asks_for_wrap(info) {
                clause.constraint = Term::FALSE;
            }
        }
        system
    }

    /// The size of the system.
    pub fn size(&self) -> Size {
        let system = self.system();
        let arity = |p: &crate::chc::Predicate| self.t.func(p.func).params.len();
        let arities: Vec<usize> = system.preds.iter().map(arity).collect();
        let sum: usize = arities.iter().sum();
        let count = arities.len().max(1);
        Size {
            predicates: arities.len(),
            clauses: system.clauses.len(),
            most_variables: arities.iter().copied().max().unwrap_or(0),
            mean_variables: sum as f64 / count as f64,
        }
    }

    /// What each predicate stands for, one line each: its place, and the variables that its
    /// parameters are.
    pub fn comments(&self) -> Vec<String> {
        let names = |root: usize, parts: &[memory::PartId]| {
            let names = parts.iter().map(|&part| self.encoding.name(root, part));
            names.collect::<Vec<_>>().join(" ")
        };
        let lines = self.encoding.preds.iter().enumerate().map(|(at, info)| {
            let pred = crate::chc::PredId(u32::try_from(at).expect("few predicates"));
            let name = self.system().pred_name(self.t, pred);
            match info {
                encode::PredInfo::Point {
                    root,
                    node,
                    given,
                    parts,
                } => {
                    let point = &self.encoding.flow.roots[*root].cfa.nodes[*node];
                    let what = if point.loop_head { "loop" } else { "point" };
                    let calling = match given {
                        0 => String::new(),
                        n => format!("{n} values that its function was called with, then "),
                    };
                    format!(
                        "{name}: {what} at {}: {calling}{}",
                        point.place,
                        names(*root, parts)
                    )
                }
                encode::PredInfo::Entry { root } => {
                    format!(
                        "{name}: is called with {}",
                        names(*root, self.encoding.given_to(*root))
                    )
                }
                encode::PredInfo::Exit { root } => format!(
                    "{name}: is called with {}; leaves {}",
                    names(*root, self.encoding.given_to(*root)),
                    names(*root, self.encoding.left_by(*root))
                ),
            }
        });
        lines.collect()
    }
}

/// Does a clause ask whether an operation leaves its type?
fn asks_for_wrap(info: &encode::ClauseInfo) -> bool {
    matches!(
        info,
        encode::ClauseInfo::Block {
            end: encode::End::Wraps(_),
            ..
        }
    )
}

/// The size of a system.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Size {
    /// Predicates.
    pub predicates: usize,
    /// Clauses.
    pub clauses: usize,
    /// The largest number of a predicate's parameters.
    pub most_variables: usize,
    /// The mean number of them.
    pub mean_variables: f64,
}
