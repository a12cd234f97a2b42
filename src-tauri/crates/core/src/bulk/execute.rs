//! Executes rows of products, plan links and product references. Each row is one operation at the
//! service, and its result is stored before the next.
//!
//! Owns what the failure of a row means for the next rows. The services execute the operation.

use std::borrow::Cow;

use warranty_api::{PlanFilter, ProductReference, bounded};

use super::enter_contracts::rest;
use super::judge::Job;
use super::validate::OpenChunk;
use super::{Finding, LinkFault, RowFailure, RowFault, RowKept, RunKind, RunOutcome, Tally};
use crate::contracts::equal_rows::DuplicateDetector;
use crate::contracts::validation::{KnownCodes, code};
use crate::contracts::{Confirmed, EntryCheck, Warning};
use crate::encryption::DataKey;
use crate::plans::LinkReport;
use crate::products::{KnownFrom, ProductHint, validation as product_validation};
use crate::{Error, Field, FieldProblem, Operation, Problem};
use warranty_files::layout::NumberedRow;
use warranty_model::call_outcome::CallFailure;
use warranty_model::outbox::recovery;
use warranty_runtime::notifications::Change;
use warranty_runtime::repeats::Outcome;
use warranty_store::journal::Line;
use warranty_store::runs::KeptRun;
use warranty_store::runs::working::{ChunkKept, FinishedChunk};

impl Job<'_> {
    /// Executes the rows of a chunk that have no outcome yet. `false`: it was the last one, or closing has
    /// begun.
    pub(super) async fn execute_chunk(
        &self,
        run: &KeptRun,
        open: OpenChunk,
        key: &DataKey,
        done: Line,
    ) -> Result<bool, Error> {
        let (context, notifications) = (&self.bulk.context, &self.bulk.notifications);
        let mut kept = Vec::with_capacity(open.rows.len());
        for row in &open.rows {
            if let Some(before) = open.kept(row.number).filter(|kept| kept.outcome.is_some()) {
                kept.push(before.clone());
                continue;
            }
            if context.work.is_stopping() {
                return Ok(false);
            }
            let (outcome, finding) = self.execute_row(run, row).await?;
            let now = RowKept {
                number: row.number,
                line: row.line,
                outcome: Some(outcome),
                finding,
                ..RowKept::default()
            };
            let tally = Tally::of(std::slice::from_ref(&now));
            let store = &context.store;
            if !store.keep_run_row(run.number, now.clone(), tally).await? {
                return Ok(false);
            }
            notifications.publish(Change::Rows).await;
            kept.push(now);
        }
        let fed = FinishedChunk {
            run: run.number,
            // Each row was counted as it was done.
            tally: Tally::default(),
            rest: rest(key, run, &open, &kept)?,
            chunk: open.chunk.clone(),
            rows: kept,
            done,
        };
        let fed = context.store.complete_chunk(fed, None).await?;
        Ok(match fed {
            ChunkKept::More => true,
            ChunkKept::Last
            | ChunkKept::SoldMeanwhile
            | ChunkKept::Moved
            | ChunkKept::ProfileMoved => false,
        })
    }

    /// What became of a row, and what is to be said of it. After an error it is not done: this row and the
    /// rows after it can be tried later.
    async fn execute_row(
        &self,
        run: &KeptRun,
        row: &NumberedRow,
    ) -> Result<(RunOutcome, Finding), Error> {
        let tried = match self.kind {
            RunKind::Contracts => return Err(Error::NotAllowed),
            RunKind::Products => {
                let draft = self.layout.product(&row.cells);
                let products = &self.bulk.products;
                let (user, run) = (&run.view.created_by, Some(run.number));
                let put = products.put_for(self.profile, &draft, user, run).await;
                put.map(|report| Finding {
                    differs: report.echo_differs,
                    ..Finding::default()
                })
            }
            RunKind::PlanLinks => {
                let linked = Box::pin(self.execute_link(run, row)).await;
                linked.map(|report| {
                    let mut warnings = used_too(!report.also_used_by.is_empty());
                    let now = report.plan.store_reference();
                    if report.previous.is_some_and(|before| Some(before) != now) {
                        warnings.push(Warning::StoreReferenceReplaced);
                    }
                    Finding {
                        warnings,
                        ..Finding::default()
                    }
                })
            }
            RunKind::ProductReferences => self.execute_reference(row).await,
        };
        match tried {
            Ok(finding) => Ok((RunOutcome::Entered, finding)),
            Err(error) if service_fails(&error) && !Box::pin(self.service_answers(row)).await? => {
                Err(error)
            }
            Err(error) => Ok((RunOutcome::Rejected, failed(error)?)),
        }
    }

    /// Whether the service answers when it is asked for the plans of a product now, so that it failed at
    /// a row alone.
    async fn service_answers(&self, row: &NumberedRow) -> Result<bool, Error> {
        let (bulk, profile) = (self.bulk, self.profile);
        let askable = bulk.context.store.askable(&profile.id).await?.product;
        let product = askable
            .as_deref()
            .unwrap_or_else(|| self.cell(row, Field::ProductReferenceId));
        let Ok(product) = ProductReference::new(product) else {
            return Ok(true);
        };
        let plans = bulk.plans.refresh_for(profile, &product, PlanFilter::Any);
        Ok(match plans.await {
            Err(Error::Service { source, .. }) => {
                recovery::probed(Err(&source)) == recovery::Probed::Answered
            }
            Ok(_) => true,
            // It could not be asked; the row waits, with its own reason.
            Err(_) => false,
        })
    }

    /// Links a plan whose reference is still what is known of it here.
    async fn execute_link(&self, run: &KeptRun, row: &NumberedRow) -> Result<LinkReport, Error> {
        let (bulk, profile) = (self.bulk, self.profile);
        let cell = self.cell(row, Field::PlanId);
        let asked = [(Field::PlanId, cell)];
        let known = bulk.codes.known_codes(profile, &asked).await;
        let plan = known.plan_id(cell);
        let plan = plan.map_err(|problem| Error::input(Field::PlanId, problem))?;
        let wanted = self.cell(row, Field::StoreReferenceId);
        let expected = match bulk.context.cache.plan(&profile.id, &plan).await {
            Some(known) => known.plan,
            // The plan is not in the cache: its reference is read now.
            None => bulk.plans.read(profile, &plan).await?.plan,
        };
        let expected = expected.store_reference();
        let (user, run) = (&run.view.created_by, Some(run.number));
        bulk.plans
            .link_for(profile, &plan, wanted, expected.as_deref(), user, run)
            .await
    }

    async fn execute_reference(&self, row: &NumberedRow) -> Result<Finding, Error> {
        let (bulk, profile) = (self.bulk, self.profile);
        let field = Field::ProductReferenceId;
        let cell = self.cell(row, field);
        let known = bulk.codes.known_codes(profile, &[(field, cell)]).await;
        let reference = known.product_reference(cell);
        let reference = reference.map_err(|problem| Error::input(field, problem))?;
        let hints = vec![ProductHint::of_reference(reference.clone())];
        let from = KnownFrom::Reference;
        bulk.catalog.keep(profile, hints, from).await?;
        let (plans, filter) = (&bulk.plans, PlanFilter::Any);
        let refreshed = plans.refresh_with_offered(profile, &reference, filter);
        refreshed.await.map(|()| Finding::default())
    }

    /// The expected outcome of a row: its own problems, whether it repeats an earlier row, and the
    /// questions that reading it raised.
    pub(super) fn check_row(
        &self,
        row: &NumberedRow,
        confirmed: &[Confirmed],
        known: &KnownCodes,
        seen: &mut DuplicateDetector,
    ) -> EntryCheck {
        let mut questions = self.layout.asks(row);
        questions.retain(|question| !question.is_answered_by(confirmed));
        let problems = self.problems(row, known, seen);
        let linked = (self.kind == RunKind::PlanLinks && problems.is_empty())
            .then(|| code(self.cell(row, Field::StoreReferenceId)).ok())
            .flatten();
        // Plans are noted in the first place, references in the second.
        let again = |reference: Cow<'_, str>| {
            seen.again(&(String::new(), reference.into_owned(), String::new()))
        };
        EntryCheck {
            problems,
            questions,
            warnings: used_too(linked.is_some_and(again)),
        }
    }

    fn problems(
        &self,
        row: &NumberedRow,
        known: &KnownCodes,
        seen: &mut DuplicateDetector,
    ) -> Vec<FieldProblem> {
        let (kind, key) = (self.kind, self.kind.key());
        let at = |field| move |problem| FieldProblem::new(field, problem);
        if let Some(broken) = self.layout.broken(kind, row) {
            return vec![broken];
        }
        let mut problems = match kind {
            RunKind::Contracts => Vec::new(),
            RunKind::Products => product_validation::check(&self.layout.product(&row.cells), known)
                .err()
                .unwrap_or_default(),
            RunKind::PlanLinks => {
                let plan = known.plan_id(self.cell(row, Field::PlanId)).err();
                let reference = code(self.cell(row, Field::StoreReferenceId)).err();
                let reference = reference.map(at(Field::StoreReferenceId));
                plan.map(at(key)).into_iter().chain(reference).collect()
            }
            RunKind::ProductReferences => {
                let reference = known.product_reference(self.cell(row, key)).err();
                reference.map(at(key)).into_iter().collect()
            }
        };
        let known_by = self.cell(row, key).trim().to_owned();
        let known_by = (known_by, String::new(), String::new());
        // A reference that is added twice is known once.
        let may_repeat = kind == RunKind::ProductReferences;
        if problems.is_empty() && !may_repeat && seen.again(&known_by) {
            problems.push(FieldProblem::new(key, Problem::RepeatedRow));
        }
        problems
    }
}

fn used_too(used: bool) -> Vec<Warning> {
    Vec::from_iter(used.then_some(Warning::StoreReferenceUsed))
}

/// Whether the service failed in a request that may be repeated later: a read, or a product, whose rows all
/// send the same again.
fn service_fails(error: &Error) -> bool {
    let Error::Service { operation, source } = error else {
        return false;
    };
    (!operation.changes() || *operation == Operation::UpsertProduct) && recovery::fails(source)
}

/// What is to be said of a row that failed, where trying again would not help.
///
/// # Errors
/// The failure itself when it also concerns the rows after it.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the desk's other failures are not the row's"
)]
fn failed(error: Error) -> Result<Finding, Error> {
    let link_failure = |may_be_done, fault| RowFailure {
        may_be_done,
        what: RowFault::Link(fault),
        code: None,
        message: None,
        request_id: None,
    };
    let failure = match &error {
        Error::Input(problems) => {
            return Ok(Finding {
                problems: problems.clone(),
                ..Finding::default()
            });
        }
        Error::Service { operation, source } => {
            let outcome = Outcome::of(source);
            if let Outcome::NotSent | Outcome::Declined(_) = outcome {
                return Err(error);
            }
            let said = source.said();
            let message = said.map(|said| bounded(&said.error));
            RowFailure {
                may_be_done: operation.changes() && outcome == Outcome::Unknown,
                what: RowFault::Call(CallFailure::of(operation.changes(), source)),
                code: said.map(|said| bounded(&said.code)),
                message: message.filter(|message| !message.is_empty()),
                request_id: said.map(|said| bounded(&said.request_id)),
            }
        }
        Error::ChangedMeanwhile { .. } => link_failure(false, LinkFault::ChangedMeanwhile),
        Error::NotProven { .. } | Error::NotReadAgain(_) => {
            link_failure(true, LinkFault::NotProven)
        }
        _ => return Err(error),
    };
    Ok(Finding {
        failure: Some(failure),
        ..Finding::default()
    })
}
