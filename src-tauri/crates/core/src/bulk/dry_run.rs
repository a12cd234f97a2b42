//! Checks each row of a file. Stores nothing, and holds only some rows in memory at a time.

use super::judge::{Job, is_unchecked, kept_row};
use super::queries::shown;
use super::{Bulk, NumberedRow, RowSubmission, RunOutcome, RunRow};
use crate::bulk::from_file::{FileToStage, read_blocking};
use crate::contracts::QuestionKind;
use crate::contracts::bulk_check::{PlanLookups, Verdict};
use crate::contracts::equal_rows::DuplicateDetector;
use crate::files::FileError;
use crate::{Error, Result};

const ROWS_AT_ONCE: usize = 100;

/// The expected outcomes of the rows of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DryRun {
    pub rows: u32,
    /// Rows whose sale was entered before.
    pub already_entered: u32,
    /// Rows with nothing wrong that the service could not be asked about.
    pub unchecked: u32,
}

impl Bulk {
    /// Checks every row of a file and stores nothing. Questions of the kinds that `confirmed` accepts
    /// count as answered with yes. `found` is called for each row with a finding, in order;
    /// `progress` is called with the number of rows done.
    ///
    /// # Errors
    /// [`Error::File`] when a row cannot be read, or columns are missing; [`Error::ProfileMoved`];
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn dry_run(
        &self,
        file: FileToStage,
        confirmed: &(dyn Fn(QuestionKind) -> bool + Sync),
        progress: &(dyn Fn(u32) + Sync),
        found: &mut (dyn FnMut(RunRow) + Send),
    ) -> Result<DryRun> {
        let submitted_at = self.context.clock.now();
        let profile = self.context.expect_profile(&file.profile_id).await?;
        let FileToStage { file, mapping, .. } = file;
        let layout = file.layout(&mapping, None).map_err(Error::File)?;
        let (asked, mut seen) = (PlanLookups::default(), DuplicateDetector::default());
        let job = Job {
            bulk: self,
            profile: &profile,
            kind: file.kind,
            layout: &layout,
            submitted_at,
            asked: &asked,
        };
        let mut whole = DryRun::default();
        let mut rows = file.rows(layout.clone());
        loop {
            let first = whole.rows + 1;
            let part;
            (part, rows) = read_blocking(move || {
                let part: Result<Vec<_>, FileError> = rows.by_ref().take(ROWS_AT_ONCE).collect();
                let numbered = (first..).zip(part?);
                let numbered = numbered.map(|(number, row)| row.numbered(number));
                Ok((numbered.collect::<Vec<_>>(), rows))
            })
            .await?;
            if part.is_empty() {
                return Ok(whole);
            }
            let unanswered = part.iter().map(|row| (row, Vec::new()));
            let verdicts = job.judge(unanswered, &mut seen, &|_| {}).await?;
            for (row, verdict) in part.iter().zip(verdicts) {
                whole.unchecked += u32::from(is_unchecked(&verdict));
                let row = predicted_row(row, verdict, confirmed);
                whole.rows += 1;
                let before = [RunOutcome::AlreadyEntered, RunOutcome::Differing];
                let is_before = row.outcome.is_some_and(|outcome| before.contains(&outcome));
                whole.already_entered += u32::from(is_before);
                if row.outcome.is_some() || !row.warnings.is_empty() {
                    found(row);
                }
            }
            progress(whole.rows);
        }
    }
}

fn predicted_row(
    row: &NumberedRow,
    verdict: Verdict,
    confirmed: &dyn Fn(QuestionKind) -> bool,
) -> RunRow {
    let submission = match &verdict {
        Verdict::Already {
            submission_id,
            state,
            ..
        } => Some(RowSubmission {
            id: submission_id.clone(),
            state: *state,
            contract_id: None,
            settled: false,
            duplicate_possible: false,
            profile_id: String::new(),
            paused: false,
            codes: Vec::new(),
        }),
        Verdict::Good(_) | Verdict::Bad(_) => None,
    };
    let mut kept = kept_row(row, None, &verdict, false);
    let questions = &mut kept.finding.questions;
    questions.retain(|question| !confirmed(question.kind()));
    if kept.outcome == Some(RunOutcome::Rejected) && kept.finding.is_clear() {
        kept.outcome = None;
    }
    shown(kept, submission)
}
