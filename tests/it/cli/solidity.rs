//! Contracts, checked by the Solidity compiler of npm with this solver in the place of Z3.

use crate::program::text;
use std::process::Command;

/// The contracts, each with the lines of the assertions that are proved and that fail.
const CONTRACTS: [(&str, &[u32], &[u32]); 5] = [
    ("auction", &[23, 33, 34], &[]),
    ("bank", &[25], &[39]),
    ("loops", &[11, 18, 26], &[27]),
    ("members", &[17, 25, 26, 32], &[33]),
    ("token", &[19, 26], &[37]),
];

/// The lines of the file's messages with this text.
fn lines(output: &str, message: &str) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    for (said, place) in output.lines().zip(output.lines().skip(1)) {
        if said.contains(message) {
            let line = place.rsplit(':').nth(2).expect("file:line:column:");
            found.push(line.trim().parse().expect("a number"));
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn contracts_are_checked() {
    let npm = Command::new("npm").arg("--version").output();
    if !npm.is_ok_and(|output| output.status.success()) {
        eprintln!("npm is absent: the Solidity compiler was not run");
        return;
    }
    for (name, safe, violated) in CONTRACTS {
        let file = format!("docs/examples/solidity/{name}.sol");
        let mut script = Command::new("scripts/solidity");
        script.args([
            "--invariants",
            "--solver",
            env!("CARGO_BIN_EXE_horn-solve"),
            &file,
        ]);
        script.current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = script.output().expect("python3 is there");
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        if err.contains("npm") {
            eprintln!("the Solidity compiler cannot be installed: {err}");
            return;
        }
        assert_eq!(lines(&out, "check is safe!"), safe, "{name}: {out}{err}");
        assert_eq!(
            lines(&out, "violation happens here"),
            violated,
            "{name}: {out}{err}"
        );
        assert!(!out.contains("might happen"), "{name}: {out}");
        // What the proof of the token's assertions rests on is shown.
        let supply = "(= second_8_0 (- supply_4_0 first_6_0))";
        assert!(name != "token" || out.contains(supply), "{out}");
    }
}
