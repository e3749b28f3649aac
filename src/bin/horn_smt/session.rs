//! Runs a script: what its commands ask, answered on standard output.

use crate::args::Args;
use crate::input::{self, Input};
use crate::refusal::Refusal;
use crate::tally::Tally;
use crate::{beyond, model};
use horn::chc::Span;
use horn::report::Console;
use horn::smt::{Backend, Failure, Limit, Outcome, Solver};
use horn::smtlib::ast::Name;
use horn::smtlib::elab::ElabErrorKind;
use horn::smtlib::{
    Issue, ReadError, SmtInterpolants, SmtOption, SmtReader, SmtStep, Source, Uninterpreted,
};
use horn::term::{Symbol, Term, TermSet, Terms};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::time::Duration;

/// Why a script was not run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScriptError {
    /// The input is at fault; it has been reported.
    #[error("error in the input")]
    Input,
    /// Standard input cannot be read.
    #[error("standard input: {0}")]
    Read(io::Error),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// What scripts can set. Where it costs nothing, what a script may ask for is on from the
/// beginning.
#[derive(Clone, Copy)]
struct Settings {
    timeout: Option<Duration>,
    print_success: bool,
    models: bool,
    cores: bool,
    unsat_assumptions: bool,
    proofs: bool,
    interpolants: bool,
    which_interpolants: SmtInterpolants,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            timeout: None,
            print_success: false,
            models: true,
            cores: false,
            unsat_assumptions: true,
            proofs: false,
            interpolants: true,
            which_interpolants: SmtInterpolants::Strong,
        }
    }
}

/// An assertion of the script.
struct Assertion {
    formula: Term,
    name: Option<Symbol>,
    text: &'static str,
}

/// What the last check answered, as long as nothing was changed since.
enum Last {
    Nothing,
    Sat,
    /// With the assumptions of the check and their texts.
    Unsat(Vec<(Term, &'static str)>),
    Unknown(Failure),
}

/// A script under way.
pub(crate) struct Session<'a> {
    t: &'a Terms,
    /// The part of the script that is being read.
    source: &'static Source,
    backend: &'a Backend,
    args: &'a Args,
    console: &'a Console,
    solver: Box<dyn Solver + 'a>,
    /// The assertions by scope, the outermost first.
    frames: Vec<Vec<Assertion>>,
    settings: Settings,
    last: Last,
    tally: Tally,
    out: BufWriter<StdoutLock<'static>>,
}

/// What a command says: text for standard output, or nothing.
type Answer = Result<Option<String>, Refusal>;

impl<'a> Session<'a> {
    /// On a back end.
    pub(crate) fn new(
        t: &'a Terms,
        backend: &'a Backend,
        args: &'a Args,
        console: &'a Console,
    ) -> Self {
        Session {
            t,
            source: input::nothing(),
            backend,
            args,
            console,
            solver: backend.solver(t, "script"),
            frames: vec![Vec::new()],
            settings: Settings::default(),
            last: Last::Nothing,
            tally: Tally::start(),
            out: BufWriter::new(io::stdout().lock()),
        }
    }

    /// What was done so far.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Carries out all commands.
    pub(crate) fn execute(&mut self, input: &mut Input) -> Result<(), ScriptError> {
        let mut reader = SmtReader::new(self.t, self.source);
        while let Some(source) = input.next_part().map_err(ScriptError::Read)? {
            self.source = source;
            reader.continue_with(source);
            if !self.execute_part(&mut reader)? {
                break;
            }
        }
        Ok(())
    }

    /// Carries out the commands of a part; answers whether the script may go on.
    fn execute_part(&mut self, reader: &mut SmtReader<'_, '_>) -> Result<bool, ScriptError> {
        loop {
            match reader.next_step() {
                Ok(Some((SmtStep::Exit, _))) => {
                    if self.settings.print_success {
                        self.print("success\n")?;
                    }
                    return Ok(false);
                }
                Ok(Some((step, span))) => match self.step(step, reader.declared()) {
                    Ok(Some(text)) => self.print(&text)?,
                    Ok(None) if self.settings.print_success => self.print("success\n")?,
                    Ok(None) => {}
                    Err(Refusal::Unsupported(why)) => {
                        self.print("unsupported\n")?;
                        self.console.say(format_args!("; unsupported: {why}"));
                    }
                    Err(Refusal::Error(why)) => {
                        let issue = Issue::Meaning(ElabErrorKind::Command(why));
                        self.report(&ReadError::new(self.source, issue, span))?;
                    }
                },
                Ok(None) => return Ok(true),
                Err(error) => {
                    self.report(&error)?;
                    return Err(ScriptError::Input);
                }
            }
        }
    }

    fn step(&mut self, step: SmtStep, declared: &[Uninterpreted]) -> Answer {
        match step {
            SmtStep::Check(assumptions) => return Ok(Some(self.check(&assumptions))),
            SmtStep::GetModel => return Ok(Some(self.get_model(declared)?)),
            SmtStep::GetValue(terms) => return Ok(Some(self.get_value(&terms)?)),
            SmtStep::GetUnsatCore => return Ok(Some(self.get_unsat_core()?)),
            SmtStep::GetUnsatAssumptions => return Ok(Some(self.get_unsat_assumptions()?)),
            SmtStep::GetProof => return self.get_proof().map(Some),
            SmtStep::GetInterpolants(groups) => return self.get_interpolants(&groups).map(Some),
            SmtStep::GetAssertions => {
                let texts = self.assertions().map(|assertion| assertion.text.to_owned());
                return Ok(Some(list(texts)));
            }
            SmtStep::GetInfo(keyword) => return Ok(Some(self.get_info(&keyword)?)),
            SmtStep::Echo(text) => return Ok(Some(format!("{}\n", quoted(&text)))),
            SmtStep::Unsupported(_) => return Ok(Some("unsupported\n".to_owned())),
            SmtStep::Assert {
                formula,
                name,
                text,
            } => self.assert(Assertion {
                formula,
                name,
                text: self.source.slice(text),
            }),
            SmtStep::Push(levels) => {
                self.last = Last::Nothing;
                for _ in 0..levels {
                    self.frames.push(Vec::new());
                    self.solver.push();
                }
            }
            SmtStep::Pop(levels) => {
                self.last = Last::Nothing;
                for _ in 0..levels {
                    self.frames.pop();
                    self.solver.pop();
                }
            }
            SmtStep::SetOption(option) => self.set_option(option),
            SmtStep::Reset | SmtStep::ResetAssertions => {
                if step == SmtStep::Reset {
                    self.settings = Settings::default();
                }
                self.frames = vec![Vec::new()];
                self.rebuild();
            }
            SmtStep::Declared | SmtStep::SetLogic(_) | SmtStep::SetInfo | SmtStep::Exit => {}
        }
        Ok(None)
    }

    fn set_option(&mut self, option: SmtOption) {
        let settings = &mut self.settings;
        match option {
            SmtOption::Timeout(milliseconds) => {
                settings.timeout = milliseconds.map(Duration::from_millis);
            }
            SmtOption::PrintSuccess(on) => settings.print_success = on,
            SmtOption::ProduceModels(on) => settings.models = on,
            SmtOption::ProduceUnsatAssumptions(on) => settings.unsat_assumptions = on,
            SmtOption::ProduceInterpolants(on) => settings.interpolants = on,
            SmtOption::Interpolants(which) => settings.which_interpolants = which,
            SmtOption::ProduceProofs(on) => settings.proofs = on,
            SmtOption::ProduceUnsatCores(on) => {
                settings.cores = on;
                self.rebuild();
            }
        }
    }

    /// A new solver for the assertions there are.
    fn rebuild(&mut self) {
        self.last = Last::Nothing;
        self.solver = self.backend.solver(self.t, "script");
        for (depth, frame) in self.frames.iter().enumerate() {
            if depth > 0 {
                self.solver.push();
            }
            for assertion in frame {
                if !is_tracked(assertion, &self.settings) {
                    self.solver.assert(assertion.formula);
                }
            }
        }
    }

    fn assertions(&self) -> impl Iterator<Item = &Assertion> {
        self.frames.iter().flatten()
    }

    fn assert(&mut self, assertion: Assertion) {
        self.last = Last::Nothing;
        if !is_tracked(&assertion, &self.settings) {
            self.solver.assert(assertion.formula);
        }
        let frame = self.frames.last_mut();
        frame.expect("the outermost scope stays").push(assertion);
    }

    /// The limit of what is asked now.
    fn limit(&self) -> Limit {
        let limits = [self.settings.timeout, self.args.timeout];
        match limits.into_iter().flatten().min() {
            Some(timeout) => Limit::none().within(timeout),
            None => Limit::none(),
        }
    }

    /// Can the assertions and these assumptions be true together? Named assertions are assumptions
    /// where cores are wanted.
    fn check(&mut self, assumptions: &[(Term, Span)]) -> String {
        let tracked = self.assertions().filter(|a| is_tracked(a, &self.settings));
        let mut all: Vec<Term> = tracked.map(|a| a.formula).collect();
        all.extend(assumptions.iter().map(|&(formula, _)| formula));
        self.solver.set_limit(self.limit());
        let solver = &mut self.solver;
        let outcome = self
            .tally
            .time(|| solver.check(format_args!("the script's question"), &all));
        self.tally.count(&outcome);
        let (word, last) = match outcome {
            Outcome::Sat => ("sat\n", Last::Sat),
            Outcome::Unsat => {
                let text = |&(formula, span): &(Term, Span)| (formula, self.source.slice(span));
                let assumptions = assumptions.iter().map(text).collect();
                ("unsat\n", Last::Unsat(assumptions))
            }
            Outcome::Unknown(why) => {
                self.console.say(format_args!("; reason: {why}"));
                ("unknown\n", Last::Unknown(why))
            }
        };
        self.last = last;
        word.to_owned()
    }

    /// The values of terms in the model of the last check.
    fn get_value(&mut self, terms: &[(Term, Span)]) -> Result<String, String> {
        self.expect_model()?;
        let asked: Vec<Term> = terms.iter().map(|&(term, _)| term).collect();
        self.solver.set_limit(self.limit());
        let solver = &mut self.solver;
        let values = self.tally.time(|| solver.values(&asked));
        let values = values.map_err(|why| why.to_string())?;
        let pair = |(&(term, span), value)| {
            let value = model::value_text(self.t, value, self.t.sort_of(term));
            format!("({} {value})", self.source.slice(span))
        };
        Ok(list(terms.iter().zip(&values).map(pair)))
    }

    fn get_model(&mut self, declared: &[Uninterpreted]) -> Result<String, String> {
        self.expect_model()?;
        let formulas: Vec<Term> = self.assertions().map(|a| a.formula).collect();
        self.solver.set_limit(self.limit());
        let (t, solver) = (self.t, &mut *self.solver);
        let text = self
            .tally
            .time(|| model::model_text(t, declared, &formulas, solver));
        text.map_err(|why| why.to_string())
    }

    fn expect_model(&self) -> Result<(), String> {
        if !self.settings.models {
            return Err("models are switched off by :produce-models".to_owned());
        }
        match self.last {
            Last::Sat => Ok(()),
            _ => Err("there is no model: the last check, if any, did not find one".to_owned()),
        }
    }

    /// The assumptions of the last check, which must have answered `unsat`.
    fn expect_contradiction(&self) -> Result<&[(Term, &'static str)], String> {
        match &self.last {
            Last::Unsat(assumptions) => Ok(assumptions),
            _ => Err("the last check, if any, did not answer unsat".to_owned()),
        }
    }

    /// The assumptions that the last check used.
    fn core(&mut self) -> Result<TermSet, String> {
        self.solver.set_limit(self.limit());
        let solver = &mut self.solver;
        let core = self.tally.time(|| solver.core());
        Ok(core.map_err(|why| why.to_string())?.into_iter().collect())
    }

    fn get_unsat_core(&mut self) -> Result<String, String> {
        if !self.settings.cores {
            return Err("cores need (set-option :produce-unsat-cores true)".to_owned());
        }
        self.expect_contradiction()?;
        let mut core = self.core()?;
        // Of equal formulas, one is enough.
        let names = self.assertions().filter_map(|assertion| {
            let name = assertion.name?;
            core.remove(&assertion.formula)
                .then(|| self.t.display_symbol(name).to_string())
        });
        Ok(list(names))
    }

    fn get_unsat_assumptions(&mut self) -> Result<String, String> {
        if !self.settings.unsat_assumptions {
            let why = "unsat assumptions are switched off by :produce-unsat-assumptions";
            return Err(why.to_owned());
        }
        let assumptions = self.expect_contradiction()?.to_vec();
        let mut core = self.core()?;
        let used = assumptions
            .into_iter()
            .filter(|(formula, _)| core.remove(formula));
        Ok(list(used.map(|(_, text)| text.to_owned())))
    }

    fn get_proof(&mut self) -> Result<String, Refusal> {
        if !self.settings.proofs {
            let why = "proofs need (set-option :produce-proofs true)";
            return Err(why.to_owned().into());
        }
        let assumptions = self.expect_contradiction()?.iter();
        let assumptions: Vec<Term> = assumptions.map(|&(formula, _)| formula).collect();
        let assertions: Vec<Term> = self.assertions().map(|a| a.formula).collect();
        let (t, backend, limit) = (self.t, self.backend, self.limit());
        self.tally
            .time(|| beyond::proof(backend, t, &assertions, &assumptions, limit))
    }

    fn get_interpolants(&mut self, groups: &[Vec<Name>]) -> Result<String, Refusal> {
        if !self.settings.interpolants {
            let why = "interpolants are switched off by :produce-interpolants";
            return Err(why.to_owned().into());
        }
        self.expect_contradiction()?;
        if groups.len() < 2 {
            let why = "interpolants stand between two groups or more";
            return Err(why.to_owned().into());
        }
        let named = |name: &Name| {
            let mut all = self.assertions();
            let found = all.find(|assertion| assertion.name == Some(name.symbol));
            found.map(|assertion| assertion.formula).ok_or_else(|| {
                format!(
                    "no assertion is named {}",
                    self.t.display_symbol(name.symbol)
                )
            })
        };
        let mut parts = Vec::with_capacity(groups.len());
        for group in groups {
            parts.push(group.iter().map(named).collect::<Result<Vec<Term>, _>>()?);
        }
        let (t, backend, limit) = (self.t, self.backend, self.limit());
        let which = self.settings.which_interpolants;
        let found = self
            .tally
            .time(|| beyond::interpolants(backend, t, &parts, which, &limit))?;
        Ok(list(found.into_iter().map(|f| t.display(f).to_string())))
    }

    fn get_info(&self, keyword: &str) -> Result<String, String> {
        let value = match keyword {
            ":reason-unknown" => match &self.last {
                Last::Unknown(Failure::Timeout) => "timeout".to_owned(),
                Last::Unknown(why) => quoted(&why.to_string()),
                _ => return Err("the last check, if any, did not answer unknown".to_owned()),
            },
            ":name" => quoted("horn-smt"),
            ":version" => quoted(env!("CARGO_PKG_VERSION")),
            ":error-behavior" => "immediate-exit".to_owned(),
            ":assertion-stack-levels" => (self.frames.len() - 1).to_string(),
            ":all-statistics" => {
                let rows = self.tally.rows().into_iter();
                let rows: Vec<String> = rows.map(|(name, v)| format!(":{name} {v}")).collect();
                return Ok(format!("({})\n", rows.join("\n ")));
            }
            _ => return Ok("unsupported\n".to_owned()),
        };
        Ok(format!("({keyword} {value})\n"))
    }

    /// An error: in short on standard output, in detail on standard error.
    fn report(&mut self, error: &ReadError) -> io::Result<()> {
        self.print(&format!("{}\n", error.smtlib_text()))?;
        self.console
            .say(format_args!("{}", error.report().trim_end()));
        Ok(())
    }

    /// Writes to standard output, at once: whoever asked may wait for it.
    fn print(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

/// Is an assertion given to checks as an assumption, so that it can be in a core?
fn is_tracked(assertion: &Assertion, settings: &Settings) -> bool {
    settings.cores && assertion.name.is_some()
}

/// The parts in parentheses, one on each line.
fn list(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    format!("({})\n", parts.join("\n "))
}

/// A text as a string literal.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
