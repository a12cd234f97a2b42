//! Drafts at rest: encrypted texts by profile and name.

use rusqlite::params;
use warranty_model::interface::Timestamp;

use super::{Result, Store, encryption_keys, sql_types};
use crate::query::Query as _;
use warranty_model::drafts::DraftName;
use warranty_model::encrypted::Encrypted;

#[derive(Debug, Clone)]
pub struct KeptDraft {
    pub name: DraftName,
    pub encrypted: Encrypted,
    /// How many entries it holds that were not submitted.
    pub entries: u32,
    pub kept_at: Timestamp,
}

impl Store {
    /// Keeps a draft in place of the one of its name and key, unless a profile's drafts would then
    /// weigh more than so many bytes. Returns whether it is kept.
    pub async fn keep_draft(
        &self,
        profile_id: &str,
        draft: KeptDraft,
        most: usize,
    ) -> Result<bool> {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            let (name, key_id) = (draft.name.as_str(), &draft.encrypted.key_id);
            let others: i64 = transaction.value(
                "SELECT COALESCE(SUM(size), 0) FROM draft
                 WHERE profile_id = ?1 AND NOT (name = ?2 AND key_id = ?3)",
                params![profile_id, name, key_id],
            )?;
            let size = draft.encrypted.bytes.len();
            if usize::try_from(others).map_or(true, |others| others.saturating_add(size) > most) {
                return Ok(false);
            }
            transaction.change(
                "INSERT INTO draft (profile_id, name, key_id, kept_at, size, encrypted, entries)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                     ON CONFLICT (profile_id, name, key_id) DO UPDATE SET
                         kept_at = excluded.kept_at, size = excluded.size,
                         encrypted = excluded.encrypted, entries = excluded.entries",
                params![
                    profile_id,
                    name,
                    key_id,
                    draft.kept_at.get().timestamp_millis(),
                    u32::try_from(size).unwrap_or(u32::MAX),
                    draft.encrypted.bytes,
                    draft.entries,
                ],
            )?;
            Ok(true)
        })
        .await
    }

    /// A profile's drafts whose names begin so, by name and then newest first.
    pub async fn drafts(&self, profile_id: &str, prefix: &DraftName) -> Result<Vec<KeptDraft>> {
        self.list(
            // A name holds nothing that means anything in a pattern.
            "SELECT name, key_id, encrypted, kept_at, entries FROM draft
             WHERE profile_id = ?1 AND name GLOB ?2 || '*'
             ORDER BY name, kept_at DESC, rowid DESC",
            [profile_id, prefix.as_str()].map(str::to_owned),
            |row| {
                Ok(KeptDraft {
                    name: sql_types::word(row, 0)?,
                    encrypted: encryption_keys::kept_at(row, 1)?,
                    kept_at: sql_types::instant(row, 3)?,
                    entries: row.get(4)?,
                })
            },
        )
        .await
    }

    /// How many entries each of a profile's drafts holds that were not submitted. Of a name the
    /// newest counts: older ones were encrypted with keys that are gone.
    pub async fn draft_entries(&self, profile_id: &str) -> Result<Vec<(DraftName, u32)>> {
        self.list(
            "SELECT name, entries, MAX(kept_at) FROM draft WHERE profile_id = ?1 GROUP BY name",
            [profile_id.to_owned()],
            |row| Ok((sql_types::word(row, 0)?, row.get(1)?)),
        )
        .await
    }

    pub async fn drop_drafts(
        &self,
        profile_id: &str,
        drafts: Vec<(DraftName, String)>,
    ) -> Result<()> {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            for (name, key_id) in drafts {
                let sql = "DELETE FROM draft WHERE profile_id = ?1 AND name = ?2 AND key_id = ?3";
                transaction.change(sql, params![profile_id, name.as_str(), key_id])?;
            }
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixtures;

    fn draft(name: &str, size: usize) -> KeptDraft {
        KeptDraft {
            name: DraftName::new(name).unwrap(),
            encrypted: Encrypted {
                key_id: "key".into(),
                bytes: vec![0; size],
            },
            entries: 0,
            kept_at: sql_types::moment(0).unwrap(),
        }
    }

    #[tokio::test]
    async fn what_a_profile_keeps_is_bounded_and_what_was_kept_stays() {
        let (_folder, store) = test_fixtures::store().await;
        let keep = async |profile: &str, name: &str, size| {
            let draft = draft(name, size);
            store.keep_draft(profile, draft, 100).await.unwrap()
        };
        assert!(keep("one", "a", 60).await);
        assert!(!keep("one", "b", 41).await);
        assert!(keep("other", "b", 41).await);
        assert!(keep("one", "a", 100).await, "in place of itself");
        assert!(!keep("one", "a", 101).await);
        let all = DraftName::new("a").unwrap();
        let kept = store.drafts("one", &all).await.unwrap();
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0].encrypted.bytes.len(), 100);
    }
}
