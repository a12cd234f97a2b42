//! Prints documents: the customer copy of an entry or of a contract that was looked up, the slip of
//! a lead, and the close of a day.
//!
//! Owns where the data comes from. The model owns the layout.

use std::sync::Arc;

use crate::contracts::{Contracts, SubmissionView};
use crate::day::{Date, Days};
use crate::plans::Plans;
use std::time::Duration;
use warranty_runtime::context::Context;

use serde::{Deserialize, Serialize};
use warranty_api::{Contract, ContractId, Personal};
pub use warranty_model::print::{
    MOST_SALES, Paper, PaperGroup, PaperLine, PaperNotice, PaperSize, Shop, Standing,
};

use crate::outbox::SubmissionState;
use crate::{Error, Result};
use warranty_runtime::settings::Language;

/// Timeout of the lookup of the dates that only the service knows; a customer waits.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(3);

/// The subject of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum PaperOf {
    Entry {
        id: String,
    },
    /// A contract as the service returned it.
    Contract {
        contract: Box<Contract>,
    },
    /// The slip of a lead, with the token that is on screen.
    Lead {
        id: String,
        token: Personal,
    },
    Day {
        date: Date,
    },
}

impl PaperOf {
    /// The id of the subject: of an entry, a contract or a lead, or the date of the day.
    pub fn id(&self) -> String {
        match self {
            Self::Entry { id } | Self::Lead { id, .. } => id.clone(),
            Self::Contract { contract } => contract.id.to_string(),
            Self::Day { date } => date.to_string(),
        }
    }
}

/// Builds documents and records their output.
#[derive(Debug, Clone)]
pub struct Printing {
    pub(crate) context: Arc<Context>,
    pub(crate) contracts: Contracts,
    pub(crate) plans: Plans,
    pub(crate) days: Days,
}

impl Printing {
    /// The document in a language. For a confirmed entry the service is asked for the dates of the
    /// contract; without an answer within three seconds they are left out.
    ///
    /// # Errors
    /// [`Error::NotKnown`] when there is no such entry or lead; [`Error::NoProfile`];
    /// [`Error::Store`].
    pub async fn paper(&self, of: &PaperOf, language: Language) -> Result<Paper> {
        let profile = self.context.profile_now().await?;
        let shop = Shop::new(&profile, self.context.clock.now(), language);
        let (sheet, duplicate_possible) = match of {
            PaperOf::Contract { contract } => {
                let store = &self.context.store;
                let entered = store.entered_for(&profile, contract).await?;
                let Some((fee, duplicate_possible, store_id)) = entered else {
                    return Ok(shop.of_contract(contract, None));
                };
                let shop = shop.at_store(Some(store_id));
                (shop.of_contract(contract, Some(fee)), duplicate_possible)
            }
            PaperOf::Entry { id } => {
                let entry = self.contracts.submission(id).await?;
                let shop = shop.at_store(self.context.store.store_of(id).await?);
                let sheet = match self.contract_of(&entry).await {
                    Some(contract) => shop.of_contract(&contract, Some(entry.plan_purchase_price)),
                    None => {
                        let plan = self.plans.cached_plan(&entry.plan_id).await?;
                        shop.of_entry(&entry, plan.as_ref())
                    }
                };
                (sheet, entry.duplicate_possible)
            }
            PaperOf::Lead { id, token } => {
                let kept = self.context.store.lead(id).await?;
                let lead = kept.ok_or_else(|| Error::NotKnown(id.clone()))?.view;
                (shop.of_lead(&lead, token), false)
            }
            PaperOf::Day { date } => {
                let day = self.days.day(Some(*date)).await?;
                let found = self.days.sales(*date, None).await?;
                let sales = &found[..found.len().min(MOST_SALES)];
                (shop.of_day(&day, sales, found.len() > MOST_SALES), false)
            }
        };
        Ok(if duplicate_possible {
            sheet.with_possible_duplicate()
        } else {
            sheet
        })
    }

    /// Records in the journal that a document was printed.
    ///
    /// # Errors
    /// [`Error::Store`] when it cannot be recorded.
    pub async fn record_print(&self, of: &PaperOf) -> Result<()> {
        let context = &self.context;
        context.journal_write("paper.printed", &of.id(), None).await
    }

    async fn contract_of(&self, entry: &SubmissionView) -> Option<Contract> {
        let id: &ContractId = entry.contract_id.as_ref()?;
        if entry.state != SubmissionState::Confirmed {
            return None;
        }
        // The dates are optional: a failed lookup is ignored.
        let found = tokio::time::timeout(LOOKUP_TIMEOUT, self.contracts.look_up(id)).await;
        // The profile may be at another server by now, where another sale has this id.
        found.ok()?.ok().filter(|contract| {
            contract.transaction_id == entry.transaction_id
                && contract.product.reference_id == entry.product_reference_id
                && contract.plan.id == entry.plan_id
        })
    }
}

#[cfg(test)]
mod tests;
