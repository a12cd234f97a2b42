//! Who sells at this desk: the policy of the profile, and the code that is in effect.
//!
//! Owns where both are kept. The code ends with the process, and another profile has its own.

use std::collections::BTreeMap;
use std::sync::Arc;

pub use warranty_model::staff::{StaffPolicy, StaffState};

use crate::profile::Profile;
use crate::{Error, Field, FieldProblem};
use warranty_model::staff::read_code;
use warranty_runtime::context::Context;
use warranty_store::settings::STAFF_POLICIES;

/// The policy of each profile that has one, by its id.
type Policies = BTreeMap<String, StaffPolicy>;

/// Asks who sells.
#[derive(Debug, Clone)]
pub struct Staff {
    pub(crate) context: Arc<Context>,
}

impl Staff {
    /// Who sells now, under a profile.
    pub(crate) async fn state(&self, profile: Option<&Profile>) -> Result<StaffState, Error> {
        let Some(profile) = profile else {
            return Ok(StaffState::default());
        };
        let kept = self.context.store.setting(STAFF_POLICIES).await?;
        Ok(StaffState {
            policy: policies(kept).remove(&profile.id).unwrap_or_default(),
            code: self.context.staff(),
        })
    }

    /// Sets when a code is asked for under the chosen profile. No code is in effect afterwards.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::InUse`] on a desk opened to read; [`Error::Store`].
    pub async fn change_policy(&self, policy: StaffPolicy) -> Result<(), Error> {
        self.context.writable()?;
        let profile = self.context.profile_now().await?;
        self.context.set_staff(None);
        let id = profile.id.clone();
        let change = move |kept| {
            let mut policies = policies(kept);
            policies.insert(id, policy);
            serde_json::to_string(&policies).unwrap_or_default()
        };
        self.context
            .store
            .change_setting(STAFF_POLICIES, change)
            .await?;
        self.context
            .journal_write("staff.policyChanged", &profile.name, None)
            .await
    }

    /// What is entered from now on was entered by this person; `None`: by the user of the operating
    /// system.
    ///
    /// # Errors
    /// [`Error::Input`].
    pub fn enter(&self, typed: Option<&str>) -> Result<(), Error> {
        let code = typed.map(read_code).transpose().map_err(|problem| {
            let field = Field::StaffCode;
            Error::Input(vec![FieldProblem { field, problem }])
        })?;
        self.context.set_staff(code);
        Ok(())
    }
}

fn policies(kept: Option<String>) -> Policies {
    kept.and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}
