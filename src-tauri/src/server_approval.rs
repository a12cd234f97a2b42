//! Which servers the program may contact: those of its profiles, and those that a person approved.
//!
//! The page alone cannot make the program contact a new server: a dialog of the system names the host
//! and asks the person.

use std::collections::HashSet;

use tauri::AppHandle;
use tokio::sync::Mutex;
use warranty_core::Desk;
use warranty_core::profile::ProfileDraft;
use warranty_messages::ErrorCode;

use crate::error::UiError;
use crate::question::ask;

/// Origins that a person approved since the program started. The lock is held while the dialog is open,
/// so there is one dialog at a time.
#[derive(Debug, Default)]
pub struct ApprovedServers(Mutex<HashSet<String>>);

impl ApprovedServers {
    /// Asks a person to approve the server of a draft, unless a profile already uses it or it was
    /// approved before. An invalid draft passes: the call that follows rejects it.
    pub async fn require(
        &self,
        app: &AppHandle,
        desk: &Desk,
        draft: &ProfileDraft,
    ) -> Result<(), UiError> {
        let Some(server) = desk.profiles.new_server(draft).await? else {
            return Ok(());
        };
        let mut approved = self.0.lock().await;
        if approved.contains(&server.origin()) {
            return Ok(());
        }
        let language = desk.settings().await?.language;
        if !ask(app, language, "serverApproval", &server.host()).await {
            return Err(ErrorCode::NotConfirmed.into());
        }
        approved.insert(server.origin());
        Ok(())
    }
}
