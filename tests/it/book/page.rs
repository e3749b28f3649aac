//! Pages of Markdown and their blocks.

use std::path::{Path, PathBuf};

/// A file of Markdown.
pub(super) struct Page {
    /// Its path from the root of the repository.
    pub(super) path: String,
    pub(super) text: String,
}

/// A block between fences.
pub(super) struct Block {
    /// What follows the opening fence, such as `console varies`.
    pub(super) info: String,
    /// The line of the opening fence, counted from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

/// The root of the repository.
pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages: those of the manual, and the Markdown files at the root, in the order of their paths.
pub(super) fn pages() -> Vec<Page> {
    let mut found: Vec<PathBuf> = ["", "docs/src"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root().join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    found.sort();
    let pages = found.iter().map(|path| {
        let relative = path.strip_prefix(root()).expect("it was found there");
        Page::read(relative.to_str().expect("names of pages are ASCII"))
    });
    pages.collect()
}

impl Page {
    /// Reads a page by its path from the root of the repository.
    pub(super) fn read(path: &str) -> Page {
        let text = std::fs::read_to_string(root().join(path));
        Page {
            path: path.to_owned(),
            text: text.unwrap_or_else(|error| panic!("{path}: {error}")),
        }
    }

    /// The blocks between fences, in order.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut found = Vec::new();
        let mut open: Option<Block> = None;
        for (number, line) in (1..).zip(self.text.lines()) {
            match (open.take(), line.strip_prefix("```")) {
                (None, None) => {}
                (None, Some(info)) => {
                    open = Some(Block {
                        info: info.to_owned(),
                        line: number,
                        text: String::new(),
                    });
                }
                (Some(block), Some(_)) => found.push(block),
                (Some(mut block), None) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                    open = Some(block);
                }
            }
        }
        assert!(open.is_none(), "{}: a block is not closed", self.path);
        found
    }

    /// The text without the blocks between fences.
    pub(super) fn prose(&self) -> String {
        let mut inside = false;
        let lines = self.text.lines().filter(|line| {
            let fence = line.starts_with("```");
            inside ^= fence;
            !inside && !fence
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Block {
    /// The words of the opening fence.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.info.split_whitespace()
    }

    /// Is that word in the opening fence?
    pub(super) fn has(&self, word: &str) -> bool {
        self.words().any(|w| w == word)
    }
}

#[test]
fn blocks_and_prose_are_told_apart() {
    let page = Page {
        path: "page.md".to_owned(),
        text: "one\n```c a/b.c\nint x;\n```\ntwo\n".to_owned(),
    };
    let blocks = page.blocks();
    assert_eq!(blocks.len(), 1);
    assert_eq!((blocks[0].line, blocks[0].text.as_str()), (2, "int x;\n"));
    assert!(blocks[0].has("c") && !blocks[0].has("a"));
    assert_eq!(page.prose(), "one\ntwo");
}
