//! The copy of the high-water mark in the keychain. It detects that the whole data folder, including
//! the copy in `backup/`, was restored from an older state.
//!
//! Owns when the keychain is read and written: read once before live work; written in the
//! background, at most once a second, and at closing. The comparison uses the value that this file last wrote to
//! the keychain, because the file's own steps also count practice work. Until one comparison
//! succeeds, an unreachable keychain stops live sending, and nothing else. Practice profiles do not
//! use it.

use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use tokio::sync::Mutex;
use warranty_api::Token;

use crate::context::Context;
use crate::notice::Notice;
use crate::overview::Overviews;
use crate::{Error, Result, StoreError};
use warranty_model::profile::{Profile, ProfileKind};
use warranty_store::high_water::Mark;
use warranty_store::opening;
use warranty_vault::keychain_name;

/// Shortest time between two writes to the keychain.
const AT_MOST_EVERY: Duration = Duration::from_secs(1);
/// How long a failed keychain is not asked again.
const ASK_AGAIN: Duration = Duration::from_secs(10);

/// What this process knows of the copy in the keychain.
#[derive(Debug, Default)]
enum Known {
    #[default]
    NotAsked,
    /// When it failed, on the monotonic clock, and whether it was compared before.
    Failed { since: Duration, compared: bool },
    /// Its value, and the latest time by the clock at which it was written, in milliseconds since 1970 UTC; 0
    /// if it holds none.
    Holds { value: i64, at: i64 },
}

/// The copy of the high-water mark in the keychain.
#[derive(Debug, Clone)]
pub struct HighWater {
    context: Arc<Context>,
    overviews: Overviews,
    /// Locked during a keychain call: one task asks, the others read its result.
    known: Arc<Mutex<Known>>,
    /// Locked by the task that writes.
    writing: Arc<Mutex<()>>,
}

impl HighWater {
    /// The mark of a desk; the keychain is not asked yet.
    pub fn new(context: Arc<Context>, overviews: Overviews) -> Self {
        Self {
            context,
            overviews,
            known: Arc::default(),
            writing: Arc::default(),
        }
    }

    /// Before live work: if the mark in the keychain is ahead of this data folder, starts a rescue.
    /// An unreachable keychain is ignored.
    ///
    /// # Errors
    /// [`Error::Store`] when `desk.db` cannot be read or the rescue cannot be stored.
    pub async fn compare_with_keychain(&self, profile: &Profile) -> Result<()> {
        match self.compare(profile, false).await {
            Ok(_) | Err(Error::Vault(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The same just before a request is sent; whether a rescue was started.
    ///
    /// # Errors
    /// [`Error::Vault`] when the keychain does not answer and was not compared before in this
    /// process: then nothing may be sent. [`Error::Store`] as above.
    pub async fn compare_before_sending(&self, profile: &Profile) -> Result<bool> {
        let compared = self.compare(profile, true).await;
        if let Err(error) = &compared {
            self.overviews.set_blocker_from(&profile.id, error);
        }
        compared
    }

    async fn compare(&self, profile: &Profile, sending: bool) -> Result<bool> {
        let context = &self.context;
        let Some(data_dir) = context.data_dir.as_ref().filter(|_| !context.read_only) else {
            return Ok(false);
        };
        if profile.kind != ProfileKind::Live {
            return Ok(false);
        }
        let mut known = self.known.lock().await;
        let now = context.clock.monotonic();
        let before = match *known {
            Known::Holds { .. } => return Ok(false),
            Known::Failed { since, compared } => {
                let lately = now.saturating_sub(since) < ASK_AGAIN;
                if lately && (compared || !sending) {
                    return Ok(false);
                }
                compared
            }
            Known::NotAsked => false,
        };
        let own = context.store.keychain_mark().await?;
        match context.vault.token(&name_of(&own.folder)).await {
            Ok(kept) => {
                let kept = kept.and_then(|kept| read(kept.expose()));
                let ((value, at), folder) = (kept.unwrap_or_default(), own.folder.clone());
                let outside = Mark { folder, value };
                // The clock may be behind the one by which entries were made that are missing here.
                let written = DateTime::from_timestamp_millis(at).unwrap_or_default();
                let found = context.clock.now().max(written);
                let behind =
                    opening::compare(&context.store, data_dir, &own, outside, found).await?;
                *known = Known::Holds { value, at };
                if behind {
                    self.context.notify(Notice::RescueFound);
                }
                Ok(behind)
            }
            Err(error) => {
                tracing::warn!(%error, "the high-water mark in the keychain is not known");
                *known = Known::Failed {
                    since: context.clock.monotonic(),
                    compared: before,
                };
                if before { Ok(false) } else { Err(error.into()) }
            }
        }
    }

    /// Updates the mark in the keychain in the background, unless an update is running.
    pub fn update_soon(&self) {
        let this = self.clone();
        if self.context.data_dir.is_none() || self.writing.try_lock().is_err() {
            return;
        }
        tokio::spawn(async move {
            let Ok(_turn) = this.writing.try_lock() else {
                return;
            };
            while this.update().await {
                tokio::time::sleep(AT_MOST_EVERY).await;
            }
        });
    }

    /// Updates the mark in the keychain; whether it was behind and was written.
    pub async fn update(&self) -> bool {
        let context = &self.context;
        let mut known = self.known.lock().await;
        // Not asked: no live work was done here. Failed: do not wait for it again.
        let Known::Holds { value: held, at } = *known else {
            return false;
        };
        // Written, it would hide from a new key that the folder may be an older one.
        if held == 0 && is_lost_with_key(context).await.unwrap_or(true) {
            return false;
        }
        let mark = match context.store.mark().await {
            Ok(mark) if mark.value > held => mark,
            Ok(_) | Err(StoreError::Closed) => return false,
            Err(error) => {
                tracing::warn!(%error, "the high-water mark cannot be read");
                return false;
            }
        };
        if let Err(error) = context.store.note_keychain_mark(mark.value).await {
            tracing::warn!(%error, "the high-water mark for the keychain cannot be noted");
            return false;
        }
        let (name, vault) = (name_of(&mark.folder), &context.vault);
        let at = at.max(context.clock.now().timestamp_millis());
        let value = mark.value;
        let kept = match Token::new(&format!("{value} {at}")) {
            Ok(text) => vault.keep(&name, text).await.is_ok(),
            Err(_) => false,
        };
        *known = if kept {
            Known::Holds { value, at }
        } else {
            tracing::warn!("the high-water mark could not be kept in the keychain");
            Known::Failed {
                since: context.clock.monotonic(),
                compared: true,
            }
        };
        kept
    }
}

/// Whether the keychain no longer holds a mark that this file gave it. Beside a lost key, the folder may
/// be an older one on a new computer. A first mark that could not be written looks the same, so alone it
/// proves nothing.
///
/// # Errors
/// [`Error::Vault`] when the keychain does not answer; [`Error::Store`] when `desk.db` cannot be read.
pub async fn is_lost(context: &Context) -> Result<bool> {
    let own = context.store.keychain_mark().await?;
    Ok(own.value > 0 && context.vault.token(&name_of(&own.folder)).await?.is_none())
}

/// The same, when the keychain does not hold the key for new entries either.
async fn is_lost_with_key(context: &Context) -> Result<bool> {
    if !is_lost(context).await? {
        return Ok(false);
    }
    Ok(match context.store.current_key().await? {
        Some(key) => context.vault.token(&keychain_name(&key)).await?.is_none(),
        None => false,
    })
}

/// The value and the time in a text of the keychain.
fn read(text: &str) -> Option<(i64, i64)> {
    let (value, at) = text.split_once(' ')?;
    Some((value.parse().ok()?, at.parse().ok()?))
}

fn name_of(folder: &str) -> String {
    format!("high-water {folder}")
}
