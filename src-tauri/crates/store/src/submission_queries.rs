//! Entries as they are shown and searched, their customers still encrypted.

use rusqlite::{Connection, Row};
use warranty_model::interface::{Amount, Contract};

use super::{Result, Store, encryption_keys, sql_types};
use crate::query::{Query as _, Read};
use warranty_model::contracts::{CustomerState, SubmissionView};
use warranty_model::encrypted::Encrypted;
use warranty_model::profile::Profile;

/// An entry as it is kept: the view has no customer yet.
#[derive(Debug, Clone)]
pub struct KeptEntry {
    /// All but the customer.
    pub view: SubmissionView,
    pub customer: Option<Encrypted>,
}

const VIEW: &str = "SELECT s.id, s.state, s.transaction_id, s.transaction_total,
        s.transaction_date, s.product_reference_id, s.product_title,
        s.product_purchase_price, s.plan_id, s.plan_title, s.plan_purchase_price, s.entered_at,
        s.entered_by, s.contract_id, s.inquiry_code,
        (SELECT COUNT(*) FROM attempt a WHERE a.batch_id = s.batch_id AND a.class IS NOT 'notSent'),
        CASE s.state WHEN 'accepted' THEN s.next_lookup_at
            WHEN 'queued' THEN b.next_at WHEN 'held' THEN b.next_at WHEN 'unknown' THEN b.next_at
            END,
        s.case_reason,
        CASE WHEN s.state NOT IN ('accepted', 'confirmed') THEN
            (SELECT a.detail FROM attempt a WHERE a.batch_id = s.batch_id AND a.code IS NOT NULL
                ORDER BY a.number DESC LIMIT 1) END,
        CASE WHEN s.state NOT IN ('accepted', 'confirmed') THEN
            (SELECT a.request_id FROM attempt a WHERE a.batch_id = s.batch_id AND a.code IS NOT NULL
                ORDER BY a.number DESC LIMIT 1) END,
        c.key_id, c.encrypted,
        s.duplicate_possible = 1 AND s.duplicate_reference IS NULL, s.duplicate_reference,
        s.status,
        s.state IN ('queued', 'held')
            AND EXISTS (SELECT 1 FROM run WHERE number = b.run AND state = 'paused')
    FROM submission s
    LEFT JOIN submission_customer c ON c.submission_id = s.id
    LEFT JOIN batch b ON b.id = s.batch_id";

impl Store {
    pub async fn submission(&self, id: &str) -> Result<Option<KeptEntry>> {
        self.call_for(id, one).await
    }

    /// Entries of these numbers, in this order.
    pub async fn submissions_numbered(&self, numbers: Vec<i64>) -> Result<Vec<KeptEntry>> {
        self.call(move |connection| {
            let sql = format!("{VIEW} WHERE s.number = ?1");
            let found = numbers
                .iter()
                .map(|number| connection.find(&sql, [number], entry));
            found.filter_map(Result::transpose).collect()
        })
        .await
    }

    /// The fee entered for a contract by its id, under whatever profile of the store, when its
    /// transaction and plan are those of the entry, whether it may exist more than once, and the store it
    /// was sold for.
    pub async fn entered_for(
        &self,
        profile: &Profile,
        contract: &Contract,
    ) -> Result<Option<(Amount, bool, String)>> {
        let store = profile.store();
        let values = [
            profile.id.as_str(),
            &store.origin,
            &store.store_id,
            contract.id.as_str(),
            &contract.transaction_id,
            contract.plan.id.as_str(),
        ];
        self.find(
            "SELECT plan_purchase_price,
                 duplicate_possible = 1 AND duplicate_reference IS NULL, store_id FROM submission
             WHERE (profile_id = ?1 OR (origin = ?2 AND store_id = ?3)) AND contract_id = ?4
               AND state <> 'cancelled' AND transaction_id = ?5 AND plan_id = ?6",
            values.map(str::to_owned),
            |row| Ok((sql_types::whole(row, 0)?, row.get(1)?, row.get(2)?)),
        )
        .await
    }

    /// The store for which an entry was sold.
    pub async fn store_of(&self, id: &str) -> Result<Option<String>> {
        let sql = "SELECT store_id FROM submission WHERE id = ?1";
        self.find(sql, [id.to_owned()], |row| row.get(0)).await
    }
}

pub(crate) fn one(connection: &Connection, id: &str) -> Read<Option<KeptEntry>> {
    connection.find(&format!("{VIEW} WHERE s.id = ?1"), [id], entry)
}

fn entry(row: &Row<'_>) -> Read<KeptEntry> {
    Ok(KeptEntry {
        view: SubmissionView {
            id: row.get(0)?,
            state: sql_types::word(row, 1)?,
            transaction_id: row.get(2)?,
            transaction_total: sql_types::whole(row, 3)?,
            transaction_date: sql_types::word(row, 4)?,
            customer: CustomerState::Forgotten,
            customer_name: None,
            customer_email: None,
            product_reference_id: sql_types::word(row, 5)?,
            product_title: row.get(6)?,
            product_purchase_price: sql_types::whole(row, 7)?,
            plan_id: sql_types::word(row, 8)?,
            plan_title: row.get(9)?,
            plan_purchase_price: sql_types::whole(row, 10)?,
            entered_at: sql_types::instant(row, 11)?,
            entered_by: row.get(12)?,
            contract_id: sql_types::word_or_none(row, 13)?,
            inquiry_code: row.get(14)?,
            attempts: row.get(15)?,
            next_at: sql_types::instant_or_none(row, 16)?,
            case: sql_types::word_or_none(row, 17)?,
            refusal: row.get(18)?,
            request_id: row.get(19)?,
            duplicate_possible: row.get(22)?,
            duplicate_checked: row.get(23)?,
            status: row.get(24)?,
            paused: row.get(25)?,
        },
        customer: encryption_keys::at(row, 20)?,
    })
}
