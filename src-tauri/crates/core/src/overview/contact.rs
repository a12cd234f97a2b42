//! What the requests of a profile, of every kind, said of its service.
//!
//! Owns the notes, in memory, and that listeners are told when they change. Every client of a
//! profile's service is observed from where it is made.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use warranty_api::{Client, Error as ApiError, NotSent, Observer, Timestamp};

use super::Connection;
use crate::Desk;
use crate::desk::Inner;

/// A contact that changed nothing but its time is told this long after the last one told.
const TELL_AGAIN: Duration = Duration::from_secs(20);

/// What the requests of a profile said of its service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Contact {
    /// How the last request ended; `None` before there was one.
    last: Option<Reached>,
    /// Whether the service refused the token when it last saw it.
    token_refused: bool,
    /// When the service last answered.
    pub answered_at: Option<Timestamp>,
}

/// Whether a request reached the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reached {
    Answered,
    OtherAnswer,
    No,
}

impl Contact {
    /// What is known after one more request.
    pub(super) fn after(
        mut self,
        with_token: bool,
        result: Result<(), &ApiError>,
        now: Timestamp,
    ) -> Self {
        let (reached, refused) = match result {
            Ok(()) => (Reached::Answered, Some(false)),
            Err(ApiError::Refused { status, .. }) => {
                let refused = match status {
                    401 | 403 => Some(true),
                    400..=499 if *status != 429 => Some(false),
                    _ => None,
                };
                (Reached::Answered, refused)
            }
            // Whatever its body is, it asks to wait.
            Err(ApiError::Unreadable { status: 429, .. }) => (Reached::Answered, None),
            Err(ApiError::Unreadable { .. }) => (Reached::OtherAnswer, None),
            Err(ApiError::NotSent(NotSent::Name | NotSent::Connect | NotSent::Tls))
            | Err(ApiError::NoAnswer(_)) => (Reached::No, None),
            Err(ApiError::NotSent(NotSent::NoToken | NotSent::Unsendable)) => return self,
        };
        self.last = Some(reached);
        if reached == Reached::Answered {
            self.answered_at = Some(now);
        }
        if let Some(refused) = refused.filter(|_| with_token) {
            self.token_refused = refused;
        }
        self
    }

    /// What is known once the profile has another token, or none.
    pub(super) fn with_another_token(self) -> Self {
        Self {
            token_refused: false,
            ..self
        }
    }

    /// The connection as it is to be shown.
    pub(super) fn connection(&self) -> Connection {
        match self.last {
            None => Connection::NotTried,
            Some(Reached::No) => Connection::NotReached,
            Some(Reached::OtherAnswer) => Connection::OtherAnswer,
            Some(Reached::Answered) if self.token_refused => Connection::TokenRefused,
            Some(Reached::Answered) => Connection::Connected,
        }
    }
}

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
    /// Not held: a client may be kept by the desk itself.
    desk: Weak<Inner>,
    profile_id: String,
    /// Whether the client's token is the one kept for the profile.
    kept_token: bool,
}

impl Observer for Note {
    fn request_ended(&self, with_token: bool, result: Result<(), &ApiError>) {
        if let Some(inner) = self.desk.upgrade() {
            let with_token = with_token && self.kept_token;
            let desk = Desk { inner };
            let now = desk.now();
            desk.change_contact(&self.profile_id, |contact| {
                contact.after(with_token, result, now)
            });
            if let Err(error) = result {
                desk.respect_rate(&self.profile_id, error);
            }
        }
    }
}

impl Desk {
    /// A client whose requests tell of a profile's connection; `kept_token` says whether its token
    /// is the one kept for the profile.
    pub(crate) fn observed(&self, client: &Client, profile_id: &str, kept_token: bool) -> Client {
        client.observed(Arc::new(Note {
            desk: Arc::downgrade(&self.inner),
            profile_id: profile_id.to_owned(),
            kept_token,
        }))
    }

    /// A profile has another token, or none.
    pub(crate) fn contact_token_changed(&self, profile_id: &str) {
        self.change_contact(profile_id, Contact::with_another_token);
    }

    fn change_contact(&self, profile_id: &str, change: impl FnOnce(Contact) -> Contact) {
        let now = self.inner.clock.monotonic();
        if self.inner.contacts.change(profile_id, now, change) {
            self.tell_overview_later(profile_id);
        }
    }
}
