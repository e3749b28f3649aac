//! What a run says on standard error: messages behind `-v`, and on a terminal a live line that tells how far it is.

use crate::engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use log::{Level, LevelFilter, Log, Metadata, Record};
use std::fmt::{self, Write as _};
use std::io::{IsTerminal, Write as _, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The live line is drawn at most so often.
const REFRESH: Duration = Duration::from_millis(100);

/// Standard error, shared by all threads of a run.
#[derive(Debug)]
pub struct Console {
    started: Instant,
    level: LevelFilter,
    /// The live line: with `-v`, on a terminal.
    line: Option<ProgressBar>,
    /// Engine and depth that were told last, and when, so that each is told once.
    told: Mutex<Option<(&'static str, u32, Instant)>>,
}

impl Console {
    /// With `-v` given `verbosity` times.
    pub fn new(verbosity: u8) -> Self {
        let level = match verbosity {
            0 => LevelFilter::Warn,
            1 => LevelFilter::Info,
            2 => LevelFilter::Debug,
            _ => LevelFilter::Trace,
        };
        Console {
            started: Instant::now(),
            level,
            line: (verbosity > 0 && stderr().is_terminal()).then(live_line),
            told: Mutex::default(),
        }
    }

    /// Makes this the receiver of the program's log messages. Only the first call in a process has an effect.
    pub fn install(console: &'static Console) {
        if log::set_logger(console).is_ok() {
            log::set_max_level(console.level);
        }
    }

    /// Writes a line, whatever the verbosity. A standard error that nobody reads is no error.
    pub fn say(&self, text: fmt::Arguments<'_>) {
        let write = || drop(writeln!(stderr(), "{text}"));
        match &self.line {
            Some(line) => line.suspend(write),
            None => write(),
        }
    }

    /// Tells how far an engine is: in a message at each new depth, with the time that the depth before took, and in the live
    /// line.
    pub fn progress(&self, progress: &Progress) {
        let now = Instant::now();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let new = told
            .is_none_or(|(engine, depth, _)| (engine, depth) != (progress.engine, progress.depth));
        if new {
            let text = progress_text(progress);
            match told.replace((progress.engine, progress.depth, now)) {
                Some((engine, depth, since)) if engine == progress.engine => {
                    let took = (now - since).as_secs_f64();
                    log::info!("{text}; depth {depth} took {took:.3} s");
                }
                _ => log::info!("{text}"),
            }
        }
        if let Some(line) = &self.line {
            if line.is_finished() {
                // The next check of the script has begun.
                line.reset();
            }
            line.set_message(progress_text(progress));
            line.tick();
        }
    }

    /// Ends the telling of a check: takes the live line away, before something is written to standard output.
    pub fn clear(&self) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = None;
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

/// `pdr: depth 5, safe up to 4, 12 lemmas, 3 obligations, 456 queries`.
pub fn progress_text(progress: &Progress) -> String {
    let mut text = format!("{}: depth {}", progress.engine, progress.depth);
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
        // Messages of other crates are of interest to nobody who solves Horn clauses.
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
            self.say(format_args!("; [{seconds:8.3}] {word}{}", record.args()));
        }
    }

    fn flush(&self) {}
}
