//! Whether everything is finished, and whether the service can be reached: one answer for the
//! window's header and for `wdesk`.
//!
//! Owns the one place where this is decided, and what is counted for it. Asks no service: what is
//! known of the connection comes from the requests that were made anyway (`contact`).

mod contact;

use serde::{Deserialize, Serialize};
use warranty_api::Timestamp;

pub(crate) use contact::{Contact, Contacts};
pub use warranty_model::open_work::OpenWork;

use crate::notice::Notice;
use crate::outbox::Obstacle;
use crate::{Desk, Error};

/// How the service of a profile answered last, whatever it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Connection {
    /// Nothing was asked since this process began.
    NotTried,
    /// The last request was answered.
    Connected,
    /// The last request did not get through, or no answer came.
    NotReached,
    /// The last answer was not the service's, for instance a sign-in page of a network.
    OtherAnswer,
    /// The service refuses the token.
    TokenRefused,
    /// Nothing can be asked from here: no token, no keychain, or no practice service.
    NotReady,
}

/// The connection to a profile's service and what is not finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The connection.
    pub connection: Connection,
    /// When the service last answered, in this process.
    pub last_contact: Option<Timestamp>,
    /// What is not finished.
    pub open: OpenWork,
    /// Whether it may be said that all is sent and confirmed: never while what an older or damaged
    /// file left open is a report that no person has seen.
    pub all_done: bool,
}

impl Overview {
    /// Decides from the counts, the last requests, what stands in the way and whether there is a
    /// rescue report that no person has seen.
    fn new(
        open: OpenWork,
        contact: Contact,
        obstacle: Option<Obstacle>,
        unseen_report: bool,
    ) -> Self {
        let connection = if obstacle.is_some() {
            Connection::NotReady
        } else {
            contact.connection()
        };
        let unhindered = match connection {
            Connection::NotTried | Connection::Connected => true,
            Connection::NotReached
            | Connection::OtherAnswer
            | Connection::TokenRefused
            | Connection::NotReady => false,
        };
        Self {
            connection,
            last_contact: contact.answered_at,
            all_done: unhindered && !unseen_report && open.is_finished(),
            open,
        }
    }
}

impl Desk {
    /// The connection of the chosen profile and what of it is not finished.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn overview(&self) -> Result<Overview, Error> {
        let profile = self.profile_now().await?;
        self.overview_of(&profile.id).await
    }

    /// The same for a profile.
    pub(crate) async fn overview_of(&self, profile_id: &str) -> Result<Overview, Error> {
        let mut open = self.inner.store.open_work(profile_id).await?;
        // Only the sheet says that its drafts hold entries: at the counter one sale is typed in view.
        open.sheet_rows += self.draft_entries(profile_id).await?.values().sum::<u32>();
        let contact = self.inner.contacts.of(profile_id);
        let unseen_report = self.rescue_summary().await?.is_some();
        let obstacle = self.obstacle_of(profile_id);
        Ok(Overview::new(open, contact, obstacle, unseen_report))
    }

    /// Tells listeners a profile's overview soon, without waiting for it.
    pub(crate) fn tell_overview_later(&self, profile_id: &str) {
        if self.inner.notices.receiver_count() > 0 {
            let (desk, id) = (self.clone(), profile_id.to_owned());
            tokio::spawn(async move { desk.tell_overview(&id).await });
        }
    }

    /// Tells listeners a profile's overview.
    pub(crate) async fn tell_overview(&self, profile_id: &str) {
        match self.overview_of(profile_id).await {
            Ok(overview) => self.tell(Notice::OverviewChanged {
                profile_id: profile_id.to_owned(),
                overview,
            }),
            Err(error) => tracing::debug!(%error, "the overview could not be read"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use warranty_api::{Error as ApiError, NoAnswer, NotSent, ServiceError, Unreadable};

    use super::*;
    use warranty_store::sql_types;

    fn at(second: i64) -> Timestamp {
        sql_types::moment(second * 1_000).unwrap()
    }

    fn refused(status: u16) -> ApiError {
        ApiError::Refused {
            status,
            error: ServiceError {
                request_id: "r".to_owned(),
                code: "c".to_owned(),
                error: "e".to_owned(),
            },
            retry_after: None,
        }
    }

    fn answered() -> Contact {
        Contact::default().after(true, Ok(()), at(1))
    }

    fn done(open: OpenWork, contact: Contact, obstacle: Option<Obstacle>) -> bool {
        Overview::new(open, contact, obstacle, false).all_done
    }

    #[test]
    fn all_is_done_only_while_nothing_waits_anywhere() {
        let nothing = OpenWork::default();
        assert!(done(nothing.clone(), answered(), None));
        assert!(done(nothing.clone(), Contact::default(), None));
        let one = |change: fn(&mut OpenWork)| {
            let mut open = nothing.clone();
            change(&mut open);
            open
        };
        for open in [
            one(|open| open.outbox.waiting = 1),
            one(|open| open.outbox.held = 1),
            one(|open| open.outbox.unknown = 1),
            one(|open| open.outbox.accepted = 1),
            one(|open| open.outbox.rejected = 1),
            one(|open| open.outbox.needs_person = 1),
            one(|open| open.outbox.possible_duplicates = 1),
            one(|open| open.sheet_rows = 1),
            one(|open| open.runs = 1),
            one(|open| open.leads_waiting = 1),
            one(|open| open.leads_unanswered = 1),
        ] {
            assert!(!done(open.clone(), answered(), None), "{open:?}");
        }
        let confirmed = one(|open| open.outbox.confirmed = 1);
        assert!(done(confirmed, answered(), None));
        assert!(!done(nothing.clone(), answered(), Some(Obstacle::NoToken)));
        assert!(!Overview::new(nothing, answered(), None, true).all_done);
    }

    #[test]
    fn the_connection_is_what_the_last_request_of_any_kind_found() {
        for (with_token, error, connection) in [
            (
                false,
                ApiError::NotSent(NotSent::Name),
                Connection::NotReached,
            ),
            (
                true,
                ApiError::NotSent(NotSent::Tls),
                Connection::NotReached,
            ),
            (
                true,
                ApiError::NoAnswer(NoAnswer::Timeout),
                Connection::NotReached,
            ),
            (
                false,
                ApiError::Unreadable {
                    status: 200,
                    reason: Unreadable::NotJson,
                    retry_after: None,
                },
                Connection::OtherAnswer,
            ),
            (true, refused(401), Connection::TokenRefused),
            (true, refused(403), Connection::TokenRefused),
            (true, refused(404), Connection::Connected),
            (true, refused(429), Connection::Connected),
            (true, refused(500), Connection::Connected),
            // Nothing was asked.
            (
                true,
                ApiError::NotSent(NotSent::NoToken),
                Connection::Connected,
            ),
        ] {
            let contact = answered().after(with_token, Err(&error), at(2));
            let overview = Overview::new(OpenWork::default(), contact, None, false);
            assert_eq!(overview.connection, connection, "{error}");
            assert_eq!(overview.all_done, connection == Connection::Connected);
            let again = contact.after(true, Ok(()), at(3));
            assert_eq!(again.connection(), Connection::Connected, "{error}");
        }
    }

    #[test]
    fn an_answer_to_a_request_without_a_token_says_nothing_of_the_token() {
        let refused = answered().after(true, Err(&refused(401)), at(2));
        let listed = refused.after(false, Ok(()), at(3));
        assert_eq!(listed.connection(), Connection::TokenRefused);
        assert_eq!(listed.answered_at, Some(at(3)));
        assert_eq!(
            listed.with_another_token().connection(),
            Connection::Connected
        );
    }
}
