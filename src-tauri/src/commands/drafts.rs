//! Drafts: input that is not registered yet.

use warranty_core::api::Personal;
use warranty_core::drafts::{Draft, DraftName, DraftPlace};

commands! {
    /// Stores a draft under a name. `entries` counts the entries in it that are not registered.
    fn draft_keep(
        desk,
        profile_id: String,
        name: DraftName,
        text: Personal,
        entries: u32,
    ) -> DraftPlace =
        desk.drafts.keep(&profile_id, &name, text, entries).await?;

    fn drafts(desk, profile_id: String, prefix: DraftName) -> Vec<Draft> =
        desk.drafts.all(&profile_id, &prefix).await?;

    fn draft_drop(desk, profile_id: String, name: DraftName) -> () =
        desk.drafts.remove(&profile_id, &name).await?;
}
