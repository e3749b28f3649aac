//! What is asked of a context of the embedded core, as a file like those of external solvers
//! (`process`): declarations, scopes, assertions and questions with the sentences above them, and
//! the answers as comments. Any solver can be asked the same again.

use super::SatResult;
use super::commands::Commands;
use super::dump::{Dump, dump_path};
use super::follow::{Assume, Follower, Frame, prologue};
use crate::term::{Term, Terms};
use std::fmt::Arguments;
use std::path::Path;
use std::time::Instant;

/// The file of one context.
pub(super) struct Recorder<'t> {
    t: &'t Terms,
    dump: Dump,
    follower: Follower,
    /// When the last question was asked, or a part of it was answered.
    asked: Instant,
}

impl<'t> Recorder<'t> {
    /// A new file for a context with this number and name.
    pub(super) fn create(t: &'t Terms, directory: &Path, number: u64, name: &str) -> Self {
        let mut dump = Dump::create(&dump_path(directory, number, name, "native"));
        dump.comment(format_args!("the embedded core"));
        dump.commands(&prologue(Some("ALL")));
        Recorder {
            t,
            dump,
            follower: Follower::new(),
            asked: Instant::now(),
        }
    }

    /// This is asked of these assertions and assumptions.
    pub(super) fn question(
        &mut self,
        frames: &[Frame],
        assumptions: &[Term],
        about: Arguments<'_>,
    ) {
        let t = self.t;
        let (mut commands, mut ask) = (Commands::default(), Commands::default());
        let mut legend = String::new();
        let others = assumptions.iter().copied();
        self.follower
            .follow(t, frames, others, &mut commands, Some(&mut legend));
        let assume = Assume::Direct.these(t, assumptions);
        self.follower
            .ask(t, assumptions, assume, &mut commands, &mut ask);
        self.dump.comment(format_args!("{legend}"));
        self.dump.commands(&commands);
        self.dump.comment(about);
        self.dump.commands(&ask);
        self.asked = Instant::now();
    }

    /// The answer to the last question, or to a part of it: the last one counts.
    pub(super) fn answer(&mut self, outcome: &SatResult) {
        self.dump.answer(outcome, self.asked.elapsed());
        self.asked = Instant::now();
    }

    /// Records that values were read. Values of terms with symbols that occur in no query are
    /// arbitrary, and left out.
    pub(super) fn values(&mut self, terms: &[Term]) {
        let t = self.t;
        let terms = terms.iter().copied();
        let known: Vec<Term> = terms.filter(|&x| self.follower.knows(t, x)).collect();
        if !known.is_empty() {
            let mut command = Commands::default();
            command.get_values_with(&known, t);
            self.dump.commands(&command);
        }
    }

    /// Records that the core was read.
    pub(super) fn core(&mut self) {
        let mut command = Commands::default();
        command.get_unsat_core();
        self.dump.commands(&command);
    }
}
