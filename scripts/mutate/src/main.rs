//! Rewrites Rust sources so that one build has all mutants, of which `crate::mutant::is` chooses
//! one at run time.
//!
//! ```text
//! mutate FROM TO [--drop NUMBER,NUMBER,...] FILE...
//! ```
//!
//! Reads each `FROM/FILE` and writes `TO/FILE` with its mutants, unless it has them already. Prints
//! one line for each mutant: its number, its place, the function, and what was changed, with
//! tabulators between them. Numbers count from 1 in the order of the files. Dropped mutants keep
//! their number and are not written; the driver drops what the compiler rejects.
//!
//! The text around the mutants is kept as it is: an expression becomes
//!
//! ```text
//! (if crate::mutant::is(7) {/*+7*/ x < y /*-7*/} else { (x <= y) })
//! ```
//!
//! The comments tell the driver which mutant an error of the compiler belongs to. The operands of a
//! mutant have no mutants of their own, since one at a time is chosen.

mod sites;

use sites::{Mutation, Site};
use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(list) => {
            print!("{list}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("mutate: error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let [from, to, files @ ..] = arguments else {
        return Err("usage: mutate FROM TO [--drop NUMBERS] FILE...".into());
    };
    let (dropped, files) = match files {
        [flag, numbers, files @ ..] if flag == "--drop" => (parse_numbers(numbers)?, files),
        files => (HashSet::new(), files),
    };
    let mut list = String::new();
    let mut next = 1;
    for file in files {
        let path = Path::new(from).join(file);
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|e| fail(&e))?;
        let parsed = syn::parse_file(&text).map_err(|e| fail(&e))?;
        let sites = sites::find(&parsed, &text, &mut next);
        for site in &sites {
            for Mutation { number, change, .. } in &site.mutations {
                let place = format!("{file}:{}:{}", site.line, site.column);
                list += &format!("{number}\t{place}\t{}\t{change}\n", site.function);
            }
        }
        let text = render(&text, 0, text.len(), &sites, &dropped);
        let path = Path::new(to).join(file);
        // A file that stays as it is need not be compiled once more.
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    Ok(list)
}

fn parse_numbers(list: &str) -> Result<HashSet<u32>, String> {
    let number = |text: &str| text.parse().map_err(|e| format!("`{text}`: {e}"));
    list.split(',')
        .filter(|n| !n.is_empty())
        .map(number)
        .collect()
}

/// The text from one byte to another with the mutants of these sites, which lie between them. Sites
/// are in the order of their beginning, and those within a site come after it.
fn render(text: &str, from: usize, to: usize, sites: &[Site], dropped: &HashSet<u32>) -> String {
    let mut written = String::new();
    let mut at = from;
    let mut rest = sites;
    while let Some((site, others)) = rest.split_first() {
        let inner = others.iter().take_while(|s| s.start < site.end).count();
        let (inner, others) = others.split_at(inner);
        rest = others;
        written += &text[at..site.start];
        at = site.end;
        let original = render(text, site.start, site.end, inner, dropped);
        let alive = site
            .mutations
            .iter()
            .filter(|m| !dropped.contains(&m.number));
        let mutants: Vec<String> = alive.map(choice).collect();
        written += &match (mutants.is_empty(), site.is_expression) {
            (true, _) => original,
            (false, true) => format!("({} else {{ ({original}) }})", mutants.join(" else ")),
            (false, false) => mutants.join(" "),
        };
    }
    written += &text[at..to];
    written
}

fn choice(Mutation { number, code, .. }: &Mutation) -> String {
    format!("if crate::mutant::is({number}) {{/*+{number}*/ {code} /*-{number}*/}}")
}
