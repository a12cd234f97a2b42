//! Runs: many rows that are stored, checked, registered and tracked.

use warranty_core::bulk::{AnsweredRows, RowList, RunRow, RunView, Runs, SheetPart, SheetRun};
use warranty_core::contracts::{EnterMode, QuestionKind};

commands! {
    /// Stores rows of the sheet as a run, part by part; registers nothing yet.
    fn sheet_stage(desk, id: String, part: SheetPart) -> RunView =
        desk.bulk.stage_sheet(&id, part).await?;

    /// Checks every row of a staged run; progress comes as notices.
    fn run_check(desk, id: String) -> RunView = desk.bulk.check(&id, &|_, _| {}).await?;

    fn run_check_stop(desk, id: String) -> () = desk.bulk.stop_check(&id);

    /// Starts a staged run; it continues in the background.
    fn run_start(desk, id: String, mode: EnterMode) -> RunView =
        desk.bulk.start(&id, mode, &|_, _| {}).await?;

    fn run_pause(desk, id: String) -> RunView = desk.bulk.pause(&id).await?;

    fn run_resume(desk, id: String) -> RunView = desk.bulk.resume(&id).await?;

    /// Cancels the rest of a run; what was sent stays sent.
    fn run_cancel(desk, id: String) -> RunView = desk.bulk.cancel(&id).await?;

    /// Answers yes to questions of this kind in a staged run.
    fn run_answer(desk, id: String, rows: AnsweredRows, question: QuestionKind) -> RunView =
        desk.bulk.answer(&id, rows, question).await?;

    /// Notes of which runs a profile's sheet has rows, and what its draft has back of each.
    fn sheet_follows(desk, profile_id: String, runs: Vec<SheetRun>) -> () =
        desk.bulk.sheet_follows(&profile_id, runs).await?;

    /// Removes a run from the list.
    fn run_forget(desk, id: String) -> () = desk.bulk.forget(&id).await?;

    /// The profile's runs: all files that are open, then the others; each newest first.
    fn runs(desk, limit: u32) -> Vec<RunView> = desk.bulk.runs(Runs::Latest(limit)).await?;

    fn run(desk, id: String) -> RunView = desk.bulk.run(&id).await?;

    /// Rows of a run that have an outcome, after a row number.
    fn run_rows(desk, id: String, only: Option<RowList>, after: u32, limit: u32) -> Vec<RunRow> =
        desk.bulk.rows(&id, only, after, limit).await?;
}
