//! The processes of one window, told by its data folder, which no other process names.

use std::fs;
use std::path::Path;

/// Process ids of those started with this data folder.
pub fn of(data_dir: &Path) -> Vec<u32> {
    let wanted = data_dir.as_os_str().as_encoded_bytes();
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| line.split(|byte| *byte == 0).any(|word| word == wanted))
        })
        .collect()
}

/// Ends them without asking, as a power cut would.
pub fn kill(data_dir: &Path) {
    for pid in of(data_dir) {
        let killed = std::process::Command::new("kill")
            .args(["-9", &pid.to_string()])
            .status();
        assert!(killed.is_ok(), "kill can be run");
    }
}
