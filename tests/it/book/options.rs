//! The options that pages mention exist, and the chapter on options has all.

use super::page::{Page, pages, root};
use std::collections::BTreeMap;
use std::process::Command;

/// The programs that pages name, with their paths.
const PROGRAMS: [(&str, &str); 3] = [
    ("horn-solve", env!("CARGO_BIN_EXE_horn-solve")),
    ("c2horn", env!("CARGO_BIN_EXE_c2horn")),
    ("horn-smt", env!("CARGO_BIN_EXE_horn-smt")),
];

/// The options that a text has: words that begin with two hyphens, without their values.
fn options_in(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let options = words.filter(|word| word.starts_with("--") && word.len() > 3);
    options.map(str::to_owned).collect()
}

/// The words after a script say what it does, and each word has separate options.
const SUBCOMMANDS: [(&str, &[&str]); 1] = [("scripts/benchmarks", &["run", "render"])];

/// What the help of programs and scripts says, asked once for each.
#[derive(Default)]
struct Helps(BTreeMap<String, Vec<String>>);

impl Helps {
    /// The options of a program, by its name, or of a script, by its path.
    fn options(&mut self, name: &str) -> &[String] {
        self.0.entry(name.to_owned()).or_insert_with(|| {
            let program = PROGRAMS.iter().find(|(known, _)| *known == name);
            let path = program.map_or_else(|| root().join(name), |(_, path)| path.into());
            let parts = SUBCOMMANDS.iter().find(|(known, _)| *known == name);
            let parts = parts.map_or(&[][..], |(_, parts)| parts);
            let ways = parts.iter().map(|&part| vec![part, "--help"]);
            let helps = ways.chain([vec!["--help"]]).map(|words| {
                let output = Command::new(&path).args(words).output();
                let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(output.status.success(), "{name} has no --help");
                String::from_utf8_lossy(&output.stdout).into_owned()
            });
            options_in(&helps.collect::<String>())
        })
    }
}

/// The words of a command, as a shell takes them apart: quotes keep blanks.
fn words(line: &str) -> Vec<String> {
    let (mut found, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => found.push(std::mem::take(&mut word)),
            (_, c) => word.push(c),
        }
    }
    found.push(word);
    found.retain(|word| !word.is_empty());
    found
}

/// What is wrong with a command that is not run: a script, test or option that does not exist.
fn flaws(line: &str, helps: &mut Helps) -> Vec<String> {
    let (mut found, mut program) = (Vec::new(), None);
    let words = words(line);
    for (at, word) in words.iter().enumerate() {
        let last = word.rsplit('/').next().expect("there is one part at least");
        let next = words.get(at + 1).map_or("", String::as_str);
        if word.contains(' ') {
            // A command in quotes, perhaps as the value of an option or a setting.
            let inner = word
                .split_once('=')
                .map_or(word.as_str(), |(_, value)| value);
            found.extend(flaws(inner, helps));
        } else if let Some((name, _)) = PROGRAMS.iter().find(|(name, _)| *name == last) {
            program = Some((*name).to_owned());
        } else if word.starts_with("scripts/") {
            match root().join(word).exists() {
                true => program = Some(word.clone()),
                false => found.push(format!("there is no {word}")),
            }
        } else if word == "cargo" {
            program = None;
        } else if ["--test", "--bench"].contains(&word.as_str()) && program.is_none() {
            let folder = if word == "--test" { "tests" } else { "benches" };
            let places = [
                format!("{folder}/{next}.rs"),
                format!("{folder}/{next}/main.rs"),
            ];
            if !places.iter().any(|place| root().join(place).exists()) {
                found.push(format!("there is no {}", places[0]));
            }
        } else if let (Some(program), [option, ..]) = (&program, &options_in(word)[..])
            && word.starts_with("--")
            && !helps.options(program).contains(option)
        {
            found.push(format!("{program} has no {option}"));
        }
    }
    found
}

/// The lines of code that are indented by four blanks, those joined that end with a backslash.
fn indented(page: &Page) -> Vec<String> {
    let text = page.prose().replace("\\\n", " ");
    let mut after_blank = true;
    let mut found = Vec::new();
    for line in text.lines() {
        let code = line.strip_prefix("    ").filter(|_| after_blank);
        found.extend(code.map(str::to_owned));
        after_blank = line.is_empty() || code.is_some();
    }
    found
}

#[test]
fn commands_that_are_not_run_exist() {
    let (mut count, mut found, mut helps) = (0, Vec::new(), Helps::default());
    for page in pages() {
        for line in indented(&page) {
            count += 1;
            let flaws = flaws(&line, &mut helps).into_iter();
            found.extend(flaws.map(|flaw| format!("{}: `{line}`: {flaw}", page.path)));
        }
    }
    assert!(count > 10, "{count} lines");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_chapter_on_options_is_complete() {
    let chapter = Page::read("docs/src/options.md").text;
    let mut helps = Helps::default();
    for (name, _) in PROGRAMS {
        let start = chapter.find(&format!("\n## {name}\n"));
        let section = &chapter[start.unwrap_or_else(|| panic!("no section on {name}")) + 1..];
        let next = PROGRAMS
            .iter()
            .filter_map(|(other, _)| section.find(&format!("\n## {other}\n")));
        let section = &section[..next.min().unwrap_or(section.len())];
        let told = options_in(section);
        let real = helps.options(name);
        let missing: Vec<_> = real
            .iter()
            .filter(|option| !told.contains(option))
            .collect();
        assert!(
            missing.is_empty(),
            "options of {name} that are not in the chapter: {missing:?}"
        );
    }
}

#[test]
fn the_chapter_on_options_has_all_figures() {
    let chapter = Page::read("docs/src/options.md").text;
    let output = Command::new(env!("CARGO_BIN_EXE_horn-solve"))
        .arg("--stats=json")
        .arg(root().join("docs/examples/counters.smt2"))
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stderr);
    let object = text.lines().find(|line| line.starts_with('{'));
    let figures: serde_json::Value =
        serde_json::from_str(object.expect("there are statistics")).expect("they are JSON");
    let figures = figures.as_object().expect("they are an object");
    assert!(figures.len() > 10, "{figures:?}");
    for name in figures.keys() {
        assert!(
            chapter.contains(&format!("`{name}`")),
            "{name} is not in the chapter"
        );
    }
}

#[test]
fn options_in_the_text_exist() {
    let mut helps = Helps::default();
    let programs = PROGRAMS.map(|(name, _)| name);
    let scripts = [
        "scripts/benchmarks",
        "scripts/chc-bench",
        "scripts/compare-benches",
        "scripts/corpus",
        "scripts/horn_benchexec/prepare",
        "scripts/mutants",
        "scripts/replay",
        "scripts/setup",
        "scripts/test",
    ];
    // Options of other programs that the pages mention.
    let others = [
        "--test",
        "--bench",
        "--open",
        "--release",
        "--nocapture",
        "--root",
        "--locked",
        "--print-witness",
        "--enum-inst-interleave",
        "--force-logic",
        "--bitblast",
    ];
    let real: Vec<String> = (programs.iter().chain(&scripts))
        .flat_map(|name| helps.options(name).to_vec())
        .chain(others.map(str::to_owned))
        .collect();
    for page in pages()
        .into_iter()
        .filter(|page| page.path != "CHANGELOG.md")
    {
        // Every second part between backticks is code.
        let prose = page.prose();
        for code in prose.split('`').skip(1).step_by(2) {
            for option in options_in(code) {
                assert!(
                    real.contains(&option),
                    "{}: there is no {option}",
                    page.path
                );
            }
        }
    }
}

#[test]
fn what_does_not_exist_is_found() {
    let table = [
        ("horn-solve --model x.smt2", 0),
        ("horn-solve --mode x.smt2", 1),
        ("target/release/c2horn --verify --nothing x.c", 1),
        ("scripts/no-such-script", 1),
        ("cargo test --test it book::", 0),
        ("cargo test --test no_such_test", 1),
        (
            "scripts/chc-bench --out r --solver horn='target/release/horn-solve --nothing {file}'",
            1,
        ),
        ("ls --nothing", 0),
    ];
    let mut helps = Helps::default();
    for (line, expected) in table {
        let found = flaws(line, &mut helps);
        assert_eq!(found.len(), expected, "{line}: {found:?}");
    }
}
