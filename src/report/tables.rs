//! What the registry says, for people: the tables of the documentation and the lists of `--help`.
//!
//! Invariant: a test compares the tables in the documentation with these.

use crate::engine::{ENGINES, EngineSettings, EngineSpec, Finds, OptionRow, Suits, schools};
use crate::portfolio::Choice;
use crate::transform::PASSES;
use std::fmt::Write;

/// A table of the documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// The engines.
    Engines,
    /// The options of the engines.
    Options,
    /// The passes of preprocessing.
    Passes,
    /// The schools, as configurations of one framework.
    Schools,
}

impl Table {
    /// All tables.
    pub const ALL: [Table; 4] = [
        Table::Engines,
        Table::Options,
        Table::Passes,
        Table::Schools,
    ];

    /// The name of the table, as in `--print-table` and in the markers of the documentation.
    pub fn name(self) -> &'static str {
        match self {
            Table::Engines => "engines",
            Table::Options => "options",
            Table::Passes => "passes",
            Table::Schools => "schools",
        }
    }

    /// The table of that name.
    pub fn from_name(name: &str) -> Option<Table> {
        Table::ALL.into_iter().find(|table| table.name() == name)
    }

    /// The table as Markdown, with a newline at the end.
    pub fn markdown(self) -> String {
        match self {
            Table::Engines => engines(),
            Table::Options => options(),
            Table::Passes => passes(),
            Table::Schools => schools(),
        }
    }
}

fn engines() -> String {
    let header = "| engine | algorithm | for | finds | papers |\n|---|---|---|---|---|\n";
    let mut text = header.to_owned();
    for choice in Choice::all() {
        let (suits, finds, papers) = match choice {
            Choice::Auto => (Suits::ALL.about, Finds::Both, String::new()),
            Choice::One(spec) => {
                let papers = spec.paper.iter().map(|key| format!("[{key}]"));
                let papers: Vec<String> = papers.collect();
                (spec.suits.about, spec.finds, papers.join(" "))
            }
        };
        let about = choice.about();
        let _ = writeln!(
            text,
            "| `{choice}` | {about} | {suits} | {finds} | {papers} |"
        );
    }
    text
}

fn options() -> String {
    let header = "| option | default | takes | meaning |\n|---|---|---|---|\n";
    let mut text = header.to_owned();
    for (spec, row) in all_options() {
        let name = format!("{}.{}", spec.name, row.name());
        let (takes, meaning) = (row.expected(), meaning(row));
        let default = default(spec, row, "`");
        let _ = writeln!(text, "| `{name}` | {default} | {takes} | {meaning} |");
    }
    text
}

fn passes() -> String {
    let mut text = "| pass | default | effect |\n|---|---|---|\n".to_owned();
    for pass in PASSES {
        let papers: String = pass.paper.iter().map(|key| format!(" [{key}]")).collect();
        let default = if pass.default { "on" } else { "off" };
        let (name, about) = (pass.name, pass.about);
        let _ = writeln!(text, "| `{name}` | {default} | {about}{papers} |");
    }
    text
}

/// The help of `--set`: all options of all engines.
pub fn set_help() -> String {
    let options = options_list();
    format!(
        "Set an option of an engine, as in `pdr.guidance=off`; can be given several times. An option holds wherever its engine \
         runs, also inside another one. The options:\n\n{options}"
    )
}

/// The options of all engines as a list for a terminal: name, default, meaning.
fn options_list() -> String {
    let entry = |(spec, row): (&EngineSpec, &OptionRow)| {
        let (default, meaning) = (default(spec, row, ""), meaning(row));
        let (name, takes) = (row.name(), row.expected().replace('`', ""));
        format!("{spec}.{name} (default: {default}; takes {takes})\n    {meaning}")
    };
    let entries: Vec<String> = all_options().map(entry).collect();
    entries.join("\n")
}

fn all_options() -> impl Iterator<Item = (&'static EngineSpec, &'static OptionRow)> {
    let engines = ENGINES.iter();
    engines.flat_map(|spec| spec.options.iter().map(move |row| (spec, row)))
}

/// The default of an option, between quotes, and where it is another inside other engines.
fn default(spec: &EngineSpec, row: &OptionRow, quote: &str) -> String {
    let settings = EngineSettings::default();
    let within = |outer: &str| settings.value_within(outer, spec.name, &row.name());
    let own = within(spec.name).expect("the row is the engine's");
    let mut text = format!("{quote}{own}{quote}");
    let mut others: Vec<(String, Vec<String>)> = Vec::new();
    for outer in ENGINES {
        if let Some(value) = within(outer.name).filter(|value| *value != own) {
            let name = format!("{quote}{outer}{quote}");
            match others.iter_mut().find(|(other, _)| *other == value) {
                Some((_, names)) => names.push(name),
                None => others.push((value, vec![name])),
            }
        }
    }
    for (value, names) in others {
        let _ = write!(text, "; {quote}{value}{quote} in {}", names.join(", "));
    }
    text
}

/// The meaning of an option on one line, with the key of its paper.
fn meaning(row: &OptionRow) -> String {
    let words: Vec<&str> = row.meaning.split_whitespace().collect();
    let source = row.source.map(|key| format!(" [{key}]"));
    words.join(" ") + source.as_deref().unwrap_or("")
}
