//! A lead on its way: repeated by itself only while it is certain that nothing was done.
//!
//! Owns the steps of the state around one sending. The interface gives leads no idempotency key, so
//! an answer that did not come is never followed by another request unless a person says so.

use std::sync::Arc;
use std::time::Duration;

use warranty_api::{Client, Error as ApiError, Lead, LeadProduct, LeadRequest, NotSent};

use super::Leads;
use super::mismatch;
use super::{LeadMismatch, LeadState, LeadView};
use crate::notifications::Change;
use crate::repeats::{Hold, Outcome, retry_write};
use crate::work::TaskGuard;
use crate::{Error, StoreError};
use warranty_store::journal::Line;
use warranty_store::leads::LeadOutcome;

/// How often one sending tries while nothing was done.
const TRIES: u32 = 3;

/// Longest `Retry-After` waited for while someone stands at the counter.
const PATIENCE: Duration = Duration::from_secs(2);

/// Longest refusal kept, in characters.
const MAX_REFUSAL: usize = 2000;

/// A lead as answered, with what the answer named that was not sent.
type LeadAnswer = Result<(Lead, Option<LeadMismatch>), ApiError>;

impl Leads {
    /// Sends a lead that stands at `from`. It runs to its end even when the caller goes away, and
    /// `hand` holds it so long, so that no lead is left on its way without anyone watching it.
    pub(super) async fn send_lead(
        &self,
        id: &str,
        from: LeadState,
        hand: Option<Arc<TaskGuard>>,
    ) -> Result<LeadView, Error> {
        let this = self.clone();
        let id = id.to_owned();
        let carrying = async move {
            let sent = this.carry_lead(&id, from).await;
            drop(hand);
            sent
        };
        tokio::spawn(carrying)
            .await
            // The runtime is shutting down with the program.
            .map_err(|_| StoreError::Closed)?
    }

    async fn carry_lead(&self, id: &str, from: LeadState) -> Result<LeadView, Error> {
        let kept = self.kept_lead(id).await?;
        let profile = self.context.profile_by_id(&kept.profile_id).await?;
        let (client, fingerprint) = self.profiles.client_for(&profile).await?;
        self.expect_bound(&kept, &profile).await?;
        if fingerprint.is_some() && self.high_water.compare_before_sending(&profile).await? {
            // An older file was put back: whoever wanted this lead sent did not know that.
            return Err(Error::NotLawful);
        }
        let departed = LeadOutcome::of(LeadState::InFlight);
        if !self
            .context
            .store
            .step_lead(id, from, departed, None)
            .await?
        {
            return Err(Error::NotLawful);
        }
        self.high_water.update_soon();
        let answer = self.try_lead(&client, &request(&kept.view)).await;
        let mut outcome = outcome(from, &answer);
        let (token, mismatch) = match answer {
            Ok((lead, None)) => (Some(lead.token), None),
            Ok((lead, Some(mismatch))) => {
                let sealed = self.keep_lead_token(&profile, id, &lead.token).await;
                outcome.answer = Some((mismatch.clone(), sealed));
                (None, Some(mismatch))
            }
            Err(_) => (None, None),
        };
        let line = self.context.journal_line(action(outcome.state), id, None);
        let view = LeadView {
            state: outcome.state,
            status: outcome.status.clone(),
            request_id: outcome.request_id.clone(),
            refusal: outcome.refusal.clone(),
            token,
            token_kept: outcome.answer.as_ref().map_or(
                kept.view.token_kept && outcome.state == LeadState::Unknown,
                |(_, sealed)| sealed.is_some(),
            ),
            mismatch: mismatch.or(kept
                .view
                .mismatch
                .filter(|_| outcome.state == LeadState::Unknown)),
            ..kept.view
        };
        let stepped = self.step_lead_surely(id, outcome, line).await;
        self.notifications
            .notify_soon(&profile.id, Change::One(id))
            .await;
        match (stepped, &view.token) {
            (Ok(_), _) => Ok(view),
            (Err(error), Some(_)) => {
                // The token comes once and never again: it must reach the person all the same.
                tracing::error!(%error, "a created lead could not be kept as created");
                Ok(view)
            }
            (Err(error), None) => Err(error.into()),
        }
    }

    async fn try_lead(&self, client: &Client, request: &LeadRequest) -> LeadAnswer {
        let mut tries = 0;
        loop {
            let error = match client.create_lead(request).await {
                Ok(answer) => {
                    let mismatch = mismatch(request, &answer.value);
                    return Ok((answer.value, mismatch));
                }
                Err(error) => error,
            };
            tries += 1;
            if tries == TRIES {
                return Err(error);
            }
            match worth_another(&error) {
                Some(wait) if self.context.may_repeat() => {
                    tokio::time::sleep(wait).await;
                    self.context.pause(tries - 1).await;
                }
                Some(_) | None => return Err(error),
            }
        }
    }

    /// Writes what came of a lead on its way, again while the disk refuses: only this process
    /// knows. What cannot be written stays in flight, and is unknown as soon as the desk's file
    /// can be written again.
    async fn step_lead_surely(
        &self,
        id: &str,
        outcome: LeadOutcome,
        line: Line,
    ) -> Result<bool, StoreError> {
        let store = &self.context.store;
        retry_write(|| {
            store.step_lead(id, LeadState::InFlight, outcome.clone(), Some(line.clone()))
        })
        .await
    }

    /// Says of a lead that was left in flight, in nobody's hand, that nobody knows.
    pub(crate) async fn mark_unknown(&self, id: &str) -> Result<(), Error> {
        let outcome = LeadOutcome::of(LeadState::Unknown);
        let line = self.context.journal_line(action(outcome.state), id, None);
        self.context
            .store
            .step_lead(id, LeadState::InFlight, outcome, Some(line))
            .await?;
        let profile_id = self.kept_lead(id).await?.profile_id;
        self.notifications
            .notify_soon(&profile_id, Change::One(id))
            .await;
        Ok(())
    }
}

/// How long to wait before the same request may help, when nothing was done and it may.
fn worth_another(error: &ApiError) -> Option<Duration> {
    match error {
        _ if Outcome::of(error) == Outcome::Declined(Hold::Rate) => {
            Some(error.retry_after().unwrap_or_default()).filter(|wait| *wait <= PATIENCE)
        }
        ApiError::NotSent(NotSent::Name | NotSent::Connect) => Some(Duration::ZERO),
        // A certificate or a token does not mend itself, and what may have been done is not
        // repeated.
        ApiError::NotSent(NotSent::Tls | NotSent::NoToken | NotSent::Unsendable)
        | ApiError::Refused { .. }
        | ApiError::NoAnswer(_)
        | ApiError::Unreadable { .. } => None,
    }
}

/// Where an answer leaves a lead that stood at `from` before it was sent.
fn outcome(from: LeadState, answer: &LeadAnswer) -> LeadOutcome {
    let error = match answer {
        Ok((lead, None)) => {
            return LeadOutcome {
                status: lead.status.clone(),
                ..LeadOutcome::of(LeadState::Created)
            };
        }
        // Another lead's answer says nothing of this one.
        Ok((_, Some(_))) => return LeadOutcome::of(LeadState::Unknown),
        Err(error) => error,
    };
    let state = match Outcome::of(error) {
        // This time nothing was done, and it stands where it stood.
        Outcome::NotSent | Outcome::Declined(_) => from,
        Outcome::Rejected if from == LeadState::Unknown => LeadState::Unknown,
        Outcome::Rejected => LeadState::Rejected,
        Outcome::Unknown => LeadState::Unknown,
    };
    let (request_id, refusal) = match error {
        ApiError::Refused { error, .. } => (
            Some(error.request_id.clone()),
            Some(error.error.chars().take(MAX_REFUSAL).collect()),
        ),
        ApiError::NotSent(_) | ApiError::NoAnswer(_) | ApiError::Unreadable { .. } => (None, None),
    };
    LeadOutcome {
        state,
        status: None,
        request_id,
        refusal,
        answer: None,
    }
}

fn action(state: LeadState) -> &'static str {
    match state {
        LeadState::Created => "lead.created",
        LeadState::Rejected => "lead.rejected",
        LeadState::Unknown => "lead.unknown",
        LeadState::Queued => "lead.waits",
        LeadState::InFlight => "lead.sending",
        LeadState::Cancelled => "lead.cancelled",
    }
}

fn request(view: &LeadView) -> LeadRequest {
    LeadRequest {
        transaction_id: view.transaction_id.clone(),
        product: LeadProduct {
            reference_id: view.product_reference_id.clone(),
            purchase_price: view.product_purchase_price,
        },
        quantity: view.quantity,
        transaction_date: view.transaction_date,
    }
}

#[cfg(test)]
#[path = "send_tests.rs"]
mod tests;
