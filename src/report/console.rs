//! Output on standard error: messages for `-v`, and the progress of engines as a live line or as
//! JSON.

use super::stats::progress_json;
use crate::portfolio::{THREAD, TurnProgress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use log::{Level, LevelFilter, Log, Metadata, Record};
use serde_json::json;
use std::fmt::{self, Write as _};
use std::io::{IsTerminal, Write as _, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The live line is drawn at most every 100 ms; so are JSON objects about the same depth.
const REFRESH: Duration = Duration::from_millis(100);

/// How the progress of engines is shown on standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressForm {
    /// Not at all, except for the messages of `-v`.
    None,
    /// As a live line.
    Line,
    /// As JSON objects, each on a line for itself.
    Json,
}

/// Standard error, shared by all threads of a run.
#[derive(Debug)]
pub struct Console {
    started: Instant,
    level: LevelFilter,
    /// The live line, if there is one.
    line: Option<ProgressBar>,
    /// Are there JSON objects?
    json: bool,
    /// The last report of each turn, so that each depth is reported once.
    told: Mutex<Vec<DepthReport>>,
    /// When the last JSON object was written.
    written: Mutex<Option<Instant>>,
}

/// A report that an engine has come to a depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DepthReport {
    turn: u32,
    engine: &'static str,
    depth: u32,
    since: Instant,
}

impl Console {
    /// A console for `-v` given `verbosity` times. With `-v` there is a live line on a terminal.
    pub fn new(verbosity: u8) -> Self {
        let form = match verbosity > 0 && stderr().is_terminal() {
            true => ProgressForm::Line,
            false => ProgressForm::None,
        };
        Console::showing(verbosity, form)
    }

    /// A console for `-v` given `verbosity` times, which shows progress in this form.
    pub fn showing(verbosity: u8, form: ProgressForm) -> Self {
        let level = match verbosity {
            0 => LevelFilter::Warn,
            1 => LevelFilter::Info,
            2 => LevelFilter::Debug,
            _ => LevelFilter::Trace,
        };
        Console {
            started: Instant::now(),
            level,
            line: (form == ProgressForm::Line).then(live_line),
            json: form == ProgressForm::Json,
            told: Mutex::default(),
            written: Mutex::default(),
        }
    }

    /// A console without progress, whose messages are about faults alone: of a program in the place
    /// of another one, whose clients do not expect them.
    pub fn quiet() -> Self {
        Console {
            level: LevelFilter::Error,
            ..Console::showing(0, ProgressForm::None)
        }
    }

    /// Makes this the receiver of the program's log messages. Only the first call in a process has
    /// an effect.
    pub fn install(console: &'static Console) {
        if log::set_logger(console).is_ok() {
            log::set_max_level(console.level);
        }
    }

    /// Writes a line, whatever the verbosity. A closed standard error is not an error.
    pub fn say(&self, text: fmt::Arguments<'_>) {
        let write = || drop(writeln!(stderr(), "{text}"));
        match &self.line {
            Some(line) => line.suspend(write),
            None => write(),
        }
    }

    /// Reports how far an engine is: a message at each new depth, with the time that the depth
    /// before took; and the live line or a JSON object. `left` is the time until the limit, if
    /// there is one.
    pub fn progress(&self, progress: &TurnProgress, left: Option<Duration>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let place = told.iter().position(|told| told.turn == progress.turn);
        let before = place.map(|place| told.swap_remove(place));
        let new = DepthReport {
            turn: progress.turn,
            engine: progress.engine,
            depth: progress.depth,
            since: Instant::now(),
        };
        let before = before.filter(|before| before.engine == new.engine);
        let is_new = before.is_none_or(|before| before.depth != new.depth);
        match before {
            Some(before) if before.depth == new.depth => told.push(before),
            _ => {
                told.push(new);
                let text = progress_text(progress);
                match before {
                    Some(DepthReport { depth, since, .. }) => {
                        let took = (new.since - since).as_secs_f64();
                        log::info!("{text}; depth {depth} took {took:.3} s");
                    }
                    None => log::info!("{text}"),
                }
            }
        }
        if let Some(line) = &self.line {
            if line.is_finished() {
                // The next check of the script has begun.
                line.reset();
            }
            let left = left.map(|left| format!(", {} s left", left.as_secs()));
            line.set_message(progress_text(progress) + &left.unwrap_or_default());
            line.tick();
        }
        self.write_json(progress, is_new);
    }

    /// Writes a JSON object, if there are to be any, unless the last one is not old and about the
    /// same depth.
    fn write_json(&self, progress: &TurnProgress, is_new: bool) {
        if !self.json {
            return;
        }
        let now = Instant::now();
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if is_new || written.is_none_or(|last| now - last >= REFRESH) {
            *written = Some(now);
            let mut object = progress_json(progress);
            object["time"] = json!((now - self.started).as_millis() as f64 / 1000.0);
            object["turn"] = json!(progress.turn);
            self.say(format_args!("{object}"));
        }
    }

    /// Ends the reports of a check: removes the live line, before something is written to standard
    /// output.
    pub fn clear(&self) {
        (self.told.lock().unwrap_or_else(PoisonError::into_inner)).clear();
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}

fn live_line() -> ProgressBar {
    let rate = u8::try_from(1000 / REFRESH.as_millis()).unwrap_or(u8::MAX);
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(rate));
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    line.with_style(style.expect("a valid template"))
}

/// `pdr: depth 5, safe up to 4, 12 lemmas, 3 obligations, 456 queries`; with the number of the turn
/// if several run at the same time: `turn 3, pdr: ...`.
pub fn progress_text(progress: &TurnProgress) -> String {
    let turn = match progress.turn {
        0 => String::new(),
        number => format!("{THREAD}{number}, "),
    };
    let mut text = format!("{turn}{}: depth {}", progress.engine, progress.depth);
    if let Some(safe) = progress.safe_depth {
        // Writing into a string does not fail.
        let _ = write!(text, ", safe up to {safe}");
    }
    let (lemmas, obligations) = (progress.lemmas, progress.obligations);
    let queries = progress.queries;
    let _ = write!(
        text,
        ", {lemmas} lemmas, {obligations} obligations, {queries} queries"
    );
    text
}

impl Log for Console {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // Messages of other crates do not help users of this program.
        metadata.level() <= self.level && metadata.target().starts_with("horn")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let seconds = self.started.elapsed().as_secs_f64();
            let word = match record.level() {
                Level::Error => "error: ",
                Level::Warn => "warning: ",
                Level::Info | Level::Debug | Level::Trace => "",
            };
            // Messages of an engine that runs beside others name the engine.
            let thread = std::thread::current();
            let turn = thread.name().filter(|name| name.starts_with(THREAD));
            let (turn, colon) = turn.map_or(("", ""), |turn| (turn, ": "));
            self.say(format_args!(
                "; [{seconds:8.3}] {word}{turn}{colon}{}",
                record.args()
            ));
        }
    }

    fn flush(&self) {}
}
