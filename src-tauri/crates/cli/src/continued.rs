//! Files that an earlier process began and this one finished: names their rows that were left out, refused
//! or need a look, as the process that began them would have.

use warranty_core::Desk;
use warranty_core::bulk::{RowList, RunKind, RunRow, RunSource, RunState, RunView};

use crate::enter_report::EnterReport;
use crate::file_run::each_row;
use crate::{Exit, Failure, import, say, text};

/// Reports those of these runs that are done by now, and returns the exit code for their rows.
pub async fn report(desk: &Desk, begun: &[RunView]) -> Result<Exit, Failure> {
    let mut exits = Vec::new();
    // The rows of a sheet go back to the window.
    for run in begun.iter().filter(|run| run.source == RunSource::File) {
        let run = desk.bulk.run(&run.id).await.map_err(Failure::started)?;
        if run.state == RunState::Done {
            exits.push(report_run(desk, &run).await?);
        }
    }
    let any = |exit| (exits.contains(&exit), exit);
    Ok(Exit::first(&[any(Exit::Person), any(Exit::Refused)]))
}

async fn report_run(desk: &Desk, run: &RunView) -> Result<Exit, Failure> {
    if run.kind != RunKind::Contracts {
        return import::report_finished(desk, run).await;
    }
    let mut report = EnterReport::default();
    for list in [RowList::Rejected, RowList::Differing] {
        let take = async |row: RunRow| {
            report.take(row);
            Ok(())
        };
        let taken = each_row(desk, &run.id, Some(list), take).await;
        taken.map_err(Failure::started)?;
    }
    if report.rejected.is_empty() && report.differing.is_empty() {
        return Ok(Exit::Done);
    }
    say(text("wdesk.rows.continued", &[("name", &run.name)]));
    report.report_rows();
    Ok(Exit::Person)
}
