//! The passes, round after round, and the way back through all of them.

use super::{Lift, LiftError, LiftFailure, Pass, Tools, Transformed, When};
use crate::chc::{Answer, Interpretation, Model, Refutation, System};
use crate::logic::universal;
use crate::term::Terms;
use crate::work;
use std::fmt;
use std::time::{Duration, Instant};

/// The options of preprocessing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The passes to apply, in the order of [`Pass::ALL`] whatever their order here.
    pub passes: Vec<Pass>,
    /// The largest number of rounds; the passes end sooner when a round changes nothing.
    pub rounds: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            passes: Pass::default_passes(),
            rounds: 6,
        }
    }
}

impl Options {
    /// No passes: the system stays as it is.
    pub fn none() -> Self {
        Options {
            passes: Vec::new(),
            ..Options::default()
        }
    }

    /// These options with one pass more.
    #[must_use]
    pub fn with(mut self, pass: Pass) -> Self {
        if !self.passes.contains(&pass) {
            self.passes.push(pass);
        }
        self
    }

    /// These options with some passes more, and without others, by their names.
    ///
    /// # Panics
    /// If there is no pass of a name.
    #[must_use]
    pub fn with_and_without(self, more: &[String], without: &[String]) -> Self {
        let named = |name: &String| Pass::from_name(name).expect("a pass of this name");
        let all = more.iter().map(named).fold(self, Options::with);
        without.iter().map(named).fold(all, Options::without)
    }

    /// These options without a pass.
    #[must_use]
    pub fn without(mut self, pass: Pass) -> Self {
        self.passes.retain(|&p| p != pass);
        self
    }
}

/// The size of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// The number of clauses.
    pub clauses: usize,
    /// The number of predicates.
    pub preds: usize,
    /// The number of arguments, summed over the predicates.
    pub args: usize,
    /// The number of variables, summed over the clauses.
    pub vars: usize,
}

impl Size {
    /// The size of a system.
    pub fn of(t: &Terms, system: &System) -> Self {
        let args = system.preds.iter().map(|p| t.func(p.func).params.len());
        Size {
            clauses: system.clauses.len(),
            preds: system.preds.len(),
            args: args.sum(),
            vars: system.clauses.iter().map(|c| c.vars.len()).sum(),
        }
    }
}

/// The effect and the cost of one application of a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassRun {
    /// The pass.
    pub pass: Pass,
    /// The number of the round, from 1.
    pub round: u32,
    /// The size of the system before.
    pub before: Size,
    /// The size of the system after the pass.
    pub after: Size,
    /// Did the pass change anything?
    pub changed: bool,
    /// The time that it took.
    pub time: Duration,
}

/// An application of a pass that changed the system.
pub struct Stage {
    /// The pass.
    pub pass: Pass,
    /// The system that it made.
    pub system: System,
    lift: Box<dyn Lift>,
}

impl Stage {
    /// A stage: a pass, the system that it made, and the way back.
    pub fn new(pass: Pass, transformed: Transformed) -> Self {
        let Transformed { system, lift } = transformed;
        Stage { pass, system, lift }
    }

    /// A model of the system before, `old`, with quantifiers in front of conjuncts only.
    ///
    /// Lemmas speak of no predicate. They pass by: in a disjunction a lemma is not told apart from
    /// what holds of some values only.
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftFailure> {
        debug_assert!(
            model.is_over(tools.terms, &self.system),
            "the model interprets the predicates of the pass's system"
        );
        let t = tools.terms;
        let (lemmas, model) = model.split_lemmas(t);
        let lifted = self.lift.model(tools, old, model);
        let lifted = lifted.and_then(|model| universal_model(t, old, model));
        let lifted = lifted.map(|model| model.with_lemmas(t, lemmas));
        debug_assert!(
            lifted.as_ref().map_or(true, |model| model.is_over(t, old)),
            "{} gives each predicate of the old system an interpretation",
            self.pass
        );
        lifted.map_err(|why| self.failure(why))
    }

    /// A refutation of the system before, `old`.
    fn refutation(
        &self,
        tools: &Tools<'_>,
        old: &System,
        refutation: Refutation,
    ) -> Result<Refutation, LiftFailure> {
        let lifted = self.lift.refutation(tools, old, refutation);
        debug_assert!(
            lifted.as_ref().map_or(true, |found| found.is_over(old)),
            "{} makes a refutation of clauses of the old system",
            self.pass
        );
        lifted.map_err(|why| self.failure(why))
    }

    fn failure(&self, why: LiftError) -> LiftFailure {
        let pass = self.pass;
        LiftFailure { pass, why }
    }
}

/// A system, preprocessed, and the way back.
pub struct Preprocessed {
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// All applications of passes, also the ones that changed nothing.
    pub runs: Vec<PassRun>,
}

/// Applies passes until a round changes nothing, or the limit on rounds or the limit of the tools
/// is reached. The stages so far are kept then.
///
/// ```
/// use horn::smt::native::NativeOptions;
/// use horn::smt::{Backend, Limit};
/// use horn::smtlib::{Source, read_system};
/// use horn::term::Terms;
/// use horn::transform::{Options, Tools, preprocess};
///
/// let text = "
///     (declare-fun p (Int) Bool)
///     (declare-fun q (Int) Bool)
///     (assert (forall ((x Int)) (=> (< 0 x) (p x))))
///     (assert (forall ((x Int)) (=> (p x) (q x))))
///     (assert (forall ((x Int)) (=> (and (q x) (< x 0)) false)))";
/// let t = Terms::new();
/// let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
/// let backend = Backend::native(NativeOptions::for_engines());
/// let tools = Tools { terms: &t, backend: &backend, limit: Limit::none() };
/// let prepared = preprocess(&tools, &system, &Options::default());
/// // Both predicates are eliminated; `prepared.lift` takes the answer back.
/// assert!(prepared.system(&system).preds.is_empty());
/// ```
pub fn preprocess(tools: &Tools<'_>, system: &System, options: &Options) -> Preprocessed {
    let mut result = Preprocessed::nothing();
    let passes = |when: &[When]| -> Vec<Pass> {
        let is_wanted = |pass: &Pass| options.passes.contains(pass);
        let all = Pass::ALL.into_iter().filter(is_wanted);
        all.filter(|pass| when.contains(&pass.spec().when))
            .collect()
    };
    let mut is_at_end = false;
    for round in 1..=options.rounds {
        let own = match round {
            1 => passes(&[When::Always, When::First]),
            _ => passes(&[When::Always]),
        };
        let mut changed = result.apply_all(tools, system, &own, round);
        if !is_at_end && (!changed || round == options.rounds) {
            is_at_end = true;
            changed = result.apply_all(tools, system, &passes(&[When::Last]), round);
        }
        if !changed {
            break;
        }
    }
    result
}

impl fmt::Display for PassRun {
    /// `simplify, round 1: clauses 10 to 8, predicates 3, arguments 7 to 6, variables 20 to 12,
    /// 0.001 s`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PassRun { before, after, .. } = self;
        write!(f, "{}, round {}:", self.pass, self.round)?;
        let figures = [
            ("clauses", before.clauses, after.clauses),
            ("predicates", before.preds, after.preds),
            ("arguments", before.args, after.args),
            ("variables", before.vars, after.vars),
        ];
        for (name, before, after) in figures {
            match before == after {
                true => write!(f, " {name} {before},")?,
                false => write!(f, " {name} {before} to {after},")?,
            }
        }
        write!(f, " {:.3} s", self.time.as_secs_f64())
    }
}

impl Preprocessed {
    /// Preprocessing that changes nothing.
    pub fn nothing() -> Self {
        Preprocessed {
            stages: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// The system that all passes made of the `original`, which is the one that was preprocessed.
    pub fn system<'a>(&'a self, original: &'a System) -> &'a System {
        self.stages.last().map_or(original, |stage| &stage.system)
    }

    /// Applies passes one after another within the limit. Answers whether one of them changed
    /// anything.
    fn apply_all(
        &mut self,
        tools: &Tools<'_>,
        original: &System,
        passes: &[Pass],
        round: u32,
    ) -> bool {
        let done = self.stages.len();
        for &pass in passes {
            if tools.limit.check().is_ok() {
                self.apply(tools, original, pass, round);
            }
        }
        self.stages.len() != done
    }

    fn apply(&mut self, tools: &Tools<'_>, original: &System, pass: Pass, round: u32) {
        let (t, started) = (tools.terms, Instant::now());
        let transformed = (pass.spec().apply)(tools, self.system(original));
        let time = started.elapsed();
        let before = Size::of(t, self.system(original));
        let changed = transformed.is_some();
        if let Some(transformed) = transformed {
            debug_assert!(
                work::uncounted(|| transformed.system.is_well_formed(t)),
                "{pass} makes a system of well-formed clauses"
            );
            self.stages.push(Stage::new(pass, transformed));
        }
        self.runs.push(PassRun {
            pass,
            round,
            before,
            after: Size::of(t, self.system(original)),
            changed,
            time,
        });
    }

    /// The answer about the original system that an answer about the preprocessed one gives.
    ///
    /// # Errors
    /// The last pass whose lift failed, and why.
    pub fn lift(
        &self,
        tools: &Tools<'_>,
        original: &System,
        answer: Answer,
    ) -> Result<Answer, LiftFailure> {
        let mut stages = (0..self.stages.len()).rev();
        stages.try_fold(answer, |answer, stage| {
            self.lift_stage(tools, original, stage, answer)
        })
    }

    /// The answer about the system before a stage, given by its position, that an answer about the
    /// system after it gives.
    ///
    /// # Errors
    /// The stage's pass, if its lift failed, and why.
    pub fn lift_stage(
        &self,
        tools: &Tools<'_>,
        original: &System,
        stage: usize,
        answer: Answer,
    ) -> Result<Answer, LiftFailure> {
        let old = self.system_before(original, stage);
        let stage = &self.stages[stage];
        Ok(match answer {
            Answer::Sat(model) => Answer::Sat(stage.model(tools, old, model)?),
            Answer::Unsat(refutation) => Answer::Unsat(stage.refutation(tools, old, refutation)?),
            Answer::Unknown(_) => answer,
        })
    }

    /// The system that a stage, given by its position, was applied to.
    pub fn system_before<'a>(&'a self, original: &'a System, stage: usize) -> &'a System {
        match stage.checked_sub(1) {
            Some(before) => &self.stages[before].system,
            None => original,
        }
    }
}

/// The model with its quantifiers in front of conjuncts, if it has quantifiers.
fn universal_model(t: &Terms, system: &System, model: Model) -> Result<Model, LiftError> {
    let preds = system.pred_ids().zip(model.interpretations);
    let interpretations = preds.map(|(pred, Interpretation { params, body })| {
        let body = universal(t, body).ok_or_else(|| LiftError::Interpretation {
            pred: system.pred_name(t, pred).to_owned(),
            why: "it has quantifiers that cannot stand in front".to_owned(),
        })?;
        Ok(Interpretation { params, body })
    });
    Ok(Model {
        interpretations: interpretations.collect::<Result<_, LiftError>>()?,
    })
}
