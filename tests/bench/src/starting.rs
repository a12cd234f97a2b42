//! The real window from its start to its first page, against an empty window.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use warranty_core::Desk;

use crate::figures::{median_of, repeated};
use crate::places::{Service, folder, options, root};
use crate::report::Row;
use crate::{Outcome, catalogue};

const TIME_TARGET: f64 = 1.15;
const MEMORY_TARGET: f64 = 1.25;

/// What one start gives.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Start {
    shown_ms: f64,
    pss_kib: f64,
}

pub async fn measure(rounds: usize) -> Outcome<Vec<Row>> {
    let service = Service::start(Duration::ZERO)?;
    let folder = folder()?;
    let desk = Desk::open(options(folder.path())).await?;
    let remembered = catalogue::remember(&desk, &service).await;
    desk.close().await;
    remembered?;
    let budget = Duration::from_secs(120);
    let both = repeated(rounds, budget, async || {
        let programs = std::env::current_exe()?;
        let empty = programs.with_file_name("examples").join("empty-window");
        let ours = programs.with_file_name("warranty-desk");
        Ok((start(&empty, None)?, start(&ours, Some(folder.path()))?))
    })
    .await?;
    let of = |figure: fn(&(Start, Start)) -> f64| median_of(&both, figure);
    let (floor, ours) = (of(|both| both.0.shown_ms), of(|both| both.1.shown_ms));
    let shown = Row {
        floor: format!("an empty Tauri window {floor:.0} ms"),
        ratio: format!("{:.2} × floor", ours / floor),
        ..Row::of(
            "start of the window until its first page stands, 100,000 plans remembered",
            format!("{ours:.0} ms (median of {})", both.len()),
        )
    };
    let shown = shown.against(
        format!("≤ {TIME_TARGET} × floor"),
        ours <= TIME_TARGET * floor,
    );
    let (floor, ours) = (of(|both| both.0.pss_kib), of(|both| both.1.pss_kib));
    let held = Row {
        floor: format!("the empty window {:.0} MB", floor / 1000.0),
        ratio: format!("{:.2} × floor", ours / floor),
        ..Row::of(
            "memory (PSS of all its processes) then",
            format!("{:.0} MB", ours / 1000.0),
        )
    };
    let held = held.against(
        format!("≤ {MEMORY_TARGET} × floor"),
        ours <= MEMORY_TARGET * floor,
    );
    Ok(vec![shown, held])
}

fn start(program: &Path, data_dir: Option<&Path>) -> Outcome<Start> {
    let mut command = Command::new("/usr/bin/python3");
    command
        .arg(root().join("tests/bench/start.py"))
        .arg(program)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    if let Some(data_dir) = data_dir {
        command.arg("--data-dir").arg(data_dir);
    }
    let ended = command.output()?;
    if !ended.status.success() {
        return Err(format!("{} ended with {}", program.display(), ended.status).into());
    }
    Ok(serde_json::from_slice(&ended.stdout)?)
}
