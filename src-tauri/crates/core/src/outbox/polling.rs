//! Accepted entries, looked up until the service returns them.
//!
//! Owns the lookups of the outbox. Whatever they find, nothing is ever sent anew because of it.

use std::time::Duration;

use warranty_api::{Error as ApiError, NotSent};

use super::classify;
use super::confirmation::{self, Finding};
use super::sending::{Sent, items, millis};
use super::state::{Event, Instant, Record, State, step};
use super::waits;
use crate::profile::Profile;
use crate::store::cases::{self, Case, Settlement};
use crate::{Desk, Error};

/// What a lookup tells.
enum Seen {
    /// Something about the contract.
    Finding(Finding),
    /// Nothing about it; what it says of the way to the service, and how long to wait at least.
    Nothing(Sent, Duration),
}

impl Desk {
    /// Looks an accepted entry up once.
    pub(super) async fn look(&self, profile: &Profile, id: &str) -> Result<Sent, Error> {
        let wanted = id.to_owned();
        let case = self
            .inner
            .store
            .call(move |connection| cases::load(connection, &wanted))
            .await?;
        let Some(case) = case.filter(|case| case.state == State::Accepted) else {
            return Ok(Sent::Nothing);
        };
        let items = items(&case.batch);
        let (Some(contract_id), Some(sent)) = (&case.contract_id, items.get(case.position)) else {
            return Ok(Sent::Nothing);
        };
        let Some(counterpart) = self.counterpart(profile).await else {
            return Ok(Sent::NoWay);
        };
        let seen = match counterpart.service.get_contract(contract_id).await {
            Ok(answer) => Seen::Finding(confirmation::compare(contract_id, sent, &answer.value)),
            Err(error) => self.unseen(&case, &error),
        };
        match seen {
            Seen::Finding(finding) => {
                self.say_online(true);
                self.settle_finding(profile, &case, finding).await?;
                Ok(Sent::Answered)
            }
            Seen::Nothing(sent, wait) => {
                match sent {
                    Sent::Answered => self.say_online(true),
                    Sent::Offline(_) => self.say_online(false),
                    Sent::NoWay | Sent::Nothing => {}
                }
                self.look_later(&case, State::Accepted, wait).await?;
                Ok(sent)
            }
        }
    }

    /// What a lookup without a contract tells.
    fn unseen(&self, case: &Case, error: &ApiError) -> Seen {
        let fraction = self.inner.ids.fraction();
        let wait = confirmation::wait(case.lookups.saturating_add(1), fraction);
        match error {
            ApiError::Refused {
                status,
                retry_after,
                ..
            } => {
                if classify::declined(*status).is_some() {
                    let asked = waits::asked(*retry_after, 1, fraction);
                    Seen::Nothing(Sent::Answered, wait.max(asked))
                } else if (500..600).contains(status) {
                    Seen::Nothing(Sent::Answered, wait)
                } else {
                    Seen::Finding(Finding::NotYet)
                }
            }
            ApiError::NotSent(NotSent::Name | NotSent::Connect | NotSent::Tls) => {
                let again = self.lane_wait(&case.profile_id);
                Seen::Nothing(Sent::Offline(again), wait)
            }
            ApiError::NotSent(NotSent::NoToken | NotSent::Unsendable) => {
                Seen::Nothing(Sent::NoWay, wait)
            }
            ApiError::NoAnswer(_) => Seen::Nothing(Sent::Nothing, wait),
            ApiError::Unreadable { .. } => Seen::Nothing(Sent::Answered, wait),
        }
    }

    async fn settle_finding(
        &self,
        profile: &Profile,
        case: &Case,
        finding: Finding,
    ) -> Result<(), Error> {
        let record = Record {
            accepted_at: case.accepted_at,
            ..case.batch.record.clone()
        };
        let now = Instant {
            wall: self.steady_now(),
            ..self.instant()
        };
        let Ok(next) = step(
            State::Accepted,
            &record,
            Event::LookedUp(finding),
            &profile.facts,
            now,
        ) else {
            return Ok(());
        };
        let wait = confirmation::wait(case.lookups.saturating_add(1), self.inner.ids.fraction());
        self.look_later(case, next.to, wait).await?;
        if next.to != State::Accepted {
            self.publish(&profile.id).await;
        }
        Ok(())
    }

    async fn look_later(&self, case: &Case, to: State, wait: Duration) -> Result<(), Error> {
        let settlement = Settlement {
            id: case.id.clone(),
            from: State::Accepted,
            revision: case.batch.revision,
            to,
            at: self.instant().wall,
            contract: None,
            next_lookup_at: (to == State::Accepted)
                .then(|| self.steady_now().saturating_add(millis(wait))),
            resolved: None,
            dissolve: false,
            anew: Vec::new(),
            lines: Vec::new(),
        };
        self.inner
            .store
            .call(move |connection| cases::settle(connection, &settlement))
            .await?;
        Ok(())
    }
}
