//! Runs a script: what its commands ask, answered on standard output.

mod outputs;
mod questions;

use crate::args::{Args, PrintArg};
use crate::essence;
use crate::knowledge::read_lemmas;
use crate::personality::Manner;
use crate::reproducer;
use crate::run::HornSolveRun;
use horn::chc::{Answer, Classification, Span, System, Unknown, UnknownReason};
use horn::interpreter::Input;
use horn::os::memory::MemoryWatch;
use horn::portfolio::{Check, Control, Knowledge, Options, Solved, solve, solve_knowing};
use horn::report::{Candidate, CheckStats, Lines, progress_text, write_graph, write_model};
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Limit};
use horn::smtlib::{
    Polarity, ReadError, Reader, ScriptOption, Source, Step, TICKS_OF_RLIMIT, system_text,
};
use horn::term::Terms;
use horn::transform::{Tools, preprocess};
use std::borrow::Cow;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Why a script was not run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScriptError {
    /// The input is at fault; it has been reported.
    #[error("error in the input")]
    Input,
    /// A limit of the whole run ended a check, which has been said.
    #[error("a limit of the run")]
    Limit,
    /// The input cannot be read.
    #[error("the input: {0}")]
    Read(io::Error),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    /// The certificate cannot be written.
    #[error("the certificate in {}: {}", .0.display(), .1)]
    Certificate(PathBuf, io::Error),
    /// A graph cannot be written.
    #[error("the graph in {}: {}", .0.display(), .1)]
    Graph(PathBuf, io::Error),
    /// The page about a check cannot be written.
    #[error("the page in {}: {}", .0.display(), .1)]
    Page(PathBuf, io::Error),
    /// The lemmas cannot be written.
    #[error("the lemmas in {}: {}", .0.display(), .1)]
    Lemmas(PathBuf, io::Error),
}

/// The solvers of a run.
pub(crate) struct Solvers {
    /// For engine and checker.
    pub(crate) main: Backend,
    /// The solvers that must accept models as well.
    pub(crate) cross_checkers: Vec<(String, Backend)>,
}

/// What scripts can set.
#[derive(Clone, Copy)]
struct ScriptSettings {
    timeout: Option<Duration>,
    /// The budget of a check in ticks.
    ticks: Option<u64>,
    produce_models: bool,
    produce_proofs: bool,
}

impl Default for ScriptSettings {
    /// As Z3 has them: whoever asks for a model gets one without having said so before.
    fn default() -> Self {
        ScriptSettings {
            timeout: None,
            ticks: None,
            produce_models: true,
            produce_proofs: true,
        }
    }
}

/// A check that was made, for the commands that ask about it.
struct Checked {
    system: System,
    answer: Answer,
    /// Was the certificate printed with the verdict?
    printed: bool,
}

/// A script under way.
pub(crate) struct Script<'a> {
    t: &'a Terms,
    input: Input,
    /// What was read so far.
    text: Cow<'static, str>,
    args: &'a Args,
    manner: &'a Manner,
    run: &'a HornSolveRun,
    solvers: Option<&'a Solvers>,
    options: Options,
    lines: Lines,
    settings: ScriptSettings,
    last: Option<Checked>,
    /// What earlier checks have proved.
    knowledge: Knowledge,
    checks: usize,
    faults: usize,
    /// The part of the input that is being read, and the place of the last command in it.
    part: Option<&'static Source>,
    place: Span,
    /// Was a command refused?
    refused: bool,
    /// Was a command left out that the answer `sat` may depend on?
    incomplete: bool,
}

/// What the commands of a script have come to.
pub(crate) struct Executed {
    /// The number of verdicts that were lost to internal faults.
    pub(crate) faults: usize,
    /// Was a command refused?
    pub(crate) refused: bool,
}

impl<'a> Script<'a> {
    /// Of an input; without `solvers` it is only read.
    pub(crate) fn new(
        t: &'a Terms,
        input: Input,
        (args, manner): (&'a Args, &'a Manner),
        run: &'a HornSolveRun,
        solvers: Option<&'a Solvers>,
    ) -> Self {
        Script {
            t,
            input,
            text: Cow::default(),
            args,
            manner,
            run,
            solvers,
            options: args.options(),
            lines: Lines::default(),
            settings: ScriptSettings::default(),
            last: None,
            knowledge: Knowledge::default(),
            checks: 0,
            faults: 0,
            part: None,
            place: Span::default(),
            refused: false,
            incomplete: false,
        }
    }

    /// Carries out all commands.
    pub(crate) fn execute(mut self) -> Result<Executed, ScriptError> {
        let _watch = MemoryWatch::for_program(self.args.memory_bytes(), &self.run.stop);
        let started = Instant::now();
        if let Some(path) = &self.args.use_lemmas {
            self.knowledge = read_lemmas(self.t, path).map_err(|report| {
                self.run.claim_or_wait();
                self.run.console.say(format_args!("{}", report.trim_end()));
                ScriptError::Input
            })?;
        }
        let mut reader = None;
        // The end of the input is the end of the script, unless `exit` comes before.
        while let Some(part) = self.input.next_part().map_err(ScriptError::Read)? {
            self.lines.extend(part.text());
            self.part = Some(part);
            match self.text.is_empty() {
                true => self.text = Cow::Borrowed(part.text()),
                false => self.text.to_mut().push_str(part.text()),
            }
            let reader = match &mut reader {
                None => {
                    let new = Reader::new(self.t, part).with_questions(self.manner.z3);
                    reader.insert(new)
                }
                Some(reader) => {
                    reader.continue_with(part);
                    reader
                }
            };
            if self.steps(reader, started)? == ControlFlow::Break(()) {
                break;
            }
        }
        let system = reader.map_or_else(System::default, Reader::into_system);
        if self.checks == 0 {
            match self.solvers {
                _ if self.args.only_reads() => self.summarize(&system)?,
                Some(solvers) if self.manner.solves_at_end => {
                    self.checks += 1;
                    self.check(&system, Polarity::Satisfiable, solvers)?;
                }
                _ => log::warn!("the input asks nothing: it has no check-sat"),
            }
        }
        Ok(Executed {
            faults: self.faults,
            refused: self.refused,
        })
    }

    /// Carries out the commands of a part of the script; breaks at `exit`.
    fn steps(
        &mut self,
        reader: &mut Reader<'_, '_>,
        started: Instant,
    ) -> Result<ControlFlow<()>, ScriptError> {
        loop {
            let step = reader.next_step();
            for note in reader.take_notes() {
                let line = self.lines.line(note.span).unwrap_or(0);
                log::info!("line {line}: {}", note.message);
            }
            match step {
                Ok(Some(Step::Exit)) => return Ok(ControlFlow::Break(())),
                Ok(Some(step)) => {
                    if self.checks == 0 && matches!(step, Step::Check { .. }) {
                        let (name, time) = (self.input.name(), started.elapsed().as_secs_f64());
                        log::info!("{name} read in {time:.3} s");
                    }
                    (self.place, self.incomplete) = (reader.place(), reader.is_incomplete());
                    self.step(step, reader.system())?;
                }
                Ok(None) => return Ok(ControlFlow::Continue(())),
                Err(error) => {
                    self.input_error(&error)?;
                    if !self.manner.z3 || !reader.recover(&error) {
                        return Err(ScriptError::Input);
                    }
                }
            }
        }
    }

    fn step(&mut self, step: Step, system: &System) -> Result<(), ScriptError> {
        match step {
            Step::Check { polarity, .. } => {
                self.checks += 1;
                match self.solvers {
                    Some(solvers) => self.check(system, polarity, solvers)?,
                    None => self.summarize(system)?,
                }
            }
            Step::SetOption(ScriptOption::Timeout(milliseconds)) => {
                self.settings.timeout = Some(Duration::from_millis(milliseconds));
            }
            Step::SetOption(ScriptOption::Rlimit(units)) => {
                let ticks = units.saturating_mul(TICKS_OF_RLIMIT);
                self.settings.ticks = (units > 0).then_some(ticks);
            }
            Step::SetOption(ScriptOption::ProduceModels(on)) => self.settings.produce_models = on,
            Step::SetOption(ScriptOption::ProduceProofs(on)) => self.settings.produce_proofs = on,
            Step::Reset(options) => {
                self.last = None;
                if options {
                    self.settings = ScriptSettings::default();
                }
            }
            Step::GetModel => self.get_model()?,
            Step::GetProof => self.get_proof()?,
            Step::GetInfo(keyword) => self.get_info(&keyword)?,
            Step::Question(question) => self.answer(question)?,
            Step::Echo(text) if self.manner.z3 => self.print(|out| writeln!(out, "{text}"))?,
            Step::Echo(text) => {
                let text = text.replace('"', "\"\"");
                self.print(|out| writeln!(out, "\"{text}\""))?;
            }
            Step::Push(_) | Step::Pop(_) => self.last = None,
            Step::SetLogic(_) | Step::SetInfo(..) | Step::Exit => {}
        }
        Ok(())
    }

    /// Decides the system and prints the verdict, with the certificate where the command line asks
    /// for it.
    fn check(
        &mut self,
        system: &System,
        polarity: Polarity,
        solvers: &Solvers,
    ) -> Result<(), ScriptError> {
        let backend = solvers.main.with_new_statistics();
        let deadline = self.run.begin_check(self.check_timeout(), &backend);
        log::info!("{}", one_line(&Classification::of(self.t, system)));
        let solved = self.solved(system, solvers, &backend, deadline);
        self.run.claim_or_wait();
        self.run.console.clear();
        let word = match &solved.answer {
            Answer::Unknown(_) => self.run.undecided(),
            answer => verdict(answer, polarity),
        };
        // Whoever has seen enough of standard output wants the files all the same.
        let said = self.print(|out| writeln!(out, "{word}"));
        let candidate = self.candidate(&solved.answer, system, &backend);
        let figures = |total| {
            let figures = CheckStats::new(&solved, backend.statistics(), total);
            figures.with_candidate(candidate.as_ref())
        };
        self.comment_on(&solved, system, candidate.as_ref());
        self.run.say_stats(figures);
        self.write_abstract_graph(&solved.stats)?;
        self.write_dot(&solved.answer, system)?;
        let limit = Limit::new(deadline, self.run.stop.token().clone());
        let tools = Tools::new(self.t, &backend, limit.clone());
        let printed = said.and_then(|()| self.print_certificate(&solved.answer, system, &tools));
        self.write_certificate(&solved.answer, system, &limit)?;
        self.write_page(&solved, system, &figures)?;
        self.learn(&solved.answer, system)?;
        let printed = printed?;
        self.run.print_statistics(figures)?;
        if self.manner.z3 && [self.manner.overdue, self.manner.exhausted].contains(&word) {
            return Err(ScriptError::Limit);
        }
        self.last = Some(Checked {
            system: system.clone(),
            answer: solved.answer,
            printed,
        });
        Ok(())
    }

    /// The answer for a system, with its certificate checked.
    fn solved(
        &mut self,
        system: &System,
        solvers: &Solvers,
        backend: &Backend,
        deadline: Option<Instant>,
    ) -> Solved {
        let control = Control {
            stop: &self.run.stop,
            deadline,
            progress: &|progress| self.run.progress(progress),
            cross_checkers: &solvers.cross_checkers,
        };
        let began = Instant::now();
        let budgets = [self.settings.ticks, self.args.ticks];
        self.options.budget = budgets.into_iter().flatten().min();
        let candidates = self.knowledge.candidates(self.t, system);
        let mut solved = match &candidates {
            Some(known) => solve_knowing(self.t, system, backend, &self.options, control, known),
            None => solve(self.t, system, backend, &self.options, control),
        };
        if self.incomplete && matches!(solved.answer, Answer::Sat(_)) {
            let why = UnknownReason::Incomplete("a command before was not understood".to_owned());
            solved.answer = Answer::Unknown(Unknown::new(why));
        }
        let time = began.elapsed().as_secs_f64();
        let progress = progress_text(&solved.stats.progress);
        log::info!("{} after {time:.3} s; {progress}", solved.answer.verdict());
        solved
    }

    /// The limit of a check: the script's, or the command line's, whichever is shorter.
    fn check_timeout(&self) -> Option<Duration> {
        let limits = [self.settings.timeout, self.manner.check_timeout];
        limits.into_iter().flatten().min()
    }

    /// What holds of everything derivable, and what it leaves open, where there is no verdict.
    fn candidate(&self, answer: &Answer, system: &System, backend: &Backend) -> Option<Candidate> {
        let Answer::Unknown(Unknown {
            invariants: Some(model),
            ..
        }) = answer
        else {
            return None;
        };
        let mut text = Vec::new();
        write_model(&mut text, self.t, system, model).expect("memory takes it");
        Some(Candidate {
            model: String::from_utf8_lossy(&text).trim_end().to_owned(),
            failing: essence::first_failing(self.t, system, model, backend),
        })
    }

    /// What there is to say about an answer, on standard error.
    fn comment_on(&mut self, solved: &Solved, system: &System, candidate: Option<&Candidate>) {
        let console = self.run.console;
        for (name, result) in &solved.cross_checks {
            match result {
                Ok(()) => console.say(format_args!("; {name}: model accepted")),
                Err(error) if error.is_refusal() => {
                    console.say(format_args!("; {name}: model refused: {error}"));
                }
                Err(error) => console.say(format_args!("; {name}: model not decided: {error}")),
            }
        }
        if let Answer::Unknown(unknown) = &solved.answer {
            self.run.explain(unknown, &solved.stats);
            let candidate = candidate.filter(|_| !self.run.is_quiet());
            if let Some(Candidate { model, failing }) = candidate {
                console.say(format_args!("; what holds of everything derivable:"));
                for line in model.lines() {
                    console.say(format_args!("; {line}"));
                }
                if let Some(why) = failing {
                    console.say(format_args!("; what does not follow: {why}"));
                }
            }
            self.faults += usize::from(unknown.reason.is_fault());
        }
        match &solved.check {
            Check::None | Check::Accepted => {}
            Check::NotDecided(why) => {
                console.say(format_args!("; certificate not checked: {why}"));
            }
            Check::Refused(answer) => self.keep_reproducer(solved, answer, system),
        }
    }

    /// Writes down, where there is a place for it, what a refused certificate can be reproduced
    /// with.
    fn keep_reproducer(&self, solved: &Solved, refused: &Answer, system: &System) {
        let Some(directory) = &self.args.dump_smt else {
            return;
        };
        let path = directory.join(format!("refused-{}.smt2", self.checks));
        let why = match &solved.answer {
            Answer::Unknown(unknown) => unknown.reason.to_string(),
            answer => answer.verdict().to_owned(),
        };
        let written = reproducer::write(&path, &self.text, &why, self.t, system, refused);
        match written {
            Ok(()) => log::warn!("reproducer: {}", path.display()),
            Err(error) => log::warn!("no reproducer: {}: {error}", path.display()),
        }
    }

    /// Prints class and size of a system, its graph, or the preprocessed system, instead of a
    /// verdict.
    fn summarize(&self, system: &System) -> Result<(), ScriptError> {
        self.run.claim_or_wait();
        if let Some(which) = self.args.print_preprocessed {
            return self.print(|out| self.write_preprocessed(out, system, which));
        }
        if self.args.print_graph {
            return self.print(|out| write_graph(out, self.t, system, &self.lines));
        }
        self.print(|out| writeln!(out, "{}", Classification::of(self.t, system)))
    }

    fn write_preprocessed(
        &self,
        out: &mut dyn Write,
        system: &System,
        which: PrintArg,
    ) -> io::Result<()> {
        let backend = Backend::native(NativeOptions::for_engines());
        let tools = Tools::new(
            self.t,
            &backend,
            Limit::new(None, self.run.stop.token().clone()),
        );
        let prepared = preprocess(&tools, system, &self.options.preprocess);
        let mut systems = prepared.stages.iter().map(|stage| &stage.system);
        let last = prepared.system(system);
        for run in &prepared.runs {
            if which == PrintArg::Last || run.changed {
                writeln!(out, "; {run}")?;
            }
            if which == PrintArg::All && run.changed {
                let system = systems.next().expect("a stage for each run that changed");
                writeln!(out, "{}(reset)", system_text(self.t, system))?;
            }
        }
        match which {
            PrintArg::Last => write!(out, "{}", system_text(self.t, last)),
            PrintArg::All => Ok(()),
        }
    }

    /// Reports text that cannot be read.
    fn input_error(&mut self, error: &ReadError) -> Result<(), ScriptError> {
        // No verdict is due any more.
        self.run.claim_or_wait();
        if self.manner.z3 && error.issue().is_unknown_command() {
            return self.print(|out| writeln!(out, "unsupported"));
        }
        self.refused = true;
        self.print(|out| writeln!(out, "{}", error.smtlib_text()))?;
        (self.run).remark(format_args!("{}", error.report().trim_end()));
        Ok(())
    }

    /// Writes to standard output, all of it.
    fn print<T>(
        &self,
        write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<T>,
    ) -> Result<T, ScriptError> {
        let mut out = BufWriter::new(io::stdout().lock());
        let written = write(&mut out)?;
        out.flush()?;
        Ok(written)
    }
}

/// The word for an answer: of a query, `sat` means that it can be reached.
fn verdict(answer: &Answer, polarity: Polarity) -> &'static str {
    match (answer, polarity) {
        (Answer::Sat(_), Polarity::Reachable) => "unsat",
        (Answer::Unsat(_), Polarity::Reachable) => "sat",
        (answer, _) => answer.verdict(),
    }
}

/// The lines of a classification as one.
fn one_line(classification: &Classification) -> String {
    classification.to_string().replace('\n', ", ")
}
