//! Creates, changes, selects and removes profiles.

use warranty_api::Token;

use super::connection::address_of;
use super::{Profile, ProfileDraft, ProfileKind, Profiles, token, validation};
use crate::{Error, Result};
use warranty_store::profiles::Kept;
use warranty_vault::VaultError;

/// Placeholder for the address of the practice service, whose port changes at each start.
const PRACTICE: &str = "practice";

impl Profiles {
    /// All profiles, by name.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn all(&self) -> Result<Vec<Profile>> {
        Ok(self.context.store.profiles().await?)
    }

    /// The profile this desk works under: the one it was opened with, else the chosen one.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`] when the desk was opened with a name that no profile has.
    pub async fn current(&self) -> Result<Option<Profile>> {
        self.context.current_profile().await
    }

    /// The same, where there must be one.
    ///
    /// # Errors
    /// [`Error::NoProfile`], or [`Error::SellingClosed`] when it is missing because of the policy.
    pub async fn expected(&self) -> Result<Profile> {
        self.context.profile_now().await
    }

    /// Creates a live profile, and selects it if none is selected.
    ///
    /// # Errors
    /// [`Error::Input`] and [`Error::ProfileNameTaken`]; then nothing is stored.
    pub async fn add(&self, draft: ProfileDraft) -> Result<Profile> {
        let profile = self.new_live(draft)?;
        let choose = self.context.store.current_profile().await?.is_none();
        self.keep_profile(profile, choose, "profile.added").await
    }

    /// Creates a live profile with its token and selects it; if the vault cannot store the token,
    /// there is no profile.
    ///
    /// # Errors
    /// As [`Profiles::add`], and [`Error::Vault`].
    pub async fn connect(&self, draft: ProfileDraft, token: Token) -> Result<Profile> {
        let profile = self.new_live(draft)?;
        let entry = token::bind(&token, &address_of(&profile)?)?;
        let id = profile.id.clone();
        let kept = match self.keep_token(&id, entry).await {
            Ok(()) => self.keep_profile(profile, true, "profile.added").await,
            Err(error) => Err(error.into()),
        };
        if kept.is_err() {
            // Without a profile the token must be deleted, even if the vault stores it late.
            self.context.vault.forget_later(&id);
        }
        let profile = kept?;
        self.context
            .journal_write("token.set", &profile.name, None)
            .await?;
        Ok(profile)
    }

    /// Selects the practice profile; creates it if there is none. The practice service must be
    /// attached.
    ///
    /// # Errors
    /// [`Error::PracticeNotRunning`]; [`Error::Input`] and [`Error::ProfileNameTaken`] for the name
    /// of a new one. `name` and `display` are used for a new profile only.
    pub async fn practise(&self, name: String, display: super::Display) -> Result<Profile> {
        self.context.writable()?;
        self.context.refuse_when("practiceAllowed", false)?;
        let practice = self.practice_service()?;
        let mut profiles = self.context.store.profiles().await?.into_iter();
        if let Some(mut profile) = profiles.find(|profile| profile.kind == ProfileKind::Practice) {
            // A new practice service may have another store.
            practice.store_id.as_str().clone_into(&mut profile.store_id);
            return self.keep_profile(profile, true, "profile.used").await;
        }
        let name = validation::name(&name).map_err(|problem| Error::Input(vec![problem]))?;
        let profile = Profile {
            id: self.context.ids.uuid().to_string(),
            name,
            kind: ProfileKind::Practice,
            base_url: PRACTICE.to_owned(),
            store_id: practice.store_id.as_str().to_owned(),
            // The sample store is in Japan.
            utc_offset_minutes: 9 * 60,
            time_zone: None,
            display: validation::display(&display),
            facts: super::ProviderFacts::default(),
        };
        self.keep_profile(profile, true, "profile.added").await
    }

    /// Changes a profile. The address and the store of the practice profile never change, nor do
    /// those of a profile with unfinished contracts or leads. A token is used only for the server
    /// it was entered for: if the address changes to another server, the token is deleted from the
    /// vault and has to be entered again.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`], [`Error::Input`], [`Error::ProfileNameTaken`],
    /// [`Error::ProfileHasOpenContracts`]; [`Error::Vault`] when the token cannot be removed.
    pub async fn change(&self, id: &str, draft: ProfileDraft) -> Result<Profile> {
        self.context.writable()?;
        let old = self.context.profile_by_id(id).await?;
        self.refuse_managed(&old)?;
        let new = match old.kind {
            ProfileKind::Practice => practice_changed(&old, &draft)?,
            ProfileKind::Live => {
                let sound = validation::check(&draft).map_err(Error::Input)?;
                live(old.id.clone(), sound)
            }
        };
        let moved = new.base_url != old.base_url || new.store_id != old.store_id;
        if moved {
            self.refuse_while_open(&old).await?;
            if old.store().origin != new.store().origin {
                // Checks that can fail run before the token is deleted.
                let store = &self.context.store;
                if store.profile_of_same_name(&new).await?.is_some() {
                    return Err(Error::ProfileNameTaken(new.name));
                }
                match self.delete_token(&old.id).await {
                    Ok(()) => {
                        self.context
                            .journal_write("token.removed", &old.name, None)
                            .await?;
                    }
                    // Without a keychain a mistyped address can still be corrected; a token that is
                    // stored anyway stays bound to the old server.
                    Err(Error::Vault(VaultError::NoKeychain)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        let profile = self.keep_profile(new, false, "profile.changed").await?;
        if moved {
            self.context.cache.forget_profile(&profile.id).await;
        }
        Ok(profile)
    }

    /// Selects a profile by id or name.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`]; [`Error::Managed`] for one that is locked, unless a live one has
    /// something to be finished.
    pub async fn choose(&self, id_or_name: &str) -> Result<Profile> {
        let context = &self.context;
        context.writable()?;
        let profile = context.find_profile(id_or_name).await?;
        if let Err(locked) = context.refuse_profile(&profile) {
            let is_live = profile.kind == ProfileKind::Live;
            if !is_live || self.overviews.to_finish(&profile.id).await?.is_empty() {
                return Err(locked);
            }
        }
        let line = context.journal_line("profile.used", &profile.name, None);
        context.store.choose_profile(&profile.id, line).await?;
        // The staff code has to be entered again for another profile.
        context.set_staff(None);
        Ok(profile)
    }

    /// Selects the first live profile that may be used if none is selected. Only for the window, whose
    /// title shows it: a command would sell in a store that no person selected.
    ///
    /// # Errors
    /// [`Error::Store`] when it cannot be selected.
    pub async fn choose_live_if_none(&self) -> Result<()> {
        let context = &self.context;
        if context.store.current_profile().await?.is_some() {
            return Ok(());
        }
        let mut profiles = context.store.profiles().await?.into_iter();
        let usable = profiles.find(|profile| {
            profile.kind == ProfileKind::Live && context.refuse_profile(profile).is_ok()
        });
        if let Some(profile) = usable {
            self.choose(&profile.id).await?;
        }
        Ok(())
    }

    /// Removes a profile and its token; refused while a person has still something to do under it. Its
    /// entries stay in `desk.db`. If it was the selected one, selects a managed one and returns it.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`], [`Error::ProfileHasOpenContracts`]; [`Error::Vault`] when the
    /// keychain does not delete the token: then nothing was removed; [`Error::TokenNotConfirmed`]
    /// when it did not answer in time: the profile stays, its token may be gone.
    pub async fn remove(&self, id_or_name: &str) -> Result<Option<Profile>> {
        let context = &self.context;
        context.writable()?;
        let profile = context.find_profile(id_or_name).await?;
        self.refuse_managed(&profile)?;
        self.refuse_while_open(&profile).await?;
        // What was typed for practice goes along.
        if profile.kind == ProfileKind::Live {
            let left = self.overviews.to_finish(&profile.id).await?;
            if !left.is_empty() {
                return Err(Error::ProfileHasOpenContracts(left));
            }
            self.delete_token(&profile.id).await?;
        }
        let line = context.journal_line("profile.removed", &profile.name, None);
        // A contract or lead may have been entered since the check.
        if context.store.remove_profile(&profile.id, line).await? > 0 {
            return self.refuse_open(&profile.id).await;
        }
        context.cache.forget_profile(&profile.id).await;
        context.customers_deleted().await;
        match context.store.current_profile().await? {
            Some(_) => Ok(None),
            None => self.choose_managed().await,
        }
    }

    pub(super) async fn keep_profile(
        &self,
        profile: Profile,
        choose: bool,
        action: &'static str,
    ) -> Result<Profile> {
        let line = self.context.journal_line(action, &profile.name, None);
        let store = &self.context.store;
        match store.keep_profile(&profile, choose, line).await? {
            Kept::Yes => {
                if choose {
                    self.context.set_staff(None);
                }
                Ok(profile)
            }
            Kept::NameTaken => Err(Error::ProfileNameTaken(profile.name)),
            Kept::Open(_) => self.refuse_open(&profile.id).await,
        }
    }

    async fn refuse_while_open(&self, profile: &Profile) -> Result<()> {
        match self.context.store.unfinished_count(&profile.id).await? {
            0 => Ok(()),
            _ => self.refuse_open(&profile.id).await,
        }
    }

    async fn refuse_open<T>(&self, id: &str) -> Result<T> {
        let left = self.overviews.to_finish(id).await?;
        Err(Error::ProfileHasOpenContracts(left))
    }

    /// A live profile that is not stored yet, if one may be added.
    fn new_live(&self, draft: ProfileDraft) -> Result<Profile> {
        self.context.writable()?;
        self.context.refuse_when("profilesLocked", true)?;
        let sound = validation::check(&draft).map_err(Error::Input)?;
        Ok(live(self.context.ids.uuid().to_string(), sound))
    }
}

pub(super) fn live(id: String, draft: ProfileDraft) -> Profile {
    Profile {
        id,
        kind: ProfileKind::Live,
        name: draft.name,
        base_url: draft.base_url,
        store_id: draft.store_id,
        utc_offset_minutes: draft.utc_offset_minutes,
        time_zone: draft.time_zone,
        display: draft.display,
        facts: draft.facts,
    }
}

/// The practice profile with the fields that may change.
fn practice_changed(old: &Profile, draft: &ProfileDraft) -> Result<Profile> {
    let name = validation::name(&draft.name);
    let offset = validation::offset(draft.utc_offset_minutes);
    let zone = validation::time_zone(draft.time_zone.as_deref());
    match (name, offset, zone) {
        (Ok(name), Ok(()), Ok(time_zone)) => Ok(Profile {
            name,
            utc_offset_minutes: draft.utc_offset_minutes,
            time_zone,
            display: validation::display(&draft.display),
            facts: draft.facts.clone(),
            ..old.clone()
        }),
        (name, offset, zone) => {
            let problems = name.err().into_iter().chain(offset.err());
            Err(Error::Input(problems.chain(zone.err()).collect()))
        }
    }
}
