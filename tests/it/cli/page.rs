//! The page of a check (`--report`): well-formed, with links that lead somewhere, and shown by a
//! browser where there is one.

use super::{HORN_SOLVE, SAFE, UNSAFE};
use crate::program::text;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let parts = page.split(attribute).skip(1);
    parts
        .map(|rest| rest.split('"').next().expect("a value has an end"))
        .collect()
}

/// Each tag that is opened is closed, in order.
fn is_balanced(page: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().expect("a tag has an end");
        let name = tag.split([' ', '\n', '/']).next().expect("a first word");
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(closed) {
                return Err(format!("</{closed}>"));
            }
        } else if !tag.ends_with('/') && !matches!(name, "!DOCTYPE" | "meta") {
            open.push(name);
        }
    }
    open.is_empty().then_some(()).ok_or(format!("{open:?}"))
}

/// The names of a browser that takes the options of Chromium.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Takes a picture of the page, if there is a browser, and reads what the page said to its console.
fn look_at(page: &Path, picture: &Path) {
    let shown = |browser: &&str| {
        Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu"])
            .args(["--enable-logging=stderr", "--window-size=1000,1600"])
            .arg(format!("--screenshot={}", picture.display()))
            .arg(format!("file://{}", page.display()))
            .output()
            .ok()
    };
    let Some(output) = BROWSERS.iter().find_map(shown) else {
        eprintln!(
            "{} are absent: no browser has shown the page",
            BROWSERS.join(", ")
        );
        return;
    };
    let said = text(&output.stderr);
    assert!(!said.contains("CONSOLE"), "{said}");
    let size = std::fs::metadata(picture).expect("a picture").len();
    // An empty page of this size is a picture of some 6 kB.
    assert!(size > 20_000, "{size} bytes");
}

#[test]
fn checks_are_shown_as_pages() {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, input, verdict) in [("safe", SAFE, "sat"), ("unsafe", UNSAFE, "unsat")] {
        let path = directory.path().join(format!("{name}.html"));
        let file = path.to_str().expect("a path");
        let options = ["--report", file, "--solver", "native"];
        HORN_SOLVE.check(&options, input, &format!("{verdict}\n"), "", 0);
        let page = std::fs::read_to_string(&path).expect("the page");
        assert_eq!(is_balanced(&page), Ok(()));
        let ids = values(&page, " id=\"");
        let different: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), different.len(), "{ids:?}");
        for link in values(&page, "href=\"#") {
            assert!(different.contains(link), "{link} is no place of the page");
        }
        let outside = ["http://", "https://"].map(|start| page.matches(start).count());
        // Names of the language of drawings are no links.
        assert_eq!(outside, [page.matches("xmlns=\"http://").count(), 0]);
        for part in [
            &format!("<b class=\"{verdict}\">"),
            "<td>step</td>",
            "<svg",
            "pre",
        ] {
            assert!(page.contains(part), "{part}");
        }
        look_at(&path, &directory.path().join(format!("{name}.png")));
    }
    let nowhere = ["--report", "/nowhere/page.html", "--solver", "native"];
    HORN_SOLVE.check(
        &nowhere,
        SAFE,
        "sat\n",
        "the page in /nowhere/page.html: ",
        1,
    );
}
