//! Who sells at this desk: the policy of the profile, and the current staff code.
//!
//! Owns where both are stored. The code is lost when the process ends or another profile is
//! selected.

use std::collections::BTreeMap;
use std::sync::Arc;

pub use warranty_model::staff::{StaffPolicy, StaffState};

use crate::profile::Profile;
use crate::{Error, Field, Result};
use warranty_model::staff::read_code;
use warranty_runtime::context::Context;
use warranty_store::settings::STAFF_POLICIES;

/// Manages the staff policy and code.
#[derive(Debug, Clone)]
pub struct Staff {
    pub(crate) context: Arc<Context>,
}

impl Staff {
    /// The staff code and policy of a profile now.
    pub(crate) async fn state(&self, profile: Option<&Profile>) -> Result<StaffState> {
        let Some(profile) = profile else {
            return Ok(StaffState::default());
        };
        let kept = self.context.store.setting(STAFF_POLICIES).await?;
        Ok(StaffState {
            policy: policies(kept).remove(&profile.id).unwrap_or_default(),
            code: self.context.staff(),
        })
    }

    /// Sets when a staff code is required under the selected profile. Clears the current code.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::InUse`] on a desk opened to read; [`Error::Store`].
    pub async fn change_policy(&self, policy: StaffPolicy) -> Result<()> {
        let context = &self.context;
        context.writable()?;
        let profile = context.profile_now().await?;
        context.set_staff(None);
        let id = profile.id.clone();
        let change = move |kept| {
            let mut policies = policies(kept);
            policies.insert(id, policy);
            serde_json::to_string(&policies).unwrap_or_default()
        };
        let store = &context.store;
        store.change_setting(STAFF_POLICIES, change).await?;
        let line = context.journal_write("staff.policyChanged", &profile.name, None);
        line.await
    }

    /// Records this code with all following entries; with `None` the user of the operating system
    /// is recorded.
    ///
    /// # Errors
    /// [`Error::Input`].
    pub fn enter(&self, typed: Option<&str>) -> Result<()> {
        self.context.set_staff(read(typed)?);
        Ok(())
    }
}

/// Validates a staff code as typed, and converts it to plain characters.
///
/// # Errors
/// [`Error::Input`].
pub fn read(typed: Option<&str>) -> Result<Option<String>> {
    let code = typed.map(read_code).transpose();
    code.map_err(|problem| Error::input(Field::StaffCode, problem))
}

fn policies(kept: Option<String>) -> BTreeMap<String, StaffPolicy> {
    kept.and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}
