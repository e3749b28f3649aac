//! Interpolants that an external solver prints, by its command `get-interpolant`.
//!
//! The command has two formulas. The interpolants of a tree come from one question for each node,
//! the leaves first; [`Sides::new`] says why they fit together.
//!
//! Nothing that is printed is believed. A solver, which the caller chooses, first shows that the
//! formulas contradict each other. Then it shows for each interpolant that the one side implies it
//! and that it contradicts the other.

use super::child::{Child, Fault, quoted};
use super::formula::Signature;
use super::link::Link;
use super::session::{MOST_UNITS, ROUND_TRIP, count_used};
use super::settings::{Interpolation, InterpolationCommand, WorkUnits};
use super::sexpr::{Sexpr, Sexprs};
use crate::smt::commands::Commands;
use crate::smt::interpolation::Sides;
use crate::smt::script::{Declarations, Script};
use crate::smt::{
    Failure, Interpolant, Interpolator, Limit, NoInterpolants, PartId, PartTree, SatResult, Solver,
    Strength, Symbols, only_shared,
};
use crate::term::{Term, Terms};
use crate::work;
use std::fmt::Arguments;

/// The ticks that a solver may spend on one interpolant, where it has a measure of work. A solver
/// that enumerates formulas finds simple ones quickly or none at all. The value was not tuned.
const PATIENCE: u64 = work::milliseconds(1_000);

/// A context for interpolation problems that asks an external solver; see the module's
/// documentation.
pub(in crate::smt) struct ProcessInterpolator<'t> {
    link: Link<'t>,
    way: Interpolation,
    strength: Strength,
    checker: Box<dyn Solver + 't>,
    /// The formulas of each part.
    parts: Vec<Vec<Term>>,
}

/// A process that answers one problem.
struct Process {
    child: Child,
    declared: Declarations,
    /// The units of work that the solver said it had used.
    used: u64,
}

impl<'t> ProcessInterpolator<'t> {
    /// A context without parts. The checker has no assertions.
    pub(super) fn new(
        link: Link<'t>,
        way: Interpolation,
        strength: Strength,
        checker: Box<dyn Solver + 't>,
    ) -> Self {
        ProcessInterpolator {
            link,
            way,
            strength,
            checker,
            parts: Vec::new(),
        }
    }

    /// Do the formulas contradict each other?
    fn contradict(&mut self, about: Arguments<'_>, formulas: &[Term]) -> Result<bool, Failure> {
        self.checker.push();
        formulas.iter().for_each(|&f| self.checker.assert(f));
        let outcome = self.checker.check(about, &[]);
        self.checker.pop();
        match outcome {
            SatResult::Unsat => Ok(true),
            SatResult::Sat => Ok(false),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// A formula between the sides, which contradict each other. It was checked.
    fn between(&mut self, process: &mut Process, sides: &Sides<Term>) -> Result<Term, Failure> {
        let t = self.link.terms;
        let Sides { inside, outside } = sides;
        let found = match self.strength {
            Strength::Strong => self.ask(process, inside, outside)?,
            Strength::Weak => t.not(self.ask(process, outside, inside)?),
        };
        let symbols = [inside, outside].map(|side| Symbols::of(t, side));
        let nodes = symbols.each_ref().map(|side| vec![side]);
        let wrong = |what: &str| Failure::Broken(format!("its interpolant {what}"));
        if !only_shared(t, &PartTree::path(2), &nodes, &[found]) {
            return Err(wrong("has symbols of one side"));
        }
        // inside ∧ ¬ found
        let question = [&inside[..], &[t.not(found)]].concat();
        if !self.contradict(format_args!("does it imply the interpolant"), &question)? {
            return Err(wrong("does not follow from the one side"));
        }
        // found ∧ outside
        let question = [&[found], &outside[..]].concat();
        if !self.contradict(
            format_args!("does the interpolant contradict it"),
            &question,
        )? {
            return Err(wrong("does not contradict the other side"));
        }
        Ok(found)
    }

    /// What the solver says is a formula between `a` and `b`.
    fn ask(&self, process: &mut Process, a: &[Term], b: &[Term]) -> Result<Term, Failure> {
        let t = self.link.terms;
        let units = self.link.shared.settings.work;
        let mut commands = Commands::default();
        self.limit(&mut commands);
        let mut script = Script {
            terms: t,
            out: &mut commands,
            declared: &mut process.declared,
            legend: None,
        };
        a.iter().chain(b).for_each(|&f| script.declare(f));
        let (a, b) = (t.and(a.iter().copied()), t.and(b.iter().copied()));
        self.write_question(&mut commands, a, b);
        if let Some(keyword) = units.and_then(|units| units.used) {
            commands.get_info(keyword);
        }
        work::spend_on(ROUND_TRIP + commands.as_bytes().len());
        let used = &mut process.used;
        let answer = self.link.request(&mut process.child, &commands, |said| {
            work::spend_on(said.len());
            read_answer(t, self.way, count_used(units, used, said), [a, b])
        });
        match answer {
            // The limit on memory was reached.
            Err(Failure::Broken(why)) if why.contains("out of memory") => {
                Err(Failure::Incomplete("out of memory".to_owned()))
            }
            answer => answer,
        }
    }

    /// Tells the solver how much work the interpolant may be, where it has a measure.
    fn limit(&self, commands: &mut Commands) {
        if let Some(WorkUnits { option, ticks, .. }) = self.link.shared.settings.work {
            let left = self.link.limit.ticks_left().unwrap_or(u64::MAX);
            let units = (left.min(PATIENCE) / ticks).clamp(1, MOST_UNITS);
            commands.set_option(option, units);
        }
    }

    /// The commands with which a process begins.
    fn prologue(&self) -> Commands {
        let mut commands = Commands::default();
        for (option, value) in self.way.options {
            commands.set_option(option, value);
        }
        if let Some(logic) = self.link.shared.settings.logic {
            commands.set_custom_logic(logic);
        }
        commands
    }

    fn write_question(&self, out: &mut Commands, a: Term, b: Term) {
        let t = self.link.terms;
        match self.way.command {
            InterpolationCommand::Contradiction => out.get_interpolant_with(a, b, t),
            InterpolationCommand::Conclusion => {
                out.push();
                out.assert_with(a, t);
                out.get_interpolant_with("I", t.not(b), t);
                out.pop(1);
            }
        }
    }
}

/// The formula that a solver printed, over symbols of the formulas that it was sent.
fn read_answer(t: &Terms, way: Interpolation, said: &str, sent: [Term; 2]) -> Result<Term, Fault> {
    let garbage = || Fault::Protocol(quoted(said.as_bytes()));
    if way.none.contains(&said.trim_ascii()) {
        let why = format!("it finds no interpolant, and says {}", said.trim_ascii());
        return Err(Fault::Failed(Failure::Incomplete(why)));
    }
    let expressions = Sexprs::parse(said).ok_or_else(garbage)?;
    let roots: Vec<Sexpr<'_>> = expressions.roots().collect();
    let &[root] = &roots[..] else {
        return Err(garbage());
    };
    let formula = match way.command {
        InterpolationCommand::Contradiction => root,
        InterpolationCommand::Conclusion => {
            let definition: Vec<Sexpr<'_>> = root.items().ok_or_else(garbage)?.collect();
            let words = definition.iter().take(4).map(|word| word.text());
            if !words.eq(["define-fun", "I", "()", "Bool"]) || definition.len() != 5 {
                return Err(garbage());
            }
            definition[4]
        }
    };
    if root.items().and_then(|mut items| items.next()?.atom()) == Some("error") {
        return Err(garbage());
    }
    let read = Signature::of(t, sent).formula(formula);
    // What cannot be read may well be an interpolant: the process is none the worse for it.
    read.map_err(|error| {
        let why = format!("its interpolant cannot be read at {}", error.0);
        Fault::Failed(Failure::Incomplete(why))
    })
}

impl Interpolator for ProcessInterpolator<'_> {
    fn add(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        let number = u32::try_from(self.parts.len()).expect("fewer than 2^32 parts");
        self.parts.push(formulas.to_vec());
        Ok(PartId(number))
    }

    fn add_for_good(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        self.add(formulas)
    }

    fn interpolants(
        &mut self,
        about: Arguments<'_>,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
    ) -> Result<Vec<Interpolant>, NoInterpolants> {
        assert_eq!(tree.nodes(), nodes.len(), "each node has its parts");
        let of = |part: &PartId| self.parts[part.index()].iter().copied();
        let formulas = nodes
            .iter()
            .map(|parts| parts.iter().flat_map(of).collect());
        let formulas: Vec<Vec<Term>> = formulas.collect();
        if !self.contradict(about, &formulas.concat())? {
            return Err(NoInterpolants::Satisfiable);
        }
        let prologue = self.prologue();
        let mut process = Process {
            child: self.link.start_apart(&prologue)?,
            declared: Declarations::default(),
            used: 0,
        };
        let mut found = Vec::with_capacity(nodes.len() - 1);
        for node in 0..nodes.len() - 1 {
            let sides = Sides::new(tree, &formulas, &found, node);
            found.push(self.between(&mut process, &sides)?);
        }
        let plain = |formula| Interpolant {
            formula,
            quantified: Vec::new(),
        };
        Ok(found.into_iter().map(plain).collect())
    }

    fn set_limit(&mut self, limit: Limit) {
        self.checker.set_limit(limit.clone());
        self.link.limit = limit;
    }
}
