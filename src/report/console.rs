//! Output on standard error: messages for `-v`, and a live line with the progress on a terminal.

use crate::portfolio::{THREAD, TurnProgress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use log::{Level, LevelFilter, Log, Metadata, Record};
use std::fmt::{self, Write as _};
use std::io::{IsTerminal, Write as _, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The live line is drawn at most every 100 ms.
const REFRESH: Duration = Duration::from_millis(100);

/// Standard error, shared by all threads of a run.
#[derive(Debug)]
pub struct Console {
    started: Instant,
    level: LevelFilter,
    /// The live line: with `-v`, on a terminal.
    line: Option<ProgressBar>,
    /// The last report of each turn, so that each depth is reported once.
    told: Mutex<Vec<DepthReport>>,
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
    /// A console for `-v` given `verbosity` times.
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
    /// before took; and the live line.
    pub fn progress(&self, progress: &TurnProgress) {
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
            line.set_message(progress_text(progress));
            line.tick();
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
