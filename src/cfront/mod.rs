//! C programs as Horn clauses, and certificates back as words about C.

mod encode;
mod flow;
mod graph;
mod ir;
mod lower;
mod memory;
mod parse;
mod program;
mod source;
mod types;

pub use encode::{EncodeOptions, IntMode};
pub use source::{CError, Place};
pub use types::DataModel;

use crate::chc::System;
use crate::term::Terms;
use std::path::Path;

/// A C program, read.
pub struct CProgram {
    program: program::Program,
    memory: memory::Memory,
}

impl CProgram {
    /// Reads a program. `property` is the text of an SV-COMP property; without one, the error is what the program's own
    /// convention says.
    ///
    /// # Errors
    /// The text is no C program, or the property is not supported.
    pub fn read(
        name: &str,
        bytes: &[u8],
        property: Option<&str>,
        model: DataModel,
    ) -> Result<CProgram, CError> {
        let include = Path::new(name).parent().unwrap_or(Path::new("."));
        let source = source::Source::new(name, bytes, include)?;
        let spec = match property {
            Some(property) => lower::Specification::of_property(property, &source.text)?,
            None => lower::Specification::of_text(&source.text),
        };
        let unit = parse::parse(&source)?;
        let mut program = lower::lower(&source, &unit, &spec, model)?;
        let memory = memory::Memory::of(&mut program);
        Ok(CProgram { program, memory })
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
}
