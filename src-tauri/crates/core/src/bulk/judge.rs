//! Judges rows for a check, for entering and for a dry run.

use chrono::{DateTime, Utc};

use super::{Bulk, Finding, Layout, RowKept, RunKind, RunOutcome};
use crate::contracts::bulk_check::{PlanLookups, Row, Verdict};
use crate::contracts::equal_rows::DuplicateDetector;
use crate::contracts::{Confirmed, Warning};
use crate::profile::Profile;
use crate::{Field, FieldProblem, Problem, Result};
use warranty_api::PlanId;
use warranty_files::layout::NumberedRow;

pub(super) struct Job<'a> {
    pub bulk: &'a Bulk,
    pub profile: &'a Profile,
    pub kind: RunKind,
    pub layout: &'a Layout,
    /// When the rows were submitted; the date of rows without one.
    pub submitted_at: DateTime<Utc>,
    /// What the service was asked about products and plans.
    pub asked: &'a PlanLookups,
}

impl Job<'_> {
    /// Judges rows, each with the questions a person confirmed for it. `seen` has the rows before
    /// them; `progress` is called with the number of rows done since its last call.
    pub(super) async fn judge(
        &self,
        rows: impl Iterator<Item = (&NumberedRow, Vec<Confirmed>)> + Send,
        seen: &mut DuplicateDetector,
        progress: &(dyn Fn(u32) + Sync),
    ) -> Result<Vec<Verdict>> {
        let (bulk, profile) = (self.bulk, self.profile);
        match self.kind {
            RunKind::Contracts => {
                let rows: Vec<Row<'_>> = rows
                    .map(|(row, confirmed)| self.layout.judged(row, confirmed))
                    .collect();
                bulk.contracts
                    .check_bulk(
                        profile,
                        &rows,
                        self.submitted_at,
                        self.asked,
                        seen,
                        progress,
                    )
                    .await
            }
            RunKind::Products | RunKind::PlanLinks | RunKind::ProductReferences => {
                let rows: Vec<_> = rows.collect();
                let key = self.kind.key();
                let codes = rows.iter().map(|(row, _)| (key, self.cell(row, key)));
                let codes: Vec<_> = codes.collect();
                let known = bulk.codes.known_codes_of_rows(profile, &codes).await;
                let mut verdicts = Vec::new();
                for (row, confirmed) in &rows {
                    let mut check = self.check_row(row, confirmed, &known, seen);
                    let sound = check.problems.is_empty();
                    if sound && self.kind == RunKind::PlanLinks {
                        if check.warnings.is_empty() && self.is_used_elsewhere(row).await {
                            check.warnings.push(Warning::StoreReferenceUsed);
                        }
                        if let Ok(plan) = known.plan_id(self.cell(row, key))
                            && self.replaces(row, &plan).await
                        {
                            check.warnings.push(Warning::StoreReferenceReplaced);
                        }
                    }
                    let codes = &bulk.codes;
                    if sound
                        && self.kind == RunKind::Products
                        && let Ok(found) = known.product_reference(self.cell(row, key))
                        && codes.has_lost_zeros(profile, key, found.as_str()).await
                    {
                        let lost = FieldProblem::new(key, Problem::LeadingZerosLost);
                        check.problems.push(lost);
                    }
                    verdicts.push(Verdict::Bad(check));
                }
                progress(u32::try_from(rows.len()).unwrap_or(u32::MAX));
                Ok(verdicts)
            }
        }
    }

    pub(super) fn cell<'r>(&self, row: &'r NumberedRow, field: Field) -> &'r str {
        self.layout.cell(&row.cells, field)
    }

    /// Whether the plan has another store reference, as far as is known here.
    async fn replaces(&self, row: &NumberedRow, plan: &PlanId) -> bool {
        let known = &self.bulk.context.cache;
        let known = known.plan(&self.profile.id, plan).await;
        let wanted = self.cell(row, Field::StoreReferenceId).trim();
        let before = known.and_then(|known| known.plan.store_reference());
        before.is_some_and(|before| before != wanted)
    }

    /// Whether another plan is known to have the store reference of a row.
    async fn is_used_elsewhere(&self, row: &NumberedRow) -> bool {
        let reference = self.cell(row, Field::StoreReferenceId).trim();
        let used_by = self.bulk.plans.used_by(self.profile, reference).await;
        let own = self.cell(row, Field::PlanId).trim();
        used_by.iter().any(|plan| plan.as_str() != own)
    }
}

/// Whether nothing is wrong with a row, and the service could not be asked about it. A row that asks a
/// person is one of these: with a yes it may be entered.
pub(super) fn is_unchecked(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Good(good) => good.is_unchecked(),
        Verdict::Bad(check) => {
            check.problems.is_empty() && check.warnings.contains(&Warning::NotChecked)
        }
        Verdict::Already { .. } => false,
    }
}

/// A row as it is kept after a verdict; one that may be entered has no outcome yet. What a person
/// said yes to `before` stays.
pub(super) fn kept_row(
    row: &NumberedRow,
    before: Option<&RowKept>,
    verdict: &Verdict,
    equal: bool,
) -> RowKept {
    let mut kept = RowKept {
        number: row.number,
        line: row.line,
        confirmed: before.map_or_else(Vec::new, |kept| kept.confirmed.clone()),
        finding: Finding {
            equal,
            ..Finding::default()
        },
        ..RowKept::default()
    };
    match verdict {
        Verdict::Good(good) => kept.finding.warnings.clone_from(&good.warnings),
        Verdict::Already {
            submission_id,
            fields,
            ..
        } => {
            kept.outcome = Some(if fields.is_empty() {
                RunOutcome::AlreadyEntered
            } else {
                RunOutcome::Differing
            });
            kept.submission_id = Some(submission_id.clone());
            kept.finding.differs.clone_from(fields);
        }
        Verdict::Bad(check) => {
            kept.finding.problems.clone_from(&check.problems);
            kept.finding.questions.clone_from(&check.questions);
            kept.finding.warnings.clone_from(&check.warnings);
            kept.outcome = (!kept.finding.is_clear()).then_some(RunOutcome::Rejected);
        }
    }
    // Unchecked rows are counted, not named one by one.
    let warnings = &mut kept.finding.warnings;
    warnings.retain(|warning| *warning != Warning::NotChecked);
    kept
}
