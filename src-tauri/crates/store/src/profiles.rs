//! Profiles at rest. Their tokens are not here.

use rusqlite::{Connection, Row, params};

use super::{Result, Store, journal, settings, sql_types};
use crate::query::{Query as _, Read};
use warranty_model::profile::{Display, Profile, ProfileKind, ProviderFacts};
use warranty_model::search_text::fold;

/// The statement that reads profiles, with this at its end.
fn select(rest: &str) -> String {
    format!(
        "SELECT id, name, kind, base_url, store_id, utc_offset_minutes, currency, term_unit,
             bulk_fact, key_replay_seconds, time_zone FROM profile {rest}"
    )
}

/// Whether a profile could be kept under its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    Yes,
    NameTaken,
    /// Address or store would move away from so many entries, rows and leads that are not finished.
    Open(u32),
}

impl Store {
    /// All profiles that were not removed, by name.
    pub async fn profiles(&self) -> Result<Vec<Profile>> {
        let sql = select("WHERE removed_at IS NULL ORDER BY name_key");
        self.list(sql, [], profile).await
    }

    /// The profile of this id, or else of this name.
    pub async fn profile(&self, id_or_name: &str) -> Result<Option<Profile>> {
        self.call_for(id_or_name, by_id_or_name).await
    }

    pub async fn current_profile(&self) -> Result<Option<Profile>> {
        let sql =
            select("WHERE removed_at IS NULL AND id = (SELECT value FROM setting WHERE name = ?1)");
        self.find(sql, [settings::CURRENT_PROFILE], profile).await
    }

    /// How many entries, rows of runs that go on or come back to be corrected, and leads of a profile
    /// are not finished. A rejected entry is not until a person corrects, cancels or enters it again.
    pub async fn unfinished_count(&self, profile_id: &str) -> Result<u32> {
        self.call_for(profile_id, open).await
    }

    /// Another profile that has the name of this one.
    pub async fn profile_of_same_name(&self, profile: &Profile) -> Result<Option<Profile>> {
        let profile = profile.clone();
        self.call(move |connection| of_same_name(connection, &profile))
            .await
    }

    /// Keeps a new or changed profile, chooses it when asked to, and writes the journal: all or
    /// none. What is not finished keeps a live profile's address and store where they are. At another
    /// server nothing is known of the former one's products and contracts.
    pub async fn keep_profile(
        &self,
        profile: &Profile,
        choose: bool,
        line: journal::Line,
    ) -> Result<Kept> {
        let profile = profile.clone();
        self.write(move |transaction| {
            if of_same_name(transaction, &profile)?.is_some() {
                return Ok(Kept::NameTaken);
            }
            let sql = select("WHERE id = ?1 AND kind = 'live'");
            if let Some(before) = transaction.find(&sql, [&profile.id], self::profile)? {
                let stays =
                    before.base_url == profile.base_url && before.store_id == profile.store_id;
                if !stays && let open @ 1.. = open(transaction, &profile.id)? {
                    return Ok(Kept::Open(open));
                }
                if before.store().origin != profile.store().origin {
                    forget_server(transaction, &profile.id)?;
                }
            }
            transaction.execute(
                "INSERT INTO profile (id, name, name_key, kind, base_url, store_id,
                     utc_offset_minutes, currency, term_unit, bulk_fact, key_replay_seconds,
                     time_zone)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
                 ON CONFLICT (id) DO UPDATE SET
                     name = excluded.name, name_key = excluded.name_key,
                     base_url = excluded.base_url, store_id = excluded.store_id,
                     utc_offset_minutes = excluded.utc_offset_minutes,
                     currency = excluded.currency, term_unit = excluded.term_unit,
                     bulk_fact = excluded.bulk_fact, time_zone = excluded.time_zone,
                     key_replay_seconds = excluded.key_replay_seconds,
                     removed_at = NULL",
                params![
                    profile.id,
                    profile.name,
                    key(&profile.name),
                    sql_types::text_of(&profile.kind)?,
                    profile.base_url,
                    profile.store_id,
                    profile.utc_offset_minutes,
                    profile.display.currency,
                    profile.display.term_unit,
                    sql_types::text_of(&profile.facts.bulk)?,
                    profile.facts.key_replay_seconds,
                    profile.time_zone,
                ],
            )?;
            if choose {
                settings::set(transaction, settings::CURRENT_PROFILE, Some(&profile.id))?;
            }
            journal::append(transaction, &line)?;
            Ok(Kept::Yes)
        })
        .await
    }

    pub async fn choose_profile(&self, id: &str, line: journal::Line) -> Result<()> {
        let id = id.to_owned();
        self.write(move |transaction| {
            let chosen = settings::get(transaction, settings::CURRENT_PROFILE)?;
            if chosen.as_ref() == Some(&id) {
                return Ok(());
            }
            settings::set(transaction, settings::CURRENT_PROFILE, Some(&id))?;
            journal::append(transaction, &line)
        })
        .await
    }

    /// Removes a profile from sight; what was done under it stays. Returns how many entries, rows and
    /// leads of it are not finished: with any, nothing has changed.
    pub async fn remove_profile(&self, id: &str, line: journal::Line) -> Result<u32> {
        let id = id.to_owned();
        self.write(move |transaction| {
            if let open @ 1.. = open(transaction, &id)? {
                return Ok(open);
            }
            transaction.execute(
                "UPDATE profile SET removed_at = ?2 WHERE id = ?1",
                params![id, line.at],
            )?;
            for sql in [
                // Rows that were saved, or never whole, hold customers that are not needed any more.
                "DELETE FROM run_chunk WHERE run IN (SELECT number FROM run WHERE profile_id = ?1)",
                "UPDATE run SET state = 'cancelled', layout = x'' WHERE profile_id = ?1
                     AND state IN ('staged', 'running', 'paused')",
                "DELETE FROM draft WHERE profile_id = ?1",
            ] {
                transaction.execute(sql, [&id])?;
            }
            transaction.execute(
                "DELETE FROM setting WHERE name = ?1 AND value = ?2",
                [settings::CURRENT_PROFILE, &id],
            )?;
            journal::append(transaction, &line)?;
            Ok(0)
        })
        .await
    }

    /// Every profile there ever was, by its id.
    pub async fn every_profile(&self) -> Result<Vec<String>> {
        self.list("SELECT id FROM profile", [], |row| row.get(0))
            .await
    }

    /// The profiles there ever were for a profile's store, itself included, by their ids: a store
    /// has its leads whatever profile they were entered under.
    pub async fn profiles_of_store(&self, profile: &Profile) -> Result<Vec<String>> {
        let mut all = self.call(ever).await?;
        all.retain(|other| other.store() == profile.store());
        Ok(all.into_iter().map(|other| other.id).collect())
    }
}

/// Whether a profile is there and sends to this address for this store.
pub(super) fn is_current(
    connection: &Connection,
    id: &str,
    base_url: &str,
    store_id: &str,
) -> Read<bool> {
    connection.value(
        "SELECT EXISTS (SELECT 1 FROM profile
             WHERE id = ?1 AND base_url = ?2 AND store_id = ?3 AND removed_at IS NULL)",
        [id, base_url, store_id],
    )
}

/// How many entries, leads and rows of a profile are not finished. Another entry of a refused sale is
/// searched for by the index of sales, which begins with the transaction in its plain form.
const OPEN: &str = "SELECT (SELECT COUNT(*) FROM submission s WHERE profile_id = ?1
                 AND (state NOT IN ('confirmed', 'rejected', 'cancelled')
                     OR (duplicate_possible = 1 AND duplicate_reference IS NULL)
                     OR (state = 'rejected' AND NOT EXISTS (SELECT 1 FROM submission o
                         WHERE o.origin = s.origin AND o.store_id = s.store_id
                             AND lower(ltrim(o.transaction_id, '0')) = lower(ltrim(s.transaction_id, '0'))
                             AND o.transaction_id = s.transaction_id
                             AND o.product_reference_id = s.product_reference_id
                             AND o.plan_id = s.plan_id
                             AND o.state NOT IN ('rejected', 'cancelled')))))
          + (SELECT COUNT(*) FROM lead WHERE profile_id = ?1
                 AND state IN ('queued', 'inFlight', 'unknown'))
          + (SELECT COALESCE(SUM(CASE
                     WHEN state = 'staged' THEN rows
                     WHEN state IN ('running', 'paused')
                         THEN rows - entered - already_entered - rejected * rejected_taken
                     ELSE rejected * (1 - rejected_taken) END), 0)
                 FROM run WHERE profile_id = ?1 AND hidden = 0
                 AND (whole = 1 OR state <> 'staged'))";

fn open(connection: &Connection, id: &str) -> Read<u32> {
    connection.value(OPEN, [id])
}

/// Forgets what the former server of a profile said of products and contracts.
fn forget_server(transaction: &Connection, id: &str) -> Read<()> {
    for table in ["product", "lookup"] {
        let sql = format!("DELETE FROM {table} WHERE profile_id = ?1");
        transaction.execute(&sql, [id])?;
    }
    Ok(())
}

/// Every profile there ever was, the removed ones included.
pub(crate) fn ever(connection: &Connection) -> Read<Vec<Profile>> {
    connection.list(&select(""), [], profile)
}

pub(super) fn by_id_or_name(connection: &Connection, id_or_name: &str) -> Read<Option<Profile>> {
    let sql = select(
        "WHERE removed_at IS NULL AND (id = ?1 OR name_key = ?2) ORDER BY id = ?1 DESC LIMIT 1",
    );
    connection.find(&sql, [id_or_name, &key(id_or_name)], profile)
}

fn of_same_name(connection: &Connection, other: &Profile) -> Read<Option<Profile>> {
    let sql = select("WHERE removed_at IS NULL AND name_key = ?1 AND id <> ?2");
    connection.find(&sql, [&key(&other.name), &other.id], profile)
}

fn key(name: &str) -> String {
    fold(name).trim().to_owned()
}

fn profile(row: &Row<'_>) -> Read<Profile> {
    Ok(Profile {
        id: row.get(0)?,
        name: row.get(1)?,
        kind: sql_types::word::<ProfileKind>(row, 2)?,
        base_url: row.get(3)?,
        store_id: row.get(4)?,
        utc_offset_minutes: row.get(5)?,
        display: Display {
            currency: row.get(6)?,
            term_unit: row.get(7)?,
        },
        facts: ProviderFacts {
            bulk: sql_types::word(row, 8)?,
            key_replay_seconds: row.get(9)?,
        },
        time_zone: row.get(10)?,
    })
}

#[cfg(test)]
#[path = "profiles_tests.rs"]
mod tests;
