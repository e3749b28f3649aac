//! The order of the modules, enforced: reads the sources and compares every path through the
//! crate's root with the table of who may use whom (ARCHITECTURE.md has it in words).
//!
//! Comments and string literals do not count: documentation may link anywhere.

use super::sources::{Module, code_only, is_word, source_files, uses};
use horn::engine::{ENGINES, EngineSpec};
use std::collections::BTreeSet;
use std::path::Path;

/// The modules from the bottom to the top: by default each may use those before it.
const ORDER: [&str; 20] = [
    "work",
    "number",
    "term",
    "chc",
    "smtlib",
    "smt",
    "os",
    "certify",
    "logic",
    "absint",
    "transform",
    "refinement",
    "engine",
    "gate",
    "portfolio",
    "interpreter",
    "report",
    "problem",
    "cfront",
    "cverify",
];

/// What a module may not use although it stands below it, and why.
const FORBIDDEN: [(&str, &[&str]); 12] = [
    // An SMT solver knows nothing of Horn clauses, nor of files.
    ("smt", &["chc", "smtlib"]),
    // The checker of certificates knows terms, clauses and the contract of solvers: no engine and
    // no pass, so that no fault there can be repeated here.
    ("certify", &["smtlib"]),
    // What works on systems takes them from wherever, and does not judge its own results.
    ("logic", &["smtlib", "certify"]),
    ("absint", &["smtlib", "certify"]),
    ("transform", &["smtlib", "certify"]),
    ("refinement", &["smtlib", "certify", "os", "absint"]),
    // An engine decides by its own units of work; the machine that it runs on is the portfolio's
    // business.
    ("engine", &["smtlib", "certify", "os"]),
    // The operating system knows why a run ends, and nothing of how answers are found.
    ("os", &["smtlib", "term"]),
    // The gate judges answers, whoever found them.
    ("gate", &["engine", "smtlib", "os"]),
    // The interpreter of SMT-LIB scripts asks solvers, and knows nothing of Horn systems.
    (
        "interpreter",
        &[
            "os",
            "certify",
            "absint",
            "transform",
            "refinement",
            "engine",
            "gate",
            "portfolio",
        ],
    ),
    // The C front end makes systems and reads answers; how they are found is not its business.
    (
        "cfront",
        &["engine", "refinement", "logic", "transform", "absint"],
    ),
    // The verifier of C programs asks the portfolio, or an analysis without an engine, and speaks
    // of C alone.
    (
        "cverify",
        &[
            "engine",
            "gate",
            "refinement",
            "logic",
            "transform",
            "smtlib",
            "report",
            "os",
        ],
    ),
];

/// What a part of a module may use of the parts beside it.
enum May {
    /// These alone.
    Only(&'static [&'static str]),
    /// All but these.
    Not(&'static [&'static str]),
}

/// The parts of `transform` that passes share.
const PASS_KIT: &[&str] = &["context", "error", "ground", "lift", "signature", "tools"];

/// The walls inside of modules: the module, its parts that a row is about, and what each of them
/// may use.
const INNER: [(&str, &[&str], May); 36] = [
    // The checker of proofs knows their form, and nothing of the search that finds them.
    ("smt::native", &["proof", "literal"], May::Only(&[])),
    ("smt::native", &["check"], May::Only(&["proof"])),
    ("smt::native", &["alethe"], May::Only(&["check", "proof"])),
    // Circuits are made of literals alone, whatever their gates become.
    (
        "smt::native",
        &["bitvector"],
        May::Only(&["literal", "proof"]),
    ),
    // The SAT solver knows no theory, and the simplex no clauses.
    ("smt::native", &["log"], May::Only(&["literal", "proof"])),
    (
        "smt::native",
        &["sat"],
        May::Only(&["literal", "log", "proof"]),
    ),
    ("smt::native", &["simplex"], May::Only(&["literal"])),
    ("smt::native", &["integers"], May::Only(&["simplex"])),
    // Theories know the trail and what literals say, and nothing of the loop that asks them.
    ("smt::native", &["egraph"], May::Only(&["literal"])),
    ("smt::native", &["theory"], May::Only(&["sat"])),
    (
        "smt::native",
        &["demand", "interpretation"],
        May::Only(&["egraph", "proof"]),
    ),
    // Schedules are known to what runs them, and outcomes know neither.
    (
        "portfolio",
        &["turns", "outcome", "findings"],
        May::Not(&["pipeline", "race", "relay", "run"]),
    ),
    // The gate's checks know nothing of how preprocessing takes certificates back.
    (
        "gate",
        &["admission", "panic", "repetitions"],
        May::Only(&[]),
    ),
    (
        "gate",
        &["certificate"],
        May::Only(&["panic", "repetitions"]),
    ),
    // The tool kit of passes knows no pass, nor the order in which they are applied.
    ("transform", PASS_KIT, May::Only(PASS_KIT)),
    // The operating system: what is watched knows nothing of who watches.
    ("os", &["stop", "jobs", "status", "limits"], May::Only(&[])),
    ("os", &["memory"], May::Only(&["limits", "stop"])),
    ("os", &["process"], May::Only(&["memory"])),
    (
        "os",
        &["supervise"],
        May::Only(&["limits", "memory", "process", "status", "stop"]),
    ),
    // Schedules know nothing of the way of a system through the passes.
    ("portfolio", &["outcome", "choice", "stats"], May::Only(&[])),
    ("portfolio", &["findings"], May::Only(&["outcome"])),
    ("portfolio", &["relay"], May::Not(&["pipeline", "race"])),
    ("portfolio", &["race"], May::Not(&["pipeline", "relay"])),
    // What engines share knows none of them. `engine_violations` has the wall between engines.
    ("engine", &["rules", "blackboard"], May::Only(&[])),
    ("engine", &["unroll"], May::Only(&["rules"])),
    ("engine", &["transition"], May::Only(&["rules", "unroll"])),
    // Checks are put into programs before these are encoded.
    (
        "cfront",
        &["property"],
        May::Not(&[
            "encode",
            "lower",
            "parse",
            "invariant",
            "witness",
            "harness",
        ]),
    ),
    // From text to clauses in one direction; what explains answers comes after it.
    ("cfront", &["parse"], May::Only(&["source"])),
    (
        "cfront",
        &["ir", "lower", "flow", "memory"],
        May::Not(&["encode", "run", "invariant", "witness", "harness"]),
    ),
    (
        "cfront",
        &["encode"],
        May::Not(&["parse", "lower", "run", "invariant", "witness", "harness"]),
    ),
    // The text of answers knows nothing of who gives them, and a script's state nothing of
    // commands.
    ("interpreter", &["model", "refusal"], May::Only(&[])),
    (
        "interpreter",
        &["session"],
        May::Only(&["settings", "tally"]),
    ),
    // Plans of a verification know nothing of how they are carried out, and the execution of a run
    // nothing of how it was found.
    ("cverify", &["verifier"], May::Only(&[])),
    ("cverify", &["confirm"], May::Only(&["verifier"])),
    ("cverify", &["overflow"], May::Only(&["verifier"])),
    ("cverify", &["plan"], May::Only(&["verdict"])),
];

/// What these modules must not use, although they may use what holds it: engines, passes and the
/// analysis take solvers and interpolants from back ends, so that the caller chooses who answers,
/// and limits, dumps and counts hold for every question.
const HIDDEN: ([&str; 3], &str) = (["engine", "transform", "absint"], "smt::native");

/// Which theories the core decides is part of the contract, as `smt::Support`.
const NOT_HIDDEN: &str = "smt::native::support";

/// The files that read a clock: for the user's limits, for reports of the time that was spent, and
/// for processes. No other file may.
const CLOCKS: &[&str] = &[
    "bin/c2horn/run.rs",
    "bin/horn_solve/run.rs",
    "bin/horn_solve/script.rs",
    "cfront/witness.rs",
    "interpreter/tally.rs",
    "os/input.rs",
    "os/supervise.rs",
    "portfolio/options.rs",
    "portfolio/pipeline.rs",
    "portfolio/race.rs",
    "portfolio/run.rs",
    "problem/mod.rs",
    "report/console.rs",
    "smt/find.rs",
    "smt/ledger.rs",
    "smt/limit.rs",
    "smt/process/process_id.rs",
    "smt/process/session.rs",
    "smt/record.rs",
    "transform/pipeline.rs",
];

fn may_use(user: &str, used: &str) -> bool {
    let place = |name: &str| ORDER.iter().position(|&m| m == name);
    let forbidden = FORBIDDEN
        .iter()
        .any(|(m, list)| *m == user && list.contains(&used));
    // What stands in no order (the binaries, the crate's root) may use everything.
    user == used || (!forbidden && place(user).is_none_or(|user| Some(user) > place(used)))
}

/// The first identifiers of what follows a path's `::`: one, or those of a group in braces.
fn heads(text: &str) -> Vec<&str> {
    let text = text.trim_start();
    let word = |s: &'_ str| s.find(|c: char| !is_word(c)).unwrap_or(s.len());
    let Some(group) = text.strip_prefix('{') else {
        return vec![&text[..word(text)]];
    };
    let (mut found, mut depth, mut start) = (Vec::new(), 0, true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => start = true,
            c if start && is_word(c) => {
                found.push(&group[at..at + word(&group[at..])]);
                start = false;
            }
            _ => {}
        }
    }
    found
}

/// The top-level modules that a source file uses through the library's `root`: `crate`, or `horn`
/// in a binary. `depth` is the nesting of its module: 1 for `src/chc/mod.rs`.
fn used_modules(code: &str, root: &str, depth: usize) -> Result<Vec<String>, String> {
    let mut used = Vec::new();
    for (at, _) in code.match_indices(root) {
        let (before, after) = (&code[..at], &code[at + root.len()..]);
        let whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        // `pub(crate)` has no path, and a path may go through an inner module of that name.
        if let Some(path) = after.trim_start().strip_prefix("::")
            && whole
            && !before.trim_end().ends_with("::")
        {
            for head in heads(path) {
                if !ORDER.contains(&head) {
                    return Err(format!("`{root}::{head}` is not a path to a known module"));
                }
                used.push(head.to_owned());
            }
        }
    }
    // `super::super::…` reaches the root where it is long enough; inner modules only make a chain
    // reach less far.
    for (at, _) in code.match_indices("super") {
        let (mut rest, mut levels) = (&code[at..], 0);
        if code[..at].trim_end().ends_with("::") || code[..at].ends_with(is_word) {
            continue;
        }
        while let Some(next) = rest.trim_start().strip_prefix("super") {
            let Some(next) = next.trim_start().strip_prefix("::") else {
                break;
            };
            (rest, levels) = (next, levels + 1);
        }
        if levels >= depth {
            used.extend(
                heads(rest)
                    .iter()
                    .filter(|h| ORDER.contains(h))
                    .map(|&h| h.to_owned()),
            );
        }
    }
    if code.contains("crate as ") || code.contains("extern crate") {
        return Err("another name for the crate hides what is used".to_owned());
    }
    Ok(used)
}

/// The violations in a file of `src/`, whose path is given relative to it.
fn violations(path: &Path, text: &str) -> Vec<String> {
    let parts: Vec<&str> = path
        .iter()
        .map(|part| part.to_str().expect("sources have plain names"))
        .collect();
    let user = parts[0].trim_end_matches(".rs");
    if !ORDER.contains(&user) && !["bin", "lib"].contains(&user) {
        return vec![format!(
            "{}: module `{user}` stands in no order",
            path.display()
        )];
    }
    let depth = parts.len() - usize::from(parts.ends_with(&["mod.rs"]));
    let root = if user == "bin" { "horn" } else { "crate" };
    match used_modules(&code_only(text), root, depth) {
        Err(why) => vec![format!("{}: {why}", path.display())],
        Ok(used) => used
            .iter()
            .filter(|used| !may_use(user, used))
            .map(|used| format!("{}: `{user}` must not use `{used}`", path.display()))
            .collect(),
    }
}

#[test]
fn modules_use_only_what_they_may() {
    let files = source_files();
    let wrong: Vec<String> = (files.iter())
        .flat_map(|file| violations(&file.path, &file.code))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    assert_eq!(violations(Path::new(path), text), expected);
}

#[test]
fn the_test_sees_what_is_forbidden() {
    let no_engine = "certify/model.rs: `certify` must not use `engine`";
    check("certify/model.rs", "use crate::chc::System;", &[]);
    check("certify/model.rs", "use crate::smt::Solver;", &[]);
    check("certify/model.rs", "use crate::engine::pdr;", &[no_engine]);
    check(
        "certify/model.rs",
        "use crate::{chc::System, engine};",
        &[no_engine],
    );
    check(
        "certify/model.rs",
        "use crate::{chc::{A, B}, engine::{C}};",
        &[no_engine],
    );
    check(
        "certify/model.rs",
        "let x = crate :: engine::go();",
        &[no_engine],
    );
    check(
        "certify/model.rs",
        "use super::super::engine::go;",
        &[no_engine],
    );
    check(
        "certify/mod.rs",
        "use super::engine::go;",
        &["certify/mod.rs: `certify` must not use `engine`"],
    );
    check("certify/model.rs", "use super::engine;", &[]);
    check(
        "certify/model.rs",
        "// see crate::engine\nlet s = \"crate::engine\";",
        &[],
    );
    check(
        "certify/model.rs",
        "let (q, s) = ('\"', r#\"\"crate::engine\"#); /* crate::engine */",
        &[],
    );
    check(
        "certify/model.rs",
        "fn f<'a>(x: &'a str) { crate::engine::go(x) }",
        &[no_engine],
    );
    check(
        "smt/mod.rs",
        "use crate::chc::System;",
        &["smt/mod.rs: `smt` must not use `chc`"],
    );
    check(
        "term/mod.rs",
        "use crate::smtlib;",
        &["term/mod.rs: `term` must not use `smtlib`"],
    );
    check("smtlib/mod.rs", "use crate::chc::System;", &[]);
    check(
        "bin/horn_solve.rs",
        "use horn::engine; use crate::args;",
        &[],
    );
    check("smtlib/script.rs", "use crate::chc::horn::HornError;", &[]);
    check(
        "new/mod.rs",
        "",
        &["new/mod.rs: module `new` stands in no order"],
    );
    check(
        "smt/mod.rs",
        "use crate::Thing;",
        &["smt/mod.rs: `crate::Thing` is not a path to a known module"],
    );
}

/// The violations of [`INNER`]; names of parts that there are not are violations, too.
fn inner_violations(uses: &[(Module, Module)], modules: &[Module]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (module, users, may) in &INNER {
        let module: Module = module.split("::").map(str::to_owned).collect();
        let (May::Only(listed) | May::Not(listed)) = may;
        for part in users.iter().chain(*listed) {
            let inner = [&module[..], &[(*part).to_owned()]].concat();
            if !modules.contains(&inner) {
                wrong.push(format!("`{}` is no module", inner.join("::")));
            }
        }
        for (user, used) in uses {
            let part_of = |path: &Module| {
                let inside = path.strip_prefix(&module[..])?;
                inside.first().cloned()
            };
            let (Some(from), Some(to)) = (part_of(user), part_of(used)) else {
                continue;
            };
            let is_listed = listed.contains(&to.as_str());
            let fine = match may {
                May::Only(_) => is_listed,
                May::Not(_) => !is_listed,
            };
            if from != to && users.contains(&from.as_str()) && !fine {
                let (user, used) = (user.join("::"), used.join("::"));
                wrong.push(format!("`{user}` must not use `{used}`"));
            }
        }
    }
    wrong
}

/// The module of an engine: its name, with `_` for `-`.
fn module_of(spec: &EngineSpec) -> String {
    spec.name.replace('-', "_")
}

/// The violations of the wall between engines: a search is no reduction to another engine,
/// reductions do not use each other, and no engine uses the registry.
///
/// The engines are the rows of the registry, and each is the module of its name ([`module_of`]).
/// The ones that use `engine::reduction` are the reductions.
fn engine_violations(uses: &[(Module, Module)], modules: &[Module]) -> Vec<String> {
    let inside = |path: &Module| {
        path.strip_prefix(&["engine".to_owned()][..])?
            .first()
            .cloned()
    };
    let names: Vec<String> = ENGINES.iter().map(module_of).collect();
    let mut wrong = Vec::new();
    for name in &names {
        let module: Module = vec!["engine".to_owned(), name.clone()];
        if !modules.contains(&module) {
            wrong.push(format!("`engine::{name}` is no module"));
        }
    }
    let between: Vec<(String, String, &(Module, Module))> = (uses.iter())
        .filter_map(|pair| Some((inside(&pair.0)?, inside(&pair.1)?, pair)))
        .filter(|(from, to, _)| from != to && names.contains(from))
        .collect();
    let reductions: BTreeSet<&str> = (between.iter())
        .filter(|(_, to, _)| to == "reduction")
        .map(|(from, ..)| from.as_str())
        .collect();
    for (_, to, (user, used)) in &between {
        if to == "registry" || reductions.contains(to.as_str()) {
            let (user, used) = (user.join("::"), used.join("::"));
            wrong.push(format!("`{user}` must not use `{used}`"));
        }
    }
    wrong
}

#[test]
fn engines_use_only_what_they_may() {
    let files = source_files();
    let modules: Vec<Module> = files.iter().map(|file| file.module.clone()).collect();
    let uses = uses(&files);
    let wrong = engine_violations(&uses, &modules);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The test sees what is forbidden, of each engine.
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Module>();
    for spec in ENGINES {
        let user = format!("engine::{}", module_of(spec));
        let mut more = uses.clone();
        more.push((path("engine::cells"), path("engine::reduction")));
        more.push((path(&user), path("engine::registry")));
        more.push((path(&user), path("engine::cells")));
        let mut expected = vec![format!("`{user}` must not use `engine::registry`")];
        if spec.name != "cells" {
            expected.push(format!("`{user}` must not use `engine::cells`"));
        }
        assert_eq!(engine_violations(&more, &modules), expected);
    }
}

/// The uses of what is hidden.
fn hidden_uses(uses: &[(Module, Module)]) -> Vec<String> {
    let (users, hidden) = HIDDEN;
    uses.iter()
        .filter(|(user, _)| {
            user.first()
                .is_some_and(|user| users.contains(&user.as_str()))
        })
        .map(|(user, used)| (user.join("::"), used.join("::")))
        .filter(|(_, used)| used.starts_with(hidden) && used != NOT_HIDDEN)
        .map(|(user, used)| format!("`{user}` must not use `{used}`"))
        .collect()
}

#[test]
fn parts_use_only_what_they_may() {
    let files = source_files();
    let modules: Vec<Module> = files.iter().map(|file| file.module.clone()).collect();
    let mut wrong = inner_violations(&uses(&files), &modules);
    wrong.extend(hidden_uses(&uses(&files)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The table is read: the checker of proofs must not use the search.
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Module>();
    let forbidden = (path("smt::native::check"), path("smt::native::search"));
    let allowed = (path("smt::native::check"), path("smt::native::proof::text"));
    assert_eq!(
        inner_violations(&[forbidden, allowed], &modules),
        ["`smt::native::check` must not use `smt::native::search`"]
    );
    let forbidden = (path("engine::kind"), path("smt::native::search"));
    let allowed = (path("logic::interpolate"), path("smt::native::search"));
    assert_eq!(
        hidden_uses(&[forbidden, allowed]),
        ["`engine::kind` must not use `smt::native::search`"]
    );
}

#[test]
fn clocks_are_read_for_limits_only() {
    let reads = |code: &str| {
        let words = ["Instant", "SystemTime", "clock_gettime"];
        code.contains(".elapsed()")
            || words.iter().any(|word| {
                code.match_indices(word).any(|(at, _)| {
                    !code[..at].ends_with(is_word) && !code[at + word.len()..].starts_with(is_word)
                })
            })
    };
    assert!(reads("let t = Instant::now();") && !reads("Instantiation"));
    assert!(reads("clock_gettime(ClockId::ProcessCPUTime)"));
    let files = source_files();
    let found: Vec<String> = (files.iter())
        .filter(|file| reads(&file.code))
        .map(|file| file.path.display().to_string())
        .collect();
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    let listed: BTreeSet<&str> = CLOCKS.iter().copied().collect();
    let others: Vec<_> = found.difference(&listed).collect();
    assert!(others.is_empty(), "a clock is read in {others:?}");
    let stale: Vec<_> = listed.difference(&found).collect();
    assert!(stale.is_empty(), "no clock is read in {stale:?}");
}
