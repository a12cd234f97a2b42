//! Leads at rest. Every change is a compare-and-swap on the state, with its line of the journal.

use rusqlite::{Connection, Row, params};
use warranty_model::contracts::sale;
use warranty_model::day::Date;
use warranty_model::interface::LeadRequest;

use super::journal::{self, Line};
use super::{Result, Store, encryption_keys, profiles, sql_types};
use crate::query::{Query as _, Read};
use warranty_model::encrypted::Encrypted;
use warranty_model::leads::{EarlierLead, LeadMismatch, LeadState, LeadView};
use warranty_model::profile::Profile;

/// The statement that reads leads, with this at its end.
fn select(rest: &str) -> String {
    format!(
        "SELECT lead.id, lead.state, lead.transaction_id, lead.product_reference_id, product.title,
             lead.product_purchase_price, lead.quantity, lead.transaction_date, lead.status,
             lead.entered_at, lead.entered_by, lead.request_id, lead.refusal, lead.profile_id,
             lead.other_transaction_id, lead.other_product_reference_id, lead.token_key, lead.token,
             lead.store_key, lead.store_mark, lead.due, lead.note_key, lead.note, lead.number
         FROM lead LEFT JOIN product ON product.profile_id = lead.profile_id
             AND product.reference_id = lead.product_reference_id {rest}"
    )
}

#[derive(Debug, Clone)]
pub struct KeptLead {
    pub profile_id: String,
    /// As it is shown, without a token and a note.
    pub view: LeadView,
    pub token: Option<Encrypted>,
    /// Proves for which profile and store it was entered.
    pub entered_for: Option<Encrypted>,
    pub note: Option<Encrypted>,
}

#[derive(Debug, Clone)]
pub struct NewLead {
    pub id: String,
    /// As it was when the entry was checked.
    pub profile: Profile,
    /// Every profile of the store it is entered for.
    pub store_profiles: Vec<String>,
    pub request: LeadRequest,
    /// Proves for which profile and store it was entered.
    pub entered_for: Encrypted,
    /// The earlier lead beside which a person wants this one.
    pub beside: Option<String>,
    pub line: Line,
}

#[derive(Debug, Clone)]
pub enum Entered {
    Yes,
    /// Its id is known already.
    SameId,
    /// There is an earlier one for its transaction and product: it is not kept.
    Earlier(EarlierLead),
    /// The profile is gone or its address or store is another one: it is not kept.
    ProfileMoved,
}

/// What an answer or its absence changes of a lead.
#[derive(Debug, Clone)]
pub struct LeadOutcome {
    pub state: LeadState,
    /// State at the service, as it came.
    pub status: Option<String>,
    /// `requestId` of a refusal.
    pub request_id: Option<String>,
    /// The service's words of a refusal.
    pub refusal: Option<String>,
    /// What an answer named that was not sent; `None` leaves what is kept of an earlier one, unless the
    /// lead is created or cancelled now.
    pub mismatch: Option<LeadMismatch>,
    /// The token of a lead that is created now.
    pub token: Option<Encrypted>,
}

impl LeadOutcome {
    pub fn of(state: LeadState) -> Self {
        Self {
            state,
            status: None,
            request_id: None,
            refusal: None,
            mismatch: None,
            token: None,
        }
    }
}

impl Store {
    /// Leads that were in flight when a process ended become unknown.
    pub async fn interrupt_leads(&self) -> Result<()> {
        let sql = "UPDATE lead SET state = 'unknown' WHERE state = 'inFlight'";
        self.change(sql, []).await.map(drop)
    }

    /// Stores a new lead as queued, unless its id is known already, there is an earlier one that
    /// `beside` does not name, or its profile was removed or moved.
    pub async fn enter_lead(&self, new: NewLead) -> Result<Entered> {
        self.write(move |transaction| {
            let (request, profile) = (&new.request, &new.profile);
            let (base_url, store_id) = (&profile.base_url, &profile.store_id);
            if !profiles::is_current(transaction, &profile.id, base_url, store_id)? {
                return Ok(Entered::ProfileMoved);
            }
            if let Some(earlier) = earlier(transaction, &new.store_profiles, &new.id, request)?
                && new.beside.as_ref() != Some(&earlier.id)
            {
                return Ok(Entered::Earlier(earlier));
            }
            let entered = transaction.execute(
                "INSERT INTO lead (id, profile_id, state, transaction_id, product_reference_id,
                     product_purchase_price, quantity, transaction_date, entered_at, entered_by,
                     store_key, store_mark)
                 VALUES (?1, ?2, 'queued', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                 ON CONFLICT (id) DO NOTHING",
                params![
                    new.id,
                    profile.id,
                    request.transaction_id,
                    request.product.reference_id.as_str(),
                    request.product.purchase_price.get(),
                    request.quantity.get(),
                    request.transaction_date.to_string(),
                    new.line.at,
                    new.line.user,
                    new.entered_for.key_id,
                    new.entered_for.bytes,
                ],
            )?;
            if entered == 0 {
                return Ok(Entered::SameId);
            }
            journal::append(transaction, &new.line)?;
            Ok(Entered::Yes)
        })
        .await
    }

    /// The newest lead of some profiles, other than this one, for its transaction and product that may
    /// exist: all but the refused ones.
    pub async fn earlier_lead(
        &self,
        profile_ids: Vec<String>,
        lead: &LeadView,
    ) -> Result<Option<EarlierLead>> {
        let (id, request) = (lead.id.clone(), lead.request());
        self.call(move |connection| earlier(connection, &profile_ids, &id, &request))
            .await
    }

    pub async fn lead(&self, id: &str) -> Result<Option<KeptLead>> {
        self.call_for(id, one).await
    }

    pub async fn leads_in_flight(&self, profile_id: &str) -> Result<Vec<String>> {
        self.call_for(profile_id, in_flight).await
    }

    /// A profile's newest leads, and all others that are not finished or have a day on which to contact
    /// their customer; newest first.
    pub async fn listed_leads(&self, profile_id: &str, newest: u32) -> Result<Vec<KeptLead>> {
        let sql = select(
            "WHERE lead.profile_id = ?1 AND (lead.due IS NOT NULL
                 OR lead.state NOT IN ('created', 'cancelled')
                 OR lead.number >= (SELECT MIN(number) FROM (SELECT number FROM lead
                     WHERE profile_id = ?1 ORDER BY number DESC LIMIT ?2)))
             ORDER BY lead.number DESC",
        );
        self.list(sql, (profile_id.to_owned(), newest), lead).await
    }

    /// A profile's leads below a number, each with its own, newest first.
    pub async fn leads_below(
        &self,
        profile_id: &str,
        number: i64,
        limit: u32,
    ) -> Result<Vec<(i64, KeptLead)>> {
        let sql = select(
            "WHERE lead.profile_id = ?1 AND lead.number < ?2 ORDER BY lead.number DESC LIMIT ?3",
        );
        let numbered = |row: &Row<'_>| Ok((row.get(23)?, lead(row)?));
        self.list(sql, (profile_id.to_owned(), number, limit), numbered)
            .await
    }

    /// Keeps the day on which to contact the customer of a lead, or that there is none, and its
    /// note; `None` leaves the note as it is, and `Some(None)` deletes it. `false` when there is no
    /// such lead.
    pub async fn follow_up(
        &self,
        id: &str,
        due: Option<Date>,
        note: Option<Option<Encrypted>>,
        line: Line,
    ) -> Result<bool> {
        let id = id.to_owned();
        self.write(move |transaction| {
            let due = due.map(|due| due.to_string());
            let kept =
                transaction.execute("UPDATE lead SET due = ?2 WHERE id = ?1", params![id, due])?;
            if kept == 0 {
                return Ok(false);
            }
            if let Some(note) = note {
                let (key, text) = note.map(|note| (note.key_id, note.bytes)).unzip();
                transaction.execute(
                    "UPDATE lead SET note_key = ?2, note = ?3,
                         kept_at = CASE WHEN ?3 IS NOT NULL THEN ?4
                                        WHEN token IS NOT NULL THEN kept_at END
                     WHERE id = ?1",
                    params![id, key, text, line.at],
                )?;
            }
            journal::append(transaction, &line)?;
            Ok(true)
        })
        .await
    }

    /// How many customers of a profile's leads are to be contacted up to a day. A cancelled or
    /// refused lead is due for nobody.
    pub async fn follow_ups_due(&self, profile_id: &str, day: Date) -> Result<u32> {
        self.value(
            "SELECT COUNT(*) FROM lead WHERE profile_id = ?1 AND due <= ?2
             AND state NOT IN ('cancelled', 'rejected')",
            (profile_id.to_owned(), day.to_string()),
        )
        .await
    }

    /// How many of a profile's leads have a customer to be contacted some day.
    pub async fn leads_in_use(&self, profile_id: &str) -> Result<u32> {
        self.value(
            "SELECT COUNT(*) FROM lead WHERE profile_id = ?1 AND state NOT IN ('cancelled', 'rejected')
             AND due IS NOT NULL",
            [profile_id.to_owned()],
        )
        .await
    }

    /// Changes a lead if it still has the state the caller saw; `false` when it does not.
    pub async fn step_lead(
        &self,
        id: &str,
        from: LeadState,
        to: LeadOutcome,
        line: Option<Line>,
    ) -> Result<bool> {
        let id = id.to_owned();
        self.write(move |transaction| {
            let (mismatch, token) = (to.mismatch.as_ref(), to.token.as_ref());
            let forget =
                mismatch.is_some() || matches!(to.state, LeadState::Created | LeadState::Cancelled);
            let moved = transaction.execute(
                "UPDATE lead SET state = ?3, status = ?4, request_id = ?5, refusal = ?6,
                     other_transaction_id = CASE WHEN ?11 THEN ?7 ELSE other_transaction_id END,
                     other_product_reference_id =
                         CASE WHEN ?11 THEN ?8 ELSE other_product_reference_id END,
                     token_key = ?9, token = ?10, kept_at = COALESCE(?12, kept_at)
                 WHERE id = ?1 AND state = ?2",
                params![
                    id,
                    sql_types::text_of(&from)?,
                    sql_types::text_of(&to.state)?,
                    to.status,
                    to.request_id,
                    to.refusal,
                    mismatch.map(|other| &other.transaction_id),
                    mismatch.map(|other| &other.product_reference_id),
                    token.map(|token| &token.key_id),
                    token.map(|token| &token.bytes),
                    forget,
                    token.and(line.as_ref()).map(|line| line.at),
                ],
            )?;
            if moved == 0 {
                return Ok(false);
            }
            if let Some(line) = &line {
                journal::append(transaction, line)?;
            }
            Ok(true)
        })
        .await
    }
}

/// The newest lead of some profiles, other than `except`, for a request's transaction and product, however
/// they are written, that may exist: all but the refused ones.
fn earlier(
    connection: &Connection,
    profile_ids: &[String],
    except: &str,
    request: &LeadRequest,
) -> Read<Option<EarlierLead>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, state, entered_at, profile_id, transaction_id, product_reference_id FROM lead
         WHERE lower(ltrim(transaction_id, '0')) = ?1 AND id <> ?2 AND state <> 'rejected'
         ORDER BY number DESC",
    )?;
    let transaction = &request.transaction_id;
    let product = sale::typed_product(request.product.reference_id.as_str());
    let mut found = statement.query(params![sale::search_form(transaction), except])?;
    while let Some(row) = found.next()? {
        let profile: String = row.get(3)?;
        let (its_transaction, its_product): (String, String) = (row.get(4)?, row.get(5)?);
        if profile_ids.contains(&profile)
            && sale::is_alike(&its_transaction, transaction)
            && sale::typed_product(&its_product) == product
        {
            return Ok(Some(EarlierLead {
                id: row.get(0)?,
                state: sql_types::word(row, 1)?,
                entered_at: sql_types::instant(row, 2)?,
            }));
        }
    }
    Ok(None)
}

pub fn one(connection: &Connection, id: &str) -> Read<Option<KeptLead>> {
    connection.find(&select("WHERE lead.id = ?1"), [id], lead)
}

/// A profile's leads that wait to be sent, oldest first: all, because the first may never leave.
pub(super) fn queued(connection: &Connection, profile_id: &str) -> Read<Vec<String>> {
    connection.list(
        "SELECT id FROM lead WHERE profile_id = ?1 AND state = 'queued' ORDER BY number",
        [profile_id],
        |row| row.get(0),
    )
}

/// A profile's leads that are in flight, or were left there.
pub(super) fn in_flight(connection: &Connection, profile_id: &str) -> Read<Vec<String>> {
    let sql = "SELECT id FROM lead WHERE profile_id = ?1 AND state = 'inFlight' ORDER BY number";
    connection.list(sql, [profile_id], |row| row.get(0))
}

fn lead(row: &Row<'_>) -> Read<KeptLead> {
    let token = encryption_keys::at(row, 16)?;
    let note = encryption_keys::at(row, 21)?;
    let other = LeadMismatch {
        transaction_id: row.get(14)?,
        product_reference_id: row.get(15)?,
    };
    let differs = other.transaction_id.is_some() || other.product_reference_id.is_some();
    Ok(KeptLead {
        profile_id: row.get(13)?,
        view: LeadView {
            id: row.get(0)?,
            state: sql_types::word(row, 1)?,
            transaction_id: row.get(2)?,
            product_reference_id: sql_types::word(row, 3)?,
            product_title: row.get(4)?,
            product_purchase_price: sql_types::whole(row, 5)?,
            quantity: sql_types::whole(row, 6)?,
            transaction_date: sql_types::word(row, 7)?,
            status: row.get(8)?,
            entered_at: sql_types::instant(row, 9)?,
            entered_by: row.get(10)?,
            token: None,
            request_id: row.get(11)?,
            refusal: row.get(12)?,
            mismatch: differs.then_some(other),
            token_unreadable: token.is_some(),
            due: sql_types::word_or_none(row, 20)?,
            note: None,
            note_unreadable: note.is_some(),
            note_lost: false,
            key_lost: false,
        },
        token,
        note,
        entered_for: encryption_keys::at(row, 18)?,
    })
}

#[cfg(test)]
#[path = "leads_tests.rs"]
mod tests;
