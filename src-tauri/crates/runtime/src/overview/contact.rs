//! The last contact with each profile's service, observed from all its requests.
//!
//! Owns these contacts, in memory, and the notices when they change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use warranty_api::{Client, Error as ApiError, Observer};
use warranty_model::call_outcome::CallFailure;
use warranty_model::interface::Timestamp;
use warranty_model::overview::{Connection, Contact};

use super::Overviews;
use crate::context::Context;
use crate::work::{UnsavedDrafts, lock};
use warranty_model::outbox::circuit_breaker::CircuitBreaker;
use warranty_model::outbox::{Blocker, recovery};

/// Shortest time between notices of a contact of which only the time changed.
const REPEAT_AFTER: Duration = Duration::from_secs(20);

/// Shortest time between two lines of the log about one service.
const LOG_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// The contacts of all profiles, by id.
#[derive(Debug, Default)]
pub struct Contacts(Mutex<HashMap<String, Noted>>);

/// A contact, and when its last notice was sent and which one was written into the log, on the
/// monotonic clock.
#[derive(Debug, Clone, Copy, Default)]
struct Noted {
    contact: Contact,
    notified_at: Option<Duration>,
    logged: Option<(Duration, Contact)>,
}

impl Contacts {
    pub(crate) fn of(&self, profile_id: &str) -> Contact {
        let noted = lock(&self.0);
        noted.get(profile_id).copied().unwrap_or_default().contact
    }

    /// Changes a contact; `true` when a notice is due.
    fn change(
        &self,
        profile_id: &str,
        now: Duration,
        change: impl FnOnce(Contact) -> Contact,
    ) -> bool {
        let mut all = lock(&self.0);
        let noted = all.entry(profile_id.to_owned()).or_default();
        let before = noted.contact;
        noted.contact = change(before);
        let is_old = noted
            .notified_at
            .is_none_or(|at| now.saturating_sub(at) >= REPEAT_AFTER);
        let is_news = noted.contact.is_told_apart_from(&before);
        // Each time that the service asks to wait may be a longer one.
        let waits = noted.contact.failure() == Some(CallFailure::TooManyRequests);
        let notify = is_news || waits || (noted.contact != before && is_old);
        if notify {
            noted.notified_at = Some(now);
        }
        notify
    }

    /// A contact of which the log says something else, or nothing.
    fn to_log(&self, profile_id: &str, now: Duration) -> Option<Contact> {
        let mut all = lock(&self.0);
        let noted = all.get_mut(profile_id)?;
        let is_due = noted.logged.is_none_or(|(at, logged)| {
            now.saturating_sub(at) >= LOG_AGAIN_AFTER && noted.contact.is_told_apart_from(&logged)
        });
        is_due.then(|| {
            noted.logged = Some((now, noted.contact));
            noted.contact
        })
    }
}

/// Records how the requests of one client ended, and the waits that the service asked for.
#[derive(Debug)]
struct ContactObserver {
    /// Weak, because the context may own the client.
    context: Weak<Context>,
    contacts: Arc<Contacts>,
    blockers: Arc<Mutex<HashMap<String, Blocker>>>,
    unsaved: Arc<UnsavedDrafts>,
    profile_id: String,
    /// Whether the client uses the profile's stored token.
    kept_token: bool,
}

impl Observer for ContactObserver {
    fn request_ended(&self, with_token: bool, result: Result<(), &ApiError>) {
        let Some(context) = self.context.upgrade() else {
            return;
        };
        let overviews = Overviews {
            context,
            contacts: Arc::clone(&self.contacts),
            blockers: Arc::clone(&self.blockers),
            unsaved: Arc::clone(&self.unsaved),
        };
        let with_token = with_token && self.kept_token;
        let now = overviews.context.now();
        if let Err(error) = result {
            // First, so that the notice says until when the service asks to wait.
            overviews
                .context
                .keep_rate_limit(&self.profile_id, error, 1);
            if recovery::fails(error) {
                let now = overviews.context.clock.monotonic();
                let doubt = |breaker: &mut CircuitBreaker| breaker.recovery.doubt(now);
                overviews.context.work.change(&self.profile_id, doubt);
            }
        }
        overviews.change_contact(&self.profile_id, |contact| {
            contact.after(with_token, result, now)
        });
        let now = overviews.context.clock.monotonic();
        // Without the words of the service: it may repeat those of a customer.
        if let Some(contact) = self.contacts.to_log(&self.profile_id, now) {
            let (id, kind) = (&self.profile_id, contact.connection());
            let reason = contact.failure();
            if kind == Connection::Connected && reason.is_none() {
                tracing::info!("the service of profile {id} answers");
            } else {
                tracing::warn!(?kind, ?reason, "the service of profile {id} is not well");
            }
        }
    }
}

impl Overviews {
    /// A client whose requests update a profile's contact; `kept_token` is whether it uses the
    /// profile's stored token.
    pub fn observed(&self, client: &Client, profile_id: &str, kept_token: bool) -> Client {
        client.observed(Arc::new(ContactObserver {
            context: Arc::downgrade(&self.context),
            contacts: Arc::clone(&self.contacts),
            blockers: Arc::clone(&self.blockers),
            unsaved: Arc::clone(&self.unsaved),
            profile_id: profile_id.to_owned(),
            kept_token,
        }))
    }

    /// Whether the service refused a profile's stored token at the last request that tells.
    pub fn token_refused(&self, profile_id: &str) -> bool {
        self.contacts.of(profile_id).token_refused
    }

    /// Until when a profile's service asks to be left alone; `None` when it may be asked.
    pub fn asks_to_wait_until(&self, profile_id: &str) -> Option<Timestamp> {
        let wait = self.context.asked_to_wait(profile_id)?;
        let until = self.context.clock.now() + wait;
        Some(Timestamp::new(until.fixed_offset()))
    }

    /// The token of a profile was changed or removed.
    pub fn token_changed(&self, profile_id: &str) {
        self.change_contact(profile_id, Contact::with_another_token);
    }

    fn change_contact(&self, profile_id: &str, change: impl FnOnce(Contact) -> Contact) {
        let now = self.context.clock.monotonic();
        if self.contacts.change(profile_id, now, change) {
            self.notify_later(profile_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use warranty_api::NotSent;

    use super::*;

    #[test]
    fn the_log_ends_with_what_is_so() {
        let contacts = Contacts::default();
        let at = |seconds, result: Result<(), &ApiError>| {
            let now = Duration::from_secs(seconds);
            let moment = Timestamp::new(chrono::DateTime::UNIX_EPOCH.fixed_offset());
            contacts.change("counter", now, |contact| {
                contact.after(false, result, moment)
            });
            let logged = contacts.to_log("counter", now);
            logged.map(|contact| contact.connection())
        };
        let away = ApiError::NotSent(NotSent::Connect);
        assert_eq!(at(0, Ok(())), Some(Connection::Connected));
        assert_eq!(at(5, Err(&away)), None);
        assert_eq!(at(20, Err(&away)), Some(Connection::NotReached));
        assert_eq!(at(25, Ok(())), None);
        assert_eq!(at(31, Ok(())), Some(Connection::Connected));
    }
}
