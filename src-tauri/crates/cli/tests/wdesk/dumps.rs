//! What is in the memory of the program stays there: no core file, and no look from outside.
#![cfg(target_os = "linux")]

use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};

use crate::harness::{signal, until};

/// An account that is not the superuser's: everything of that one is the superuser's anyway.
const NOBODY: u32 = 65_534;

/// A service that runs in a session which lets core files be as large as they like.
fn at_work() -> Child {
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"ulimit -c unlimited; exec "$0" "$@""#])
        .arg(env!("CARGO_BIN_EXE_wdesk"))
        .args(["sandbox", "serve"])
        .current_dir(std::env::temp_dir())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let superuser = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    if superuser {
        command.uid(NOBODY);
    }
    let child = command.spawn().unwrap();
    let program = format!("/proc/{}/exe", child.id());
    until("the service", || {
        let name = std::fs::read_to_string(format!("/proc/{}/comm", child.id()));
        let program = std::fs::read_link(&program);
        name.is_ok_and(|name| name.trim() == "wdesk") || program.is_ok_and(|p| p.ends_with("wdesk"))
    });
    child
}

fn owner(child: &Child) -> u32 {
    let file = format!("/proc/{}/mem", child.id());
    std::fs::metadata(file).unwrap().uid()
}

#[test]
fn a_process_leaves_no_core_file_and_lets_nobody_look_into_its_memory() {
    let mut child = at_work();
    until("no core files", || {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
        let core = limits.lines().find(|line| line.starts_with("Max core"));
        core.unwrap()
            .split_whitespace()
            .skip(4)
            .take(2)
            .eq(["1", "1"])
    });
    // What may not be dumped belongs to the superuser, whoever runs it.
    until("a closed memory", || owner(&child) == 0);
    signal(&child, "ABRT");
    let ended = child.wait().unwrap();
    assert_eq!(ended.signal(), Some(6));
    assert!(!ended.core_dumped());
}
