//! The prose of the project: comments fit into 100 columns, doc comments are whole sentences, and
//! phrases that say less than they seem to are not used. The Markdown that people write has short
//! sentences and no such phrases, too.
//!
//! `scripts/wrap-comments` mends the first; the others need thought.

use std::fs;
use std::path::{Path, PathBuf};

/// The width of a comment, with its indentation.
const COLUMNS: usize = 100;

/// The width of a line of prose in Markdown. Paragraphs are wrapped at 100 columns; the rest is for
/// a word that is put in later.
const MARKDOWN_COLUMNS: usize = 105;

/// The number of words of a sentence in Markdown.
const WORDS: usize = 35;

/// Phrases that were found to puzzle readers. A number with its unit, the noun that is meant, or
/// the term of the field takes their place.
const PHRASES: [&str; 25] = [
    "so many",
    "so much",
    "so deep",
    "as many as are",
    "of its own",
    "of their own",
    "those that",
    "such a",
    "hand on",
    "hands on",
    "handed on",
    "is told",
    "are told",
    "told of",
    "be told",
    "done without",
    "is had",
    "are had",
    "be had",
    "nobody",
    "is asked for",
    "are asked for",
    "is looked at",
    "are looked at",
    "is no more",
];

/// One comment: its lines without their markers, and the number of the first.
struct Comment<'a> {
    first: usize,
    is_doc: bool,
    lines: Vec<&'a str>,
}

/// The comments of a source. Lines with code before the comment are left out.
fn comments(text: &str) -> Vec<Comment<'_>> {
    let mut found: Vec<(&str, Comment<'_>)> = Vec::new();
    let mut follows = false;
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        let marker = ["///", "//!", "//"]
            .into_iter()
            .find(|m| trimmed.starts_with(m));
        let Some(marker) = marker.filter(|_| !trimmed.starts_with("////")) else {
            follows = false;
            continue;
        };
        let body = &trimmed[marker.len()..];
        match found.last_mut() {
            Some((last, comment)) if follows && *last == marker => comment.lines.push(body),
            _ => found.push((
                marker,
                Comment {
                    first: number,
                    is_doc: marker != "//",
                    lines: vec![body],
                },
            )),
        }
        follows = true;
    }
    found.into_iter().map(|(_, comment)| comment).collect()
}

/// The lines of a comment that are prose: no fences of code, tables, headings or indented code.
fn prose<'a>(comment: &Comment<'a>) -> Vec<(usize, &'a str)> {
    let mut fenced = false;
    let mut found = Vec::new();
    for (number, line) in (comment.first..).zip(&comment.lines) {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !trimmed.starts_with(['|', '#']) && !line.starts_with("     ") {
            found.push((number, trimmed));
        }
    }
    found
}

/// Is the line a comment, and no row of a table, which cannot be wrapped?
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") && !line.trim_start_matches(['/', '!']).starts_with(" |")
}

/// What is wrong with the comments of a source, with the line.
fn faults(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let width = line.chars().count();
        if is_comment(line) && width > COLUMNS {
            found.push((number, format!("{width} columns")));
        }
    }
    for comment in comments(text) {
        let lines = prose(&comment);
        // Phrases may run over the end of a line.
        let whole: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        let used = phrases(&whole.join(" ")).into_iter();
        found.extend(used.map(|phrase| (comment.first, phrase)));
        if comment.is_doc {
            found.extend(sentence_faults(&comment, &lines));
        }
    }
    found
}

/// The phrases of the table above that a text uses, in quotes.
fn phrases(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let is_word = |c: char| c.is_alphanumeric();
    let mut found = Vec::new();
    for phrase in PHRASES {
        let used = text.match_indices(phrase).any(|(at, _)| {
            !text[..at].ends_with(is_word) && !text[at + phrase.len()..].starts_with(is_word)
        });
        if used {
            found.push(format!("“{phrase}”"));
        }
    }
    found
}

/// A doc comment begins with a capital letter, or with code or a sign, and ends with a full stop,
/// or with what stands for one.
fn sentence_faults(comment: &Comment<'_>, lines: &[(usize, &str)]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let texts: Vec<_> = lines.iter().filter(|(_, line)| !line.is_empty()).collect();
    if let Some((number, first)) = texts.first()
        && first.starts_with(|c: char| c.is_ascii_lowercase())
    {
        found.push((*number, "begins in the middle of a sentence".to_owned()));
    }
    let ends_in_prose = (comment.lines.last())
        .is_some_and(|last| texts.last().is_some_and(|(_, text)| *text == last.trim()));
    if let Some((number, last)) = texts.last()
        && ends_in_prose
        && !last.ends_with(['.', '?', '!', ':', '…', ')', '`'])
    {
        found.push((*number, "ends in the middle of a sentence".to_owned()));
    }
    found
}

/// The lines of Markdown with their numbers. What is no prose is an empty line: code between fences
/// or with an indentation, tables, headings and comments.
fn markdown_prose(text: &str) -> Vec<(usize, &str)> {
    let (mut fenced, mut indented, mut after_blank) = (false, false, true);
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```");
        fenced ^= is_fence;
        indented = line.starts_with("    ") && (indented || after_blank);
        after_blank = trimmed.is_empty();
        let is_code = fenced || is_fence || indented;
        let is_prose = !is_code && !trimmed.starts_with(['|', '#', '<']);
        found.push((number, if is_prose { line } else { "" }));
    }
    found
}

/// The paragraphs and the items of lists of such lines, each with the number of its first line.
fn paragraphs(lines: &[(usize, &str)]) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut goes_on = false;
    for (number, line) in lines {
        let line = line.trim();
        let number_length = line.chars().take_while(char::is_ascii_digit).count();
        let is_numbered = number_length > 0 && line[number_length..].starts_with(". ");
        let is_item = is_numbered || line.starts_with("- ");
        match found.last_mut() {
            Some((_, text)) if goes_on && !is_item => *text += &format!(" {line}"),
            _ if line.is_empty() => {}
            _ => found.push((*number, line.to_owned())),
        }
        goes_on = !line.is_empty();
    }
    found
}

/// The text of a paragraph with one word for each span of code, and links without their targets.
fn without_code(paragraph: &str) -> String {
    let parts = (0..).zip(paragraph.split('`'));
    let text: String = parts
        .map(|(at, part)| if at % 2 == 0 { part } else { "code" })
        .collect();
    let mut parts = text.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, after) = part.split_once(')').unwrap_or(("", part));
        out += "]";
        out += after;
    }
    out
}

/// The number of words of the longest sentence of a text.
fn longest_sentence(text: &str) -> usize {
    let words: Vec<&str> = text.split_whitespace().collect();
    let sentences = words.split_inclusive(|word| {
        let word = word.trim_end_matches(['"', '”', ')', ']', '*']);
        word.ends_with(['.', '?', '!'])
    });
    let is_word = |word: &&&str| word.contains(char::is_alphanumeric);
    let lengths = sentences.map(|sentence| sentence.iter().filter(is_word).count());
    lengths.max().unwrap_or(0)
}

/// Is there a link in the line that leaves no place for other words?
fn has_long_link(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.any(|word| word.contains("](") && word.chars().count() > COLUMNS / 2)
}

/// What is wrong with the prose of a Markdown file, with the line.
fn markdown_faults(text: &str) -> Vec<(usize, String)> {
    let lines = markdown_prose(text);
    let mut found = Vec::new();
    for (number, line) in &lines {
        let width = line.chars().count();
        if width > MARKDOWN_COLUMNS && !has_long_link(line) {
            found.push((*number, format!("{width} columns")));
        }
    }
    for (first, paragraph) in paragraphs(&lines) {
        let text = without_code(&paragraph);
        found.extend(phrases(&text).into_iter().map(|phrase| (first, phrase)));
        let words = longest_sentence(&text);
        if words > WORDS {
            found.push((first, format!("a sentence of {words} words")));
        }
    }
    found
}

/// The Markdown files that people write: three at the root, and the manual without the page that
/// `scripts/campaign` writes.
fn markdown_files(root: &Path) -> Vec<PathBuf> {
    let names = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];
    let mut found: Vec<PathBuf> = names.iter().map(|name| root.join(name)).collect();
    let manual = fs::read_dir(root.join("docs/src")).expect("the manual");
    found.extend(manual.map(|entry| entry.expect("an entry").path()));
    found.retain(|path| {
        path.extension().is_some_and(|e| e == "md") && !path.ends_with("reliability.md")
    });
    found
}

/// Fails with what is wrong with the files.
fn demand_no_faults(mut files: Vec<PathBuf>, faults: impl Fn(&str) -> Vec<(usize, String)>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    files.sort();
    let mut report = Vec::new();
    for path in &files {
        let name = path.strip_prefix(root).expect("below the root");
        let text = fs::read_to_string(path).expect("text");
        report.extend(
            (faults(&text).into_iter())
                .map(|(line, what)| format!("{}:{line}: {what}", name.display())),
        );
    }
    assert!(report.is_empty(), "\n{}", report.join("\n"));
}

/// The Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn faults_are_found() {
    let check = |text: &str, expected: &[&str]| {
        let found: Vec<String> = faults(text).into_iter().map(|(_, what)| what).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("/// A whole sentence.\nfn f() {} // told of its own", &[]);
    check("/// `f` is one, too.", &[]);
    check("//! ```text\n//! so many\n//! ```", &[]);
    check("/// At most so\n/// many steps.", &["“so many”"]);
    check("// those that stay", &["“those that”"]);
    check("/// Sucha thing.", &[]);
    check(
        "/// from states of these",
        &[
            "begins in the middle of a sentence",
            "ends in the middle of a sentence",
        ],
    );
    check(
        "/// The rule that derives it,",
        &["ends in the middle of a sentence"],
    );
    let long = format!("    // {}", "x".repeat(94));
    check(&long, &["101 columns"]);
    check(&long[..100], &[]);
    let row = format!("//! | a | {} |", "x".repeat(100));
    check(&row, &[]);
}

#[test]
fn comments_are_prose() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches", "examples", "bindings"] {
        sources(&root.join(folder), &mut files);
    }
    demand_no_faults(files, faults);
}

#[test]
fn faults_of_markdown_are_found() {
    let check = |text: &str, expected: &[(usize, &str)]| {
        let found = markdown_faults(text);
        let found: Vec<_> = found.iter().map(|(at, what)| (*at, &**what)).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("A run is told.", &[(1, "“is told”")]);
    check("\nA run\nis told.", &[(2, "“is told”")]);
    check("A sentence.\n\n- An item\n  is told.", &[(3, "“is told”")]);
    for code in [
        "```\nis told\n```",
        "    is told",
        "`is told`",
        "| is told |",
    ] {
        check(code, &[]);
    }
    check("    code\n\nIt is told.", &[(3, "“is told”")]);
    check("```\ncode\n```\nIt is told.", &[(4, "“is told”")]);

    let words = |count: usize| vec!["word"; count].join(" ");
    let of_lines = |text: String| text.replace("word word word ", "word word\nword ");
    check(&of_lines(format!("{}.", words(35))), &[]);
    let long = [(1, "a sentence of 36 words")];
    check(&of_lines(format!("{}.", words(36))), &long);
    check(&of_lines(format!("{} `a b`.", words(35))), &long);
    check(&of_lines(format!("{} `a b`.", words(34))), &[]);
    check(&of_lines(format!("{}.) {}.", words(35), words(35))), &[]);
    let link = format!("{}\n[word](a b c).", of_lines(words(34)));
    check(&link, &[]);
    let items = format!("{}:\n1. {}\n2. Two.", words(18), words(18));
    check(&items, &[]);

    check(&"x".repeat(105), &[]);
    check(&"x".repeat(106), &[(1, "106 columns")]);
    check(&format!("| {} |", "x".repeat(106)), &[]);
    check(&format!("See [it]({}).", "x".repeat(106)), &[]);
}

#[test]
fn markdown_is_prose() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    demand_no_faults(markdown_files(root), markdown_faults);
}
