//! The commands of `docs/wdesk.md`, as they are written there.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::harness::distinct;
use crate::service::Service;

/// What is there before the commands: the program on the path and a practice service.
const BEFORE: [&str; 3] = [
    "cargo build -p warranty-cli",
    "export PATH=\"$PWD/target/debug:$PATH\"",
    "wdesk sandbox serve --addr 127.0.0.1:4010 --token practice",
];

/// The lines of a page's blocks of shell commands.
fn commands(page: &str) -> Vec<&str> {
    let blocks = page.split("```sh\n").skip(1);
    blocks
        .filter_map(|block| block.split("```").next())
        .flat_map(str::lines)
        .collect()
}

#[test]
fn every_command_of_the_page_on_wdesk_runs_as_it_is_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let page = std::fs::read_to_string(root.join("docs/wdesk.md")).unwrap();
    let (before, lines): (Vec<&str>, Vec<&str>) = commands(&page)
        .into_iter()
        .partition(|line| BEFORE.contains(line));
    assert_eq!(before, BEFORE);
    assert!(lines.len() > 5);

    let service = Service::start_with_token("practice");
    let folder = TempDir::new().unwrap();
    let script = lines
        .join("\n")
        .replace("/tmp/desk-try", folder.path().to_str().unwrap())
        .replace("http://127.0.0.1:4010", &service.base_url);
    let program = Path::new(env!("CARGO_BIN_EXE_wdesk")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let run = Command::new("bash")
        .args(["-euxo", "pipefail", "-c", &script])
        .current_dir(&root)
        .env("PATH", path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");

    let sold = service.sold();
    assert_eq!((sold.len(), distinct(&sold).len()), (500, 500));
}
