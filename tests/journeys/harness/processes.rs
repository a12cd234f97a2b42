//! The processes of one window, told by its data folder, which no other process names.

use std::fs;
use std::path::Path;

/// Process ids of those started with this data folder.
pub fn of(data_dir: &Path) -> Vec<u32> {
    let wanted = data_dir.as_os_str().as_encoded_bytes();
    all()
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| line.split(|byte| *byte == 0).any(|word| word == wanted))
        })
        .collect()
}

/// Process ids of a program's children whose name begins so; the system cuts names at 15 letters.
pub fn children(parent: u32, name: &str) -> Vec<u32> {
    all()
        .filter(|pid| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // "12 (name) S 1 …": the name may hold anything but ends at the last bracket.
            let Some((head, tail)) = stat.rsplit_once(") ") else {
                return false;
            };
            let named = head
                .split_once('(')
                .is_some_and(|(_, found)| found.starts_with(name));
            let parent_is = tail.split(' ').nth(1).and_then(|ppid| ppid.parse().ok());
            named && parent_is == Some(parent) && !tail.starts_with('Z')
        })
        .collect()
}

fn all() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Ports of this computer at which a process listens. The program lets the superuser alone look.
pub fn listens_at(pid: u32) -> Vec<u16> {
    let own: Vec<String> = fs::read_dir(format!("/proc/{pid}/fd"))
        .expect("the superuser looks")
        .flatten()
        .filter_map(|entry| Some(fs::read_link(entry.path()).ok()?.to_str()?.to_owned()))
        .collect();
    let tables = ["tcp", "tcp6"]
        .map(|name| fs::read_to_string(format!("/proc/{pid}/net/{name}")).unwrap_or_default());
    let listening = |line: &str| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let socket = format!("socket:[{}]", columns.get(9)?);
        let (_, port) = columns[1].rsplit_once(':')?;
        let found = columns[3] == "0A" && own.contains(&socket);
        found.then(|| u16::from_str_radix(port, 16).ok())?
    };
    tables
        .iter()
        .flat_map(|table| table.lines().filter_map(listening))
        .collect()
}

/// Whether a process has let go of everything it held: it is no more, or waits to be reaped.
pub fn has_ended(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("State:"))
        .is_none_or(|state| state.trim_start().starts_with(['Z', 'X']))
}

/// Whether the session bus has noticed that no window is open any more; it learns a moment later.
pub fn no_window_is_announced() -> bool {
    let asked = std::process::Command::new("dbus-send")
        .args(["--session", "--print-reply", "--dest=org.freedesktop.DBus"])
        .args(["/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner"])
        .arg("string:app.warrantydesk.SingleInstance")
        .output()
        .expect("dbus-send can be run");
    String::from_utf8_lossy(&asked.stdout).contains("boolean false")
}

/// Ends processes without asking, as a power cut would.
pub fn kill(pids: &[u32]) {
    for pid in pids {
        let killed = std::process::Command::new("kill")
            .args(["-9", &pid.to_string()])
            .status();
        assert!(killed.is_ok(), "kill can be run");
    }
}
