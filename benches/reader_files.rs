//! How fast each file becomes clauses, and in how much memory: `cargo bench --bench reader_files
//! [-- DIRECTORY]`.
//!
//! A separate process reads each SMT-LIB file below the directory, which by default is the
//! selection of CHC-COMP files beside the project. The time is from opening the file to having the
//! clauses, in processor time, the mean of several readings. The memory is what the peak of
//! resident memory, the program itself apart, grew by in the first reading, the text included.
//! Printed are the largest files one by one, and the medians of all.

use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The number of files that are shown one by one.
const SHOWN: usize = 10;
/// The time for which readings of a file go on, and the least number of readings.
const TIME: Duration = Duration::from_millis(60);
const READINGS: u128 = 3;

/// The goals, in megabytes a second and as a multiple of the text.
const LEAST_SPEED: f64 = 20.0;
const MOST_MEMORY: f64 = 15.0;

/// What was measured of a file.
struct Figures {
    path: PathBuf,
    bytes: f64,
    seconds: f64,
    memory: f64,
}

impl Figures {
    /// Megabytes of text a second.
    fn speed(&self) -> f64 {
        self.bytes / self.seconds / 1e6
    }

    /// Memory as a multiple of the text.
    fn ratio(&self) -> f64 {
        self.memory / self.bytes
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("--one"), Some(path)) => measure(&path),
        (directory, _) => table(directory.unwrap_or("../shared/benchmarks/chc-comp25")),
    }
}

/// In a separate process: reads one file and prints bytes, nanoseconds and bytes of memory.
fn measure(path: &str) {
    let open = || Source::open(path).expect("the file can be read");
    // What every reading needs is in memory before.
    let small = "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and (p x) (> x 0)) (p (+ x 1)))))";
    let read = |source: &Source| {
        let t = Terms::new();
        read_system(&t, source)
            .map(|system| system.clauses.len())
            .ok()
    };
    read(&Source::from_text("small", small));
    let before = status("RssAnon:");
    if read(&open()).is_none() {
        return;
    }
    // Pages of the program itself, which come into memory as they are used, are not meant.
    let memory = status("VmHWM:").saturating_sub(status("RssFile:") + before);
    let (mut spent, mut readings) = (Duration::ZERO, 0);
    while readings < READINGS || spent < TIME {
        let started = processor_time();
        let source = open();
        let t = Terms::new();
        let system = read_system(&t, &source);
        // What is made is not given back in that time.
        spent += processor_time() - started;
        std::hint::black_box(&system);
        readings += 1;
    }
    let nanoseconds = spent.as_nanos() / readings;
    println!("{} {nanoseconds} {memory}", open().text().len());
}

/// A size in bytes that the kernel tells of this process.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("a Linux kernel");
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let mut words = line.expect("a known key").split_whitespace();
    let kilobytes = words.next().and_then(|n| n.parse::<u64>().ok());
    kilobytes.expect("a number") * 1024
}

/// The time that this thread has spent on a processor.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().map(str::parse);
    Duration::from_nanos(nanoseconds.and_then(Result::ok).expect("a Linux kernel"))
}

fn table(directory: &str) {
    let us = std::env::current_exe().expect("this program");
    let mut all: Vec<Figures> = files(Path::new(directory))
        .into_iter()
        .filter_map(|path| {
            let output = Command::new(&us).arg("--one").arg(&path).output().ok()?;
            let text = String::from_utf8(output.stdout).ok()?;
            let mut numbers = text.split_whitespace().map(|n| n.parse::<f64>());
            let mut next = || numbers.next()?.ok();
            let (bytes, nanoseconds, memory) = (next()?, next()?, next()?);
            Some(Figures {
                path,
                bytes,
                seconds: nanoseconds / 1e9,
                memory,
            })
        })
        .collect();
    all.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
    println!("   bytes   MB/s  memory/text  file");
    for f in all.iter().take(SHOWN) {
        let name = f.path.file_name().unwrap_or_default().to_string_lossy();
        println!("{:8} {:6.1} {:12.1}  {name}", f.bytes, f.speed(), f.ratio());
    }
    let sum = |of: fn(&Figures) -> f64| all.iter().map(of).sum::<f64>();
    println!(
        "{} files: {:.1} MB/s in all; medians: {:.1} MB/s, memory/text {:.1}",
        all.len(),
        sum(|f| f.bytes) / sum(|f| f.seconds) / 1e6,
        median(all.iter().map(Figures::speed)),
        median(all.iter().map(Figures::ratio)),
    );
    short_of("below 20 MB/s", &all, |f| f.speed() < LEAST_SPEED);
    short_of("above 15 times", &all, |f| f.ratio() > MOST_MEMORY);
}

/// Says how many files miss a goal, and which the largest of them is: small ones are mostly what
/// every reading costs.
fn short_of(what: &str, all: &[Figures], misses: fn(&Figures) -> bool) {
    let short: Vec<&Figures> = all.iter().filter(|f| misses(f)).collect();
    print!("{what}: {} files", short.len());
    match short.first() {
        Some(f) => println!(", the largest of {} bytes: {}", f.bytes, f.path.display()),
        None => println!(),
    }
}

/// The middle one; 0 of none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// The SMT-LIB files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut open = vec![directory.to_owned()];
    let mut found = Vec::new();
    while let Some(directory) = open.pop() {
        let entries = std::fs::read_dir(&directory).into_iter().flatten();
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") {
                found.push(path);
            }
        }
    }
    found
}
