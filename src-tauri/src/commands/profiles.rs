//! Profiles and their tokens. The page sends tokens and never receives one.

use serde::Deserialize;
use warranty_core::api::{Token, TokenError};
use warranty_core::profile::{
    ConnectionReport, Display, Profile, ProfileDraft, ProfileWarning, TokenState,
};
use zeroize::Zeroize;

use super::{Handle, Reply};
use crate::practice::PracticeSituation;

/// A token as typed: it cannot be printed or returned, and its memory is wiped after use.
#[derive(Deserialize, specta::Type)]
#[serde(transparent)]
pub struct TypedToken(String);

impl Drop for TypedToken {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl TypedToken {
    fn read(&self) -> Result<Token, TokenError> {
        Token::new(&self.0)
    }
}

/// All profiles.
#[tauri::command]
#[specta::specta]
pub async fn profiles(shared: Handle<'_>) -> Reply<Vec<Profile>> {
    Ok(shared.desk().await?.profiles.all().await?)
}

/// Starts the practice service and selects its profile, creating it when there is none.
#[tauri::command]
#[specta::specta]
pub async fn profile_practise(
    shared: Handle<'_>,
    name: String,
    display: Display,
) -> Reply<Profile> {
    shared.practise(name, display).await
}

/// Lets staff try something out with the practice service.
#[tauri::command]
#[specta::specta]
pub async fn practice_try_out(shared: Handle<'_>, situation: PracticeSituation) -> Reply<()> {
    shared.try_out(situation).await
}

/// Creates a live profile with its token and selects it. A person must approve a new server.
#[tauri::command]
#[specta::specta]
pub async fn profile_connect(
    shared: Handle<'_>,
    draft: ProfileDraft,
    token: TypedToken,
) -> Reply<Profile> {
    let token = token.read()?;
    let desk = shared.desk_for(&draft).await?;
    let connected = desk.profiles.connect(draft, token).await;
    // Runs after an error too: the profile may be selected even if its journal entry could not be
    // written.
    shared.apply_profile().await?;
    Ok(connected?)
}

/// Changes a profile. A person must approve a new server.
#[tauri::command]
#[specta::specta]
pub async fn profile_change(shared: Handle<'_>, id: String, draft: ProfileDraft) -> Reply<Profile> {
    let desk = shared.desk_for(&draft).await?;
    let profile = desk.profiles.change(&id, draft).await?;
    shared.apply_profile().await?;
    Ok(profile)
}

/// Selects a profile.
#[tauri::command]
#[specta::specta]
pub async fn profile_use(shared: Handle<'_>, id: String) -> Reply<Profile> {
    let profile = shared.desk().await?.profiles.choose(&id).await?;
    shared.apply_profile().await?;
    Ok(profile)
}

/// Warnings before a live profile is created from this draft.
#[tauri::command]
#[specta::specta]
pub async fn profile_add_warnings(
    shared: Handle<'_>,
    draft: ProfileDraft,
) -> Reply<Vec<ProfileWarning>> {
    Ok(shared.desk().await?.profiles.add_warnings(&draft).await?)
}

/// Warnings before a profile is removed.
#[tauri::command]
#[specta::specta]
pub async fn profile_remove_warnings(shared: Handle<'_>, id: String) -> Reply<Vec<ProfileWarning>> {
    Ok(shared.desk().await?.profiles.remove_warnings(&id).await?)
}

/// Removes a profile and its token.
#[tauri::command]
#[specta::specta]
pub async fn profile_remove(shared: Handle<'_>, id: String) -> Reply<()> {
    shared.desk().await?.profiles.remove(&id).await?;
    shared.apply_profile().await
}

/// Stores a profile's token in the keychain, replacing an earlier one.
#[tauri::command]
#[specta::specta]
pub async fn token_set(shared: Handle<'_>, id: String, token: TypedToken) -> Reply<()> {
    let profiles = &shared.desk().await?.profiles;
    Ok(profiles.set_token(&id, token.read()?).await?)
}

/// Whether the keychain has a profile's token.
#[tauri::command]
#[specta::specta]
pub async fn token_state(shared: Handle<'_>, id: String) -> Reply<TokenState> {
    Ok(shared.desk().await?.profiles.token_state(&id).await?)
}

/// Removes a profile's token from the keychain.
#[tauri::command]
#[specta::specta]
pub async fn token_remove(shared: Handle<'_>, id: String) -> Reply<()> {
    Ok(shared.desk().await?.profiles.remove_token(&id).await?)
}

/// Tests an address, a store and a token; creates nothing. A person must approve a new server.
#[tauri::command]
#[specta::specta]
pub async fn connection_test(
    shared: Handle<'_>,
    draft: ProfileDraft,
    token: Option<TypedToken>,
) -> Reply<ConnectionReport> {
    let token = token.as_ref().map(TypedToken::read).transpose()?;
    let desk = shared.desk_for(&draft).await?;
    Ok(desk.profiles.test_connection(&draft, token, None).await?)
}
