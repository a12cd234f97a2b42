//! Sends a lead, and repeats the request only while it is certain that nothing was done.
//!
//! Owns the states of a lead while it is sent. A lead has no idempotency key, so a request without
//! an answer is repeated only when a person decides so.

use std::sync::Arc;

use warranty_api::{Client, Error as ApiError, Lead, LeadRequest, Unreadable, bounded};

use super::{LeadMismatch, LeadState, LeadView, Leads, may_help, mismatch};
use crate::encryption::AssociatedData;
use crate::{Error, Operation, Result, StoreError};
use warranty_runtime::repeats::{Outcome, retry_write};
use warranty_runtime::work::{TaskGuard, lock};
use warranty_store::journal::{Line, PROGRAM};
use warranty_store::leads::LeadOutcome;

/// Maximum number of requests of one call.
const MAX_TRIES: u32 = 3;

/// The lead in the answer, with its differences from the request.
type LeadAnswer = Result<(Lead, Option<LeadMismatch>), ApiError>;

impl Leads {
    /// Sends a lead that is in the state `from`. Runs in a task that holds `guard`, so that it ends
    /// even when the caller is dropped. The outbox, which sends in the background, has none. Its
    /// outcome is recorded with `user`.
    pub(super) async fn send_lead(
        &self,
        id: &str,
        from: LeadState,
        guard: Option<Arc<TaskGuard>>,
        user: String,
    ) -> Result<LeadView> {
        let this = self.clone();
        let id = id.to_owned();
        let delivery = async move {
            let sent = this.deliver_lead(&id, from, user).await;
            drop(guard);
            sent
        };
        tokio::spawn(delivery)
            .await
            // The runtime is shutting down with the program.
            .map_err(|_| StoreError::Closed)?
    }

    async fn deliver_lead(&self, id: &str, from: LeadState, user: String) -> Result<LeadView> {
        let kept = self.kept_lead(id).await?;
        let profile = self.context.profile_by_id(&kept.profile_id).await?;
        let (client, fingerprint) = self.profiles.client_for(&profile).await?;
        self.expect_bound(&kept, &profile).await?;
        // Before it is sent: the service gives a token only once.
        let key = self.encryption.key_for(&profile).await?;
        if fingerprint.is_some() && self.high_water.compare_before_sending(&profile).await? {
            // An older database was restored; the user did not know that when sending this lead.
            return Err(Error::NotAllowed);
        }
        let in_flight = LeadOutcome::of(LeadState::InFlight);
        let store = &self.context.store;
        Error::ensure_allowed(store.step_lead(id, from, in_flight, None).await?)?;
        lock(&self.context.work.unwritten_leads).remove(id);
        self.high_water.update_soon();
        let request = kept.view.request();
        let answer = self.create_with_retries(&client, &request).await;
        let answer = match answer {
            Err(source) if from != LeadState::Queued && nothing_was_done(&source) => {
                // What the service said of it before still stands.
                let before = LeadOutcome {
                    status: kept.view.status,
                    request_id: kept.view.request_id,
                    refusal: kept.view.refusal,
                    ..LeadOutcome::of(from)
                };
                let line = self.context.journal_line("lead.notSent", id, None);
                self.step_lead_with_retry(id, before, line.by(&user)).await;
                self.changed(id).await;
                let operation = Operation::CreateLead;
                return Err(Error::Service { operation, source });
            }
            Ok(_) | Err(_) => answer,
        };
        let mut outcome = outcome(from, &answer);
        let token = match answer {
            Ok((lead, None)) => {
                let encrypted = key.encrypt(
                    AssociatedData::LeadToken(id),
                    lead.token.expose().as_bytes(),
                );
                outcome.token = encrypted
                    .inspect_err(|error| tracing::error!(%error, "a lead's token is not kept"))
                    .ok();
                Some(lead.token)
            }
            Ok((_, Some(_))) | Err(_) => None,
        };
        let line = self.context.journal_line(outcome.state.action(), id, None);
        let line = line.by(&user);
        let view = LeadView {
            state: outcome.state,
            status: outcome.status.clone(),
            request_id: outcome.request_id.clone(),
            refusal: outcome.refusal.clone(),
            token,
            mismatch: (outcome.mismatch.clone())
                .or(kept.view.mismatch)
                .filter(|_| outcome.state == LeadState::Unknown),
            ..kept.view
        };
        self.step_lead_with_retry(id, outcome, line).await;
        self.changed(id).await;
        Ok(view)
    }

    async fn create_with_retries(&self, client: &Client, request: &LeadRequest) -> LeadAnswer {
        let mut tries = 0;
        loop {
            let error = match client.create_lead(request).await {
                Ok(answer) if answer.value.token.expose().trim().is_empty() => {
                    // A created lead always has a token: without one the outcome is unknown.
                    ApiError::Unreadable {
                        status: answer.status,
                        reason: Unreadable::OtherShape,
                        retry_after: None,
                    }
                }
                Ok(answer) => {
                    let mismatch = mismatch(request, &answer.value);
                    return Ok((answer.value, mismatch));
                }
                Err(error) => error,
            };
            tries += 1;
            if tries == MAX_TRIES || !may_help(&error) || !self.context.may_repeat(&error) {
                return Err(error);
            }
            self.context.pause(tries - 1, &error).await;
        }
    }

    /// Writes the outcome of a lead and retries when the write fails, because only this process knows
    /// it. While it cannot be written, the lead stays in flight.
    async fn step_lead_with_retry(&self, id: &str, outcome: LeadOutcome, line: Line) {
        let store = &self.context.store;
        let written = retry_write(|| {
            store.step_lead(id, LeadState::InFlight, outcome.clone(), Some(line.clone()))
        })
        .await;
        if let Err(error) = written {
            tracing::error!(%error, "the outcome of a sent lead could not be written yet");
            let unwritten = (outcome, line);
            lock(&self.context.work.unwritten_leads).insert(id.to_owned(), unwritten);
        }
    }

    /// Writes the outcome of a lead in flight that no task is sending: the one that could not be
    /// written before, or unknown.
    pub(crate) async fn write_outcome(&self, id: &str) -> Result<()> {
        let (store, unwritten) = (&self.context.store, &self.context.work.unwritten_leads);
        let known = lock(unwritten).get(id).cloned();
        let (outcome, line) = known.unwrap_or_else(|| {
            let unknown = LeadOutcome::of(LeadState::Unknown);
            let line = self.context.journal_line(unknown.state.action(), id, None);
            (unknown, line.by(PROGRAM))
        });
        store
            .step_lead(id, LeadState::InFlight, outcome, Some(line))
            .await?;
        lock(unwritten).remove(id);
        self.changed(id).await;
        Ok(())
    }
}

fn nothing_was_done(error: &ApiError) -> bool {
    matches!(Outcome::of(error), Outcome::NotSent | Outcome::Declined(_))
}

/// The outcome of an answer to a lead that was in the state `from` before it was sent.
fn outcome(from: LeadState, answer: &LeadAnswer) -> LeadOutcome {
    let error = match answer {
        Ok((lead, None)) => {
            return LeadOutcome {
                status: lead.status.as_deref().map(bounded),
                ..LeadOutcome::of(LeadState::Created)
            };
        }
        // An answer about another lead proves nothing about this one, and its token may be another's.
        Ok((_, mismatch)) => {
            return LeadOutcome {
                mismatch: mismatch.clone(),
                ..LeadOutcome::of(LeadState::Unknown)
            };
        }
        Err(error) => error,
    };
    let state = match Outcome::of(error) {
        // Nothing was done, so it waits as before.
        Outcome::NotSent | Outcome::Declined(_) => from,
        Outcome::Rejected if from == LeadState::Unknown => LeadState::Unknown,
        Outcome::Rejected => LeadState::Rejected,
        Outcome::Unknown => LeadState::Unknown,
    };
    let said = error.said();
    LeadOutcome {
        request_id: said.map(|said| bounded(&said.request_id)),
        refusal: said.map(|said| bounded(&said.error)),
        ..LeadOutcome::of(state)
    }
}

#[cfg(test)]
#[path = "send_tests.rs"]
mod tests;
