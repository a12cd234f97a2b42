//! What the requests of a profile, of every kind, said of its service.
//!
//! Owns the notes, in memory, and that listeners are told when they change. Every client of a
//! profile's service is observed from where it is made.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use warranty_api::{Client, Error as ApiError, Observer};
use warranty_model::overview::Contact;

use super::Overviews;
use crate::context::Context;
use crate::work::UnsavedDrafts;
use warranty_model::outbox::Obstacle;

/// A contact that changed nothing but its time is told this long after the last one told.
const TELL_AGAIN: Duration = Duration::from_secs(20);

/// The contacts of all profiles, by id.
#[derive(Debug, Default)]
pub(crate) struct Contacts(Mutex<HashMap<String, Noted>>);

/// A contact, and when listeners were last told of it, on the monotonic clock.
#[derive(Debug, Clone, Copy, Default)]
struct Noted {
    contact: Contact,
    told: Option<Duration>,
}

impl Contacts {
    /// What is known of a profile's service.
    pub(super) fn of(&self, profile_id: &str) -> Contact {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.get(profile_id).copied().unwrap_or_default().contact
    }

    /// Changes what is known; `true` when listeners are to be told.
    fn change(
        &self,
        profile_id: &str,
        now: Duration,
        change: impl FnOnce(Contact) -> Contact,
    ) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = all.entry(profile_id.to_owned()).or_default();
        let before = noted.contact;
        noted.contact = change(before);
        let due = noted
            .told
            .is_none_or(|told| now.saturating_sub(told) >= TELL_AGAIN);
        let tell =
            noted.contact.connection() != before.connection() || (noted.contact != before && due);
        if tell {
            noted.told = Some(now);
        }
        tell
    }
}

/// Notes how the requests of one client ended, and keeps the waits that they were asked for.
#[derive(Debug)]
struct Note {
    /// Not held: a client may be kept in the context itself.
    context: Weak<Context>,
    contacts: Arc<Contacts>,
    obstacles: Arc<Mutex<HashMap<String, Obstacle>>>,
    unsaved: Arc<UnsavedDrafts>,
    profile_id: String,
    /// Whether the client's token is the one kept for the profile.
    kept_token: bool,
}

impl Observer for Note {
    fn request_ended(&self, with_token: bool, result: Result<(), &ApiError>) {
        let Some(context) = self.context.upgrade() else {
            return;
        };
        let overviews = Overviews {
            context,
            contacts: Arc::clone(&self.contacts),
            obstacles: Arc::clone(&self.obstacles),
            unsaved: Arc::clone(&self.unsaved),
        };
        let with_token = with_token && self.kept_token;
        let now = overviews.context.now();
        overviews.change_contact(&self.profile_id, |contact| {
            contact.after(with_token, result, now)
        });
        if let Err(error) = result {
            overviews.context.keep_rate_limit(&self.profile_id, error);
        }
    }
}

impl Overviews {
    /// A client whose requests tell of a profile's connection; `kept_token` says whether its token
    /// is the one kept for the profile.
    pub(crate) fn observed(&self, client: &Client, profile_id: &str, kept_token: bool) -> Client {
        client.observed(Arc::new(Note {
            context: Arc::downgrade(&self.context),
            contacts: Arc::clone(&self.contacts),
            obstacles: Arc::clone(&self.obstacles),
            unsaved: Arc::clone(&self.unsaved),
            profile_id: profile_id.to_owned(),
            kept_token,
        }))
    }

    /// A profile has another token, or none.
    pub(crate) fn token_changed(&self, profile_id: &str) {
        self.change_contact(profile_id, Contact::with_another_token);
    }

    fn change_contact(&self, profile_id: &str, change: impl FnOnce(Contact) -> Contact) {
        let now = self.context.clock.monotonic();
        if self.contacts.change(profile_id, now, change) {
            self.notify_later(profile_id);
        }
    }
}
