//! Whether everything is finished, and whether the service can be reached.
//!
//! The only place that decides this, from counts and from the results of requests that were made
//! anyway.

use serde::{Deserialize, Serialize};

use crate::call_outcome::{BAD_REQUEST, CallFailure};
use crate::interface::{Error as ApiError, Timestamp};
use crate::outbox::{Blocker, OutboxSummary};

/// The result of the last request to a profile's service, whichever it was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Connection {
    /// No request was sent since this process started.
    #[default]
    NotTried,
    /// The last request was answered, and not by an error of the service itself.
    Connected,
    /// The last request did not reach the service, or no answer came.
    NotReached,
    /// The last answer did not come from the service; it was, for instance, a sign-in page of a
    /// network.
    OtherAnswer,
    /// The service, or something in front of it, answered the last request with an error.
    ServiceErrors,
    TokenRefused,
    /// No request can be sent: no token, no keychain, or no practice service.
    NotReady,
}

impl Connection {
    /// Whether nothing is known that would keep a request from its answer.
    pub fn is_well(self) -> bool {
        match self {
            Self::NotTried | Self::Connected => true,
            Self::NotReached
            | Self::OtherAnswer
            | Self::ServiceErrors
            | Self::TokenRefused
            | Self::NotReady => false,
        }
    }
}

/// The connection to a profile's service, and the unfinished work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    pub connection: Connection,
    /// When the service last answered, in this process.
    pub last_contact: Option<Timestamp>,
    pub open: OpenWork,
    /// Whether everything is sent and confirmed, under every live profile; never true while there is an
    /// unseen report about an older or damaged file.
    pub all_done: bool,
    /// How many other live profiles have unfinished work; counted once this one has none.
    pub other_profiles: u32,
    /// When a service that does not say what it did is asked again, and nothing new is sold to it
    /// before; `None` while it says so.
    pub asked_again_at: Option<Timestamp>,
    /// Until when the service asks to be left alone; `None` when it may be asked.
    pub asks_to_wait_until: Option<Timestamp>,
    /// What kept the last request from the service, or that it asked to wait; `None` when it was answered.
    pub failure: Option<CallFailure>,
    /// Whether there is a report about a replaced data file that no person has seen.
    pub unseen_report: bool,
}

impl Overview {
    /// Decides from the counts, the last requests, what prevents sending and whether there is a
    /// rescue report that no person has seen.
    pub fn new(
        open: OpenWork,
        contact: Contact,
        blocker: Option<Blocker>,
        unseen_report: bool,
    ) -> Self {
        let connection = if blocker.is_some() {
            Connection::NotReady
        } else {
            contact.connection()
        };
        Self {
            connection,
            last_contact: contact.answered_at,
            all_done: connection.is_well() && !unseen_report && open.is_finished(),
            open,
            other_profiles: 0,
            asked_again_at: None,
            asks_to_wait_until: None,
            failure: contact.failure(),
            unseen_report,
        }
    }
}

/// All unfinished work of a profile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenWork {
    /// Entered contracts, including confirmed ones.
    pub outbox: OutboxSummary,
    /// Rows of the sheet that were not submitted, were returned for correction, were submitted and
    /// are not entries yet, or are entries that a paused run keeps back.
    pub sheet_rows: u32,
    /// Imports that were not started, are running or are paused, or have rejected rows that nobody
    /// has exported yet.
    pub runs: u32,
    /// Leads that wait to be sent or are being sent.
    pub leads_waiting: u32,
    /// Leads with an unknown outcome: a person decides.
    pub leads_unanswered: u32,
    /// Leads that the service refused and nobody sent again or cancelled.
    pub leads_rejected: u32,
    /// Sales that were typed at the counter and not submitted.
    pub drafts: u32,
    /// Leads that were typed and not created, and follow-ups of leads that were not saved.
    pub lead_drafts: u32,
    /// Products that were typed and not sent.
    pub product_drafts: u32,
}

/// A kind of work to finish before a day is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CloseItem {
    /// Contracts about which a person must decide.
    NeedsPerson,
    /// Refused contracts that were neither corrected nor cancelled.
    Rejected,
    /// Contracts that the provider may have more than once.
    PossibleDuplicates,
    /// Contracts with an unknown outcome.
    Unknown,
    /// Contracts that wait, are on hold or are being sent.
    Waiting,
    /// Accepted contracts that are not confirmed yet.
    Accepted,
    /// Leads without an answer.
    LeadsUnanswered,
    /// Leads that the service refused.
    LeadsRejected,
    LeadsWaiting,
    /// Rows of the sheet that were not registered.
    SheetRows,
    /// Imports that are unfinished, or whose rejected rows are not saved to a file yet.
    Runs,
    /// Sales typed at the counter and not registered.
    Drafts,
    /// Leads typed and not created, and follow-ups not saved.
    LeadDrafts,
    /// Products typed and not sent.
    ProductDrafts,
    /// Leads with a customer to be contacted some day. They keep a profile from being removed, and no day open.
    LeadsToFollowUp,
    /// Other live profiles on this computer with unfinished work; each has its own close of day.
    OtherProfiles,
    /// A report about a replaced data file that no person has read.
    Report,
    /// The service cannot be reached or asked, so that nothing is known to have arrived.
    Connection,
}

/// The amount of unfinished work of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CloseLine {
    pub item: CloseItem,
    /// The number of items; 0 when finished.
    pub count: u32,
}

impl OpenWork {
    /// The unfinished work by its kinds, those that need a person first.
    pub fn lines(&self) -> impl Iterator<Item = CloseLine> {
        // So that a new count cannot be forgotten.
        let Self {
            outbox,
            sheet_rows,
            runs,
            leads_waiting,
            leads_unanswered,
            leads_rejected,
            drafts,
            lead_drafts,
            product_drafts,
        } = self;
        [
            (CloseItem::NeedsPerson, outbox.needs_person),
            (CloseItem::Rejected, outbox.rejected),
            (CloseItem::PossibleDuplicates, outbox.possible_duplicates),
            (CloseItem::LeadsUnanswered, *leads_unanswered),
            (CloseItem::LeadsRejected, *leads_rejected),
            (CloseItem::Unknown, outbox.unknown),
            (CloseItem::Waiting, outbox.waiting + outbox.held),
            (CloseItem::Accepted, outbox.accepted),
            (CloseItem::LeadsWaiting, *leads_waiting),
            (CloseItem::SheetRows, *sheet_rows),
            (CloseItem::Runs, *runs),
            (CloseItem::Drafts, *drafts),
            (CloseItem::LeadDrafts, *lead_drafts),
            (CloseItem::ProductDrafts, *product_drafts),
        ]
        .into_iter()
        .map(|(item, count)| CloseLine { item, count })
    }

    /// Whether all submitted work is finished. What is being typed in a form was not submitted; the
    /// close of the day counts it.
    pub fn is_finished(&self) -> bool {
        use CloseItem::{Drafts, LeadDrafts, ProductDrafts};
        let is_typed = |item| matches!(item, Drafts | LeadDrafts | ProductDrafts);
        self.lines()
            .all(|line| line.count == 0 || is_typed(line.item))
    }

    /// Whether the day cannot be closed because of it.
    pub fn keeps_day_open(&self) -> bool {
        self.lines().any(|line| line.count > 0)
    }
}

/// What the requests of a profile showed about its service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Contact {
    /// What the last request found, whatever the service said of the token.
    last: Connection,
    /// Whether the service refused the token at its last use.
    pub token_refused: bool,
    pub answered_at: Option<Timestamp>,
    /// Why the last request failed, if it did.
    failure: Option<CallFailure>,
}

impl Contact {
    /// The state after one more request.
    pub fn after(
        mut self,
        with_token: bool,
        result: Result<(), &ApiError>,
        now: Timestamp,
    ) -> Self {
        let (found, refused) = match result {
            Ok(()) => (Connection::Connected, Some(false)),
            Err(ApiError::Refused { status, error, .. }) => {
                let refused = match status {
                    401 | 403 => Some(true),
                    400..=499 if *status != 429 => Some(false),
                    _ => None,
                };
                let found = match status {
                    500.. if error.code != BAD_REQUEST => Connection::ServiceErrors,
                    _ => Connection::Connected,
                };
                (found, refused)
            }
            // Whatever its body is, the service asks to wait.
            Err(ApiError::Unreadable { status: 429, .. }) => (Connection::Connected, None),
            // From the service, or from something of its own in front of it.
            Err(ApiError::Unreadable { status: 500.., .. }) => (Connection::ServiceErrors, None),
            Err(ApiError::Unreadable { .. }) => (Connection::OtherAnswer, None),
            Err(ApiError::NotSent(reason)) if !reason.is_unreachable() => return self,
            Err(ApiError::NotSent(_) | ApiError::NoAnswer(_)) => (Connection::NotReached, None),
        };
        self.last = found;
        self.failure = result.err().map(|error| CallFailure::of(false, error));
        if self.service_answered() {
            self.answered_at = Some(now);
        }
        if let Some(refused) = refused.filter(|_| with_token) {
            self.token_refused = refused;
        }
        self
    }

    /// The state after the profile's token was changed or removed.
    pub fn with_another_token(self) -> Self {
        Self {
            token_refused: false,
            ..self
        }
    }

    /// Whether the last request was answered by the service itself, whatever it said.
    fn service_answered(&self) -> bool {
        matches!(self.last, Connection::Connected | Connection::ServiceErrors)
    }

    pub fn connection(&self) -> Connection {
        if self.service_answered() && self.token_refused {
            Connection::TokenRefused
        } else {
            self.last
        }
    }

    /// What kept the last request from the service, or that it asked to wait; `None` when it was answered.
    pub fn failure(&self) -> Option<CallFailure> {
        let asks_to_wait = self.failure == Some(CallFailure::TooManyRequests);
        self.failure
            .filter(|_| asks_to_wait || !self.service_answered())
    }

    /// Whether a person is told something else of it than of another.
    pub fn is_told_apart_from(&self, other: &Self) -> bool {
        (self.connection(), self.failure()) != (other.connection(), other.failure())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day::tests::one_each;
    use crate::interface::{NoAnswer, NotSent, Unreadable};
    use crate::outbox::samples::{self, unreadable};

    fn at(second: i64) -> Timestamp {
        Timestamp::new(
            chrono::DateTime::from_timestamp(second, 0)
                .unwrap()
                .fixed_offset(),
        )
    }

    fn refused(status: u16) -> ApiError {
        samples::refused(status, "c", None)
    }

    fn answered() -> Contact {
        Contact::default().after(true, Ok(()), at(1))
    }

    fn done(open: OpenWork, contact: Contact, blocker: Option<Blocker>) -> bool {
        Overview::new(open, contact, blocker, false).all_done
    }

    #[test]
    fn all_is_done_only_while_nothing_waits_anywhere() {
        let nothing = OpenWork::default();
        assert!(done(nothing.clone(), answered(), None));
        assert!(done(nothing.clone(), Contact::default(), None));
        for open in one_each() {
            // What is being typed was not submitted.
            let typed = open.drafts + open.lead_drafts + open.product_drafts > 0;
            assert_eq!(done(open.clone(), answered(), None), typed, "{open:?}");
        }
        let mut confirmed = nothing.clone();
        confirmed.outbox.confirmed = 1;
        assert!(done(confirmed, answered(), None));
        assert!(!done(nothing.clone(), answered(), Some(Blocker::NoToken)));
        assert!(!Overview::new(nothing, answered(), None, true).all_done);
    }

    #[test]
    fn the_connection_is_what_the_last_request_of_any_kind_found() {
        use Connection::{Connected, NotReached, OtherAnswer, ServiceErrors, TokenRefused};

        let [page, gateway] = [200, 503].map(|it| unreadable(it, Unreadable::NotJson, None));
        let silence = ApiError::NoAnswer(NoAnswer::Timeout);
        let named = samples::refused(500, BAD_REQUEST, None);
        for (with_token, error, connection) in [
            (false, ApiError::NotSent(NotSent::Name), NotReached),
            (true, ApiError::NotSent(NotSent::Tls), NotReached),
            (true, silence, NotReached),
            (false, page, OtherAnswer),
            (true, gateway, ServiceErrors),
            (true, refused(401), TokenRefused),
            (true, refused(403), TokenRefused),
            (true, refused(404), Connected),
            (true, refused(429), Connected),
            (true, refused(500), ServiceErrors),
            (true, named, Connected),
            // Nothing was asked.
            (true, ApiError::NotSent(NotSent::NoToken), Connected),
        ] {
            let contact = answered().after(with_token, Err(&error), at(2));
            let overview = Overview::new(OpenWork::default(), contact, None, false);
            assert_eq!(overview.connection, connection, "{error}");
            assert_eq!(overview.all_done, connection == Connected);
            let again = contact.after(true, Ok(()), at(3));
            assert_eq!(again.connection(), Connected, "{error}");
        }
    }

    #[test]
    fn what_keeps_a_request_from_the_service_is_told_and_no_answer_of_its_own_but_a_wait() {
        let page = unreadable(200, Unreadable::NotJson, None);
        for (error, failure) in [
            (
                ApiError::NotSent(NotSent::Tls),
                Some(CallFailure::NotSecureConnection),
            ),
            (page, Some(CallFailure::Unreadable)),
            (refused(429), Some(CallFailure::TooManyRequests)),
            (refused(404), None),
            (refused(503), None),
        ] {
            let contact = answered().after(true, Err(&error), at(2));
            assert_eq!(contact.failure(), failure, "{error}");
            let changed = contact.connection() != Connection::Connected || failure.is_some();
            assert_eq!(contact.is_told_apart_from(&answered()), changed, "{error}");
        }
    }

    #[test]
    fn an_answer_to_a_request_without_a_token_says_nothing_of_the_token() {
        let declined = answered().after(true, Err(&refused(401)), at(2));
        let listed = declined.after(false, Ok(()), at(3));
        assert_eq!(listed.connection(), Connection::TokenRefused);
        assert_eq!(listed.answered_at, Some(at(3)));
        let failed = declined.after(true, Err(&refused(503)), at(4));
        assert_eq!(failed.connection(), Connection::TokenRefused);
        assert_eq!(failed.answered_at, Some(at(4)));
        assert_eq!(
            listed.with_another_token().connection(),
            Connection::Connected
        );
    }
}
