//! Profiles and their tokens. The page sends tokens and never receives one.

use serde::Deserialize;
use warranty_core::api::{Token, TokenError};
use warranty_core::profile::{ConnectionReport, Display, Profile, ProfileDraft};
use zeroize::Zeroize;

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

commands! {
    fn profiles(desk) -> Vec<Profile> = desk.profiles.all().await?;

    /// Stores a profile's token in the keychain, replacing an earlier one.
    fn token_set(desk, id: String, token: TypedToken) -> () =
        desk.profiles.set_token(&id, token.read()?).await?;

    fn token_remove(desk, id: String) -> () = desk.profiles.remove_token(&id).await?;

    fn profile_use(desk of state, id: String) -> Profile = {
        let profile = desk.profiles.choose(&id).await?;
        state.apply_profile().await?;
        profile
    };

    fn profile_remove(desk of state, id: String) -> () = {
        desk.profiles.remove(&id).await?;
        state.apply_profile().await?;
    };

    /// Starts the practice service and selects its profile, creating it when there is none.
    fn profile_practise(_desk of state, name: String, display: Display) -> Profile =
        state.practise(name, display).await?;

    /// Lets staff try something out with the practice service.
    fn practice_try_out(_desk of state, situation: PracticeSituation) -> () =
        state.try_out(situation).await?;

    /// Creates a live profile with its token and selects it. A person must approve a new server.
    fn profile_connect(_desk of state, draft: ProfileDraft, token: TypedToken) -> Profile = {
        let token = token.read()?;
        let desk = state.desk_for(&draft).await?;
        let connected = desk.profiles.connect(draft, token).await;
        // Runs after an error too: the profile may be selected even if its journal entry could not
        // be written.
        state.apply_profile().await?;
        connected?
    };

    /// Changes a profile. A person must approve a new server.
    fn profile_change(_desk of state, id: String, draft: ProfileDraft) -> Profile = {
        let desk = state.desk_for(&draft).await?;
        let profile = desk.profiles.change(&id, draft).await?;
        state.apply_profile().await?;
        profile
    };

    /// Tests an address, a store and a token; creates nothing. A person must approve a new server.
    fn connection_test(
        _desk of state,
        draft: ProfileDraft,
        token: Option<TypedToken>,
    ) -> ConnectionReport = {
        let token = token.as_ref().map(TypedToken::read).transpose()?;
        let desk = state.desk_for(&draft).await?;
        desk.profiles.test_connection(&draft, token, None).await?
    };
}
