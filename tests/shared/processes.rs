//! Processes, as the kernel tells of them under `/proc`.

use std::path::Path;

/// The command lines of the living processes that name something in the directory.
pub(crate) fn processes_of(directory: &Path) -> Vec<String> {
    let wanted = directory.to_str().expect("a name");
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines =
        entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(wanted)).collect()
}
