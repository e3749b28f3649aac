//! Links between pages.

use super::page::{Page, pages, root};
use std::path::Path;

/// A link of a page.
pub(super) struct Link {
    pub(super) target: String,
}

/// The links `[text](target)` of a text.
pub(super) fn links(text: &str) -> Vec<Link> {
    let parts = text.split("](").skip(1);
    let targets = parts.filter_map(|part| part.split_once(')'));
    targets
        .map(|(target, _)| Link {
            target: target.to_owned(),
        })
        .collect()
}

/// The name that a heading has in links: lower case, blanks as hyphens, no punctuation.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// The anchors of a page.
fn anchors(page: &Page) -> Vec<String> {
    let prose = page.prose();
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

/// Why a link of a page leads nowhere, if it does.
fn flaw(page: &Page, link: &Link) -> Option<String> {
    if link.target.contains("://") {
        return None;
    }
    let (file, heading) = link.target.split_once('#').unwrap_or((&link.target, ""));
    let folder = Path::new(&page.path).parent().expect("a page has a name");
    let target = match file {
        "" => page.path.clone(),
        file => folder.join(file).display().to_string(),
    };
    if !root().join(&target).exists() {
        return Some(format!("{target} does not exist"));
    }
    let known = heading.is_empty() || anchors(&Page::read(&target)).contains(&heading.to_owned());
    (!known).then(|| format!("{target} has no heading #{heading}"))
}

#[test]
fn links_lead_somewhere() {
    let (mut count, mut flaws) = (0, Vec::new());
    for page in pages() {
        for link in links(&page.prose()) {
            count += 1;
            let found = flaw(&page, &link);
            flaws.extend(found.map(|why| format!("{}: {}: {why}", page.path, link.target)));
        }
    }
    assert!(count > 20, "{count} links");
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}

#[test]
fn anchors_of_headings() {
    assert_eq!(anchor(" Options of the engines"), "options-of-the-engines");
    assert_eq!(anchor(" `horn-solve`: usage"), "horn-solve-usage");
    let page = Page::read("README.md");
    let wrong = ["NOWHERE.md", "README.md#nowhere", "#nowhere"];
    for target in wrong {
        let target = target.to_owned();
        assert!(flaw(&page, &Link { target }).is_some());
    }
}
